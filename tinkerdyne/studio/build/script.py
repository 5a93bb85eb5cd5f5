"""A world as Python: a script that builds it again, in the public words."""

from __future__ import annotations

import inspect
import keyword
import re
from collections.abc import Iterable

import tinkerdyne as td
from tinkerdyne.behaviors.formulas import typed_energy, typed_force
from tinkerdyne.connectors.formulas import formula_place, formula_value
from tinkerdyne.connectors.points import place, point
from tinkerdyne.constraints.algebra import typed_equation, typed_path
from tinkerdyne.language.item import Item
from tinkerdyne.language.item_type import ItemType
from tinkerdyne.language.kinds import Either, Value
from tinkerdyne.language.types import TAU
from tinkerdyne.objects.maker import Maker
from tinkerdyne.objects.patches import typed_surface
from tinkerdyne.objects.typed import typed_curve
from tinkerdyne.studio.build.catalogue import public_names
from tinkerdyne.studio.build.literals import NOISE, cleaned, keywords, written
from tinkerdyne.world.world import World

# Typed formulas are made by functions that take texts and names.
TYPED: dict[ItemType, str] = {
    formula_value: "formula",
    formula_place: "moving",
    typed_equation: "equation",
    typed_path: "follow",
    typed_energy: "formula_energy",
    typed_force: "formula_force",
}
# Where something is: what is next to nothing there is nothing. Of others, such as a mass, it may be meant.
PLACES = frozenset(
    ("at", "axes", "along", "by", "keys", "points", "vertices", "angle", "turns", "u", "v", "phase", "rest")
)
USUAL = {"tau": TAU, "gains": (), "is_on": True, "is_fixed": False}


def script(world: World, without: Iterable[str] = ()) -> str:
    """Lines that build the world as it is now; running them gives the same scene, but for the steppers'
    memory."""
    with world.lock:
        return Writer(world, set(without)).text()


