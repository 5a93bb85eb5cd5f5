"""Where two runs of one world differ: the first moment, the quantities, and by how much."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

Moment = dict[
    str, Any
]  # moment: str, numbers: [[name, bytes in hexadecimal]], words: {name: str}; see `worker`
SHOWN = 4  # quantities of a moment that are named


@dataclass(frozen=True)
class Compared:
    """What came of the comparison of one world."""

    world: str
    numbers: int  # that were compared
    moment: str = ""  # the first at which any differ
    quantities: tuple[str, ...] = ()  # in words, the widest first
    words: tuple[str, ...] = ()  # texts that differ; they may be chosen anew without a change of numerics

    @property
    def is_equal(self) -> bool:
        return not self.moment

    def __str__(self) -> str:
        more = f" and {len(self.quantities) - SHOWN} more" if len(self.quantities) > SHOWN else ""
        return f"{self.world}, {self.moment}: {', '.join(self.quantities[:SHOWN])}{more}"


def compare(world: str, old: Sequence[Moment], new: Sequence[Moment]) -> Compared:
    """Compare moment by moment, up to the first that differs."""
    words: dict[str, None] = {}
    count = 0
    for before, after in zip(old, new, strict=False):
        count += sum(len(data) // 16 for _, data in before["numbers"])
        if before["moment"] != after["moment"]:
            said = f"{before['moment']!r} in the old tree, {after['moment']!r} in the new"
            return Compared(world, count, "the course of events", (said,), tuple(words))
        differing = quantities(before["numbers"], after["numbers"])
        if differing:
            return Compared(world, count, before["moment"], tuple(differing), tuple(words))
        if [name for name, _ in before["numbers"]] != [name for name, _ in after["numbers"]]:
            words["names of quantities"] = None
        both = {*before["words"], *after["words"]}
        words |= {
            name: None for name in sorted(both) if before["words"].get(name) != after["words"].get(name)
        }
    if len(old) != len(new):
        said = f"{len(old)} moments in the old tree, {len(new)} in the new"
        return Compared(world, count, "the end", (said,), tuple(words))
    return Compared(world, count, words=tuple(words))


def quantities(old: Sequence[Sequence[str]], new: Sequence[Sequence[str]]) -> list[str]:
    """What differs, the widest first: by name, or in the order of the list where only names have changed."""
    if len(old) != len(new):
        before, after = ({name for name, _ in numbers} for numbers in (old, new))
        return [
            *(f"{name} is only in the old tree" for name in sorted(before - after)),
            *(f"{name} is only in the new tree" for name in sorted(after - before)),
        ] or ["some names are given twice"]
    found = [(name, *apart(a, b)) for (name, a), (_, b) in zip(old, new, strict=True) if a != b]
    return [f"{name} {said}" for name, _, said in sorted(found, key=lambda one: -one[1])]


def apart(old: str, new: str) -> tuple[float, str]:
    """The widest difference of two arrays given by their bytes, and how to say it."""
    a, b = (np.frombuffer(bytes.fromhex(data)) for data in (old, new))
    if a.shape != b.shape:
        return np.inf, f"has {a.size} numbers in the old tree and {b.size} in the new"
    with np.errstate(invalid="ignore"):
        away = np.abs(a - b)
    if not np.isfinite(away).all():
        return np.inf, "is not finite on one side, or on both and not alike"
    widest = float(away.max())
    return widest, f"by {widest:.2g}" if widest else "in the sign of a zero"
