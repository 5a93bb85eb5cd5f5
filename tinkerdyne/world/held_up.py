"""What holds a method up, by name, and what to do about it."""

from __future__ import annotations

import numpy as np

from tinkerdyne.engine import culprits
from tinkerdyne.engine.steppers.advance import RIGID
from tinkerdyne.engine.steppers.stability import fastest, most_moved, outweighing
from tinkerdyne.language.item import Item
from tinkerdyne.world.contents import Contents

SWINGS = 0.02  # rad of the fastest swing in a step: below, it is not what keeps the steps short

DEPEND = "these come to depend on each other here. Choose method='rattle', or lead them another way."

Said = tuple[tuple[str, ...], str]  # names, and the remedy


def held_up(contents: Contents, limit: float, step: float) -> Said:
    """Who keeps the adaptive method's steps as short as `step` [s]: constraints that are open by more than a
    limit, stops that are hit again and again, a force that is too stiff, constraints that depend on each
    other here."""
    engine = contents.engine
    short = f"Steps had to be {step:.1g} s short"
    unmet = culprits.unmet(engine, limit)
    if unmet:
        return names(unmet), f"{short}: these cannot all be met. Remove one, or choose method='rattle'."
    hit = culprits.often_hit(engine)
    if hit:
        return names(hit), f"{short}: these are hit again and again. Give them a lower restitution."
    speed, mode = fastest(engine)
    if speed * step > SWINGS:
        culprit = most_moved(engine, mode)
        remedy = f"{short}: it swings at {speed:.2g} rad/s. Lower the stiffness, or run a shorter time."
        return names([culprit, *stiffest(contents, culprit)[:1]]), remedy
    contradictory, redundant = culprits.dependent(engine)
    if contradictory:
        return contradictory, f"{short}: these contradict each other. Remove one, or choose method='rattle'."
    if redundant:
        remedy = f"{short}: these depend on each other here. Choose method='rattle', or a larger rtol."
        return redundant, remedy
    near = culprits.nearly_dependent(engine)
    if near:
        return names(near), f"{short}: {DEPEND}"
    return (), f"{short}. Take larger rtol and atol, or another method."


def outweighed(contents: Contents, h: float) -> Said:
    """Whose damper or spring leaves too few digits of its mass in a step of length h."""
    engine = contents.engine
    share = RIGID / engine.scalars.heaviest
    found = outweighing(engine, h)
    does, unit, what = ("decays", "/s", "damping") if found.is_decay else ("swings", " rad/s", "stiffness")
    strong = stiffest(contents, found.culprit, what)[:1]
    less = f"a {what} below {share * float(np.max(strong[0].values[what])):.1g}, or " if strong else ""
    remedy = (
        f"It {does} at {found.rate:.2g}{unit}, which is as good as rigid, and too few digits are left for "
        f"its mass: take {less}a constraint in its place, such as distance or connect."
    )
    return names([found.culprit, *strong]), remedy


def stiffest(contents: Contents, culprit: Item, what: str = "stiffness") -> list[Item]:
    """The springs on an object (or its dampers, by their damping), the stiffest first."""
    springs = [
        item
        for item in contents.items
        if item.type.family == "behavior" and what in item.values and culprit in owners(item)
    ]
    return sorted(springs, key=lambda item: -float(np.max(item.values[what])))


def names(items: list[Item]) -> tuple[str, ...]:
    """The names of items."""
    return tuple(item.name for item in items)


def owners(item: Item) -> set[Item]:
    """The objects that an item is plugged into, directly or through connectors."""
    if item.type.family == "object":
        return {item}
    return {owner for source in item.inputs for owner in owners(source)}
