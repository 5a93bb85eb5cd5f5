"""Drake: rods as free bodies with ball constraints in a discrete multibody plant (SAP solver)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pydrake.math
import pydrake.multibody.plant
import pydrake.multibody.tree
import pydrake.systems.analysis

from .scene import ACROSS, ALONG, GRAVITY, LENGTH, MASS, RodMotion, Rods, RodScene, chain_rods, loop_rods

tree: Any = pydrake.multibody.tree
plants: Any = pydrake.multibody.plant
analysis: Any = pydrake.systems.analysis
RigidTransform: Any = pydrake.math.RigidTransform
RotationMatrix: Any = pydrake.math.RotationMatrix


def _rod_scene(rods: Rods, dt: float) -> RodScene:
    plant = plants.MultibodyPlant(time_step=dt)
    plant.set_discrete_contact_approximation(plants.DiscreteContactApproximation.kSap)
    plant.mutable_gravity_field().set_gravity_vector([0, 0, -GRAVITY])
    inertia = tree.SpatialInertia(
        MASS, np.zeros(3), tree.UnitInertia(ALONG / MASS, ACROSS / MASS, ACROSS / MASS)
    )
    bodies = [plant.AddRigidBody(f"rod{k}", inertia) for k in range(rods.count)]
    first, last = np.array([-LENGTH / 2, 0, 0]), np.array([LENGTH / 2, 0, 0])
    # a constraint on the world body itself crashes Drake 1.51.1
    anchor = plant.AddRigidBody("anchor", inertia)
    plant.WeldFrames(plant.world_frame(), anchor.body_frame())
    for k in rods.nails:
        plant.AddBallConstraint(anchor, rods.points[k], bodies[max(k - 1, 0)], first if k == 0 else last)
    for a, b in pairwise(bodies):
        plant.AddBallConstraint(a, last, b, first)
    plant.Finalize()
    simulator = analysis.Simulator(plant)
    context = simulator.get_mutable_context()
    for body, centre, angle in zip(bodies, rods.centres, rods.angles, strict=True):
        plant.SetFreeBodyPose(context, body, RigidTransform(RotationMatrix.MakeYRotation(angle), centre))
    done = 0

    def step(n: int) -> None:
        nonlocal done
        done += n
        simulator.AdvanceTo((done - 0.5) * dt)  # updates happen at 0, dt, 2 dt …; stop between two

    def read() -> RodMotion:
        poses = [plant.EvalBodyPoseInWorld(context, body) for body in bodies]
        speeds = [plant.EvalBodySpatialVelocityInWorld(context, body) for body in bodies]
        return RodMotion(
            np.array([pose.translation() for pose in poses]),
            np.array([pose.rotation().matrix()[:, 0] for pose in poses]),
            np.array([speed.translational() for speed in speeds]),
            np.array([speed.rotational() for speed in speeds]),
        )

    return RodScene(rods, step, read)


def chain(count: int, dt: float) -> RodScene:
    return _rod_scene(chain_rods(count), dt)


def loop(count: int, dt: float) -> RodScene:
    return _rod_scene(loop_rods(count), dt)
