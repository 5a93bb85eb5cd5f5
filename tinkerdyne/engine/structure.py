"""The structure of a world: which item has which row of which batch."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator, Sequence

from tinkerdyne.engine.batches import (
    BLOCKS,
    Batch,
    BlockBatch,
    ConstraintBatch,
    FieldBatch,
    ObjectBatch,
    key_of,
)
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item

BatchKey = tuple[int, int, int]  # family, identity of the type or block, level


class Structure:
    """Batches by type or block and level, and where every item is in them."""

    def __init__(self) -> None:
        self.batches: dict[BatchKey, Batch] = {}
        self.fields: list[Item] = []
        self.rules: list[Item] = []  # items without a block: what they say is asked for by who needs it
        self.gauges: list[Item] = []  # connectors that the engine itself fills
        self.field_batches: dict[tuple[int, BatchKey], FieldBatch] = {}
        self.ordered: list[Batch] | None = None  # as the index has them, while none comes, goes or moves up
        self.uid: dict[int, int] = {}  # by item key
        self.next_uid = 0
        self._where: dict[int, tuple[Batch, int]] = {}  # item key → its batch, and its row when last seen
        self._level: dict[int, int] = {}
        self._free: list[int] = []  # uids

    # --- items in and out ------------------------------------------------------------------------
    def add_object(self, item: Item, q: Array, v: Array, *, is_first_order: bool) -> None:
        """Give an object a row in its batch, with its state."""
        type, parameters = item.type.resolve(item)
        key = (ObjectBatch.family, id(type), 0)
        batch = self.batches.get(key)
        if not isinstance(batch, ObjectBatch):
            batch = self.batches[key] = ObjectBatch(type)
            self.ordered = None
            batch.set_order(is_first=is_first_order)
        k = self._add(item, batch, parameters)
        batch.q.insert(k, q)
        batch.v.insert(k, v)
        batch.fixed.insert(k, int(item.values["is_fixed"]))

    def add(self, item: Item, memory: Array | None) -> None:
        """Give a connector, constraint or behavior a row in its batch; a field acts on all objects."""
        if not item.type.acts:
            insort(self.rules, item, key=key_of)
            return
        if item.type.family == "field":
            insort(self.fields, item, key=key_of)
            self.ordered = None
            return
        kind, block = BLOCKS[item.type.family], item.type.block_of(item)
        level = 1 + max([self._level[source.key] for source in item.inputs], default=0)
        key = (kind.family, id(block), level)
        batch = self.batches.get(key)
        if not isinstance(batch, BlockBatch):
            batch = self.batches[key] = kind(block, level)
            self.ordered = None
        if item.type.gauge:
            insort(self.gauges, item, key=key_of)
        k = self._add(item, batch, item.type.flat(item.values))
        batch.inputs.insert(k, [self.uid[source.key] for source in item.inputs])
        if isinstance(batch, ConstraintBatch):
            batch.memory.insert(k, 0.0 if memory is None else memory)

    def _add(self, item: Item, batch: Batch, parameters: Sequence[float] | Array) -> int:
        uid = self._free.pop() if self._free else self.next_uid
        self.next_uid = max(self.next_uid, uid + 1)
        self.uid[item.key], self._level[item.key] = uid, batch.level
        k = batch.place_for(item)
        self._where[item.key] = (batch, k)
        batch.add(k, item, uid, parameters)
        if k == 0:
            self.ordered = None
        return k

    def remove(self, item: Item) -> None:
        """Take an item's row out of its batch."""
        if not item.type.acts:
            self.rules.remove(item)
            return
        if item.type.family == "field":
            self.fields.remove(item)
            self.ordered = None
            return
        if item.type.gauge:
            self.gauges.remove(item)
        batch, k = self.row(item)
        batch.remove(k)
        if k == 0:
            self.ordered = None
        self._free.append(self.uid.pop(item.key))
        del self._where[item.key], self._level[item.key]

    # --- where items are -------------------------------------------------------------------------
    def is_attached(self, item: Item) -> bool:
        """Whether an item takes part: it is in the world, and switched on."""
        return item.key in self._where or item in self.fields or item in self.rules

    def has(self, key: int) -> bool:
        """Whether the item with this key has a row."""
        return key in self._where

    def item(self, key: int) -> Item:
        """The item with this key."""
        batch, k = self.row_of(key)
        return batch.items[k]

    def row(self, item: Item) -> tuple[Batch, int]:
        """An item's batch and row."""
        return self.row_of(item.key)

    def row_of(self, key: int) -> tuple[Batch, int]:
        """Batch and row of the item with this key."""
        batch, k = self._where[key]
        if k >= batch.n or batch.items[k].key != key:
            k = batch.row_of(key)
            self._where[key] = (batch, k)
        return batch, k

    def object_row(self, key: int) -> tuple[ObjectBatch, int]:
        """Batch and row of the object with this key."""
        batch, k = self.row_of(key)
        assert isinstance(batch, ObjectBatch)
        return batch, k

    def constraint_row(self, key: int) -> tuple[ConstraintBatch, int]:
        """Batch and row of the constraint with this key."""
        batch, k = self.row_of(key)
        assert isinstance(batch, ConstraintBatch)
        return batch, k

    def has_objects(self) -> bool:
        """Whether there is anything."""
        return any(batch.n for batch in self.object_batches())

    # --- batches by family -----------------------------------------------------------------------
    def object_batches(self) -> Iterator[ObjectBatch]:
        """The batches of objects."""
        return (batch for batch in self.batches.values() if isinstance(batch, ObjectBatch))

    def constraint_batches(self) -> list[ConstraintBatch]:
        """The batches of constraints, in the order of their rows."""
        batches = (batch for batch in self.batches.values() if isinstance(batch, ConstraintBatch))
        return sorted(batches, key=lambda batch: batch.first_record)

    def constraints(self) -> list[Item]:
        """The constraints in the order of their rows."""
        return [item for batch in self.constraint_batches() for item in batch.items]
