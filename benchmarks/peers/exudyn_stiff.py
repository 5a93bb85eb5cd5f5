"""Exudyn's side of the stiff mechanisms, under generalised α."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np

from ..stiff import GRAVITY, Arm, Beam, Cloth, Place, Suspension, Turning
from .exudyn_peer import _settings, exu, items
from .scene import Diverged

Solved = tuple[np.ndarray, float]


def _run(mbs: Any, h: float, seconds: float, radius: float, read: Any) -> Solved:
    mbs.Assemble()
    settings = _settings()
    settings.linearSolver.solverType = exu.LinearSolverType.EigenSparse
    run = settings.timeIntegration
    run.numberOfSteps, run.endTime = round(seconds / h), seconds
    run.generalizedAlpha.spectralRadius = radius
    run.newton.useModifiedNewton = True  # faster on every one of these scenes
    run.newton.relativeTolerance, run.newton.absoluteTolerance = 1e-8, 1e-10
    start = time.process_time()
    try:
        done = mbs.SolveDynamic(
            settings,
            solverType=exu.DynamicSolverType.GeneralizedAlpha,
            updateInitialValues=True,
            storeSolver=False,
        )
    except exu.SolverError as error:
        raise Diverged("Exudyn stopped") from error
    if not done:
        raise Diverged("Exudyn stopped")
    return np.array(read()), time.process_time() - start


def _system() -> Any:
    return exu.SystemContainer().AddSystem()


def beam(scene: Beam, h: float, seconds: float, radius: float) -> Solved:
    mbs = _system()
    upper = mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=mbs.CreateGround()))
    still = mbs.AddNode(items.NodePointGround())
    before = mbs.AddMarker(items.MarkerNodeCoordinate(nodeNumber=still, coordinate=0))
    half, body = scene.length / 2, None
    for i in range(scene.rods):
        node = mbs.AddNode(items.NodeRigidBody2D(referenceCoordinates=[(i + 0.5) * scene.length, 0, 0]))
        body = mbs.AddObject(items.ObjectRigidBody2D(mass=scene.mass, inertia=scene.inertia, nodeNumber=node))
        lower = mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=body, localPosition=[-half, 0, 0]))
        mbs.AddObject(items.ObjectJointRevolute2D(markerNumbers=[upper, lower]))
        upper = mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=body, localPosition=[half, 0, 0]))
        turn = mbs.AddMarker(items.MarkerNodeCoordinate(nodeNumber=node, coordinate=2))
        mbs.AddObject(
            items.ObjectConnectorCoordinateSpringDamper(
                markerNumbers=[before, turn], stiffness=scene.stiffness, damping=scene.damping
            )
        )
        before = turn
    mbs.AddLoad(items.LoadForceVector(markerNumber=upper, loadVector=[0, scene.force, 0]))
    kind = exu.OutputVariableType.Position
    return _run(mbs, h, seconds, radius, lambda: mbs.GetObjectOutputBody(body, kind, [half, 0, 0])[:2])


def suspension(scene: Suspension, h: float, seconds: float, radius: float) -> Solved:
    mbs = _system()
    ground = mbs.CreateGround()

    def body(arm: Arm) -> Any:
        inertia = exu.rigidBodyUtilities.RigidBodyInertia(
            mass=arm.mass, inertiaTensor=np.diag([arm.inertia] * 3)
        )
        return mbs.CreateRigidBody(
            referencePosition=arm.centre, inertia=inertia, nodeType=exu.NodeType.RotationRotationVector
        )

    def on(part: Any, arm: Arm, at: Place) -> list[float]:
        return list(np.subtract(at, arm.centre))

    lower, upper, upright = (body(arm) for arm in (scene.lower, scene.upper, scene.upright))
    k, c = scene.bushing
    for part, arm, feet in ((lower, scene.lower, scene.lower_feet), (upper, scene.upper, scene.upper_feet)):
        for foot in feet:
            mbs.CreateCartesianSpringDamper(
                bodyNumbers=[ground, part],
                localPosition0=list(foot),
                localPosition1=on(part, arm, foot),
                stiffness=[k] * 3,
                damping=[c] * 3,
            )
    mbs.CreateSphericalJoint(bodyNumbers=[lower, upright], position=scene.lower_ball)
    mbs.CreateSphericalJoint(bodyNumbers=[upper, upright], position=scene.upper_ball)
    for (a, b), part, arm, (stiffness, damping) in (
        (scene.track, upright, scene.upright, scene.rod),
        (scene.coil, lower, scene.lower, scene.spring),
    ):
        mbs.CreateSpringDamper(
            bodyNumbers=[ground, part],
            localPosition0=list(a),
            localPosition1=on(part, arm, b),
            referenceLength=math.dist(a, b),
            stiffness=stiffness,
            damping=damping,
        )
    wheel = on(upright, scene.upright, scene.wheel)
    mbs.CreateForce(bodyNumber=upright, loadVector=list(scene.force), localPosition=wheel)
    kind = exu.OutputVariableType.Position
    return _run(mbs, h, seconds, radius, lambda: mbs.GetObjectOutputBody(upright, kind, wheel))


def cloth(scene: Cloth, h: float, seconds: float, radius: float) -> Solved:
    mbs = _system()
    points = {}
    for i in range(scene.side):
        for j in range(scene.side):
            place = list(scene.place(i, j))
            points[i, j] = (
                mbs.CreateGround(referencePosition=place)
                if (i, j) in scene.corners
                else mbs.CreateMassPoint(
                    referencePosition=place, physicsMass=scene.mass, gravity=[0, 0, -GRAVITY]
                )
            )
    for a, b in scene.springs:
        mbs.CreateSpringDamper(
            bodyNumbers=[points[a], points[b]],
            referenceLength=math.dist(scene.place(*a), scene.place(*b)),
            stiffness=scene.stiffness,
            damping=scene.damping,
        )
    kind, tip = exu.OutputVariableType.Position, points[scene.tip]
    return _run(mbs, h, seconds, radius, lambda: mbs.GetObjectOutputBody(tip, kind, [0, 0, 0]))


def turning(scene: Turning, h: float, seconds: float, radius: float) -> Solved:
    mbs = _system()
    ball = mbs.CreateMassPoint(
        referencePosition=[scene.length, 0, 0], physicsMass=scene.mass, gravity=[0, 0, -GRAVITY]
    )
    mbs.CreateSpringDamper(
        bodyNumbers=[mbs.CreateGround(), ball], referenceLength=scene.length, stiffness=scene.stiffness
    )
    kind = exu.OutputVariableType.Position
    return _run(mbs, h, seconds, radius, lambda: mbs.GetObjectOutputBody(ball, kind, [0, 0, 0]))
