"""The recorded past, shown over and over."""

from __future__ import annotations

from tinkerdyne.studio.session.view import PageView

LEAST = 1e-3  # s of the past


class PastLoop:
    """From one time of the past to another, at a speed, until it is ended."""

    def __init__(self) -> None:
        self.span: tuple[float, float] | None = None
        self._last = 0.0  # s of the clock
        self._time = 0.0  # s of the past

    def begin(self, view: PageView, start: float | None, end: float | None, now: float) -> None:
        """Show this part of the past, or all of it, from its beginning."""
        past = view.past
        if past.start is None or past.moments[-1].time - past.start < LEAST:
            raise ValueError("nothing is recorded yet; let the world run first")
        last = past.moments[-1].time
        low = past.start if start is None else min(max(start, past.start), last)
        high = last if end is None else min(max(end, past.start), last)
        if high - low < LEAST:
            raise ValueError(f"a loop must last {LEAST:g} s at least; it goes from {low:g} to {high:g} s")
        self.span, self._time, self._last = (low, high), low, now
        view.show_past(low)

    def end(self) -> None:
        """Stay where it is."""
        self.span = None

    def go_on(self, view: PageView, now: float, speed: float) -> bool:
        """Show what is due now; whether something else is shown."""
        if self.span is None or view.shown is None:
            self.span = None
            return False
        low, high = self.span
        time = self._time + max(0.0, now - self._last) * speed
        self._time, self._last = low + (time - low) % (high - low), now
        moment = view.past.at(self._time)
        if moment is None or moment.time == view.shown:
            return False
        view.show_past(self._time)
        return True
