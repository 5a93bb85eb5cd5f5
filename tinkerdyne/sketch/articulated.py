"""Sketches of articulated trees (M7): a chain thrown to a hook, a pendulum that must pass a point (MS03 §6.3).

The motion is cut into equal steps. The first solve joins them by the implicit midpoint rule with inverse dynamics,
f(c̄, ū, (u₊ − u)/h) = 0, whose exact Hessian is cheap; then minimum-norm Newton steps close the gaps of multiple shooting with
a Runge–Kutta method of order 8 between the same nodes, and the motion is that of the equations of motion themselves.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import casadi as ca
import numpy as np
from scipy.linalg import qr, solve_triangular

from tinkerdyne.behaviors.forces import gravity as gravity_field
from tinkerdyne.kernel.item import Item, label, number, vector
from tinkerdyne.recording import Recording
from tinkerdyne.sketch import start
from tinkerdyne.sketch.assign import distances, monotone, refined
from tinkerdyne.sketch.flight import Array, _tableau, quaternion_of
from tinkerdyne.sketch.problem import turn_error
from tinkerdyne.sketch.statement import exponential, multiplied
from tinkerdyne.sketch.story import point_of, samples
from tinkerdyne.sketch.terms import OPTIONS, Layout, Terms, ipopt
from tinkerdyne.sketch.tree import Tree
from tinkerdyne.world import World

STEPS = 24  # of the motion
RATE, ANGLE = 30.0, 2.6  # rad/s and rad: bounds of joint rates and angles
FAST = 40.0  # m/s
ROUNDS = 4
CALM = 2e-4  # m² s²: what a mean square rate of 1 rad²/s² costs, so that of motions that fit alike the calmer is found
CLOSED = 1e-10  # a gap of multiple shooting that is closed


@dataclass(frozen=True)
class Track:
    """Samples of a point of a link: places (n, 3), times or none."""

    link: int
    at: tuple[float, ...]
    places: Array
    times: Array | None
    weight: float


@dataclass(frozen=True)
class Hold:
    """A point of a link between two places at a node."""

    link: int
    at: tuple[float, ...]
    low: Array
    high: Array
    node: int


class TreeSketch:
    """What is asked of the motion of a tree: where it starts, where points of it go, where they must be."""

    def __init__(self, tree: Tree, *, gravity: Any = (0.0, 0.0, -9.81), steps: int = STEPS, name: str = "sketch of a tree") -> None:
        if not isinstance(tree, Tree):
            raise TypeError(f"a TreeSketch is made of a Tree, not of {tree!r}")
        if isinstance(steps, bool) or not isinstance(steps, int) or steps < 4:
            raise ValueError(f"steps must be a whole number of at least 4, not {steps!r}")
        self.tree, self.steps, self.name = tree, steps, name
        self.gravity = np.array(vector("gravity", gravity, length=3))
        self.tracks: list[Track] = []
        self.holds: list[Hold] = []
        n = tree.freedoms
        self.start_low, self.start_high = np.zeros(n), np.zeros(n)  # around the bodies' own poses
        self.duration = (0.1, 3.0)

    def follow(self, body: Item, places: Any, *, at: Any = (0.0, 0.0, 0.0), times: Any = None, weight: float = 1.0) -> None:
        """Soft samples of a point of a body [m], with times since the beginning [s] if they count."""
        rows = samples(f"places of {label(body)}", places, 3)
        t = None if times is None else np.array(vector(f"times of {label(body)}", times))
        if t is not None and (len(t) != len(rows) or np.any(np.diff(t) < 0)):
            raise ValueError(f"times of {label(body)} must be as many as its places, {len(rows)}, and rise")
        self.tracks.append(Track(self._link(body), point_of(body, f"at of {label(body)}", at), rows, t, number("weight", weight)))

    def want(self, body: Item, place: Any, *, at: Any = (0.0, 0.0, 0.0), when: str | float = "end") -> None:
        """A point of a body is at a place, or between two, at the start, the end, or a share of the motion (hard)."""
        share = {"start": 0.0, "end": 1.0}.get(when, when) if isinstance(when, str) else number("when", when)
        if isinstance(share, str) or not 0 <= share <= 1:
            raise ValueError(f'when must be "start", "end" or a share of the motion between 0 and 1, not {when!r}')
        rows = np.array(place, float)
        rows = np.stack([rows, rows]) if rows.shape == (3,) else rows
        if rows.shape != (2, 3) or np.isnan(rows).any() or not np.all(rows[0] <= rows[1]):
            raise ValueError(f"the place of {label(body)} must be three numbers, or two such rows that bound it, not {place!r}")
        local = point_of(body, f"at of {label(body)}", at)
        self.holds.append(Hold(self._link(body), local, rows[0], rows[1], round(share * self.steps)))

    def begin(self, *, within: float | None = None, angle: float | None = None) -> None:
        """The motion starts in the bodies' own poses, or within so many metres and radians of them; infinite: anywhere."""
        far = 0.0 if within is None else number("within", within, finite=False)
        turn = 0.0 if angle is None else number("angle", angle, finite=False)
        if far < 0 or turn < 0:
            raise ValueError(f"a region to begin in must not be negative, not {within!r} m and {angle!r} rad")
        for link in self.tree.links:
            at = link.freedoms
            self.start_high[at] = min(turn, ANGLE)
            if link.joint == "free":
                self.start_high[link.first : link.first + 3] = far
        self.start_low = -self.start_high

    def lasts(self, low: float, high: float) -> None:
        """The motion lasts between two times [s]."""
        if not 0 < number("low", low) <= number("high", high):
            raise ValueError(f"a motion lasts between two positive times in order, not {low!r} and {high!r}")
        self.duration = (low, high)

    def _link(self, body: Item) -> int:
        for k, link in enumerate(self.tree.links):
            if link.item is body:
                return k
        raise ValueError(f"{label(body)} is not a link of this tree")

    def solve(self, *, near: TreeSolution | None = None, progress: Callable[[int, int, float], None] | None = None,
              cancel: Callable[[], bool] | None = None) -> TreeSolution:  # fmt: skip
        """The motion that fits best; near: the solution of a sketch of the same form, from which this one is started warm."""
        if not self.tracks and not self.holds:
            raise ValueError("the sketch asks for nothing: follow a point, or say where one must be")
        return _Solve(self, near, progress, cancel).run()


