"""Worlds whose forces depend on velocities, in ways of their own: each gives a world and what to read of it.

Their forces act on one input and depend on the velocity of another, as every typed force does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import tinkerdyne as td

Case = tuple[td.World, Callable[[], Any]]
SPAN = 1.0  # s


def read(*items: Any) -> Callable[[], Any]:
    return lambda: np.concatenate([np.atleast_1d(item.position) for item in items])


def coriolis(**settings: Any) -> Case:
    """A free particle in a frame that turns."""
    world = td.World(**settings)
    p = world.add(td.Particle("p", position=(0.3, 0.1, 0.0), velocity=(1.0, 0.5, 0.2)))
    world.add(td.formula_force(p, "2*w*v_dot[1]", "-2*w*v_dot[0]", "0", v=p, w=1.5))
    return world, read(p)


def magnets(**settings: Any) -> Case:
    """Two particles on a spring, each pushed across the velocity of the other."""
    world = td.World(**settings)
    a = world.add(td.Particle("a", position=(0.0, 0.0), velocity=(0.4, 1.0), mass=1.0))
    b = world.add(td.Particle("b", position=(1.0, 0.2), velocity=(-0.3, 0.5), mass=2.0))
    world.add(td.spring(a, b, stiffness=20.0, length=0.8))
    world.add(td.formula_force(a, "k*v_dot[1]", "-k*v_dot[0]", v=b, k=1.2))
    world.add(td.formula_force(b, "-k*v_dot[1]", "k*v_dot[0]", v=a, k=1.2))
    return world, read(a, b)


def wake(**settings: Any) -> Case:
    """A float dragged along by a body that swings: drag in proportion to their relative velocity."""
    world = td.World(**settings)
    ship = world.add(td.PlanarRod("ship", mass=3.0, position=(0.5, 0.0), spin=2.0))
    cork = world.add(td.Particle("cork", mass=0.5, position=(1.2, 0.1), velocity=(0.0, -0.5)))
    world.add(td.connect(ship.end1, td.Nail(0, 0)), td.gravity())
    drag = [f"c*(w_dot[{k}]-v_dot[{k}])" for k in range(2)]
    world.add(td.formula_force(cork, *drag, v=cork, w=ship.end2, c=0.8))
    back = [f"c*(v_dot[{k}]-w_dot[{k}])" for k in range(2)]
    world.add(td.formula_force(ship.end2, *back, v=cork, w=ship.end2, c=0.8))
    return world, read(ship, cork)


def pendulum(**settings: Any) -> Case:
    """A pendulum of two rods with a typed quadratic drag at its tip."""
    world = td.World(**settings)
    upper = world.add(td.Rod("upper", position=(0.5, 0, 0)))
    lower = world.add(td.Rod("lower", position=(1.5, 0, 0)))
    world.add(td.connect(upper.end1, td.Nail(0, 0, 0)), td.connect(upper.end2, lower.end1), td.gravity())
    speed = "sqrt(0.01+v_dot[0]^2+v_dot[1]^2+v_dot[2]^2)"
    world.add(
        td.formula_force(lower.end2, *[f"-c*{speed}*v_dot[{k}]" for k in range(3)], v=lower.end2, c=0.3)
    )
    return world, read(upper, lower)


def rotor(**settings: Any) -> Case:
    """A spinning top on a tip, pushed across the velocity of its upper end."""
    world = td.World(**settings)
    top = world.add(
        td.Cylinder("top", radius=0.2, length=0.6, position=(0.1, 0, 0.3), spin=(0.3, 0.1, 12.0), mass=1.0)
    )
    foot, head = td.point(top, at=(0, 0, -0.3)), td.point(top, at=(0, 0, 0.3))
    world.add(td.connect(foot, td.Nail(0.1, 0, 0)), td.gravity())
    world.add(td.formula_force(head, "k*v_dot[1]", "-k*v_dot[0]", "0", v=head, k=0.8))
    return world, read(top)


def shaken(**settings: Any) -> Case:
    """A damped particle on a string, pushed by a force that depends on time and on its velocity."""
    world = td.World(**settings)
    p = world.add(td.Particle("p", position=(1.0, 0.0), velocity=(0.0, 0.0)))
    world.add(td.distance(p, td.Nail(0, 0), length=1.0), td.gravity())
    world.add(td.formula_force(p, "3*sin(7*t)-c*cos(5*t)*v_dot[0]", "-c*v_dot[0]*v_dot[1]", v=p, c=0.7))
    return world, read(p)


def braked(**settings: Any) -> Case:
    """A chain of particles with dampers of the library between them, and one to the world."""
    world = td.World(**settings)
    last, parts = td.Nail(0, 0), []
    for k in range(4):
        p = world.add(td.Particle(f"p{k}", position=(0.5 * (k + 1), 0.0), mass=1.0 + 0.3 * k))
        world.add(td.distance(last, p, length=0.5))
        parts.append(p)
        last = p
    world.add(
        td.damper(parts[0], parts[2], coefficient=1.5), td.damper(parts[3], td.Nail(2, -2), coefficient=0.5)
    )
    world.add(td.gravity())
    return world, read(*parts)


def random_forces(seed: int) -> Callable[..., Case]:
    """Particles and a body in a chain, each pushed by a random linear form of all velocities."""

    def build(**settings: Any) -> Case:
        draw = np.random.default_rng(seed)
        world = td.World(**settings)
        rod = world.add(td.PlanarRod("rod", position=(0.5, 0.0), angle=0.0, spin=float(draw.normal())))
        parts = [
            world.add(td.Particle(f"p{k}", position=(1.0 + 0.5 * k, 0.0), mass=float(draw.uniform(0.5, 2))))
            for k in range(2)
        ]
        world.add(td.connect(rod.end1, td.Nail(0, 0)), td.connect(rod.end2, parts[0]))
        world.add(td.distance(parts[0], parts[1], length=0.5), td.gravity())
        points = {"a": rod.end2, "b": parts[0], "c": parts[1]}
        for on in points.values():
            terms = []
            for _ in range(2):
                weights = {f"{name}_dot[{k}]": draw.normal() / 2 for name in points for k in range(2)}
                terms.append("+".join(f"({weight:.6f})*{name}" for name, weight in weights.items()))
            world.add(td.formula_force(on, *terms, **points))
        return world, read(rod, *parts)

    build.__name__ = f"random_{seed}"
    return build


CASES = (coriolis, magnets, wake, pendulum, rotor, shaken, braked)


def slope(case: Callable[..., Case], method: str, steps: tuple[float, ...]) -> tuple[float, float]:
    """The order that the errors at two or more steps show, and the least error."""
    world, place = case(method="adaptive", rtol=1e-12, atol=1e-14)
    assert world.run(SPAN)
    right = place()
    errors = []
    for h in steps:
        world, place = case(method=method, max_step=h)
        assert world.run(SPAN)
        errors.append(float(np.abs(place() - right).max()))
    found = np.polyfit(np.log(steps), np.log(np.maximum(errors, 1e-300)), 1)[0]
    return float(found), errors[-1]
