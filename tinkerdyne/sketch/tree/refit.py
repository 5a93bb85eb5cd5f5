"""Refitting: the first node and the duration of a tree's motion, so that its samples lie on the motion itself
(M7).

    min  Σ w |p(t) − s|² + λ Σ |u|²/(N + 1)      s.t.  held points are where they must be,

by Gauss–Newton steps in the directions that the held points leave, over single shooting with the method of
order 8. Samples keep their times, or lie where the motion passes them nearest: of their misfits only what is
across the motion then counts (variable projection). λ is that of the midpoint problem where samples are
rough, and falls with the misfit: a motion that fits exactly is found as it was.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.sketch.solve.parallel import Wanted
from tinkerdyne.sketch.tree.midpoint import CALM, Nodes, held_along, spinning
from tinkerdyne.sketch.tree.shooting import NEAR, paths, shooting

if TYPE_CHECKING:
    from tinkerdyne.sketch.tree.sketch import LinkSamples, TreeSketch

EXACT, FINEST = 1e-8, 16  # what halving the steps may change in the end, and the most parts of one
MOST, NEARLY = 15, 1e-4  # steps with whole steps of the motion, and the size of one that ends them
FEW, STILL = 8, 1e-9  # then, with fine ones
SHORT = 10  # halvings of a step
STEP = 1e-7  # m, rad, rad/s: differences that slopes are made of
ROUGH = 0.01  # m: a misfit, root mean square, from which on the whole λ counts
# m: misfits that the first and the second step promise only to a sketch without a tremor
CLEAN = (1e-2, 2e-3)
LITTLE = 1e-4  # of what a step makes less: a smaller part is none
BLIND = 1e-6  # of the largest slope of the held points: directions that move them less do not
# steps in which samples without times find the nearest moment, and s between looks at a speed
SOUGHT, TICK = 4, 1e-4
TINY = 1e-12  # m²/s²


class Refit:
    """A sketch with samples, a motion (its first node y, its duration T) and what of them is free."""

    def __init__(self, sketch: TreeSketch, nodes: Nodes, shares: list[Array], fixed: Array) -> None:
        self.sketch, self.shares, self.rates = sketch, list(shares), shooting(sketch.tree, sketch.gravity)
        self.n, (low, high) = sketch.tree.freedoms, sketch.longest
        self.y, self.T = self.rates.packed(nodes)[:1], nodes.T
        self.free = np.flatnonzero(np.concatenate([~fixed, np.ones(self.n, bool), [low < high]]))
        self.calm = spinning(sketch.tree)
        self.weight = sum(track.weight * len(track.places) for track in sketch.tracks)
        self.worth = 0.0  # of a metre that a held point is off [m]
        self.parts = 1  # of a step
        # m: the misfit, root mean square, of a step if all were straight and calm cost nothing
        self.promised = math.inf

    def motion(self, y: Array, T: Array) -> Array:
        """(N + 1, m, size): the nodes of m motions from their first ones y (m, size) and durations T (m,)."""
        rows = [y]
        for _ in range(self.sketch.steps):
            rows.append(self.step(rows[-1], T / self.sketch.steps))
        return np.array(rows)

    def step(self, y: Array, h: Array) -> Array:
        """So far on from each row of y, in as many steps as it takes."""
        for _ in range(self.parts):
            y = self.rates.step(y, h[:, None] / self.parts)
        return y

    def refine(self) -> None:
        """Cut the steps into parts until cutting them in two changes nothing."""
        T = np.array([self.T])
        end = self.motion(self.y, T)[-1]
        while self.parts < FINEST:
            self.parts *= 2
            before, end = end, self.motion(self.y, T)[-1]
            if np.abs(end - before).max() <= EXACT:
                break

    def rows(
        self, y: Array, T: Array, bound: list[Array] | None = None
    ) -> tuple[Array, Array, Array, list[Array]]:
        """Misfits (m, …), rates (m, …), places off (m, …) of m motions, and which coordinates of held points
        are at a bound."""
        sketch, tree, m = self.sketch, self.sketch.tree, len(y)
        nodes, h = self.motion(y, T), T / sketch.steps
        fits = [np.zeros((m, 0))]
        for track, share in zip(sketch.tracks, self.shares, strict=True):
            t = np.outer(T, share) if track.times is None else np.tile(track.times, (m, 1))  # (m, n)
            fits.append(
                (math.sqrt(track.weight) * (self.places(nodes, h, t, track) - track.places)).reshape(m, -1)
            )
        rest, held = [np.zeros((m, 0))], []
        for i, hold in enumerate(sketch.holds):
            at = held_along(tree, self.rates.unpacked(0.0, nodes[hold.node]), hold)
            held.append(
                (at[0] <= hold.low + NEAR) | (at[0] >= hold.high - NEAR) if bound is None else bound[i]
            )
            rest.append((at - np.clip(at[0], hold.low, hold.high))[:, held[i]])
        u = nodes[:, :, -tree.freedoms :][:, :, self.calm].transpose(1, 0, 2).reshape(m, -1) / math.sqrt(
            sketch.steps + 1
        )
        return np.concatenate(fits, axis=1), u, np.concatenate(rest, axis=1), held

    def places(self, nodes: Array, h: Array, t: Array, track: LinkSamples) -> Array:
        """(m, n, 3): where the point of a track is at times t (m, n) of m motions."""
        m = len(h)
        # a motion that is not finite has times that are none; its places are not finite either
        node = np.nan_to_num(t / h[:, None], posinf=self.sketch.steps, neginf=0.0)
        k = np.minimum(node.astype(int), self.sketch.steps - 1)
        begin = nodes[k, np.arange(m)[:, None]].reshape(-1, nodes.shape[2])
        then = self.step(begin, (t - k * h[:, None]).ravel())
        return paths(self.sketch.tree, self.rates.unpacked(0.0, then), track.link, track.at).reshape(m, -1, 3)

    def retimed(self, y: Array, T: float) -> tuple[list[Array], Array]:
        """Shares of the samples where a motion passes them nearest, in order, and (n, 3, 3) what of their
        misfits counts."""
        nodes, h = self.motion(y, np.array([T])), np.array([T / self.sketch.steps])
        shares, blocks = [], [np.zeros((0, 3, 3))]
        for track, share in zip(self.sketch.tracks, self.shares, strict=True):
            across = np.tile(np.eye(3), (len(track.places), 1, 1))
            if track.times is None:
                t = share * T
                for _ in range(SOUGHT):
                    before, at, after = (
                        self.places(nodes, h, (t + by)[None], track)[0] for by in (-TICK, 0.0, TICK)
                    )
                    v, bend = (after - before) / (2 * TICK), (after - 2 * at + before) / TICK**2
                    fast = (v * v).sum(axis=1) + TINY
                    # of |p − s|²/2, in time
                    curved = np.maximum(fast - ((track.places - at) * bend).sum(axis=1), fast)
                    to = t + np.clip(((track.places - at) * v).sum(axis=1) / curved, -h, h)
                    t = np.maximum.accumulate(np.clip(to, 0.0, T))
                freed = np.where((to > 0) & (to < T), 1 - np.sqrt(1 - fast / curved), 0.0)
                across -= (freed / fast)[:, None, None] * v[:, :, None] * v[:, None, :]
                share = t / T
            shares.append(share)
            blocks.append(across)
        return shares, np.concatenate(blocks)

    def loud(self, fit: Array) -> float:
        """λ [m² s²]."""
        return CALM * min(1.0, float(fit @ fit) / (self.weight * ROUGH**2))

    def improve(self) -> float:
        """One step, as long as it makes the motion better; its size, zero where none does."""
        m, n, (low, high) = len(self.free), self.n, self.sketch.longest
        self.shares, across = self.retimed(self.y, self.T)
        by = np.zeros((m + 1, 2 * n + 1))
        by[np.arange(1, m + 1), self.free] = STEP
        fit, u, off, bound = self.rows(
            self.rates._moved(np.repeat(self.y, m + 1, axis=0), by[:, :-1]), self.T + by[:, -1]
        )
        if not all(np.isfinite(part).all() for part in (fit, u, off)):
            return 0.0
        calm = math.sqrt(self.loud(fit[0]))
        fit = np.einsum("nij,mnj->mni", across, fit.reshape(m + 1, -1, 3)).reshape(m + 1, -1)
        r, c = np.concatenate([fit[0], calm * u[0]]), off[0]
        J, A = (
            np.concatenate([(fit[1:] - fit[0]).T, calm * (u[1:] - u[0]).T]) / STEP,
            (off[1:] - off[0]).T / STEP,
        )
        U, S, V = np.linalg.svd(A)
        rank = int(np.count_nonzero(S / S.max(initial=BLIND) > BLIND))
        first, Z = -V[:rank].T @ ((U[:, :rank].T @ c) / S[:rank]), V[rank:].T
        d = first + Z @ np.linalg.lstsq(J @ Z, -(r + J @ first), rcond=1e-10)[0]
        whole, slope = fit[0] + J[: fit.shape[1]] @ first, J[: fit.shape[1]] @ Z
        left = whole - slope @ np.linalg.lstsq(slope, whole, rcond=1e-10)[0]
        self.promised = math.sqrt(float(left @ left) / self.weight)
        pull = np.linalg.lstsq(A.T, 2 * J.T @ (r + J @ d), rcond=BLIND)[0]
        self.worth = max(self.worth, 2 * float(np.abs(pull).max(initial=0.0)))
        before, step, shares = float(r @ r + self.worth * np.abs(c).sum()), np.zeros(2 * n + 1), self.shares
        for k in range(SHORT):
            step[self.free] = d / 2**k
            y, T = self.rates._moved(self.y, step[None, :-1]), float(np.clip(self.T + step[-1], low, high))
            found = self.retimed(y, T)[0]
            if not all(np.isfinite(one).all() for one in found):  # so far no motion can be followed
                continue
            self.shares = found
            f, v, o = (part[0] for part in self.rows(y, np.array([T]), bound)[:3])
            after = float(f @ f + calm**2 * (v @ v) + self.worth * np.abs(o).sum())
            if after < before:
                self.y, self.T = y, T
                if T in (low, high):
                    self.free = self.free[self.free < 2 * n]
                return float(np.abs(step).max()) if after < (1 - LITTLE) * before else 0.0
        self.shares = shares
        return 0.0


def refitted(
    sketch: TreeSketch,
    nodes: Nodes,
    shares: list[Array],
    fixed: Array,
    wanted: Wanted | None = None,
    *,
    always: bool = False,
) -> tuple[Nodes, list[Array], float] | None:
    """The motion near a given one that fits best, its samples' shares and its cost [m²]; fixed: what of the
    first node stays.

    None where no sample has a time and a tremor hides what it would find, unless it is wanted always.
    """
    R = Refit(sketch, nodes, shares, fixed)
    if not np.isfinite(R.motion(R.y, np.array([R.T]))).all():  # whole steps are too long for it
        R.refine()
    for k in range(MOST):
        is_done = R.improve() < NEARLY
        if not always and not sketch.timed and R.promised > CLEAN[min(k, 1)]:
            return None
        if is_done or (wanted is not None and not wanted()):
            break
    R.refine()
    for _ in range(FEW):
        if R.improve() < STILL or (wanted is not None and not wanted()):
            break
    if not sketch.timed and all(hold.node == 0 for hold in sketch.holds):  # it ends with the last sample
        T = max(sketch.longest[0], R.T * max(float(share[-1]) for share in R.shares))
        R.T, R.shares = T, [share * (R.T / T) for share in R.shares]
    fit, u = (part[0] for part in R.rows(R.y, np.array([R.T]))[:2])
    shares = [
        share if track.times is None else track.times / R.T
        for track, share in zip(sketch.tracks, R.shares, strict=True)
    ]
    return (
        R.rates.unpacked(R.T, R.motion(R.y, np.array([R.T]))[:, 0]),
        shares,
        float(fit @ fit + R.loud(fit) * (u @ u)),
    )
