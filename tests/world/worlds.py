"""Small worlds of every sort, for the tests of saving and editing."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import tinkerdyne as td
from tinkerdyne import World
from tinkerdyne.language import cos, norm, sin
from tinkerdyne.language.kinds import Number, Point


@td.curve(span=(0.0, 2 * math.pi))
def model_ellipse(u, *, cx, cy, a=1.0, b=0.6):
    """An ellipse whose centre and radii are its state."""
    return cx + a * cos(u), cy + b * sin(u)


@td.lagrangian
def model_pendulums(length=1.0, *, first=0.3, second=-0.2):
    """Two pendulums in series, by their angles."""
    x, y = length * sin(first), -length * cos(first)
    return (x, y), (x + length * sin(second), y - length * cos(second))


@td.constraint
def model_on_circle(p: Point, *, radius: Number = 1.0):
    """A point of the plane keeps its distance from the origin."""
    return norm(p) - radius


def chain(n: int = 4, **settings) -> World:
    """Rods hung from a nail, out straight."""
    world = World(**settings)
    rods = [world.add(td.Rod(f"rod{k}", position=(k + 0.5, 0.0, 0.0))) for k in range(n)]
    world.add(td.connect(rods[0].end1, td.Nail(0, 0, 0)))
    for a, b in itertools.pairwise(rods):
        world.add(td.connect(a.end2, b.end1))
    world.add(td.gravity())
    return world


def damped_chain() -> World:
    world = chain(3)
    world.add(td.drag(world["rod2"].end2, coefficient=0.3), td.spin_drag(world["rod1"], coefficient=0.01))
    return world


def loop(n: int = 6, **settings) -> World:
    """A zig-zag of rods nailed at both ends: it passes singular poses."""
    world = World(**settings)
    span = 0.8
    rise = math.sqrt(1 - span * span)
    rods = []
    for k in range(n):
        sign = 1 if k % 2 == 0 else -1
        angle = -sign * math.atan2(rise, span)
        at = (span * (k + 0.5), 0.0, rise / 2)
        rods.append(
            world.add(
                td.Rod(
                    f"rod{k}", position=at, orientation=(math.cos(angle / 2), 0.0, math.sin(angle / 2), 0.0)
                )
            )
        )
    world.add(td.connect(rods[0].end1, td.Nail(0, 0, 0)))
    for a, b in itertools.pairwise(rods):
        world.add(td.connect(a.end2, b.end1))
    world.add(td.connect(rods[-1].end2, td.Nail(span * n, 0, rise if n % 2 else 0)))
    world.add(td.gravity())
    return world


def plane() -> World:
    """Everything of the plane at once, with springs, dampers and a motor."""
    world = World()
    body, other, bead, free = world.add(
        td.PlanarBody("body", position=(0.0, 0.0), angle=0.3, inertia=0.2),
        td.PlanarBody("other", position=(1.0, 0.2), spin=1.0),
        td.Particle("bead", position=(2.0, 0.0), velocity=(0.0, 1.0), mass=0.7),
        td.Troid("jelly", position=(0.0, 2.0), shape_rate=(0.1, 0.3, -0.2, 0.0)),
    )
    corner = td.point(body, at=(0.5, 0.1))
    world.add(td.nail(td.point(body, at=(0.0, 0.0)), at=(0.0, 0.0)))
    world.add(td.connect(corner, td.point(other, at=(-0.52, 0.0479)), tau=0.2))
    world.add(td.spring(td.point(other, at=(0.5, 0.0)), bead, stiffness=30.0, length=0.4, damping=0.2))
    world.add(td.damper(bead, td.point(free, at=(0.3, 0.0)), coefficient=0.4))
    world.add(td.motor(body, other, speed=2.0, gain=0.3), td.torsion_spring(body, other, stiffness=0.5))
    world.add(td.gravity(g=(0.0, -9.81)), td.damping(rate=0.05))
    world.add(td.distance(bead, td.Nail(2.0, 1.0), length=1.0))
    return world


def curve() -> World:
    """A bead that slides on an ellipse that moves."""
    world = World()
    ring = world.add(model_ellipse("ring", cx=0.0, cy=0.0, drag=0.1))
    bead, u = world.add(td.Particle("bead", position=(1.0, 0.0)), td.Variable("u", mass=0.01))
    world.add(td.on_curve(bead, ring, u, name="slides"))
    world.add(td.held(td.curve_point(ring, u=2.0), at=(math.cos(2.0), 0.6 * math.sin(2.0))))
    world.add(td.gravity(g=(0.0, -9.81)))
    return world


def compound() -> World:
    world = World(method="runge_kutta")
    pendulums = world.add(model_pendulums("pendulums", masses=(1.0, 0.5)))
    world.add(td.spring(td.particle_of(pendulums, index=1), td.Nail(1.0, -1.0), stiffness=4.0))
    world.add(td.gravity(g=(0.0, -9.81)))
    return world


def formulas() -> World:
    """Typed formulas of every sort."""
    world = World()
    a, b = world.add(td.Particle("a", position=(1.0, 0.0, 0.0)), td.Particle("b", position=(0.0, 1.0, 0.0)))
    x = world.add(td.Variable("x", value=0.5, mass=0.3))
    size = td.formula(
        "sqrt((p[0]-q[0])^2 + (p[1]-q[1])^2 + (p[2]-q[2])^2) * k", p=a, q=b, k=1.25, name="size"
    )
    world.add(td.equation("s - w*(1 + x/10)", s=size, x=x, w=1.25 * math.sqrt(2) / 1.05, name="stays"))
    world.add(td.follow(a, "cos(w*t)", "sin(w*t)", "0.1*t", w=0.9, name="path"))
    world.add(
        td.formula_energy("k*x^2/2", x=x, k=40.0),
        td.formula_force(b, "-c*v_dot[0]", "0.2", "sin(t)", v=b, c=2.0),
    )
    world.add(td.spring(td.moving("1", "t", "0"), b, stiffness=3.0))
    return world


def unmet() -> World:
    """A constraint on its way: the rod's end flies to a nail half a metre off."""
    world = World()
    rod = world.add(td.Rod("rod", position=(1.0, 0.0, 0.3)))
    world.add(td.nail(rod.end1, at=(0.0, 0.0, 0.0), tau=0.3), td.gravity())
    return world


