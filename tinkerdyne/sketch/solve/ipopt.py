"""IPOPT: the solver of a problem made of terms, started cold or warm, and stopped while it runs when nobody
wants it any more."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass

import casadi as ca
import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.sketch.disturb import rounded
from tinkerdyne.sketch.problem.problem import Problem
from tinkerdyne.sketch.problem.terms import Terms

QUIET = {"print_time": False, "show_eval_warnings": False, "error_on_fail": False, "calc_lam_p": False}
COMMON = {
    "print_level": 0,
    "sb": "yes",
    "tol": 1e-8,
    "constr_viol_tol": 1e-9,
    "acceptable_tol": 1e-6,
    "acceptable_constr_viol_tol": 1e-9,
    "linear_solver": "mumps",
    "fixed_variable_treatment": "make_parameter",
}
# For flights no guess of multipliers, and a barrier that falls fast: that saves a quarter of the iterations.
# Trees need both.
CAREFUL = {"mu_init": 1e-3}
COLD = {
    "mu_init": 1e-3,
    "mu_linear_decrease_factor": 0.02,
    "barrier_tol_factor": 100.0,
    "constr_mult_init_max": 0.0,
}
PUSHES = ("bound_push", "bound_frac", "slack_bound_push", "slack_bound_frac", "mult_bound_push")
WARM = {"warm_start_init_point": "yes", "mu_init": 1e-6, **{f"warm_start_{name}": 1e-8 for name in PUSHES}}


@dataclass(frozen=True)
class Report:
    """How a solve ended: its cost, the largest violation of a row, and what IPOPT says."""

    cost: float
    violation: float
    is_converged: bool
    says: str
    iterations: int


class Ipopt:
    """Solvers of one problem, made when they are first wanted."""

    def __init__(self, terms: Terms, *, cold: dict[str, float] | None = None) -> None:
        self._cold = COLD if cold is None else cold
        self.nlp, self.derivatives = terms.build()
        self._solvers: dict[tuple[bool, int, bool], ca.Function] = {}
        self._callback = Callback(terms.x.size, terms.g.size, terms.p.size)

    def run(
        self,
        given: dict[str, Array],
        *,
        warm: bool,
        most: int = 300,
        wanted: Callable[[], bool] | None = None,
    ) -> tuple[dict[str, Array], Report]:
        """x, g and the multipliers where it ended, and a report: cost, violation, is_converged, says,
        iterations.

        wanted is asked in every iteration; when it says no, the iterate that met the rows best is the end.
        """
        key = (warm, most, wanted is not None)
        if key not in self._solvers:
            options = {
                **QUIET,
                **self.derivatives,
                "ipopt": {**COMMON, **(WARM if warm else self._cold), "max_iter": most},
            }
            if wanted is not None:
                options["iteration_callback"] = self._callback
            self._solvers[key] = ca.nlpsol("sketch", "ipopt", self.nlp, options)
        solver = self._solvers[key]
        if wanted is not None:
            self._callback.begin(wanted, given["lbg"], given["ubg"])
        solution = solver(**{**given, "x0": rounded(given["x0"])})
        stats = solver.stats()
        out = {name: np.array(solution[name]).ravel() for name in ("x", "g", "lam_g", "lam_x")}
        cost, says = float(solution["f"]), str(stats["return_status"])
        if wanted is not None and self._callback.is_stopped and self._callback.best is not None:
            (out["x"], out["g"], cost), says = self._callback.best, "cancelled"
        off = violation(out["g"], given) if np.all(np.isfinite(out["x"])) else np.inf
        report = Report(cost, off, bool(stats["success"]), says, int(stats["iter_count"]))
        return out, report


def violation(g: Array, given: dict[str, Array]) -> float:
    """How far the worst row is out of its bounds; infinite where one is no number."""
    off = float(np.maximum(np.maximum(given["lbg"] - g, g - given["ubg"]), 0.0).max(initial=0.0))
    return off if np.isfinite(g).all() else np.inf


class Callback(ca.Callback):  # type: ignore[misc]
    """Asks in every iteration whether to go on, and keeps the iterate that meets the rows best."""

    def __init__(self, nx: int, ng: int, np_: int) -> None:
        ca.Callback.__init__(self)
        self._sizes = {"x": nx, "f": 1, "g": ng, "lam_x": nx, "lam_g": ng, "lam_p": np_}
        self.is_stopped = False
        self.construct("callback", {})

    def begin(self, wanted: Callable[[], bool], low: Array, high: Array) -> None:
        self._wanted, self._bounds = wanted, {"lbg": low, "ubg": high}
        self.is_stopped, self._off = False, np.inf
        self.best: tuple[Array, Array, float] | None = None

    def get_n_in(self) -> int:
        return int(ca.nlpsol_n_out())

    def get_n_out(self) -> int:
        return 1

    def get_name_in(self, i: int) -> str:
        return str(ca.nlpsol_out(i))

    def get_sparsity_in(self, i: int) -> ca.Sparsity:
        return ca.Sparsity.dense(self._sizes[ca.nlpsol_out(i)])

    def eval(self, given: list[ca.DM]) -> list[float]:
        x, f, g = (np.array(one).ravel() for one in given[:3])
        off = violation(g, self._bounds)
        if self.best is None or off <= max(self._off, 1e-8):
            self.best, self._off = (x, g, float(f[0])), off
        self.is_stopped = not self._wanted()
        return [float(self.is_stopped)]


@functools.lru_cache(maxsize=32)
def ipopt_of(P: Problem) -> Ipopt:
    """The solvers of a problem, kept with it."""
    return Ipopt(P.terms)
