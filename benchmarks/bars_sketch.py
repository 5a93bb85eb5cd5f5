"""Motion sketching: how surely, how fast and how well sketches are solved, the pencil beside Drake with
SNOPT.

Times are CPU of one start on twenty random sketches, problems built beforehand; quality is of the best of
eight starts against the best of sixteen. Drake solves the same problem, unknown for unknown and row for row,
with derivatives by its AutoDiff.
"""

from __future__ import annotations

import dataclasses
import inspect
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tinkerdyne.sketch.problem.unknowns import (
    GRAVITY,
    Duration,
    Guarded,
    Impact,
    Mass,
    Moments,
    Node,
    Reference,
    Sample,
    Share,
    Watch,
    Wished,
)

from .bar import Bar, Line, Measurement, Missing, Remark, Unmeasured, needed

COUNT = 20
RACE = 60.0  # s of CPU for Drake in one race: it takes seconds for a sketch, and twenty where SNOPT fails
EDIT = np.array((0.005, 0.0, 0.0))  # m
FEASIBLE = 1e-8  # of the rows, in the sketch's units
CLOSE = 1.05
DIGITS = 1e-13  # of samples and starts: what another machine may round otherwise


def _edited(sketch: Any) -> Any:
    """The same sketch with one hard place moved by five millimetres."""
    for flight in reversed(sketch.flights):
        for i, wish in enumerate(flight.wishes):
            if wish.kind == "position":
                flight.wishes[i] = dataclasses.replace(wish, low=wish.low + EDIT, high=wish.high + EDIT)
                return sketch
    raise AssertionError("no hard place")


def _solved(
    make: Callable[[int], Any], *, gaps: bool, count: int = COUNT
) -> tuple[list[Any], list[float], list[Any], list[float]]:
    """Solutions and CPU seconds: from scratch, and after an edit."""
    make(count).solve(restarts=1, gaps=gaps)  # builds the problems
    cold, cold_s, warm, warm_s = [], [], [], []
    for seed in range(count):
        cold.append(make(seed).solve(restarts=1, gaps=gaps))
        cold_s.append(cold[-1].outcome.seconds)
        edited = _edited(make(seed))
        if seed == 0:
            edited.solve(near=cold[-1])
        warm.append(edited.solve(near=cold[-1], gaps=gaps))
        warm_s.append(warm[-1].outcome.seconds)
    return cold, cold_s, warm, warm_s


def _met(solutions: list[Any]) -> int:
    return sum(s.outcome.violation <= FEASIBLE for s in solutions)


def _times(name: str, cold: list[float], warm: list[float]) -> Remark:
    found = (
        f"median cold {1e3 * float(np.median(cold)):.0f} ms, median re-solve "
        f"{1e3 * float(np.median(warm)):.0f} ms"
    )
    return Remark(name, f"{found}, longest {1e3 * max(cold):.0f} and {1e3 * max(warm):.0f} ms")


def _latency(name: str, warm: list[float], most: float) -> Bar:
    """From a drag to the motion that follows it."""
    return Bar(name, "median CPU after an edit", 1e3 * float(np.median(warm)), "≤", most, " ms")


def _ratio(a: list[float], b: list[float]) -> float:
    return float(np.sum(a) / np.sum(b))


def _middle(ours: list[float], theirs: list[float]) -> float:
    """Median against median: where SNOPT fails it takes ten times as long, which would flatter us."""
    return float(np.median(ours) / np.median(theirs)) if theirs else float("nan")


# --- the pencil beside Drake --------------------------------------------------------------------
def _pencil_given(name: str) -> Iterator[Line]:
    from scenes.sketch.acted.pencil import pencil

    def make(seed: int) -> Any:
        return pencil(seed, timed=True)

    cold, cold_s, warm, warm_s = _solved(make, gaps=False)
    yield Bar(name, "feasible to 1e-8, of 20", _met(cold), "≥", COUNT)
    yield Bar(name, "feasible after an edit, of 20", _met(warm), "≥", COUNT)
    yield _times(name, cold_s, warm_s)
    yield _latency(name, warm_s, 50)
    yield from _raced(name, make, cold_s, warm_s, frees=False)


