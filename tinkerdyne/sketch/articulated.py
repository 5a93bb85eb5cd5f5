"""Sketches of articulated trees (M7): a chain thrown to a hook, a pendulum that must pass a point (MS03 §6.3).

The motion is cut into equal steps. The midpoint problem joins them by inverse dynamics (`midpoint.py`); multiple shooting then
closes the gaps of the equations of motion themselves between the same nodes (`shooting.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

import numpy as np

from tinkerdyne.kernel.item import Item, label, number, vector
from tinkerdyne.sketch.midpoint import ANGLE
from tinkerdyne.sketch.story import point_of, samples
from tinkerdyne.sketch.terms import Array
from tinkerdyne.sketch.tree import Tree
from tinkerdyne.sketch.tree_solution import TreeSolution
from tinkerdyne.sketch.tree_solve import TreeOutcome, tree_start, tree_starts

STEPS = 24  # of the motion


@dataclass(frozen=True)
class Track:
    """Samples of a point of a link: places (n, 3), times or none."""

    link: int
    at: tuple[float, ...]
    places: Array
    times: Array | None
    weight: float


@dataclass(frozen=True)
class Hold:
    """A point of a link between two places at a node."""

    link: int
    at: tuple[float, ...]
    low: Array
    high: Array
    node: int


class TreeSketch:
    """What is asked of the motion of a tree: where it starts, where points of it go, where they must be."""

    def __init__(self, tree: Tree, *, gravity: Any = (0.0, 0.0, -9.81), steps: int = STEPS, name: str = "sketch of a tree") -> None:
        if not isinstance(tree, Tree):
            raise TypeError(f"a TreeSketch is made of a Tree, not of {tree!r}")
        if isinstance(steps, bool) or not isinstance(steps, int) or steps < 4:
            raise ValueError(f"steps must be a whole number of at least 4, not {steps!r}")
        self.tree, self.steps, self.name = tree, steps, name
        self.gravity = np.array(vector("gravity", gravity, length=3))
        self.tracks: list[Track] = []
        self.holds: list[Hold] = []
        n = tree.freedoms
        self.start_low, self.start_high = np.zeros(n), np.zeros(n)  # around the bodies' own poses
        self.duration = (0.1, 3.0)
        self.region: tuple[float, float] | None = None  # m and rad around the bodies' own poses

    def follow(self, body: Item, places: Any, *, at: Any = (0.0, 0.0, 0.0), times: Any = None, weight: float = 1.0) -> None:
        """Soft samples of a point of a body [m], with times since the beginning [s] if they count."""
        rows = samples(f"places of {label(body)}", places, 3)
        t = None if times is None else np.array(vector(f"times of {label(body)}", times))
        if t is not None and (len(t) != len(rows) or np.any(np.diff(t) < 0)):
            raise ValueError(f"times of {label(body)} must be as many as its places, {len(rows)}, and rise")
        self.tracks.append(Track(self._link(body), point_of(body, f"at of {label(body)}", at), rows, t, number("weight", weight)))

    def want(self, body: Item, place: Any, *, at: Any = (0.0, 0.0, 0.0), when: str | float = "end") -> None:
        """A point of a body is at a place, or between two, at the start, the end, or a share of the motion (hard)."""
        share = {"start": 0.0, "end": 1.0}.get(when, when) if isinstance(when, str) else number("when", when)
        if isinstance(share, str) or not 0 <= share <= 1:
            raise ValueError(f'when must be "start", "end" or a share of the motion between 0 and 1, not {when!r}')
        rows = np.array(place, float)
        rows = np.stack([rows, rows]) if rows.shape == (3,) else rows
        if rows.shape != (2, 3) or np.isnan(rows).any() or not np.all(rows[0] <= rows[1]):
            raise ValueError(f"the place of {label(body)} must be three numbers, or two such rows that bound it, not {place!r}")
        local = point_of(body, f"at of {label(body)}", at)
        self.holds.append(Hold(self._link(body), local, rows[0], rows[1], round(share * self.steps)))

    def begin(self, *, within: float | None = None, angle: float | None = None) -> None:
        """The motion starts in the bodies' own poses, or within so many metres and radians of them; infinite: anywhere."""
        far = 0.0 if within is None else number("within", within, finite=False)
        turn = 0.0 if angle is None else number("angle", angle, finite=False)
        if far < 0 or turn < 0:
            raise ValueError(f"a region to begin in must not be negative, not {within!r} m and {angle!r} rad")
        self.region = (far, turn)
        for link in self.tree.links:
            at = link.freedoms
            self.start_high[at] = min(turn, ANGLE)
            if link.joint == "free":
                self.start_high[link.first : link.first + 3] = far
        self.start_low = -self.start_high

    def lasts(self, low: float, high: float) -> None:
        """The motion lasts between two times [s]."""
        if not 0 < number("low", low) <= number("high", high):
            raise ValueError(f"a motion lasts between two positive times in order, not {low!r} and {high!r}")
        self.duration = (low, high)

    def _link(self, body: Item) -> int:
        for k, link in enumerate(self.tree.links):
            if link.item is body:
                return k
        raise ValueError(f"{label(body)} is not a link of this tree")

    def solve(
        self, *, restarts: int = 1, executor: Executor | None = None, near: TreeSolution | None = None,
        progress: Callable[[int, int, float], None] | None = None, cancel: Callable[[], bool] | None = None,
    ) -> TreeSolution:  # fmt: skip
        """The motion that fits best; near: the solution of a sketch of the same form, from which this one is started warm.

        restarts: how many first guesses are tried, on an executor's processes when one is given. progress(done, of, best cost) is
        called after each start, cancel() in every iteration (with an executor, ten times a second): the best so far is kept.
        """
        if not self.tracks and not self.holds:
            raise ValueError("the sketch asks for nothing: follow a point, or say where one must be")
        if isinstance(restarts, bool) or not isinstance(restarts, int) or restarts < 1:
            raise ValueError(f"restarts must be a whole number of at least 1, not {restarts!r}")
        is_cancelled = False

        def goes_on() -> bool:
            nonlocal is_cancelled
            is_cancelled = is_cancelled or (cancel is not None and bool(cancel()))
            return not is_cancelled

        wanted = None if cancel is None else goes_on
        found: list[TreeOutcome] = []
        if near is not None:
            if near.sketch.form != self.form:
                raise ValueError("near must be the solution of a sketch of the same form: the same tree, tracks and held points")
            found.append(tree_start(self, near=near.outcome, wanted=wanted))
        if not found or not (found[0].is_met or is_cancelled):
            for outcome in tree_starts(self, list(range(restarts)), executor=executor, wanted=wanted):
                found.append(outcome)
                if progress is not None:
                    progress(len(found), restarts, min(o.cost for o in found))
        if not found:  # cancelled before the first start: one that is stopped at once
            found.append(tree_start(self, wanted=wanted))
        note = f"Cancelled after {len(found)} starts." if is_cancelled else ""
        return TreeSolution(self, min(found, key=lambda o: o.rank), found, note)

    @property
    def form(self) -> tuple[Any, ...]:
        """What two sketches must share for one to be solved from the other's solution."""
        tracks = tuple((t.link, t.at, len(t.places)) for t in self.tracks)
        return (id(self.tree), self.steps, tracks, tuple((h.link, h.at, h.node) for h in self.holds))


__all__ = ["Hold", "Track", "TreeSketch", "TreeSolution"]
