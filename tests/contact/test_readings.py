"""Readings of contact: points, forces, slip and area, measures in recordings, and events."""

from itertools import pairwise

import numpy as np
import pytest

import tinkerdyne as td

G, STEP = 9.81, 1 / 240
NEWTONS = 1e-4  # a residual of 1e-9 m/s is 2 m/h times that as a force


def on_floor(*items, friction=0.5, restitution=0.0, max_step=STEP):
    world = td.World(max_step=max_step)
    rules = td.contact(friction=friction, restitution=restitution)
    world.add(td.gravity(), rules, td.Floor("floor"), *items)
    return world


@pytest.fixture
def heavy_on_light():
    boxes = [td.Box(f"box{k}", mass=m, position=(0.0, 0.0, 0.5 + k)) for k, m in enumerate((2.0, 5.0))]
    world = on_floor(*boxes)
    world.run(0.2)
    return world, boxes


def test_contacts_of_a_body_carry_its_weight_and_span_its_support(heavy_on_light):
    world, (low, high) = heavy_on_light
    above = world.contacts(high)
    assert {m.a for m in above} == {high} and above.bodies == (low,)
    assert above.force == pytest.approx((0, 0, 5 * G), abs=NEWTONS)
    assert above.area == pytest.approx(1.0, abs=1e-6)
    for m in above:
        assert m.normal == pytest.approx((0, 0, 1), abs=1e-9)
        assert m.point[2] == pytest.approx(1.0, abs=1e-6)
        assert abs(m.gap) < 1e-5 and m.slip == pytest.approx((0, 0, 0), abs=1e-9)
    below = world.contacts(low)
    assert set(below.bodies) == {world["floor"], high}
    assert below.force == pytest.approx((0, 0, 2 * G), abs=NEWTONS)  # the floor's less what it carries
    assert len(world.contacts()) == len(below)
    assert all(m.b is world["floor"] or m.a is low for m in world.contacts())
    assert world.contacts()[0].turned().turned() == world.contacts()[0]


def test_a_block_that_slides_shows_its_slip_and_friction_against_it():
    block = td.Box(size=(1.0, 1.0, 0.2), position=(0.0, 0.0, 0.1), velocity=(2.0, 1.0, 0.0))
    world = on_floor(block, friction=0.3)
    world.run(0.1)
    force = np.array(world.contacts(block).force)
    along = np.array(block.velocity) / np.linalg.norm(block.velocity)
    assert force == pytest.approx((0, 0, G) - 0.3 * G * along, abs=NEWTONS)
    assert world.contacts(block)[0].slip == pytest.approx(block.velocity, abs=1e-6)


def test_a_ball_that_rolls_does_not_slip():
    ball = td.Sphere(radius=0.2, position=(0, 0, 0.2), velocity=(1.0, 0, 0), spin=(0, 5.0, 0))
    world = on_floor(ball)
    world.run(0.1)
    (meeting,) = world.contacts(ball)
    assert meeting.slip == pytest.approx((0, 0, 0), abs=1e-9)
    assert meeting.point == pytest.approx((ball.position[0], 0, 0), abs=1e-8)


def test_discs_in_the_plane_have_readings_of_their_own():
    disc = td.Disc("disc", radius=0.2, mass=3.0, position=(0.0, 0.2), velocity=(1.0, 0.0))
    world = td.World(max_step=STEP)
    floor = td.PlanarFloor("floor")
    force = td.contact_force(disc, floor)
    world.add(td.gravity(), td.contact(), floor, disc, force)
    world.run(0.05)
    assert force.value == pytest.approx((-0.5 * 3 * G, 3 * G), abs=NEWTONS)
    (meeting,) = world.contacts(disc)
    assert meeting.slip[0] == pytest.approx(disc.velocity[0] + 0.2 * disc.spin, abs=1e-9)


def test_what_stands_before_the_first_step_touches_without_a_force():
    box = td.Box(position=(0, 0, 0.5))
    world = on_floor(box, td.Box(position=(3, 0, 5.0)))
    assert {m.a for m in world.contacts()} == {box}
    assert world.contacts(box).force == (0, 0, 0)
    world.run(0.1)
    assert world.contacts(box).force[2] > 1
    box.position = (0, 0, 2.0)
    assert len(world.contacts()) == 0


