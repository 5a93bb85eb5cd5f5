"""Files that a page brings: in parts over its socket, bounded, kept for that page until they are used."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from tinkerdyne.studio.session.session import Request, Session
from tinkerdyne.studio.wire import protocol as p
from tinkerdyne.studio.wire.mailbox import Mailbox

LARGEST_FILE = 24 << 20  # bytes
MOST_BYTES = 96 << 20  # of all files that one page has not used yet
MOST_FILES = 400


@dataclass
class Uploads:
    """The files of one page."""

    whole: dict[str, bytes] = field(default_factory=dict)
    parts: dict[str, bytearray] = field(default_factory=dict)


_pages: WeakKeyDictionary[Mailbox, Uploads] = WeakKeyDictionary()


def upload(command: p.Upload, _session: Session, request: Request) -> p.Received:
    """Take the next part of a file."""
    mine = _pages.setdefault(request.client, Uploads())
    name = command.file[:200]
    if not name:
        raise ValueError("a file that is brought needs a name")
    if not 0 < command.size <= LARGEST_FILE:
        mine.parts.pop(name, None)
        if not command.size:
            raise ValueError(f"{name!r} is empty; choose another file")
        raise ValueError(f"{name!r} has {command.size:,} bytes, more than {LARGEST_FILE:,}; make it smaller")
    held = mine.parts.setdefault(name, bytearray()) if command.offset else bytearray()
    mine.parts[name] = held
    if command.offset != len(held):
        raise ValueError(
            f"{name!r}: part {command.offset} came where part {len(held)} was due; bring the file again"
        )
    try:
        held += base64.b64decode(command.data, validate=True)
    except (binascii.Error, ValueError):
        del mine.parts[name]
        raise ValueError(f"{name!r}: its data are not base64; bring the file again") from None
    others = sum(map(len, (*mine.whole.values(), *mine.parts.values())))
    if len(held) > command.size or others > MOST_BYTES or len(mine.whole) >= MOST_FILES:
        del mine.parts[name]
        raise ValueError(
            f"{name!r} is more than was said, or too much with the files before it; bring fewer files at a "
            "time"
        )
    if len(held) < command.size:
        return p.Received(len(held))
    mine.whole[name] = bytes(mine.parts.pop(name))
    return p.Received(command.size)


def taken(request: Request, *names: str) -> list[bytes]:
    """Files that a page has brought, which are used now and not kept."""
    mine = _pages.setdefault(request.client, Uploads())
    missing = [name for name in names if name not in mine.whole]
    if missing or not names:
        raise ValueError(f"the file {missing[0]!r} was not brought here" if missing else "name a file")
    return [mine.whole.pop(name) for name in names]
