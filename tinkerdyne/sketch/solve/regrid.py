"""Regridding: a flight of a body without a closed form, cut into as many segments as the motion that was
found needs (M5)."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.sketch.problem.forming import PART
from tinkerdyne.sketch.problem.guard import first_looks
from tinkerdyne.sketch.problem.point import Point, states
from tinkerdyne.sketch.problem.statement import Statement
from tinkerdyne.sketch.problem.unknowns import Chosen, Friction, Gap, Node, Restitution, Tilt
from tinkerdyne.sketch.solve.outcome import Multipliers, Outcome

FAR = 1.1  # rad that a body may turn in one segment before it is cut again, in parts of PART


def needed(s: Statement, point: Point) -> list[int]:
    """Segments that the flights of a motion need: more than they have where a body without a closed form
    turns FAR in one."""
    out = list(s.parts)
    for f, parts in enumerate(s.parts):
        for b in range(len(s.shapes)):
            if s.motion(f, b) == "general":
                angle = (
                    float(np.linalg.norm(_even(s, point, f, b, parts)[3], axis=1).max()) * point.durations[f]
                )
                if angle > FAR * parts:
                    out[f] = max(out[f], math.ceil(angle / PART))
    return out


def regridded(old: Statement, new: Statement, outcome: Outcome) -> Outcome:
    """A motion with other segments, from which it is solved again: its guards, planes and multipliers are yet
    to be found."""
    point = outcome.point
    nodes: dict[Node, tuple[Array, ...]] = {}
    for f, parts in enumerate(new.parts):
        for b in range(len(new.items)):
            rows = _even(old, point, f, b, parts)
            nodes |= {Node(int(new.first[f]) + k, b): tuple(one[k] for one in rows) for k in range(parts)}
    last = {int(old.first[f + 1]) - 1: int(new.first[f + 1]) - 1 for f in range(len(old.collisions))}
    chosen: dict[Chosen, Array] = {}
    for key, value in point.chosen.items():
        if isinstance(key, (Tilt, Restitution, Friction, Gap)):  # of the last segment of a flight
            key = replace(key, segment=last[key.segment])
        chosen[key] = value
    looks = first_looks(new, new.structure())
    return replace(
        outcome,
        point=replace(point, nodes=nodes, chosen=chosen, looks=looks, planes=[]),
        multipliers=Multipliers(),
    )


def _even(s: Statement, point: Point, f: int, b: int, parts: int) -> tuple[Array, Array, Array, Array]:
    """States of a body at the starts of so many equal segments of a flight."""
    return states(s, point, f, b, np.arange(parts) / parts)
