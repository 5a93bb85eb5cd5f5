"""Editing: everything a person changes in a world, and taking it back (E6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tinkerdyne.language.item import Item, label, number
from tinkerdyne.world.contents import Contents
from tinkerdyne.world.edit import Add, Change, Configure, Edit, Event, Move, Plan, Ramp, Remove, Several
from tinkerdyne.world.history import History


class Editable(Contents):
    """A world's contents with edits, undo and a timeline. `World` adds the motion."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.history = History(self)

    # --- edits -----------------------------------------------------------------------------------
    def add(self, *items: Item) -> Any:
        """Put items into the world and return them; connectors they are plugged into come along."""
        with self.lock:
            wanted: dict[int, Item] = {}
            for item in items:
                self._collect(item, wanted, ())
            given = [item.name for item in wanted.values()]
            taken: set[str] = set()
            try:
                for item in wanted.values():
                    name = item.name or self._free_name(item.type.name, taken)
                    if name in self._items or name in taken:
                        other = label(self._items[name]) if name in self._items else f"thing called {name!r}"
                        raise ValueError(f"there is already a {other}; give the new one another name")
                    taken.add(name)
                    object.__setattr__(item, "name", name)
                    object.__setattr__(item, "key", self._next_key)
                    self._next_key += 1
                    self._handles[item.key] = item
                    if item.type.family == "connector" and not any(item is one for one in items):
                        self._implicit.add(item.key)
                self.apply(Add(tuple(self._describe(item) for item in wanted.values())))
            except Exception:
                for item, name in zip(wanted.values(), given, strict=True):
                    object.__setattr__(item, "name", name)
                raise
            return items[0] if len(items) == 1 else items

    def adopt(self, item: Item) -> None:
        """Add a connector because it was read, which is no edit of the user's."""
        with self.history.silence():
            self.add(item)

    def _collect(self, item: Item, wanted: dict[int, Item], path: tuple[int, ...]) -> None:
        if not isinstance(item, Item):
            raise TypeError(f"only objects, connectors, constraints and behaviors can be added, not {item!r}")
        item._alive()
        if item.world is self:
            if not path:
                raise ValueError(f"{label(item)} is in this world already")
            return
        if item.world is not None:
            raise ValueError(f"{label(item)} belongs to another world")
        if id(item) in path:
            raise ValueError(f"{label(item)} is plugged into itself")
        for source in item.inputs:
            if source.type.family == "object" and source.world is not self and id(source) not in wanted:
                verb = "add it first"
                raise ValueError(
                    f"{label(item)} refers to {label(source)}, which is not in this world; {verb}"
                )
            self._collect(source, wanted, (*path, id(item)))
        wanted.setdefault(id(item), item)
        for companion in item.type.companions(item) if getattr(item.type, "companions", None) else ():
            if companion.name not in self._items and all(
                one.name != companion.name for one in wanted.values()
            ):
                wanted[id(companion)] = companion

    def _free_name(self, base: str, taken: set[str]) -> str:
        k = self._numbers.get(base, 0) + 1
        while f"{base}-{k}" in taken or f"{base}-{k}" in self._items:
            k += 1
        self._numbers[base] = k
        return f"{base}-{k}"

    def remove(self, *what: Item | str) -> Edit:
        """Take items out, with all that is plugged into them; returns the inverse edit."""
        names = []
        for thing in what:
            item = thing if isinstance(thing, Item) else self[thing]
            item._alive()
            if item not in self:
                raise ValueError(f"{label(item)} is not in this world")
            names.append(item.name)
        return self.apply(Remove((*names, *self._orphans(names))))

    def apply(self, edit: Edit) -> Edit:
        """Carry out an edit and return its inverse; the state of everything else stays as it is."""
        return self.history.apply(edit)

    def undo(self) -> bool:
        """Take the last edit back, with the time and state just before it; False when there is none."""
        return self.history.undo()

    def redo(self) -> bool:
        """Carry the last undone edit out again."""
        return self.history.redo()

    # --- timeline --------------------------------------------------------------------------------
    @property
    def timeline(self) -> tuple[Event | Ramp, ...]:
        """What happens when, in the order of time."""
        return self._timeline

    def at(self, time: float, *what: Edit | Item) -> None:
        """Put edits on the timeline: world.at(2.0, Change("nail", "is_on", False)); items are to be added
        then, by their names."""
        with self.lock:
            when = number("the time of an event", time)
            if when < self.time:
                raise ValueError(
                    f"the time of an event must not be before now, {self.time:g} s, but is {when:g} s"
                )
            items = [one for one in what if isinstance(one, Item)]
            edits = [self._described(items)] if items else []
            edits += [one for one in what if not isinstance(one, Item)]
            self.apply(Plan((*self._timeline, *[Event(when, edit) for edit in edits])))

    def ramp(
        self,
        item: Item,
        parameter: str,
        *,
        to: Any,
        start: float,
        end: float,
        low: Any = None,
        is_smooth: bool = False,
    ) -> None:
        """Put a ramp on the timeline: a parameter goes from `low` (its present value if left out) to another
        one."""
        item._alive()
        first = getattr(item, parameter) if low is None else low
        for value in (first, to):
            item.type.checked(label(item), *item._spelled(parameter, value))
        if number("the start of a ramp", start) < self.time:
            raise ValueError(f"a ramp must not start before now, {self.time:g} s, but starts at {start:g} s")
        entry = Ramp(
            item.name, parameter, float(start), number("the end of a ramp", end), first, to, is_smooth
        )
        self.apply(Plan((*self._timeline, entry)))

    def _described(self, items: Sequence[Item]) -> Edit:
        """The edit that will add items, with the connectors they need."""
        wanted: dict[int, Item] = {}
        for item in items:
            self._collect(item, wanted, ())
        taken = {
            d.name
            for e in self._timeline
            if isinstance(e, Event) and isinstance(e.what, Add)
            for d in e.what.items
        }
        for one in wanted.values():
            if not one.name:
                object.__setattr__(one, "name", self._free_name(one.type.name, taken))
            elif one.name in self._items:
                raise ValueError(
                    f"there is already a {label(self._items[one.name])}; give the new one another name"
                )
            taken.add(one.name)
        return Add(tuple(self._describe(one) for one in wanted.values()))

    def change(self, item: Item, name: str, value: Any) -> None:
        """Give a parameter of an item another value."""
        self.apply(Change(item.name, name, value))

    def set_state(self, item: Item, name: str, value: Any) -> None:
        """Give a part of an object's state another value."""
        self.apply(Move(item.name, ((name, value),)))

    def configure(self, **settings: Any) -> None:
        """Change settings of the world, such as method="runge_kutta" or max_step=1e-3."""
        self.apply(Several(tuple(Configure(k, v) for k, v in settings.items())))
