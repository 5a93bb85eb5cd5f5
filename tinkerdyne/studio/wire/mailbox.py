"""What waits to be sent to one page: the newest of what replaces itself, and replies, of which none is
lost."""

from __future__ import annotations

import threading
from collections import OrderedDict, deque

import msgspec

from tinkerdyne.studio.wire.protocol import Values

LATEST = (
    "hello",
    "model",
    "pinned",
    "layout",
    "status",
    "sketch",
    "motion",
    "others",
)  # in the order in which they are sent
MOST_WAITING = 4096  # replies and notices that a page has not taken; beyond, it is closed
MOST_BYTES = 64 << 20
REMEMBERED = 256  # replies that are given again when their number comes again
LARGEST_REMEMBERED = 1 << 16  # bytes


class Mailbox:
    """Filled by the engine's thread, emptied by the server's."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._latest: dict[str, bytes] = {}
        self._values: Values | None = None
        self._queue: deque[bytes] = deque()
        self._bytes = 0
        self._frame: bytes | None = None
        self.is_closed = False
        self.is_overfull = False
        self.handles: set[int] = set()  # of its grips
        self._answered: OrderedDict[int, bytes] = OrderedDict()
        self._waiting: set[int] = set()

    def put_latest(self, kind: str, message: bytes) -> None:
        """A message that takes the place of an older one of its kind."""
        with self._lock:
            self._latest[kind] = message

    def put_model(self, model: bytes, changes: bytes) -> None:
        """A model, or only its changes where there are some and the page has taken all before."""
        with self._lock:
            has_all = changes and "model" not in self._latest and self._values is None
            self._latest["model"] = changes if has_all else model
            self._values = None

    def put_values(self, new: Values) -> None:
        """Values that changed, together with those that were not taken yet."""
        with self._lock:
            if self._values is not None:
                old = self._values.items
                merged = {
                    **old,
                    **{name: {**old.get(name, {}), **found} for name, found in new.items.items()},
                }
                new = msgspec.structs.replace(new, items=merged)
            self._values = new

    def put_frame(self, frame: bytes) -> None:
        """The newest frame; one that was not taken yet is dropped."""
        self._frame = frame

    def put(self, message: bytes) -> None:
        """A message that must arrive."""
        with self._lock:
            self._queue.append(message)
            self._bytes += len(message)
            self.is_overfull = len(self._queue) > MOST_WAITING or self._bytes > MOST_BYTES

    def take(self) -> tuple[list[bytes], bytes | None]:
        """(texts, frame) to be sent now: state before the replies that speak of it, the frame last."""
        with self._lock:
            texts = [self._latest.pop(kind) for kind in LATEST if kind in self._latest]
            if self._values is not None:
                texts.append(msgspec.json.encode(self._values))
                self._values = None
            texts += self._queue
            self._queue.clear()
            self._bytes = 0
            frame, self._frame = self._frame, None
            return texts, frame

    # --- numbers of requests ---------------------------------------------------------------------
    def begin(self, seq: int) -> bool:
        """Whether a request is new; an answered one is answered again, one that waits will be."""
        with self._lock:
            if seq in self._answered:
                self._queue.append(self._answered[seq])
                return False
            if seq in self._waiting:
                return False
            self._waiting.add(seq)
            return True

    @property
    def waiting(self) -> int:
        """Requests that have not been answered."""
        return len(self._waiting)

    def answer(self, seq: int, reply: bytes, brief: bytes) -> None:
        """Send a reply; `brief` is what a repeated request hears when the reply is too large to be kept."""
        with self._lock:
            self._waiting.discard(seq)
            self._answered[seq] = reply if len(reply) <= LARGEST_REMEMBERED else brief
            if len(self._answered) > REMEMBERED:
                self._answered.popitem(last=False)
        self.put(reply)