def _pencil_unknown(name: str) -> Iterator[Line]:
    from scenes.sketch.acted.pencil import pencil
    from tinkerdyne.sketch.solve.starts import start

    cold, cold_s, warm, warm_s = _solved(pencil, gaps=False)
    yield Bar(name, "feasible to 1e-8, of 20", _met(cold), "≥", COUNT)
    yield Bar(name, "feasible after an edit, of 20", _met(warm), "≥", COUNT)
    yield _times(name, cold_s, warm_s)
    yield _latency(name, warm_s, 50)
    near, begin = 0, time.process_time()
    for seed in range(COUNT):
        statement = pencil(seed).statement()
        costs = [o.cost if o.is_feasible else np.inf for o in (start(statement, k) for k in range(16))]
        near += min(costs[:8]) <= CLOSE * min(costs)
    yield Bar(name, "best of eight starts within 5 % of best of sixteen, of 20", near, "≥", 18)
    yield Remark(
        name, f"sixteen starts of a sketch take {(time.process_time() - begin) / COUNT:.2f} s of CPU"
    )
    yield from _raced(name, pencil, cold_s, warm_s, frees=True)


def _raced(
    name: str, make: Callable[[int], Any], cold: list[float], warm: list[float], *, frees: bool
) -> Iterator[Line]:
    limit = 50 if frees else 10
    try:
        needed("drake")
    except Missing as missing:
        yield Unmeasured(name, "CPU beside Drake and SNOPT", str(missing))
        return
    theirs: list[float] = []
    # by sketch, of those that Drake met: elsewhere there is nothing to go on from
    again: dict[int, float] = {}
    for seed in range(COUNT):
        if sum(theirs) + sum(again.values()) > RACE:
            break
        program = DrakePencil(make(seed).statement(), frees=frees)
        begin = time.process_time()
        solution, is_met = program.solve(program.guess)
        theirs.append(time.process_time() - begin)
        if not is_met:
            continue
        moved = DrakePencil(_edited(make(seed)).statement(), frees=frees)
        begin = time.process_time()
        moved.solve(solution)
        again[seed] = time.process_time() - begin
    raced = f"medians of the {len(theirs)} sketches raced, of which Drake met {len(again)}"
    yield Bar(
        name,
        "CPU cold, of Drake and SNOPT's",
        _middle(cold[: len(theirs)], theirs),
        "≤",
        1 / limit,
        "",
        raced,
    )
    edits = list(again.values())
    if not frees:
        ours = [warm[seed] for seed in again]
        yield Bar(
            name,
            "CPU after an edit, of Drake and SNOPT's",
            _middle(ours, edits),
            "≤",
            0.1,
            "",
            f"of the {len(edits)} met",
        )
    yield Remark(
        name,
        f"Drake and SNOPT: median {np.median(theirs):.2f} s cold, {np.median(edits):.2f} s after an edit",
    )


