"""A shape has a mass or a density: one value says which, live, in edits and in files (R1)."""

import json
import math

import numpy as np
import pytest

import tinkerdyne as td
from tinkerdyne.language.types import REGISTRY
from tinkerdyne.objects.compound import Compound
from tinkerdyne.objects.planar_shapes import PlanarRod
from tinkerdyne.objects.shape import Shape
from tinkerdyne.objects.shapes import Box, Cylinder, Sphere
from tinkerdyne.world.edit import edit_of, plain

SHAPES = [maker for maker in REGISTRY.values() if isinstance(maker, Shape)]


def row(item):
    """What the engine has of a body."""
    batch, k = item.world.engine.structure.row(item)
    return batch.type.name, tuple(batch.parameters.data[k].tolist())


@pytest.mark.parametrize("make", SHAPES, ids=lambda maker: maker.name)
def test_every_shape_takes_a_mass_or_a_density_and_not_both(make):
    light, heavy = make("a", mass=2.0), make("b", density=2.0)
    assert (light.mass, light.density) == pytest.approx((2.0, 2.0 / light.volume), rel=1e-14)
    assert (heavy.mass, heavy.density) == pytest.approx((2.0 * heavy.volume, 2.0), rel=1e-14)
    with pytest.raises(
        ValueError, match=f"{make.name} 'c' is given both mass 1 and density 2; give one of them"
    ):
        make("c", mass=1, density=2)
    if make is not Compound:
        assert make("d").mass == 1.0
    for bad in (0, -1.0, math.nan, math.inf):
        with pytest.raises(ValueError, match=f"density of {make.name} 'e' must be"):
            make("e", density=bad)
    with pytest.raises(TypeError, match=f"density of {make.name} 'e' must be a number, not '3'"):
        make("e", density="3")


@pytest.mark.parametrize("make", SHAPES, ids=lambda maker: maker.name)
def test_inertia_is_in_proportion_to_mass(make):
    one, three = make("a", mass=1.0), make("b", mass=3.0)
    assert np.array(three.inertia) == pytest.approx(3.0 * np.array(one.inertia), rel=1e-14)


@pytest.mark.parametrize("make", [td.Rod, Cylinder, PlanarRod])
def test_a_live_length_changes_the_mass_of_a_density_and_no_other(make):
    world = td.World()
    given, dense = world.add(make("given", mass=2.0), make("dense", density=10.0))
    before = dense.mass
    given.length = dense.length = 3.0
    assert given.mass == 2.0
    assert dense.mass == pytest.approx(3 * before, rel=1e-14)
    assert row(dense)[1][0] == dense.mass  # the engine has it too
    world.undo()
    assert dense.mass == before


def test_mass_and_density_take_turns_and_undo_goes_back_exactly():
    world = td.World()
    ball = world.add(Sphere("ball", density=1000.0))
    seen = [row(ball)]
    for name, value in (
        ("mass", 2.0),
        ("density", 500.0),
        ("mass", 3.0),
        ("radius", 0.1),
        ("density", 7.0),
        ("radius", 0.4),
    ):
        setattr(ball, name, value)
        assert getattr(ball, name) == value
        seen.append(row(ball))
        assert len(set(seen)) == len(seen)
    assert ball.density == 7.0
    forward = list(seen)
    while len(seen) > 1:
        seen.pop()
        assert world.undo()
        assert row(ball) == seen[-1]
    assert ball.values["mass"] == ("density", 1000.0)
    for wanted in forward[1:]:
        assert world.redo()
        assert row(ball) == wanted


def test_edits_of_mass_and_density_are_plain_and_have_plain_inverses():
    world = td.World()
    ball = world.add(Sphere("ball", density=1000.0))
    before = row(ball)
    inverse = world.apply(td.Change("ball", "mass", 2.0))
    sent = json.loads(json.dumps(plain(inverse)))
    assert ball.mass == 2.0
    again = world.apply(edit_of(sent))
    assert row(ball) == before
    world.apply(again)
    assert ball.mass == 2.0
    world.apply(td.Change("ball", "mass", ("density", 500.0)))
    assert ball.density == 500.0
    with pytest.raises(
        ValueError, match=r"""density of sphere 'ball' is set as its mass: .*\("density", 2.0\)"""
    ):
        world.apply(td.Change("ball", "density", 2.0))
    with pytest.raises(AttributeError, match="sphere 'ball' has no parameter 'colour'"):
        world.apply(td.Change("ball", "colour", 2.0))


@pytest.mark.parametrize("make", SHAPES, ids=lambda maker: maker.name)
@pytest.mark.parametrize("weight", [{}, {"mass": 0.1}, {"density": 0.3}], ids=["default", "mass", "density"])
def test_a_saved_shape_loads_back_to_the_same_bytes(make, weight, tmp_path):
    world = td.World()
    world.add(make("body", **weight), td.gravity())
    world.step(0.01)
    world.save(tmp_path / "a.json")
    again = td.World.load(tmp_path / "a.json")
    assert row(again["body"]) == row(world["body"])
    again.save(tmp_path / "b.json")
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()


def scene(**fields):
    return json.dumps({"tinkerdyne": 1, "objects": [{"name": "b", "type": "box", **fields}]})


def test_a_person_may_write_a_density_into_a_file(tmp_path):
    path = tmp_path / "scene.json"
    path.write_text(scene(density=2.0, size=[1, 2, 3]))
    assert td.World.load(path)["b"].mass == 12.0
    path.write_text(scene(density=2.0, mass=1.0))
    with pytest.raises(td.SceneError, match=r"box 'b' is given both mass 1\.0 and density 2\.0"):
        td.World.load(path)


def test_a_free_body_is_weighed_anew_when_it_is_changed_before_it_is_added():
    box = Box("box", density=1.0)
    box.size = (1.0, 2.0, 3.0)
    assert box.mass == 6.0
    box.mass = 1.0
    assert box.density == pytest.approx(1 / 6)
