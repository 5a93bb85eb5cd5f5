"""The lock of a world, and what becomes of it in a process that is forked."""

from __future__ import annotations

import os
import threading
import weakref
from types import TracebackType
from typing import Never, Protocol


class Lock(Protocol):
    """What a world is held by: one thread at a time, as often as it likes."""

    def acquire(self, *, blocking: bool = True) -> bool: ...

    def release(self) -> None: ...

    def __enter__(self) -> bool: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None: ...


class Holder(Protocol):
    """What has a lock."""

    lock: Lock


class Torn:
    """In the place of a lock: another thread was at work on the world when this process was forked from it,
    and there is no such thread here to finish what it did."""

    def acquire(self, *, blocking: bool = True) -> Never:
        """Nobody can hold it."""
        raise RuntimeError(
            "another thread was at work on this world when the process was forked, so that it is half "
            "changed here; save it before the fork and load it here, or start the process by 'spawn'"
        )

    def release(self) -> None:
        """Nobody holds it."""

    def __enter__(self) -> Never:
        self.acquire()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None: ...


_holders: weakref.WeakSet[Holder] = weakref.WeakSet()


def new_lock(holder: Holder) -> Lock:
    """A lock that is torn in a forked process, where another thread held it."""
    _holders.add(holder)
    return threading.RLock()


def _after_fork() -> None:
    for holder in tuple(_holders):
        if holder.lock.acquire(blocking=False):
            holder.lock.release()
        else:
            holder.lock = Torn()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
