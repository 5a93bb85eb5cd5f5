"""One start of the optimisation: the ways from a first guess, or from a solution nearby, to a motion (M3–M5).

A start fits the flights one by one, in turn with the assignment of samples to times; then one solve with the
times as unknowns too ends at a local optimum of both. Where that fails, solves with the times given alternate
with assignments first. After an edit, Newton's method goes on from the solution that was; IPOPT is asked
where it does not settle.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.objects.rotation import matrices
from tinkerdyne.sketch.problem.bounds import bounds
from tinkerdyne.sketch.problem.guard import moved, sunk
from tinkerdyne.sketch.problem.overlap import overlaps, with_planes
from tinkerdyne.sketch.problem.parameters import parameters
from tinkerdyne.sketch.problem.point import Point, states
from tinkerdyne.sketch.problem.problem import Problem, problem
from tinkerdyne.sketch.problem.statement import Statement
from tinkerdyne.sketch.problem.unknowns import Chosen, Friction
from tinkerdyne.sketch.problem.vectors import point_at, vectors
from tinkerdyne.sketch.solve.assign import assigned
from tinkerdyne.sketch.solve.ipopt import ipopt_of
from tinkerdyne.sketch.solve.newton import nearby
from tinkerdyne.sketch.solve.outcome import NOTHING, Multipliers, Outcome
from tinkerdyne.sketch.solve.parallel import Wanted

# cost of a motion that fits so well that its sketch has a truth, which is looked for to the last digit
NEARLY = 1e-5
ROUNDS = 4  # of solving and assigning, where times as unknowns fail at first
LONG, MOST = 120, 300  # iterations after which another way is tried, and after which it is given up
QUICK = 30  # iterations of a warm start that goes well
SETTLED = 2e-3  # share of a flight: samples that move less have found their times
CHARTS = 3  # times that a rotation goes on from the edge of its chart
HANDS = 6  # times that samples are handed to other segments of their flight
# times that blows that stick are tried with less friction, and how much of what they need
LOOSE, SLIPS = 3, 0.9
LESS = 1e-3  # of the cost: what is not less by this much is no better
SLIP = 0.1  # of a segment: how far samples may lie beyond it
SHALLOWER = 0.95  # of the depth that was left: what is to be gained for more rounds than usual
MOST_LOOKS = 16
LOOKS = 6  # times that guards move to where a corner sinks, and planes are laid between bodies that overlap


class Start:
    """One start with the choices that hold through it: whether velocities may jump, which corners strike."""

    def __init__(self, statement: Statement, *, has_gaps: bool, wanted: Wanted | None) -> None:
        self.statement, self.has_gaps, self.wanted = statement, has_gaps, wanted
        self.corners: list[Array | None] = [None] * len(statement.collisions)
        self.separates = False  # whether planes keep bodies apart: only where they would overlap otherwise
        self.structure = statement.structure()  # of the problem that was solved last
        self.iterations = 0

    def problem(self, point: Point, *, frees_times: bool) -> Problem:
        """The problem with the samples in those segments of their flights in which a point has them."""
        options = {"has_gaps": self.has_gaps, "frees_times": frees_times, "separates": self.separates}
        return problem(self.statement.structure(**options, shares=point.shares))

    def solve(
        self,
        P: Problem,
        point: Point,
        warm: Multipliers | None = None,
        *,
        most: int = MOST,
        relaxed: bool = False,
    ) -> Outcome:
        """IPOPT from a point; with multipliers it is started warm."""
        s, self.structure = self.statement, P.structure
        x, p = vectors(s, P, point, parameters(s, P, self.corners))
        limits = bounds(s, P, relaxed=relaxed)
        given = {"x0": np.clip(x, limits["lbx"], limits["ubx"]), "p": p, **limits}
        if warm is not None:
            given["lam_g0"], given["lam_x0"] = warm.vectors(P)
        solution, report = ipopt_of(P).run(given, warm=warm is not None, most=most, wanted=self.wanted)
        self.iterations += report.iterations
        return Outcome(
            point_at(s, P, solution["x"], p, point),
            max(report.cost, 0.0),  # a sum of squares, but for rounding
            report.violation,
            report.is_converged,
            report.says,
            self.corners,
            Multipliers.of(P, solution["lam_g"], solution["lam_x"]),
            self.has_gaps,
        )

    def settle(self, P: Problem, near: Outcome, *, to_the_end: bool = False) -> Outcome | None:
        """Newton's method from a solution nearby; none where it does not end at a minimum that meets all
        rows."""
        s, self.structure = self.statement, P.structure
        x, p = vectors(s, P, near.point, parameters(s, P, self.corners))
        limits = bounds(s, P)
        x = np.clip(x, limits["lbx"], limits["ubx"])
        minimum = nearby(P.terms, x, p, limits, *near.multipliers.vectors(P), to_the_end=to_the_end)
        if minimum is None:
            return None
        self.iterations += minimum.steps
        multipliers = Multipliers.of(P, minimum.lam_g, minimum.lam_x)
        return Outcome(
            point_at(s, P, minimum.x, p, near.point),
            max(minimum.cost, 0.0),
            minimum.violation,
            True,
            "Solve_Succeeded",
            self.corners,
            multipliers,
            self.has_gaps,
        )

    def goes_on(self) -> bool:
        return self.wanted is None or self.wanted()

    # --- ways --------------------------------------------------------------------------------------
    def cold(self, point: Point, *, settles: bool) -> Outcome:
        """From a first guess. settles: whether the samples' times are unknowns in the end."""
        joint = self.problem(point, frees_times=settles)
        if not joint.structure.frees_times:
            return self.solve(joint, point)
        outcome = self.solve(joint, point, most=LONG)
        if outcome.is_feasible or not self.goes_on():
            return outcome
        point, warm = self._alternated(point)
        return self.solve(self.problem(point, frees_times=settles), point, warm)

    def _alternated(self, point: Point) -> tuple[Point, Multipliers | None]:
        """Solves with the times given, in turn with assignments."""
        warm: Multipliers | None = None
        for _ in range(ROUNDS):
            P = self.problem(point, frees_times=False)
            outcome = self.solve(P, point, warm, most=LONG)
            if not outcome.is_converged and warm is not None:
                outcome = self.solve(P, point)
            warm = outcome.multipliers if outcome.violation < 1e-3 else None
            before, point = outcome.point, assigned(self.statement, outcome.point)
            if _moved(before, point) < SETTLED or not self.goes_on():
                break
        return point, warm

    def warm(self, near: Outcome, *, settles: bool) -> Outcome:
        """From the solution of a sketch of the same form, its samples keeping their times unless it
        settles."""
        P = self.problem(near.point, frees_times=settles)
        settled = self.settle(P, near)
        if settled is not None:
            return settled
        outcome = self.solve(P, near.point, near.multipliers, most=QUICK)
        if outcome.is_converged or not self.goes_on():
            return outcome
        joint = self.problem(near.point, frees_times=True)  # the edit may move the samples' times too
        settled = (self.settle(joint, near) if joint is not P else None) or self.solve(joint, near.point)
        return min(outcome, settled, key=lambda o: o.rank)

    def turned(self, outcome: Outcome, *, settles: bool) -> Outcome:
        """Solved on where a rotation ended at the edge of its chart, with the charts around what was
        found."""
        for _ in range(CHARTS):
            if not outcome.is_at_edge or not self.goes_on():
                break
            P = self.problem(outcome.point, frees_times=settles)
            better = self.solve(P, outcome.point, outcome.multipliers, most=QUICK)
            if not better.is_converged:
                better = self.solve(P, outcome.point, most=2 * QUICK)
            if better.rank >= outcome.rank:
                break
            outcome = better
        return outcome

    def handed(self, outcome: Outcome, *, settles: bool) -> Outcome:
        """Solved on where samples left their segments, with each in the one that it went to."""
        for _ in range(HANDS):
            if (
                max(self.statement.parts) == 1
                or not outcome.is_feasible
                or not self._slipped(outcome.point)
                or not self.goes_on()
            ):
                break
            P = self.problem(outcome.point, frees_times=settles)
            better = self.settle(P, outcome) or self.solve(P, outcome.point, outcome.multipliers, most=LONG)
            if not better.is_feasible:
                break
            outcome = better
        return outcome

    def loosened(self, outcome: Outcome, *, settles: bool) -> Outcome:
        """Solved again where a blow of unknown friction sticks, from so little that it slides: what sticks
        does not feel how rough it is, so that a sketch of a blow that slid would not be found from there."""
        for _ in range(LOOSE):
            sticks = (
                _sticking(self.statement, outcome.point)
                if outcome.is_feasible and outcome.cost > NOTHING
                else {}
            )
            if not sticks or not self.goes_on():
                break
            point = replace(outcome.point, chosen={**outcome.point.chosen, **sticks})
            better = self.solve(
                self.problem(point, frees_times=settles), point, outcome.multipliers, most=LONG
            )
            if not better.is_feasible or better.cost > (1 - LESS) * outcome.cost:
                break
            outcome = better
        return outcome

    def polished(self, outcome: Outcome, *, settles: bool) -> Outcome:
        """To the last digit, where a motion fits nearly: what hardly shows in the samples, such as a spin in
        the times between them, is known only so."""
        if not outcome.is_feasible or not NOTHING**2 < outcome.cost < NEARLY or not self.goes_on():
            return outcome
        better = self.settle(self.problem(outcome.point, frees_times=settles), outcome, to_the_end=True)
        return outcome if better is None or better.cost > outcome.cost else better

    def _slipped(self, point: Point) -> bool:
        """Whether a sample lies further from its segment of the last problem than formulas of one step are
        good for."""
        s = self.statement
        for k, f in enumerate(self.structure.flights):
            part = k - int(s.first[f])
            for b in range(len(s.items)):
                local = point.shares[f][b][self.structure.held(k, b)] * s.parts[f] - part
                if np.any((local < -SLIP) | (local > 1 + SLIP)):
                    return True
        return False

    def guarded(self, outcome: Outcome, *, looks: int = LOOKS) -> Outcome:
        """Solved again with guards where corners sink between the moments that were looked at, and with
        planes between bodies that overlap, as long as that succeeds; after so many looks as long as it
        gains."""
        s, last = self.statement, np.inf
        for k in range(MOST_LOOKS + 1):
            if not outcome.is_feasible:
                break
            deep, through = sunk(s, s.structure(), outcome.point), overlaps(s, outcome.point)
            outcome = replace(outcome, is_clear=not deep and not through)
            depth = max([*(one.depth for one in deep), *(one.depth for one in through)], default=0.0)
            is_over = k == MOST_LOOKS or (k >= looks and depth > SHALLOWER * last)
            if outcome.is_clear or is_over or not self.goes_on():
                break
            last = depth
            self.separates = self.separates or bool(through)
            P = self.problem(outcome.point, frees_times=False)
            near = replace(outcome, point=with_planes(s, P.structure, moved(outcome.point, deep), through))
            better = self.settle(P, near) or self.solve(P, near.point, near.multipliers, most=QUICK)
            if through and not better.is_converged and self.goes_on():
                better = min(better, self.solve(P, near.point), key=lambda o: o.rank)
            if not better.is_feasible:
                break
            outcome = better
        return outcome


