"""Rules of contact: by pair and by group, surfaces that move, and all of them edited while the world runs."""

import numpy as np
import pytest

import tinkerdyne as td

G, STEP = 9.81, 1 / 240


def on_floor(*items, friction=0.5, restitution=0.0):
    world = td.World(max_step=STEP)
    rules = td.contact(friction=friction, restitution=restitution)
    floor = td.Floor("floor")
    world.add(td.gravity(), rules, floor, *items)
    return world, floor


def slider(name="block", **more):
    return td.Box(name, size=(1.0, 1.0, 0.2), position=(0.0, 0.0, 0.1), velocity=(2.0, 0.0, 0.0), **more)


def test_a_pair_has_the_friction_that_is_said_for_it():
    block, other = slider(), td.Box("other", position=(0, 5, 0.5), velocity=(2.0, 0, 0))
    world, floor = on_floor(block, other)
    world.add(td.material(block, friction=0.9), td.pairing(floor, block, friction=0.2))
    world.run(0.2)
    assert block.velocity[0] == pytest.approx(2 - 0.2 * G * 0.2, rel=1e-6)
    assert other.velocity[0] == pytest.approx(2 - 0.5 * G * 0.2, rel=1e-6)


def test_a_pair_has_the_restitution_that_is_said_for_it():
    balls = [td.Sphere(f"b{k}", radius=0.1, position=(k, 0, 1.1)) for k in range(2)]
    world, floor = on_floor(*balls)
    world.add(td.pairing(balls[1], floor, restitution=1.0))
    world.run(2 * np.sqrt(2 / G))
    assert balls[0].position[2] == pytest.approx(0.1, abs=1e-5)
    assert balls[1].position[2] == pytest.approx(1.1, abs=1e-4)


def test_rules_are_edited_switched_saved_and_undone_while_the_world_runs():
    block = slider()
    world, floor = on_floor(block, friction=0.0)
    rule = world.add(td.pairing(block, floor, friction=0.1, name="rub"))
    world.run(0.1)
    assert block.velocity[0] == pytest.approx(2 - 0.1 * G * 0.1, rel=1e-6)
    rule.friction = 0.3
    again = td.World.from_json(world.to_json())
    world.run(0.1)
    again.run(0.1)
    assert again["block"].velocity == block.velocity
    assert block.velocity[0] == pytest.approx(2 - 0.4 * G * 0.1, rel=1e-6)
    world.undo()
    assert rule.friction == 0.1 and block.velocity[0] == pytest.approx(2 - 0.1 * G * 0.1, rel=1e-6)
    rule.is_on = False
    world.run(0.1)
    assert block.velocity[0] == pytest.approx(2 - 0.1 * G * 0.1, rel=1e-6)
    world.at(world.time + 0.1, td.Change("rub", "is_on", True))
    world.run(0.2)
    assert block.velocity[0] == pytest.approx(2 - 0.2 * G * 0.1, rel=1e-6)


def test_a_group_passes_through_itself_and_through_nobody_else():
    boxes = [td.Box(f"b{k}", position=(0.1 * k, 0, 0.5 + 0.3 * k)) for k in range(4)]
    lone = td.Box("lone", position=(0, 0, 3.5))
    world, _ = on_floor(*boxes, lone)
    group = world.add(td.ignore(*boxes))
    world.run(1.0)
    assert [box.position[2] for box in boxes] == pytest.approx([0.5] * 4, abs=1e-5)
    assert lone.position[2] == pytest.approx(1.5, abs=1e-3)
    assert {m.b.name for m in world.contacts(lone)} <= {box.name for box in boxes}
    again = td.World.from_json(world.to_json())
    again.run(0.2)
    assert again["b3"].position[2] == pytest.approx(0.5, abs=1e-5)
    group.is_on = False
    assert world.run(0.1)
    with pytest.raises(TypeError, match="two bodies"):
        td.ignore(boxes[0])


