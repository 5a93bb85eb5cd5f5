"""Frames hold what the world holds: poses, points, curves, and the forces of constraints and behaviors in
world axes."""

from __future__ import annotations

import gc
import math
import sys

import numpy as np
import pytest

import tinkerdyne as td
from tinkerdyne.studio.show.frames import HEADER, MOST_POINTS, FramePlan
from tinkerdyne.studio.show.sampling import SAMPLES
from tinkerdyne.studio.wire.protocol import MAGIC


def numbers(world: td.World, names: dict[str, str] | None = None):
    """All tracks of the present frame, by (name, kind, of)."""
    plan = FramePlan(world, 7, names or {})
    world.engine.evaluate()
    frame = plan.frame()
    magic, revision, time = HEADER.unpack_from(frame)
    assert (magic, revision, time) == (MAGIC, 7, world.time)
    flat = np.frombuffer(frame, np.float32, offset=HEADER.size).astype(float)
    assert len(flat) == plan.layout.size
    return {(t.name, t.kind, t.of): flat[t.offset : t.offset + t.count] for t in plan.layout.tracks}


def near(a, b) -> None:
    assert np.allclose(a, b, rtol=1e-6, atol=1e-6), (a, b)


def test_a_body_in_space_has_its_place_and_quaternion():
    world = td.World()
    rod = world.add(td.Rod("rod", position=(1, 2, 3), orientation=(0.5, 0.5, 0.5, 0.5), spin=(1, 2, 3)))
    world.step(0.1)
    near(numbers(world)["rod", "pose", ""], [*rod.position, *rod.orientation])


def test_a_planar_body_turns_about_z():
    world = td.World()
    disc = world.add(td.Disc("disc", position=(1, 2), angle=0.7, spin=2))
    world.step(0.1)
    near(
        numbers(world)["disc", "pose", ""],
        [1, 2, 0, math.cos(disc.angle / 2), 0, 0, math.sin(disc.angle / 2)],
    )


@pytest.mark.parametrize("angle", [0.0, -0.3, 3.2, 7.0, -25.1, 1234.5])
def test_a_planar_body_remembers_its_turns(angle):
    world = td.World()
    world.add(td.Disc("disc", angle=angle))
    near(numbers(world)["disc", "state", ""], [angle])


def test_particles_and_points_are_places_in_space():
    world = td.World()
    world.add(td.Particle("a", position=(1, 2, 3)), td.Particle("b", position=(4, 5)))
    rod = world.add(td.Rod("rod", position=(0, 0, 1), orientation=(math.sqrt(0.5), 0, -math.sqrt(0.5), 0)))
    world.add(rod.end2, td.Nail(7, 8, name="hook"))
    found = numbers(world)
    near(found["a", "point", ""], [1, 2, 3])
    near(found["b", "point", ""], [4, 5, 0])
    near(found["rod.end2", "point", ""], [0, 0, 1.5])
    near(found["hook", "point", ""], [7, 8, 0])


def test_troids_are_places_and_columns():
    world = td.World()
    world.add(td.Troid("flat", position=(1, 2), shape=(1, 2, 3, 4)))
    world.add(td.Troid("deep", position=(1, 2, 3), shape=(1, 2, 3, 4, 5, 6, 7, 8, 10)))
    found = numbers(world)
    near(found["flat", "affine", ""], [1, 2, 0, 1, 2, 0, 3, 4, 0, 0, 0, 0])
    near(found["deep", "affine", ""], [1, 2, 3, 1, 2, 3, 4, 5, 6, 7, 8, 10])


@td.curve(span=(0.0, td.TAU))
def studio_ellipse(u, shift=0.5, *, a=2.0, b=1.0):
    """An ellipse with a constant besides its state."""
    return a * td.cos(u) + shift, b * td.sin(u)


def test_curves_are_points_of_their_equations():
    world = td.World()
    world.add(studio_ellipse("one", a=3.0), studio_ellipse("two", b=0.5, shift=2.0))
    found = numbers(world)
    for name, a, b, shift in (("one", 3.0, 1.0, 0.5), ("two", 2.0, 0.5, 2.0)):
        points = found[name, "curve", ""].reshape(-1, 3)
        u = np.linspace(0, 2 * math.pi, len(points))
        near(points, np.column_stack([a * np.cos(u) + shift, b * np.sin(u), 0 * u]))


def rose(name: str) -> td.Item:
    """Seven petals."""
    return td.typed_curve("a*cos(7*u)*cos(u)", "a*cos(7*u)*sin(u)", span=(0, "pi"), a=1.0, name=name)


@pytest.mark.parametrize("count", [1, 50])
def test_curves_have_as_many_points_as_they_need_but_not_too_many_in_all(count):
    world = td.World(order=1)
    world.add(*[rose(f"rose {k}") for k in range(count)], td.Line("line"), td.Circle("circle"))
    found = numbers(world)
    points = found["rose 0", "curve", ""].reshape(-1, 3)
    u = (np.linspace(0, math.pi, len(points))[1:] + np.linspace(0, math.pi, len(points))[:-1]) / 2
    middles = np.column_stack([np.cos(7 * u) * np.cos(u), np.cos(7 * u) * np.sin(u), 0 * u])
    bulge = np.linalg.norm(middles - (points[1:] + points[:-1]) / 2, axis=1).max()
    assert bulge < (2e-3 if count == 1 else 2e-2)  # of two metres: 65 points would leave 0.05
    assert len(found["line", "curve", ""]) == len(found["circle", "curve", ""]) == 3 * SAMPLES
    assert sum(len(track) for (_, kind, _), track in found.items() if kind == "curve") <= 3 * MOST_POINTS


