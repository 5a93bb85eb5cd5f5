"""Worlds with contact: things rest, slide, roll, stack and bounce, with exact joints, undo and files."""

from itertools import pairwise

import numpy as np
import pytest

import tinkerdyne as td
from benchmarks.contact.worlds import pile
from tinkerdyne.engine.contact.touching import TouchValues

G, STEP = 9.81, 1 / 240


def on_floor(*items, friction=0.5, restitution=0.0, gravity=(0.0, 0.0, -G)):
    world = td.World(max_step=STEP)
    rules = td.contact(friction=friction, restitution=restitution)
    world.add(td.gravity(gravity), rules, td.Floor("floor"), *items)
    return world


def bytes_of(world):
    return b"".join(
        np.array([*item.position, *item.orientation, *item.velocity, *item.spin]).tobytes()
        for item in world
        if item.type.family == "object"
    )


SHAPES = {
    "sphere": (lambda **where: td.Sphere(radius=0.2, **where), {0.2}),
    "box": (lambda **where: td.Box(size=(0.3, 0.4, 0.5), **where), {0.15, 0.2, 0.25}),
    "capsule": (lambda **where: td.Capsule(radius=0.2, length=0.5, **where), {0.2}),
    "torus": (lambda **where: td.Torus(radius=0.3, thickness=0.1, **where), {0.1}),
    "particle": (lambda position, **_: td.Particle(position=position), {0.0}),
}


@pytest.mark.parametrize("name", SHAPES)
def test_what_falls_comes_to_rest_on_the_floor(name):
    make, heights = SHAPES[name]
    turn = np.random.default_rng(3).normal(size=4)
    body = make(position=(0.0, 0.0, 0.6), orientation=tuple(turn / np.linalg.norm(turn)))
    world = on_floor(body)
    assert world.run(3.0).status in (td.Status.DONE, td.Status.CAREFUL)
    assert min(abs(body.position[2] - height) for height in heights) < 2e-4
    assert abs(body.velocity[2]) < 1e-6


def test_a_stack_with_a_thousandfold_load_stands_still():
    masses = [1.0] * 5 + [1000.0]
    boxes = [td.Box(mass=m, position=(0.0, 0.0, 0.5 + k)) for k, m in enumerate(masses)]
    world = on_floor(*boxes)
    world.run(2.0)
    assert world.kinetic_energy < 1e-12
    for k, box in enumerate(boxes):
        assert np.abs(np.array(box.position) - (0.0, 0.0, 0.5 + k)).max() < 1e-6


@pytest.mark.parametrize("share", [0.999, 1.05])
def test_a_block_on_a_slope_sticks_or_slides_as_coulomb_says(share):
    angle = np.arctan(0.5 * share)
    block = td.Box(size=(1.0, 1.0, 0.5), position=(0.0, 0.0, 0.25))
    world = on_floor(block, gravity=(G * np.sin(angle), 0.0, -G * np.cos(angle)))
    world.run(2.0)
    slides = max(0.0, G * (np.sin(angle) - 0.5 * np.cos(angle))) * 2.0
    assert block.velocity[0] == pytest.approx(slides, rel=0.02, abs=1e-7)
    assert abs(block.position[0] - slides) < 0.02 * slides + 1e-8


@pytest.mark.parametrize("angle", np.random.default_rng(7).uniform(0, 2 * np.pi, 3))
def test_a_block_stops_where_it_should_whatever_its_direction(angle):
    block = td.Box(
        size=(1.0, 1.0, 0.2), position=(0.0, 0.0, 0.1), velocity=(3 * np.cos(angle), 3 * np.sin(angle), 0)
    )
    world = on_floor(block)
    world.run(1.0)
    way = np.hypot(*block.position[:2])
    assert way == pytest.approx(9 / (2 * 0.5 * G), rel=1e-3)
    assert abs(block.position[2] - 0.1) < 1e-5


