"""The story as it is told: flights in turn, the collisions between them, and the flight that is being told.

An edit leaves what it does not touch as it is (see `revise`).
"""

from __future__ import annotations

from dataclasses import replace

from tinkerdyne.language.item import Item
from tinkerdyne.sketch.tell.revise import divided_flight, number_of
from tinkerdyne.sketch.tell.story import Collision, Flight, Samples


class Telling:
    """n flights, with n − 1 collisions between them."""

    def __init__(self) -> None:
        self.flights = [Flight()]
        self.collisions: list[Collision] = []
        self._cursor = -1  # the flight that is being told: −1 stays with the last

    def __copy__(self) -> Telling:
        new = Telling()
        new.flights = [replace(f, tracks=dict(f.tracks), wishes=list(f.wishes)) for f in self.flights]
        new.collisions, new._cursor = list(self.collisions), self._cursor
        return new

    @property
    def number(self) -> int:
        """Of the flight that is being told, counted from 0."""
        return len(self.flights) - 1 if self._cursor == -1 else self._cursor

    @property
    def flight(self) -> Flight:
        """The one that is being told."""
        return self.flights[self._cursor]

    def turn_to(self, k: int) -> None:
        """Tell flight k from now on."""
        k = number_of(k, len(self.flights), "the flight")
        self._cursor = -1 if k == len(self.flights) - 1 else k

    def samples(self, body: Item, who: str) -> Samples:
        """The samples of a body in the flight that is being told."""
        if body.name not in self.flight.tracks:
            raise ValueError(f"flight {self.number + 1} follows no samples of {who}")
        return self.flight.tracks[body.name]

    def end(self, collision: Collision) -> None:
        """A collision ends the flight that is being told, and the next one begins."""
        k = self.number
        self.collisions.insert(k, collision)
        self.flights.insert(k + 1, Flight())
        self._cursor = -1 if self._cursor == -1 else k + 1

    def divide(self, k: int, at: int) -> None:
        """Flight k as two, which go on smoothly: samples before `at`, and from it on."""
        k = number_of(k, len(self.flights), "the flight")
        self.flights[k : k + 1] = divided_flight(self.flights[k], at)
        self.collisions.insert(k, Collision(name=f"split {len(self.collisions) + 1}"))
        self._cursor = -1

    def remove(self, k: int) -> None:
        """Without flight k and the collision that ends it; of the last, that which begins it."""
        k = number_of(k, len(self.flights), "the flight")
        if len(self.flights) == 1:
            raise ValueError("a sketch keeps at least one flight; drop its samples instead")
        ends = min(k, len(self.collisions) - 1)
        self.forget_face(ends)
        del self.flights[k], self.collisions[ends]
        self._cursor = -1

    def reorder(self, k: int, to: int) -> None:
        """Flight k, with the collision that ends it, as flight `to`; the last flight has none."""
        count = len(self.flights)
        k, to = number_of(k, count, "the flight"), number_of(to, count, "the flight")
        told = list(zip(self.flights, [*self.collisions, None], strict=True))
        told.insert(to, told.pop(k))
        self.flights = [flight for flight, _ in told]
        self.collisions = [collision for _, collision in told if collision is not None]
        self._cursor = -1

    def forget_face(self, k: int) -> None:
        """The wish that the contact of collision k lies on a face goes with it."""
        flight, face = self.flights[k], self.collisions[k].on
        flight.wishes = [
            wish for wish in flight.wishes if not (wish.kind in ("reach", "face") and wish.surface == face)
        ]
