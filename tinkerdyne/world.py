"""The world: the mutable shell that remembers. Everything may change between two steps; the state of the rest is kept (E6)."""

from __future__ import annotations

import math
import os
import threading
import warnings
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np

import tinkerdyne.integrate.adaptive  # noqa: F401  (registers its compiled entries)
from tinkerdyne import scene
from tinkerdyne.integrate import outside
from tinkerdyne.integrate.advance import ENERGY_MOMENTUM, FIRST_ORDER, RATTLE, RUNGE_KUTTA
from tinkerdyne.kernel.block import Block
from tinkerdyne.kernel.item import Item, checked_name, label, number
from tinkerdyne.kernel.types import REGISTRY
from tinkerdyne.model import layout as L
from tinkerdyne.model.edit import Add, Change, Configure, Description, Edit, Move, Remove, Rename, Several
from tinkerdyne.model.structure import Array, Structure
from tinkerdyne.objects.object import ObjectType
from tinkerdyne.recording import Recording, record
from tinkerdyne.solve import least_squares
from tinkerdyne.solve.diagnose import Diagnosis, diagnose

METHODS = ("rattle", "energy_momentum", "runge_kutta", "adaptive", "lsoda", "dop853", "dense")
COMPILED = {"rattle": RATTLE, "energy_momentum": ENERGY_MOMENTUM, "runge_kutta": RUNGE_KUTTA}
SOLVERS = {"ldl": 0.0, "conjugate_gradient": 1.0}
SMALLEST_STEP = 1e-9  # s: below this, adding a step to the time loses it in rounding
MOST_STEPS = 10_000_000  # in one call; beyond, the caller should run in parts
CHUNK = 2_000_000  # velocities times steps in one compiled call
UNMET = 100  # tolerances: a gap above this is open
UNDO = 1000  # edits that can be taken back
LARGEST_RATIO = 1e10  # of two masses; beyond, J W Jᵀ has lost ten of its sixteen digits
FEEDBACK = {"none": 0.0, "inside": 1.0, "outside": 2.0}


class Status(Enum):
    """How a run ended; each member is a sentence."""

    DONE = "All steps were taken."
    CAREFUL = "All steps were taken; some were too fast or too near a singular configuration, and were taken with care."
    UNMET = "All steps were taken, but some constraints cannot be met: the pose is the least-squares compromise."
    TOO_MANY = "The budget of steps was used up; the motion so far was kept."
    NOT_FINITE = "A value stopped being finite; the last good state was kept."

    def __bool__(self) -> bool:
        return self not in (Status.NOT_FINITE, Status.TOO_MANY)


@dataclass(frozen=True)
class Result:
    """What a run did."""

    status: Status
    steps: int
    culprits: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.status)


@dataclass(frozen=True)
class Snapshot:
    """Time, state and stepper's memory of everything, by item key. Edits between two steps share one snapshot."""

    scalars: Array
    parts: tuple[tuple[tuple[int, ...], Array, Array, Array], ...]
    later: dict[int, tuple[Array, Array]]  # state (of constraints, memory) of what came after it, before anything moved


DEFAULTS: dict[str, Any] = {
    "method": "rattle",
    "max_step": 1e-3,
    "order": 2,
    "feedback": "none",
    "tolerance": 1e-8,
    "theta": 0.5,
    "rtol": 1e-9,
    "atol": 1e-11,
    "solver": "ldl",
    "iterations": 1000,
    "precision": 1e-10,
}


