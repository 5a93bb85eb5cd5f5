"""Pictures as landscapes: a point is drawn to the edges of an image, and kept off by volcanoes (G4).

    E(p) = −strength · e(p),    e = mean over scales σ of |∇ G_σ * image|, each brought to 0 … 1,
read between the pixels by cubic splines: twice differentiable, so that forces and stiffness are its exact
derivatives. The image lies in the plane with y up: the centre of pixel (row, column) of an image with H rows
is corner + pixel·(column + ½, H − row − ½).
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Callable, Sequence
from typing import Any

import casadi as ca
import numpy as np
from numpy.typing import ArrayLike

from tinkerdyne.behaviors.landscape import LARGEST_SIDE, ImageText, image_from, image_text
from tinkerdyne.compiler import machine
from tinkerdyne.compiler.emit import ABSOLUTE, Slot, kernel_ir, module_ir
from tinkerdyne.compiler.kernels import tidy_function
from tinkerdyne.language.block import T_SYMBOL, TIME, Block, Layout, Port
from tinkerdyne.language.checks import vector
from tinkerdyne.language.effects import Effort, energy
from tinkerdyne.language.inputs import Inputs
from tinkerdyne.language.item import Item, Values
from tinkerdyne.language.kinds import ORIGIN, Choice, Kind, Number, Place, Point, Size, Symbolic, Value
from tinkerdyne.language.look import look
from tinkerdyne.language.symbols import SX
from tinkerdyne.language.types import BehaviorType, ConnectorType, behavior

Picture: Symbolic = Kind(
    "picture", (6,)
)  # address of the spline's coefficients, columns, rows, pixel, corner


class PictureType(ConnectorType):
    """The connector that supplies a picture.

    Its image is no structure of its formula: another frame is only another address."""

    reads_pictures = True

    def __init__(self, formula: Callable[..., SX]) -> None:
        super().__init__(formula, tied=True)
        del self.parameters["lookup"]

    def checked(self, item: str, name: str, value: Any) -> Value:
        what = f"{name} of {item}"
        if name == "image":
            if isinstance(value, str) and value and not value.startswith("data:"):
                raise ValueError(
                    f"{what} must be an array or a PNG as text; for a file write photo({value[:80]!r})"
                )
            if isinstance(value, str):
                text = value or _blank()
                return text if isinstance(text, ImageText) else ImageText(text, image_from(text, what=what))
            return image_text(image_from(value, what=what))
        if name == "scales":
            scales = vector(what, value if np.ndim(value) else [value])
            if not scales or not all(0 < s <= LARGEST_SIDE / 4 for s in scales):
                raise ValueError(
                    f"{what} must be one or more widths σ in pixels, up to {LARGEST_SIDE // 4}, not {value!r}"
                )
            return scales
        return vector(what, value, length=2) if name == "corner" else super().checked(item, name, value)

    def layout(self, values: Values) -> Layout:
        return Layout(("lookup", "pixel", "corner"), (3, 1, 2), (0, 0, 0))

    def flat(self, values: Values) -> list[float]:
        return [*values["image"].landscape(values["scales"]).row, values["pixel"], *values["corner"]]

    def block_of(self, item: Item) -> Block:
        blank = Item(self, item.name, (), {**item.values, "image": "", "scales": ()}, {})
        return super().block_of(blank)


@functools.cache
def _blank() -> str:
    """A small round hill, for a picture without an image."""
    y, x = np.mgrid[-4:5, -4:5]
    return image_text(np.round(200 * np.exp(-(x * x + y * y) / 8)))


@look(line='world.add(photo("cell.png"))')
@PictureType
def picture(
    *,
    image: Choice = "",
    scales: Choice = (1.5, 4.0),
    pixel: Size = 1.0,
    corner: Place = (0.0, 0.0),
    lookup: Place = (0.0, 0.0, 0.0),
) -> Picture:
    """An image in the plane: its text, widths σ at which edges are seen, a pixel's side and the lower left
    corner   [scales pixels, pixel m, corner m]."""
    return ca.vertcat(lookup, pixel, corner)


def photo(
    source: ArrayLike | os.PathLike[str],
    *,
    name: str = "",
    scales: float | Sequence[float] = (1.5, 4.0),
    pixel: float = 1.0,
    corner: Sequence[float] = (0.0, 0.0),
) -> Item:
    """A picture of an array or of a PNG or JPEG file."""
    text = image_text(image_from(source))
    return picture(name=name, image=text, scales=scales, pixel=pixel, corner=corner)


# --- the energy of a point on a picture ----------------------------------------------------------------
# Where the four coefficients of one row below a point lie. Its arithmetic is that of `_sample`, operation by
# operation, so that both take the same cell of the spline. A picture that was never evaluated (address 0) is
# flat.
_PATCH = """@tk_flat = internal constant [4 x double] zeroinitializer
define internal i64 @tk_cell(double %x, double %corner, double %pixel, double %count) alwaysinline nounwind {
  %far = fsub double %x, %corner
  %many = fdiv double %far, %pixel
  %s = fsub double %many, 5.000000e-01
  %last = fsub double %count, 1.000000e+00
  %is_over = fcmp olt double %s, %last
  %most = select i1 %is_over, double %s, double %last
  %is_inside = fcmp ogt double %most, 0.000000e+00
  %held = select i1 %is_inside, double %most, double 0.000000e+00
  %cell = call double @llvm.floor.f64(double %held)
  %index = fptosi double %cell to i64
  ret i64 %index
}
define internal ptr @tk_patch(ptr %picture, ptr %point, i64 %row) nounwind {
  %address_f = load double, ptr %picture, align 8
  %address = fptosi double %address_f to i64
  %table = inttoptr i64 %address to ptr
  %pw = getelementptr inbounds double, ptr %picture, i64 1
  %w = load double, ptr %pw, align 8
  %ph = getelementptr inbounds double, ptr %picture, i64 2
  %h = load double, ptr %ph, align 8
  %pp = getelementptr inbounds double, ptr %picture, i64 3
  %pixel = load double, ptr %pp, align 8
  %pc = getelementptr inbounds double, ptr %picture, i64 4
  %cx = load double, ptr %pc, align 8
  %pd = getelementptr inbounds double, ptr %picture, i64 5
  %cy = load double, ptr %pd, align 8
  %x = load double, ptr %point, align 8
  %py = getelementptr inbounds double, ptr %point, i64 1
  %y = load double, ptr %py, align 8
  %i = call i64 @tk_cell(double %x, double %cx, double %pixel, double %w)
  %j = call i64 @tk_cell(double %y, double %cy, double %pixel, double %h)
  %wide = fptosi double %w to i64
  %stride = add i64 %wide, 3
  %line = add i64 %j, %row
  %start = mul i64 %line, %stride
  %place = add i64 %start, %i
  %found = getelementptr inbounds double, ptr %table, i64 %place
  %is_none = icmp eq i64 %address, 0
  %safe = select i1 %is_none, ptr @tk_flat, ptr %found
  ret ptr %safe
}
"""


def _sample(x: SX, corner: SX, pixel: SX, count: SX) -> SX:
    """Weights of the four coefficients along one axis (cubic B-splines); beyond the borders, those of the
    border."""
    s = (x - corner) / pixel - 0.5
    s = ca.fmax(ca.fmin(s, count - 1), 0)
    f = s - ca.floor(s)
    g = 1 - f
    return ca.vertcat(g**3, 4 - 6 * f**2 + 3 * f**3, 4 - 6 * g**2 + 3 * g**3, f**3) / 6


def _picture_block(key: str, ports: tuple[Port, ...], layout: Layout) -> Block:
    """The block of a point on a picture (p, shown), or of a link of a snake (a, b, c, shown), where b is the
    point on the picture.

    Kernels find the spline's coefficients by `tk_patch`. The stiffness is a bound for the first-order step,
    which looks only at that of each point on itself: for a wire's ½ k |Σ cⱼ xⱼ|² that would be k cᵢ², with
    which long steps run away; Gershgorin's k |cᵢ| Σ |cⱼ| makes the shortest waves die out however long the
    step.
    """
    *points, _ = ports
    if any(port.dim != 2 for port in points):
        raise ValueError("a picture lies in the plane: its points have two numbers")
    inputs = Inputs.make(ports)
    p = ca.SX.sym("p", layout.size)
    lines = [ca.SX.sym(f"line{k}", 4) for k in range(4)]
    *x, shown = inputs.x
    seat = len(points) // 2
    across = _sample(x[seat][0], shown[4], shown[3], shown[1])
    up = _sample(x[seat][1], shown[5], shown[3], shown[2])
    value = -p[0] * sum((up[k] * ca.dot(across, lines[k]) for k in range(4)), ca.SX(0))
    slope = ca.gradient(value, x[seat])
    bounds = [ca.SX.zeros(port.width, port.width) for port in ports]
    bounds[seat] = ca.jacobian(slope, x[seat])
    if len(points) == 3:
        pull, bend = x[2] - x[1], x[0] - 2 * x[1] + x[2]
        value = value + p[1] / 2 * ca.dot(pull, pull) + p[2] / 2 * ca.dot(bend, bend)
        for k, (stretched, bent) in enumerate(((0, 4), (2, 8), (2, 4))):
            bounds[k] = bounds[k] + (stretched * ca.fabs(p[1]) + bent * ca.fabs(p[2])) * ca.SX.eye(2)
    pulls = [
        ca.densify(value),
        ca.SX.zeros(1),
        *inputs.pull(value, ca.SX(-1))[:-1],
        ca.SX.zeros(ports[-1].width),
    ]
    places, blocks, size = _record(ports)
    entry = 2 + 2 * len(points)
    args = [*inputs.symbols(), p, T_SYMBOL, *lines]
    ins = [*inputs.slots(), Slot(0), Slot(ABSOLUTE, TIME), *[Slot(entry, k, is_table=True) for k in range(4)]]
    outs = [Slot(1), Slot(1, 1), *[Slot(1, place) for place in places]]
    functions = {
        "force": (tidy_function("force", args, pulls), ins, outs),
        "spatial": (tidy_function("spatial", args, pulls), ins, outs),
        "damping": (tidy_function("damping", args, [ca.SX.zeros(b.shape) for b in bounds]), ins, blocks),
        "stiffness": (tidy_function("stiffness", args, [ca.densify(b) for b in bounds]), ins, blocks),
    }

    def found(match: re.Match[str]) -> str:
        """A table's row is found by the time; here it is a line of the picture below the point."""
        return f"@tk_patch(ptr %b{entry}, ptr %b{2 + 2 * seat}, i64 {ins[int(match.group(1))].displacement})"

    texts = [kernel_ir(name, f, i, o, 2 + 2 * len(ports)) for name, (f, i, o) in functions.items()]
    text = module_ir([_PATCH, *[re.sub(r"@tk_row\(ptr %k(\d+), ptr %S\)", found, one) for one in texts]])
    addresses = machine.kernels(text, list(functions))
    kernels = dict(zip(functions, addresses, strict=True))
    return Block(key, ports, layout, 2, tuple(places), (0,) * len(ports), size, kernels)


