"""A trebuchet throws a ball out of a real sling, whose ring slips off its prong when the time has come.

The ball lies loose in a pouch. One rope of the pouch is tied to the beam, the other to a ring around a prong.
Nobody lets go: friction holds the ring while the rope pulls across the prong, and not when it pulls along it.
How the prong is bent decides the moment, and so the angle of the throw.
"""

import numpy as np
from scipy.spatial.transform import Rotation

from tinkerdyne import (
    Box,
    Capsule,
    Compound,
    Floor,
    Sphere,
    Torus,
    World,
    at_most,
    contact,
    distance_between,
    gravity,
    ignore,
    join,
    pin,
)
from tinkerdyne.gallery import Claim

IDS = ("R11", "A1")
GROUP = "Machines"
SECONDS = 1.0
EVERY = 1 / 240
HIGH, LONG, SHORT, SLING, G = 2.0, 2.0, 0.5, 1.5, 9.81  # m, m, m, m, m/s²
LOAD, BALL = 120.0, 1.0  # kg
WIDE, DEEP, WALL = 0.13, 0.05, 0.008  # m, of the pouch
START = np.pi + np.arcsin(0.85)  # where the long arm points: down, and away from the throw


def turned(angle):
    """The quaternion of a turn that takes x to (cos, 0, sin)."""
    return (np.cos(angle / 2), 0.0, -np.sin(angle / 2), 0.0)


def way(angle):
    return np.array((np.cos(angle), 0.0, np.sin(angle)))


def build(bent=-0.25, step=1 / 960):
    """The prong is bent by so much against the beam [rad]."""
    world = World(max_step=step)
    world.add(gravity(), contact(friction=0.4), Floor("floor", size=8.0))
    for k, y in enumerate((-0.3, 0.3)):
        world.add(Box(f"post{k}", size=(0.1, 0.06, HIGH), position=(0, y, HIGH / 2), is_fixed=True))
    pivot = np.array((0.0, 0.0, HIGH))
    beam, load = add_beam(world, pivot, bent)
    tip = pivot + LONG * way(START)
    at, turn = tip + 0.06 * way(START + bent) - (0, 0, 0.012), turned(START + bent + np.pi / 2)
    size = {"radius": 0.03, "thickness": 0.006, "mass": 0.02}
    ring = world.add(Torus("ring", position=tuple(at), orientation=turn, **size))
    pouch, ball = add_pouch(world, tip[0] + np.sqrt(SLING**2 - tip[2] ** 2))
    ends = {"tied": (beam.bar_right, pouch.lower_left), "loose": (ring.centre, pouch.upper_left)}
    for name, (a, b) in ends.items():
        rope = world.add(distance_between(a, b, name=f"{name} rope"))
        world.add(at_most(rope, high=float(rope.value[0]), name=name))
    pairs = [(beam, ball), (beam, pouch), (ring, pouch), (ring, ball)]  # a sling passes beside what swings
    pairs += [(load, other) for other in (beam, ball, pouch, ring, world["floor"])]
    world.add(*(ignore(a, b) for a, b in (*pairs, (beam, world["floor"]))))
    world.show(is_running=True)
    return world


def add_beam(world, pivot, bent):
    """The beam with its prong, on its axle, and the load that hangs from its short end."""
    prong = {"length": 0.16, "radius": 0.012, "density": 7800, "orientation": turned(bent)}
    shapes = {
        "bar": Box(size=(LONG + SHORT, 0.1, 0.1), position=((LONG - SHORT) / 2, 0, 0), density=300),
        "prong": Capsule(position=tuple(np.array((LONG, 0, 0)) + 0.08 * way(bent)), **prong),
    }
    beam = Compound("beam", shapes=shapes, orientation=turned(START))
    beam.position = tuple(pivot + Rotation.from_quat(np.roll(turned(START), -1)).apply(beam.offset))
    end = pivot - SHORT * way(START)
    load = Box("load", size=(0.4, 0.4, 0.4), mass=LOAD, position=tuple(end - (0, 0, 0.3)))
    world.add(beam, load)
    world.add(join(pin, None, beam, at=tuple(pivot), axis=(0, 1, 0), name="axle"))
    world.add(join(pin, beam, load, at=tuple(end), axis=(0, 1, 0), name="hanger"))
    return beam, load


def add_pouch(world, x):
    """A shallow cup that lies on its side and opens towards the beam, with the ball in it."""
    sides = {"bottom": Box(size=(WALL, WIDE, WIDE), density=500, position=(DEEP / 2, 0, 0))}
    for name, y, z in (("upper", 0, 1), ("lower", 0, -1), ("near", -1, 0), ("far", 1, 0)):
        size = (DEEP, WIDE, WALL) if z else (DEEP, WALL, WIDE)
        sides[name] = Box(size=size, density=500, position=(0, y * WIDE / 2, z * WIDE / 2))
    pouch = Compound("pouch", shapes=sides)
    pouch.position = (x + pouch.offset[0], 0, (WIDE + WALL) / 2 + pouch.offset[2])
    ball = Sphere("ball", radius=0.05, mass=BALL, position=(x - 0.03, 0, WALL + 0.05))
    return world.add(pouch, ball)


def check(world, recording):
    place, speed = recording["ball.position"], recording["ball.velocity"]
    flies = recording.time > 0.85
    fallen = speed[flies] + np.outer(recording.time[flies], (0, 0, G))
    yield Claim("how much its flight differs from a free one", np.ptp(fallen, axis=0).max(), 1e-9, "m/s")
    x, up = np.hypot(*speed[-1, :2]), speed[-1, 2]
    lands = x * (up + np.sqrt(up**2 + 2 * G * place[-1, 2])) / G + place[-1, 0]
    yield Claim.at_least("how far that takes it", lands, 40.0, "m")
    rises = np.sqrt(up**2 + 2 * G * (place[-1, 2] - 4.0))
    yield Claim.near("angle of the throw", np.degrees(np.arctan2(rises, x)), 45.0, 15.0, "°")
    sunk = recording["load.position"][0, 2] - recording["load.position"][:, 2].min()
    kept = (np.sum(speed[-1] ** 2) / 2 + G * place[-1, 2]) * BALL / (LOAD * G * sunk)
    yield Claim.near("share of the load's energy that the ball takes along", 100 * kept, 50.0, 35.0, "%")
    energy = recording.kinetic_energy + recording.potential_energy
    yield Claim(
        "energy gained at any moment, of the load's",
        100 * np.diff(energy).max() / (LOAD * G * sunk),
        0.1,
        "%",
    )
