"""What a motion meets: the residual of every hard wish, and the size of every physical violation (M5)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import casadi as ca
import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.objects.rotation import conjugate, multiplied, products, rotation_matrix
from tinkerdyne.sketch.problem.bounds import CLOSING, SOON
from tinkerdyne.sketch.problem.guard import sunk
from tinkerdyne.sketch.problem.overlap import overlaps
from tinkerdyne.sketch.problem.point import states
from tinkerdyne.sketch.show.impacts import contact_at
from tinkerdyne.sketch.tell.state import State
from tinkerdyne.sketch.tell.story import Wish

if TYPE_CHECKING:
    from tinkerdyne.sketch.show.solution import Solution


@dataclass(frozen=True)
class Residual:
    """How far one thing that was asked for is from being so."""

    says: str
    size: float
    unit: str
    body: str = ""  # of what is too deep: where it is seen,
    time: float | None = None  # and when [s]

    def __str__(self) -> str:
        return f"{self.says}: off by {self.size:.2g} {self.unit}"


@dataclass(frozen=True)
class Misfit:
    """How far samples are from the motion, root mean square: places [m], and orientations [rad]."""

    place: float
    turn: float

    def __str__(self) -> str:
        turned = f" and {math.degrees(self.turn):.2g}°" if self.turn else ""
        return f"{self.place:.2g} m{turned}"


def misfit(m: Solution) -> Misfit:
    """Of all samples that weigh something."""
    s, places, turns = m.statement, [np.zeros(0)], [np.zeros(0)]
    for f, row in enumerate(s.tracks):
        for b, track in enumerate(row):
            if track is None:
                continue
            x, q, *_ = states(s, m.outcome.point, f, b, m.outcome.point.shares[f][b])
            off = ((x - track.places) ** 2).sum(axis=1) * s.units.length**2
            cosine = np.minimum(np.abs((q * track.turns).sum(axis=1)), 1.0)
            places.append(off[track.w_x > 0])
            turns.append((2 * np.arccos(cosine))[track.w_q > 0] ** 2)
    rows = [np.concatenate(one) for one in (places, turns)]
    return Misfit(*(math.sqrt(float(row.mean())) if len(row) else 0.0 for row in rows))


def residuals(m: Solution) -> list[Residual]:
    """Every hard constraint, and how far it is off."""
    s, u = m.statement, m.statement.units
    out = _moments(m)
    for f, wish in s.wishes:
        if not wish.is_hard:
            continue
        if wish.time is not None:
            share = (wish.time - m.grid[f]) / (m.grid[f + 1] - m.grid[f])
        else:
            share = {"start": 0.0, "end": 1.0}.get(
                str(wish.when), wish.when if isinstance(wish.when, float) else 1.0
            )
        off, unit = _off(m, wish, f, float(share))
        out.append(Residual(wish.says, off, unit))
    for f, c in enumerate(s.collisions):
        if c.body is not None:
            struck = contact_at(m, f)
            out.append(Residual(f"contact at {c.name}", abs(struck.height), "m"))
            out.append(
                Residual(
                    f"approach at {c.name}", max(0.0, struck.closing + CLOSING * u.length / u.time), "m/s"
                )
            )
        for b, body in enumerate(m.sketch.bodies):
            end, after = (m.states(b, f + i, np.array([1.0 - i])) for i in (0, 1))
            jump = np.linalg.norm(end[0] - after[0])
            turned = 2 * np.linalg.norm(multiplied(conjugate(end[1][0]), after[1][0])[1:])
            out.append(Residual(f"place of {body.name} through {c.name}", float(jump), "m"))
            out.append(Residual(f"orientation of {body.name} through {c.name}", float(turned), "rad"))
    return out + _jumps(m)


def _jumps(m: Solution) -> list[Residual]:
    """How far a flight that is cut into segments does not go on where one ends."""
    out = []
    for f, parts in enumerate(m.statement.parts):
        at = np.arange(1, parts) / parts
        for b, body in enumerate(m.sketch.bodies if parts > 1 else ()):
            (x, q, v, w), (X, Q, V, W) = (m.states(b, f, share) for share in (at * (1 - 1e-12), at))
            turned = 2 * np.linalg.norm(products(conjugate(q), Q)[:, 1:], axis=1)
            by = [X - x, turned[:, None], V - v, W - w]
            names = [("place", "m"), ("orientation", "rad"), ("velocity", "m/s"), ("spin", "rad/s")]
            for (what, unit), off in zip(names, by, strict=True):
                size = float(np.linalg.norm(off, axis=1).max())
                out.append(
                    Residual(f"{what} of {body.name} within flight {f + 1}, which must not jump", size, unit)
                )
    return out


def _moments(m: Solution) -> list[Residual]:
    """How far the given times of wishes and samples lie outside their flights."""
    s = m.statement
    times = [
        (f, f"the moment of the {wish.says}", (wish.time, wish.time), 0.0)
        for f, wish in s.wishes
        if wish.time is not None
    ]
    for f, row in enumerate(s.tracks):
        for item, track in zip(s.items, row, strict=True):
            if track is not None and track.times is not None:
                ends = track.times[[0, -1]] * s.units.time
                times.append(
                    (f, f"the times of {item.name}", (float(ends[0]), float(ends[1])), SOON * s.units.time)
                )
    out = []
    for f, says, (first, last), allowed in times:
        a, b = float(m.grid[f]), float(m.grid[f + 1])
        says = (
            f"{says}, which {'belong' if allowed else 'belongs'} to flight {f + 1} from {a:.3f} to {b:.3f} s"
        )
        out.append(Residual(says, max(a - allowed - first, last - b - allowed, 0.0), "s"))
    return out


def depths(m: Solution) -> list[Residual]:
    """Bodies that lie below a surface or inside each other between collisions, deeper than is allowed for,
    with the moment when they are deepest."""
    structure = m.statement.structure()
    out = []
    for one in sunk(m.statement, structure, m.outcome.point):
        guard = structure.guards[one.guard]
        f = structure.flights[guard.segment]
        share = (one.share + guard.segment - int(m.statement.first[f])) / m.statement.parts[f]
        when = m.grid[f] + share * (m.grid[f + 1] - m.grid[f])
        body, surface = m.sketch.bodies[guard.body], m.statement.surfaces[guard.surface]
        says = f"{body.name} below {surface.name} at {when:.3f} s"
        out.append(Residual(says, one.depth, "m", body.name, float(when)))
    for over in overlaps(m.statement, m.outcome.point):
        solid, hollow = sorted(over.pair, key=lambda i: m.statement.pieces[i].is_hollow)
        names = [body.name for body in (*m.sketch.bodies, *m.sketch.obstacles)]
        a, b = names[solid], names[hollow]
        how = "through the wall of" if m.statement.pieces[hollow].is_hollow else "inside"
        when = m.grid[over.flight] + over.share * (m.grid[over.flight + 1] - m.grid[over.flight])
        mover = a if solid < len(m.sketch.bodies) else b  # what stands still is no body of the motion
        out.append(Residual(f"{a} {how} {b} at {when:.3f} s", over.depth, "m", mover, float(when)))
    return out


def _off(m: Solution, wish: Wish, f: int, share: float) -> tuple[float, str]:
    """How far a wish is off, and its unit."""
    if wish.kind == "custom":
        value, unit = _custom(m, wish, f, share), ""
    else:
        assert wish.body is not None
        x, q, v, w = (one[0] for one in m.states(m.statement.items.index(wish.body), f, np.array([share])))
        R, tip = rotation_matrix(q), m.statement.touches(f, wish, m.outcome.corners)
        place = x + R @ tip.places[0]
        if tip.has_rims:
            place = x + R @ replace(tip, balls=np.zeros(1)).touching(0, R.T @ _normal(m, wish, f, share))
        if wish.kind == "orientation":
            wanted = wish.low / np.linalg.norm(wish.low)
            return float(2 * np.linalg.norm(multiplied(conjugate(wanted), q)[1:])), "rad"
        if wish.kind in ("height", "reach", "face", "place"):
            value, unit = _seen_from(m, wish, f, share, place), "m"
        else:
            value, unit = {
                "position": (x, "m"),
                "point": (place, "m"),
                "velocity": (v, "m/s"),
                "spin": (w, "rad/s"),
            }[wish.kind]
    low, high = (wish.low, wish.high) if wish.kind != "reach" else (np.array([-np.inf]), np.sqrt(wish.high))
    if wish.kind == "place" and wish.surface is not None:
        axes = m.statement.shapes[m.statement.items.index(wish.surface.of)].axes
        low, high = axes @ low, axes @ high
    return float(np.maximum(np.maximum(low - value, value - high), 0).max()), unit


def _normal(m: Solution, wish: Wish, f: int, share: float) -> Array:
    """The normal of a wish's surface, in the world."""
    assert wish.surface is not None
    n = np.array(wish.surface.normal)
    if wish.surface.of is None:
        return n
    q = m.states(m.statement.items.index(wish.surface.of), f, np.array([share]))[1][0]
    return np.asarray(rotation_matrix(q) @ n)


