"""Messages of the socket: whatever a page sends is answered, and the studio goes on."""

from __future__ import annotations

import json
import typing
import warnings
from random import Random
from typing import Any

import msgspec
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

import tinkerdyne as td
from tinkerdyne.studio import Shown
from tinkerdyne.studio.wire import protocol

from . import values, worlds

STRANGE = ("zip()", "unhashable", "NoneType", "object has no attribute", "could not broadcast", "Traceback")
PATIENCE = 60.0  # s
COMMANDS = typing.get_args(protocol.AnyCommand)
KEPT = ("save", "open", "forget", "upload", "settle", "define")  # which touch files, or may take long


class Campaign:
    """One studio for many cases; a world that was left in a mess gives way to a new one."""

    def __init__(self) -> None:
        warnings.simplefilter("ignore")
        self._shown: Shown | None = None
        self._page: ClientConnection | None = None
        self._seq = 0

    def _begin(self, rng: Random) -> ClientConnection:
        if self._shown is None:
            self._shown = td.studio(worlds.build(rng), browser=False)
        if self._page is None:
            server = self._shown._server
            self._page = connect(
                f"ws://127.0.0.1:{server.port}/ws",
                additional_headers={"x-tinkerdyne-token": server.token},
                max_size=None,
            )
        return self._page

    def case(self, rng: Random) -> str:
        """A few messages, and then a plain question that must be answered."""
        page = self._begin(rng)
        try:
            for _ in range(rng.randint(1, 8)):
                self._seq += 1
                page.send(_message(rng, self._seq))
        except ConnectionClosed:
            self._page = None
            return "closed"
        self._seq += 1
        page.send(json.dumps({"seq": self._seq, "command": {"do": "ask", "what": "scene"}}))
        while True:
            try:
                said = page.recv(timeout=PATIENCE)
            except ConnectionClosed:
                self._page = None
                return "closed"
            reply = json.loads(said) if isinstance(said, str) else {}
            if reply.get("type") != "Reply":
                continue
            error = str(reply.get("error") or "")
            assert not any(word in error for word in STRANGE), f"it says {error!r}"
            if reply["seq"] == self._seq:
                td.World.from_json(reply["result"]["text"])
                return "answered"

    def end(self) -> None:
        """Close the page and the studio."""
        if self._page is not None:
            self._page.close()
        if self._shown is not None:
            self._shown.stop()


def _message(rng: Random, seq: int) -> str | bytes:
    way = rng.random()
    if way < 0.1:
        return rng.choice(
            (values.text(rng).encode("utf-8", "replace").decode(), "{}", "[]", "null", "{" * 2000)
        )
    kind = rng.choice([c for c in COMMANDS if c.__struct_config__.tag not in KEPT])
    fields = {f.encode_name: _value(rng, f.type) for f in msgspec.structs.fields(kind) if rng.random() < 0.9}
    command = {"do": kind.__struct_config__.tag, **fields}
    message: Any = {"seq": seq, "command": command}
    if way < 0.4:
        message = values.spoiled(rng, message)
    return json.dumps(message, default=str)


def _value(rng: Random, kind: Any, depth: int = 0) -> Any:
    """A value of a field's type, mostly."""
    if rng.random() < 0.05 or depth > 6:
        return values.anything(rng)
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Literal:
        return rng.choice(arguments)
    if arguments and origin in (tuple, list):
        return [_value(rng, arguments[0], depth + 1) for _ in range(rng.randrange(5))]
    if arguments and origin is dict:
        return {values.text(rng): _value(rng, arguments[1], depth + 1) for _ in range(rng.randrange(4))}
    if arguments:
        return _value(rng, rng.choice(arguments), depth + 1)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return {f.encode_name: _value(rng, f.type, depth + 1) for f in msgspec.structs.fields(kind)}
    if kind is str:
        return rng.choice(("body0", "body1", "gravity-1", "body0.end1", "connect-1", values.text(rng)))
    if kind is bool:
        return rng.random() < 0.5
    if kind is int:
        return rng.choice((0, 1, 2, 3, -1, 7, 2**40))
    if kind is float:
        return rng.choice((0.0, 1.0, rng.gauss(0, 2), values.number(rng)))
    return None if kind is type(None) else values.anything(rng)
