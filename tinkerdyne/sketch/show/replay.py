"""The found motion in the engine: as a world that plays it, flown again flight by flight, and as a whole
(M8)."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np

from tinkerdyne.behaviors.contact import contact, ignore
from tinkerdyne.behaviors.forces import gravity, pull
from tinkerdyne.connectors.points import point
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item
from tinkerdyne.objects.catalog import RigidBody
from tinkerdyne.objects.rotation import rotation_matrix
from tinkerdyne.sketch.problem.unknowns import Force, Inertia
from tinkerdyne.sketch.show.impacts import BodyState, after_impact, contact_point
from tinkerdyne.sketch.show.stage import stage
from tinkerdyne.world.edit import Change, Configure, Edit, Event, Move, Plan, Several
from tinkerdyne.world.world import World

if TYPE_CHECKING:
    from tinkerdyne.sketch.show.solution import Solution

ROUGH = 0.4  # friction after the sketch where its collisions have none


def world(m: Solution) -> World:
    """A world in which the motion plays: bodies as they start, what stands there, gravity, and blows on a
    timeline; after the sketch contact goes on with it."""
    world = _still(m)
    world.add(*stage(m))
    events = []
    for f, c in enumerate(m.sketch.collisions):
        if c.body is None:
            continue
        struck = [c.body, *([c.on.of] if c.on.of is not None else [])]
        edits: list[Edit] = [
            Change(body.name, "is_fixed", False)
            for body in struck
            if m.statement.since[m.sketch.bodies.index(body)] == f + 1
        ]
        edits += [Move(body.name, _velocities(m, body, f + 1)) for body in struck]
        events.append(Event(float(m.grid[f + 1]), Several(tuple(edits)) if len(edits) > 1 else edits[0]))
    world.apply(Plan((*events, goes_on(m, world))))
    return world


def goes_on(m: Solution, world: World) -> Event:
    """Adds the contact that takes over after the sketch, and says when: at its end, or at its last blow where
    nothing is said of what follows it."""
    s = m.statement
    last = len(s.flights) - 1
    friction, restitution = _surface(m)
    name = world.add(contact(friction=friction, restitution=restitution, is_on=False)).name
    every = [*m.sketch.bodies, *m.sketch.obstacles]
    apart = {frozenset(pair) for pair in s.pairs}
    for a, b in itertools.combinations(range(len(every)), 2):
        if a < len(m.sketch.bodies) and frozenset((a, b)) not in apart:
            world.add(ignore(world[every[a].name], world[every[b].name]))
    free = [
        Change(body.name, "is_fixed", False) for b, body in enumerate(m.sketch.bodies) if s.since[b] > last
    ]
    is_left = any(s.is_left(last, b) for b in range(len(s.items)))
    edits: tuple[Edit, ...] = (*free, Configure("method", "rattle"), Change(name, "is_on", True))
    return Event(float(m.grid[-2 if is_left else -1]), Several(edits))


def _surface(m: Solution) -> tuple[float, float]:
    """Friction and restitution of what goes on: those of the last blow, and some friction where it had
    none."""
    if not m.blows:
        return ROUGH, 0.0
    return m.blows[-1].friction or ROUGH, m.blows[-1].restitution


def _still(m: Solution) -> World:
    """The world at the start of the motion, without blows."""
    world = World(method="adaptive", rtol=1e-11, atol=1e-13)
    world.add(*[_copy(m, body, m.at(body, 0.0), 0) for body in m.sketch.bodies])
    world.add(gravity(g=tuple(m.sketch.gravity)))
    _push(m, world)
    return world


def _velocities(m: Solution, body: Item, flight: int) -> tuple[tuple[str, tuple[float, ...]], ...]:
    _, _, v, w = (one[0] for one in m.states(body, flight, np.array([0.0])))
    return (("velocity", tuple(v.tolist())), ("spin", tuple(w.tolist())))


def _copy(m: Solution, body: Item, state: dict[str, Array], flight: int) -> Item:
    """The body in a state of a flight, fixed while it stands; one whose inertia was chosen becomes a rigid
    body of that inertia."""
    b = m.sketch.bodies.index(body)
    given: dict[str, object] = {name: tuple(value.tolist()) for name, value in state.items()}
    if m.statement.is_standing(flight, b):
        given |= {"is_fixed": True, "position": body.position, "orientation": body.orientation}
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
            state = {"position": x, "orientation": q, "velocity": v, "spin": w}
            world.add(_copy(m, body, state, f))
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
            body.is_fixed = False
            body.velocity, body.spin = tuple(now[:3].tolist()), tuple(now[3:].tolist())
    return max(_apart(m, b, len(m.grid) - 2, world) for b in range(len(m.sketch.bodies)))