def test_a_disc_in_the_plane_begins_to_roll():
    disc = td.Disc(radius=0.2, position=(0.0, 0.2), velocity=(1.0, 0.0))
    world = td.World(max_step=STEP)
    world.add(td.gravity(), td.contact(), td.PlanarFloor(), disc)
    world.run(1.0)
    assert disc.velocity[0] == pytest.approx(2 / 3, rel=1e-3)
    assert disc.spin == pytest.approx(-2 / 3 / 0.2, rel=1e-3)


@pytest.mark.parametrize("e", [0.8, 1.0])
def test_a_ball_bounces_as_high_as_its_restitution_says(e):
    ball = td.Sphere(radius=0.1, position=(0.0, 0.0, 1.1))
    world = on_floor(ball, restitution=e)
    world.run(np.sqrt(2 / G) * (1 + e) + 1e-3)  # a moment before the second blow, or behind its apex
    energy = G * (ball.position[2] - 0.1) + np.dot(ball.velocity, ball.velocity) / 2
    assert energy == pytest.approx(G * e**2, rel=1e-6)


@pytest.mark.parametrize("struck", [1, 2])
def test_the_last_balls_of_a_cradle_fly_off_alone(struck):
    balls = [
        td.Sphere(
            radius=0.1, position=(0.2 * k - 0.1 * (k < struck), 0, 0), velocity=(float(k < struck), 0, 0)
        )
        for k in range(5)
    ]
    world = td.World(max_step=STEP)
    world.add(td.contact(restitution=1.0), *balls)
    world.run(0.3)
    expected = [float(k >= 5 - struck) for k in range(5)]
    assert [ball.velocity[0] for ball in balls] == pytest.approx(expected, abs=1e-7)


def test_joints_stay_closed_where_their_bodies_touch_others():
    world = td.World(max_step=STEP)
    turned = (np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5))
    world.add(td.gravity(), td.contact(), td.Cylinder("c", radius=0.3, is_fixed=True, orientation=turned))
    rods = [
        world.add(td.Capsule(length=0.12, radius=0.03, mass=0.1, position=(0.15 * k - 0.74, 0.0, 0.34)))
        for k in range(11)
    ]
    for a, b in pairwise(rods):
        middle = (np.array(a.position) + np.array(b.position)) / 2
        world.add(td.join(td.ball, a, b, at=tuple(middle)))
    result = world.run(0.5)
    assert result.accuracy.gap <= 1e-7
    assert rods[5].position[2] > 0.32


def test_what_ignores_each_other_passes_through():
    ball = td.Sphere("ball", radius=0.1, position=(0.0, 0.0, 0.3))
    world = on_floor(ball)
    world.add(td.ignore(world["floor"], ball))
    world.run(1.0)
    assert ball.position[2] < -1


def test_a_material_of_its_own_is_smoother():
    blocks = [td.Box(size=(0.2, 0.2, 0.2), position=(0.0, k, 0.1), velocity=(1, 0, 0)) for k in range(2)]
    world = on_floor(*blocks)
    world.add(td.material(blocks[0], friction=0.0))
    world.run(0.5)
    assert blocks[0].velocity[0] == pytest.approx(1.0, abs=1e-6) and abs(blocks[1].velocity[0]) < 1e-6


def tower():
    boxes = [td.Box(f"b{k}", size=(0.5, 0.4, 0.3), position=(0.1 * k, 0.0, 0.3 + 0.4 * k)) for k in range(4)]
    return on_floor(*boxes, restitution=0.2)


def test_undo_and_files_go_on_with_the_same_bytes(tmp_path):
    world = tower()
    world.run(0.5)
    world.save(tmp_path / "tower.json")
    at_half = bytes_of(world)
    world["b3"].position = (5.0, 5.0, 1.0)
    world.run(0.1)
    world.undo()
    assert bytes_of(world) == at_half
    world.run(0.25)
    loaded = td.World.load(tmp_path / "tower.json")
    loaded.run(0.25)
    fresh = tower()
    fresh.run(0.5)
    fresh.run(0.25)
    assert bytes_of(world) == bytes_of(loaded) == bytes_of(fresh)


