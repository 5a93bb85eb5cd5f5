"""Flight: where a rigid body is after t seconds without contact, as a CasADi formula of where it was (M1).

All is written in the body's principal axes, the axis of symmetry first when there is one; `Shape` says how
they lie in the body. The centre of mass follows a parabola. The rotation has a closed form for a body with
three equal moments, q(t) = q₀ exp(ω t), and for one with an axis of symmetry, exp(L t/I₂) ⊗ q₀ ⊗ exp((1 −
I₁/I₂) ω₁ t e₁). Otherwise the angular momentum L, which is constant in the world, leaves q̇ = ½ q ⊗ I⁻¹ Rᵀ L,
from q = 1 in the axes of the start, integrated by Dormand and Prince's method of order 8.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import casadi as ca
import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item, label
from tinkerdyne.objects.rotation import axisymmetric, exponential, matrix, normalised, product
from tinkerdyne.sketch.disturb import rounded
from tinkerdyne.sketch.terms import Call

SX = Any
Kind = Literal["cube", "symmetric", "general"]
# two moments closer than this share count as equal; the motion then differs by less in a thousand turns
ALIKE = 1e-9
# of a body's size: how far a point that touches may lie off it, and off what stands for a round one
ON, ROUGH = 1e-6, 1e-3
MOST_POINTS = 48  # of the hull of a body, as far as others bump into it
STEPS = 8  # of order 8 in one flight of a general body: 1e-9 rad for a turn and a half


class State(NamedTuple):
    """A body in motion: place x [m], quaternion q, velocity v [m/s], spin w in its own axes [rad/s].

    turns: quaternions whose product q is. Formulas that go through them one by one have half the operations
    in their Hessians.
    """

    x: SX
    q: SX
    v: SX
    w: SX
    turns: tuple[SX, ...] = ()

    @property
    def R(self) -> SX:
        return matrix(self.q)

    def at(self, c: SX) -> SX:
        """The place of a point c of the body:  x + R c."""
        return self.x + self.R @ c

    def into(self, n: SX) -> SX:
        """A direction of the world in the body's axes:  Rᵀ n."""
        for q in self.turns or (self.q,):
            across = 2 * ca.cross(n, q[1:4])
            n = n + q[0] * across + ca.cross(across, q[1:4])
        return n

    def alignment(self, wanted: SX) -> SX:
        """wanted · q, the cosine of half the angle between two orientations."""
        *first, last = self.turns or (self.q,)
        rest = ca.vertcat(wanted[0], -wanted[1:4])
        for q in first:
            rest = product(rest, q)
        return rest[0] * last[0] - ca.dot(rest[1:4], last[1:4])


@dataclass(frozen=True)
class Hull:
    """A body as far as others bump into it, in principal axes: the convex hull of points (n, 3), all within
    `round` of it [m]."""

    points: Array
    round: float
    normals: Array  # (m, 3), of its faces, outwards
    edges: Array  # (k, 3), their directions

    @property
    def reach(self) -> float:
        """Of its furthest point [m]."""
        return float(np.linalg.norm(self.points, axis=1).max()) + self.round


@dataclass(frozen=True)
class Shape:
    """What flight and collision need of a body."""

    name: str
    kind: Kind
    mass: float  # kg
    moments: Array  # principal, kg m²
    axes: Array  # principal axes by columns, in the body
    turn: Array  # their quaternion
    radius: float  # m, of the furthest point
    corners: Array  # (n, 3) in the body: where it touches, or of a ball or capsule the middles of its balls
    round: float  # m, of those balls, else 0
    solid: Array  # (n, 3) in the body: points whose hull it fills, as far as `round` about them

    @functools.cached_property
    def hull(self) -> Hull:
        return Hull(self.solid @ self.axes, self.round, *faces_and_edges(self.solid @ self.axes))

    def touching(self, at: Any) -> Array:
        """The point by which a body touches when `at` is named, in the body: itself, or the middle of the
        ball nearest to it."""
        if not self.round:
            return np.asarray(at, float)
        return np.asarray(
            self.corners[int(np.linalg.norm(self.corners - np.asarray(at, float), axis=1).argmin())]
        )

    def beside(self, item: Item, place: Any) -> tuple[float, float]:
        """How far a place in the body's axes lies outside the body's hull [m], and how much of that its
        roundness may explain."""
        if self.round:
            points, allowed = self.solid, self.round + ON * self.radius
        elif item.type.name in ("box", "card"):
            points, allowed = self.corners, ON * self.radius
        else:
            points, allowed = _fine(item), (ON if item.type.name == "mesh" else ROUGH) * self.radius
        return distance(points, np.asarray(place, float)), allowed

    @functools.cached_property
    def halfspaces(self) -> tuple[Array, Array]:
        """Outward normals of the faces of its hull in the body (m, 3), and how far out they lie (m,) [m]."""
        normals, _ = faces_and_edges(self.solid)
        return normals, (self.solid @ normals.T).max(axis=0) + self.round

    def inside(self, c: Any) -> Array:
        """A point of the body in principal axes."""
        return np.asarray(self.axes.T @ np.asarray(c, float))


