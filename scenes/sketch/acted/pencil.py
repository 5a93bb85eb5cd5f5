"""A pencil, thrown so that it bounces off the table and lands in a mug (MS03 §6.2.2)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.spatial.transform import Rotation

from scenes.sketch.acted.hand import SHOWN, TABLE, shaky, uneven
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item
from tinkerdyne.objects.rotation import matrices, multiplied, products, quaternion_of, rotation_matrix
from tinkerdyne.objects.shapes import Cylinder, Mesh
from tinkerdyne.objects.surfaces import revolved
from tinkerdyne.sketch.problem.flight import flight
from tinkerdyne.sketch.problem.flight import flown as along
from tinkerdyne.sketch.problem.impact import bounce
from tinkerdyne.sketch.problem.separation import Moving, deep_pieces
from tinkerdyne.sketch.tell.pieces import HullTable, pieces_of
from tinkerdyne.sketch.tell.shape import FlightBody, shape_of
from tinkerdyne.sketch.tell.sketch import Sketch

G = np.array((0.0, 0.0, -9.81))
PENCIL, MUG = 0.18, (0.55, 0.0, 0.1)  # m: its length, and where its middle is when it stands in the mug
CUP = {"radius": 0.04, "height": 0.1, "wall": 0.003}  # m


# --- flying forth and back ----------------------------------------------------------------------
def flown(shape: FlightBody, state: tuple[Array, ...], times: Array) -> tuple[Array, Array]:
    """Places and orientations of a flight; the state's orientation and spin are those of the principal
    axes."""
    x, q, *_ = along(shape.kind, state, shape.moments, G, times)
    return x, products(q, shape.turn * (1, -1, -1, -1))


def lowest(shape: FlightBody, x: Array, q: Array) -> Array:
    """Heights of all ends along a flight, (n, ends)."""
    return np.asarray(x[:, 2:] + shape.tips.lowest(matrices(q)[:, 2]))


def _acted(sketch: Sketch, body: Item, x: Array, q: Array, rng: Any, tremor: float, twist: float) -> None:
    pace = uneven(SHOWN, rng)
    dense = np.linspace(0, 1, len(x))
    at = np.array([np.abs(dense - s).argmin() for s in pace])
    sketch.follow(body, *shaky(x[at], q[at], rng, tremor=tremor, twist=twist))


# --- the pencil ---------------------------------------------------------------------------------
class Leg(NamedTuple):
    """One flight of a motion that is known: places and orientations at even times, and how long it lasts."""

    x: Array
    q: Array
    T: float


def pencil(
    seed: int = 0, *, style: str = "tip", tremor: float = 0.012, twist: float = 0.08, timed: bool = False
) -> Sketch:
    """A pencil bounces off the table with its tip or its eraser, tumbles, and must land in a mug, upright
    (hard)."""
    if style not in ("tip", "eraser"):
        raise ValueError(f'style must be "tip" or "eraser", not {style!r}')
    rng = np.random.default_rng((1000 if style == "tip" else 2000) + seed)
    body = Cylinder("pencil", radius=0.004, length=PENCIL, mass=0.006)
    corner, mug = 1 if style == "tip" else 0, mug_body()
    legs = _thrown(shape_of(body), corner, rng)
    walls = pieces_of(mug, shape_of(mug))
    while not all(_is_clear(body, mug, walls, leg) for leg in legs):  # it must come in by the opening
        legs = _thrown(shape_of(body), corner, rng)
    sketch = Sketch(body, mug, name=f"pencil, {style} first")
    begin = 0.0
    for k, leg in enumerate(legs):
        if timed:
            # the moment of the bounce belongs to one flight
            at = np.linspace(0, len(leg.x) - 1, SHOWN + 1).astype(int)[k:][:SHOWN]
            hand = shaky(leg.x[at], leg.q[at], rng, tremor=tremor, twist=twist)
            sketch.follow(body, *hand, times=begin + at / (len(leg.x) - 1) * leg.T)
        else:
            _acted(sketch, body, leg.x, leg.q, rng, tremor, twist)
        begin += leg.T
        if k == 0:
            sketch.bounce(body, body.end2 if corner else body.end1, on=TABLE, restitution=0.6)
    sketch.want(body, position=legs[1].x[-1], orientation=legs[1].q[-1])
    return sketch


def mug_body() -> Item:
    """A mug that stands on the table, about its own x axis, its opening upwards."""
    R, H, t = CUP.values()
    vertices, faces = revolved([(0.0, 0.0), (0.0, R), (H, R), (H, R - t), (t, R - t), (t, 0.0)], 12)
    mug = Mesh("mug", vertices=vertices, faces=faces, mass=0.3, is_fixed=True)
    up = quaternion_of(Rotation.align_vectors([(0, 0, 1.0)], [(1.0, 0, 0)])[0].as_matrix())
    mug.start["position"] = (MUG[0], MUG[1], float(mug.offset[0]))
    mug.start["orientation"] = tuple(up.tolist())
    return mug


def _is_clear(body: Item, mug: Item, walls: HullTable, leg: Leg) -> bool:
    """Whether a flight passes through no wall of the mug."""
    s, m = shape_of(body), shape_of(mug)
    still = (
        np.tile(mug.position, (len(leg.x), 1)),
        np.tile(rotation_matrix(mug.orientation) @ m.axes, (len(leg.x), 1, 1)),
    )
    a, b = Moving(s.hull, leg.x, matrices(products(leg.q, s.turn))), Moving(m.hull, *still)
    return not deep_pieces(pieces_of(body, s), walls, a, b, 1e-4)


def _thrown(shape: FlightBody, corner: int, rng: Any) -> tuple[Leg, Leg]:
    """A true motion into the mug, found backwards: out of the mug, down to the table on one end, and up
    again."""
    while True:
        down = 1.0 if rng.uniform() < 0.5 else -1.0  # which end is down in the mug
        lean = 0.12 * rng.normal(size=2)
        axis = np.array((lean[0], lean[1], -down))
        q = quaternion_of(Rotation.align_vectors([axis / np.linalg.norm(axis)], [(1.0, 0, 0)])[0].as_matrix())
        v = np.array((rng.uniform(0.6, 1.3), 0.15 * rng.normal(), rng.uniform(-2.2, -1.2)))
        w = np.array((rng.normal(), rng.uniform(4, 12) * rng.choice((-1, 1)), rng.normal()))
        end = (np.array(MUG), multiplied(q, shape.turn), v, shape.inside(w))
        times = np.linspace(0, 0.6, 121)
        x, turned = flown(shape, end, -times)
        heights = lowest(shape, x, turned)
        under = np.nonzero(heights[40:, corner] < 0)[0]  # not in the mug itself
        if not len(under) or (heights[: 40 + under[0], 1 - corner] < 0).any():
            continue
        low, high = times[40 + under[0] - 1], times[40 + under[0]]
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (
                (middle, high)
                if lowest(shape, *flown(shape, end, -np.array([middle])))[0, corner] > 0
                else (low, middle)
            )
        T = float(low)
        hit = [np.array(one).ravel() for one in flight(shape.kind)(*end, shape.moments, G, -T)]
        before = _unstruck(shape, hit, corner, 0.6)
        if before is None:
            continue
        first = (hit[0], hit[1], *before)
        T0 = rng.uniform(0.22, 0.32)
        x0, q0 = flown(shape, first, np.linspace(-T0, 0, 121))
        h0 = lowest(shape, x0, q0)
        if h0[:-1].min() < 0 or h0[-1, 1 - corner] < 0:
            continue
        return Leg(x0, q0, float(T0)), Leg(*flown(shape, end, np.linspace(-T, 0, 121)), T)


def _unstruck(shape: FlightBody, after: list[Array], corner: int, e: float) -> tuple[Array, Array] | None:
    """Velocities before a blow on the table, from those after it; none when it was no blow."""
    x, q, v, w = after
    R = rotation_matrix(q)
    r = R @ shape.tips.within(shape.axes).touching(corner, R[2])
    u = v + np.cross(R @ w, r)
    if u[2] < 0.3:
        return None
    n = np.array((0.0, 0.0, 1.0))
    K = 1 / shape.mass + n @ np.cross(R @ (R.T @ np.cross(r, n) / shape.moments), r)
    j = -(u[2] + u[2] / e) / K
    before = v + j / shape.mass * n, w + R.T @ np.cross(r, j * n) / shape.moments
    again = bounce()(x, q, *before, shape.mass, shape.moments, x + r, n, e, 0)
    assert np.abs(np.array(again[0]).ravel() - v).max() < 1e-9
    return before
