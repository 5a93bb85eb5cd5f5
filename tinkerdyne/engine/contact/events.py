"""Events of contact: who begins to touch whom, who hits whom and who lets go, told to those who listen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from tinkerdyne.engine.contact.arena import ContactArena
from tinkerdyne.engine.contact.blows import Blow
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.attributes import SaysNearest
from tinkerdyne.language.item import Item

Happening = Literal["begin", "hit", "end"]
HAPPENINGS: tuple[Happening, ...] = get_args(Happening)
Pair = tuple[int, int]


@dataclass(frozen=True)
class ContactEvent(SaysNearest):
    """Two bodies begin to touch, hit each other, or touch no longer; a hit has a place, an impulse of b on a
    [N s], and the speed with which they met [m/s]. A hit that is over within a step is a begin and an end
    too."""

    time: float
    kind: Happening
    a: Item
    b: Item
    point: tuple[float, ...] = ()
    normal: tuple[float, ...] = ()  # out of b
    impulse: tuple[float, ...] = ()
    speed: float = 0.0

    def __str__(self) -> str:
        said = {"begin": "begins to touch", "hit": "hits", "end": "no longer touches"}[self.kind]
        how = f" at {self.speed:.3g} m/s" if self.kind == "hit" else ""
        return f"t = {self.time:.6g} s: {self.a.name} {said} {self.b.name}{how}"


@dataclass(frozen=True, eq=False)
class Listener:
    """Whom to call, and with which events: of a body, of a kind, of hits at this speed or above."""

    call: Callable[[ContactEvent], object]
    of: Item | None
    kind: Happening | None
    speed: float

    def wants(self, event: ContactEvent) -> bool:
        """Whether to call."""
        is_his = self.of is None or event.a is self.of or event.b is self.of
        is_kind = self.kind is None or event.kind == self.kind
        return is_his and is_kind and (event.kind != "hit" or event.speed >= self.speed)


class Listeners:
    """Those who listen, and what must be known of the last step to tell what is new. Pairs are keys of
    items."""

    def __init__(self) -> None:
        self.all: list[Listener] = []
        self._touching: set[Pair] = set()
        self._blows: dict[Pair, list[Blow]] = {}  # of pairs that have not come together yet

    def begin(self, contacts: ContactArena | None, items: Sequence[Item]) -> None:
        """What touches now has begun before anybody listens."""
        self._touching = set() if contacts is None else _pairs(contacts, items)[0]
        self._blows = {}

    def tell(self, contacts: ContactArena, items: Sequence[Item], time: float) -> bool:
        """Tell what happened in the last step, in the order of time, and at one moment in that of bodies;
        whether anybody was called."""
        is_told, body = False, {item.key: item for item in items}
        for event in self._events(contacts, items, time):
            for listener in [one for one in self.all if one.wants(event)]:
                listener.call(event)
                is_told = True
        self._blows = {pair: blows for pair, blows in self._blows.items() if {*pair} <= {*body}}
        return is_told

    def _events(self, contacts: ContactArena, items: Sequence[Item], time: float) -> list[ContactEvent]:
        body = {item.key: item for item in items}
        before = {pair for pair in self._touching if {*pair} <= {*body}}
        now, closed = _pairs(contacts, items)
        self._touching = now
        struck = self._struck(contacts, items, closed)
        found: list[ContactEvent] = []
        for pair in sorted(before | now | set(struck)):
            a, b = (body[key] for key in pair)
            is_turned = bool(a.values["is_fixed"])  # what is fixed comes second
            a, b = (b, a) if is_turned else (a, b)
            when = struck[pair].time if pair in struck else time
            if pair not in before:
                found.append(ContactEvent(when, "begin", a, b))
            if pair in struck:
                found.append(_hit(struck[pair], a, b, 1.0 if is_turned else -1.0))
            if pair not in now:
                found.append(ContactEvent(time, "end", a, b))
        return sorted(found, key=lambda event: event.time)  # which keeps the order at one time

    def _struck(self, contacts: ContactArena, items: Sequence[Item], closed: set[Pair]) -> dict[Pair, Strike]:
        """The blows of the last step that are over. A blow that stops what comes near is one with that of
        the next step, in which it arrives."""
        new: dict[Pair, list[Blow]] = {}
        for blow in contacts.blows():
            new.setdefault((items[int(blow.a)].key, items[int(blow.b)].key), []).append(blow)
        waiting, self._blows = self._blows, {}
        over: dict[Pair, Strike] = {}
        for pair in {**waiting, **new}:
            blows = [*waiting.get(pair, ()), *new.get(pair, ())]
            if pair in new and pair not in closed and any(blow.opens < 0 for blow in new[pair]):
                self._blows[pair] = blows
            else:
                over[pair] = Strike(blows)
        return over


class Strike:
    """Blows of one pair that belong together."""

    def __init__(self, blows: Sequence[Blow]) -> None:
        hardest = max(blows, key=lambda blow: blow.speed)
        self.time, self.speed = blows[-1].time, hardest.speed
        self.point, self.normal = _vector(hardest.point), _vector(hardest.normal)
        self.impulse = sum((_vector(blow.impulse) for blow in blows), np.zeros(3))


def _hit(strike: Strike, a: Item, b: Item, sign: float) -> ContactEvent:
    vectors = (strike.point, sign * strike.normal, sign * strike.impulse)
    point, normal, impulse = (tuple((0.0 + x).tolist()) for x in vectors)
    return ContactEvent(strike.time, "hit", a, b, point, normal, impulse, strike.speed)


def _pairs(contacts: ContactArena, items: Sequence[Item]) -> tuple[set[Pair], set[Pair]]:
    """The pairs that touch now, and those of them whose gap is closed."""
    rows, points = contacts.detector.contacts()
    push = np.einsum("ij,ij->i", contacts.impulses(), points[:, 6:9])
    is_closed = points[:, 9] <= contacts.closed

    def keys(which: Array) -> set[Pair]:
        return {(items[a].key, items[b].key) for a, b in rows[which, :2].tolist()}

    return keys(is_closed | (push > 0)), keys(is_closed)


def _vector(cells: object) -> Array:
    return np.array([cells[k] for k in range(3)])  # type: ignore[index]