def impossible() -> World:
    """Two nails one metre apart for one point: no pose meets both."""
    world = World()
    bead = world.add(td.Particle("bead", position=(0.0, 0.2, 0.0)))
    world.add(td.nail(bead, at=(0.5, 0.0, 0.0)), td.nail(bead, at=(-0.5, 0.0, 0.0)))
    return world


def first_order() -> World:
    world = World(order=1)
    a, b = world.add(td.Particle("a", position=(0.0, 0.0)), td.Particle("b", position=(2.0, 0.5)))
    world.add(td.spring(a, td.Nail(1.0, 1.0), stiffness=2.0), td.distance(a, b, length=1.5, tau=0.4))
    world.add(td.gravity(g=(0.0, -1.0)))
    return world


def tumbling() -> World:
    """A free body with three different moments, one that is fixed, and one switched off constraint."""
    world = World()
    body, held = world.add(
        td.RigidBody(
            "body", inertia=(1.0, 2.0, 2.5, 0.1, -0.05, 0.2), spin=(0.1, 3.0, 0.2), velocity=(0.1, 0.0, 0.0)
        ),
        td.RigidBody("held", position=(0.0, 0.0, 2.0), is_fixed=True),
    )
    world.add(
        td.spring(
            td.point(body, at=(0.0, 0.1, 0.5)), td.point(held, at=(0.0, 0.0, -1.0)), stiffness=7.0, length=0.5
        )
    )
    world.add(td.connect(td.point(body, at=(1.0, 0.0, 0.0)), td.point(held), is_on=False, name="idle"))
    return world


def nonsquare() -> World:
    world = World(method="dense")
    rod = world.add(td.Rod("rod", spin=(0.0, 0.2, 0.1)))
    world.add(
        td.orient(
            td.direction(rod, along=(1.0, 0.0, 0.0)), td.world_direction(along=(0.6, 0.8, 0.0)), tau=0.3
        )
    )
    return world


def own_type() -> World:
    world = World()
    bead = world.add(td.Particle("bead", position=(0.0, 2.0), velocity=(1.0, 0.0)))
    world.add(model_on_circle(bead, radius=2.0, name="rim"), td.gravity(g=(0.0, -9.81)))
    return world


WORLDS: dict[str, Callable[[], World]] = {
    "chain": chain,
    "damped chain": damped_chain,
    "loop": loop,
    "loop by energy-momentum": lambda: loop(method="energy_momentum"),
    "loop by Runge-Kutta": lambda: loop(method="runge_kutta"),
    "loop by the adaptive method": lambda: loop(4, method="adaptive", rtol=1e-7, atol=1e-9),
    "loop by conjugate gradients": lambda: loop(4, solver="conjugate_gradient", iterations=200),
    "chain with feedback": lambda: chain(3, method="runge_kutta", feedback="inside"),
    "plane": plane,
    "curve": curve,
    "compound": compound,
    "formulas": formulas,
    "unmet": unmet,
    "impossible": impossible,
    "first order": first_order,
    "tumbling": tumbling,
    "non-square": nonsquare,
    "own type": own_type,
}
