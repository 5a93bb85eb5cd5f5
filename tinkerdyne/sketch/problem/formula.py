"""A formula over a few unknowns and parameters, with its exact derivatives."""

from __future__ import annotations

import functools
from collections.abc import Callable

import casadi as ca

from tinkerdyne.language.symbols import SX

LARGE = 30_000  # operations


class Formula:
    """A formula and its derivatives, as functions that are made when they are first wanted."""

    def __init__(self, ny: int, np_: int, formula: Callable[[SX, SX], tuple[SX, SX]]) -> None:
        self._y, self._p = ca.SX.sym("y", ny), ca.SX.sym("p", np_)
        cost, rows = formula(self._y, self._p)
        self._cost, self._rows = ca.cse([ca.SX(cost), ca.SX(rows)])
        self.ny, self.rows, self.has_cost = ny, self._rows.numel(), not self._cost.is_zero()
        self._lam_f, self._lam = ca.SX.sym("lam_f"), ca.SX.sym("lam", self.rows)
        J = ca.jacobian(self._rows, self._y)
        H = ca.triu(ca.hessian(self._lagrangian, self._y)[0])
        self.J, self.H = J.sparsity(), H.sparsity()
        self._nonzeros = ca.vertcat(*J.nonzeros()), ca.vertcat(*H.nonzeros())

    @property
    def _lagrangian(self) -> SX:
        return self._lam_f * self._cost + ca.dot(self._lam, self._rows)

    def _function(self, *out: SX, multipliers: bool = False) -> ca.Function:
        """Common parts computed once, where finding them does not take longer than it saves."""
        outputs = ca.cse(list(out)) if ca.n_nodes(ca.SX(ca.veccat(*out))) < LARGE else list(out)
        return ca.Function(
            "term", [self._y, self._p, *([self._lam_f, self._lam] if multipliers else [])], outputs
        )

    @functools.cached_property
    def cost(self) -> ca.Function:
        return self._function(self._cost)

    @functools.cached_property
    def value(self) -> ca.Function:
        return self._function(self._rows)

    @functools.cached_property
    def rise(self) -> ca.Function:
        """Cost and its gradient."""
        return self._function(self._cost, ca.gradient(self._cost, self._y))

    @functools.cached_property
    def slope(self) -> ca.Function:
        """Rows and the entries of their Jacobian."""
        return self._function(self._rows, self._nonzeros[0])

    @functools.cached_property
    def pull(self) -> ca.Function:
        """Cost, rows and the gradient of the Lagrangian, which takes no Jacobian."""
        return self._function(
            self._cost, self._rows, ca.gradient(self._lagrangian, self._y), multipliers=True
        )

    @functools.cached_property
    def curve(self) -> ca.Function:
        """The entries of the Lagrangian's Hessian, upper half."""
        return self._function(self._nonzeros[1], multipliers=True)
