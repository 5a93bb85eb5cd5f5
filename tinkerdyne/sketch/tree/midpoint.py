"""The midpoint problem of a tree: steps joined by the implicit midpoint rule with inverse dynamics (M7; MS03
§6.3).

    min  Σ samples w |p − s|² + calm      s.t.  c₊ = c + h ū,   f(c̄, ū, (u₊ − u)/h) = 0,   points held,
    bounds on rates and angles,

with ū = (u + u₊)/2 and h = T/N. Its exact Hessian is cheap, and its solution is near that of the equations of
motion.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import casadi as ca
import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.language.symbols import SX
from tinkerdyne.objects.rotation import conjugate, exponential_of, multiplied, vector
from tinkerdyne.sketch.problem.formulas import turn_error
from tinkerdyne.sketch.problem.terms import Slices, Terms
from tinkerdyne.sketch.solve.ipopt import CAREFUL, Ipopt
from tinkerdyne.sketch.tree.tree import Tree
from tinkerdyne.sketch.tree.unknowns import DURATION, Coordinates, Held, Quaternions, Rates, Step, TrackAt

if TYPE_CHECKING:
    from tinkerdyne.sketch.tree.sketch import LinkSamples, NodeBound, TreeSketch

# rad/s and rad: bounds of joint rates, and of rotation vectors about those of the guess
RATE, ANGLE = 30.0, 2.6
FAST, FAR = 40.0, 1e3  # m/s and m: bounds of a free root
BOUND = 0.995  # of a bound: what lies beyond has run into it
# m: what held points are given where they are more rows than unknowns, as of a pin's point across its plane
WIDE = 1e-9
# m² s²: what a mean square rate of 1 rad²/s² costs, so that of motions that fit alike the calmer is found
CALM = 2e-4


@dataclass
class Nodes:
    """A motion of a tree: duration, and coordinates, quaternions and rates at its nodes."""

    T: float
    c: Array  # (N + 1, freedoms), zero where a quaternion stands for them
    Q: Array  # (N + 1, 4, turns)
    u: Array  # (N + 1, freedoms)


class Midpoint:
    """The terms of a tree and of the places of its samples and holds, and their solver; built once."""

    def __init__(self, sketch: TreeSketch) -> None:
        tree, N = sketch.tree, sketch.steps
        self.tree, self.N, self.x, self.p = tree, N, Slices(), Slices()
        self.x.add(DURATION, 1)
        for k in range(N + 1):
            self.x.add(Coordinates(k), tree.freedoms)
            self.x.add(Rates(k), tree.freedoms)
            self.p.add(Quaternions(k), 4 * tree.turns)
        for i, track in enumerate(sketch.tracks):
            for k in range(N + 1):
                self.p.add(TrackAt(i, k), 5 if track.times is None else 11)
        self.terms = Terms(self.x, self.p)
        self._steps(sketch.gravity)
        self._calm()
        for i, track in enumerate(sketch.tracks):
            (self._follow if track.times is None else self._follow_timed)(i, track)
        for i, hold in enumerate(sketch.holds):
            self._hold(i, hold)
        self.g = self.terms.g
        self.ipopt = Ipopt(self.terms, cold=CAREFUL)

    # --- terms -----------------------------------------------------------------------------------
    def _steps(self, g: Array) -> None:
        tree, N, n, q = self.tree, self.N, self.tree.freedoms, 4 * self.tree.turns
        scale = 1 / tree.weights()  # rows of forces become rows of velocities

        def step(y: SX, p: SX) -> tuple[SX, SX]:
            h = y[0] / N
            c0, u0, c1, u1 = (y[1 + i * n : 1 + (i + 1) * n] for i in range(4))
            Q0, Q1 = (_quaternions(tree, p[i * q : (i + 1) * q], c) for i, c in ((0, c0), (1, c1)))
            u = (u0 + u1) / 2
            f = tree.inverse_dynamics((c0 + c1) / 2, tree.turned(Q0, h / 2 * u), u, (u1 - u0) / h, g)
            rows = c1 - c0 - h * u
            moved = tree.turned(Q0, h * u)
            for k, at in enumerate(tree.moving.tolist()):
                rows[at] = turn_error(moved[:, k], Q1[:, k])
            return ca.SX(0), ca.vertcat(rows, h * scale * f)

        for k in range(N):
            y = self.x.indices(DURATION, Coordinates(k), Rates(k), Coordinates(k + 1), Rates(k + 1))
            self.terms.add("step", y, self.p.indices(Quaternions(k), Quaternions(k + 1)), step, Step(k))

    def _calm(self) -> None:
        for k in range(self.N + 1):
            y = self.x.indices(Rates(k))[spinning(self.tree)]
            self.terms.add(
                "calm", y, self.p.indices(), lambda y, _p: (CALM / (self.N + 1) * ca.sumsqr(y), ca.SX(0, 1))
            )

    def _follow(self, i: int, track: LinkSamples) -> None:
        tree, q = self.tree, 4 * self.tree.turns

        def misfit(y: SX, p: SX) -> tuple[SX, SX]:
            at = place_of(tree, track.link, track.at, y, _quaternions(tree, p[:q], y))
            a, b, rest = p[q], p[q + 1 : q + 4], p[q + 4]
            return a * ca.sumsqr(at) - 2 * ca.dot(b, at) + rest, ca.SX(0, 1)

        for k in range(self.N + 1):
            self.terms.add(
                ("sample", i),
                self.x.indices(Coordinates(k)),
                self.p.indices(Quaternions(k), TrackAt(i, k)),
                misfit,
            )

    def _follow_timed(self, i: int, track: LinkSamples) -> None:
        """Samples in step k, at times t: Σ w |p + (t N/T − k) (p₊ − p) − s|², so that they keep their times
        whatever T becomes."""
        tree, q, n, N = self.tree, 4 * self.tree.turns, self.tree.freedoms, self.N

        def place(c: SX, ref: SX) -> SX:
            return place_of(tree, track.link, track.at, c, _quaternions(tree, ref, c))

        def misfit(y: SX, p: SX) -> tuple[SX, SX]:
            a, b = place(y[1 : 1 + n], p[:q]), place(y[1 + n :], p[q : 2 * q])
            k, w, wt, wtt, ws, wts, wss = ca.vertsplit(p[2 * q :], [0, 1, 2, 3, 4, 7, 10, 11])
            d, r = b - a, N / y[0]
            e = a - k * d
            cost = w * ca.sumsqr(e) + 2 * r * wt * ca.dot(e, d) + r**2 * wtt * ca.sumsqr(d)
            return cost - 2 * ca.dot(e, ws) - 2 * r * ca.dot(d, wts) + wss, ca.SX(0, 1)

        for k in range(N):
            y = self.x.indices(DURATION, Coordinates(k), Coordinates(k + 1))
            self.terms.add(
                ("timed", i), y, self.p.indices(Quaternions(k), Quaternions(k + 1), TrackAt(i, k)), misfit
            )

    def _hold(self, i: int, hold: NodeBound) -> None:
        def place(y: SX, p: SX) -> tuple[SX, SX]:
            c, u = y[:n], y[n:]
            return ca.SX(0), held_of(self.tree, hold, c, _quaternions(self.tree, p, c), u)

        k, n = hold.node, self.tree.freedoms
        ys = self.x.indices(Coordinates(k), *([] if hold.kind == "place" else [Rates(k)]))
        self.terms.add(("hold", i), ys, self.p.indices(Quaternions(k)), place, Held(i))

    # --- numbers ---------------------------------------------------------------------------------
    def vectors(self, sketch: TreeSketch, nodes: Nodes, shares: list[Array]) -> dict[str, Array]:
        """Start, parameters and bounds: quaternions are the references of their nodes, the bodies' own poses
        that of the first."""
        tree, N, x, p = self.tree, self.N, np.zeros(self.x.size), np.zeros(self.p.size)
        lbx, ubx = np.zeros(self.x.size), np.zeros(self.x.size)
        lbg, ubg = np.zeros(self.g.size), np.zeros(self.g.size)
        c0, Q0 = tree.configuration()
        c0[tree.moving.ravel()] = 0.0
        angles, rates = np.full(tree.freedoms, np.inf), np.full(tree.freedoms, RATE)
        angles[tree.moving.ravel()] = ANGLE
        for link in tree.links:
            if link.joint == "free":
                angles[link.first : link.first + 3], rates[link.first : link.first + 3] = FAR, FAST
        at = self.x.parts[DURATION]
        x[at], lbx[at], ubx[at] = nodes.T, *sketch.longest
        for k in range(N + 1):
            c, u = self.x.parts[Coordinates(k)], self.x.parts[Rates(k)]
            x[c], x[u] = nodes.c[k], nodes.u[k]
            p[self.p.parts[Quaternions(k)]] = (Q0 if k == 0 else nodes.Q[k]).ravel(order="F")
            lbx[c], ubx[c], lbx[u], ubx[u] = -angles, angles, -rates, rates
        first = self.x.parts[Coordinates(0)]
        for j, freedoms in enumerate(tree.moving):
            x[first.start + freedoms] = vector(multiplied(conjugate(Q0[:, j]), nodes.Q[0][:, j]))
        lbx[first], ubx[first] = c0 + sketch.start_low, c0 + sketch.start_high
        for i, track in enumerate(sketch.tracks):
            for k, row in enumerate(
                _spread(track, shares[i], N) if track.times is None else _timed(track, nodes.T, N)
            ):
                p[self.p.parts[TrackAt(i, k)]] = row
        for i, hold in enumerate(sketch.holds):
            lbg[self.g.parts[Held(i)]], ubg[self.g.parts[Held(i)]] = hold.low, hold.high
        if np.sum(lbg == ubg) > np.sum(lbx < ubx):
            for i in range(len(sketch.holds)):
                at = self.g.parts[Held(i)]
                lbg[at], ubg[at] = lbg[at] - WIDE, ubg[at] + WIDE
        return {"x0": np.clip(x, lbx, ubx), "p": p, "lbx": lbx, "ubx": ubx, "lbg": lbg, "ubg": ubg}

    def bound(self, x: Array) -> str:
        """What a solution runs into that no sketch asked for, in words; nothing where it is free."""
        u = np.abs(np.array([x[self.x.parts[Rates(k)]] for k in range(self.N + 1)])).max(axis=0)
        if u[spinning(self.tree)].max(initial=0.0) > BOUND * RATE:
            return f"A joint turns as fast as is looked for, {RATE:g} rad/s; a faster motion may fit better."
        if np.delete(u, spinning(self.tree)).max(initial=0.0) > BOUND * FAST:
            return f"The root is as fast as is looked for, {FAST:g} m/s; a faster motion may fit better."
        return (
            "A ball or a free body turned as far from its first guess as is looked for."
            if self.is_far(x)
            else ""
        )

    def is_far(self, x: Array) -> bool:
        """Whether a rotation vector of a later node lies at its bound, so that the charts must be laid
        anew."""
        at = [self.x.indices(Coordinates(k))[self.tree.moving.ravel()] for k in range(1, self.N + 1)]
        return bool(np.abs(x[np.concatenate(at)]).max(initial=0.0) > BOUND * ANGLE)

    def nodes(self, x: Array, p: Array) -> Nodes:
        """The motion of a solution."""
        tree, N = self.tree, self.N
        c, u = (np.array([x[self.x.parts[key(k)]] for k in range(N + 1)]) for key in (Coordinates, Rates))
        Q = np.array([p[self.p.parts[Quaternions(k)]].reshape(4, -1, order="F") for k in range(N + 1)])
        for j, at in enumerate(tree.moving):
            for k in range(N + 1):
                Q[k, :, j] = multiplied(Q[k, :, j], exponential_of(c[k, at]))
        c[:, tree.moving.ravel()] = 0.0
        return Nodes(float(x[self.x.parts[DURATION]][0]), c, Q, u)


def midpoint(sketch: TreeSketch) -> Midpoint:
    """The problem of a sketch, kept with its tree for sketches of the same form."""
    kept: dict[Hashable, Midpoint] = sketch.tree.__dict__.setdefault("problems", {})
    key = (sketch.steps, tuple(sketch.gravity), tuple((t.link, t.at, t.times is None) for t in sketch.tracks),
           tuple(h.form for h in sketch.holds))  # fmt: skip
    if key not in kept:
        kept[key] = Midpoint(sketch)
    return kept[key]


def spinning(tree: Tree) -> Array:
    """The freedoms that turn."""
    return np.array([i for link in tree.links for i in range(link.first, link.freedoms.stop)
                     if link.joint != "free" or i >= link.first + 3])  # fmt: skip


def place_of(tree: Tree, link: int, at: tuple[float, ...], c: SX, Q: SX) -> SX:
    """The place of a point of a link."""
    m = tree.poses(c, Q)[link]
    return m.x + m.R @ np.array(at)


def held_of(tree: Tree, hold: NodeBound | LinkSamples, c: SX, Q: SX, u: SX) -> SX:
    """The place or velocity of a held point, or the spin of its link in its own axes."""
    if hold.kind == "place":
        return place_of(tree, hold.link, hold.at, c, Q)
    m = tree.moving_poses(c, Q, u)[hold.link]
    if hold.kind == "spin":
        return m.R.T @ m.w
    return m.v + ca.cross(m.w, m.R @ np.array(hold.at))


def held_along(tree: Tree, nodes: Nodes, hold: NodeBound) -> Array:
    """What is held of a link, at all nodes."""
    if hold.kind == "place":
        x, R = tree.posed(nodes.c, nodes.Q)
        return np.asarray(x[:, hold.link] + R[:, hold.link] @ np.array(hold.at))
    n, turns = tree.freedoms, tree.turns
    kept: dict[Hashable, ca.Function] = tree.__dict__.setdefault("held", {})
    if hold.form not in kept:
        c, Q, u = ca.SX.sym("c", n), ca.SX.sym("Q", 4, turns), ca.SX.sym("u", n)
        kept[hold.form] = ca.Function("held", [c, Q, u], [held_of(tree, hold, c, Q, u)])
    count = len(nodes.c)
    Q = nodes.Q.transpose(1, 0, 2).reshape(4, -1)
    return np.array(kept[hold.form].map(count)(nodes.c.T, Q, nodes.u.T)).T


def _quaternions(tree: Tree, ref: SX, c: SX) -> SX:
    """Q = Q_ref ⊗ exp(θ), the rotation vectors standing among the coordinates."""
    return tree.turned(ca.reshape(ref, 4, tree.turns), c)


def _spread(track: LinkSamples, share: Array, N: int) -> Array:
    """Samples shared out between the nodes around their times: Σ w |p − s|² = a |p|² − 2 b·p + rest at each
    node, (N + 1, 5)."""
    out = np.zeros((N + 1, 5))
    for s, place in zip(share * N, track.places, strict=True):
        k = min(int(s), N - 1)
        row = track.weight * np.array((1.0, *place, place @ place))
        out[k] += (1 - (s - k)) * row
        out[k + 1] += (s - k) * row
    return out


def _timed(track: LinkSamples, T: float, N: int) -> Array:
    """Of the samples that lie in each step: its number, and Σ w, Σ w t, Σ w t², Σ w s, Σ w t s, Σ w |s|², (N,
    11)."""
    out = np.zeros((N, 11))
    out[:, 0] = np.arange(N)
    assert track.times is not None
    for t, s in zip(track.times, track.places, strict=True):
        out[min(int(t / T * N), N - 1), 1:] += track.weight * np.array((1.0, t, t * t, *s, *(t * s), s @ s))
    return out