def _custom(m: Solution, wish: Wish, f: int, share: float) -> Array:
    """The value of a condition, of states in SI units and principal axes."""
    s, u = m.statement, m.statement.units
    moved = [states(s, m.outcome.point, f, b, np.array([share])) for b in range(len(m.sketch.bodies))]
    given = [
        State(ca.DM(x[0] * u.length), ca.DM(q[0]), ca.DM(v[0] * u.length / u.time), ca.DM(w[0] / u.time))
        for x, q, v, w in moved
    ]
    assert wish.function is not None
    value = wish.function(*given)
    return np.array(ca.vertcat(*value) if isinstance(value, (list, tuple)) else ca.DM(value)).ravel()


def _seen_from(m: Solution, wish: Wish, f: int, share: float, place: Array) -> Array:
    """Where a place is from a surface: its height, its distance from the surface's origin along it, or its
    own coordinates."""
    s, surface = m.statement, wish.surface
    assert surface is not None
    off, normal = place - np.array(surface.origin), np.array(surface.normal)
    if surface.of is not None:
        other = s.items.index(surface.of)
        x, q, *_ = (one[0] for one in m.states(other, f, np.array([share])))
        R = rotation_matrix(q)
        if wish.planes is not None:
            return np.asarray(wish.planes @ R.T @ (place - x))
        if wish.kind == "place":
            return np.asarray(R.T @ (place - x))
        off, normal = place - x - R @ np.array(surface.origin), R @ normal
    height = float(normal @ off)
    return np.array([height if wish.kind == "height" else math.sqrt(max(off @ off - height**2, 0))])
