"""Steps by the method in force, each run of them with a result in words."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

import numpy as np

from tinkerdyne.engine.contact.doubling import advance_within
from tinkerdyne.engine.going_back import Moment
from tinkerdyne.engine.steppers import dense, outside
from tinkerdyne.engine.steppers.adaptive import NOT_YET
from tinkerdyne.engine.steppers.advance import RIGID
from tinkerdyne.engine.steppers.budget import Budget
from tinkerdyne.engine.steppers.methods import FIRST_ORDER, IMPLICIT, RATTLE, RUNGE_KUTTA, STORMER
from tinkerdyne.engine.steppers.outside import Ending
from tinkerdyne.language.arrays import Array
from tinkerdyne.world.contents import Contents
from tinkerdyne.world.judging import Judge
from tinkerdyne.world.method import ChosenMethod
from tinkerdyne.world.results import Result, Status

CHUNK = 2_000_000  # velocities times steps in one compiled call
STAGES_A_STEP = 16  # evaluations of the adaptive method, about
# largest kinetic energies: what the energy may rise by in a last resort before a spring is looked for
BLOWN = 10.0
Answer = TypeVar("Answer")


class Stepper:
    """Takes steps of a world."""

    def __init__(self, contents: Contents) -> None:
        self._contents, self._engine = contents, contents.engine
        self.method = ChosenMethod(contents)
        self.judge = Judge(contents, self.method)
        self._coefficients: Array | None = None

    def advance(self, n: int, h: float) -> Result:
        """n steps of length h."""
        engine = self._engine
        if not engine.is_settled:
            self.judge.forget()
        engine.ready()
        engine.moving()
        method = self.method.in_force()
        if method == "adaptive" and engine.contacts.is_on():
            return self._advance_doubled(n, h)
        if method == "adaptive":  # in parts, each of which is done or not; what was done stays
            return self._advance_otherwise(method, n, h)
        if method == "dense":
            return self._whole(lambda: self._advance_dense(n, h))
        if method in ("lsoda", "dop853"):
            return self._whole(lambda: self._advance_otherwise(method, n, h))
        return self._advance_compiled(self.method.code(method), n, h)

    def _whole(self, work: Callable[[], Answer]) -> Answer:
        """Work that moves the state about: cut short, it leaves the state as it was."""
        return self._contents.transactions.whole(work, is_trial=True)

    def _advance_compiled(self, code: int, n: int, h: float) -> Result:
        engine = self._engine
        if code == IMPLICIT:
            engine.have_tangent()
        scalars, before = engine.scalars, self.judge.counts()
        # In parts of some tenths of a second at most, so that an interrupt is heard.
        part = max(1, CHUNK // max(1, engine.overview.nv))
        done = 0
        can_touch = code in (RATTLE, FIRST_ORDER)
        is_touching = can_touch and engine.contacts.is_on()
        is_heard = is_touching and engine.contacts.is_heard()
        self.judge.open_run()
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
                return self.judge.outweighed(done + taken, h)
            has_jumped = (
                scalars.count_lm > before.last
                and not good.rise_to(scalars) <= BLOWN * scalars.largest_kinetic
            )
            has_jumped |= code in (RUNGE_KUTTA, STORMER) and good.has_grown(scalars)
            if code != FIRST_ORDER and (taken < count or has_jumped):
                stiff = self._whole(partial(self.judge.too_stiff, good, h))
                if stiff is not None:
                    return replace(stiff, steps=done, jump=self.judge.jump(), accuracy=self.judge.accuracy())
            done += taken
            if taken < count:
                return self.judge.lost(done, h)
            if is_heard and engine.contacts.tell():  # who listens may have edited the world
                engine.ready()
                engine.moving()
                scalars, is_touching = engine.scalars, can_touch and engine.contacts.is_on()
                is_heard = is_touching and engine.contacts.is_heard()
        return self.judge.steps_taken(code, n, h, before)

    def _advance_doubled(self, n: int, h: float) -> Result:
        """Steps with contact whose error is what rtol and atol say."""
        engine, settings, before = self._engine, self._contents.settings, self.judge.counts()
        self.judge.open_run()
        end = engine.scalars.time + n * h
        rtol, atol = settings["rtol"], settings["atol"]
        done = self._whole(lambda: advance_within(engine, end, rtol, atol, self._longest))
        if not done.is_done:
            return self.judge.lost(done.steps, h)
        result = self.judge.steps_taken(RATTLE, done.steps, h, before)
        is_rough = done.rough > 0 and result.status == Status.DONE
        return replace(result, status=Status.CAREFUL) if is_rough else result

    def _advance_dense(self, n: int, h: float) -> Result:
        """n steps of the dense method, which holds its constraints by feedback."""
        engine, good = self._engine, Moment.of(self._engine)
        engine.evaluate()
        room = dense.Room(engine, self.judge.limit)
        is_done = dense.run_dense(engine, n, h, room)
        accuracy = self.judge.accuracy()
        if not is_done or good.has_grown(engine.scalars):
            stiff = self._whole(partial(self.judge.too_stiff, good, h))
            if stiff is not None:
                return replace(stiff, accuracy=accuracy)
        if not is_done:
            return replace(self.judge.given_up("dense", h, good, 0), accuracy=accuracy)
        engine.evaluate()
        engine.scalars.most_gap = max(engine.scalars.most_gap, engine.scalars.gap)
        return self.judge.of_dense(n, h, room)

    def _advance_otherwise(self, method: str, n: int, h: float) -> Result:
        engine, settings = self._engine, self._contents.settings
        start, good = self.judge.start(), Moment.of(engine)
        steps = engine.scalars.count_steps
        if method == "adaptive":
            self.judge.open_run()
            done, _ = self.advance_adaptive(engine.scalars.time + n * h)
            is_done = done >= 0
        else:
            done = n
            ending = outside.run_scipy(engine, method, n * h, settings["rtol"], settings["atol"])
            if ending is Ending.TOO_MANY:
                return self.judge.too_many(0)
            is_done = ending is Ending.DONE
        if is_done and np.isfinite(engine.state_vector()).all():
            return self.judge.controlled(method, done, start)
        return self.judge.given_up(method, n * h, good, int(engine.scalars.count_steps - steps))

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
