"""Requests that come in time: a connection over which half of one was sent is closed.

Without this, every half-sent request would keep a connection open for ever, and some thousands of them would
keep everybody else out.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

PATIENCE = 10.0  # s from the first byte of a request, or from a connection, to the end of the request's head

if TYPE_CHECKING:
    Protocol = Any
else:
    Protocol = AutoHTTPProtocol


class Impatient(Protocol):  # type: ignore[misc]
    """HTTP as uvicorn speaks it, to those who finish their sentences."""

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def connection_lost(self, problem: Exception | None) -> None:
        self._rest()
        super().connection_lost(problem)

    def _watch(self) -> None:
        """Wait for the head of a request, or no longer, since it is here."""
        is_open = self.cycle is None or self.cycle.response_complete
        if not is_open or self.transport.get_protocol() is not self:  # which a socket has taken over
            self._rest()
        elif self._waiting is None:
            self._waiting = self.loop.call_later(PATIENCE, self._give_up)

    def _rest(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _give_up(self) -> None:
        self._waiting = None
        is_open = self.cycle is None or self.cycle.response_complete
        if is_open and self.transport.get_protocol() is self and not self.transport.is_closing():
            self.transport.close()
