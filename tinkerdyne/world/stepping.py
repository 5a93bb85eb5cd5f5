"""Steps by the method in force, each run of them with a result in words."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple, TypeVar

import numpy as np

from tinkerdyne.engine import culprits
from tinkerdyne.engine.contact.doubling import advance_within
from tinkerdyne.engine.going_back import Moment, go_back
from tinkerdyne.engine.steppers import dense, outside
from tinkerdyne.engine.steppers.adaptive import NOT_YET
from tinkerdyne.engine.steppers.advance import RIGID
from tinkerdyne.engine.steppers.budget import Budget
from tinkerdyne.engine.steppers.methods import (
    ENERGY_MOMENTUM,
    FIRST_ORDER,
    IMPLICIT,
    RATTLE,
    RUNGE_KUTTA,
    STORMER,
)
from tinkerdyne.engine.steppers.outside import Ending
from tinkerdyne.engine.steppers.stability import (
    LONGEST,
    PLAIN,
    fastest,
    fastest_decay,
    free_energy,
    gross_energy,
    most_moved,
    too_fast,
)
from tinkerdyne.engine.weigh import mass_ratio
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item
from tinkerdyne.world.accuracy import CALM, OPEN, Accuracy, accuracy_of, accuracy_outside, remedy_for
from tinkerdyne.world.contents import Contents
from tinkerdyne.world.held_up import DEPEND, Said, held_up, names, outweighed, stiffest
from tinkerdyne.world.lost import lost_for
from tinkerdyne.world.results import Jump, Result, Status
from tinkerdyne.world.settings import DEFAULTS

# of forces, by the rounding of masses that differ: beyond it the residual of rows that yield tells nothing
ROUNDING, LOST = 2.2e-16, 1e-4
UNTOUCHED = 1e-4  # m/s: contacts that are left further from their law make a motion inaccurate
COMPILED = {
    "rattle": RATTLE,
    "energy_momentum": ENERGY_MOMENTUM,
    "runge_kutta": RUNGE_KUTTA,
    "stormer": STORMER,
    "implicit": IMPLICIT,
}
EXPLICIT = ("runge_kutta", "stormer", "dense")  # that take dampers as they are at the start of a stage
CHUNK = 2_000_000  # velocities times steps in one compiled call
STAGES_A_STEP = 16  # evaluations of the adaptive method, about
# largest kinetic energies: what the energy may rise by in a last resort before a spring is looked for
BLOWN = 10.0
UNKICKED = 1e-6  # of the largest velocity: an implicit kick that is further off is told
AT_REST = 1e-8  # of the energy that a step would give to free parts, a ten-thousandth of their speed
# of the energy that it would give if no force opposed another, 1e-8 of that speed: what hangs on springs
# moves by the rounding of forces that cancel
ROUNDED = 1e-16
UNBOUNCED = (
    "Störmer's method lets nothing bounce, at any step: give these a restitution of 0, or take "
    'method="rattle".'
)
UNMET = (
    "Remove one of them, or change what they ask for; world.diagnose() says which contradict each other here."
)
UNREACHED = (
    "These cannot be met from here: they ask for velocities without bound. Remove one, or choose "
    "method='rattle'."
)
Answer = TypeVar("Answer")


class Counts(NamedTuple):
    """How many steps were taken with care, by the last resort, and with contacts that were left open."""

    careful: float
    last: float
    open: int


class Stepper:
    """Takes steps of a world."""

    def __init__(self, contents: Contents) -> None:
        self._contents, self._engine = contents, contents.engine
        self._is_told = False  # that another method than the one asked for is used
        self._coefficients: Array | None = None
        self._leaps = 0.0  # of the adaptive method, before its run
        self._fastest: float | None = None  # swing of the forces, where it was asked for   [rad/s]
        self._free: tuple[float, float] = (
            0.0,
            0.0,
        )  # a step, and the least energy that is a motion in it [s, J]

    def advance(self, n: int, h: float) -> Result:
        """n steps of length h."""
        engine = self._engine
        if not engine.is_settled:
            self._fastest, self._free = None, (0.0, 0.0)
        engine.ready()
        engine.moving()
        method = self.method()
        if method == "adaptive" and engine.contacts.is_on():
            return self._advance_doubled(n, h)
        if method == "adaptive":  # in parts, each of which is done or not; what was done stays
            return self._advance_otherwise(method, n, h)
        if method == "dense":
            return self._whole(lambda: self._advance_dense(n, h))
        if method in ("lsoda", "dop853"):
            return self._whole(lambda: self._advance_otherwise(method, n, h))
        return self._advance_compiled(FIRST_ORDER if self._is_first_order else COMPILED[method], n, h)

    def _whole(self, work: Callable[[], Answer]) -> Answer:
        """Work that moves the state about: cut short, it leaves the state as it was."""
        return self._contents.transactions.whole(work, is_trial=True)

    @property
    def _is_first_order(self) -> bool:
        return bool(self._contents.settings["order"] == 1)

    @property
    def _limit(self) -> float:
        """The gap above which a constraint is open."""
        return float(OPEN * self._contents.settings["tolerance"])

    def _advance_compiled(self, code: int, n: int, h: float) -> Result:
        engine = self._engine
        if code == IMPLICIT:
            engine.have_tangent()
        scalars, before = engine.scalars, self._counts()
        # In parts of some tenths of a second at most, so that an interrupt is heard.
        part = max(1, CHUNK // max(1, engine.overview.nv))
        done = 0
        is_touching = code in (RATTLE, FIRST_ORDER) and engine.contacts.is_on()
        is_heard = is_touching and engine.contacts.is_heard()
        scalars.jump_size = scalars.unkicked = scalars.heaviest = 0.0
        engine.contacts.open_account()
        while done < n:
            count = 1 if is_heard else min(part, n - done)
            good = Moment.of(engine)
            if is_touching:
                taken = engine.contacts.advance(count, h)
            else:
                taken = engine.program.advance(code, count, h)
            if scalars.wants_tangent:
                scalars.wants_tangent = 0.0
                engine.have_tangent()
                scalars, done = engine.scalars, done + taken
                continue
            if taken < count and scalars.heaviest > RIGID:
                return self._outweighed(done + taken, h)
            has_jumped = (
                scalars.count_lm > before.last
                and not good.rise_to(scalars) <= BLOWN * scalars.largest_kinetic
            )
            has_jumped |= code in (RUNGE_KUTTA, STORMER) and good.has_grown(scalars)
            if code != FIRST_ORDER and (taken < count or has_jumped):
                stiff = self._whole(partial(self._too_stiff, good, h))
                if stiff is not None:
                    return replace(stiff, steps=done, jump=self._jump(), accuracy=self._accuracy())
            done += taken
            if taken < count:
                return self._lost(done, h)
            if is_heard and engine.contacts.tell():  # who listens may have edited the world
                engine.ready()
                engine.moving()
                scalars, is_touching = engine.scalars, code == RATTLE and engine.contacts.is_on()
                is_heard = is_touching and engine.contacts.is_heard()
        return self._verdict(code, n, h, before)

    def _counts(self) -> Counts:
        scalars = self._engine.scalars
        return Counts(scalars.count_em + scalars.count_taut, scalars.count_lm, self._engine.contacts.open())

    def _verdict(self, code: int, n: int, h: float, before: Counts) -> Result:
        """What is to be said of steps that were all taken."""
        engine, now, accuracy = self._engine, self._counts(), self._accuracy()
        if culprits.is_unmet(engine, self._limit):
            engine.scalars.suspect = engine.scalars.shake = 0.0  # of what cannot be met
            return Result(Status.UNMET, n, self.unmet(), None, self._jump(), UNMET, accuracy)
        if engine.scalars.unkicked > UNKICKED:
            said = Status.INACCURATE
            called = names(self._whole(self._most_damped))
            return Result(said, n, called, None, self._jump(), self._unkicked(), accuracy)
        bouncing = self._bouncing() if engine.scalars.unbounced else []
        if bouncing:
            return Result(Status.INACCURATE, n, names(bouncing), None, self._jump(), UNBOUNCED, accuracy)
        if now.open > before.open and engine.contacts.residual() > UNTOUCHED:
            return self._untouched(n, accuracy)
        if code == IMPLICIT and "energy" in accuracy.broken and self._is_stiff(h):
            accuracy = replace(accuracy, energy=None)
        if accuracy.broken and code != FIRST_ORDER and self._is_at_rest(h):
            accuracy = replace(accuracy, energy=None, path=None)
        if engine.contacts.overlap():
            called = names(engine.contacts.overlapping())
            return Result(Status.CAREFUL, n, called, None, self._jump(), self._overlapping(), accuracy)
        is_careful = any(after > count for after, count in zip(now, before, strict=True))
        if is_careful and accuracy.forces is not None:
            # Steps taken with care let rows yield, and have no residual that tells how far off forces are.
            known = ROUNDING * mass_ratio(engine)
            accuracy = replace(accuracy, forces=max(accuracy.forces, known)) if known > LOST else accuracy
        if accuracy.broken:
            return self._inaccurate(n, h, accuracy)
        status = Status.CAREFUL if is_careful else Status.DONE
        return Result(status, n, (), None, self._jump(), "", accuracy)

    def _bouncing(self) -> list[Item]:
        """The stops that have a restitution."""
        stops = (item for item in self._contents.items if item.type.family == "constraint")
        return [item for item in stops if item.values.get("restitution")]

    def _untouched(self, n: int, accuracy: Accuracy) -> Result:
        """Steps that were taken, but some contacts were not solved for as well as promised."""
        contacts = self._engine.contacts
        remedy = (
            f"Contacts were solved to {contacts.residual():.1g} m/s only: take a shorter max_step, "
            "less friction, or masses that differ less."
        )
        return Result(Status.INACCURATE, n, names(contacts.culprits()), None, self._jump(), remedy, accuracy)

    def _overlapping(self) -> str:
        deep = self._engine.contacts.overlap()
        return f"Bodies overlapped by {deep:.2g} m, and are parted slowly: place them apart."

    def _accuracy(self) -> Accuracy:
        """How accurate the motion was up to now, of a method with fixed steps."""
        settings = self._contents.settings
        return accuracy_of(self._engine, settings["method"], settings)

    def _inaccurate(self, n: int, h: float, accuracy: Accuracy) -> Result:
        """Steps that were taken, but not as well as promised: who is to blame, and what to do."""
        engine, which = self._engine, accuracy.broken[0]
        if which == "forces":
            called = names(culprits.unbalanced_forces(engine))
        elif which == "shake":
            called = names(culprits.roughest(engine, by_own_speed=True))
        else:
            rough = culprits.roughest(engine) or self._furthest(h)
            called = names([*rough, *stiffest(self._contents, rough[0])[:1]] if rough else [])
        remedy = remedy_for(which, accuracy, "first order" if self._is_first_order else self.method(), h)
        return Result(Status.INACCURATE, n, called, None, self._jump(), remedy, accuracy)

    def _is_at_rest(self, h: float) -> bool:
        """Whether nothing has moved but by rounding, of which no share is an error: a bridge that stands."""
        engine = self._engine
        if self._free[0] != h:  # its size stays until an edit
            self._free = h, max(AT_REST * free_energy(engine, h), ROUNDED * gross_energy(engine, h))
        least, scalars = self._free[1], engine.scalars
        speed = scalars.path / (h * scalars.looks) if scalars.looks else math.inf  # in √(2 J)
        return min(scalars.turnover, 0.5 * speed * speed) < least

    def _is_stiff(self, h: float) -> bool:
        """Whether a force swings too fast for steps of length h, so that damping is to take its energy."""
        if self._fastest is None:  # which stays until an edit
            engine = self._engine
            kept = engine.numbers()
            self._fastest = self._whole(lambda: fastest(engine)[0])
            engine.set_numbers(kept)
        return self._fastest * h > CALM

    def _too_stiff(self, good: Moment, h: float) -> Result | None:
        """Back to a good moment, when a swing or a decay there is too fast for the step; else None."""
        method = self.method()
        longest, decay = LONGEST if method == "rattle" else PLAIN, PLAIN if method in EXPLICIT else math.inf
        found = too_fast(self._engine, good, h, longest, decay)
        if found is None:
            return None
        does, unit = ("decays", "/s") if found.is_decay else ("swings", " rad/s")
        what = "damping" if found.is_decay else "stiffness"
        remedy = (
            f"It {does} at {found.rate:.2g}{unit}: take max_step below {2 / found.rate:.1g} s, "
            f'method="implicit", which follows stiff forces at any step, or a lower {what}.'
        )
        called = names([found.culprit, *stiffest(self._contents, found.culprit, what)[:1]])
        return Result(Status.TOO_STIFF, 0, called, self._engine.scalars.time, None, remedy)

    def _outweighed(self, done: int, h: float) -> Result:
        """A step of length h that was not taken, since forces leave nothing of a mass in it."""
        who, remedy = self._whole(partial(outweighed, self._contents, h))
        now, accuracy = self._engine.scalars.time, self._accuracy()
        return Result(Status.TOO_STIFF, done, who, now, self._jump(), remedy, accuracy)

    def _most_damped(self) -> list[Item]:
        """The object that is slowed down fastest, and its strongest damper."""
        culprit = most_moved(self._engine, fastest_decay(self._engine)[1])
        return [culprit, *stiffest(self._contents, culprit, "damping")[:1]]

    def _furthest(self, h: float) -> list[Item]:
        """The object that goes furthest in a step of length h."""
        found = self._whole(lambda: culprits.furthest(self._engine, h))
        return [] if found is None else [found[0]]

    def _unkicked(self) -> str:
        """What to do where the implicit kick of damping did not converge."""
        return (
            f"Forces that depend on velocity were not solved for: a kick is off by "
            f"{self._engine.scalars.unkicked:.1g} of the largest velocity. Take a shorter max_step."
        )

    def _jump(self) -> Jump | None:
        """The widest jump that the steps just taken met."""
        jumped = culprits.widest_jump(self._engine)
        return None if jumped is None else Jump(jumped.constraint.name, jumped.time, jumped.of, jumped.size)

    def unmet(self) -> tuple[str, ...]:
        """Names of the constraints that yield, slip, or are a hundred tolerances off."""
        return names(culprits.unmet(self._engine, self._limit))

    def _not_finite(self, h: float) -> tuple[str, ...]:
        return names(self._whole(lambda: culprits.not_finite(self._engine, h)))

    def _lost(self, done: int, h: float) -> Result:
        """A step of length h that could not be taken, after some that could: what is no number, or which
        constraints come to depend on each other."""
        if self._engine.scalars.heaviest > RIGID:
            return self._outweighed(done, h)
        now, near = self._engine.scalars.time, []
        if not self._not_finite(h):
            near = self._whole(lambda: culprits.nearly_dependent(self._engine))
        who, remedy = (names(near), f"It is singular here: {DEPEND}") if near else self._lost_for(h)
        return Result(Status.NOT_FINITE, done, who, now, self._jump(), remedy, self._accuracy())

    def _lost_for(self, h: float) -> Said:
        """Who a step of length h could not be taken for, where nothing else tells."""
        return self._whole(partial(lost_for, self._contents, h, self._limit))

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
        if method not in ("rattle", "adaptive") and self._engine.contacts.is_on():
            what = "contact" if self._engine.contacts.is_contact() else "dry friction that sticks"
            return "rattle", f"{method} knows no {what}"
        if overview.has_rates and method == "energy_momentum":
            return "rattle", "energy_momentum holds no constraints on velocities"
        if method in ("rattle", "energy_momentum") and self._contents.settings["feedback"] != "none":
            # feedback belongs to the acceleration; RATTLE and EM hold positions themselves
            return "runge_kutta", ""
        if method in ("rattle", "energy_momentum") and overview.mass_varies:
            lost = ", so nothing touches anything" if self._engine.contacts.is_contact() else ""
            return "runge_kutta", f"{method} needs constant masses, unlike those of curves that move{lost}"
        return "", ""

    def _nonsquare(self) -> str:
        constraints = (item for item in self._contents.items if item.type.family == "constraint")
        return ", ".join(item.name for item in constraints if item.type.block_of(item).effort)

    # --- methods outside the fixed-step loop -----------------------------------------------------
    def _advance_otherwise(self, method: str, n: int, h: float) -> Result:
        engine, settings = self._engine, self._contents.settings
        before, good = self.kept_energy(method), Moment.of(engine)
        steps = engine.scalars.count_steps
        if method == "adaptive":
            engine.scalars.jump_size = 0.0
            done, _ = self.advance_adaptive(engine.scalars.time + n * h)
            is_done = done >= 0
        else:
            done = n
            ending = outside.run_scipy(engine, method, n * h, settings["rtol"], settings["atol"])
            if ending is Ending.TOO_MANY:
                return self._too_many(0)
            is_done = ending is Ending.DONE
        if is_done and np.isfinite(engine.state_vector()).all():
            return self.judged(method, done, before)
        return self.given_up(method, n * h, good, int(engine.scalars.count_steps - steps))

    def _advance_doubled(self, n: int, h: float) -> Result:
        """Steps with contact whose error is what rtol and atol say."""
        engine, settings, before = self._engine, self._contents.settings, self._counts()
        engine.scalars.jump_size = engine.scalars.unkicked = engine.scalars.heaviest = 0.0
        end = engine.scalars.time + n * h
        rtol, atol = settings["rtol"], settings["atol"]
        done = self._whole(lambda: advance_within(engine, end, rtol, atol, self._longest))
        if not done.is_done:
            return self._lost(done.steps, h)
        result = self._verdict(RATTLE, done.steps, h, before)
        is_rough = done.rough > 0 and result.status == Status.DONE
        return replace(result, status=Status.CAREFUL) if is_rough else result

    def _advance_dense(self, n: int, h: float) -> Result:
        """n steps of the dense method, which holds its constraints by feedback."""
        engine, good = self._engine, Moment.of(self._engine)
        is_done = dense.run_dense(engine, n, h)
        accuracy = self._accuracy()
        if not is_done or good.has_grown(engine.scalars):
            stiff = self._whole(partial(self._too_stiff, good, h))
            if stiff is not None:
                return replace(stiff, accuracy=accuracy)
        if not is_done:
            return replace(self.given_up("dense", h, good, 0), accuracy=accuracy)
        engine.evaluate()
        engine.scalars.most_gap = max(engine.scalars.most_gap, engine.scalars.gap)
        accuracy = self._accuracy()
        unmet = names(dense.left_open(engine, self._limit))
        if unmet:
            return Result(Status.UNMET, n, unmet, None, None, UNMET, accuracy)
        if accuracy.broken and self._is_at_rest(h):
            accuracy = replace(accuracy, energy=None, path=None)
        return (
            self._inaccurate(n, h, accuracy) if accuracy.broken else Result(Status.DONE, n, accuracy=accuracy)
        )

    def given_up(self, method: str, span: float, good: Moment, taken: int) -> Result:
        """Why a method outside the fixed-step loop ended early."""
        engine = self._engine
        strange, is_lost = self._not_finite(span), not np.isfinite(engine.state_vector()).all()
        if is_lost:  # projected onto constraints that are no numbers
            go_back(engine, good)
            strange = self._not_finite(span) or strange
        if method == "adaptive" and not strange and not is_lost:
            return self._too_many(taken)
        who, remedy = self._lost_for(span) if strange else self._risen(method, span)
        return Result(Status.NOT_FINITE, 0, who, engine.scalars.time, None, remedy, self._so_far())

    def _risen(self, method: str, h: float) -> tuple[tuple[str, ...], str]:
        """Who is to blame, and what to do, where all values are numbers but the energy rose without bound."""
        unmet = self._whole(self._unreached)
        if unmet:
            return unmet, UNREACHED
        near = self._whole(lambda: culprits.nearly_dependent(self._engine))
        if near:
            return names(near), f"It is singular here: {DEPEND}"
        rough = names(culprits.roughest(self._engine)) if method == "dense" else ()
        if not rough:
            return self._lost_for(h)
        return rough, f"It gains without bound in steps of this length: take max_step below {h / 4:.1g} s."

    def _unreached(self) -> tuple[str, ...]:
        """Names of the constraints that cannot be met from here: open, or else bound to contradict."""
        return self.unmet() or culprits.dependent(self._engine)[0]

    def _too_many(self, taken: int) -> Result:
        """Who used up the budget of a method that chooses its own steps."""
        engine = self._engine
        who, remedy = held_up(self._contents, self._limit, engine.scalars.next_step)
        if not who:
            who, more = self._lost_for(DEFAULTS["max_step"])
            remedy = f"{remedy} {more}"
        jump, so_far = self._jump(), self._so_far()
        return Result(Status.TOO_MANY, taken, who, engine.scalars.time, jump, remedy, so_far)

    def _so_far(self) -> Accuracy:
        """How accurate the motion was before a method that controls its own error gave up."""
        return accuracy_outside(self._engine, self._contents.settings, None, None)

    def judged(self, method: str, done: int, before: float | None) -> Result:
        """Steps of a method that controls its own error, done, by what became of the energy before them."""
        engine = self._engine
        jump = self._jump() if method == "adaptive" else None
        accuracy = accuracy_outside(engine, self._contents.settings, before, self.kept_energy(method))
        engine.evaluate()
        if culprits.is_unmet(engine, self._limit):
            return Result(Status.UNMET, done, self.unmet(), None, jump, UNMET, accuracy)
        if accuracy.broken and self._is_at_rest(DEFAULTS["max_step"]):
            accuracy = replace(accuracy, energy=None)
        if accuracy.broken:
            remedy = remedy_for(accuracy.broken[0], accuracy, method, self._contents.settings["max_step"])
            is_force = "forces" in accuracy.broken
            found = culprits.unbalanced_forces(engine) if is_force else self._furthest(DEFAULTS["max_step"])
            called = names(found)
            return Result(Status.INACCURATE, done, called, None, jump, remedy, accuracy)
        leapt = method == "adaptive" and self._count_leaps() > self._leaps
        return Result(Status.CAREFUL if leapt else Status.DONE, done, (), None, jump, "", accuracy)

    def _count_leaps(self) -> float:
        """Steps that the adaptive method handed to others, up to now."""
        scalars = self._engine.scalars
        return scalars.count_em + scalars.count_taut + scalars.count_lm

    def kept_energy(self, method: str) -> float | None:
        """The energy now, where nothing can change it but an error of a method that controls its own."""
        engine, what = self._engine, self._engine.overview
        is_other = what.depends_on_time or what.is_unbalanced or what.has_stops or not what.is_conservative
        if is_other:
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
        engine = self._engine
        engine.moving()
        overview = engine.overview
        moments = np.array(times, float) if times else np.zeros(1)
        dense = np.zeros((len(moments), max(overview.nq + overview.nv, 1)))
        wanted = np.array([len(times), 0, 0], np.int64)
        budget = Budget(engine.scalars.time, end)
        done, before = NOT_YET, engine.scalars.count_steps
        self._leaps = self._count_leaps()
        # In parts of some tenths of a second, so that an interrupt is heard.
        part = max(1, CHUNK // (STAGES_A_STEP * max(1, overview.nv)))
        while done == NOT_YET and budget.is_left(engine.scalars.time):
            wanted[2] = budget.spend(part)
            done = engine.program.advance_adaptive(
                self._coefficients, end, self._longest, moments, dense, wanted
            )
            if engine.scalars.wants_tangent:
                engine.scalars.wants_tangent = 0.0
                engine.have_tangent()
        taken = int(engine.scalars.count_steps - before)
        return (taken if done >= 0 else done), dense

    @property
    def _longest(self) -> float:
        """The longest step of the adaptive method: max_step, unless that is as it comes, which is meant for
        steps of one length."""
        return self._contents.chosen.get("max_step", math.inf)
