"""Other ways to do it: motions that meet the sketch too, looked for in the background, in processes of this
machine, by starts of their own and by other styles."""

from __future__ import annotations

import threading
from copy import copy
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tinkerdyne.studio.session.messages import said
from tinkerdyne.studio.wire import protocol as p

if TYPE_CHECKING:
    from tinkerdyne.language.arrays import Array
    from tinkerdyne.sketch.show.solution import Solution
    from tinkerdyne.sketch.tell.sketch import Sketch
    from tinkerdyne.studio.session.session import Session
    from tinkerdyne.studio.sketching.sketching import Sketching

STYLES = ("", "calmer", "higher", "faster", "more_turns")
PROCESSES = 2
ALIKE = 0.02  # of the extent: motions that differ by less are one


class Other(NamedTuple):
    """A motion, and the sketch that it is of: this one, or with another style."""

    sketch: Sketch
    solution: Solution


class Search:
    """One search; it ends by itself, or when it is called off."""

    def __init__(self, sketching: Sketching, session: Session, starts: int) -> None:
        assert sketching.sketch is not None
        self.sketching, self.session, self.starts = sketching, session, starts
        self.sketch, self.number = copy(sketching.sketch), sketching.number
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
        from tinkerdyne.sketch.show.style import alternatives
        from tinkerdyne.sketch.solve.parallel import LocalProcesses

        with LocalProcesses(PROCESSES) as executor:
            for k, style in enumerate(STYLES):
                if self._is_off.is_set():
                    return
                sketch = copy(self.sketch)
                if style:
                    sketch.style(**{style: 1.0})
                solution = sketch.solve(
                    restarts=self.starts,
                    executor=executor,
                    cancel=self._is_off.is_set,
                    progress=self._progress,
                )
                self._done = (k + 1) * self.starts
                found = alternatives(solution) if solution.is_granted else []
                for one in found if not style else found[:1]:
                    self._take(Other(sketch, one))
                self.session.post(self._tell)

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
        length = other.solution.statement.units.length
        mark = np.concatenate([places.ravel(), (length * np.abs(turns)).ravel() / 2])
        if all(len(one) != len(mark) or np.abs(one - mark).max() > ALIKE * length for one in self._places):
            self._places.append(mark)
            self.found.append(other)
            self._told.append(told)

    def _tell(self, *, is_over: bool = False) -> None:
        if self.sketching.search is self:
            of = self.starts * len(STYLES)
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
    if sketching.sketch is not None and sketch.preferred != sketching.sketch.preferred:
        sketching.keep_with(sketch, solution)
        search.number = sketching.number
    else:
        sketching.take(solution)
