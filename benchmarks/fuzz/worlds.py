"""Small random worlds of all sorts, and single edits of them, each from a random generator."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random
from typing import Any

import tinkerdyne as td

World = td.World
Act = Callable[[World, Random], object]
EDITS: list[Act] = []
MOVES: list[Act] = []


def edit(act: Act) -> Act:
    """One of the things that change what there is."""
    EDITS.append(act)
    return act


def move(act: Act) -> Act:
    """One of the things that change the state, or only look at it."""
    MOVES.append(act)
    return act


def place(rng: Random, dim: int) -> tuple[float, ...]:
    return tuple(round(rng.uniform(-2, 2), 3) for _ in range(dim))


def turned(rng: Random) -> tuple[float, ...]:
    q = [rng.gauss(0, 1) for _ in range(4)]
    size = math.hypot(*q)
    return tuple(x / size for x in q)


def body(rng: Random, dim: int, name: str = "") -> td.Item:
    """A free body of the plane or of space."""
    at, mass = place(rng, dim), round(rng.uniform(0.2, 3), 2)
    if dim == 2:
        angle = rng.uniform(-3, 3)
        makers: list[Callable[[], td.Item]] = [
            lambda: td.Particle(name, position=at, mass=mass),
            lambda: td.PlanarRod(name, position=at, angle=angle, mass=mass),
            lambda: td.PlanarBody(name, position=at, angle=angle, mass=mass, inertia=0.3),
        ]
    else:
        q = turned(rng)
        makers = [
            lambda: td.Particle(name, position=at, mass=mass),
            lambda: td.Rod(name, position=at, orientation=q, mass=mass),
            lambda: td.Box(name, position=at, orientation=q, size=(0.3, 0.2, 0.5), density=400.0),
            lambda: td.Sphere(name, position=at, radius=0.3, mass=mass),
        ]
    return rng.choice(makers)()


def point_of(rng: Random, item: td.Item) -> td.Item:
    """A point of a body."""
    ends = [name for name in ("end1", "end2") if name in item.type.places(item.values)]
    if ends and rng.random() < 0.8:
        found: td.Item = getattr(item, rng.choice(ends))
        return found
    return item if item.type.name == "particle" else td.point(item)


def bodies(world: World) -> list[td.Item]:
    return [item for item in world.items if item.type.family == "object"]


def one(rng: Random, items: list[td.Item]) -> td.Item:
    if not items:
        raise ValueError("there is nothing to choose from")
    return rng.choice(items)


def dim_of(world: World) -> int:
    found = bodies(world)
    return len(found[0].position) if found else 3


def tie(rng: Random, world: World) -> td.Item:
    """A constraint or force on what is there."""
    dim = dim_of(world)
    a, b = one(rng, bodies(world)), one(rng, bodies(world))
    p, q = point_of(rng, a), td.Nail(*place(rng, dim)) if a is b else point_of(rng, b)
    up = (0.0,) * (dim - 1) + (1.0,)
    makers: list[Callable[[], td.Item]] = [
        lambda: td.connect(p, q),
        lambda: td.nail(p, at=place(rng, dim), tau=0.3),
        lambda: td.distance(p, q, length=rng.uniform(0.2, 2)),
        lambda: td.spring(p, q, stiffness=rng.uniform(1, 50), damping=0.2),
        lambda: td.drag(p, coefficient=rng.uniform(0, 1)),
        lambda: td.at_least(td.coordinate(p, up), low=-5.0, restitution=0.5),
        lambda: td.formula_force(td.coordinate(p, up), "-k*x", x=td.coordinate(p, up), k=3.0),
    ]
    return rng.choice(makers)()


def build(rng: Random) -> World:
    """A world of two to five bodies with ties."""
    method = rng.choice(
        ("rattle", "rattle", "rattle", "runge_kutta", "energy_momentum", "stormer", "adaptive")
    )
    world = World(method=method, max_step=1 / 240, rtol=1e-6, atol=1e-8)
    dim = rng.choice((2, 3, 3))
    for k in range(rng.randint(2, 5)):
        world.add(body(rng, dim, f"body{k}"))
    if rng.random() < 0.8:
        world.add(td.gravity(g=(0.0,) * (dim - 1) + (-9.81,)))
    for _ in range(rng.randint(1, 5)):
        try:
            world.add(tie(rng, world))
        except (TypeError, ValueError):
            continue
    return world


# --- edits -----------------------------------------------------------------------------------------
@edit
def add_body(world: World, rng: Random) -> object:
    return world.add(body(rng, dim_of(world)))


@edit
def add_tie(world: World, rng: Random) -> object:
    return world.add(tie(rng, world))


@edit
def add_both(world: World, rng: Random) -> object:
    new = body(rng, dim_of(world))
    return world.add(new, td.connect(point_of(rng, one(rng, bodies(world))), td.point(new)))


@edit
def remove(world: World, rng: Random) -> object:
    return world.remove(one(rng, list(world.items)))


@edit
def change(world: World, rng: Random) -> object:
    item = one(rng, list(world.items))
    numbers = {k: v for k, v in item.values.items() if isinstance(v, float)}
    if not numbers:
        raise ValueError("nothing to change")
    name = rng.choice(sorted(numbers))
    return setattr(item, name, numbers[name] * rng.uniform(0.8, 1.3) + rng.choice((0.0, 0.1)))


@edit
def switch(world: World, rng: Random) -> object:
    item = one(rng, [item for item in world.items if "is_on" in item.values])
    return setattr(item, "is_on", not item.is_on)


@edit
def fix(world: World, rng: Random) -> object:
    item = one(rng, bodies(world))
    return setattr(item, "is_fixed", not item.is_fixed)


@edit
def push(world: World, rng: Random) -> object:
    item = one(rng, bodies(world))
    return setattr(item, rng.choice(("position", "velocity")), place(rng, len(item.position)))


@edit
def rename(world: World, rng: Random) -> object:
    return world.apply(td.Rename(one(rng, list(world.items)).name, f"name {rng.randrange(10**6)}"))


@edit
def configure(world: World, rng: Random) -> object:
    options: list[dict[str, Any]] = [
        {"method": rng.choice(("rattle", "runge_kutta", "stormer"))},
        {"tolerance": 10.0 ** rng.uniform(-10, -6)},
        {"order": rng.choice((1, 2))},
        {"solver": rng.choice(("ldl", "conjugate_gradient"))},
    ]
    return world.configure(**rng.choice(options))


@edit
def plan(world: World, rng: Random) -> object:
    item = one(rng, [item for item in world.items if "is_on" in item.values])
    return world.at(world.time + rng.uniform(0.01, 0.2), td.Change(item.name, "is_on", rng.random() < 0.5))


@edit
def ramp(world: World, rng: Random) -> object:
    item = one(rng, [item for item in bodies(world) if isinstance(item.values.get("mass"), float)])
    now = world.time
    return world.ramp(item, "mass", to=rng.uniform(0.5, 2), start=now + 0.01, end=now + 0.05)


@edit
def several(world: World, rng: Random) -> object:
    """A group of edits as one step."""
    with world.history.one_step():
        for _ in range(rng.randint(1, 4)):
            rng.choice(EDITS[:9])(world, rng)
    return None


@edit
def undo(world: World, rng: Random) -> object:
    return world.undo()


@edit
def redo(world: World, rng: Random) -> object:
    return world.redo()


@edit
def strike(world: World, rng: Random) -> object:
    item = one(rng, [item for item in bodies(world) if item.type.name == "particle"])
    return world.impulse(item, place(rng, len(item.position)))


@edit
def assemble(world: World, rng: Random) -> object:
    return world.assemble(by_mass=rng.random() < 0.5)


@edit
def project(world: World, rng: Random) -> object:
    return world.project()


# --- what moves or only looks -------------------------------------------------------------------------
@move
def step(world: World, rng: Random) -> object:
    return world.step(rng.choice((1 / 240, 1 / 60, 0.05)))


@move
def look(world: World, rng: Random) -> object:
    return world.diagnose(), world.energy, world.gap


@move
def keep(world: World, rng: Random) -> object:
    return World.from_json(world.to_json())


@move
def record(world: World, rng: Random) -> object:
    return world.record(0.05, every=1 / 60)


@move
def drag(world: World, rng: Random) -> object:
    """Catch a body, lead it, let it go."""
    item = one(rng, bodies(world))
    grip = world.grab(item, hard=rng.random() < 0.5)
    for _ in range(2):
        grip.move(*place(rng, len(item.position)))
        world.step(1 / 60)
    return grip.release()
