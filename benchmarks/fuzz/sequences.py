"""Sequences of calls: edits, steps, drags, undo and saving in any order are done or refused in words; undone
to the beginning, the world is what it was."""

from __future__ import annotations

import json
import math
import warnings
from random import Random

import tinkerdyne as td

from . import values, worlds

REFUSED = (AttributeError, KeyError, ReferenceError, TypeError, ValueError)
STRANGE = ("zip()", "unhashable", "NoneType", "could not broadcast", "unpack")


def case(rng: Random) -> str:
    """One world, and up to thirty things that are done to it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _case(rng)


def _case(rng: Random) -> str:
    world = worlds.build(rng)
    world.history.clear()
    before = _built(world)
    world.add(td.Particle("first", position=(0.0,) * worlds.dim_of(world)))  # undo goes back to before it
    for _ in range(rng.randint(3, 30)):
        if not world.history.can_undo:  # what moves now could not be undone
            break
        act = _odd if rng.random() < 0.25 else rng.choice([*worlds.EDITS, *worlds.MOVES])
        try:
            act(world, rng)
        except REFUSED as problem:
            said = str(problem)
            assert said and not any(word in said for word in STRANGE), f"{act.__name__} says {said!r}"
        for item in world.items:
            if item.type.family == "object":
                state = [x for name in item.type.state_names() for x in _flat(getattr(item, name))]
                assert all(map(math.isfinite, state)), f"{item.name} is nowhere after {act.__name__}"
    td.World.from_json(world.to_json())
    while world.undo():
        pass
    assert _built(world) == before, "undone to the beginning it is another world"
    return "done"


def _built(world: td.World) -> dict[str, object]:
    """What there is, without the time, the stepper's memory, and what was only read."""
    found = json.loads(world.to_json())
    found.pop("stepper", None), found.pop("order", None), found.pop("connectors", None)
    for one in found.get("constraints", ()):
        one.pop("memory", None)
    return dict(found)


def _flat(value: object) -> tuple[float, ...]:
    return tuple(value) if isinstance(value, tuple) else (value,)  # type: ignore[return-value]


def _odd(world: td.World, rng: Random) -> object:
    """Something that nobody should do."""
    item = worlds.one(rng, list(world.items))
    name = rng.choice([*item.values, *item.type.state_names(), "nothing"])
    acts = (
        lambda: setattr(item, name, values.anything(rng)),
        lambda: world.apply(td.Change(item.name, values.text(rng), values.anything(rng))),
        lambda: world.apply(td.Rename(item.name, values.text(rng))),
        lambda: world.remove(values.text(rng)),
        lambda: world.configure(**{rng.choice(list(world.settings)): values.anything(rng)}),
        lambda: world.at(values.number(rng), td.Change(item.name, name, values.anything(rng))),
        lambda: world.step(rng.choice((0.0, -1.0, math.nan, 1e-12, 1e300))),
        lambda: world.add(item),
        lambda: world.impulse(item, values.anything(rng)),
        lambda: world.grab(item).move(values.anything(rng)),
        lambda: world.ramp(
            item, name, to=values.anything(rng), start=values.number(rng), end=values.number(rng)
        ),
    )
    return rng.choice(acts)()
