"""Frames: all that moves, as numbers.

They come as binary messages, the newest only:

    uint32 magic "TKF1" (0x31464B54 little-endian), uint32 revision, float64 time, then float32 numbers as
    `Layout` says.

A frame belongs to the `Layout` of the same revision; a page ignores frames of another one.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from tinkerdyne.studio.wire.messages.base import Message
from tinkerdyne.studio.wire.messages.model import ItemInfo

MAGIC = 0x31464B54


class Track(msgspec.Struct, frozen=True):
    """Where one thing lies in a frame."""

    name: str
    kind: Literal["pose", "point", "curve", "affine", "state", "force"]
    # pose: x y z, w x y z — point: x y z — curve: n × (x y z) — affine: x y z and the columns of the shape
    # (9) state: the numbers of a curve or variable, the value of a scalar measure
    # force: of a constraint or behavior on one body: place (3), force (3), torque about that place (3), in
    # world axes; the force of a hand has the name "grip:<handle>"
    offset: int
    count: int  # float32 numbers
    of: str = ""  # of a force: the body that it acts on


class FrameLayout(Message, frozen=True, tag="Layout"):
    """What the frames of this revision hold."""

    revision: int
    size: int  # float32 numbers in a frame
    tracks: tuple[Track, ...]
    then: tuple[ItemInfo, ...] = ()  # of the past: items that are gone or changed since
    since: tuple[int, ...] = ()  # of the past: keys of items that were not there yet
    is_past: bool = False  # of a moment that is looked at instead of the present
