"""Flight: where a rigid body is after t seconds without contact, as a CasADi formula of where it was (M1).

All is written in the body's principal axes, the axis of symmetry first when there is one; `Shape` says how
they lie in the body. The centre of mass follows a parabola. The rotation has a closed form for a body with
three equal moments, q(t) = q₀ exp(ω t), and for one with an axis of symmetry, exp(L t/I₂) ⊗ q₀ ⊗ exp((1 −
I₁/I₂) ω₁ t e₁). Otherwise the angular momentum L, which is constant in the world, leaves q̇ = ½ q ⊗ I⁻¹ Rᵀ L,
from q = 1 in the axes of the start, integrated by Dormand and Prince's method of order 8.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

import casadi as ca
import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.language.symbols import SX
from tinkerdyne.objects.rotation import axisymmetric, exponential, matrix, normalised, product
from tinkerdyne.sketch.problem.sparse import Call
from tinkerdyne.sketch.tell.shape import SpinKind
from tinkerdyne.sketch.tell.state import State

LEAST = 8  # moments for which a function is made; for more there are powers of two
STEPS = 8  # of order 8 in one flight of a general body: 1e-9 rad for a turn and a half


def fly(kind: SpinKind, start: State, moments: SX, a: SX, t: SX, steps: int = STEPS) -> State:
    """The state after t seconds under a constant acceleration a [m/s²] of the centre of mass; what stands
    stays as it is."""
    if kind == "still":
        return start
    x = start.x + t * start.v + t**2 / 2 * a
    by, w = turn(kind, start.w, moments, t, steps)
    return State(x, product(start.q, by), start.v + t * a, w, (*(start.turns or (start.q,)), by))


def turn(kind: SpinKind, w: SX, moments: SX, t: SX, steps: int = STEPS) -> tuple[SX, SX]:
    """Free rotation over t: by which quaternion the body turns, in the axes that it starts with, and its spin
    after."""
    if kind == "cube":
        return exponential(t * w), w
    if kind == "symmetric":
        return axisymmetric(w, moments, t)
    L = moments * w
    q = ca.vertcat(1, 0, 0, 0)
    for _ in range(steps):
        q = _order_eight(q, L, moments, t / steps)
    q = normalised(q)
    return q, (matrix(q).T @ L) / moments


def _order_eight(q: SX, L: SX, moments: SX, h: SX) -> SX:
    """One step of DOP853 on q̇ = ½ q ⊗ (0, I⁻¹ Rᵀ L)."""
    A, B = tableau()
    rates: list[SX] = []
    for row in A:
        at = q + h * sum((c * k for c, k in zip(row, rates, strict=False) if c), 0 * q)
        w = (matrix(at).T @ L) / moments / ca.dot(at, at)
        rates.append(product(at, ca.vertcat(0, w)) / 2)
    return q + h * sum(b * k for b, k in zip(B, rates, strict=True) if b)


@functools.cache
def tableau() -> tuple[Array, Array]:
    from scipy.integrate import DOP853

    return np.asarray(DOP853.A)[:12, :12], np.asarray(DOP853.B)


@functools.cache
def flight(kind: SpinKind, steps: int = STEPS) -> ca.Function:
    """The function (x, q, v, w, moments, a, t) → (x, q, v, w)."""
    given = [
        ca.SX.sym(name, n)
        for name, n in (("x", 3), ("q", 4), ("v", 3), ("w", 3), ("moments", 3), ("a", 3), ("t", 1))
    ]
    names = ["x", "q", "v", "w", "moments", "a", "t"]
    end = fly(kind, State(*given[:4]), given[4], given[5], given[6], steps)
    return ca.Function(f"flight_{kind}", given, list(end[:4]), names, ["x1", "q1", "v1", "w1"])


def flown(
    kind: SpinKind, start: Sequence[Array], moments: Array, a: Array, t: Array, steps: int = STEPS
) -> tuple[Array, Array, Array, Array]:
    """(x, q, v, w) by rows at times t after a state (x, q, v, w)."""
    room = max(LEAST, 1 << (len(t) - 1).bit_length())
    times = np.concatenate([t, np.zeros(room - len(t))])
    out = _calls(kind, steps, room)(*(np.ravel(one) for one in start), moments, a, times)
    x, q, v, w = (one.reshape(room, -1)[: len(t)] for one in out)
    return x, q, v, w


@functools.lru_cache(maxsize=256)
def _calls(kind: SpinKind, steps: int, count: int) -> Call:
    """The flight of one state to `count` times; it takes longer to make than to call."""
    given = [
        ca.MX.sym(name, n)
        for name, n in (("x", 3), ("q", 4), ("v", 3), ("w", 3), ("moments", 3), ("a", 3), ("t", count))
    ]
    out = flight(kind, steps).map(count)(*(ca.repmat(one, 1, count) for one in given[:-1]), given[-1].T)
    return Call(tuple(given), [ca.vec(one) for one in out])
