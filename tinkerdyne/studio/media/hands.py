"""Hands on what is no body: a point of a curve or surface, a number, a fitted model."""

from __future__ import annotations

import math

from tinkerdyne.language.item import Item
from tinkerdyne.language.types import port_of
from tinkerdyne.objects.catalog import Particle
from tinkerdyne.studio.media.fits import is_fit, pull
from tinkerdyne.studio.media.models import slide
from tinkerdyne.studio.media.points import lies_on, point_at, span_of
from tinkerdyne.world.dragging import Grip
from tinkerdyne.world.world import World

FIRM = 2.0  # N/m, and
# N at most: a hand on a snake's point must overcome the edge that holds it, however light it is
STRONG = 1000.0


def grip_on(world: World, name: str, at: tuple[float, ...]) -> Grip | None:
    """A hand on a fit or on a number; None for what has a place."""
    if name not in world and is_fit(world, name):
        return pull(world, name, at)
    what = world[name]
    if (
        what.type.family in ("object", "connector")
        and port_of(what).kind.name == "scalar"
        and not what.values.get("is_fixed")
    ):
        return slide(world, what)
    return None


def held_point(what: Item, at: tuple[float, ...]) -> Item:
    """The point of a curve or surface that is caught; anything else is caught itself."""
    if not lies_on(what):
        return what
    return point_at(what, at or span_of(what)[::2])


def pull_on(world: World, what: Item) -> dict[str, float]:
    """How a soft hand pulls, where it is not as usual: its largest force [N] and its time [s]."""
    if what.type is not Particle or world.settings["order"] != 1:
        return {}
    return {"limit": STRONG, "tau": math.sqrt(float(what.mass) / FIRM)}  # a tug is as firm as mass/time²
