"""Sketches of articulated trees (M7): a chain thrown to a hook, a pendulum that must pass a point (MS03
§6.3).

The motion is cut into equal steps. The midpoint problem joins them by inverse dynamics (`midpoint.py`);
multiple shooting then closes the gaps of the equations of motion themselves between the same nodes
(`shooting.py`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from concurrent.futures import Executor
from copy import copy
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike

from tinkerdyne.language.arrays import Array
from tinkerdyne.language.calls import methods_say_how
from tinkerdyne.language.checks import number, vector
from tinkerdyne.language.item import Item, label
from tinkerdyne.sketch.solve.outcome import counted
from tinkerdyne.sketch.solve.parallel import Patience
from tinkerdyne.sketch.tell.reading import point_of, samples
from tinkerdyne.sketch.tell.story import PointOf
from tinkerdyne.sketch.tree.midpoint import ANGLE
from tinkerdyne.sketch.tree.start import TreeOutcome, best_of, tree_start, tree_starts
from tinkerdyne.sketch.tree.tree import Tree

if TYPE_CHECKING:
    from tinkerdyne.sketch.show.tree_solution import TreeSolution
    from tinkerdyne.sketch.tell.entries import Document

STEPS = 24  # of the motion
HeldKind = Literal["place", "velocity", "spin"]


@dataclass(frozen=True)
class LinkSamples:
    """Samples of a point of a link: places (n, 3), times or none."""

    link: int
    at: tuple[float, ...]
    places: Array
    times: Array | None
    weight: float
    kind: ClassVar[HeldKind] = "place"


@dataclass(frozen=True)
class NodeBound:
    """A point of a link between two places at a node, or its velocity, or the spin of the link, between two
    bounds."""

    link: int
    at: tuple[float, ...]
    low: Array
    high: Array
    node: int
    kind: HeldKind = "place"

    @property
    def form(self) -> tuple[Hashable, ...]:
        """What a problem has rows for."""
        return (self.link, self.at, self.node, self.kind)

    @property
    def what(self) -> str:
        """What of the link is held."""
        return {"place": "point", "velocity": "velocity", "spin": "spin"}[self.kind]

    @property
    def unit(self) -> str:
        return {"place": "m", "velocity": "m/s", "spin": "rad/s"}[self.kind]

    def moment(self, steps: int) -> str:
        """When it is, in words."""
        return {0: "at the start", steps: "at the end"}.get(
            self.node, f"at {self.node / steps:.3g} of the motion"
        )

    @property
    def says(self) -> str:
        """Where it is."""
        low, high = (f"({', '.join(f'{x:.4g}' for x in row)})" for row in (self.low, self.high))
        return low if low == high else f"{low} to {high}"


@methods_say_how()
class TreeSketch:
    """What is asked of the motion of a tree: where it starts, where points of it go, where they must be."""

    def __init__(
        self,
        tree: Tree,
        *,
        gravity: ArrayLike = (0.0, 0.0, -9.81),
        steps: int = STEPS,
        name: str = "sketch of a tree",
    ) -> None:
        if not isinstance(tree, Tree):
            raise TypeError(f"a TreeSketch is made of a Tree, not of {tree!r}")
        if isinstance(steps, bool) or not isinstance(steps, int) or steps < 4:
            raise ValueError(f"steps must be a whole number of at least 4, not {steps!r}")
        self.tree, self.steps, self.name = tree, steps, name
        self.gravity = np.array(vector("gravity", gravity, length=3))
        self.tracks: list[LinkSamples] = []
        self.holds: list[NodeBound] = []
        n = tree.freedoms
        self.start_low, self.start_high = np.zeros(n), np.zeros(n)  # around the bodies' own poses
        self.duration = (0.1, 3.0)
        self.region: tuple[float, float] | None = None  # m and rad around the bodies' own poses

    def __copy__(self) -> TreeSketch:
        """A sketch of the same tree; what is said of it leaves this one as it is."""
        new = object.__new__(TreeSketch)
        for name, part in self.__dict__.items():
            setattr(new, name, copy(part) if isinstance(part, (list, np.ndarray)) else part)
        return new

    @property
    def bodies(self) -> list[Item]:
        """The bodies that move, parents first."""
        return [link.item for link in self.tree.links]

    def document(self) -> Document:
        """What `save_sketch` writes; `world.show(sketch=…)` keeps it with the scene."""
        from tinkerdyne.sketch.tell.document import document_of

        return document_of(self)

    def follow(
        self,
        body: Item,
        places: ArrayLike,
        *,
        at: PointOf = (0.0, 0.0, 0.0),
        times: ArrayLike | None = None,
        weight: float = 1.0,
    ) -> None:
        """Soft samples of a point of a body [m], with times since the beginning [s] if they count."""
        rows = samples(f"places of {label(body)}", places, 3)
        t = None if times is None else np.array(vector(f"times of {label(body)}", times))
        if t is not None and len(t) != len(rows):
            raise ValueError(
                f"times of {label(body)} must be as many as its places, {len(rows)}, not {len(t)}"
            )
        if t is not None and (np.any(np.diff(t) <= 0) or t[0] < 0):
            raise ValueError(
                f"times of {label(body)} must rise from 0 on; leave them out when they do not count"
            )
        heavy = number(f"weight of {label(body)}", weight, positive=True)
        self.tracks.append(
            LinkSamples(self._link(body), point_of(body, f"at of {label(body)}", at), rows, t, heavy)
        )

    def want(
        self,
        body: Item,
        place: ArrayLike | None = None,
        *,
        velocity: ArrayLike | None = None,
        spin: ArrayLike | None = None,
        at: PointOf = (0.0, 0.0, 0.0),
        when: str | float = "end",
    ) -> None:
        """A point of a body is at a place, or has a velocity, or the body a spin in its own axes, or one
        between two, at the start, the end, or a share of the motion (hard)."""
        asked: dict[HeldKind, ArrayLike | None] = {"place": place, "velocity": velocity, "spin": spin}
        if all(value is None for value in asked.values()):
            raise TypeError(f"say what is wanted of {label(body)}: a place, velocity=… or spin=…")
        share = {"start": 0.0, "end": 1.0}.get(when, when) if isinstance(when, str) else number("when", when)
        if isinstance(share, str) or not 0 <= share <= 1:
            raise ValueError(
                f'when must be "start", "end" or a share of the motion between 0 and 1, not {when!r}'
            )
        node = round(share * self.steps)
        if abs(node - share * self.steps) > 1e-6:
            finer = (
                math.ceil(self.steps / (parts := Fraction(share).limit_denominator(100).denominator)) * parts
            )
            raise ValueError(
                f"when={share:g} of {label(body)} lies between two of the {self.steps} steps of the motion; "
                f"say {node / self.steps:g}, or make the sketch with steps={finer}"
            )
        local = point_of(body, f"at of {label(body)}", at)
        for kind, value in asked.items():
            if value is not None:
                low, high = _region(kind, f" of {label(body)}", value)
                self.holds.append(NodeBound(self._link(body), local, low, high, node, kind))

    def begin(self, *, within: float | None = None, angle: float | None = None) -> None:
        """The motion starts in the bodies' own poses, or within so many metres and radians of them; infinite:
        anywhere."""
        far = 0.0 if within is None else number("within", within, finite=False)
        turn = 0.0 if angle is None else number("angle", angle, finite=False)
        if far < 0 or turn < 0:
            raise ValueError(f"a region to begin in must not be negative, not {within!r} m and {angle!r} rad")
        self.region = (far, turn)
        for link in self.tree.links:
            at = link.freedoms
            self.start_high[at] = min(turn, ANGLE) if link.turn >= 0 else turn
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
        if any(body is one for one in self.tree.fixed):
            raise ValueError(
                f"{label(body)} is fixed: it stays where it is, and nothing can be asked of its motion"
            )
        raise ValueError(f"{label(body)} is not a link of this tree")

    def solve(
        self, *, restarts: int = 1, executor: Executor | None = None, near: TreeSolution | None = None,
        progress: Callable[[int, int, float], None] | None = None, cancel: Callable[[], bool] | None = None,
    ) -> TreeSolution:  # fmt: skip
        """The motion that fits best; near: the solution of a sketch of the same tree, from which this one is
        started warm.

        restarts: how many first guesses are tried, on an executor's processes when one is given.
        progress(done, of, best cost) is called after each start, cancel() in every iteration (with an
        executor, ten times a second): the best so far is kept.
        """
        from tinkerdyne.sketch.show.tree_solution import TreeSolution

        self.check()
        if isinstance(restarts, bool) or not isinstance(restarts, int) or restarts < 1:
            raise ValueError(f"restarts must be a whole number of at least 1, not {restarts!r}")
        patience = Patience(cancel)
        outcomes: list[TreeOutcome] = []
        if near is not None:
            if near.sketch.tree is not self.tree or near.sketch.steps != self.steps:
                raise ValueError("near must be the solution of a sketch of the same tree and as many steps")
            if near.sketch.form == self.form:
                outcomes.append(tree_start(self, near=near.outcome, wanted=patience.wanted))
            else:  # samples or held points have come or gone: the motion is a first guess
                outcomes.append(tree_start(self, begin=near.outcome.middle, wanted=patience.wanted))
        if not outcomes or not (outcomes[0].is_met or patience.is_over):
            for outcome in tree_starts(
                self, list(range(restarts)), executor=executor, wanted=patience.wanted
            ):
                outcomes.append(outcome)
                if progress is not None:
                    progress(len(outcomes), restarts, min(o.cost for o in outcomes))
        if not outcomes:  # cancelled before the first start: one that is stopped at once
            outcomes.append(tree_start(self, wanted=patience.wanted))
        notes = self.contradictions()
        if patience.is_over:
            notes.append(f"Cancelled after {counted(len(outcomes), 'start')}.")
        return TreeSolution(self, best_of(self, outcomes, patience.wanted), outcomes, "\n".join(notes))

    def check(self) -> None:
        """A message where the sketch asks for nothing, or for samples after its end."""
        if not self.tracks and not self.holds:
            raise ValueError("the sketch asks for nothing: follow a point, or say where one must be")
        if self.timed > self.duration[1]:
            raise ValueError(
                f"samples of the sketch have times up to {self.timed:g} s, but the motion lasts at most "
                f"{self.duration[1]:g} s; "
                f"say lasts({min(self.duration[0], self.timed):g}, {self.timed:g}), or leave out the times"
            )

    def contradictions(self) -> list[str]:
        """What is asked for twice, with places that cannot both be."""
        out = []
        for k, one in enumerate(self.holds):
            for other in self.holds[:k]:
                is_same = one.form == other.form
                if is_same and (np.maximum(one.low, other.low) > np.minimum(one.high, other.high)).any():
                    many = {"place": "places", "velocity": "velocities", "spin": "spins"}[one.kind]
                    what = f"{one.what} of {self.tree.links[one.link].item.name} {one.moment(self.steps)}"
                    out.append(
                        f"The sketch asks for two {many} of the {what}, {other.says} and {one.says}; drop "
                        "one."
                    )
        return out

    @property
    def timed(self) -> float:
        """The last time that a sample has [s]; zero where none has."""
        return max((float(t.times[-1]) for t in self.tracks if t.times is not None), default=0.0)

    @property
    def longest(self) -> tuple[float, float]:
        """How long the motion may last [s]: as is told, but no shorter than its samples, nor longer where
        nothing comes later."""
        low, high = self.duration
        low = min(max(low, self.timed), high)
        is_ended = (
            self.timed > 0
            and all(t.times is not None for t in self.tracks)
            and all(hold.node == 0 for hold in self.holds)
        )
        return (low, low) if is_ended else (low, high)

    @property
    def form(self) -> tuple[Hashable, ...]:
        """What two sketches must share for one to be solved from the other's solution."""
        tracks = tuple((t.link, t.at, len(t.places), t.times is None) for t in self.tracks)
        return (id(self.tree), self.steps, tracks, tuple(h.form for h in self.holds))


def _region(kind: str, whose: str, given: ArrayLike) -> tuple[Array, Array]:
    """A place or another vector, or the least and the most of each coordinate, which may be infinite."""
    rows = np.asarray(given, dtype=object)
    wrong = (
        f"the {kind}{whose} must be three numbers, or two such rows that bound it, in order, not "
        f"{str(given)[:60]!r}"
    )
    if rows.shape not in ((3,), (2, 3)):
        raise ValueError(wrong)
    is_one, rows = rows.ndim == 1, np.broadcast_to(rows, (2, 3))
    low, high = (
        np.array([number(f"{kind}[{k}]{whose}", x, finite=is_one) for k, x in enumerate(row)]) for row in rows
    )
    if not np.all(low <= high) or np.any(low == np.inf) or np.any(high == -np.inf):
        raise ValueError(wrong)
    return low, high


__all__ = ["LinkSamples", "NodeBound", "TreeSketch"]
