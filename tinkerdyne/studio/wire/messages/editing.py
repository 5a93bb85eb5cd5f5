"""Commands that edit the world."""

from __future__ import annotations

import math
from typing import ClassVar, Literal

from tinkerdyne.studio.wire.messages.base import Answer, Command, Names, Text


class Foreseen(Answer, frozen=True):
    """What a joint would do to the degrees of freedom."""

    freedoms: int  # with it
    before: int
    says: str  # in words


class Apply(Command, frozen=True, tag="apply"):
    """Carry out an edit, as `tinkerdyne.world.edit.plain` writes it."""

    result: ClassVar[object] = None

    edit: dict[str, object]


class Insert(Command, frozen=True, tag="insert"):
    """Add an item of a type.

    `inputs` are names of items, or "body.place", or "body@x,y,z" for a point at a place of a body's own axes,
    or "@x,y,z" for a place of the world; frames for joints are made where they are now, each at its own point
    (or, where none is given, at that of the other), with their z along values["axis"] (a direction of the
    world). A joint with one input is with the world. `values` are parameters and, of an object, its state;
    lengths and places left out are as they are now. With the end of a drag, `handle` or `moved`, both are one
    step for undo. Result: the new names, that of the item first.
    """

    result: ClassVar[object] = Names

    of: str
    inputs: tuple[str, ...] = ()
    values: dict[str, object] = {}
    name: str = ""
    most_lift: float = 1e300  # m: a body that would have to be lifted further out of what it overlaps stays
    handle: int = 0  # a hand that lets go, unless this is refused
    moved: dict[str, object] = {}  # an edit that is carried out first


class Build(Command, frozen=True, tag="build"):
    """Several insertions as one edit. In the inputs of a later one "#0" is what the first of them made, and
    "#0.end2" a place of it.

    Result: the name of each.
    """

    result: ClassVar[object] = Names

    inserts: tuple[Insert, ...]


class Turned(Answer, frozen=True):
    """What undo or redo did."""

    is_done: bool  # there was something
    says: str  # what was taken back or came again: "moved box"
    time: float | None = None  # to which the world went with it; null where the run was left alone
    earlier: float | None = None  # to which `Rewind` would go


class Undo(Command, frozen=True, tag="undo"):
    """Take the last edit back and leave the run alone where that can be; with `is_whole` time and state go
    back with it, as by `world.undo()`."""

    result: ClassVar[object] = Turned

    is_whole: bool = False


class Redo(Command, frozen=True, tag="redo"):
    """Do again what was undone last."""

    result: ClassVar[object] = Turned

    is_whole: bool = False


class Rewind(Command, frozen=True, tag="rewind"):
    """After an undo that left the run alone: go back to just before that edit too. Result: whether it did."""

    result: ClassVar[object] = bool


class Preview(Command, frozen=True, tag="preview"):
    """What a joint would do, without making it."""

    result: ClassVar[object] = Foreseen

    of: str
    inputs: tuple[str, ...]
    values: dict[str, object] = {}


class Aim(Command, frozen=True, tag="aim"):
    """Give a joint another axis, a direction of the world, where its parts are now; in the plane the line of
    a slider."""

    result: ClassVar[object] = None

    joint: str
    axis: tuple[float, ...]


class Motorise(Command, frozen=True, tag="motor"):
    """Drive a joint or, as a pin, a nail: at a speed (a number) or, without `is_speed`, along a function of
    t. `limit` is the largest torque or force; none: it is always obeyed. `replaces` is a motor in whose place
    this one comes. Result: the motor's name and the joint's."""

    result: ClassVar[object] = Names

    joint: str
    text: str
    is_speed: bool = True
    limit: float | None = None
    replaces: str = ""
    axis: tuple[float, ...] = ()  # of the world, for a pin that is made


class Steer(Command, frozen=True, tag="steer"):
    """Give a parameter the value of a control; all until one `is_final` are one step for undo."""

    result: ClassVar[object] = None

    name: str
    parameter: str
    value: object
    is_final: bool = False


class Postpone(Command, frozen=True, tag="postpone"):
    """Take items out now, with what is plugged into them, and put them in again as they are at a time, as one
    edit. Result: all the names that went.
    """

    result: ClassVar[object] = Names

    names: tuple[str, ...]
    time: float


class Delete(Command, frozen=True, tag="delete"):
    """Remove items and what is plugged into them, as one edit. Result: all the names that went."""

    result: ClassVar[object] = Names

    names: tuple[str, ...]


class Copy(Command, frozen=True, tag="copy"):
    """Items as text for the clipboard: with what connects them to each other."""

    result: ClassVar[object] = Text

    names: tuple[str, ...]


class Paste(Command, frozen=True, tag="paste"):
    """Put copied items in again under new names, moved a little. Result: the new names."""

    result: ClassVar[object] = Names

    text: str
    by: tuple[float, ...] = ()


class Arrange(Command, frozen=True, tag="arrange"):
    """Copies of items with what holds between them, as one edit.

    line: `count` of them with the first, each `by` further; circle: round a line through `centre` along
    `axis`, over an `angle`; mirror: their image in the plane through `centre` across `axis`, in the plane in
    that line. Result: the new names.
    """

    result: ClassVar[object] = Names

    how: Literal["line", "circle", "mirror"]
    names: tuple[str, ...]
    count: int = 2
    by: tuple[float, ...] = ()
    centre: tuple[float, ...] = ()
    axis: tuple[float, ...] = ()
    angle: float = math.tau


EditingCommand = (
    Apply
    | Insert
    | Undo
    | Rewind
    | Redo
    | Preview
    | Aim
    | Postpone
    | Delete
    | Copy
    | Paste
    | Motorise
    | Steer
    | Build
    | Arrange
)
