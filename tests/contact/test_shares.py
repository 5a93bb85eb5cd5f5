"""Forces that joints and contacts share as they like are the least that do the same."""

import numpy as np
import pytest
from scipy.optimize import minimize

import tinkerdyne as td
from tinkerdyne import gallery

STEP = 1 / 240


def held(seed: int) -> tuple[td.World, list[td.Item], list[td.Item]]:
    """Up to three boxes in a row on a floor, at times along a wall, held by joints at foot, waist or top;
    some are pulled."""
    rng = np.random.default_rng(seed)
    world = td.World(max_step=STEP)
    world.add(td.gravity(), td.contact(friction=float(rng.choice([0, 0.3, 0.8, 1.5]))), td.Floor("floor"))
    if rng.random() < 0.5:
        world.add(td.Wall("wall"))
    bodies: list[td.Item] = []
    joints: list[td.Item] = []
    x = 0.0
    for k in range(int(rng.integers(1, 4))):
        size = rng.uniform(0.3, 1, 3)
        place = np.array([x + size[0] / 2, 0, size[2] / 2])
        body = world.add(
            td.Box(f"b{k}", size=size, mass=float(10 ** rng.uniform(-1, 1.5)), position=tuple(place))
        )
        x += size[0]
        at = place + rng.uniform(-0.5, 0.5, 3) * size
        at[2] = rng.choice([0.0, size[2] / 2, size[2]])
        kind = (td.ball, td.pin, td.weld)[rng.integers(3)]
        axis = {"axis": tuple(rng.normal(size=3))} if kind is td.pin else {}
        chance = rng.random()
        if chance < 0.6:
            joints.append(world.add(td.join(kind, None, body, at=tuple(at), **axis)))
        elif chance < 0.8 and bodies:
            at[0] = x - size[0]
            joints.append(world.add(td.join(kind, bodies[-1], body, at=tuple(at), **axis)))
        if rng.random() < 0.3:
            world.add(td.pull(body.centre, by=tuple(3 * body.mass * rng.normal(size=3))))
        bodies.append(body)
    return world, bodies, joints


@pytest.mark.parametrize("seed", [15, 55, 140, 199, 343])
def test_joints_and_contacts_do_not_push_against_each_other(seed):
    world, bodies, joints = held(seed)
    world.run(0.3)
    weight = 9.81 * sum(body.mass for body in bodies)
    forces = [m.force for m in world.contacts()] + [joint.force[:3] for joint in joints]
    assert max(np.linalg.norm(forces, axis=1)) < 3 * weight  # up to 1e6 N before


@pytest.mark.long
@pytest.mark.parametrize("seed", range(200, 400))
def test_nor_do_they_in_many_worlds(seed):
    test_joints_and_contacts_do_not_push_against_each_other(seed)


@pytest.mark.parametrize("seed", range(6))
def test_a_box_held_at_its_foot_shares_its_weight_with_the_least_squares(seed):
    """The forces of the corners and of a ball joint at the height of the floor, against scipy's."""
    rng = np.random.default_rng(seed)
    world = td.World(max_step=STEP)
    size, mu = rng.uniform(0.3, 1, 3), 0.6
    box = td.Box(size=size, mass=2.0, position=(0, 0, size[2] / 2))
    hook = (*(rng.uniform(-0.4, 0.4, 2) * size[:2]), 0.0)
    by = (*rng.normal(size=2), -3.0)
    world.add(td.gravity(), td.contact(friction=mu), td.Floor(), box, td.pull(box.centre, by=by))
    joint = world.add(td.join(td.ball, None, box, at=hook))
    assert world.run(0.2).status == td.Status.DONE
    corners = world.contacts(box)
    points = [m.point for m in corners] + [hook]
    A = np.hstack([np.vstack([np.eye(3), np.cross(p, np.eye(3)).T]) for p in np.array(points)])
    load = np.add(by, (0, 0, -9.81 * 2))
    wrench = -np.concatenate([load, np.cross(box.position, load)])
    found = np.concatenate([*(m.force for m in corners), joint.force])
    assert np.allclose(A @ found, wrench, atol=1e-9)
    inside = [
        {"type": "ineq", "fun": lambda z, k=k: z[3 * k + 2] * mu - np.hypot(z[3 * k], z[3 * k + 1])}
        for k in range(len(corners))
    ]
    least = minimize(
        lambda z: 0.5 * z @ z, found, jac=lambda z: z, method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
        constraints=[*inside, {"type": "eq", "fun": lambda z: A @ z - wrench, "jac": lambda z: A}],
    )  # fmt: skip
    assert found @ found <= least.x @ least.x * (1 + 1e-7)


def test_a_table_stands_on_four_legs_alike():
    world = td.World(max_step=STEP)
    table, load = (
        td.Box("table", size=(2.0, 1.0, 0.1), position=(0, 0, 0.05)),
        td.Sphere(radius=0.1, mass=1.0),
    )
    load.position = (0.3, 0.1, 0.2)
    world.add(td.gravity(), td.contact(), td.Floor(), table, load)
    world.run(0.2)
    legs = [m for m in world.contacts(table) if m.normal[2] > 0 and m.a is table]
    sides = np.array([(1, *m.point[:2]) for m in legs if m.b.name == "floor-1"])
    least = np.linalg.pinv(sides.T) @ (9.81 * np.array([table.mass + 1, 0.3, 0.1]))
    assert np.allclose([m.force[2] for m in legs if m.b.name == "floor-1"], least, rtol=1e-6)


def test_what_moves_keeps_its_forces_while_they_are_no_larger_than_they_need_be():
    """The least ones at every kick took 77,000 factorings, and half as long again."""
    world = gallery.load("trebuchet").build()
    world.run(2.0)
    assert world.engine.contacts.arena.head.factorings < 45_000
