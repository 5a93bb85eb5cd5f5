"""Scene files: whatever a file holds, it is refused in words or it loads; what loads runs and saves again."""

from __future__ import annotations

import json
import warnings
from random import Random

import tinkerdyne as td
from tinkerdyne.studio.build.script import script
from tinkerdyne.world.scene import SceneError

from . import values, worlds

STRANGE = (
    "zip()",
    "unhashable",
    "NoneType",
    "object has no attribute",
    "unexpected keyword",
    "positional argument",
)


def typed() -> td.World:
    """A world of typed formulas, paths, curves and a timeline."""
    world = td.World()
    ball = world.add(td.Particle("ball", position=(1.0, 0.0, 0.0)))
    height = world.add(td.formula("p.z*k", p=ball, k=2.0, name="height"))
    world.add(td.formula_energy("k*h^2", h=height, k=3.0), td.nail(ball, at=(1.0, 0.0, 0.0), name="hook"))
    world.add(
        td.typed_curve("a*u", "b*u*u", a=1.0, b=2.0, name="curve"), td.moving("cos(w*t)", "0", "0", w=2.0)
    )
    world.at(0.02, td.Change("hook", "is_on", False), td.Remove(("hook",)))
    world.ramp(ball, "mass", to=2.0, start=0.01, end=0.03)
    return world


def case(rng: Random) -> str:
    """One file."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _case(rng)


def _case(rng: Random) -> str:
    world = typed() if rng.random() < 0.5 else worlds.build(rng)
    if rng.random() < 0.5:
        world.step(0.01)
    text = _spoiled(rng, world.to_json())
    try:
        loaded = td.World.from_json(text)
    except SceneError as problem:
        said = str(problem)
        assert len(said) > 5 and not any(word in said for word in STRANGE), f"it says {said!r}"
        return "refused"
    try:
        loaded.step(0.01)
    except ValueError as problem:
        assert len(str(problem)) > 10, f"a step says {problem!r}"
    again = loaded.to_json()
    td.World.from_json(again)
    compile(script(loaded), "script", "exec")
    return "loaded"


def _spoiled(rng: Random, text: str) -> str | bytes:
    way = rng.random()
    if way < 0.7:
        return json.dumps(values.spoiled(rng, json.loads(text)))
    at = rng.randrange(len(text))
    if way < 0.8:
        return text[:at]
    if way < 0.9:
        return text[:at] + values.text(rng) + text[at + rng.randrange(5) :]
    data = bytearray(text.encode())
    for _ in range(rng.randint(1, 5)):
        data[rng.randrange(len(data))] = rng.randrange(256)
    return bytes(data)
