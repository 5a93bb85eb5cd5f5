"""Commands of curves and models: typed formulas, and what attaches and holds them."""

from __future__ import annotations

from typing import ClassVar, Literal

from tinkerdyne.studio.wire.messages.base import Answer, Command, Names


class Fault(Answer, frozen=True):
    """What is wrong with a typed formula, and where."""

    field: int  # which text; −1 is the whole, −2 − k the span k
    reason: str
    position: int  # character


class Faults(Answer, frozen=True):
    """All that is wrong; nothing for what can be used."""

    faults: tuple[Fault, ...]


class Check(Command, frozen=True, tag="check"):
    """Read typed formulas without doing anything.

    `numbers` are the names with their first values, `spans` those of u (and v).
    """

    result: ClassVar[object] = Faults

    what: Literal["curve", "surface", "value", "relation", "fit"]
    texts: tuple[str, ...]
    numbers: dict[str, float] = {}
    spans: tuple[str, ...] = ()  # from, to of u; of a surface also of v
    names: tuple[str, ...] = ()  # of a fit: the columns


class Attach(Command, frozen=True, tag="attach"):
    """Attach a curve to something, as one edit.

    `a` and `b` are places as `Insert` takes them ("circle@1.57"). fixed: the points
    stay together; slide: the point a slides along the curve b; cross: both slide; tangent: both slide and
    touch; equal_length, equal_area, equal_radius: of two curves; keep_length, keep_area: of the curve a;
    mirror: the curves a and b are mirror images in a line; mirror_points: two points are. `handle` and
    `moved` as of `Insert`. Result: the new names, that of the constraint first.
    """

    result: ClassVar[object] = Names

    how: Literal[
        "fixed",
        "slide",
        "cross",
        "tangent",
        "equal_length",
        "equal_area",
        "equal_radius",
        "keep_length",
        "keep_area",
        "mirror",
        "mirror_points",
    ]
    a: str
    b: str = ""
    line: str = ""
    handle: int = 0
    moved: dict[str, object] = {}


class Lock(Command, frozen=True, tag="lock"):
    """Hold one number of a curve, particle or variable where it is ("radius", "position.x", "points[2].y"),
    or let it go again. Result: the name of the lock.
    """

    result: ClassVar[object] = str

    item: str
    what: str
    is_locked: bool = True


class Define(Command, frozen=True, tag="define"):
    """Put a part into a model, typed in: a variable (name, value, bounds), an output (name, formula),
    something to minimise or maximise (formula), a constraint ("a*b = 8", "a + b <= 3"), or a hold on a
    variable or output (name). With `replaces` it takes the place of another part, as one edit. Result: the
    new names.
    """

    result: ClassVar[object] = Names

    part: Literal["variable", "output", "minimise", "maximise", "constraint", "hold"]
    name: str = ""
    text: str = ""
    value: float = 1.0
    low: float | None = None
    high: float | None = None
    replaces: str = ""


CurveCommand = Check | Attach | Lock | Define