class DrakePencil:
    """The pencil's problem in Drake: two flights of an axisymmetric body, one bounce, a hard pose at the
    end."""

    def __init__(self, statement: Any, *, frees: bool) -> None:
        from tinkerdyne.sketch.problem.bounds import bounds, wish_bounds
        from tinkerdyne.sketch.problem.parameters import parameters
        from tinkerdyne.sketch.problem.problem import problem
        from tinkerdyne.sketch.problem.vectors import vectors
        from tinkerdyne.sketch.solve.guess import guess

        self.statement, self.frees = statement, frees
        P = problem(statement.structure(frees_times=frees))
        self.P = P
        x, self.p = vectors(statement, P, guess(statement), parameters(statement, P))
        self.bounds = bounds(statement, P)
        self.value = wish_bounds(statement, statement.wishes[0][1])[0]
        self.guess = np.clip(x, self.bounds["lbx"], self.bounds["ubx"])

    def _read(self, key: Any) -> Any:
        return self.p[self.P.p.parts[key]]

    def _share(self, x: Any, name: str) -> Any:
        return x[self.P.x.parts[name]][0] if name in self.P.x else self._read(name)[0]

    def _fly(self, x: Any, k: int, t: Any) -> tuple[Any, Any, Any, Any]:
        from pydrake.math import cos, sin

        z = x[self.P.x.parts[Node(k, 0)]]
        q = _times_quaternion(self._read(Reference(k, 0)), _exp(z[3:6]))
        I, g, w = self._read(Moments(0)), self._read(GRAVITY), z[9:12]
        ratio = I[0] / I[1]
        a = t * (1 - ratio) * w[0]
        by = _times_quaternion(
            _exp(t * np.array([ratio * w[0], w[1], w[2]])), np.array([cos(a / 2), sin(a / 2), 0 * a, 0 * a])
        )
        c, s = cos(a), sin(a)
        spin = np.array([w[0], c * w[1] + s * w[2], -s * w[1] + c * w[2]])
        return z[:3] + t * z[6:9] + t * t / 2 * g, _times_quaternion(q, by), z[6:9] + t * g, spin

    def cost(self, x: Any) -> Any:
        total = 0.0
        for k, (n,) in enumerate(self.P.structure.samples):
            T = x[self.P.x.parts[Duration(k)]][0]
            for i in range(n):
                s = self._read(Sample(k, 0, i))
                if self.frees:
                    t = self._share(x, Share(k, 0, i)) * T
                else:
                    t = s[10] - (x[self.P.x.parts[Duration(0)]][0] if k else 0.0)
                place, q, _, _ = self._fly(x, k, t)
                off, turned = place - s[:3], 2 * _times_quaternion(_conjugate(s[3:7]), q)[1:]
                total = total + s[7] * off.dot(off) + s[8] * turned.dot(turned)
        return total

    def rows(self, x: Any) -> Any:
        e = self._read(Impact(0))
        T = [x[self.P.x.parts[Duration(k)]][0] for k in (0, 1)]
        place, q, v, w = self._fly(x, 0, T[0])
        z = x[self.P.x.parts[Node(1, 0)]]
        after = _times_quaternion(self._read(Reference(1, 0)), _exp(z[3:6]))
        R = _matrix(q)
        n = e[6:9]
        r = R.dot(_lowest_point(e[:3], e[15:18], R.T.dot(n)))
        m, I = self._read(Mass(0))[0], self._read(Moments(0))
        u = v + np.cross(R.dot(w), r)
        K = 1 / m + n.dot(np.cross(R.dot(R.T.dot(np.cross(r, n)) / I), r))
        J = -(1 + e[18]) * n.dot(u) / K * n
        end = self._fly(x, 1, T[1])
        wish = self._read(Wished(0))[:3], self._read(Wished(1))[:4]
        value = self.value
        parts = [
            z[:3] - place,
            2 * _times_quaternion(_conjugate(q), after)[1:],
            [n.dot(place + r - e[3:6])],
            [n.dot(u)],
            z[6:9] - v - J / m,
            z[9:12] - w - R.T.dot(np.cross(r, J)) / I,
            end[0] - value,
            2 * _times_quaternion(_conjugate(wish[1]), end[1])[1:],
        ]
        for i, guard in enumerate(self.P.structure.guards):
            plane = self._read(Guarded(i))
            for j in range(len(guard.shares)):
                look = self._read(Watch(i, j))
                at = self._fly(x, guard.segment, look[0] * T[guard.segment])
                down, height = _matrix(at[1]).T.dot(plane[3:]), plane[3:].dot(at[0] - plane[:3])
                ends = [_lowest_point(one[:3], one[3:6], down) for one in look[1:].reshape(-1, 7)]
                parts.append(np.array([height + end.dot(down) for end in ends]))
        if self.frees:
            for k, (count,) in enumerate(self.P.structure.samples):
                names = [name for i in range(count) if (name := Share(k, 0, i)) in self.P.x]
                shares = np.array([x[self.P.x.parts[name]][0] for name in names])
                parts.append(shares[1:] - shares[:-1])
        return np.concatenate(parts)

    def limits(self) -> tuple[Any, Any]:
        """Bounds of the rows, in the order above."""
        lb, ub = np.zeros(20), np.zeros(20)
        lb[7], ub[7] = -np.inf, self.bounds["ubg"][self.P.g.parts[Impact(0)]][1]
        guards = sum(g.corners * len(g.shares) for g in self.P.structure.guards)
        order = sum(isinstance(key, Share) for key in self.P.g.parts)
        low = self.bounds["lbg"][self.P.g.parts[Watch(0, 0)]][0] if guards else 0.0
        return (
            np.concatenate([lb, np.full(guards, low), np.zeros(order)]),
            np.concatenate([ub, np.full(guards + order, np.inf)]),
        )  # Drake needs no clock: its rows read the first duration

    def solve(self, x0: Any) -> tuple[Any, bool]:
        import pydrake.solvers as solvers

        program: Any = solvers.MathematicalProgram()
        x = program.NewContinuousVariables(self.P.x.size, "x")
        program.AddBoundingBoxConstraint(self.bounds["lbx"], self.bounds["ubx"], x)
        program.AddCost(self.cost, vars=x)
        lb, ub = self.limits()
        program.AddConstraint(self.rows, lb=lb, ub=ub, vars=x)
        options = solvers.SolverOptions()
        options.SetOption(solvers.SnoptSolver.id(), "Major iterations limit", 300)  # more never ended well
        found = solvers.SnoptSolver().Solve(
            program, np.clip(x0, self.bounds["lbx"], self.bounds["ubx"]), options
        )
        return found.GetSolution(x), bool(found.is_success())


