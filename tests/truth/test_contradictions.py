"""Constraints that cannot all be met never give energy to a world (E8)."""

import pytest

import tinkerdyne as td
from tests.truth.contradictions import METHODS, box_between_nails, gained, random_contradiction


@pytest.mark.parametrize("method", METHODS)
def test_a_box_between_nails_too_far_apart_comes_to_rest(method):
    world = box_between_nails(method=method)
    result = world.run(5.0)
    assert result.status is td.Status.UNMET
    world.run(5.0)
    assert world.kinetic_energy < 0.01  # it was 3,710 J


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", [101, 102, 103, 104])
def test_random_contradictions_gain_nothing(seed, method):
    assert gained(random_contradiction(seed, method=method), 8.0) < 1e-2
