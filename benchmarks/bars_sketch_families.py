"""Sketches of eight families, made by simulation and told with noise: how many are solved within eight
starts, and after an edit, whether a verdict is wrong, and what last digits change."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .bar import Bar, Line, Measurement, Remark
from .sketching.families import FAMILIES
from .sketching.rate import Tried, tried

EACH, FIRST = 25, 1000  # sketches of a family, and the first of them: lower ones chose the solver's constants
OVERALL, LEAST = 95.0, 85.0  # %
DRAWS, FEW = 10, 5  # of last digits, and sketches of each family that are drawn so
MOVES = 2.0  # % that last digits may change


def _share(found: list[Tried], what: str) -> float:
    return 100 * float(np.mean([getattr(one, what) for one in found]))


def _families(name: str) -> Iterator[Line]:
    every: list[Tried] = []
    for family in FAMILIES:
        found = [tried(family, FIRST + k) for k in range(EACH)]
        every += found
        cpu, again = ([getattr(one, what) for one in found] for what in ("seconds", "again"))
        yield Bar(f"{name}-{family}", "solved within 8 starts", _share(found, "is_solved"), "≥", LEAST, " %")
        yield Remark(
            f"{name}-{family}",
            f"after an edit {_share(found, 'is_solved_again'):.0f} %; CPU median {np.median(cpu):.2f} s, "
            f"in all {np.sum(cpu):.0f} s; after an edit {1e3 * np.median(again):.0f} ms",
        )
    yield Bar(name, "solved within 8 starts", _share(every, "is_solved"), "≥", OVERALL, " %")
    yield Bar(name, "solved after an edit", _share(every, "is_solved_again"), "≥", OVERALL, " %")
    yield Bar(name, "wrong verdicts", sum(one.is_false for one in every), "≤", 0)


def _digits(name: str) -> Iterator[Line]:
    rows = [(family, FIRST + k) for family in FAMILIES for k in range(FEW)]
    usual = _share([tried(family, seed) for family, seed in rows], "is_solved")
    drawn = [_share([tried(*row, digits=draw) for row in rows], "is_solved") for draw in range(DRAWS)]
    most = max(abs(one - usual) for one in drawn)
    yield Bar(
        name, f"share solved moves by last digits, {DRAWS} draws of {len(rows)}", most, "≤", MOVES, " points"
    )


MEASUREMENTS: dict[str, Measurement] = {"sketch-families": _families, "sketch-digits": _digits}