class _Problem:
    """The midpoint problem of a tree and of the places of its samples and holds, built once."""

    def __init__(self, sketch: TreeSketch) -> None:
        tree, N = sketch.tree, sketch.steps
        self.tree, self.N = tree, N
        n, q = tree.freedoms, 4 * tree.turns
        x, p = Layout(), Layout()
        x.add("T", 1)
        for k in range(N + 1):
            x.add(f"c {k}", n)
            x.add(f"u {k}", n)
            p.add(f"Q {k}", q)
        for i in range(len(sketch.tracks)):
            for k in range(N + 1):
                p.add(f"sample {i},{k}", 5)
        self.x, self.p = x, p
        terms = Terms(x, p)
        scale = 1 / tree.weights()  # rows of forces become rows of velocities
        g = sketch.gravity

        def step(y: Any, p: Any) -> tuple[Any, Any]:
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
            y = np.concatenate([x.indices("T"), x.indices(f"c {k}", f"u {k}", f"c {k + 1}", f"u {k + 1}")])
            terms.add("step", y, p.indices(f"Q {k}", f"Q {k + 1}"), step, f"step {k}")
        spinning = np.array([i for link in tree.links for i in range(link.first, link.freedoms.stop)
                             if link.joint != "free" or i >= link.first + 3])  # fmt: skip
        for k in range(N + 1):
            y = x.indices(f"u {k}")[spinning]
            terms.add("calm", y, p.indices(), lambda y, _p: (CALM / (N + 1) * ca.sumsqr(y), ca.SX(0, 1)))
        for i, track in enumerate(sketch.tracks):

            def misfit(y: Any, p: Any, track: Track = track) -> tuple[Any, Any]:
                at = _point(tree, track.link, track.at, y, _quaternions(tree, p[:q], y))
                a, b, rest = p[q], p[q + 1 : q + 4], p[q + 4]
                return a * ca.sumsqr(at) - 2 * ca.dot(b, at) + rest, ca.SX(0, 1)

            for k in range(N + 1):
                terms.add(("sample", i), x.indices(f"c {k}"), p.indices(f"Q {k}", f"sample {i},{k}"), misfit)
        for i, hold in enumerate(sketch.holds):

            def place(y: Any, p: Any, hold: Hold = hold) -> tuple[Any, Any]:
                return ca.SX(0), _point(tree, hold.link, hold.at, y, _quaternions(tree, p, y))

            k = hold.node
            terms.add(("hold", i), x.indices(f"c {k}"), p.indices(f"Q {k}"), place, f"hold {i}")
        self.g = terms.g
        self.nlp, self.derivatives = terms.build()
        self._solvers: dict[bool, Any] = {}

    def solver(self, *, warm: bool) -> Any:
        if warm not in self._solvers:
            self._solvers[warm] = ca.nlpsol("tree", "ipopt", self.nlp, {**OPTIONS, **self.derivatives, "ipopt": ipopt(warm=warm)})
        return self._solvers[warm]


