"""Law of live parameters: what an item in a world is given is checked like what a new one is given.

For every registered type, every parameter and values of every wrong sort: it is refused in words that name
the item, and the world is as it was; or it is taken, and then the world still runs, and its file loads."""

import functools
import math
import random
import warnings

import numpy as np
import pytest

import tinkerdyne as td
from tests.laws.zoo import objects, specimens, types
from tinkerdyne.language.types import REGISTRY

TRIES = 3  # values for each parameter of each type
REFUSED = (AttributeError, TypeError, ValueError)
NUMBERS = (2.5, -1.0, 0.0, 1e300, 1e-300, math.nan, math.inf, 3, True, 10**400, 2j, np.float32(1.5))
WORDS = ("", "x", "1", "smooth", b"1", None, object, {}, {"x": 1}, set())
LISTS = ((), (1,), (1, 2), (1.0, 2.0, 3.0), [0, 0, 0, 1], (0.0,) * 6, (1, "2", 3), ((1, 2), (3, 4)), [[]])
MORE = (np.zeros(3), np.zeros((2, 2)), np.eye(3), (math.nan, 1.0, 2.0), ((0, 1), (1, 2)), (("a",),), range(3))


def wrong(rng):
    """A value of any sort."""
    return rng.choice((*NUMBERS, *WORDS, *LISTS, *MORE))


@functools.cache
def text_of(name):
    """The file of a world that holds one item of the type, and that item's name."""
    kind = REGISTRY[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if kind.family == "field":
            world = td.World()
            world.add(td.Particle("ball"))
            item = world.add(kind.make("specimen", (), {}))
        elif kind.family == "object":
            item = objects(name)[0]
            world = td.World()
            world.add(item)
        else:
            specimen = specimens(name)[0]
            world, item = specimen.world, specimen.item
        return world.to_json(), item.name


@pytest.mark.parametrize(
    "name", [t.name for t in types("object", "connector", "constraint", "behavior", "field")]
)
def test_a_live_parameter_is_checked_like_a_new_one(name):
    rng = random.Random(name)
    text, who = text_of(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        world = td.World.from_json(text)
        item = world[who]
        for parameter in (*item.values, *item.type.state_names()):
            for _ in range(TRIES):
                before, value = world.to_json(), wrong(rng)
                try:
                    setattr(item, parameter, value)
                except REFUSED as problem:
                    assert len(str(problem)) > 10, f"{parameter} = {value!r}: {problem!r} says nothing"
                    assert world.to_json() == before, (
                        f"{parameter} = {value!r} was refused and left something"
                    )
                    continue
                loaded = td.World.from_json(world.to_json())
                assert loaded[who].values == item.values, f"{parameter} = {value!r}"
                world.step(1e-3)
                world.undo()
