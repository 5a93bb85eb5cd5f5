"""The block LDLᵀ against dense numpy, and its order of elimination against SuperLU's minimum degree."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.sparse.linalg import splu

from tinkerdyne.engine.ldl.block import BlockLDL
from tinkerdyne.engine.ldl.plan import Plan

Array = NDArray[np.float64]
Pairs = list[tuple[int, int]]


@dataclass(frozen=True)
class System:
    """The KKT matrix of a random mechanism: constraint nodes first, then hub nodes."""

    size: list[int]
    pairs: Pairs
    sign: list[int]
    last: list[int]
    K: Array
    scale: Array
    J: Array
    W: Array

    def analysed(self) -> BlockLDL:
        return BlockLDL(self.size, self.pairs, last=self.last)


def mechanism(
    seed: int, *, objects: int, rows: list[int], hubs: int = 0, copies: int = 0, reach: int = 3, dofs: int = 6
) -> System:
    """Constraints with these rows on random objects of 1–6 coordinates; the first `hubs` objects stay in the
    matrix.

    K = [ −A  J_h ; J_hᵀ  M_h ],  A = Σ over the other objects of J W Jᵀ.  The last `copies` constraints
    repeat others.
    """
    rng = np.random.default_rng(seed)
    dof = rng.integers(1, dofs + 1, objects)
    at = np.concatenate([[0], np.cumsum(dof)])
    W = np.zeros((at[-1], at[-1]))
    for o in range(objects):
        B = rng.normal(size=(dof[o], dof[o]))
        W[at[o] : at[o + 1], at[o] : at[o + 1]] = B @ B.T + 0.5 * np.eye(dof[o])
    nc = len(rows)
    touched = [
        set(rng.choice(objects, min(objects, int(rng.integers(1, reach + 1))), replace=False)) for _ in rows
    ]
    origin = list(range(nc))
    for c in range(max(nc - copies, 1), nc):
        origin[c] = int(rng.integers(0, nc - copies)) if nc > copies else 0
    size = [rows[origin[c]] for c in range(nc)]
    first = np.concatenate([[0], np.cumsum(size)]).astype(int)
    J = np.zeros((first[-1], at[-1]))
    for c in range(nc):
        touched[c] = touched[origin[c]]
        here = slice(first[c], first[c + 1])
        if origin[c] != c:
            J[here] = J[first[origin[c]] : first[origin[c] + 1]]
        else:
            for o in touched[c]:
                J[here, at[o] : at[o + 1]] = rng.normal(size=(size[c], dof[o]))
    h = at[hubs]
    A = J[:, h:] @ W[h:, h:] @ J[:, h:].T
    K = np.block([[-A, J[:, :h]], [J[:, :h].T, np.linalg.inv(W[:h, :h])]])
    pairs = [(i, j) for i, j in combinations(range(nc), 2) if any(o >= hubs for o in touched[i] & touched[j])]
    pairs += [(c, nc + o) for c in range(nc) for o in range(hubs) if o in touched[c]]
    pairs = [p if rng.random() < 0.5 else (p[1], p[0]) for p in pairs]
    rng.shuffle(pairs)
    last = [int(all(o < hubs for o in t)) for t in touched] + [0] * hubs
    scale = np.concatenate([np.diag(J @ W @ J.T), np.full(h, np.nan)])  # a hub's scale is never read
    return System([*size, *map(int, dof[:hubs])], pairs, [-1] * nc + [1] * hubs, last, K, scale, J, W)


def lower_only(ldl: BlockLDL, K: Array) -> Array:
    """The blocks of K, with NaN above the diagonals: those entries must not be read."""
    poisoned = K.copy()
    for a, b in zip(ldl.first[:-1], ldl.first[1:], strict=True):
        poisoned[a:b, a:b][np.triu_indices(b - a, 1)] = np.nan
    return ldl.values(poisoned)


def regularised(system: System, eps: float) -> Array:
    n = len(system.J)
    K = system.K.copy()
    K[np.arange(n), np.arange(n)] -= eps * system.scale[:n]
    return K


counts = st.lists(st.integers(1, 6), min_size=1, max_size=24)
seeds = st.integers(0, 2**32 - 1)


@settings(max_examples=150, deadline=None)
@given(seed=seeds, objects=st.integers(1, 20), rows=counts, hubs=st.integers(0, 3), copies=st.integers(0, 3))
def test_a_random_mechanism_is_solved_as_numpy_does(
    seed: int, objects: int, rows: list[int], hubs: int, copies: int
) -> None:
    system = mechanism(
        seed, objects=objects, rows=rows, hubs=min(hubs, objects), copies=min(copies, len(rows) - 1)
    )
    ldl = system.analysed()
    eps = 1e-4
    assert ldl.factor(lower_only(ldl, system.K), sign=system.sign, scale=system.scale, eps=eps) == 0
    K = regularised(system, eps)
    wanted = np.random.default_rng(seed).normal(size=len(K))
    x = ldl.solve(K @ wanted)
    # quasi-definite: the error grows with the condition, here ≤ 1/eps times that of W
    assert np.linalg.norm(K @ (x - wanted)) <= 1e-9 * np.linalg.norm(K) * np.linalg.norm(wanted)
    assert np.allclose(x, np.linalg.solve(K, K @ wanted), rtol=0, atol=1e-6 * np.linalg.norm(wanted))


@settings(max_examples=40, deadline=None)
@given(seed=seeds, rows=st.lists(st.integers(1, 2), min_size=1, max_size=5))
def test_constraints_between_hubs_only_wait_for_the_hubs(seed: int, rows: list[int]) -> None:
    system = mechanism(seed, objects=6, rows=rows, hubs=6, reach=2)  # every constraint's own diagonal is 0
    assert all(system.last[: len(rows)])
    if np.linalg.matrix_rank(system.J) < len(system.J):
        return
    ldl = system.analysed()
    assert ldl.factor(ldl.values(system.K), sign=system.sign, scale=system.scale) == 0
    b = np.random.default_rng(seed).normal(size=len(system.K))
    x = ldl.solve(b)
    assert np.linalg.norm(system.K @ x - b) <= 1e-8 * np.linalg.norm(system.K) * np.linalg.norm(x)


@settings(max_examples=60, deadline=None)
@given(seed=seeds, hubs=st.integers(0, 2), copies=st.integers(1, 4))
def test_repeated_constraints_give_the_true_force_by_iterating_on_the_residual(
    seed: int, hubs: int, copies: int
) -> None:
    system = mechanism(seed, objects=8, rows=[1, 2, 1, 2, 1, 1, 1, 2][: 4 + copies], hubs=hubs, copies=copies)
    ldl = system.analysed()
    ldl.factor(ldl.values(system.K), sign=system.sign, scale=system.scale, eps=1e-12)
    n = len(system.J)
    b = np.zeros(len(system.K))
    wanted = np.random.default_rng(seed).normal(size=n)
    b[:n] = -system.J @ system.W @ system.J.T @ wanted  # consistent
    x = np.zeros(len(system.K))
    for _ in range(4):
        x += ldl.solve(b - system.K @ x)
    force = system.J.T @ wanted
    assert np.linalg.norm(system.J.T @ x[:n] - force) <= 1e-6 * np.linalg.norm(force)


def test_a_vanished_pivot_is_replaced_and_counted() -> None:
    # three equal rows: rank 1, so two pivots vanish; each becomes −scale and its multiplier stays of the
    # others' size
    ldl = BlockLDL([1, 2], [(0, 1)])
    K = -np.full((3, 3), 4.0)
    assert ldl.factor(ldl.values(K), sign=[-1, -1], scale=np.full(3, 4.0)) == 2
    x = ldl.solve(np.full(3, -4.0))
    assert np.allclose(K @ x, -4.0) and np.abs(x).max() <= 1


def test_rows_without_scale_and_hubs_without_mass_get_a_unit_pivot() -> None:
    ldl = BlockLDL([2, 3], [(0, 1)])
    assert ldl.factor(np.zeros(100), sign=[-1, 1], scale=np.zeros(5), eps=1e-8) == 5
    assert ldl.solve(np.arange(5.0)).tolist() == [0, -1, 2, 3, 4]


def test_not_a_number_ends_and_stays_in_its_own_part() -> None:
    n = 40
    ldl = BlockLDL([3] * n, [(i, i + 1) for i in range(n - 1) if i != 19])
    K = -4 * np.eye(3 * n)
    bad = K.copy()
    bad[30, 30] = np.nan
    assert ldl.factor(ldl.values(bad), sign=[-1] * n, scale=np.ones(3 * n), eps=1e-8) >= 1
    assert ldl.factor(ldl.values(bad), sign=[-1] * n, scale=np.full(3 * n, np.nan), eps=np.nan) >= 1
    bad[30, 30] = -4
    bad[30:33, 33:36] = bad[33:36, 30:33] = np.nan
    ldl.factor(ldl.values(bad), sign=[-1] * n, scale=np.ones(3 * n))
    assert np.allclose(ldl.solve(np.ones(3 * n))[60:], -0.25)
    assert ldl.factor(ldl.values(K), sign=[-1] * n, scale=np.ones(3 * n)) == 0  # nothing of it is left
    assert np.allclose(ldl.solve(np.ones(3 * n)), -0.25)


@pytest.mark.parametrize("size", [[], [1], [6], [12], [3] * 7, [1, 2, 3, 4, 5, 6, 12]])
def test_nodes_without_neighbours_are_solved_alone(size: list[int]) -> None:
    n = sum(size)
    ldl = BlockLDL(size, [])
    rng = np.random.default_rng(0)
    K = np.zeros((n, n))
    for a, b in zip(ldl.first[:-1], ldl.first[1:], strict=True):
        B = rng.normal(size=(b - a, b - a))
        K[a:b, a:b] = -B @ B.T - np.eye(b - a)
    assert ldl.factor(ldl.values(K), sign=[-1] * len(size), scale=np.ones(n)) == 0
    x = rng.normal(size=n)
    assert np.allclose(ldl.solve(K @ x), x)


@pytest.mark.parametrize("links", [[], [(1 + k, 2 + k) for k in range(598)]])
def test_a_hub_joined_to_everything_is_eliminated_after_its_rods(links: Pairs) -> None:
    rods = 599
    size = [6] + [2] * rods + [3]  # the last node is a constraint on the hub alone
    pairs = [(0, k) for k in range(1, rods + 2)] + links
    ldl = BlockLDL(size, pairs, last=[0] * (rods + 1) + [1])
    # pivot of the hub, rods, last
    place = ldl.plan[ldl.head.row_pivots :][[0, *range(6, 6 + 2 * rods), 6 + 2 * rods]]
    assert max(place[1:-1]) < place[-1] and place[0] < place[-1]
    assert ldl.head.fill <= 6 * 7 // 2 + rods * (3 + 12) + 6 + 18 + len(links) * 4
    rng = np.random.default_rng(1)
    n = sum(size)
    K = np.zeros((n, n))
    span = [slice(a, b) for a, b in zip(ldl.first[:-1], ldl.first[1:], strict=True)]
    for i, j in pairs:
        K[span[i], span[j]] = 0.1 * rng.normal(size=(size[i], size[j]))
        K[span[j], span[i]] = K[span[i], span[j]].T
    K += np.diag([20.0] * 6 + [-4.0] * (2 * rods) + [0.0] * 3)
    assert ldl.factor(ldl.values(K), sign=[1] + [-1] * (rods + 1), scale=np.ones(n)) == 0
    x = rng.normal(size=n)
    assert np.allclose(ldl.solve(K @ x), x, atol=1e-8)


def test_too_small_a_plan_says_what_it_wants() -> None:
    ldl = BlockLDL([3] * 50, [(i, i + 1) for i in range(49)])
    store = ldl.head.store
    ldl.plan = np.zeros(Plan.size + 10, np.int64)
    assert ldl.analyse() == -1
    ldl.plan = np.zeros(ldl.head.words, np.int64)
    assert ldl.analyse() == store
    assert ldl.head.words == len(ldl.plan)


def test_the_order_is_the_same_every_time() -> None:
    n, pairs = net(8)
    plans = [BlockLDL([1] * n, pairs).plan.tolist() for _ in range(2)]
    assert plans[0] == plans[1]


def net(side: int) -> tuple[int, Pairs]:
    """Distance constraints along a square grid of particles; two are adjacent when they share a particle."""
    at: list[list[int]] = [[] for _ in range(side * side)]
    n = 0
    for k in range(side * side):
        for other in [k + 1] * (k % side < side - 1) + [k + side] * (k + side < side * side):
            at[k].append(n)
            at[other].append(n)
            n += 1
    return n, [pair for rows in at for pair in combinations(rows, 2)]


def random_tree(n: int) -> Pairs:
    rng = np.random.default_rng(2)
    return [(int(rng.integers(0, i)), i) for i in range(1, n)]


@pytest.mark.parametrize(
    ("name", "n", "pairs"),
    [
        ("chain", 300, [(i, i + 1) for i in range(299)]),
        ("loop", 300, [(i, (i + 1) % 300) for i in range(300)]),
        ("net", *net(20)),
        ("tree", 400, random_tree(400)),
        ("star", 200, [(0, i) for i in range(1, 200)]),
    ],
)
def test_fill_is_no_worse_than_multiple_minimum_degree(name: str, n: int, pairs: Pairs) -> None:
    i, j = np.array(pairs).T
    A = sp.coo_matrix((np.ones(len(i)), (i, j)), shape=(n, n))
    A = (A + A.T + n * sp.eye(n)).tocsc()
    theirs = splu(A, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True}).L.nnz
    assert BlockLDL([1] * n, pairs).head.fill <= 1.3 * theirs, name
