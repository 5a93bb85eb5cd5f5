"""The motion lives on: put into the world, where its bodies go on by contact.

Until the sketch ends, its bodies touch nothing by themselves: the timeline has their blows. Then, or at the
last blow where nothing is said of what follows, contact takes them over."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from tinkerdyne.behaviors.contact import contact, ignore
from tinkerdyne.behaviors.forces import gravity
from tinkerdyne.language.item import Item
from tinkerdyne.objects.rotation import quaternion_of
from tinkerdyne.sketch.show.tree_solution import TreeSolution
from tinkerdyne.sketch.solve.parallel import ALONE
from tinkerdyne.studio.sketching.begin import gravity_of
from tinkerdyne.world.edit import Change, Edit, Event, Move, Plan, Remove, Several
from tinkerdyne.world.world import World

if TYPE_CHECKING:
    from tinkerdyne.sketch.show.solution import Solution
    from tinkerdyne.studio.sketching.solver import AnySolution

OURS = "sketch: "  # how the items begin that keep contact away meanwhile
ROUGH = 0.4  # friction where the world has no contact, and no blow has any
STATE = ("position", "orientation", "velocity", "spin")


def play(world: World, m: AnySolution) -> float:
    """Put a motion into its world, from now on, as one step; its duration [s]."""
    if isinstance(m, TreeSolution):
        return _play_tree(world, m)
    if not m.outcome.is_feasible:
        raise ValueError("there is no motion to play: the sketch could not be met")
    if m.sketch.inertias or m.sketch.forces:
        raise ValueError(
            "inertia or a force was chosen for a body of this sketch; play it in Python: solution.world()"
        )
    with world.history.one_step():
        _forget_last(world, m)
        _weigh(world, m)
        for b, body in enumerate(m.sketch.bodies):
            world.apply(Move(body.name, _state(m, body, 0)))
            is_standing = m.statement.is_standing(0, b)
            if bool(world[body.name].is_fixed) != is_standing:
                world.apply(Change(body.name, "is_fixed", is_standing))
        apart = _keep_apart(world, m)
        world.apply(Plan((*world.timeline, *_events(world, m, apart))))
    return m.seconds


def _play_tree(world: World, m: TreeSolution) -> float:
    """Bodies with joints start the motion; their joints do the rest."""
    if not m.is_met:
        raise ValueError("there is no motion to play: the sketch could not be met")
    tree, nodes = m.sketch.tree, m.nodes
    with ALONE:  # another motion may be solved beside this thread
        x, R = tree.posed(nodes.c[:1], nodes.Q[:1])
        v, w = (np.array(one) for one in tree.velocity_function(nodes.c[0], nodes.Q[0], nodes.u[0]))
    with world.history.one_step():
        _forget_last(world, m)
        _set_gravity(world, m)
        for k, body in enumerate(m.sketch.bodies):
            rows = x[0, k], quaternion_of(R[0, k]), v[:, k], w[:, k]
            state = tuple((name, tuple(row.tolist())) for name, row in zip(STATE, rows, strict=True))
            world.apply(Move(body.name, state))
        apart = _keep_apart(world, m)
        if apart:
            world.apply(Plan((*world.timeline, Event(world.time + m.seconds, Several((Remove(apart),))))))
    return float(m.seconds)


def _forget_last(world: World, m: AnySolution) -> None:
    """What an earlier motion of these bodies has still to come."""
    ours = [item.name for item in world.items if item.name.startswith(OURS)]
    if ours:
        world.remove(*ours)
    names = {body.name for body in m.sketch.bodies}
    left = tuple(e for e in world.timeline if not (isinstance(e, Event) and _is_of(e.what, names, ours)))
    if left != world.timeline:
        world.apply(Plan(left))


def _is_of(edit: Edit, bodies: set[str], ours: list[str]) -> bool:
    match edit:
        case Several(edits):
            return bool(edits) and all(_is_of(one, bodies, ours) for one in edits)
        case Move(name, _) | Change(name, "is_fixed", _):
            return name in bodies
        case Remove(names):
            return all(name.startswith(OURS) for name in names)
    return False


def _set_gravity(world: World, m: AnySolution) -> None:
    """The gravity of the sketch."""
    found = next((item for item in world.items if item.type is gravity), None)
    g = tuple(m.sketch.gravity.tolist())
    if found is None:
        world.add(gravity(g=g))
    elif not np.allclose(gravity_of(world), g, rtol=1e-12, atol=1e-12):
        world.apply(Change(found.name, "g", g))


def _weigh(world: World, m: Solution) -> None:
    """The gravity of the sketch, and contact to go on with."""
    _set_gravity(world, m)
    if not any(item.type is contact for item in world.items):
        last = m.blows[-1] if m.blows else None
        rough, bouncy = (last.friction, last.restitution) if last is not None else (ROUGH, 0.0)
        world.add(contact(friction=rough or ROUGH, restitution=bouncy))


def _keep_apart(world: World, m: AnySolution) -> tuple[str, ...]:
    """Items by which the bodies of a sketch touch nothing; their names."""
    moving = [world[body.name] for body in m.sketch.bodies]
    others = [i for i in world.items if i.type.family == "object" and i not in moving and _touches(i)]
    pairs: list[tuple[Item, Item]] = [*combinations(moving, 2), *((a, b) for a in moving for b in others)]
    return tuple(world.add(ignore(a, b, name=f"{OURS}{a.name}, {b.name}")).name for a, b in pairs)


def _touches(item: Item) -> bool:
    """Whether an object has a surface that contact knows of."""
    return getattr(item.type, "boundary", None) is not None


def _state(m: Solution, body: Item, flight: int) -> tuple[tuple[str, tuple[float, ...]], ...]:
    rows = m.states(body, flight, np.array([0.0]))
    return tuple((name, tuple(row[0].tolist())) for name, row in zip(STATE, rows, strict=True))


def _events(world: World, m: Solution, apart: tuple[str, ...]) -> list[Event]:
    """The blows, and that contact takes over."""
    s, now, events = m.statement, world.time, []
    for f, c in enumerate(m.sketch.collisions):
        if c.body is None:
            continue
        struck = [c.body, *([c.on.of] if c.on.of is not None else [])]
        struck = [body for body in struck if body in m.sketch.bodies]
        edits: list[Edit] = [
            Change(body.name, "is_fixed", False)
            for body in struck
            if s.since[m.sketch.bodies.index(body)] == f + 1
        ]
        edits += [Move(body.name, _state(m, body, f + 1)) for body in struck]
        events.append(Event(now + float(m.grid[f + 1]), Several(tuple(edits))))
    last = len(s.flights) - 1
    freed: list[Edit] = [
        Change(body.name, "is_fixed", False) for b, body in enumerate(m.sketch.bodies) if s.since[b] > last
    ]
    freed += [Remove(apart)] if apart else []
    is_left = len(m.grid) > 2 and any(s.is_left(last, b) for b in range(len(s.items)))
    if freed:
        events.append(Event(now + float(m.grid[-2 if is_left else -1]), Several(tuple(freed))))
    return events
