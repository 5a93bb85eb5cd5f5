"""What hands do to a random world while it runs: edits, undo, drags, blows, methods, saving.

An act takes a world and a random generator, and returns the world to go on with and what it read on the way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import tinkerdyne as td

Random = np.random.Generator
Read = list[tuple[str, Any]]  # readings by name
Act = Callable[[td.World, Random], tuple[td.World, Read]]
ACTS: list[Act] = []


def act(function: Act) -> Act:
    """Make a function one of the things that a hand does."""
    ACTS.append(function)
    return function


def do(world: td.World, rng: Random) -> tuple[td.World, str, Read]:
    """Do one of them; what the world refuses is a result too, by the kind of its error."""
    chosen = ACTS[int(rng.integers(len(ACTS)))]
    try:
        world, read = chosen(world, rng)
    except (AttributeError, KeyError, ReferenceError, TypeError, ValueError) as problem:
        read = [(f"refused with a {type(problem).__name__}", 1.0)]
    return world, chosen.__name__, read


def having(world: td.World, name: str) -> list[td.Item]:
    """The items with a parameter or state of this name; bodies have mass, what can be switched has is_on."""
    found = []
    for item in world.items:
        try:
            getattr(item, name)
        except AttributeError:
            continue
        found.append(item)
    return found


def one(rng: Random, items: list[td.Item]) -> td.Item:
    if not items:
        raise ValueError("there is nothing to choose from")
    return items[int(rng.integers(len(items)))]


def away(rng: Random, place: Any) -> tuple[float, ...]:
    return tuple(float(x) for x in np.asarray(place) + 0.3 * rng.normal(size=len(place)))


@act
def switch(world: td.World, rng: Random) -> tuple[td.World, Read]:
    item = one(rng, having(world, "is_on"))
    item.is_on = not item.is_on
    return world, []


@act
def remove(world: td.World, rng: Random) -> tuple[td.World, Read]:
    world.remove(one(rng, having(world, "is_on")))
    return world, []


@act
def remove_an_object(world: td.World, rng: Random) -> tuple[td.World, Read]:
    """And have it back, with all that was plugged into it."""
    world.remove(one(rng, having(world, "mass")))
    world.step(20 * world.settings["max_step"])
    return world, [("undone", float(world.undo())), ("time", world.time)]


@act
def undo(world: td.World, rng: Random) -> tuple[td.World, Read]:
    return world, [("undone", float(world.undo()))]


@act
def redo(world: td.World, rng: Random) -> tuple[td.World, Read]:
    first = having(world, "mass")[0]
    first.mass = 1.01 * first.mass
    world.undo()
    return world, [("redone", float(world.redo()))]


@act
def change(world: td.World, rng: Random) -> tuple[td.World, Read]:
    name = ("mass", "stiffness", "length", "tau", "g")[int(rng.integers(5))]
    item = one(rng, having(world, name))
    now = getattr(item, name)
    setattr(item, name, tuple(1.1 * x for x in now) if isinstance(now, tuple) else 1.1 * now)
    return world, []


@act
def push(world: td.World, rng: Random) -> tuple[td.World, Read]:
    item = one(rng, having(world, "position"))
    item.velocity = away(rng, item.velocity)
    return world, []


@act
def strike(world: td.World, rng: Random) -> tuple[td.World, Read]:
    item = one(rng, having(world, "position"))
    return world, list(world.impulse(item, away(rng, np.zeros(len(item.position)))).items())


@act
def drag(world: td.World, rng: Random) -> tuple[td.World, Read]:
    """Catch a body softly, hard, or with its orientation; lead it; let it go, and perhaps take that back."""
    item = one(rng, having(world, "position"))
    ways: tuple[dict[str, Any], ...] = (
        {},
        {"hard": True},
        {"orientation": True},
        {"tau": 0.05, "limit": 30.0},
    )
    grip, read = world.grab(item, **ways[int(rng.integers(len(ways)))]), []
    for k in range(5):
        grip.move(*away(rng, item.position))
        world.step(10 * world.settings["max_step"])
        read.append((f"grip.force {k}", grip.force))
    grip.release()
    if rng.random() < 0.3:
        read.append(("undone", float(world.undo())))
    return world, read


@act
def hang(world: td.World, rng: Random) -> tuple[td.World, Read]:
    """Add a particle on a spring."""
    item = one(rng, having(world, "position"))
    ball = world.add(td.Particle(mass=0.4, position=away(rng, item.position)))
    place = td.Nail(*away(rng, item.position))
    world.add(td.spring(ball, place, stiffness=20.0), td.distance(ball, place, length=0.5, tau=0.2))
    return world, []


@act
def plan(world: td.World, rng: Random) -> tuple[td.World, Read]:
    """Put a switch and a ramp on the timeline."""
    item, heavy = one(rng, having(world, "is_on")), one(rng, having(world, "mass"))
    soon = 10.5 * world.settings["max_step"]
    world.at(world.time + soon, td.Change(item.name, "is_on", False))
    world.ramp(
        heavy, "mass", to=1.5 * heavy.mass, start=world.time + soon, end=world.time + 5 * soon, is_smooth=True
    )
    return world, []


@act
def configure(world: td.World, rng: Random) -> tuple[td.World, Read]:
    method = ("rattle", "runge_kutta", "stormer", "adaptive", "energy_momentum")[int(rng.integers(5))]
    if len(world.items) > 60 and method == "adaptive":  # a singular net would take minutes
        method = "rattle"
    solver = ("ldl", "ldl", "conjugate_gradient")[int(rng.integers(3))]
    world.configure(method=method, solver=solver)
    return world, []


@act
def rename(world: td.World, rng: Random) -> tuple[td.World, Read]:
    world.apply(td.Rename(one(rng, list(world.items)).name, f"renamed {int(rng.integers(10**6))}"))
    return world, []


@act
def put_together(world: td.World, rng: Random) -> tuple[td.World, Read]:
    assembled = world.assemble(by_mass=bool(rng.random() < 0.5))
    projected = world.project()
    return world, [
        ("gap", assembled.gap),
        ("iterations", assembled.iterations),
        ("projected", float(bool(projected))),
    ]


@act
def reload(world: td.World, rng: Random) -> tuple[td.World, Read]:
    """Go on in a world that was saved and loaded."""
    return td.World.from_json(world.to_json()), []


@act
def look(world: td.World, rng: Random) -> tuple[td.World, Read]:
    """Diagnose, and read reactions; neither may change the motion."""
    found = world.diagnose()
    read: Read = [
        ("freedoms", found.freedoms),
        ("rank", found.rank),
        ("rows", found.rows),
        ("residual", found.residual),
    ]
    holding = [item for item in having(world, "tau") if item.is_on]
    return world, read + [
        (f"{c.name} on {name}", f) for c in holding[:10] for name, f in world.reactions(c).items()
    ]
