"""Random numbers, settings and the register of kinds of worlds, for what two trees are compared on."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

import tinkerdyne as td

Random = np.random.Generator
KINDS: list[Callable[[Random], td.World]] = []
METHODS = ("rattle", "rattle", "energy_momentum", "runge_kutta", "stormer", "adaptive")  # of many steps
TETRAHEDRON = {
    "vertices": ((0.0, 0.0, 0.0), (0.9, 0.0, 0.1), (0.0, 0.8, 0.0), (0.1, 0.0, 0.7)),
    "faces": ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)),
}


def kind(build: Callable[[Random], td.World]) -> Callable[[Random], td.World]:
    """Make a function one of the kinds of random worlds."""
    KINDS.append(build)
    return build


def vector(rng: Random, dim: int = 3, size: float = 1.0) -> tuple[float, ...]:
    return tuple(float(x) for x in size * rng.normal(size=dim))


def unit(rng: Random, dim: int = 3) -> tuple[float, ...]:
    x = rng.normal(size=dim)
    return tuple(float(c) for c in x / math.hypot(*x))


def between(rng: Random, low: float, high: float) -> float:
    return float(rng.uniform(low, high))


def pick(rng: Random, *choices: Any) -> Any:
    return choices[int(rng.integers(len(choices)))]


def settings(rng: Random, *methods: str) -> dict[str, Any]:
    """A method, a step and perhaps another solver, feedback or dial."""
    chosen: dict[str, Any] = {
        "method": pick(rng, *(methods or METHODS)),
        "max_step": pick(rng, 1e-3, 1e-3, 1 / 480, 1 / 240),
        "tolerance": pick(rng, 1e-8, 1e-8, 1e-10),
    }
    if chosen["method"] == "adaptive":
        chosen["rtol"], chosen["atol"] = pick(rng, (1e-9, 1e-11), (1e-6, 1e-8))
    if chosen["method"] == "energy_momentum":
        chosen["theta"] = pick(rng, 0.5, 0.5, 0.7)
    if chosen["method"] == "runge_kutta" and rng.random() < 0.4:
        chosen["feedback"] = pick(rng, "inside", "outside")
    if chosen["method"] == "stormer":
        chosen["corrections"], chosen["warm_start"] = pick(rng, 1, 3, 20), bool(rng.random() < 0.5)
    if rng.random() < 0.2:
        chosen["solver"], chosen["iterations"] = "conjugate_gradient", pick(rng, 15, 200)
    return chosen
