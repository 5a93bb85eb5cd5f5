"""What is in a world, and the edits that change it, each carried out with its inverse as the answer (E6)."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tinkerdyne.engine import records as L
from tinkerdyne.engine.batches import Structure
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.block import Block
from tinkerdyne.language.item import LONGEST_NAME, Home, Item, checked_name, label
from tinkerdyne.language.types import REGISTRY
from tinkerdyne.world.edit import (
    Add,
    Change,
    Configure,
    Description,
    Edit,
    Event,
    Move,
    Plan,
    Ramp,
    Remove,
    Rename,
    Several,
)
from tinkerdyne.world.settings import DEFAULTS, FEEDBACK, SOLVERS, checked_setting
from tinkerdyne.world.timeline import checked as checked_timeline
from tinkerdyne.world.timeline import renamed

REMEMBERED = 1000  # names of deleted items that messages can still speak of


@dataclass(frozen=True)
class Snapshot:
    """Time, state and stepper's memory of everything, by item key.

    Edits between two steps share one snapshot."""

    scalars: Array
    parts: tuple[tuple[tuple[int, ...], Array, Array, Array], ...]
    # state (of constraints, memory) of what came after it, before anything moved
    later: dict[int, tuple[Array, Array]]


class Contents(Home):
    """The items of a world, with its settings and the edits of them.

    `Editable` adds what a person does, and undo."""

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
        self._timeline: tuple[Event | Ramp, ...] = ()
        # entries of the timeline that could not be carried out, said once
        self._told_events: set[int] = set()
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

    # --- carrying edits out ----------------------------------------------------------------------
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
            raise ReferenceError(
                f"this edit belongs to a {name!r} that was deleted; {label(item)} is another one"
            )
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
            if there.type.family == "connector" and (same.type, same.inputs, same.values) == (
                d.type,
                d.inputs,
                d.values,
            ):
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
                    raise ValueError(
                        f"{d.type} {d.name!r} refers to {needed!r}, which is not in this world; add it first"
                    )
            inputs = tuple(self._items[s] for s in d.inputs)
            item = kind.make(d.name, inputs, {**dict(d.values), **dict(d.state)})
            key = d.key if d.key and d.key not in self._handles else self._next_key
            self._next_key = max(self._next_key, key + 1)
            object.__setattr__(item, "key", key)
            self._handles[key] = item
        else:
            for source in item.inputs:
                if source.world is not self:
                    raise ValueError(
                        f"{label(item)} refers to {label(source)}, which is not in this world; add it first"
                    )
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
        """Connectors that came along with these items, and into which nothing else is plugged: they go
        along."""
        doomed = self._dependents(names)
        orphans: list[str] = []
        queue = list(doomed.values())
        for item in queue:
            for source in item.inputs:
                users = self._users.get(source.key, ())
                if (
                    source.key in self._implicit
                    and source.name not in doomed
                    and all(u.name in doomed for u in users)
                ):
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
            kept = (
                self._structure.memory(item)
                if self._structure.is_attached(item)
                else item.start.get("memory")
            )
            memory = () if kept is None else tuple(kept.tolist())
        inputs = tuple(s.name for s in item.inputs)
        part = next((name for source in item.inputs[:1] for name, p in source.parts.items() if p is item), "")
        return Description(
            item.type.name, item.name, inputs, tuple(item.values.items()), state, memory, item.key, part
        )

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
        """An item whose block changes shape: it and what is plugged into it get new rows, with state and
        memory kept."""
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
        """New names of what is called after an item that gets another: rod.end1 goes with its rod, screw.turn
        with its screw."""
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
        """A part of an object's state, by name; never from within a step that another thread takes."""
        with self._lock:
            q, v = self._structure.state(item)
            return item.type.unpack(item, q, v)[name]

    def _snapshot(self) -> Snapshot:
        if self._shot is None:
            s = self._structure
            s.pull_state()
            parts = []
            for batch in s.batches.values():
                if batch.family in (L.OBJECT, L.CONSTRAINT):
                    parts.append(
                        (
                            batch.key_tuple(),
                            batch.q.live.copy(),
                            batch.v.live.copy(),
                            batch.memory.live.copy(),
                        )
                    )
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
