"""Finding: the best of several starts, with gaps where there is no exact motion; never raises on numerics
(M5)."""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import closing
from typing import TYPE_CHECKING

from tinkerdyne.sketch.guess import guess
from tinkerdyne.sketch.parallel import travels
from tinkerdyne.sketch.point import lowest
from tinkerdyne.sketch.report import counted
from tinkerdyne.sketch.solution import Solution
from tinkerdyne.sketch.solver import AGAIN, Multipliers, Outcome, start, starts
from tinkerdyne.sketch.statement import Statement

if TYPE_CHECKING:
    from tinkerdyne.sketch.sketch import Sketch

LOOK = 2  # starts that look for an exact motion


def solved(
    sketch: Sketch,
    *,
    restarts: int,
    gaps: bool | None,
    executor: Executor | None,
    near: Solution | None,
    settles: bool,
    progress: Callable[[int, int, float], None] | None,
    cancel: Callable[[], bool] | None,
) -> Solution:
    """The best of several starts; with gaps where there is no exact motion."""
    if isinstance(restarts, bool) or not isinstance(restarts, int) or restarts < 1:
        raise ValueError(f"restarts must be a whole number of at least 1, not {restarts!r}")
    statement = sketch.statement()
    note, is_cancelled = "\n".join(sketch.contradictions()), False

    def goes_on() -> bool:
        nonlocal is_cancelled
        is_cancelled = is_cancelled or (cancel is not None and bool(cancel()))
        return not is_cancelled

    wanted = None if cancel is None else goes_on  # a solver that nobody stops is not made to listen
    found: list[Outcome] = []
    begin = 0.0  # s of CPU that went before what was found
    if near is not None:
        if near.statement.structure() != statement.structure():
            raise ValueError(
                "near must be the solution of a sketch of the same form: as many bodies, flights, samples "
                "and wishes"
            )
        outcome = start(
            statement, has_gaps=near.outcome.has_gaps, near=near.outcome, wanted=wanted, settles=settles
        )
        if outcome.is_feasible:
            return Solution(sketch, statement, outcome, [outcome], note)
        found, begin = ([outcome], 0.0) if is_cancelled else ([], outcome.seconds)
    if executor is not None and not travels(executor, statement):
        alone = (
            "A condition that is a function of your script cannot be sent to other processes; the "
            "starts "
            "ran one by one."
        )
        note = f"{note}\n{alone}".strip()
        executor = None
    seeds = list(range(restarts))
    # Where nobody says whether an exact motion exists, a few starts look for one before all may have gaps.
    # One that passes through something is none, unless it is what was sketched.
    plans = (
        [(gaps, seeds, AGAIN)]
        if gaps is not None
        else [(False, seeds[:LOOK], 1), (False, seeds[LOOK:], AGAIN), (True, seeds, AGAIN)]
    )
    for has_gaps, chosen, again in plans:
        if found and has_gaps == any(o.is_sound for o in found):
            continue
        of = max(restarts, len(found) + len(chosen))
        with closing(
            starts(statement, chosen, has_gaps=has_gaps, executor=executor, again=again, wanted=wanted)
        ) as coming:
            for outcome in coming:
                found.append(outcome)
                if progress is not None:
                    progress(len(found), of, min((o.cost for o in found if o.is_feasible), default=math.inf))
                if outcome.is_perfect:
                    break
        if not goes_on() or any(o.is_perfect for o in found):
            break
    if not found:  # cancelled before anything was found: the first guess is the best so far
        found = [_first(statement)]
    if is_cancelled:
        note = f"Cancelled after {counted(len(found), 'start')}.\n{note}".strip()
    exact, loose = ([o for o in found if o.has_gaps == has_gaps] for has_gaps in (False, True))
    same = loose if any(o.is_sound for o in loose) or not any(o.is_feasible for o in exact) else exact
    best = min(same if any(o.is_feasible for o in same) else found, key=lambda o: o.rank)
    return Solution(sketch, statement, best, same or found, note, cpu=begin + sum(o.seconds for o in found))


def _first(statement: Statement) -> Outcome:
    """The first guess as an outcome that met nothing."""
    point = guess(statement)
    return Outcome(point, math.inf, math.inf, False, "cancelled", lowest(statement, point), Multipliers())
