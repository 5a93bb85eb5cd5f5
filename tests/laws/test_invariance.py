"""Law of space: a rigid motion of everything changes no measure, gap, energy or power (types tied to the
world say so)."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tinkerdyne as td
from tests.laws.zoo import Probe, make, move, objects, rotation, types
from tinkerdyne.language.types import REGISTRY

SAME = {"rtol": 1e-9, "atol": 1e-9}  # rounding of a few dozen operations on numbers of order 10
SEEDS = st.integers(0, 10**6)
FREE = [t.name for t in types("connector", "constraint", "behavior") if not t.tied]


def moved(values, kind, R, shift):
    """What a connector's value becomes when everything moves."""
    n = len(shift)
    match kind:
        case "scalar" | "vector":
            return values
        case "point":
            return R @ values + shift
        case "direction":
            return R @ values
        case "frame":
            axes = values[n:].reshape(n, n, order="F")
            return np.concatenate([R @ values[:n] + shift, (R @ axes).ravel(order="F")])
    raise KeyError(kind)


def turned(values, kind, R, shift):
    """What its velocity becomes."""
    return moved(values, kind, R, 0 * shift)


def readings(world, item):
    """Values that a rigid motion leaves as they are, or moves along."""
    probe = Probe(world)
    probe.set(*probe.state(), world.time)
    if item.type.family == "behavior":
        return (*probe.s.record(item)[:2], probe.force @ probe.v)
    value, velocity, _ = probe.read(item)
    if item.type.family == "constraint":
        return np.linalg.norm(value), value @ velocity
    return value, velocity


@pytest.mark.parametrize("name", FREE)
@given(seed=SEEDS)
def test_a_rigid_motion_of_everything_changes_nothing(name, seed):
    rng = np.random.default_rng(seed)
    # Variants 0 and 1 plug in rigid bodies' directions; the third, a troid's, are not of length one.
    found = [
        s for dim in (2, 3) for variant in (0, 1) if (s := make(REGISTRY[name], dim, variant)) is not None
    ]
    assert found, f"no inputs were found for {name!r}"
    for specimen in found:
        R, shift = rotation(rng, specimen.dim), rng.normal(size=specimen.dim)
        before = readings(specimen.world, specimen.item)
        for item in specimen.world.items:
            if item.type.family == "object":
                move(item, R, shift)
        after = readings(specimen.world, specimen.item)
        if specimen.item.type.family == "connector":
            kind = specimen.item.type.output.name
            before = (moved(before[0], kind, R, shift), turned(before[1], kind, R, shift))
        for x, y in zip(before, after, strict=True):
            np.testing.assert_allclose(y, x, **SAME, err_msg=str(specimen))


@pytest.mark.parametrize("kind", [t.name for t in types("object")])
@pytest.mark.parametrize("name", [t.name for t in types("field") if not t.tied])
def test_a_field_that_is_not_tied_does_the_same_work_anywhere(name, kind):
    rng = np.random.default_rng(5)
    for prototype in objects(kind):
        world = td.World()
        item = world.add(prototype.type.make("specimen", (), {**prototype.values, **prototype.start}))
        world.add(REGISTRY[name]())
        dim = dimension(item)
        before = probe_fields(world)
        move(item, rotation(rng, dim), rng.normal(size=dim))
        np.testing.assert_allclose(probe_fields(world), before, **SAME)


def dimension(item):
    """In how many dimensions an object lives."""
    for name in ("position", "points"):
        if name in item.type.state_names():
            return np.shape(getattr(item, name))[-1]
    return len(item.values["text"]) if "text" in item.values else 3


def probe_fields(world):
    probe = Probe(world)
    probe.set(*probe.state(), world.time)
    return (*probe.fields(), probe.force @ probe.v)
