"""First guesses of the motion of a tree: thrown along its samples, led along timed ones, or swung and led to
places (M7)."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from scipy.signal import savgol_filter

from tinkerdyne.language.arrays import Array
from tinkerdyne.objects.rotation import exponential_of, multiplied
from tinkerdyne.sketch.solve import fit
from tinkerdyne.sketch.tree.midpoint import RATE, Nodes, held_along
from tinkerdyne.sketch.tree.shooting import Shooting, paths, shooting

if TYPE_CHECKING:
    from tinkerdyne.sketch.tree.sketch import NodeBound, TreeSketch

MET = 1e-8  # a gap, and a place that is off, that count as none
SWINGS, FINE = 16, 96  # motions of a clamped tree that a first guess is chosen from, and the steps of each
# how many of them are led to where points must be, and the least part of the way at a time
LED, LEAST = 4, 0.02
HASTE = 0.3  # m/s: of motions that come near alike the shorter is taken, which depends less on how it begins
TRIED = 8.0  # rad/s: their joint rates, from none to these
# steps that follow the samples: how many, least slope of the largest, and their size [m, rad]
LOOKS, BLIND, LARGE = 4, 1e-2, 1.0
# nodes, an odd number: rates along samples are those of lines through so many, since a hand trembles
EVEN = 7
WILD = 1.5  # rad/s: joint rates of a first guess that is thrown about


def stays(sketch: TreeSketch, nodes: Nodes) -> Array:
    """Which coordinates of the first node stay: those that are told, and those at the bounds of the region to
    begin in."""
    c0, _ = sketch.tree.configuration()
    away = np.abs(nodes.c[0] - c0) >= sketch.start_high - 1e-6
    away[sketch.tree.moving.ravel()] = False
    return np.asarray((sketch.start_high <= 0) | away)


def closed(sketch: TreeSketch, nodes: Nodes, holds: list[NodeBound] | None = None) -> tuple[Nodes, float]:
    """The motion of the equations of motion themselves; what lies at the bounds of the region to begin in
    stays there."""
    rates, held = shooting(sketch.tree, sketch.gravity), sketch.holds if holds is None else holds
    near, gap = rates.close(nodes, stays(sketch, nodes), held)
    parts = rates.parts(near) if gap <= MET else 1
    return rates.close(near, stays(sketch, near), held, parts) if parts > 1 else (near, gap)


def guess(sketch: TreeSketch, seed: int = 0, *, swings: bool = True) -> Nodes:
    """The tree as it is now, thrown so that the followed points fly through their samples; seed 0 is the fit
    itself. A clamped tree swings, or else stays as it is."""
    if sketch.timed and swings and not seed:
        return _traced(sketch)
    tree, N = sketch.tree, sketch.steps
    rng = np.random.default_rng(seed)
    c, Q = tree.configuration()
    is_free = tree.links[0].joint == "free"
    if swings and not is_free:
        return _swung(sketch, rng)
    low, high = sketch.longest
    T, v = (low + high) / 2, np.zeros(3)
    thrown = _paths(sketch) if is_free else []
    if thrown:
        extent = max(float(np.linalg.norm(np.ptp(np.concatenate(thrown), axis=0))), 1e-3)
        g = float(np.linalg.norm(sketch.gravity))
        times = np.clip(fit.SCAN * math.sqrt(extent / g) if g else np.linspace(low, high, 8), low, high)
        costs, _, speeds, _ = fit.fitted(thrown, sketch.gravity, times)
        best = int(costs.argmin())
        T, v = float(times[best]), np.mean([one[best] for one in speeds], axis=0)
    if sketch.timed:
        T = low
    u = np.zeros(tree.freedoms)
    if seed:
        longer = float(np.clip(T * np.exp(0.18 * rng.normal()), low, high)) if not sketch.timed else T
        if thrown:
            v = v * T / longer - sketch.gravity * (longer - T**2 / longer) / 2  # the same end, later
        T = longer
        u = WILD * rng.normal(size=tree.freedoms)
    if is_free:
        u[:3] = v
    t = np.linspace(0, T, N + 1)
    cs, us, Qs = c + np.outer(t, u), np.tile(u, (N + 1, 1)), np.tile(Q, (N + 1, 1, 1))
    for j, at in enumerate(tree.moving):
        for k in range(N + 1):
            Qs[k, :, j] = multiplied(Q[:, j], exponential_of(t[k] * u[at]))
    if is_free:
        cs[:, :3] += np.outer(t**2 / 2, sketch.gravity)
        us[:, :3] += np.outer(t, sketch.gravity)
    cs[:, tree.moving.ravel()] = 0.0
    return Nodes(T, cs, Qs, us)


def _swung(sketch: TreeSketch, rng: np.random.Generator) -> Nodes:
    """Of several motions of a clamped tree, from rest and from random rates, each for several times, that
    which fits best."""
    (low, high), rates = sketch.longest, shooting(sketch.tree, sketch.gravity)
    c, Q = sketch.tree.configuration()
    c[sketch.tree.moving.ravel()] = 0.0
    u = np.linspace(0, TRIED, SWINGS)[:, None] * rng.normal(size=(SWINGS, sketch.tree.freedoms))
    begin = rates.packed(Nodes(high, np.tile(c, (SWINGS, 1)), np.tile(Q, (SWINGS, 1, 1)), u))
    h = high / FINE
    motion = [begin]
    for _ in range(FINE):
        motion.append(rates.step(motion[-1], h))
    ends = [k for k in range(1, FINE + 1) if k * h >= low - h / 2]
    scores = []
    for i in range(SWINGS):
        whole = rates.unpacked(high, np.array([one[i] for one in motion]))
        if all(np.isfinite(part).all() for part in (whole.c, whole.Q, whole.u)):
            each = [(math.sqrt(_misfit(sketch, whole, k)) + HASTE * k * h, k) for k in ends]
            scores.append((*min(each), i))
    first: Nodes | None = None
    for _, k, i in sorted(scores)[:LED]:
        T = float(np.clip(k * h, low, high))
        rows = [begin[[i]]]
        for _ in range(sketch.steps):
            rows.append(rates.step(rows[-1], T / sketch.steps))
        nodes = rates.unpacked(T, np.concatenate(rows))
        if first is None:
            first = nodes
        led, is_there = _led(sketch, nodes)
        if is_there:
            return led
    return first if first is not None else guess(sketch, swings=False)


def _traced(sketch: TreeSketch) -> Nodes:
    """The tree led along its timed samples, in the least steps that follow them; beyond the last it moves as
    it does by itself, for as long as brings held points nearest to their places."""
    rates, (low, high), N = shooting(sketch.tree, sketch.gravity), sketch.longest, sketch.steps
    n, h = sketch.tree.freedoms, sketch.timed / N
    c, Q = sketch.tree.configuration()
    c[sketch.tree.moving.ravel()] = 0.0
    rows = [rates.packed(Nodes(0.0, c[None], Q[None], np.zeros((1, n))))]
    moves = []
    for k in range(N + 1):
        y = rows[-1]
        for _ in range(LOOKS if k else 0):
            y = rates._moved(y, _towards_samples(sketch, rates, y, k * h))
        moves.append(rates.gaps(np.concatenate([rows[-1], y]), rows[-1])[0, :n])
        rows.append(y)
    speeds = savgol_filter(
        np.gradient(np.cumsum(moves, axis=0), h, axis=0), min(EVEN, (N + 1 - N % 2)), 1, axis=0
    )
    rows = rows[1:]
    for y, speed in zip(rows, speeds, strict=True):
        y[:, n + rates.q :] = speed
    while len(rows) * h < high and len(rows) < 10 * N:
        rows.append(rates.step(rows[-1], h))
    y = np.concatenate(rows)
    whole = rates.unpacked(h * (len(y) - 1), y[: 1 + max(N, int(np.isfinite(y).all(axis=1).sum()) - 1)])
    ends = [k for k in range(N, len(whole.c)) if low - h / 2 <= k * h <= high + h / 2] or [N]
    T = float(np.clip(h * min(ends, key=lambda k: _misfit(sketch, whole, k)), low, high))
    at = np.minimum(np.linspace(0, T / h, N + 1), len(whole.c) - 1)
    k = np.minimum(at.astype(int), len(whole.c) - 2)
    share = (at - k)[:, None]
    y = (1 - share) * y[k] + share * y[k + 1]
    for t in rates._turns(y):
        y[:, t] /= np.linalg.norm(y[:, t], axis=1, keepdims=True)
    return rates.unpacked(T, y)


def _towards_samples(sketch: TreeSketch, rates: Shooting, y: Array, time: float) -> Array:
    """The least step of a configuration that takes followed points to where their samples are at a time."""
    E, J, r = rates._tangents(y)[0][0][:, : rates.n], [], []
    for track in sketch.tracks:
        if track.times is not None and track.times[0] <= time <= track.times[-1] + 1e-9:
            at, slope = rates._point(y[0], track)
            J.append(slope @ E)
            r.append([np.interp(time, track.times, track.places[:, k]) for k in range(3)] - at)
    by = np.zeros((1, 2 * rates.n))
    if J:
        by[0, : rates.n] = np.clip(
            np.linalg.lstsq(np.concatenate(J), np.concatenate(r), rcond=BLIND)[0], -LARGE, LARGE
        )
    return by


def _led(sketch: TreeSketch, nodes: Nodes) -> tuple[Nodes, bool]:
    """A motion changed little by little, each a true one, until the held points are where they must be; and
    whether they are."""
    places = [held_along(sketch.tree, nodes, hold)[hold.node] for hold in sketch.holds]
    done, part = 0.0, 0.25
    while done < 1 and part > LEAST:
        share = min(1.0, done + part)
        holds = [replace(hold, low=low, high=high) for hold, at in zip(sketch.holds, places, strict=True)
                 for low, high in [_towards(at, hold, share)]]  # fmt: skip
        closer, gap = closed(sketch, nodes, holds)
        if gap <= MET and np.abs(closer.u).max() < RATE:
            nodes, done, part = closer, share, 1.5 * part
        else:
            part /= 2
    return nodes, done >= 1


def _towards(at: Array, hold: NodeBound, share: float) -> tuple[Array, Array]:
    """The bounds of a held point, moved so far from where it is."""
    rest = (1 - share) * (at - np.clip(at, hold.low, hold.high))
    return hold.low + rest, hold.high + rest


def _misfit(sketch: TreeSketch, whole: Nodes, end: int) -> float:
    """How far a motion that ends at a moment is from what is asked of it [m²]."""
    out = 0.0
    for hold in sketch.holds:
        at = held_along(sketch.tree, whole, hold)[round(end * hold.node / sketch.steps)]
        out += float(((at - np.clip(at, hold.low, hold.high)) ** 2).sum())
    for track in sketch.tracks:
        n = len(track.places)
        when = np.linspace(0, end, n) if track.times is None else track.times / whole.T * (len(whole.c) - 1)
        at = paths(sketch.tree, whole, track.link, track.at)[np.round(when).astype(int)]
        out += track.weight * float(((at - track.places) ** 2).sum()) / n
    return out


def _paths(sketch: TreeSketch) -> list[Array]:
    """What a free root is thrown along: the samples, or the way to where a point must be at the end."""
    if sketch.tracks:
        return [track.places for track in sketch.tracks]
    c, Q = sketch.tree.configuration()
    x, R = sketch.tree.posed(c[None], Q[None])
    for hold in sketch.holds:
        if hold.node == sketch.steps and hold.kind == "place":
            here = x[0, hold.link] + R[0, hold.link] @ np.array(hold.at)
            return [np.stack([here, np.clip(here, hold.low, hold.high)])]
    return []