def test_worlds_without_contact_read_zero():
    a, b = td.Sphere("a"), td.Sphere("b", position=(0.1, 0, 0))
    world = td.World()
    touches, force = td.touching(a, b), td.contact_force(a, b)
    world.add(a, b, touches, force)
    world.run(0.1)
    assert touches.value == 0 and tuple(force.value) == (0, 0, 0) and len(world.contacts()) == 0


def test_the_area_of_support_is_recorded():
    """A box that lands has its base, one that overhangs the part above the other, a ball a point."""
    low, high = td.Box("low", position=(0, 0, 0.5)), td.Box("high", position=(0.3, 0.2, 1.5))
    ball = td.Sphere("ball", radius=0.1, position=(2, 0, 0.1))
    world = on_floor(low, high, ball)
    pairs = ((low, world["floor"]), (high, low), (low, high), (ball, world["floor"]), (high, ball))
    areas = [world.add(td.contact_area(a, b)) for a, b in pairs]
    run = world.record(0.1, every=STEP, of=areas)
    found = [run[f"{area.name}.value"][-1] for area in areas]
    assert found == pytest.approx([1.0, 0.56, 0.56, 0.0, 0.0], abs=1e-9)
    high.position = (0, 0, 5.0)
    world.run(0.1)
    assert areas[1].value == 0


def test_measures_are_recorded_plotted_and_written(tmp_path):
    ball = td.Sphere("ball", radius=0.1, mass=2.0, position=(0, 0, 0.6))
    world = on_floor(ball)
    touches = world.add(td.touching(ball, world["floor"], name="touches"))
    force = world.add(td.contact_force(ball, world["floor"], name="push"))
    run = world.record(0.6, every=STEP, of=[ball, touches, force])
    fall = np.sqrt(2 * 0.5 / G)
    lands = run.time[np.argmax(run["touches.value"] > 0)]
    assert lands == pytest.approx(fall, abs=2 * STEP)
    assert set(run["touches.value"]) == {0.0, 1.0} and run["touches.value"][-1] == 1
    assert run["push.value"][-1] == pytest.approx((0, 0, 2 * G), abs=NEWTONS)
    run.save(tmp_path / "run.csv")
    head = (tmp_path / "run.csv").read_text().splitlines()[0]
    assert "touches.value" in head and "push.value[2]" in head


def test_a_measure_drives_a_force_alike_in_one_run_and_in_many_steps():
    """What a behavior reads of a contact is that of the last step, however the run is divided."""

    def run(parts):
        box, lamp = td.Box("box", position=(0, 0, 0.7)), td.Variable("lamp", value=0.0)
        world = on_floor(box, lamp)
        touches = td.touching(box, world["floor"])
        world.add(td.formula_force(lamp, "x", x=touches))
        for _ in range(parts):
            world.step(0.5 / parts)
        return lamp.value

    assert run(1) == run(4) == run(120)


def test_undo_and_files_keep_the_forces(heavy_on_light):
    world, (_, high) = heavy_on_light
    force = world.contacts(high).force
    high.mass = 7.0
    world.run(0.1)
    assert world.contacts(high).force[2] == pytest.approx(7 * G)
    world.undo()
    assert world.contacts(high).force == force
    again = td.World.from_json(world.to_json())
    assert again.contacts(again["box1"]).force == force


@pytest.mark.parametrize("seed", range(3))
def test_joints_show_the_forces_that_they_carry_beside_contacts(seed):
    """A tower whose parts are joined, on the floor: each joint carries what is above it."""
    rng = np.random.default_rng(seed)
    masses = rng.uniform(0.5, 5.0, 4)
    boxes = [td.Box(f"b{k}", mass=m, position=(0, 0, 0.5 + k)) for k, m in enumerate(masses)]
    world = on_floor(*boxes)
    joints = [world.add(td.connect(a.top, b.bottom)) for a, b in pairwise(boxes)]
    world.run(0.2)
    for k, joint in enumerate(joints):
        assert abs(joint.force[2]) == pytest.approx(masses[k + 1 :].sum() * G, rel=1e-4)
    world.undo()  # the last joint is gone; the state is that before it, at time 0
    assert world.time == 0 and abs(joints[0].force[2]) < 1e-9


