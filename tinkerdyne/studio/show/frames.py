"""Frames: all that moves as one array of float32, gathered from the arena by index arrays that are made once
a revision."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from tinkerdyne.engine import records as L
from tinkerdyne.engine.batches import Batch, Structure
from tinkerdyne.engine.least_squares import constraints
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.block import Block
from tinkerdyne.language.item import Item
from tinkerdyne.language.types import BlockType
from tinkerdyne.objects.object import ObjectType
from tinkerdyne.studio.show.sampling import SAMPLES, fineness, sampler
from tinkerdyne.studio.wire.protocol import MAGIC, Layout, Track
from tinkerdyne.world.recording import _readings
from tinkerdyne.world.world import World

HEADER = struct.Struct("<IId")
MOST_POINTS = 8192  # of all curves together, beyond the fewest: a frame of fifty takes a millisecond or so
LOOKED_AT = 16  # curves of a batch that say how fine it is drawn
SAMPLED = ("curve", "surface", "particles")  # kinds that are drawn as points one behind the other
# of which there are hundreds: their forces would hide what they act on
SILENT = ("link", "edge", "volcano", "datum")
SCALARS = {
    "energy": (L.S_KINETIC, L.S_ENERGY),
    "kinetic_energy": (L.S_KINETIC,),
    "potential_energy": (L.S_ENERGY,),
    "gap": (L.S_GAP,),
    "time": (L.S_TIME,),
}
Parts = tuple[list[int], list[int]]  # which numbers of six are force and torque in space; −1 for none


class FramePlan:
    """Where everything of a frame lies in the arena. Valid until the world's structure is built anew."""

    def __init__(self, world: World, revision: int, watched: Iterable[str], names: dict[str, str]) -> None:
        """`names`: items that have another name in the tracks, the grips."""
        world._ready()
        s = world._structure
        self.world, self.structure, self.revision, self.rebuilds = world, s, revision, s.rebuilds
        self._names = names
        # Lists are quicker than arrays where one number is wanted at a time.
        uids, objects = int(s.I[L.H_UIDOBJ]), int(s.I[L.H_OBJ])
        self._by_uid: list[int] = s.I[uids : uids + s.next_uid].tolist()
        self._table: list[list[int]] = (
            s.I[objects : objects + int(s.I[L.H_NO]) * L.OBJ].reshape(-1, L.OBJ).tolist()
        )
        self._roots: dict[int, list[Item]] = {}
        self._tracks: list[Track] = []
        self._size = 0
        self._to: list[Array] = []  # places in the frame, and
        self._from: list[Array] = []  # the places in S that are copied there
        # places of angles in S, and of their quaternions in the frame
        self._planar: list[tuple[Array, Array]] = []
        self._curves: list[tuple[Any, Array, Array]] = []
        self._allowed = 0  # points of each curve; 0 as long as nobody asked
        self._forces: list[Forces] = []
        self._held: dict[int, list[int]] = {}  # of each constraint, by key, where its forces lie in the frame
        self._reactions: Reactions | None = None
        # watched: place in the frame, places in S, whether it is a length
        self._sums: list[tuple[int, Array, bool]] = []
        self._empty: list[int] = []
        for batch in s.batches.values():
            if batch.family == L.OBJECT:
                self._objects(batch)
            elif batch.family == L.CONNECTOR:
                self._points(batch)
        self._constraint_forces()
        for batch in s.batches.values():
            if batch.family == L.BEHAVIOR:
                self._behavior_forces(batch)
        fields = {item.key: item for item in s.fields}
        for (key, objects), batch in s.field_rows.items():
            self._field_forces(fields[key], batch, _mechanical(s.batches[objects]))
        self._fixed_reactions()
        for name in watched:
            self._watch(name)
        nothing = np.zeros(0, np.int64)
        self._to_all = np.concatenate(self._to) if self._to else nothing
        self._from_all = np.concatenate(self._from) if self._from else nothing
        self._pulled = np.zeros(6 * int(s.I[L.H_NB]) + 1)
        self.layout = Layout(revision, self._size, tuple(self._tracks))

    # --- a frame ---------------------------------------------------------------------------------
    def frame(self) -> bytes:
        """The present moment of a world that was just evaluated."""
        s = self.structure
        S = s.S
        assert s.rebuilds == self.rebuilds and not s.is_stale, (
            "the plan of frames belongs to an earlier structure"
        )
        out = np.zeros(self._size, np.float32)
        with np.errstate(over="ignore", invalid="ignore"):
            out[self._to_all] = S[self._from_all]
            for angle, to in self._planar:
                half = S[angle] / 2
                out[to] = np.cos(half)
                out[to + 3] = np.sin(half)
            for sample, lift, to in self._curves:
                out[to] = np.asarray(sample(S[lift].T).full()).reshape(-1, order="F")
            if len(self._pulled) > 1:
                s.core["pull_reactions"](s.I.ctypes.data, S.ctypes.data, self._pulled.ctypes.data)
            for forces in self._forces:
                forces.write(S, self._pulled, out)
            if self._reactions is not None:
                self._reactions.write(S, out)
            for place, places, is_length in self._sums:
                out[place] = np.linalg.norm(S[places]) if is_length else S[places].sum()
            out[self._empty] = np.nan
        return HEADER.pack(MAGIC, self.revision, float(S[L.S_TIME])) + out.tobytes()

    # --- tracks ----------------------------------------------------------------------------------
    def _track(self, name: str, kind: Any, count: int, of: str = "") -> int:
        at = self._size
        self._tracks.append(Track(self._names.get(name, name), kind, at, count, of))
        self._size += count
        return at

    def _copy(self, to: Array, source: Array) -> None:
        self._to.append(np.asarray(to).ravel())
        self._from.append(np.asarray(source).ravel())

    def _objects(self, batch: Batch) -> None:
        what = batch.what
        assert isinstance(what, ObjectType)
        nq, kind = batch.q.data.shape[1], what.kind.name
        first = batch.first_q + nq * np.arange(batch.n)[:, None]
        if kind in SAMPLED:
            self._sampled(batch, what)
        elif kind == "point":
            at = np.array([self._track(item.name, "point", 3) for item in batch.items])[:, None]
            self._copy(at + np.arange(nq), first + np.arange(nq))
        elif what.name.startswith("rigid"):
            at = np.array([self._track(item.name, "pose", 7) for item in batch.items])[:, None]
            self._copy(at + np.arange(7), first + np.arange(7))
        elif what.name == "planar_body":
            at = np.array([self._track(item.name, "pose", 7) for item in batch.items])[:, None]
            self._copy(at + np.arange(2), first + np.arange(2))
            self._planar.append((first[:, 0] + 2, at[:, 0] + 3))
        elif what.name.startswith("troid"):  # its place, and the columns of its shape
            n = 2 if nq == 6 else 3
            at = np.array([self._track(item.name, "affine", 12) for item in batch.items])[:, None]
            columns = np.concatenate([np.arange(n)] + [3 + 3 * k + np.arange(n) for k in range(n)])
            self._copy(at + columns, first + np.arange(nq))
        if kind in ("curve", "surface", "scalar"):  # their numbers, for panels
            at = np.array([self._track(item.name, "state", nq) for item in batch.items])[:, None]
            self._copy(at + np.arange(nq), first + np.arange(nq))

    def _sampled(self, batch: Batch, what: ObjectType) -> None:
        seen = L.O_Q if what.is_linear else L.O_LIFT
        places = np.array([self._object(item.key)[seen] for item in batch.items])[:, None] + np.arange(
            what.dim
        )
        wanted = SAMPLES
        if what.kind.name == "curve":
            wanted = fineness(what, self._evaluated().S[places[:LOOKED_AT]], self._allowed)
        function, count = sampler(what, wanted)
        at = np.array([self._track(item.name, "curve", 3 * count) for item in batch.items])
        self._curves.append((function.map(batch.n), places, (at[:, None] + np.arange(3 * count)).ravel()))

    def _evaluated(self) -> Structure:
        """The structure with everything as it is now, and how many points each curve may have."""
        if self._allowed == 0:
            self.world._evaluate()
            curves = sum(batch.n for batch in _object_batches(self.structure) if _kind(batch) == "curve")
            self._allowed = MOST_POINTS // curves
        return self.structure

    def _object(self, key: int) -> list[int]:
        """An object's row of the table in I."""
        return self._table[self._by_uid[self.structure.uid[key]]]

    def _record(self, key: int) -> int:
        """Where a block's record begins in S."""
        return self._by_uid[self.structure.uid[key]]

    def _roots_of(self, item: Item) -> list[Item]:
        found = self._roots.get(item.key)
        if found is None:
            found = self._roots[item.key] = roots(item)
        return found

    def _points(self, batch: Batch) -> None:
        block = batch.what
        assert isinstance(block, Block)
        if batch.items[0].type.output.name == "scalar" and block.dim == 1:
            at = np.array([self._track(item.name, "state", 1) for item in batch.items])[:, None]
            self._copy(at, np.array([self._record(item.key) for item in batch.items])[:, None])
            return
        if batch.items[0].type.output.name != "point" or block.dim not in (2, 3):
            return
        at = np.array([self._track(item.name, "point", 3) for item in batch.items])[:, None]
        records = np.array([self._record(item.key) for item in batch.items])[:, None]
        self._copy(at + np.arange(block.dim), records + np.arange(block.dim))

    # --- forces ----------------------------------------------------------------------------------
    def _constraint_forces(self) -> None:
        """Jᵀλ on every body: force, and torque about the point where the constraint holds it."""
        s = self.structure
        held = constraints(s)
        bodies = {
            self._record(item.key): (item, _mechanical(batch))
            for batch in _object_batches(s)
            for item in batch.items
        }
        table = s.I[int(s.I[L.H_BLK]) :][: int(s.I[L.H_NB]) * L.BLK].reshape(-1, L.BLK)
        zero = 6 * len(table)  # behind the last force stands a zero
        forces = Forces()
        for b, row in enumerate(table.tolist()):
            item, (body, parts) = held[row[L.B_CON]], bodies[row[L.B_OBJ]]
            if parts is None:
                continue
            of_force, of_torque = ([6 * b + k if k >= 0 else zero for k in part] for part in parts)
            at = self._track(item.name, "force", 9, body.name)
            forces.add(at, of_force, of_torque, *self._place(item, body))
            if body.type.name != "troid":
                self._held.setdefault(item.key, []).append(at)
        if forces:
            self._forces.append(forces)

    def _fixed_reactions(self) -> None:
        """What constraints do to bodies that are fixed: the opposite of what they do to the others."""
        rows = []
        for item in constraints(self.structure):
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

    def _field_forces(self, field: Item, batch: Batch, parts: Parts | None) -> None:
        """What a field does to each moving object, at its centre."""
        block = batch.what
        assert isinstance(block, Block)
        if parts is None:
            return
        is_rigid = parts[1][0] >= 0
        forces = Forces(in_body_axes=is_rigid)
        for k, body in enumerate(batch.items):
            if body.values.get("is_fixed"):
                continue
            at = batch.base[2] + k * block.record + block.local[0]
            force, torque = ([at + i if i >= 0 else -1 for i in part] for part in parts)
            row = self._object(body.key)
            place = [row[L.O_Q] + i for i in range(sum(i >= 0 for i in parts[0]))]
            axes = [row[L.O_LIFT] + 3 + i for i in range(9)] if is_rigid else []
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

    def _place(self, item: Item, body: Item) -> tuple[list[int], list[int]]:
        """Places in S of where an item holds a body, and of the body's centre."""
        row = self._object(body.key)
        q, flags = row[L.O_Q], row[L.O_FLAGS]
        n = 2 if row[L.O_NQ] in (2, 6) or flags & L.PLANAR else 3  # troids in the plane have six
        centre = [q + k for k in range(n)]
        queue = list(item.inputs)
        for source in queue:
            if source.type.family == "connector" and body in self._roots_of(source):
                if source.type.output.name in ("point", "frame"):
                    at, dim = self._record(source.key), source.type.block_of(source).dim
                    return [at + k for k in range(2 if dim in (2, 6) else 3)], centre
                queue += source.inputs
        return centre, centre

    def _behavior_forces(self, batch: Batch) -> None:
        """What a behavior does to each of its inputs that is a point or a frame."""
        block = batch.what
        assert isinstance(block, Block)
        if batch.items[0].type.name in SILENT:
            return
        for j, port in enumerate(block.ports):
            kind = port.kind.name
            if kind not in ("point", "frame"):
                continue
            forces = Forces(
                in_body_axes=kind == "frame" and port.nv == 6, by_columns=kind == "frame" and not port.nv
            )
            for item in batch.items:
                source = item.inputs[j]
                at = self._record(item.key) + block.local[j]
                bodies = self._roots_of(source)
                if not bodies:
                    continue
                n = 2 if port.dim in (2, 6) else 3
                where = (
                    self._record(source.key)
                    if source.type.family == "connector"
                    else self._object(source.key)[L.O_Q]
                )
                place = [where + k for k in range(n)]
                force = [at + k if k < n else -1 for k in range(3)]
                torque = [-1, -1, -1]
                axes: list[int] = []
                if kind == "frame" and port.nv:
                    torque = [-1, -1, at + 2] if n == 2 else [at + 3, at + 4, at + 5]
                    axes = [] if n == 2 else [self._object(source.key)[L.O_LIFT] + 3 + k for k in range(9)]
                elif kind == "frame":
                    torque = [at + n + k for k in range(n * n)]
                    axes = [where + n + k for k in range(n * n)]
                to = self._track(item.name, "force", 9, bodies[0].name)
                forces.add(to, force, torque, place, place, axes, from_arena=True)
            if forces:
                self._forces.append(forces)

    # --- watched ---------------------------------------------------------------------------------
    def _watch(self, name: str) -> None:
        """A quantity by name; one that is not there now has no number."""
        to = self._track(name, "value", 1)
        places = reading(self.world, name)
        if places is None:
            self._empty.append(to)
        else:
            self._sums.append((to, places, name not in SCALARS and len(places) > 1))


