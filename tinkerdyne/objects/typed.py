"""Curves typed in as text: their equations go through the safe parser, and their named numbers become state
(G2, E5).

    typed_curve("a*cos(u)", "b*sin(u)", span=(0, "2*pi"), a=1, b=2)
A name may stand for a place: c=(0, 0) is used as c.x, c.y or c[0], c[1]. The scene file keeps texts, names
and numbers, so a typed curve loads in a program that has never seen it.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping, Sequence
from typing import Any

import casadi as ca
import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.language.checks import number, vector
from tinkerdyne.language.item import Item, Values, label
from tinkerdyne.language.kinds import CurveValue, Value
from tinkerdyne.language.look import look
from tinkerdyne.language.parse import FormulaError, parse
from tinkerdyne.language.symbols import SX, TAU, Function
from tinkerdyne.objects.curve import CURVE_UNITS, CurveType, curve_type
from tinkerdyne.objects.curves import LIGHT
from tinkerdyne.objects.maker import Maker
from tinkerdyne.objects.quadrature import MOST_PANELS, closing_of, enough_panels, quadrature
from tinkerdyne.objects.spread import along

Texts = tuple[str, ...]
Span = tuple[float, float]
SpanGiven = tuple[float | str, float | str]  # its ends may be typed, as in (0, "2*pi")
MOST_NUMBERS = 32  # of one curve
CHECKED = 9  # places of the span at which a new curve must be finite
LETTERS = "xyz"
# Names that an item, or a formula, has of itself.
RESERVED = {
    *Item.__slots__,
    "u",
    "v",
    "text",
    "names",
    "numbers",
    "numbers_rate",
    "span",
    "panels",
    "density",
    "drag",
    "is_fixed",
}
_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*(\.[xyz])?")


def names_of(numbers: Mapping[str, object]) -> tuple[tuple[str, ...], tuple[float, ...]]:
    """Named numbers and places, flat: c=(0, 1) becomes c.x and c.y."""
    names: list[str] = []
    values: list[float] = []
    for name, value in numbers.items():
        if isinstance(value, (tuple, list, np.ndarray)):
            flat = vector(name, value, length=(2, 3))
            names += [f"{name}.{letter}" for letter in LETTERS[: len(flat)]]
            values += flat
        else:
            names.append(name)
            values.append(number(name, value))
    return tuple(names), tuple(values)


def scope_of(names: tuple[str, ...], state: SX) -> dict[str, SX]:
    """What the names stand for in a formula: numbers, and columns of numbers for places."""
    found: dict[str, list[SX]] = {}
    for k, name in enumerate(names):
        found.setdefault(name.partition(".")[0], []).append(state[k])
    return {name: ca.vertcat(*parts) for name, parts in found.items()}


class Typed(Item):
    """An object of typed formulas; its numbers can be read and set by their names."""

    __slots__ = ()

    def _places(self, name: str) -> list[int]:
        return [k for k, n in enumerate(self.values["names"]) if name in (n, n.partition(".")[0])]

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("__") and (places := self._places(name)):
            numbers = self.numbers
            found = tuple(numbers[k] for k in places)
            return found if "." in self.values["names"][places[0]] else found[0]
        return super().__getattr__(name)

    def __setattr__(self, name: str, value: Any) -> None:
        if places := self._places(name):
            given = vector(f"{name} of {label(self)}", np.atleast_1d(value), length=len(places))
            numbers = list(self.numbers)
            for k, x in zip(places, given, strict=True):
                numbers[k] = x
            name, value = "numbers", tuple(numbers)
        super().__setattr__(name, value)


_chosen: dict[tuple[Texts, Texts, Span], int] = {}  # panels by text, names and span
KEY = ("text", "names", "span", "panels")
_types: dict[
    tuple[Texts, Texts, Span, int], tuple[CurveType, Function]
] = {}  # with x(u, numbers) as a CasADi function


class TypedMaker(Maker):
    """The maker of typed curves."""

    item = Typed

    def __call__(
        self,
        *text: str,
        span: SpanGiven = (0.0, 1.0),
        name: str = "",
        panels: int | None = None,
        density: float = LIGHT,
        drag: float = 1.0,
        is_fixed: bool = False,
        **numbers: float | Sequence[float],
    ) -> Item:
        """A curve of two or three typed formulas over u and the named numbers, which become its state.

        Its integrals go over `panels` parts of the span; when nothing is said, as many as they need near the
        numbers given.
        """
        names, values = names_of(numbers)
        extra = {"density": density, "drag": drag, "is_fixed": is_fixed}
        options = {"text": text, "names": names, "span": span, "numbers": values, **extra}
        return self.make(name, (), options if panels is None else {**options, "panels": panels})

    def signature(self) -> inspect.Signature:
        return inspect.signature(self.__call__, eval_str=True)

    def make(self, name: str, inputs: Sequence[Item], options: Values) -> Item:
        if "numbers" in options and "numbers_rate" not in options:
            options = {**options, "numbers_rate": (0.0,) * np.size(options["numbers"])}
        is_open = "panels" not in options
        item = super().make(name, inputs, options)
        if is_open and (panels := _panels(item)) > 1:
            item.panels = panels
        return item


def checked_texts(what: str, value: object) -> tuple[str, ...]:
    """One text or several."""
    found = (
        (value,) if isinstance(value, str) else tuple(value) if isinstance(value, (tuple, list)) else (value,)
    )
    if not all(isinstance(t, str) for t in found):
        raise TypeError(f"{what} must be texts, not {value!r}")
    return found


def _check(what: str, name: str, value: object) -> Value:
    if name == "text":
        return checked_texts(what, value)
    if name == "names":
        return checked_names(what, checked_texts(what, value))
    if name == "span":
        return checked_span(what, value)
    if name == "panels":
        if isinstance(value, bool) or value != int(number(what, value)) or not 1 <= value <= MOST_PANELS:
            raise ValueError(f"{what} must be a whole number from 1 to {MOST_PANELS}, not {value!r}")
        return int(value)
    return number(what, value, positive=True)


def checked_names(what: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """Names that a formula can use and an item can have."""
    for name in names:
        if not _NAME.fullmatch(name):
            raise ValueError(
                f"{what}: {name[:40]!r} is no name; write letters, digits and _, beginning with a letter"
            )
        if name.partition(".")[0] in RESERVED:
            raise ValueError(
                f"{what}: a number cannot be called {name!r}, which means something else; give it another "
                "name"
            )
    if len(set(names)) < len(names) or len(names) > MOST_NUMBERS:
        raise ValueError(f"{what} must be at most {MOST_NUMBERS} different names, not {len(names)}")
    return names


def checked_span(what: str, value: object) -> Span:
    """Two numbers, the first smaller; each may be typed, as in (0, "2*pi")."""
    ends = tuple(value) if isinstance(value, (tuple, list)) else ()
    if len(ends) != 2:
        raise TypeError(f"{what} must be two numbers, such as (0, 1) or (0, '2*pi'), not {value!r}")
    low, high = (float(parse(x, {})) if isinstance(x, str) else number(what, x) for x in ends)
    if not low < high:
        raise ValueError(f"{what} must begin below its end, not go from {low:g} to {high:g}")
    return low, high


def _resolve(who: str, values: Values, start: Values) -> tuple[CurveType, list[float]]:
    text, names, span, panels = (values[k] for k in KEY)
    numbers = start["numbers"]
    if len(text) not in (2, 3):
        raise ValueError(f"{who} takes two formulas in the plane or three in space, not {len(text)}")
    if not names:
        raise ValueError(f"{who} has nothing that could change; name a number of its formulas, such as a=1")
    if len(numbers) != len(names):
        raise ValueError(
            f"numbers of {who} must be {len(names)}, one for each of {', '.join(names)}, not {len(numbers)}"
        )
    key = (text, names, span, panels)
    if key not in _types:
        _types[key] = _type(who, text, names, span, panels, np.array(numbers))
    kind, written = _types[key]
    for at in np.linspace(span[0], span[1], CHECKED):
        if not np.all(np.isfinite(written(at, ca.DM(numbers)).full())):
            raise ValueError(f"{who} has no place at u = {at:g}; give it another span, or other numbers")
    return kind, [values["density"], values["drag"]]


def _drag_nodes(count: int, panels: int) -> int:
    """On each part of the span; more places than numbers, so that the drag matrix has full rank."""
    return max(8, -(-2 * count // panels))


def _panels(item: Item) -> int:
    """How many parts of the span its integrals need; no fewer than other curves of this text have, so that
    they share a type."""
    text, names, span, _ = key = tuple(item.values[k] for k in KEY)
    written, numbers = _types[key][1], item.start["numbers"]
    closing = closing_of(lambda u, q: written(u, q), np.array(numbers), span)
    needed = enough_panels(
        lambda u, q: written(u, q), numbers, span, closing, lambda panels: _drag_nodes(len(names), panels)
    )
    _chosen[text, names, span] = max(needed, _chosen.get((text, names, span), 1))
    return _chosen[text, names, span]


def _type(
    who: str, text: Texts, names: Texts, span: Span, panels: int, numbers: Array
) -> tuple[CurveType, Function]:
    def equations(u: SX, state: SX) -> SX:
        names_ = {"u": u, **scope_of(names, state)}
        return ca.vertcat(*[parse(t, names_) for t in text])

    q, u = ca.SX.sym("q", len(names)), ca.SX.sym("u")
    x = equations(u, q)
    for k, name in enumerate(names):
        if not ca.depends_on(x, q[k]):
            raise ValueError(f"{who}: the number {name!r} stands in no formula; leave it out, or use it")
    if not ca.depends_on(x, u):
        raise FormulaError("a curve's formulas must contain u, which runs along it", text[0], 0)
    written = ca.Function("x", [u, q], [x])
    closing = closing_of(lambda u, q: written(u, q), numbers, span)

    def value(q: SX, _p: dict[str, SX]) -> CurveValue:
        return CurveValue(q, lambda u, s: written(u, s), span, panels, closing)

    nodes = _drag_nodes(len(names), panels)
    spread = along(value, len(names), quadrature(span, panels, nodes, nodes, closing))
    return curve_type(f"typed_curve@{len(_types)}", value, {"numbers": tuple(numbers)}, (), spread), written


typed_curve = TypedMaker(
    "typed_curve",
    {
        "text": ("c.x + a.x*cos(u) + b.x*sin(u)", "c.y + a.y*cos(u) + b.y*sin(u)"),
        "names": ("c.x", "c.y", "a.x", "a.y", "b.x", "b.y"),
        "span": (0.0, TAU),
        "panels": 1,
        "density": LIGHT,
        "drag": 1.0,
    },
    {"numbers": (0.0, 0.0, 1.0, 0.0, 0.0, 0.6), "numbers_rate": (0.0,) * 6},
    _resolve,
    check=_check,
    check_state=lambda what, _name, value: vector(what, value),
    doc="A curve whose equations x(u) are typed as text, over numbers that become its state.",
    units=CURVE_UNITS,
    word="typed_curve",
)
look(
    role="typed curve",
    group="Formulas",
    line='world.add(typed_curve("a*cos(u)", "b*sin(u)", span=(0, TAU), a=1, b=0.6))',
)(typed_curve)