class World:
    """A world of objects, connectors, constraints and behaviors that can be edited while it runs.

    method: "rattle" (default), "energy_momentum" (with theta), "runge_kutta", "adaptive" (order 8, with rtol and atol), "lsoda"
    and "dop853" (scipy's), "dense" (least squares, for non-square constraints); max_step: largest single step [s]; order: 2 for
    f = m a, 1 for f = m v; feedback: "none" (projection), "inside" or "outside" the multiplier equation; tolerance of |c| [SI];
    solver: "ldl" or "conjugate_gradient" (with iterations, their limit, and precision, their relative residual).
    """

    def __init__(self, **settings: Any) -> None:
        self._items: dict[str, Item] = {}
        self._users: dict[int, list[Item]] = {}  # key of an input → items plugged into it
        self._handles: weakref.WeakValueDictionary[int, Item] = weakref.WeakValueDictionary()
        self._gone: dict[str, str] = {}
        self._numbers: dict[str, int] = {}  # the last number given to an unnamed item of each type
        self._shot: Snapshot | None = None  # the present state, while nothing has moved since it was taken
        self._structure = Structure()
        self._next_key = 1
        self._undo: deque[tuple[Edit, Snapshot]] = deque(maxlen=UNDO)
        self._redo: deque[tuple[Edit, Snapshot]] = deque(maxlen=UNDO)
        self._lock = threading.RLock()
        self._weighed = False  # whether the masses have been compared since they last changed
        self._told_ratio = False
        self._told = False  # whether the user knows that another method than the one asked for is used
        self._coefficients: Array | None = None
        self._dense: Array = np.zeros((0, 0))
        self._fresh = False  # references r(t) are up to date with the last edit
        self.settings: dict[str, Any] = dict(DEFAULTS)
        for name, value in settings.items():
            self.settings[name] = _setting(name, value)
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
        return self.apply(Remove(tuple(names)))

    def apply(self, edit: Edit) -> Edit:
        """Carry out an edit and return its inverse; the state of everything else stays as it is."""
        with self._lock:
            before = self._snapshot()
            inverse = self._carry_out(edit)
            self._undo.append((inverse, before))
            self._redo.clear()
            return inverse

    def undo(self) -> bool:
        """Take the last edit back, with the time and state just before it; False when there is none."""
        return self._travel(self._undo, self._redo)

    def redo(self) -> bool:
        """Carry the last undone edit out again."""
        return self._travel(self._redo, self._undo)

    def _travel(self, source: deque[tuple[Edit, Snapshot]], target: deque[tuple[Edit, Snapshot]]) -> bool:
        with self._lock:
            if not source:
                return False
            edit, state = source.pop()
            now = self._snapshot()
            target.append((self._carry_out(edit), now))
            self._restore(state)
            return True

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
            case Change(name, parameter, value):
                return self._change(self[name], parameter, value)
            case Move(name, state):
                return self._move(self[name], dict(state))
            case Rename(name, to):
                return self._rename(self[name], to)
            case Configure(setting, value):
                old = self.settings.get(setting)
                value = _setting(setting, value)
                self.settings[setting] = value
                self._write_settings()
                return Configure(setting, old)
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

    def _remove(self, names: tuple[str, ...]) -> Edit:
        doomed: dict[str, Item] = {}

        def gather(item: Item) -> None:
            for user in self._users.get(item.key, ()):
                gather(user)
            doomed.setdefault(item.name, item)

        for name in names:
            gather(self[name])
        listed = sorted(doomed.values(), key=lambda i: i.key)
        described = tuple(self._describe(item) for item in listed)
        for item in reversed(listed):
            if self._structure.is_attached(item):
                self._structure.detach(item)
            for source in item.inputs:
                self._users[source.key].remove(item)
            del self._items[item.name]
            fate = f"{label(item)} was deleted"
            self._gone[item.name] = fate
            object.__setattr__(item, "fate", fate)
            object.__setattr__(item, "world", None)
        return Add(described)

    def _describe(self, item: Item) -> Description:
        state: tuple[tuple[str, Any], ...] = ()
        memory: tuple[float, ...] = ()
        if item.type.family == "object":
            if item.world is self:
                state = tuple((n, self.state_of(item, n)) for n in item.type.state_names())
            else:
                state = tuple(item.start.items())
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
        self._scalars[L.S_READY] = 0.0
        self._weighed = self._weighed and parameter != "mass"
        return Change(item.name, parameter, old)

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
        return Move(item.name, tuple((n, now[n]) for n in state))

    def _rename(self, item: Item, to: str) -> Edit:
        if not checked_name(f"the new name of {label(item)}", to):
            raise ValueError(f"{label(item)} needs a name of at least one character")
        if to in self._items:
            raise ValueError(f"there is already a {label(self._items[to])}")
        old = item.name
        names = {old: to}
        for part, place in item.parts.items():  # rod.end1 goes with its rod
            if place.world is self and place.name == f"{old}.{part}" and f"{to}.{part}" not in self._items:
                names[place.name] = f"{to}.{part}"
        self._items = {names.get(name, name): value for name, value in self._items.items()}
        for name in names.values():
            object.__setattr__(self._items[name], "name", name)
        self._gone[old] = f"{item.type.name} {old!r} was renamed to {to!r}"
        self._gone.pop(to, None)
        return Rename(to, old)

    def _write_settings(self) -> None:
        s = self._scalars
        s[L.S_FEEDBACK] = FEEDBACK[self.settings["feedback"]]
        s[L.S_TOLERANCE] = self.settings["tolerance"]
        s[L.S_THETA] = self.settings["theta"]
        s[L.S_RTOL], s[L.S_ATOL] = self.settings["rtol"], self.settings["atol"]
        s[L.S_SOLVER] = SOLVERS[self.settings["solver"]]
        s[L.S_CG_LIMIT], s[L.S_CG_TOLERANCE] = self.settings["iterations"], self.settings["precision"]
        s[L.S_READY] = 0.0
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
        s.scalars[:] = shot.scalars
        self._write_settings()
        if not s.is_stale:
            s.push_state()
            s.S[L.S_READY] = 0.0

    # --- running ---------------------------------------------------------------------------------
    def _ready(self) -> None:
        """Index and references are up to date after edits."""
        s = self._structure
        if s.is_stale:
            s.refresh()
            self._fresh = False
            self._weighed = False
        if not self._weighed:
            self._weigh()
        if not self._fresh:
            s.core["begin"](s.I.ctypes.data, s.S.ctypes.data)
            s.S[L.S_READY] = 0.0
            self._fresh = True

    def _weigh(self) -> None:
        """Say it once when masses of constrained objects differ so much that digits are lost."""
        self._weighed = True
        s = self._structure
        if not s.I[L.H_NR] or self._told_ratio:
            return
        found: list[tuple[float, Item]] = []
        for batch in s.batches.values():
            if batch.family == L.OBJECT and isinstance(batch.what, ObjectType) and batch.what.layout.names[0] == "mass":
                masses = np.where(batch.fixed.live[:, 0] != 0, np.nan, batch.parameters.live[:, 0])
                if not np.all(np.isnan(masses)):
                    found += [(float(masses[k]), batch.items[int(k)]) for k in (np.nanargmin(masses), np.nanargmax(masses))]
        if found:
            (low, light), (high, heavy) = min(found, key=lambda f: f[0]), max(found, key=lambda f: f[0])
            if high >= LARGEST_RATIO * low:
                self._told_ratio = True
                ratio = f"{label(heavy)} is {high / low:.1g} times as heavy as {label(light)}"
                warnings.warn(f"{ratio}: forces between them lose digits; make one heavier or fix the other", stacklevel=5)

    def step(self, dt: float) -> Result:
        """Advance by dt, in as many equal steps as max_step asks for."""
        with self._lock:
            dt = number("dt", dt)
            if dt == 0:
                return Result(Status.DONE, 0)
            if dt < 0:
                raise ValueError(f"dt must be positive, not {dt:g}")
            if dt < SMALLEST_STEP:
                raise ValueError(f"dt must be at least {SMALLEST_STEP:g} s, not {dt:g}")
            n = max(1, math.ceil(dt / self.settings["max_step"] - 1e-9))
            if n > MOST_STEPS:
                raise ValueError(f"dt = {dt:g} s would take {n} steps; run it in parts, or raise max_step")
            return self._advance(n, dt / n)

    def _advance(self, n: int, h: float) -> Result:
        self._ready()
        self._shot = None
        s = self._structure
        method = self._method()
        if method in ("adaptive", "lsoda", "dop853", "dense"):
            return self._advance_otherwise(method, n, h)
        careful, last = s.S[L.S_COUNT_EM], s.S[L.S_COUNT_LM]
        code = FIRST_ORDER if self.settings["order"] == 1 else COMPILED[method]
        # In parts of some tenths of a second at most, so that an interrupt is heard.
        part = max(1, CHUNK // max(1, int(s.I[L.H_NV])))
        done = 0
        while done < n:
            count = min(part, n - done)
            taken = s.core["advance"](s.I.ctypes.data, s.S.ctypes.data, code, count, h)
            done += taken
            if taken < count:
                return Result(Status.NOT_FINITE, done, self._not_finite(h))
        if self._is_unmet():
            return Result(Status.UNMET, n, self._unmet())
        if s.S[L.S_COUNT_EM] > careful or s.S[L.S_COUNT_LM] > last:
            return Result(Status.CAREFUL, n)
        return Result(Status.DONE, n)

    def _is_unmet(self) -> bool:
        """Whether the last step left constraints open that no feedback is closing."""
        S = self._structure.S
        return bool((S[L.S_YIELDING] > 0 or S[L.S_GAP] > UNMET * self.settings["tolerance"]) and not S[L.S_FEEDBACK])

    def _method(self) -> str:
        """The method in force: the one asked for, where the world allows it."""
        head = self._structure.I
        method: str = self.settings["method"]
        if self.settings["order"] == 1:
            if method != "rattle" and not self._told:
                warnings.warn(f"{method} is for worlds of order 2; the first-order step is used instead", stacklevel=4)
                self._told = True
            return "rattle"
        if head[L.H_NONSQUARE] and method != "dense":
            if method == "rattle" and not self._told:
                names = ", ".join(c.name for c in self.items if c.type.family == "constraint" and self._effort(c))
                warnings.warn(f"RATTLE cannot hold the non-square constraints {names}; the dense method is used", stacklevel=4)
                self._told = True
            return "dense"
        if method in ("rattle", "energy_momentum") and self.settings["feedback"] != "none" and self.settings["order"] == 2:
            return "runge_kutta"  # feedback belongs to the acceleration; RATTLE and EM hold positions themselves
        if method in ("rattle", "energy_momentum") and head[L.H_MASS_VARIES] and self.settings["order"] == 2:
            if not self._told:
                warnings.warn(f"{method} needs constant masses; Runge–Kutta with projection is used instead", stacklevel=4)
                self._told = True
            return "runge_kutta"
        return method

    def _effort(self, item: Item) -> int:
        return int(item.type.block_of(item).effort)

    def _advance_otherwise(self, method: str, n: int, h: float) -> Result:
        """The methods outside the fixed-step loop."""
        s = self._structure
        if method == "adaptive":
            done = self._adaptive(float(s.S[L.S_TIME]) + n * h, None)
            ok = done >= 0
        elif method == "dense":
            done, ok = n, outside.run_dense(s, n, h)
        else:
            done, ok = n, outside.run_scipy(s, method, n * h, self.settings["rtol"], self.settings["atol"])
        if ok and method != "dense":  # which holds its constraints by feedback
            self._scalar(L.S_GAP)
            if self._is_unmet():
                return Result(Status.UNMET, done, self._unmet())
        if ok:
            return Result(Status.DONE, done)
        if method == "adaptive" and done == -2:
            return Result(Status.TOO_MANY, MOST_STEPS)
        return Result(Status.NOT_FINITE, 0, self._not_finite(n * h))

    def _adaptive(self, end: float, times: Array | None) -> int:
        """Run the adaptive method to a time; with times, dense output goes to self._dense."""
        s = self._structure
        if self._coefficients is None:
            self._coefficients = outside.coefficients()
        wanted = np.zeros(1) if times is None else np.ascontiguousarray(times, float)
        width = int(s.I[L.H_NQ] + s.I[L.H_NV])
        self._dense = np.zeros((len(wanted), max(width, 1)))
        count = 0 if times is None else len(wanted)
        call = s.core["advance_adaptive"]
        arrays = (wanted.ctypes.data, self._dense.ctypes.data, count)
        return int(call(s.I.ctypes.data, s.S.ctypes.data, self._coefficients.ctypes.data, end, MOST_STEPS, *arrays))

    def _not_finite(self, h: float) -> tuple[str, ...]:
        """Names of the behaviors, constraints and connectors whose value is not a number at the step that could not be taken."""
        s = self._structure
        y, t = outside.state(s), self.time
        nq, a = int(s.I[L.H_NQ]), int(s.I[L.H_S_QDOT])
        s.core["evaluate_free"](s.I.ctypes.data, s.S.ctypes.data)
        rate = np.nan_to_num(s.S[a : a + nq])
        found: tuple[str, ...] = ()
        # Where an integrator outside met it, here, and a little further on.
        ahead = [(t + dt, np.concatenate([y[:nq] + dt * rate, y[nq:]])) for dt in (0.0, 1e-9, 1e-6, 1e-3, h)]
        for when, where in [*s.lost, *ahead]:
            outside.set_state(s, where, when)
            s.core["evaluate_free"](s.I.ctypes.data, s.S.ctypes.data)
            found = tuple(i.name for i in self.items if self._has_record(i) and not np.all(np.isfinite(s.record(i))))
            if found:
                break
        s.lost.clear()
        outside.set_state(s, y, t)
        return found

    def _has_record(self, item: Item) -> bool:
        return item.type.family in ("connector", "constraint", "behavior") and self._structure.is_attached(item)

    def run(self, seconds: float, *, dt: float | None = None, each: Callable[[World], None] | None = None) -> Result:
        """Run for some seconds; with `each`, call it after every dt (default 1/60 s)."""
        seconds = number("seconds", seconds)
        if seconds < 0:
            raise ValueError(f"seconds must not be negative, not {seconds:g}")
        if each is None and dt is None:
            return self.step(seconds)
        frame = 1 / 60 if dt is None else number("dt", dt, positive=True)
        count = math.floor(seconds / frame + 1e-9)
        rest = seconds - count * frame
        total, worst = 0, Result(Status.DONE, 0)
        culprits: dict[str, None] = {}
        for k in range(count + 1):
            if k == count and rest <= max(1e-9 * frame, SMALLEST_STEP):
                break
            result = self.step(frame if k < count else rest)
            total += result.steps
            culprits.update(dict.fromkeys(result.culprits))
            if list(Status).index(result.status) > list(Status).index(worst.status):
                worst = result
            if not result:
                break
            if each is not None:
                each(self)
        return Result(worst.status, total, tuple(culprits))

    def record(self, seconds: float, *, every: float = 1 / 60, of: Sequence[Item] | None = None) -> Recording:
        """Run for some seconds and keep readings as arrays: of all objects and constraints, or of the items given."""
        with self._lock:
            self._shot = None
            return record(self, seconds, every, of)

    # --- reading results -------------------------------------------------------------------------
    def _evaluate(self) -> Structure:
        """Accelerations and multipliers at the present state."""
        self._ready()
        s = self._structure
        s.core["evaluate_flow" if self.settings["order"] == 1 else "evaluate"](s.I.ctypes.data, s.S.ctypes.data)
        s.S[L.S_READY] = 0.0
        return s

    def _scalar(self, place: int) -> float:
        with self._lock:
            return float(self._evaluate().S[place])

    @property
    def kinetic_energy(self) -> float:
        """½ vᵀ M v [J]."""
        return self._scalar(L.S_KINETIC)

    @property
    def potential_energy(self) -> float:
        """Of all behaviors that have a potential [J]."""
        return self._scalar(L.S_ENERGY)

    @property
    def energy(self) -> float:
        """Kinetic and potential energy [J]."""
        with self._lock:
            s = self._evaluate()
            return float(s.S[L.S_KINETIC] + s.S[L.S_ENERGY])

    @property
    def gap(self) -> float:
        """The largest distance of a constraint from where it should be now (0, or its approach r(t)) [SI]."""
        return self._scalar(L.S_GAP)

    def reading(self, item: Item, name: str) -> Any:
        """What a connector, constraint or behavior shows now.

        connector: value, velocity; constraint: value and gap (c), velocity (ċ), force (λ, along its rows);
        behavior and field: energy, power.
        """
        with self._lock:
            if not self._structure.is_attached(item):
                raise ValueError(f"{label(item)} is switched off")
            s = self._evaluate()
            if item.type.family == "field":
                place = ("energy", "power").index(name)
                rows = [(b, b.what.record) for (key, _), b in s.field_rows.items() if key == item.key and isinstance(b.what, Block)]
                return float(sum(s.S[b.base[2] + place : b.base[2] + b.n * size : size].sum() for b, size in rows))
            record = s.record(item)
            if item.type.family == "behavior":
                return {"energy": float(record[0]), "power": float(record[1])}.get(name)
            m = item.type.block_of(item).dim
            if name == "value":
                return record[:m]
            if name == "velocity":
                return record[m : 2 * m]
            if item.type.family == "constraint":
                if name == "gap":
                    return float(np.abs(record[:m]).max())
                if name == "force":
                    row = self._row(item)
                    at = int(s.I[L.H_S_ROWS]) + L.R_LAM * int(s.I[L.H_NR]) + row
                    return s.S[at : at + m].copy()
            return None

    def _row(self, item: Item) -> int:
        """The first row of a constraint."""
        batch, k = self._structure.row(item)
        row = 0
        for other in sorted((b for b in self._structure.batches.values() if b.family == L.CONSTRAINT), key=lambda b: b.base[2]):
            if other is batch:
                break
            row += other.n * int(other.header[L.D_DIM])
        return row + k * int(batch.header[L.D_DIM])

    def reactions(self, constraint: Item) -> dict[str, Array]:
        """The force of a constraint on each object, by name: Jᵀλ; for a rigid body force and torque in world axes."""
        with self._lock:
            lam = self.reading(constraint, "force")
            s = self._structure
            out = {}
            for key, J in least_squares.jacobian_of(s, constraint).items():
                item = self._handles[key]
                f = J.T @ lam
                if len(f) == 6 and s.row(item)[0].header[L.D_FLAGS] & L.RIGID:
                    at = int(s.I[s.I[L.H_OBJ] + int(s.I[s.I[L.H_UIDOBJ] + s.uid[key]]) * L.OBJ + L.O_LIFT])
                    R = s.S[at + 3 : at + 12].reshape(3, 3).T
                    f = np.concatenate([f[:3], R @ f[3:]])
                out[item.name] = f
            return out

    def diagnose(self) -> Diagnosis:
        """Degrees of freedom, rank, and the groups of constraints that repeat or contradict each other, by name."""
        with self._lock:
            self._ready()
            return diagnose(self._structure)

    def project(self, *, iterations: int = 50) -> Result:
        """Move everything onto its constraints now, by the least change; the result names what could not be met."""
        with self._lock:
            self._ready()
            self._shot = None
            s = self._structure
            s.forget_approaches()
            met = s.core["project"](s.I.ctypes.data, s.S.ctypes.data, iterations) == 0
            self._fresh = bool(met)
            return Result(Status.DONE if met else Status.UNMET, 0, () if met else self._unmet())

    def _unmet(self) -> tuple[str, ...]:
        """Names of the constraints that yield, or are a hundred tolerances from their reference r(t)."""
        s = self._evaluate()  # its gap leaves c − r among the work rows
        n, base = int(s.I[L.H_NR]), int(s.I[L.H_S_ROWS])
        residual = s.S[base + L.R_TRY * n : base + (L.R_TRY + 1) * n]
        found: list[str] = []
        row = 0
        for batch in sorted((b for b in s.batches.values() if b.family == L.CONSTRAINT), key=lambda b: b.base[2]):
            d, width = int(batch.header[L.D_DIM]), batch.memory.data.shape[1]
            off = np.abs(residual)[row : row + batch.n * d].reshape(batch.n, d).max(axis=1)
            yields = s.S[batch.base[1] : batch.base[1] + batch.n * width].reshape(batch.n, width)[:, -1] != 0
            is_open = ~(off <= UNMET * self.settings["tolerance"]) | yields
            found += [item.name for item, bad in zip(batch.items, is_open, strict=True) if bad]
            row += batch.n * d
        return tuple(found)

    # --- keeping ---------------------------------------------------------------------------------
    def to_json(self) -> str:
        """The whole world as versioned JSON that a person can read (see tinkerdyne.scene)."""
        with self._lock:
            changed = {k: v for k, v in self.settings.items() if v != DEFAULTS[k]}
            described = map(self._describe, self.items)
            return scene.dumps(scene.scene_of(self.items, described, changed, self._structure, is_settled=self._fresh))

    @classmethod
    def from_json(cls, text: str | bytes) -> World:
        """A new world from such a text; a SceneError says what is wrong with it."""
        found = scene.loads(text)
        try:
            world = cls(**found.settings)
        except (TypeError, ValueError) as problem:
            raise scene.SceneError(f"settings: {problem}") from problem

        def add(d: Description) -> Item:
            world._carry_out(Add((d,)))
            return world[d.name]

        scene.fill(found, add, world._structure)
        gaps = scene.resume(found, world._structure)
        world._fresh = True
        if gaps:
            warnings.warn(f"{gaps}; it closes with its time constant, or at once by world.project()", stacklevel=2)
        return world

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the world to a file: the old file, or the new one, is there at every moment."""
        text = self.to_json()
        scene.keep_older(path)
        scene.write_file(path, text.encode())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> World:
        """A new world from a file that `save` or a person wrote."""
        data = scene.read_file(path)
        try:
            return cls.from_json(data)
        except scene.SceneError as problem:
            raise scene.SceneError(f"{os.fspath(path)}: {problem}") from problem


def _setting(name: str, value: Any) -> Any:
    """A setting of the world, checked."""
    choices: dict[str, Iterable[Any]] = {"method": METHODS, "feedback": FEEDBACK, "order": (1, 2), "solver": SOLVERS}
    if name in choices:
        if isinstance(value, bool) or value not in choices[name]:
            raise ValueError(f"{name} must be one of {', '.join(map(str, choices[name]))}, not {value!r}")
        return value
    if name == "theta":
        if not 0.5 <= number(name, value) <= 1:
            raise ValueError(f"theta must lie between 0.5 (keeps energy) and 1, not {value!r}")
        return float(value)
    if name == "iterations":
        if number(name, value, positive=True) != int(value):
            raise ValueError(f"iterations must be a whole number, not {value!r}")
        return int(value)
    if name in DEFAULTS:
        return number(name, value, positive=True)
    raise ValueError(f"a world has no setting {name!r}; it has {', '.join(DEFAULTS)}")


__all__ = ["Result", "Status", "World"]
