"""A motion that was sketched lives on: contact takes over where the sketch ends, and bodies may stand before
the first blow (M1)."""

import numpy as np
import pytest

import tinkerdyne as td
from scenes.sketch.acted.die import die
from tinkerdyne.objects.rotation import rotation_matrix
from tinkerdyne.sketch import Sketch, Surface
from tinkerdyne.sketch.problem.simulate import simulated
from tinkerdyne.sketch.tell.document import document_of
from tinkerdyne.sketch.tell.file import sketch_of
from tinkerdyne.sketch.tell.shape import shape_of

SLOP = 5e-6  # m: how deep bodies may lie in each other


def thrown(seed: int, *, stands: bool = True, lasts: bool = False) -> Sketch:
    """A ball that is thrown at a block which stands on the table."""
    rng = np.random.default_rng(seed)
    ball = td.Sphere("ball", radius=0.05, mass=0.5)
    block = td.Box("block", size=(0.04, 0.12, 0.3), mass=0.4, position=(1.0, 0.0, 0.15))
    sketch = Sketch(ball, block)
    if stands:
        sketch.stand(block)
    x = np.linspace(0.0, 0.93, 10)
    height = rng.uniform(0.18, 0.27)
    places = np.stack([x, 0 * x, 0.2 + (height - 0.2) * x / 0.93 + 0.3 * x * (0.93 - x)], axis=1)
    sketch.follow(ball, places + 0.002 * rng.standard_normal(places.shape))
    sketch.keep_above(Surface())
    sketch.collide(ball, None, block, origin=(-0.02, 0, 0), normal=(-1, 0, 0), restitution=0.3)
    if lasts:
        sketch.lasts(0.05, 0.1)
        sketch.want(ball, position=((-9, -9, 0.05), (9, 9, 9)))
    return sketch


@pytest.mark.parametrize("seed", range(3))
def test_a_block_stands_until_it_is_struck_and_then_falls_by_contact(seed):
    sketch = thrown(seed)
    found = sketch.solve(restarts=2)
    assert found.is_met, str(found)
    block = sketch.bodies[1]
    for share in (0.0, 0.5, 0.999):
        state = found.at(block, share * found.grid[1])
        assert np.abs(state["position"] - (1.0, 0.0, 0.15)).max() < 1e-12
        assert not state["velocity"].any() and not state["spin"].any()
    world = found.world()
    world.run(found.grid[1] - 1e-3)
    assert world["block"].is_fixed and world["block"].position == (1.0, 0.0, 0.15)
    world.run(3.0)
    assert not world["block"].is_fixed
    up = abs(rotation_matrix(world["block"].orientation)[2])
    assert up.max() > 1 - 1e-9  # it lies or stands on a face
    half = np.array((0.04, 0.12, 0.3))[up.argmax()] / 2
    assert world["block"].position[2] == pytest.approx(half, abs=SLOP)
    assert world["ball"].position[2] == pytest.approx(0.05, abs=SLOP)
    assert max(map(abs, world["block"].velocity)) < 1e-6


def test_engine_and_motion_agree_where_a_body_stands():
    found = thrown(1).solve(restarts=2)
    assert max(found.resimulated()) < 1e-9
    assert found.replayed() < 1e-9


def test_the_blow_on_what_stands_keeps_momentum():
    found = thrown(2).solve(restarts=2)
    ball, block = found.sketch.bodies
    before, after = found.grid[1] - 1e-12, found.grid[1]
    p = [sum(b.mass * found.at(b, t)["velocity"] for b in (ball, block)) for t in (before, after)]
    assert np.abs(p[1] - p[0]).max() < 1e-9


def test_what_is_asked_of_a_body_while_it_stands_is_refused():
    sketch = thrown(0)
    other = thrown(0, stands=False)
    block = other.bodies[1]
    other.flights[0].tracks["block"] = sketch.flights[0].tracks["ball"]
    other.stand(block)
    with pytest.raises(ValueError, match="stands until it is struck, but flight 1 asks for samples"):
        other.solve(restarts=1)
    with pytest.raises(ValueError, match="stands already"):
        other.stand(block)


def test_standing_is_kept_in_files():
    sketch = thrown(3)
    again = sketch_of(document_of(sketch))
    assert again.standing == ["block"]
    assert document_of(again) == document_of(sketch)


def test_a_die_skitters_and_rests_on_a_face():
    found = die("MO", seed=5).solve(restarts=2, gaps=True)
    world = found.world()
    result = world.run(found.seconds + 3.0)
    assert result.status.name in ("DONE", "CAREFUL")
    body = world["die"]
    assert abs(rotation_matrix(body.orientation)[2]).max() > 1 - 1e-8
    assert body.position[2] == pytest.approx(found.sketch.bodies[0].size[2] / 2, abs=1e-6)
    assert max(map(abs, (*body.velocity, *body.spin))) < 1e-6


def test_what_goes_on_is_kept_in_a_scene_file(tmp_path):
    found = thrown(0).solve(restarts=1)
    world = found.world()
    world.save(tmp_path / "thrown.json")
    again = td.World.load(tmp_path / "thrown.json")
    world.run(1.0), again.run(1.0)
    assert world["block"].position == again["block"].position
    assert world["ball"].velocity == again["ball"].velocity


def test_a_simulated_throw_ends_where_it_rests():
    body = td.Box("die", size=(0.1, 0.1, 0.1))
    start = ((0, 0, 0.3), (0.9, 0.1, 0.2, 0.3), (0.5, 0, 0), (3.0, 1.0, 2.0))
    flown = simulated(shape_of(body), start, 300, restitution=0.3)
    assert 3 <= len(flown) < 100 and sum(one.T for one in flown) > 0.2