def _quaternions(tree: Tree, ref: Any, c: Any) -> Any:
    """Q = Q_ref ⊗ exp(θ), the rotation vectors standing among the coordinates."""
    return tree.turned(ca.reshape(ref, 4, tree.turns), c)


def _point(tree: Tree, link: int, at: tuple[float, ...], c: Any, Q: Any) -> Any:
    m = tree.poses(c, Q)[link]
    return m.x + m.R @ np.array(at)


def _problem(sketch: TreeSketch) -> _Problem:
    """The problem of a sketch, kept with its tree for sketches of the same form."""
    kept = sketch.tree.__dict__.setdefault("problems", {})
    key = (sketch.steps, tuple(sketch.gravity), tuple((t.link, t.at) for t in sketch.tracks),
           tuple((h.link, h.at, h.node) for h in sketch.holds))  # fmt: skip
    if key not in kept:
        kept[key] = _Problem(sketch)
    found: _Problem = kept[key]
    return found


@dataclass
class Nodes:
    """A motion of a tree: duration, and coordinates, quaternions and rates at its nodes."""

    T: float
    c: Array  # (N + 1, freedoms), zero where a quaternion stands for them
    Q: Array  # (N + 1, 4, turns)
    u: Array  # (N + 1, freedoms)


class _Solve:
    def __init__(self, sketch: TreeSketch, near: TreeSolution | None, progress: Any, cancel: Any) -> None:
        self.sketch, self.tree, self.near, self.progress = sketch, sketch.tree, near, progress
        self.wanted = (lambda: True) if cancel is None else (lambda: not cancel())
        self.P = _problem(sketch)
        self.polish = polisher(self.tree, sketch.gravity)
        self.iterations = 0

    def run(self) -> TreeSolution:
        begin = time.process_time()
        near = self.near
        nodes = self._guess() if near is None else near.nodes
        shares = [self._even(t, nodes.T) for t in self.sketch.tracks] if near is None else near.shares
        warm = None if near is None else near.warm
        report: dict[str, Any] = {}
        is_free = any(t.times is None for t in self.sketch.tracks)
        for turn in range(ROUNDS if is_free and near is None else 1):
            nodes, report, found = self._solve(nodes, shares, warm)
            if not report["is_converged"] and warm is not None:
                nodes, report, found = self._solve(nodes, shares, None)
            warm = found
            if self.progress is not None:
                self.progress(turn + 1, ROUNDS, report["cost"])
            if not is_free or near is not None or not self.wanted():
                break
            moved = self._assigned(nodes)
            change = max((float(np.abs(a - b).max()) for a, b in zip(shares, moved, strict=True)), default=0.0)
            if change < 1e-2:
                break
            shares = moved
        fixed = self.sketch.start_high <= 0
        wanted = [h for h in self.sketch.holds if np.array_equal(h.low, h.high)]
        nodes, gap = self.polish.close(nodes, fixed, wanted) if report["violation"] < 1e-2 else (nodes, math.inf)
        return TreeSolution(self.sketch, nodes, shares, warm, report, gap, self.iterations, time.process_time() - begin)

    def _guess(self) -> Nodes:
        """The tree as it is now, thrown so that the followed points fly through their samples."""
        N, sketch = self.sketch.steps, self.sketch
        c, Q = self.tree.configuration()
        root = self.tree.links[0]
        low, high = sketch.duration
        x, R = (np.array(one) for one in self.tree.pose_function(c, Q))
        T, v = (low + high) / 2, np.zeros(3)
        if root.joint == "free":
            paths = []
            for track in sketch.tracks:
                paths.append(track.places)
            ends = [h for h in sketch.holds if h.node == N]
            if not paths and ends:
                h = ends[0]
                here = x[:, h.link] + R[:, 3 * h.link : 3 * h.link + 3] @ np.array(h.at)
                paths = [np.stack([here, np.clip(here, h.low, h.high)])]
            extent = max(float(np.linalg.norm(np.ptp(np.concatenate(paths), axis=0))), 1e-3) if paths else 1.0
            g = float(np.linalg.norm(sketch.gravity))
            times = np.clip(start.SCAN * math.sqrt(extent / g) if g else np.linspace(low, high, 8), low, high)
            if paths:
                costs, _, speeds, _ = start.fitted(paths, sketch.gravity, times)
                T, v = float(times[int(costs.argmin())]), np.mean([s[int(costs.argmin())] for s in speeds], axis=0)
        for track in sketch.tracks:
            if track.times is not None:
                T = float(np.clip(track.times[-1], low, high))
        t = np.linspace(0, T, N + 1)
        cs, us = np.tile(c, (N + 1, 1)), np.zeros((N + 1, self.tree.freedoms))
        if root.joint == "free":
            cs[:, :3] += np.outer(t, v) + np.outer(t**2 / 2, sketch.gravity)
            us[:, :3] = v + np.outer(t, sketch.gravity)
        cs[:, self.tree.moving.ravel()] = 0.0
        return Nodes(T, cs, np.tile(Q, (N + 1, 1, 1)), us)

    def _even(self, track: Track, T: float) -> Array:
        return np.linspace(0, 1, len(track.places)) if track.times is None else np.clip(track.times / T, 0, 1)

    def _solve(self, nodes: Nodes, shares: list[Array], warm: Any) -> tuple[Nodes, dict[str, Any], Any]:
        P, N, sketch = self.P, self.sketch.steps, self.sketch
        x, p = np.zeros(P.x.size), np.zeros(P.p.size)
        lbx, ubx = np.full(P.x.size, -np.inf), np.full(P.x.size, np.inf)
        lbg, ubg = np.zeros(P.g.size), np.zeros(P.g.size)
        c0, Q0 = self.tree.configuration()
        c0[self.tree.moving.ravel()] = 0.0
        angles = np.ones(self.tree.freedoms) * ANGLE
        rates = np.full(self.tree.freedoms, RATE)
        for link in self.tree.links:
            if link.joint == "free":
                angles[link.first : link.first + 3], rates[link.first : link.first + 3] = 1e3, FAST
        x[P.x.parts["T"]], lbx[P.x.parts["T"]], ubx[P.x.parts["T"]] = nodes.T, *sketch.duration
        for k in range(N + 1):
            c, u = P.x.parts[f"c {k}"], P.x.parts[f"u {k}"]
            x[c], x[u] = nodes.c[k], nodes.u[k]
            p[P.p.parts[f"Q {k}"]] = (Q0 if k == 0 else nodes.Q[k]).ravel(order="F")
            lbx[c], ubx[c], lbx[u], ubx[u] = -angles, angles, -rates, rates
            if k == 0:  # in the region around the bodies' poses, which are the reference of the first node
                x[c] = nodes.c[0]
                if not np.array_equal(nodes.Q[0], Q0):
                    for j, at in enumerate(self.tree.moving):
                        x[c.start + at] = _between(Q0[:, j], nodes.Q[0][:, j])
                lbx[c], ubx[c] = c0 + sketch.start_low, c0 + sketch.start_high
        for i, track in enumerate(sketch.tracks):
            for k, (a, b, rest) in enumerate(_spread(track, shares[i], N)):
                p[P.p.parts[f"sample {i},{k}"]] = (a, *b, rest)
        for i, hold in enumerate(sketch.holds):
            lbg[P.g.parts[f"hold {i}"]], ubg[P.g.parts[f"hold {i}"]] = hold.low, hold.high
        given: dict[str, Any] = {"x0": np.clip(x, lbx, ubx), "p": p, "lbx": lbx, "ubx": ubx, "lbg": lbg, "ubg": ubg}
        if warm is not None:
            given |= {"lam_g0": warm[0], "lam_x0": warm[1]}
        solver = P.solver(warm=warm is not None)
        found = solver(**given)
        stats = solver.stats()
        self.iterations += int(stats["iter_count"])
        g, out = np.array(found["g"]).ravel(), np.array(found["x"]).ravel()
        off = np.maximum(np.maximum(lbg - g, g - ubg), 0)
        violation = float(off.max()) if np.all(np.isfinite(out)) else math.inf
        report = {"cost": float(found["f"]), "violation": violation, "is_converged": bool(stats["success"]),
                  "says": str(stats["return_status"])}  # fmt: skip
        return self._nodes(out, p), report, (np.array(found["lam_g"]).ravel(), np.array(found["lam_x"]).ravel())

    def _nodes(self, x: Array, p: Array) -> Nodes:
        P, N = self.P, self.sketch.steps
        c = np.array([x[P.x.parts[f"c {k}"]] for k in range(N + 1)])
        u = np.array([x[P.x.parts[f"u {k}"]] for k in range(N + 1)])
        Q = np.array([p[P.p.parts[f"Q {k}"]].reshape(4, -1, order="F") for k in range(N + 1)])
        for j, at in enumerate(self.tree.moving):
            for k in range(N + 1):
                Q[k, :, j] = multiplied(Q[k, :, j], exponential(c[k, at]))
        c[:, self.tree.moving.ravel()] = 0.0
        return Nodes(float(x[P.x.parts["T"]][0]), c, Q, u)

    def _assigned(self, nodes: Nodes) -> list[Array]:
        out = []
        for track in self.sketch.tracks:
            if track.times is not None:
                out.append(np.clip(track.times / nodes.T, 0, 1))
                continue
            path = paths(self.tree, nodes, track.link, track.at)
            grid = np.linspace(0, len(path) - 1, 10 * (len(path) - 1) + 1)
            dense = np.stack([np.interp(grid, np.arange(len(path)), path[:, k]) for k in range(3)], axis=1)
            one = np.ones(len(track.places))
            D = distances(track.places, None, dense, dense, one, one)
            out.append(refined(D, monotone(D)) / (len(grid) - 1))
        return out


