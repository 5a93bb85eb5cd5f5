"""Terms: an optimisation problem as families of small formulas, each over a few of the unknowns, with exact sparse derivatives.

A family is one expanded formula (y, p) → (cost, rows); its instances say which unknowns and which parameters they read. Values,
gradient, Jacobian and Hessian of all instances of a family come from one mapped function, and are gathered and scattered by
index. That costs a fifth of what differentiating the whole problem does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import casadi as ca
import numpy as np

MX = Any
Array = np.ndarray[Any, Any]


LARGE = 30_000  # operations


@dataclass
class Layout:
    """Named parts of one long vector."""

    parts: dict[str, slice] = field(default_factory=dict)
    size: int = 0

    def add(self, name: str, count: int) -> None:
        self.parts[name] = slice(self.size, self.size + count)
        self.size += count

    def indices(self, *names: str) -> Array:
        """Where the numbers of these parts lie, one after another."""
        found = [np.arange(self.parts[name].start, self.parts[name].stop) for name in names]
        return np.concatenate(found) if found else np.zeros(0, int)

    def __contains__(self, name: str) -> bool:
        return name in self.parts


class Family:
    """One formula and its instances."""

    def __init__(self, ny: int, np_: int, formula: Callable[[Any, Any], tuple[Any, Any]]) -> None:
        y, p = ca.SX.sym("y", ny), ca.SX.sym("p", np_)
        cost, rows = formula(y, p)
        cost, rows = ca.SX(cost), ca.SX(rows)
        self.ny, self.rows = ny, rows.numel()
        lam_f, lam = ca.SX.sym("lam_f"), ca.SX.sym("lam", self.rows)
        J = ca.jacobian(rows, y)
        H = ca.triu(ca.hessian(lam_f * cost + ca.dot(lam, rows), y)[0])
        self.J, self.H = J.sparsity(), H.sparsity()
        self.value = ca.Function("value", [y, p], [cost, rows])
        self.slope = ca.Function("slope", [y, p], _shared([cost, rows, ca.gradient(cost, y), ca.vertcat(*J.nonzeros())]))
        self.curve = ca.Function("curve", [y, p, lam_f, lam], _shared([ca.vertcat(*H.nonzeros())]))
        self.y: list[Array] = []
        self.p: list[Array] = []
        self.g: list[Array] = []


def _shared(out: list[Any]) -> list[Any]:
    """Common parts computed once, where finding them does not take longer than it saves."""
    found: list[Any] = ca.cse(out) if ca.n_nodes(ca.SX(ca.veccat(*out))) < LARGE else out
    return found


class Terms:
    """The sum of all families: an nlp for IPOPT, with its derivatives."""

    def __init__(self, x: Layout, p: Layout) -> None:
        self.x, self.p, self.g = x, p, Layout()
        self.families: dict[Any, Family] = {}

    def add(self, key: Any, y: Array, p: Array, formula: Callable[[Any, Any], tuple[Any, Any]], rows: str = "") -> None:
        """An instance of the family `key`, which is made of the formula the first time; its rows get a name."""
        if key not in self.families:
            self.families[key] = Family(len(y), len(p), formula)
        family = self.families[key]
        family.y.append(y)
        family.p.append(p)
        if family.rows:
            self.g.add(rows, family.rows)
        family.g.append(self.g.indices(rows) if family.rows else np.zeros(0, int))

    def build(self) -> tuple[dict[str, MX], dict[str, Any]]:
        """The nlp, and the derivative functions that nlpsol takes as options."""
        nx, ng = self.x.size, self.g.size
        x, p, lam_f, lam = ca.MX.sym("x", nx), ca.MX.sym("p", self.p.size), ca.MX.sym("lam_f"), ca.MX.sym("lam", ng)
        f, slope_f = ca.MX(0), ca.MX(0)
        g_parts, j_parts, h_parts, grad_parts = [], [], [], []
        g_at, j_at, h_at, grad_at = [], [], [], []
        slope_g = []
        for family in self.families.values():
            n = len(family.y)
            Y, P = np.array(family.y), np.array(family.p).reshape(n, -1)
            ys = ca.reshape(x[Y.ravel().tolist()], family.ny, n)
            ps = ca.reshape(p[P.ravel().tolist()], P.shape[1], n) if P.size else ca.MX(0, n)
            cost, rows = family.value.map(n)(ys, ps)
            f += ca.sum2(cost)
            cost, same, grad, nz = family.slope.map(n)(ys, ps)
            slope_f += ca.sum2(cost)
            grad_parts.append(ca.vec(grad))
            grad_at.append(Y.ravel())
            G = np.array(family.g).reshape(n, -1)
            multipliers = ca.reshape(lam[G.ravel().tolist()], family.rows, n) if G.size else ca.MX(0, n)
            if G.size:
                g_parts.append(ca.vec(rows))
                slope_g.append(ca.vec(same))
                g_at.append(G.ravel())
                r, c = (np.array(a, int) for a in family.J.get_triplet())
                j_parts.append(ca.vec(nz))
                j_at.append(np.stack([G[:, r].ravel(), Y[:, c].ravel()]))
            r, c = (np.array(a, int) for a in family.H.get_triplet())
            if len(r):
                h_parts.append(ca.vec(family.curve.map(n)(ys, ps, ca.repmat(lam_f, 1, n), multipliers)))
                pair = np.stack([Y[:, r].ravel(), Y[:, c].ravel()])
                h_at.append(np.stack([pair.min(axis=0), pair.max(axis=0)]))
        gathered = _scatter_vector(g_parts, g_at, ng)
        nlp = {"x": x, "p": p, "f": f, "g": gathered}
        grad = _scatter_vector(grad_parts, grad_at, nx)
        J = _scatter(j_parts, j_at, ng, nx)
        H = _scatter(h_parts, h_at, nx, nx)
        derivatives = {
            "grad_f": ca.Function("nlp_grad_f", [x, p], [slope_f, grad], ["x", "p"], ["f", "grad_f_x"]),
            "jac_g": ca.Function("nlp_jac_g", [x, p], [_scatter_vector(slope_g, g_at, ng), J], ["x", "p"], ["g", "jac_g_x"]),
            "hess_lag": ca.Function("nlp_hess_l", [x, p, lam_f, lam], [H], ["x", "p", "lam_f", "lam_g"], ["triu_hess_gamma_x_x"]),
        }
        return nlp, derivatives


def _scatter_vector(parts: list[MX], at: list[Array], n: int) -> MX:
    """A dense vector of n: the sum of numbers that belong at these places."""
    if not parts:
        return ca.MX.zeros(n)
    where = np.concatenate(at)
    gather = ca.DM.triplet(where.tolist(), list(range(len(where))), ca.DM.ones(len(where)), n, len(where))
    return ca.densify(gather @ ca.vertcat(*parts))


def _scatter(parts: list[MX], at: list[Array], rows: int, columns: int) -> MX:
    """A sparse matrix: the sum of numbers that belong at these places (2, n)."""
    if not parts:
        return ca.MX(rows, columns)
    r, c = np.concatenate(at, axis=1)
    places, where = np.unique(c * rows + r, return_inverse=True)
    pattern = ca.Sparsity.triplet(rows, columns, (places % rows).tolist(), (places // rows).tolist())
    gather = ca.DM.triplet(where.tolist(), list(range(len(where))), ca.DM.ones(len(where)), len(places), len(where))
    return ca.MX(pattern, ca.densify(gather @ ca.vertcat(*parts)))


OPTIONS = {"print_time": False, "show_eval_warnings": False, "error_on_fail": False, "calc_lam_p": False}


def ipopt(*, warm: bool, most: int = 300) -> dict[str, Any]:
    """Options of IPOPT; warm: from a point and multipliers near a solution."""
    common = {
        "print_level": 0,
        "sb": "yes",
        "max_iter": most,
        "tol": 1e-8,
        "constr_viol_tol": 1e-9,
        "acceptable_tol": 1e-6,
        "acceptable_constr_viol_tol": 1e-9,
        "linear_solver": "mumps",
        "fixed_variable_treatment": "make_parameter",
    }
    if not warm:
        return {**common, "mu_init": 1e-3}
    pushes = ("bound_push", "bound_frac", "slack_bound_push", "slack_bound_frac", "mult_bound_push")
    return {**common, **{f"warm_start_{name}": 1e-8 for name in pushes}, "warm_start_init_point": "yes", "mu_init": 1e-6}
