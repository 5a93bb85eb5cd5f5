"""Exudyn: rigid bodies with spherical joints under implicit index-3 integration; a kinematic tree where
reduced."""

from __future__ import annotations

import contextlib
import sys
import time
from typing import Any, Literal

import numpy as np

from .precision import Precision
from .reference import DOUBLE_PENDULUM, PENDULUMS, SPAN
from .scene import (
    ACROSS,
    ALONG,
    GRAVITY,
    LENGTH,
    MASS,
    Array,
    Diverged,
    Place,
    RodMotion,
    Rods,
    RodScene,
    chain_rods,
    loop_rods,
)

sys.exudynFast = True  # type: ignore[attr-defined]  # its build without range checks; read by the import below

with contextlib.redirect_stdout(None):  # it greets
    import exudyn
    import exudyn.itemInterface
    import exudyn.rigidBodyUtilities

exu: Any = exudyn
items: Any = exudyn.itemInterface
exu.config.printToConsole = False

Method = Literal["generalised alpha", "trapezoidal"]
_SOLVERS = {
    "generalised alpha": exu.DynamicSolverType.GeneralizedAlpha,  # index 3
    "trapezoidal": exu.DynamicSolverType.TrapezoidalIndex2,
    "dopri5": exu.DynamicSolverType.DOPRI5,
}


def _settings() -> Any:
    settings = exu.SimulationSettings()
    settings.solution.file.write = False
    settings.solution.sensors.active = False
    settings.timeIntegration.verboseMode = 0
    settings.linearSolver.reuseAnalyzedPattern = True
    return settings


def _solve(mbs: Any, settings: Any, method: str) -> None:
    try:
        done = mbs.SolveDynamic(
            settings, solverType=_SOLVERS[method], updateInitialValues=True, storeSolver=False
        )
    except exu.SolverError as error:
        raise Diverged(f"Exudyn {method} stopped") from error
    if not done:
        raise Diverged(f"Exudyn {method} stopped")


def _rod_scene(rods: Rods, dt: float, method: Method) -> RodScene:
    mbs: Any = exu.SystemContainer().AddSystem()
    ground = mbs.CreateGround()
    inertia = exu.rigidBodyUtilities.RigidBodyInertia(
        mass=MASS, inertiaTensor=np.diag([ALONG, ACROSS, ACROSS])
    )
    bodies = [
        mbs.CreateRigidBody(
            referencePosition=centre,
            referenceRotationMatrix=np.array(
                [[np.cos(a), 0, np.sin(a)], [0, 1, 0], [-np.sin(a), 0, np.cos(a)]]
            ),
            inertia=inertia,
            gravity=[0, 0, -GRAVITY],
            # a Lie group node: a third faster than Euler parameters
            nodeType=exu.NodeType.RotationRotationVector,
        )
        for centre, a in zip(rods.centres, rods.angles, strict=True)
    ]
    for nail in rods.nails:
        mbs.CreateSphericalJoint(itemNumbers=[ground, bodies[max(nail - 1, 0)]], position=rods.points[nail])
    for k in range(rods.count - 1):
        mbs.CreateSphericalJoint(itemNumbers=[bodies[k], bodies[k + 1]], position=rods.points[k + 1])
    mbs.Assemble()

    settings = _settings()
    settings.linearSolver.solverType = exu.LinearSolverType.EigenSparse
    run = settings.timeIntegration
    run.generalizedAlpha.spectralRadius = 0.8  # keeps the loops' energy best; at its 0.9 a loop of 50 gains
    run.newton.relativeTolerance, run.newton.absoluteTolerance = 1e-6, 1e-8  # gaps stay near 1e-8 m
    run.minimumStepSize = dt / 16  # where Newton fails it halves the step; without a limit it may never end
    run.endTime = 0.0

    def step(n: int) -> None:
        run.startTime, run.endTime, run.numberOfSteps = run.endTime, run.endTime + n * dt, n
        _solve(mbs, settings, method)

    def read() -> RodMotion:
        def all_of(variable: Any) -> Array:
            return np.array([mbs.GetObjectOutputBody(body, variable, [0, 0, 0]) for body in bodies])

        kind = exu.OutputVariableType
        axes = all_of(kind.RotationMatrix).reshape(-1, 3, 3)[:, :, 0]
        return RodMotion(all_of(kind.Position), axes, all_of(kind.Velocity), all_of(kind.AngularVelocity))

    return RodScene(rods, step, read)


def chain(count: int, dt: float, method: Method = "generalised alpha") -> RodScene:
    return _rod_scene(chain_rods(count), dt, method)


def loop(count: int, dt: float, method: Method = "generalised alpha") -> RodScene:
    return _rod_scene(loop_rods(count), dt, method)


# Work-precision


def _timed(mbs: Any, settings: Any, method: str) -> float:
    """Run for 5 s; CPU seconds."""
    settings.timeIntegration.endTime = SPAN
    start = time.process_time()
    _solve(mbs, settings, method)
    return time.process_time() - start


