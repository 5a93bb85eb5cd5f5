"""Surfaces typed in as text, x(u, v) in space, and patches of the plane: pulled at any point, they follow by
their equations (G2).

    typed_surface("r*cos(u)*cos(v)", "r*sin(u)*cos(v)", "h*sin(v)", u=(0, "2*pi"), v=("-pi/2", "pi/2"), r=1,
    h=2)
They weigh next to nothing, so that gravity leaves them alone, and have a uniform drag over their area.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import casadi as ca
import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.language.block import Layout
from tinkerdyne.language.checks import number, pieces, vector
from tinkerdyne.language.item import Item, Values, an_item, label
from tinkerdyne.language.kinds import Kind, Surface, Value
from tinkerdyne.language.look import look
from tinkerdyne.language.parse import FormulaError, parse
from tinkerdyne.language.symbols import SX, Function, cross, norm
from tinkerdyne.objects.curve import CurveType
from tinkerdyne.objects.curves import LIGHT
from tinkerdyne.objects.maker import Maker
from tinkerdyne.objects.object import StatePart
from tinkerdyne.objects.quadrature import gauss
from tinkerdyne.objects.spread import SLIVER, Spread
from tinkerdyne.objects.typed import (
    Span,
    SpanGiven,
    Texts,
    Typed,
    checked_names,
    checked_span,
    checked_texts,
    names_of,
    scope_of,
)

Key = tuple[Texts, Texts, tuple[Span, Span]]  # formulas, names, spans
MOST_SEGMENTS = 1000  # of a picture in each direction
ACROSS = 6  # nodes of the drag matrix in each direction
CHECKED = 5  # places of each span at which a new surface must be finite


@dataclass(frozen=True)
class SurfaceValue:
    """A parametric surface as a formula sees it: a point and a normal for each (u, v)."""

    state: SX
    equations: Callable[[SX, SX, SX], SX]
    u_span: Span
    v_span: Span

    def point(self, u: SX, v: SX) -> SX:
        """x(u, v)."""
        return self.equations(u, v, self.state)

    def normal(self, u: SX, v: SX) -> SX:
        """x_u × x_v, not normalised, in the plane one number: its size is the area that du dv covers."""
        s = ca.SX.sym("uv", 2)
        J = ca.jacobian(self.equations(s[0], s[1], self.state), s)
        return ca.substitute(cross(J[:, 0], J[:, 1]), s, ca.vertcat(u, v))


_types: dict[Key, tuple[CurveType, Function]] = {}


def _type(
    who: str, text: Texts, names: Texts, spans: tuple[Span, Span], numbers: Array
) -> tuple[CurveType, Function]:
    q, u, v = ca.SX.sym("q", len(names)), ca.SX.sym("u"), ca.SX.sym("v")
    x = ca.vertcat(*[parse(t, {"u": u, "v": v, **scope_of(names, q)}) for t in text])
    for k, name in enumerate(names):
        if not ca.depends_on(x, q[k]):
            raise ValueError(f"{who}: the number {name!r} stands in no formula; leave it out, or use it")
    if not (ca.depends_on(x, u) and ca.depends_on(x, v)):
        raise FormulaError("a surface's formulas must contain u and v, which run over it", text[0], 0)
    written = ca.Function("x", [u, v, q], [x])

    def value(state: SX) -> SurfaceValue:
        return SurfaceValue(state, lambda u, v, s: written(u, v, s), *spans)

    def at(state: SX, _p: dict[str, SX], node: SX) -> tuple[SX, SX]:
        surface = value(state)
        return surface.point(node[0], node[1]), node[2] * norm(surface.normal(node[0], node[1]))

    along, across = (gauss(span, 1, ACROSS) for span in spans)
    spread = Spread(at, len(names), tuple((a, b, w * z) for a, w in along for b, z in across))
    zero = (0.0,) * len(names)
    sliver = SLIVER * ca.SX.eye(len(names))

    kind = CurveType(
        name=f"typed_surface@{len(_types)}",
        kind=Kind("surface", wrap=value),
        positions=(StatePart("numbers", tuple(numbers)),),
        velocities=(StatePart("numbers_rate", zero),),
        layout=Layout(("density", "drag"), (1, 1)),
        mass=lambda q, p: p["density"] * spread.matrix(q, p) + sliver,
        first_order_mass=lambda q, p: p["drag"] * spread.matrix(q, p) + sliver,
        mass_varies=True,
        spread=spread,
    )
    return kind, written


def _resolve(who: str, values: Values, start: Values) -> tuple[CurveType, list[float]]:
    text, names, spans = values["text"], values["names"], (values["u_span"], values["v_span"])
    numbers = start["numbers"]
    if len(text) not in (2, 3):
        raise ValueError(f"{who} takes three formulas in space or two in the plane, not {len(text)}")
    if not names:
        raise ValueError(f"{who} has nothing that could change; name a number of its formulas, such as a=1")
    if len(numbers) != len(names):
        raise ValueError(
            f"numbers of {who} must be {len(names)}, one for each of {', '.join(names)}, not {len(numbers)}"
        )
    key = (text, names, spans)
    if key not in _types:
        _types[key] = _type(who, text, names, spans, np.array(numbers))
    kind, written = _types[key]
    us, vs = (np.linspace(low, high, CHECKED) for low, high in spans)
    for u in us:
        for v in vs:
            if not np.all(np.isfinite(written(u, v, ca.DM(numbers)).full())):
                raise ValueError(
                    f"{who} has no place at u = {u:g}, v = {v:g}; give it other spans, or other numbers"
                )
    return kind, [values["density"], values["drag"]]


class SurfaceMaker(Maker):
    """The maker of typed surfaces."""

    item = Typed

    def __call__(
        self,
        *text: str,
        u: SpanGiven = (0.0, 1.0),
        v: SpanGiven = (0.0, 1.0),
        name: str = "",
        density: float = LIGHT,
        drag: float = 1.0,
        is_fixed: bool = False,
        **numbers: float | Sequence[float],
    ) -> Item:
        """A surface of typed formulas (in the plane two) over u, v and named numbers, its state; u and v are
        their spans."""
        names, values = names_of(numbers)
        extra = {"density": density, "drag": drag, "is_fixed": is_fixed}
        return self.make(
            name, (), {"text": text, "names": names, "u_span": u, "v_span": v, "numbers": values, **extra}
        )

    def signature(self) -> inspect.Signature:
        return inspect.signature(self.__call__, eval_str=True)

    def make(self, name: str, inputs: Sequence[Item], options: Values) -> Item:
        if "numbers" in options and "numbers_rate" not in options:
            options = {**options, "numbers_rate": (0.0,) * np.size(options["numbers"])}
        return super().make(name, inputs, options)


def _check(what: str, name: str, value: object) -> Value:
    if name == "text":
        return checked_texts(what, value)
    if name == "names":
        return checked_names(what, checked_texts(what, value))
    if name in ("u_span", "v_span"):
        return checked_span(what, value)
    return number(what, value, positive=True)


typed_surface = SurfaceMaker(
    "typed_surface",
    {
        "text": ("c.x + u*a.x + v*b.x", "c.y + u*a.y + v*b.y", "c.z + u*a.z + v*b.z"),
        "names": ("c.x", "c.y", "c.z", "a.x", "a.y", "a.z", "b.x", "b.y", "b.z"),
        "u_span": (0.0, 1.0),
        "v_span": (0.0, 1.0),
        "density": LIGHT,
        "drag": 1.0,
    },
    {"numbers": (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0), "numbers_rate": (0.0,) * 9},
    _resolve,
    check=_check,
    check_state=lambda what, _name, value: vector(what, value),
    doc="A surface in space whose equations x(u, v) are typed as text, over numbers that become its state.",
    units={"density": "kg/m²", "drag": "N s/m³"},
    word="typed_surface",
)
look(
    role="typed surface",
    group="Formulas",
    line='world.add(typed_surface("u", "v", "a*u*v", u=(0, 1), v=(0, 1), a=1))',
)(typed_surface)


def surface_grid(item: Item, *, segments: int = 16) -> Array:
    """Places of a surface as it is now, evenly spaced in u and v: (segments + 1, segments + 1, 2 or 3)
    [m]."""
    family = an_item("surface_grid", item).type.family
    what = item.type.resolve(item)[0] if family == "object" else None
    if what is None or not what.kind.is_a(Surface):
        raise TypeError(f"{label(item)} is no surface")
    pieces(label(item), segments, most=MOST_SEGMENTS)
    values = item.values
    written = _types[values["text"], values["names"], (values["u_span"], values["v_span"])][1]
    spans: list[Span] = [values["u_span"], values["v_span"]]
    us, vs = (np.linspace(low, high, segments + 1) for low, high in spans)
    u, v = (x.ravel()[None] for x in np.meshgrid(us, vs, indexing="ij"))
    places = written.map(u.size)(u, v, np.tile(np.array(item.numbers)[:, None], u.size)).full()
    return np.array(places.T.reshape(segments + 1, segments + 1, -1))
