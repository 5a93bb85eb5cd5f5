"""Sequence search (M6): which corner strikes at which bounce, and how often the body bounces; exhaustive, or
by a beam.

The corner is a parameter of the problem, so all sequences of one length share one solver. The work goes to
any executor of concurrent.futures: processes of this machine, or a Dask cluster by `executor_on("tcp://…")`.
"""

from __future__ import annotations

import copy
import itertools
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from multiprocessing import current_process
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item
from tinkerdyne.sketch.problem.point import Point
from tinkerdyne.sketch.problem.statement import Statement
from tinkerdyne.sketch.solve.guess import guess
from tinkerdyne.sketch.solve.outcome import Outcome
from tinkerdyne.sketch.solve.parallel import LocalProcesses, alone, in_order, travels
from tinkerdyne.sketch.solve.start import Start
from tinkerdyne.sketch.solve.starts import start
from tinkerdyne.sketch.tell.shape import shape_of
from tinkerdyne.sketch.tell.sketch import Sketch
from tinkerdyne.sketch.tell.story import PointOf

CHUNK = 8  # sequences in one piece of work
MOST = 100_000  # sequences of an exhaustive search
# sequences whose short solve did not end that are solved in full, and best ones that start once more from the
# best
FEW = 12
SHORT = 60  # iterations for a sequence; one that needs more is seldom the one


@dataclass(frozen=True)
class Found:
    """A sequence of corners and what it came to."""

    sequence: tuple[int, ...]
    corners: tuple[tuple[float, ...], ...]
    outcome: Outcome
    samples: int = 1  # over which the cost is spread

    @property
    def cost(self) -> float:
        return self.outcome.cost / self.samples if self.outcome.is_feasible else float("inf")

    def __str__(self) -> str:
        says = f"misfit {self.cost:.4g}" if self.outcome.is_feasible else "no motion"
        return f"corners {', '.join(map(str, self.sequence))}: {says}"


def search(
    sketch: Sketch,
    candidates: Sequence[Sequence[PointOf]] | None = None,
    *,
    method: str = "exhaustive",
    width: int = 8,
    gaps: bool = True,
    executor: Executor | Literal["local"] | None = "local",
    progress: Callable[[int, int], None] | None = None,
    cancel: Callable[[], bool] | None = None,
) -> list[Found]:
    """All sequences that were tried, the best first.
    candidates: for each bounce the points that may strike, else all corners.

    With gaps, a sequence that physics cannot follow is not refused but costs what its velocities jump, which
    is quicker to find. executor: who does the work; "local": a process for each core of this machine; None:
    this process, one after another.

    "beam" adds one bounce after another and keeps the `width` best beginnings; it tries width · corners ·
    bounces instead of corners to the power of bounces. cancel() is asked after every few sequences: those
    that were tried are ranked.
    """
    if method not in ("exhaustive", "beam"):
        raise ValueError(f'method must be "exhaustive" or "beam", not {method!r}')
    if width < 1:
        raise ValueError(f"width must be at least 1, not {width!r}")
    options = _candidates(sketch, candidates)
    if not options:
        raise ValueError(
            "the sketch has no bounces to search over; tell one with sketch.bounce(body, on=table)"
        )
    count = int(np.prod([float(len(o)) for o in options]))
    if method == "exhaustive" and count > MOST:
        raise ValueError(
            f"{count} sequences are too many to try them all; use method='beam', or name fewer candidates"
        )
    if executor != "local":
        return _searched(sketch, options, width if method == "beam" else 0, gaps, executor, progress, cancel)
    with LocalProcesses() as processes:
        able = processes if travels(processes, sketch.statement()) and not current_process().daemon else None
        return _searched(sketch, options, width if method == "beam" else 0, gaps, able, progress, cancel)