def shape_of(item: Item) -> Shape:
    """The mass properties and corners of a body of the library."""
    kind, row = item.type.resolve(item)
    if not kind.name.startswith("rigid"):
        raise TypeError(f"a sketch moves rigid bodies in space, not {label(item)}")
    moments, axes = np.array(row[10:13]), np.array(row[13:22]).reshape(3, 3, order="F")
    corners, ball = corners_of(item)
    spread = np.ptp(moments) / moments.max()
    alike: Kind = (
        "cube"
        if spread < ALIKE
        else "symmetric"
        if abs(moments[1] - moments[2]) < ALIKE * moments.max()
        else "general"
    )
    radius = float(np.linalg.norm(corners, axis=1).max()) + ball
    solid = solid_of(item, corners)
    return Shape(
        item.name, alike, float(row[0]), moments, axes, quaternion_of(axes), radius, corners, ball, solid
    )


def corners_of(item: Item) -> tuple[Array, float]:
    """The points by which a body touches first: corners of a box or card, ends of a bar, middles of the balls
    of what is round, with their radius, else the hull of its surface."""
    from scipy.spatial import ConvexHull

    from tinkerdyne.objects.shapes import surface

    places = item.type.places(item.values) if getattr(item.type, "places", None) else {}
    named = [
        at
        for name, at in places.items()
        if name.count("_") == 2 or name in ("bottom_left", "bottom_right", "top_left", "top_right")
    ]
    if item.type.name in ("box", "card") and named:
        return np.array(named), 0.0
    if item.type.name in ("rod", "cylinder"):
        return np.array([places["end1"], places["end2"]]), 0.0
    if item.type.name in ("sphere", "capsule"):
        balls = ("centre1", "centre2") if item.type.name == "capsule" else ("centre",)
        return np.array([places[name] for name in balls]), float(item.values["radius"])
    vertices, _ = surface(item, segments=6)
    return np.asarray(vertices[ConvexHull(vertices).vertices]), 0.0


def solid_of(item: Item, corners: Array) -> Array:
    """Points whose hull a body fills; a bar has twelve sides, and a fine mesh is known by points of it far
    from each other."""
    from tinkerdyne.objects.shapes import surface

    points = np.asarray(surface(item, segments=12)[0]) if item.type.name in ("rod", "cylinder") else corners
    return outermost(points, min(len(points), MOST_POINTS))


def _fine(item: Item) -> Array:
    """The corners of the hull of a body's surface, what is round of it in 96 sides."""
    from scipy.spatial import ConvexHull

    from tinkerdyne.objects.shapes import surface

    points = np.asarray(surface(item, segments=96)[0])
    flat = np.linalg.svd(points - points.mean(axis=0), compute_uv=False)
    return points[ConvexHull(points).vertices] if flat[2] > 1e-9 * flat[0] else points


def distance(points: Array, place: Array) -> float:
    """From a place to the convex hull of points (n, 3) [m]."""
    from scipy.optimize import nnls

    size = float(np.abs(points - place).max()) or 1.0
    heavy = 1e4  # of the row that makes the weights add up to one
    rows = np.concatenate([(points - place).T / size, np.full((1, len(points)), heavy)])
    weights, _ = nnls(rows, np.array([0.0, 0.0, 0.0, heavy]), maxiter=50 * len(points))
    return float(np.linalg.norm((points - place).T @ weights))


def outermost(corners: Array, count: int) -> Array:
    """So many corners, far from each other."""
    if len(corners) == count:
        return corners
    places = rounded(corners)  # of corners as far as each other the last digits choose
    chosen = [int(np.linalg.norm(places, axis=1).argmax())]
    near = np.linalg.norm(places - places[chosen[0]], axis=1)
    while len(chosen) < count:
        chosen.append(int(near.argmax()))
        near = np.minimum(near, np.linalg.norm(places - places[chosen[-1]], axis=1))
    return np.asarray(corners[chosen])


