"""Halving the step divides the error by what the order of the method says, whatever a force depends on."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import tinkerdyne as td
from tests.truth.orders import CASES, random_forces, slope

STEPS = (4e-3, 2e-3, 1e-3)


@pytest.mark.parametrize("method", ["rattle", "energy_momentum"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_forces_that_depend_on_velocities_keep_the_second_order(case, method):
    order, _ = slope(case, method, STEPS)
    assert order == pytest.approx(2.0, abs=0.1)


@pytest.mark.parametrize("seed", [3, 14, 159])
def test_random_forms_of_all_velocities_keep_the_second_order(seed):
    order, _ = slope(random_forces(seed), "rattle", STEPS)
    assert order == pytest.approx(2.0, abs=0.1)


@pytest.mark.parametrize("case", CASES[:3], ids=lambda case: case.__name__)
def test_runge_kutta_keeps_the_fourth_order(case):
    order, _ = slope(case, "runge_kutta", (2e-2, 1e-2))
    assert order == pytest.approx(4.0, abs=0.3)


def parallelogram(bars, lean, speed, mass, **settings):
    """Cranks of 1 m in a row, coupled by rods of 1 m and `mass` kg; all turn alike, through flat poses."""
    world = td.World(**settings)
    along, rate = np.array([np.cos(lean), np.sin(lean)]), speed * np.array([-np.sin(lean), np.cos(lean)])
    cranks = []
    for k in range(bars + 1):
        place = np.array([k, 0]) + along / 2
        crank = td.PlanarRod(f"crank{k}", position=place, angle=lean, velocity=rate / 2, spin=speed)
        cranks.append(world.add(crank))
        world.add(td.connect(crank.end1, td.Nail(k, 0)))
    for k in range(bars):
        place = np.array([k + 0.5, 0]) + along
        rod = world.add(td.PlanarRod(f"rod{k}", mass=mass, position=place, velocity=rate))
        world.add(td.connect(cranks[k].end2, rod.end1), td.connect(rod.end2, cranks[k + 1].end2))
    world.add(td.gravity())
    inertia = (bars + 1) * (0.25 + cranks[0].inertia) + bars * mass
    weight = 9.81 * ((bars + 1) / 2 + bars * mass)

    def tip(seconds):
        def rates(t, y):
            return [y[1], -weight * np.cos(y[0]) / inertia]

        angle = solve_ivp(rates, (0, seconds), [lean, speed], "DOP853", rtol=1e-13, atol=1e-13).y[0, -1]
        return np.array([np.cos(angle), np.sin(angle)])

    return world, cranks[0], tip


FLAT = [(2, np.pi / 2, -1.0, 1.0), (1, 1.2, -2.0, 1.0), (2, 0.7, 3.0, 0.5), (3, 2.0, 2.5, 2.0)]


@pytest.mark.parametrize("form", FLAT, ids=[f"{bars}-{mass}" for bars, _, _, mass in FLAT])
def test_a_parallelogram_through_its_flat_pose_quarters_its_error_with_half_the_step(form):
    errors = []
    steps = (4e-3, 1e-3, 5e-4, 2.5e-4)
    for h in steps:
        world, crank, tip = parallelogram(*form, max_step=h)
        assert world.run(5.0)
        errors.append(np.linalg.norm(np.array(crank.end2.value) - tip(5.0)))
    for h, error in zip(steps, errors, strict=True):
        assert error < 1.3 * errors[0] * (h / steps[0]) ** 2
