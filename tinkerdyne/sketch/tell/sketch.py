"""The sketch: what an animator asks of a motion, told in the order in which it happens (M2).

sketch = Sketch(pencil)
sketch.follow(pencil, places, orientations)            # a flight as the hand showed it, with any timing
sketch.bounce(pencil, pencil.end2, on=table)           # a collision ends it, and the next begins
sketch.follow(pencil, more_places, more_orientations)
sketch.want(pencil, position=mug, orientation=upright)  # at the end of the flight that is being told; hard
solution = sketch.solve()
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from copy import copy
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from tinkerdyne.drawing.bodies import Mark
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.attributes import SaysNearest
from tinkerdyne.language.calls import methods_say_how
from tinkerdyne.language.checks import number, vector
from tinkerdyne.language.item import Item, label
from tinkerdyne.language.symbols import SX
from tinkerdyne.sketch.tell.checks import (
    check_bodies,
    check_flights,
    check_member,
    check_standing,
    check_two,
    contradictions,
)
from tinkerdyne.sketch.tell.contacts import Law, collision_of, face_of, kept_apart
from tinkerdyne.sketch.tell.reading import pair, track_of
from tinkerdyne.sketch.tell.revise import moved_sample, number_of, with_samples, without_samples
from tinkerdyne.sketch.tell.story import Collision, Flight, PointOf, Style, Surface, Wish
from tinkerdyne.sketch.tell.telling import Telling
from tinkerdyne.sketch.tell.wishes import Asked, condition_wish, inside_wish, landing, on_face, value_wish

if TYPE_CHECKING:
    from tinkerdyne.sketch.problem.statement import Statement
    from tinkerdyne.sketch.show.solution import Solution
    from tinkerdyne.sketch.tell.entries import Document

SAMPLES = 16  # of a flight's track at most so many are used, evenly spread
GAP = 30.0  # weight of a velocity gap's square against a sample's


@methods_say_how()
class Sketch(SaysNearest):
    """Bodies, flights between collisions, samples and wishes; `solve` makes the motion that fits them
    best."""

    def __init__(
        self,
        *bodies: Item,
        gravity: ArrayLike = (0.0, 0.0, -9.81),
        samples: int = SAMPLES,
        name: str = "sketch",
    ) -> None:
        check_bodies(bodies)
        if isinstance(samples, bool) or not isinstance(samples, int) or samples < 2:
            raise ValueError(f"samples must be a whole number of at least 2, not {samples!r}")
        self.bodies = [body for body in bodies if not body.is_fixed]
        # what stands where it is, and is not passed through
        self.obstacles = [body for body in bodies if body.is_fixed]
        if not self.bodies:
            raise ValueError(
                f"{label(bodies[0])} is fixed, but a sketch moves its bodies; name one that is not"
            )
        self.gravity = np.array(vector("gravity", gravity, length=3))
        self.name = name
        self._telling = Telling()
        self.surfaces: list[Surface] = []
        self.forces: dict[str, tuple[Array, Array]] = {}
        self.inertias: dict[str, tuple[float, float]] = {}
        # what was said of two bodies: whether they are kept apart
        self.apart: dict[frozenset[str], bool] = {}
        self.standing: list[str] = []  # bodies that stand until they are struck
        self.preferred: Style | None = None  # None: calm where nothing is shown
        self.count = samples
        self.gap_weight = GAP
        # segments of the flights, as the motion that was found needed; empty: as the sketch lets expect
        self.parts: list[int] = []
        self.marks: dict[str, list[Mark]] = {}  # by body: letters on its sides, for pictures

    def __repr__(self) -> str:
        bodies = ", ".join(body.name for body in self.bodies)
        count = len(self.flights)
        flights = f"{count} flight{'s' * (count > 1)}"
        return f"<Sketch {self.name!r} of {bodies}: {flights}, {len(self.collisions)} collisions>"

    def __copy__(self) -> Sketch:
        """A sketch of the same bodies; what is said of it leaves this one as it is."""
        new = object.__new__(Sketch)
        for name, part in self.__dict__.items():
            setattr(new, name, copy(part) if isinstance(part, (Telling, list, dict)) else part)
        return new

    def document(self) -> Document:
        """What `save_sketch` writes; `world.show(sketch=…)` keeps it with the scene."""
        from tinkerdyne.sketch.tell.document import document_of

        return document_of(self)

    @property
    def flights(self) -> list[Flight]:
        """What is asked of each flight, in turn."""
        return self._telling.flights

    @flights.setter
    def flights(self, flights: list[Flight]) -> None:
        self._telling.flights = flights

    @property
    def collisions(self) -> list[Collision]:
        """What ends each flight but the last."""
        return self._telling.collisions

    @collisions.setter
    def collisions(self, collisions: list[Collision]) -> None:
        self._telling.collisions = collisions

    @property
    def _told(self) -> Flight:
        return self._telling.flight

    # --- telling ---------------------------------------------------------------------------------
    def follow(
        self,
        body: Item,
        places: ArrayLike,
        orientations: ArrayLike | None = None,
        *,
        times: ArrayLike | None = None,
        weight: float = 1.0,
        turn_weight: float = 1.0,
        keys: Sequence[int] | None = None,
    ) -> None:
        """Soft samples of this flight: places (n, 3) [m], orientations (n, 4), times since the beginning (n,)
        [s] if they count. keys: the samples at which orientations count, where they do not at all."""
        who = self._body(body)
        if body.name in self._told.tracks:
            raise ValueError(
                f"flight {self._telling.number + 1} already follows {who}; give all samples of a "
                "flight at once, or insert more; drop the old ones first to replace them"
            )
        self._told.tracks[body.name] = track_of(who, places, orientations, times, weight, turn_weight, keys)

    def want(
        self,
        body: Item,
        *,
        when: str | float = "end",
        time: float | None = None,
        hard: bool = True,
        weight: float = 1.0,
        at: PointOf | None = None,
        name: str = "",
        **projections: ArrayLike,
    ) -> None:
        """Ask for values at a moment of this flight: position, orientation, point (with `at`), velocity or
        spin.

        A value is wanted as it is; a pair (low, high) of values bounds it, with infinities where it is free.
        `when` is "start", "end" or a share of the flight; `time` is counted from the beginning. hard=False
        makes it a sample among others.
        """
        who = self._body(body)
        if not projections:
            raise TypeError(
                f"say what is wanted of {who}: position=…, orientation=…, point=…, velocity=… or spin=…"
            )
        asked = Asked(when, time, hard, weight, name)
        for kind, value in projections.items():
            self._wish(value_wish(body, kind, value, at, asked))

    def condition(
        self,
        formula: Callable[..., SX],
        low: ArrayLike,
        high: ArrayLike,
        *,
        when: str | float = "end",
        time: float | None = None,
        hard: bool = True,
        weight: float = 1.0,
        name: str = "condition",
    ) -> None:
        """Any function of the bodies' states: low ≤ formula(a, b, …) ≤ high, of states with x, q, R, v, w and
        at(point).

        The states' q, R and w belong to the principal axes of their bodies, which are the body's own axes but
        for their order.
        """
        asked = Asked(when, time, hard, weight, name)
        self._wish(condition_wish(formula, low, high, len(self.bodies), asked))

    def bounce(
        self,
        body: Item,
        at: PointOf | None = None,
        *,
        on: Surface | None = None,
        restitution: ArrayLike = 0.5,
        friction: ArrayLike = 0.0,
        tilt: float = 0.0,
        name: str = "",
    ) -> None:
        """The flight ends with a collision of a point of a body with a surface; the next flight begins.

        at: a point of the body; left out, the corner that comes lowest is found. A ball, and the end of a
        capsule that is nearest to the point, touches by whatever lies lowest of it. restitution, friction: a
        number, or the least and the most that they may be. tilt: how far the normal may lean from the
        surface's [rad].
        """
        law = Law(restitution, friction, tilt, name or f"bounce {len(self.collisions) + 1}")
        self._strike(body, at, on if on is not None else Surface(), None, law)

    def _strike(
        self, body: Item, at: PointOf | None, surface: Surface, reach: float | None, law: Law
    ) -> None:
        """A collision of a point of a body with a surface, of another body within reach of its origin, or on
        its own face."""
        collision = self._collision(body, at, surface, law)
        if surface.of is None and surface not in self.surfaces:
            self.surfaces.append(surface)
        elif surface.of is not None and not surface.ball:
            self._wish(on_face(body, surface, reach))
        self._telling.end(collision)

    def _collision(self, body: Item, at: PointOf | None, surface: Surface, law: Law) -> Collision:
        self._body(body)
        if not isinstance(surface, Surface):
            raise TypeError(f"{label(body)} bounces on a Surface, not on {surface!r}")
        if surface.of is not None:
            self._body(surface.of)
        return collision_of(body, at, surface, law)

    def collide(
        self,
        a: Item,
        at: PointOf | None,
        b: Item,
        *,
        origin: PointOf | None = None,
        normal: ArrayLike | None = None,
        reach: float | None = None,
        restitution: ArrayLike = 0.5,
        friction: ArrayLike = 0.0,
        tilt: float = 0.0,
        name: str = "",
    ) -> None:
        """A point of a meets a face of b, given by a place and the outward normal in b's axes.

        The contact lies within b's hull, or with reach no further than that from the place. A ball b, or the
        end of a capsule that is nearest to the place, is met anywhere, the normal pointing from its middle to
        the point or ball of a.
        """
        self._body(a)
        self._body(b)
        face = face_of(a, b, origin, normal, has_reach=reach is not None)
        within = None if reach is None else number("reach", reach, positive=True)
        law = Law(restitution, friction, tilt, name or f"bounce {len(self.collisions) + 1}")
        self._strike(a, at, face, within, law)

    def split(self) -> None:
        """A grid point without a collision, where the user wants one: the motion goes on smoothly."""
        self._telling.end(Collision(name=f"split {len(self.collisions) + 1}"))

    def land(self, body: Item, at: PointOf, *, on: Surface | None = None) -> None:
        """A point of a body lies on a surface when the flight ends; of a ball or capsule its ball that is
        nearest to the point."""
        self._body(body)
        self._wish(landing(body, at, on or Surface()))

    def inside(
        self,
        body: Item,
        of: Item,
        low: ArrayLike,
        high: ArrayLike,
        *,
        at: PointOf = (0.0, 0.0, 0.0),
        when: str | float = "end",
    ) -> None:
        """A point of a body lies in a box between two places, in another body's own axes."""
        self._body(body)
        self._body(of)
        self._wish(inside_wish(body, of, low, high, at, when))

    def keep_above(self, surface: Surface | None = None) -> None:
        """No corner of any body goes below a surface between collisions, of the world or of another body;
        those of the world that bodies bounce on are kept anyway."""
        surface = surface or Surface()
        if surface.of is not None:
            self._body(surface.of)
        if surface not in self.surfaces:
            self.surfaces.append(surface)

    def keep_apart(self, a: Item, b: Item) -> None:
        """Two bodies do not overlap between collisions, as far as their convex pieces go (`pieces.py`).

        That is so of any two, but for those of which one goes into another that is not hollow: it is told to
        lie `inside`, or strikes a face that lies within the hull.
        """
        self.apart[self._two(a, b)] = True

    def let_overlap(self, a: Item, b: Item) -> None:
        """Two bodies may pass through each other."""
        self.apart[self._two(a, b)] = False

    def vary_force(self, body: Item, low: ArrayLike, high: ArrayLike) -> None:
        """A constant force on the centre of mass, such as wind, that may be chosen between two [N]."""
        who = self._body(body)
        lo, hi = (np.array(vector(f"the force on {who}", one, length=3)) for one in (low, high))
        if not np.all(lo <= hi):
            raise ValueError(
                f"the force on {who} must lie between {low!r} and {high!r}, which are not in order"
            )
        self.forces[body.name] = (lo, hi)

    def vary_inertia(self, body: Item, low: float, high: float) -> None:
        """The principal moments of a body, equal ones together, may be so many times what its shape gives
        it."""
        who = self._body(body)
        self.inertias[body.name] = pair(f"the inertia of {who}", (low, high), least=1e-3, most=1e3)

    def stand(self, body: Item) -> None:
        """A body stands, leans or is held where it is, until something strikes it."""
        who = self._body(body)
        if body.name in self.standing:
            raise ValueError(f"{who} stands already")
        self.standing.append(body.name)

    def style(
        self, *, calmer: float = 0.0, higher: float = 0.0, faster: float = 0.0, more_turns: float = 0.0
    ) -> None:
        """What is preferred where the sketch leaves a choice: weights, of which 1 is a clear wish; without
        any, nothing is, but for calm where no samples are shown."""
        named = {"calmer": calmer, "higher": higher, "faster": faster, "more_turns": more_turns}
        for name, weight in named.items():
            if number(name, weight) < 0:
                raise ValueError(f"{name} is a weight and must not be negative, not {weight!r}")
        self.preferred = Style(calmer, higher, faster, more_turns) if any(named.values()) else None

    def lasts(self, low: float, high: float) -> None:
        """This flight lasts between two times [s]."""
        self._told.duration = pair("the duration of a flight", (low, high), least=1e-4, most=1e4)

    # --- revising ---------------------------------------------------------------------------------
    def tell(self, k: int = -1) -> None:
        """What is said next belongs to flight k, counted from 0; a collision that is told there ends it, and
        a new flight is inserted after it."""
        self._telling.turn_to(k)

    def insert(
        self,
        body: Item,
        at: int,
        places: ArrayLike,
        orientations: ArrayLike | None = None,
        *,
        times: ArrayLike | None = None,
    ) -> None:
        """Samples inserted before sample `at` of a body in this flight, or after the last."""
        track = self._telling.samples(body, self._body(body))
        more = track_of(label(body), places, orientations, times, track.weight, track.turn_weight)
        at = number_of(at, len(track.places) + 1, "the sample")
        self._told.tracks[body.name] = with_samples(track, at, more)

    def drop(self, body: Item, samples: Sequence[int] | None = None) -> None:
        """Without some samples of a body in this flight, or without all."""
        track = self._telling.samples(body, self._body(body))
        count = len(track.places)
        which = range(count) if samples is None else [number_of(k, count, "a sample") for k in samples]
        rest = without_samples(track, list(which))
        if rest is None:
            del self._told.tracks[body.name]
        else:
            self._told.tracks[body.name] = rest

    def move(
        self, body: Item, sample: int, *, place: ArrayLike | None = None, orientation: ArrayLike | None = None
    ) -> None:
        """One sample of a body in this flight elsewhere, or turned otherwise."""
        track, who = self._telling.samples(body, self._body(body)), label(body)
        k = number_of(sample, len(track.places), "the sample")
        at = None if place is None else vector(f"place of {who}", place, length=3)
        turned = None if orientation is None else vector(f"orientation of {who}", orientation, length=4)
        if turned is not None and not any(turned):
            raise ValueError(f"orientation of {who} must not be the zero quaternion")
        self._told.tracks[body.name] = moved_sample(track, k, at, turned)

    def strike(
        self,
        k: int,
        body: Item | None,
        at: PointOf | None = None,
        *,
        on: Surface | None = None,
        reach: float | None = None,
        restitution: ArrayLike = 0.5,
        friction: ArrayLike = 0.0,
        tilt: float = 0.0,
        name: str = "",
    ) -> None:
        """The collision that ends flight k, told anew as `bounce` has it, or with a face of another body
        (`on`), within reach of its origin; without a body a split."""
        k = number_of(k, len(self.collisions), "the collision")
        if body is None:
            self._telling.forget_face(k)
            self.collisions[k] = Collision(name=name or f"split {k + 1}")
            return
        surface = on if on is not None else Surface()
        law = Law(restitution, friction, tilt, name or self.collisions[k].name or f"bounce {k + 1}")
        collision = self._collision(body, at, surface, law)
        within = None if reach is None else number("reach", reach, positive=True)
        self._telling.forget_face(k)
        self.collisions[k] = collision
        if surface.of is None and surface not in self.surfaces:
            self.surfaces.append(surface)
        elif surface.of is not None and not surface.ball:
            self.flights[k].wishes.append(on_face(body, surface, within))

    def divide(self, k: int, at: int) -> None:
        """Flight k as two, which go on smoothly: samples before `at`, and from it on."""
        self._telling.divide(k, at)

    def remove(self, k: int) -> None:
        """Without flight k and the collision that ends it; of the last, that which begins it."""
        self._telling.remove(k)

    def reorder(self, k: int, to: int) -> None:
        """Flight k, with the collision that ends it, as flight `to`; the last flight has none."""
        self._telling.reorder(k, to)

    # --- solving ---------------------------------------------------------------------------------
    def statement(self) -> Statement:
        """The sketch in numbers; a message where it asks for nothing, or for what cannot be."""
        from tinkerdyne.sketch.problem.statement import Statement

        check_flights(self.flights)
        check_standing(self.standing, self.bodies, self.flights, self.collisions)
        statement = Statement(
            self.bodies,
            self.flights,
            self.collisions,
            g=self.gravity,
            guards=list(self.surfaces),
            forces=self.forces,
            inertias=self.inertias,
            pairs=self._pairs(),
            obstacles=self.obstacles,
            count=self.count,
            gap_weight=self.gap_weight,
            parts=self.parts,
            standing=self.standing,
            style=self.preferred,
        )
        statement.check_times()
        return statement

    def solve(
        self,
        *,
        restarts: int = 8,
        gaps: bool | None = None,
        executor: Executor | None = None,
        near: Solution | None = None,
        settles: bool = False,
        progress: Callable[[int, int, float], None] | None = None,
        cancel: Callable[[], bool] | None = None,
    ) -> Solution:
        """The motion that fits the sketch best, as a Solution that says what was met; never raises on
        numerics.

        restarts: how many first guesses are tried, on an executor's processes when one is given. gaps:
        whether velocities may jump at collisions beyond the impulse (None: only when there is no exact
        motion). near: the solution of this sketch before an edit, from which it is started warm; where the
        form is the same, samples keep their times unless it settles, else flights go on that were there.
        progress(done, of, best cost) is called after each start, cancel() in every iteration (with an
        executor, ten times a second): the best so far is kept.
        """
        from tinkerdyne.sketch.show.solution import Solution
        from tinkerdyne.sketch.solve.starts import find

        keys = [flight.key for flight in self.flights]
        is_same = near is not None and [flight.key for flight in near.statement.flights] == keys
        is_alike = near is not None and (is_same or not set(keys) & near.statement.keys)
        self.parts = near.statement.parts if near is not None and is_alike else []
        answer = find(
            self.statement(),
            restarts=restarts,
            gaps=gaps,
            executor=executor,
            near=None if near is None else (near.statement, near.outcome),
            settles=settles,
            note="\n".join(self.contradictions()),
            progress=progress,
            cancel=cancel,
        )
        return Solution(self, *answer).refined(cancel)

    # --- checking --------------------------------------------------------------------------------
    def _body(self, body: object) -> str:
        return check_member(body, self.bodies, self.obstacles)

    def _two(self, a: Item, b: Item) -> frozenset[str]:
        return check_two(a, b, self.bodies, self.obstacles)

    def _pairs(self) -> list[tuple[int, int]]:
        """The bodies, by number, that are kept apart from each other."""
        return kept_apart(self.bodies, self.obstacles, self.flights, self.collisions, self.apart)

    def _wish(self, wish: Wish) -> None:
        if not isinstance(wish.is_hard, bool):
            raise TypeError(f"hard must be True or False for the {wish.says}, not {wish.is_hard!r}")
        self._told.wishes.append(wish)

    def contradictions(self) -> list[str]:
        """What is asked for twice, with values that cannot both be."""
        return contradictions(self.flights)
