"""Sequence search (M6): which corner strikes at which bounce, and how often the body bounces; exhaustive, or by a beam.

The corner is a parameter of the problem, so all sequences of one length share one solver. The work goes to any executor of
concurrent.futures: processes of this machine, or a Dask cluster by `executor_on("tcp://…")`.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tinkerdyne.kernel.item import Item
from tinkerdyne.sketch.flight import shape_of
from tinkerdyne.sketch.guess import guess
from tinkerdyne.sketch.sketch import Sketch
from tinkerdyne.sketch.solver import Outcome, Start, relaxed, start
from tinkerdyne.sketch.statement import Statement
from tinkerdyne.sketch.terms import Array

CHUNK = 8  # sequences in one piece of work
MOST = 100_000  # sequences of an exhaustive search
FEW = 12  # sequences that are solved in full in the end
SHORT = 60  # iterations for a sequence; one that needs more is not the one


@dataclass(frozen=True)
class Found:
    """A sequence of corners and what it came to."""

    sequence: tuple[int, ...]
    corners: tuple[tuple[float, ...], ...]
    outcome: Outcome

    @property
    def cost(self) -> float:
        return self.outcome.cost if self.outcome.is_feasible else float("inf")

    def __str__(self) -> str:
        says = f"misfit {self.cost:.4g}" if self.outcome.is_feasible else "no motion"
        return f"corners {', '.join(map(str, self.sequence))}: {says}"


def search(
    sketch: Sketch, candidates: Sequence[Sequence[Any]] | None = None, *, method: str = "exhaustive", width: int = 8,
    gaps: bool = True, executor: Executor | None = None, progress: Callable[[int, int], None] | None = None,
) -> list[Found]:  # fmt: skip
    """All sequences that were tried, the best first. candidates: for each bounce the points that may strike, else all corners.

    With gaps, a sequence that physics cannot follow is not refused but costs what its velocities jump, which is quicker to find.

    "beam" adds one bounce after another and keeps the `width` best beginnings; it tries width · corners · bounces instead of
    corners to the power of bounces.
    """
    if method not in ("exhaustive", "beam"):
        raise ValueError(f'method must be "exhaustive" or "beam", not {method!r}')
    options = _candidates(sketch, candidates)
    if not options:
        raise ValueError("the sketch has no bounces to search over; tell one with sketch.bounce(body, on=table)")
    if method == "exhaustive":
        count = int(np.prod([float(len(o)) for o in options]))
        if count > MOST:
            raise ValueError(f"{count} sequences are too many to try them all; use method='beam', or name fewer candidates")
        sequences = list(itertools.product(*(range(len(o)) for o in options)))
        return _refined(_bare(sketch), _ranked(_bare(sketch), options, sequences, gaps, executor, progress), gaps, executor)
    if width < 1:
        raise ValueError(f"width must be at least 1, not {width!r}")
    kept: list[tuple[int, ...]] = [()]
    found: list[Found] = []
    for k in range(len(options)):
        statement = _bare(sketch) if k == len(options) - 1 else _beginning(sketch, k + 1)
        sequences = [(*head, c) for head in kept for c in range(len(options[k]))]
        found = _ranked(statement, options[: k + 1], sequences, gaps, executor, progress)
        kept = [one.sequence for one in found[:width]]
    return _refined(_bare(sketch), found, gaps, executor)


def chosen(sketch: Sketch, found: Found) -> Sketch:
    """The sketch with the corners of a sequence that was found."""
    corners = iter(found.corners)
    sketch.collisions = [c if c.body is None else replace(c, at=next(corners)) for c in sketch.collisions]
    return sketch


def search_counts(make: Callable[[int], Sketch], counts: Iterable[int], **options: Any) -> dict[int, list[Found]]:
    """A search for each number of bounces; make(count) tells the sketch with so many. The costs are per sample, to compare."""
    return {count: search(make(count), **options) for count in counts}


def divided(places: Any, count: int, *, down: Any = (0.0, 0.0, -1.0)) -> list[slice]:
    """A gesture of one piece cut into count + 1 flights where it comes lowest, far from each other."""
    x = np.asarray(places, float)
    if x.ndim != 2 or x.shape[1] != 3 or len(x) < 4 * (count + 1):
        raise ValueError(f"a gesture with {count} bounces needs at least {4 * (count + 1)} places of three numbers, not {x.shape}")
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


class Cluster(Executor):
    """A Dask client as an executor; shutting it down lets the cluster go."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._inner = client.get_executor()

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Any:
        return self._inner.submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._inner.shutdown(wait=wait)
        self._client.close()


