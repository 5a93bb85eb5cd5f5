"""Several changes of a world as one step for undo: all of them, or none."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tinkerdyne.world.edit import Several
from tinkerdyne.world.history import Done
from tinkerdyne.world.world import World


@contextmanager
def one_step(world: World) -> Iterator[None]:
    """Edits made within are taken back together; when one of them fails, those before it are taken back at
    once."""
    with world._lock:
        first = world._undo[-1] if world._undo else None
        before = list(world._redo)
        try:
            yield
        except Exception:
            while world._undo and world._undo[-1] is not first:
                world.undo()
            world._redo.clear()
            world._redo.extend(before)
            raise
        made: list[Done] = []
        while world._undo and world._undo[-1] is not first:
            made.append(world._undo.pop())  # the newest first
        if made:
            world._undo.append(Done(Several(tuple(one.inverse for one in made)), made[-1].before))
