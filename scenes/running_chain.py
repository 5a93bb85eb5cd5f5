"""A chain of 120 links that ran off its sprockets runs on, and keeps its shape.

A closed chain that moves along itself needs only the tension μ v² to turn every corner, whatever its shape:
Airy and Routh's puzzle, true of an ideal chain. Links of a length l turn corners of a radius r with an error
of order (l/r)².
"""

import numpy as np

from tinkerdyne import PlanarRod, World, connect
from tinkerdyne.gallery import Claim

IDS = ("A1", "A7")
GROUP = "Papers"
SECONDS = 2.0
LINKS, LONG, WIDE, SPEED = 120, 1.0, 0.5, 4.0  # the loop is an ellipse with these half axes [m]; m/s


def build():
    world = World(max_step=1 / 2000, tolerance=1e-9)
    fine = np.linspace(0, 2 * np.pi, 100_001)
    dense = np.column_stack([LONG * np.cos(fine), WIDE * np.sin(fine)])
    arc = np.append(0, np.cumsum(np.hypot(*np.diff(dense, axis=0).T)))
    pins = np.column_stack([np.interp(np.linspace(0, arc[-1], LINKS + 1), arc, one) for one in dense.T])
    ways = np.diff(pins, axis=0)
    length = np.hypot(*ways.T).mean()
    angles = np.unwrap(np.arctan2(ways[:, 1], ways[:, 0]))
    bends = (np.roll(angles, -1) - np.roll(angles, 1)) % (2 * np.pi) / 2
    links = world.add(
        *[
            PlanarRod(
                f"link{k}",
                length=length,
                width=length / 4,
                mass=length,
                position=(pins[k] + pins[k + 1]) / 2,
                angle=angles[k],
                velocity=SPEED * ways[k] / length,
                spin=SPEED * bends[k] / length,
            )
            for k in range(LINKS)
        ]
    )
    world.add(*[connect(links[k - 1].end2, links[k].end1, name=f"pin{k}") for k in range(LINKS)])
    world.project()
    return world


def check(world, recording):
    x, v = (
        np.stack([recording[f"link{k}.{what}"] for k in range(LINKS)], 1) for what in ("position", "velocity")
    )
    spin = np.stack([recording[f"link{k}.spin"] for k in range(LINKS)], 1)
    mass, inertia = world["link0"].mass, world["link0"].inertia
    pull = np.stack([np.hypot(*recording[f"pin{k}.force"].T) for k in range(LINKS)], 1)
    yield Claim("tension beside μ v²", 100 * np.abs(pull / SPEED**2 - 1).max(), 0.2, "%")  # 1 kg/m
    size = np.hypot(x[..., 0] / LONG, x[..., 1] / WIDE)
    yield Claim("distance from the ellipse, of its axes", 100 * np.abs(size - 1).max(), 1, "%")
    yield Claim.at_least(
        "way of a link", np.hypot(*np.diff(x[:, 0], axis=0).T).sum(), 0.99 * SPEED * SECONDS, "m"
    )
    momentum = (mass * (x[..., 0] * v[..., 1] - x[..., 1] * v[..., 0]) + inertia * spin).sum(axis=1)
    yield Claim("change of angular momentum", 100 * np.ptp(momentum) / momentum[0], 1e-8, "%")
    yield Claim(
        "change of energy", 100 * np.ptp(recording.kinetic_energy) / recording.kinetic_energy[0], 1e-6, "%"
    )
    yield Claim("widest gap of a pin", max(recording[f"pin{k}.gap"].max() for k in range(LINKS)), 1e-9, "m")
