"""What is still apart is counted: by Python, in the bar and in the plots alike."""

from __future__ import annotations

import pytest

import tinkerdyne as td
from tests.studio.page import Page


def test_a_nail_that_is_far_from_its_part_is_told_by_how_much(show):
    world = td.World()
    ball = world.add(td.Particle("ball"))
    world.add(td.nail(ball, at=(3.0, 4.0, 0.0), tau=0.5, name="hook"))
    post = world.add(td.Particle("post"))
    world.add(td.at_least(td.distance_between(post, ball), low=-1.0))  # a stop that is open is not apart
    assert world.apart == pytest.approx(4.0)  # the largest of its rows, as `hook.gap`
    shown = show(world, is_playing=False)
    page = Page(shown._server)
    page.ask("play", is_playing=False, steps=5)
    page.until(lambda: page.latest["Status"]["time"] == pytest.approx(5 / 60))
    assert 0.1 < world.apart < 4.0 and world.gap < 1e-6
    assert page.latest["Status"]["gap"] == world.apart == world["hook"].gap
    told = page.ask("recall", names=["gap", "hook.gap"])
    assert told["values"][0][-1] == pytest.approx(world.apart, rel=1e-7)
    assert told["values"][0] == told["values"][1]
    page.close()