def pendulum(**options) -> td.World:
    world = td.World()
    rod = world.add(td.Rod("rod", position=(0.5, 0, 0), **options))
    world.add(td.nail(rod.end1, name="nail"), td.gravity())
    return world


def test_a_constraint_force_stands_at_its_point_with_the_torque_about_it():
    world = pendulum()
    world.step(0.2)
    place, force, torque = numbers(world)["nail", "force", "rod"].reshape(3, 3)
    pulled = world.reactions(world["nail"])["rod"]
    near(place, world["rod"].end1.value)
    near(force, pulled[:3])
    near(torque, 0)  # a nail holds a point: no torque about it, whatever it is about the centre
    assert np.abs(pulled[3:]).max() > 0.1


def test_a_hanging_rod_weighs_on_its_nail():
    world = td.World()
    rod = world.add(
        td.Rod("rod", mass=2.0, position=(0, 0, -0.5), orientation=(math.sqrt(0.5), 0, math.sqrt(0.5), 0))
    )
    world.add(td.nail(rod.end1, name="nail"), td.gravity())
    near(numbers(world)["nail", "force", "rod"], [0, 0, 0, 0, 0, 2 * 9.81, 0, 0, 0])


def test_a_joint_pushes_both_bodies_alike():
    world = td.World()
    a, b = world.add(td.Box("a"), td.Rod("b", position=(0.5, 0, 0)))
    world.add(td.join(td.weld, None, a, at=(0, 0, 0), name="ground"))
    world.add(td.join(td.weld, a, b, at=(0, 0, 0), name="weld"), td.gravity())
    found = numbers(world)
    # (½, 0, 0) × (0, 0, −9.81) is held
    near(found["weld", "force", "b"], [0, 0, 0, 0, 0, 9.81, 0, -9.81 / 2, 0])
    near(found["weld", "force", "a"][3:], -found["weld", "force", "b"][3:])


def test_forces_in_the_plane_are_in_the_plane():
    world = td.World()
    rod = world.add(td.PlanarRod("rod", position=(0.5, 0)))
    world.add(td.nail(rod.end1, name="nail"), td.gravity(g=(0, -9.81)))
    place, force, torque = numbers(world)["nail", "force", "rod"].reshape(3, 3)
    near(place, 0)
    near(force[[0, 2]], 0)
    assert 0 < force[1] < 9.81
    near(torque, 0)


def test_a_spring_pulls_its_two_ends_together():
    world = td.World()
    a, b = world.add(td.Particle("a"), td.Particle("b", position=(0, 0, 3)))
    world.add(td.spring(a, b, stiffness=10, length=1, name="spring"))
    found = numbers(world)
    near(found["spring", "force", "a"], [0, 0, 0, 0, 0, 20, 0, 0, 0])
    near(found["spring", "force", "b"], [0, 0, 3, 0, 0, -20, 0, 0, 0])


@pytest.mark.parametrize("by_frame", [False, True])
def test_a_torque_is_in_world_axes(by_frame):
    world = td.World()
    body = world.add(td.Box("box", position=(1, 2, 3), orientation=(math.sqrt(0.5), math.sqrt(0.5), 0, 0)))
    on = td.frame(body, at=(0, 0, 1)) if by_frame else body
    world.add(td.twist(on, by=(1, 2, 3), name="twist"))
    near(numbers(world)["twist", "force", "box"][3:], [0, 0, 0, 1, 2, 3])


def test_a_torque_in_the_plane_is_about_z():
    world = td.World()
    body = world.add(td.Disc("disc", angle=0.3))
    world.add(td.twist(body, by=(2,), name="direct"), td.twist(td.frame(body), by=(3,), name="by frame"))
    found = numbers(world)
    near(found["direct", "force", "disc"][3:], [0, 0, 0, 0, 0, 2])
    near(found["by frame", "force", "disc"][3:], [0, 0, 0, 0, 0, 3])


def test_a_hand_goes_by_its_handle():
    world = pendulum()
    grip = world.grab(world["rod"].end2)
    grip.move(1, 0, 1)
    found = numbers(world, names={grip.item.name: "grip:3"})
    near(found["grip:3", "force", "rod"][3:6], grip.force)


def test_a_frame_takes_no_call_for_each_item():
    """The work is in array operations: as many calls for four hundred rods as for four."""
    calls = []
    for count in (4, 400):
        world = td.World()
        for k in range(count):
            rod = world.add(td.Rod(position=(0, k, 0)))
            world.add(td.nail(rod.end1, at=(-0.5, k, 0)))
        plan = FramePlan(world, 1, {})
        world.engine.evaluate()
        plan.frame()
        seen = []
        gc.disable()  # others may be called with a collection
        sys.setprofile(lambda _frame, event, _arg, seen=seen: seen.append(event))
        plan.frame()
        sys.setprofile(None)
        gc.enable()
        calls.append(len(seen))
    assert calls[0] == calls[1] > 0
