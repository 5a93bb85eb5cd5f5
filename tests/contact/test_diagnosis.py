"""Diagnosis counts contacts: what they take of the freedoms, and who stands by them alone."""

import pytest

import tinkerdyne as td


def on_floor(*items, friction=0.5):
    world = td.World(max_step=1 / 240)
    world.add(td.gravity(), td.contact(friction=friction), td.Floor("floor"), *items)
    return world


@pytest.mark.parametrize(
    ("make", "normal", "sticking"),
    [
        (lambda: td.Box("b", position=(0, 0, 0.5)), 3, 6),
        (lambda: td.Sphere("b", radius=0.5, position=(0, 0, 0.5)), 1, 3),
        (lambda: td.Capsule("b", radius=0.5, length=1.0, position=(0, 0, 0.5)), 2, 5),
        (lambda: td.Particle("b", position=(0, 0, 0)), 1, 3),
    ],
)
@pytest.mark.parametrize("friction", [0.0, 0.5])
def test_each_shape_on_the_floor_is_held_as_it_should_be(make, normal, sticking, friction):
    body = make()
    found = on_floor(body, friction=friction).diagnose()
    (pair,) = found.contacts
    assert {pair.a, pair.b} == {"floor", "b"}
    assert (pair.normal, pair.sticking) == (normal, sticking if friction else normal)
    freedoms = 3 if body.type is td.Particle else 6
    assert found.freedoms == freedoms
    assert found.freedoms_in_contact == freedoms - pair.sticking
    assert found.held_by_contact == (("b",) if pair.sticking == freedoms else ())


def test_a_stack_is_held_by_contact_alone_and_a_hung_lamp_is_not():
    boxes = [td.Box(f"box{k}", position=(0, 0, 0.5 + k)) for k in range(3)]
    lamp = td.Sphere("lamp", position=(5, 0, 3))
    world = on_floor(*boxes, lamp)
    world.add(td.nail(lamp.centre, at=(5, 0, 3)))
    found = world.diagnose()
    assert found.held_by_contact == ("box0", "box1", "box2")
    assert found.freedoms == 3 * 6 + 3 and found.freedoms_in_contact == 3
    assert "held by contact alone: box0, box1, box2" in str(found)
    world.run(0.1)
    assert world.diagnose() == found


def test_a_world_without_contact_says_nothing_of_it():
    world = td.World()
    world.add(td.Box(), td.Box(position=(3, 0, 0)))
    assert world.diagnose().contacts == () and world.diagnose().freedoms_in_contact is None
    assert "contact" not in str(world.diagnose())