def test_bodies_that_overlap_at_first_are_parted_gently():
    balls = [td.Sphere(radius=0.5, position=(0.6 * k, 0.0, 0.0)) for k in range(2)]
    world = td.World(max_step=STEP)
    world.add(td.contact(), *balls)
    world.run(1.0)
    assert np.linalg.norm(np.subtract(balls[1].position, balls[0].position)) > 1 - 1e-3
    assert world.kinetic_energy < 1e-12


@pytest.mark.parametrize("values", [{"friction": -1}, {"restitution": 1.5}, {"friction": np.nan}])
def test_constants_that_make_no_sense_are_refused(values):
    with pytest.raises(ValueError, match="contact"):
        td.contact(**values)


@pytest.mark.parametrize("method", ["runge_kutta", "energy_momentum", "implicit", "stormer"])
def test_other_methods_hand_contact_over_with_a_word(method):
    ball = td.Sphere(radius=0.1, position=(0.0, 0.0, 0.1))
    world = td.World(method=method)
    world.add(td.gravity(), td.contact(), td.Floor(), ball)
    with pytest.warns(UserWarning, match="knows no contact"):
        world.run(0.1)
    assert ball.position[2] == pytest.approx(0.1, abs=1e-6)


def test_a_motor_sweeps_a_box_along_at_its_own_speed_and_its_work_is_in_the_balance():
    """Its speed is approached as e^(−t/τ), so that it turns by ω (t − τ (1 − e^(−t/τ)))."""
    arm = td.Box("arm", size=(1.0, 0.1, 0.1), density=1000, position=(0.5, 0.0, 0.1))
    box = td.Box("box", size=(0.2, 0.2, 0.2), density=500, position=(0.7, 0.4, 0.1))
    world = on_floor(arm, box)
    axle = world.add(td.join(td.pin, None, arm, at=(0, 0, 0.1), axis=(0, 0, 1)))
    motor = world.add(td.speed(axle.turn, at=(2.0,)))
    result = world.run(1.0)
    turned = 2.0 * (1 - motor.tau * (1 - np.exp(-1 / motor.tau)))
    assert axle.turn.value[0] == pytest.approx(turned, abs=1e-4)
    assert np.hypot(*np.subtract(box.position[:2], (0.7, 0.4))) > 0.3
    assert result.status is td.Status.DONE


@pytest.mark.parametrize("friction", [0.0, 1.0])
@pytest.mark.parametrize("seed", range(3))
def test_an_uneven_ball_rolls_without_a_loss(seed, friction):
    """Its centre of mass goes up and down; the floor does no work on it, slipping or not."""
    random = np.random.default_rng([seed, 11])
    aside = random.uniform(0.05, 0.12)
    parts = {
        "shell": td.Sphere(radius=0.2, density=100),
        "core": td.Sphere(radius=0.05, density=20000, position=(aside, 0.0, 0.0)),
    }
    ball = td.Compound("ball", shapes=parts)
    spin = np.array((0.0, random.uniform(3, 6), random.uniform(-3, 3)))
    ball.position, ball.spin = (ball.offset[0], 0.0, 0.2), tuple(spin)
    slides = np.cross(spin, (0.0, 0.0, 0.2)) if friction else np.zeros(3)
    ball.velocity = tuple(slides + np.cross(spin, ball.offset))
    world = on_floor(ball, friction=friction)
    energy = world.energy
    assert world.run(1.0).status is td.Status.DONE
    assert world.energy == pytest.approx(energy, rel=2e-3)
    assert ball.origin.value[2] == pytest.approx(0.2, abs=1e-4)


