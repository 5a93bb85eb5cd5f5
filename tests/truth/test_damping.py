"""Any number of stiffly damped joints comes to rest where statics says; what is not solved for is told."""

import itertools

import numpy as np
import pytest
from scipy.optimize import fsolve

import tinkerdyne as td
from tinkerdyne import gallery
from tinkerdyne.language.kinds import Point

LENGTH, STIFFNESS, LOAD = 0.1, 100.0, 0.3


def beam(n, damping, spring):
    """Pinned rods with a damped spring at each joint, clamped at the left, pulled across at the tip."""
    world = td.World()
    last = None
    for k in range(n):
        rod = world.add(td.PlanarRod(f"rod{k}", mass=0.01, length=LENGTH, position=((k + 0.5) * LENGTH, 0.0)))
        hinge = world.add(td.join(td.pin, last, rod, at=(k * LENGTH, 0.0), name=f"hinge{k}"))
        if spring == "scalar":
            world.add(td.scalar_spring(hinge.turn, stiffness=STIFFNESS, damping=damping))
        else:
            before = td.world_frame(axes=(1.0, 0.0, 0.0, 1.0)) if last is None else td.frame(last)
            world.add(td.torsion_spring(before, td.frame(rod), stiffness=STIFFNESS, damping=damping))
        last = rod
    world.add(td.pull(last.end2, by=(0.0, LOAD)))
    return world, last


def deflection(n, spring):
    """Height of the tip in equilibrium: each spring carries the load's moment about its joint."""

    def unbalanced(turns):
        angles = np.cumsum(turns)
        x = np.concatenate([[0.0], np.cumsum(LENGTH * np.cos(angles))])
        moment = turns if spring == "scalar" else np.sin(turns)
        return STIFFNESS * moment - LOAD * (x[-1] - x[:-1])

    turns = fsolve(unbalanced, np.full(n, 1e-3), xtol=1e-12)
    return float(np.sum(LENGTH * np.sin(np.cumsum(turns))))


@pytest.mark.parametrize("spring", ["scalar", "torsion"])
@pytest.mark.parametrize(
    ("n", "damping", "seconds"), [(5, 2.0, 1.0), (8, 2.0, 2.0), (9, 2.0, 2.0), (20, 20.0, 4.0)]
)
def test_a_damped_beam_rests_where_statics_says(n, damping, seconds, spring):
    world, last = beam(n, damping, spring)
    assert world.run(seconds).status is td.Status.DONE
    assert last.end2.value[1] == pytest.approx(deflection(n, spring), rel=1e-6)


@td.behavior
def shove(a: Point, b: Point):
    """A force across the relative velocity, so strong that no kick finds the velocity it gives."""
    return td.force(b - a, 1e4 * td.cross(td.vec(0, 0, 1), td.velocity(b - a)))


def test_a_kick_that_was_not_solved_for_is_told():
    world = td.World(max_step=0.01)
    motes = [
        world.add(td.Particle(position=(k, 0.0, 0.0), velocity=(0.1 * k % 0.7, 0.0, 0.0))) for k in range(30)
    ]
    world.add(*[shove(a, b) for a, b in itertools.pairwise(motes)])
    result = world.run(0.1)
    assert result.status is not td.Status.DONE and "velocity" in str(result)


def test_a_kick_whose_first_direction_leads_nowhere_is_judged_by_what_it_asks_for():
    """A structure that is dragged came to rest, and its result was off by infinity of the velocity."""
    _, recording, _ = gallery.load("structure_dragged").run()
    assert recording.result.status is td.Status.DONE, recording.result