def _lowest_point(place: Any, rim: Any, m: Any) -> Any:
    """Of a disc, as `tips.lowest_point`."""
    from pydrake.math import sqrt

    from tinkerdyne.sketch.tell.tips import FLAT

    square = rim.dot(rim) + 1e-30
    across = m - m.dot(rim) / square * rim
    return place - sqrt(square) * across / sqrt(across.dot(across) + FLAT**2)


def _exp(w: Any) -> Any:
    from pydrake.math import cos, sin, sqrt

    a = sqrt(w.dot(w) + 1e-16)
    return np.concatenate([[cos(a / 2)], sin(a / 2) / a * w])


def _conjugate(q: Any) -> Any:
    return np.concatenate([[q[0]], -q[1:]])


def _times_quaternion(a: Any, b: Any) -> Any:
    return np.concatenate(
        [[a[0] * b[0] - a[1:].dot(b[1:])], a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])]
    )


def _matrix(q: Any) -> Any:
    w, x, y, z = q
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])  # fmt: skip


# --- the others ---------------------------------------------------------------------------------
def _plausible(which: str, share: float) -> Measurement:
    def measure(name: str) -> Iterator[Line]:
        from scenes.sketch.acted.die import die
        from scenes.sketch.acted.hat import hat_and_box

        make = {"die": lambda seed: die("MOTION", seed), "hat": hat_and_box}[which]
        cold, cold_s, warm, warm_s = _solved(make, gaps=True)
        yield Bar(name, "hard wishes met, of 20", _met(cold), "≥", COUNT)
        yield Bar(name, "met after an edit, of 20", _met(warm), "≥", COUNT)
        yield Bar(name, "CPU after an edit, of own cold", _ratio(warm_s, cold_s), "≤", share)
        yield _times(name, cold_s, warm_s)
        yield _latency(name, warm_s, 100)
        gaps = [s.widest_gap for s in cold]
        yield Remark(name, f"widest velocity gap: median {np.median(gaps):.2f} m/s, most {max(gaps):.2f} m/s")
        yield from _on_other_machines(name, make)

    return measure


