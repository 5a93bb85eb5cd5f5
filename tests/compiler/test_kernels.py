"""Kernels against the oracle: machine code emitted from a CasADi tape equals CasADi's virtual machine,
operation by operation."""

import ctypes
import os
import subprocess
import sys

import casadi as ca
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.patience import HANG
from tinkerdyne.compiler import machine
from tinkerdyne.compiler.emit import ABSOLUTE, Slot, kernel_ir, module_ir
from tinkerdyne.compiler.kernels import compile_kernels

KERNEL = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)


def run(function, inputs):
    """A function of vectors over many instances, by its kernel: inputs (instances, width) each."""
    n_in, n_out = function.n_in(), function.n_out()
    ins, outs = [Slot(k) for k in range(n_in)], [Slot(n_in + k) for k in range(n_out)]
    address = compile_kernels({"kernel": (function, ins, outs)}, n_in + n_out)["kernel"]
    count = len(inputs[0])
    widths = [function.numel_in(k) for k in range(n_in)] + [function.numel_out(k) for k in range(n_out)]
    starts = np.concatenate([[0], np.cumsum(widths)])
    S = np.zeros(count * starts[-1])
    offsets = np.array(
        [[i * starts[-1] + starts[e] for e in range(n_in + n_out)] for i in range(count)], np.int64
    )
    for i in range(count):
        for k in range(n_in):
            S[offsets[i, k] : offsets[i, k] + widths[k]] = inputs[k][i]
    KERNEL(address)(count, offsets.ctypes.data, S.ctypes.data)
    return [np.array([S[o : o + widths[n_in + k]] for o in offsets[:, n_in + k]]) for k in range(n_out)]


def oracle(function, inputs):
    """The same by CasADi's virtual machine; matrices by rows."""
    rows = [function.call([ca.DM(x[i]) for x in inputs]) for i in range(len(inputs[0]))]
    return [np.array([np.array(row[k].full()).ravel() for row in rows]) for k in range(function.n_out())]


UNARY = {
    "neg": lambda x: -x,
    "sq": lambda x: x * x,
    "sqrt": ca.sqrt,
    "exp": ca.exp,
    "log": ca.log,
    "sin": ca.sin,
    "cos": ca.cos,
    "tan": ca.tan,
    "asin": ca.asin,
    "acos": ca.acos,
    "atan": ca.atan,
    "sinh": ca.sinh,
    "cosh": ca.cosh,
    "tanh": ca.tanh,
    "asinh": ca.asinh,
    "acosh": ca.acosh,
    "atanh": ca.atanh,
    "fabs": ca.fabs,
    "floor": ca.floor,
    "ceil": ca.ceil,
    "sign": ca.sign,
    "erf": ca.erf,
    "inv": lambda x: 1 / x,
    "twice": lambda x: x + x,
    "not": ca.logic_not,
    "log1p": ca.log1p,
    "expm1": ca.expm1,
    "power of a constant": lambda x: x**2.5,
}
BINARY = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "div": lambda x, y: x / y,
    "pow": lambda x, y: x**y,
    "atan2": ca.atan2,
    "fmin": ca.fmin,
    "fmax": ca.fmax,
    "fmod": ca.fmod,
    "copysign": ca.copysign,
    "hypot": ca.hypot,
    "lt": lambda x, y: x < y,
    "le": lambda x, y: x <= y,
    "eq": lambda x, y: x == y,
    "ne": lambda x, y: x != y,
    "and": ca.logic_and,
    "or": ca.logic_or,
    "if_else": lambda x, y: ca.if_else(x < y, ca.sin(x), ca.cos(y)),
}
SPECIAL = np.array(
    [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 1e-300, 1e300, -1e300, np.inf, -np.inf, 3.7, -3.2, 1e-8]
)


def equal(found, wanted, name):
    """The same number, or both not a number; libm's last digits may differ from the ones CasADi was built
    with."""
    for f, w in zip(found, wanted, strict=True):
        assert np.array_equal(np.isnan(f), np.isnan(w)), name
        exact = ~np.isfinite(w)
        assert np.array_equal(f[exact & ~np.isnan(w)], w[exact & ~np.isnan(w)]), name
        np.testing.assert_allclose(f[~exact], w[~exact], rtol=1e-15, atol=5e-324, err_msg=name)


@pytest.mark.parametrize("name", UNARY)
def test_one_operand(name):
    x = ca.SX.sym("x")
    function = ca.Function("f", [x], [UNARY[name](x)])
    values = np.concatenate([SPECIAL, np.random.default_rng(0).normal(size=40) * 3])[:, None]
    equal(run(function, [values]), oracle(function, [values]), name)


