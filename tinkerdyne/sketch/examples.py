"""MS03's examples as sketches that a hand made (M9): the die, the pencil, the hat and the box, the chain."""

from __future__ import annotations

import math
from itertools import permutations, product
from typing import Any, NamedTuple

import numpy as np
from scipy.spatial.transform import Rotation

from tinkerdyne.constraints.joints import join, universal
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item
from tinkerdyne.objects.compound import rotation_matrix
from tinkerdyne.objects.shapes import Box, Capsule, Cylinder, Mesh
from tinkerdyne.objects.surfaces import revolved
from tinkerdyne.sketch.apart import Moving, deep_pieces
from tinkerdyne.sketch.articulated import TreeSketch
from tinkerdyne.sketch.collision import bounce
from tinkerdyne.sketch.drawing import Mark
from tinkerdyne.sketch.flight import Shape, flight, quaternion_of, shape_of
from tinkerdyne.sketch.flight import flown as along
from tinkerdyne.sketch.hand import shaky, slerp, uneven
from tinkerdyne.sketch.pieces import Pieces, pieces_of
from tinkerdyne.sketch.quaternion import matrices, multiplied, products
from tinkerdyne.sketch.simulate import poses, simulated
from tinkerdyne.sketch.sketch import Sketch
from tinkerdyne.sketch.story import Surface
from tinkerdyne.sketch.tree import Tree

G = np.array((0.0, 0.0, -9.81))
TILT = math.radians(6)
TABLE = Surface()
SHOWN = 16  # samples of a flight
DIE = 0.08  # m, edge of the die
STEP = 0.22  # m between two bounces of the die
PENCIL, MUG = 0.18, (0.55, 0.0, 0.1)  # m: its length, and where its middle is when it stands in the mug
CUP = {"radius": 0.04, "height": 0.1, "wall": 0.003}  # m


# --- flying forth and back ----------------------------------------------------------------------
def flown(shape: Shape, state: tuple[Array, ...], times: Array) -> tuple[Array, Array]:
    """Places and orientations of a flight; the state's orientation and spin are those of the principal
    axes."""
    x, q, *_ = along(shape.kind, state, shape.moments, G, times)
    return x, products(q, shape.turn * (1, -1, -1, -1))


def lowest(shape: Shape, x: Array, q: Array) -> Array:
    """Heights of all corners along a flight, (n, corners)."""
    return np.asarray((x[:, None] + shape.corners @ matrices(q).transpose(0, 2, 1))[:, :, 2])


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


def _is_clear(body: Item, mug: Item, walls: Pieces, leg: Leg) -> bool:
    """Whether a flight passes through no wall of the mug."""
    s, m = shape_of(body), shape_of(mug)
    still = (
        np.tile(mug.position, (len(leg.x), 1)),
        np.tile(rotation_matrix(mug.orientation) @ m.axes, (len(leg.x), 1, 1)),
    )
    a, b = Moving(s.hull, leg.x, matrices(products(leg.q, s.turn))), Moving(m.hull, *still)
    return not deep_pieces(pieces_of(body, s), walls, a, b, 1e-4)


def _thrown(shape: Shape, corner: int, rng: Any) -> tuple[Leg, Leg]:
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


def _unstruck(shape: Shape, after: list[Array], corner: int, e: float) -> tuple[Array, Array] | None:
    """Velocities before a blow on the table, from those after it; none when it was no blow."""
    x, q, v, w = after
    R = rotation_matrix(q)
    r = R @ shape.inside(shape.corners[corner])
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


