"""Random worlds of curves, surfaces, troids and models, and of types that a user makes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from kinds import TETRAHEDRON, Random, between, kind, pick, settings, unit, vector

import tinkerdyne as td


@kind
def drawing(rng: Random) -> td.World:
    """Curves with constraints between them, first order as a drawing is."""
    world = td.World(order=1, max_step=1 / 240)
    circle = world.add(td.Circle("circle", position=vector(rng, 2, 0.2), radius=1.0))
    ellipse = world.add(td.Ellipse("ellipse", position=(2.5, 0), radii=(0.9, 0.5), angle=between(rng, -1, 1)))
    line = world.add(td.Line("line", points=((-2, 1.3), (2, 1.5))))
    bow = world.add(td.Bezier("bow", points=((0, -2), (1, -1), (2, -2.5), (3, -2))))
    other = world.add(td.Circle("other", position=(-2.4, 0), radius=0.6))
    more = pick(
        rng,
        td.Arc("more"),
        td.Rectangle("more"),
        td.Spiral("more"),
        td.Superellipse("more"),
        td.BSpline("more"),
    )
    u, w, s, t = world.add(
        *[td.Variable(name, value=value) for name, value in zip("uwst", (1.5, 0.5, 0.0, 3.0), strict=True)]
    )
    world.add(td.tangential(circle, u, line, w), td.attach(circle, s, ellipse, t), more)
    world.add(
        td.lock(circle, "radius"), td.equal_length(bow, other), td.equal_radius(circle, other, name="alike")
    )
    world.add(td.held(td.area_within(ellipse), at=(1.5,)), td.held(td.length_of(line), at=(4.2,)))
    world.add(
        td.nail(td.curve_point(bow, u=0.0), at=(0, -2)),
        td.spring(td.curve_point(bow, u=1.0), td.Nail(3, 1), stiffness=2.0),
    )
    world.add(td.align(td.tangent(bow, u=0.0), td.world_direction(along=unit(rng, 2))))
    world.add(td.mirror_points(td.curve_point(circle, u=1.0), td.curve_point(more, u=0.2), line))
    return world


@kind
def wires(rng: Random) -> td.World:
    """Beads on typed curves and on a surface, with inertia; a helix and a ring in space."""
    world = td.World(**settings(rng, "rattle", "runge_kutta", "adaptive"))
    wire = td.typed_curve("u", "a*u^2 + b*cos(3*u)", span=(-2, 2), a=0.2, b=0.25, name="wire", density=3.0)
    u, bead = world.add(
        td.Variable("u", value=0.4, rate=0.5, mass=0.1), td.Particle("bead", position=(0.4, 0.12))
    )
    world.add(wire)
    world.add(td.lock(wire, "a"), td.lock(wire, "b"), td.on_curve(bead, wire, u), td.gravity(g=(0, 0, -5)))
    helix = world.add(td.Helix("helix", is_fixed=True), td.TiltedEllipse("ring", density=2.0))[0]
    v, other = world.add(td.Variable("v", value=0.3), td.Particle("other", position=vector(rng)))
    world.add(td.connect(td.slider(helix, v), other), td.spring(other, td.Nail(0, 0, 2), stiffness=5.0))
    hill = td.typed_surface(
        "u", "v", "h*u*v + 0.2*sin(u)", u=(-2, 2), v=(-2, 2), h=0.3, name="hill", is_fixed=True
    )
    world.add(hill)
    x, y, ball = world.add(td.Variable("x", value=0.2), td.Variable("y", rate=0.4), td.Particle("ball"))
    world.add(td.connect(td.surface_slider(hill, x, y), ball))
    return world


@kind
def troids(rng: Random) -> td.World:
    """Affine sheets and blocks, joined at corners, elastic."""
    world = td.World(**settings(rng, "rattle", "rattle", "energy_momentum", "runge_kutta"))
    stiff = between(rng, 5, 50)
    left = world.add(td.sheet("left", vertices=((0, 0), (1, 0), (1, 1), (0, 1))))
    right = world.add(
        td.Troid("right", mass=0.8, second_moment=(0.1,), position=(1.5, 0.5), velocity=vector(rng, 2))
    )
    cube = world.add(td.block("cube", **TETRAHEDRON, mass=2.0))
    for one in (left, right, cube):
        world.add(td.elastic(one, stiffness=stiff), td.shape_drag(one, coefficient=0.1))
    world.add(td.connect(td.point(left, at=(0.5, 0.5)), td.point(right, at=(-0.5, 0.5))))
    world.add(
        td.nail(td.point(left, at=(-0.5, 0.5)), at=(0, 1)), td.keep_volume(right, stiffness=5.0, size=1.1)
    )
    world.add(
        td.nail(td.point(cube), at=cube.position),
        td.spring(td.point(cube, at=(0.3, 0, 0)), td.Nail(2, 0, 0), stiffness=3.0),
    )
    world.add(td.gravity())
    return world


@kind
def model(rng: Random) -> td.World:
    """Unknowns that slide down a formula between bounds, or a fit of data."""
    if rng.random() < 0.5:
        x = np.linspace(-1, 1, 30)
        y = 1.5 * np.sin(2 * x) + 0.3 + 0.05 * rng.normal(size=30)
        return td.Fit("y = a*sin(b*x) + c", np.column_stack([x, y]), limit=0.2, a=1.0, b=1.5, c=0.0).world
    found = td.Model()
    for name in "abc":
        found.variable(name, between(rng, 0.5, 2), low=0.1, high=5.0, mass=between(rng, 0.2, 1))
    found.output("volume", "a*b*c")
    found.constrain("volume = wanted", wanted=between(rng, 1, 4))
    found.constrain("a + b <= 4")
    found.minimise("2*(a*b + b*c + c*a) + k*a^2", k=0.3)
    world: td.World = found.world
    return world


# --- types that a user makes --------------------------------------------------------------------
@td.lagrangian
def same_arm(length: float = 0.8, *, root: Any = (0.1, 0.2), arm: Any = 0.4, fore: Any = 1.1) -> Any:
    """Three particles of a two-link arm on a free root."""
    elbow = root + length * td.vec(td.cos(arm), td.sin(arm))
    return root, elbow, elbow + td.vec(td.cos(fore), td.sin(fore))


@td.curve(span=(0.0, 2 * math.pi))
def same_ring(
    u: Any, bulge: float = 0.3, *, a: Any = (1.0, 0.1), b: Any = (-0.2, 0.7), c: Any = (0.3, -0.4)
) -> Any:
    """An ellipse with a bulge."""
    return c + a * td.cos(u) + b * td.sin(u) + bulge * td.cos(2 * u) * a


@td.constraint
def same_on_sphere(p: td.Point, *, centre: td.Place = (0.0, 0.0, 0.0), radius: td.Number = 1.0) -> Any:
    """A point stays on a sphere."""
    return td.norm(p - centre) - radius


@td.behavior
def same_swirl(p: td.Point, *, strength: td.Number = 1.0) -> Any:
    """A force across the place, and a bowl."""
    return td.force(p, strength * td.cross(td.vec(0, 0, 1), p)), td.energy(td.dot(p, p) / 2)


@kind
def made(rng: Random) -> td.World:
    """A Lagrangian object, a curve, a constraint and a behavior that a user defined."""
    world = td.World(**settings(rng, "runge_kutta", "adaptive", "rattle"))
    arm = world.add(same_arm(arm=between(rng, -1, 1), fore=between(rng, -1, 1)))
    world.add(
        td.nail(td.particle_of(arm, index=0), at=(0.1, 0.2)),
        td.spring(td.particle_of(arm, index=2), td.Nail(1, 1), stiffness=8.0),
    )
    ring = world.add(same_ring(drag=0.1))
    world.add(td.nail(td.curve_point(ring, u=0.7), at=vector(rng, 2, 0.5), tau=0.2))
    ball = world.add(td.Particle("ball", position=unit(rng), velocity=vector(rng)))
    world.add(same_on_sphere(ball), same_swirl(ball, strength=between(rng, -1, 1)), td.gravity(g=(0, 0, -3)))
    return world