def executor_on(address: str) -> Executor:
    """The executor of a Dask cluster at an address such as tcp://10.0.0.1:8786."""
    try:
        from distributed import Client
    except ImportError as problem:
        raise ImportError(f"searching on {address} needs Dask: pip install 'dask[distributed]'") from problem
    return Cluster(Client(address, timeout="10s"))


# --- pieces -------------------------------------------------------------------------------------
def _candidates(sketch: Sketch, given: Sequence[Sequence[Any]] | None) -> list[Array]:
    bounces = [c for c in sketch.collisions if c.body is not None]
    if given is not None and len(given) != len(bounces):
        raise ValueError(f"candidates must be given for each of the {len(bounces)} bounces, not for {len(given)}")
    out = []
    for k, c in enumerate(bounces):
        assert c.body is not None
        corners = shape_of(c.body).corners if given is None else np.array([_place(c.body, one) for one in given[k]], float)
        if corners.ndim != 2 or not len(corners):
            raise ValueError(f"{c.name} has no candidates; name at least one point of {c.body.name}")
        out.append(corners)
    return out


def _place(body: Item, point: Any) -> tuple[float, ...]:
    from tinkerdyne.sketch.story import point_of

    return point_of(body, f"a candidate of {body.name}", point)


def _beginning(sketch: Sketch, count: int) -> Statement:
    """The sketch up to and with its bounce of this number, and the flight after it."""
    part = Sketch(*sketch.bodies, gravity=tuple(sketch.gravity), samples=sketch.count, name=sketch.name)
    seen, cut = 0, len(sketch.collisions)
    for k, c in enumerate(sketch.collisions):
        seen += c.body is not None
        if seen == count:
            cut = k + 1
            break
    part.flights, part.collisions = sketch.flights[: cut + 1], sketch.collisions[:cut]
    part.forces, part.gap_weight = sketch.forces, sketch.gap_weight
    return part.statement()


def _bare(sketch: Sketch) -> Statement:
    """The sketch without guards between collisions, which cost much and tell sequences apart little."""
    statement = sketch.statement()
    statement.surfaces = []
    return statement


def _ranked(
    statement: Statement, options: list[Array], sequences: list[tuple[int, ...]], gaps: bool, executor: Executor | None,
    progress: Callable[[int, int], None] | None,
) -> list[Found]:  # fmt: skip
    pieces = [sequences[k : k + CHUNK] for k in range(0, len(sequences), CHUNK)]
    if executor is None:
        results: Iterable[list[Outcome]] = (_tried(statement, options, piece, gaps) for piece in pieces)
    else:
        results = (f.result() for f in [executor.submit(_tried, statement, options, piece, gaps) for piece in pieces])
    found: list[Found] = []
    for piece, outcomes in zip(pieces, results, strict=True):
        for sequence, outcome in zip(piece, outcomes, strict=True):
            corners = tuple(tuple(options[k][c].tolist()) for k, c in enumerate(sequence))
            found.append(Found(sequence, corners, outcome))
        if progress is not None:
            progress(len(found), len(sequences))
    return sorted(found, key=lambda one: (one.cost, one.outcome.violation))


def _refined(statement: Statement, found: list[Found], gaps: bool, executor: Executor | None) -> list[Found]:
    """The first few sequences solved in full, their samples' times free, and ranked again before the others."""
    few, rest = found[:FEW], found[FEW:]
    if executor is None:
        outcomes = [_solved(statement, one.outcome.corners, gaps) for one in few]
    else:
        outcomes = [f.result() for f in [executor.submit(_solved, statement, one.outcome.corners, gaps) for one in few]]
    again = [one if new.rank > one.outcome.rank else replace(one, outcome=new) for one, new in zip(few, outcomes, strict=True)]
    return sorted(again, key=lambda one: (one.cost, one.outcome.violation)) + rest


def _solved(statement: Statement, corners: list[Array | None], gaps: bool) -> Outcome:
    return start(statement, corners=corners, has_gaps=gaps, again=1)


def _tried(statement: Statement, options: list[Array], sequences: list[tuple[int, ...]], gaps: bool) -> list[Outcome]:
    """One short solve for each sequence, from the motion that only its poses hold together (MS03 §5.1)."""
    one = Start(statement, has_gaps=gaps, wanted=None)
    point, _ = relaxed(one, guess(statement))
    P = one.problem(frees_times=False)
    out = []
    for sequence in sequences:
        corners: list[Array | None] = []
        at = 0
        for c in statement.collisions:
            corners.append(None if c.body is None else options[at][sequence[at]])
            at += c.body is not None
        one.corners = corners
        out.append(one.solve(P, point, most=SHORT))
    return out
