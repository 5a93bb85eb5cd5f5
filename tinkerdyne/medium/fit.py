"""Fitting: a model typed in as a formula is pulled by scattered data, and by hand out of a wrong minimum (G5, ID90 §5.3).

    fit = Fit("y = a + b*x", data, a=0.0, b=1.0)
    fit.settle()
    fit.values, fit.uncertainties, fit.residuals

Each row of data is a spring on the model, E = ρ(r), with the residual r = left − right of the formula at that row, divided by
`spread`; ρ is r²/2, and beyond `limit` spreads it goes on straight (Huber). Parameters are variables of a first-order world.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import casadi as ca
import numpy as np

from tinkerdyne.connectors.formulas import scope
from tinkerdyne.formula.kinds import Anything, Choice, Place, Size
from tinkerdyne.formula.parse import parse
from tinkerdyne.kernel.block import energy
from tinkerdyne.kernel.item import Item, number, vector
from tinkerdyne.kernel.types import behavior
from tinkerdyne.medium.model import Model, Slider, residual_text
from tinkerdyne.medium.settle import Rest, settle
from tinkerdyne.model.edit import Change, Remove, Several
from tinkerdyne.objects.catalog import Variable
from tinkerdyne.world import World

Array = np.ndarray[Any, Any]
MOST_ROWS = 20_000  # each is an item of the world
LARGEST_FILE = 50_000_000  # bytes
NO_LIMIT = 1e30  # spreads: no residual is an outlier
LIGHTEST = 1e-12  # of the heaviest parameter: one that no datum feels still needs a mass

MODELS = {
    "line": "y = a + b*x",
    "circle": "sqrt((x - cx)^2 + (y - cy)^2) = r",
    "ellipse": "sqrt((((x - cx)*cos(turn) + (y - cy)*sin(turn))/a)^2 + (((y - cy)*cos(turn) - (x - cx)*sin(turn))/b)^2) = 1",
    "sinusoid": "y = c + a*sin(w*x + p)",
    "gaussians": "y = a1*exp(-((x - m1)/s1)^2/2) + a2*exp(-((x - m2)/s2)^2/2)",
    "sphere": "sqrt((x - cx)^2 + (y - cy)^2 + (z - cz)^2) = r",
    "cylinder": "sqrt((x - px)^2 + (y - py)^2 + z^2 - ((x - px)*u + (y - py)*v + z)^2/(u^2 + v^2 + 1)) = r",
}  # the cylinder's axis goes through (px, py, 0) along (u, v, 1)


@behavior(tied=True)
def datum(
    *inputs: Anything,
    text: Choice = ("0",),
    names: Choice = (),
    constant_names: Choice = (),
    constants: Place = (),
    spread: Size = 1.0,
    limit: Size = NO_LIMIT,
) -> Any:
    """A row of data pulls on a model:  E = ρ(f/spread), ρ(r) = r²/2 for |r| ≤ limit, else limit·(|r| − limit/2) (Huber)."""
    r = parse(text[0], scope(inputs, names, constants, constant_names)) / spread
    inside = ca.fmin(ca.fmax(r, -limit), limit)
    return energy(inside * (r - inside / 2))


def data_from(source: Any, columns: int | None = None, *, what: str = "the data") -> Array:
    """Rows of finite numbers, of an array or of a text file with commas, semicolons, tabs or blanks between them."""
    if isinstance(source, (str, os.PathLike)):
        what = f"{what} {os.fspath(source)!r}"
        source = _read(what, Path(source))
    try:
        given = np.asarray(source, dtype=float)
    except (TypeError, ValueError) as problem:
        raise ValueError(f"{what} must be rows of numbers: {problem}") from None
    if given.ndim != 2 or not given.size:
        raise ValueError(f"{what} must be rows of numbers, rows × columns, not an array of {given.shape}")
    if columns is not None and given.shape[1] != columns:
        raise ValueError(f"{what} must have {columns} columns, not {given.shape[1]}")
    if len(given) > MOST_ROWS:
        raise ValueError(f"{what} may have {MOST_ROWS} rows, not {len(given)}; take one of every {-(-len(given) // MOST_ROWS)}")
    if not np.isfinite(given).all():
        row, column = np.argwhere(~np.isfinite(given))[0]
        raise ValueError(f"{what} has {given[row, column]} in row {row + 1}, column {column + 1}; leave such rows out")
    return given


def _read(what: str, path: Path) -> list[list[float]]:
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise ValueError(f"{what} has {path.stat().st_size:,} bytes, more than {LARGEST_FILE:,}; make it shorter")
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as problem:
        raise ValueError(f"{what} cannot be read: {problem}") from None
    rows: list[list[float]] = []
    for k, line in enumerate(text.splitlines(), 1):
        cells = line.split("#")[0].replace(",", " ").replace(";", " ").split()
        if not cells:
            continue
        try:
            rows.append([float(cell) for cell in cells])
        except ValueError as problem:
            if rows or k > 1:  # a first line may name the columns
                raise ValueError(f"{what}, line {k}: {problem}") from None
            continue
        if len(rows[-1]) != len(rows[0]):
            raise ValueError(f"{what}, line {k} has {len(rows[-1])} numbers, the first row {len(rows[0])}")
    return rows


class Hand:
    """A strong datum where the hand is: the model is pulled through it; move it, then release it."""

    def __init__(self, item: Item) -> None:
        self.item = item

    def move(self, *place: float) -> None:
        """Pull the model to another row of data."""
        self.item.constants = vector("a place", place, length=len(self.item.constants))

    def release(self) -> None:
        """Let go."""
        if self.item.world is not None:
            self.item.world.remove(self.item)


class Fit:
    """A model on data: parameters are given by name with the values they start from; `columns` names the data's."""

    def __init__(
        self,
        text: str,
        data: Any,
        *,
        columns: tuple[str, ...] = ("x", "y"),
        spread: float = 1.0,
        limit: float | None = None,
        world: World | None = None,
        name: str = "fit",
        **start: float,
    ) -> None:
        text = MODELS.get(text, text)
        rows = data_from(data, len(columns))
        if not start:
            raise TypeError(f"fit {name!r} has no parameters; give each a first value, such as a=1.0")
        both = set(columns) & set(start)
        if both:
            raise ValueError(f"fit {name!r}: {', '.join(sorted(both))} cannot be a column and a parameter")
        found = {key: number(f"{key} of fit {name!r}", value) for key, value in start.items()}
        # Residuals and their slopes here, to weigh the parameters, and at the optimum.
        self.world = Model(world).world
        self._describe(residual_text(text), tuple(found), tuple(columns), rows, name)
        self.spread = number(f"spread of fit {name!r}", spread, positive=True)
        self.limit = NO_LIMIT if limit is None else number(f"limit of fit {name!r}", limit, positive=True)
        _, slopes = self._evaluate(np.array(list(found.values())))
        weights = np.nan_to_num((slopes**2).sum(axis=0)) / self.spread**2
        floor = max(LIGHTEST * weights.max(initial=0.0), LIGHTEST)
        given = zip(found.items(), np.maximum(weights, floor).tolist(), strict=True)
        self.parameters = tuple(Variable(key, value=value, mass=mass) for (key, value), mass in given)
        self.world.add(*self.parameters)
        self.world.add(*[self._datum(row, f"{name} datum {k}", self.spread) for k, row in enumerate(rows.tolist())])

    def _describe(self, text: str, names: tuple[str, ...], columns: tuple[str, ...], rows: Array, name: str) -> None:
        self.text, self.names, self.columns, self.data, self.name = text, names, columns, rows, name
        symbols = {key: ca.SX.sym(key) for key in (*names, *columns)}
        r = parse(text, symbols)
        q = ca.vertcat(*[symbols[key] for key in names])
        unused = [key for key in names if not ca.depends_on(r, symbols[key])]
        if unused:
            raise ValueError(f"fit {name!r}: the formula does not use {', '.join(unused)}: {text!r}")
        x = ca.vertcat(*[symbols[key] for key in columns])
        self._function = ca.Function("r", [q, x], [r, ca.jacobian(r, q).T])

    def _datum(self, row: Any, name: str, spread: float, limit: float | None = None) -> Item:
        options: dict[str, Any] = {"text": (self.text,), "names": self.names, "constant_names": self.columns}
        options |= {"constants": tuple(row), "spread": spread, "limit": self.limit if limit is None else limit}
        item: Item = datum.make(name, self.parameters, options)
        return item

    @classmethod
    def of(cls, world: World, name: str = "fit") -> Fit:
        """The fit of this name in a world, such as one that was loaded from a file."""
        found = [item for item in world.items if item.type is datum and item.name.startswith(f"{name} datum ")]
        if not found:
            raise KeyError(f"there is no fit {name!r} in this world")
        fit, first = cls.__new__(cls), found[0]
        fit.world, fit.parameters, fit.spread, fit.limit = world, first.inputs, first.spread, first.limit
        rows = np.array([item.constants for item in found])
        fit._describe(first.text[0], tuple(first.names), tuple(first.constant_names), rows, name)
        return fit

    def _evaluate(self, q: Array) -> tuple[Array, Array]:
        """Residuals (n) and their derivatives by the parameters (n × k), before they are divided by the spread."""
        n = len(self.data)
        r, slopes = self._function(np.repeat(q[:, None], n, axis=1), self.data.T)
        return np.asarray(r.full()).ravel(), np.asarray(slopes.full()).T.reshape(n, len(q))

    # --- hands -----------------------------------------------------------------------------------
    def pull(self, *place: float, weight: float | None = None) -> Hand:
        """Pull the model through a place, a row of data of its own, with the weight of that many rows (half of all)."""
        row = vector(f"a place of fit {self.name!r}", place, length=len(self.columns))
        heavy = number("weight", len(self.data) / 2 if weight is None else weight, positive=True)
        item = self._datum(row, "", self.spread / np.sqrt(heavy), NO_LIMIT)
        self.world.add(item)
        return Hand(item)

    def slide(self, parameter: str, to: float | None = None, *, strength: float | None = None) -> Slider:
        """Put a slider on a parameter; as strong as all data together, if nothing is said."""
        known = {item.name: item for item in self.parameters}
        if parameter not in known:
            raise KeyError(f"fit {self.name!r} has no parameter {parameter!r}; it has {', '.join(known)}")
        return Model(self.world).slide(parameter, to, strength=10 * known[parameter].mass if strength is None else strength)

    def leave_out(self, *rows: int) -> None:
        """Take rows of data away by their numbers, counted from 0."""
        items = [f"{self.name} datum {k}" for k in rows]
        self.world.apply(Remove(tuple(items)))
        self.data = np.array([i.constants for i in self.world.items if i.name.startswith(f"{self.name} datum ")])

    def be_robust(self, limit: float) -> None:
        """From now on residuals beyond `limit` spreads count linearly (Huber)."""
        self.limit = number("limit", limit, positive=True)
        rows = (i.name for i in self.world.items if i.type is datum and i.name.startswith(f"{self.name} datum "))
        self.world.apply(Several(tuple(Change(row, "limit", self.limit) for row in rows)))

    def settle(self, *, speed: float = 1e-10) -> Rest:
        """Slide to the local optimum now, without passing time."""
        return settle(self.world, speed=speed)

    # --- what comes out --------------------------------------------------------------------------
    @property
    def values(self) -> dict[str, float]:
        """The parameters as they are now."""
        return {item.name: float(item.value) for item in self.parameters}

    @property
    def residuals(self) -> Array:
        """left − right of the formula, a number a row."""
        return self._evaluate(np.array(list(self.values.values())))[0]

    @property
    def covariance(self) -> Array:
        """Of the parameters, k × k: s² H⁻¹ with H = Σ ρ″ r_q r_qᵀ, the Hessian near the optimum, and s² = Σ ρ″ r²/(m − k)."""
        r, slopes = self._evaluate(np.array(list(self.values.values())))
        counts = np.abs(r) <= self.limit * self.spread  # ρ″ is 1 there, and 0 where Huber's line begins
        free = int(counts.sum()) - len(self.parameters)
        if free <= 0:
            raise ValueError(f"fit {self.name!r} has {counts.sum()} rows for {len(self.parameters)} parameters: no spread to see")
        H = slopes[counts].T @ slopes[counts]
        scale = np.sqrt(np.diag(H))
        if not (scale > 0).all() or np.linalg.cond(H / np.outer(scale, scale)) > 1e13:
            raise ValueError(f"fit {self.name!r}: the data do not determine all of {', '.join(self.names)} here")
        inverse = np.linalg.inv(H / np.outer(scale, scale)) / np.outer(scale, scale)
        return np.asarray(float(r[counts] @ r[counts]) / free * inverse)

    @property
    def uncertainties(self) -> dict[str, float]:
        """One standard deviation of each parameter."""
        return dict(zip(self.names, np.sqrt(np.diag(self.covariance)).tolist(), strict=True))


__all__ = ["MODELS", "Fit", "Hand", "data_from", "datum"]
