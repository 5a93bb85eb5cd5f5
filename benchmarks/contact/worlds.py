"""Piles as whole worlds: bodies of one kind or mixed, turned at random, over a floor between four walls, with
or without joints; and the same boxes in Rapier."""

from __future__ import annotations

from typing import Any

import numpy as np

import tinkerdyne as td

STEP, G = 1 / 240, 9.81
SPACE = 0.25  # m between bodies at the start
FRICTION = 0.5
JOINED = 3  # every third body hangs on its neighbour
SHAPES = ("box", "sphere", "capsule", "hull", "mixed")


def _hull(random: np.random.Generator, **where: Any) -> td.Item:
    """A convex hull of about 0.1 m of 14 random points."""
    from scipy.spatial import ConvexHull

    points = random.normal(size=(14, 3))
    points *= (0.05 + 0.02 * random.random((14, 1))) / np.linalg.norm(points, axis=1)[:, None]
    hull = ConvexHull(points)
    number = {int(v): k for k, v in enumerate(hull.vertices)}
    outward = []
    for simplex, plane in zip(hull.simplices, hull.equations, strict=True):
        a, b, c = points[simplex]
        turned = simplex if np.cross(b - a, c - a) @ plane[:3] > 0 else simplex[::-1]
        outward.append(tuple(number[int(v)] for v in turned))
    vertices = tuple(map(tuple, points[hull.vertices]))
    return td.Mesh(vertices=vertices, faces=tuple(outward), density=1000.0, **where)


def _body(shape: str, k: int, random: np.random.Generator, **where: Any) -> td.Item:
    if shape == "mixed":
        shape = SHAPES[k % 4]
    a, b, c = random.uniform(0.08, 0.14, 3)
    if shape == "box":
        return td.Box(size=(a, b, c), density=1000.0, **where)
    if shape == "sphere":
        return td.Sphere(radius=a / 2, density=1000.0, **where)
    if shape == "capsule":
        return td.Capsule(radius=a / 3, length=b / 2, density=1000.0, **where)
    return _hull(random, **where)


def pile(n: int, shape: str, seed: int, *, joints: bool = False, **rule: Any) -> td.World:
    """Bodies in a cube over the floor of a bin."""
    random, side = np.random.default_rng([seed, n]), round(n ** (1 / 3))
    world = td.World(max_step=STEP)
    half = 0.5 * side * SPACE + 0.05
    world.add(td.gravity(), td.contact(friction=FRICTION, **rule), td.Floor("floor"))
    for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        world.add(td.Wall(facing=(-x, -y, 0), position=(x * half, y * half, 0)))
    bodies = []
    for k, cell in enumerate(np.ndindex(side, side, side)):
        turn = random.normal(size=4)
        place = SPACE * (np.array(cell) - (0.5 * side - 0.5, 0.5 * side - 0.5, -0.6)) + random.normal(
            0, 0.01, 3
        )
        where = {"position": tuple(place), "orientation": tuple(turn / np.linalg.norm(turn))}
        bodies.append(world.add(_body(shape, k, random, name=f"body{k}", **where)))
    for k in range(0, n - 1 if joints else 0, JOINED):
        middle = (np.array(bodies[k].position) + np.array(bodies[k + 1].position)) / 2
        world.add(td.join(td.ball, bodies[k], bodies[k + 1], at=tuple(middle)))
    return world


def rapier_pile(world: td.World) -> Any:
    """The boxes of a pile in Rapier, with its settings as they come and its sleep off."""
    import rapier3d

    rapier: Any = rapier3d
    copy = rapier.PhysicsWorld(gravity=(0, 0, -G))
    copy.set_num_threads(1)
    copy.integration_parameters.dt = STEP
    ground = copy.add_body(rapier.RigidBodyBuilder(rapier.RigidBodyType.FIXED))
    for item in world:
        if item.type.name in ("floor", "wall"):
            normal = (0.0, 0.0, 1.0) if item.type.name == "floor" else tuple(item.facing)
            shape = rapier.Collider.halfspace(normal).translation(tuple(item.position))
            copy.add_collider(shape.friction(FRICTION), ground)
        elif item.type.name == "box":
            q = item.orientation
            body = (
                rapier.RigidBodyBuilder(rapier.RigidBodyType.DYNAMIC)
                .translation(tuple(item.position))
                .rotation(_turn(q))
                .can_sleep(False)
            )
            handle = copy.add_body(body)
            half = tuple(0.5 * x for x in item.size)
            shape = rapier.Collider.cuboid(*half)
            copy.add_collider(shape.density(1000.0).friction(FRICTION), handle)
    return copy


def _turn(q: Any) -> tuple[float, ...]:
    """A rotation vector of a unit quaternion (w, x, y, z)."""
    w, axis = float(q[0]), np.array(q[1:])
    size = float(np.linalg.norm(axis))
    angle = 2 * np.arctan2(size, w)
    return tuple((angle / size * axis).tolist()) if size > 0 else (0.0, 0.0, 0.0)
