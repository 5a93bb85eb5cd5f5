"""What all messages are made of, and the answers of several commands."""

from __future__ import annotations

from typing import ClassVar

import msgspec


class Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag=True):
    """Anything that is sent as text."""


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The result of a command, where it is more than a name or a number."""


class Command(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """Anything that a page may ask for."""

    # The type of the answer; where that depends on `what` is asked for, types by that.
    result: ClassVar[object]


class Text(Answer, frozen=True):
    """Something to read or to keep."""

    text: str


Names = tuple[str, ...]  # of items
