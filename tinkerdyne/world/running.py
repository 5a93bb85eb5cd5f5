"""Running a world: steps by the method in force, along the timeline and against the clock, each with a result
in words."""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Self

import numpy as np

import tinkerdyne.engine.steppers.adaptive  # noqa: F401  (registers its compiled entries)
from tinkerdyne.engine import least_squares
from tinkerdyne.engine import records as L
from tinkerdyne.engine.batches import Batch, Structure
from tinkerdyne.engine.steppers import outside
from tinkerdyne.engine.steppers.advance import ENERGY_MOMENTUM, FIRST_ORDER, RATTLE, RUNGE_KUTTA, STORMER
from tinkerdyne.engine.steppers.stability import LONGEST, PLAIN, fastest
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item, label, number
from tinkerdyne.objects.object import ObjectType
from tinkerdyne.world.edit import Change, Edit, Event, Ramp
from tinkerdyne.world.editing import Editable
from tinkerdyne.world.results import Jump, Result, Status, together
from tinkerdyne.world.timeline import due, next_time

COMPILED = {
    "rattle": RATTLE,
    "energy_momentum": ENERGY_MOMENTUM,
    "runge_kutta": RUNGE_KUTTA,
    "stormer": STORMER,
}
SHORTEST_FRAME, LONGEST_FRAME = 1 / 240, 0.1  # s of a step against the real-time clock
SMALLEST_STEP = 1e-9  # s: below this, adding a step to the time loses it in rounding
MOST_STEPS = 10_000_000  # in one call; beyond, the caller should run in parts
CHUNK = 2_000_000  # velocities times steps in one compiled call
# largest kinetic energies: what the energy may rise by in a last resort before a spring is looked for
BLOWN = 10.0
UNMET = 100  # tolerances: a gap above this is open
SLIP = 1e-5  # rate that a constraint on velocities may be off [SI]
LARGEST_RATIO = 1e10  # of two masses; beyond, J W Jᵀ has lost ten of its sixteen digits


