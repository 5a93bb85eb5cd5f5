"""Forces are right where light parts carry heavy ones, at any ratio of masses (E9, R7)."""

import numpy as np
import pytest

import tinkerdyne as td
from tests.truth.heavy import CASES, G


@pytest.mark.parametrize("ratio", [1.0, 1e2, 1e4, 1e6, 1e8])
@pytest.mark.parametrize("method", ["rattle", "runge_kutta", "energy_momentum", "adaptive"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
@pytest.mark.filterwarnings("ignore")
def test_light_parts_hand_heavy_loads_through(case, method, ratio):
    world, force, wanted = case(ratio, method=method)
    result = world.run(0.01)
    assert result
    assert abs(force() / wanted - 1) < 1e-6


@pytest.mark.parametrize("light", [1e-2, 1e-4, 1e-6])
@pytest.mark.parametrize("method", ["rattle", "runge_kutta", "energy_momentum"])
@pytest.mark.filterwarnings("ignore")
def test_a_weight_swings_on_a_light_rod_with_its_energy_and_tension(method, light):
    world = td.World(method=method)
    rod = world.add(td.PlanarRod("rod", mass=light, position=(0.5, 0.0)))
    weight = world.add(td.Particle("weight", mass=10.0, position=(1.0, 0.0)))
    nail = world.add(td.connect(rod.end1, td.Nail(0, 0)))
    world.add(td.connect(rod.end2, weight), td.gravity())
    before = world.energy
    assert world.run(2.0)
    v, x = np.array(weight.velocity), np.array(weight.position)
    tension = 10.0 * (v @ v - G * x[1])  # the rod itself weighs and swings by less than its share of the mass
    assert abs(world.energy - before) < 1e-4 * 10 * G
    assert abs(np.linalg.norm(nail.force) / tension - 1) < light


@pytest.mark.parametrize("ratio", [1e10, 1e12, 1e13, 1e15, 1e17])
@pytest.mark.parametrize("method", ["rattle", "runge_kutta", "energy_momentum", "adaptive"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
@pytest.mark.filterwarnings("ignore")
def test_forces_beyond_all_digits_are_right_or_told(case, method, ratio):
    world, force, wanted = case(ratio, method=method)
    result = world.run(0.01)
    is_told = result.status not in (td.Status.DONE, td.Status.CAREFUL) and result.culprits
    assert is_told or abs(force() / wanted - 1) < 1e-6


@pytest.mark.parametrize("ratio", [1e13, 1e15, 1e17])
@pytest.mark.parametrize("case", [CASES[0], CASES[-1]], ids=lambda case: case.__name__)
@pytest.mark.filterwarnings("ignore")
def test_the_rounding_of_light_parts_is_no_contradiction(case, ratio):
    """Read forces are those that meet the rows, not those of rows that cannot be met."""
    world, force, wanted = case(ratio)
    world.run(0.01)
    assert abs(force() / wanted - 1) < 1e-6


def string_of_weights(light, solver="ldl", method="rattle"):
    """Ten particles in a string from a nail, every fifth of 1 kg, the others of `light` kg."""
    world = td.World(solver=solver, method=method)
    last, first, total = td.Nail(0, 0), None, 0.0
    for k in range(10):
        mass = 1.0 if k % 5 == 4 else light
        p = world.add(td.Particle(f"p{k}", mass=mass, position=(0, -0.1 * (k + 1))))
        string = world.add(td.distance(last, p, length=0.1, name=f"string{k}"))
        first, last, total = first or string, p, total + mass
    world.add(td.gravity())
    return world, first, G * total


@pytest.mark.parametrize("method", ["rattle", "runge_kutta"])
@pytest.mark.filterwarnings("ignore")
def test_forces_that_rounding_hides_are_told(method):
    world, first, weight = string_of_weights(1e-13, method=method)
    result = world.run(0.01)
    assert result.status is td.Status.INACCURATE and "forces" in result.accuracy.broken
    assert result.culprits and "conjugate_gradient" in result.remedy
    for solver in ("conjugate_gradient", "svd"):
        world, first, weight = string_of_weights(1e-13, solver, method)
        assert world.run(0.01).status is td.Status.DONE
        assert np.linalg.norm(first.force) == pytest.approx(weight, rel=1e-6)
    world, first, weight = string_of_weights(1e-10, method=method)
    assert world.run(0.01).status is td.Status.DONE
    assert np.linalg.norm(first.force) == pytest.approx(weight, rel=1e-6)