class Writer:
    """Goes through the items in their order and writes a line for each that does not come along with
    another."""

    def __init__(self, world: World, without: set[str]) -> None:
        self.world = world
        self.items = [item for item in world.items if item.name not in without]
        self.keys = {item.key for item in self.items}
        self.lines: list[str] = []
        self.variables: dict[int, str] = {}
        self.there: set[str] = set()  # names that are in the world being built
        self.numbers: dict[str, int] = {}
        self.given: dict[int, str] = {}  # names of the items of the line that is written
        self.public = public_names()
        self.needs_registry = False

    def text(self) -> str:
        time = {"time": self.world.time} if self.world.time else {}
        self.lines.append(f"world = td.World({_options(dict(self.world.contents.chosen) | time)})")
        done = 0
        while done < len(self.items):
            done += self._write(done)
        if self.world.timeline:
            entries = ", ".join(map(written, self.world.timeline))
            self.lines.append(f"world.apply(td.Plan(({entries},)))")
        if self.world.display:
            self.lines.append(f"world.show({_options(dict(self.world.display))})")
        head = ["import tinkerdyne as td"]
        modules = dict.fromkeys(
            i.type.module for i in self.items if i.type.module.startswith("tinkerdyne_scenes.")
        )
        if self.needs_registry:
            head.append("from tinkerdyne.language.types import REGISTRY")
        if modules:
            head.insert(1, "from tinkerdyne import gallery")
        loads = [f"gallery.load({name.split('.', 1)[1]!r}).build()  # defines its types" for name in modules]
        return "\n".join([*head, "", *loads, *self.lines, ""])

    # --- one line --------------------------------------------------------------------------------
    def _write(self, at: int) -> int:
        """Write the next line; how many items it adds.

        Connectors come along with an item if `add` takes them in the same order."""
        for ahead in range(at, len(self.items)):
            item = self.items[ahead]
            if item.type.family != "connector":
                along = self.items[at:ahead]
                if self._along(item) != [one.key for one in along]:
                    break
                return self._add(item, along)
            if self._needs_line(item):
                break
        return self._add(self.items[at], [])

    def _needs_line(self, item: Item) -> bool:
        """Whether a connector must have a name in the script: it is not used just once, and is no place of a
        body."""
        return len(self._users(item)) != 1 and not self._part(item)

    def _users(self, item: Item) -> list[Item]:
        return [user for user in self.world.contents.users(item) if user.key in self.keys]

    def _along(self, item: Item) -> list[int]:
        """Keys of the connectors that come along with an item, in order."""
        found: list[int] = []

        def gather(one: Item) -> None:
            for source in one.inputs:
                if (
                    source.name not in self.there
                    and source.key not in found
                    and source.type.family == "connector"
                ):
                    gather(source)
                    found.append(source.key)

        gather(item)
        return found

    def _add(self, item: Item, along: list[Item]) -> int:
        self.given = {one.key: self._given_name(one) for one in (*along, item)}
        made = self._expression(item)
        if self._users(item) and not self._part(item):
            self.variables[item.key] = self._variable(item.name)
            made = f"{self.variables[item.key]} = world.add({made})"
        else:
            made = f"world.add({made})"
        self.lines.append(made)
        for one in (*along, item):
            usual = f"{one.inputs[0].name}.{part}" if (part := self._part(one)) else one.name
            if one.name != usual:
                self.lines.append(f"world.apply(td.Rename({usual!r}, {one.name!r}))")
        return 1 + len(along) + self._companions(item)

    def _companions(self, item: Item) -> int:
        """How many of the items that come with this one stand right behind it; one that was deleted is
        deleted again."""
        companions = item.type.companions(item) if getattr(item.type, "companions", None) else ()
        at = first = self.items.index(item) + 1
        for companion in companions:
            if companion.name in self.there:
                continue
            if at < len(self.items) and self.items[at].name == companion.name:
                self.there.add(companion.name)
                at += 1
            elif companion.name not in self.world:
                self.lines.append(f"world.remove({companion.name!r})")
        return at - first

    def _given_name(self, item: Item) -> str:
        """The name to write, "" where the world will choose the same."""
        base = item.type.name
        k = self.numbers.get(base, 0) + 1
        while f"{base}-{k}" in self.there:
            k += 1
        self.there.add(item.name)
        if item.name == f"{base}-{k}":
            self.numbers[base] = k
            return ""
        return item.name

    def _variable(self, name: str) -> str:
        word = re.sub(r"\W", "_", name, flags=re.ASCII)  # Python takes ａ for a
        if word[:1].isdigit() or keyword.iskeyword(word) or word in ("td", "world", "gallery", "REGISTRY"):
            word = f"_{word}"
        while word in self.variables.values():
            word += "_"
        return word

    # --- expressions -----------------------------------------------------------------------------
    def _part(self, item: Item) -> str:
        """The name of the place of a body that a point is."""
        if item.type is not point or not item.inputs:
            return ""
        body = item.inputs[0]
        part = next((name for name, one in body.parts.items() if one is item), "")
        if not part or item.values["at"] != body.type.places(body.values)[part]:
            return ""
        namesake = self.world.contents.get(f"{body.name}.{part}") or item
        return part if namesake.key >= item.key else ""  # it has that name until its own is given

    def _reference(self, item: Item) -> str:
        """An input: a variable, a place of a body, or the expression of a connector that comes along."""
        if item.key in self.variables:
            return self.variables[item.key]
        if item.key in self.given or self._part(item):
            return self._expression(item)
        return f"world[{item.name!r}]"

    def _expression(self, item: Item) -> str:
        """An item as it is made; one that is there already only as a place of a body."""
        name = self.given.get(item.key, "")
        kind = item.type
        part = self._part(item)
        if part:
            return f"{self._reference(item.inputs[0])}.{part}"
        if kind in TYPED:
            return self._typed(item, name)
        if kind in (typed_curve, typed_surface):
            return self._typed_object(item, name or item.name)
        described = self.world.contents.describe(item)  # which brings counted turns up to date
        clean = {k: cleaned(v, NOISE if k in PLACES else 0.0) for k, v in item.values.items()}
        values = {k: v for k, v in clean.items() if not self._is_default(item, k, v)}
        arguments = [self._reference(source) for source in item.inputs]
        if kind.family == "object":
            arguments = [repr(name or item.name)]
            state = {k: cleaned(v, NOISE) for k, v in described.state}
            # A zero may have another dimension than the usual one.
            values |= {
                k: v
                for k, v in state.items()
                if v != kind.state[k] and (any(_flat(v)) or any(_flat(kind.state[k])))
            }
            values = kind.as_given(values)
        if kind is place:
            at = ", ".join(map(written, clean["at"]))
            return f"td.Nail({at}{f', name={name!r}' if name else ''})"
        if values:
            arguments.append(_options(values))
        if name and kind.family != "object":
            arguments.append(f"name={name!r}")
        return f"{self._maker(kind)}({', '.join(arguments)})"

    def _maker(self, kind: ItemType) -> str:
        if kind.name in self.public:
            return f"td.{self.public[kind.name]}"
        self.needs_registry = True
        return f"REGISTRY[{kind.name!r}]"

    def _is_default(self, item: Item, name: str, value: object) -> bool:
        kind = item.type
        if name in USUAL:
            return bool(value == USUAL[name])
        if isinstance(kind, Maker):
            return bool(kind.parameters[name] == value)
        if name not in kind.parameters:
            return False
        default = kind.parameters[name][1]
        if isinstance(default, Either):
            # With no input to tell the dimension a default in the plane must be said.
            return (
                bool(value == default.space) if not item.inputs else value in (default.plane, default.space)
            )
        return bool(default == value) or (isinstance(default, list) and tuple(default) == value)

    def _typed(self, item: Item, name: str) -> str:
        v = item.values
        count = len(item.inputs) - len(v["names"])
        first = [self._reference(source) for source in item.inputs[:count]]
        named = {n: self._reference(i) for n, i in zip(v["names"], item.inputs[count:], strict=True)}
        numbers = zip(v["constant_names"], v["constants"], strict=True)
        named |= {n: written(cleaned(x)) for n, x in numbers}
        named |= {k: written(v[k]) for k in ("tau", "is_on") if k in v and v[k] != USUAL[k]}
        if name:
            named["name"] = repr(name)
        maker = getattr(td, TYPED[item.type])
        taken = {p.name for p in inspect.signature(maker).parameters.values() if p.kind is not p.VAR_KEYWORD}
        if taken & {*v["names"], *v["constant_names"]}:  # the function calls something else so
            self.needs_registry = True
            inputs = f"({''.join(f'{self._reference(source)}, ' for source in item.inputs)})"
            options = "{" + ", ".join(f"{k!r}: {written(x)}" for k, x in v.items()) + "}"
            return f"REGISTRY[{item.type.name!r}].make({name!r}, {inputs}, {options})"
        arguments = [*first, *[repr(t) for t in v["text"]], keywords(named)]
        return f"td.{TYPED[item.type]}({', '.join(filter(None, arguments))})"

    def _typed_object(self, item: Item, name: str) -> str:
        """A typed curve or surface: its texts, spans, and numbers by name."""
        given = dict(item.values)
        texts, names = given.pop("text"), given.pop("names")
        spans = {"u_span": "u", "v_span": "v"}
        options = {spans.get(k, k): v for k, v in given.items() if not self._is_default(item, k, v)}
        if item.type is typed_curve:
            options["span"] = given["span"]
        options |= _numbers(names, cleaned(tuple(item.numbers), NOISE))
        said = [*map(repr, texts), f"name={name!r}"]
        return f"{self._maker(item.type)}({', '.join(said)}, {_options(options)})"


def _numbers(names: tuple[str, ...], values: tuple[float, ...]) -> dict[str, Value]:
    """Numbers and places by name: c.x and c.y are the place c."""
    found: dict[str, Value] = {}
    for name, value in zip(names, values, strict=True):
        base, dot, _ = name.partition(".")
        found[base] = (*found.get(base, ()), value) if dot else value
    return found


def _flat(value: object) -> tuple[object, ...]:
    return value if isinstance(value, tuple) else (value,)


def _options(values: dict[str, Value]) -> str:
    """Arguments with their names."""
    return keywords({name: written(value) for name, value in values.items()})