def _spread(track: Track, share: Array, N: int) -> list[tuple[float, Array, float]]:
    """Samples shared out between the nodes around their times: Σ w |p − s|² = a |p|² − 2 b·p + rest at each node."""
    a, b, rest = np.zeros(N + 1), np.zeros((N + 1, 3)), np.zeros(N + 1)
    for s, place in zip(share * N, track.places, strict=True):
        k = min(int(s), N - 1)
        for at, w in ((k, 1 - (s - k)), (k + 1, s - k)):
            w *= track.weight
            a[at] += w
            b[at] += w * place
            rest[at] += w * place @ place
    return list(zip(a.tolist(), b, rest.tolist(), strict=True))


def _between(a: Array, b: Array) -> Array:
    """The rotation vector from quaternion a to b."""
    d = multiplied(a * (1, -1, -1, -1), b)
    d = d if d[0] >= 0 else -d
    size = float(np.linalg.norm(d[1:]))
    return d[1:] * (2 * math.atan2(size, d[0]) / size if size > 1e-15 else 2.0)


def paths(tree: Tree, nodes: Nodes, link: int, at: Any) -> Array:
    """The places of a point of a link at all nodes."""
    out = []
    for c, Q in zip(nodes.c, nodes.Q, strict=True):
        x, R = (np.array(one) for one in tree.pose_function(c, Q))
        out.append(x[:, link] + R[:, 3 * link : 3 * link + 3] @ np.array(at, float))
    return np.array(out)


