"""The light plan of the tangent matrix: taken where few objects are stiff, as right as the whole one, and
chosen from the state alone."""

import numpy as np

import tinkerdyne as td
from tests.truth.singular import sheet, taut_chain
from tinkerdyne.engine.ldl.plan import Plan
from tinkerdyne.engine.tangent_records import Tangent

STEP = 1 / 480


def tables(world):
    """The tables of a world's tangent matrix."""
    arena = world.engine.arena
    return Tangent(arena.I[arena.index.tangent :])


def hung(n, seconds=0.1, **settings):
    """A cloth that hangs by its straight edge, after some steps."""
    world = sheet(n, size=1.0, max_step=STEP, **settings)
    assert world.run(seconds)
    return world


def test_a_cloth_is_stiff_along_its_edge_alone():
    world = hung(8)
    found = tables(world)
    assert found.is_light == 1
    assert 6 <= found.n_stiff <= 16  # the six free ones of the edge, and some beside the nails
    light, whole = (Plan(found.array[place:]) for place in (found.light_plan, found.plan))
    assert light.fill < 0.6 * whole.fill


def test_a_taut_chain_is_stiff_throughout():
    world = taut_chain(np.full(12, 0.1), max_step=STEP)
    assert world.run(0.1)
    assert tables(world).is_light == 0


def test_what_is_left_out_changes_no_motion():
    """The residual is that of the whole equations: the two plans agree to what they are solved to."""
    world, other = hung(8), hung(8)
    assert tables(world).is_light == 1
    tables(other).light_words = 0  # no room for the light plan
    tables(other).is_planned = 0
    for scene in (world, other):
        assert scene.run(STEP)
    assert (tables(world).is_light, tables(other).is_light) == (1, 0)
    np.testing.assert_allclose(world.engine.arena.q, other.engine.arena.q, atol=1e-9)


def test_the_same_state_goes_on_in_the_same_way_whatever_came_before():
    """A plan of another state would round otherwise."""
    world = hung(8)
    assert tables(world).is_light == 1
    shot = world.history.snapshot()
    ends = []
    for _ in range(2):
        assert world.run(0.1)
        ends.append(world.engine.arena.q.copy())
        world.run(0.2)
        world.history.restore(shot)
    np.testing.assert_array_equal(ends[0], ends[1])


def test_a_damped_cloth_is_held_too():
    """The implicit kick of damping solves by the whole plan, the compliant step by the light one."""
    world = hung(6, seconds=0.0)
    motes = [item for item in world.items if item.type.name == "particle"]
    world.add(td.damper(motes[-1], motes[-8], coefficient=1e4))
    before = world.energy
    assert world.run(0.2)
    assert world.gap < 1e-7 and world.energy <= before + 1e-6
