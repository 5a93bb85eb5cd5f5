"""First guesses at the door of a world: those whose meaning is plain work, for the others there is a line to
write instead."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tinkerdyne.engine.settings import Settings
from tinkerdyne.language.checks import did_you_mean
from tinkerdyne.language.item import Item, an_item
from tinkerdyne.language.item_type import ItemType
from tinkerdyne.language.registry import REGISTRY

# What people call the items of a family.
FAMILIES = {
    "objects": "object",
    "bodies": "object",
    "connectors": "connector",
    "points": "connector",
    "constraints": "constraint",
    "joints": "constraint",
    "behaviors": "behavior",
    "forces": "behavior",
    "fields": "field",
}

STEP = "a step is as long as you ask: world.step(1/60); of its parts say world.configure(max_step=1e-3)"
ADD = "write world.add(item)"
COPY = "write copy.deepcopy(world)"
SEE = (
    "write tinkerdyne.studio(world), or world.save('scene.json'), and then on the command line "
    "tinkerdyne plot scene.json"
)
BACK = "write world.undo(), or keep a copy that you go back to: start = copy.deepcopy(world)"
LOAD = "a file makes a world of its own: world = World.load('scene.json')"
STILL = "a world stands still until you write world.run(2.0) or world.step(1/60)"
FREEDOMS = "read world.diagnose().freedoms"
# What other programs call what a world does, and the line for it here.
ELSEWHERE = {
    "simulate": "write world.run(2.0), or world.step(1/60)",
    "advance": "write world.step(1/60)",
    "dt": STEP,
    "timestep": STEP,
    "update": "write world.step(1/60)",
    "tick": "write world.step(1/60)",
    "insert": ADD,
    "append": ADD,
    "add_body": ADD,
    "add_object": ADD,
    "add_item": ADD,
    "add_joint": ADD,
    "add_constraint": ADD,
    "add_force": ADD,
    "delete": "write world.remove(item)",
    "find": "write world['name']",
    "get": "write world['name']",
    "names": "write [item.name for item in world]",
    "keys": "write [item.name for item in world]",
    "values": "write list(world)",
    "copy": COPY,
    "clone": COPY,
    "reset": BACK,
    "plot": SEE,
    "draw": SEE,
    "view": SEE,
    "render": SEE,
    "animate": SEE,
    "studio": SEE,
    "load": LOAD,
    "from_json": LOAD,
    "open": LOAD,
    "export": "write world.save('scene.json')",
    "write": "write world.save('scene.json')",
    "clear": "write world.remove(*world)",
    "restart": BACK,
    "rename": "write world.apply(Rename('old', 'new'))",
    "replace": "write world.remove(old) and world.add(new)",
    "duplicate": COPY,
    "snapshot": COPY,
    "one_step": "write with world.history.one_step(): and the edits below it",
    "pause": STILL,
    "stop": STILL,
    "play": "write world.run(2.0), or world.live(2.0) against the clock",
    "start": "write world.run(2.0), or world.live(2.0) against the clock",
    "freedoms": FREEDOMS,
    "degrees_of_freedom": FREEDOMS,
    "dof": FREEDOMS,
    "solve": "write world.assemble(), or in a first-order world settle(world)",
    "settle": "write settle(world), in a first-order world",
}

# What is read of a world, and how it is changed.
CHANGED_BY = {
    "time": "World(time=2.0) begins there; world.run(2.0) goes on",
    "items": "write world.add(item), world.remove(item)",
    "settings": "write world.configure(max_step=1e-3)",
    "timeline": "write world.at(2.0, edit)",
    "display": "write world.show(traces=['rod.end2'])",
}


class OfTheClass:
    """A method of a class, that its objects do not have."""

    def __init__(self, method: classmethod[object, ..., object]) -> None:
        self.method = method

    def __get__(self, one: object, owner: type) -> object:
        if one is not None:
            raise AttributeError("only the class has it")
        return self.method.__get__(None, owner)


def unpacked(given: Iterable[object]) -> tuple[Item, ...]:
    """Items as they are given to be added: one by one, or several in a list."""
    return tuple(_each(given))


def _each(given: Iterable[object]) -> Iterator[Item]:
    for thing in given:
        if isinstance(thing, Item):
            yield thing
        elif isinstance(thing, list | tuple | Iterator):
            yield from _each(thing)
        elif isinstance(thing, ItemType):
            raise TypeError(f"{thing.word} is a type of items; to add one write {adding(thing)}")
        else:
            raise TypeError(
                f"only objects, connectors, constraints and behaviors can be added, not {thing!r}"
            )


def item_of(who: str, thing: object) -> Item:
    """An item that `who` was given, and that was not removed; of a name the refusal has the line to write."""
    item = an_item(who, thing)
    item._alive()
    return item


def adding(kind: ItemType, *values: object) -> str:
    """The line that adds an item of a type."""
    given = [operand.name for operand in kind.operands()] + [repr(value) for value in values]
    return f"world.add({kind.word}({', '.join(given)}))"


def instead_of_setting(name: str, value: object) -> str:
    """What to write instead of a setting that there is not, at the end of a message."""
    kind = REGISTRY.get(name)
    if name in ELSEWHERE:
        return f"; {ELSEWHERE[name]}"
    if kind is not None:
        return f"; to have {kind.word} write {adding(kind, *([value] if kind.family == 'field' else []))}"
    return did_you_mean(name, Settings.__annotations__)


def instead_of_setting_it(name: str) -> str:
    """How what is read of a world is changed, at the end of a message."""
    return f"; {CHANGED_BY[name]}" if name in CHANGED_BY else ""


def instead_of_attribute(name: str, items: Sequence[Item]) -> str:
    """What to write instead of an attribute that a world does not have, "" where nothing is near."""
    if name in Settings.__annotations__:
        return f"it is a setting: read world.settings[{name!r}], change it by world.configure({name}=…)"
    if any(item.name == name for item in items):
        return f"to take an item by its name write world[{name!r}]"
    if name in FAMILIES:
        return f"write [item for item in world if item.type.family == {FAMILIES[name]!r}]"
    if name in ELSEWHERE:
        return ELSEWHERE[name]
    kind = REGISTRY.get(name)
    there = [item.name for item in items if item.type is kind]
    if there:
        return f"write world[{there[0]!r}]"
    return f"to have one write {adding(kind)}" if kind is not None else ""