# --- polish -------------------------------------------------------------------------------------
class Polisher:
    """Multiple shooting with a Runge–Kutta method of order 8, and minimum-norm Newton steps on its gaps."""

    def __init__(self, tree: Tree, g: Array) -> None:
        self.tree, n, q = tree, tree.freedoms, 4 * tree.turns
        y = ca.SX.sym("y", 2 * n + q)
        c, Q, u = y[:n], ca.reshape(y[n : n + q], 4, tree.turns), y[n + q :]
        plain = np.ones(n)
        plain[tree.moving.ravel()] = 0
        rate = ca.vertcat(plain * u, ca.vec(tree.rates(Q, u)), tree.acceleration(c, Q, u, g))
        self.rate = ca.Function("rate", [y], [rate])
        self.slope = ca.Function("slope", [y], ca.cse([rate, ca.jacobian(rate, y)]))
        self.n, self.q = n, q

    def packed(self, nodes: Nodes) -> Array:
        """(N + 1, 2n + 4 turns)."""
        return np.concatenate([nodes.c, nodes.Q.transpose(0, 2, 1).reshape(len(nodes.c), -1), nodes.u], axis=1)

    def unpacked(self, T: float, y: Array) -> Nodes:
        n, q = self.n, self.q
        return Nodes(T, y[:, :n].copy(), y[:, n : n + q].reshape(len(y), -1, 4).transpose(0, 2, 1).copy(), y[:, n + q :].copy())

    def step(self, y: Array, h: float) -> Array:
        """One step of order 8 from each row of y."""
        A, B = _tableau()
        rates: list[Array] = []
        for row in A:
            at = y + h * sum((a * k for a, k in zip(row, rates, strict=False) if a), np.zeros_like(y))
            rates.append(np.array(self._mapped("rate", len(y))(at.T)).T)
        end: Array = y + h * sum(b * k for b, k in zip(B, rates, strict=True))
        turn = slice(self.n, self.n + self.q)
        quaternions = end[:, turn].reshape(len(y), -1, 4)
        end[:, turn] = (quaternions / np.linalg.norm(quaternions, axis=2, keepdims=True)).reshape(len(y), -1)
        return end

    def slopes(self, y: Array, h: float) -> Array:
        """∂(end)/∂(start) of each step by the classical method of order 4: near enough for Newton's."""
        N, d = y.shape
        k, K = np.zeros_like(y), np.zeros((N, d, d))
        total = np.zeros((N, d, d))
        for ahead, weight in ((0.0, 1 / 6), (0.5, 1 / 3), (0.5, 1 / 3), (1.0, 1 / 6)):
            found, J = self._mapped("slope", N)((y + ahead * h * k).T)
            K = np.array(J).reshape(d, N, d).transpose(1, 0, 2) @ (np.eye(d) + ahead * h * K)
            k = np.array(found).T
            total += weight * K
        return np.asarray(np.eye(d) + h * total)

    def _mapped(self, name: str, count: int) -> Any:
        kept = self.__dict__.setdefault("maps", {})
        if (name, count) not in kept:
            kept[name, count] = getattr(self, name).map(count)
        return kept[name, count]

    def gaps(self, y: Array, end: Array) -> Array:
        """(N, 2n): how far each node is from where the step before it ended; rotations as 2 vec(q* q)."""
        n, q = self.n, self.q
        out = np.concatenate([y[1:, :n] - end[:, :n], y[1:, n + q :] - end[:, n + q :]], axis=1)
        for j, at in enumerate(self.tree.moving):
            t = slice(n + 4 * j, n + 4 * j + 4)
            for k in range(len(end)):
                out[k, at] = 2 * multiplied(end[k, t] * (1, -1, -1, -1), y[k + 1, t])[1:]
        return out

    def _tangent(self, y: Array) -> tuple[Array, Array]:
        """E = ∂y/∂δ and its left inverse P at one state; δ = (c with rotation vectors, u)."""
        n, q = self.n, self.q
        E, P = np.zeros((2 * n + q, 2 * n)), np.zeros((2 * n, 2 * n + q))
        plain = [i for i in range(n) if i not in self.tree.moving.ravel()]
        E[plain, plain] = P[plain, plain] = 1.0
        E[n + q :, n:] = P[n:, n + q :] = np.eye(n)
        for j, at in enumerate(self.tree.moving):
            w, x, z, v = y[n + 4 * j : n + 4 * j + 4]
            half = 0.5 * np.array([[-x, -z, -v], [w, -v, z], [v, w, -x], [-z, x, w]])  # ∂(q ⊗ exp δ)/∂δ
            E[n + 4 * j : n + 4 * j + 4, at] = half
            P[np.ix_(at, range(n + 4 * j, n + 4 * j + 4))] = 4 * half.T
        return E, P

    def close(self, nodes: Nodes, fixed: Array, holds: list[Hold], most: int = 8) -> tuple[Nodes, float]:
        """Nodes moved by the least amount so that the equations of motion join them and the holds are met; the gap that is left."""
        y, N, m = self.packed(nodes), len(nodes.c) - 1, 2 * self.n
        h = nodes.T / N
        free = np.concatenate([~fixed, np.ones(self.n, bool), np.ones(N * m, bool)])
        factor: Any = None
        gap, before = math.inf, math.inf
        for _ in range(most):
            end = self.step(y[:-1], h)
            r = np.concatenate([self.gaps(y, end).ravel(), *[self._hold(y[k.node], k)[0] for k in holds]])
            gap = float(np.abs(r).max())
            if gap < CLOSED or not math.isfinite(gap):
                break
            if factor is None or gap > 0.3 * before:
                J = self._jacobian(y, end, self.slopes(y[:-1], h), holds)[:, free]
                factor = qr(J.T, mode="economic", check_finite=False)
            before = gap
            delta = np.zeros(len(free))
            delta[free] = -factor[0] @ solve_triangular(factor[1], r, trans="T", check_finite=False)
            y = self._moved(y, delta.reshape(N + 1, m))
        return self.unpacked(nodes.T, y), gap

    def _jacobian(self, y: Array, end: Array, D: Array, holds: list[Hold]) -> Array:
        N, m = len(end), 2 * self.n
        J = np.zeros((N * m + 3 * len(holds), (N + 1) * m))
        for k in range(N):
            rows = slice(k * m, (k + 1) * m)
            J[rows, k * m : (k + 1) * m] = -self._tangent(end[k])[1] @ D[k] @ self._tangent(y[k])[0]
            J[rows, (k + 1) * m : (k + 2) * m] = np.eye(m)
        for i, hold in enumerate(holds):
            rows = slice(N * m + 3 * i, N * m + 3 * i + 3)
            J[rows, hold.node * m : (hold.node + 1) * m] = self._hold(y[hold.node], hold)[1] @ self._tangent(y[hold.node])[0]
        return J

    def _hold(self, y: Array, hold: Hold) -> tuple[Array, Array]:
        kept = self.__dict__.setdefault("points", {})
        key = (hold.link, hold.at)
        if key not in kept:
            s = ca.SX.sym("y", len(y))
            at = _point(self.tree, hold.link, hold.at, s[: self.n], ca.reshape(s[self.n : self.n + self.q], 4, self.tree.turns))
            kept[key] = ca.Function("point", [s], [at, ca.jacobian(at, s)])
        at, J = kept[key](y)
        return np.array(at).ravel() - hold.low, np.array(J)

    def _moved(self, y: Array, delta: Array) -> Array:
        out = y.copy()
        n, q = self.n, self.q
        plain = [i for i in range(n) if i not in self.tree.moving.ravel()]
        out[:, plain] += delta[:, plain]
        out[:, n + q :] += delta[:, n:]
        for j, at in enumerate(self.tree.moving):
            t = slice(n + 4 * j, n + 4 * j + 4)
            for k in range(len(y)):
                out[k, t] = multiplied(y[k, t], exponential(delta[k, at]))
        return out