@pytest.mark.parametrize("name", BINARY)
def test_two_operands(name):
    x, y = ca.SX.sym("x"), ca.SX.sym("y")
    function = ca.Function("f", [x, y], [BINARY[name](x, y)])
    rng = np.random.default_rng(1)
    a, b = (g.ravel() for g in np.meshgrid(SPECIAL, SPECIAL))
    a = np.concatenate([a, rng.normal(size=40) * 3])[:, None]
    b = np.concatenate([b, rng.normal(size=40) * 3])[:, None]
    equal(run(function, [a, b]), oracle(function, [a, b]), name)


def test_every_operation_of_the_emitter_was_tried():
    """The tables above reach every operation that `emit` knows, so that none goes untested."""
    from tinkerdyne.compiler import emit

    known = {
        op for table in (emit._INFIX, emit._COMPARE, emit._INTRINSIC, emit._LIBM, emit._LIBM2) for op in table
    }
    known |= {
        ca.OP_NEG,
        ca.OP_SQ,
        ca.OP_TWICE,
        ca.OP_INV,
        ca.OP_HYPOT,
        ca.OP_FMIN,
        ca.OP_FMAX,
        ca.OP_NOT,
        ca.OP_AND,
        ca.OP_OR,
    }
    known |= {ca.OP_IF_ELSE_ZERO, ca.OP_SIGN, ca.OP_LOG1P, ca.OP_EXPM1}
    x, y = ca.SX.sym("x"), ca.SX.sym("y")
    tried = set()
    for make in (
        *[lambda f=f: f(x) for f in UNARY.values()],
        *[lambda f=f: f(x, y) for f in BINARY.values()],
    ):
        function = ca.Function("f", [x, y], [make()])
        tried |= {function.instruction_id(k) for k in range(function.n_instructions())}
    assert known <= tried, f"operations {sorted(known - tried)} are emitted but not tried here"


def test_an_unknown_operation_is_refused_by_name():
    x = ca.SX.sym("x")
    function = ca.Function("f", [x], [ca.erfinv(x)])
    with pytest.raises(NotImplementedError, match="emit"):
        kernel_ir("f", function, [Slot(0)], [Slot(1)], 2)


