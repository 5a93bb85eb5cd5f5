"""The dense way in the compiled methods: J W Jᵀ by its singular values, J W^½ = U Σ Vᵀ (E8, E9).

Rows are scaled to length one, so that masses and units do not count, and made orthogonal to each other by
rotations of two at a time (Hestenes), which finds small singular values as exactly as large ones:
    B = D J L with W = L Lᵀ,   V B = G with orthogonal rows of the lengths σ,   λ = D Vᵀ (σ²)⁺ V D b.
Rows that depend on each other have σ = 0 and share their force with the least norm; contradictory ones leave
the least-squares residual. All of J is one dense matrix, so this is for small worlds.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.records import Flag, Index, Jacobian, Object, Scalars
from tinkerdyne.engine.yielding import clear_rows

MOST_ROWS = 200  # beyond, a step takes about a second
SWEEPS = 30  # at most; ten are usual
ORTHOGONAL = 1e-15  # cosine of the angle between two rows
CUTOFF = 1e-9  # of the largest: smaller singular values are zero, as in engine.least_squares
SOFT = 1e-6  # ε up to here only guards a factorisation, which this is not


def room(rows: int, velocities: int, widest: int) -> int:
    """Numbers that it takes: G, V, D, σ², V D b, and L of one object."""
    return rows * velocities + rows * rows + 3 * rows + widest * widest


@inlined
def turned_rows(I: Index, S: Scalars) -> Floats:
    """G, nr × nv."""
    return at(S, I.svd)


@inlined
def turns(I: Index, S: Scalars) -> Floats:
    """V, nr × nr."""
    return at(S, I.svd + I.nr * I.nv)


@inlined
def vector(I: Index, S: Scalars, k: int) -> Floats:
    """D (0), the weights of the singular directions (1), V D b (2); behind them, L."""
    return at(S, I.svd + I.nr * I.nv + I.nr * I.nr + k * I.nr)


@inlined
def root_of_weight(S: Scalars, T: Object, L: Floats) -> None:
    """Cholesky's factor of W, row by row."""
    n = T.nv
    W = at(S, T.W)
    for i in range(n):
        for j in range(n):
            L[i * n + j] = 0.0
    if T.flags & Flag.DIAGONAL != 0:
        for i in range(n):
            L[i * n + i] = math.sqrt(W[i * n + i])
        return
    for i in range(n):
        for j in range(i + 1):
            total = W[i * n + j]
            for k in range(j):
                total -= L[i * n + k] * L[j * n + k]
            if i == j:
                L[i * n + i] = math.sqrt(max(total, 0.0))
            else:
                L[i * n + j] = total / L[j * n + j] if L[j * n + j] > 0.0 else 0.0


@inlined
def gather_rows(I: Index, S: Scalars) -> None:
    """G = J L, and V = 1."""
    n = I.nr
    width = I.nv
    G = turned_rows(I, S)
    V = turns(I, S)
    L = vector(I, S, 3)
    for k in range(n * width):
        G[k] = 0.0
    for k in range(n * n):
        V[k] = 0.0
    for i in range(n):
        V[i * n + i] = 1.0
    for b in range(I.n_jacobians):
        block = Jacobian.of(I, b)
        T = Object.of(I, block.object)
        m = block.nv
        root_of_weight(S, T, L)
        for i in range(block.dim):
            g = at(G, (block.row + i) * width + block.v - I.v)
            J = at(S, block.J + i * m)
            for c in range(m):
                total = 0.0
                for a in range(c, m):
                    total += J[a] * L[a * m + c]
                g[c] += total


@inlined
def scale_rows(I: Index, S: Scalars) -> None:
    """D, which makes every row of G one long; rows that are out of the equation, or move nothing, are 0."""
    G = turned_rows(I, S)
    D = vector(I, S, 0)
    for i in range(I.nr):
        g = at(G, i * I.nv)
        total = 0.0
        for k in range(I.nv):
            total += g[k] * g[k]
        D[i] = 1.0 / math.sqrt(total) if total > 0.0 else 0.0
    if S.yielding > 0.0:
        clear_rows(I, S, D)
    for i in range(I.nr):
        g = at(G, i * I.nv)
        for k in range(I.nv):
            g[k] *= D[i]


@inlined
def turn_two(x: Floats, y: Floats, n: int, c: float, s: float) -> None:
    """(x, y) ← (c x − s y, s x + c y)."""
    for k in range(n):
        a = x[k]
        b = y[k]
        x[k] = c * a - s * b
        y[k] = s * a + c * b


@inlined
def sweep(I: Index, S: Scalars) -> float:
    """Make all pairs of rows orthogonal once; returns the largest cosine that was met."""
    n = I.nr
    width = I.nv
    G = turned_rows(I, S)
    V = turns(I, S)
    worst = 0.0
    for i in range(n):
        for j in range(i + 1, n):
            x = at(G, i * width)
            y = at(G, j * width)
            xx = 0.0
            yy = 0.0
            xy = 0.0
            for k in range(width):
                xx += x[k] * x[k]
                yy += y[k] * y[k]
                xy += x[k] * y[k]
            size = math.sqrt(xx * yy)
            if size > 1e-30 and math.fabs(xy) > ORTHOGONAL * size:
                worst = max(worst, math.fabs(xy) / size)
                zeta = (yy - xx) / (2.0 * xy)
                side = 1.0 if zeta >= 0.0 else -1.0
                t = side / (math.fabs(zeta) + math.sqrt(1.0 + zeta * zeta))
                c = 1.0 / math.sqrt(1.0 + t * t)
                turn_two(x, y, width, c, c * t)
                turn_two(at(V, i * n), at(V, j * n), n, c, c * t)
    return worst


@compiled
def svd_factor(I: Index, S: Scalars, epsilon: float) -> int:
    """Singular values of D J W^½; returns how many vanish. A large ε is that of Levenberg and Marquardt."""
    gather_rows(I, S)
    scale_rows(I, S)
    for _ in range(SWEEPS):
        if not (sweep(I, S) > ORTHOGONAL):
            break
    G = turned_rows(I, S)
    weight = vector(I, S, 1)
    largest = 0.0
    for i in range(I.nr):
        total = 0.0
        for k in range(I.nv):
            total += G[i * I.nv + k] * G[i * I.nv + k]
        weight[i] = total
        largest = max(largest, total)
    vanished = 0
    soft = epsilon if epsilon > SOFT else 0.0
    for i in range(I.nr):
        if weight[i] > CUTOFF * CUTOFF * largest:
            weight[i] = 1.0 / (weight[i] + soft)
        else:
            weight[i] = 0.0
            vanished += 1
    return vanished


@compiled
def svd_solve(I: Index, S: Scalars, b: Floats, lam: Floats) -> None:
    """λ = D Vᵀ (σ²)⁺ V D b (b and λ may be the same)."""
    n = I.nr
    V = turns(I, S)
    D = vector(I, S, 0)
    weight = vector(I, S, 1)
    y = vector(I, S, 2)
    for i in range(n):
        total = 0.0
        for k in range(n):
            total += V[i * n + k] * D[k] * b[k]
        y[i] = weight[i] * total
    for k in range(n):
        total = 0.0
        for i in range(n):
            total += V[i * n + k] * y[i]
        lam[k] = D[k] * total
