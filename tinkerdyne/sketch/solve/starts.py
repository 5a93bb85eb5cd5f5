"""Several starts, here or elsewhere: the best of them, with gaps where there is no exact motion (M5)."""

from __future__ import annotations

import functools
import math
import time
from collections.abc import Callable, Generator
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import replace
from typing import Any, NamedTuple

from tinkerdyne.language.arrays import Array
from tinkerdyne.sketch.problem.guard import first_looks
from tinkerdyne.sketch.problem.point import Point, lowest
from tinkerdyne.sketch.problem.statement import Statement
from tinkerdyne.sketch.problem.unknowns import Chosen, Gap
from tinkerdyne.sketch.solve.assign import assigned
from tinkerdyne.sketch.solve.carry import carried
from tinkerdyne.sketch.solve.guess import SURE, guess
from tinkerdyne.sketch.solve.outcome import FEASIBLE, Multipliers, Outcome, counted
from tinkerdyne.sketch.solve.parallel import ALONE, Patience, Wanted, alone, spread, travels
from tinkerdyne.sketch.solve.start import LOOKS, Start

Progress = Callable[[int, int, float], None]  # starts done, of how many, the least cost
AGAIN = 3  # first guesses of one start
LOOK = 2  # starts that look for an exact motion


class Answer(NamedTuple):
    """The best of several starts, those that it is compared with, a note, and the CPU of all [s]."""

    statement: Statement
    best: Outcome
    others: list[Outcome]
    note: str = ""
    cpu: float | None = None


def find(
    statement: Statement,
    *,
    restarts: int,
    gaps: bool | None,
    executor: Executor | None,
    near: tuple[Statement, Outcome] | None,
    settles: bool,
    note: str,
    progress: Progress | None,
    cancel: Callable[[], bool] | None,
) -> Answer:
    """The best of several starts, or one from a solution nearby; with gaps where no motion is exact."""
    if isinstance(restarts, bool) or not isinstance(restarts, int) or restarts < 1:
        raise ValueError(f"restarts must be a whole number of at least 1, not {restarts!r}")
    patience = Patience(cancel)
    outcomes: list[Outcome] = []
    before = 0.0  # s of CPU that went before what was found
    if near is not None:
        outcome = _from_nearby(statement, near, patience, settles=settles)
        if outcome.is_feasible:
            return Answer(statement, outcome, [outcome], note)
        outcomes, before = ([outcome], 0.0) if patience.is_over else ([], outcome.seconds)
    if executor is not None and not travels(executor, statement):
        alone = (
            "A condition that is a function of your script cannot be sent to other processes; the starts "
            "ran one by one."
        )
        note, executor = f"{note}\n{alone}".strip(), None
    for has_gaps, seeds, again in _plans(restarts, gaps):
        if outcomes and has_gaps == any(o.is_sound for o in outcomes):
            continue
        of = max(restarts, len(outcomes) + len(seeds))
        coming = starts(
            statement, seeds, has_gaps=has_gaps, executor=executor, again=again, wanted=patience.wanted
        )
        _collect(coming, outcomes, of, progress)
        if not patience.goes_on() or any(o.is_perfect for o in outcomes):
            break
    if not outcomes:  # cancelled before anything was found: the first guess is the best so far
        outcomes = [_first(statement)]
    if patience.is_over:
        note = f"Cancelled after {counted(len(outcomes), 'start')}.\n{note}".strip()
    best, others = _best(outcomes)
    return Answer(statement, best, others, note, before + sum(o.seconds for o in outcomes))


def _from_nearby(
    statement: Statement, near: tuple[Statement, Outcome], patience: Patience, *, settles: bool
) -> Outcome:
    """One start from the solution of a sketch of the same form, or of what came of it by edits."""
    other, outcome = near
    if not {one.name for one in other.items} & {one.name for one in statement.items}:
        raise ValueError("near must be the solution of a sketch of the same bodies, before it was edited")
    if other.structure() != statement.structure():
        with ALONE:
            begin = carried(other, outcome, statement)
        return start(statement, has_gaps=outcome.has_gaps, begin=begin, again=1, wanted=patience.wanted)
    return start(statement, has_gaps=outcome.has_gaps, near=outcome, wanted=patience.wanted, settles=settles)


def _plans(restarts: int, gaps: bool | None) -> list[tuple[bool, list[int], int]]:
    """Whether there may be gaps, the seeds, and the first guesses of each start, in turn.

    Where nobody says whether an exact motion exists, a few starts look for one before all may have gaps. One
    that passes through something is none, unless it is what was sketched.
    """
    seeds = list(range(restarts))
    if gaps is not None:
        return [(gaps, seeds, AGAIN)]
    return [(False, seeds[:LOOK], 1), (False, seeds[LOOK:], AGAIN), (True, seeds, AGAIN)]


