"""Our engine on the scenes of `peers.scene`, through its public door only."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import casadi as ca
import numpy as np

import tinkerdyne as td

from .peers.scene import (
    ACROSS,
    ALONG,
    LENGTH,
    MASS,
    Array,
    Diverged,
    Net,
    NetScene,
    Place,
    RodMotion,
    Rods,
    RodScene,
)

DT = 1 / 240  # s, one step
# of the sum of energies: rounding, between what the world says and what is computed from places
AGREEMENT = 1e-9


@dataclass(frozen=True)
class Ours:
    """A world and the same measurements that peers get; while it runs, energies are the world's own, which is
    faster."""

    world: td.World
    outside: RodScene | NetScene
    dt: float
    items: tuple[Any, ...]  # the bodies or particles

    def step(self, n: int) -> None:
        if not self.world.step(n * self.dt):
            raise Diverged("the world stopped being finite")

    def gap(self) -> float:
        return self.world.gap

    def potential(self) -> float:
        return self.world.potential_energy

    def energy(self) -> float:
        return self.world.energy

    def tip(self) -> Place:
        return self.outside.tip()

    def outside_gap(self) -> float:
        """The gap computed from places, after a check that the energy computed from them is the world's."""
        ours, theirs = self.world.energy, self.outside.energy()
        scale = abs(self.world.kinetic_energy) + abs(self.world.potential_energy)
        if not abs(ours - theirs) <= AGREEMENT * scale:
            raise AssertionError(
                f"the world says its energy is {ours!r} J, its places and velocities say {theirs!r} J"
            )
        return self.outside.gap()


def rotations(quaternions: Array) -> Array:
    """(N, 3, 3) from (N, 4) in the order w, x, y, z."""
    w, x, y, z = quaternions.T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.array(rows).transpose(2, 0, 1)


def rod(k: int, centre: Array, quaternion: Array) -> Any:
    """A rod with the inertia of the peers' rods."""
    inertia = (ALONG, ACROSS, ACROSS)
    return td.RigidBody(
        mass=MASS, inertia=inertia, position=tuple(centre), orientation=tuple(quaternion), name=f"rod{k}"
    )


def end1(body: Any) -> Any:
    return td.point(body, at=(-LENGTH / 2, 0.0, 0.0))


def end2(body: Any) -> Any:
    return td.point(body, at=(LENGTH / 2, 0.0, 0.0))


def rods(layout: Rods, *, dt: float = DT, **settings: Any) -> Ours:
    """Rods with `connect` at every joint; dt is max_step unless that is set apart."""
    world = td.World(**{"max_step": dt, **settings})
    bodies = [rod(k, c, q) for k, (c, q) in enumerate(zip(layout.centres, layout.quaternions, strict=True))]
    joints = [td.connect(end2(a), end1(b)) for a, b in pairwise(bodies)]
    for k in layout.nails:
        joints.append(
            td.connect(end1(bodies[0]) if k == 0 else end2(bodies[k - 1]), td.Nail(*layout.points[k]))
        )
    world.add(*bodies, *joints, td.gravity())

    def read() -> RodMotion:
        turns = rotations(np.array([body.orientation for body in bodies]))
        spins = np.array([body.spin for body in bodies])  # in the rod's own axes
        return RodMotion(
            np.array([body.position for body in bodies]),
            turns[:, :, 0],
            np.array([body.velocity for body in bodies]),
            np.einsum("nij,nj->ni", turns, spins),
        )

    return Ours(world, RodScene(layout, world.step, read), dt, tuple(bodies))


