"""Frames: all that moves as one array of float32, gathered by index arrays that are made once a revision;
`engine.readings` says where each number lies."""

from __future__ import annotations

import struct
from typing import Any, NamedTuple

import casadi as ca
import numpy as np

from tinkerdyne.engine.batches import BehaviorBatch, ConnectorBatch, FieldBatch, ObjectBatch
from tinkerdyne.engine.readings import NOWHERE, Places, read
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item
from tinkerdyne.language.types import BlockType
from tinkerdyne.objects.object import ObjectType
from tinkerdyne.studio.show.contacts import SHOWN, ContactForces
from tinkerdyne.studio.show.forces import Forces, Reactions, mechanical, picked
from tinkerdyne.studio.show.sampling import SAMPLES, fineness, sampler
from tinkerdyne.studio.wire.protocol import MAGIC, FrameLayout, Track
from tinkerdyne.world.world import World

HEADER = struct.Struct("<IId")
MOST_POINTS = 8192  # of all curves together, beyond the fewest: a frame of fifty takes a millisecond or so
LOOKED_AT = 16  # curves of a batch that say how fine it is drawn
SAMPLED = ("curve", "surface", "particles")  # kinds that are drawn as points one behind the other


class Sampled(NamedTuple):
    """Curves of one type: the points of one by its lift, those of all, and where lifts and points lie."""

    of_one: ca.Function
    of_all: ca.Function
    lifts: Array  # places in S, a row each
    to: Array  # places in the frame


