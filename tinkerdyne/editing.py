"""Editing: what is in a world, and every change of it as an edit with an inverse (E6)."""

from __future__ import annotations

import threading
import weakref
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from tinkerdyne.kernel.block import Block
from tinkerdyne.kernel.item import LONGEST_NAME, Item, checked_name, label, number
from tinkerdyne.kernel.types import REGISTRY
from tinkerdyne.model import layout as L
from tinkerdyne.model.edit import Add, Change, Configure, Description, Edit, Event, Move, Plan, Ramp, Remove, Rename, Several
from tinkerdyne.model.settings import DEFAULTS, FEEDBACK, SOLVERS, checked_setting
from tinkerdyne.model.structure import Array, Structure
from tinkerdyne.timeline import checked as checked_timeline
from tinkerdyne.timeline import renamed

UNDO = 1000  # edits that can be taken back
REMEMBERED = 1000  # names of deleted items that messages can still speak of


@dataclass(frozen=True)
class Snapshot:
    """Time, state and stepper's memory of everything, by item key. Edits between two steps share one snapshot."""

    scalars: Array
    parts: tuple[tuple[tuple[int, ...], Array, Array, Array], ...]
    later: dict[int, tuple[Array, Array]]  # state (of constraints, memory) of what came after it, before anything moved


class Done(NamedTuple):
    """An edit that can be taken back: its inverse, and the state before it."""

    inverse: Edit
    before: Snapshot
    is_automatic: bool = False  # the timeline's, taken back with the user's edit before it