@pytest.mark.parametrize("tilt", np.random.default_rng(12).uniform(0.4, 1.2, 3))
def test_a_disc_spins_on_its_rim_as_its_closed_form_says(tilt):
    """Ω² sin α (A cos α − C h/(2a) sin α) = m g (a cos α − h/2 sin α), its centre at rest."""
    a, h, s, c = 0.2, 0.02, np.sin(tilt), np.cos(tilt)
    rate = np.sqrt(G * (a * c - h / 2 * s) / (s * ((a**2 / 4 + h**2 / 12) * c - a**2 / 2 * h / (2 * a) * s)))
    half = (np.pi / 2 - tilt) / 2
    disc = td.Cylinder(
        "disc", radius=a, length=h, position=(0, 0, a * s + h / 2 * c),
        orientation=(np.cos(half), 0.0, -np.sin(half), 0.0), spin=(rate * s * h / (2 * a), 0.0, rate * s),
    )  # fmt: skip
    world = on_floor(disc, friction=1.0)
    world.run(2 * np.pi / rate)  # once round
    axis = disc.end2.value - np.array(disc.position)
    assert np.arctan2(axis[1], axis[0]) == pytest.approx(0.0, abs=0.02)
    assert np.arctan2(np.hypot(*axis[:2]), axis[2]) == pytest.approx(tilt, abs=2e-3)
    assert np.hypot(*disc.position[:2]) < 1e-3 * a


def test_a_falling_pile_takes_no_more_than_one_try_a_step_again():
    """Newcomers and bends are in one try: 189 in 192 steps, and 232 where a step that parts do not help is
    taken in 16 of them."""
    random, size = np.random.default_rng(5), 0.1
    pile = [
        td.Box(size=(size, 0.8 * size, 1.2 * size), density=1000, orientation=tuple(q / np.linalg.norm(q)),
               position=tuple(0.17 * (np.array(cell) - (1, 1, -1)) + 0.01 * random.normal(size=3)))
        for cell, q in zip(np.ndindex(3, 3, 3), random.normal(size=(27, 4)), strict=True)
    ]  # fmt: skip
    world = on_floor(*pile)
    world.run(0.8)
    head = world.engine.contacts.arena.head
    assert head.retakes <= 192 and head.n_open <= 1


@pytest.mark.long
def test_what_comes_in_from_the_side_does_not_divide_the_steps_of_a_heap():
    """Seen from its start it lies behind the surface, and was no contact there: 7 steps were halved."""
    world = pile(216, "box", 500)
    world.run(0.6)
    arena = world.engine.contacts.arena
    assert arena.head.divisions <= 3
    assert TouchValues(arena.Y).deepest < 1.2e-4


def test_a_step_that_lacks_room_and_is_taken_again_says_nothing_of_its_first_look():
    """64 boxes land on a sliding plate, one after the other: contacts outgrow their room again and again."""
    world = td.World(max_step=1 / 240)
    world.add(td.gravity(), td.contact(), td.Floor())
    slow = {"density": 100.0, "velocity": (1, 0, 0)}
    world.add(td.Box("plate", size=(3, 3, 0.1), position=(0, 0, 0.05), **slow))
    for k in range(64):
        x, y = divmod(k, 8)
        place = (0.36 * (x - 3.5), 0.36 * (y - 3.5), 0.2001 + 0.004 * k)
        world.add(td.Box(f"box{k}", size=(0.2, 0.2, 0.2), position=place, **slow))
    for _ in range(60):
        assert world.run(1 / 240).status.name == "DONE"


@pytest.mark.parametrize("seed", range(4))
def test_joined_bodies_that_have_landed_are_not_called_inaccurate_ever_after(seed):
    """Contacts come and go: the forces that joints would have without them tell nothing."""
    world = pile(8, "mixed", seed, joints=True)
    for _ in range(10):
        told = world.run(0.1)
        assert told.accuracy is not None and "shake" not in told.accuracy.broken