# --- the die ------------------------------------------------------------------------------------
def spelled(word: str) -> list[Array]:
    """For each letter the turn of the die, of the 24 that a cube has, that shows its side to the viewer
    (towards −y).

    A letter that is new takes the free side that is reached by the least turn, if possible about the
    vertical; one that comes again is shown again in the same way.
    """
    if not isinstance(word, str) or not 1 <= len(word) <= 6 or not word.isalnum():
        raise ValueError(f"the die spells a word of one to six letters, not {word!r}")
    turns = [
        np.array(axes)
        for order in permutations(np.eye(3))
        for signs in product((1, -1), repeat=3)
        if np.linalg.det(axes := np.array([s * a for s, a in zip(signs, order, strict=True)])) > 0
    ]
    chosen: dict[str, Array] = {}
    now = np.eye(3)
    out = []
    for letter in word.upper():
        if letter not in chosen:
            taken = [C.T @ (0, -1, 0) for C in chosen.values()]
            free = [C for C in turns if not any(np.allclose(C.T @ (0, -1, 0), side) for side in taken)]
            chosen[letter] = min(free, key=lambda C: (round(-np.trace(C @ now.T)), -(C @ now.T)[1, 0]))
        now = chosen[letter]
        out.append(now)
    return out


def lettered(word: str) -> list[Mark]:
    """The letters on the sides of the die."""
    sides = dict(zip(word.upper(), spelled(word), strict=True))
    out = [
        (letter, C.T @ np.array((0.0, -1.0, 0.0)), C.T @ np.array((0.0, 0.0, 1.0)))
        for letter, C in sides.items()
    ]
    return [Mark(letter, normal, up, DIE / 2 * normal, 0.6 * DIE) for letter, normal, up in out]


def die(word: str = "MOTION", seed: int = 0, *, tremor: float = 0.012, twist: float = 0.1) -> Sketch:
    """A die bounces across the table in a straight line and shows a letter at each bounce: more is asked than
    can be (MS03 §6.1.3).

    The poses at the bounces are hard; the normals may lean by 6°; what velocities then lack is made small and
    reported.
    """
    rng = np.random.default_rng(3000 + seed)
    body = Box("die", size=(DIE,) * 3, mass=0.05)
    shape = shape_of(body)
    turns = []
    for C in spelled(word):  # nearly upright on a corner, so that a blow there throws it up rather than round
        lean = (rng.uniform(0.62, 0.78), rng.uniform(0.45, 0.6), 0.08 * rng.normal())
        turns.append(quaternion_of(Rotation.from_euler("yxz", lean).as_matrix() @ C))
    corners = [int((shape.corners @ rotation_matrix(q).T)[:, 2].argmin()) for q in turns]
    places = [
        np.array((STEP * k, 0.0, 0.0)) - rotation_matrix(q) @ shape.corners[c]
        for k, (q, c) in enumerate(zip(turns, corners, strict=True))
    ]
    turns = [
        multiplied(turns[0], quaternion_of(Rotation.from_rotvec(0.8 * rng.normal(size=3)).as_matrix())),
        *turns,
    ]
    places = [places[0] + (-STEP, 0.0, 0.25), *places]
    last = multiplied(turns[-1], quaternion_of(Rotation.from_rotvec(0.8 * rng.normal(size=3)).as_matrix()))
    sketch = Sketch(body, name=f"die spelling {word.upper()}")
    sketch.gap_weight = 300.0
    sketch.marks["die"] = lettered(word)
    for k in range(len(turns)):
        is_last = k == len(turns) - 1
        q1 = last if is_last else turns[k + 1]
        x1 = places[k] + (STEP, 0.0, 0.05) if is_last else places[k + 1]
        s = uneven(SHOWN, rng)
        rise = 0.0 if k == 0 else rng.uniform(0.07, 0.12)
        x = places[k] + s[:, None] * (x1 - places[k]) + np.outer(4 * s * (1 - s) * rise, (0, 0, 1))
        sketch.follow(body, *shaky(x, slerp(turns[k], q1, s), rng, tremor=tremor, twist=twist))
        sketch.lasts(0.12, 0.8)
        if not is_last:
            sketch.want(body, position=x1, orientation=q1, name=f"{word.upper()[k]} at bounce {k + 1}")
            sketch.bounce(body, shape.corners[corners[k]], on=TABLE, restitution=(0.4, 0.9), tilt=TILT)
    return sketch


