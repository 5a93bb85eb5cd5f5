"""Multiple shooting of a tree: the gaps between nodes under the equations of motion, closed by minimum-norm
Newton steps (M7).

Each step is one of Dormand and Prince's method of order 8. A Newton step moves the nodes by the least amount
that closes the gaps r to first order, δ = −Jᵀ (J Jᵀ)⁻¹ r.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING

import casadi as ca
import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import cho_factor, cho_solve

from tinkerdyne.language.arrays import Array
from tinkerdyne.objects.rotation import conjugate, products
from tinkerdyne.sketch.problem.flight import tableau
from tinkerdyne.sketch.problem.sparse import Call
from tinkerdyne.sketch.tree.midpoint import Nodes, held_of
from tinkerdyne.sketch.tree.tree import Tree

if TYPE_CHECKING:
    from tinkerdyne.sketch.tree.sketch import LinkSamples, NodeBound

CLOSED = 1e-10  # a gap that is closed
LOST = 1e3  # a gap that is not going to close, or a step
MOST = 20  # Newton steps
# matrices made with slopes of whole steps, before those of so many parts of a step are taken
ROUGH, PARTS = 3, 4
EXACT, FINEST = 1e-9, 16  # what twice as many parts of a step may change, and the most of them
AGAIN = 0.3  # of the gap that a step may leave for the next one to go on with the same factors
# of the largest pivot: added to each, for rows that nothing can change, such as a pin's point across its
# plane
TINY = 1e-13
NEAR = 1e-6  # m: a point this near to the bound of its region stays on it


class Shooting:
    """States y = (c, Q, u) of a tree by rows, how they move on, and how their gaps are closed."""

    def __init__(self, tree: Tree, g: Array) -> None:
        self.tree, n, q = tree, tree.freedoms, 4 * tree.turns
        y = ca.SX.sym("y", 2 * n + q)
        c, Q, u = y[:n], ca.reshape(y[n : n + q], 4, tree.turns), y[n + q :]
        plain = np.ones(n)
        plain[tree.moving.ravel()] = 0
        rate = ca.vertcat(plain * u, ca.vec(tree.rates(Q, u)), tree.acceleration(c, Q, u, g))
        self.rate = ca.Function("rate", [y], [rate])
        self._slope = ca.Function("slope", [y], ca.cse([rate, ca.jacobian(rate, y)]))
        self.n, self.q, self.size = n, q, 2 * n + q
        self._plain = np.flatnonzero(plain)
        self._calls: dict[tuple[str, int], Call] = {}
        self._points: dict[tuple[Hashable, ...], ca.Function] = {}

    def packed(self, nodes: Nodes) -> Array:
        """(N + 1, 2n + 4 turns)."""
        return np.concatenate(
            [nodes.c, nodes.Q.transpose(0, 2, 1).reshape(len(nodes.c), -1), nodes.u], axis=1
        )

    def unpacked(self, T: float, y: Array) -> Nodes:
        n, q = self.n, self.q
        return Nodes(
            T,
            y[:, :n].copy(),
            y[:, n : n + q].reshape(len(y), -1, 4).transpose(0, 2, 1).copy(),
            y[:, n + q :].copy(),
        )

    def _call(self, name: str, count: int) -> Call:
        """`rate` or `slope` of so many states at once."""
        if (name, count) not in self._calls:
            many = ca.MX.sym("y", self.size * count)
            out = (self.rate if name == "rate" else self._slope).map(count)(
                ca.reshape(many, self.size, count)
            )
            self._calls[name, count] = Call(
                (many,), [ca.vec(one) for one in (out if isinstance(out, tuple) else (out,))]
            )
        return self._calls[name, count]

    def _turns(self, y: Array) -> list[slice]:
        return [slice(self.n + 4 * j, self.n + 4 * j + 4) for j in range(self.tree.turns)]

    # --- motion ----------------------------------------------------------------------------------
    def step(self, y: Array, h: float | Array) -> Array:
        """One step of order 8 from each row of y, each of its own length where h is a column; what runs away
        becomes no number."""
        A, B = tableau()
        call = self._call("rate", len(y))
        rates = np.zeros((len(B), *y.shape))
        with np.errstate(over="ignore", invalid="ignore"):
            for i, row in enumerate(A):
                rates[i] = call((y + h * np.tensordot(row[:i], rates[:i], 1)).ravel())[0].reshape(y.shape)
            end: Array = y + h * np.tensordot(B, rates, 1)
            for t in self._turns(y):
                end[:, t] /= np.linalg.norm(end[:, t], axis=1, keepdims=True)
        return end

    def advanced(self, y: Array, h: float | Array, parts: int) -> Array:
        """So far on from each row of y, in so many steps."""
        for _ in range(parts):
            y = self.step(y, h / parts)
        return y

    def parts(self, nodes: Nodes) -> int:
        """In how many parts a step between nodes has to be taken, so that twice as many change nothing."""
        y, h, parts = self.packed(nodes)[:-1], nodes.T / (len(nodes.c) - 1), 1
        end = self.step(y, h)
        while parts < FINEST:
            finer = self.advanced(y, h, 2 * parts)
            if not np.isfinite(finer).all() or np.abs(finer - end).max() <= EXACT:
                break
            end, parts = finer, 2 * parts
        return parts

    def slopes(self, y: Array, end: Array, h: float, parts: int = 1) -> Array:
        """∂(end)/∂(start) of each step as 1 + hS + (hS)²/2 with the slope S of the rate halfway, or the
        product of those of its parts: near enough for Newton's."""
        if parts > 1:
            whole = np.eye(y.shape[1])
            for _ in range(parts):
                then = self.step(y, h / parts)
                whole, y = self.slopes(y, then, h / parts) @ whole, then
            return whole
        (N, d), one = y.shape, np.eye(y.shape[1])
        _, S = self._call("slope", N)(((y + end) / 2).ravel())
        hS = h * S.reshape(N, d, d).transpose(0, 2, 1)
        return np.asarray(one + hS + hS @ hS / 2)

    def gaps(self, y: Array, end: Array) -> Array:
        """(N, 2n): how far each node is from where the step before it ended; rotations as 2 vec(q* q)."""
        n, q = self.n, self.q
        out = np.concatenate([y[1:, :n] - end[:, :n], y[1:, n + q :] - end[:, n + q :]], axis=1)
        for at, t in zip(self.tree.moving, self._turns(y), strict=True):
            out[:, at] = 2 * products(conjugate(end[:, t]), y[1:, t])[:, 1:]
        return out

    def _tangents(self, y: Array) -> tuple[Array, Array]:
        """E = ∂y/∂δ and its left inverse P at each state; δ = (c with rotation vectors, u)."""
        N, n, q, plain = len(y), self.n, self.q, self._plain
        E, P = np.zeros((N, self.size, 2 * n)), np.zeros((N, 2 * n, self.size))
        E[:, plain, plain] = P[:, plain, plain] = 1.0
        rates = np.arange(n)
        E[:, n + q + rates, n + rates] = P[:, n + rates, n + q + rates] = 1.0
        for at, t in zip(self.tree.moving, self._turns(y), strict=True):
            w, a, b, c = y[:, t].T
            # ∂(q ⊗ exp δ)/∂δ
            half = 0.5 * np.stack([-a, -b, -c, w, -c, b, c, w, -a, -b, a, w], axis=1).reshape(N, 4, 3)
            E[:, t, at[0] : at[0] + 3] = half
            P[:, at[0] : at[0] + 3, t] = 4 * half.transpose(0, 2, 1)
        return E, P

    def _moved(self, y: Array, delta: Array) -> Array:
        out, n, q = y.copy(), self.n, self.q
        out[:, self._plain] += delta[:, self._plain]
        out[:, n + q :] += delta[:, n:]
        for at, t in zip(self.tree.moving, self._turns(y), strict=True):
            angle = np.linalg.norm(delta[:, at], axis=1, keepdims=True)
            by = np.concatenate(
                [np.cos(angle / 2), 0.5 * np.sinc(angle / (2 * math.pi)) * delta[:, at]], axis=1
            )
            out[:, t] = products(y[:, t], by)
        return out

    # --- closing ---------------------------------------------------------------------------------
    def close(
        self, nodes: Nodes, fixed: Array, holds: list[NodeBound], parts: int = 1
    ) -> tuple[Nodes, float]:
        """Nodes moved by the least amount so that the equations of motion join them and the holds are met;
        the gap that is left.

        fixed: which coordinates of the first node stay. parts: of a step. A point that is held within a
        region stays on the bounds it lies at.
        """
        y, N = self.packed(nodes), len(nodes.c) - 1
        h, m = nodes.T / N, 2 * self.n
        free = np.concatenate([~fixed, np.ones(self.n, bool)])
        bound = [(hold, self._bound(y[hold.node], hold)) for hold in holds]
        step: Callable[[Array], Array] | None = None
        gap, before, made = math.inf, math.inf, 0
        best, least = y, math.inf
        for _ in range(MOST):
            end = self.advanced(y[:-1], h, parts)
            places = [self._point(y[hold.node], hold)[0] for hold, _ in bound]
            off = [
                (at - np.clip(at, hold.low, hold.high))[rows]
                for at, (hold, rows) in zip(places, bound, strict=True)
            ]
            r = np.concatenate([self.gaps(y, end).ravel(), *off])
            gap = float(np.abs(r).max())
            if gap < CLOSED or not gap < LOST:
                break
            if step is None or gap > AGAIN * before:
                step = self._factored(y, end, h, free, bound, max(parts, PARTS if made >= ROUGH else 1))
                made += 1
            before = gap
            if gap < least:
                best, least = y, gap
            by = -step(r).reshape(N + 1, m)
            if not np.abs(by).max() < LOST:
                break
            y = self._moved(y, by)
        if gap < least:
            best, least = y, gap
        return self.unpacked(nodes.T, best), least

    def gap(self, nodes: Nodes) -> float:
        """The widest gap between a node and where the step before it ends, taken in as many parts as it
        needs."""
        y = self.packed(nodes)
        end = self.advanced(y[:-1], nodes.T / (len(y) - 1), self.parts(nodes))
        return float(np.abs(self.gaps(y, end)).max())

    def _factored(
        self, y: Array, end: Array, h: float, free: Array, bound: list[tuple[NodeBound, Array]], parts: int
    ) -> Callable[[Array], Array]:
        """r → Jᵀ (J Jᵀ)⁻¹ r, for J with rows [… −A_k  1 …] of the steps, then those of the holds."""
        N, m = len(end), 2 * self.n
        E, P = self._tangents(y)[0], self._tangents(end)[1]
        A = P @ self.slopes(y[:-1], end, h, parts) @ E[:-1]
        A[0][:, ~free] = 0.0
        size = N * m
        H = np.zeros((sum(int(rows.sum()) for _, rows in bound), size + m))
        at = 0
        for hold, rows in bound:
            count = int(rows.sum())
            here = slice(hold.node * m, (hold.node + 1) * m)
            H[at : at + count, here] = (self._point(y[hold.node], hold)[1] @ E[hold.node])[rows]
            at += count
        H[:, :m][:, ~free] = 0.0
        M = np.zeros((size + len(H), size + len(H)))
        square = A @ A.transpose(0, 2, 1) + np.eye(m)
        for k in range(N):
            own = slice(k * m, (k + 1) * m)
            M[own, own] = square[k]
            if k:
                M[own, (k - 1) * m : k * m] = -A[k]
            M[size:, own] = H[:, (k + 1) * m : (k + 2) * m] - H[:, k * m : (k + 1) * m] @ A[k].T
        M[size:, size:] = H @ H.T
        M[np.diag_indices(len(M))] += TINY * M.diagonal().max()
        factor = cho_factor(M, lower=True, check_finite=False)

        def step(r: Array) -> Array:
            z = cho_solve(factor, r, check_finite=False)
            steps, out = z[:size].reshape(N, m), np.zeros((N + 1, m))
            out[1:] += steps
            out[:-1] -= (A.transpose(0, 2, 1) @ steps[:, :, None])[:, :, 0]
            return np.asarray(out.ravel() + H.T @ z[size:])

        return step

    def _point(self, y: Array, hold: NodeBound | LinkSamples) -> tuple[Array, Array]:
        """What a hold is about, and its slope."""
        key = (hold.link, hold.at, hold.kind)
        if key not in self._points:
            s = ca.SX.sym("y", self.size)
            c, Q, u = s[: self.n], s[self.n : self.n + self.q], s[self.n + self.q :]
            at = held_of(self.tree, hold, c, ca.reshape(Q, 4, self.tree.turns), u)
            self._points[key] = ca.Function("point", [s], [at, ca.densify(ca.jacobian(at, s))])
        at, J = self._points[key](y)
        return np.array(at).ravel(), np.array(J)

    def _bound(self, y: Array, hold: NodeBound) -> Array:
        """Which coordinates of a held point lie at a bound."""
        place, _ = self._point(y, hold)
        return (place <= hold.low + NEAR) | (place >= hold.high - NEAR)

    @functools.cached_property
    def fine(self) -> ca.Function:
        """One classical Runge–Kutta step (y, h) → y, made to be folded."""
        y, h = ca.MX.sym("y", self.size), ca.MX.sym("h")
        k1 = self.rate(y)
        k2 = self.rate(y + h / 2 * k1)
        k3 = self.rate(y + h / 2 * k2)
        k4 = self.rate(y + h * k3)
        return ca.Function("rk4", [y, h], [y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)])


def shooting(tree: Tree, g: Array) -> Shooting:
    """Of a tree under a gravity, kept with the tree."""
    kept: dict[tuple[float, ...], Shooting] = tree.__dict__.setdefault("shootings", {})
    key = tuple(g)
    if key not in kept:
        kept[key] = Shooting(tree, g)
    return kept[key]


def paths(tree: Tree, nodes: Nodes, link: int, at: ArrayLike) -> Array:
    """The places of a point of a link at all nodes."""
    x, R = tree.posed(nodes.c, nodes.Q)
    return np.asarray(x[:, link] + R[:, link] @ np.array(at, float))
