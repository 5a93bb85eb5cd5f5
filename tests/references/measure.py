"""What the reference tests share: worlds at a fixed step, and the order that halvings of it show."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

import tinkerdyne as td

ORDERS = {"rattle": 2, "energy_momentum": 2, "runge_kutta": 4}  # the advertised orders
TIGHT = {"method": "adaptive", "rtol": 1e-12, "atol": 1e-13}


def advance(world: td.World, seconds: float) -> td.Result:
    """Run in one call and insist that it went well."""
    result = world.step(seconds)
    assert result, result
    return result


def orders(error: Callable[[float], float], coarsest: float) -> list[float]:
    """Observed orders over three halvings of the step; the errors stay above 1e-11, where rounding would
    speak instead."""
    errors = [error(coarsest / 2**k) for k in range(4)]
    assert min(errors) > 1e-11, f"errors {errors} are too near to rounding to show an order"
    return [float(np.log2(a / b)) for a, b in pairwise(errors)]


def shows_order(found: list[float], wanted: int) -> bool:
    """Within 0.25 of the advertised order, at each halving, which tells the orders apart."""
    return all(abs(p - wanted) <= 0.25 for p in found)


def pendulum(
    *, start: tuple[float, float] = (-1.0, 0.0), g: float = 9.81, **settings: Any
) -> tuple[td.World, Any, Any]:
    """A point mass of 1 kg on a massless rod of 1 m, released at rest: (world, bob, rod)."""
    world = td.World(**settings)
    bob = world.add(td.Particle("bob", mass=1.0, position=start))
    rod = world.add(td.distance(td.Nail(0.0, 0.0), bob, length=1.0, name="rod"))
    world.add(td.gravity(g=(0.0, -g)))
    return world, bob, rod
