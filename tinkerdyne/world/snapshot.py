"""Snapshots: the state of a whole world at one moment, as a value."""

from __future__ import annotations

from dataclasses import dataclass

from tinkerdyne.language.arrays import Array


@dataclass(frozen=True)
class Snapshot:
    """Time, state and stepper's memory of everything, by item key.

    Edits between two steps share one snapshot."""

    scalars: Array
    parts: tuple[tuple[tuple[int, ...], Array, Array, Array], ...]
    # state (of constraints, memory) of what came after it, before anything moved
    later: dict[int, tuple[Array, Array]]
