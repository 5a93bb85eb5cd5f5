"""Turns are wound up from key poses, and bodies that turn over are found again (M3, M4)."""

import numpy as np
import pytest

import tinkerdyne as td
from tinkerdyne.objects.rotation import products
from tinkerdyne.sketch import Sketch
from tinkerdyne.sketch.problem.flight import flown
from tinkerdyne.sketch.tell.shape import shape_of


def racket(seed):
    """A body that spins about its middle axis, and its spin there."""
    rng = np.random.default_rng(seed)
    size = rng.uniform((0.02, 0.07, 0.15), (0.05, 0.11, 0.22))
    body = td.Box("racket", size=tuple(size), mass=0.2)
    w = 0.3 * rng.normal(size=3)
    w[int(np.argsort(shape_of(body).moments)[1])] = rng.uniform(8, 16)
    q = rng.normal(size=4)
    return body, q / np.linalg.norm(q), w


@pytest.mark.mission("M4")
@pytest.mark.parametrize("keys, turns", [(7, 1.5), (6, 1.25), (5, 1.0), (9, 2.0)])
def test_soft_key_poses_wind_up(keys, turns):
    club = td.Cylinder("club", radius=0.02, length=0.4, mass=0.3)
    sketch = Sketch(club)
    sketch.want(club, position=(0, 0, 1), when="start")
    sketch.want(club, position=(1.2, 0, 1.0))
    sketch.lasts(0.5, 1.0)
    for k in range(keys):
        half = turns * np.pi * k / (keys - 1)
        pose = (np.cos(half), 0, np.sin(half), 0)
        sketch.want(club, orientation=pose, when=k / (keys - 1), hard=False)
    solution = sketch.solve(restarts=2)
    _, q, *_ = solution.states(club, 0, np.linspace(0, 1, 200))
    turned = 2 * np.arccos(np.clip(np.abs((q[1:] * q[:-1]).sum(axis=1)), 0, 1)).sum()
    assert solution.is_met and turned / (2 * np.pi) == pytest.approx(turns, abs=1e-3)


@pytest.mark.mission("M4")
@pytest.mark.parametrize("seed", [1, 2, *(pytest.param(k, marks=pytest.mark.long) for k in range(10, 30))])
def test_a_body_that_turns_over_is_found_again(seed):
    body, q, w = racket(seed)
    shape, T, s = shape_of(body), 0.9, np.linspace(0, 1, 16)
    start = (np.array((0, 0, 1.0)), q, np.array((0.5, 0, 4.0)), w)
    x, Q, *_ = flown("general", start, shape.moments, np.array((0, 0, -9.81)), s * T)
    own = np.array([*shape.turn[:1], *-shape.turn[1:]])
    sketch = Sketch(body)
    sketch.follow(body, x, products(Q, own), times=s * T)
    solution = sketch.solve(restarts=2)
    assert solution.is_met and solution.cost < 1e-8
    spun = shape.axes.T @ solution.at(body, 0.0)["spin"]
    assert spun == pytest.approx(w, abs=1e-3)
