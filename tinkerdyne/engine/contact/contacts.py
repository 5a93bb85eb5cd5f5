"""The contacts of a world as the engine sees them: which objects touch, by which rules, and the steps with
them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from tinkerdyne.engine.contact import rules
from tinkerdyne.engine.contact.arena import ContactArena
from tinkerdyne.engine.contact.events import Listener, Listeners
from tinkerdyne.engine.contact.holding import ContactRows, contact_rows
from tinkerdyne.engine.contact.meetings import ANCHORS, Meeting, Meetings, meetings
from tinkerdyne.engine.contact.memory import ContactMemory
from tinkerdyne.engine.contact.touching import TouchValues
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item

if TYPE_CHECKING:
    from tinkerdyne.engine.engine import Engine

DEEP = 1e5  # times the slop, a hundredth of the smallest body: an overlap that is told


class Contacts:
    """Contact of one world; laid out when it is first wanted after a change."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._arena: ContactArena | None = None
        self._rebuild = -1  # of the engine's arena, for which this one was laid out
        self._items: list[Item] = []
        self._of: Array | None = None  # q of everything, to which the contacts at hand belong
        self._listeners = Listeners()
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
        return rules.has_contact(self._engine.structure)

    def _has_dry(self) -> bool:
        """Whether there is dry friction, which only steps with contact hold."""
        return any(batch.block.is_dry for batch in self._engine.structure.constraint_batches())

    def rule_changed(self) -> None:
        """A surface has other constants."""
        if self._arena is not None and self._rebuild == self._engine.rebuilds:
            structure, place = self._engine.structure, self._engine.record_place
            before, paired = self._arena.touchers, self._arena.paired
            now = self._arena.touchers = rules.touchers(structure, self._items, place)
            self._arena.paired = rules.paired(structure, self._items)
            changed = [item for item, x, y in zip(self._items, before, now, strict=True) if x != y]
            for one in set(paired) ^ set(self._arena.paired):
                changed += [self._items[one.a], self._items[one.b]]
            self.wake(changed)
            self._arena.write_materials()
            self._arena.head.may_sleep = int(rules.constants(self._engine.structure).get("may_sleep", False))
            if not self._arena.head.may_sleep:
                self.wake(None)

    def shape_changed(self, item: Item) -> None:
        """A body may have another boundary."""
        if self._arena is None or self._rebuild != self._engine.rebuilds or item.key not in self._keys:
            return
        k, parts = self._keys.index(item.key), item.type.boundary(item)
        before = self._arena.touchers[k].parts
        if len(before) == len(parts) and all(x.is_like(y) for x, y in zip(before, parts, strict=True)):
            return
        self.wake([item])
        if not self._arena.change_parts(k, parts):
            self._rebuild = -1  # what is remembered of the others is kept

    def advance(self, n: int, h: float) -> int:
        """Steps with contact, of RATTLE or of first order; how many were taken. Where somebody listens,
        `tell` is called after each."""
        arena = self._laid_out()
        arena.head.is_heard = int(self.is_heard())
        done = arena.advance(self._engine.arena, n, h, is_first_order=self._engine.is_first_order)
        self._of = self._engine.arena.q.copy()
        return done

    def open_account(self) -> None:
        """Begin to note what the next steps are worth."""
        if self._arena is not None:
            values = TouchValues(self._arena.Y)
            values.residual = values.overlap = 0.0

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

    def not_parted(self) -> list[tuple[str, str]]:
        """Names of the bodies that overlap in the present state, the deepest first."""
        self._laid_out()
        arena = self._made()
        arena.look(self._engine.arena)
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
        return self._named(self._arena.head.worst_a, self._arena.head.worst_b)

    def overlap(self) -> float:
        """The deepest overlap that was left after a step [m], where it is deep beside the smallest body."""
        if self._arena is None:
            return 0.0
        values = TouchValues(self._arena.Y)
        return values.overlap if values.overlap > DEEP * values.slop else 0.0

    def overlapping(self) -> list[Item]:
        """The two bodies of that overlap."""
        return (
            [] if self._arena is None else self._named(self._arena.head.overlap_a, self._arena.head.overlap_b)
        )

    def _named(self, *bodies: int) -> list[Item]:
        return [self._items[b] for b in bodies if 0 <= b < len(self._items)]

    # --- readings --------------------------------------------------------------------------------
    def meetings(self, body: Item | None = None) -> Meetings:
        """All contacts, or those of one body, which then comes first; those of the last step, and where
        something was moved since, those of the present state without forces."""
        if not self.is_contact() or not self._engine.structure.has_objects():
            return Meetings(())
        arena, is_felt = self._laid_out(), self._is_present()
        if not is_felt:
            arena = self._made()
            arena.look(self._engine.arena)
        found = meetings(self._engine.arena, arena, self._items, is_felt)
        if body is None:
            return Meetings(found)
        turned = (one if one.a is body else one.turned() for one in found if body in (one.a, one.b))
        return Meetings(turned)

    def pushes(self) -> tuple[Array, Array, Array, Array]:
        """Of the contacts that pushed in the last step: the keys of both bodies, the points, the forces on
        the second [N], and the normals into it; a row each."""
        if self._arena is None or not self._is_present():
            return np.zeros((0, 2), np.int64), np.zeros((0, 3)), np.zeros((0, 3)), np.zeros((0, 3))
        rows, points = self._arena.detector.contacts()
        forces, normals = self._arena.forces(), points[:, 6:9]
        is_pushing = np.einsum("ij,ij->i", forces, normals) > 0
        keys = np.array(self._keys, np.int64)[rows[is_pushing, :2]]
        middles = 0.5 * (points[is_pushing, :3] + points[is_pushing, 3:6])
        return keys, middles, forces[is_pushing], normals[is_pushing]

    def rule(self) -> Item | None:
        """The item that makes everything touch."""
        return next((rule for rule in self._engine.structure.rules if rule.type.rule == "contact"), None)

    def rows(self, free: Array) -> list[ContactRows]:
        """The rows of the contacts that are closed in the present state; `free` says which velocities are."""
        if not self.is_contact() or not self._engine.structure.has_objects():
            return []
        self._laid_out()
        arena = self._made()
        arena.look(self._engine.arena)
        rows, points = arena.detector.contacts()
        found = []
        for row, point in zip(rows.tolist(), points, strict=True):
            a, b = row[:2]
            n, middle = tuple(point[6:9].tolist()), tuple((0.5 * (point[:3] + point[3:6])).tolist())
            nothing = (0.0, 0.0, 0.0)
            meeting = Meeting(self._items[a], self._items[b], middle, n, nothing, nothing, float(point[9]))
            objects = (arena.touchers[a].object, arena.touchers[b].object)
            anchors = tuple(point[at : at + 3] for at in ANCHORS)
            found.append((meeting, objects, anchors, arena.friction_between(a, b)))
        return contact_rows(self._engine.arena, found, free)

    def _is_present(self) -> bool:
        """Whether the contacts at hand are those of the present state."""
        is_laid_out = self._arena is not None and not self._engine.is_stale
        return is_laid_out and self._of is not None and np.array_equal(self._of, self._engine.arena.q)

    def tell_watches(self) -> None:
        """Let measures of contact show what is so now."""
        if self._engine.structure.gauges and self.is_contact():
            arena = self._laid_out()
            if self._is_present():
                arena.tell_watches(self._engine.arena)

    def answer(self) -> None:
        """Let the constraints of a state that was just evaluated answer to the contacts of the last step."""
        arena, has_joints = self._arena, self._engine.arena.index.n_constraints > 0
        if arena is not None and has_joints and self.is_contact() and self._is_present():
            arena.answer(self._engine.arena)

    # --- those who listen ------------------------------------------------------------------------
    def listen(self, listener: Listener) -> None:
        """Call somebody after every step in which something happens."""
        if not self._listeners.all:
            self._listeners.begin(self._arena if self._is_present() else None, self._items)
        self._listeners.all.append(listener)

    def ignore(self, listener: Listener) -> None:
        """Call him no more."""
        if listener in self._listeners.all:
            self._listeners.all.remove(listener)

    def is_heard(self) -> bool:
        """Whether somebody listens."""
        return bool(self._listeners.all)

    def tell(self) -> bool:
        """Tell those who listen what happened in the last step; whether anybody was called."""
        return self._listeners.tell(self._laid_out(), list(self._items), self._engine.scalars.time)

    # --- laying out ------------------------------------------------------------------------------
    def _laid_out(self) -> ContactArena:
        engine = self._engine
        if self._arena is None or self._rebuild != engine.rebuilds:
            self._items = rules.touching_items(self._engine.structure)
            memory, is_now = self.memory(), self._is_now
            if self._flat is not None:
                number = {k: item.key for k, item in enumerate(self._items)}
                objects = dict(enumerate(self._objects()))
                memory, is_now, self._flat = ContactMemory.from_flat(self._flat, number, objects), True, None
            places = {key: engine.record_place(key) for key in self._objects()}
            self._arena = self._made()
            self._arena.head.may_sleep = int(rules.constants(self._engine.structure).get("may_sleep", False))
            self._rebuild, self._keys = engine.rebuilds, [item.key for item in self._items]
            if memory is not None:
                self._arena.recall(memory, self._keys, is_now=is_now)
                self._of = engine.arena.q.copy() if is_now else self._of
                if self._arena.head.may_sleep:
                    self._go_on_sleeping(memory, places)
            self._places, self._memory, self._is_now, self._woken = places, None, False, set()
        return self._arena

    def _made(self) -> ContactArena:
        """An arena of contacts, as nothing has been looked at yet."""
        engine = self._engine
        objects = [engine.record_place(key) for key in self._objects()]
        structure, items = engine.structure, self._items
        return ContactArena(
            engine.arena,
            rules.touchers(structure, items, engine.record_place),
            rules.ignored(structure, items),
            objects,
            rules.paired(structure, items),
            rules.watched(structure, items, engine.parameter_place),
        )

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
        touching = rules.touching_items(self._engine.structure)
        return memory.flat({item.key: k for k, item in enumerate(touching)}, objects)

    def read(self, flat: Sequence[float]) -> None:
        """Take the memory that a file holds, once all bodies are there."""
        self._flat = np.array(flat)

    def moved(self, item: Item | None = None) -> None:
        """The state of an item was changed by hand, or that of everything, and perhaps put back again:
        sleepers look for themselves whether they are where they were."""
        if item is not None:
            self.wake([item])
        self._is_now = False
        if self._arena is not None and any(
            toucher.is_placed and (item is None or self._keys[k] == item.key)
            for k, toucher in enumerate(self._arena.touchers)
        ):
            self._rebuild = -1  # a curve that carries things has another shape
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
        if self._arena is None and self._memory is None and self._flat is None:
            return  # nothing has touched anything yet
        keys: set[int] = set()
        for item in items or ():
            keys.update({item.key} if item.type.family == "object" else rules.objects_below(item))
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
