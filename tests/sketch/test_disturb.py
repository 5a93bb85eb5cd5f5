"""Last digits can be disturbed as another machine would, and nothing changes while they are not."""

import numpy as np
import pytest

from scenes.sketch.acted.chain import chain
from tests.sketch.throws import thrown
from tinkerdyne.sketch import disturb
from tinkerdyne.sketch.disturb import disturbed, rounded


def test_disturbed_numbers_differ_by_so_much_and_always_in_the_same_way():
    values = np.random.default_rng(0).normal(size=(40, 3))
    with disturbed(1, 1e-12):
        one, again = rounded(values), rounded(values)
        with disturbed(2, 1e-12):
            other = rounded(values)
        assert np.array_equal(rounded(values), one)  # the inner one is over
    assert np.array_equal(one, again) and not np.array_equal(one, other)
    off = np.abs(one / values - 1).max()
    assert 1e-13 < off < 1.01e-12


def test_nothing_is_computed_while_nothing_is_disturbed(monkeypatch):
    monkeypatch.setattr(disturb, "_current", None)
    values = np.ones(3)
    assert rounded(values) is values


def test_the_samples_of_a_sketch_are_disturbed():
    sketch, _ = thrown((0.1, 0.1, 0.1))
    told = sketch.flights[0].tracks["die"].places / sketch.statement().units.length
    with disturbed(1, 1e-13):
        places = sketch.statement().tracks[0][0].places
    assert not np.array_equal(places, told) and places == pytest.approx(told, rel=1e-12)


def test_a_sketch_is_solved_to_the_same_motion_whatever_its_last_digits_are():
    with disturbed(1, 1e-13):
        one = chain(3).solve()
    with disturbed(2, 1e-13):
        other = chain(3).solve()
    assert one.is_met and other.is_met and not np.array_equal(one.nodes.c, other.nodes.c)
