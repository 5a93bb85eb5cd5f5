"""Laws of motion pushed forward: value, velocity, bias and Jacobian of every connector and constraint type
agree."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tinkerdyne as td
from tests.laws.zoo import Probe, assert_close, plain_types, specimens, types

# Two ways of doing the same sums differ by rounding alone.
SAME = {"rtol": 1e-12, "atol": 1e-12}

MOVING = [t.name for t in types("connector", "constraint")]
PLAIN = [t.name for t in plain_types("connector", "constraint")]
SEEDS = st.integers(0, 10**6)


def is_on_velocities(item):
    """A constraint on velocities alone: it has no value whose rate they are."""
    return item.type.block_of(item).is_on_velocity


def turns_round(probe, item, q, v, t):
    """Whether the value jumps near a state: a rotation vector does at half a turn, and has no rate there."""
    ends = []
    probe.set(q, v, t)
    qdot = probe.qdot
    for s in (-2e-4, 2e-4):
        probe.set(q + s * qdot, v, t + s)
        ends.append(np.array(probe.read(item)[0]))
    probe.set(q, v, t)
    return np.abs(ends[1] - ends[0]).max(initial=0.0) > 1.0


@pytest.mark.parametrize("name", PLAIN)
def test_a_connector_supplies_what_it_says(name):
    for specimen in specimens(name):
        output = specimen.item.type.output
        if output.name in ("", "vector"):
            continue
        wanted = {
            "scalar": 1,
            "point": specimen.dim,
            "direction": specimen.dim,
            "frame": specimen.dim * (1 + specimen.dim),
        }
        assert specimen.item.type.block_of(specimen.item).dim == wanted[output.name], str(specimen)


@pytest.mark.parametrize("name", MOVING)
@given(seed=SEEDS)
def test_velocity_is_the_rate_of_the_value(name, seed):
    for specimen in specimens(name):
        probe, item = Probe(specimen.world), specimen.item
        q, v, t = probe.random(seed)
        if turns_round(probe, item, q, v, t):
            continue
        velocity, qdot = probe.read(item)[1], probe.qdot
        if is_on_velocities(item):
            probe.set(q, 0 * v, t)
            np.testing.assert_allclose(
                velocity - probe.read(item)[1], probe.dense(item) @ v, rtol=1e-10, atol=1e-10
            )
            continue
        rate = probe.slope(lambda p=probe, i=item: p.read(i)[0], q, v, t, qdot, 0 * v, 1.0)
        assert_close(velocity, rate, str(specimen))


@pytest.mark.parametrize("name", MOVING)
@given(seed=SEEDS)
def test_bias_and_jacobian_give_the_second_derivative_along_a_free_motion(name, seed):
    for specimen in specimens(name):
        probe, item = Probe(specimen.world), specimen.item
        q, v, t = probe.random(seed)
        if turns_round(probe, item, q, v, t):
            continue
        bias, qdot, acceleration, J = probe.read(item)[2], probe.qdot, probe.acceleration, probe.dense(item)
        velocity = lambda p=probe, i=item: p.read(i)[1]  # noqa: E731
        # With v held, v̇ = 0: what is left is the bias. With the free motion's v̇ the Jacobian joins in.
        held = probe.slope(velocity, q, v, t, qdot, 0 * v, 1.0)
        assert_close(bias, held, str(specimen))
        free = probe.slope(velocity, q, v, t, qdot, acceleration, 1.0)
        assert_close(J @ acceleration + bias, free, str(specimen))


@pytest.mark.parametrize("name", MOVING)
def test_jacobian_is_the_derivative_by_each_velocity(name):
    for specimen in specimens(name):
        probe, item = Probe(specimen.world), specimen.item
        q, v, t = probe.random(1)
        J = probe.dense(item)
        for k, e in enumerate(np.eye(probe.nv)):
            if is_on_velocities(item):
                probe.set(q, e, t)
                moved = probe.read(item)[1]
                probe.set(q, 0 * v, t)
                np.testing.assert_allclose(J[:, k], moved - probe.read(item)[1], rtol=1e-9, atol=1e-9)
                continue
            probe.set(q, e, t)
            column = probe.slope(lambda p=probe, i=item: p.read(i)[0], q, v, t, probe.qdot, 0 * v, 0.0)
            assert_close(J[:, k], column, f"{specimen}, velocity {k}")


@pytest.mark.parametrize("name", ["align", "on_line"])
def test_rows_across_a_direction_are_continuous_where_it_turns_level(name):
    """A direction that passes the horizontal changes no row by more than it moves (across() may jump at −z
    alone)."""
    values = []
    for tilt in (1e-7, -1e-7):
        world = td.World()
        body = world.add(td.RigidBody(orientation=(np.cos(tilt / 2), 0.0, np.sin(tilt / 2), 0.0)))
        mote = world.add(td.Particle(position=(0.3, 0.5, 0.7)))
        along = td.direction(body, along=(1.0, 0.0, 0.0))  # its height is −sin(tilt)
        other = td.world_direction(along=(0.8, 0.36, 0.48))
        item = td.align(along, other) if name == "align" else td.on_line(mote, td.Nail(0.0, 0.0, 0.0), along)
        values.append(np.array(world.add(item).value))
    np.testing.assert_allclose(values[0], values[1], atol=1e-6)


def held(item):
    """A constraint on what a connector supplies, so that its Jacobian goes through the compiled
    composition."""
    if item.type.family == "constraint":
        return item
    if item.type.output.name == "frame":
        dim = 3 if item.type.block_of(item).dim == 12 else 2
        return td.nail(td.point(item, at=(0.3, -0.7, 0.4)[:dim]), at=(0.1, 0.2, 0.3)[:dim])
    return td.held(item, at=(0.1,) * item.type.block_of(item).dim)


@pytest.mark.parametrize("name", PLAIN)
@given(seed=SEEDS)
def test_compiled_composition_equals_the_recursive_dense_one(name, seed):
    for specimen in specimens(name):
        constraint = held(specimen.item)
        if constraint is not specimen.item and "law-held" not in specimen.world:
            object.__setattr__(constraint, "name", "law-held")
            specimen.world.add(constraint)
        constraint = specimen.world["law-held"] if constraint is not specimen.item else constraint
        probe = Probe(specimen.world)
        _, v, _ = probe.random(seed)
        J = probe.dense(constraint)
        np.testing.assert_allclose(probe.compiled(), J, **SAME, err_msg=str(specimen))
        # J v and ċ are pushed forward by two different codes.
        at_rest = probe.read(constraint)[1] - J @ v
        q, _ = probe.state()
        probe.set(q, 0 * v, specimen.world.time)
        # Near half a turn a rotation vector magnifies rounding a thousandfold.
        np.testing.assert_allclose(
            probe.read(constraint)[1], at_rest, rtol=1e-11, atol=1e-10, err_msg=str(specimen)
        )
