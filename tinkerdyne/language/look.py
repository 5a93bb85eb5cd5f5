"""How a type looks to people: said beside the type, read by front-ends; no formula asks for it.

    @look(glyph="coil")
    @behavior
    def spring(a: Point, b: Point, *, stiffness: Number = 100.0) -> Any: …

A type that says nothing is drawn with a plain mark where its first connector is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol, TypeVar

# What is drawn for a constraint or behavior. rivet: a ball between parts, a nail where one of them is the
# world; bar, coil, dashpot: from the first connector to the second; path: a line through keys.
Glyph = Literal[
    "plain", "none", "nail", "rivet", "ball", "hinge", "cross", "cylinder", "slider", "screw", "weld",
    "table", "bead", "wheel", "bar", "coil", "dashpot", "path", "gear",
]  # fmt: skip
# The axis that a person may choose for a joint: one that it turns about, or one that it slides along.
Axis = Literal["none", "turning", "sliding"]
# Where it is. first: where its first connector is; at: at its parameter `at`, in the axes of its input or in
# the world; between: at its `share` of the way between two points; keys: at the first of its `keys`; curve:
# at its `u` of a curve; contact: at the number of its second input on the curve of its first.
Seat = Literal["first", "at", "between", "keys", "curve", "contact"]
# What it is to tools and panels, which ask for it by this and not by its name.
Role = Literal[
    "none", "nail", "connection", "path", "variable", "output", "equation", "objective", "hold", "number",
    "low bound", "high bound", "typed curve", "typed surface", "snake link", "snake end", "hill", "datum",
    "contact", "group", "distance",
]  # fmt: skip

# The heading in menus under which it stands, in their order; "" for the one that its family and what it
# supplies say.
MenuGroup = Literal[
    "", "Bodies", "Bodies in the plane", "Objects", "Ground and contact", "Joints", "Constraints", "Forces",
    "Motors and paths", "Points", "Directions and frames", "Measures", "Curves", "Formulas", "Of this scene",
]  # fmt: skip

# The form in which a person writes one by hand; "" for what is inserted as it is.
Form = Literal["", "constraint", "condition", "energy", "force", "measure", "path"]

# The small picture in menus and on buttons; "" for the one that its mark or its heading says.
Icon = Literal[
    "", "box", "sphere", "cylinder", "capsule", "cone", "torus", "rod", "card", "mesh", "compound", "disc",
    "plate", "polygon", "particle", "variable", "troid", "floor", "wall", "bowl", "hills", "touch", "pin",
    "ball", "cross", "tube", "slider", "screw", "weld", "table", "bead", "nail", "link", "equals", "lock",
    "bound", "distance", "angle", "parallel", "square", "curve", "gear", "rack", "spring", "damper", "block",
    "arrow", "twist", "gravity", "drag", "motor", "rope", "path", "point", "frame", "gauge", "formula",
    "image", "belt", "mirror", "hand", "group",
]  # fmt: skip
# How a body is drawn out: a bar from end to end, a block from corner to corner, a ball from its middle
# outwards, ground as wide as it is drawn, corners click by click, a dot by one click; "" for what is put
# somewhere as it is.
Drawn = Literal["", "bar", "block", "ball", "ground", "corners", "dot"]
# What slides along curves, and brings the variables by which it slides along: a point, two curves that cross,
# or that touch.
Slides = Literal["", "slide", "cross", "tangent"]


@dataclass(frozen=True)
class Look:
    """How a type looks."""

    glyph: Glyph = "plain"
    axis: Axis = "none"
    seat: Seat = "first"
    role: Role = "none"
    word: str = ""  # in short, where its title is too long; "" for the title
    rank: int = 0  # its place among those that are offered first, from 1; 0 for the others
    group: MenuGroup = ""
    title: str = ""  # "Ball joint"; "" for its name in words
    line: str = ""  # of Python that makes one, where a function of another name does
    # Parameters that a front-end measures where nothing is said, by name: a place of the world, which is
    # where the first input is now; how far the first two inputs are apart; the value of the first input.
    # What is pasted elsewhere takes its place of the world along.
    place: str = ""
    length: str = ""
    value: str = ""
    form: Form = ""
    icon: Icon = ""
    drawn: Drawn = ""
    sizes: tuple[str, ...] = ()  # parameters that drawing it out tells, by name
    tool: int = 0  # its place in the toolbox, from 1; 0 for none
    slides: Slides = ""


class Seen(Protocol):
    """A type: anything that has a look."""

    look: Look

    def parameter_names(self) -> tuple[str, ...]:
        """Names of its parameters."""
        ...


T = TypeVar("T", bound=Seen)


def look(
    *,
    glyph: Glyph = "plain",
    axis: Axis = "none",
    seat: Seat = "first",
    role: Role = "none",
    word: str = "",
    rank: int = 0,
    group: MenuGroup = "",
    title: str = "",
    line: str = "",
    place: str = "",
    length: str = "",
    value: str = "",
    form: Form = "",
    icon: Icon = "",
    drawn: Drawn = "",
    sizes: tuple[str, ...] = (),
    tool: int = 0,
    slides: Slides = "",
) -> Callable[[T], T]:
    """Say how a type looks."""

    def said(kind: T) -> T:
        for name in filter(None, (place, length, value, *sizes)):
            if name not in kind.parameter_names():
                raise TypeError(f"{name!r} is no parameter of {kind!r}")
        kind.look = Look(
            glyph, axis, seat, role, word, rank, group, title, line, place, length, value, form, icon, drawn,
            sizes, tool, slides,
        )  # fmt: skip
        return kind

    return said