# --- the hat and the box ------------------------------------------------------------------------
HAT = {"radius": 0.1, "depth": 0.12, "brim": 0.17, "felt": 0.008}  # m


def hat_body() -> Item:
    """A hat about its own x axis, its opening towards +x."""
    R, H, B, t = HAT.values()
    profile = [(0.0, 0.0), (0.0, R), (H - t, R), (H - t, B), (H, B), (H, R - t), (t, R - t), (t, 0.0)]
    vertices, faces = revolved(profile, 12)
    return Mesh("hat", vertices=vertices, faces=faces, mass=0.12)


def hat_and_box(seed: int = 0, *, tremor: float = 0.012, twist: float = 0.1) -> Sketch:
    """A hat and a box fly towards each other, meet in mid-air, and land on the table with the box in the hat
    (MS03 §6.2.3)."""
    rng = np.random.default_rng(4000 + seed)
    hat, box = hat_body(), Box("box", size=(0.06,) * 3, mass=0.08)
    up = quaternion_of(Rotation.align_vectors([(0, 0, 1.0)], [(1.0, 0, 0)])[0].as_matrix())
    sketch = Sketch(hat, box, name="hat and box")
    bottom = np.array((HAT["felt"], 0.0, 0.0)) - np.array(hat.offset)  # the inside of its crown
    meet = np.array((0.0, 0.0, 0.75)) + 0.04 * rng.normal(size=3)
    rest = np.array((0.1 * rng.normal(), 0.1 * rng.normal(), hat.offset[0]))
    towards = np.array((0.0, 1.0, 0.0))  # turned about it, the hat holds its opening against the box
    tipped = multiplied(
        quaternion_of(Rotation.from_rotvec(1.05 * towards + 0.15 * rng.normal(size=3)).as_matrix()), up
    )
    thrown = multiplied(quaternion_of(Rotation.from_rotvec(rng.uniform(0.3, 0.8) * towards).as_matrix()), up)
    inside = rotation_matrix(tipped) @ (np.add(bottom, (0.5 * math.sqrt(3) * 0.06, 0, 0)))
    cubes = [quaternion_of(Rotation.from_rotvec(a * rng.normal(size=3)).as_matrix()) for a in (1.0, 0.6, 0.6)]
    starts = {"hat": np.array((-0.6, 0.0, 0.35)), "box": np.array((0.6, 0.0, 0.8))}
    s = uneven(SHOWN, rng)
    arc = np.outer(4 * s * (1 - s), (0, 0, 1.0))
    sketch.lasts(0.2, 0.8)
    sketch.follow(
        hat,
        *shaky(
            starts["hat"] + s[:, None] * (meet - starts["hat"]) + 0.12 * arc,
            slerp(thrown, tipped, s),
            rng,
            tremor=tremor,
            twist=twist,
        ),
    )
    ends = meet + inside - starts["box"]
    sketch.follow(
        box,
        *shaky(
            starts["box"] + s[:, None] * ends + 0.1 * arc,
            slerp(cubes[0], cubes[1], s),
            rng,
            tremor=tremor,
            twist=twist,
        ),
    )
    corner = shape_of(box).corners[int((shape_of(box).corners @ rotation_matrix(cubes[1]).T)[:, 2].argmin())]
    # so that all of the box is in the crown
    R = (HAT["radius"] - HAT["felt"]) * math.cos(math.pi / 12) - 0.5 * math.sqrt(3) * 0.06
    crown = np.add(bottom, (0.03, -R, -R)), np.add(bottom, (0.09, R, R))
    sketch.inside(box, hat, *crown)
    sketch.collide(box, corner, hat, origin=bottom, normal=(1.0, 0, 0), reach=HAT["radius"] - HAT["felt"],
                   restitution=(0.09, 0.11), tilt=TILT, name="collision in mid-air")  # fmt: skip
    s = uneven(SHOWN, rng)
    sketch.lasts(0.15, 0.8)
    drop = rest - meet
    sketch.follow(
        hat, *shaky(meet + s[:, None] * drop, slerp(tipped, up, s), rng, tremor=tremor, twist=twist)
    )
    offset = rotation_matrix(up) @ np.add(bottom, (0.05, 0, 0))
    x = meet + inside + s[:, None] * (rest + offset - meet - inside)
    sketch.follow(box, *shaky(x, slerp(cubes[1], cubes[2], s), rng, tremor=tremor, twist=twist))
    sketch.want(hat, position=rest, name="hat on the table")
    sketch.want(hat, orientation=up, hard=False, weight=10.0)
    sketch.inside(box, hat, *crown)
    sketch.keep_above(Surface((0.0, 0.0, -0.03)))
    return sketch


