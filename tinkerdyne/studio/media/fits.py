"""Data and fits by hand: rows that are loaded or pasted, a model that they pull, and a hand that pulls it
elsewhere (G5)."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
from scipy.optimize import least_squares

from tinkerdyne.language.arrays import Array
from tinkerdyne.language.checks import number, vector
from tinkerdyne.language.item import Item, label
from tinkerdyne.optimise.fit import MODELS, NO_LIMIT, Fit, data_from, rows_in, table
from tinkerdyne.optimise.model import Model
from tinkerdyne.studio.media.pictures import _first_order
from tinkerdyne.studio.media.uploads import taken
from tinkerdyne.studio.session.session import Request, Session
from tinkerdyne.studio.wire import protocol as p
from tinkerdyne.world.dragging import Grip
from tinkerdyne.world.edit import Change, Several
from tinkerdyne.world.world import World

MOST_ROWS = 2000  # each is an item that pages draw
LONGEST_TEXT = 4_000_000  # characters
# of a parameter's usual mass, which in a first-order world is its drag: fits settle in a second or two
QUICK = 0.05
NORMAL = 1.4826  # standard deviations of normal noise in its median |r|, which outliers hardly change
TINY = 1e-9  # of the data's size: the least scatter, of data without noise
ROUNDS, STEADY = 20, 1e-3  # of finding the scatter; the change of it [1] that is the last
PULL = 3.0  # a hand on the model, in the weight of all rows together
NAMES = ("x", "y", "z")


# --- rows --------------------------------------------------------------------------------------------
def data_in(command: p.Load, _session: Session, request: Request) -> p.Rows:
    """Rows of numbers of a file or of typed text: CSV, blanks between them, or JSON."""
    what = "the data"
    if command.files:
        [raw] = taken(request, *command.files[:1])
        what = f"the data {command.files[0]!r}"
        try:
            text = raw.decode("utf-8-sig")
        except UnicodeDecodeError as problem:
            raise ValueError(f"{what} are no text: byte {problem.start} is no UTF-8") from None
    else:
        text = command.text
    return rows_of(text, what)


def rows_of(text: str, what: str) -> p.Rows:
    """The numbers of a text, with the names of their columns."""
    if not text.strip():
        raise ValueError(f"{what} are empty; type or load rows of numbers, such as 1.0, 2.5")
    if len(text) > LONGEST_TEXT:
        raise ValueError(
            f"{what} have {len(text):,} characters, more than {LONGEST_TEXT:,}; make them shorter"
        )
    head: list[str] = []
    if text.lstrip()[0] in "[{":
        try:
            found = json.loads(text, parse_constant=lambda word: math.nan)
        except (ValueError, RecursionError) as problem:
            raise ValueError(f"{what} are no JSON: {problem}") from None
        if isinstance(found, dict):
            columns = {str(name): _column(what, values) for name, values in found.items()}
            sizes = {len(values) for values in columns.values()}
            if len(sizes) > 1:
                told = ", ".join(f"{name} has {len(values)}" for name, values in columns.items())
                raise ValueError(f"{what} must have as many numbers in each column; {told}")
            head, found = list(columns), list(map(list, zip(*columns.values(), strict=True)))
        given: Any = found
    else:
        head, given = table(text, what)
    rows = data_from(given, what=what)
    if not 2 <= rows.shape[1] <= 3:
        raise ValueError(f"{what} must have 2 columns (x, y) or 3 (x, y, z), not {rows.shape[1]}")
    if len(rows) > MOST_ROWS:
        raise ValueError(
            f"{what} may have {MOST_ROWS} rows here, not {len(rows)}; take one of every "
            f"{-(-len(rows) // MOST_ROWS)}"
        )
    named = (
        head if len(head) == rows.shape[1] and all(h.isidentifier() for h in head) else NAMES[: rows.shape[1]]
    )
    return p.Rows(tuple(named), tuple(tuple(row) for row in rows.tolist()))


def _column(what: str, values: object) -> list[object]:
    if not isinstance(values, list):
        raise ValueError(f'{what} must be lists of numbers by name, such as {{"x": [1, 2], "y": [3, 4]}}')
    return values


# --- fits --------------------------------------------------------------------------------------------
def fit(command: p.PutFit, session: Session, _request: Request) -> str:
    """A model on rows of data; its parameters become variables of the world."""
    world = session.world
    _first_order(world)
    rows = data_from([list(row) for row in command.rows], len(command.columns))
    if len(rows) > MOST_ROWS:
        raise ValueError(
            f"data may have {MOST_ROWS} rows here, not {len(rows)}; take one of every "
            f"{-(-len(rows) // MOST_ROWS)}"
        )
    start = guess(command.model, rows) | command.start
    with world.history.one_step():
        if command.replaces:
            forget(world, command.replaces)
        model = Model(world)
        for name in start:
            model._new(name)
            if name in world:
                raise ValueError(
                    f"the world has a {label(world[name])} already; call the parameter something else"
                )
        name = next(n for n in ("fit", *(f"fit{k}" for k in range(2, 100_000))) if not is_fit(world, n))
        spread = number("spread", command.spread, positive=True)
        options = {
            "columns": command.columns,
            "spread": spread,
            "limit": command.limit,
            "name": name,
            "world": world,
        }
        given: dict[str, Any] = {**start, **options}
        made = Fit(command.model, rows, **given)
        world.apply(Several(tuple(Change(one.name, "mass", QUICK * one.mass) for one in made.parameters)))
    return name


def forget(world: World, name: str) -> None:
    """Take a fit out: its rows, and its parameters where nothing else uses them."""
    old = Fit.of(world, name)
    world.remove(*rows_in(world, name))
    alone = [parameter for parameter in old.parameters if not world.contents.users(parameter)]
    if alone:
        world.remove(*alone)


def guess(model: str, rows: Array) -> dict[str, float]:
    """First values for the parameters of a known model, from the data."""
    if model not in MODELS:
        return {}
    x, y = rows[:, 0], rows[:, 1]
    cx, cy, wide, high = float(x.mean()), float(y.mean()), float(np.ptp(x)) or 1.0, float(y.std()) or 1.0
    r = float(np.hypot(x - cx, y - cy).mean()) or 1.0
    match model:
        case "line":
            return {"a": cy, "b": 0.0}
        case "circle":
            return {"cx": cx, "cy": cy, "r": r}
        case "ellipse":
            return {"cx": cx, "cy": cy, "a": 1.2 * r, "b": 0.9 * r, "turn": 0.0}
        case "sinusoid":
            return {"c": cy, "a": math.sqrt(2) * high, "w": _frequency(x, y - cy), "p": 0.0}
        case "gaussians":
            return {
                "a1": float(y.max()),
                "m1": float(x.min() + wide / 3),
                "s1": wide / 8,
                "a2": float(y.max()) / 2,
                "m2": float(x.min() + 2 * wide / 3),
                "s2": wide / 8,
            }
        case _:
            z = rows[:, 2] if rows.shape[1] == 3 else np.zeros(len(rows))
            if model == "sphere":
                return {"cx": cx, "cy": cy, "cz": float(z.mean()), "r": r}
            return {"px": cx, "py": cy, "u": 0.0, "v": 0.0, "r": r}


def _frequency(x: Array, y: Array) -> float:
    """The frequency whose wave has most in common with the data, of a few dozen [rad/m]."""
    wide = float(np.ptp(x)) or 1.0
    tried = 2 * math.pi / wide * np.arange(0.5, 20.5, 0.25)
    return float(tried[int(np.argmax([abs(np.exp(1j * w * x) @ y) for w in tried]))])


class Pull(Grip):
    """A hand on a fitted model: a strong datum where the hand is."""

    def move(self, *to: float) -> None:
        """Pull the model to another place."""
        self._held()
        given = to[0] if len(to) == 1 else to
        self._change(
            "constants", vector("the target of a fit", given, length=len(self.item.values["constants"]))
        )


def pull(world: World, name: str, at: tuple[float, ...]) -> Grip:
    """Take a model by the hand at a place that it goes through."""
    held = Fit.of(world, name)
    row = vector(f"a place of fit {name!r}", at, length=len(held.columns))
    with world.history.drag("pulled the fit") as drag:
        item: Item = held._datum(row, "", held.spread / math.sqrt(PULL * len(held.data)), NO_LIMIT)
        world.add(item)
    return Pull(world, item, item, drag)


def is_fit(world: World, name: str) -> bool:
    """Whether there is a fit of this name."""
    return bool(rows_in(world, name))


def robust(world: World, name: str, limit: float) -> None:
    """Huber's line from `limit` spreads on; 0 for squares everywhere."""
    wanted = NO_LIMIT if limit == 0 else number("limit", limit, positive=True)
    world.apply(Several(tuple(Change(row.name, "limit", wanted) for row in rows_in(world, name))))


