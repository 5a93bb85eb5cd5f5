"""Numbers as attributes of an element: checked, with the line in the message."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from tinkerdyne.formats.markup import Element, wrong
from tinkerdyne.language.arrays import Array

LARGEST = 1e30  # what a model means by more is no number of a machine
WORDS = {"inf": math.inf, "+inf": math.inf, "-inf": -math.inf}


def row(element: Element, name: str) -> list[float] | None:
    """The numbers of an attribute, as many as there are; None where it is not given."""
    if not element.has(name):
        return None
    found = []
    for word in element.get(name).split():
        try:
            value = WORDS[word.lower()] if word.lower() in WORDS else float(word)
        except ValueError:
            raise wrong(element, f"{name} must be numbers, not {word[:40]!r}") from None
        if math.isnan(value) or (math.isfinite(value) and abs(value) > LARGEST):
            raise wrong(element, f"{name} is {word[:40]}, which is beyond what a machine has")
        found.append(value)
    return found


def numbers(element: Element, name: str, count: int, default: Sequence[float]) -> Array:
    """So many finite numbers."""
    found = row(element, name)
    if found is None:
        return np.array(default, float)
    if len(found) != count or not all(map(math.isfinite, found)):
        raise wrong(element, f"{name} must be {count} finite numbers, not {element.get(name)[:60]!r}")
    return np.array(found)


def number(element: Element, name: str, default: float) -> float:
    """One number, which may be infinite."""
    found = row(element, name)
    if found is None:
        return default
    if len(found) != 1:
        raise wrong(element, f"{name} must be one number, not {element.get(name)[:60]!r}")
    return found[0]
