"""Dampers and springs beside which masses are nothing: the motion is right, or they are refused by name."""

import warnings

import numpy as np
import pytest

import tinkerdyne as td

H, SPAN = 1 / 60, 0.3


def hanging(seed, strength, what, method):
    """Particles in a row, each tied to the one before by a spring of which `what` is as large as said."""
    draw = np.random.default_rng(seed)
    world = td.World(method=method, max_step=H)
    last, place, parts = td.Nail(0, 0, 0), np.zeros(3), []
    for k in range(int(draw.integers(1, 5))):
        along = draw.normal(size=3)
        place = place + along / np.linalg.norm(along)
        part = td.Particle(f"p{k}", mass=10 ** draw.uniform(-2, 2), position=place)
        parts.append(world.add(part))
        values = {"stiffness": 0.0, what: strength}
        world.add(td.spring(last, part, length=1.0, name=f"tie{k}", **values))
        last = part
    world.add(td.gravity())
    return world, parts


def as_rods(seed):
    """The same, with ties that are rigid."""
    world, parts = hanging(seed, 0.0, "stiffness", "adaptive")
    last = td.Nail(0, 0, 0)
    for part in parts:
        world.add(td.distance(last, part, length=1.0))
        last = part
    world.run(SPAN)
    return parts


def furthest(parts, others):
    """How far parts are from where others are   [m]."""
    return max(np.abs(np.subtract(a.position, b.position)).max() for a, b in zip(parts, others, strict=True))


@pytest.mark.parametrize("method", ["implicit", "rattle"])
@pytest.mark.parametrize("seed", range(4))
def test_ties_like_rods_are_right_or_refused_by_name(method, seed):
    """Both kept 1e30 J and more, and said DONE or CAREFUL."""
    exact = as_rods(seed)
    draw = np.random.default_rng(100 + seed)
    for what in ("damping", "stiffness"):
        strength = 10 ** draw.uniform(14, 30)
        world, parts = hanging(seed, strength, what, method)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = world.run(SPAN)
        off = furthest(parts, exact)
        assert (result.status is td.Status.TOO_STIFF) == (off > 1e-2), f"{what} {strength:.3g}: {result}"
        if result.status is td.Status.TOO_STIFF:
            assert any(name.startswith("tie") for name in result.culprits), f"{what} {strength:.3g}: {result}"
            assert np.abs(parts[-1].velocity).max() < 10 and what in result.remedy


@pytest.mark.parametrize("what", ["damping", "stiffness"])
def test_implicit_follows_what_is_a_million_times_a_mass(what):
    world, parts = hanging(3, 1e6, what, "implicit")
    assert world.run(SPAN)
    assert furthest(parts, as_rods(3)) < 1e-2
