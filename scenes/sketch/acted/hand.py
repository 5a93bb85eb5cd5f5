"""A hand that sketches: motions acted out slowly, unevenly and not quite in place."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.ndimage import gaussian_filter1d

from tinkerdyne.language.arrays import Array
from tinkerdyne.objects.rotation import exponential_of, multiplied
from tinkerdyne.sketch.tell.story import Surface

TABLE = Surface()
SHOWN = 16  # samples of a flight
TILT = math.radians(6)  # how far normals may lean
TREMOR = 0.01  # m
TWIST = 0.08  # rad


def shaky(
    places: Array, orientations: Array, rng: Any, *, tremor: float = TREMOR, twist: float = TWIST
) -> tuple[Array, Array]:
    """Places and orientations with a hand's smooth errors."""
    n = len(places)
    wander = gaussian_filter1d(rng.normal(size=(n, 6)), 1.2, axis=0, mode="nearest") * 1.9
    turned = np.array(
        [multiplied(q, exponential_of(twist * w)) for q, w in zip(orientations, wander[:, 3:], strict=True)]
    )
    return places + tremor * wander[:, :3], turned / np.linalg.norm(turned, axis=1, keepdims=True)


def uneven(count: int, rng: Any, *, by: float = 0.5) -> Array:
    """Rising shares from 0 to 1 at an uneven pace, as a hand has it that cannot fall like a stone."""
    steps = np.exp(by * gaussian_filter1d(rng.normal(size=count - 1), 2.0, mode="nearest") * 1.9)
    return np.concatenate([[0.0], np.cumsum(steps) / steps.sum()])


def slerp(a: Array, b: Array, s: Array) -> Array:
    """Orientations on the shortest way from a to b."""
    b = b if a @ b >= 0 else -b
    d = multiplied(a * (1, -1, -1, -1), b)
    angle = 2 * np.arctan2(np.linalg.norm(d[1:]), d[0])
    axis = d[1:] / max(np.linalg.norm(d[1:]), 1e-12)
    return np.array([multiplied(a, exponential_of(angle * t * axis)) for t in s])
