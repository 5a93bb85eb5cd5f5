"""The structure of a world: batches of equal instances, the two arenas, and the compiled index over them.

Items come and go one at a time; a batch is a few arrays with a row an item. Rebuilding the index after a
change costs a handful of array operations a batch and one compiled call, whatever the number of items;
parameters and state are written straight into the arena.
"""

from __future__ import annotations

from bisect import bisect, insort
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tinkerdyne.compiler.core import program
from tinkerdyne.engine import records as L
from tinkerdyne.engine.index.world import index_world
from tinkerdyne.language.block import Block
from tinkerdyne.language.item import Item, label
from tinkerdyne.objects.fields import field_block
from tinkerdyne.objects.object import ObjectType

Array = np.ndarray[Any, Any]


def _key(item: Item) -> int:
    return item.key


@dataclass
class Rows:
    """A growing array with one row an item."""

    data: Array
    n: int = 0

    def insert(self, k: int, row: Any) -> None:
        if self.n == len(self.data):
            self.data = np.concatenate([self.data, np.zeros_like(self.data[: max(4, self.n)])])
            if self.n == len(self.data):  # it had no rows at all
                self.data = np.zeros((4, *self.data.shape[1:]), self.data.dtype)
        if k < self.n:
            self.data[k + 1 : self.n + 1] = self.data[k : self.n]
        self.data[k] = row
        self.n += 1

    def remove(self, k: int) -> None:
        self.n -= 1
        if k < self.n:
            self.data[k : self.n] = self.data[k + 1 : self.n + 1]

    @property
    def live(self) -> Array:
        return self.data[: self.n]


def _rows(width: int, kind: Any = float) -> Rows:
    return Rows(np.zeros((4, width), kind))


@dataclass
class Batch:
    """All instances of one block (or object type) at one level."""

    family: int
    level: int
    what: Block | ObjectType
    header: Array
    items: list[Item] = field(default_factory=list)
    parameters: Rows = field(default_factory=lambda: _rows(0))
    memory: Rows = field(default_factory=lambda: _rows(0))
    q: Rows = field(default_factory=lambda: _rows(0))
    v: Rows = field(default_factory=lambda: _rows(0))
    uids: Rows = field(default_factory=lambda: _rows(1, np.int64))
    inputs: Rows = field(default_factory=lambda: _rows(0, np.int64))
    fixed: Rows = field(default_factory=lambda: _rows(1, np.int64))
    base: tuple[int, int, int] = (0, 0, 0)  # first places in S: parameters, memory, records
    first_q: int = 0
    first_v: int = 0

    keys: tuple[int, ...] | None = None  # keys of the items, once they were asked for

    @property
    def n(self) -> int:
        return len(self.items)

    def key_tuple(self) -> tuple[int, ...]:
        if self.keys is None:
            self.keys = tuple([item.key for item in self.items])
        return self.keys


def _header(family: int, what: Block | ObjectType) -> Array:
    """The batch description for the compiled index (see engine.records)."""
    if isinstance(what, ObjectType):
        head = np.zeros(L.D_PORT, np.int64)
        flags = (L.LINEAR if what.is_linear else 0) | (L.VARIES if what.mass_varies else 0)
        if what.name.startswith("rigid"):
            flags |= L.RIGID
        elif what.name == "planar_body":
            flags |= L.PLANAR
        head[[L.D_DIM, L.D_NQ, L.D_NV, L.D_NP, L.D_FLAGS]] = (
            what.dim,
            what.nq,
            what.nv,
            what.layout.size,
            flags,
        )
        k = what.kernels
        names = ("lift", "qdot", "mass", "gyro", "drift", "normalise")
        head[L.D_KERNELS : L.D_KERNELS + 6] = [k[name] for name in names]
        head[L.D_FAMILY] = L.OBJECT
        return head
    ports = len(what.ports)
    head = np.zeros(L.D_PORT + 4 * ports, np.int64)
    extra = 3 if family == L.CONSTRAINT else 0  # τ, k_s, k_d
    head[[L.D_FAMILY, L.D_DIM, L.D_NP, L.D_RECORD, L.D_PORTS]] = (
        family,
        what.dim,
        what.layout.size + extra,
        what.record,
        ports,
    )
    k = what.kernels
    if family in (L.CONNECTOR, L.CONSTRAINT):
        own = (k.get("effort", 0), k.get("wind", 0))
        head[L.D_KERNELS : L.D_KERNELS + 6] = [k["value"], k["motion"], k["full"], k["spatial"], *own]
        head[L.D_FLAGS] = what.effort
        if family == L.CONSTRAINT:
            head[L.D_MEMORY] = L.memory_width(what.dim)
            head[L.D_KIND] = what.kind
            head[L.D_BOUNCE] = what.layout.offset("restitution") if "restitution" in what.layout.names else -1
    else:
        head[L.D_KERNELS : L.D_KERNELS + 4] = [k["force"], k["damping"], k["stiffness"], k["spatial"]]
        head[L.D_FLAGS] = (L.DAMPS if what.damps else 0) | (L.COUPLES if what.couples else 0)
    for j, port in enumerate(what.ports):
        at = L.D_PORT + 4 * j
        head[at : at + 4] = (port.dim, port.nv, what.local[j], what.sign[j])
    return head