def polisher(tree: Tree, g: Array) -> Polisher:
    """The polisher of a tree under a gravity, kept with the tree."""
    kept: dict[Any, Polisher] = tree.__dict__.setdefault("polishers", {})
    key = tuple(g)
    if key not in kept:
        kept[key] = Polisher(tree, g)
    return kept[key]


# --- what was found -----------------------------------------------------------------------------
class TreeSolution:
    """A motion of a tree and what it meets."""

    def __init__(self, sketch: TreeSketch, nodes: Nodes, shares: list[Array], warm: Any, report: dict[str, Any], gap: float,
                 iterations: int, seconds: float) -> None:  # fmt: skip
        self.sketch, self.nodes, self.shares, self.warm, self.report = sketch, nodes, shares, warm, report
        self.gap, self.iterations, self.cpu = gap, iterations, seconds
        self.seconds = nodes.T
        tree = sketch.tree
        self.residuals = {}
        for hold in sketch.holds:
            at = paths(tree, nodes, hold.link, hold.at)[hold.node]
            off = float(np.maximum(np.maximum(hold.low - at, at - hold.high), 0).max())
            self.residuals[f"point of {tree.links[hold.link].item.name} at {hold.node / sketch.steps:.0%}"] = off

    @property
    def cost(self) -> float:
        return float(self.report["cost"])

    @property
    def is_plausible(self) -> bool:
        return self.is_met

    @property
    def is_met(self) -> bool:
        return self.gap <= 1e-8 and all(off <= 1e-8 for off in self.residuals.values())

    def __str__(self) -> str:
        says = "Every hard wish is met, and the motion obeys the equations of motion." if self.is_met else (
            f"The sketch could not be met; this is the best motion found ({self.report['says'].replace('_', ' ').lower()})."
        )  # fmt: skip
        lines = [says, *(f"  {name}: off by {off:.2g} m" for name, off in self.residuals.items())]
        lines.append(
            f"Largest gap between steps {self.gap:.2g}; misfit {self.cost:.4g} m²; {self.seconds:.3f} s, {self.cpu:.2f} s of CPU."
        )
        return "\n".join(lines)

    def plot(self, path: str | os.PathLike[str]) -> None:
        """Draw the sketched path and the motion of the links, as .png, .svg or .pdf."""
        from tinkerdyne.sketch.picture import draw_tree

        draw_tree(self, path)

    def world(self, node: int = 0) -> World:
        """A world of the tree's own bodies and joints, in motion as at a node."""
        tree, nodes = self.sketch.tree, self.nodes
        x, R = (np.array(one) for one in tree.pose_function(nodes.c[node], nodes.Q[node]))
        v, w = (np.array(one) for one in tree.velocity_function(nodes.c[node], nodes.Q[node], nodes.u[node]))
        world = World(method="adaptive", rtol=1e-11, atol=1e-13)
        copies: dict[int, Item] = {}
        for k, link in enumerate(tree.links):
            state = {
                "position": x[:, k],
                "velocity": v[:, k],
                "spin": w[:, k],
                "orientation": quaternion_of(R[:, 3 * k : 3 * k + 3]),
            }
            options = {name: tuple(np.asarray(value).tolist()) for name, value in state.items()}
            copies[k] = link.item.type.make(link.item.name, (), {**link.item.values, **options})
        world.add(*copies.values())
        from tinkerdyne.connectors.points import frame, world_frame
        from tinkerdyne.kernel.types import REGISTRY

        for k, link in enumerate(tree.links):
            if link.joint == "free":
                continue
            a = world_frame(at=link.at_a, axes=link.axes_a.ravel(order="F")) if link.parent < 0 else (
                frame(copies[link.parent], at=link.at_a, axes=link.axes_a.ravel(order="F"))
            )  # fmt: skip
            world.add(REGISTRY[link.joint](a, frame(copies[k], at=link.at_b, axes=link.axes_b.ravel(order="F")), name=f"joint {k}"))
        world.add(gravity_field(g=tuple(self.sketch.gravity)))
        return world

    def recording(self, every: float = 1 / 60) -> Recording:
        """The motion, run by the engine."""
        return self.world().record(self.seconds, every=every)

    def resimulated(self) -> list[float]:
        """How far the engine, started at each node, is from the next: the furthest centre [m]."""
        out = []
        for k in range(self.sketch.steps):
            world = self.world(k)
            world.step(self.seconds / self.sketch.steps)
            x, _ = (np.array(one) for one in self.sketch.tree.pose_function(self.nodes.c[k + 1], self.nodes.Q[k + 1]))
            out.append(
                max(float(np.abs(x[:, j] - world[link.item.name].position).max()) for j, link in enumerate(self.sketch.tree.links))
            )
        return out

    def end_by_rk4(self, steps: int = 4000) -> float:
        """How far the held points are off when the first node alone is flown by many small Runge–Kutta steps [m]."""
        rates = polisher(self.sketch.tree, self.sketch.gravity)
        y = ca.MX.sym("y", rates.rate.size1_in(0))
        h = self.seconds / steps
        k1 = rates.rate(y)
        k2 = rates.rate(y + h / 2 * k1)
        k3 = rates.rate(y + h / 2 * k2)
        k4 = rates.rate(y + h * k3)
        small = ca.Function("rk4", [y], [y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)])
        end = np.array(small.fold(steps)(rates.packed(self.nodes)[0])).T
        last = rates.unpacked(self.seconds, end)
        out = 0.0
        for hold in self.sketch.holds:
            if hold.node == self.sketch.steps:
                at = paths(self.sketch.tree, last, hold.link, hold.at)[0]
                out = max(out, float(np.maximum(np.maximum(hold.low - at, at - hold.high), 0).max()))
        return out