def test_groups_pass_through_each_other_and_not_through_themselves():
    red = [td.Box(f"red{k}", position=(0, 0, 0.5 + 1.2 * k)) for k in range(2)]
    blue = [td.Box(f"blue{k}", position=(0.1, 0.1, 0.8 + 1.2 * k)) for k in range(2)]
    world, floor = on_floor(*red, *blue)
    reds, blues = td.group(*red, name="reds"), td.group(*blue, name="blues")
    world.add(td.ignore(reds, blues, name="pass"))
    world.run(1.0)
    heights = [body.position[2] for body in (*red, *blue)]
    assert heights == pytest.approx([0.5, 1.5, 0.5, 1.5], abs=1e-5)
    assert world.contacts(red[1]).bodies == (red[0],)
    again = td.World.from_json(world.to_json())
    assert [item.name for item in again["reds"].inputs] == ["red0", "red1"]
    blue[0].velocity = again["blue0"].velocity = (0.3, 0, 0)  # wakes it
    world.run(0.2)
    again.run(0.2)
    assert [again[body.name].position for body in blue] == [body.position for body in blue]
    world.add(td.ignore(blues))
    world.run(0.5)
    assert blue[1].position[2] == pytest.approx(0.5, abs=1e-3)
    world.undo()
    world.at(world.time + 0.1, td.Change("pass", "is_on", False))
    world.run(0.09)
    assert set(world.contacts(red[0]).bodies) == {floor, red[1]}
    world.run(0.03)
    assert blue[0] in world.contacts(red[0]).bodies


def test_materials_pairs_and_belts_are_said_of_groups():
    blocks = [slider(f"block{k}") for k in range(3)]
    for k, block in enumerate(blocks):
        block.position = (0, 3 * k, 0.1)
    world, floor = on_floor(*blocks, friction=0.5)
    slick, all_of_them = td.group(*blocks[:2]), td.group(td.group(*blocks[:2]), blocks[2])
    world.add(td.material(slick, friction=0.02), td.pairing(all_of_them, floor, friction=0.3, name="pair"))
    world.run(0.1)
    assert [b.velocity[0] for b in blocks] == pytest.approx([2 - 0.3 * G * 0.1] * 3, rel=1e-6)
    world["pair"].is_on = False
    world.run(0.1)
    mu = [0.1, 0.1, 0.5]  # of 0.02 and 0.5 the geometric mean
    assert [b.velocity[0] for b in blocks] == pytest.approx([2 - (0.3 + m) * G * 0.1 for m in mu], rel=1e-6)


@pytest.mark.parametrize("make", [td.group, lambda: td.group(td.Box().centre), lambda: td.group(3)])
def test_a_group_is_of_bodies(make):
    with pytest.raises(TypeError, match=r"group takes|new group"):
        make()


@pytest.mark.parametrize("rule", [td.pairing, td.ignore])
def test_no_body_makes_a_pair_with_itself(rule):
    body = td.Box("body")
    with pytest.raises(TypeError, match=rf"{rule.name} takes two bodies.*{rule.name}\(a, b\)"):
        rule(body, body)
    crowd = td.group(body, td.Box("other"))
    assert rule(crowd, crowd).inputs == (crowd, crowd)  # the bodies of a group meet each other


def test_particles_may_have_rules_too():
    bead = td.Particle("bead", position=(0, 0, 0), velocity=(1.0, 0, 0))
    world, _ = on_floor(bead)
    world.add(td.material(bead, friction=0.0))
    world.run(0.2)
    assert bead.velocity[0] == pytest.approx(1.0, abs=1e-6)


