"""Linear solvers to choose from: all find the same forces; each says where it makes no sense (E8, E9)."""

import numpy as np
import pytest

import tinkerdyne as td
from tests.truth.heavy import CASES


@pytest.mark.parametrize("ratio", [1.0, 1e4, 1e8])
@pytest.mark.parametrize("method", ["rattle", "runge_kutta"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
@pytest.mark.filterwarnings("ignore")
def test_singular_values_hand_heavy_loads_through_light_parts(case, method, ratio):
    world, force, wanted = case(ratio, method=method, solver="svd", max_step=1e-3)
    assert world.run(0.002)
    assert abs(force() / wanted - 1) < 1e-6


def hinge(count, **settings):
    """A rod on a hinge that is given `count` times."""
    world = td.World(**settings)
    rod = world.add(td.PlanarRod("rod", position=(0.5, 0.0)))
    nails = [world.add(td.connect(rod.end1, td.Nail(0, 0), name=f"nail{k}")) for k in range(count)]
    world.add(td.gravity())
    return world, rod, nails


@pytest.mark.parametrize("method", ["rattle", "runge_kutta", "energy_momentum", "stormer", "adaptive"])
def test_rows_given_twice_share_their_force(method):
    alone, one, _ = hinge(1, method=method)
    world, rod, nails = hinge(3, method=method, solver="svd")
    alone.run(0.3)
    assert world.run(0.3)
    assert np.allclose(rod.position, one.position, atol=1e-7)
    forces = np.array([nail.force for nail in nails])
    assert np.allclose(forces, forces.mean(axis=0), atol=1e-6)
    assert np.allclose(forces.sum(axis=0), alone["nail0"].force, rtol=1e-4, atol=1e-4)


def test_contradictory_nails_end_in_the_middle():
    world = td.World(solver="svd")
    p = world.add(td.Particle("p", position=(0.3, 0.0)))
    world.add(td.nail(p, at=(0.0, 0.0)), td.nail(p, at=(1.0, 0.0)))
    result = world.run(2.0)
    assert result.status is td.Status.UNMET
    assert p.position[0] == pytest.approx(0.5, abs=1e-3)


def test_random_mechanisms_move_alike_with_every_solver():
    rng = np.random.default_rng(5)
    for _ in range(4):
        seed = int(rng.integers(1 << 30))
        ends = []
        for solver in ("ldl", "svd", "conjugate_gradient"):
            draw = np.random.default_rng(seed)
            world = td.World(solver=solver, precision=1e-12)
            last = td.Nail(0, 0, 0)
            for k in range(4):
                rod = world.add(td.Rod(f"rod{k}", mass=10 ** draw.uniform(-2, 2), position=(k + 0.5, 0, 0)))
                world.add(td.connect(last, rod.end1))
                last = rod.end2
            world.add(td.gravity())
            world.run(0.2)
            ends.append(np.array(last.value))
        assert np.allclose(ends, ends[0], atol=1e-7), f"seed {seed}"


def test_a_large_world_refuses_singular_values_in_words():
    world = td.World(solver="svd")
    last = td.Nail(0, 0)
    for k in range(210):
        p = world.add(td.Particle(position=(0.1 * (k + 1), 0)))
        world.add(td.distance(last, p, length=0.1))
        last = p
    with pytest.raises(ValueError, match=r'solver="svd" would decompose a dense matrix of 210'):
        world.step(1e-3)
    world.configure(solver="ldl")
    assert world.step(1e-3)


def test_the_solver_is_saved_and_changed_while_it_runs():
    world, rod, _ = hinge(2, solver="svd", stop_by="forces")
    world.run(0.1)
    other = td.World.from_json(world.to_json())
    assert (other.settings["solver"], other.settings["stop_by"]) == ("svd", "forces")
    world.run(0.1)
    other.run(0.1)
    assert other["rod"].position == rod.position
    for solver in ("ldl", "svd", "conjugate_gradient", "svd"):
        world.configure(solver=solver)
        assert world.run(0.05).status is td.Status.DONE


def chain(**settings):
    """A zig-zag of strings and weights that hangs from a nail."""
    world = td.World(**settings)
    last, before = td.Nail(0, 0), np.zeros(2)
    for k in range(30):
        place = np.array([0.06 * ((k + 1) % 2), -0.08 * (k + 1)])
        p = world.add(td.Particle(position=place, mass=1.0 + k % 3))
        length = float(np.linalg.norm(place - before))
        world.add(td.distance(last, p, length=length, name=f"string{k}"))
        last, before = p, place
    world.add(td.gravity())
    return world


def pulls(world):
    return np.array([world[f"string{k}"].force[0] for k in range(30)])


@pytest.mark.parametrize("stop_by", ["residual", "correction", "forces"])
def test_conjugate_gradients_stop_where_they_are_told(stop_by):
    wanted = pulls(chain())
    errors, iterations = [], []
    for precision in (1e-1, 1e-4, 1e-9):
        world = chain(solver="conjugate_gradient", stop_by=stop_by, precision=precision)
        world.engine.evaluate()
        iterations.append(world.engine.scalars.cg_done)
        errors.append(float(np.abs(pulls(world) - wanted).max() / np.abs(wanted).max()))
    assert errors[2] < 1e-6 and errors[0] > errors[2]
    assert 0 < iterations[0] < iterations[2]


def test_what_conjugate_gradients_stop_by_must_be_known():
    with pytest.raises(ValueError, match="stop_by must be one of residual, correction, forces"):
        td.World(stop_by="luck")
