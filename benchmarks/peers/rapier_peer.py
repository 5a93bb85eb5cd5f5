"""Rapier (single precision): rods as rigid bodies with spherical impulse joints, soft-step solver with 4
substeps."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import rapier3d

from .scene import ACROSS, ALONG, GRAVITY, LENGTH, MASS, RodMotion, Rods, RodScene, chain_rods, loop_rods

rapier: Any = rapier3d


def _rod_scene(rods: Rods, dt: float, substeps: int) -> RodScene:
    world = rapier.PhysicsWorld(gravity=(0, 0, -GRAVITY))
    world.set_num_threads(1)
    world.integration_parameters.dt = dt
    world.integration_parameters.num_solver_iterations = substeps
    ground = world.add_body(rapier.RigidBodyBuilder(rapier.RigidBodyType.FIXED))
    mass = rapier.MassProperties((0, 0, 0), MASS, (ALONG, ACROSS, ACROSS))
    handles = [
        world.add_body(
            rapier.RigidBodyBuilder(rapier.RigidBodyType.DYNAMIC)
            .translation(tuple(centre))
            .rotation((0, float(angle), 0))
            .additional_mass_properties(mass)
            .gyroscopic_forces(True)
            .can_sleep(False)
        )
        for centre, angle in zip(rods.centres, rods.angles, strict=True)
    ]
    first, last = (-LENGTH / 2, 0, 0), (LENGTH / 2, 0, 0)
    pairs = [
        (ground, handles[max(k - 1, 0)], tuple(rods.points[k]), first if k == 0 else last) for k in rods.nails
    ]
    pairs += [(a, b, last, first) for a, b in pairwise(handles)]
    for a, b, at_a, at_b in pairs:
        joint = rapier.SphericalJointBuilder().local_anchor1(at_a).local_anchor2(at_b).build()
        world.impulse_joints.insert(a, b, joint)

    def step(n: int) -> None:
        for _ in range(n):
            world.step()

    def read() -> RodMotion:
        bodies = [world.rigid_bodies.get(handle) for handle in handles]
        return RodMotion(
            np.array([tuple(body.translation) for body in bodies]),
            np.array([tuple(body.rotation.transform_vector((1, 0, 0))) for body in bodies]),
            np.array([tuple(body.linvel) for body in bodies]),
            np.array([tuple(body.angvel) for body in bodies]),
        )

    return RodScene(rods, step, read)


def chain(count: int, dt: float, substeps: int = 4) -> RodScene:
    return _rod_scene(chain_rods(count), dt, substeps)


def loop(count: int, dt: float, substeps: int = 4) -> RodScene:
    return _rod_scene(loop_rods(count), dt, substeps)
