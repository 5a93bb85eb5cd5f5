"""What is in a world: its items by name, what is plugged into what, its settings and its timeline."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from tinkerdyne.engine.engine import Engine
from tinkerdyne.engine.journal import Kept
from tinkerdyne.engine.settings import Settings
from tinkerdyne.language.checks import LONGEST_NAME, by_name, did_you_mean
from tinkerdyne.language.item import Home, Item, label
from tinkerdyne.language.kinds import Value
from tinkerdyne.world.edit import Description, Entry, Pairs, Shown
from tinkerdyne.world.lock import Lock, new_lock
from tinkerdyne.world.settings import DEFAULTS, with_changes
from tinkerdyne.world.transaction import Transactions

if TYPE_CHECKING:
    from tinkerdyne.world.adding import Arrivals

MOST_COMPARED = 1000  # names of items, when one is not there and the nearest is looked for
REMEMBERED = 1000  # names of deleted items that messages can still speak of


class Contents:
    """The items of a world, with its settings, timeline and display; `Editor` changes them."""

    def __init__(self, world: Home, engine: Engine, settings: Mapping[str, object]) -> None:
        self.world, self.engine = world, engine
        self.lock: Lock = new_lock(self)  # held by whoever changes or reads the world
        self.chosen: Settings = {}  # settings that are not as they come
        self.configure(settings)
        self.timeline: tuple[Entry, ...] = ()
        self.display: dict[str, Shown] = {}  # replaced with every change
        self.by_name: dict[str, Item] = {}
        self.handles: weakref.WeakValueDictionary[int, Item] = weakref.WeakValueDictionary()
        self.next_key = 1
        self._users: dict[int, list[Item]] = {}  # key of an input → items plugged into it
        self._implicit: set[int] = set()  # keys of connectors that came along with what is plugged into them
        self._gone: dict[str, str] = {}  # what became of names
        self._is_gone_kept = False  # an edit may put it back as it is: it is copied before it changes
        self.numbers: dict[str, int] = {}  # the last number given to an unnamed item of each type
        self.arriving: Arrivals | None = None  # free items on their way in
        self.transactions = Transactions(self, engine)

    def configure(self, changes: Mapping[str, object]) -> None:
        """Give settings other values, each checked; None is as it comes."""
        self.chosen = with_changes(self.chosen, changes)
        self.settings: Settings = {**DEFAULTS, **self.chosen}
        self.engine.configure(self.settings)

    # --- by name ---------------------------------------------------------------------------------
    @property
    def items(self) -> tuple[Item, ...]:
        """Everything, in the order it was first added."""
        return tuple(self.by_name.values())

    @property
    def names(self) -> tuple[str, ...]:
        """The names of everything, in the order it was added."""
        return tuple(self.by_name)

    def get(self, name: str) -> Item | None:
        """The item of this name, if there is one."""
        return self.by_name.get(name)

    def __getitem__(self, name: str) -> Item:
        if name in self.by_name:
            return self.by_name[name]
        if name in self._gone:
            raise KeyError(self._gone[name])
        raise KeyError(f"there is no {name!r} in this world{self._near(name)}")

    def _near(self, name: object) -> str:
        """The end of a message about an item that is not there: the line that takes it, or what is called
        nearly so."""
        if not isinstance(name, str):
            return ""
        owner, dot, part = name.partition(".")
        if dot and owner in self.by_name and part in dir(self.by_name[owner]):
            return f"; write {by_name(name)}"
        return did_you_mean(name, self.by_name) if len(self.by_name) <= MOST_COMPARED else ""

    def __contains__(self, what: object) -> bool:
        return (self.by_name.get(what.name) is what) if isinstance(what, Item) else what in self.by_name

    def bearer(self, name: str, key: int) -> Item:
        """The item of this name; an inverse refuses to change another one that bears the name by now."""
        item = self[name]
        if key and item.key != key:
            raise ReferenceError(
                f"this edit belongs to a {name!r} that was deleted; {label(item)} is another one"
            )
        return item

    def free_name(self, base: str, taken: set[str], numbers: dict[str, int]) -> str:
        """A name for an unnamed item of a type: rod-1, rod-2 …; `numbers` keeps the last that was given."""
        k = (numbers.get(base) or self.numbers.get(base, 0)) + 1
        while f"{base}-{k}" in taken or f"{base}-{k}" in self.by_name:
            k += 1
        numbers[base] = k
        return f"{base}-{k}"

    # --- before an edit, and back there ----------------------------------------------------------
    def keep(self, item: Item) -> None:
        """An item is about to be changed: let the open edit write down what it has."""
        if self.engine.open is not None:
            self.engine.open.keep(item)

    def written_down(self) -> Callable[[], None]:
        """How to put back what is here beside the items."""
        chosen, settings, timeline = self.chosen, self.settings, self.timeline
        numbers, self._is_gone_kept = dict(self.numbers), True
        display, gone = self.display, self._gone

        def back() -> None:
            self.chosen, self.settings, self.timeline = chosen, settings, timeline
            self._is_gone_kept = True
            self.display, self._gone, self.numbers = display, gone, dict(numbers)

        return back

    def _changing_gone(self) -> dict[str, str]:
        """What became of names, to write into."""
        if self._is_gone_kept:
            self._gone = dict(self._gone)
            self._is_gone_kept = False
        return self._gone

    def put_back(self, kept: Iterable[Kept]) -> None:
        """Give items back what they had, and be what follows from it."""
        touched = {id(one.item): one for one in kept}
        if not touched:
            return
        here = {id(item): item for item in self.by_name.values() if id(item) not in touched}
        for one in touched.values():
            self._forget_key(one)
            one.put_back()
            if one.world is self.world:
                here[id(one.item)] = one.item
        ordered = sorted(here.values(), key=lambda item: item.key)
        users: dict[int, list[Item]] = {}
        for item in ordered:
            for source in item.inputs:
                users.setdefault(source.key, []).append(item)
        self.by_name, self._users = {item.name: item for item in ordered}, users

    def _forget_key(self, one: Kept) -> None:
        """An item that gets its old key back is not found by the one that it was given since: an edit that
        is done again would take it as one that has its key."""
        given = one.item.key
        if given != one.key and self.handles.get(given) is one.item:
            del self.handles[given]

    # --- in and out ------------------------------------------------------------------------------
    def give_key(self, item: Item, key: int = 0) -> None:
        """Give an item its identity: a given one, the one that it had here before, or the next one.

        What is plugged into an item always has a later key than the item, also when both come back."""
        self.keep(item)
        key = key or (item.key if self.handles.get(item.key) is item else 0) or self.next_key
        self.next_key = max(self.next_key, key + 1)
        object.__setattr__(item, "key", key)
        self.handles[key] = item

    def admit(self, key: int, name: str) -> Item | None:
        """The free item that is on its way in under a key, enlisted; None where there is no such."""
        arriving = self.arriving
        item = None if arriving is None else arriving.items.pop(key, None)
        if arriving is None or item is None:
            return None
        self.give_key(item, key)
        self.numbers.update(arriving.numbers)
        if key in arriving.implicit:
            self.came_along(item)
        self.enlist(item, name)
        return item

    def enlist(self, item: Item, name: str) -> None:
        """An item is in the world from now on; where one has come back to its old place, `sort` follows."""
        self.keep(item)
        object.__setattr__(item, "fate", "")
        object.__setattr__(item, "name", name)
        object.__setattr__(item, "world", self.world)
        self.by_name[name] = item
        if name in self._gone:
            del self._changing_gone()[name]
        for source in item.inputs:
            self._users.setdefault(source.key, []).append(item)

    def strike_off(self, item: Item, *, is_free: bool) -> None:
        """An item is no longer in the world; one that is free may be plugged in anew."""
        self.keep(item)
        for source in item.inputs:
            users = self._users[source.key]
            users.remove(item)
            if not users:
                del self._users[source.key]
        del self.by_name[item.name]
        object.__setattr__(item, "world", None)
        if is_free:
            return
        fate = f"{label(item)} was deleted"
        gone = self._changing_gone()
        gone[item.name] = fate
        object.__setattr__(item, "fate", fate)
        while len(gone) > REMEMBERED:
            del gone[next(iter(gone))]

    def rename(self, item: Item, names: dict[str, str]) -> None:
        """Give items other names: `names` leads from the old to the new, the item's own first."""
        old = item.name
        for name in names:
            self.keep(self.by_name[name])
        self.by_name = {names.get(name, name): value for name, value in self.by_name.items()}
        for name in names.values():
            object.__setattr__(self.by_name[name], "name", name)
        gone = self._changing_gone()
        gone[old] = f"{item.type.name} {old!r} was renamed to {item.name!r}"
        gone.pop(item.name, None)

    def sort(self) -> None:
        """Let items stand in the order of their keys again."""
        self.by_name = dict(sorted(self.by_name.items(), key=lambda pair: pair[1].key))

    def came_along(self, item: Item) -> None:
        """A connector that is there for what is plugged into it, and goes when that goes."""
        self._implicit.add(item.key)

    def is_implicit(self, item: Item) -> bool:
        """Whether a connector came along with what is plugged into it."""
        return item.key in self._implicit

    # --- what is plugged into what -----------------------------------------------------------------
    def users(self, item: Item) -> tuple[Item, ...]:
        """The items that are plugged into an item."""
        return tuple(self._users.get(item.key, ()))

    def dependents(self, names: Sequence[str]) -> dict[str, Item]:
        """These items and all that is plugged into them, by name."""
        dependents: dict[str, Item] = {}

        def gather(item: Item) -> None:
            for user in self._users.get(item.key, ()):
                gather(user)
            dependents.setdefault(item.name, item)

        for name in names:
            gather(self[name])
        return dependents

    def orphans(self, names: Sequence[str]) -> tuple[str, ...]:
        """Connectors that came along with these items, and into which nothing else is plugged: they go
        along."""
        doomed = self.dependents(names)
        orphans: list[str] = []
        queue = list(doomed.values())
        for item in queue:
            for source in item.inputs:
                is_alone = all(user.name in doomed for user in self.users(source))
                if self.is_implicit(source) and source.name not in doomed and is_alone:
                    doomed[source.name] = source
                    orphans.append(source.name)
                    queue.append(source)
        return tuple(orphans)

    def chain(self, item: Item) -> list[Item]:
        """An item and all that is plugged into it, as far as it takes part; inputs before their users."""
        chain: list[Item] = []

        def gather(link: Item) -> None:
            if link not in chain and self.engine.is_attached(link):
                chain.append(link)
                for user in self.users(link):
                    gather(user)

        gather(item)
        return sorted(chain, key=lambda link: link.key)

    def related(self, item: Item) -> list[Item]:
        """What is part of an item, plugged into it or what it is plugged into, in this world."""
        near = (*item.parts.values(), *item.inputs, *self.users(item))
        return list({other.key: other for other in near if other.world is self.world}.values())

    def named_after(self, item: Item, to: str) -> dict[str, str]:
        """New names of what is called after an item that gets another: rod.end1 goes with its rod, screw.turn
        with its screw."""
        names: dict[str, str] = {}
        queue = [(item, to)]
        for owner, called in queue:
            for other in self.related(owner):
                new = called + other.name.removeprefix(owner.name)
                is_after = other.name.startswith(f"{owner.name}.") and other.name not in names
                if is_after and new not in self.by_name and len(new) <= LONGEST_NAME:
                    names[other.name] = new
                    queue.append((other, new))
        return names

    # --- as values -------------------------------------------------------------------------------
    def state_of(self, item: Item, name: str) -> Value:
        """A part of an object's state, by name; never from within a step that another thread takes."""
        with self.lock:
            q, v = self.engine.state(item)
            if item.values["is_fixed"]:
                v[v != 0] = 0.0  # it stands still from the edit on, not only from the next step; −0 stays −0
            return item.type.unpack(item, q, v)[name]

    def describe(self, item: Item) -> Description:
        """An item in full, as a value."""
        is_here, engine = item.world is self.world, self.engine
        state: Pairs = ()
        memory: tuple[float, ...] = ()
        if item.type.family == "object":
            if is_here:
                state = tuple((name, self.state_of(item, name)) for name in item.type.state_names())
            else:
                state = tuple(item.start.items())
        elif item.type.family == "connector" and item.type.acts and is_here:
            engine.keep_turns(item)
        elif item.type.rule == "contact" and is_here and engine.is_attached(item):
            memory = tuple(engine.contacts.written())
        elif item.type.family == "constraint" and is_here:
            kept = engine.memory(item) if engine.is_attached(item) else item.start.get("memory")
            memory = () if kept is None else tuple(kept.tolist())
        inputs = tuple(source.name for source in item.inputs)
        return Description(
            item.type.name,
            item.name,
            inputs,
            tuple(item.values.items()),
            state,
            memory,
            item.key,
            part_of(item),
        )


def part_of(item: Item) -> str:
    """The named place of its object that a point is."""
    for source in item.inputs[:1]:
        for name, part in source.parts.items():
            if part is item:
                return name
    return ""
