"""Fitting: a model typed in as a formula is pulled by scattered data, and by hand out of a wrong minimum (G5,
ID90 §5.3).

    fit = Fit("y = a + b*x", data, a=0.0, b=1.0)
    fit.settle()
    fit.values, fit.uncertainties, fit.residuals

Each row of data is a spring on the model, E = ρ(r), with the residual r = left − right of the formula at that
row, divided by `spread`; ρ is r²/2, and beyond `limit` spreads it goes on straight (Huber). Parameters are
variables of a first-order world.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

import casadi as ca
import numpy as np
from numpy.typing import ArrayLike

from tinkerdyne.connectors.formulas import scope
from tinkerdyne.engine.least_squares import columns
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.attributes import SaysNearest
from tinkerdyne.language.calls import methods_say_how
from tinkerdyne.language.checks import number, vector
from tinkerdyne.language.effects import Energy, energy
from tinkerdyne.language.item import Item, Values
from tinkerdyne.language.kinds import Anything, Names, Place, Size, Texts
from tinkerdyne.language.look import look
from tinkerdyne.language.parse import parse
from tinkerdyne.language.types import behavior
from tinkerdyne.objects.catalog import Variable
from tinkerdyne.optimise.model import Model, Slider, residual_text
from tinkerdyne.optimise.settle import Rest, settle
from tinkerdyne.world.edit import Change, Edit, Remove, Several
from tinkerdyne.world.world import World

Data: TypeAlias = ArrayLike | str | os.PathLike[str]  # rows of numbers, or the file they stand in
MOST_ROWS = 20_000  # each is an item of the world
LARGEST_FILE = 50_000_000  # bytes
NO_LIMIT = 1e30  # spreads: no residual is an outlier
STALE = 100.0  # times: masses that are off by as much are weighed again while a fit settles
TINY = 1e-150  # of a norm: a size is never zero
UNFELT, LIGHTEST = 1e-30, 1e-12  # of the heaviest parameter: one that no datum feels still needs a mass

# The cylinder's axis goes through (px, py, 0) along (u, v, 1); with 1e-30 m² roots have a slope where a datum
# is the centre.
MODELS = {
    "line": "y = a + b*x",
    "circle": "sqrt((x - cx)^2 + (y - cy)^2 + 1e-30) = r",
    "ellipse": "sqrt((((x - cx)*cos(turn) + (y - cy)*sin(turn))/a)^2"
    " + (((y - cy)*cos(turn) - (x - cx)*sin(turn))/b)^2 + 1e-30) = 1",
    "sinusoid": "y = c + a*sin(w*x + p)",
    "gaussians": "y = a1*exp(-((x - m1)/s1)^2/2) + a2*exp(-((x - m2)/s2)^2/2)",
    "sphere": "sqrt((x - cx)^2 + (y - cy)^2 + (z - cz)^2 + 1e-30) = r",
    "cylinder": "sqrt(max((x - px)^2 + (y - py)^2 + z^2 - ((x - px)*u + (y - py)*v + z)^2/(u^2 + v^2 + 1), "
    "1e-30)) = r",
}


@look(glyph="none", role="datum")
@behavior(tied=True)
def datum(
    *inputs: Anything,
    text: Texts = ("0",),
    names: Names = (),
    constant_names: Names = (),
    constants: Place = (),
    spread: Size = 1.0,
    limit: Size = NO_LIMIT,
) -> Energy:
    """A row of data pulls on a model:  E = ρ(f/spread), ρ(r) = r²/2 for |r| ≤ limit, else limit·(|r| −
    limit/2) (Huber)."""
    r = parse(text[0], scope(inputs, names, constants, constant_names)) / spread
    inside = ca.fmin(ca.fmax(r, -limit), limit)
    return energy(inside * (r - inside / 2))


def data_from(source: Data, columns: int | None = None, *, what: str = "the data") -> Array:
    """Rows of finite numbers, of an array or of a text file with commas, semicolons, tabs or blanks between
    them."""
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
        raise ValueError(
            f"{what} may have {MOST_ROWS} rows, not {len(given)}; take one of every "
            f"{-(-len(given) // MOST_ROWS)}"
        )
    if not np.isfinite(given).all():
        row, column = np.argwhere(~np.isfinite(given))[0]
        raise ValueError(
            f"{what} has {given[row, column]} in row {row + 1}, column {column + 1}; leave such rows out"
        )
    return given


def _read(what: str, path: Path) -> list[list[float]]:
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise ValueError(
                f"{what} has {path.stat().st_size:,} bytes, more than {LARGEST_FILE:,}; make it shorter"
            )
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as problem:
        raise ValueError(f"{what} cannot be read: {problem}") from None
    return table(text, what)[1]


def table(text: str, what: str) -> tuple[list[str], list[list[float]]]:
    """Names of columns, where the first line has some, and rows of numbers."""
    head: list[str] = []
    rows: list[list[float]] = []
    for k, line in enumerate(text.splitlines(), 1):
        cells = line.split("#")[0].replace(",", " ").replace(";", " ").split()
        if not cells:
            continue
        try:
            rows.append([float(cell) for cell in cells])
        except ValueError as problem:
            if rows or head:
                raise ValueError(f"{what}, line {k}: {problem}") from None
            head = cells
            continue
        if len(rows[-1]) != len(rows[0]):
            raise ValueError(f"{what}, line {k} has {len(rows[-1])} numbers, the first row {len(rows[0])}")
    return head, rows


def _masses(slopes: Array) -> Array:
    """Σ slope² of each parameter, so that each answers the data within a second; a little where no datum
    feels it."""
    weights = (slopes**2).sum(axis=0)
    heaviest = weights.max(initial=0.0)
    return np.asarray(np.where(weights > UNFELT * heaviest, weights, max(LIGHTEST * heaviest, LIGHTEST)))


def _sizes(q: Array, r: Array, masses: Array) -> Array:
    """How far each parameter goes until the residuals change by their own norm, and the largest that a
    parameter is worth."""
    worth = np.linalg.norm(r) + (np.sqrt(masses) * np.abs(q)).max()
    return np.asarray(np.maximum(worth, TINY) / np.sqrt(masses))


def huber_covariance(r: Array, slopes: Array, limit: float) -> Array:
    """The asymptotic covariance of Huber's estimate:  K² [Σψ²/(m − k)] [Σψ′/m]⁻² (JᵀJ)⁻¹,  with ψ = r, held
    within ± limit.

    K = 1 + (k/m) (1 − p)/p with p = Σψ′/m is Huber's correction for few rows (Robust Statistics, 1981, §7.6);
    without outliers it is the usual s² (JᵀJ)⁻¹.
    """
    m, k = slopes.shape
    psi = np.clip(r, -limit, limit)
    p = float((np.abs(r) <= limit).mean())
    K = 1 + k / m * (1 - p) / p
    scale = np.linalg.norm(slopes, axis=0)
    inverse = np.linalg.inv((slopes / scale).T @ (slopes / scale)) / np.outer(scale, scale)
    return np.asarray((K / p) ** 2 * float(psi @ psi) / (m - k) * inverse)


def rows_in(world: World, name: str) -> list[Item]:
    """The rows of a fit, in the order of their numbers."""
    start = f"{name} datum "
    rows = [item for item in world.items if item.type is datum and item.name.startswith(start)]
    return sorted(
        rows, key=lambda item: int(item.name[len(start) :]) if item.name[len(start) :].isdigit() else 0
    )


def _is_model(given: object) -> bool:
    """Whether something can only be the text of a model, and not data or their file."""
    return isinstance(given, str) and (given in MODELS or "=" in given)


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


@methods_say_how()
class Fit(SaysNearest):
    """A model on data, in either order: Fit("y = a + b*x", rows, a=0.0, b=1.0).

    Parameters are given by name with the values they start from; `columns` names the data's.
    """

    def __init__(
        self,
        text: str,
        data: Data,
        *unnamed: object,
        columns: tuple[str, ...] = ("x", "y"),
        spread: float = 1.0,
        limit: float | None = None,
        world: World | None = None,
        name: str = "fit",
        **start: float,
    ) -> None:
        if unnamed:
            raise TypeError(
                f"a fit takes its text and one table of data, row by row, not {2 + len(unnamed)} things: "
                'Fit("y = a + b*x", np.column_stack([x, y]), a=0.0, b=1.0)'
            )
        if isinstance(data, str) and not _is_model(text) and _is_model(data):  # whichever comes first
            text, data = data, text
        text = MODELS.get(text, text)
        rows = data_from(data, len(columns))
        if not start:
            raise TypeError(f"fit {name!r} has no parameters; give each a first value, such as a=1.0")
        both = set(columns) & set(start)
        if both:
            raise ValueError(f"fit {name!r}: {', '.join(sorted(both))} cannot be a column and a parameter")
        first = {key: number(f"{key} of fit {name!r}", value) for key, value in start.items()}
        # Residuals and their slopes here, to weigh the parameters, and at the optimum.
        self.world = Model(world).world
        self._describe(residual_text(text), tuple(first), tuple(columns), name)
        spread = number(f"spread of fit {name!r}", spread, positive=True)
        limit = NO_LIMIT if limit is None else number(f"limit of fit {name!r}", limit, positive=True)
        self._known = spread, limit
        residuals, slopes = self._evaluate(np.array(list(first.values())), rows)
        self._check_start(rows, residuals, slopes, first)
        given = zip(first.items(), _masses(slopes / spread).tolist(), strict=True)
        self.parameters = tuple(Variable(key, value=value, mass=mass) for (key, value), mass in given)
        self.world.add(*self.parameters)
        self.world.add(
            *[self._datum(row, f"{name} datum {k}", spread, limit) for k, row in enumerate(rows.tolist())]
        )

    def __repr__(self) -> str:
        found = ", ".join(f"{item.name}={item.value:.6g}" for item in self.parameters)
        return f"<Fit {self.name!r}: {self.text!r} on {len(rows_in(self.world, self.name))} rows; {found}>"

    def _check_start(self, rows: Array, residuals: Array, slopes: Array, start: dict[str, float]) -> None:
        """Refuse a start at which a row has no residual, or no slope to slide down."""
        lost = ~np.isfinite(np.column_stack([residuals, slopes])).all(axis=1)
        if lost.any():
            k = int(np.argmax(lost))
            what = "slope" if np.isfinite(residuals[k]) else "value"
            row, at = (
                ", ".join(f"{key} = {value:g}" for key, value in zip(keys, values, strict=True))
                for keys, values in ((self.columns, rows[k]), (start, start.values()))
            )
            raise ValueError(
                f"fit {self.name!r} has no finite {what} at row {k + 1} ({row}) with {at}: "
                "leave that row out, or give the parameters other first values"
            )

    def _describe(self, text: str, names: tuple[str, ...], columns: tuple[str, ...], name: str) -> None:
        self.text, self.names, self.columns, self.name = text, names, columns, name
        symbols = {key: ca.SX.sym(key) for key in (*names, *columns)}
        r = parse(text, symbols)
        q = ca.vertcat(*[symbols[key] for key in names])
        unused = [key for key in names if not ca.depends_on(r, symbols[key])]
        if unused:
            raise ValueError(f"fit {name!r}: the formula does not use {', '.join(unused)}: {text!r}")
        x = ca.vertcat(*[symbols[key] for key in columns])
        self._function = ca.Function("r", [q, x], [r, ca.jacobian(r, q).T])

    def _datum(self, row: Sequence[float], name: str, spread: float, limit: float) -> Item:
        options: Values = {"text": (self.text,), "names": self.names, "constant_names": self.columns}
        options |= {"constants": tuple(row), "spread": spread, "limit": limit}
        item: Item = datum.make(name, self.parameters, options)
        return item

    @classmethod
    def of(cls, world: World, name: str = "fit") -> Fit:
        """The fit of this name in a world, such as one that was loaded from a file."""
        rows = rows_in(world, name)
        if not rows:
            raise KeyError(f"there is no fit {name!r} in this world")
        fit, first = cls.__new__(cls), rows[0]
        fit.world, fit.parameters, fit._known = world, first.inputs, (first.spread, first.limit)
        fit._describe(first.text[0], tuple(first.names), tuple(first.constant_names), name)
        return fit

    # --- what the world holds, also after undo -----------------------------------------------------
    @property
    def data(self) -> Array:
        """The rows that pull on the model, rows × columns."""
        rows = [item.constants for item in rows_in(self.world, self.name)]
        return np.array(rows, float).reshape(len(rows), len(self.columns))

    @property
    def spread(self) -> float:
        """What residuals are divided by."""
        return self._options()[0]

    @property
    def limit(self) -> float:
        """Spreads beyond which residuals count linearly."""
        return self._options()[1]

    def _options(self) -> tuple[float, float]:
        """(spread, limit), as the rows have them."""
        rows = rows_in(self.world, self.name)
        if rows:
            self._known = rows[0].spread, rows[0].limit
        return self._known

    def _evaluate(self, q: Array, data: Array | None = None) -> tuple[Array, Array]:
        """Residuals (n) and their derivatives by the parameters (n × k), before they are divided by the
        spread."""
        data = self.data if data is None else data
        n = len(data)
        r, slopes = self._function(np.repeat(q[:, None], n, axis=1), data.T)
        return np.asarray(r.full()).ravel(), np.asarray(slopes.full()).T.reshape(n, len(q))

    # --- hands -----------------------------------------------------------------------------------
    def pull(self, *place: float, weight: float | None = None) -> Hand:
        """Pull the model through a place, a row of data of its own, with the weight of that many rows (half
        of all)."""
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
        return Model(self.world).slide(
            parameter, to, strength=10 * known[parameter].mass if strength is None else strength
        )

    def leave_out(self, *rows: int) -> None:
        """Take rows of data away by their numbers in `data` as it is now, counted from 0."""
        items = rows_in(self.world, self.name)
        for k in rows:
            if isinstance(k, bool) or not isinstance(k, (int, np.integer)) or not 0 <= k < len(items):
                raise ValueError(
                    f"fit {self.name!r} has the rows 0 to {len(items) - 1}, and no row {k!r} to leave out"
                )
        self.world.apply(Remove(tuple(dict.fromkeys(items[k].name for k in rows))))

    def be_robust(self, limit: float) -> None:
        """From now on residuals beyond `limit` spreads count linearly (Huber)."""
        limit = number(f"limit of fit {self.name!r}", limit, positive=True)
        self.world.apply(
            Several(tuple(Change(item.name, "limit", limit) for item in rows_in(self.world, self.name)))
        )

    def settle(self, *, speed: float = 1e-14, most_steps: int = 20_000) -> Rest:
        """Slide to the local optimum now, without passing time: until no parameter goes faster than `speed`
        of its size a second.

        Its size is the change of it that would move the model as far as its parameters, and the residuals,
        are large.
        """
        data, spread = self.data, self.spread

        def weigh() -> tuple[Array, Edit]:
            q = np.array(list(self.values.values()))
            r, slopes = (x / spread for x in self._evaluate(q, data))
            masses = _masses(slopes)
            now = np.array([item.mass for item in self.parameters])
            where, _ = columns(self.world.engine)
            size = np.ones(self.world.engine.overview.nv)
            size[[where[item.key].start for item in self.parameters]] = _sizes(q, r, masses)
            if not np.isfinite(masses).all() or (np.abs(np.log(masses / now)) < np.log(STALE)).all():
                return size, Several(())
            return size, Several(
                tuple(
                    Change(i.name, "mass", m) for i, m in zip(self.parameters, masses.tolist(), strict=True)
                )
            )

        return settle(self.world, weigh if len(data) else None, speed=speed, most_steps=most_steps)

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
        """Of the parameters, k × k, near the optimum: s² (JᵀJ)⁻¹ with s² = Σ r²/(m − k), and Huber's where
        rows are outliers."""
        r, slopes = self._evaluate(np.array(list(self.values.values())))
        limit = self.limit * self.spread
        inside, k = int((np.abs(r) <= limit).sum()), len(self.parameters)
        if inside <= k:
            raise ValueError(f"fit {self.name!r} has {inside} rows for {k} parameters: no spread to see")
        scale = np.linalg.norm(slopes, axis=0)
        if not (scale > 0).all() or np.linalg.cond(slopes / scale) ** 2 > 1e13:
            raise ValueError(
                f"fit {self.name!r}: the data do not determine all of {', '.join(self.names)} here"
            )
        return huber_covariance(r, slopes, limit)

    @property
    def uncertainties(self) -> dict[str, float]:
        """One standard deviation of each parameter."""
        return dict(zip(self.names, np.sqrt(np.diag(self.covariance)).tolist(), strict=True))


__all__ = ["MODELS", "Fit", "Hand", "data_from", "datum"]
