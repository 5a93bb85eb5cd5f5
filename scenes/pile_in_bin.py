"""Forty-eight bodies of eight kinds are poured into a bin, and come to rest as a pile.

Boxes, balls, capsules, cylinders, cones, rings, dumbbells and wedges, turned at random. In the end nothing
moves, nothing has sunk into the floor, and nothing has left the bin. `build(many=216)` pours more.
"""

import numpy as np
from scipy.spatial.transform import Rotation

from tinkerdyne import (
    Box,
    Capsule,
    Compound,
    Cone,
    Cylinder,
    Floor,
    Mesh,
    Sphere,
    Torus,
    World,
    contact,
    gravity,
    surface,
)
from tinkerdyne.gallery import Claim

IDS = ("R11",)
GROUP = "Stacks, rolls and blows"
SECONDS = 4.0
SLOW = True
SIDE, HIGH, THIN = 0.8, 0.6, 0.04  # m
WEDGE = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
FACES = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]


def dumbbell(name, a, b, **rest):
    """Two balls on a bar."""
    ends = {
        side: Sphere(radius=a / 2, position=(x * b / 2, 0, 0)) for side, x in (("left", -1), ("right", 1))
    }
    return Compound(name, shapes={**ends, "bar": Cylinder(radius=a / 6, length=b)}, **rest)


def body(k, name, a, b, **rest):
    """One of eight kinds, of two sizes."""
    kinds = (
        lambda: Box(name, size=(a, b, a), **rest),
        lambda: Sphere(name, radius=a / 2, **rest),
        lambda: Capsule(name, radius=a / 3, length=b, **rest),
        lambda: Cylinder(name, radius=a / 2, length=b, **rest),
        lambda: Cone(name, radius=a / 2, height=b, **rest),
        lambda: Torus(name, radius=a / 2, thickness=a / 6, **rest),
        lambda: Mesh(name, vertices=1.5 * a * WEDGE, faces=FACES, **rest),
        lambda: dumbbell(name, a, b, **rest),
    )
    return kinds[k % len(kinds)]()


def build(seed=5, many=48, step=1 / 240):
    random, world = np.random.default_rng(seed), World(max_step=step)
    world.add(gravity(), contact(friction=0.5), Floor("floor", size=2.0))
    for k, (x, y) in enumerate(((-1, 0), (1, 0), (0, -1), (0, 1))):
        size = (THIN, SIDE + 2 * THIN, HIGH) if x else (SIDE, THIN, HIGH)
        place = (x * (SIDE + THIN) / 2, y * (SIDE + THIN) / 2, HIGH / 2)
        world.add(Box(f"side{k}", size=size, position=place, is_fixed=True))
    for k in range(many):
        turn, (layer, cell) = random.normal(size=4), divmod(k, 9)
        place = (0.27 * (cell % 3 - 1), 0.27 * (cell // 3 - 1), 0.3 + 0.27 * layer)
        where = {"position": place, "orientation": tuple(turn / np.linalg.norm(turn))}
        world.add(body(k, f"body{k}", *random.uniform(0.12, 0.2, 2), density=500.0, **where))
    return world


def corners(item):
    """Places all over the surface of a body, where it is now."""
    turn = Rotation.from_quat(np.roll(item.orientation, -1))
    return turn.apply(surface(item)[0]) + item.position


def check(world, recording):
    energy = recording.kinetic_energy + recording.potential_energy
    yield Claim(
        "energy gained at any moment, of all", 100 * np.diff(energy).max() / np.ptp(energy), 0.01, "%"
    )
    yield Claim("kinetic energy in the end", recording.kinetic_energy[-1], 1e-9, "J")
    places = np.vstack([corners(item) for item in world if item.name.startswith("body")])
    yield Claim("how far anything has sunk into the floor", -1e3 * places[:, 2].min(), 0.1, "mm")
    yield Claim.at_least(
        "room left beside the furthest", 1e3 * (SIDE / 2 - np.abs(places[:, :2]).max()), -0.1, "mm"
    )
