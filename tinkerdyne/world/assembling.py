"""Putting a world together by hand: projection onto its constraints, and assembly of scattered parts."""

from __future__ import annotations

from tinkerdyne.engine.engine import Engine
from tinkerdyne.engine.readings import value_of
from tinkerdyne.language.checks import number
from tinkerdyne.world.contents import Contents
from tinkerdyne.world.history import History
from tinkerdyne.world.judging import UNMET, Judge
from tinkerdyne.world.lost import refuse_no_number
from tinkerdyne.world.results import Assembly, Result, Status


def projected(contents: Contents, judge: Judge, iterations: int) -> Result:
    """Everything onto its constraints now, by the least change; the result names what could not be met."""
    engine = contents.engine
    engine.moving()
    engine.forget_approaches()
    engine.is_settled = engine.program.project(iterations) == 0
    refuse_no_number(contents, "a projection")
    if engine.is_settled:
        return Result(Status.DONE, 0)
    return Result(Status.UNMET, 0, judge.unmet(), remedy=UNMET)


def assembled(
    contents: Contents,
    history: History,
    *,
    precision: float,
    iterations: int,
    tolerance: float,
    by_mass: bool,
    apart: bool,
) -> Assembly:
    """Scattered parts together, as one step of the history; see `World.assemble`."""
    precision = number("precision", precision, positive=True)
    if number("iterations", iterations, positive=True) != int(iterations):
        raise ValueError(f"iterations must be a whole number, not {iterations!r}")
    engine = contents.engine
    engine.ready()
    with history.motion("put together"):
        engine.forget_approaches()
        engine.moving()
        done = engine.program.assemble_parts(precision, int(iterations), by_mass=by_mass)
        overlapping: tuple[tuple[str, str], ...] = ()
        if apart:
            done, overlapping = _part(engine, precision, int(iterations), done, by_mass=by_mass)
        refuse_no_number(contents, "assembly")
        engine.evaluate()
        gap = engine.scalars.gap
        is_met = gap <= precision
        engine.is_settled = gap <= tolerance
        unmet = () if is_met else _open(engine, precision)
        return Assembly(is_met and not overlapping, gap, done, unmet, overlapping)


def _part(
    engine: Engine, precision: float, most: int, done: int, *, by_mass: bool
) -> tuple[int, tuple[tuple[str, str], ...]]:
    """Part what overlaps and put together what that has opened, in turn; the iterations done, and the pairs
    that still overlap."""
    if not engine.contacts.is_contact():
        raise ValueError("assemble(apart=True) parts bodies that touch: world.add(contact()) first")
    for _ in range(most):
        if not engine.contacts.part():
            return done, ()
        done += 1 + engine.program.assemble_parts(precision, most, by_mass=by_mass)
    engine.contacts.part()
    return done, tuple(engine.contacts.not_parted())


def _open(engine: Engine, limit: float) -> tuple[str, ...]:
    """Names of the constraints that are further than this from where they should be, the widest first."""
    engine.evaluate()
    shown = [(value_of(engine, item, "gap"), item.name) for item in engine.structure.constraints()]
    gaps = [(gap, name) for gap, name in shown if isinstance(gap, float)]
    return tuple(name for gap, name in sorted(gaps, key=lambda pair: -pair[0]) if gap > limit)