def _collect(coming: Generator[Outcome], outcomes: list[Outcome], of: int, progress: Progress | None) -> None:
    """Take outcomes as they come, up to one that none can better."""
    with closing(coming):
        for outcome in coming:
            outcomes.append(outcome)
            if progress is not None:
                cost = min((o.cost for o in outcomes if o.is_feasible), default=math.inf)
                progress(len(outcomes), of, cost)
            if outcome.is_perfect:
                return


def _best(outcomes: list[Outcome]) -> tuple[Outcome, list[Outcome]]:
    """The best, and those with which it is compared: with gaps like itself, or without."""
    exact, loose = ([o for o in outcomes if o.has_gaps == has_gaps] for has_gaps in (False, True))
    same = loose if any(o.is_sound for o in loose) or not any(o.is_feasible for o in exact) else exact
    best = min(same if any(o.is_feasible for o in same) else outcomes, key=lambda o: o.rank)
    return best, same or outcomes


@alone
def _first(statement: Statement) -> Outcome:
    """The first guess as an outcome that met nothing."""
    point = guess(statement)
    return Outcome(point, math.inf, math.inf, False, "cancelled", lowest(statement, point), Multipliers())


# --- one start ---------------------------------------------------------------------------------
@alone
def start(
    statement: Statement, seed: int = 0, *, near: Outcome | None = None, again: int = AGAIN, **options: Any
) -> Outcome:
    """One start, thrown again where it fails: a first guess may lie where no solver finds out."""
    begin, spent, outcome = time.process_time(), 0, None
    wanted = options.get("wanted")
    for k in range(again if near is None else 1):
        attempt = _start(statement, seed + 1000 * k, near=near, **options)
        spent += attempt.iterations
        if outcome is None or attempt.rank < outcome.rank:
            outcome = attempt
        if outcome.is_feasible or (wanted is not None and not wanted()):
            break
    assert outcome is not None
    return replace(outcome, seed=seed, iterations=spent, seconds=time.process_time() - begin)


def _start(
    statement: Statement,
    seed: int,
    *,
    has_gaps: bool = False,
    near: Outcome | None = None,
    corners: list[Array | None] | None = None,
    begin: tuple[Point, list[Array | None]] | None = None,
    wanted: Wanted | None = None,
    settles: bool = True,
) -> Outcome:
    """From a first guess of its own, from a motion that was carried over, or warm from a solution of a sketch
    with the same structure."""
    attempt = Start(statement, has_gaps=has_gaps, wanted=wanted)
    if near is not None:
        attempt.corners, attempt.separates = near.corners, bool(near.point.planes)
        outcome = attempt.handed(attempt.warm(near, settles=settles), settles=settles)
    else:
        if begin is None:
            point = guess(statement, seed)
            point = replace(point, looks=first_looks(statement, statement.structure()))
        else:
            point, attempt.corners = begin
        if corners is not None or begin is not None:
            attempt.corners = corners if corners is not None else attempt.corners
        elif any(statement.is_open(c) for c in statement.collisions):
            point, attempt.corners = relaxed(attempt, point)
        elif (
            seed % 2
            and seed > SURE
            and not has_gaps
            and any(c.body is not None for c in statement.collisions)
        ):
            point = _let_go(statement, point, attempt.corners, wanted, settles=settles)
        outcome = attempt.turned(
            attempt.handed(attempt.cold(point, settles=settles), settles=settles), settles=settles
        )
        outcome = attempt.polished(attempt.loosened(outcome, settles=settles), settles=settles)
    # what could not be parted before an edit is tried while it gains
    looks = LOOKS if near is None or near.is_clear else 0
    return replace(attempt.guarded(outcome, looks=looks), iterations=attempt.iterations)


def _let_go(
    statement: Statement, point: Point, corners: list[Array | None], wanted: Wanted | None, *, settles: bool
) -> Point:
    """A motion whose velocities may jump at collisions, which follows the samples more nearly: from there an
    exact motion is found that a first guess of flights that fit one by one does not lead to."""
    loose = Start(statement, has_gaps=True, wanted=wanted)
    loose.corners = corners
    outcome = loose.cold(point, settles=settles)
    if outcome.violation > FEASIBLE:
        return point
    chosen: dict[Chosen, Array] = {
        key: value for key, value in outcome.point.chosen.items() if not isinstance(key, Gap)
    }
    return replace(outcome.point, chosen=chosen)


def relaxed(attempt: Start, point: Point) -> tuple[Point, list[Array | None]]:
    """The aligned grid without collisions: where the poses of a continuous motion have their lowest corners
    (MS03 §5.1)."""
    smooth = attempt.solve(attempt.problem(point, frees_times=False), point, relaxed=True)
    aligned = assigned(attempt.statement, smooth.point)
    return aligned, lowest(attempt.statement, aligned)


def starts(
    statement: Statement, seeds: list[int], *, has_gaps: bool, executor: Executor | None, again: int = AGAIN,
    wanted: Wanted | None = None,
) -> Generator[Outcome]:  # fmt: skip
    """The outcomes of several starts as they come, from an executor or one after another."""
    return spread(
        executor, functools.partial(start, statement, has_gaps=has_gaps, again=again), seeds, wanted=wanted
    )
