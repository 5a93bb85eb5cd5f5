"""What the tests of modelling share: poses by numpy and scipy, bodies in odd poses, and the bytes of a
state."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

import tinkerdyne as td
from tinkerdyne.language.arrays import Array

G = 9.81  # m/s²


def rotation_of(body: Any, after: float = 0.0) -> Array:
    """R of a body, turned on for a little while by its spin."""
    if len(body.position) == 2:
        angle = body.angle + after * body.spin
        return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    turn = Rotation.from_quat(body.orientation, scalar_first=True) * Rotation.from_rotvec(
        after * np.array(body.spin)
    )
    return np.asarray(turn.as_matrix())


def pose_of(source: Any, after: float = 0.0) -> tuple[Array, Array]:
    """Origin and axes of a frame, from the pose of the body that carries it."""
    n = len(source.at)
    at, axes = np.array(source.at), np.array(source.axes).reshape(n, n, order="F")
    if not source.inputs:
        return at, axes
    body = source.inputs[0]
    R = rotation_of(body, after)
    return np.array(body.position) + after * np.array(body.velocity) + R @ at, R @ axes


def seen_from(joint: Any, after: float = 0.0) -> tuple[Array, Array]:
    """Origin and axes of frame b in frame a of a joint."""
    (xa, Ra), (xb, Rb) = (pose_of(joint.inputs[k], after) for k in (0, 1))
    return Ra.T @ (xb - xa), Ra.T @ Rb


def random_body(name: str, dim: int, rng: Any, **options: Any) -> Any:
    """A body in a random pose, with random motion unless it is fixed."""
    moves = 0.0 if options.get("is_fixed") else 1.0
    place = {
        "position": tuple(rng.normal(size=dim)),
        "velocity": tuple(0.3 * moves * rng.normal(size=dim)),
        **options,
    }
    if dim == 2:
        return td.PlanarBody(
            name, mass=1.5, inertia=0.4, angle=float(rng.normal()), spin=moves * float(rng.normal()), **place
        )
    turn, spin = Rotation.random(rng=rng).as_quat(scalar_first=True), moves * rng.normal(size=3)
    return td.RigidBody(
        name, mass=1.5, inertia=(0.5, 0.4, 0.3), orientation=tuple(turn), spin=tuple(spin), **place
    )


def bits(world: td.World) -> bytes:
    """Time and state of everything, as bytes."""
    objects = [item for item in world.items if item.type.family == "object"]
    state = [np.ravel(getattr(item, name)) for item in objects for name in item.type.state_names()]
    return np.concatenate([[world.time], *state]).tobytes()


def reloaded(world: td.World) -> td.World:
    """The world, saved and opened again."""
    return td.World.from_json(world.to_json())