def _on_other_machines(name: str, make: Callable[[int], Any]) -> Iterator[Line]:
    """How surely a motion in which nothing overlaps is found, whatever the last digits are."""
    from tinkerdyne.sketch.disturb import disturbed
    from tinkerdyne.sketch.solve.starts import start
    from tinkerdyne.sketch.tell.sketch import Sketch

    usual = inspect.signature(Sketch.solve).parameters["restarts"].default
    tried = []
    for seed in range(COUNT):
        with disturbed(seed, DIGITS):
            statement = make(seed).statement()
            ends = (start(statement, k, has_gaps=True).is_sound for k in range(usual))
            tried.append(next((k for k, is_sound in enumerate(ends, 1) if is_sound), usual + 1))
    yield Bar(
        name,
        f"nothing overlaps within {usual} starts, of 20 with other last digits",
        sum(k <= usual for k in tried),
        "≥",
        COUNT,
    )
    yield Remark(name, f"the first start did in {tried.count(1)} of them, the slowest took {max(tried)}")


def _chain(name: str) -> Iterator[Line]:
    from scenes.sketch.acted.chain import chain, chain_tree

    tree = chain_tree()
    chain(COUNT, tree=tree).solve()
    cold_s, warm_s, met, again, worst = [], [], 0, 0, 0.0
    for seed in range(COUNT):
        solution = chain(seed, tree=tree).solve()
        met += solution.is_met
        cold_s.append(solution.cpu)
        if solution.is_met:
            worst = max(worst, solution.end_by_rk4())
        edited = chain(seed, tree=tree)
        hold = edited.holds[0]
        edited.holds[0] = dataclasses.replace(hold, low=hold.low + EDIT, high=hold.high + EDIT)
        if seed == 0:
            edited.solve(near=solution)
        moved = edited.solve(near=solution)
        again += moved.is_met
        warm_s.append(moved.cpu)
    yield Bar(name, "met, of 20", met, "≥", COUNT)
    yield Bar(name, "met after an edit, of 20", again, "≥", COUNT)
    yield Bar(name, "end point off, by 4000 steps of Runge–Kutta", worst, "≤", 1e-6, " m")
    yield Bar(name, "CPU after an edit, of own cold", _ratio(warm_s, cold_s), "≤", 0.1)
    yield _latency(name, warm_s, 150)
    yield _times(name, cold_s, warm_s)


def _sequences(name: str) -> Iterator[Line]:
    from scenes.sketch.acted.thrown import thrown_die
    from tinkerdyne.sketch.solve.search import search
    from tinkerdyne.sketch.tell.shape import shape_of

    first, seconds = 0, []
    for seed in range(10):
        sketch, true = thrown_die(seed)
        corners = shape_of(sketch.bodies[0]).corners
        rng = np.random.default_rng(seed)
        # 1 · 4 · 4 · 4 sequences: the true corner among three others at each later bounce
        chosen = [[true[0]]]
        for corner in true[1:]:
            others = [k for k in range(8) if k != corner]
            chosen.append([int(k) for k in rng.permutation([corner, *rng.permutation(others)[:3]])])
        begin = time.process_time()
        found = search(sketch, [[corners[k] for k in row] for row in chosen], executor=None)
        seconds.append(time.process_time() - begin)
        first += [chosen[k][i] for k, i in enumerate(found[0].sequence)] == true
    yield Bar(name, "true sequence first, of 10", first, "≥", 9)
    yield Remark(name, f"64 sequences in {np.median(seconds):.1f} s of CPU")


MEASUREMENTS: dict[str, Measurement] = {
    "sketch-pencil": _pencil_given,
    "sketch-pencil-untimed": _pencil_unknown,
    "sketch-die": _plausible("die", 0.2),
    "sketch-hat": _plausible("hat", 0.1),
    "sketch-chain": _chain,
    "sketch-search": _sequences,
}
