"""The sketch: what an animator asks of a motion, told in the order in which it happens (M2).

sketch = Sketch(pencil)
sketch.follow(pencil, places, orientations)            # a flight as the hand showed it, with any timing
sketch.bounce(pencil, pencil.end2, on=table)           # a collision ends it, and the next begins
sketch.follow(pencil, more_places, more_orientations)
sketch.want(pencil, position=mug, orientation=upright)  # at the end of the flight that is being told; hard
solution = sketch.solve()
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from concurrent.futures import Executor
from typing import TYPE_CHECKING, Any

import casadi as ca
import numpy as np

from tinkerdyne.drawing.bodies import Mark
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item, label, number, vector
from tinkerdyne.sketch.problem.flight import State
from tinkerdyne.sketch.problem.statement import GAP, LONGEST, SHORTEST, Statement
from tinkerdyne.sketch.tell.pieces import pieces_of
from tinkerdyne.sketch.tell.shape import shape_of
from tinkerdyne.sketch.tell.story import Collision, Flight, Surface, Track, Wish, pair, point_of, samples

if TYPE_CHECKING:
    from tinkerdyne.sketch.show.solution import Solution

SAMPLES = 16  # of a flight's track at most so many are used, evenly spread
WITHIN = 0.01  # of a body's size: how far its hull may stand out over a face of it
PARALLEL = 0.999  # cosine of the angle between the normals of two faces that look in one direction
STEEPEST = math.radians(80)


class Sketch:
    """Bodies, flights between collisions, samples and wishes; `solve` makes the motion that fits them
    best."""

    def __init__(
        self, *bodies: Item, gravity: Any = (0.0, 0.0, -9.81), samples: int = SAMPLES, name: str = "sketch"
    ) -> None:
        if not bodies:
            raise TypeError("a sketch needs at least one body: Sketch(Box('die', size=(0.1, 0.1, 0.1)))")
        names = [body.name for body in bodies if isinstance(body, Item)]
        for body in bodies:
            if not isinstance(body, Item):
                raise TypeError(f"a sketch is made of bodies, not of {body!r}")
            shape_of(body)
            if not body.name or names.count(body.name) > 1:
                raise ValueError(
                    f"every body of a sketch needs a name of its own; {label(body)} has none, or shares it"
                )
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
        self.flights = [Flight()]
        self.collisions: list[Collision] = []
        self.surfaces: list[Surface] = []
        self.forces: dict[str, tuple[Array, Array]] = {}
        self.inertias: dict[str, tuple[float, float]] = {}
        # what was said of two bodies: whether they are kept apart
        self.apart: dict[frozenset[str], bool] = {}
        self.count = samples
        self.gap_weight = GAP
        # segments of the flights, as the motion that was found needed; empty: as the sketch lets expect
        self.parts: list[int] = []
        self.marks: dict[str, list[Mark]] = {}  # by body: letters on its sides, for pictures

    # --- telling ---------------------------------------------------------------------------------
    def follow(
        self,
        body: Item,
        places: Any,
        orientations: Any = None,
        *,
        times: Any = None,
        weight: float = 1.0,
        turn_weight: float = 1.0,
    ) -> None:
        """Soft samples of this flight: places (n, 3) [m], orientations (n, 4), times since the beginning (n,)
        [s] if they count."""
        who = self._body(body)
        if body.name in self.flights[-1].tracks:
            raise ValueError(
                f"flight {len(self.flights)} already follows {who}; give all samples of a flight at once"
            )
        x = samples(f"places of {who}", places, 3)
        q = None if orientations is None else samples(f"orientations of {who}", orientations, 4)
        t = None if times is None else np.array(vector(f"times of {who}", times))
        for what, rows in (("orientations", q), ("times", t)):
            if rows is not None and len(rows) != len(x):
                raise ValueError(f"{what} of {who} must be as many as its places, {len(x)}, not {len(rows)}")
        if q is not None and not np.all(np.linalg.norm(q, axis=1) > 1e-9):
            raise ValueError(
                f"orientations of {who} must not hold the zero quaternion; no rotation is (1, 0, 0, 0)"
            )
        if t is not None and (np.any(np.diff(t) <= 0) or t[0] < 0):
            raise ValueError(f"times of {who} must rise from 0 on; leave them out when they do not count")
        w, wq = number(f"weight of {who}", weight), number(f"turn_weight of {who}", turn_weight)
        if w < 0 or wq < 0:
            raise ValueError(f"weights of {who} must not be negative, not {weight!r} and {turn_weight!r}")
        self.flights[-1].tracks[body.name] = Track(x, q, t, w, wq)

    def want(
        self,
        body: Item,
        *,
        when: str | float = "end",
        time: float | None = None,
        hard: bool = True,
        weight: float = 1.0,
        at: Any = None,
        name: str = "",
        **projections: Any,
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
        for kind, value in projections.items():
            if kind not in ("position", "orientation", "point", "velocity", "spin"):
                raise TypeError(
                    f"{who} has no {kind!r} to ask for; there are position, orientation, point, velocity, "
                    "spin"
                )
            if kind == "point" and at is None:
                raise TypeError(
                    f"say which point of {who} is meant: at={body.name}.end1, or three numbers in its own "
                    "axes"
                )
            local = (0.0, 0.0, 0.0) if at is None else point_of(body, f"at of {who}", at)
            low, high = _bounds(f"{kind} of {who}", value, 4 if kind == "orientation" else 3)
            if kind == "orientation":
                if not np.array_equal(low, high):
                    raise ValueError(
                        f"orientation of {who} is wanted as one quaternion; bound it by a point, or by a "
                        "condition"
                    )
                if np.linalg.norm(low) < 1e-9:
                    raise ValueError(
                        f"orientation of {who} must not be the zero quaternion; no rotation is (1, 0, 0, 0)"
                    )
            self._wish(
                Wish(
                    kind,
                    body,
                    low,
                    high,
                    *self._moment(when, time),
                    hard,
                    _weight(who, weight),
                    local,
                    None,
                    None,
                    name,
                )
            )

    def condition(
        self,
        formula: Callable[..., Any],
        low: Any,
        high: Any,
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
        try:
            lo, hi = np.atleast_1d(np.array(low, float)), np.atleast_1d(np.array(high, float))
        except (TypeError, ValueError):
            raise TypeError(f"{name} needs numbers as bounds, not {low!r} and {high!r}") from None
        is_bounded = lo.shape == hi.shape and bool(
            np.all(lo <= hi) and np.all(lo < np.inf) and np.all(hi > -np.inf)
        )
        if not is_bounded or lo.ndim != 1 or len(lo) > 4:
            raise ValueError(
                f"{name} needs bounds low ≤ high of as many numbers (at most 4), not {low!r} and {high!r}"
            )
        moment, kept = self._moment(when, time), _weight(name, weight)
        _try(name, formula, len(self.bodies), len(lo))
        self._wish(Wish("custom", None, lo, hi, *moment, hard, kept, function=formula, name=name))

    def bounce(
        self,
        body: Item,
        at: Any = None,
        *,
        on: Surface | None = None,
        restitution: Any = 0.5,
        friction: Any = 0.0,
        tilt: float = 0.0,
        name: str = "",
    ) -> None:
        """The flight ends with a collision of a point of a body with a surface; the next flight begins.

        at: a point of the body; left out, the corner that comes lowest is found. A ball, and the end of a
        capsule that is nearest to the point, touches by whatever lies lowest of it. restitution, friction: a
        number, or the least and the most that they may be. tilt: how far the normal may lean from the
        surface's [rad].
        """
        self._strike(body, at, on if on is not None else Surface(), None, restitution, friction, tilt, name)

    def _strike(
        self,
        body: Item,
        at: Any,
        surface: Surface,
        reach: float | None,
        restitution: Any,
        friction: Any,
        tilt: float,
        name: str,
    ) -> None:
        """A collision of a point of a body with a surface, of another body within reach of its origin, or on
        its own face."""
        who = self._body(body)
        if not isinstance(surface, Surface):
            raise TypeError(f"{who} bounces on a Surface, not on {surface!r}")
        if surface.of is not None:
            whom, other = self._body(surface.of), shape_of(surface.of)
            if surface.of is body:
                raise ValueError(f"{who} cannot collide with its own surface {surface.name!r}")
            if other.round and not surface.ball:
                raise ValueError(
                    f"{whom} is round and has no face; tell collide({body.name}, point, {surface.of.name}) "
                    "instead"
                )
            if surface.ball and tilt:
                raise ValueError(
                    f"tilt of a normal must be 0 where {who} meets {whom}, which is round, not {tilt!r}; "
                    "drop it"
                )
            point_of(surface.of, f"the origin of {surface.name}", surface.origin, touches=True)
        if not 0 <= number("tilt", tilt) < STEEPEST:
            raise ValueError(f"tilt of a normal must lie between 0 and {STEEPEST:.2f} rad, not {tilt!r}")
        local = None if at is None else point_of(body, f"the contact of {who}", at, touches=True)
        self.collisions.append(
            Collision(
                body,
                local,
                surface,
                pair(f"restitution of {who}", restitution, least=0.0, most=1.0),
                pair(f"friction of {who}", friction, least=0.0, most=10.0),
                tilt,
                name or f"bounce {len(self.collisions) + 1}",
            )
        )
        if surface.of is None and surface not in self.surfaces:
            self.surfaces.append(surface)
        elif surface.of is not None and not surface.ball:
            self._wish(_on_face(body, surface, reach))
        self.flights.append(Flight())

    def collide(
        self,
        a: Item,
        at: Any,
        b: Item,
        *,
        origin: Any = None,
        normal: Any = None,
        reach: float | None = None,
        restitution: Any = 0.5,
        friction: Any = 0.0,
        tilt: float = 0.0,
        name: str = "",
    ) -> None:
        """A point of a meets a face of b, given by a place and the outward normal in b's axes.

        The contact lies within b's hull, or with reach no further than that from the place. A ball b, or the
        end of a capsule that is nearest to the place, is met anywhere, the normal pointing from its middle to
        the point or ball of a.
        """
        who, whom = self._body(a), self._body(b)
        if a is b:
            raise ValueError(f"{who} cannot collide with itself; name two bodies")
        shape = shape_of(b)
        if shape.round:
            if normal is not None or reach is not None:
                raise ValueError(
                    f"{whom} is round: it is met along the line between the middles, and has no face with a "
                    "normal and a reach; "
                    f"leave them out: collide({a.name}, point, {b.name})"
                )
            middle = shape.touching(
                point_of(b, f"the origin on {whom}", (0, 0, 0) if origin is None else origin)
            )
            face = Surface(tuple(middle.tolist()), (0.0, 0.0, 1.0), f"ball of {b.name}", b, shape.round)
        else:
            if origin is None or normal is None:
                raise ValueError(
                    f"say which face of {whom} is met: origin=… a place on it, normal=… outwards, in its own "
                    "axes"
                )
            places = tuple(vector("origin", origin, length=3)), tuple(vector("normal", normal, length=3))
            face = Surface(*places, f"face of {b.name}", b)
        within = None if reach is None else number("reach", reach, positive=True)
        self._strike(a, at, face, within, restitution, friction, tilt, name)

    def split(self) -> None:
        """A grid point without a collision, where the user wants one: the motion goes on smoothly."""
        self.collisions.append(Collision(name=f"split {len(self.collisions) + 1}"))
        self.flights.append(Flight())

    def land(self, body: Item, at: Any, *, on: Surface | None = None) -> None:
        """A point of a body lies on a surface when the flight ends; of a ball or capsule its ball that is
        nearest to the point."""
        shape = shape_of(body)
        local = tuple(
            shape.touching(point_of(body, f"the landing of {self._body(body)}", at, touches=True)).tolist()
        )
        above = np.full(1, shape.round)
        self._wish(
            Wish(
                "height",
                body,
                above,
                above,
                "end",
                None,
                True,
                1.0,
                local,
                on or Surface(),
                None,
                f"landing of {body.name}",
            )
        )

    def inside(
        self,
        body: Item,
        of: Item,
        low: Any,
        high: Any,
        *,
        at: Any = (0.0, 0.0, 0.0),
        when: str | float = "end",
    ) -> None:
        """A point of a body lies in a box between two places, in another body's own axes."""
        local = point_of(body, f"at of {self._body(body)}", at)
        who = self._body(of)
        if of is body:
            raise ValueError(f"{who} cannot lie inside itself; name two bodies")
        shape = shape_of(of)
        ends = np.array(
            [
                vector(f"{name} of the room inside {who}", one, length=3)
                for name, one in (("low", low), ("high", high))
            ]
        )
        self._wish(
            Wish(
                "place",
                body,
                shape.inside(ends.min(axis=0)),  # two corners of the box, in principal axes
                shape.inside(ends.max(axis=0)),
                *self._moment(when, None),
                True,
                1.0,
                local,
                Surface((0.0, 0.0, 0.0), (0.0, 0.0, 1.0), f"inside {of.name}", of),
                None,
                f"{body.name} inside {of.name}",
            )
        )

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

    def vary_force(self, body: Item, low: Any, high: Any) -> None:
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

    def lasts(self, low: float, high: float) -> None:
        """This flight lasts between two times [s]."""
        self.flights[-1].duration = pair("the duration of a flight", (low, high), least=1e-4, most=1e4)

    # --- solving ---------------------------------------------------------------------------------
    def statement(self) -> Statement:
        """The sketch in numbers; a message where it asks for nothing, or for what cannot be."""
        self._check()
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
        )
        self._check_times(statement)
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
        motion). near: the solution of a sketch of the same form, from which this one is started warm, samples
        keeping their times unless it settles. progress(done, of, best cost) is called after each start,
        cancel() in every iteration (with an executor, ten times a second): the best so far is kept.
        """
        from tinkerdyne.sketch.show.solution import Solution
        from tinkerdyne.sketch.solve.starts import find

        self.parts = [] if near is None else near.statement.parts
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
    def _body(self, body: Any) -> str:
        if not isinstance(body, Item):
            raise TypeError(f"a body of the sketch is meant, not {body!r}")
        if body in self.obstacles:
            raise ValueError(
                f"{label(body)} is fixed: it stands in the way and is not moved; tell what belongs to it by "
                "a place of the world, "
                "such as bounce(…, on=Surface(origin, normal)) or want(…, position=(low, high)), or let it "
                "move: is_fixed=False"
            )
        if body not in self.bodies:
            raise ValueError(
                f"{label(body)} is not a body of this sketch; name it when the sketch is made: "
                f"Sketch({body.name}, …)"
            )
        return label(body)

    def _two(self, a: Item, b: Item) -> frozenset[str]:
        standing = [one for one in (a, b) if one in self.obstacles]
        who, whom = (
            label(one) if len(standing) == 1 and one is standing[0] else self._body(one) for one in (a, b)
        )
        if a is b:
            raise ValueError(f"{who} and {whom} are one body; name two")
        return frozenset((a.name, b.name))

    def _pairs(self) -> list[tuple[int, int]]:
        """The bodies, by number, that are kept apart from each other."""
        goes_in = {
            frozenset((w.body.name, w.surface.of.name))
            for f in self.flights
            for w in f.wishes
            if w.kind == "place" and w.body is not None and w.surface is not None and w.surface.of is not None
        }
        for c in self.collisions:
            if c.body is not None and c.on.of is not None and _is_within(c.on):
                goes_in.add(frozenset((c.body.name, c.on.of.name)))
        goes_in = {
            two
            for two in goes_in
            if not any(b.name in two and pieces_of(b, shape_of(b)).is_hollow for b in self.bodies)
        }
        every, moving = [*self.bodies, *self.obstacles], range(len(self.bodies))
        pairs = [
            *itertools.combinations(moving, 2),
            *itertools.product(moving, range(len(self.bodies), len(every))),
        ]
        names = {pair: frozenset(every[i].name for i in pair) for pair in pairs}
        return [pair for pair in pairs if self.apart.get(names[pair], names[pair] not in goes_in)]

    def _moment(self, when: str | float, time: float | None) -> tuple[str | float, float | None]:
        if time is not None:
            if number("time", time) < 0:
                raise ValueError(f"time is counted from the beginning and must not be negative, not {time!r}")
            return "end", number("time", time)
        if isinstance(when, str):
            if when not in ("start", "end"):
                raise ValueError(
                    f'when must be "start", "end" or a share of the flight between 0 and 1, not {when!r}'
                )
            return when, None
        share = number("when", when)
        if not 0 <= share <= 1:
            raise ValueError(f"when must be a share of the flight between 0 and 1, not {when!r}")
        return share, None

    def _wish(self, wish: Wish) -> None:
        if not isinstance(wish.is_hard, bool):
            raise TypeError(f"hard must be True or False for the {wish.says}, not {wish.is_hard!r}")
        self.flights[-1].wishes.append(wish)

    def contradictions(self) -> list[str]:
        """What is asked for twice, with values that cannot both be."""
        out = []
        for k, flight in enumerate(self.flights):
            fixed: dict[tuple[Any, ...], Wish] = {}
            for wish in flight.wishes:
                if not wish.is_hard or wish.kind in ("custom", "reach", "face", "place"):
                    continue
                moment = {"start": 0.0, "end": 1.0}.get(str(wish.when), wish.when)
                key = (wish.kind, id(wish.body), moment, wish.time, wish.at, id(wish.surface))
                other = fixed.setdefault(key, wish)
                if other is wish:
                    continue
                if wish.kind == "orientation":
                    a, b = (one.low / np.linalg.norm(one.low) for one in (other, wish))
                    differ = abs(a @ b) < 1 - 1e-12
                else:
                    differ = bool(
                        np.any(np.maximum(other.low, wish.low) > np.minimum(other.high, wish.high) + 1e-12)
                    )
                if differ:
                    values = f"{_told(other)} and {_told(wish)}"
                    out.append(f"Flight {k + 1} asks for two values of the {wish.says}, {values}; drop one.")
        return out

    def _check(self) -> None:
        if not any(f.tracks or f.wishes for f in self.flights):
            raise ValueError("the sketch asks for nothing: follow a body, or say what is wanted of it")
        last = 0.0
        for k, flight in enumerate(self.flights):
            for name, track in flight.tracks.items():
                if track.times is not None and track.times[0] < last - 1e-9:
                    raise ValueError(
                        f"times of {name} in flight {k + 1} begin before the flight ahead of it ends; they "
                        "count from the start"
                    )
            last = max([last, *(float(t.times[-1]) for t in flight.tracks.values() if t.times is not None)])

    def _check_times(self, statement: Statement) -> None:
        """Times that no flight lasts are those of another clock, or of a slow hand."""
        begin = least = 0.0
        for k, flight in enumerate(self.flights):
            for name, track in flight.tracks.items():
                if track.times is not None and track.times[0] < least - 1e-9:
                    raise ValueError(
                        f"times of {name} in flight {k + 1} begin at {track.times[0]:g} s, but the flights "
                        "before it last "
                        f"{least:.3g} s at least; count them from the start of the motion, or change lasts"
                    )
            least += flight.duration[0] if flight.duration is not None else SHORTEST * statement.units.time
            most = flight.duration[1] if flight.duration is not None else LONGEST * statement.units.time
            ends = {name: float(t.times[-1]) for name, t in flight.tracks.items() if t.times is not None}
            for name, end in ends.items():
                if end - begin > most * (1 + 1e-9):
                    raise ValueError(
                        f"times of {name} in flight {k + 1} end at {end:g} s, but a flight from {begin:g} s "
                        "on of this size lasts "
                        f"{most:.3g} s at most; count them from the start, or leave them out where they are "
                        "those of a slow hand"
                    )
            begin = max([begin, *ends.values()])


def _is_within(face: Surface) -> bool:
    """Whether a face of a body lies within its hull, as the bottom of a mug does."""
    assert face.of is not None
    shape = shape_of(face.of)
    if face.ball:
        return False
    return bool(((shape.solid - face.origin) @ face.normal).max() + shape.round > WITHIN * shape.radius)


def _try(name: str, formula: Callable[..., Any], bodies: int, count: int) -> None:
    """A message where a condition cannot be computed of symbolic states, or gives another number of values
    than it has bounds."""
    sizes = (("x", 3), ("q", 4), ("v", 3), ("w", 3))
    states = [State(*(ca.SX.sym(part, size) for part, size in sizes)) for _ in range(bodies)]
    needs = (
        "a condition is a CasADi formula of the states of all bodies: use ca.fmax instead of max, "
        "ca.if_else instead of if"
    )
    try:
        value = formula(*states)
        found = ca.vertcat(*value) if isinstance(value, (list, tuple)) else ca.SX(value)
    except Exception as problem:  # whatever a function of the user raises
        raise ValueError(f"{name} cannot be computed of {bodies} states ({problem}); {needs}") from problem
    if found.numel() != count:
        raise ValueError(
            f"{name} gives {found.numel()} numbers, but is bounded by {count}; give as many of low and high"
        )


def _on_face(body: Item, face: Surface, reach: float | None) -> Wish:
    """That the contact of a body with a face of another lies within reach of the face's origin, else within
    the other's hull."""
    assert face.of is not None
    shape, least = shape_of(face.of), np.array([-np.inf])
    if reach is not None:
        return Wish(
            "reach", body, least, np.array([reach**2]), surface=face, name=f"contact within {reach:g} m"
        )
    normals, far = shape.halfspaces
    aside = np.abs(normals @ face.normal) < PARALLEL
    normals, far = normals[aside], far[aside] + shape_of(body).round * normals[aside] @ face.normal
    return Wish(
        "face",
        body,
        np.full(len(far), -np.inf),
        far,
        surface=face,
        name=f"contact on {face.name}",
        planes=normals,
    )


