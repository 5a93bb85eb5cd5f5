"""First-order worlds with contact: what is pushed pushes others along, does not overlap, and stops."""

import numpy as np
import pytest

import tinkerdyne as td

G, STEP = 9.81, 1 / 240


def pushed(*items, friction=0.0, gravity=0.0):
    world = td.World(order=1, max_step=STEP)
    world.add(td.gravity(gravity), td.contact(friction=friction), td.Floor(), *items)
    return world


@pytest.mark.parametrize("seed", range(3))
def test_a_row_of_things_moves_as_one_and_stops_with_the_push(seed):
    rng = np.random.default_rng(seed)
    masses, gaps, force = rng.uniform(0.5, 3.0, 3), rng.uniform(0.01, 0.1, 2), rng.uniform(1.0, 5.0)
    places = np.cumsum([0.0, *(0.4 + gaps)])
    boxes = [
        td.Box(size=(0.4, 0.4, 0.2), mass=m, position=(x, 0, 0.1))
        for m, x in zip(masses, places, strict=True)
    ]
    world = pushed(*boxes)
    push = world.add(td.pull(boxes[0].centre, by=(force, 0, 0)))
    world.run(2.0)
    for box in boxes:
        assert box.velocity[0] == pytest.approx(force / masses.sum(), rel=1e-6)
    assert np.diff([box.position[0] for box in boxes]) == pytest.approx(0.4, abs=1e-7)
    push.is_on = False
    world.run(0.1)
    there = [box.position for box in boxes]
    world.run(0.5)
    assert [box.position for box in boxes] == there
    assert max(np.abs(box.velocity).max() for box in boxes) < 1e-12


@pytest.mark.parametrize("force", [4.8, 6.0])
def test_friction_holds_what_is_pushed_gently(force):
    box = td.Box(size=(0.4, 0.4, 0.2), mass=1.0, position=(0, 0, 0.1))
    world = pushed(box, td.pull(box.centre, by=(force, 0, 0)), friction=0.5, gravity=G)
    world.run(0.5)
    assert box.velocity[0] == pytest.approx(max(0.0, force - 0.5 * G), rel=1e-6, abs=1e-9)
    assert abs(box.position[2] - 0.1) < 1e-7


def test_a_hand_drags_a_body_against_a_wall_and_no_further():
    box = td.Box(size=(0.4, 0.4, 0.4), mass=1.0, position=(0, 0, 0.2))
    world = pushed(box, td.Wall(facing=(-1, 0, 0), position=(1.0, 0, 0)))
    world.add(td.spring(td.place(at=(3.0, 0, 0.2)), box.centre, stiffness=50.0))
    world.run(2.0)
    assert box.position[0] == pytest.approx(0.8, abs=1e-6)
    assert np.abs(box.velocity).max() < 1e-9


def test_a_brake_holds_without_inertia_too():
    wheel = td.Cylinder("wheel", radius=0.3, length=0.1, mass=2.0)
    world = td.World(order=1, max_step=STEP)
    world.add(wheel)
    hinge = world.add(td.join(td.pin, None, wheel, at=(0, 0, 0), axis=(0, 0, 1)))
    world.add(td.dry_friction(hinge.turn, limit=2.0))
    twist = world.add(td.twist(wheel, by=(0, 0, 1.9)))
    world.run(0.5)
    assert abs(hinge.turn.value[0]) < 1e-9
    twist.by = (0, 0, 2.5)
    world.run(0.5)
    assert wheel.spin[2] == pytest.approx(0.5 / wheel.inertia[2][2], rel=1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_who_listens_changes_nothing(seed):
    rng = np.random.default_rng(seed)
    height, size = rng.uniform(0.05, 0.3), rng.uniform(0.1, 0.4)

    def lowest(hears):
        box = td.Box(size=(size, size, size), position=(0, 0, size / 2 + height))
        world = pushed(box, gravity=G)
        if hears is not None:
            world.on_contact(hears.append)
        heights = []
        world.run(0.5, each=lambda _: heights.append(box.position[2]))
        return min(heights)

    events = []
    assert lowest(events) == pytest.approx(lowest(None), abs=1e-9)
    assert [event.kind for event in events] == ["begin"]
