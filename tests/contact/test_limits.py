"""Stops and dry friction under the law of contact: brakes and clutches hold, limits stop what touches."""

import numpy as np
import pytest

import tinkerdyne as td
from tests.contact.boxes import tangle
from tinkerdyne.engine.contact.table import ContactTable

G, STEP = 9.81, 1 / 240


def wheel_on_a_pin(world, name="wheel", height=0.0, **more):
    wheel = world.add(td.Cylinder(name, radius=0.3, length=0.1, mass=2.0, position=(0, 0, height), **more))
    return wheel, world.add(td.join(td.pin, None, wheel, at=(0, 0, height), axis=(0, 0, 1)))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("share", [0.5, 0.999999, -0.9])
def test_a_brake_holds_below_its_limit_without_creep(seed, share):
    limit = 10 ** np.random.default_rng(seed).uniform(-2, 3)
    world = td.World(max_step=STEP)
    wheel, hinge = wheel_on_a_pin(world)
    world.add(td.twist(wheel, by=(0, 0, share * limit)), brake := td.dry_friction(hinge.turn, limit=limit))
    assert world.run(1.0).status == td.Status.DONE
    assert np.abs(wheel.spin).max() <= 1e-9
    assert abs(hinge.turn.value[0]) <= 1e-9
    assert brake.force[0] == pytest.approx(-share * limit, rel=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_a_brake_slips_above_its_limit_with_the_right_acceleration(seed):
    limit, torque = np.random.default_rng(seed).uniform((0.5, 2.0), (2.0, 4.0))
    world = td.World(max_step=STEP)
    wheel, hinge = wheel_on_a_pin(world)
    world.add(td.twist(wheel, by=(0, 0, torque)), td.dry_friction(hinge.turn, limit=limit))
    assert world.run(0.5).status == td.Status.DONE
    assert wheel.spin[2] == pytest.approx((torque - limit) / wheel.inertia[2][2] * 0.5, rel=1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_a_clutch_synchronises_two_shafts_and_then_holds(seed):
    spin, limit, pull = np.random.default_rng(seed).uniform((5, 0.5, 0.1), (10, 1.0, 0.2))
    world = td.World(max_step=STEP)
    first, _ = wheel_on_a_pin(world, "first", spin=(0, 0, spin))
    second, _ = wheel_on_a_pin(world, "second", 1.0)
    world.add(td.twist(second, by=(0, 0, pull)), td.dry_friction(td.turn_between(first, second), limit=limit))
    I, t = first.inertia[2][2], 0.0
    slips = spin / ((2 * limit + pull) / I)  # until both turn alike
    world.run(t := slips / 2)
    assert first.spin[2] == pytest.approx(spin - limit * t / I, rel=1e-6)
    assert second.spin[2] == pytest.approx((limit + pull) * t / I, rel=1e-6)
    world.run(slips)
    both, time = first.spin[2] + second.spin[2], world.time
    assert both == pytest.approx(spin + pull * time / I, rel=1e-6)  # momentum
    assert first.spin[2] == pytest.approx(second.spin[2], abs=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_a_block_on_a_slide_stops_by_dry_friction_and_stays(seed):
    speed, limit = np.random.default_rng(seed).uniform((1, 3), (3, 9))
    world = td.World(max_step=STEP)
    block = world.add(td.Box(mass=2.0, velocity=(0, 0, speed)))
    slide = world.add(td.join(td.prismatic, None, block, at=(0, 0, 0), axis=(0, 0, 1)))
    world.add(td.dry_friction(slide.slide, limit=limit))
    world.run(2.0)
    assert np.abs(block.velocity).max() <= 1e-9
    place = block.position[2]
    assert place == pytest.approx(speed**2 / limit, rel=1e-3)  # m v²/2F, but for the step in which it stops
    world.run(1.0)
    assert block.position[2] == pytest.approx(place, abs=1e-12)


def test_a_brake_is_pressed_and_let_go_while_the_world_runs():
    world = td.World(max_step=STEP)
    wheel, hinge = wheel_on_a_pin(world)
    brake = world.add(td.twist(wheel, by=(0, 0, 1.0)), td.dry_friction(hinge.turn, limit=2.0))[1]
    world.run(0.2)
    assert wheel.spin[2] == 0.0
    brake.limit = 0.25
    world.run(0.2)
    assert wheel.spin[2] == pytest.approx(0.75 / wheel.inertia[2][2] * 0.2, rel=1e-6)
    brake.is_on = False
    world.run(0.2)
    assert wheel.spin[2] == pytest.approx(1.75 / wheel.inertia[2][2] * 0.2, rel=1e-6)
    with pytest.raises(ValueError, match="must not be negative"):
        brake.limit = -1.0


def test_a_saved_world_with_a_brake_goes_on_with_the_same_bytes(tmp_path):
    world = td.World(max_step=STEP)
    wheel, hinge = wheel_on_a_pin(world, spin=(0, 0, 7.0))
    world.add(td.dry_friction(hinge.turn, limit=1.0))
    world.run(0.1)
    world.save(tmp_path / "w.json")
    again = td.World.load(tmp_path / "w.json")
    for each in (world, again):
        each.run(0.1)
    assert np.array(wheel.spin).tobytes() == np.array(again["wheel"].spin).tobytes()


def with_a_box_on_the_floor(*, is_touching):
    world = td.World(max_step=1 / 1000)
    world.add(td.gravity())
    if is_touching:
        world.add(td.contact(), td.Floor(), td.Box(size=(0.2, 0.2, 0.2), position=(3, 0, 0.1)))
    return world


@pytest.mark.parametrize("e", [0.0, *np.random.default_rng(5).uniform(0.3, 1.0, 2)])
def test_a_limit_of_a_joint_acts_with_contacts_as_without_them(e):
    spins = []
    for is_touching in (False, True):
        world = with_a_box_on_the_floor(is_touching=is_touching)
        rod = world.add(td.Box("rod", size=(1, 0.1, 0.1), position=(0.5, 0, 2)))
        hinge = world.add(td.join(td.pin, None, rod, at=(0, 0, 2), axis=(0, 1, 0)))
        world.add(td.at_most(hinge.turn, high=0.5, restitution=e))
        assert world.run(0.4).status == td.Status.DONE
        spins.append(rod.spin[1])
        assert hinge.turn.value[0] <= 0.5 + 1e-9
    assert spins[1] == pytest.approx(spins[0], rel=1e-4, abs=1e-9)


def test_a_rope_that_swings_beside_contacts_does_not_grow_longer():
    places = []
    for is_touching in (False, True):
        world = with_a_box_on_the_floor(is_touching=is_touching)
        ball = world.add(td.Sphere("ball", radius=0.1, position=(0.8, 0, 3)))
        world.add(td.at_most(td.distance_between(td.place(at=(0, 0, 3)), ball.centre), high=1.0))
        assert world.run(1.5).status == td.Status.DONE
        places.append(np.array(ball.position))
        assert np.linalg.norm(places[-1] - (0, 0, 3)) <= 1 + 1e-8
    assert np.abs(places[1] - places[0]).max() < 1e-4


def test_a_block_that_slides_into_a_stop_is_pressed_against_it():
    world = td.World(max_step=STEP)
    block = td.Box(size=(0.4, 0.4, 0.2), mass=2.0, position=(0, 0, 0.1), velocity=(2.0, 0, 0))
    world.add(td.gravity((3.0, 0.0, -G)), td.contact(friction=0.2), td.Floor(), block)
    stop = world.add(td.at_most(td.formula("p[0]", p=block.centre), high=0.5))
    world.run(1.0)
    assert abs(block.position[0] - 0.5) < 1e-8 and np.abs(block.velocity).max() < 1e-9
    assert stop.value[0] >= -1e-9


@pytest.mark.parametrize("seed", range(8))
def test_random_rows_with_bounds_obey_their_law(seed):
    rng = np.random.default_rng(seed)
    system = tangle(seed, bodies=5, contacts=8)
    pairs = [tuple(rng.choice(5, 2 + (k == 0), replace=False)) for k in range(4)]
    sizes = [len(v) for v in system.v]
    table = ContactTable(sizes, pairs, [1] * 4)
    table.prepare(np.stack([system.touches.a, system.touches.b], axis=1))
    J = [rng.normal(size=(1, sizes[b])) for pair in pairs for b in pair]
    limit = 10.0 ** rng.uniform(-2, 1, 4)
    lower, upper = np.where([0, 0, 1, 1], 0.0, -limit), np.where([0, 0, 1, 1], np.inf, limit)
    target = rng.normal(size=4)
    table.write(
        system.masses, system.v, system.v_free, system.touches, J=J, target=target, bounds=(lower, upper)
    )
    solved = table.read(table.run())
    blocks = iter(J)
    y = np.array([sum((next(blocks) @ solved.v[b])[0] for b in pair) for pair in pairs]) - target
    lam = solved.lam
    assert solved.open == 0
    assert (lam >= lower).all() and (lam <= upper).all()
    # pushed at the lower bound it opens, at the upper one it closes, and between them it stands
    assert np.abs(lam - np.clip(lam - y, lower, upper)).max() < 1e-3


@pytest.mark.parametrize("limits", ["dry", "stops"])
@pytest.mark.parametrize("seed", range(20, 23))
def test_a_chain_that_falls_over_a_peg_gains_no_energy(seed, limits):
    rng = np.random.default_rng(seed)
    count, limit, height = int(rng.integers(4, 8)), 10 ** rng.uniform(-2, 0), 0.6
    world = td.World(max_step=STEP)
    world.add(td.gravity(), td.contact(), td.Floor())
    world.add(td.Sphere(radius=0.15, position=(0.07 * count, 0.01, 0.3), is_fixed=True))
    rods = [
        world.add(td.Box(size=(0.18, 0.05, 0.05), mass=0.5, position=(0.2 * k, 0, height)))
        for k in range(count)
    ]
    for k in range(count - 1):
        at = (0.2 * k + 0.1, 0, height)
        hinge = world.add(td.join(td.pin, rods[k], rods[k + 1], at=at, axis=(0, 1, 0)))
        if limits == "dry":
            world.add(td.dry_friction(hinge.turn, limit=limit))
        else:
            world.add(*td.within(hinge.turn, -0.5, 0.5))
    last = world.energy
    for _ in range(5):
        world.run(0.1)
        assert world.energy <= last + 1e-3 * count  # J; RATTLE's own energy swings by its step
        last = world.energy
    assert world.gap < 1e-8
