"""Parameters: the numbers of a sketch for a problem, but for those that belong to a point (M2, M3, M5)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from tinkerdyne.language.arrays import Array
from tinkerdyne.objects.rotation import multiplied
from tinkerdyne.sketch.problem.bounds import wish_bounds
from tinkerdyne.sketch.problem.formulas import ImpactNumbers, SampleNumbers, WishNumbers
from tinkerdyne.sketch.problem.problem import Problem
from tinkerdyne.sketch.problem.statement import TURN, Resampled, Statement
from tinkerdyne.sketch.problem.structure import WishForm
from tinkerdyne.sketch.problem.unknowns import (
    END,
    GRAVITY,
    STYLE,
    UNITS,
    Faces,
    Guarded,
    Impact,
    Key,
    Mass,
    Moments,
    Sample,
    Wished,
)
from tinkerdyne.sketch.tell.story import Collision, Surface, Wish
from tinkerdyne.sketch.tell.tips import Tips


def parameters(s: Statement, P: Problem, corners: list[Array | None] | None = None) -> Array:
    """All of P's parameters but those that belong to a point: nodes' references, samples' shares, and when
    guards look."""
    L, T, M = s.units.length, s.units.time, s.units.mass
    p = np.zeros(P.p.size)

    def put(key: Key, value: ArrayLike) -> None:
        p[P.p.parts[key]] = value

    put(GRAVITY, s.g)
    put(UNITS, (L, T))
    if P.structure.is_styled:
        put(STYLE, s.style)
    if P.structure.is_timed:
        put(END, s.end)
    for b, shape in enumerate(s.shapes):
        put(Mass(b), shape.mass / M)
        put(Moments(b), shape.moments / (M * L**2))
    for f, row in enumerate(s.tracks):
        for b, track in enumerate(row):
            if track is not None:
                for i, numbers in enumerate(_samples(track)):
                    put(Sample(f, b, i), numbers)
    for f, c in enumerate(s.collisions):
        if c.body is not None:
            put(Impact(int(s.first[f + 1]) - 1), _impact(s, c, s.tip(f, corners)))
    for i, (f, wish) in enumerate(s.wishes):
        put(Wished(i), _wish(s, P.structure.wishes[i], wish, s.touches(f, wish, corners)))
        if wish.planes is not None:
            put(Faces(i), (wish.planes @ s.shapes[P.structure.wishes[i].other].axes).ravel())
    for i, guard in enumerate(P.structure.guards):
        o, n, *_ = _plane(s, s.surfaces[guard.surface])
        put(Guarded(i), (*o + s.shapes[guard.body].round / L * n, *n))
    return p


def _plane(s: Statement, surface: Surface) -> tuple[Array, Array, Array, Array]:
    """Origin, normal, tangents, in units and in principal axes when a body carries it."""
    o, n, (t1, t2) = np.array(surface.origin), np.array(surface.normal), surface.tangents
    if surface.of is not None:
        shape = s.shapes[s.items.index(surface.of)]
        o, n, t1, t2 = (shape.inside(one) for one in (o, n, t1, t2))
    return o / s.units.length, n, t1, t2


def _samples(track: Resampled) -> Array:
    """The numbers of all samples of a track, by rows."""
    is_timed, times = (0.0, 0.0) if track.times is None else (1.0, track.times)
    clock = np.column_stack([np.full(len(track.places), is_timed), np.broadcast_to(times, len(track.places))])
    rows = SampleNumbers(track.places, track.turns, track.w_x, track.w_q, clock[:, 0], clock[:, 1])
    return np.column_stack(rows.parts)


def _impact(s: Statement, c: Collision, tip: Tips) -> Array:
    assert c.body is not None
    shape = s.shapes[s.items.index(c.body)]
    size = shape.radius / s.units.length
    origin, normal, tangent, bitangent = _plane(s, c.on)
    return ImpactNumbers(
        shape.inside(tip.places[0]) / s.units.length,
        origin,
        normal,
        tangent,
        bitangent,
        rim=shape.inside(tip.rims[0]) / s.units.length,
        restitution=c.restitution[0],
        friction=c.friction[0],
        gap_weight=s.gap_weight,
        spin_gap_weight=s.gap_weight * size**2,
        radius=tip.balls[0] / s.units.length,
        other_radius=c.on.ball / s.units.length,
    ).vector()


def _wish(s: Statement, form: WishForm, w: Wish, at: Tips) -> Array:
    value, (point, rim, origin, normal) = np.zeros(4), np.zeros((4, 3))
    low, high = np.zeros(4), np.zeros(4)
    if w.kind == "orientation" and w.body is not None:
        value = multiplied(w.low / np.linalg.norm(w.low), s.shapes[form.body].turn)
    if w.kind in ("spin", "place"):  # these are bounded in the body's own axes
        value = s.shapes[form.body if w.kind == "spin" else form.other].turn
    if w.body is not None:
        point, rim = (s.shapes[form.body].inside(one[0]) / s.units.length for one in (at.places, at.rims))
    if w.surface is not None:
        origin, normal, *_ = _plane(s, w.surface)
    when = w.time / s.units.time if w.time is not None else 0.0 if isinstance(w.when, str) else float(w.when)
    weight = w.weight * (1.0 if w.kind != "orientation" else TURN**2)
    if not w.is_hard:
        low[: form.size], high[: form.size] = wish_bounds(s, w)
    return WishNumbers(value, point, rim, origin, normal, when, weight, low, high).vector()