class Forces:
    """Forces of one sort, written together."""

    def __init__(self, *, in_body_axes: bool = False, by_columns: bool = False) -> None:
        self.in_body_axes, self.by_columns = in_body_axes, by_columns
        self.to: list[int] = []
        self.rows: list[tuple[Any, ...]] = []
        self.from_arena = False
        self._ready: tuple[Array, ...] | None = None

    def __bool__(self) -> bool:
        return bool(self.to)

    def add(
        self,
        to: int,
        force: Any,
        torque: Any,
        place: Any,
        centre: Any,
        axes: Any = (),
        *,
        from_arena: bool = False,
    ) -> None:
        pad = [*place, *[-1] * (3 - len(place))], [*centre, *[-1] * (3 - len(centre))]
        self.to.append(to)
        self.rows.append((force, torque, *pad, list(axes)))
        self.from_arena = from_arena

    def write(self, S: Array, pulled: Array, out: Array) -> None:
        """place, force, torque:  T_place = T_centre − (place − centre) × F."""
        if self._ready is None:
            self._ready = (
                np.array(self.to),
                *[np.array(column, np.int64) for column in zip(*self.rows, strict=True)],
            )
        to, force, torque, place, centre, axes = self._ready
        source = S if self.from_arena else pulled
        F, P, C = _taken(source, force), _taken(S, place), _taken(S, centre)
        if self.by_columns:  # a frame connector: Σ a_k × g_k over its axes
            n = 2 if axes.shape[1] == 4 else 3
            A, G = S[axes].reshape(-1, n, n), source[torque].reshape(-1, n, n)
            if n == 2:
                T = np.zeros((len(to), 3))
                T[:, 2] = (A[:, :, 0] * G[:, :, 1] - A[:, :, 1] * G[:, :, 0]).sum(axis=1)
            else:
                T = np.cross(A, G).sum(axis=1)
        else:
            T = _taken(source, torque)
            if self.in_body_axes and axes.size:
                T = np.einsum("nkj,nk->nj", S[axes].reshape(-1, 3, 3), T)
            elif not self.from_arena:
                T = T - np.cross(P - C, F)
        at = to[:, None] + np.arange(9)
        out[at] = np.hstack([P, F, T])


