"""Copies along a line, round a circle and in a mirror move as what they were copied from does."""

from __future__ import annotations

import math

import numpy as np
import pytest

import tinkerdyne as td
from tinkerdyne.studio.build.arranging import arranged
from tinkerdyne.studio.build.inserting import build, insert
from tinkerdyne.studio.wire.protocol import Arrange, Insert


def pendulum(planar: bool) -> td.World:
    world = td.World()
    if planar:
        rod = world.add(td.PlanarRod("rod", position=(0.5, 0.3), angle=0.4, spin=1.0, velocity=(0.1, 0.2)))
        world.add(td.gravity(g=(0, -9.81)))
        world.add(
            td.pin(td.world_frame(at=tuple(rod.end1.value)), td.frame(rod, at=(-0.5, 0.0)), name="hinge")
        )
    else:
        rod = world.add(
            td.Rod(
                "rod",
                position=(0.5, 0.2, 0.3),
                orientation=(0.9, 0.1, 0.3, math.sqrt(0.09)),
                spin=(0.3, 1.0, -0.5),
            )
        )
        world.add(td.gravity())
        world.add(td.nail(rod.end1, at=tuple(rod.end1.value), name="hinge"))
    return world


def put(world: td.World, dimension: int, **command: object) -> list[str]:
    edit, names = arranged(world, Arrange(names=("rod", "hinge"), **command), dimension, ())
    world.apply(edit)
    return names


@pytest.mark.parametrize("planar", [True, False])
def test_a_mirror_image_moves_as_the_mirror_image_of_the_motion(planar):
    dimension = 2 if planar else 3
    world = pendulum(planar)
    axis = (1.0, 0.0) if planar else (1.0, 0.0, 0.0)
    put(world, dimension, how="mirror", axis=axis, centre=(0.0,) * dimension)
    rod, image = world["rod"], world["rod 2"]
    world.run(0.3)
    M = np.diag([-1.0, *[1.0] * (dimension - 1)])
    assert np.array(image.position) == pytest.approx(M @ np.array(rod.position), abs=1e-9)
    for end in ("end1", "end2"):
        there = np.array(getattr(image, end).value)
        assert there == pytest.approx(M @ np.array(getattr(rod, end).value), abs=1e-9)
    assert world.gap < 1e-8


def test_copies_along_a_line_and_round_a_circle():
    world = pendulum(planar=False)
    names = put(world, 3, how="line", count=4, by=(1.0, 0.0, 0.5))
    rods = [world[n] for n in names if world[n].type.name == "rod"]
    assert [r.position[0] for r in rods] == pytest.approx([1.5, 2.5, 3.5])
    world = pendulum(planar=False)
    put(world, 3, how="circle", count=6, centre=(0.0, 0.0, 0.0), axis=(0.0, 0.0, 1.0))
    assert len([i for i in world.items if i.type.name == "rod"]) == 6
    assert world.gap < 1e-9
    third = world["rod 3"]  # a third of a turn on
    x, y, _ = world["rod"].position
    c, s = math.cos(2 * math.tau / 6), math.sin(2 * math.tau / 6)
    assert third.position[:2] == pytest.approx((c * x - s * y, s * x + c * y))
    assert world.undo() and "rod 2" not in world


def test_what_has_one_hand_is_not_mirrored():
    world = td.World()
    world.add(td.Wall("rod"), td.Particle("hinge"))
    with pytest.raises(ValueError, match="cannot be mirrored"):
        put(world, 3, how="mirror", axis=(0.0, 0.0, 1.0), centre=(0.0, 0.0, 0.0))
    with pytest.raises(ValueError, match="2 to 500"):
        put(world, 3, how="line", count=1, by=(1.0, 0.0, 0.0))


def test_a_polygon_in_the_mirror_has_its_corners_on_the_other_side():
    world = td.World()
    world.add(
        td.Polygon("rod", vertices=((0, 0), (2, 0), (0, 1)), position=(1.0, 1.0)),
        td.Particle("hinge", position=(0.0, 0.0)),
    )
    put(world, 2, how="mirror", axis=(1.0, 0.0), centre=(0.0, 0.0))
    corners = {tuple(np.round(getattr(world["rod"], f"corner{k}").value, 9)) for k in (1, 2, 3)}
    images = {tuple(np.round(getattr(world["rod 2"], f"corner{k}").value, 9)) for k in (1, 2, 3)}
    assert images == {(-x, y) for x, y in corners}


def test_a_body_and_its_joints_are_one_edit():
    world = td.World()
    world.add(td.contact(), td.gravity(), td.Rod("a"))
    bar = Insert(of="rod", values={"position": [1.0, 0.0, 0.0]}, most_lift=0)
    names = build(world, (bar, Insert(of="connect", inputs=("#0.end1", "a.end2"))), 3)
    assert world[names[0]].position == (1.0, 0.0, 0.0)  # not lifted out of what it is joined to
    assert world[names[1]].gap < 1e-12
    assert world.undo() and names[0] not in world and names[1] not in world
    with pytest.raises(ValueError, match="not made yet"):
        build(world, (Insert(of="connect", inputs=("#1.end1", "a.end2")),), 3)


def test_the_middle_of_points_is_a_point():
    world = td.World()
    a, b, c = world.add(*(td.Particle(position=(float(k), 0.0, 3.0 * k)) for k in range(3)))
    assert tuple(world.add(td.middle(a, b, c)).value) == pytest.approx((1.0, 0.0, 3.0))


def test_a_rope_is_slack_until_it_is_taut():
    world = td.World()
    ball = world.add(td.Particle("ball", position=(0.0, 0.0, 0.0)))
    world.add(td.gravity(), td.rope(td.place(at=(0.0, 0.0, 0.0)), ball, length=0.5, name="rope"))
    world.run(0.2)
    assert ball.position[2] == pytest.approx(-0.5 * 9.81 * 0.04, rel=1e-3)  # it falls freely
    world.run(2.0)
    assert ball.position[2] == pytest.approx(-0.5, abs=1e-3)
    assert np.linalg.norm(world["rope"].force) == pytest.approx(9.81, rel=1e-3)


@pytest.mark.parametrize(
    ("of", "start", "most", "stays"),
    [
        ("box", 1.4, 0.25, False),  # a little in the block: on top of it
        ("box", 0.6, 0.25, True),  # drawn right over it
        ("box", 0.6, 1e300, False),  # inserted somewhere
        ("sphere", 0.0, 0.25, False),  # in the floor, where nothing can be
    ],
)
def test_what_is_drawn_over_a_part_stays_there_and_what_overlaps_a_little_lies_on_top(of, start, most, stays):
    world = td.World()
    world.add(td.gravity(), td.Floor("floor"), td.contact())
    if of == "box":
        world.add(td.Box("block", position=(0, 0, 0.5)))
    insert(world, of, (), {"position": [0.0, 0.0, start]}, "new", 3, most_lift=most)
    height = world["new"].position[2]
    assert (height == start) if stays else height == pytest.approx(1.5 if of == "box" else 0.5, abs=1e-3)
