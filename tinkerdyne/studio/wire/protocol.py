"""What the studio's server and its pages say to each other: the door of all messages, which stand in files
of `messages/` by their part. The TypeScript types are generated from it (`make protocol`).

Text messages are JSON objects with the name of their type under "type". A page sends `Request`s, numbered
from 1; every one is answered by one `Reply` with its number, in any order, and never dropped. What it holds
is of the type that the command's class declares (`result`). The server sends the other messages by itself.
Moving things come as binary frames (`messages/frames.py`).
"""

from __future__ import annotations

import msgspec

from tinkerdyne.studio.wire.messages.base import *
from tinkerdyne.studio.wire.messages.curves import *
from tinkerdyne.studio.wire.messages.editing import *
from tinkerdyne.studio.wire.messages.files import *
from tinkerdyne.studio.wire.messages.formulas import *
from tinkerdyne.studio.wire.messages.frames import *
from tinkerdyne.studio.wire.messages.media import *
from tinkerdyne.studio.wire.messages.model import *
from tinkerdyne.studio.wire.messages.replay import *
from tinkerdyne.studio.wire.messages.reports import *
from tinkerdyne.studio.wire.messages.running import *
from tinkerdyne.studio.wire.messages.sketching import *
from tinkerdyne.studio.wire.messages.welcome import *
from tinkerdyne.world.settings import CHOICES

VERSION = 1
LARGEST_MESSAGE = 1 << 20  # bytes, from a page
SOCKET = "/ws"  # where a page connects
SETTING_CHOICES = {name: [str(one) for one in choices] for name, choices in CHOICES.items()}

AnyCommand = (
    EditingCommand
    | RunningCommand
    | FileCommand
    | CurveCommand
    | MediaCommand
    | FormulaCommand
    | SketchCommand
)


def result_type(command: Command) -> object:
    """The type of a command's answer."""
    found = command.result
    return found[command.what] if isinstance(found, dict) else found  # type: ignore[attr-defined]


class Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command with its number; the same number again is answered as before and not done again."""

    seq: int
    command: AnyCommand


ServerMessage = (
    Hello
    | Model
    | Changes
    | Values
    | Pinned
    | FrameLayout
    | Status
    | Notice
    | SketchTold
    | MotionTold
    | OthersTold
    | Reply
)
