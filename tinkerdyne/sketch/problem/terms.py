"""Terms: an optimisation problem as families of small formulas, each over a few of the unknowns, with exact
sparse derivatives.

A family is one expanded formula (y, p) → (cost, rows); its instances say which unknowns and which parameters
they read. Values, gradient, Jacobian and Hessian of all instances of a family come from one mapped function,
and are gathered and scattered by index. That costs a fifth of what differentiating the whole problem does.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field

import casadi as ca
import numpy as np
from scipy.sparse import csc_array

from tinkerdyne.language.arrays import Array
from tinkerdyne.sketch.problem.formula import Formula
from tinkerdyne.sketch.problem.sparse import Call, Sum, scatter


@dataclass
class Slices:
    """Parts of one long vector, by what they belong to."""

    parts: dict[Hashable, slice] = field(default_factory=dict)
    size: int = 0

    def add(self, key: Hashable, count: int) -> None:
        self.parts[key] = slice(self.size, self.size + count)
        self.size += count

    def indices(self, *keys: Hashable) -> Array:
        """Where the numbers of these parts lie, one after another."""
        ranges = [np.arange(self.parts[key].start, self.parts[key].stop) for key in keys]
        return np.concatenate(ranges) if ranges else np.zeros(0, int)

    def __contains__(self, key: Hashable) -> bool:
        return key in self.parts


@dataclass
class Family:
    """The instances of one formula: which unknowns and parameters they read, and where their rows lie."""

    formula: Formula
    y: list[Array] = field(default_factory=list)
    p: list[Array] = field(default_factory=list)
    g: list[Array] = field(default_factory=list)


class Terms:
    """The sum of all families: an nlp for IPOPT, with its derivatives."""

    def __init__(self, x: Slices, p: Slices, formulas: dict[Hashable, Formula] | None = None) -> None:
        """formulas: those of other problems, by the same keys, which need not be made again."""
        self.x, self.p, self.g = x, p, Slices()
        self.families: dict[Hashable, Family] = {}
        self._formulas = {} if formulas is None else formulas

    def add(
        self,
        key: Hashable,
        y: Array,
        p: Array,
        formula: Callable[[ca.MX, ca.MX], tuple[ca.MX, ca.MX]],
        rows: Hashable = None,
        *,
        is_shared: bool = True,
    ) -> None:
        """An instance of the family `key`, which is made of the formula the first time; its rows get a
        name."""
        if key not in self.families:
            known = self._formulas.get(key) or Formula(len(y), len(p), formula)
            if is_shared:
                self._formulas[key] = known
            self.families[key] = Family(known)
        family = self.families[key]
        count = family.formula.rows
        family.y.append(y)
        family.p.append(p)
        if count:
            self.g.add(rows, count)
        family.g.append(self.g.indices(rows) if count else np.zeros(0, int))

    @functools.cached_property
    def symbols(self) -> tuple[ca.MX, ca.MX, ca.MX, ca.MX]:
        """x, p, λ_f, λ."""
        return (
            ca.MX.sym("x", self.x.size),
            ca.MX.sym("p", self.p.size),
            ca.MX.sym("lam_f"),
            ca.MX.sym("lam", self.g.size),
        )

    def build(self) -> tuple[dict[str, ca.MX], dict[str, ca.Function]]:
        """The nlp, and the derivative functions that nlpsol takes as options."""
        x, p, lam_f, lam = self.symbols
        f, slope_f = ca.MX(0), ca.MX(0)
        g, slope_g, grad = Sum(self.g.size), Sum(self.g.size), Sum(self.x.size)
        for formula, ys, ps, _, Y, G in self._instances():
            n = len(Y)
            if formula.has_cost:
                f += ca.sum2(formula.cost.map(n)(ys, ps))
                cost, rise = formula.rise.map(n)(ys, ps)
                slope_f += ca.sum2(cost)
                grad.add(rise, Y)
            if formula.rows:
                g.add(formula.value.map(n)(ys, ps), G)
                slope_g.add(formula.slope.map(n)(ys, ps)[0], G)
        nlp = {"x": x, "p": p, "f": f, "g": g.vector()}
        derivatives = {
            "grad_f": ca.Function(
                "nlp_grad_f", [x, p], [slope_f, grad.vector()], ["x", "p"], ["f", "grad_f_x"]
            ),
            "jac_g": ca.Function(
                "nlp_jac_g", [x, p], [slope_g.vector(), self.jacobian], ["x", "p"], ["g", "jac_g_x"]
            ),
            "hess_lag": ca.Function(
                "nlp_hess_l",
                [x, p, lam_f, lam],
                [self.hessian],
                ["x", "p", "lam_f", "lam_g"],
                ["triu_hess_gamma_x_x"],
            ),
        }
        return nlp, derivatives

    def _instances(self) -> Iterator[tuple[Formula, ca.MX, ca.MX, ca.MX, Array, Array]]:
        """Of each family the unknowns, parameters and multipliers of all its instances, by columns, and where
        they lie."""
        x, p, _, lam = self.symbols
        for family in self.families.values():
            n = len(family.y)
            Y, P, G = np.array(family.y), np.array(family.p).reshape(n, -1), np.array(family.g).reshape(n, -1)
            formula = family.formula
            ys = ca.reshape(x[Y.ravel().tolist()], formula.ny, n)
            ps = ca.reshape(p[P.ravel().tolist()], P.shape[1], n) if P.size else ca.MX(0, n)
            lams = ca.reshape(lam[G.ravel().tolist()], formula.rows, n) if G.size else ca.MX(0, n)
            yield formula, ys, ps, lams, Y, G

    @functools.cached_property
    def jacobian(self) -> ca.MX:
        parts, at = [], []
        for formula, ys, ps, _, Y, G in self._instances():
            if formula.rows:
                r, c = (np.array(a, int) for a in formula.J.get_triplet())
                parts.append(ca.vec(formula.slope.map(len(Y))(ys, ps)[1]))
                at.append(np.stack([G[:, r].ravel(), Y[:, c].ravel()]))
        return scatter(parts, at, self.g.size, self.x.size)

    @functools.cached_property
    def hessian(self) -> ca.MX:
        """Of the Lagrangian, upper half."""
        parts, at = [], []
        for formula, ys, ps, lams, Y, _ in self._instances():
            r, c = (np.array(a, int) for a in formula.H.get_triplet())
            if len(r):
                parts.append(
                    ca.vec(formula.curve.map(len(Y))(ys, ps, ca.repmat(self.symbols[2], 1, len(Y)), lams))
                )
                pair = np.stack([Y[:, r].ravel(), Y[:, c].ravel()])
                at.append(np.stack([pair.min(axis=0), pair.max(axis=0)]))
        return scatter(parts, at, self.x.size, self.x.size)

    # --- for Newton's method -----------------------------------------------------------------------
    @functools.cached_property
    def _first(self) -> Call:
        x, p, _, lam = self.symbols
        f, g, slope = ca.MX(0), Sum(self.g.size), Sum(self.x.size)
        for formula, ys, ps, lams, Y, G in self._instances():
            cost, rows, pull = formula.pull.map(len(Y))(ys, ps, ca.MX.ones(1, len(Y)), lams)
            f += ca.sum2(cost)
            slope.add(pull, Y)
            if formula.rows:
                g.add(rows, G)
        return Call((x, p, lam), [f, g.vector(), slope.vector()])

    def first(self, x: Array, p: Array, lam: Array) -> tuple[float, Array, Array]:
        """f, g and the gradient of f + λ·g."""
        f, g, slope = self._first(x, p, lam)
        return float(f[0]), g, slope

    @functools.cached_property
    def _second(self) -> tuple[Call, Array, csc_array]:
        """The entries of H and J, which of them stands at each entry of the bordered matrix, and its form."""
        x, p, lam_f, lam = self.symbols
        J, H = self.jacobian, self.hessian
        call = Call((x, p, lam_f, lam), [H.nz[:], J.nz[:]])
        n, size = self.x.size, self.x.size + self.g.size
        (hr, hc), (jr, jc) = (np.array(M.sparsity().get_triplet(), int) for M in (H, J))
        off, own = np.flatnonzero(hr != hc), np.arange(len(jr)) + len(hr)
        rows, columns = np.concatenate([hr, hc[off], jr + n, jc]), np.concatenate([hc, hr[off], jc, jr + n])
        form = csc_array((np.arange(len(rows)) + 1.0, (rows, columns)), shape=(size, size))
        which = np.concatenate([np.arange(len(hr)), off, own, own])
        return call, which[form.data.astype(int) - 1], form

    def second(self, x: Array, p: Array, lam: Array) -> csc_array:
        """[[H, Jᵀ], [J, 0]] of f + λ·g."""
        call, which, form = self._second
        return csc_array(
            (np.concatenate(call(x, p, np.ones(1), lam))[which], form.indices, form.indptr), shape=form.shape
        )

    @functools.cached_property
    def _slope(self) -> Call:
        """The entries of J."""
        return Call(self.symbols[:2], [self.jacobian.nz[:]])

    def bordered_anew(self, K: csc_array, x: Array, p: Array) -> csc_array:
        """The matrix of `second` with its J at x, and the H that it had."""
        _, which, form = self._second
        (J,) = self._slope(x, p)
        is_J = which >= self.hessian.nnz()
        data = K.data.copy()
        data[is_J] = J[which[is_J] - self.hessian.nnz()]
        return csc_array((data, form.indices, form.indptr), shape=form.shape)