def _searched(
    sketch: Sketch, options: list[Array], width: int, gaps: bool, executor: Executor | None,
    progress: Callable[[int, int], None] | None, cancel: Callable[[], bool] | None,
) -> list[Found]:  # fmt: skip
    """The search; with a width, by a beam."""
    kept: list[tuple[int, ...]] = [()]
    ranked: list[Found] = []
    for k in range(len(options)) if width else [len(options) - 1]:
        statement = _bare(sketch) if k == len(options) - 1 else _beginning(sketch, k + 1)
        ahead = options[k : k + 1] if width else options
        sequences = [
            (*head, *tail) for head in kept for tail in itertools.product(*(range(len(o)) for o in ahead))
        ]
        if len(sequences) > MOST:
            raise ValueError(
                f"nothing is told of the first {k} flights, and {len(sequences)} beginnings are too many; "
                "name fewer"
            )
        if statement is None:  # as good as each other
            kept = sequences
            continue
        ranked = _ranked(statement, options[: k + 1], sequences, gaps, executor, progress, cancel)
        kept = [candidate.sequence for candidate in ranked[:width]]
    return ranked if cancel is not None and cancel() else _refined(_bare(sketch), ranked, gaps, executor)


def chosen(sketch: Sketch, found: Found) -> Sketch:
    """A copy of the sketch with the corners of a sequence that was found."""
    corners, new = iter(found.corners), copy.copy(sketch)
    new.collisions = [c if c.body is None else replace(c, at=next(corners)) for c in sketch.collisions]
    return new


def search_counts(
    make: Callable[[int], Sketch], counts: Iterable[int], **options: Any
) -> dict[int, list[Found]]:
    """A search for each number of bounces; make(count) tells the sketch with so many.

    The costs are per sample, to compare."""
    out = {}
    for count in counts:
        sketch = make(count)
        samples = sum(
            len(track.places) for row in sketch.statement().tracks for track in row if track is not None
        )
        out[count] = [replace(one, samples=max(samples, 1)) for one in search(sketch, **options)]
    return out


