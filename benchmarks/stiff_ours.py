"""Our side of the stiff mechanisms."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np

import tinkerdyne as td

from .stiff import GRAVITY, Arm, Beam, Cloth, Place, Suspension, Turning

Solved = tuple[np.ndarray, float]  # the place that is watched, and CPU seconds


def _run(world: td.World, watched: Any, seconds: float) -> Solved:
    world.engine.ready()
    world.engine.have_tangent()
    start = time.process_time()
    result = world.run(seconds)
    cpu = time.process_time() - start
    if not result:
        raise RuntimeError(str(result))
    return np.array(watched.value if hasattr(watched, "value") else watched.position), cpu


def beam(scene: Beam, h: float, seconds: float, method: str = "implicit") -> Solved:
    world = td.World(method=method, max_step=h)
    last: Any = None
    for i in range(scene.rods):
        rod = world.add(
            td.PlanarBody(
                f"rod-{i}", mass=scene.mass, inertia=scene.inertia, position=((i + 0.5) * scene.length, 0)
            )
        )
        joint = world.add(td.join(td.pin, last, rod, at=(i * scene.length, 0), name=f"pin-{i}"))
        world.add(td.scalar_spring(joint.turn, stiffness=scene.stiffness, damping=scene.damping))
        last = rod
    tip = world.add(td.point(last, at=(scene.length / 2, 0)))
    world.add(td.pull(tip, by=(0, scene.force)))
    return _run(world, tip, seconds)


def suspension(scene: Suspension, h: float, seconds: float, method: str = "implicit") -> Solved:
    world = td.World(method=method, max_step=h)

    def body(name: str, arm: Arm) -> Any:
        return world.add(td.RigidBody(name, mass=arm.mass, inertia=(arm.inertia,) * 3, position=arm.centre))

    def on(part: Any, arm: Arm, at: Place) -> Any:
        return td.point(part, at=tuple(np.subtract(at, arm.centre)))

    lower, upper, upright = (
        body(name, arm)
        for name, arm in (("lower", scene.lower), ("upper", scene.upper), ("upright", scene.upright))
    )
    k, c = scene.bushing
    for part, arm, feet in ((lower, scene.lower, scene.lower_feet), (upper, scene.upper, scene.upper_feet)):
        for foot in feet:
            world.add(td.bushing(td.Nail(*foot), on(part, arm, foot), stiffness=k, damping=c))
    world.add(
        td.connect(on(lower, scene.lower, scene.lower_ball), on(upright, scene.upright, scene.lower_ball))
    )
    world.add(
        td.connect(on(upper, scene.upper, scene.upper_ball), on(upright, scene.upright, scene.upper_ball))
    )
    for (a, b), part, arm, (stiffness, damping) in (
        (scene.track, upright, scene.upright, scene.rod),
        (scene.coil, lower, scene.lower, scene.spring),
    ):
        length = math.dist(a, b)
        world.add(
            td.spring(td.Nail(*a), on(part, arm, b), stiffness=stiffness, damping=damping, length=length)
        )
    wheel = world.add(on(upright, scene.upright, scene.wheel))
    world.add(td.pull(wheel, by=scene.force))
    return _run(world, wheel, seconds)


def cloth(scene: Cloth, h: float, seconds: float, method: str = "implicit") -> Solved:
    world = td.World(method=method, max_step=h)
    points = {}
    for i in range(scene.side):
        for j in range(scene.side):
            points[i, j] = world.add(
                td.Particle(
                    f"p-{i}-{j}",
                    mass=scene.mass,
                    position=scene.place(i, j),
                    is_fixed=(i, j) in scene.corners,
                )
            )
    for a, b in scene.springs:
        length = math.dist(scene.place(*a), scene.place(*b))
        world.add(
            td.spring(points[a], points[b], stiffness=scene.stiffness, damping=scene.damping, length=length)
        )
    world.add(td.gravity(GRAVITY))
    return _run(world, points[scene.tip], seconds)


def turning(scene: Turning, h: float, seconds: float, method: str = "implicit") -> Solved:
    world = td.World(method=method, max_step=h)
    ball = world.add(td.Particle("ball", mass=scene.mass, position=(scene.length, 0, 0)))
    world.add(
        td.spring(td.Nail(0, 0, 0), ball, stiffness=scene.stiffness, length=scene.length), td.gravity(GRAVITY)
    )
    return _run(world, ball, seconds)


def rigid(scene: Turning, seconds: float) -> np.ndarray:
    """Where the weight would be on a rod."""
    world = td.World(method="adaptive")
    ball = world.add(td.Particle("ball", mass=scene.mass, position=(scene.length, 0, 0)))
    world.add(td.distance(td.Nail(0, 0, 0), ball, length=scene.length), td.gravity(GRAVITY))
    world.run(seconds)
    return np.array(ball.position)


def from_rest(scene: Turning, h: float, seconds: float) -> float:
    """How far from rest the weight is, some time after it was let go 1 mm off, without gravity   [m]."""
    world = td.World(method="implicit", max_step=h)
    ball = world.add(td.Particle("ball", mass=scene.mass, position=(scene.length + 1e-3, 0, 0)))
    world.add(td.spring(td.Nail(0, 0, 0), ball, stiffness=scene.stiffness, length=scene.length))
    return abs(float(_run(world, ball, seconds)[0][0]) - scene.length)