def test_a_rod_that_pulls_a_box_along_the_floor_shows_the_friction():
    box, hand = td.Box("box", mass=2.0, position=(0, 0, 0.5)), td.Particle("hand", position=(3, 0, 0.5))
    world = on_floor(box, hand, friction=0.25)
    keys = tuple((t, 3.0 + t * t / (1 + t), 0.0, 0.5) for t in np.linspace(0, 2, 21).tolist())
    world.add(td.connect(hand, td.path(keys=keys)))
    pull = world.add(td.distance(box.centre, hand, length=3.0))
    run = world.record(1.5, of=[pull, box])
    forwards = np.gradient(run["box.velocity"][:, 0], run.time)
    carried = np.abs(run["distance-1.force"][:, 0]) - 2.0 * forwards
    assert np.median(carried[10:]) == pytest.approx(0.25 * 2.0 * G, rel=0.01)


# --- events --------------------------------------------------------------------------------------------
def test_a_bouncing_ball_begins_hits_and_ends_each_time():
    ball = td.Sphere("ball", radius=0.1, mass=2.0, position=(0, 0, 1.1))
    world = on_floor(ball, restitution=0.5)
    heard = []
    world.on_contact(heard.append)
    fall = np.sqrt(2 / G)
    world.run(fall * 2.3)
    assert [event.kind for event in heard] == ["begin", "hit", "end"] * 2
    first, second = heard[1], heard[4]
    assert first.time == pytest.approx(fall, rel=1e-6)
    assert second.time == pytest.approx(2 * fall, rel=1e-6)
    assert first.speed == pytest.approx(np.sqrt(2 * G), rel=1e-4)
    assert first.a is ball and first.impulse == pytest.approx(
        (0, 0, 2 * 1.5 * np.sqrt(2 * G)), rel=1e-4, abs=1e-9
    )


@pytest.mark.parametrize("seed", range(3))
def test_hits_carry_all_momentum_that_a_landing_takes(seed):
    rng = np.random.default_rng(seed)
    height, mass = rng.uniform(0.3, 2.0), rng.uniform(0.5, 4.0)
    box = td.Box("box", mass=mass, position=(0, 0, 0.5 + height))
    world = on_floor(box)
    run = world.record(np.sqrt(2 * height / G) + 0.1)
    (hit,) = [event for event in run.contacts if event.kind == "hit"]
    assert [event.kind for event in run.contacts] == ["begin", "hit"]
    speed = np.sqrt(2 * G * height)
    assert hit.speed == pytest.approx(speed, rel=0.03)  # a step of falling more or less
    assert abs(hit.impulse[2]) == pytest.approx(mass * speed, rel=0.03)


def test_listening_changes_nothing_and_has_an_order_of_its_own():
    def run(listens):
        balls = [td.Sphere(f"b{k}", radius=0.1, position=(0.5 * k, 0, 0.5)) for k in range(3)]
        world = on_floor(*balls, restitution=0.6)
        heard = []
        if listens:
            world.on_contact(heard.append, kind="hit")
        world.run(1.0)
        return world, heard

    (quiet, _), (loud, heard) = run(False), run(True)
    assert all(tuple(quiet[f"b{k}"].position) == tuple(loud[f"b{k}"].position) for k in range(3))
    assert heard[0].time == heard[1].time == heard[2].time
    assert [event.a.name for event in heard[:3]] == ["b0", "b1", "b2"]
    assert [str(event) for event in run(True)[1]] == [str(event) for event in heard]


def test_listeners_choose_and_stop_and_may_edit():
    ball, block = td.Sphere("ball", position=(0, 0, 2.0)), td.Box("block", position=(3, 0, 0.5))
    world = on_floor(ball, block)
    heard, of_block = [], []
    stop = world.on_contact(heard.append, of=ball, kind="hit", speed=1.0)
    world.on_contact(of_block.append, of=block, kind="hit")
    world.on_contact(lambda event: world.remove("block") if "block" in world else None, of=ball, kind="hit")
    assert world.run(1.0)
    assert len(heard) == 1 and not of_block and "block" not in world
    stop()
    ball.position = (0, 0, 3.0)
    world.run(1.0)
    assert len(heard) == 1
    with pytest.raises(ValueError, match="begin"):
        world.on_contact(heard.append, kind="bump")