class Reactions:
    """Forces on fixed bodies, from those on the others:  F = −Σ F_i,  T = −Σ (T_i + (P_i − P) × F_i)."""

    def __init__(self, rows: list[tuple[int, list[int], list[int]]]) -> None:
        pads = [[*place, *[-1] * (3 - len(place))] for _, place, _ in rows]
        self.to, self.place = np.array([to for to, _, _ in rows]), np.array(pads)
        self.row = np.repeat(np.arange(len(rows)), [len(sources) for _, _, sources in rows])
        self.source = np.array([at for _, _, sources in rows for at in sources])

    def write(self, S: Array, out: Array) -> None:
        P = _taken(S, self.place)
        given = out[self.source[:, None] + np.arange(9)].astype(float)
        Q, F, T = given[:, :3], given[:, 3:6], given[:, 6:]
        total = np.zeros((len(self.to), 6))
        np.add.at(total, self.row, np.hstack([F, T + np.cross(Q - P[self.row], F)]))
        out[self.to[:, None] + np.arange(9)] = np.hstack([P, -total])


def _taken(source: Array, places: Array) -> Array:
    """source[places], zero where a place is −1."""
    return np.where(places < 0, 0.0, source[places])


def _object_batches(s: Structure) -> Iterator[Batch]:
    return (b for b in s.batches.values() if b.family == L.OBJECT)


