"""How the world is doing, and what became of a request."""

from __future__ import annotations

from typing import Literal

import msgspec

from tinkerdyne.studio.wire.messages.base import Message


class Conflict(msgspec.Struct, frozen=True):
    """A group of constraints that cannot all be met, or that repeat each other."""

    kind: Literal["contradictory", "redundant", "unmet"]
    names: tuple[str, ...]


class Checkpoint(msgspec.Struct, frozen=True):
    """A moment to which the world can go back, by name."""

    number: int  # 0 is the start
    name: str
    time: float


class Status(Message, frozen=True):
    """A few times a second: how the world is doing."""

    time: float
    is_playing: bool
    speed: float  # wanted, times real time
    real_speed: float  # reached
    step_ms: float  # work of a frame
    kinetic: float
    potential: float
    gap: float
    freedoms: int  # −1 while they are not known
    conflicts: tuple[Conflict, ...] = ()
    note: str = ""  # what the last step said, when it was not plain
    error: float = -1.0  # how far the motion may be off, as a share; −1 where nothing is known
    accuracy: str = ""  # the same in words
    is_inaccurate: bool = False  # it is more than the settings promise
    start: float = 0.0  # of the recorded past
    end: float = 0.0  # of it: the world's own time, also while the page is shown the past
    is_past: bool = False  # the page is shown the past
    loop: tuple[float, ...] = ()  # from, to: the past that is shown over and over
    checkpoints: tuple[Checkpoint, ...] = ()  # the start first


class Notice(Message, frozen=True):
    """Something a person should read."""

    level: Literal["info", "warning", "error"]
    text: str


class Reply(Message, frozen=True):
    """The answer to a request."""

    seq: int
    error: str = ""  # "" when it was done
    can_force: bool = False  # of a refusal: it would be done all the same, if that is said
    result: object = None  # as `result_type` has it for the command