@given(seed=st.integers(0, 10**6))
def test_random_expressions_and_their_jacobians(seed):
    """Deep random tapes with reused registers, branches and sparse matrix outputs."""
    rng = np.random.default_rng(seed)
    x = ca.SX.sym("x", 5)
    pool = [x[k] for k in range(5)]
    unary = [ca.sin, ca.cos, ca.tanh, lambda a: ca.sqrt(1 + a * a), ca.atan, ca.floor, ca.sign, ca.fabs]
    binary = [
        ca.fmin,
        ca.fmax,
        ca.atan2,
        lambda a, b: a * b,
        lambda a, b: a - b,
        lambda a, b: a / (2 + b * b),
    ]
    for _ in range(60):
        if rng.random() < 0.4:
            pool.append(unary[rng.integers(len(unary))](pool[rng.integers(len(pool))]))
        elif rng.random() < 0.8:
            pool.append(
                binary[rng.integers(len(binary))](
                    pool[rng.integers(len(pool))], pool[rng.integers(len(pool))]
                )
            )
        else:
            a, b, c = (pool[rng.integers(len(pool))] for _ in range(3))
            pool.append(ca.if_else(a < b, b, c))
    y = ca.vertcat(*pool[-3:])
    function = ca.Function("f", [x], [y, ca.densify(ca.jacobian(y, x))], {"cse": True})
    points = rng.normal(size=(7, 5))
    found, wanted = run(function, [points]), oracle(function, [points])
    # Products and sums may be fused into one rounding; sixty operations amplify that, but not past ten
    # digits.
    np.testing.assert_allclose(found[0], wanted[0], rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(found[1], wanted[1], rtol=1e-9, atol=1e-9)


def test_matrices_lie_by_rows_and_structural_zeros_are_left_alone():
    x = ca.SX.sym("x", 2)
    matrix = ca.sparsify(ca.vertcat(ca.horzcat(x[0], 0, x[1]), ca.horzcat(0, x[0] * x[1], 0)))
    function = ca.Function("f", [x], [matrix])
    address = compile_kernels({"kernel": (function, [Slot(0)], [Slot(1, 1)])}, 2)["kernel"]
    S = np.array([3.0, 5.0, 7.0, 7.0, 7.0, 7.0, 7.0, 7.0, 7.0])
    KERNEL(address)(1, np.array([0, 2], np.int64).ctypes.data, S.ctypes.data)
    assert S.tolist() == [3, 5, 7, 3, 7, 5, 7, 15, 7]


def test_an_absolute_slot_lies_at_one_place_for_all_instances():
    x, t = ca.SX.sym("x"), ca.SX.sym("t")
    function = ca.Function("f", [x, t], [x * t])
    address = compile_kernels({"kernel": (function, [Slot(0), Slot(ABSOLUTE, 0)], [Slot(1)])}, 2)["kernel"]
    S = np.array([10.0, 1.0, 2.0, 3.0, 0.0, 0.0, 0.0])
    KERNEL(address)(3, np.array([1, 4, 2, 5, 3, 6], np.int64).ctypes.data, S.ctypes.data)
    assert S[4:].tolist() == [10, 20, 30]


def test_an_output_may_overwrite_its_own_input():
    """Every load sees the old values: x ↦ (x₂, x₁) in place."""
    x = ca.SX.sym("x", 2)
    function = ca.Function("f", [x], [ca.vertcat(x[1], x[0])])
    address = compile_kernels({"kernel": (function, [Slot(0)], [Slot(0)])}, 1)["kernel"]
    S = np.array([1.0, 2.0, 3.0, 4.0])
    KERNEL(address)(2, np.array([0, 2], np.int64).ctypes.data, S.ctypes.data)
    assert S.tolist() == [2, 1, 4, 3]


def test_no_instances_touch_nothing():
    x = ca.SX.sym("x")
    address = compile_kernels({"kernel": (ca.Function("f", [x], [x + 1]), [Slot(0)], [Slot(1)])}, 2)["kernel"]
    S = np.zeros(2)
    KERNEL(address)(0, np.zeros(2, np.int64).ctypes.data, S.ctypes.data)
    assert S.tolist() == [0, 0]


def small_module(constant):
    x = ca.SX.sym("x")
    return module_ir([kernel_ir("plus", ca.Function("f", [x], [x + constant]), [Slot(0)], [Slot(1)], 2)])


def test_a_corrupt_cache_file_is_rebuilt(tmp_path, monkeypatch):
    monkeypatch.setenv("TINKERDYNE_CACHE", str(tmp_path))
    text = small_module(4.25)
    key = machine.key_of(text)
    (tmp_path / f"{key}.o").write_bytes(b"not what it should be" * 40)
    built = []

    def build():
        built.append(1)
        return machine.compile_ir(text)

    address = machine.load(key, ["plus"], build)[0]
    S = np.array([1.0, 0.0])
    KERNEL(address)(1, np.array([0, 1], np.int64).ctypes.data, S.ctypes.data)
    assert S[1] == 5.25 and built == [1]
    # What is on disk now is whole: the digest matches.
    assert machine._read(tmp_path / f"{key}.o") is not None


def test_the_code_of_another_key_is_not_taken_for_that_of_this_one(tmp_path, monkeypatch):
    """X9: a whole file under a wrong name, as a mix-up of caches leaves it."""
    monkeypatch.setenv("TINKERDYNE_CACHE", str(tmp_path))
    texts = [small_module(number) for number in (11.5, 12.5)]
    keys = [machine.key_of(text) for text in texts]
    machine.load(keys[0], ["plus"], lambda: machine.compile_ir(texts[0]))
    (tmp_path / f"{keys[0]}.o").rename(tmp_path / f"{keys[1]}.o")
    address = machine.load(keys[1], ["plus"], lambda: machine.compile_ir(texts[1]))[0]
    S = np.array([1.0, 0.0])
    KERNEL(address)(1, np.array([0, 1], np.int64).ctypes.data, S.ctypes.data)
    assert S[1] == 13.5


CHILD = """
import ctypes, sys
import numpy as np
from tests.compiler.test_kernels import KERNEL, small_module
from tinkerdyne.compiler import machine
text = small_module(7.5)
address = machine.load(machine.key_of(text), ["plus"], lambda: machine.compile_ir(text))[0]
S = np.array([1.0, 0.0])
KERNEL(address)(1, np.array([0, 1], np.int64).ctypes.data, S.ctypes.data)
assert S[1] == 8.5
"""


def test_processes_share_the_cache_safely(tmp_path):
    environment = {**os.environ, "TINKERDYNE_CACHE": str(tmp_path), "PYTHONPATH": os.getcwd()}
    children = [subprocess.Popen([sys.executable, "-c", CHILD], env=environment) for _ in range(3)]
    assert [child.wait(timeout=HANG) for child in children] == [0, 0, 0]
    files = sorted(p.name for p in tmp_path.iterdir())
    assert len(files) == 1 and files[0].endswith(".o"), files
