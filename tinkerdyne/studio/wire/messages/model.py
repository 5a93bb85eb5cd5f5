"""What a world is made of: types that can be inserted, items, the timeline."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from tinkerdyne.language.look import Axis, Drawn, Form, Glyph, Icon, Role, Seat, Slides
from tinkerdyne.studio.wire.messages.base import Message


class Parameter(msgspec.Struct, frozen=True):
    """A parameter of a type, or a part of an object's state."""

    name: str
    sort: Literal["number", "size", "vector", "unit", "axes", "choice", "keys", "truth", "quaternion"]
    default: object
    unit: str = ""  # "kg", "m", "N/m" …, from the type's docstring where it says so
    choices: tuple[str, ...] = ()


class Port(msgspec.Struct, frozen=True):
    """An input of a type."""

    name: str
    kind: str  # "point", "direction", "frame", "scalar", "vector", "curve", "particles", "anything"
    is_many: bool = False


class TypeInfo(msgspec.Struct, frozen=True):
    """A type that a page can insert: everything in menus, palette and inspector follows from this."""

    name: str
    family: Literal["object", "connector", "constraint", "behavior", "field"]
    group: str  # heading in menus: "Bodies", "Joints", "Points", "Forces", "Measures", "Curves" …
    title: str  # "Ball joint"
    doc: str
    parameters: tuple[Parameter, ...] = ()
    state: tuple[Parameter, ...] = ()
    ports: tuple[Port, ...] = ()
    supplies: str = ""  # the kind that a connector or object supplies
    coordinates: tuple[str, ...] = ()  # free coordinates of a joint
    places: tuple[str, ...] = ()  # named points of a body
    is_planar: bool = False
    is_joint: bool = False
    python: str = ""  # a line that makes one: "pin(a, b)"
    # Its look, as `tinkerdyne.language.look` has it: pages ask for this and not for its name.
    glyph: Glyph = "plain"
    axis: Axis = "none"
    seat: Seat = "first"
    role: Role = "none"
    word: str = ""  # in short; its title where there is none
    rank: int = 0  # its place among those that are offered first, from 1; 0 for the others
    form: Form = ""  # of the formula by hand that makes one
    icon: Icon = ""
    drawn: Drawn = ""
    sizes: tuple[str, ...] = ()
    tool: int = 0
    slides: Slides = ""
    ends: tuple[str, ...] = ()  # of a bar: the places at both its ends, …
    span: tuple[float, ...] = ()  # … and where along its own x they are, for a length of one
    spaces: tuple[int, ...] = (2, 3)  # the dimensions in which there can be one


class DrawnShape(msgspec.Struct, frozen=True):
    """How an object is drawn, in its own axes."""

    kind: Literal["mesh", "outline", "point", "curve", "affine", "none"]
    vertices: tuple[float, ...] = ()  # x, y, z in a row; of an outline and an affine sheet x, y
    faces: tuple[int, ...] = ()  # three corners in a row
    radius: float = 0.0  # of a point, or of a curve's line
    is_closed: bool = False
    spans: tuple[float, ...] = ()  # of a curve: u from, to; of a surface also v


class ItemInfo(msgspec.Struct, frozen=True):
    """An item of the world."""

    name: str
    of: str  # the name of its type
    family: str
    inputs: tuple[str, ...]
    values: dict[str, object]
    is_on: bool = True
    is_fixed: bool = False
    dimension: int = 3  # 2 for what lives in the plane
    shape: DrawnShape | None = None
    places: dict[str, tuple[float, ...]] = {}  # named points of a body, in its own axes
    part_of: str = ""  # the body whose named place this connector is
    key: int = 0  # stays when the name changes


class EventInfo(msgspec.Struct, frozen=True):
    """An entry of the timeline."""

    index: int
    kind: Literal["event", "ramp", "path"]
    start: float
    end: float
    title: str
    item: str = ""
    keys: tuple[tuple[float, ...], ...] = ()  # of a path
    entry: dict[str, Any] = {}  # an event or ramp itself, as `tinkerdyne.world.edit.plain` writes it


class PinnedPlot(msgspec.Struct, frozen=True):
    """A plot: quantities on its left and its right axis, over time ("") or over a quantity."""

    left: tuple[str, ...]
    right: tuple[str, ...] = ()
    x: str = ""


class Pinned(Message, frozen=True):
    """What is plotted and traced in all pages of a world, as one of them pinned it."""

    scene: int
    plots: tuple[PinnedPlot, ...]
    traces: tuple[str, ...] = ()


class Model(Message, frozen=True):
    """The whole world, after it was opened and after every edit of its structure."""

    revision: int
    title: str  # of the file or scene
    path: str  # where it is saved; "" for nowhere yet
    items: tuple[ItemInfo, ...]
    settings: dict[str, object]
    timeline: tuple[EventInfo, ...] = ()
    can_undo: bool = False
    can_redo: bool = False
    is_dirty: bool = False
    dimension: int = 3
    # how it is meant to be seen, as `tinkerdyne.world.edit.plain` writes the values of `Display`
    display: dict[str, object] = {}
    scene: int = 0  # counts the worlds that were opened: keys of items are those of one world
    pinned: Pinned | None = None  # for pages that come; none where no page has pinned anything yet


class Changes(Message, frozen=True):
    """A whole world again, but of its items only those that are new or changed; a page that has no model of
    `since` ignores it."""

    since: int  # the revision of the model that this one follows
    model: Model
    order: tuple[int, ...]  # keys of all items


class Values(Message, frozen=True):
    """Parameters that changed without a change of structure."""

    revision: int
    items: dict[str, dict[str, object]]
    can_undo: bool = False
    can_redo: bool = False
    is_dirty: bool = False
