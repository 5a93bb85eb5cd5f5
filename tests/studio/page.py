"""A page without a browser: it speaks the protocol over a real socket, and remembers the newest of
everything."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from websockets.sync.client import connect

from tests.patience import HANG, patience
from tinkerdyne.language.arrays import Array
from tinkerdyne.studio.show.frames import HEADER
from tinkerdyne.studio.wire.server import Server

PATIENCE = 60.0  # s, where nothing else runs


class Page:
    """One connection. `ask` waits for the reply; `until` reads on until something is true."""

    def __init__(self, server: Server, **options: Any) -> None:
        headers = {"x-tinkerdyne-token": server.token}
        address = f"ws://127.0.0.1:{server.port}/ws"
        self.stack = contextlib.ExitStack()
        self.socket = self.stack.enter_context(
            connect(
                address,
                additional_headers=headers,
                max_size=None,
                open_timeout=HANG,
                close_timeout=0.2,
                **options,
            )
        )
        self.latest: dict[str, Any] = {}
        self.notices: list[dict[str, str]] = []
        self.changes: dict[str, Any] = {}  # the last part of a model that came
        self.replies: dict[int, dict[str, Any]] = {}
        self.answers: list[int] = []  # numbers in the order of their replies
        self.frame = b""
        self.frames = 0
        self.seq = 0
        self.until(lambda: "Status" in self.latest and self.frame != b"")

    def read(self, seconds: float) -> None:
        """Take what comes for some time."""
        end = time.monotonic() + seconds
        while (rest := end - time.monotonic()) > 0:
            self.take(rest)

    def take(self, timeout: float) -> bool:
        """Take the next message; whether one came in this time."""
        try:
            message = self.socket.recv(timeout=timeout)
        except TimeoutError:
            return False
        if isinstance(message, bytes):
            self.frame = message
            self.frames += 1
            return True
        found = json.loads(message)
        if found["type"] == "Reply":
            self.replies[found["seq"]] = found
            self.answers.append(found["seq"])
        elif found["type"] == "Notice":
            self.notices.append(found)
        elif found["type"] == "Changes":
            self.changes = found
            before = self.latest.get("Model")
            if before is not None and before["revision"] == found["since"]:
                items = {item["key"]: item for item in (*before["items"], *found["model"]["items"])}
                self.latest["Model"] = {**found["model"], "items": [items[key] for key in found["order"]]}
        else:
            self.latest[found["type"]] = found
            if found["type"] == "Values":
                for name, values in found["items"].items():
                    self.item(name)["values"].update(values)
        return True

    def until(self, is_true: Callable[[], Any], longest: float = PATIENCE) -> None:
        start = time.monotonic()
        while not is_true():
            assert time.monotonic() - start < patience(longest), f"waited in vain; notices {self.notices}"
            self.take(0.05)

    def send(self, do: str, **fields: Any) -> int:
        """A request; its number."""
        self.seq += 1
        self.socket.send(json.dumps({"seq": self.seq, "command": {"do": do, **fields}}))
        return self.seq

    def reply(self, seq: int) -> dict[str, Any]:
        self.until(lambda: seq in self.replies)
        return self.replies[seq]

    def ask(self, do: str, **fields: Any) -> Any:
        """The result of a request that is not refused."""
        found = self.reply(self.send(do, **fields))
        assert not found["error"], found["error"]
        return found["result"]

    def refused(self, do: str, **fields: Any) -> str:
        """The words of a refusal."""
        found = self.reply(self.send(do, **fields))
        assert found["error"], f"{do} was done: {found['result']}"
        return str(found["error"])

    @property
    def names(self) -> list[str]:
        return [item["name"] for item in self.latest["Model"]["items"]]

    def item(self, name: str) -> dict[str, Any]:
        found: dict[str, Any] = next(item for item in self.latest["Model"]["items"] if item["name"] == name)
        return found

    def track(self, name: str, kind: str = "", of: str = "") -> Array:
        """The numbers of a thing in the newest frame of the newest layout."""
        layout = self.latest["Layout"]
        self.until(lambda: HEADER.unpack_from(self.frame)[1] == self.latest["Layout"]["revision"])
        layout = self.latest["Layout"]
        for t in layout["tracks"]:
            if t["name"] == name and kind in ("", t["kind"]) and of in ("", t["of"]):
                flat = np.frombuffer(self.frame, np.float32, offset=HEADER.size)
                return flat[t["offset"] : t["offset"] + t["count"]].astype(float)
        raise KeyError(f"there is no track {name!r}; there are {[t['name'] for t in layout['tracks']]}")

    @property
    def sketch(self) -> dict[str, Any]:
        """The sketch of the world as it was told last."""
        return self.latest.get("Sketch") or {"bodies": []}

    def solved(self) -> dict[str, Any]:
        """The motion of the newest edit of the sketch, when nothing better is looked for."""

        def is_there() -> bool:
            motion = self.latest.get("Motion")
            is_newest = motion is not None and motion["number"] == self.sketch["number"]
            return bool(is_newest and motion["paths"] and not motion["is_searching"])

        self.until(is_there, 2 * PATIENCE)
        motion: dict[str, Any] = self.latest["Motion"]
        return motion

    @property
    def time(self) -> float:
        return float(HEADER.unpack_from(self.frame)[2])

    def close(self) -> None:
        self.stack.close()
