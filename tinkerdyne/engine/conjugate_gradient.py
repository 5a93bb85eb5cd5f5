"""Matrix-free conjugate gradients for J W Jᵀ λ = b, stopped by a chosen norm or an iteration limit (E9, A4).

LD98 §3.4 ends as soon as the desired precision is reached, "using various norms". Here these are, by
`stop_by`, each against `precision`:
    residual     |D (b − A λ)| / |D b|:  how far the constraints are from being met
    correction   |W Jᵀ δλ| / |W Jᵀ λ| in the norm of the kinetic energy:  what an iteration still moves
    forces       |δλ| / |λ|:  what an iteration still changes in the forces
A change can be small by chance, so the last two must be so twice in a row.

The variant is that of conjugate residuals: it minimises |b − Aλ| over the same Krylov space with one product
an iteration, so redundant rows cost nothing and contradictory ones leave the least-squares residual (CN97
§4.4) instead of diverging.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.product import add_WJt, times_J
from tinkerdyne.engine.records import Index, Scalars
from tinkerdyne.engine.yielding import clear_rows

VECTORS = 8  # of nr rows at I.cg, by number; one of nv follows
BY_RESIDUAL, BY_CORRECTION, BY_FORCES = 0.0, 1.0, 2.0  # S.cg_stop
IN_A_ROW = 2  # small changes


class Krylov:
    """Vectors of the iteration, by number, for the scaled system (D A D) y = D b, λ = D y,  D = diag(A)^(−½):
    residual, direction, their products with D A D, y, D, the last solution λ, and D b."""

    R, P, AR, AP, Y, D, KEPT, B, WORK = range(9)


@compiled
def krylov(I: Index, S: Scalars, which: int) -> Floats:
    """One of the vectors of the iteration."""
    return at(S, I.cg + which * I.nr)


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
    """λ from zero, or with S.cg_warm from the last solution where that is nearer; iterations done are added
    to S.cg_done.

    b and λ may be the same. The residual that counts is relative to b.
    """
    n = I.nr
    d = krylov(I, S, Krylov.D)
    y = krylov(I, S, Krylov.Y)
    kept = krylov(I, S, Krylov.KEPT)
    enough = S.cg_tolerance * scale_system(I, S, b)
    if S.cg_warm != 0.0:
        start_warm(I, S)
    S.cg_done += iterate(I, S, lam, enough)
    for i in range(n):
        lam[i] = d[i] * y[i]
        kept[i] = lam[i]


@inlined
def scale_system(I: Index, S: Scalars, b: Floats) -> float:
    """D, and the residual r = D b of y = 0, which is the first direction; returns |r|."""
    n = I.nr
    r = krylov(I, S, Krylov.R)
    p = krylov(I, S, Krylov.P)
    y = krylov(I, S, Krylov.Y)
    d = krylov(I, S, Krylov.D)
    scale = at(S, I.scale)
    for i in range(n):
        d[i] = 1.0 / math.sqrt(scale[i]) if scale[i] > 0.0 else 0.0
    if S.yielding > 0.0:
        clear_rows(I, S, d)  # rows that are out of the equation
    for i in range(n):
        r[i] = d[i] * b[i]
        krylov(I, S, Krylov.B)[i] = r[i]
        p[i] = r[i]
        y[i] = 0.0
    return math.sqrt(dot(r, r, n))


@inlined
def start_warm(I: Index, S: Scalars) -> None:
    """Start from the best multiple of the last solution: α minimises |D b − α D A λ|, so that a poor guess
    costs one product and no more."""
    n = I.nr
    r = krylov(I, S, Krylov.R)
    p = krylov(I, S, Krylov.P)
    Ap = krylov(I, S, Krylov.AP)
    y = krylov(I, S, Krylov.Y)
    d = krylov(I, S, Krylov.D)
    kept = krylov(I, S, Krylov.KEPT)
    times_A(I, S, kept, Ap, krylov(I, S, Krylov.WORK))
    for i in range(n):
        Ap[i] *= d[i]
    size = dot(Ap, Ap, n)
    alpha = dot(r, Ap, n) / size if size > 0.0 else 0.0
    for i in range(n):
        if d[i] > 0.0:
            y[i] = alpha * kept[i] / d[i]
            r[i] -= alpha * Ap[i]
        p[i] = r[i]


@inlined
def times_scaled(I: Index, S: Scalars, x: Floats, y: Floats, room: Floats) -> None:
    """y = D A D x, with room for D x, which may be y."""
    n = I.nr
    d = krylov(I, S, Krylov.D)
    for i in range(n):
        room[i] = d[i] * x[i]
    times_A(I, S, room, y, krylov(I, S, Krylov.WORK))
    for i in range(n):
        y[i] *= d[i]


@inlined
def is_small(I: Index, S: Scalars, alpha: float) -> int:
    """Whether the last change of y, α p, is below the precision, in the norm that was chosen.

    Of the correction |W Jᵀ δλ|² = α² pᵀ(D A D)p, and |W Jᵀ λ|² = yᵀ(D b − r), where r was D b for y = 0."""
    n = I.nr
    p = krylov(I, S, Krylov.P)
    y = krylov(I, S, Krylov.Y)
    d = krylov(I, S, Krylov.D)
    change = 0.0
    whole = 0.0
    if S.cg_stop == BY_FORCES:
        for i in range(n):
            change += d[i] * d[i] * p[i] * p[i]
            whole += d[i] * d[i] * y[i] * y[i]
    else:
        change = dot(p, krylov(I, S, Krylov.AP), n)
        whole = energy_of(I, S)
    return 1 if alpha * alpha * change <= S.cg_tolerance * S.cg_tolerance * whole else 0


@inlined
def energy_of(I: Index, S: Scalars) -> float:
    """yᵀ (D A D) y, for the solution so far."""
    n = I.nr
    y = krylov(I, S, Krylov.Y)
    r = krylov(I, S, Krylov.R)
    b = krylov(I, S, Krylov.B)
    total = 0.0
    for i in range(n):
        total += y[i] * (b[i] - r[i])
    return total


@inlined
def iterate(I: Index, S: Scalars, room: Floats, enough: float) -> int:
    """Conjugate residuals until |r| is small enough or S.cg_limit is reached; returns the iterations done.

    α = rᵀAr / |Ap|²,  y += α p,  r −= α Ap,  β = rᵀAr / (rᵀAr)₋,  p = r + β p,  Ap = Ar + β Ap.
    """
    n = I.nr
    r = krylov(I, S, Krylov.R)
    p = krylov(I, S, Krylov.P)
    Ar = krylov(I, S, Krylov.AR)
    Ap = krylov(I, S, Krylov.AP)
    y = krylov(I, S, Krylov.Y)
    times_scaled(I, S, r, Ar, room)
    for i in range(n):
        Ap[i] = Ar[i]
    rAr = dot(r, Ar, n)
    done = 0
    small = 0
    for k in range(int(S.cg_limit)):
        pAAp = dot(Ap, Ap, n)
        if not (pAAp > 0.0) or not (rAr > 0.0):
            break
        alpha = rAr / pAAp
        for i in range(n):
            y[i] += alpha * p[i]
            r[i] -= alpha * Ap[i]
        done = k + 1
        if S.cg_stop == BY_RESIDUAL:
            if math.sqrt(dot(r, r, n)) <= enough:
                break
        else:
            small = small + 1 if is_small(I, S, alpha) != 0 else 0
            if small == IN_A_ROW or not (dot(r, r, n) > 0.0):
                break
        times_scaled(I, S, r, Ar, room)
        now = dot(r, Ar, n)
        beta = now / rAr
        rAr = now
        for i in range(n):
            p[i] = r[i] + beta * p[i]
            Ap[i] = Ar[i] + beta * Ap[i]
    return done
