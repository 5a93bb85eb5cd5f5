"""Assembly that keeps bodies apart: what overlaps is parted, joints stay closed, the rest is named."""

from itertools import pairwise

import numpy as np
import pytest

import tinkerdyne as td


def deepest(world):
    contacts = world.contents.engine.contacts
    contacts.part()
    return -min((point[9] for point in contacts.arena.detector.contacts()[1]), default=0.0)


@pytest.mark.parametrize("seed", range(4))
def test_a_heap_that_overlaps_is_parted(seed):
    rng = np.random.default_rng(seed)
    world = td.World()
    world.add(td.contact(), td.Floor())
    for _ in range(6):
        turn = rng.normal(size=4)
        where = {"position": tuple(rng.uniform(0, 0.4, 3)), "orientation": tuple(turn / np.linalg.norm(turn))}
        world.add(
            td.Box(size=(0.3, 0.2, 0.25), **where) if rng.random() < 0.5 else td.Sphere(radius=0.15, **where)
        )
    result = world.assemble(apart=True)
    assert result and not result.overlapping, str(result)
    assert deepest(world) < 1e-6 and world.time == 0.0


def test_joints_stay_closed_while_bodies_are_parted():
    world = td.World()
    world.add(td.contact(), td.Floor())
    rods = [world.add(td.Box(size=(0.4, 0.1, 0.1), position=(0.45 * k, 0, 0.02))) for k in range(3)]
    for a, b in pairwise(rods):
        world.add(td.join(td.ball, a, b, at=(a.position[0] + 0.225, 0, 0.02)))
    world.add(td.Sphere(radius=0.2, position=(0.45, 0, 0.1)))
    result = world.assemble(apart=True)
    assert result and world.gap < 1e-9, str(result)
    assert min(rod.position[2] for rod in rods) > 0.04


def test_what_cannot_be_parted_is_named():
    world = td.World()
    world.add(
        td.contact(), td.Box("left", is_fixed=True), td.Box("right", position=(1.4, 0, 0), is_fixed=True)
    )
    world.add(td.Box("wedged", position=(0.7, 0, 0)))
    slide = td.join(td.prismatic, None, world["wedged"], at=(0.7, 0, 0), axis=(1, 0, 0))
    world.add(slide)
    result = world.assemble(apart=True, iterations=20)
    assert not result
    assert {name for pair in result.overlapping for name in pair} == {"left", "right", "wedged"}
    assert "overlapping: " in str(result)


def test_a_world_without_contact_says_what_is_missing():
    world = td.World()
    world.add(td.Sphere())
    with pytest.raises(ValueError, match=r"contact\(\)"):
        world.assemble(apart=True)