def solve_tree(n_links: int, tolerance: float) -> tuple[Place, float]:
    """A KinematicTree of hinges about y under adaptive DOPRI5."""
    pendulum = PENDULUMS[n_links]
    mbs: Any = exu.SystemContainer().AddSystem()
    zeros = [0.0] * n_links
    node = mbs.AddNode(
        items.NodeGenericODE2(
            numberOfODE2Coordinates=n_links,
            referenceCoordinates=zeros,
            initialCoordinates=zeros,
            initialCoordinates_t=zeros,
        )
    )
    mbs.AddObject(
        items.ObjectKinematicTree(
            nodeNumber=node,
            jointTypes=[exu.JointType.RevoluteY] * n_links,
            linkParents=list(range(-1, n_links - 1)),
            jointTransformations=exu.Matrix3DList([np.eye(3)] * n_links),
            jointOffsets=exu.Vector3DList([[0, 0, 0]] + [[LENGTH, 0, 0]] * (n_links - 1)),
            linkInertiasCOM=exu.Matrix3DList([pendulum.inertia * np.eye(3)] * n_links),
            linkCOMs=exu.Vector3DList([[pendulum.centre, 0, 0]] * n_links),
            linkMasses=[MASS] * n_links,
            gravity=[0, 0, -GRAVITY],
        )
    )
    mbs.Assemble()
    settings = _settings()
    run = settings.timeIntegration
    run.absoluteTolerance = run.relativeTolerance = tolerance
    run.initialStepSize, run.numberOfSteps = 1e-3, 5  # no step above 1 s
    run.explicit.computeEndOfStepAccelerations = False
    cpu = _timed(mbs, settings, "dopri5")
    turns = np.cumsum(mbs.GetNodeOutput(node, exu.OutputVariableType.Coordinates))
    return (float(LENGTH * np.cos(turns).sum()), 0.0, float(-LENGTH * np.sin(turns).sum())), cpu


def _solve_maximal(n_links: int, dt: float, method: Method) -> tuple[Place, float]:
    """Planar bodies (in Exudyn's xy-plane) with revolute joints, or point masses with distances."""
    is_double = PENDULUMS[n_links] is DOUBLE_PENDULUM
    mbs: Any = exu.SystemContainer().AddSystem()
    body = mbs.CreateGround()
    upper = mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=body))
    for k in range(n_links):
        if is_double:
            node = mbs.AddNode(items.NodePoint2D(referenceCoordinates=[(k + 1) * LENGTH, 0]))
            body = mbs.AddObject(items.ObjectMassPoint2D(mass=MASS, nodeNumber=node))
            lower = mbs.AddMarker(items.MarkerBodyPosition(bodyNumber=body))
            mbs.AddObject(items.ObjectConnectorDistance(markerNumbers=[upper, lower], distance=LENGTH))
        else:
            node = mbs.AddNode(items.NodeRigidBody2D(referenceCoordinates=[(k + 0.5) * LENGTH, 0, 0]))
            body = mbs.AddObject(items.ObjectRigidBody2D(mass=MASS, inertia=ACROSS, nodeNumber=node))
            first = mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=body, localPosition=[-LENGTH / 2, 0, 0]))
            mbs.AddObject(items.ObjectJointRevolute2D(markerNumbers=[upper, first]))
            lower = mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=body, localPosition=[LENGTH / 2, 0, 0]))
        mass = mbs.AddMarker(items.MarkerBodyMass(bodyNumber=body))
        mbs.AddLoad(items.LoadMassProportional(markerNumber=mass, loadVector=[0, -GRAVITY, 0]))
        upper = lower
    mbs.Assemble()
    settings = _settings()
    settings.linearSolver.solverType = (
        exu.LinearSolverType.EXUdense if is_double else exu.LinearSolverType.EigenSparse
    )
    settings.timeIntegration.numberOfSteps = round(SPAN / dt)
    cpu = _timed(mbs, settings, method)
    end = [0 if is_double else LENGTH / 2, 0, 0]
    x, y, _ = mbs.GetObjectOutputBody(body, exu.OutputVariableType.Position, end)
    return (float(x), 0.0, float(y)), cpu


def solve_alpha(n_links: int, dt: float) -> tuple[Place, float]:
    return _solve_maximal(n_links, dt, "generalised alpha")


def solve_trapezoidal(n_links: int, dt: float) -> tuple[Place, float]:
    return _solve_maximal(n_links, dt, "trapezoidal")


_STEPS = tuple(1 / (100 * 2**k) for k in range(10))
PRECISION = (
    Precision("Exudyn DOPRI5, KinematicTree", "reduced", tuple(10.0**-k for k in range(4, 13)), solve_tree),
    Precision("Exudyn generalised alpha, maximal", "maximal", _STEPS, solve_alpha),
    Precision("Exudyn trapezoidal index 2, maximal", "maximal", _STEPS, solve_trapezoidal),
)