def robust_in_scatters(world: World, name: str, scatters: float) -> None:
    """Huber's line from so many scatters of the data on, as they lie about the robust fit itself; 0 for
    squares everywhere."""
    held = Fit.of(world, name)
    given = number("scatters", scatters)
    robust(
        world, name, given and number("scatters", given, positive=True) * scatter(held, given) / held.spread
    )


def scatter(fit: Fit, scatters: float) -> float:
    """1.4826 median |r| about the fit whose Huber limit is that many of it: by turns, as the one changes the
    other [units of r]."""
    q = np.array(list(fit.values.values()))
    residuals, slopes = (lambda q: fit._evaluate(q)[0]), (lambda q: fit._evaluate(q)[1])
    least = TINY * (1 + float(np.abs(fit.data).max()))
    found = 0.0
    for _ in range(ROUNDS):
        r = residuals(q)
        if not np.isfinite(r).all():
            row = int(np.argmin(np.isfinite(r))) + 1
            raise ValueError(f"fit {fit.name!r} has no finite residual at row {row}; pull it elsewhere")
        before, found = found, max(NORMAL * float(np.median(np.abs(r))), least)
        if abs(found - before) <= STEADY * found:
            break
        q = least_squares(residuals, q, slopes, loss="huber", f_scale=scatters * found).x
    return found


def report(world: World, name: str) -> p.FitReport:
    """How a fit stands: parameters, one standard deviation of each, and how far the data are from it."""
    held = Fit.of(world, name)
    r = held.residuals
    try:
        sure, why = held.uncertainties, ""
    except ValueError as problem:
        sure, why = {}, str(problem)
    finite = np.isfinite(r).all()
    return p.FitReport(
        text=held.text,
        values=held.values,
        uncertainties={k: v for k, v in sure.items() if math.isfinite(v)},
        why=why,
        rms=float(np.sqrt(np.mean(r**2))) if finite else None,
        largest=float(np.abs(r).max()) if finite else None,
        rows=len(r),
        outliers=int((np.abs(r) > held.limit * held.spread).sum()) if held.limit < NO_LIMIT else 0,
        limit=held.limit if held.limit < NO_LIMIT else 0,
        spread=held.spread,
    )