_FAMILY = {"object": L.OBJECT, "connector": L.CONNECTOR, "constraint": L.CONSTRAINT, "behavior": L.BEHAVIOR}


class Structure:
    """Batches, arenas and index of one world."""

    def __init__(self) -> None:
        self.batches: dict[Any, Batch] = {}
        self.fields: list[Item] = []
        self.field_rows: dict[tuple[int, Any], Batch] = {}
        self.where: dict[int, tuple[Batch, int]] = {}  # item key → its batch (the row is found by uid)
        self.uid: dict[int, int] = {}
        self.level: dict[int, int] = {}
        self.free: list[int] = []
        self.next_uid = 0
        self.I: Array = np.zeros(1 << 14, np.int64)
        self.S: Array = np.zeros(1 << 14)
        self.work: Array = np.zeros(1 << 14, np.int64)
        self.scalars: Array = np.zeros(L.S_SCALARS)
        self.is_stale = True
        self.first_order = False
        self.rebuilds = 0
        # time and state where an integrator outside met a value that is no number
        self.lost: list[tuple[float, Array]] = []
        self.core = program()

    # --- items in and out ------------------------------------------------------------------------
    def attach(self, item: Item, q: Any = None, v: Any = None, memory: Any = None) -> None:
        """Give an item a row in its batch."""
        self.pull_state()
        if item.type.family == "field":
            insort(self.fields, item, key=_key)
            self.is_stale = True
            return
        family = _FAMILY[item.type.family]
        if family == L.OBJECT:
            what, row = item.type.resolve(item)
            level, key = 0, (family, id(what), 0)
        else:
            what, row = item.type.block_of(item), item.type.flat(item.values)
            level = 1 + max((self.level[s.key] for s in item.inputs), default=0)
            key = (family, id(what), level)
        batch = self.batches.get(key)
        if batch is None:
            batch = Batch(family, level, what, _header(family, what))
            if isinstance(what, ObjectType) and self.first_order:
                batch.header[L.D_KERNELS + 2] = what.kernels["first_order_mass"]
            batch.parameters = _rows(len(row))
            if isinstance(what, ObjectType):
                batch.q, batch.v = _rows(what.nq), _rows(what.nv)
            else:
                batch.inputs = _rows(len(what.ports), np.int64)
                batch.memory = _rows(L.memory_width(what.dim) if family == L.CONSTRAINT else 0)
            self.batches[key] = batch
        uid = self.free.pop() if self.free else self.next_uid
        self.next_uid = max(self.next_uid, uid + 1)
        self.uid[item.key], self.level[item.key] = uid, level
        # Rows stand in the order of keys, so that sums have the same order, and bits, whatever edits led
        # here.
        k = bisect(batch.items, item.key, key=_key) if batch.n and batch.items[-1].key > item.key else batch.n
        self.where[item.key] = (batch, k)
        if batch.keys is not None:
            batch.keys = (*batch.keys[:k], item.key, *batch.keys[k:])
        batch.items.insert(k, item)
        batch.parameters.insert(k, row)
        batch.uids.insert(k, uid)
        if isinstance(what, ObjectType):
            batch.q.insert(k, q)
            batch.v.insert(k, v)
            batch.fixed.insert(k, int(item.values["is_fixed"]))
        else:
            batch.inputs.insert(k, [self.uid[s.key] for s in item.inputs])
            batch.memory.insert(k, 0.0 if memory is None else memory)
        self.is_stale = True

    def detach(self, item: Item) -> None:
        """Take an item's row out of its batch."""
        self.pull_state()
        self.is_stale = True
        if item.type.family == "field":
            self.fields.remove(item)
            return
        batch, k = self.row(item)
        if batch.keys is not None:
            batch.keys = batch.keys[:k] + batch.keys[k + 1 :]
        del batch.items[k]
        for rows in (batch.parameters, batch.memory, batch.q, batch.v, batch.uids, batch.inputs, batch.fixed):
            if rows.n:
                rows.remove(k)
        self.free.append(self.uid.pop(item.key))
        del self.where[item.key], self.level[item.key]

    def is_attached(self, item: Item) -> bool:
        return item.key in self.where or item in self.fields

    def row(self, item: Item) -> tuple[Batch, int]:
        """An item's batch and row."""
        batch, k = self.where[item.key]
        if k >= batch.n or batch.items[k] is not item:
            k = batch.items.index(item)
            self.where[item.key] = (batch, k)
        return batch, k

    def set_parameters(self, item: Item) -> bool:
        """Write an item's parameters into its row; False when its block would be another one (then attach it
        anew)."""
        if item.type.family == "field":
            row = item.type.flat(item.values)
            for (key, _), batch in self.field_rows.items():
                if key == item.key and len(row) != batch.parameters.data.shape[1]:
                    self.is_stale = True
                elif key == item.key and not self.is_stale:
                    self.S[batch.base[0] : batch.base[0] + len(row)] = row
            return True
        batch, k = self.row(item)
        if batch.family == L.OBJECT:
            what, row = item.type.resolve(item)
            if what is not batch.what or bool(batch.fixed.data[k, 0]) != item.values["is_fixed"]:
                return False
        else:
            if item.type.block_of(item) is not batch.what:
                return False
            self.keep_turns(item)
            row = item.type.flat(item.values)
        batch.parameters.data[k] = row
        if not self.is_stale:
            at = batch.base[0] + k * len(row)
            self.S[at : at + len(row)] = row
        return True

    def keep_turns(self, item: Item) -> None:
        """Bring the count of turns among an item's values up to date with the arena."""
        batch, k = self.row(item)
        if isinstance(batch.what, Block) and batch.what.winds:
            layout = batch.what.layout
            at = layout.offset(layout.turns)
            row = (
                batch.parameters.data[k]
                if self.is_stale
                else self.S[batch.base[0] + k * batch.parameters.data.shape[1] :]
            )
            item.values[layout.turns] = float(row[at])

    def set_order(self, order: int) -> None:
        """1 for f = m v, 2 for f = m a; some types then have another mass matrix."""
        if self.first_order != (order == 1):
            self.pull_state()
            self.first_order = order == 1
            self.is_stale = True
            for batch in self.batches.values():
                if isinstance(batch.what, ObjectType):
                    name = "first_order_mass" if self.first_order else "mass"
                    batch.header[L.D_KERNELS + 2] = batch.what.kernels[name]

    # --- state -----------------------------------------------------------------------------------
    def pull_state(self) -> None:
        """Copy state and memory from the arena into the batches, before the arena is laid out anew."""
        if self.is_stale:
            return
        S = self.S
        self.scalars[:] = S[: L.S_SCALARS]
        for batch in self.batches.values():
            n = batch.n
            if batch.family == L.OBJECT:
                for rows, first in ((batch.q, batch.first_q), (batch.v, batch.first_v)):
                    width = rows.data.shape[1]
                    rows.data[:n] = S[first : first + n * width].reshape(n, width)
            elif batch.family == L.CONSTRAINT:
                batch.memory.data[:n] = self._live_memory(batch)
            elif isinstance(batch.what, Block) and batch.what.winds:
                width = batch.parameters.data.shape[1]
                batch.parameters.data[:n] = S[batch.base[0] : batch.base[0] + n * width].reshape(n, width)

    def push_state(self) -> None:
        """Copy state, memory and parameters from the batches into the arena."""
        S = self.S
        S[: L.S_SCALARS] = self.scalars
        for batch in self.batches.values():
            n = batch.n
            p = batch.parameters
            S[batch.base[0] : batch.base[0] + n * p.data.shape[1]] = p.live.ravel()
            if batch.family == L.OBJECT:
                if batch.fixed.live.any():
                    batch.v.live[batch.fixed.live[:, 0] != 0] = 0.0  # what is fixed stands still
                for rows, first in ((batch.q, batch.first_q), (batch.v, batch.first_v)):
                    S[first : first + n * rows.data.shape[1]] = rows.live.ravel()
            elif batch.family == L.CONSTRAINT:
                m = batch.memory
                S[batch.base[1] : batch.base[1] + n * m.data.shape[1]] = m.live.ravel()
        for (key, _), batch in self.field_rows.items():
            row = next(f for f in self.fields if f.key == key)
            S[batch.base[0] : batch.base[0] + batch.parameters.data.shape[1]] = row.type.flat(row.values)

    def state(self, item: Item) -> tuple[Array, Array]:
        """Copies of an object's q and v."""
        batch, k = self.row(item)
        if self.is_stale:
            return batch.q.data[k].copy(), batch.v.data[k].copy()
        nq, nv = batch.q.data.shape[1], batch.v.data.shape[1]
        a, b = batch.first_q + k * nq, batch.first_v + k * nv
        return self.S[a : a + nq].copy(), self.S[b : b + nv].copy()

    def set_state(self, item: Item, q: Array, v: Array) -> None:
        batch, k = self.row(item)
        if batch.fixed.data[k, 0]:
            v = np.zeros_like(v)
        batch.q.data[k], batch.v.data[k] = q, v
        if not self.is_stale:
            a, b = batch.first_q + k * len(q), batch.first_v + k * len(v)
            self.S[a : a + len(q)], self.S[b : b + len(v)] = q, v
            self.S[L.S_READY] = 0.0

    def memory(self, item: Item) -> Array:
        """A copy of a constraint's memory."""
        batch, k = self.row(item)
        return np.array(batch.memory.data[k]) if self.is_stale else self._live_memory(batch)[k].copy()

    def forget_approaches(self) -> None:
        """Let every constraint's reference r(t) be zero from now on."""
        for batch in self.batches.values():
            if batch.family == L.CONSTRAINT and not self.is_stale:
                d, memory = int(batch.header[L.D_DIM]), self._live_memory(batch)
                memory[memory[:, -1] != L.OPEN, d:] = 0.0

    def is_open(self, item: Item) -> bool:
        """Whether a constraint is a stop that nothing touches."""
        return item.type.family == "constraint" and bool(self.memory(item)[-1] == L.OPEN)

    def count_yielding(self) -> None:
        """Bring the counts of springs and open stops up to date with the constraints' memory."""
        held_in = [b for b in self.batches.values() if b.memory.n and b.family == L.CONSTRAINT]
        flags = [(b.memory.live if self.is_stale else self._live_memory(b))[:, -1] for b in held_in]
        held = np.concatenate(flags) if flags else np.zeros(0)
        where = self.scalars if self.is_stale else self.S
        where[L.S_SPRINGS] = np.sum(held == L.SPRING)
        where[L.S_YIELDING] = where[L.S_SPRINGS] + np.sum(held == L.OPEN)

    def _live_memory(self, batch: Batch) -> Array:
        width = batch.memory.data.shape[1]
        return self.S[batch.base[1] : batch.base[1] + batch.n * width].reshape(batch.n, width)

    def record(self, item: Item) -> Array:
        """A copy of a block's record, as last evaluated."""
        batch, _ = self.row(item)
        assert isinstance(batch.what, Block)
        at = int(self.I[self.I[L.H_UIDOBJ] + self.uid[item.key]])
        return self.S[at : at + batch.what.record].copy()

    # --- the index -------------------------------------------------------------------------------
    def _field_batches(self) -> list[Batch]:
        """One batch for each field and each object batch."""
        found: dict[tuple[int, Any], Batch] = {}
        for item in self.fields:
            if not item.values["is_on"]:
                continue
            for key, objects in sorted(self.batches.items(), key=lambda pair: pair[1].items[0].key):
                if objects.family != L.OBJECT:
                    continue
                assert isinstance(objects.what, ObjectType)
                try:
                    block = field_of(item, objects.what)
                except (TypeError, ValueError) as problem:
                    said = (
                        f"{label(item)} cannot act on {label(objects.items[0])}: {problem}; remove one "
                        "of "
                        "them"
                    )
                    raise type(problem)(said) from problem
                batch = self.field_rows.get((item.key, key))
                if batch is None or batch.what is not block or batch.items is not objects.items:
                    batch = Batch(L.FIELD, 1, block, _header(L.FIELD, block))
                    batch.parameters = _rows(block.layout.size)
                    batch.items = objects.items
                    batch.inputs = objects.uids
                found[(item.key, key)] = batch
        self.field_rows = found
        return list(found.values())

    def refresh(self) -> None:
        """Rebuild the index if the structure changed, and carry all state over."""
        if not self.is_stale:
            return
        for key in [k for k, b in self.batches.items() if not b.n]:
            del self.batches[key]
        ordered = sorted(
            self.batches.values(), key=lambda b: (b.family > L.CONSTRAINT, b.level, b.items[0].key)
        )
        ordered += self._field_batches()
        parts: list[Array] = []
        heads: list[int] = []
        at = 0
        for batch in ordered:
            tail = [batch.uids.live.ravel()]
            if batch.family == L.OBJECT:
                tail.append(batch.fixed.live.ravel())
            elif batch.family == L.FIELD:
                tail = [batch.inputs.live.ravel()]
            else:
                tail.append(batch.inputs.live.ravel())
            length = len(batch.header) + len(tail[0]) + (len(tail[1]) if len(tail) > 1 else 0)
            batch.header[L.D_N], batch.header[L.D_LENGTH] = batch.n, length
            heads.append(at)
            at += length
            parts += [batch.header, *tail]
        model = np.concatenate(parts) if parts else np.zeros(1, np.int64)
        if len(self.work) < 7 * self.next_uid + 64:
            self.work = np.zeros(14 * self.next_uid + 64, np.int64)
        while True:
            floats = self.core[index_world.__name__](
                model.ctypes.data,
                len(ordered),
                self.I.ctypes.data,
                len(self.I),
                self.work.ctypes.data,
                self.next_uid,
            )
            if floats >= 0:
                break
            self.I = np.zeros(max(2 * len(self.I), int(self.I[L.H_WANT])), np.int64)
        store = self._plan()
        head = self.I
        head[L.H_S_STORE] = floats
        if len(self.S) < floats + store + 64:
            self.S = np.zeros(int(1.5 * (floats + store)) + 1024)
        else:
            # Kernels write only the structural nonzeros of their blocks: the rest must be zero. Multipliers
            # start from zero.
            records, values = int(head[L.H_S_RECORDS]), int(head[L.H_S_VALUES])
            self.S[records:values] = 0.0
            self.S[int(head[L.H_S_GYRO]) : int(head[L.H_S_LIFT])] = 0.0
            self.S[int(head[L.H_S_ROWS]) : int(head[L.H_S_VELS])] = 0.0
        q, v = int(head[L.H_S_Q]), int(head[L.H_S_V])
        for batch, where in zip(ordered, heads, strict=True):
            a, b, c = model[where + L.D_BASE : where + L.D_BASE + 3].tolist()
            batch.base = (a, b, c)
            if batch.family == L.OBJECT:
                batch.first_q, batch.first_v = q, v
                q += batch.n * batch.q.data.shape[1]
                v += batch.n * batch.v.data.shape[1]
        head[L.H_ORDER] = 1 if self.first_order else 2
        moves = winds = rates = jumps = varies = False
        is_constant, stops, rows = True, 0, 0
        for batch in ordered:
            what = batch.what
            if isinstance(what, ObjectType):
                varies |= what.mass_varies
                continue
            moves |= what.depends_on_time or what.kind >= L.RATE
            rates |= what.kind >= L.RATE
            winds |= what.winds
            jumps |= what.may_jump
            stops += batch.n if what.kind == L.STOP else 0
            if batch.family in (L.CONNECTOR, L.CONSTRAINT):
                rows += 1
                is_constant &= what.is_linear
        head[L.H_MOVES], head[L.H_WINDS], head[L.H_RATES], head[L.H_JUMPS], head[L.H_STOPS] = (
            moves,
            winds,
            rates,
            jumps,
            stops,
        )
        head[L.H_CONSTANT] = is_constant and rows > 0 and not varies
        self.push_state()
        self.S[L.S_READY] = self.S[L.S_FACTORED] = 0.0
        self.is_stale = False
        self.rebuilds += 1

    def _plan(self) -> int:
        """Elimination order and fronts of the KKT matrix, behind the index in I; returns the floats of the
        factor."""
        while True:
            head = self.I
            head[L.H_PLAN] = head[L.H_INTS]
            floats = self.core["plan_world"](
                head.ctypes.data, len(head), self.work.ctypes.data, len(self.work)
            )
            if floats >= 0:
                return int(floats)
            # Too small: the plan or its work space. Grow both; what the index wrote is kept.
            self.I = np.concatenate([head, np.zeros(len(head), np.int64)])
            self.work = np.zeros(2 * len(self.work), np.int64)


_field_blocks: dict[tuple[int, int, int], Block] = {}


def field_of(item: Item, kind: ObjectType) -> Block:
    """The block of a field item on one object type, made once."""
    layout = item.type.layout(item.values)
    key = (id(item.type), id(kind), layout.size)
    if key not in _field_blocks:
        _field_blocks[key] = field_block(f"field {item.type.name}", item.type.formula, kind, layout)
    return _field_blocks[key]
