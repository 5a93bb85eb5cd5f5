"""Running a world: in steps, along its timeline, and against the real clock."""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from tinkerdyne.engine.steppers.budget import MOST_STEPS
from tinkerdyne.language.checks import number
from tinkerdyne.world.contents import Contents
from tinkerdyne.world.edit import Change, Edit, Entry, Ramp
from tinkerdyne.world.history import History
from tinkerdyne.world.results import Result, Status, together
from tinkerdyne.world.rounding import refuse_lost, shortest_of
from tinkerdyne.world.stepping import Stepper
from tinkerdyne.world.timeline import Agenda

SHORTEST_FRAME, LONGEST_FRAME = 1 / 240, 0.1  # s of a step against the real-time clock
SMALLEST_STEP = 1e-9  # s: below this, adding a step to the time loses it in rounding


class Clock:
    """Lets the time of a world go on."""

    def __init__(self, contents: Contents, history: History, stepper: Stepper) -> None:
        self._contents, self._history, self._stepper = contents, history, stepper
        self._engine = contents.engine
        # entries of the timeline that could not be carried out, said once
        self._told: set[int] = set()
        self._agenda = Agenda(())

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return self._engine.scalars.time

    def begin_at(self, time: float) -> None:
        """Let a world that has not run begin at a time; what is planned for earlier ones does not happen."""
        if number("time", time):
            self._engine.scalars.time = time
            self.pass_over()

    def parts(self, dt: float) -> int:
        """How many equal steps max_step asks for in dt."""
        largest: float = self._contents.settings["max_step"]
        return max(1, math.ceil(dt / largest - 1e-9))

    def step(self, dt: float) -> Result:
        """Advance by dt; see `World.step`."""
        with self._contents.lock:
            dt = number("dt", dt)
            if dt == 0:
                return Result(Status.DONE, 0)
            if dt < 0:
                raise ValueError(f"dt must not be negative, not {dt:g}; time goes forward")
            if dt < SMALLEST_STEP:
                raise ValueError(f"dt must be at least {SMALLEST_STEP:g} s, not {dt:g}")
            n = self.parts(dt)
            if n > MOST_STEPS:
                raise ValueError(f"dt = {dt:g} s would take {n} steps; run it in parts, or raise max_step")
            refuse_lost(self.time, min(dt, shortest_of(self._contents.settings)))
            return self._play(dt) if self._contents.timeline else self._stepper.advance(n, dt / n)

    # --- the timeline ----------------------------------------------------------------------------
    def _play(self, dt: float) -> Result:
        """A step along the timeline, divided where something happens."""
        end = self.time + dt
        results: list[Result] = []
        while True:
            scalars = self._engine.scalars
            when = self.agenda().next_time(scalars.played_time if scalars.played else -math.inf)
            part = min(when, end) - self.time
            if part > SMALLEST_STEP:
                n = self.parts(part)
                results.append(self._stepper.advance(n, part / n))
                if not results[-1]:
                    break
            if when > end + SMALLEST_STEP:
                break
            self._contents.transactions.whole(partial(self._pass, when))
        return together(results)

    def agenda(self) -> Agenda:
        """The timeline by its times, made anew where there is another one."""
        if self._agenda.entries is not self._contents.timeline:
            self._agenda = Agenda(self._contents.timeline)
        return self._agenda

    def _pass(self, when: float) -> None:
        """A moment at which something happens."""
        for edit, entry in self.agenda().due(when):
            self._happen(when, edit, entry)
        self._have_played(when)

    def _happen(self, when: float, edit: Edit, entry: Entry) -> None:
        """Carry an event out; one that cannot be is told, and the run goes on."""
        try:
            # a body's density is one of the ways to say its mass
            if isinstance(entry, Ramp) and isinstance(edit, Change):
                parameter, value = self._contents[edit.name]._spelled(edit.parameter, edit.value)
                edit = replace(edit, parameter=parameter, value=value)
            self._history.apply_automatic(edit, entry, when)
        except (AttributeError, KeyError, ReferenceError, TypeError, ValueError) as problem:
            said = problem.args[0] if problem.args else problem
            if id(entry) not in self._told:  # a ramp would say it at every moment
                self._told.add(id(entry))
                warnings.warn(f"the event at t = {when:g} s could not be carried out: {said}", stacklevel=6)

    def _have_played(self, when: float) -> None:
        self._engine.scalars.played, self._engine.scalars.played_time = 1.0, when

    def pass_over(self) -> None:
        """What is planned for a time before now does not happen at once, but when the world goes back before
        it."""
        scalars, now = self._engine.scalars, self.time - SMALLEST_STEP
        if not scalars.played or scalars.played_time < now:
            self._have_played(now)

    # --- for some time ---------------------------------------------------------------------------
    def run(self, seconds: float, dt: float | None, each: Callable[[], None] | None) -> Result:
        """Run for some seconds; see `World.run`."""
        seconds = _duration(seconds)
        if each is None and dt is None:
            return self.step(seconds)
        frame = 1 / 60 if dt is None else number("dt", dt, positive=True)
        count = math.floor(seconds / frame + 1e-9)
        rest = seconds - count * frame
        results: list[Result] = []
        for k in range(count + 1):
            if k == count and rest <= max(1e-9 * frame, SMALLEST_STEP):
                break
            results.append(self.step(frame if k < count else rest))
            if not results[-1]:
                break
            if each is not None:
                each()
        return together(results)

    def live(self, seconds: float, each: Callable[[], None] | None) -> Result:
        """Run against the real-time clock; see `World.live`."""
        seconds = _duration(seconds)
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
                each()
        return together(results)


def _duration(seconds: float) -> float:
    seconds = number("seconds", seconds)
    if seconds < 0:
        raise ValueError(f"seconds must not be negative, not {seconds:g}")
    return seconds
