"""Other ways to do it: motions that meet the sketch too, looked for in the background, in processes of this
machine, by starts of their own and by other styles."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from concurrent.futures import Executor
from copy import copy
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tinkerdyne.studio.session.messages import said
from tinkerdyne.studio.wire import protocol as p

if TYPE_CHECKING:
    from tinkerdyne.language.arrays import Array
    from tinkerdyne.studio.session.session import Session
    from tinkerdyne.studio.sketching.begin import AnySketch
    from tinkerdyne.studio.sketching.sketching import Sketching
    from tinkerdyne.studio.sketching.solver import AnySolution

STYLES = ("calmer", "higher", "faster", "more_turns")
CLUSTER = "TINKERDYNE_DASK"  # the address of a Dask cluster that looks for them, such as tcp://127.0.0.1:8786
PROCESSES = 2
ALIKE = 0.02  # of the extent: motions that differ by less are one


class Other(NamedTuple):
    """A motion, and the sketch that it is of: this one, or with another style."""

    sketch: AnySketch
    solution: AnySolution


def styled(sketch: AnySketch) -> list[AnySketch]:
    """A sketch, and copies of it that wish for other styles; bodies with joints have none."""
    from tinkerdyne.sketch.tell.sketch import Sketch

    found: list[AnySketch] = [copy(sketch)]
    if isinstance(sketch, Sketch):
        for style in STYLES:
            other = copy(sketch)
            other.style(**{style: 1.0})
            found.append(other)
    return found


def _executor() -> Executor:
    """Processes of this machine, or of a cluster where one is set."""
    from tinkerdyne.sketch.solve.parallel import LocalProcesses, executor_on

    address = os.environ.get(CLUSTER, "")
    return executor_on(address) if address else LocalProcesses(PROCESSES)


class Search:
    """One search; it ends by itself, or when it is called off."""

    def __init__(self, sketching: Sketching, session: Session, starts: int) -> None:
        assert sketching.sketch is not None
        self.sketching, self.session, self.starts = sketching, session, starts
        self.sketches, self.number = styled(sketching.sketch), sketching.number
        self.found: list[Other] = []
        self._told: list[p.SketchOther] = []
        self._places: list[Array] = []
        self._is_off = threading.Event()
        self._done = 0

    def begin(self) -> None:
        self._tell()
        self.session.work_on(self._work, lambda _nothing: self._tell(is_over=True), self._failed)

    def call_off(self) -> None:
        self._is_off.set()

    def _failed(self, problem: BaseException) -> None:
        self._tell(is_over=True)
        self.session.notice("warning", said(problem))

    def _work(self) -> None:
        with _executor() as executor:
            for k, sketch in enumerate(self.sketches):
                if self._is_off.is_set():
                    return
                for one in self._found(sketch, executor)[: None if k == 0 else 1]:
                    self._take(Other(sketch, one))
                self._done = (k + 1) * self.starts
                self.session.post(self._tell)

    def _found(self, sketch: AnySketch, executor: Executor) -> Sequence[AnySolution]:
        """Different motions of a sketch, the best first."""
        from tinkerdyne.sketch.show.style import alternatives
        from tinkerdyne.sketch.show.tree_solution import TreeSolution

        solution = sketch.solve(
            restarts=self.starts, executor=executor, cancel=self._is_off.is_set, progress=self._progress
        )
        if not isinstance(solution, TreeSolution):
            return alternatives(solution) if solution.is_granted else []
        met = sorted((one for one in solution.others if one.is_met), key=lambda one: one.cost)
        return [TreeSolution(solution.sketch, one, [one]) for one in met]

    def _progress(self, _done: int, _of: int, _cost: float) -> None:
        self._done += 1
        self.session.post(self._tell)

    def _take(self, other: Other) -> None:
        """Keep one that is different from all before."""
        from tinkerdyne.sketch.show.style import measures
        from tinkerdyne.studio.sketching.telling import other_told

        told = other_told(len(self.found), other.solution, measures(other.solution))
        places = np.concatenate(
            [np.reshape(f, (-1, 7)) * (1, 1, 1, 0, 0, 0, 0) for path in told.paths for f in path.flights]
        )
        turns = np.concatenate([np.reshape(f, (-1, 7))[:, 3:] for path in told.paths for f in path.flights])
        length = max(float(np.ptp(places, axis=0)[:3].max()), 1e-3)
        mark = np.concatenate([places.ravel(), (length * np.abs(turns)).ravel() / 2])
        if all(len(one) != len(mark) or np.abs(one - mark).max() > ALIKE * length for one in self._places):
            self._places.append(mark)
            self.found.append(other)
            self._told.append(told)

    def _tell(self, *, is_over: bool = False) -> None:
        if self.sketching.search is self:
            of = self.starts * len(self.sketches)
            done = of if is_over else min(self._done, of)
            self.sketching.tell_others(p.OthersTold(self.number, done, of, is_over, tuple(self._told)))


def find(command: p.FindOthers, session: Session, _request: object) -> None:
    """Look for other motions, or end that."""
    sketching = session.sketching
    if sketching.search is not None:
        sketching.search.call_off()
    if not command.is_on:
        return
    if sketching.sketch is None:
        raise ValueError("there is no sketch: select a body, and sketch its motion")
    if not 1 <= command.starts <= 100:
        raise ValueError(f"starts must be 1 to 100, not {command.starts}")
    sketching.search = Search(sketching, session, command.starts)
    sketching.search.begin()


def take(command: p.TakeOther, session: Session, _request: object) -> None:
    """Go on with one that was found, and with the style by which it was."""
    sketching = session.sketching
    search = sketching.search
    if search is None or search.number != sketching.number or not 0 <= command.number < len(search.found):
        raise ValueError("this motion is of a sketch that was edited since; look for others again")
    sketch, solution = search.found[command.number]
    if sketching.sketch is not None and _style(sketch) != _style(sketching.sketch):
        sketching.keep_with(sketch, solution)
        search.number = sketching.number
    else:
        sketching.take(solution)


def _style(sketch: AnySketch) -> object:
    return getattr(sketch, "preferred", None)
