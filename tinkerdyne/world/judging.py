"""What is to be said of steps: how they ended, who is to blame, and what to do about it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import NamedTuple, TypeVar

import numpy as np

from tinkerdyne.engine import culprits
from tinkerdyne.engine.going_back import Moment, go_back
from tinkerdyne.engine.steppers import dense
from tinkerdyne.engine.steppers.accuracy import OPEN
from tinkerdyne.engine.steppers.advance import RIGID
from tinkerdyne.engine.steppers.methods import FIRST_ORDER, IMPLICIT
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
from tinkerdyne.language.item import Item
from tinkerdyne.world.accuracy import CALM, Accuracy, accuracy_of, accuracy_outside, remedy_for
from tinkerdyne.world.contents import Contents
from tinkerdyne.world.held_up import DEPEND, Said, held_up, names, outweighed, stiffest
from tinkerdyne.world.lost import lost_for
from tinkerdyne.world.method import ChosenMethod
from tinkerdyne.world.results import Jump, Result, Status
from tinkerdyne.world.settings import DEFAULTS

# of forces, by the rounding of masses that differ: beyond it the residual of rows that yield tells nothing
ROUNDING, LOST = 2.2e-16, 1e-4
UNTOUCHED = 1e-4  # m/s: contacts that are left further from their law make a motion inaccurate
EXPLICIT = ("runge_kutta", "stormer", "dense")  # that take dampers as they are at the start of a stage
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
REOPENED = (
    "It was open by {:.2g} m on the way: take a shorter max_step, or constraints that can be met together "
    "all the way."
)
UNHELD = (
    'Feedback does not hold it in steps of this length: take max_step below {:.1g} s, or method="rattle", '
    "which holds constraints exactly."
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


class Start(NamedTuple):
    """What was so before a method ran that controls its own error."""

    energy: float | None  # where nothing may change it   [J]
    leaps: float  # steps that were handed to other methods


class Judge:
    """Says how steps of a world ended."""

    def __init__(self, contents: Contents, method: ChosenMethod) -> None:
        self._contents, self._engine, self._method = contents, contents.engine, method
        self._fastest: float | None = None  # swing of the forces, where it was asked for   [rad/s]
        self._free = (0.0, 0.0)  # a step, and the least energy that is a motion in it   [s, J]

    def forget(self) -> None:
        """The structure changed: what was found of its forces is so no longer."""
        self._fastest, self._free = None, (0.0, 0.0)

    def _whole(self, work: Callable[[], Answer]) -> Answer:
        """Work that moves the state about: cut short, it leaves the state as it was."""
        return self._contents.transactions.whole(work, is_trial=True)

    @property
    def limit(self) -> float:
        """The gap above which a constraint is open."""
        return float(OPEN * self._contents.settings["tolerance"])

    def open_run(self) -> None:
        """Before steps of which something is to be said."""
        s = self._engine.scalars
        s.jump_size = s.unkicked = s.heaviest = s.opened = 0.0

    # --- steps that were taken ---------------------------------------------------------------------
    def counts(self) -> Counts:
        """How many steps were taken in which way up to now."""
        scalars = self._engine.scalars
        return Counts(scalars.count_em + scalars.count_taut, scalars.count_lm, self._engine.contacts.open())

    def steps_taken(self, code: int, n: int, h: float, before: Counts) -> Result:
        """What is to be said of steps that were all taken."""
        engine, now, accuracy = self._engine, self.counts(), self.accuracy()
        if culprits.is_unmet(engine, self.limit):
            engine.scalars.suspect = engine.scalars.shake = 0.0  # of what cannot be met
            return Result(Status.UNMET, n, self.unmet(), None, self.jump(), UNMET, accuracy)
        # What was open in a first-order world leaves nothing behind where it has closed.
        is_fed = engine.scalars.feedback or code == FIRST_ORDER
        if engine.scalars.opened > self.limit and not is_fed:
            return self._opened(n, accuracy)
        if engine.scalars.unkicked > UNKICKED:
            said = Status.INACCURATE
            called = names(self._whole(self._most_damped))
            return Result(said, n, called, None, self.jump(), self._unkicked(), accuracy)
        bouncing = self._bouncing() if engine.scalars.unbounced else []
        if bouncing:
            return Result(Status.INACCURATE, n, names(bouncing), None, self.jump(), UNBOUNCED, accuracy)
        if now.open > before.open and engine.contacts.residual() > UNTOUCHED:
            return self._untouched(n, accuracy)
        if code == IMPLICIT and "energy" in accuracy.broken and self._is_stiff(h):
            accuracy = replace(accuracy, energy=None)
        if accuracy.broken and code != FIRST_ORDER and self._is_at_rest(h):
            accuracy = replace(accuracy, energy=None, path=None)
        if engine.contacts.overlap():
            called = names(engine.contacts.overlapping())
            return Result(Status.CAREFUL, n, called, None, self.jump(), self._overlapping(), accuracy)
        is_careful = any(after > count for after, count in zip(now, before, strict=True))
        if is_careful and accuracy.forces is not None:
            # Steps taken with care let rows yield, and have no residual that tells how far off forces are.
            known = ROUNDING * mass_ratio(engine)
            accuracy = replace(accuracy, forces=max(accuracy.forces, known)) if known > LOST else accuracy
        if accuracy.broken:
            return self._inaccurate(n, h, accuracy)
        status = Status.CAREFUL if is_careful else Status.DONE
        return Result(status, n, (), None, self.jump(), "", accuracy)

    def _opened(self, n: int, accuracy: Accuracy) -> Result:
        """Steps on whose way constraints were open, and are met again."""
        engine = self._engine
        found = culprits.in_row(engine, int(engine.scalars.opened_row))
        called = names([] if found is None else [found])
        remedy = REOPENED.format(engine.scalars.opened)
        return Result(Status.INACCURATE, n, called, None, self.jump(), remedy, accuracy)

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
        return Result(Status.INACCURATE, n, names(contacts.culprits()), None, self.jump(), remedy, accuracy)

    def _overlapping(self) -> str:
        deep = self._engine.contacts.overlap()
        return f"Bodies overlapped by {deep:.2g} m, and are parted slowly: place them apart."

    def accuracy(self) -> Accuracy:
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
        method = "first order" if self._method.is_first_order else self._method.in_force()
        remedy = remedy_for(which, accuracy, method, h)
        return Result(Status.INACCURATE, n, called, None, self.jump(), remedy, accuracy)

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

    def jump(self) -> Jump | None:
        """The widest jump that the steps just taken met."""
        jumped = culprits.widest_jump(self._engine)
        return None if jumped is None else Jump(jumped.constraint.name, jumped.time, jumped.of, jumped.size)

    def unmet(self) -> tuple[str, ...]:
        """Names of the constraints that yield, slip, or are a hundred tolerances off."""
        return names(culprits.unmet(self._engine, self.limit))

    # --- steps that could not be taken -------------------------------------------------------------
    def too_stiff(self, good: Moment, h: float) -> Result | None:
        """Back to a good moment, when a swing or a decay there is too fast for the step; else None."""
        method = self._method.in_force()
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

    def outweighed(self, done: int, h: float) -> Result:
        """A step of length h that was not taken, since forces leave nothing of a mass in it."""
        who, remedy = self._whole(partial(outweighed, self._contents, h))
        now, accuracy = self._engine.scalars.time, self.accuracy()
        return Result(Status.TOO_STIFF, done, who, now, self.jump(), remedy, accuracy)

    def _not_finite(self, h: float) -> tuple[str, ...]:
        return names(self._whole(lambda: culprits.not_finite(self._engine, h)))

    def lost(self, done: int, h: float) -> Result:
        """A step of length h that could not be taken, after some that could: what is no number, or which
        constraints come to depend on each other."""
        if self._engine.scalars.heaviest > RIGID:
            return self.outweighed(done, h)
        now, near = self._engine.scalars.time, []
        if not self._not_finite(h):
            near = self._whole(lambda: culprits.nearly_dependent(self._engine))
        who, remedy = (names(near), f"It is singular here: {DEPEND}") if near else self._lost_for(h)
        return Result(Status.NOT_FINITE, done, who, now, self.jump(), remedy, self.accuracy())

    def _lost_for(self, h: float) -> Said:
        """Who a step of length h could not be taken for, where nothing else tells."""
        return self._whole(partial(lost_for, self._contents, h, self.limit))

    # --- methods outside the fixed-step loop -------------------------------------------------------
    def start(self) -> Start:
        """What is so now, before such a method runs."""
        return Start(self._kept_energy(), self._count_leaps())

    def controlled(self, method: str, done: int, start: Start) -> Result:
        """Steps of a method that controls its own error, done, by what became of the energy."""
        engine = self._engine
        jump = self.jump() if method == "adaptive" else None
        accuracy = accuracy_outside(engine, self._contents.settings, start.energy, self._kept_energy())
        engine.evaluate()
        if culprits.is_unmet(engine, self.limit):
            return Result(Status.UNMET, done, self.unmet(), None, jump, UNMET, accuracy)
        if method == "adaptive" and engine.scalars.opened > self.limit and not engine.scalars.feedback:
            return self._opened(done, accuracy)
        if accuracy.broken and self._is_at_rest(DEFAULTS["max_step"]):
            accuracy = replace(accuracy, energy=None)
        if accuracy.broken:
            remedy = remedy_for(accuracy.broken[0], accuracy, method, self._contents.settings["max_step"])
            is_force = "forces" in accuracy.broken
            found = culprits.unbalanced_forces(engine) if is_force else self._furthest(DEFAULTS["max_step"])
            called = names(found)
            return Result(Status.INACCURATE, done, called, None, jump, remedy, accuracy)
        leapt = method == "adaptive" and self._count_leaps() > start.leaps
        return Result(Status.CAREFUL if leapt else Status.DONE, done, (), None, jump, "", accuracy)

    def of_dense(self, n: int, h: float, room: dense.Room) -> Result:
        """Steps of the dense method, done, in which constraints had some room."""
        engine, accuracy = self._engine, self.accuracy()
        unmet = names(dense.left_open(engine, self.limit))
        if unmet:
            return Result(Status.UNMET, n, unmet, None, None, UNMET, accuracy)
        if accuracy.broken and self._is_at_rest(h):
            accuracy = replace(accuracy, energy=None, path=None)
        if accuracy.broken:
            return self._inaccurate(n, h, accuracy)
        if room.torn:
            torn = names(list(room.torn.values()))
            return Result(Status.INACCURATE, n, torn, None, None, UNHELD.format(h / 4), accuracy)
        return Result(Status.DONE, n, accuracy=accuracy)

    def given_up(self, method: str, span: float, good: Moment, taken: int) -> Result:
        """Why a method outside the fixed-step loop ended early."""
        engine = self._engine
        strange, is_lost = self._not_finite(span), not np.isfinite(engine.state_vector()).all()
        if is_lost:  # projected onto constraints that are no numbers
            go_back(engine, good)
            strange = self._not_finite(span) or strange
        if method == "adaptive" and not strange and not is_lost:
            return self.too_many(taken)
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

    def too_many(self, taken: int) -> Result:
        """Who used up the budget of a method that chooses its own steps."""
        engine = self._engine
        who, remedy = held_up(self._contents, self.limit, engine.scalars.next_step)
        if not who:
            who, more = self._lost_for(DEFAULTS["max_step"])
            remedy = f"{remedy} {more}"
        jump, so_far = self.jump(), self._so_far()
        return Result(Status.TOO_MANY, taken, who, engine.scalars.time, jump, remedy, so_far)

    def _so_far(self) -> Accuracy:
        """How accurate the motion was before a method that controls its own error gave up."""
        return accuracy_outside(self._engine, self._contents.settings, None, None)

    def _count_leaps(self) -> float:
        """Steps that the adaptive method handed to others, up to now."""
        scalars = self._engine.scalars
        return scalars.count_em + scalars.count_taut + scalars.count_lm

    def _kept_energy(self) -> float | None:
        """The energy now, where nothing can change it but an error of the method."""
        engine, what = self._engine, self._engine.overview
        is_other = what.depends_on_time or what.is_unbalanced or what.has_stops or not what.is_conservative
        if is_other:
            return None
        engine.evaluate()
        scalars = engine.scalars
        if scalars.springs or scalars.feedback or culprits.approaches(engine):
            return None
        return scalars.kinetic + scalars.energy
