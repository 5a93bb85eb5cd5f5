"""The world: the mutable shell that remembers. Everything may change between two steps; the state of the rest is kept (E6)."""

from __future__ import annotations

import math
import os
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

import numpy as np

import tinkerdyne.integrate.adaptive  # noqa: F401  (registers its compiled entries)
from tinkerdyne import scene
from tinkerdyne.dragging import Grip, grab
from tinkerdyne.editing import Editable
from tinkerdyne.integrate import outside
from tinkerdyne.integrate.advance import ENERGY_MOMENTUM, FIRST_ORDER, RATTLE, RUNGE_KUTTA, STORMER
from tinkerdyne.kernel.block import Block
from tinkerdyne.kernel.item import Item, label, number, vector
from tinkerdyne.kernel.types import port_of
from tinkerdyne.model import layout as L
from tinkerdyne.model.edit import Add, Change, Description, Edit, Event, Ramp, Several
from tinkerdyne.model.settings import DEFAULTS
from tinkerdyne.model.structure import Array, Batch, Structure
from tinkerdyne.objects.object import ObjectType
from tinkerdyne.recording import Recording, record
from tinkerdyne.solve import least_squares
from tinkerdyne.solve.diagnose import Diagnosis, diagnose
from tinkerdyne.timeline import due, next_time

COMPILED = {"rattle": RATTLE, "energy_momentum": ENERGY_MOMENTUM, "runge_kutta": RUNGE_KUTTA, "stormer": STORMER}
SHORTEST_FRAME, LONGEST_FRAME = 1 / 240, 0.1  # s of a step against the real-time clock
SMALLEST_STEP = 1e-9  # s: below this, adding a step to the time loses it in rounding
MOST_STEPS = 10_000_000  # in one call; beyond, the caller should run in parts
CHUNK = 2_000_000  # velocities times steps in one compiled call
UNMET = 100  # tolerances: a gap above this is open
SLIP = 1e-5  # rate that a constraint on velocities may be off [SI]
LARGEST_RATIO = 1e10  # of two masses; beyond, J W Jᵀ has lost ten of its sixteen digits


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
class Jump:
    """A moving constraint whose place or velocity jumped; an impulse carried what it holds along."""

    constraint: str
    time: float
    of: str  # "place" or "velocity"
    size: float

    def __str__(self) -> str:
        return f"The {self.of} wanted by {self.constraint} jumps by {self.size:.3g} at t = {self.time:.6g} s, taken by an impulse."


@dataclass(frozen=True)
class Result:
    """What a run did."""

    status: Status
    steps: int
    culprits: tuple[str, ...] = ()
    time: float | None = None  # when it stopped short
    jump: Jump | None = None  # the widest jump of a moving constraint

    def __bool__(self) -> bool:
        return bool(self.status)

    def __str__(self) -> str:
        said = self.status.value
        if self.culprits:
            said += f" It concerns {', '.join(self.culprits)}."
        if self.time is not None:
            said += f" That was at t = {self.time:.6g} s."
        return said if self.jump is None else f"{said} {self.jump}"


@dataclass(frozen=True)
class Assembly:
    """What putting parts together came to; true when everything was met."""

    is_met: bool
    gap: float  # the largest |c| that is left
    iterations: int
    unmet: tuple[str, ...] = ()  # the widest first

    def __bool__(self) -> bool:
        return self.is_met

    def __str__(self) -> str:
        said = f"{self.iterations} iterations, largest gap {self.gap:.3g}"
        return f"assembled: {said}" if self.is_met else f"not assembled: {said}; open: {', '.join(self.unmet)}"


def _together(results: Sequence[Result]) -> Result:
    """One result of several: the worst status, all steps and culprits, the widest jump."""
    worst = max(results, key=lambda r: list(Status).index(r.status), default=Result(Status.DONE, 0))
    culprits = dict.fromkeys(name for r in results for name in r.culprits)
    jump = max((r.jump for r in results if r.jump), key=lambda j: j.size, default=None)
    return Result(worst.status, sum(r.steps for r in results), tuple(culprits), worst.time, jump)


