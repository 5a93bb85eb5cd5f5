"""PyBullet: rods as free multibodies with point-to-point constraints, 50 sweeps of projected Gauss–Seidel."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pybullet

from .scene import (
    ACROSS,
    ALONG,
    GRAVITY,
    LENGTH,
    MASS,
    RodMotion,
    Rods,
    RodScene,
    chain_rods,
    loop_rods,
)

bullet: Any = pybullet

_NO_LIMIT = 1e9  # N on a joint, and rad/s on a body: no joint may break


def _rod_scene(rods: Rods, dt: float, iterations: int) -> RodScene:
    world = bullet.connect(bullet.DIRECT)
    bullet.setGravity(0, 0, -GRAVITY, physicsClientId=world)
    bullet.setPhysicsEngineParameter(fixedTimeStep=dt, numSolverIterations=iterations, physicsClientId=world)

    def add_rod(centre: list[float], quaternion: list[float]) -> int:
        w, x, y, z = quaternion
        body: int = bullet.createMultiBody(MASS, -1, -1, centre, [x, y, z, w], physicsClientId=world)
        bullet.changeDynamics(
            body,
            -1,
            localInertiaDiagonal=[ALONG, ACROSS, ACROSS],
            linearDamping=0,
            angularDamping=0,
            maxJointVelocity=_NO_LIMIT,
            activationState=bullet.ACTIVATION_STATE_DISABLE_SLEEPING,
            physicsClientId=world,
        )
        return body

    bodies = [add_rod(list(c), list(q)) for c, q in zip(rods.centres, rods.quaternions, strict=True)]
    first, last, free = [-LENGTH / 2, 0, 0], [LENGTH / 2, 0, 0], [0, 0, 0]
    ball = bullet.JOINT_POINT2POINT
    pairs = [(bodies[max(k - 1, 0)], -1, first if k == 0 else last, list(rods.points[k])) for k in rods.nails]
    pairs += [(a, b, last, first) for a, b in pairwise(bodies)]
    for a, b, at_a, at_b in pairs:
        joint = bullet.createConstraint(a, -1, b, -1, ball, free, at_a, at_b, physicsClientId=world)
        bullet.changeConstraint(joint, maxForce=_NO_LIMIT, physicsClientId=world)

    def step(n: int) -> None:
        for _ in range(n):
            bullet.stepSimulation(world)

    def read() -> RodMotion:
        places = [bullet.getBasePositionAndOrientation(body, physicsClientId=world) for body in bodies]
        speeds = [bullet.getBaseVelocity(body, physicsClientId=world) for body in bodies]
        turns = np.array([bullet.getMatrixFromQuaternion(quaternion) for _, quaternion in places]).reshape(
            -1, 3, 3
        )
        return RodMotion(
            np.array([centre for centre, _ in places]),
            turns[:, :, 0],
            np.array([velocity for velocity, _ in speeds]),
            np.array([spin for _, spin in speeds]),
        )

    return RodScene(rods, step, read)


def chain(count: int, dt: float, iterations: int = 50) -> RodScene:
    return _rod_scene(chain_rods(count), dt, iterations)


def loop(count: int, dt: float, iterations: int = 50) -> RodScene:
    return _rod_scene(loop_rods(count), dt, iterations)
