"""Steps by the method in force, each run of them with a result in words."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from tinkerdyne.engine import culprits
from tinkerdyne.engine.engine import Moment
from tinkerdyne.engine.steppers import outside
from tinkerdyne.engine.steppers.adaptive import TOO_MANY
from tinkerdyne.engine.steppers.methods import ENERGY_MOMENTUM, FIRST_ORDER, RATTLE, RUNGE_KUTTA, STORMER
from tinkerdyne.engine.steppers.stability import LONGEST, PLAIN, too_fast
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item
from tinkerdyne.world.accuracy import OPEN, Accuracy, accuracy_of, accuracy_outside, remedy_for
from tinkerdyne.world.contents import Contents
from tinkerdyne.world.results import Jump, Result, Status

COMPILED = {
    "rattle": RATTLE,
    "energy_momentum": ENERGY_MOMENTUM,
    "runge_kutta": RUNGE_KUTTA,
    "stormer": STORMER,
}
MOST_STEPS = 10_000_000  # in one call; beyond, the caller should run in parts
CHUNK = 2_000_000  # velocities times steps in one compiled call
# largest kinetic energies: what the energy may rise by in a last resort before a spring is looked for
BLOWN = 10.0


class Stepper:
    """Takes steps of a world."""

    def __init__(self, contents: Contents) -> None:
        self._contents, self._engine = contents, contents.engine
        self._is_told = False  # that another method than the one asked for is used
        self._coefficients: Array | None = None

    def advance(self, n: int, h: float) -> Result:
        """n steps of length h."""
        engine = self._engine
        engine.ready()
        engine.moving()
        method = self.method()
        if method in ("adaptive", "lsoda", "dop853", "dense"):
            return self._advance_otherwise(method, n, h)
        return self._advance_compiled(FIRST_ORDER if self._is_first_order else COMPILED[method], n, h)

    @property
    def _is_first_order(self) -> bool:
        return bool(self._contents.settings["order"] == 1)

    @property
    def _limit(self) -> float:
        """The gap above which a constraint is open."""
        return float(OPEN * self._contents.settings["tolerance"])

    def _advance_compiled(self, code: int, n: int, h: float) -> Result:
        engine = self._engine
        scalars = engine.scalars
        careful, last = scalars.count_em, scalars.count_lm
        # In parts of some tenths of a second at most, so that an interrupt is heard.
        part = max(1, CHUNK // max(1, engine.overview.nv))
        done = 0
        scalars.jump_size = 0.0
        while done < n:
            count = min(part, n - done)
            good = engine.moment()
            taken = engine.program.advance(code, count, h)
            if scalars.wants_tangent:
                scalars.wants_tangent = 0.0
                engine.have_tangent()
                scalars, done = engine.scalars, done + taken
                continue
            has_jumped = (
                scalars.count_lm > last and not good.rise_to(scalars) <= BLOWN * scalars.largest_kinetic
            )
            if code != FIRST_ORDER and (taken < count or has_jumped):
                stiff = self._too_stiff(good, h)
                if stiff is not None:
                    return replace(stiff, steps=done, jump=self._jump())
            done += taken
            if taken < count:
                return Result(Status.NOT_FINITE, done, self._not_finite(h), engine.scalars.time, self._jump())
        accuracy = accuracy_of(engine, self.method(), self._contents.settings)
        if culprits.is_unmet(engine, self._limit):
            return Result(Status.UNMET, n, self.unmet(), None, self._jump(), "", accuracy)
        if accuracy.broken:
            return self._inaccurate(n, h, accuracy)
        is_careful = scalars.count_em > careful or scalars.count_lm > last
        status = Status.CAREFUL if is_careful else Status.DONE
        return Result(status, n, (), None, self._jump(), "", accuracy)

    def _inaccurate(self, n: int, h: float, accuracy: Accuracy) -> Result:
        """Steps that were taken, but not as well as promised: who is to blame, and what to do."""
        engine, which = self._engine, accuracy.broken[0]
        if which == "forces":
            names = _names(culprits.unbalanced_forces(engine))
        else:
            rough = culprits.roughest(engine)
            names = _names([*rough, *self._springs_at(rough[0])[:1]] if rough else [])
        remedy = remedy_for(which, accuracy, self.method(), h)
        return Result(Status.INACCURATE, n, names, None, self._jump(), remedy, accuracy)

    def _springs_at(self, part: Item) -> list[Item]:
        """The springs that pull at an object, the stiffest first."""
        springs = [
            item
            for item in self._contents.items
            if item.type.family == "behavior" and "stiffness" in item.values and part in _owners(item)
        ]
        return sorted(springs, key=lambda item: -float(np.max(item.values["stiffness"])))

    def _too_stiff(self, good: Moment, h: float) -> Result | None:
        """Back to a good moment, when a swing there is too fast for the step; None when none is."""
        swing = too_fast(self._engine, good, h, LONGEST if self.method() == "rattle" else PLAIN)
        if swing is None:
            return None
        speed, culprit = swing
        remedy = (
            f"It swings at {speed:.2g} rad/s: take max_step below {2 / speed:.1g} s, or a lower stiffness."
        )
        names = _names([culprit, *self._springs_at(culprit)[:1]])
        return Result(Status.TOO_STIFF, 0, names, self._engine.scalars.time, None, remedy)

    def _jump(self) -> Jump | None:
        """The widest jump that the steps just taken met."""
        jumped = culprits.widest_jump(self._engine)
        return None if jumped is None else Jump(jumped.constraint.name, jumped.time, jumped.of, jumped.size)

    def unmet(self) -> tuple[str, ...]:
        """Names of the constraints that yield, slip, or are a hundred tolerances off."""
        return _names(culprits.unmet(self._engine, self._limit))

    def _not_finite(self, h: float) -> tuple[str, ...]:
        return _names(culprits.not_finite(self._engine, h))

    # --- the method in force ---------------------------------------------------------------------
    def method(self) -> str:
        """The method in force: the one asked for, where the world allows it; what stands in for it must be
        allowed too."""
        method: str = self._contents.settings["method"]
        for _ in range(4):
            instead, why = self._instead_of(method)
            if not instead:
                break
            if why and not self._is_told:
                named = {"runge_kutta": "Runge–Kutta with projection", "dense": "the dense method"}
                step = "the first-order step" if self._is_first_order else named.get(instead, instead)
                warnings.warn(f"{why}; {step} is used instead", stacklevel=5)
                self._is_told = True
            method = instead
        return method

    def _instead_of(self, method: str) -> tuple[str, str]:
        """Another method, and why, where this world does not allow one; "" where it does."""
        overview = self._engine.overview
        if self._is_first_order:
            return ("rattle", f"{method} is for worlds of order 2") if method != "rattle" else ("", "")
        if overview.is_nonsquare and overview.has_stops:
            raise ValueError(
                f"the non-square constraints {self._nonsquare()} and stops cannot be in one world; use align "
                "in their place"
            )
        if overview.is_nonsquare and method != "dense":
            why = f"{method} cannot hold the non-square constraints {self._nonsquare()}"
            return "dense", why if method == "rattle" else ""
        if overview.has_stops and method in ("lsoda", "dop853", "dense", "energy_momentum"):
            return "rattle" if method == "energy_momentum" else "adaptive", f"{method} knows no stops"
        if overview.has_rates and method == "energy_momentum":
            return "rattle", "energy_momentum holds no constraints on velocities"
        if method in ("rattle", "energy_momentum") and self._contents.settings["feedback"] != "none":
            # feedback belongs to the acceleration; RATTLE and EM hold positions themselves
            return "runge_kutta", ""
        if method in ("rattle", "energy_momentum") and overview.mass_varies:
            return "runge_kutta", f"{method} needs constant masses"
        return "", ""

    def _nonsquare(self) -> str:
        constraints = (item for item in self._contents.items if item.type.family == "constraint")
        return ", ".join(item.name for item in constraints if item.type.block_of(item).effort)

    # --- methods outside the fixed-step loop -----------------------------------------------------
    def _advance_otherwise(self, method: str, n: int, h: float) -> Result:
        engine, settings = self._engine, self._contents.settings
        before = self.kept_energy(method)
        if method == "adaptive":
            engine.scalars.jump_size = 0.0
            done, _ = self.advance_adaptive(engine.scalars.time + n * h)
            is_done = done >= 0
        elif method == "dense":
            done, is_done = n, outside.run_dense(engine, n, h)
        else:
            done = n
            is_done = outside.run_scipy(engine, method, n * h, settings["rtol"], settings["atol"])
        if is_done and method != "dense":  # which holds its constraints by feedback
            engine.evaluate()
            if culprits.is_unmet(engine, self._limit):
                return Result(Status.UNMET, done, self.unmet(), None, self._jump())
        if is_done and method == "dense":
            unmet = outside.left_open(engine, self._limit)
            if unmet:
                return Result(Status.UNMET, done, tuple(item.name for item in unmet))
        if is_done:
            return self.judged(method, done, before)
        if method == "adaptive" and done == TOO_MANY:
            return Result(Status.TOO_MANY, MOST_STEPS, (), engine.scalars.time)
        return Result(Status.NOT_FINITE, 0, self._not_finite(n * h), engine.scalars.time)

    def judged(self, method: str, done: int, before: float | None) -> Result:
        """Steps of a method that controls its own error, done, by what became of the energy before them."""
        accuracy = accuracy_outside(self._engine, self._contents.settings, before, self.kept_energy(method))
        jump = self._jump() if method == "adaptive" else None
        if accuracy.broken:
            remedy = remedy_for(accuracy.broken[0], accuracy, method, self._contents.settings["max_step"])
            return Result(Status.INACCURATE, done, (), None, jump, remedy, accuracy)
        return Result(Status.DONE, done, (), None, jump, "", accuracy)

    def kept_energy(self, method: str) -> float | None:
        """The energy now, where nothing can change it but an error of a method that controls its own."""
        engine, what = self._engine, self._engine.overview
        is_other = what.depends_on_time or what.is_unbalanced or what.has_stops or not what.is_conservative
        if method == "dense" or is_other:
            return None
        engine.evaluate()
        scalars = engine.scalars
        if scalars.springs or scalars.feedback or culprits.approaches(engine):
            return None
        return scalars.kinetic + scalars.energy

    def advance_adaptive(self, end: float, times: Sequence[float] = ()) -> tuple[int, Array]:
        """Run the adaptive method to a time: the steps taken (or what went wrong, below 0), and the states at
        some times on the way, by its dense output."""
        if self._coefficients is None:
            self._coefficients = outside.coefficients()
        self._engine.moving()
        overview = self._engine.overview
        wanted = np.array(times, float) if times else np.zeros(1)
        dense = np.zeros((len(wanted), max(overview.nq + overview.nv, 1)))
        done = self._engine.program.advance_adaptive(
            self._coefficients, end, MOST_STEPS, wanted, dense, len(times)
        )
        return done, dense


def _names(items: Iterable[Item]) -> tuple[str, ...]:
    return tuple(item.name for item in items)


def _owners(item: Item) -> set[Item]:
    """The objects that an item is plugged into, directly or through connectors."""
    if item.type.family == "object":
        return {item}
    return {owner for source in item.inputs for owner in _owners(source)}
