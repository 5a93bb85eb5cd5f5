"""The numbers of a sketch for a problem: its parameters, and the bounds of its unknowns and rows (M2, M3,
M5)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.objects.quaternion import multiplied
from tinkerdyne.sketch.problem.formulas import EVENT, SAMPLE, WISH
from tinkerdyne.sketch.problem.guard import SINK
from tinkerdyne.sketch.problem.problem import Problem
from tinkerdyne.sketch.problem.statement import LONGEST, SHORTEST, TURN, Statement
from tinkerdyne.sketch.problem.structure import WishShape
from tinkerdyne.sketch.tell.story import Collision, Surface, Wish

CLOSING = 0.02  # least speed of approach at a collision, in extents per unit of time
STEEP = 2.5  # rad: how far a node may turn from its reference
SOON = 0.01  # units of time: how far a sample's given time may lie outside its flight
FURTHEST, FASTEST, WILDEST = 1e3, 60.0, 60.0  # place, speed and spin in units, or twice what is told of them


def parameters(s: Statement, P: Problem, corners: list[Array | None] | None = None) -> Array:
    """All of P's parameters but those that belong to a point: nodes' references, samples' shares, and when
    guards look."""
    L, T, M = s.units.length, s.units.time, s.units.mass
    p = np.zeros(P.p.size)

    def put(name: str, value: Any) -> None:
        p[P.p.parts[name]] = value

    put("g", s.g)
    put("unit", (L, T))
    if P.structure.is_timed:
        put("end", s.end)
    for b, shape in enumerate(s.shapes):
        put(f"mass {b}", shape.mass / M)
        put(f"moments {b}", shape.moments / (M * L**2))
    for f, row in enumerate(s.tracks):
        for b, track in enumerate(row):
            for i in range(0 if track is None else len(track.places)):
                assert track is not None
                clock = (0.0, 0.0) if track.times is None else (1.0, track.times[i])
                numbers = (*track.places[i], *track.turns[i], track.w_x[i], track.w_q[i], *clock)
                assert len(numbers) == SAMPLE
                put(f"sample {f},{b},{i}", numbers)
    for f, c in enumerate(s.collisions):
        if c.body is not None:
            corner = corners[f] if corners is not None else None
            put(f"event {s.first[f + 1] - 1}", _collision(s, c, corner))
    for i, (f, wish) in enumerate(s.wishes):
        put(f"wish {i}", _wish(s, P.structure.wishes[i], wish, s.touches(f, wish, corners)))
        if wish.planes is not None:
            put(f"face {i}", (wish.planes @ s.shapes[P.structure.wishes[i].other].axes).ravel())
    for i, guard in enumerate(P.structure.guards):
        o, n, *_ = _plane(s, s.surfaces[guard.surface])
        put(f"guard {i}", (*o + s.shapes[guard.body].round / L * n, *n))
    return p


def _plane(s: Statement, surface: Surface) -> tuple[Array, Array, Array, Array]:
    """Origin, normal, tangents, in units and in principal axes when a body carries it."""
    o, n, (t1, t2) = np.array(surface.origin), np.array(surface.normal), surface.tangents
    if surface.of is not None:
        shape = s.shapes[s.items.index(surface.of)]
        o, n, t1, t2 = (shape.inside(one) for one in (o, n, t1, t2))
    return o / s.units.length, n, t1, t2


def _collision(s: Statement, c: Collision, corner: Array | None) -> Array:
    assert c.body is not None
    shape = s.shapes[s.items.index(c.body)]
    at = shape.touching(corner if corner is not None else c.at if c.at is not None else shape.corners[0])
    o, n, t1, t2 = _plane(s, c.on)
    size = shape.radius / s.units.length
    radii = (shape.round / s.units.length, c.on.ball / s.units.length)
    law = (c.restitution[0], c.friction[0], s.gap_weight, s.gap_weight * size**2, *radii)
    out = np.concatenate([shape.inside(at) / s.units.length, o, n, t1, t2, law])
    assert len(out) == EVENT
    return out


def _wish(s: Statement, form: WishShape, w: Wish, at: Array) -> Array:
    out = np.zeros(WISH)
    low, high = bounds_of(s, w)
    if w.kind == "orientation" and w.body is not None:
        out[:4] = multiplied(w.low / np.linalg.norm(w.low), s.shapes[form.body].turn)
    if w.kind in ("spin", "place"):  # these are bounded in the body's own axes
        out[:4] = s.shapes[form.body if w.kind == "spin" else form.other].turn
    if w.body is not None:
        out[4:7] = s.shapes[form.body].inside(at) / s.units.length
    if w.surface is not None:
        o, n, *_ = _plane(s, w.surface)
        out[7:13] = (*o, *n)
    out[13] = (
        w.time / s.units.time if w.time is not None else 0.0 if isinstance(w.when, str) else float(w.when)
    )
    scale = 1.0 if w.kind != "orientation" else TURN**2
    out[14] = w.weight * scale
    if not w.is_hard:
        out[15 : 15 + form.size], out[19 : 19 + form.size] = low, high
    return out


def bounds_of(s: Statement, w: Wish) -> tuple[Array, Array]:
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


def bounds(s: Statement, P: Problem, *, relaxed: bool = False) -> dict[str, Array]:
    """lbx, ubx, lbg, ubg; relaxed: no contact and no velocities through collisions, only poses go on (MS03
    §5.1)."""
    lbx, ubx = np.full(P.x.size, -np.inf), np.full(P.x.size, np.inf)
    lbg, ubg = np.zeros(P.g.size), np.zeros(P.g.size)
    fast, wild = 2 * s.told("velocity") * s.units.time / s.units.length, 2 * s.told("spin") * s.units.time
    most = np.repeat([max(FURTHEST, 2 * s.furthest), STEEP, max(FASTEST, fast), max(WILDEST, wild)], 3)
    for name, at in P.x.parts.items():
        kind, _, which = name.partition(" ")
        if kind == "z":
            lbx[at], ubx[at] = -most, most
        elif kind == "T":
            given = s.flights[int(which)].duration
            lbx[at], ubx[at] = (SHORTEST, LONGEST) if given is None else np.array(given) / s.units.time
            if which == "0" and len(s.parts) > 1:  # the second flight begins when the first has lasted
                after, before = s.begins(1)
                lbx[at], ubx[at] = np.maximum(lbx[at], after - SOON), np.minimum(ubx[at], before + SOON)
        elif kind == "share":
            # of its segment: a sample may go as far as the next ones, where it is handed over
            f, b, i = map(int, which.split(","))
            first = int(s.first[f])
            k = next(k for k in range(s.parts[f]) if i in P.structure.held(first + k, b))
            lbx[at], ubx[at] = -min(k, 1), 1 + min(s.parts[f] - 1 - k, 1)
        elif kind == "B":
            f, is_first = P.structure.flights[int(which)], int(which) in s.first
            after, before = s.begins(f) if is_first and f > 1 else (0.0, np.inf)
            lbx[at], ubx[at] = after - SOON, before + SOON
        elif kind in ("tilt", "e", "mu"):
            c = s.collisions[P.structure.flights[int(which)]]
            limit = {"tilt": (-math.tan(c.tilt), math.tan(c.tilt)), "e": c.restitution, "mu": c.friction}[
                kind
            ]
            lbx[at], ubx[at] = limit
        elif kind == "inertia":
            lbx[at], ubx[at] = s.inertias[s.items[int(which)].name]
        elif kind == "force":
            low_f, high_f = s.forces[s.items[int(which)].name]
            unit = s.units.mass * s.units.length / s.units.time**2
            lbx[at], ubx[at] = low_f / unit, high_f / unit
    for name, at in P.g.parts.items():
        kind, _, which = name.partition(" ")
        if kind == "collision":
            c = s.collisions[P.structure.flights[int(which)]]
            rows = slice(at.start + 1, at.start + 2)
            lbg[rows], ubg[rows] = -np.inf, -CLOSING
            if c.tilt > 0:
                rows = slice(at.start + 2, at.start + 3)
                lbg[rows], ubg[rows] = -np.inf, math.tan(c.tilt) ** 2
            if _is_posed(s, P.structure.flights[int(which)], c):
                lbg[at.start], ubg[at.start] = -np.inf, np.inf
            if relaxed:
                lbg[at], ubg[at] = -np.inf, np.inf
        elif kind == "wish":
            lbg[at], ubg[at] = bounds_of(s, s.wishes[int(which)][1])
        elif kind in ("guard", "apart"):
            lbg[at], ubg[at] = -SINK, np.inf
            if relaxed:
                lbg[at] = -np.inf
        elif kind in ("order", "inertia", "within") or (name == "clock end" and not P.structure.ends_timed):
            ubg[at] = np.inf
            lbg[at] = -SOON if kind == "clock" else 0.0
    return {"lbx": lbx, "ubx": ubx, "lbg": lbg, "ubg": ubg}


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
