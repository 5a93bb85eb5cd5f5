"""Going back: to a moment of a run, to a snapshot, or to what was there before an edit that was cut short."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from tinkerdyne.engine.journal import Journal
from tinkerdyne.engine.records import SCALARS, Hold, Scalars
from tinkerdyne.engine.settings import Settings
from tinkerdyne.engine.snapshot import Snapshot, put_back
from tinkerdyne.engine.structure import Structure
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item

if TYPE_CHECKING:
    from tinkerdyne.engine.engine import Engine

GROWN = 2.0  # times what has been set free: beyond it, kinetic energy is looked into


class Moment(NamedTuple):
    """(q, v) of everything, and the scalars."""

    state: Array
    scalars: Array

    @classmethod
    def of(cls, engine: Engine) -> Moment:
        """State and scalars now, to which `go_back` leads."""
        return cls(engine.state_vector(), engine.arena.S[:SCALARS].copy())

    @property
    def time(self) -> float:
        """When it was [s]."""
        return Scalars(self.scalars).time

    def rise_to(self, now: Scalars) -> float:
        """How much potential energy there is now beyond all energy of that moment [J]."""
        then = Scalars(self.scalars)
        return now.energy - then.energy - then.kinetic

    def has_grown(self, now: Scalars) -> bool:
        """Whether there is now much more kinetic energy than all that has been set free since that moment:
        something drives the world, or steps were too long for a force."""
        then = Scalars(self.scalars)
        return not now.kinetic <= GROWN * (then.kinetic + max(0.0, then.energy - now.energy))


def go_back(engine: Engine, moment: Moment) -> None:
    """Back to a moment, with the factors, multipliers and approaches of what came after it forgotten."""
    S, index = engine.arena.S.copy(), engine.arena.index
    S[:SCALARS] = moment.scalars
    S[index.q : index.q + index.nq] = moment.state[: index.nq]
    S[index.v : index.v + index.nv] = moment.state[index.nq :]
    for batch in engine.structure.constraint_batches():
        width = batch.memory.width
        memory = S[batch.first_memory : batch.first_memory + batch.n * width].reshape(batch.n, width)
        memory[memory[:, -1] != Hold.OPEN] = 0.0
    engine.arena.S[:] = S  # at once, so that an interrupt finds one moment or the other
    engine.moved()
    engine.contacts.wake(None)
    engine.contacts.moved()
    engine.pull_state()
    engine.is_stale = True  # the factors go with the old index


def restore(engine: Engine, shot: Snapshot) -> None:
    """Put everything that is still there back into the state that it had."""
    engine.write_down()
    engine.pull_state()
    engine.moving()
    put_back(engine.structure, shot)
    engine.kept.array[:] = shot.scalars
    if not engine.is_stale:
        engine.push_state()
    engine.configure(engine.settings)  # which may have changed since
    engine.contacts.recall(shot.contacts)


def take_back(engine: Engine, journal: Journal, items: Iterable[Item], settings: Settings) -> None:
    """Back to before an open edit, once its items have again what they had."""
    if journal.numbers is not None and journal.rebuilds == engine.rebuilds:
        engine.arena.S[: len(journal.numbers)] = journal.numbers  # which may have grown since
        engine.moving()
        engine.is_stale, engine.is_settled = False, journal.was_settled
        return
    here = {item.key: item for item in items}
    shot, touched = journal.shot, [kept.item for kept in journal.kept.values()]
    if shot is None:
        changed = [item for item in touched if item.key in here and engine.is_attached(item)]
        if all([engine.set_parameters(item) for item in changed]):
            engine.configure(settings)
            engine.is_settled = journal.was_settled
            return
        shot = engine.snapshot()
    _make_anew(engine, here.values(), shot, settings)
    if journal.was_ready:
        engine.lay_out()
        engine.is_settled = journal.was_settled


def _make_anew(engine: Engine, items: Iterable[Item], shot: Snapshot, settings: Settings) -> None:
    """Take the structure that follows from these items, in a state, whatever is left of the old one."""
    structure, states = Structure(), shot.state_of_each()
    is_first_order = settings["order"] == 1
    for item in items:
        if item.type.family == "object":
            structure.add_object(item, *states[item.key], is_first_order=is_first_order)
        elif item.values.get("is_on", True):
            structure.add(item, None)
    put_back(structure, shot)
    engine.kept.array[:] = shot.scalars
    engine.moving()
    engine.is_weighed, engine.is_first_order = False, is_first_order
    engine.is_stale = True
    engine.structure = structure
    engine.configure(settings)
    engine.contacts.recall(shot.contacts)