class Running(Editable):
    """A world that can be edited and run; its results are read in tinkerdyne.world.world."""

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
            if (
                batch.family == L.OBJECT
                and isinstance(batch.what, ObjectType)
                and batch.what.layout.names[0] == "mass"
            ):
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
                    label(
                        next(
                            i
                            for i, m in zip(b.items, b.parameters.live[:, 0], strict=True)
                            if m == mass and not i.is_fixed
                        )
                    )
                    for mass, b in ends
                )
                ratio = f"{heavy} is {ends[1][0] / ends[0][0]:.1g} times as heavy as {light}"
                warnings.warn(
                    f"{ratio}: forces between them lose digits; make one heavier or fix the other",
                    stacklevel=5,
                )

    def step(self, dt: float) -> Result:
        """Advance by dt, in as many equal steps as max_step asks for."""
        with self.lock:
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
        return together(results)

    def _happen(self, when: float, edit: Edit, entry: Event | Ramp) -> None:
        """Carry an event out; one that cannot be is told, and the run goes on."""
        try:
            # a body's density is one of the ways to say its mass
            if isinstance(entry, Ramp) and isinstance(edit, Change):
                parameter, value = self[edit.name]._spelled(edit.parameter, edit.value)
                edit = replace(edit, parameter=parameter, value=value)
            self.history.apply_automatic(edit)
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
            good, scalars = outside.state(s), s.S[: L.S_SCALARS].copy()
            taken = s.core["advance"](s.I.ctypes.data, s.S.ctypes.data, code, count, h)
            rise = s.S[L.S_ENERGY] - scalars[L.S_ENERGY] - scalars[L.S_KINETIC]
            has_jumped = s.S[L.S_COUNT_LM] > last and not rise <= BLOWN * s.S[L.S_LARGEST_T]
            stiff = (
                self._too_stiff(good, scalars, h)
                if code != FIRST_ORDER and (taken < count or has_jumped)
                else None
            )
            if stiff is not None:
                return replace(stiff, steps=done, jump=self._jump())
            done += taken
            if taken < count:
                return Result(Status.NOT_FINITE, done, self._not_finite(h), self.time, self._jump())
        if self._is_unmet():
            return Result(Status.UNMET, n, self._unmet(), None, self._jump())
        is_careful = s.S[L.S_COUNT_EM] > careful or s.S[L.S_COUNT_LM] > last
        return Result(Status.CAREFUL if is_careful else Status.DONE, n, (), None, self._jump())

    def _too_stiff(self, good: Array, scalars: Array, h: float) -> Result | None:
        """Back to a good state, when a swing there is too fast for the step; None when none is, and nothing
        has changed."""
        s = self._structure
        lost, begun = s.S.copy(), float(scalars[L.S_TIME])
        outside.set_state(s, good, begun)
        speed, mode = fastest(s)
        if speed * h <= (LONGEST if self._method() == "rattle" else PLAIN):
            s.S[:] = lost
            return None
        outside.set_state(s, np.concatenate([good[: len(good) - len(mode)], mode]), begun)
        shares = {
            i: float(np.linalg.norm(s.state(i)[1]))
            for i in self.items
            if i.type.family == "object" and s.is_attached(i)
        }
        s.S[: L.S_SCALARS] = scalars
        outside.set_state(s, good, begun)
        s.pull_state()
        # the factors of the lost steps go with the old index, and their multipliers and approaches
        s.is_stale = True
        for batch in s.batches.values():
            if batch.family == L.CONSTRAINT:
                batch.memory.live[batch.memory.live[:, -1] != L.OPEN] = 0.0
        culprit = max(shares, key=lambda item: shares[item])
        springs = [
            i
            for i in self.items
            if i.type.family == "behavior" and "stiffness" in i.values and culprit in _owners(i)
        ]
        springs.sort(key=lambda item: -float(np.max(item.values["stiffness"])))
        remedy = (
            f"It swings at {speed:.2g} rad/s: take max_step below {2 / speed:.1g} s, or a lower stiffness."
        )
        names = tuple(item.name for item in (culprit, *springs[:1]))
        return Result(Status.TOO_STIFF, 0, names, self.time, None, remedy)

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
        is_open = (
            S[L.S_SPRINGS] > 0 or S[L.S_GAP] > UNMET * self.settings["tolerance"] or bool(self._slipping())
        )
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
        """The method in force: the one asked for, where the world allows it; what stands in for it must be
        allowed too."""
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
            raise ValueError(
                f"the non-square constraints {names} and stops cannot be in one world; use align in their "
                "place"
            )
        if head[L.H_NONSQUARE] and method != "dense":
            names = ", ".join(c.name for c in self.items if c.type.family == "constraint" and self._effort(c))
            return (
                "dense",
                f"{method} cannot hold the non-square constraints {names}" if method == "rattle" else "",
            )
        if head[L.H_STOPS] and method in ("lsoda", "dop853", "dense", "energy_momentum"):
            return "rattle" if method == "energy_momentum" else "adaptive", f"{method} knows no stops"
        if head[L.H_RATES] and method == "energy_momentum":
            return "rattle", "energy_momentum holds no constraints on velocities"
        if method in ("rattle", "energy_momentum") and self.settings["feedback"] != "none":
            # feedback belongs to the acceleration; RATTLE and EM hold positions themselves
            return "runge_kutta", ""
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
        moments = np.array([0 if times is None else len(wanted), 0], np.int64)  # how many, and the next one
        call = s.core["advance_adaptive"]
        arrays = (wanted.ctypes.data, self._dense.ctypes.data, moments.ctypes.data)
        return int(
            call(s.I.ctypes.data, s.S.ctypes.data, self._coefficients.ctypes.data, end, MOST_STEPS, *arrays)
        )

    def _not_finite(self, h: float) -> tuple[str, ...]:
        """Names of the behaviors, constraints and connectors whose value is not a number at the step that
        could not be taken."""
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
            found = tuple(
                i.name for i in self.items if self._has_record(i) and not np.all(np.isfinite(s.record(i)))
            )
            if found:
                break
        s.lost.clear()
        outside.set_state(s, y, t)
        return found

    def _has_record(self, item: Item) -> bool:
        return item.type.family in ("connector", "constraint", "behavior") and self._structure.is_attached(
            item
        )

    def run(
        self, seconds: float, *, dt: float | None = None, each: Callable[[Self], None] | None = None
    ) -> Result:
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
        return together(results)

    def live(self, seconds: float, *, each: Callable[[Self], None] | None = None) -> Result:
        """Run against the real-time clock (LD98): each step is as long as the time since the last one; call
        `each` after it.

        A step is at most a tenth of a second; when the work takes longer than that, the world falls behind
        the clock.
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
        return together(results)

    def _evaluate(self) -> Structure:
        """Accelerations and multipliers at the present state."""
        self._ready()
        s = self._structure
        s.core["evaluate_flow" if self.settings["order"] == 1 else "evaluate"](
            s.I.ctypes.data, s.S.ctypes.data
        )
        s.S[L.S_READY] = 0.0
        return s

    def _scalar(self, place: int) -> float:
        with self.lock:
            return float(self._evaluate().S[place])

    def _unmet(self) -> tuple[str, ...]:
        """Names of the constraints that yield, or are a hundred tolerances from their reference r(t)."""
        s = self._evaluate()  # its gap leaves c − r among the work rows
        n, base = int(s.I[L.H_NR]), int(s.I[L.H_S_ROWS])
        residual = s.S[base + L.R_TRY * n : base + (L.R_TRY + 1) * n]
        found: list[str] = []
        row = 0
        for batch in sorted(
            (b for b in s.batches.values() if b.family == L.CONSTRAINT), key=lambda b: b.base[2]
        ):
            d, width = int(batch.header[L.D_DIM]), batch.memory.data.shape[1]
            off = np.abs(residual)[row : row + batch.n * d].reshape(batch.n, d).max(axis=1)
            yields = (
                s.S[batch.base[1] : batch.base[1] + batch.n * width].reshape(batch.n, width)[:, -1]
                == L.SPRING
            )
            is_open = ~(off <= UNMET * self.settings["tolerance"]) | yields
            found += [item.name for item, bad in zip(batch.items, is_open, strict=True) if bad]
            row += batch.n * d
        return tuple(dict.fromkeys((*found, *self._slipping())))


def _owners(item: Item) -> set[Item]:
    """The objects that an item is plugged into, directly or through connectors."""
    return (
        {item}
        if item.type.family == "object"
        else {owner for source in item.inputs for owner in _owners(source)}
    )
