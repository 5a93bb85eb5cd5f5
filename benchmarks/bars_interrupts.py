"""Interrupts at random places of edits, undo, groups, drags, steps and loads: how many worlds survive."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from .bar import Bar, Line, Remark
from .fuzz import interrupts

COUNT = 10_000


def survived(name: str) -> Iterator[Line]:
    """Each world must have the bytes of before the edit or of after it, and go on from there."""
    whole, came, first = 0, 0, ""
    for seed in range(COUNT):
        try:
            came += interrupts.case(Random(seed)) == "interrupted"
            whole += 1
        except Exception as problem:
            first = first or f"seed {seed}: {problem}"
    yield Bar(name, f"worlds that survive, of {COUNT}", whole, "≥", COUNT, remark=first)
    yield Remark(name, f"{came} interrupts came; the others were asked for after the last line")


MEASUREMENTS = {"truth-interrupts": survived}