def net(layout: Net, *, dt: float, **settings: Any) -> Ours:
    """Particles with `distance` along the grid and `nail` at two corners."""
    world = td.World(max_step=dt, **settings)
    particles = [td.Particle(mass=MASS, position=tuple(place)) for place in layout.points]
    strings = [td.distance(particles[a], particles[b], length=1.0) for a, b in layout.edges]
    nails = [td.nail(particles[k], at=tuple(layout.points[k])) for k in layout.nails]
    world.add(*particles, *strings, *nails, td.gravity())

    def read() -> tuple[Array, Array]:
        return np.array([p.position for p in particles]), np.array([p.velocity for p in particles])

    return Ours(world, NetScene(layout, world.step, read), dt, tuple(particles))


# Pendulums hung from the origin, horizontal along +x at the start, for work-precision; each gives (world,
# reader of the tip)

Pendulum = tuple[td.World, Callable[[], Place]]


def _adaptive(tolerance: float) -> td.World:
    return td.World(method="adaptive", rtol=tolerance, atol=tolerance)


def _reader(tip: Any, attribute: str) -> Callable[[], Place]:
    def read() -> Place:
        x, z = getattr(tip, attribute)
        return float(x), 0.0, float(z)

    return read


def double_of_particles(tolerance: float) -> Pendulum:
    """Two point masses in the plane, kept at their distances."""
    world = _adaptive(tolerance)
    upper, lower = (td.Particle(mass=MASS, position=(k * LENGTH, 0.0)) for k in (1, 2))
    strings = td.distance(td.Nail(0.0, 0.0), upper, length=LENGTH), td.distance(upper, lower, length=LENGTH)
    world.add(upper, lower, *strings, td.gravity())
    return world, _reader(lower, "position")


def ten_of_bodies(tolerance: float) -> Pendulum:
    """Ten planar rods, joined end to end."""
    world = _adaptive(tolerance)
    first, last = (-LENGTH / 2, 0.0), (LENGTH / 2, 0.0)
    bodies = [td.PlanarBody(mass=MASS, inertia=ACROSS, position=((k + 0.5) * LENGTH, 0.0)) for k in range(10)]
    joints = [td.connect(td.Nail(0.0, 0.0), td.point(bodies[0], at=first))]
    joints += [td.connect(td.point(a, at=last), td.point(b, at=first)) for a, b in pairwise(bodies)]
    tip = td.point(bodies[-1], at=last)
    world.add(*bodies, *joints, tip, td.gravity())
    return world, _reader(tip, "value")


@td.lagrangian
def double_pendulum(*, angles: Any = (math.pi / 2, math.pi / 2)) -> Any:
    """Two point masses; the angles are those of the links from the downward vertical."""
    upper = ca.vertcat(ca.sin(angles[0]), -ca.cos(angles[0])) * LENGTH
    return upper, upper + ca.vertcat(ca.sin(angles[1]), -ca.cos(angles[1])) * LENGTH


@td.lagrangian
def ten_rods(*, angles: Any = (math.pi / 2,) * 10) -> Any:
    """Each rod is two half masses at its radius of gyration, L/√12, either side of its centre."""
    places, end = [], ca.SX.zeros(2)
    for k in range(10):
        along = ca.vertcat(ca.sin(angles[k]), -ca.cos(angles[k])) * LENGTH
        places += [end + along * (0.5 + side / math.sqrt(12)) for side in (-1, 1)]
        end = end + along
    return places


def _lagrangian(thing: Any, tolerance: float) -> Pendulum:
    world = _adaptive(tolerance)
    world.add(thing, td.gravity())

    def read() -> Place:
        angles = np.asarray(thing.angles)
        return float(LENGTH * np.sin(angles).sum()), 0.0, float(-LENGTH * np.cos(angles).sum())

    return world, read


def double_of_angles(tolerance: float) -> Pendulum:
    """One Lagrangian object with two coordinates."""
    return _lagrangian(double_pendulum(masses=(MASS,) * 2), tolerance)


def ten_of_angles(tolerance: float) -> Pendulum:
    """One Lagrangian object with ten coordinates."""
    return _lagrangian(ten_rods(masses=(MASS / 2,) * 20), tolerance)
