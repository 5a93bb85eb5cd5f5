"""Times so late that a step is lost in their rounding: they are refused, since time would stand still."""

from __future__ import annotations

import math

from tinkerdyne.engine.settings import Settings
from tinkerdyne.world.settings import DEFAULTS

LOST = 1e-6  # of a step: more of it may not be lost, or forces that know the time are felt at another
MICROSECOND = 1e-6  # s: of shorter steps, which are rests of others, a picosecond may be lost
SECOND = 1.0  # s: what methods that choose their own steps are to tell apart at least


def refuse_lost(time: float, step: float) -> None:
    """A time is rounded to half a unit of its last place; that may be no part of a step [s] that counts."""
    rounded = math.ulp(abs(time) + abs(step)) / 2
    if not rounded <= LOST * max(step, MICROSECOND):
        raise ValueError(
            f"at t = {time:g} s the time is rounded to {rounded:.1g} s, too much for steps of {step:.3g} s; "
            f"take steps above {rounded / LOST:.1g} s (max_step), or begin at an earlier time"
        )


def shortest_of(chosen: Settings) -> float:
    """The step that the time must tell apart [s]: max_step, or a second where a method chooses its own. What
    is not chosen is as it comes."""
    settings: Settings = {**DEFAULTS, **chosen}
    chooses = settings["method"] in ("adaptive", "lsoda", "dop853")
    return max(settings["max_step"], SECOND) if chooses else settings["max_step"]
