"""Products with the block-sparse matrices of a world: M, W, J and Jᵀ (CN97 §4.2)."""

from __future__ import annotations

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.records import Flag, Index, Jacobian, Object, Scalars

# Inner products have the length of one object's velocity: nearly always that of a rigid body (6), or of a
# particle or planar body (3). With the length known to the compiler they are unrolled, which halves the cost
# of a step.
BODY, POINT = 6, 3


@compiled
def inner(x: Floats, y: Floats, n: int) -> float:
    """x · y for the length of one object's velocity."""
    s = 0.0
    if n == BODY:
        for k in range(BODY):
            s += x[k] * y[k]
    elif n == POINT:
        for k in range(POINT):
            s += x[k] * y[k]
    else:
        for k in range(n):
            s += x[k] * y[k]
    return s


@compiled
def add_scaled(a: float, x: Floats, y: Floats, n: int) -> None:
    """y += a x for the length of one object's velocity."""
    if n == BODY:
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
    elif n == POINT:
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
def apply_W(T: Object, S: Scalars, x: Floats, y: Floats) -> None:
    """y = W x for one object."""
    n = T.nv
    if T.flags & Flag.DIAGONAL != 0:
        d = at(S, T.diagonals)
        if n == BODY:
            for i in range(BODY):
                y[i] = d[i] * x[i]
        elif n == POINT:
            y0 = d[0] * x[0]
            y1 = d[1] * x[1]
            y2 = d[2] * x[2]
            y[0] = y0
            y[1] = y1
            y[2] = y2
        else:
            for i in range(n):
                y[i] = d[i] * x[i]
    else:
        W = at(S, T.W)
        for i in range(n):
            s = 0.0
            for j in range(n):
                s += W[i * n + j] * x[j]
            y[i] = s


@compiled
def times_W(I: Index, S: Scalars, x: Floats, y: Floats) -> None:
    """y = W x over all objects (x and y distinct)."""
    base = I.v
    for o in range(I.n_objects):
        T = Object.of(I, o)
        v = T.v - base
        apply_W(T, S, at(x, v), at(y, v))


@compiled
def times_M(I: Index, S: Scalars, x: Floats, y: Floats) -> None:
    """y = M x over all objects (x and y distinct)."""
    for o in range(I.n_objects):
        T = Object.of(I, o)
        n = T.nv
        v = T.v - I.v
        for i in range(n):
            y[v + i] = inner(at(S, T.M + i * n), at(x, v), n)


@compiled
def times_J(I: Index, S: Scalars, x: Floats, y: Floats) -> None:
    """y = J x (columns of free objects only)."""
    base = I.v
    for i in range(I.nr):
        y[i] = 0.0
    for b in range(I.n_jacobians):
        block = Jacobian.of(I, b)
        J = at(S, block.J)
        n = block.nv
        xo = at(x, block.v - base)
        yo = at(y, block.row)
        if n == POINT:
            x0 = xo[0]
            x1 = xo[1]
            x2 = xo[2]
            for i in range(block.dim):
                yo[i] += J[POINT * i] * x0 + J[POINT * i + 1] * x1 + J[POINT * i + 2] * x2
        else:
            for i in range(block.dim):
                yo[i] += inner(at(J, i * n), xo, n)


@inlined
def add_rows(lam: Floats, factor: float, G: Floats, d: int, y: Floats, n: int) -> None:
    """y += factor · Gᵀ λ with the d rows of one block, for the length of one object's velocity."""
    if n == POINT:
        y0 = y[0]
        y1 = y[1]
        y2 = y[2]
        for i in range(d):
            a = factor * lam[i]
            y0 += a * G[POINT * i]
            y1 += a * G[POINT * i + 1]
            y2 += a * G[POINT * i + 2]
        y[0] = y0
        y[1] = y1
        y[2] = y2
    elif n == BODY:
        y0 = y[0]
        y1 = y[1]
        y2 = y[2]
        y3 = y[3]
        y4 = y[4]
        y5 = y[5]
        for i in range(d):
            a = factor * lam[i]
            y0 += a * G[BODY * i]
            y1 += a * G[BODY * i + 1]
            y2 += a * G[BODY * i + 2]
            y3 += a * G[BODY * i + 3]
            y4 += a * G[BODY * i + 4]
            y5 += a * G[BODY * i + 5]
        y[0] = y0
        y[1] = y1
        y[2] = y2
        y[3] = y3
        y[4] = y4
        y[5] = y5
    else:
        for i in range(d):
            add_scaled(factor * lam[i], at(G, i * n), y, n)


@inlined
def add_transposed(I: Index, S: Scalars, lam: Floats, y: Floats, factor: float, has_W: int) -> None:
    """y += factor · Jᵀ λ, or factor · (J W)ᵀ λ."""
    base = I.v
    for b in range(I.n_jacobians):
        block = Jacobian.of(I, b)
        G = at(S, block.G if has_W != 0 else block.J)
        n = block.nv
        add_rows(at(lam, block.row), factor, G, block.dim, at(y, block.v - base), n)


@compiled
def add_Jt(I: Index, S: Scalars, lam: Floats, y: Floats, factor: float) -> None:
    """y += factor · Jᵀ λ."""
    add_transposed(I, S, lam, y, factor, 0)


@compiled
def add_WJt(I: Index, S: Scalars, lam: Floats, y: Floats, factor: float) -> None:
    """y += factor · W Jᵀ λ, with the blocks G = W Jᵀ of the last `assemble`."""
    add_transposed(I, S, lam, y, factor, 1)
