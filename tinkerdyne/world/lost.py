"""Who a motion was lost for, and what to do: what is no number, or else what goes furthest in a step."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import numpy as np

from tinkerdyne.engine import culprits
from tinkerdyne.language.item import Item
from tinkerdyne.world.contents import Contents
from tinkerdyne.world.held_up import Said, names, owners

ODD = 9.0  # decimal places that a number is away from 1, from which it is told: two such are more than 16
VAST = (
    75.0  # the same where a value is no number: fourth powers of such are none; what is less may only follow
)
FAR = 1e6  # m or rad in a step: an object that goes less far is no reason by itself


def lost_for(contents: Contents, h: float, limit: float) -> Said:
    """Who a step of length h could not be taken for."""
    strange = culprits.not_finite(contents.engine, h)
    if strange:
        odd, told = oddest(contents, at(contents, strange), VAST)
        values = "Its value is" if len(strange) == 1 else "Their values are"
        remedy = (
            f"{values} no number, or too large for one{told}: change what they read, or their parameters."
        )
        return names(list(dict.fromkeys([*strange, *odd]))), remedy
    who, far = wildest(contents, h, limit)
    odd, told = oddest(contents, at(contents, who))
    if not odd and far < FAR:
        odd, told = oddest(contents, contents.items)
        if odd:
            return names(odd), f"Numbers have 16 digits{told}: take values that differ less."
    remedy = (
        f"In a step of {h:.1g} s it would go as far as {far:.1g} m or rad{told}: take a shorter max_step, or "
        "masses, lengths, speeds and forces that differ less."
    )
    return names(list(dict.fromkeys([*who, *odd]))), remedy


def refuse_no_number(contents: Contents, what: str) -> None:
    """What was done at once has left a state that is no number: it is refused, and taken back."""
    if not np.isfinite(contents.engine.state_vector()).all():
        raise no_number(contents, what)


def no_number(contents: Contents, what: str) -> ValueError:
    """What is said where something cannot be told for what is no number."""
    _, told = oddest(contents, contents.items)
    return ValueError(f"{what} leads to what is no number{told}: take values that differ less")


def wildest(contents: Contents, h: float, limit: float) -> tuple[list[Item], float]:
    """The object that would go furthest in a step of length h if it were free, what pulls at it most, and the
    constraint that is widest open, if any is; and how far it would go   [m, rad]."""
    engine = contents.engine
    found = culprits.furthest(engine, h)
    if found is None:
        return [], 0.0
    thing, far = found
    behaviors = [item for item in contents.items if item.type.family == "behavior" and thing in owners(item)]
    strongest = max(behaviors, key=lambda item: _largest(engine.record(item)), default=None)
    widest = culprits.widest_open(engine, limit)
    return [item for item in (thing, strongest, widest) if item is not None], far


def at(contents: Contents, who: Iterable[Item]) -> list[Item]:
    """Some items, and all that is plugged into the same objects."""
    things = set().union(*(owners(item) for item in who))
    return [item for item in contents.items if things & owners(item)]


def oddest(contents: Contents, among: Iterable[Item], least: float = ODD) -> tuple[list[Item], str]:
    """The item that has the number furthest from 1, and that number in words; nothing where none is far
    enough."""
    numbers = [
        (abs(math.log10(abs(x))), item, name, x) for item in among for name, x in _numbers(contents, item)
    ]
    far, item, name, x = max(numbers, key=lambda found: found[0], default=(0.0, None, "", 0.0))
    if item is None or far < least:
        return [], ""
    return [item], f" (the {name} of {item.name} is {x:.1g})"


def _numbers(contents: Contents, item: Item) -> Iterator[tuple[str, float]]:
    """The numbers of an item that may be too large, or too small for a mass or a size."""
    is_thing = item.type.family == "object"
    state = ((name, contents.state_of(item, name)) for name in item.type.state_names())
    for name, value in (*item.values.items(), *state):
        for x in value if isinstance(value, tuple) else np.ravel(value):
            is_number = isinstance(x, (int, float)) and math.isfinite(x) and x
            if is_number and (abs(x) > 1 or (is_thing and name in item.values)):
                yield name, float(x)


def _largest(record: np.ndarray) -> float:
    return float(np.nan_to_num(np.abs(record), nan=np.inf).max(initial=0.0))
