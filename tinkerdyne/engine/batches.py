"""Batches: all objects of one type, or all instances of one block, as a few arrays with a row an item."""

from __future__ import annotations

from bisect import bisect, bisect_left
from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from tinkerdyne.compiler.records import place_of
from tinkerdyne.engine.records import BatchHead, Effect, Family, Flag, PortEntry, memory_width
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.block import Block
from tinkerdyne.language.item import Item
from tinkerdyne.objects.object import ObjectType

GAINS = 3  # numbers behind a constraint's own parameters: τ, k_s, k_d
OBJECT_KERNELS = ("lift", "qdot", "mass", "gyro", "drift", "normalise")
MASS = OBJECT_KERNELS.index("mass")
OF_N, OF_LENGTH = place_of(BatchHead, "n"), place_of(BatchHead, "length")
FLAG = {"quaternion": Flag.RIGID, "angle": Flag.PLANAR}  # of the ways in which objects turn


class Trait:
    """What a batch brings into a world, as far as the steppers want to know of all batches at once."""

    TIMED, RATES, WINDS, JUMPS, STOPS, CURVED, MEASURES, LED, WORKS, SWELLS, VARIES = (
        1 << k for k in range(11)
    )


def key_of(item: Item) -> int:
    """By which rows are ordered."""
    return item.key


class Rows:
    """A growing array with one row an item."""

    def __init__(self, width: int, dtype: type = float) -> None:
        self.data: Array = np.zeros((4, width), dtype)
        self.n = 0

    @property
    def width(self) -> int:
        """Numbers of a row."""
        return int(self.data.shape[1])

    @property
    def live(self) -> Array:
        """The rows that there are."""
        return self.data[: self.n]

    def insert(self, k: int, row: Sequence[float] | Array | float) -> None:
        """Put a row before row k."""
        if self.n == len(self.data):
            self.data = np.concatenate([self.data, np.zeros_like(self.data)])
        if k < self.n:
            self.data[k + 1 : self.n + 1] = self.data[k : self.n]
        self.data[k] = row
        self.n += 1

    def remove(self, k: int) -> None:
        """Take row k out."""
        self.n -= 1
        if k < self.n:
            self.data[k : self.n] = self.data[k + 1 : self.n + 1]


class Batch:
    """What all batches have: items in the order of their keys, parameters, and their places in the arena."""

    family: ClassVar[int]

    def __init__(self, level: int, head: BatchHead, parameters: int, traits: int) -> None:
        self.level, self.head, self.traits = level, head, traits
        self.items: list[Item] = []
        self.parameters = Rows(parameters)
        self.uids = Rows(1, np.int64)
        self.first_parameter = self.first_record = 0  # places in S
        self._keys: tuple[int, ...] | None = None
        self._description: Array | None = None  # while no row comes or goes

    @property
    def n(self) -> int:
        """How many items it has."""
        return len(self.items)

    def keys(self) -> tuple[int, ...]:
        """The keys of the items."""
        if self._keys is None:
            self._keys = tuple([item.key for item in self.items])
        return self._keys

    def all_rows(self) -> tuple[Rows, ...]:
        """The arrays that have a row an item."""
        return self.parameters, self.uids

    def place_for(self, item: Item) -> int:
        """The row that an item is to have.

        Rows stand in the order of keys, so that sums have the same order, and bits, whatever edits led
        here."""
        is_behind = not self.items or self.items[-1].key <= item.key
        return self.n if is_behind else bisect(self.items, item.key, key=key_of)

    def row_of(self, key: int) -> int:
        """The row of the item with a key."""
        return bisect_left(self.items, key, key=key_of)

    def add(self, k: int, item: Item, uid: int, parameters: Sequence[float] | Array) -> None:
        """Put an item into row k; what else its row holds is put there by the caller."""
        if self._keys is not None:
            self._keys = (
                (*self._keys[:k], item.key, *self._keys[k:]) if k < self.n else (*self._keys, item.key)
            )
        self._description = None
        self.items.insert(k, item)
        self.parameters.insert(k, parameters)
        self.uids.insert(k, uid)

    def remove(self, k: int) -> None:
        """Take row k out."""
        if self._keys is not None:
            self._keys = self._keys[:k] + self._keys[k + 1 :]
        self._description = None
        del self.items[k]
        for rows in self.all_rows():
            rows.remove(k)

    def description(self) -> Array:
        """What the compiled index reads of it: the head, uids, and what belongs to the family."""
        if self._description is None:
            head = self.head.array
            parts = [head, *[rows.data[: rows.n].ravel() for rows in self.listed()]]
            made = np.concatenate(parts)
            made[OF_N], made[OF_LENGTH] = self.n, len(made)
            self._description = made  # once it is whole: an interrupt leaves none behind
        return self._description

    def listed(self) -> tuple[Rows, ...]:
        """What stands behind the head in its description."""
        return (self.uids,)


class ObjectBatch(Batch):
    """Objects of one type."""

    family = Family.OBJECT

    def __init__(self, type: ObjectType) -> None:
        traits = Trait.VARIES if type.mass_varies else 0
        super().__init__(0, _object_head(type), type.layout.size, traits)
        self.type = type
        self.q, self.v = Rows(type.nq), Rows(type.nv)
        self.fixed = Rows(1, np.int64)
        self.first_q = self.first_v = 0  # places in S

    def all_rows(self) -> tuple[Rows, ...]:
        return *super().all_rows(), self.q, self.v, self.fixed

    def listed(self) -> tuple[Rows, ...]:
        return self.uids, self.fixed

    def has_fixed(self) -> bool:
        """Whether one of the objects is held where it is."""
        return bool(np.count_nonzero(self.fixed.live))

    def is_fixed(self, k: int) -> bool:
        """Whether the object of row k is held where it is."""
        return bool(self.fixed.data[k, 0])

    def set_order(self, *, is_first: bool) -> None:
        """Take the mass matrix of f = m v, or of f = m a."""
        kernels = self.type.kernels
        self._description = None
        self.head.kernels[MASS] = kernels["first_order_mass" if is_first else "mass"]