def _record(ports: tuple[Port, ...]) -> tuple[list[int], list[Slot], int]:
    """Where the force on each input lies in a record, then its stiffness; and the record's length."""
    places, blocks, at = [], [], 2
    for port in ports:
        places.append(at)
        at += port.width
    for port in ports:
        blocks.append(Slot(1, at))
        at += port.width**2
    return places, blocks, at


class OnPicture(BehaviorType):
    """A behavior whose kernels read a picture."""

    reads_pictures = True

    def block_of(self, item: Item) -> Block:
        ports = tuple(source.type.port(source) for source in item.inputs)
        key = tuple((port.kind.name, port.dim, port.nv, port.key) for port in ports)
        if key not in self._blocks:
            try:
                self._blocks[key] = _picture_block(f"behavior {self.name}", ports, self.layout(item.values))
            except ValueError as problem:
                raise ValueError(f"{self.name} {item.name!r}: {problem}") from None
        return self._blocks[key]


def _edge(p: Point, shown: Picture, *, strength: Number = 1.0) -> None:
    """A point is drawn to the edges of a picture:  E = −strength · e(p)   [strength J]; a negative strength
    drives it off."""


def _link(
    a: Point,
    b: Point,
    c: Point,
    shown: Picture,
    *,
    strength: Number = 1.0,
    tension: Number = 1.0,
    bending: Number = 1.0,
) -> None:
    """A point of a snake between its neighbours:  E = ½ tension |c − b|² + ½ bending |a − 2 b + c|² −
    strength · e(b)   [strength J, tension N/m, bending N/m]."""


edge = look(glyph="none", role="snake end")(OnPicture(_edge, name="edge", tied=True))
link = look(glyph="none", role="snake link")(OnPicture(_link, name="link", tied=True))


# --- a hand's hill -----------------------------------------------------------------------------------------
@look(glyph="none", role="hill", place="at")
@behavior(tied=True)
def volcano(p: Point, *, at: Place = ORIGIN, height: Number = 1.0, width: Size = 1.0) -> Effort:
    """A hill that drives points off a place:  E = height · exp(−|p − at|²/(2 width²))   [at m, height J,
    width m]; a negative one is a pit."""
    away = p - at
    return energy(height * ca.exp(-ca.dot(away, away) / (2 * width * width)))
