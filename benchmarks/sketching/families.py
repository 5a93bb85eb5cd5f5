"""The eight families: each makes a random sketch with the motion that it was made from."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import tinkerdyne as td
from scenes.sketch.acted.hand import shaky, uneven
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item
from tinkerdyne.objects.rotation import matrices, rotation_matrix
from tinkerdyne.sketch.problem.separation import Moving, deep_pieces
from tinkerdyne.sketch.tell.pieces import pieces_of
from tinkerdyne.sketch.tell.shape import FlightBody, shape_of
from tinkerdyne.sketch.tell.sketch import Sketch
from tinkerdyne.sketch.tell.story import Surface
from tinkerdyne.sketch.tree.midpoint import CALM, spinning
from tinkerdyne.sketch.tree.shooting import paths, shooting
from tinkerdyne.sketch.tree.sketch import TreeSketch
from tinkerdyne.sketch.tree.tree import Tree

from .truth import G, Leg, State, cost_of, met_in_the_air, thrown

SHOWN = 14  # samples of a flight
TREMOR, TWIST = 0.006, 0.05  # m and rad: noise of samples
EDIT = 0.02  # m that a hard place is moved by
TABLE = Surface()


@dataclass(frozen=True)
class Made:
    """A sketch, and what the motion that made it costs."""

    sketch: Any
    cost: float


Family = Callable[[int], Made]


# --- telling ------------------------------------------------------------------------------------
def told(
    sketch: Sketch, legs: list[list[Leg]], rng: Any, strike: Callable[[int], None], *, ends: bool = True
) -> Made:
    """Samples of all flights, with noise and without times, and the end of the first body as a hard wish."""
    shares: list[list[Array]] = []
    for f, row in enumerate(legs):
        shares.append([])
        for body, leg in zip(sketch.bodies, row, strict=True):
            s = uneven(SHOWN, rng)
            sketch.follow(body, *shaky(*leg.shown(s), rng, tremor=TREMOR, twist=TWIST))
            shares[-1].append(s)
        if f < len(legs) - 1:
            strike(f)
    if ends:
        sketch.want(sketch.bodies[0], position=legs[-1][0].shown(np.ones(1))[0][0])
    return Made(sketch, cost_of(sketch.statement(), legs, shares))


def edited(made: Made, seed: int) -> Any:
    """The sketch with its hard place moved a little."""
    sketch, by = made.sketch, np.random.default_rng(seed).normal(size=3)
    by *= EDIT / np.linalg.norm(by)
    if isinstance(sketch, TreeSketch):
        hold = sketch.holds[-1]
        sketch.holds[-1] = dataclasses.replace(hold, low=hold.low + by, high=hold.high + by)
        return sketch
    wishes = sketch.flights[-1].wishes
    at = next(i for i, wish in enumerate(wishes) if wish.kind == "position")
    wish = wishes[at]
    wishes[at] = dataclasses.replace(wish, low=wish.low + by, high=wish.high + by)
    return sketch


def anything(rng: Any, name: str = "thing") -> Item:
    """A body of some shape, a hand large."""
    size = rng.uniform(0.04, 0.1, size=3)
    mass = rng.uniform(0.03, 0.2)
    kind = rng.integers(6)
    if kind == 0:
        return td.Box(name, size=tuple(size), mass=mass)
    if kind == 1:
        return td.Box(name, size=(size[0],) * 3, mass=mass)
    if kind == 2:
        return td.Cylinder(name, radius=size[0] / 2, length=size[1], mass=mass)
    if kind == 3:
        return td.Capsule(name, radius=size[0] / 3, length=size[1], mass=mass)
    if kind == 4:
        return td.Cylinder(name, radius=0.006, length=0.18, mass=mass)
    return td.Sphere(name, radius=size[0] / 2, mass=mass)


def begun(rng: Any, shape: FlightBody, *, place: Array, speed: Array, spin: float) -> State:
    q = rng.normal(size=4)
    return place, q / np.linalg.norm(q), speed, spin * rng.normal(size=3) / math.sqrt(3)


# --- free bodies --------------------------------------------------------------------------------
def toss(seed: int) -> Made:
    rng = np.random.default_rng(10_000 + seed)
    body = anything(rng)
    shape = shape_of(body)
    speed = np.array((rng.uniform(0.5, 2.5), 0.4 * rng.normal(), rng.uniform(0.5, 3.0)))
    state = begun(rng, shape, place=np.array((0, 0, 1.0)), speed=speed, spin=rng.uniform(1, 12))
    legs = [[Leg(shape, state, rng.uniform(0.3, 0.7))]]
    return told(Sketch(body, name="toss"), legs, rng, lambda _f: None)


def bounced(seed: int) -> Made:
    rng = np.random.default_rng(20_000 + seed)
    return _struck(rng, [TABLE], bounces=int(rng.integers(1, 4)), name="bounce")


def two_walls(seed: int) -> Made:
    rng = np.random.default_rng(30_000 + seed)
    wall = Surface((rng.uniform(0.5, 0.8), 0.0, 0.0), (-1.0, 0.0, 0.0), name="wall")
    return _struck(rng, [TABLE, wall], bounces=2, name="two walls")


def _struck(rng: Any, planes: list[Surface], *, bounces: int, name: str) -> Made:
    """A body that strikes planes; half of the sketches name the point that strikes, a third have friction."""
    e, mu = rng.uniform(0.5, 0.85), float(rng.choice((0.0, 0.0, 0.3)))
    is_named = rng.uniform() < 0.5
    while True:
        body = anything(rng)
        shape = shape_of(body)
        speed = np.array((rng.uniform(0.8, 2.2), 0.2 * rng.normal(), rng.uniform(-1.0, 1.0)))
        place = np.array((0, 0, rng.uniform(0.3, 0.6)))
        state = begun(rng, shape, place=place, speed=speed, spin=rng.uniform(1, 8))
        out = thrown(shape, state, planes, bounces, e=e, mu=mu, last=rng.uniform(0.12, 0.25))
        if out is None or min(leg.T for leg in out[0]) < 0.08:
            continue
        legs, blows = out
        if len(planes) == 1 or {blow.plane for blow in blows} == {0, 1}:
            break
    sketch = Sketch(body, name=name)

    def strike(f: int) -> None:
        at = tuple(shape.corners[blows[f].tip]) if is_named else None
        sketch.bounce(body, at, on=planes[blows[f].plane], restitution=e, friction=mu)

    return told(sketch, [[leg] for leg in legs], rng, strike)


def flips(seed: int) -> Made:
    """A body that spins about its middle axis, so that it turns over and over (Dzhanibekov)."""
    rng = np.random.default_rng(40_000 + seed)
    a, b, c = rng.uniform(0.02, 0.05), rng.uniform(0.07, 0.11), rng.uniform(0.15, 0.22)
    body = td.Box("racket", size=(a, b, c), mass=rng.uniform(0.05, 0.3))
    shape = shape_of(body)
    middle = int(np.argsort(shape.moments)[1])
    w = 0.3 * rng.normal(size=3)
    w[middle] = rng.choice((-1, 1)) * rng.uniform(8, 16)
    q = rng.normal(size=4)
    speed = np.array((rng.uniform(0.3, 1.5), 0.2 * rng.normal(), rng.uniform(3.0, 4.5)))
    state = (np.array((0, 0, 1.0)), q / np.linalg.norm(q), speed, w)
    return told(
        Sketch(body, name="flips"), [[Leg(shape, state, rng.uniform(0.6, 0.9))]], rng, lambda _f: None
    )


def two_bodies(seed: int) -> Made:
    """A body meets a ball in mid-air, with friction."""
    rng = np.random.default_rng(50_000 + seed)
    while True:
        ball = td.Sphere("ball", radius=rng.uniform(0.04, 0.08), mass=rng.uniform(0.1, 0.4))
        body = _struck_body(rng)
        e, mu = rng.uniform(0.3, 0.9), rng.uniform(0.1, 0.6)
        legs, at = _met(rng, body, ball, e, mu)
        if all(are_apart(body, ball, *row) for row in legs):  # the one does not strike the other again
            break
    sketch = Sketch(body, ball, name="two bodies")

    def strike(_f: int) -> None:
        sketch.collide(body, at, ball, restitution=e, friction=mu)

    return told(sketch, legs, rng, strike)


def _struck_body(rng: Any) -> Item:
    kind, mass = rng.integers(3), rng.uniform(0.05, 0.3)
    if kind == 0:
        return td.Sphere("body", radius=rng.uniform(0.03, 0.07), mass=mass)
    if kind == 1:
        return td.Box("body", size=tuple(rng.uniform(0.06, 0.12, size=3)), mass=mass)
    return td.Capsule("body", radius=0.025, length=0.12, mass=mass)


def _met(rng: Any, body: Item, ball: Item, e: float, mu: float) -> tuple[list[list[Leg]], tuple[float, ...]]:
    """Two flights each, and the point of the body that strikes."""
    shapes = [shape_of(body), shape_of(ball)]
    q = rng.normal(size=(2, 4))
    q /= np.linalg.norm(q, axis=1, keepdims=True)
    n = np.array((1.0, 0, 0)) + 0.4 * rng.normal(size=3)
    n /= np.linalg.norm(n)  # from the ball to the body
    own, R = shapes[0].tips.within(shapes[0].axes), rotation_matrix(q[0])
    tip = int(own.lowest(R.T @ n).argmin())  # the one ahead
    middle = np.array((0.0, 0, rng.uniform(0.9, 1.2)))
    place = middle + shapes[1].round * n
    v = np.array([rng.uniform(0.8, 2.0) * -n, rng.uniform(0.3, 1.2) * n]) + 0.3 * rng.normal(size=(2, 3))
    w = rng.uniform(1, 6) * rng.normal(size=(2, 3))
    states = [(place - R @ own.touching(tip, R.T @ n), q[0], v[0], w[0]), (middle, q[1], v[1], w[1])]
    legs = met_in_the_air(shapes, states, place, n, e, mu, rng.uniform(0.15, 0.3, size=2))
    return legs, tuple(shapes[0].corners[tip])


def into_container(seed: int) -> Made:
    """A body falls, perhaps off the table, into an open box and must be in it at the end."""
    rng = np.random.default_rng(60_000 + seed)
    inner, high, wall = rng.uniform(0.16, 0.24), rng.uniform(0.08, 0.14), 0.01
    at = np.array((rng.uniform(0.5, 0.8), 0.1 * rng.normal(), 0.0))
    bin_ = _bin(inner, high, wall, at)
    bounces = int(rng.integers(0, 2))
    while True:
        body = anything(rng)
        shape = shape_of(body)
        aim = rng.uniform(-0.25, 0.25, size=2) * inner
        out = _aimed(rng, shape, at[:2] + aim, bounces, high)
        if out is not None and all(are_apart(body, bin_, leg) for leg in out):
            break
    sketch = Sketch(body, bin_, name="into a container")
    room = np.array((0.5 * inner, 0.5 * inner, 0.7 * high + 0.06))  # as high as the motion may end

    def strike(_f: int) -> None:
        sketch.bounce(body, on=TABLE, restitution=0.7)

    made = told(sketch, [[leg] for leg in out], rng, strike, ends=False)
    low, top = at - (room[0], room[1], 0), at + room
    sketch.want(body, position=(tuple(low), tuple(top)))
    return Made(sketch, made.cost)


def _bin(inner: float, high: float, wall: float, at: Array) -> Item:
    wide, side = inner + 2 * wall, (inner + wall) / 2
    parts = {"bottom": td.Box(size=(wide, wide, wall), mass=0.1, position=(0, 0, wall / 2))}
    for name, x, y in (("left", -side, 0), ("right", side, 0), ("front", 0, -side), ("back", 0, side)):
        size = (wall, wide, high) if x else (wide, wall, high)
        parts[name] = td.Box(size=size, mass=0.1, position=(x, y, wall + high / 2))
    made = td.Compound("bin", shapes=parts, is_fixed=True)
    origin = np.array(made.type.places(made.values)["origin"])
    made.start["position"] = tuple((at - origin).tolist())
    return made


def _aimed(rng: Any, shape: FlightBody, target: Array, bounces: int, high: float) -> list[Leg] | None:
    """Flights that end over a place, low in the container."""
    e, last = 0.7, rng.uniform(0.3, 0.45)
    speed = np.array((rng.uniform(1.0, 2.0), 0.0, rng.uniform(-0.5, 1.5)))
    place = np.array((0, 0, rng.uniform(0.4, 0.7)))
    state = begun(rng, shape, place=place, speed=speed, spin=rng.uniform(1, 6))
    out = thrown(shape, state, [TABLE], bounces, e=e, mu=0.0, last=last)
    if out is None or min(leg.T for leg in out[0]) < 0.08:
        return None
    legs = out[0]
    end = legs[-1].shown(np.ones(1))[0][0]
    if not 0.02 + shape.radius < end[2] < 0.7 * high + 0.06:
        return None
    by = np.append(target - end[:2], 0.0)  # moved as a whole: the table is the same everywhere
    moved = []
    for leg in legs:
        x, q, v, w = leg.start
        moved.append(Leg(leg.shape, (x + by, q, v, w), leg.T))
    return moved


def are_apart(a: Item, b: Item, leg: Leg, other: Leg | None = None) -> bool:
    """Whether a body that flies passes through no other, which flies too or stands still."""
    shapes, count = [shape_of(a), shape_of(b)], 200
    t = np.linspace(0, 1, count)
    x, q, *_ = leg.at(t)
    one = Moving(shapes[0].hull, x, matrices(q))
    if other is None:
        R = np.tile(rotation_matrix(b.orientation) @ shapes[1].axes, (count, 1, 1))
        two = Moving(shapes[1].hull, np.tile(b.position, (count, 1)), R)
    else:
        x, q, *_ = other.at(t)
        two = Moving(shapes[1].hull, x, matrices(q))
    return not deep_pieces(pieces_of(a, shapes[0]), pieces_of(b, shapes[1]), one, two, 1e-5)


# --- trees --------------------------------------------------------------------------------------
def hooked(seed: int) -> Made:
    """A chain of two or three links flies to a hook."""
    rng = np.random.default_rng(70_000 + seed)
    count, kind = int(rng.integers(2, 4)), (td.pin, td.universal, td.ball)[rng.integers(3)]
    tree = _chain(count, kind, clamped=False)
    u = np.zeros(tree.freedoms)
    u[:3] = rng.uniform(1.0, 2.5), 0.3 * rng.normal(), rng.uniform(1.5, 3.5)
    u[3:] = 2.0 * rng.normal(size=tree.freedoms - 3)
    return _swung(tree, u, rng.uniform(0.5, 0.8), rng, name="hook", link=0)


def clamped(seed: int) -> Made:
    """A chain of two or three links that hangs from the world swings to a place."""
    rng = np.random.default_rng(80_000 + seed)
    count, kind = int(rng.integers(2, 4)), (td.pin, td.universal, td.ball)[rng.integers(3)]
    tree = _chain(count, kind, clamped=True)
    u = 2.5 * rng.normal(size=tree.freedoms)
    return _swung(tree, u, rng.uniform(0.4, 0.7), rng, name="clamped", link=count - 1)


def _chain(count: int, kind: Any, *, clamped: bool) -> Tree:
    length = 0.25
    links = [
        td.Capsule(
            f"link{k}", radius=0.02, length=length - 0.04, mass=0.15, position=(length * (k + 0.5), 0, 1.0)
        )
        for k in range(count)
    ]
    axis = (0.0, 1.0, 0.0) if kind is td.pin else (1.0, 0, 0)
    joints = [
        td.join(kind, links[k], links[k + 1], at=(length * (k + 1), 0, 1.0), axis=axis)
        for k in range(count - 1)
    ]
    if clamped:
        joints.append(td.join(kind, None, links[0], at=(0, 0, 1.0), axis=axis))
    return Tree(links, joints)


def _swung(tree: Tree, u: Array, T: float, rng: Any, *, name: str, link: int) -> Made:
    """A sketch of a tree that starts in its own pose with these rates: samples of a point, its end hard."""
    sketch = TreeSketch(tree, name=name)
    rates, c, Q = shooting(tree, G), *tree.configuration()
    fine = 20 * sketch.steps
    y = np.concatenate([c, Q.T.ravel(), u])[None]
    rows = [y[0]]
    for _ in range(fine):
        y = rates.step(y, T / fine)
        rows.append(y[0])
    nodes = rates.unpacked(T, np.array(rows))
    first, last = tree.links[link].item, tree.links[len(tree.links) - 1].item
    s = uneven(SHOWN, rng)
    path = paths(tree, nodes, link, (0.0, 0.0, 0.0))
    at = np.stack([np.interp(s, np.linspace(0, 1, fine + 1), path[:, k]) for k in range(3)], axis=1)
    is_timed = rng.uniform() < 0.5
    shown = at + TREMOR * rng.normal(size=at.shape)
    times = np.maximum(s * T, 0.0) if is_timed else None
    sketch.follow(first, shown, times=times)
    end = paths(tree, nodes, tree.links.index(tree.links[-1]), last.end2.values["at"])[-1]
    sketch.want(last, tuple(end), at=last.end2)
    sketch.lasts(0.2, 1.2)
    calm = float((nodes.u[::20, spinning(tree)] ** 2).sum()) / (sketch.steps + 1)
    return Made(sketch, float(((at - shown) ** 2).sum()) + CALM * calm)


FAMILIES: dict[str, Family] = {
    "toss": toss,
    "bounce": bounced,
    "walls": two_walls,
    "flips": flips,
    "two-bodies": two_bodies,
    "container": into_container,
    "hook": hooked,
    "clamped": clamped,
}
