"""The found motion in the engine: as a world that plays it, flown again flight by flight, and as a whole
(M8)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tinkerdyne.behaviors.forces import gravity, pull
from tinkerdyne.connectors.points import point
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item
from tinkerdyne.objects.catalog import RigidBody
from tinkerdyne.objects.rotation import rotation_matrix
from tinkerdyne.sketch.problem.unknowns import Force, Inertia
from tinkerdyne.sketch.show.impacts import BodyState, after_impact, contact_point
from tinkerdyne.sketch.show.stage import stage
from tinkerdyne.world.edit import Event, Move, Plan, Several
from tinkerdyne.world.world import World

if TYPE_CHECKING:
    from tinkerdyne.sketch.show.solution import Solution


def world(m: Solution) -> World:
    """A world in which the motion plays: bodies as they start, what stands there, gravity, and blows on a
    timeline."""
    world = _still(m)
    world.add(*stage(m))
    events = []
    for f, c in enumerate(m.sketch.collisions):
        if c.body is None:
            continue
        struck = [c.body, *([c.on.of] if c.on.of is not None else [])]
        moves = tuple(Move(body.name, _velocities(m, body, f + 1)) for body in struck)
        events.append(Event(float(m.grid[f + 1]), Several(moves) if len(moves) > 1 else moves[0]))
    if events:
        world.apply(Plan(tuple(events)))
    return world


def _still(m: Solution) -> World:
    """The world at the start of the motion, without blows."""
    world = World(method="adaptive", rtol=1e-11, atol=1e-13)
    world.add(*[_copy(m, body, m.at(body, 0.0)) for body in m.sketch.bodies])
    world.add(gravity(g=tuple(m.sketch.gravity)))
    _push(m, world)
    return world


def _velocities(m: Solution, body: Item, flight: int) -> tuple[tuple[str, tuple[float, ...]], ...]:
    _, _, v, w = (one[0] for one in m.states(body, flight, np.array([0.0])))
    return (("velocity", tuple(v.tolist())), ("spin", tuple(w.tolist())))


def _copy(m: Solution, body: Item, state: dict[str, Array]) -> Item:
    """The body in a state; one whose inertia was chosen becomes a rigid body of that inertia."""
    given = {name: tuple(value.tolist()) for name, value in state.items()}
    b = m.sketch.bodies.index(body)
    if Inertia(b) in m.outcome.point.chosen:
        axes = m.statement.shapes[b].axes
        tensor = axes @ np.diag(m.moments(b)) @ axes.T
        rigid: Item = RigidBody(
            body.name, mass=m.statement.shapes[b].mass, inertia=tuple(tensor.ravel().tolist()), **given
        )
        return rigid
    made: Item = body.type.make(body.name, (), {**body.values, **given})
    return made


def _push(m: Solution, world: World) -> None:
    for b, body in enumerate(m.sketch.bodies):
        force = m.outcome.point.chosen.get(Force(b))
        if force is not None:
            u = m.statement.units
            world.add(pull(point(world[body.name]), by=tuple(force * u.mass * u.length / u.time**2)))


def resimulated(m: Solution) -> list[float]:
    """How far the engine, started where each flight starts, ends from where the flight ends: the furthest
    corner [m]."""
    out = []
    for f in range(len(m.grid) - 1):
        world = World(method="adaptive", rtol=1e-12, atol=1e-13)
        for b, body in enumerate(m.sketch.bodies):
            x, q, v, w = (one[0] for one in m.states(b, f, np.array([0.0])))
            world.add(_copy(m, body, {"position": x, "orientation": q, "velocity": v, "spin": w}))
        world.add(gravity(g=tuple(m.sketch.gravity)))
        _push(m, world)
        world.step(float(m.grid[f + 1] - m.grid[f]))
        out.append(max(_apart(m, b, f, world) for b in range(len(m.sketch.bodies))))
    return out


def _apart(m: Solution, b: int, f: int, world: World) -> float:
    body, shape = world[m.sketch.bodies[b].name], m.statement.shapes[b]
    x, q, *_ = (one[0] for one in m.states(b, f, np.array([1.0])))
    marks = shape.radius * np.eye(3) if shape.round else shape.corners
    here = x + marks @ rotation_matrix(q).T
    there = np.array(body.position) + marks @ rotation_matrix(body.orientation).T
    return float(np.linalg.norm(here - there, axis=1).max())


def replayed(m: Solution) -> float:
    """How far the engine ends from the motion's end when it flies it whole, struck by impulses of its own
    state [m]."""
    world = _still(m)
    s = m.statement
    blows = iter(m.blows)
    for f in range(len(m.grid) - 1):
        world.step(float(m.grid[f + 1] - m.grid[f]))
        if f == len(m.grid) - 2 or s.collisions[f].body is None:
            continue
        c, blow = s.collisions[f], next(blows)
        bodies = s.struck(c)
        held = [world[s.items[b].name] for b in bodies]
        states: list[BodyState] = [
            (np.array(one.position), np.array(one.orientation), np.array(one.velocity), np.array(one.spin))
            for one in held
        ]
        place, *_ = contact_point(m, f, states)
        after, _ = after_impact(m, bodies, states, place, blow.normal, blow.restitution, blow.friction)
        for body, now in zip(held, after.values(), strict=True):
            body.velocity, body.spin = tuple(now[:3].tolist()), tuple(now[3:].tolist())
    return max(_apart(m, b, len(m.grid) - 2, world) for b in range(len(m.sketch.bodies)))
