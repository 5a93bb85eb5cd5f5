"""Commands that run the world, pull at it, and look at its past."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from tinkerdyne.studio.wire.messages.base import Command
from tinkerdyne.studio.wire.messages.model import PinnedPlot


class Play(Command, frozen=True, tag="play"):
    """Run, pause, some frames further, or change the speed (times real time). Frames less than none go back
    along the recorded past, and from there forth again up to now."""

    result: ClassVar[object] = None

    is_playing: bool | None = None
    steps: int = 0
    speed: float | None = None


class Grab(Command, frozen=True, tag="grab"):
    """Catch a body at a place of its own axes (or a particle); a curve at u, a surface at (u, v); a variable
    or measure, of which `to` of a drag has one number; a fit at a place. Result: a handle, a whole number.
    Several hands may hold one body: each pulls by itself. A hand is no item of the model, only a force track
    "grip:<handle>".
    """

    result: ClassVar[object] = int

    item: str
    at: tuple[float, ...] = ()
    is_hard: bool = False
    with_orientation: bool = False  # the body as a whole, by the place and the orientation of its own axes
    instead_of: int = 0  # a handle that this one takes over: both together are one step for undo


class Drag(Command, frozen=True, tag="drag"):
    """Move what a handle holds to a place of the world; only the newest of several counts.

    Result: the force [N]."""

    result: ClassVar[object] = tuple[float, ...]

    handle: int
    to: tuple[float, ...]
    orientation: tuple[float, ...] = ()


class Release(Command, frozen=True, tag="release"):
    """Let go; with `is_cancelled` what was moved while the world is paused goes back to where it was."""

    result: ClassVar[object] = None

    handle: int
    is_cancelled: bool = False


MOST_RECALLED = 200  # quantities at once


class Recalled(msgspec.Struct, frozen=True):
    """Quantities as they were recorded: the page forgets what it has from `cut` on (all where that is none),
    and adds these. Null stands where a quantity was not there, and where the world did not run on."""

    version: int  # of the recording
    cut: float | None
    begin: float | None  # when the recording begins
    times: tuple[float, ...]
    values: tuple[tuple[float | None, ...], ...]  # in the order of the names


class Recall(Command, frozen=True, tag="recall"):
    """Quantities over the recorded past ("upper.position[2]", "energy", "nail-1.force[0]" …), after a time
    that a page has them up to by a version; −1: all."""

    result: ClassVar[object] = Recalled

    names: tuple[str, ...]
    version: int = -1
    since: float = 0.0


class Pin(Command, frozen=True, tag="pin"):
    """Have these plots and traces in all pages that show this world. What was pinned for a world that is no
    longer open is forgotten."""

    result: ClassVar[object] = None

    scene: int
    plots: tuple[PinnedPlot, ...]
    traces: tuple[str, ...] = ()


class Scrub(Command, frozen=True, tag="scrub"):
    """Show the recorded past at a time; none goes back to now; with `is_final` the world goes on from there
    (undoable)."""

    result: ClassVar[object] = None

    time: float | None = None
    is_final: bool = False


class Loop(Command, frozen=True, tag="loop"):
    """Show the recorded past over and over, all of it or from one time to another, or end that and stay."""

    result: ClassVar[object] = None

    is_on: bool = True
    start: float | None = None
    end: float | None = None


class Keep(Command, frozen=True, tag="keep"):
    """Keep the present moment as a checkpoint, give one another name (`number`), or forget one (and `name` is
    empty). Result: its number."""

    result: ClassVar[object] = int

    name: str = ""
    number: int = 0


class GoTo(Command, frozen=True, tag="go"):
    """Go back to a checkpoint, 0 for the start, and pause (undoable)."""

    result: ClassVar[object] = None

    number: int = 0


RunningCommand = Loop | Keep | GoTo | Play | Grab | Drag | Release | Recall | Pin | Scrub
