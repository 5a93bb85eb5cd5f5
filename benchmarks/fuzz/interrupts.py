"""Interrupts at every place of an edit: the world is as it was before, or as it is after, and goes on.

An interrupt is a KeyboardInterrupt that is raised at the k-th line, or the k-th instruction, of the package
while something is done to a world. The same thing done to a twin tells how many lines there are, and what
the world should be afterwards.
"""

from __future__ import annotations

import contextlib
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

import tinkerdyne as td

from . import worlds

PACKAGE = str(Path(td.__file__).parent)
REFUSALS = (AttributeError, KeyError, ReferenceError, TypeError, ValueError)
WHOLE = tuple(worlds.EDITS)  # what happens all or not at all


class Countdown:
    """Counts lines (or instructions) of the package, and interrupts at one of them."""

    def __init__(self, at: int = 0, *, each_instruction: bool = False) -> None:
        self.at, self.count, self.each_instruction = at, 0, each_instruction

    def __call__(self, frame: FrameType, event: str, _argument: object) -> Any:
        if not frame.f_code.co_filename.startswith(PACKAGE):
            return None
        frame.f_trace_opcodes = self.each_instruction
        if event == ("opcode" if self.each_instruction else "line"):
            self.count += 1
            if self.count == self.at:
                raise KeyboardInterrupt
        return self

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        before = sys.gettrace()
        sys.settrace(self)
        try:
            yield
        finally:
            sys.settrace(before)


def attempt(act: worlds.Act, world: td.World, seed: int, count: Countdown) -> str:
    """Do something: "done", "refused" or "interrupted"."""
    try:
        with count.running():
            act(world, Random(seed))
    except KeyboardInterrupt:
        return "interrupted"
    except REFUSALS:
        return "refused"
    return "done"


def lived_in(seed: int) -> td.World:
    """A random world with a past: it has run, and can be undone and redone."""
    rng = Random(seed)
    world = worlds.build(rng)
    for _ in range(rng.randint(0, 4)):
        with contextlib.suppress(*REFUSALS):
            rng.choice([*worlds.EDITS, worlds.step])(world, rng)
    if rng.random() < 0.3:
        world.undo()
    return world


def settled(world: td.World) -> str:
    """Its text once it is ready for a step."""
    with contextlib.suppress(*REFUSALS):
        world.engine.ready()
    return world.to_json()


def case(rng: Random) -> str:
    """One interrupt; what was interrupted. An AssertionError says what is wrong."""
    seed, act = rng.randrange(2**32), rng.choice([*worlds.EDITS, *worlds.MOVES])
    each_instruction = rng.random() < 0.3
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _case(rng, seed, act, each_instruction)


def _case(rng: Random, seed: int, act: worlds.Act, each_instruction: bool) -> str:
    name = act.__name__  # type: ignore[attr-defined]
    twin, world = lived_in(seed), lived_in(seed)
    before = world.to_json()
    assert twin.to_json() == before, f"{name}: two worlds of one seed differ"
    steps = world.history.mark()
    attempt(act, lived_in(seed), seed, Countdown())  # what is compiled is compiled: lines can be counted
    counted = Countdown(each_instruction=each_instruction)
    expected = attempt(act, twin, seed, counted)
    if not counted.count:
        return "nothing"
    at = rng.randint(1, counted.count)
    came = attempt(act, world, seed, Countdown(at, each_instruction=each_instruction))
    where = f"{name}, interrupted at {at} of {counted.count}"
    now, after = world.to_json(), twin.to_json()
    if act in WHOLE:
        ready = lived_in(seed)
        allowed = {"before": (before, settled(ready)), "after": (after, settled(twin))}
        assert now in allowed["before"] + allowed["after"], f"{where}: neither before nor after"
        if now in allowed["before"] and now not in allowed["after"] and came == "interrupted":
            assert world.history.mark() == steps, f"{where}: a step was remembered that was not taken"
            again = attempt(act, world, seed, Countdown())
            assert again == expected, f"{where}: done again it is {again}, not {expected}"
            assert _same(world, twin), f"{where}: done again it is not the same"
    _goes_on(world, where)
    return came


def _same(world: td.World, twin: td.World) -> bool:
    """Whether two worlds have the same text, before or after getting ready."""
    return world.to_json() in (twin.to_json(), settled(twin)) or settled(world) == settled(twin)


def _goes_on(world: td.World, where: str) -> None:
    """A world can be saved and loaded, steps, and can be undone and redone to the last."""
    td.World.from_json(world.to_json())
    with contextlib.suppress(ValueError):  # what this world cannot do is said in words
        world.step(1 / 120)
    undone = 0
    while world.undo():
        undone += 1
        assert undone < 2000, f"{where}: undo does not end"
    for _ in range(undone):
        assert world.redo(), f"{where}: what was undone does not come again"
    td.World.from_json(world.to_json())
