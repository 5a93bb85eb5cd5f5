"""Which objects are stiff in a tangent matrix, and the factor that only joins these (engine.ldl.light).

An object is stiff where damping and stiffness times the step are no longer small beside its mass. Which ones
are is found anew in each step, so that it follows from the state alone and the same state goes on in the same
way, whatever came before.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.engine.ldl.light import plan_light
from tinkerdyne.engine.records import Index, Object, Scalars
from tinkerdyne.engine.tangent_records import ObjectPair, Tangent

STIFF = 0.1  # of the mass: what is stiffer counts as stiff, …
SURELY = 4.0  # … and so many times that is stiff even in the middle of a step
FEW = 0.5  # of all free objects: where more are stiff, the whole plan serves as well


@compiled
def weigh_stiffness(I: Index, T: Tangent, S: Scalars) -> None:
    """By how much each object is stiff: what the matrix has beyond its mass, on its diagonal and beside it,
    as a share."""
    weights = at(S, T.weights)
    for o in range(I.n_objects):
        body = Object.of(I, o)
        weights[o] = 0.0
        if T[T.object_nodes + o] >= 0:
            D = at(S, T[T.node_diagonals + T[T.object_nodes + o]])
            M = at(S, body.M)
            for i in range(body.nv):
                k = i * body.nv + i
                more = math.fabs(D[k] - M[k])
                weights[o] = max(weights[o], more / M[k] if more < math.inf and M[k] > 0.0 else math.inf)
    for k in range(T.n_links):
        link = ObjectPair.of(T, k)
        if link.place >= 0:
            share = share_of(I, T, S, link)
            weights[link.row] += share
            weights[link.column] += share


@inlined
def share_of(I: Index, T: Tangent, S: Scalars, link: ObjectPair) -> float:
    """The largest entry of the block of a link beside the diagonals, as a share of these."""
    m, n = Object.of(I, link.row).nv, Object.of(I, link.column).nv
    B = at(S, link.place)
    D = at(S, T[T.node_diagonals + T[T.object_nodes + link.row]])
    E = at(S, T[T.node_diagonals + T[T.object_nodes + link.column]])
    most = 0.0
    for i in range(m):
        for j in range(n):
            x = B[i * n + j]
            if x != 0.0:
                most = max(most, x * x / math.fabs(D[i * m + i] * E[j * n + j]))
    return math.sqrt(most)


@inlined
def find_stiff(I: Index, T: Tangent, S: Scalars, is_first: int) -> int:
    """Which objects are stiff: those that are, at the first matrix of a step, and later those that were
    too; returns whether they are others than those planned for."""
    weights, stiff = at(S, T.weights), at(T, T.stiff)
    is_new = 1 if T.is_planned == 0 else 0
    for o in range(I.n_objects):
        if is_first != 0 and (weights[o] > STIFF) != (stiff[o] != 0):
            is_new = 1
        if stiff[o] == 0 and weights[o] > SURELY * STIFF:
            is_new = 1
    if is_new == 0:
        return 0
    T.n_stiff = 0
    for o in range(I.n_objects):
        if weights[o] > STIFF:
            stiff[o] = 1
        elif is_first != 0:
            stiff[o] = 0
        T.n_stiff += stiff[o]
    return 1


@compiled
def choose_plan(I: Index, T: Tangent, S: Scalars, is_first: int) -> None:
    """Whether the matrix at hand is factored by the light plan, which is written where it is not that of the
    objects that are stiff now."""
    weigh_stiffness(I, T, S)
    if find_stiff(I, T, S, is_first) != 0:
        T.is_planned = 1
        T.fits = 0
        if T.n_stiff <= FEW * (T.n_nodes - I.n_constraints):
            T.fits = plan_light(I, T)
    T.is_light = T.fits
