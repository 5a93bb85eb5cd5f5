"""A person sees beside the gap how accurate the motion is."""

from __future__ import annotations

import pytest

import tinkerdyne as td


def coil(stiffness: float) -> td.World:
    """A weight of 1 kg that swings on a spring."""
    world = td.World()
    weight = world.add(td.Particle("weight", position=(1.1, 0, 1)))
    world.add(td.spring(td.Nail(0, 0, 1), weight, stiffness=stiffness, length=1.0, name="coil"))
    return world


@pytest.mark.long
def test_the_bar_says_how_far_a_motion_may_be_off(show, meet):
    me = meet(show(coil(20.0)).url)
    me.sees(".readings", "< 0.01 %")


@pytest.mark.long
def test_the_bar_says_that_a_motion_is_inaccurate_and_why(show, meet):
    me = meet(show(coil(1e6)).url)
    me.sees(".readings .bad", "error")
    me.sees(".slow", "coil")