def _moved(a: Point, b: Point) -> float:
    """How far samples moved, as a share of their flights."""
    pairs = [
        (s, t) for one, two in zip(a.shares, b.shares, strict=True) for s, t in zip(one, two, strict=True)
    ]
    return max((float(np.abs(s - t).max(initial=0.0)) for s, t in pairs), default=0.0)


def _sticking(s: Statement, point: Point) -> dict[Chosen, Array]:
    """The frictions with which blows that stick would just slide."""
    out: dict[Chosen, Array] = {}
    for f, c in enumerate(s.collisions):
        key = Friction(int(s.first[f + 1]) - 1)
        if c.body is None or key not in point.chosen:
            continue
        b, n = s.items.index(c.body), np.array(c.on.normal) / np.linalg.norm(c.on.normal)
        (before,), (after,) = (states(s, point, f + i, b, np.array([1.0 - i]))[2] for i in (0, 1))
        if c.on.of is not None:  # the face of a body, or along the line between two that are round
            other = s.items.index(c.on.of)
            (x, _), (y, p) = (
                (one[0] for one in states(s, point, f, body, np.array([1.0]))[:2]) for body in (b, other)
            )
            n = (
                (x - y) / np.linalg.norm(x - y)
                if c.on.ball
                else matrices(p[None])[0] @ s.shapes[other].axes.T @ n
            )
        along = float((after - before) @ n)
        least = SLIPS * float(np.linalg.norm(after - before - along * n)) / along if along > 0 else 0.0
        if c.friction[0] < least < SLIPS**2 * float(point.chosen[key][0]):
            out[key] = np.array([least])
    return out
