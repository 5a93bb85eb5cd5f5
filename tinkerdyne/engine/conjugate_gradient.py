"""Matrix-free conjugate gradients for J W Jᵀ λ = b, stopped by a norm or an iteration limit (E9, A4).

The variant is that of conjugate residuals: it minimises |b − Aλ| over the same Krylov space with one product
an iteration, so redundant rows cost nothing and contradictory ones leave the least-squares residual (CN97
§4.4) instead of diverging.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.product import add_WJt, times_J
from tinkerdyne.engine.records import Index, Scalars
from tinkerdyne.engine.yielding import clear_rows


@compiled
def times_A(I: Index, S: Scalars, x: Floats, y: Floats, work: Floats) -> None:
    """y = J W Jᵀ x."""
    for i in range(I.nv):
        work[i] = 0.0
    add_WJt(I, S, x, work, 1.0)
    times_J(I, S, work, y)


@compiled
def dot(x: Floats, y: Floats, n: int) -> float:
    s = 0.0
    for i in range(n):
        s += x[i] * y[i]
    return s


@compiled
def conjugate_gradient(I: Index, S: Scalars, b: Floats, lam: Floats) -> None:
    """λ from zero, or with S_CG_WARM from the last solution where that is nearer; iterations done go to
    S_CG_DONE.

    b and λ may be the same. The residual that counts is relative to b.
    """
    n = I.nr
    base = I.cg
    r = at(S, base)
    p = at(S, base + n)
    Ar = at(S, base + 2 * n)
    Ap = at(S, base + 3 * n)
    x = at(S, base + 4 * n)
    d = at(S, base + 5 * n)
    kept = at(S, base + 6 * n)
    work = at(S, base + 7 * n)
    scale = at(S, I.scale)
    # Symmetric scaling by D = diag(A)^(−1/2): solve (D A D) y = D b, λ = D y.
    for i in range(n):
        d[i] = 1.0 / math.sqrt(scale[i]) if scale[i] > 0.0 else 0.0
    if S.yielding > 0.0:
        clear_rows(I, S, d)  # rows that are out of the equation
    for i in range(n):
        r[i] = d[i] * b[i]
        p[i] = r[i]
    start = math.sqrt(dot(r, r, n))
    for i in range(n):
        x[i] = 0.0
    if S.cg_warm != 0.0:
        # The best multiple of the last solution: α minimises |D b − α D A λ|, so that a poor guess costs one
        # product and no more.
        times_A(I, S, kept, Ap, work)
        for i in range(n):
            Ap[i] *= d[i]
        size = dot(Ap, Ap, n)
        alpha = dot(r, Ap, n) / size if size > 0.0 else 0.0
        for i in range(n):
            if d[i] > 0.0:
                x[i] = alpha * kept[i] / d[i]
                r[i] -= alpha * Ap[i]
            p[i] = r[i]
    for i in range(n):
        lam[i] = 0.0
        Ap[i] = d[i] * r[i]
    times_A(I, S, Ap, Ar, work)
    for i in range(n):
        Ar[i] *= d[i]
        Ap[i] = Ar[i]
    rAr = dot(r, Ar, n)
    done = 0
    for k in range(int(S.cg_limit)):
        pAAp = dot(Ap, Ap, n)
        if not (pAAp > 0.0) or not (rAr > 0.0):
            break
        alpha = rAr / pAAp
        for i in range(n):
            x[i] += alpha * p[i]
            r[i] -= alpha * Ap[i]
        done = k + 1
        if math.sqrt(dot(r, r, n)) <= S.cg_tolerance * start:
            break
        # A r, through λ as room for D r
        for i in range(n):
            lam[i] = d[i] * r[i]
        times_A(I, S, lam, Ar, work)
        for i in range(n):
            Ar[i] *= d[i]
        now = dot(r, Ar, n)
        beta = now / rAr
        rAr = now
        for i in range(n):
            p[i] = r[i] + beta * p[i]
            Ap[i] = Ar[i] + beta * Ap[i]
    for i in range(n):
        lam[i] = d[i] * x[i]
        kept[i] = lam[i]
    S.cg_done += done