class FramePlan:
    """Where everything of a frame lies in the arena. Valid until the world's structure is built anew."""

    def __init__(self, world: World, revision: int, names: dict[str, str]) -> None:
        """`names`: items that have another name in the tracks, the grips."""
        engine = world.engine
        engine.ready()
        self.world, self.engine, self.revision, self.rebuilds = world, engine, revision, engine.rebuilds
        self._names = names
        self._places = Places(engine)
        self._roots: dict[int, list[Item]] = {}
        self._tracks: list[Track] = []
        self._size = 0
        self._to: list[Array] = []  # places in the frame, and
        self._from: list[Array] = []  # the places in S that are copied there
        # places of angles in S, and of their quaternions in the frame
        self._planar: list[tuple[Array, Array]] = []
        self._curves: list[Sampled] = []
        self._allowed = 0  # points of each curve; 0 as long as nobody asked
        self._forces: list[Forces] = []
        self._held: dict[int, list[int]] = {}  # of each constraint, by key, where its forces lie in the frame
        self._reactions: Reactions | None = None
        for batch in engine.structure.batches.values():
            if isinstance(batch, ObjectBatch):
                self._objects(batch)
            elif isinstance(batch, ConnectorBatch):
                self._points(batch)
        self._constraint_forces()
        for batch in engine.structure.batches.values():
            if isinstance(batch, BehaviorBatch):
                self._behavior_forces(batch)
        fields = {item.key: item for item in engine.structure.fields}
        for (key, _), field_batch in engine.structure.field_batches.items():
            self._field_forces(fields[key], field_batch)
        self._fixed_reactions()
        self._touches = self._contact_forces()
        nothing = np.zeros(0, np.int64)
        self._to_all = np.concatenate(self._to) if self._to else nothing
        self._from_all = np.concatenate(self._from) if self._from else nothing
        self._pulled = self._places.room_for_pulls()
        self.layout = FrameLayout(revision, self._size, tuple(self._tracks))

    # --- a frame ---------------------------------------------------------------------------------
    def frame(self) -> bytes:
        """The present moment of a world that was just evaluated."""
        engine = self.engine
        assert engine.rebuilds == self.rebuilds and not engine.is_stale, (
            "the plan of frames belongs to an earlier structure"
        )
        out = np.zeros(self._size, np.float32)
        with np.errstate(over="ignore", invalid="ignore"):
            out[self._to_all] = read(engine, self._from_all)
            for angle, to in self._planar:
                half = read(engine, angle) / 2
                out[to] = np.cos(half)
                out[to + 3] = np.sin(half)
            for curves in self._curves:
                found = curves.of_all(read(engine, curves.lifts).T)
                out[curves.to] = np.asarray(found.full()).reshape(-1, order="F")
            if len(self._pulled):
                engine.program.pull_reactions(self._pulled)
            for forces in self._forces:
                forces.write(engine, self._pulled, out)
            if self._reactions is not None:
                self._reactions.write(engine, out)
            if self._touches is not None:
                self._touches.write(engine, out)
        return HEADER.pack(MAGIC, self.revision, engine.scalars.time) + out.tobytes()

    # --- for a page that makes its frames by itself ---------------------------------------------
    @property
    def curves(self) -> list[Sampled]:
        """What samples curves."""
        return self._curves

    def described(self) -> dict[str, object]:
        """Where everything comes from and goes to, but curves."""
        return {
            "size": self._size,
            "to": self._to_all.tolist(),
            "from": self._from_all.tolist(),
            "planar": [[angle.tolist(), to.tolist()] for angle, to in self._planar],
            "pulled": len(self._pulled),
            "forces": [forces.described() for forces in self._forces],
            "reactions": None if self._reactions is None else self._reactions.described(),
        }

    # --- tracks ----------------------------------------------------------------------------------
    def _track(self, name: str, kind: Any, count: int, of: str = "") -> int:
        at = self._size
        self._tracks.append(Track(self._names.get(name, name), kind, at, count, of))
        self._size += count
        return at

    def _copy(self, to: Array, source: Array) -> None:
        self._to.append(np.asarray(to).ravel())
        self._from.append(np.asarray(source).ravel())

    def _objects(self, batch: ObjectBatch) -> None:
        what = batch.type
        nq, kind = batch.q.width, what.kind.name
        state = self._places.states(batch)
        if kind in SAMPLED:
            self._sampled(batch, what)
        elif kind == "point":
            at = np.array([self._track(item.name, "point", 3) for item in batch.items])[:, None]
            self._copy(at + np.arange(nq), state)
        elif what.rotation == "quaternion":
            at = np.array([self._track(item.name, "pose", 7) for item in batch.items])[:, None]
            self._copy(at + np.arange(7), state)
        elif what.rotation == "angle":
            at = np.array([self._track(item.name, "pose", 7) for item in batch.items])[:, None]
            self._copy(at + np.arange(2), self._places.states(batch, "position"))
            angle = self._places.states(batch, "angle")
            self._planar.append((angle[:, 0], at[:, 0] + 3))
            turns = np.array([self._track(item.name, "state", 1) for item in batch.items])[:, None]
            self._copy(turns, angle)  # a pose forgets how often it was turned round
        elif what.rotation == "affine":  # its place, and the columns of its shape
            n = 2 if nq == 6 else 3
            at = np.array([self._track(item.name, "affine", 12) for item in batch.items])[:, None]
            columns = np.concatenate([np.arange(n)] + [3 + 3 * k + np.arange(n) for k in range(n)])
            self._copy(at + columns, state)
        if kind in ("curve", "surface", "scalar"):  # their numbers, for panels
            at = np.array([self._track(item.name, "state", nq) for item in batch.items])[:, None]
            self._copy(at + np.arange(nq), state)

    def _sampled(self, batch: ObjectBatch, what: ObjectType) -> None:
        places = self._places.lifts(batch)
        wanted = SAMPLES
        if what.kind.name == "curve":
            wanted = fineness(what, self._evaluated(places[:LOOKED_AT]), self._allowed)
        function, count = sampler(what, wanted)
        at = np.array([self._track(item.name, "curve", 3 * count) for item in batch.items])
        to = (at[:, None] + np.arange(3 * count)).ravel()
        self._curves.append(Sampled(function, function.map(batch.n), places, to))

    def _evaluated(self, places: Array) -> Array:
        """The numbers at places, with everything as it is now; and how many points each curve may have."""
        if self._allowed == 0:
            self.engine.evaluate()
            curves = [
                batch.n for batch in self.engine.structure.object_batches() if batch.type.kind.name == "curve"
            ]
            self._allowed = MOST_POINTS // sum(curves)
        return read(self.engine, places)

    def _roots_of(self, item: Item) -> list[Item]:
        found = self._roots.get(item.key)
        if found is None:
            found = self._roots[item.key] = roots(item)
        return found

    def _points(self, batch: ConnectorBatch) -> None:
        block = batch.block
        if batch.items[0].type.output.name == "scalar" and block.dim == 1:
            at = np.array([self._track(item.name, "state", 1) for item in batch.items])[:, None]
            self._copy(at, self._places.values(batch))
            return
        if batch.items[0].type.output.name != "point" or block.dim not in (2, 3):
            return
        at = np.array([self._track(item.name, "point", 3) for item in batch.items])[:, None]
        self._copy(at + np.arange(block.dim), self._places.values(batch))

    # --- forces ----------------------------------------------------------------------------------
    def _constraint_forces(self) -> None:
        """Jᵀλ on every body: force, and torque about the point where the constraint holds it."""
        held = self.engine.structure.constraints()
        bodies = {
            self._places.number(item): (item, batch.type)
            for batch in self.engine.structure.object_batches()
            for item in batch.items
        }
        forces = Forces()
        for k, (constraint, number) in enumerate(self._places.pulls):
            item, (body, kind) = held[constraint], bodies[number]
            parts = mechanical(kind)
            if parts is None:
                continue
            of_force, of_torque = (picked(self._places.pull(k), part) for part in parts)
            at = self._track(item.name, "force", 9, body.name)
            forces.add(at, of_force, of_torque, *self._place(item, body))
            if kind.rotation != "affine":
                self._held.setdefault(item.key, []).append(at)
        if forces:
            self._forces.append(forces)

    def _fixed_reactions(self) -> None:
        """What constraints do to bodies that are fixed: the opposite of what they do to the others."""
        rows = []
        for item in self.engine.structure.constraints():
            bodies = self._roots_of(item)
            fixed = [body for body in bodies if body.values.get("is_fixed")]
            sources = self._held.get(item.key, [])
            # A constraint that says nothing of places of the world leaves the sum of all forces, and of
            # torques, zero.
            if len(fixed) == 1 and len(sources) == len(bodies) - 1 > 0 and not _is_tied(item):
                place = self._place(item, fixed[0])[0]
                rows.append((self._track(item.name, "force", 9, fixed[0].name), place, sources))
        if rows:
            self._reactions = Reactions(rows)

    def _field_forces(self, field: Item, batch: FieldBatch) -> None:
        """What a field does to each moving object, at its centre."""
        parts = mechanical(batch.objects)
        if parts is None:
            return
        is_rigid = parts[1][0] >= 0
        forces = Forces(in_body_axes=is_rigid)
        for body, found in zip(batch.items, self._places.field_forces(batch).tolist(), strict=True):
            if body.values.get("is_fixed"):
                continue
            force, torque = (picked(found, part) for part in parts)
            place = self._places.origin(body)
            axes = self._places.axes(body) if is_rigid else []
            forces.add(
                self._track(field.name, "force", 9, body.name),
                force,
                torque,
                place,
                place,
                axes,
                from_arena=True,
            )
        if forces:
            self._forces.append(forces)

    def _contact_forces(self) -> ContactForces | None:
        """What bodies do to each other where they touch."""
        rule = self.engine.contacts.rule()
        if rule is None:
            return None
        rooms = {
            item.key: [self._track(rule.name, "force", 9, item.name) for _ in range(SHOWN)]
            for batch in self.engine.structure.object_batches()
            for item in batch.items
            if not item.values.get("is_fixed") and item.type.boundary(item)
        }
        return ContactForces(rooms)

    def _place(self, item: Item, body: Item) -> tuple[list[int], list[int]]:
        """Places in S of where an item holds a body, and of the body's centre."""
        centre = self._places.origin(body)
        queue = list(item.inputs)
        for source in queue:
            if source.type.family == "connector" and body in self._roots_of(source):
                if source.type.output.name in ("point", "frame"):
                    return self._places.origin(source), centre
                queue += source.inputs
        return centre, centre

    def _behavior_forces(self, batch: BehaviorBatch) -> None:
        """What a behavior does to each of its inputs that is a point or a frame."""
        block = batch.block
        if batch.items[0].type.look.glyph == "none":
            return  # there are hundreds of these: their forces would hide what they act on
        for j, port in enumerate(block.ports):
            kind = port.kind.name
            if kind not in ("point", "frame"):
                continue
            forces = Forces(
                in_body_axes=kind == "frame" and port.nv == 6, by_columns=kind == "frame" and not port.nv
            )
            for item in batch.items:
                source = item.inputs[j]
                bodies = self._roots_of(source)
                if not bodies:
                    continue
                place, found = self._places.origin(source), self._places.force_on(item, j)
                n = len(place)
                force = picked(found, [0, 1, 2 if n == 3 else -1])
                torque, axes = [NOWHERE] * 3, []
                if kind == "frame" and port.nv:
                    torque = picked(found, [-1, -1, 2] if n == 2 else [3, 4, 5])
                    axes = [] if n == 2 else self._places.axes(source)
                elif kind == "frame":
                    torque, axes = found[n:], self._places.axes(source)
                to = self._track(item.name, "force", 9, bodies[0].name)
                forces.add(to, force, torque, place, place, axes, from_arena=True)
            if forces:
                self._forces.append(forces)


def _is_tied(item: Item) -> bool:
    """Whether something, or what it is plugged into, speaks of places of the world."""
    kind = item.type
    return isinstance(kind, BlockType) and (kind.tied or any(_is_tied(source) for source in item.inputs))


def roots(item: Item) -> list[Item]:
    """The objects that a connector depends on."""
    if item.type.family == "object":
        return [item]
    return list(dict.fromkeys(root for source in item.inputs for root in roots(source)))
