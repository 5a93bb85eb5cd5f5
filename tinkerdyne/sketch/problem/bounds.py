"""Bounds of a problem's unknowns and rows, from the numbers of a sketch (M2, M3, M5)."""

from __future__ import annotations

import math

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.sketch.problem.guard import SINK
from tinkerdyne.sketch.problem.problem import Problem
from tinkerdyne.sketch.problem.statement import LONGEST, SHORTEST, Statement
from tinkerdyne.sketch.problem.unknowns import (
    END,
    Begin,
    Between,
    Duration,
    Force,
    Friction,
    Impact,
    Inertia,
    Node,
    Restitution,
    Share,
    Tilt,
    Watch,
    Wished,
    Within,
)
from tinkerdyne.sketch.tell.story import Collision, Wish

Limits = tuple[float | Array, float | Array]  # least and most
CLOSING = 0.02  # least speed of approach at a collision, in extents per unit of time
STEEP = 2.5  # rad: how far a node may turn from its reference
SOON = 0.01  # units of time: how far a sample's given time may lie outside its flight
# place, speed and spin in units, or twice what is told of them
FURTHEST, FASTEST, WILDEST = 1e3, 60.0, 60.0


def bounds(s: Statement, P: Problem, *, relaxed: bool = False) -> dict[str, Array]:
    """lbx, ubx, lbg, ubg; relaxed: no contact and no velocities through collisions, only poses go on (MS03
    §5.1)."""
    lbx, ubx = np.full(P.x.size, -np.inf), np.full(P.x.size, np.inf)
    lbg, ubg = np.zeros(P.g.size), np.zeros(P.g.size)
    speed, spin = s.demanded("velocity") * s.units.time / s.units.length, s.demanded("spin") * s.units.time
    furthest, fastest = max(FURTHEST, 2 * s.furthest), max(FASTEST, 2 * speed)
    most = np.repeat([furthest, STEEP, fastest, max(WILDEST, 2 * spin)], 3)
    for key, at in P.x.parts.items():
        limits = (-most, most) if isinstance(key, Node) else _of_unknown(s, P, key)
        if limits is not None:
            lbx[at], ubx[at] = limits
    for key, at in P.g.parts.items():
        if isinstance(key, Impact):
            _impact(s, P.structure.flights[key.segment], lbg[at], ubg[at], relaxed=relaxed)
        else:
            lbg[at], ubg[at] = _of_rows(s, P, key, relaxed=relaxed)
    return {"lbx": lbx, "ubx": ubx, "lbg": lbg, "ubg": ubg}


def _of_unknown(s: Statement, P: Problem, key: object) -> Limits | None:
    """Least and most of an unknown that is no node; none where it is free."""
    match key:
        case Duration(f):
            return _duration(s, f)
        case Share(f, b, i):  # of its segment: it may go as far as the next ones, where it is handed over
            first = int(s.first[f])
            k = next(k for k in range(s.parts[f]) if i in P.structure.held(first + k, b))
            return -min(k, 1), 1 + min(s.parts[f] - 1 - k, 1)
        case Begin(k):
            f = P.structure.flights[k]
            after, before = s.begins(f) if k in s.first and f > 1 else (0.0, np.inf)
            return after - SOON, before + SOON
        case Tilt(k):
            most = math.tan(s.collisions[P.structure.flights[k]].tilt)
            return -most, most
        case Restitution(k):
            low, high = s.collisions[P.structure.flights[k]].restitution
            return low, high
        case Friction(k):
            low, high = s.collisions[P.structure.flights[k]].friction
            return low, high
        case Inertia(b):
            return s.inertias[s.items[b].name]
        case Force(b):
            low, high = s.forces[s.items[b].name]
            unit = s.units.mass * s.units.length / s.units.time**2
            return low / unit, high / unit
    return None


def _duration(s: Statement, f: int) -> tuple[float, float]:
    given = s.flights[f].duration
    low, high = (SHORTEST, LONGEST) if given is None else np.array(given) / s.units.time
    if f == 0 and len(s.parts) > 1:  # the second flight begins when the first has lasted
        after, before = s.begins(1)
        low, high = np.maximum(low, after - SOON), np.minimum(high, before + SOON)
    return low, high


def _impact(s: Statement, f: int, low: Array, high: Array, *, relaxed: bool) -> None:
    """Of the rows of a collision: height, approach, how far the normal leans, velocities; set in place."""
    c = s.collisions[f]
    low[1], high[1] = -np.inf, -CLOSING
    if c.tilt > 0:
        low[2], high[2] = -np.inf, math.tan(c.tilt) ** 2
    if _is_posed(s, f, c):
        low[0], high[0] = -np.inf, np.inf
    if relaxed:
        low[:], high[:] = -np.inf, np.inf


def _of_rows(s: Statement, P: Problem, key: object, *, relaxed: bool) -> Limits:
    """Least and most of rows; both 0 where they must vanish."""
    if isinstance(key, Wished):
        return wish_bounds(s, s.wishes[key.wish][1])
    if isinstance(key, (Watch, Between)):
        return -np.inf if relaxed else -SINK, np.inf
    if isinstance(key, (Share, Inertia, Within)):
        return 0.0, np.inf
    if key == END and not P.structure.ends_timed:
        return -SOON, np.inf
    return 0.0, 0.0


def wish_bounds(s: Statement, w: Wish) -> tuple[Array, Array]:
    """Bounds of a wish's rows in units."""
    if w.kind == "orientation":
        return np.zeros(3), np.zeros(3)
    scale = {
        "position": 1 / s.units.length,
        "point": 1 / s.units.length,
        "height": 1 / s.units.length,
        "reach": 1 / s.units.length**2,
        "place": 1 / s.units.length,
        "face": 1 / s.units.length,
        "velocity": s.units.time / s.units.length,
        "spin": s.units.time,
    }.get(w.kind, 1.0)
    low, high = w.low * scale, w.high * scale
    if w.kind == "place" and w.surface is not None:
        axes = s.shapes[s.items.index(w.surface.of)].axes
        return axes @ low, axes @ high
    return low, high


def _is_posed(s: Statement, f: int, c: Collision) -> bool:
    """Whether hard wishes fix the whole pose at a collision with the world: contact follows, and its row
    would repeat."""
    kinds = {
        w.kind
        for w in s.flights[f].wishes
        if w.is_hard
        and w.body is c.body
        and w.when == "end"
        and w.time is None
        and (w.kind == "orientation" or np.array_equal(w.low, w.high))
    }
    return c.on.of is None and {"position", "orientation"} <= kinds