def faces_and_edges(points: Array) -> tuple[Array, Array]:
    """The outward normals of the faces of a hull, and the directions of its edges; of what is flat or a line
    as well."""
    from scipy.spatial import ConvexHull

    none, points = np.zeros((0, 3)), rounded(points)
    _, sizes, axes = np.linalg.svd(points - points.mean(axis=0), full_matrices=True)
    rank = int((sizes > 1e-9 * max(float(np.abs(points).max()), 1e-9)).sum())
    if rank < 2:
        return none, axes[:rank]
    hull = ConvexHull(points if rank == 3 else points @ axes[:2].T)
    normals, edges = hull.equations[:, :-1], []
    if rank == 2:
        normals = normals @ axes[:2]
        edges = [np.cross(axes[2], n) for n in normals]
        normals = np.concatenate([normals, axes[[2]], -axes[[2]]])
    else:
        for simplex, others in zip(range(len(normals)), hull.neighbors, strict=True):
            for i, other in enumerate(others):
                if normals[simplex] @ normals[other] < 1 - 1e-9:
                    p, q = np.delete(hull.simplices[simplex], i)
                    edges.append(points[q] - points[p])
    turned = [e / np.linalg.norm(e) * (1 if e[int(np.abs(e).argmax())] > 0 else -1) for e in edges]
    return _distinct(normals), _distinct(np.array(turned))


def _distinct(rows: Array) -> Array:
    _, which = np.unique(np.round(rows, 6) + 0.0, axis=0, return_index=True)
    return np.asarray(rows[np.sort(which)])


def quaternion_of(R: Array) -> Array:
    """The unit quaternion of a rotation matrix, w ≥ 0."""
    from scipy.spatial.transform import Rotation

    x, y, z, w = Rotation.from_matrix(R).as_quat()
    return np.array((w, x, y, z)) * (1.0 if w >= 0 else -1.0)


# --- formulas -----------------------------------------------------------------------------------
def fly(kind: Kind, start: State, moments: SX, a: SX, t: SX, steps: int = STEPS) -> State:
    """The state after t seconds under a constant acceleration a [m/s²] of the centre of mass."""
    x = start.x + t * start.v + t**2 / 2 * a
    by, w = turn(kind, start.w, moments, t, steps)
    return State(x, product(start.q, by), start.v + t * a, w, (*(start.turns or (start.q,)), by))


def turn(kind: Kind, w: SX, moments: SX, t: SX, steps: int = STEPS) -> tuple[SX, SX]:
    """Free rotation over t: by which quaternion the body turns, in the axes that it starts with, and its spin
    after."""
    if kind == "cube":
        return exponential(t * w), w
    if kind == "symmetric":
        return axisymmetric(w, moments, t)
    L = moments * w
    q = ca.vertcat(1, 0, 0, 0)
    for _ in range(steps):
        q = _order_eight(q, L, moments, t / steps)
    q = normalised(q)
    return q, (matrix(q).T @ L) / moments


def _order_eight(q: SX, L: SX, moments: SX, h: SX) -> SX:
    """One step of DOP853 on q̇ = ½ q ⊗ (0, I⁻¹ Rᵀ L)."""
    A, B = tableau()
    rates: list[SX] = []
    for row in A:
        at = q + h * sum((c * k for c, k in zip(row, rates, strict=False) if c), 0 * q)
        w = (matrix(at).T @ L) / moments / ca.dot(at, at)
        rates.append(product(at, ca.vertcat(0, w)) / 2)
    return q + h * sum(b * k for b, k in zip(B, rates, strict=True) if b)


@functools.cache
def tableau() -> tuple[Array, Array]:
    from scipy.integrate import DOP853

    return np.asarray(DOP853.A)[:12, :12], np.asarray(DOP853.B)


@functools.cache
def flight(kind: Kind, steps: int = STEPS) -> Any:
    """The function (x, q, v, w, moments, a, t) → (x, q, v, w)."""
    given = [
        ca.SX.sym(name, n)
        for name, n in (("x", 3), ("q", 4), ("v", 3), ("w", 3), ("moments", 3), ("a", 3), ("t", 1))
    ]
    names = ["x", "q", "v", "w", "moments", "a", "t"]
    end = fly(kind, State(*given[:4]), given[4], given[5], given[6], steps)
    return ca.Function(f"flight_{kind}", given, list(end[:4]), names, ["x1", "q1", "v1", "w1"])


def flown(
    kind: Kind, start: Any, moments: Array, a: Array, t: Array, steps: int = STEPS
) -> tuple[Array, Array, Array, Array]:
    """(x, q, v, w) by rows at times t after a state (x, q, v, w)."""
    call = _calls(kind, steps, len(t))
    x, q, v, w = (one.reshape(len(t), -1) for one in call(*(np.ravel(one) for one in start), moments, a, t))
    return x, q, v, w


@functools.lru_cache(maxsize=256)
def _calls(kind: Kind, steps: int, count: int) -> Call:
    """The flight of one state to `count` times."""
    given = [
        ca.MX.sym(name, n)
        for name, n in (("x", 3), ("q", 4), ("v", 3), ("w", 3), ("moments", 3), ("a", 3), ("t", count))
    ]
    out = flight(kind, steps).map(count)(*(ca.repmat(one, 1, count) for one in given[:-1]), given[-1].T)
    return Call(tuple(given), [ca.vec(one) for one in out])
