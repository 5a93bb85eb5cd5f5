"""Kernels that sum in loops give what CasADi's virtual machine gives for the whole sum, instance by
instance."""

import ctypes

import casadi as ca
import numpy as np
import pytest

from tests.curves.test_library import SPREAD
from tinkerdyne.compiler.emit import Slot
from tinkerdyne.compiler.loops import Loop, Sum, compile_loops
from tinkerdyne.connectors.curves import area_within, length_of
from tinkerdyne.language.block import Layout
from tinkerdyne.language.effects import Energy
from tinkerdyne.objects.fields import field_block
from tinkerdyne.objects.object import GYRO, MASS, PARAM, STRIDE, Q, V
from tinkerdyne.objects.quadrature import nodes_of

KERNEL = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)
INSTANCES, ROOM = 3, 700


def run(address, stride, S):
    """Run a kernel over instances that lie scattered in S."""
    order = np.random.default_rng(1).permutation(INSTANCES * stride)
    offsets = (order * ROOM).reshape(INSTANCES, stride).astype(np.int64)
    KERNEL(address)(INSTANCES, offsets.ctypes.data, S.ctypes.data)
    return offsets


@pytest.mark.parametrize("make", SPREAD.values(), ids=SPREAD.keys())
def test_mass_and_forces_of_curves_equal_the_straight_sums(make):
    kind = make().type.resolve(make())[0]
    rng = np.random.default_rng(7)
    loops = kind.spread.loops(kind.layout)
    assert set(loops) == {"mass", "first_order_mass", "gyro"}
    for name, loop in loops.items():
        S = rng.uniform(0.2, 1.4, size=INSTANCES * STRIDE * ROOM)
        before = S.copy()
        offsets = run(kind.kernels[name], STRIDE, S)
        out, size = (GYRO, kind.nv) if name == "gyro" else (MASS, kind.nv**2)
        for row in offsets:
            numbers = [
                before[row[e] : row[e] + n]
                for e, n in ((Q, kind.nq), (V, kind.nv), (PARAM, kind.layout.size))
            ]
            wanted = loop.function()(*map(ca.DM, numbers)).full().ravel()
            found = S[row[out] : row[out] + size]
            np.testing.assert_allclose(found, wanted, rtol=1e-10, atol=1e-11 * np.abs(wanted).max())
            S[row[out] : row[out] + size] = before[row[out] : row[out] + size]
        np.testing.assert_array_equal(S, before)  # nothing else was written


@pytest.mark.parametrize("type", [length_of, area_within], ids=lambda t: t.name)
@pytest.mark.parametrize("name", ["circle", "superellipse", "spiral", "bspline"])
def test_integrals_along_curves_equal_the_straight_sums(type, name):
    curve = SPREAD[name]()
    block = type.block_of(type.make("", (curve,), {}))
    port = block.ports[0]
    x, v = ca.SX.sym("x", port.dim), ca.SX.sym("v", port.nv)
    value = port.kind.wrap(x)
    y = sum((w * type.integrand(value, u) for u, w in nodes_of(value)), ca.SX(0))
    rate = port.rate(x, v)
    yd = ca.jtimes(y, x, rate)
    parts = [y, yd, ca.jtimes(yd, x, rate), ca.densify(ca.jacobian(yd, v)).T]
    whole = ca.Function("f", [x, v], [ca.vertcat(*parts)])
    rng = np.random.default_rng(2)
    S = rng.uniform(0.4, 1.4, size=INSTANCES * 4 * ROOM)
    before = S.copy()
    for row in run(block.kernels["full"], 4, S):
        wanted = whole(before[row[2] : row[2] + port.dim], before[row[3] : row[3] + port.nv]).full().ravel()
        np.testing.assert_allclose(
            S[row[1] : row[1] + block.record], wanted, rtol=1e-9, atol=1e-9 * np.abs(wanted).max()
        )


def test_loops_may_share_a_sum_and_finish_it_differently():
    x, node = ca.SX.sym("x", 2), ca.SX.sym("node", 2)
    total = Sum(
        [x],
        [Slot(0)],
        node,
        ((0.0, 1.0), (1.0, 2.0), (2.0, 0.5)),
        [ca.vertcat(node[1] * x[0] * node[0], x[1])],
        [Slot(1)],
    )
    loops = {"plain": Loop(total), "scaled": Loop(total, lambda s: [x[0] * s + 1])}
    found = compile_loops(loops, 2)
    for name, wanted in (("plain", (9.0, 15.0)), ("scaled", (28.0, 46.0))):
        S = np.full(2 * ROOM * INSTANCES, -1.0)
        order = np.arange(2 * INSTANCES).reshape(INSTANCES, 2) * ROOM
        S[order[:, 0]], S[order[:, 0] + 1] = 3.0, 5.0
        KERNEL(found[name])(INSTANCES, order.astype(np.int64).ctypes.data, S.ctypes.data)
        assert tuple(S[order[1, 1] :][:2]) == wanted


def field_functions(formula, kind, layout):
    """Potential and force of a field's block at random places, from its kernel."""
    block = field_block("test", formula, kind, layout)
    S = np.random.default_rng(3).uniform(0.2, 1.4, size=INSTANCES * 6 * ROOM + 700)
    before = S.copy()
    offsets = run(block.kernels["force"], 6, S)
    for row in offsets:
        ell, own, p = (
            before[row[e] : row[e] + n] for e, n in ((2, kind.dim), (4, kind.layout.size), (0, layout.size))
        )
        yield ca.DM(ell), ca.DM(own), ca.DM(p), S[row[1]], S[row[1] + 2 : row[1] + 2 + kind.nv]


@pytest.mark.parametrize("power", [1, 2], ids=["linear", "quadratic"])
@pytest.mark.parametrize("name", ["circle", "superellipse", "tilted_ellipse", "bezier", "bspline"])
def test_fields_on_curves_equal_the_straight_sums(name, power):
    """A linear field is a sum over the nodes; one that is not is of the whole moment."""
    curve = SPREAD[name]()
    kind, layout = curve.type.resolve(curve)[0], Layout(("k",), (1,))
    ell, own, p = ca.SX.sym("l", kind.dim), ca.SX.sym("own", kind.layout.size), ca.SX.sym("p")
    energy = p * ca.sum1(kind.moment(ell[: kind.nq], kind.layout.symbols(own)) ** power)
    whole = ca.Function("f", [ell, own, p], [energy, -ca.jacobian(energy, ell)[: kind.nq]])
    for x, mine, k, potential, force in field_functions(
        lambda body, k: Energy(k * ca.sum1(body.moment**power)), kind, layout
    ):
        wanted, pull = (np.ravel(y.full()) for y in whole(x, mine, k))
        np.testing.assert_allclose(potential, wanted[0], rtol=1e-10)
        np.testing.assert_allclose(force, pull, rtol=1e-10, atol=1e-11 * np.abs(pull).max())
