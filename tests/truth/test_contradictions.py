"""Constraints that cannot all be met never give energy to a world (E8)."""

import numpy as np
import pytest

import tinkerdyne as td
from tests.truth.contradictions import METHODS, box_between_nails, gained, peak, random_contradiction


@pytest.mark.parametrize("method", METHODS)
def test_a_box_between_nails_too_far_apart_comes_to_rest(method):
    world = box_between_nails(method=method)
    result = world.run(5.0)
    assert result.status is td.Status.UNMET
    world.run(5.0)
    assert world.kinetic_energy < 0.01  # it was 3,710 J


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", [101, 102, 103, 104])
def test_random_contradictions_gain_nothing(seed, method):
    assert gained(random_contradiction(seed, method=method), 8.0) < 1e-2


@pytest.mark.parametrize(
    ("method", "seeds"), [("runge_kutta", (513, 545, 573, 577)), ("adaptive", (9, 22, 26))]
)
def test_no_pose_that_cannot_be_met_gives_a_blow(method, seeds):
    """A straight chain whose end shall come to a nail out of its reach, lengths of which no triangle is made:
    velocities that meet such rows would be enormous (the state was lost, or kept with 1e5 J and more)."""
    for seed in seeds:
        usual = peak(random_contradiction(seed), 0.6)
        assert peak(random_contradiction(seed, method=method), 0.6) < 4 * max(usual, 1.0)


@pytest.mark.parametrize("method", ["rattle", "energy_momentum", "runge_kutta", "implicit"])
@pytest.mark.parametrize("far", [6.1, 6.6])
def test_a_chain_that_was_pulled_too_far_is_exact_again_once_it_can_be(method, far):
    """With energy–momentum its links stayed open by millimetres for ever."""
    world = td.World(method=method)
    beads = [
        world.add(td.Particle(f"bead{k}", mass=0.1, position=(0.95 * k, -0.3 * np.sin(np.pi * k / 6))))
        for k in range(1, 6)
    ]
    places = [td.Nail(0, 0), *beads, td.path(keys=((0, 5.7, 0.0), (1, far, 0.0), (2, 5.7, 0.0)))]
    for k in range(6):
        world.add(td.distance(places[k], places[k + 1], length=1.0, name=f"link{k}"))
    world.add(td.gravity(), td.damping(rate=2.0))
    assert world.assemble()
    assert td.Status.UNMET in [world.run(0.5).status for _ in range(4)]
    world.run(1.0)
    assert world.run(0.5).status is td.Status.DONE
    assert max(world[f"link{k}"].gap for k in range(6)) < 1e-6


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("method", ["dense", "lsoda", "dop853"])
@pytest.mark.parametrize("seed", range(4))
def test_feedback_that_cannot_be_met_ends_in_bounded_work_at_a_sane_state(method, seed):
    """`dense` kept states of up to 1e55 J, and `dop853` took hours for a tenth of a second."""
    world = random_contradiction(seed, method=method)
    start, top = world.energy, 0.0
    for _ in range(4):
        result = world.run(0.1)
        top = max(top, world.energy - start)
        if not result:
            break
    assert top < 1e5
    assert result.status in (td.Status.UNMET, td.Status.NOT_FINITE, td.Status.TOO_MANY)
    assert result.culprits and (result.remedy or result.status is not td.Status.TOO_MANY)
