"""Products with the block-sparse matrices of a world: M, W, J and Jᵀ (CN97 §4.2)."""

from __future__ import annotations

from tinkerdyne.compiler.core import Pointer, at, compiled
from tinkerdyne.engine.records import (
    B_DIM,
    B_G,
    B_J,
    B_NV,
    B_ROW,
    B_V,
    BLK,
    DIAGONAL,
    H_BLK,
    H_NB,
    H_NO,
    H_NR,
    H_OBJ,
    H_S_V,
    O_DG,
    O_FLAGS,
    O_NV,
    O_V,
    O_W,
    OBJ,
)  # fmt: skip

# The inner products come in lengths 6 (rigid bodies) and 3 (particles, planar bodies) nearly always: with the
# length known to the compiler they are unrolled, which halves the cost of a step.


@compiled
def inner(x: Pointer, y: Pointer, n: int) -> float:
    """x · y for the length of one object's velocity."""
    s = 0.0
    if n == 6:
        for k in range(6):
            s += x[k] * y[k]
    elif n == 3:
        for k in range(3):
            s += x[k] * y[k]
    else:
        for k in range(n):
            s += x[k] * y[k]
    return s


@compiled
def add_scaled(a: float, x: Pointer, y: Pointer, n: int) -> None:
    """y += a x for the length of one object's velocity."""
    if n == 6:
        y0 = y[0] + a * x[0]
        y1 = y[1] + a * x[1]
        y2 = y[2] + a * x[2]
        y3 = y[3] + a * x[3]
        y4 = y[4] + a * x[4]
        y5 = y[5] + a * x[5]
        y[0] = y0
        y[1] = y1
        y[2] = y2
        y[3] = y3
        y[4] = y4
        y[5] = y5
    elif n == 3:
        y0 = y[0] + a * x[0]
        y1 = y[1] + a * x[1]
        y2 = y[2] + a * x[2]
        y[0] = y0
        y[1] = y1
        y[2] = y2
    else:
        for k in range(n):
            y[k] += a * x[k]


@compiled
def apply_W(T: Pointer, S: Pointer, x: Pointer, y: Pointer) -> None:
    """y = W x for one object."""
    n = T[O_NV]
    if T[O_FLAGS] & DIAGONAL != 0:
        d = at(S, T[O_DG])
        if n == 6:
            for i in range(6):
                y[i] = d[i] * x[i]
        else:
            for i in range(n):
                y[i] = d[i] * x[i]
    else:
        W = at(S, T[O_W])
        for i in range(n):
            s = 0.0
            for j in range(n):
                s += W[i * n + j] * x[j]
            y[i] = s


@compiled
def times_W(I: Pointer, S: Pointer, x: Pointer, y: Pointer) -> None:
    """y = W x over all objects (x and y distinct)."""
    base = I[H_S_V]
    for o in range(I[H_NO]):
        T = at(I, I[H_OBJ] + o * OBJ)
        v = T[O_V] - base
        apply_W(T, S, at(x, v), at(y, v))


@compiled
def times_J(I: Pointer, S: Pointer, x: Pointer, y: Pointer) -> None:
    """y = J x (columns of free objects only)."""
    base = I[H_S_V]
    for i in range(I[H_NR]):
        y[i] = 0.0
    for b in range(I[H_NB]):
        w = at(I, I[H_BLK] + b * BLK)
        J = at(S, w[B_J])
        n = w[B_NV]
        xo = at(x, w[B_V] - base)
        yo = at(y, w[B_ROW])
        for i in range(w[B_DIM]):
            yo[i] += inner(at(J, i * n), xo, n)


@compiled
def add_Jt(I: Pointer, S: Pointer, lam: Pointer, y: Pointer, factor: float) -> None:
    """y += factor · Jᵀ λ."""
    base = I[H_S_V]
    for b in range(I[H_NB]):
        w = at(I, I[H_BLK] + b * BLK)
        J = at(S, w[B_J])
        n = w[B_NV]
        yo = at(y, w[B_V] - base)
        lo = at(lam, w[B_ROW])
        for i in range(w[B_DIM]):
            add_scaled(factor * lo[i], at(J, i * n), yo, n)


@compiled
def add_WJt(I: Pointer, S: Pointer, lam: Pointer, y: Pointer, factor: float) -> None:
    """y += factor · W Jᵀ λ, with the blocks G = W Jᵀ of the last `assemble`."""
    base = I[H_S_V]
    for b in range(I[H_NB]):
        w = at(I, I[H_BLK] + b * BLK)
        G = at(S, w[B_G])
        n = w[B_NV]
        d = w[B_DIM]
        yo = at(y, w[B_V] - base)
        lo = at(lam, w[B_ROW])
        for i in range(d):
            add_scaled(factor * lo[i], at(G, i * n), yo, n)
