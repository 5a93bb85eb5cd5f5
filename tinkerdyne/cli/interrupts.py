"""Ctrl-C is heard, also at moments in which Python drops it.

An exception that is raised while CasADi asks whether a value has some attribute, or in a finalizer, is
dropped, and Ctrl-C with it: the command would go on. So the interrupt is repeated until it gets through.
"""

from __future__ import annotations

import _thread
import contextlib
import signal
import threading
from collections.abc import Iterator
from typing import Any

AGAIN = 2.0  # s: for what is cleared up on the way out


@contextlib.contextmanager
def heard_interrupts() -> Iterator[None]:
    """KeyboardInterrupt comes until it ends the block. Elsewhere than in the main thread nothing is changed,
    nor where Ctrl-C is ignored or somebody else's."""
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    again: list[threading.Timer] = []

    def press(*_: Any) -> None:
        timer = threading.Timer(AGAIN, _thread.interrupt_main)
        timer.daemon = True
        timer.start()
        again.append(timer)
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, press)
    try:
        yield
    finally:
        for timer in again:
            timer.cancel()
        signal.signal(signal.SIGINT, signal.default_int_handler)


def leave_interrupts() -> None:
    """Within the block, Ctrl-C is Python's own again: for a prompt, which it does not end."""
    if threading.current_thread() is threading.main_thread() and callable(signal.getsignal(signal.SIGINT)):
        signal.signal(signal.SIGINT, signal.default_int_handler)