# --- the chain ----------------------------------------------------------------------------------
LINK = 0.25  # m


def chain_tree() -> Tree:
    """Three links in a row with universal joints between them, free in space."""
    links = [
        Capsule(f"link {k + 1}", radius=0.02, length=LINK - 0.04, mass=0.15, position=(LINK * k, 0.0, 1.0))
        for k in range(3)
    ]
    joints = [
        join(universal, links[k], links[k + 1], at=(LINK * (k + 0.5), 0.0, 1.0), axis=(1.0, 0, 0))
        for k in range(2)
    ]
    return Tree(links, joints)


def chain(seed: int = 0, *, tree: Tree | None = None, tremor: float = 0.02) -> TreeSketch:
    """A chain of three links flies across and reaches a hook with its end (MS03 §6.3): start pose hard, end
    point hard."""
    rng = np.random.default_rng(5000 + seed)
    tree = tree or chain_tree()
    sketch = TreeSketch(tree, name="chain to a hook")
    hook = np.array((rng.uniform(1.6, 2.0), rng.uniform(-0.3, 0.3), rng.uniform(0.9, 1.5)))
    s = uneven(SHOWN, rng)
    top = np.array((0.0, 0.0, 1.0))
    # the chain stays long
    behind = 0.56 * np.array((math.cos(lean := rng.uniform(-0.7, 0.7)), 0.2 * rng.normal(), math.sin(lean)))
    path = (
        top
        + s[:, None] * (hook - top - behind)
        + np.outer(4 * s * (1 - s) * rng.uniform(0.3, 0.5), (0, 0, 1))
    )
    first, last = tree.links[0].item, tree.links[2].item
    sketch.follow(first, path + tremor * rng.normal(size=path.shape))
    sketch.want(last, hook, at=last.end2)
    sketch.lasts(0.4, 1.5)
    return sketch


# --- a throw with known answers -----------------------------------------------------------------
def thrown_die(
    seed: int = 0, *, bounces: int = 4, tremor: float = 0.01, twist: float = 0.08
) -> tuple[Sketch, list[int]]:
    """A die that was really thrown, sketched by a hand; the corners that struck are the answer to be
    found."""
    rng = np.random.default_rng(6000 + seed)
    body = Box("die", size=(DIE,) * 3, mass=0.05)
    shape = shape_of(body)
    while True:
        q = rng.normal(size=4)
        v = (rng.uniform(0.8, 1.4), 0.2 * rng.normal(), rng.uniform(-0.5, 0.5))
        state = ((0.0, 0.0, rng.uniform(0.35, 0.55)), q / np.linalg.norm(q), v, 5 * rng.normal(size=3))
        flights = simulated(shape, state, bounces, restitution=0.8)
        if len(flights) == bounces + 1 and min(f.T for f in flights) > 0.09:
            break
    sketch = Sketch(body, name="thrown die")
    for k, one in enumerate(flights):
        sketch.follow(body, *shaky(*poses(shape, one, uneven(SHOWN, rng)), rng, tremor=tremor, twist=twist))
        if k < bounces:
            sketch.bounce(body, on=TABLE, restitution=0.8)
    return sketch, [one.corner for one in flights[:-1]]