# --- surfaces that move --------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(3))
def test_a_box_on_a_belt_slips_as_far_as_coulomb_says(seed):
    """It accelerates by μg until it has the speed u of the belt, and slips by u²/2μg meanwhile."""
    rng = np.random.default_rng(seed)
    angle, speed, mu = rng.uniform(0, 2 * np.pi), rng.uniform(0.5, 2.0), rng.uniform(0.2, 0.8)
    u = np.array([speed * np.cos(angle), speed * np.sin(angle), 0.0])
    box = td.Box("box", size=(0.4, 0.4, 0.1), position=(0, 0, 0.05))
    world, floor = on_floor(box, friction=mu)
    world.add(td.conveyor(floor, velocity=tuple(u)))
    span = speed / (mu * G) + 0.3
    world.run(span)
    assert box.velocity == pytest.approx(u, abs=1e-6)
    slip = np.linalg.norm(u * span - np.array(box.position) + (0, 0, 0.05))
    assert slip == pytest.approx(speed**2 / (2 * mu * G), rel=2e-3)


def test_a_belt_moves_in_the_axes_of_its_body_and_pushes_it_back():
    """A slab that crawls: its own surface moves, so it is carried the other way until both are one."""
    turn = (np.cos(0.3), 0.0, 0.0, np.sin(0.3))
    slab = td.Box("slab", size=(1, 1, 0.2), position=(0, 0, 0.1), orientation=turn)
    world, _ = on_floor(slab)
    world.add(td.conveyor(slab, velocity=(0.5, 0, 0)))
    world.run(0.5)
    assert slab.velocity == pytest.approx(-0.5 * np.array([np.cos(0.6), np.sin(0.6), 0]), abs=1e-6)


def test_a_belt_in_the_plane_rolls_a_disc():
    disc = td.Disc("disc", radius=0.2, mass=1.0, position=(0.0, 0.2))
    world = td.World(max_step=STEP)
    floor = td.PlanarFloor("floor")
    world.add(td.gravity(), td.contact(), floor, disc, td.conveyor(floor, velocity=(1.5, 0.0)))
    world.run(1.0)
    assert disc.velocity[0] == pytest.approx(0.5, rel=1e-3)  # a third of the belt's, for a disc
    assert disc.velocity[0] + 0.2 * disc.spin == pytest.approx(1.5, abs=1e-6)


def test_a_belt_may_be_edited_and_ramped():
    box = td.Box("box", size=(0.4, 0.4, 0.1), position=(0, 0, 0.05))
    world, floor = on_floor(box)
    belt = world.add(td.conveyor(floor, velocity=(0.0, 0.0, 0.0), name="belt"))
    world.run(0.1)
    assert box.velocity[0] == pytest.approx(0, abs=1e-9)
    belt.velocity = (0.5, 0.0, 0.0)
    world.run(0.3)
    assert box.velocity[0] == pytest.approx(0.5, abs=1e-6)
    world.ramp(belt, "velocity", to=(1.0, 0.0, 0.0), start=world.time, end=world.time + 0.5)
    world.run(0.6)
    assert box.velocity[0] == pytest.approx(1.0, abs=1e-6)


# --- shapes that change --------------------------------------------------------------------------------
SIZES = {
    "box": (lambda **at: td.Box("b", **at), "size", (1.0, 1.0, 1.6), 0.8),
    "ball": (lambda **at: td.Sphere("b", radius=0.5, **at), "radius", 0.8, 0.8),
    "capsule": (lambda **at: td.Capsule("b", radius=0.5, length=1.0, **at), "radius", 0.7, 0.7),
}


@pytest.mark.parametrize("name", SIZES)
def test_a_body_touches_with_the_size_that_it_was_given_last(name):
    make, parameter, size, height = SIZES[name]
    body = make(position=(0, 0, 0.5))
    world, _ = on_floor(body)
    world.run(0.1)
    setattr(body, parameter, size)
    body.position = (0, 0, 2.0)
    world.run(1.0)
    assert body.position[2] == pytest.approx(height, abs=1e-5)
    world.undo()
    world.undo()
    world.run(0.5)
    assert body.position[2] == pytest.approx(0.5, abs=1e-5)
