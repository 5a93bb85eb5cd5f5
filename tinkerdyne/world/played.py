"""What the timeline has done: so that it can be taken back when the world goes to an earlier time, in order
to happen again."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tinkerdyne.world.contents import Contents
from tinkerdyne.world.edit import Add, Change, Edit, Entry, Ramp, Remove

MOST = 10_000  # that are remembered, the newest


class Moment(NamedTuple):
    """Something that the timeline did."""

    time: float  # s
    entry: Entry
    edit: Edit
    inverse: Edit


class Played:
    """The edits of the timeline, in the order in which they happened."""

    def __init__(self) -> None:
        self._moments: list[Moment] = []

    def written_down(self) -> Callable[[], None]:
        """How to put back what there is now."""
        moments, count = self._moments, len(self._moments)

        def back() -> None:
            self._moments = moments[:count]

        return back

    def add(self, time: float, entry: Entry, edit: Edit, inverse: Edit) -> None:
        """Something happened. Of a ramp the first moment is enough."""
        if isinstance(entry, Ramp) and any(one.entry is entry for one in reversed(self._moments)):
            return
        self._moments = [*self._moments[1 - MOST :], Moment(time, entry, edit, inverse)]

    def forget_after(self, time: float) -> list[Moment]:
        """Forget what happened after a time; what that was."""
        later = [one for one in self._moments if one.time > time]
        self._moments = [one for one in self._moments if one.time <= time]
        return later


def stands(one: Moment, contents: Contents) -> bool:
    """Whether nobody changed since what the timeline did."""
    match one.edit, one.inverse:
        case Change(name, parameter, value), _:
            item = contents.get(name)
            return item is not None and (isinstance(one.entry, Ramp) or item.values[parameter] == value)
        case Remove(), Add(items):
            return not any(d.name in contents for d in items)
        case Add(items), _:
            return all(d.name in contents for d in items)
    return True