def _bounds(what: str, value: Any, width: int) -> tuple[Array, Array]:
    """One vector, or two that bound it."""
    try:
        rows = np.array(value, float) if not isinstance(value, str) else np.zeros(0)
    except (TypeError, ValueError):
        raise TypeError(
            f"{what} must be {width} numbers, or a pair of such rows that bound it, not {value!r}"
        ) from None
    if rows.shape == (width,):
        rows = np.stack([rows, rows])
    if rows.shape != (2, width) or np.isnan(rows).any():
        raise ValueError(
            f"{what} must be {width} numbers, or a pair of such rows that bound it, not {value!r}"
        )
    if not np.all(rows[0] <= rows[1]):
        raise ValueError(f"{what} must be bounded in order, low before high, not {value!r}")
    if np.isposinf(rows[0]).any() or np.isneginf(rows[1]).any():
        raise ValueError(
            f"{what} must be finite; only bounds may be infinite, where it is free, not {value!r}"
        )
    return rows[0], rows[1]


def _told(wish: Wish) -> str:
    """The value or the bounds of a wish."""
    rows = [np.round(one, 6).tolist() for one in (wish.low, wish.high)]
    return f"{rows[0]}" if rows[0] == rows[1] else f"{rows[0]} to {rows[1]}"


def _weight(who: str, value: float) -> float:
    weight = number(f"weight of {who}", value)
    if weight < 0:
        raise ValueError(f"weight of {who} must not be negative, not {value!r}")
    return weight


__all__ = ["Sketch", "Surface"]
