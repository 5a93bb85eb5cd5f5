"""The contacts of a world as the engine sees them: which objects touch, by which rules, and the steps with
them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tinkerdyne.engine.contact.arena import ContactArena, Toucher
from tinkerdyne.engine.contact.memory import ContactMemory
from tinkerdyne.engine.contact.touching import TouchValues
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item, Values

if TYPE_CHECKING:
    from tinkerdyne.engine.engine import Engine


class Meeting(NamedTuple):
    """A point where two bodies meet: force and slip are of the second on the first [SI]."""

    a: str
    b: str
    point: tuple[float, ...]
    normal: tuple[float, ...]
    gap: float
    force: tuple[float, ...]


class Contacts:
    """Contact of one world; laid out when it is first wanted after a change."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._arena: ContactArena | None = None
        self._rebuild = -1  # of the engine's arena, for which this one was laid out
        self._items: list[Item] = []
        self._h = 0.0
        self._keys: list[int] = []
        self._memory: ContactMemory | None = None  # until there is an arena that holds it
        self._is_now = False  # it is of the present state
        self._flat: Array | None = None  # the same out of a file
        self._places: dict[int, int] = {}  # objects of the arena, by their keys
        self._woken: set[int] = set()  # keys of who is not to sleep on, of those in a file

    def is_on(self) -> bool:
        """Whether steps of this world are those with contact: things touch, or there is dry friction."""
        return self.is_contact() or self._has_dry()

    def is_contact(self) -> bool:
        """Whether anything touches anything in this world."""
        return any(rule.type.rule == "contact" for rule in self._engine.structure.rules)

    def _has_dry(self) -> bool:
        """Whether there is dry friction, which only steps with contact hold."""
        return any(batch.block.is_dry for batch in self._engine.structure.constraint_batches())

    def rule_changed(self) -> None:
        """A surface has other constants."""
        if self._arena is not None and self._rebuild == self._engine.rebuilds:
            before, self._arena.touchers = self._arena.touchers, self._touchers(self._items)
            now = self._arena.touchers
            changed = [item for item, x, y in zip(self._items, before, now, strict=True) if x != y]
            self.wake(changed)
            self._arena.write_materials()
            self._arena.head.may_sleep = int(self._rule().get("may_sleep", False))
            if not self._arena.head.may_sleep:
                self.wake(None)

    def advance(self, n: int, h: float) -> int:
        """Steps with contact, of RATTLE or of first order; how many were taken."""
        is_first_order = self._engine.is_first_order
        self._h = 2.0 if is_first_order else h  # of half of which there are impulses; without inertia, forces
        arena = self._laid_out()
        TouchValues(arena.Y).residual = 0.0
        return arena.advance(self._engine.arena, n, h, is_first_order=is_first_order)

    @property
    def arena(self) -> ContactArena:
        """The arrays of contact, laid out."""
        return self._laid_out()

    def open(self) -> int:
        """How many solutions were left above their tolerance, of all steps so far."""
        return 0 if self._arena is None else int(self._arena.head.n_open)

    def residual(self) -> float:
        """The largest residual that was left [m/s]."""
        return 0.0 if self._arena is None else TouchValues(self._arena.Y).residual

    def kept(self) -> list[Array]:
        """What goes with the present state, to go back to it."""
        return self._laid_out().kept()

    def put(self, kept: list[Array]) -> None:
        """Go back to what was kept, with the state."""
        self._laid_out().put(kept)

    def part(self) -> bool:
        """Move what overlaps apart once, by the least displacement that the joints allow to first order;
        whether anything overlapped."""
        parted = self._laid_out().part(self._engine.arena)
        self._engine.moved()
        return parted

    def overlapping(self) -> list[tuple[str, str]]:
        """Names of the bodies that overlap, as last looked at, the deepest first."""
        arena = self._laid_out()
        rows, points = arena.detector.contacts()
        limit, deepest = TouchValues(arena.Y).slop, dict[tuple[str, str], float]()
        for row, point in zip(rows, points, strict=True):
            pair = (self._items[row[0]].name, self._items[row[1]].name)
            if -point[9] > max(limit, deepest.get(pair, 0.0)):
                deepest[pair] = -point[9]
        return sorted(deepest, key=lambda pair: -deepest[pair])

    def culprits(self) -> list[Item]:
        """The bodies of the worst contact."""
        if self._arena is None or not self.open():
            return []
        rows, _ = self._arena.detector.contacts()
        k = int(self._arena.head.worst)
        return [self._items[b] for b in rows[k, :2] if b >= 0] if 0 <= k < len(rows) else []

    def meetings(self) -> Iterator[Meeting]:
        """All contacts of the last step that carry a force or are closed."""
        if self._arena is None or self._rebuild != self._engine.rebuilds or self._engine.is_stale:
            return
        forces = self._arena.impulses() / (self._h / 2) if self._h else self._arena.impulses()
        rows, points = self._arena.detector.contacts()
        for row, point, force in zip(rows, points, forces, strict=True):
            yield Meeting(
                self._items[row[0]].name,
                self._items[row[1]].name,
                tuple((0.5 * (point[:3] + point[3:6])).tolist()),
                tuple(point[6:9].tolist()),
                float(point[9]),
                tuple(force.tolist()),
            )

    # --- laying out ------------------------------------------------------------------------------
    def _laid_out(self) -> ContactArena:
        engine = self._engine
        if self._arena is None or self._rebuild != engine.rebuilds:
            self._items = self._touching_items()
            memory, is_now = self.memory(), self._is_now
            if self._flat is not None:
                number = {k: item.key for k, item in enumerate(self._items)}
                objects = dict(enumerate(self._objects()))
                memory, is_now, self._flat = ContactMemory.from_flat(self._flat, number, objects), True, None
            places = {key: engine.record_place(key) for key in self._objects()}
            touchers, ignored = self._touchers(self._items), self._ignored()
            self._arena = ContactArena(engine.arena, touchers, ignored, list(places.values()))
            self._arena.head.may_sleep = int(self._rule().get("may_sleep", False))
            self._rebuild, self._keys = engine.rebuilds, [item.key for item in self._items]
            if memory is not None:
                self._arena.recall(memory, self._keys, is_now=is_now)
                if self._arena.head.may_sleep:
                    self._go_on_sleeping(memory, places)
            self._places, self._memory, self._is_now, self._woken = places, None, False, set()
        return self._arena

    # --- memory ----------------------------------------------------------------------------------
    def memory(self) -> ContactMemory | None:
        """What is remembered of the contacts; None where there were none."""
        if self._memory is not None or self._arena is None:
            return self._memory
        if not self._places:
            return self._arena.memory(self._keys)
        if self._rebuild == self._engine.rebuilds and not self._engine.is_stale:
            self._arena.wake_moved()
        keys = {o: key for key, o in self._places.items()}
        rests = {keys[o]: rest for o, rest in self._arena.rests().items()}
        return replace(self._arena.memory(self._keys), rests=rests)

    def recall(self, memory: ContactMemory | None) -> None:
        """Go on from what was remembered in the state that is there now."""
        self._memory, self._is_now, self._flat = memory, True, None
        self._woken.clear()
        self._arena, self._rebuild = None, -1

    def written(self) -> list[float]:
        """The memory as numbers for a file, bodies by their places in order."""
        memory = self.memory()
        if memory is None or not len(memory.counts):
            return []
        objects = {key: k for k, key in enumerate(self._objects())}
        return memory.flat({item.key: k for k, item in enumerate(self._touching_items())}, objects)

    def read(self, flat: Sequence[float]) -> None:
        """Take the memory that a file holds, once all bodies are there."""
        self._flat = np.array(flat)

    def moved(self, item: Item | None = None) -> None:
        """The state of an item was changed by hand, or that of everything, and perhaps put back again:
        sleepers look for themselves whether they are where they were."""
        if item is not None:
            self.wake([item])
        self._is_now = False
        if self._arena is not None:
            self._arena.head.is_found = 0

    # --- sleep -----------------------------------------------------------------------------------
    def asleep(self) -> list[Item]:
        """The bodies that sleep."""
        if not self.is_on():
            return []
        rests = self._laid_out().rests()
        sleeping = {key for key, o in self._places.items() if o in rests and rests[o][0] < 0}
        batches = self._engine.structure.object_batches()
        found = [item for batch in batches for item in batch.items if item.key in sleeping]
        return sorted(found, key=lambda item: item.key)

    def touched(self, item: Item) -> None:
        """An item came, went or has changed: what it is plugged into wakes; by a field, everything."""
        family = item.type.family
        if family == "field" or item.type.rule == "contact":
            self.wake(None)
        elif family != "connector":
            self.wake([item])

    def wake(self, items: Sequence[Item] | None) -> None:
        """Wake these bodies, or those that these items are plugged into, and who touches them; or all."""
        keys: set[int] = set()
        for item in items or ():
            keys.update({item.key} if item.type.family == "object" else _objects(item))
        if items is None:
            keys.update(self._places)
        if self._arena is not None and self._arena.has_sleepers():
            near = self._arena.touching([k for k, key in enumerate(self._keys) if key in keys])
            keys.update(self._keys[k] for k in near)
            self._arena.wake({self._places[key] for key in keys if key in self._places})
        if self._memory is not None:
            self._memory = self._memory.woken(keys if items is not None else self._memory.rests)
        if self._flat is not None:
            self._woken.update(keys if items is not None else self._objects())

    def _go_on_sleeping(self, memory: ContactMemory, places: Mapping[int, int]) -> None:
        """Let those sleep that slept; who touched something that is gone wakes."""
        assert self._arena is not None
        gone = {int(key) for key in memory.surfaces[:, [0, 2]].ravel()} - set(self._keys)
        for key, rest in memory.woken(gone | self._woken).rests.items():
            if key in places:
                self._arena.set_rest(places[key], *rest)

    def _objects(self) -> list[int]:
        """The keys of all objects, in order."""
        batches = self._engine.structure.object_batches()
        return sorted(item.key for batch in batches for item in batch.items)

    def _rule(self) -> Values:
        """The constants of the field; none where there is no contact."""
        rules = self._engine.structure.rules
        return next((rule.values for rule in rules if rule.type.rule == "contact"), {})

    def _touching_items(self) -> list[Item]:
        """The objects with a boundary, in the order of their keys; none where there is no contact."""
        if not self.is_contact():
            return []
        batches = self._engine.structure.object_batches()
        found = [item for batch in batches for item in batch.items if item.type.boundary(item)]
        return sorted(found, key=lambda item: item.key)

    def _touchers(self, items: Sequence[Item]) -> list[Toucher]:
        rules = self._engine.structure.rules
        common = self._rule()
        own = {rule.inputs[0].key: rule.values for rule in rules if rule.type.rule == "material"}
        said = [own.get(item.key, common) for item in items]
        place = self._engine.record_place
        return [
            Toucher(
                place(item.key),
                item.type.boundary(item),
                *(values[name] for name in ("friction", "restitution", "rolling", "spinning")),
            )
            for item, values in zip(items, said, strict=True)
        ]

    def _ignored(self) -> list[tuple[int, int]]:
        """Pairs that are joined to each other, or told to ignore each other."""
        number = {item.key: k for k, item in enumerate(self._items)}
        structure = self._engine.structure
        told = [rule for rule in structure.rules if rule.type.rule == "ignore"]
        found: set[tuple[int, int]] = set()
        for item in (*structure.constraints(), *told):
            keys = sorted({number[key] for key in _objects(item) if key in number})
            found.update(combinations(keys, 2))
        return sorted(found)


def _objects(item: Item) -> Iterator[int]:
    """Keys of the objects that an item is plugged into, by whatever way."""
    for source in item.inputs:
        if source.type.family == "object":
            yield source.key
        else:
            yield from _objects(source)
