"""The arrays of contact of one world: its surfaces, and the room for detection and the contact solver.

They are laid out behind the arena, when a world with contact first moves after a change of its structure.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

import tinkerdyne.engine.steppers.touching.first_order
import tinkerdyne.engine.steppers.touching.step  # noqa: F401  (both bring entries into the program)
from tinkerdyne.compiler import core
from tinkerdyne.compiler.records import place_of
from tinkerdyne.engine.arena import Arena
from tinkerdyne.engine.contact.blows import HEARD, Blow
from tinkerdyne.engine.contact.detection_records import FoundContact
from tinkerdyne.engine.contact.detector import Detector, SurfaceOf
from tinkerdyne.engine.contact.memory import ContactMemory, recall, remembered
from tinkerdyne.engine.contact.problem import Body, Joint, JointBlock, Problem
from tinkerdyne.engine.contact.pushing import MOST
from tinkerdyne.engine.contact.touching import (
    RECALLED,
    Account,
    Material,
    Touching,
    TouchingBody,
    TouchValues,
)
from tinkerdyne.engine.contact.watching import CLOSED, Watch
from tinkerdyne.engine.records import Constraint, Flag, Jacobian, Object
from tinkerdyne.language.arrays import Array
from tinkerdyne.objects.boundary import Part

SLOP = 1e-7  # of the smallest reach: a patch is kept while its bodies have moved less
LEAST_ROOM = 64  # contacts
AFFINE, PLANAR_AFFINE = 12, 6  # velocities of a troid


@dataclass(frozen=True)
class Toucher:
    """An object with a boundary: its number in the arena, its parts, and what its surface is like."""

    object: int
    parts: Sequence[Part]
    friction: float
    restitution: float
    velocity: tuple[float, ...] = (0.0, 0.0, 0.0)  # of the surface itself, in the body's axes
    rolling: float = 0.0  # m
    spinning: float = 0.0  # m

    @property
    def is_placed(self) -> bool:
        """Whether its parts lie in world axes: those of a curve hang on its state."""
        return any(part.core == "track" for part in self.parts)


@dataclass(frozen=True)
class Paired:
    """Two touchers with constants for each other."""

    a: int
    b: int
    friction: float
    restitution: float


@dataclass(frozen=True)
class Watched:
    """A measure of two touchers, −1 where a body has no surface, and its place in the arena."""

    a: int
    b: int
    gauge: int  # of Gauge
    place: int


class ContactArena:
    """T and Y with the tables that join a world to contact; D and F of the detection; P, K and X of the
    solver."""

    def __init__(
        self,
        arena: Arena,
        touchers: Sequence[Toucher],
        ignored: Sequence[tuple[int, int]],
        objects: Sequence[int],
        paired: Sequence[Paired] = (),
        watched: Sequence[Watched] = (),
    ) -> None:
        """`ignored` are pairs of touchers that do not touch each other. The objects come in an order that no
        edit changes, so that islands that an edit does not reach go on with the same bytes."""
        self._arena, self.touchers, self._objects = arena, list(touchers), objects
        self.paired, self._watched = list(paired), watched
        entries = [Object.of(arena.index, toucher.object) for toucher in touchers]
        is_fixed = [bool(entry.flags & Flag.FIXED) for entry in entries]
        surfaces = [SurfaceOf(k, part) for k, toucher in enumerate(touchers) for part in toucher.parts]
        self.detector = Detector(
            len(touchers),
            surfaces,
            fixed=[k for k, held in enumerate(is_fixed) if held],
            affine=[k for k, entry in enumerate(entries) if _is_affine(entry)],
            ignored=ignored,
        )
        for k, (toucher, entry) in enumerate(zip(touchers, entries, strict=True)):
            if not toucher.is_placed:
                self.detector.follow(k, toucher.object, _lift(entry))
        self._room = 0
        self.K: Array = np.zeros(0, np.int64)
        self.P: Array = np.zeros(0, np.int64)
        self.X: Array = np.zeros(0)
        self._lay_out(is_fixed)
        self._give_room(LEAST_ROOM)

    # --- laying out ------------------------------------------------------------------------------
    def _lay_out(self, is_fixed: Sequence[bool]) -> None:
        index, n = self._arena.index, len(self.touchers)
        movers = [o for o in self._objects if not Object.of(index, o).flags & Flag.FIXED]
        number = {o: k for k, o in enumerate(movers)}
        self._movers = movers
        entries = {o: Object.of(index, o) for o in movers}
        # of q and v of each mover its first place among all, and its width
        self._owners = np.full(index.nq, -1)  # of each coordinate
        for o, e in entries.items():
            self._owners[e.q - index.q : e.q - index.q + e.nq] = o
        self._spans = {o: ((e.q - index.q, e.nq), e.v - index.v, e.nv) for o, e in entries.items()}
        bodies, movers_at = Touching.size, Touching.size + n * TouchingBody.size
        pairings = movers_at + len(movers) + 1
        watches = pairings + len(self.paired)
        self.T: Array = np.zeros(watches + len(self._watched) * Watch.size, np.int64)
        self.T[movers_at : movers_at + len(movers)] = movers
        self.head = Touching(self.T)
        self.head.n_pairings, self.head.pairings = len(self.paired), pairings
        self.head.n_watches, self.head.watches = len(self._watched), watches
        for k, watched in enumerate(self._watched):
            watch = Watch.of(self.head, k)
            watch.a, watch.b, watch.place = watched.a, watched.b, watched.place
            watch.gauge = watched.gauge
        self.head.n_bodies, self.head.bodies = n, bodies
        self.head.n_movers, self.head.movers = len(movers), movers_at
        reaches = TouchValues.size
        self.head.materials = reaches + n
        self.head.pair_materials = self.head.materials + Material.size * len(self.detector.surfaces)
        self.head.heard = self.head.pair_materials + Material.size * len(self.paired)
        sleeping = self.head.heard + HEARD * Blow.size
        self.head.reaches, self.head.rests = sleeping, sleeping + len(movers)
        self.head.pulls = sleeping + 2 * len(movers)
        self.head.sleeping_places = self.head.pulls + index.nv
        self._constants = np.zeros(self.head.sleeping_places + index.nq)
        for k, toucher in enumerate(self.touchers):
            row = TouchingBody.of(self.head, k)
            row.object, row.mover = toucher.object, -1 if is_fixed[k] else number[toucher.object]
            row.reach = reaches + k
            self._constants[reaches + k] = max((_reach(part) for part in toucher.parts), default=0.0)
        finite = [reach for reach in self._constants[reaches : reaches + n] if 0 < reach < np.inf]
        smallest = min(finite, default=1.0)
        TouchValues(self._constants).slop = SLOP * smallest
        self._constants[self.head.reaches :][: len(movers)] = smallest  # of what has no surface
        for k, o in enumerate(toucher.object for toucher in self.touchers):
            if not is_fixed[k]:
                self._constants[self.head.reaches + number[o]] = self._constants[reaches + k] or smallest
        self.Y = self._constants
        self.write_materials()

    def write_materials(self) -> None:
        """Tell the solver what surfaces are like, after they have changed."""
        for k, surface in enumerate(self.detector.surfaces):
            toucher = self.touchers[surface.body]
            row = Material(self.Y[self.head.materials + k * Material.size :])
            row.friction, row.restitution = toucher.friction, toucher.restitution
            row.rolling, row.spinning = toucher.rolling, toucher.spinning
            row.velocity.array[:3] = toucher.velocity
        self.paired.sort(key=lambda pair: (pair.a, pair.b))
        for k, pair in enumerate(self.paired):
            self.T[self.head.pairings + k] = pair.a * len(self.touchers) + pair.b
            row = Material(self.Y[self.head.pair_materials + k * Material.size :])
            row.friction, row.restitution = pair.friction, pair.restitution
        bounces = (*(one.restitution for one in self.touchers), *(one.restitution for one in self.paired))
        self.head.has_bounce = int(any(bounces))
        self.head.has_belts = int(any(any(toucher.velocity) for toucher in self.touchers))
        self.head.has_turns = int(any(toucher.rolling + toucher.spinning > 0 for toucher in self.touchers))

    def _joints(self) -> Iterator[tuple[Constraint, list[Jacobian]]]:
        index = self._arena.index
        for c in range(index.n_constraints):
            constraint = Constraint.of(index, c)
            first = constraint.jacobian
            yield (
                constraint,
                [Jacobian.of(index, k) for k in range(first, first + constraint.n_jacobians)],
            )

    def _give_room(self, contacts: int) -> None:
        """Room for so many contacts, in the problem and for their impulses; the impulses are kept."""
        old, before = self.Y, self.head.old_impulses
        kept = old[before : before + 3 * self._room].copy() if self._room else np.zeros(0)
        self._room = contacts
        first = len(self._constants)
        padded = 16 * (len(self._movers) + 1)  # velocities of a troid, and more
        accounts = first + 36 * contacts + 5 * padded + 16
        self.Y = np.zeros(accounts + 2 * Account.size + 4)
        self.head.accounts, self.head.no_direction = accounts, len(self.Y) - 4
        self.head.holds = first + 15 * contacts
        self.head.blows = first + 16 * contacts
        self.head.arrivals, self.head.ends = first + 17 * contacts, first + 20 * contacts
        self.head.tried_impulses = first + 21 * contacts
        self.head.tried_bends, self.head.bends = first + 24 * contacts, first + 30 * contacts
        self.head.bounced = first + 36 * contacts
        self.head.inelastic = self.head.bounced + padded
        self.head.columns = self.head.inelastic + padded
        self.Y[:first] = old[:first]
        self._constants = self.Y[:first]
        self.head.impulses, self.head.old_impulses = first, first + 3 * contacts
        self.head.frames = first + 6 * contacts
        self.Y[self.head.old_impulses : self.head.old_impulses + len(kept)] = kept
        head = Problem(np.zeros(Problem.size, np.int64))
        head.n_bodies, head.n_joints = len(self._movers), self._arena.index.n_constraints
        head.n_links = sum(len(blocks) for _, blocks in self._joints())
        head.contact_room = contacts
        words = int(core.program()["lay_out_tables"](head.array.ctypes.data))
        self.P = np.zeros(words + 4096, np.int64)
        self.P[: Problem.size] = head.array
        self._write_structure()
        self.head.is_found = 0
        self._tell_room()

    def have_room(self, contacts: int) -> None:
        """See that there is room for so many contacts, with two turns where surfaces have friction of
        them."""
        wanted = max(LEAST_ROOM, contacts) * (3 if self.head.has_turns else 1)
        if wanted > self._room:
            self._give_room(wanted)

    def _write_structure(self) -> None:
        """Bodies, joints and links of the problem."""
        head, number = Problem(self.P), {o: k for k, o in enumerate(self._movers)}
        for k, o in enumerate(self._movers):
            Body.of(head, k).rows = Object.of(self._arena.index, o).nv
        k = 0
        for c, (constraint, blocks) in enumerate(self._joints()):
            Joint.of(head, c).rows = constraint.dim
            for block in blocks:
                link = JointBlock.of(head, k)
                link.joint, link.body = c, number[block.object]
                k += 1

    def _tell_room(self) -> None:
        self.head.problem_room, self.head.work_room = len(self.P), len(self.K)
        self.head.float_room = len(self.X) - 8

    def friction_between(self, a: int, b: int) -> float:
        """μ of two touchers."""
        own = [pair.friction for pair in self.paired if (pair.a, pair.b) == (min(a, b), max(a, b))]
        return own[0] if own else math.sqrt(self.touchers[a].friction * self.touchers[b].friction)

    def change_parts(self, k: int, parts: Sequence[Part]) -> bool:
        """Give toucher k another boundary, in place; False where all must be laid out anew."""
        toucher, detector = self.touchers[k], self.detector
        if len(parts) != len(toucher.parts):
            return False
        surfaces = [s for s, surface in enumerate(detector.surfaces) if surface.body == k]
        for s, old, new in zip(surfaces, toucher.parts, parts, strict=True):
            if not old.is_like(new) and not detector.change(s, new):
                return False
        self.touchers[k] = replace(toucher, parts=parts)
        self.Y[TouchingBody.of(self.head, k).reach] = max((_reach(part) for part in parts), default=0.0)
        self.head.is_found = 0
        return True

    # --- sleep -----------------------------------------------------------------------------------
    def rests(self) -> dict[int, tuple[float, Array]]:
        """Of every object that has rested: for how long [s] (below 0 it sleeps), and with which forces."""
        rests = self.Y[self.head.rests :][: len(self._movers)]
        pulls = self.Y[self.head.pulls : self.head.sleeping_places].copy()
        found = {}
        for k in np.flatnonzero(rests).tolist():
            _, first, n = self._spans[self._movers[k]]
            found[self._movers[k]] = float(rests[k]), pulls[first : first + n]
        return found

    def set_rest(self, o: int, rest: float, pulls: Array) -> None:
        """Go on with what `rests` has said of an object."""
        if o in self._spans and len(self._pulls(o)) == len(pulls):
            self.Y[self.head.rests + self._movers.index(o)], self._pulls(o)[:] = rest, pulls
            self._sleeping_place(o)[:] = self._place(o)

    def has_sleepers(self) -> bool:
        """Whether anything sleeps."""
        return bool((self.Y[self.head.rests :][: len(self._movers)] < 0).any())

    def touching(self, bodies: Sequence[int]) -> list[int]:
        """The bodies of the detection that touch one of these."""
        pairs = self.detector.contacts()[0][:, [place_of(FoundContact, "a"), place_of(FoundContact, "b")]]
        is_near = np.isin(pairs, bodies).any(axis=1)
        return [int(body) for body in np.unique(pairs[is_near]) if body >= 0]

    def wake(self, objects: Collection[int]) -> None:
        """Wake these objects; their islands wake with them in the next step."""
        rests = self.Y[self.head.rests :][: len(self._movers)]
        for k, o in enumerate(self._movers):
            if rests[k] < 0 and o in objects:
                rests[k] = 0.0
                self.head.is_found = min(int(self.head.is_found), 1) * RECALLED

    def wake_moved(self) -> None:
        """Wake who is not where it fell asleep; the arena must be that of which this was laid out."""
        if not self.has_sleepers():
            return
        index, first = self._arena.index, self.head.sleeping_places
        moved = self._arena.vector(index.q, index.nq) != self.Y[first : first + index.nq]
        self.wake({int(o) for o in np.unique(self._owners[moved]) if o >= 0})

    def _pulls(self, o: int) -> Array:
        """The forces on an object as it fell asleep."""
        _, first, n = self._spans[o]
        return self.Y[self.head.pulls + first : self.head.pulls + first + n]

    def _sleeping_place(self, o: int) -> Array:
        """q of an object as it fell asleep, …"""
        first, n = self._spans[o][0]
        return self.Y[self.head.sleeping_places + first : self.head.sleeping_places + first + n]

    def _place(self, o: int) -> Array:
        """… and now."""
        entry = Object.of(self._arena.index, o)
        return self._arena.vector(entry.q, entry.nq)

    # --- moving ----------------------------------------------------------------------------------
    def advance(self, arena: Arena, n: int, h: float, *, is_first_order: bool = False) -> int:
        """Take steps of length h; how many were taken. The arena may have grown since."""
        name = "advance_touching_first_order" if is_first_order else "advance_touching"
        run, done = core.program()[name], 0
        while done < n:
            detector = self.detector
            arrays = (self.T, self.Y, detector.D, detector.F, self.P, self.K, self.X)
            where = [array.ctypes.data for array in arrays]
            done += int(run(arena.ints_at, arena.floats_at, *where, n - done, h))
            if not self.head.wanted:
                break
            self._grow(int(self.head.wanted))
        return done

    def kept(self) -> list[Array]:
        """Copies of what goes with the state, for `put`."""
        return [array.copy() for array in (self.T, self.Y, self.detector.D, self.detector.F)]

    def put(self, kept: list[Array]) -> None:
        """Put it back; where room was given since, contacts are looked for anew."""
        live = (self.T, self.Y, self.detector.D, self.detector.F)
        if all(a.shape == b.shape for a, b in zip(live, kept, strict=True)):
            for array, then in zip(live, kept, strict=True):
                array[:] = then
            self.head.is_found = RECALLED if self.head.is_found else 0
        else:
            self.head.is_found = 0
        self._tell_room()

    def part(self, arena: Arena) -> bool:
        """Move what overlaps apart once; whether anything did."""
        while True:
            detector = self.detector
            arrays = (self.T, self.Y, detector.D, detector.F, self.P, self.K, self.X)
            where = [array.ctypes.data for array in arrays]
            parted = int(core.program()["part_bodies"](arena.ints_at, arena.floats_at, *where))
            if parted >= 0:
                return parted > 0
            self._grow(int(self.head.wanted))

    def impulses(self) -> Array:
        """The impulses of the last kick on the second body, a row a contact [N s]."""
        first, n = self.head.impulses, int(self.detector.head.n_contacts)
        return self.Y[first : first + 3 * n].reshape(n, 3).copy()

    def forces(self) -> Array:
        """The same as forces [N]; a kick takes half of the last part of a step."""
        span = TouchValues(self.Y).taken
        return self.impulses() * (2 / span if span > 0 else 0.0)

    @property
    def closed(self) -> float:
        """The gap up to which a contact is closed [m]."""
        return CLOSED * TouchValues(self.Y).slop

    def blows(self) -> list[Blow]:
        """The contacts that were struck in the last step, while somebody listens."""
        first, n = self.head.heard, int(self.head.n_heard)
        return [Blow(row) for row in self.Y[first : first + n * Blow.size].reshape(n, Blow.size).copy()]

    def look(self, arena: Arena) -> int:
        """Find the contacts of the present state, without a step; how many."""
        detector, run = self.detector, core.program()["gather_all_poses"]
        run(arena.ints_at, arena.floats_at, detector.D.ctypes.data, detector.F.ctypes.data)
        detector.settings.margin = self.closed
        found = detector.find()
        if found > self._room:
            self._give_room(found)
        return found

    def answer(self, arena: Arena) -> None:
        """Let the constraints of a state that was just evaluated answer to the contacts."""
        room = np.zeros(arena.index.nv + MOST + 3)
        arrays = (self.T, self.Y, self.detector.D, self.detector.F, room)
        run = core.program()["answer_contacts"]
        run(arena.ints_at, arena.floats_at, *[array.ctypes.data for array in arrays])

    def tell_watches(self, arena: Arena) -> None:
        """Write what the measures show into the arena."""
        arrays = (self.T, self.Y, self.detector.D, self.detector.F)
        core.program()["tell_all_watches"](arena.floats_at, *[array.ctypes.data for array in arrays])

    def memory(self, bodies: list[int]) -> ContactMemory:
        """What is remembered of the contacts between steps; bodies are called by these numbers."""
        return remembered(self.detector, self.impulses(), bodies, TouchValues(self.Y).taken)

    def recall(self, memory: ContactMemory, bodies: list[int], *, is_now: bool) -> None:
        """Go on from contacts that were remembered; those of now need not be looked for."""
        impulses, is_whole = recall(self.detector, memory, bodies)
        if len(impulses) > self._room:
            self._give_room(2 * len(impulses))
        for first in (self.head.impulses, self.head.old_impulses):
            self.Y[first : first + 3 * len(impulses)] = impulses.ravel()
        TouchValues(self.Y).taken = memory.span
        self.head.is_found = RECALLED if is_now and is_whole else 0

    def _grow(self, wanted: int) -> None:
        """Give the room that a step was taken back for."""
        problem = Problem(self.P)
        if wanted in (-1, -2):
            self.detector.grow(wanted)
        elif wanted == -3:
            each = 3 if self.head.has_turns else 1  # with two turns
            self._give_room(2 * each * int(self.detector.head.n_wanted))
        elif wanted == -4:
            more = max(0, 2 * int(problem.words) - len(self.P))
            self.P = np.concatenate([self.P, np.zeros(more, np.int64)])
            self.K = np.zeros(max(len(self.K), 2 * int(problem.work_words)), np.int64)
        else:
            whole = np.zeros(2 * int(problem.floats) + 16)
            self.X = whole[(-whole.ctypes.data // 8) % 8 :]  # whole tiles lie in one line
        self._tell_room()


def _is_affine(entry: Object) -> bool:
    """Whether an object may be sheared."""
    return entry.nv in (AFFINE, PLANAR_AFFINE) and not entry.flags & Flag.RIGID


def _lift(entry: Object) -> int:
    """How many numbers say where an object is."""
    if entry.flags & Flag.PLANAR:
        return 6
    return 12 if entry.flags & Flag.RIGID else int(entry.nv)  # of a troid as many as velocities


def _reach(part: Part) -> float:
    """How far a part reaches from the origin of its body."""
    size = float(np.linalg.norm(part.size)) if part.core != "cone" else float(sum(part.size))
    if part.core in ("plane", "track"):
        return np.inf  # neither moves
    if part.vertices is not None:
        size = float(np.linalg.norm(part.vertices, axis=1).max())
    return float(np.linalg.norm(part.position)) + size + part.rounding
