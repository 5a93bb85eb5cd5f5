"""The solver of a session: a thread that solves the newest of what is asked, beside the engine.

While a hand moves every pose is a request of its own; those that were overtaken are never begun. What was
found last is where the next one begins."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tinkerdyne.studio.session.messages import said

if TYPE_CHECKING:
    from tinkerdyne.sketch.show.solution import Solution
    from tinkerdyne.sketch.show.tree_solution import TreeSolution
    from tinkerdyne.studio.sketching.begin import AnySketch

    AnySolution: TypeAlias = Solution | TreeSolution  # said, since the modules of both know each other

LONG = 0.25  # s after which what is overtaken is given up
STARTS = 4  # of a motion that is looked for anew


@dataclass(frozen=True)
class Wanted:
    """A sketch to be solved."""

    sketch: AnySketch
    number: int
    is_final: bool  # the hand has let go: a better motion is looked for where this one is poor


@dataclass(frozen=True)
class Found:
    """What came of it."""

    wanted: Wanted
    solution: AnySolution | None
    seconds: float
    is_searching: bool = False  # another one may follow
    problem: str = ""


class Solver:
    """See the module; `then` is called in the solver's thread."""

    def __init__(self, then: Callable[[Found], None], begin: Callable[[], object]) -> None:
        self._then, self._begin = then, begin
        self._lock = threading.Lock()
        self._woken = threading.Event()
        self._newest: Wanted | None = None
        self._near: AnySolution | None = None
        self._is_stopping = False
        self._thread: threading.Thread | None = None

    def solve(self, wanted: Wanted) -> None:
        """Solve this, and nothing that was asked before."""
        with self._lock:
            self._newest = wanted
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="tinkerdyne-sketch", daemon=True)
                self._thread.start()
        self._woken.set()

    def go_on_from(self, near: AnySolution | None) -> None:
        """Begin the next solve there."""
        with self._lock:
            self._near = near

    def stop(self) -> None:
        self._is_stopping = True
        self._woken.set()

    def _take(self) -> tuple[Wanted | None, AnySolution | None]:
        with self._lock:
            taken, self._newest = self._newest, None
            return taken, self._near

    def _run(self) -> None:
        self._begin()
        while not self._is_stopping:
            self._woken.wait()
            self._woken.clear()
            while not self._is_stopping:
                wanted, near = self._take()
                if wanted is None:
                    break
                try:
                    self._work(wanted, near)
                except Exception as problem:  # what a sketch asks for may be refused when it is solved
                    self._then(Found(wanted, None, 0.0, problem=said(problem)))

    def _work(self, wanted: Wanted, near: AnySolution | None) -> None:
        begin = time.monotonic()

        def is_overtaken() -> bool:
            is_late = time.monotonic() - begin > LONG or wanted.is_final
            return self._is_stopping or (self._newest is not None and is_late)

        if near is not None and not _is_like(near, wanted.sketch):
            near = None
        found = _solved(wanted.sketch, near, is_overtaken)
        if is_overtaken() and not _is_motion(found):
            return
        is_poor = wanted.is_final and near is not None and _is_doubtful(found, near)
        self._keep(found)
        self._then(Found(wanted, found, time.monotonic() - begin, is_searching=is_poor))
        if is_poor and not is_overtaken():
            other = _solved(wanted.sketch, None, is_overtaken)
            if is_overtaken():
                return
            best = other if _rank(other) < _rank(found) else found
            self._keep(best)
            self._then(Found(wanted, best, time.monotonic() - begin))

    def _keep(self, found: AnySolution) -> None:
        if _is_motion(found):
            with self._lock:
                self._near = found


def _solved(sketch: AnySketch, near: AnySolution | None, is_overtaken: Callable[[], bool]) -> AnySolution:
    from tinkerdyne.sketch.show.solution import Solution
    from tinkerdyne.sketch.show.tree_solution import TreeSolution
    from tinkerdyne.sketch.tree.sketch import TreeSketch

    if isinstance(sketch, TreeSketch):
        begin = near if isinstance(near, TreeSolution) else None
        return sketch.solve(near=begin, cancel=is_overtaken)
    from_there = near if isinstance(near, Solution) else None
    restarts = 1 if from_there is not None else STARTS
    return sketch.solve(restarts=restarts, near=from_there, cancel=is_overtaken)


def _is_motion(found: AnySolution) -> bool:
    """Whether it can be played, and gone on from."""
    from tinkerdyne.sketch.show.tree_solution import TreeSolution

    return found.is_met if isinstance(found, TreeSolution) else found.outcome.is_feasible


def _is_like(near: AnySolution, sketch: AnySketch) -> bool:
    """Whether a motion is of the bodies of a sketch, and under its gravity."""
    from tinkerdyne.sketch.tree.sketch import TreeSketch

    if not np.array_equal(near.sketch.gravity, sketch.gravity):
        return False
    if isinstance(sketch, TreeSketch) or isinstance(near.sketch, TreeSketch):
        return getattr(near.sketch, "tree", None) is getattr(sketch, "tree", None)
    return [body.name for body in near.sketch.bodies] == [body.name for body in sketch.bodies]


def _is_doubtful(found: AnySolution, near: AnySolution) -> bool:
    """Whether a better motion may be elsewhere: this one is poor, or began with one of other collisions."""
    return not found.is_met or _is_astray(found) or _collisions(found) != _collisions(near)


def _collisions(found: AnySolution) -> object:
    return getattr(found.sketch, "collisions", None)


def _is_astray(found: AnySolution) -> bool:
    from tinkerdyne.sketch.show.tree_solution import TreeSolution
    from tinkerdyne.sketch.show.words import ASTRAY, TURNED

    if isinstance(found, TreeSolution):
        return False
    off = found.misfit
    return bool(off.place > ASTRAY * found.statement.units.length or off.turn > TURNED)


def _rank(found: AnySolution) -> tuple[bool, bool, bool, float]:
    return not found.is_met, not found.is_plausible, not _is_motion(found), found.cost
