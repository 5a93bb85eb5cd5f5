"""Pymunk (Chipmunk, planar): rods as 2-D bodies with pivot joints, sequential impulses; its y is our z."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pymunk

from .scene import ACROSS, GRAVITY, LENGTH, MASS, Array, RodMotion, Rods, RodScene, chain_rods, loop_rods


def _rod_scene(rods: Rods, dt: float, iterations: int) -> RodScene:
    space = pymunk.Space()
    space.gravity = (0, -GRAVITY)
    space.iterations = iterations
    bodies = [pymunk.Body(MASS, ACROSS) for _ in range(rods.count)]
    for body, centre, angle in zip(bodies, rods.centres, rods.angles, strict=True):
        body.position, body.angle = (float(centre[0]), float(centre[2])), -float(angle)
    space.add(*bodies)
    first, last = (-LENGTH / 2, 0), (LENGTH / 2, 0)
    for k in rods.nails:
        place = (float(rods.points[k, 0]), float(rods.points[k, 2]))
        end = first if k == 0 else last
        space.add(pymunk.PivotJoint(space.static_body, bodies[max(k - 1, 0)], place, end))
    for a, b in pairwise(bodies):
        space.add(pymunk.PivotJoint(a, b, last, first))

    def step(n: int) -> None:
        for _ in range(n):
            space.step(dt)

    def read() -> RodMotion:
        def in_plane(pairs: list[tuple[float, ...]]) -> Array:
            x, z = np.array(pairs).T
            return np.stack([x, np.zeros_like(x), z], axis=1)

        spins = np.zeros((rods.count, 3))
        spins[:, 1] = [-body.angular_velocity for body in bodies]
        return RodMotion(
            in_plane([tuple(body.position) for body in bodies]),
            in_plane([tuple(body.rotation_vector) for body in bodies]),
            in_plane([tuple(body.velocity) for body in bodies]),
            spins,
        )

    return RodScene(rods, step, read)


def chain(count: int, dt: float, iterations: int = 10) -> RodScene:
    return _rod_scene(chain_rods(count), dt, iterations)


def loop(count: int, dt: float, iterations: int = 10) -> RodScene:
    return _rod_scene(loop_rods(count), dt, iterations)