def divided(places: ArrayLike, count: int, *, down: ArrayLike = (0.0, 0.0, -1.0)) -> list[slice]:
    """A gesture of one piece cut into count + 1 flights where it comes lowest, far from each other."""
    x = np.asarray(places, float)
    if x.ndim != 2 or x.shape[1] != 3 or len(x) < 4 * (count + 1):
        raise ValueError(
            f"a gesture with {count} bounces needs at least {4 * (count + 1)} places of three numbers, not "
            f"{x.shape}"
        )
    height = -x @ np.asarray(down, float)
    apart = max(2, len(x) // (2 * (count + 1)))
    cuts: list[int] = []
    inner = [k for k in range(2, len(x) - 2) if height[k] <= height[k - 1] and height[k] <= height[k + 1]]
    pool = sorted(inner, key=lambda k: height[k]) + sorted(range(2, len(x) - 2), key=lambda k: height[k])
    for k in pool:
        if len(cuts) < count and all(abs(k - other) >= apart for other in cuts):
            cuts.append(k)
    edges = [0, *sorted(cuts), len(x) - 1]
    return [slice(a, b + 1) for a, b in itertools.pairwise(edges)]


# --- pieces -------------------------------------------------------------------------------------
def _candidates(sketch: Sketch, given: Sequence[Sequence[PointOf]] | None) -> list[Array]:
    bounces = [c for c in sketch.collisions if c.body is not None]
    if given is not None and len(given) != len(bounces):
        raise ValueError(
            f"candidates must be given for each of the {len(bounces)} bounces, not for {len(given)}"
        )
    out = []
    for k, c in enumerate(bounces):
        assert c.body is not None
        corners = (
            shape_of(c.body).corners
            if given is None
            else np.array([_place(c.body, one) for one in given[k]], float)
        )
        if corners.ndim != 2 or not len(corners):
            raise ValueError(f"{c.name} has no candidates; name at least one point of {c.body.name}")
        out.append(corners)
    return out


def _place(body: Item, point: PointOf) -> tuple[float, ...]:
    from tinkerdyne.sketch.tell.reading import point_of

    return point_of(body, f"a candidate of {body.name}", point, touches=True)


def _beginning(sketch: Sketch, count: int) -> Statement | None:
    """The sketch up to and with its bounce of this number, and the flight after it; none where that asks for
    nothing."""
    part = Sketch(*sketch.bodies, gravity=tuple(sketch.gravity), samples=sketch.count, name=sketch.name)
    seen, cut = 0, len(sketch.collisions)
    for k, c in enumerate(sketch.collisions):
        seen += c.body is not None
        if seen == count:
            cut = k + 1
            break
    part.flights, part.collisions = sketch.flights[: cut + 1], sketch.collisions[:cut]
    if not any(flight.tracks or flight.wishes for flight in part.flights):
        return None
    part.forces, part.inertias, part.gap_weight = sketch.forces, sketch.inertias, sketch.gap_weight
    part.standing = sketch.standing
    return part.statement()


def _bare(sketch: Sketch) -> Statement:
    """The sketch without guards between collisions, which cost much and tell sequences apart little."""
    statement = sketch.statement()
    statement.surfaces, statement.pairs = [], []
    return statement


def _ranked(
    statement: Statement,
    options: list[Array],
    sequences: list[tuple[int, ...]],
    gaps: bool,
    executor: Executor | None,
    progress: Callable[[int, int], None] | None,
    cancel: Callable[[], bool] | None,
) -> list[Found]:
    pieces = [sequences[k : k + CHUNK] for k in range(0, len(sequences), CHUNK)]
    results = in_order(executor, _tried, [(statement, options, piece, gaps) for piece in pieces])
    ranked: list[Found] = []
    for piece, outcomes in zip(pieces, results, strict=True):
        for sequence, outcome in zip(piece, outcomes, strict=True):
            corners = tuple(tuple(options[k][c].tolist()) for k, c in enumerate(sequence))
            ranked.append(Found(sequence, corners, outcome))
        if progress is not None:
            progress(len(ranked), len(sequences))
        if cancel is not None and cancel():
            break
    return _sorted(ranked)


def _refined(statement: Statement, ranked: list[Found], gaps: bool, executor: Executor | None) -> list[Found]:
    """Ranked again: of the sequences whose short solve did not end, those that came nearest are solved in
        full; then each of the best starts once more from the best motion of another, which may lie in the
        valley
    that its first guess missed."""

    def better(few: list[Found], work: Callable[..., Outcome], *given: object) -> list[Found]:
        arguments = [(statement, candidate.outcome.corners, gaps, *given) for candidate in few]
        outcomes = in_order(executor, work, arguments)
        new = {
            candidate.sequence: outcome
            for candidate, outcome in zip(few, outcomes, strict=True)
            if outcome.rank < candidate.outcome.rank
        }
        return _sorted(
            replace(candidate, outcome=new.get(candidate.sequence, candidate.outcome)) for candidate in ranked
        )

    ranked = better([candidate for candidate in ranked if not candidate.outcome.is_feasible][:FEW], _solved)
    first, *others = ranked[:FEW]
    ranked = better(others, _from, first.outcome.point)
    return better([first], _from, others[0].outcome.point) if others else ranked


def _sorted(candidates: Iterable[Found]) -> list[Found]:
    """The best first."""
    return sorted(candidates, key=lambda candidate: candidate.outcome.rank)


def _solved(statement: Statement, corners: list[Array | None], gaps: bool) -> Outcome:
    return start(statement, corners=corners, has_gaps=gaps, again=1)


@alone
def _from(statement: Statement, corners: list[Array | None], gaps: bool, point: Point) -> Outcome:
    """One short solve from the motion of another sequence."""
    start_ = Start(statement, has_gaps=gaps, wanted=None)
    start_.corners = corners
    return start_.solve(start_.problem(point, frees_times=True), point, most=SHORT)


@alone
def _tried(
    statement: Statement, options: list[Array], sequences: list[tuple[int, ...]], gaps: bool
) -> list[Outcome]:
    """One short solve for each sequence, the samples' times free: times found without collisions suit no
    sequence."""
    start_, point = Start(statement, has_gaps=gaps, wanted=None), guess(statement)
    P = start_.problem(point, frees_times=True)
    out = []
    for sequence in sequences:
        struck = iter([np.asarray(corners[i]) for corners, i in zip(options, sequence, strict=True)])
        start_.corners = [None if c.body is None else next(struck) for c in statement.collisions]
        out.append(start_.solve(P, point, most=SHORT))
    return out