class World(Editable):
    """A world of objects, connectors, constraints and behaviors that can be edited while it runs.

    method: "rattle" (default), "energy_momentum" (with theta), "runge_kutta", "stormer" (LD98: displacements and assembly, with
    corrections, the limit of its geometric iterations), "adaptive" (order 8, with rtol and atol), "lsoda"
    and "dop853" (scipy's), "dense" (least squares, for non-square constraints); max_step: largest single step [s]; order: 2 for
    f = m a, 1 for f = m v; feedback: "none" (projection), "inside" or "outside" the multiplier equation; tolerance of |c| [SI];
    solver: "ldl" or "conjugate_gradient" (with iterations, their limit, and precision, their relative residual).
    """

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
        found: list[tuple[float, Batch]] = []
        for batch in s.batches.values():
            if batch.family == L.OBJECT and isinstance(batch.what, ObjectType) and batch.what.layout.names[0] == "mass":
                masses = batch.parameters.live[:, 0]
                if batch.fixed.live.any():
                    masses = masses[batch.fixed.live[:, 0] == 0]
                if len(masses):
                    found += [(float(masses.min()), batch), (float(masses.max()), batch)]
        if found:
            ends = min(found, key=lambda f: f[0]), max(found, key=lambda f: f[0])
            if ends[1][0] >= LARGEST_RATIO * ends[0][0]:
                self._told_ratio = True
                light, heavy = (
                    label(next(i for i, m in zip(b.items, b.parameters.live[:, 0], strict=True) if m == mass and not i.is_fixed))
                    for mass, b in ends
                )
                ratio = f"{heavy} is {ends[1][0] / ends[0][0]:.1g} times as heavy as {light}"
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
            n = self._parts(dt)
            if n > MOST_STEPS:
                raise ValueError(f"dt = {dt:g} s would take {n} steps; run it in parts, or raise max_step")
            return self._play(dt) if self._timeline else self._advance(n, dt / n)

    def _parts(self, dt: float) -> int:
        largest: float = self.settings["max_step"]
        return max(1, math.ceil(dt / largest - 1e-9))

    def _play(self, dt: float) -> Result:
        """A step along the timeline, divided where something happens."""
        end = self.time + dt
        results: list[Result] = []
        while True:
            S = self._scalars
            when = next_time(self._timeline, S[L.S_PLAYED_TIME] if S[L.S_PLAYED] else -math.inf)
            part = min(when, end) - self.time
            if part > SMALLEST_STEP:
                n = self._parts(part)
                results.append(self._advance(n, part / n))
                if not results[-1]:
                    break
            if when > end + SMALLEST_STEP:
                break
            for edit, entry in tuple(due(self._timeline, when)):
                self._happen(when, edit, entry)
            self._scalars[L.S_PLAYED], self._scalars[L.S_PLAYED_TIME] = 1.0, when
        return _together(results)

    def _happen(self, when: float, edit: Edit, entry: Event | Ramp) -> None:
        """Carry an event out; one that cannot be is told, and the run goes on."""
        try:
            if isinstance(entry, Ramp) and isinstance(edit, Change):  # a body's density is one of the ways to say its mass
                parameter, value = self[edit.name]._spelled(edit.parameter, edit.value)
                edit = replace(edit, parameter=parameter, value=value)
            self._remember_automatic(self._carry_out(edit))
        except (AttributeError, KeyError, ReferenceError, TypeError, ValueError) as problem:
            said = problem.args[0] if problem.args else problem
            if id(entry) not in self._told_events:  # a ramp would say it at every moment
                self._told_events.add(id(entry))
                warnings.warn(f"the event at t = {when:g} s could not be carried out: {said}", stacklevel=5)

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
        s.S[L.S_JUMP_SIZE] = 0.0
        while done < n:
            count = min(part, n - done)
            taken = s.core["advance"](s.I.ctypes.data, s.S.ctypes.data, code, count, h)
            done += taken
            if taken < count:
                return Result(Status.NOT_FINITE, done, self._not_finite(h), self.time, self._jump())
        if self._is_unmet():
            return Result(Status.UNMET, n, self._unmet(), None, self._jump())
        is_careful = s.S[L.S_COUNT_EM] > careful or s.S[L.S_COUNT_LM] > last
        return Result(Status.CAREFUL if is_careful else Status.DONE, n, (), None, self._jump())

    def _jump(self) -> Jump | None:
        """The widest jump that the steps just taken met."""
        S = self._structure.S
        if not S[L.S_JUMP_SIZE]:
            return None
        row, kind = int(S[L.S_JUMP_ROW]), "velocity" if S[L.S_JUMP_KIND] else "place"
        for item in least_squares.constraints(self._structure):
            row -= item.type.block_of(item).dim
            if row < 0:
                return Jump(item.name, float(S[L.S_JUMP_TIME]), kind, float(S[L.S_JUMP_SIZE]))
        return None

    def _is_unmet(self) -> bool:
        """Whether the last step left constraints open that no feedback is closing."""
        S = self._structure.S
        is_open = S[L.S_SPRINGS] > 0 or S[L.S_GAP] > UNMET * self.settings["tolerance"] or bool(self._slipping())
        return bool(is_open and not S[L.S_FEEDBACK])

    def _slipping(self) -> tuple[str, ...]:
        """Constraints on velocities that are not met: something else, such as a stop, stands against them."""
        if not self._structure.I[L.H_RATES]:
            return ()
        s = self._evaluate()
        found, row, wanted = [], 0, int(s.I[L.H_S_ROWS]) + L.R_REF1 * int(s.I[L.H_NR])
        for item in least_squares.constraints(s):
            block = item.type.block_of(item)
            if block.kind >= L.RATE:
                rate = s.record(item)[block.dim : 2 * block.dim]
                if np.abs(rate - s.S[wanted + row : wanted + row + block.dim]).max() > SLIP:
                    found.append(item.name)
            row += block.dim
        return tuple(found)

    def _method(self) -> str:
        """The method in force: the one asked for, where the world allows it; what stands in for it must be allowed too."""
        method: str = self.settings["method"]
        for _ in range(4):
            instead, why = self._instead_of(method)
            if not instead:
                break
            if why and not self._told:
                named = {"runge_kutta": "Runge–Kutta with projection", "dense": "the dense method"}
                step = "the first-order step" if self.settings["order"] == 1 else named.get(instead, instead)
                warnings.warn(f"{why}; {step} is used instead", stacklevel=4)
                self._told = True
            method = instead
        return method

    def _instead_of(self, method: str) -> tuple[str, str]:
        """Another method, and why, where this world does not allow one; "" where it does."""
        head = self._structure.I
        if self.settings["order"] == 1:
            return ("rattle", f"{method} is for worlds of order 2") if method != "rattle" else ("", "")
        if head[L.H_NONSQUARE] and head[L.H_STOPS]:
            names = ", ".join(c.name for c in self.items if c.type.family == "constraint" and self._effort(c))
            raise ValueError(f"the non-square constraints {names} and stops cannot be in one world; use align in their place")
        if head[L.H_NONSQUARE] and method != "dense":
            names = ", ".join(c.name for c in self.items if c.type.family == "constraint" and self._effort(c))
            return "dense", f"{method} cannot hold the non-square constraints {names}" if method == "rattle" else ""
        if head[L.H_STOPS] and method in ("lsoda", "dop853", "dense", "energy_momentum"):
            return "rattle" if method == "energy_momentum" else "adaptive", f"{method} knows no stops"
        if head[L.H_RATES] and method == "energy_momentum":
            return "rattle", "energy_momentum holds no constraints on velocities"
        if method in ("rattle", "energy_momentum") and self.settings["feedback"] != "none":
            return "runge_kutta", ""  # feedback belongs to the acceleration; RATTLE and EM hold positions themselves
        if method in ("rattle", "energy_momentum") and head[L.H_MASS_VARIES]:
            return "runge_kutta", f"{method} needs constant masses"
        return "", ""

    def _effort(self, item: Item) -> int:
        return int(item.type.block_of(item).effort)

    def _advance_otherwise(self, method: str, n: int, h: float) -> Result:
        """The methods outside the fixed-step loop."""
        s = self._structure
        if method == "adaptive":
            s.S[L.S_JUMP_SIZE] = 0.0
            done = self._adaptive(float(s.S[L.S_TIME]) + n * h, None)
            ok = done >= 0
        elif method == "dense":
            done, ok = n, outside.run_dense(s, n, h)
        else:
            done, ok = n, outside.run_scipy(s, method, n * h, self.settings["rtol"], self.settings["atol"])
        if ok and method != "dense":  # which holds its constraints by feedback
            self._scalar(L.S_GAP)
            if self._is_unmet():
                return Result(Status.UNMET, done, self._unmet(), None, self._jump())
        if ok:
            return Result(Status.DONE, done, (), None, self._jump() if method == "adaptive" else None)
        if method == "adaptive" and done == -2:
            return Result(Status.TOO_MANY, MOST_STEPS, (), self.time)
        return Result(Status.NOT_FINITE, 0, self._not_finite(n * h), self.time)

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
        results: list[Result] = []
        for k in range(count + 1):
            if k == count and rest <= max(1e-9 * frame, SMALLEST_STEP):
                break
            result = self.step(frame if k < count else rest)
            results.append(result)
            if not result:
                break
            if each is not None:
                each(self)
        return _together(results)

    def live(self, seconds: float, *, each: Callable[[World], None] | None = None) -> Result:
        """Run against the real-time clock (LD98): each step is as long as the time since the last one; call `each` after it.

        A step is at most a tenth of a second; when the work takes longer than that, the world falls behind the clock.
        """
        seconds = number("seconds", seconds)
        if seconds < 0:
            raise ValueError(f"seconds must not be negative, not {seconds:g}")
        results: list[Result] = []
        start = last = time.perf_counter()
        while last - start < seconds:
            time.sleep(max(0.0, last + SHORTEST_FRAME - time.perf_counter()))
            now = time.perf_counter()
            results.append(self.step(min(now - last, LONGEST_FRAME, start + seconds - last)))
            last = now
            if not results[-1]:
                break
            if each is not None:
                each(self)
        return _together(results)

    def record(
        self, seconds: float, *, every: float = 1 / 60, of: Sequence[Item] | None = None, also: Sequence[Item] = ()
    ) -> Recording:
        """Run for some seconds and keep readings as arrays: of all objects and constraints, or of the items given; and also …"""
        with self._lock:
            self._shot = None
            for some in (of or (), also):
                for item in () if isinstance(some, Item) else some:
                    if isinstance(item, Item) and item.world is None and item.type.family == "connector":
                        self.adopt(item)
            return record(self, seconds, every, of, also)

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
    def counts(self) -> dict[str, int]:
        """What the steps since the world was made took: steps, factorings of the matrix, careful steps and projections …"""
        S = self._scalars
        places = {"steps": L.S_COUNT_STEPS, "factorings": L.S_COUNT_FACTOR, "finer": L.S_COUNT_FINER, "careful": L.S_COUNT_EM}
        return {**{name: int(S[place]) for name, place in places.items()}, "last_resort": int(S[L.S_COUNT_LM])}

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
            block = item.type.block_of(item)
            m = block.dim
            if name in ("value", "gap") and block.kind >= L.RATE:
                return record[m : 2 * m] if name == "value" else float(np.abs(record[m : 2 * m]).max())
            if name == "value":
                return record[:m]
            if name == "velocity":
                return record[m : 2 * m]
            if item.type.family == "constraint":
                if name == "gap" and s.is_open(item):
                    return 0.0
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

    def impulse(self, on: Item, by: Sequence[float]) -> dict[str, Array]:
        """Strike a point (or any other measure) with an impulse [N s]; constraints answer at once. Can be undone.

        Returns the impulses of the constraints along their rows, by name: Δv = W (Jᵀ_on by + Jᵀ Λ), with J Δv = 0.
        """
        with self._lock:
            on._alive()
            if on.world is None and on.type.family == "connector":
                self.adopt(on)
            if on.world is not self:
                raise ValueError(f"{label(on)} is not in this world")
            if on.type.family not in ("connector", "object") or (on.type.family == "object" and "position" not in on.start):
                raise TypeError(f"an impulse acts on a point, another connector or a body, not on {label(on)}")
            dim = port_of(on).dim if on.type.family == "connector" else len(on.position)
            given = np.array(vector(f"the impulse on {label(on)}", by, length=dim))
            s = self._evaluate()
            before = self._snapshot()
            self._shot = None
            centre = {on.key: np.eye(dim, len(s.state(on)[1]))} if on.type.family == "object" else {}
            for key, J in (centre or least_squares.jacobian_of(s, on)).items():
                item = self._handles[key]
                q, v = s.state(item)
                T = s.I[s.I[L.H_OBJ] + int(s.I[s.I[L.H_UIDOBJ] + s.uid[key]]) * L.OBJ :][: L.OBJ]
                n = len(v)
                s.set_state(item, q, v + s.S[T[L.O_W] : T[L.O_W] + n * n].reshape(n, n) @ (J.T @ given))
            s.core["strike"](s.I.ctypes.data, s.S.ctypes.data)
            self._remember(Several(()), before)
            rows = s.S[int(s.I[L.H_S_ROWS]) + L.R_MU * int(s.I[L.H_NR]) :][: int(s.I[L.H_NR])].copy()
            out, at = {}, 0
            for item in least_squares.constraints(s):
                d = item.type.block_of(item).dim
                out[item.name] = -rows[at : at + d]
                at += d
            return out

    def grab(
        self, what: Item, *, hard: bool = False, orientation: bool = False, tau: float | None = None, limit: float | None = None
    ) -> Grip:
        """Catch a point or a body where it is; move the grip, watch its force, release it.

        Soft by default: a critically damped spring of time constant tau and at most `limit` newtons. hard: a nail that moves; with
        orientation: a weld to a handle of infinite mass, which turns too.
        """
        with self._lock:
            return grab(self, what, hard=hard, orientation=orientation, tau=tau, limit=limit)

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

    def assemble(self, *, precision: float = 1e-10, iterations: int = 200, by_mass: bool = True) -> Assembly:
        """Put scattered parts together, loops too: LD98's correction with rotations cut off at 0.8 rad; can be undone.

        by_mass: heavy parts move less; else all alike (the pseudo-inverse). Fixed objects are handles that nothing moves.
        """
        precision = number("precision", precision, positive=True)
        if number("iterations", iterations, positive=True) != int(iterations):
            raise ValueError(f"iterations must be a whole number, not {iterations!r}")
        with self._lock:
            self._ready()
            before = self._snapshot()
            s = self._structure
            s.forget_approaches()
            done = s.core["assemble_parts"](s.I.ctypes.data, s.S.ctypes.data, precision, int(iterations), int(by_mass))
            self._shot = None
            self._remember(Several(()), before)
            gap = self.gap
            is_met = gap <= precision
            self._fresh = bool(gap <= self.settings["tolerance"])
            return Assembly(is_met, gap, int(done), () if is_met else self._open(precision))

    def _open(self, limit: float) -> tuple[str, ...]:
        """Names of the constraints that are further than this from where they should be, the widest first."""
        found = [(self.reading(i, "gap"), i.name) for i in least_squares.constraints(self._structure)]
        return tuple(name for gap, name in sorted(found, key=lambda f: -f[0]) if gap > limit)

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
            yields = s.S[batch.base[1] : batch.base[1] + batch.n * width].reshape(batch.n, width)[:, -1] == L.SPRING
            is_open = ~(off <= UNMET * self.settings["tolerance"]) | yields
            found += [item.name for item, bad in zip(batch.items, is_open, strict=True) if bad]
            row += batch.n * d
        return tuple(dict.fromkeys((*found, *self._slipping())))

    # --- keeping ---------------------------------------------------------------------------------
    def to_json(self) -> str:
        """The whole world as versioned JSON that a person can read (see tinkerdyne.scene)."""
        with self._lock:
            changed = {k: v for k, v in self.settings.items() if v != DEFAULTS[k]}
            described = map(self._describe, self.items)
            found = scene.scene_of(self.items, described, changed, self._structure, is_settled=self._fresh)
            return scene.dumps(replace(found, timeline=self._timeline))

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
        world._timeline = found.timeline
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


__all__ = ["Assembly", "Jump", "Result", "Status", "World"]