def _kind(batch: Batch) -> str:
    assert isinstance(batch.what, ObjectType)
    return batch.what.kind.name


def _mechanical(batch: Batch) -> Parts | None:
    """Which of the six pulled numbers of a batch's bodies are force and torque in space; None where they have
    none."""
    what = batch.what
    assert isinstance(what, ObjectType)
    none = [-1, -1, -1]
    if what.name.startswith("rigid"):
        return [0, 1, 2], [3, 4, 5]
    if what.name == "planar_body":
        return [0, 1, -1], [-1, -1, 2]
    if what.name in ("particle3", "troid3"):
        return [0, 1, 2], none
    if what.name in ("particle2", "troid2"):
        return [0, 1, -1], none
    return None


def _is_tied(item: Item) -> bool:
    """Whether something, or what it is plugged into, speaks of places of the world."""
    kind = item.type
    return isinstance(kind, BlockType) and (kind.tied or any(_is_tied(source) for source in item.inputs))


def roots(item: Item) -> list[Item]:
    """The objects that a connector depends on."""
    if item.type.family == "object":
        return [item]
    return list(dict.fromkeys(root for source in item.inputs for root in roots(source)))


def reading(world: World, name: str) -> Array | None:
    """Places in S of a quantity: "energy", "upper.position[2]", "hinge.force"; None where there is no such
    thing."""
    if name in SCALARS:
        return np.array(SCALARS[name])
    found = re.fullmatch(r"(.+)\.(\w+)(?:\[(\d{1,3})\])?", name)
    if found is None or found[1] not in world:
        return None
    item = world[found[1]]
    if item.type.family == "field" or not world._structure.is_attached(item):
        return None
    if item.type.family == "behavior" and found[2] == "force" and found[3] is None:
        return _first_force(world._structure, item)
    for part, places, _ in _readings(world, world._structure, item):
        if part == found[2]:
            if found[3] is None:
                return places
            return places[int(found[3]) :][:1] if int(found[3]) < len(places) else None
    return None


def _first_force(s: Structure, item: Item) -> Array | None:
    """Places in S of the force of a behavior on its first point or frame, or on its first measure."""
    block = item.type.block_of(item)
    at = int(s.I[int(s.I[L.H_UIDOBJ]) + s.uid[item.key]])
    for j, port in enumerate(block.ports):
        if port.kind.name in ("point", "frame", "scalar"):
            size = 1 if port.kind.name == "scalar" else 2 if port.dim in (2, 6) else 3
            places: Array = np.arange(size) + (at + block.local[j])
            return places
    return None