class BlockBatch(Batch):
    """Instances of one block at one level: connectors, constraints or behaviors."""

    def __init__(self, block: Block, level: int) -> None:
        extra = GAINS if self.family == Family.CONSTRAINT else 0
        head, traits = _block_head(self.family, block, extra), _traits(self.family, block)
        super().__init__(level, head, block.layout.size + extra, traits)
        self.block = block
        self.inputs = Rows(len(block.ports), np.int64)

    def all_rows(self) -> tuple[Rows, ...]:
        return *super().all_rows(), self.inputs

    def listed(self) -> tuple[Rows, ...]:
        return self.uids, self.inputs


class ConnectorBatch(BlockBatch):
    """Connectors of one block."""

    family = Family.CONNECTOR

    @property
    def turns(self) -> int | None:
        """Which of the parameters counts turns; None where none does."""
        layout = self.block.layout
        return layout.offset(layout.turns) if self.block.winds else None


class ConstraintBatch(BlockBatch):
    """Constraints of one block, each with its memory: μ, c₀, ċ₀, t₀, and how it is held."""

    family = Family.CONSTRAINT

    def __init__(self, block: Block, level: int) -> None:
        super().__init__(block, level)
        self.memory = Rows(memory_width(block.dim))
        self.first_memory = 0  # place in S

    def all_rows(self) -> tuple[Rows, ...]:
        return *super().all_rows(), self.memory


class BehaviorBatch(BlockBatch):
    """Behaviors of one block."""

    family = Family.BEHAVIOR


class FieldBatch(BlockBatch):
    """What one field does to all objects of one batch; it has their items, and one row of parameters."""

    family = Family.FIELD

    def __init__(self, block: Block, objects: ObjectBatch) -> None:
        super().__init__(block, 1)
        self.objects = objects.type
        self.items = objects.items
        self.inputs = objects.uids

    def description(self) -> Array:
        self._description = None  # the items are those of another batch
        return super().description()

    def listed(self) -> tuple[Rows, ...]:
        return (self.inputs,)


BLOCKS: dict[str, type[BlockBatch]] = {
    "connector": ConnectorBatch,
    "constraint": ConstraintBatch,
    "behavior": BehaviorBatch,
}


def _traits(family: int, block: Block) -> int:
    """What all instances of a block bring into a world."""
    is_measure = family in (Family.CONNECTOR, Family.CONSTRAINT)
    found = (
        (Trait.TIMED, block.depends_on_time),
        (Trait.RATES, block.is_on_velocity and not block.is_dry),
        (Trait.WINDS, block.winds),
        (Trait.JUMPS, block.may_jump),
        (Trait.STOPS, block.is_stop),
        (Trait.CURVED, is_measure and not block.is_linear),
        (Trait.MEASURES, is_measure),
        (Trait.LED, family == Family.CONNECTOR and block.depends_on_time),
        (Trait.WORKS, not is_measure and block.works),
        (Trait.SWELLS, not is_measure and block.swells),
    )
    return sum([trait for trait, is_so in found if is_so])


# --- descriptions for the compiled index (see engine.records) --------------------------------------
def _object_head(type: ObjectType) -> BatchHead:
    head = BatchHead(np.zeros(BatchHead.size, np.int64))
    head.family = Family.OBJECT
    head.dim, head.nq, head.nv, head.np = type.dim, type.nq, type.nv, type.layout.size
    head.flags = (
        (Flag.LINEAR if type.is_linear else 0)
        | (Flag.VARIES if type.mass_varies else 0)
        | FLAG.get(type.rotation or "", 0)
    )
    for k, name in enumerate(OBJECT_KERNELS):
        head.kernels[k] = type.kernels[name]
    return head


def _block_head(family: int, block: Block, extra: int) -> BatchHead:
    head = BatchHead(np.zeros(BatchHead.size + PortEntry.size * len(block.ports), np.int64))
    head.family, head.dim, head.record, head.ports = family, block.dim, block.record, len(block.ports)
    head.np = block.layout.size + extra
    k = block.kernels
    if family in (Family.CONNECTOR, Family.CONSTRAINT):
        kernels = [k["value"], k["motion"], k["full"], k["spatial"], k.get("effort", 0), k.get("wind", 0)]
        head.flags = block.effort
    else:
        kernels = [k["force"], k["damping"], k["stiffness"], k["spatial"]]
        head.flags = (Effect.DAMPS if block.damps else 0) | (Effect.COUPLES if block.couples else 0)
    if family == Family.CONSTRAINT:
        names = block.layout.names
        head.memory, head.kind = memory_width(block.dim), block.kind
        head.restitution = block.layout.offset("restitution") if "restitution" in names else -1
        head.limit = block.layout.offset("limit") if block.is_dry else -1
    for j, address in enumerate(kernels):
        head.kernels[j] = address
    for j, given in enumerate(block.ports):
        port = PortEntry(head.array[BatchHead.size + j * PortEntry.size :])
        port.dim, port.nv, port.place, port.sign = given.dim, given.nv, block.local[j], block.sign[j]
    return head
