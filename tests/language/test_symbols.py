"""The functions formulas are written with: true values, and derivatives that are finite where lengths
vanish."""

import math
from typing import Any

import casadi
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tinkerdyne.language import PI, TAU, column, cross, dot, norm, normalise, outer, skew, vec

COORDINATES = st.floats(-1e6, 1e6)
VECTORS = st.tuples(COORDINATES, COORDINATES, COORDINATES)


def number(expression: Any) -> np.ndarray:
    """The value of an expression without free symbols."""
    return np.array(casadi.evalf(expression))


def derivatives(f: Any, at: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Value, Jacobian, and Jacobian of the Jacobian of a function of one vector."""
    v = casadi.SX.sym("v", len(at))
    y = f(v)
    first = casadi.jacobian(y, v)
    second = casadi.jacobian(casadi.vec(first), v)
    value, slope, curvature = casadi.Function("f", [v], [y, first, second])(list(at))
    return np.array(value), np.array(slope), np.array(curvature)


@given(VECTORS)
def test_norm_is_the_length(v: tuple[float, float, float]) -> None:
    # √(x² + y² + z²) in doubles is within 3 roundings of the true length, away from underflow of the squares
    wanted = math.hypot(*v)
    if wanted >= 1e-150:
        assert float(number(norm(v))[0, 0]) == pytest.approx(wanted, rel=1e-15)
    else:
        assert abs(float(number(norm(v))[0, 0])) <= 1e-150


@pytest.mark.parametrize("size", [1e-150, 1e-100, 1e-20, 1e-9, 1.0, 1e9, 1e100])
def test_norm_and_its_derivatives_are_exact_at_every_scale(size: float) -> None:
    v = size * np.array([2.0, -3.0, 6.0])  # length 7
    n = np.array([[2.0, -3.0, 6.0]]) / 7.0
    value, first, second = derivatives(norm, v)
    np.testing.assert_allclose(value, 7.0 * size, rtol=1e-15)
    np.testing.assert_allclose(first, n, rtol=1e-14)
    np.testing.assert_allclose(second, (np.eye(3) - n.T @ n) / (7.0 * size), rtol=1e-13)


@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_norm_points_along_x_where_the_vector_vanishes(dimension: int) -> None:
    value, first, second = derivatives(norm, np.zeros(dimension))
    assert value == 0.0
    np.testing.assert_array_equal(first, np.eye(dimension)[:1])
    np.testing.assert_array_equal(second, 0.0)


@given(st.tuples(*[st.floats(-1e-140, 1e-140)] * 3))
def test_norm_and_its_derivatives_stay_finite_near_zero(v: tuple[float, float, float]) -> None:
    for part in (*derivatives(norm, v), *derivatives(normalise, v)[:2]):
        assert np.isfinite(part).all()
    _, first, _ = derivatives(norm, v)
    assert np.linalg.norm(first) == pytest.approx(1.0, rel=1e-12)


def test_acceleration_of_a_distance_is_finite_at_coincidence() -> None:
    # what a distance between two coinciding points contributes to the bias: D²f[v, v], along a moving line
    s = casadi.SX.sym("s")
    length = norm(vec(s, 2 * s, 3 * s))
    twice = casadi.Function("f", [s], [casadi.jacobian(casadi.jacobian(length, s), s)])
    assert np.isfinite(float(twice(0.0)))


def test_nan_is_passed_on() -> None:
    assert math.isnan(float(number(norm((math.nan, 0.0, 0.0)))[0, 0]))


@given(VECTORS)
def test_normalise_gives_a_unit_vector_in_the_same_direction(v: tuple[float, float, float]) -> None:
    n = number(normalise(v))[:, 0]
    assert np.linalg.norm(n) == pytest.approx(1.0, rel=1e-12)
    if math.hypot(*v) > 1e-150:
        # denormals have few digits
        np.testing.assert_allclose(n * math.hypot(*v), v, rtol=1e-12, atol=1e-300)


def test_normalise_of_nothing_is_the_x_axis() -> None:
    value, first, second = derivatives(normalise, (0.0, 0.0, 0.0))
    np.testing.assert_array_equal(value[:, 0], [1.0, 0.0, 0.0])
    np.testing.assert_array_equal(first, 0.0)
    np.testing.assert_array_equal(second, 0.0)


@given(VECTORS, VECTORS)
def test_products_agree_with_numpy(a: tuple[float, float, float], b: tuple[float, float, float]) -> None:
    scale = max(1.0, float(np.abs(a).max() * np.abs(b).max()))
    np.testing.assert_allclose(number(dot(a, b))[0, 0], np.dot(a, b), atol=1e-14 * scale)
    np.testing.assert_allclose(number(cross(a, b))[:, 0], np.cross(a, b), atol=1e-14 * scale)
    np.testing.assert_allclose(number(outer(a, b)), np.outer(a, b), atol=1e-14 * scale)
    np.testing.assert_allclose(number(skew(a) @ column(b))[:, 0], np.cross(a, b), atol=1e-14 * scale)


def test_products_in_the_plane() -> None:
    assert number(cross((1.0, 2.0), (3.0, 5.0))) == -1.0
    np.testing.assert_array_equal(number(skew(2.0) @ vec(1.0, 0.0))[:, 0], [0.0, 2.0])  # ω × x̂ = ω ŷ


def test_vectors_are_columns_however_they_came() -> None:
    row = casadi.SX.sym("r", 1, 3)
    assert vec(1, casadi.SX.sym("x"), 2.5).shape == (3, 1)
    assert column((1, 2, 3)).shape == column(np.arange(3.0)).shape == column(row).shape == (3, 1)


def test_vectors_that_do_not_fit_are_named() -> None:
    with pytest.raises(ValueError, match="dot wants two vectors of one length; these have 2 and 3"):
        dot((1, 2), (1, 2, 3))
    with pytest.raises(ValueError, match="cross wants vectors of 2 or 3 components; these have 4"):
        cross((1, 2, 3, 4), (1, 2, 3, 4))
    with pytest.raises(ValueError, match="skew wants a scalar or a 3-vector"):
        skew((1, 2))
    with pytest.raises(ValueError, match="a vector was wanted"):
        norm(casadi.SX.sym("m", 2, 2))


def test_the_turn_and_the_half_turn() -> None:
    assert TAU == 2 * PI == math.tau
