"""A scene as a value, and the names its format gives to things."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tinkerdyne.language.types import TAU
from tinkerdyne.world.edit import Description, Entry, Shown

SECTIONS = {
    "objects": ("object",),
    "connectors": ("connector",),
    "constraints": ("constraint",),
    "behaviors": ("behavior", "field"),
}
KEYS = ("tinkerdyne", "time", "settings", *SECTIONS, "order", "timeline", "display", "stepper")
USUAL = {"is_fixed": False, "is_on": True, "tau": TAU, "gains": ()}  # written only when they differ


@dataclass(frozen=True)
class SceneValue:
    """A world as a value."""

    time: float = 0.0
    settings: Mapping[str, object] = field(default_factory=dict)
    items: tuple[Description, ...] = ()
    # connector → the named place of its object that it is
    parts: Mapping[str, str] = field(default_factory=dict)
    stepper: Mapping[str, float] = field(default_factory=dict)
    timeline: tuple[Entry, ...] = ()
    display: Mapping[str, Shown] = field(default_factory=dict)  # how it is meant to be seen
    # of constraints that stayed open although the world had settled after its last edit
    gap: float | None = None


def section_of(family: str) -> str:
    """Where items of a family stand in the file."""
    return next(name for name, families in SECTIONS.items() if family in families)
