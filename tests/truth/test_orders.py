"""Halving the step divides the error by what the order of the method says, whatever a force depends on."""

import pytest

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