class Editable:
    """The items of a world, with its settings, its edits and what undo needs. `World` adds the motion."""

    def __init__(self, **settings: Any) -> None:
        self._items: dict[str, Item] = {}
        self._users: dict[int, list[Item]] = {}  # key of an input → items plugged into it
        self._handles: weakref.WeakValueDictionary[int, Item] = weakref.WeakValueDictionary()
        self._gone: dict[str, str] = {}
        self._implicit: set[int] = set()  # keys of connectors that came along with what is plugged into them
        self._numbers: dict[str, int] = {}  # the last number given to an unnamed item of each type
        self._shot: Snapshot | None = None  # the present state, while nothing has moved since it was taken
        self._structure = Structure()
        self._next_key = 1
        self._undo: deque[Done] = deque(maxlen=UNDO)
        self._redo: deque[Done] = deque(maxlen=UNDO)
        self._timeline: tuple[Event | Ramp, ...] = ()
        self._told_events: set[int] = set()  # entries of the timeline that could not be carried out, said once
        self._lock = threading.RLock()
        self._weighed = False  # whether the masses have been compared since they last changed
        self._told_ratio = False
        self._told = False  # whether the user knows that another method than the one asked for is used
        self._coefficients: Array | None = None
        self._dense: Array = np.zeros((0, 0))
        self._fresh = False  # references r(t) are up to date with the last edit
        self.settings: dict[str, Any] = dict(DEFAULTS)
        for name, value in settings.items():
            self.settings[name] = checked_setting(name, value)
        self._write_settings()

    # --- what is in it ---------------------------------------------------------------------------
    @property
    def items(self) -> tuple[Item, ...]:
        """Everything, in the order it was added."""
        return tuple(self._items.values())

    def __getitem__(self, name: str) -> Item:
        if name in self._items:
            return self._items[name]
        if name in self._gone:
            raise KeyError(self._gone[name])
        raise KeyError(f"there is no {name!r} in this world")

    def __contains__(self, what: object) -> bool:
        return (self._items.get(what.name) is what) if isinstance(what, Item) else what in self._items

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return float(self._scalars[L.S_TIME])

    @property
    def _scalars(self) -> Array:
        s = self._structure
        return s.scalars if s.is_stale else s.S

    # --- edits -----------------------------------------------------------------------------------
    def add(self, *items: Item) -> Any:
        """Put items into the world and return them; connectors they are plugged into come along."""
        with self._lock:
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
        undo, redo = self._undo.copy(), self._redo.copy()
        self.add(item)
        self._undo, self._redo = undo, redo

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
                raise ValueError(f"{label(item)} refers to {label(source)}, which is not in this world; {verb}")
            self._collect(source, wanted, (*path, id(item)))
        wanted.setdefault(id(item), item)
        for companion in item.type.companions(item) if getattr(item.type, "companions", None) else ():
            if companion.name not in self._items and all(one.name != companion.name for one in wanted.values()):
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
        with self._lock:
            before = self._snapshot()
            inverse = self._carry_out(edit)
            self._remember(inverse, before)
            return inverse

    def _remember(self, inverse: Edit, before: Snapshot) -> None:
        """Let undo take this back; what was undone before cannot come again."""
        self._undo.append(Done(inverse, before))
        self._redo.clear()

    def _remember_automatic(self, inverse: Edit) -> None:
        """An edit of the timeline: undo takes it back along with the user's edit before it. A parameter's first value is enough."""
        self._redo.clear()
        last = self._undo[-1] if self._undo else None
        done = last.inverse.edits if last is not None and last.is_automatic and isinstance(last.inverse, Several) else ()
        if isinstance(inverse, Change) and any(
            isinstance(e, Change) and (e.name, e.parameter, e.key) == (inverse.name, inverse.parameter, inverse.key) for e in done
        ):
            return
        if done and last is not None:
            self._undo[-1] = last._replace(inverse=Several((inverse, *done)))
        elif self._undo:  # with nothing of the user's before it there is nothing to go back to
            self._undo.append(Done(Several((inverse,)), self._undo[-1].before, True))

    def undo(self) -> bool:
        """Take the last edit back, with the time and state just before it; False when there is none."""
        return self._travel(self._undo, self._redo)

    def redo(self) -> bool:
        """Carry the last undone edit out again."""
        return self._travel(self._redo, self._undo)

    def _travel(self, source: deque[Done], target: deque[Done]) -> bool:
        with self._lock:
            if not source:
                return False
            now = self._snapshot()
            count = 1
            while source[-count].is_automatic and count < len(source):
                count += 1
            taken = [source[-k] for k in range(1, count + 1)]  # the newest first
            inverse = self._carry_out(Several(tuple(one.inverse for one in taken)))  # all of it, or nothing
            for _ in taken:
                source.pop()
            target.append(Done(inverse, now))
            self._restore(taken[-1].before)
            return True

    # --- timeline --------------------------------------------------------------------------------
    @property
    def timeline(self) -> tuple[Event | Ramp, ...]:
        """What happens when, in the order of time."""
        return self._timeline

    def at(self, time: float, *what: Edit | Item) -> None:
        """Put edits on the timeline: world.at(2.0, Change("nail", "is_on", False)); items are to be added then, by their names."""
        with self._lock:
            when = number("the time of an event", time)
            if when < self.time:
                raise ValueError(f"the time of an event must not be before now, {self.time:g} s, but is {when:g} s")
            items = [one for one in what if isinstance(one, Item)]
            edits = [self._described(items)] if items else []
            edits += [one for one in what if not isinstance(one, Item)]
            self.apply(Plan((*self._timeline, *[Event(when, edit) for edit in edits])))

    def ramp(
        self, item: Item, parameter: str, *, to: Any, start: float, end: float, low: Any = None, is_smooth: bool = False
    ) -> None:
        """Put a ramp on the timeline: a parameter goes from `low` (its present value if left out) to another one."""
        item._alive()
        first = getattr(item, parameter) if low is None else low
        for value in (first, to):
            item.type.checked(label(item), *item._spelled(parameter, value))
        if number("the start of a ramp", start) < self.time:
            raise ValueError(f"a ramp must not start before now, {self.time:g} s, but starts at {start:g} s")
        entry = Ramp(item.name, parameter, float(start), number("the end of a ramp", end), first, to, is_smooth)
        self.apply(Plan((*self._timeline, entry)))

    def _described(self, items: Sequence[Item]) -> Edit:
        """The edit that will add items, with the connectors they need."""
        wanted: dict[int, Item] = {}
        for item in items:
            self._collect(item, wanted, ())
        taken = {d.name for e in self._timeline if isinstance(e, Event) and isinstance(e.what, Add) for d in e.what.items}
        for one in wanted.values():
            if not one.name:
                object.__setattr__(one, "name", self._free_name(one.type.name, taken))
            elif one.name in self._items:
                raise ValueError(f"there is already a {label(self._items[one.name])}; give the new one another name")
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

    def _carry_out(self, edit: Edit) -> Edit:
        self._fresh = False
        match edit:
            case Add(items):
                return self._add(items)
            case Remove(names):
                return self._remove(names)
            case Change(name, parameter, value, key):
                return self._change(self._bearer(name, key), parameter, value)
            case Move(name, state, key):
                return self._move(self._bearer(name, key), dict(state))
            case Rename(name, to):
                return self._rename(self[name], to)
            case Configure(setting, value):
                old = self.settings.get(setting)
                value = checked_setting(setting, value)
                self.settings[setting] = value
                self._write_settings()
                return Configure(setting, old)
            case Plan(entries):
                was, self._timeline = self._timeline, checked_timeline(entries)
                return Plan(was)
            case Several(edits):
                done: list[Edit] = []
                try:
                    for one in edits:
                        done.append(self._carry_out(one))
                except Exception:
                    for inverse in reversed(done):
                        self._carry_out(inverse)
                    raise
                return Several(tuple(reversed(done)))
        raise TypeError(f"{edit!r} is not an edit")

    def _bearer(self, name: str, key: int) -> Item:
        """The item of this name; an inverse refuses to change another one that bears the name by now."""
        item = self[name]
        if key and item.key != key:
            raise ReferenceError(f"this edit belongs to a {name!r} that was deleted; {label(item)} is another one")
        return item

    def _add(self, descriptions: tuple[Description, ...]) -> Edit:
        done: list[str] = []
        newest = next(reversed(self._items.values())).key if self._items else 0
        try:
            for d in descriptions:
                self._add_one(d)
                done.append(d.name)
        except Exception:
            if done:
                self._remove(tuple(done))
            raise
        if any(self._items[name].key < newest for name in done):
            self._items = dict(sorted(self._items.items(), key=lambda pair: pair[1].key))
        return Remove(tuple(done))

    def _add_one(self, d: Description) -> None:
        there = self._items.get(d.name)
        if there is not None:
            same = self._describe(there)
            if there.type.family == "connector" and (same.type, same.inputs, same.values) == (d.type, d.inputs, d.values):
                return  # a place that was read, and so adopted, before this edit came again
            raise ValueError(f"there is already a {label(self._items[d.name])}")
        item = self._handles.get(d.key) if d.key else None
        if item is not None and (item.world is not None or (item.type.name, item.name) != (d.type, d.name)):
            item = None  # an edit from another world: there the key meant something else
        if item is None:
            kind = REGISTRY.get(d.type)
            if kind is None:
                raise ValueError(f"{d.name!r} has the unknown type {d.type!r}")
            for needed in d.inputs:
                if needed not in self._items:
                    raise ValueError(f"{d.type} {d.name!r} refers to {needed!r}, which is not in this world; add it first")
            inputs = tuple(self._items[s] for s in d.inputs)
            item = kind.make(d.name, inputs, {**dict(d.values), **dict(d.state)})
            key = d.key if d.key and d.key not in self._handles else self._next_key
            self._next_key = max(self._next_key, key + 1)
            object.__setattr__(item, "key", key)
            self._handles[key] = item
        else:
            for source in item.inputs:
                if source.world is not self:
                    raise ValueError(f"{label(item)} refers to {label(source)}, which is not in this world; add it first")
            item.values.update(d.values)
            item.start.update(d.state)
            object.__setattr__(item, "resolved", None)
        object.__setattr__(item, "fate", "")
        object.__setattr__(item, "name", d.name)
        object.__setattr__(item, "world", self)
        self._items[d.name] = item
        if d.part:
            item.inputs[0].parts[d.part] = item
        for source in item.inputs:
            self._users.setdefault(source.key, []).append(item)
        if d.memory:
            item.start["memory"] = np.array(d.memory)
        self._attach(item)
        self._gone.pop(d.name, None)

    def _attach(self, item: Item) -> None:
        s = self._structure
        if item.type.family == "object":
            q, v = item.type.pack(item)
            s.attach(item, q, v)
            if self._shot is not None:
                self._shot.later[item.key] = (q, v)
        elif item.values.get("is_on", True):
            s.attach(item, memory=item.start.pop("memory", None))
            if self._shot is not None and item.type.family == "constraint":
                self._shot.later[item.key] = (s.memory(item), s.memory(item))

    def _dependents(self, names: Sequence[str]) -> dict[str, Item]:
        """These items and all that is plugged into them, by name."""
        found: dict[str, Item] = {}

        def gather(item: Item) -> None:
            for user in self._users.get(item.key, ()):
                gather(user)
            found.setdefault(item.name, item)

        for name in names:
            gather(self[name])
        return found

    def _orphans(self, names: Sequence[str]) -> tuple[str, ...]:
        """Connectors that came along with these items, and into which nothing else is plugged: they go along."""
        doomed = self._dependents(names)
        orphans: list[str] = []
        queue = list(doomed.values())
        for item in queue:
            for source in item.inputs:
                users = self._users.get(source.key, ())
                if source.key in self._implicit and source.name not in doomed and all(u.name in doomed for u in users):
                    doomed[source.name] = source
                    orphans.append(source.name)
                    queue.append(source)
        return tuple(orphans)

    def _remove(self, names: tuple[str, ...]) -> Edit:
        doomed = self._dependents(names)
        listed = sorted(doomed.values(), key=lambda i: i.key)
        described = tuple(self._describe(item) for item in listed)
        for item in reversed(listed):
            if self._structure.is_attached(item):
                self._structure.detach(item)
            for source in item.inputs:
                users = self._users[source.key]
                users.remove(item)
                if not users:
                    del self._users[source.key]
            del self._items[item.name]
            object.__setattr__(item, "world", None)
            if item.key in self._implicit and not any(source.name in doomed for source in item.inputs):
                continue  # a free description again, to be plugged in anew
            fate = f"{label(item)} was deleted"
            self._gone[item.name] = fate
            object.__setattr__(item, "fate", fate)
        while len(self._gone) > REMEMBERED:
            del self._gone[next(iter(self._gone))]
        return Add(described)

    def _describe(self, item: Item) -> Description:
        state: tuple[tuple[str, Any], ...] = ()
        memory: tuple[float, ...] = ()
        if item.type.family == "object":
            if item.world is self:
                state = tuple((n, self.state_of(item, n)) for n in item.type.state_names())
            else:
                state = tuple(item.start.items())
        elif item.type.family == "connector" and item.world is self:
            self._structure.keep_turns(item)
        elif item.type.family == "constraint" and item.world is self:
            kept = self._structure.memory(item) if self._structure.is_attached(item) else item.start.get("memory")
            memory = () if kept is None else tuple(kept.tolist())
        inputs = tuple(s.name for s in item.inputs)
        part = next((name for source in item.inputs[:1] for name, p in source.parts.items() if p is item), "")
        return Description(item.type.name, item.name, inputs, tuple(item.values.items()), state, memory, item.key, part)

    def _change(self, item: Item, parameter: str, value: Any) -> Edit:
        value = item.type.checked(label(item), parameter, value)
        old = item.values[parameter]
        places = item.type.places if item.type.family == "object" else None
        derived = places(item.values) if places is not None else {}
        item.values[parameter] = value
        object.__setattr__(item, "resolved", None)
        s = self._structure
        try:
            if parameter == "is_on":
                if value and not s.is_attached(item):
                    self._attach(item)
                elif not value and s.is_attached(item):
                    if item.type.family == "constraint":
                        item.start["memory"] = s.memory(item)
                    s.detach(item)
            elif s.is_attached(item) and not s.set_parameters(item):
                self._attach_anew(item)
            if places is not None:
                for name, at in places(item.values).items():
                    part = item.parts.get(name)
                    # One that was moved by hand stays where it was put.
                    if part is not None and part.world is self and part.values["at"] == derived[name]:
                        part.values["at"] = at
                        s.set_parameters(part)
        except Exception:
            item.values[parameter] = old
            object.__setattr__(item, "resolved", None)
            raise
        self._scalars[L.S_READY] = self._scalars[L.S_FACTORED] = 0.0
        self._weighed = self._weighed and item.type.family != "object"
        return Change(item.name, parameter, old, item.key)

    def _attach_anew(self, item: Item) -> None:
        """An item whose block changes shape: it and what is plugged into it get new rows, with state and memory kept."""
        s = self._structure
        chain: list[Item] = []

        def gather(one: Item) -> None:
            if one not in chain and s.is_attached(one):
                chain.append(one)
                for user in self._users.get(one.key, ()):
                    gather(user)

        gather(item)
        chain.sort(key=lambda one: one.key)  # inputs before what is plugged into them
        for one in chain[1:]:
            one.type.check_inputs(one)  # refused here, nothing has changed yet
            one.type.block_of(one)
        if item.type.family == "object":
            q, v = s.state(item)
        memory = {one.key: s.memory(one) for one in chain if one.type.family == "constraint"}
        for one in reversed(chain):
            s.detach(one)
        for one in chain:
            if one is item and item.type.family == "object":
                s.attach(one, q, v)
            else:
                kept = memory.get(one.key)
                fits = kept is not None and len(kept) == L.memory_width(one.type.block_of(one).dim)
                s.attach(one, memory=kept if fits else None)

    def _move(self, item: Item, state: dict[str, Any]) -> Edit:
        if item.type.family != "object":
            raise TypeError(f"{label(item)} has no state to set")
        names = item.type.state_names()
        for name in state:
            if name not in names:
                raise ValueError(f"{label(item)} has no state {name!r}; it has {', '.join(names)}")
        new = {n: item.type.checked_state(label(item), n, value) for n, value in state.items()}
        now = {n: self.state_of(item, n) for n in names}
        item.start.update({**now, **new})
        q, v = item.type.pack(item)
        self._shot = None
        self._structure.set_state(item, q, v)
        return Move(item.name, tuple((n, now[n]) for n in state), item.key)

    def _rename(self, item: Item, to: str) -> Edit:
        if not checked_name(f"the new name of {label(item)}", to):
            raise ValueError(f"{label(item)} needs a name of at least one character")
        if to in self._items:
            raise ValueError(f"there is already a {label(self._items[to])}")
        old = item.name
        names = {old: to} | self._named_after(item, to)
        taken = [one.name for one in self._related(item) if one.name.startswith(f"{to}.")]
        self._items = {names.get(name, name): value for name, value in self._items.items()}
        for name in names.values():
            object.__setattr__(self._items[name], "name", name)
        self._timeline = renamed(self._timeline, names)
        self._gone[old] = f"{item.type.name} {old!r} was renamed to {to!r}"
        self._gone.pop(to, None)
        # What was called after the new name before keeps its own when this is taken back.
        kept = tuple(Rename(old + name.removeprefix(to), name) for name in taken)
        return Several((Rename(to, old), *kept)) if kept else Rename(to, old)

    def _related(self, item: Item) -> list[Item]:
        """What is part of an item, plugged into it or what it is plugged into, in this world."""
        near = (*item.parts.values(), *item.inputs, *self._users.get(item.key, ()))
        return list({one.key: one for one in near if one.world is self}.values())

    def _named_after(self, item: Item, to: str) -> dict[str, str]:
        """New names of what is called after an item that gets another: rod.end1 goes with its rod, screw.turn with its screw."""
        names: dict[str, str] = {}
        queue = [(item, to)]
        for owner, called in queue:
            for one in self._related(owner):
                new = called + one.name.removeprefix(owner.name)
                is_after = one.name.startswith(f"{owner.name}.") and one.name not in names
                if is_after and new not in self._items and len(new) <= LONGEST_NAME:
                    names[one.name] = new
                    queue.append((one, new))
        return names

    def _write_settings(self) -> None:
        s = self._scalars
        s[L.S_FEEDBACK] = FEEDBACK[self.settings["feedback"]]
        s[L.S_TOLERANCE] = self.settings["tolerance"]
        s[L.S_THETA] = self.settings["theta"]
        s[L.S_RTOL], s[L.S_ATOL] = self.settings["rtol"], self.settings["atol"]
        s[L.S_SOLVER] = SOLVERS[self.settings["solver"]]
        s[L.S_CG_LIMIT], s[L.S_CG_TOLERANCE] = self.settings["iterations"], self.settings["precision"]
        s[L.S_CG_WARM] = float(self.settings["warm_start"] and self.settings["method"] == "stormer")
        s[L.S_CORRECTIONS] = self.settings["corrections"]
        s[L.S_READY] = s[L.S_FACTORED] = 0.0
        self._structure.set_order(self.settings["order"])

    # --- state -----------------------------------------------------------------------------------
    def state_of(self, item: Item, name: str) -> Any:
        """A part of an object's state, by name."""
        q, v = self._structure.state(item)
        return item.type.unpack(item, q, v)[name]

    def _snapshot(self) -> Snapshot:
        if self._shot is None:
            s = self._structure
            s.pull_state()
            parts = []
            for batch in s.batches.values():
                if batch.family in (L.OBJECT, L.CONSTRAINT):
                    parts.append((batch.key_tuple(), batch.q.live.copy(), batch.v.live.copy(), batch.memory.live.copy()))
                elif isinstance(batch.what, Block) and batch.what.winds:
                    turns = batch.parameters.live[:, batch.what.layout.offset(batch.what.layout.turns)]
                    parts.append((batch.key_tuple(), turns.copy(), turns, turns))
            self._shot = Snapshot(s.scalars.copy(), tuple(parts), {})
        return self._shot

    def _restore(self, shot: Snapshot) -> None:
        s = self._structure
        s.pull_state()
        self._shot = None
        for key, (q, v) in shot.later.items():
            if key in s.where:
                batch, row = s.row(self._handles[key])
                if batch.family == L.CONSTRAINT:
                    batch.memory.data[row] = q
                else:
                    batch.q.data[row], batch.v.data[row] = q, v
        for keys, q, v, memory in shot.parts:
            for k, key in enumerate(keys):
                if key not in s.where:
                    continue
                item = self._handles[key]
                batch, row = s.row(item)
                if batch.family == L.OBJECT and batch.q.data.shape[1] == q.shape[1]:
                    batch.q.data[row], batch.v.data[row] = q[k], v[k]
                elif batch.family == L.CONSTRAINT and batch.memory.data.shape[1] == memory.shape[1]:
                    batch.memory.data[row] = memory[k]
                elif isinstance(batch.what, Block) and batch.what.winds:
                    batch.parameters.data[row, batch.what.layout.offset(batch.what.layout.turns)] = q[k]
        s.scalars[:] = shot.scalars
        self._write_settings()
        if not s.is_stale:
            s.push_state()
            s.S[L.S_READY] = 0.0
