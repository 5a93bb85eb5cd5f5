"""Edits of a running chain of 100 rods: CPU time from the edit to the end of the next step, above a plain
step."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np

import tinkerdyne as td

from . import ours
from .bar import Bar, Line, Measurement, Missing, Remark, Unmeasured, needed
from .ours import DT
from .peers.scene import LENGTH, chain_rods
from .race import cpu

COUNT = 100
ROUNDS, REPEATS = 8, 5
EDITS = ("add constraint", "remove constraint", "add body", "remove body")


class _Chain:
    """Our running chain; an edit hangs something on its tip or takes it away."""

    def __init__(self, best: dict[str, float]) -> None:
        self.scene = ours.rods(chain_rods(COUNT))
        self.world, self.last = self.scene.world, self.scene.items[-1]
        self.tip = ours.end2(self.last)
        self.world.add(self.tip)
        self.scene.step(20)
        self.best = best

    def _measure(self, name: str, edit: Callable[[], object]) -> None:
        def run() -> None:
            edit()
            self.world.step(DT)

        self.best[name] = min(self.best.get(name, np.inf), cpu(run))

    def round(self) -> None:
        """Every edit once, each from a running world."""
        self.world.step(DT)
        self._measure("plain step", lambda: None)
        place, turn = self.tip.value, np.array([self.last.orientation])
        hook = td.connect(self.tip, td.Nail(*place))
        self._measure("add constraint", lambda: self.world.add(hook))
        self.world.step(DT)
        self._measure("remove constraint", lambda: self.world.remove(hook))
        self.world.step(DT)
        place, turn = self.tip.value, np.array([self.last.orientation])
        centre = place + LENGTH / 2 * ours.rotations(turn)[0, :, 0]
        body: Any = ours.rod(COUNT, centre, turn[0])
        joint = td.connect(self.tip, ours.end1(body))
        self._measure("add body", lambda: self.world.add(body, joint))
        self.world.step(DT)
        self._measure("remove body", lambda: self.world.remove(body))


@cache  # all four edits are measured together
def _ours_and_mujoco() -> tuple[dict[str, float], dict[str, float] | str]:
    """CPU seconds of each edit with its step, and of a plain step; for MuJoCo the same or why not."""
    mine: dict[str, float] = {}
    theirs: dict[str, float] = {}
    try:
        mujoco = needed("mujoco")
    except Missing as reason:
        mujoco, why = None, str(reason)
    for _ in range(ROUNDS):
        chain = _Chain(mine)  # anew, before it swings so fast that steps want to say so
        for _ in range(REPEATS):
            chain.round()
        if mujoco is not None:
            for edit, seconds in mujoco.edit_cpu(COUNT, DT, repeats=REPEATS).items():
                theirs[edit] = min(theirs.get(edit, np.inf), seconds)
    return mine, theirs if mujoco is not None else why


def _measurement(edit: str) -> Measurement:
    def measure(name: str) -> Iterator[Line]:
        mine, theirs = _ours_and_mujoco()
        above = mine[edit] - mine["plain step"]
        yield Bar(name, "CPU above a plain step", 1e3 * above, "≤", 0.5, " ms")
        what = "times better than MuJoCo's recompile"
        if isinstance(theirs, str):
            yield Unmeasured(name, what, theirs)
            return
        recompile = theirs[edit] - theirs["plain step"]
        yield Bar(name, what, recompile / above, "≥", 10, "×")
        yield Remark(
            name,
            f"plain step {1e3 * mine['plain step']:.3g} ms; MuJoCo {1e3 * recompile:.3g} ms above its own",
        )

    return measure


MEASUREMENTS = {f"edit-{edit.replace(' ', '-')}": _measurement(edit) for edit in EDITS}
