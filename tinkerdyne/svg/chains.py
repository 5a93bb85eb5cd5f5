"""Lines and Béziers of the plane that are attached end to end: the outlines of a drawing, in the order they
are drawn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tinkerdyne.connectors.curves import curve_point
from tinkerdyne.constraints.points import connect
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item
from tinkerdyne.objects.splines import Bezier, Line
from tinkerdyne.world.world import World

TOGETHER = 1e-6  # of the pieces' size: two ends meet
End = tuple[str, int]  # a piece by its name, and 0 where it begins, 1 where it ends


@dataclass(frozen=True)
class Chain:
    """Pieces as control points, each beginning where the one before ends, and whether the last ends where the
    first begins."""

    items: tuple[Item, ...]
    pieces: tuple[Array, ...]
    is_closed: bool


def is_piece(item: Item) -> bool:
    """Whether an item is a line, or a Bézier that SVG has, in the plane."""
    return item.type in (Line, Bezier) and len(item.points) <= 4 and len(item.points[0]) == 2


def chains(world: World) -> list[Chain]:
    """The pieces of a world, joined where their ends are attached; where more than two meet, the first two
    are joined."""
    pieces = {item.name: item for item in world.items if is_piece(item)}
    partner: dict[End, End] = {}
    for item in world.items:
        if item.type is connect and item.is_on:
            a, b = (_end(point, pieces) for point in item.inputs)
            if a and b and a != b and a not in partner and b not in partner and _meet(pieces, a, b):
                partner[a], partner[b] = b, a
    found, done = [], set[str]()
    for name in pieces:
        if name in done:
            continue
        first: End = (name, 0)
        while (before := partner.get(first)) is not None:  # back to where the chain begins, or once round
            first = (before[0], 1 - before[1])
            if first[0] == name:
                break
        items, places, at = [], [], first
        while at[0] not in done:
            done.add(at[0])
            items.append(pieces[at[0]])
            places.append(np.array(items[-1].points)[:: -1 if at[1] else 1])
            last = (at[0], 1 - at[1])
            at = partner.get(last, last)
        found.append(Chain(tuple(items), tuple(places), partner.get(first) == last))
    return found


def _end(point: Item, pieces: dict[str, Item]) -> End | None:
    """The end of a piece that a point is."""
    if (
        point.type is not curve_point
        or point.inputs[0].name not in pieces
        or point.values["u"] not in (0.0, 1.0)
    ):
        return None
    return point.inputs[0].name, int(point.values["u"])


def _meet(pieces: dict[str, Item], a: End, b: End) -> bool:
    """Whether two ends lie together, as they do once their attachment has pulled them there."""
    p, q = (np.array(pieces[name].points) for name, _ in (a, b))
    return bool(
        np.hypot(*(p[-a[1]] - q[-b[1]])) <= TOGETHER * max(np.ptp(p, axis=0).max(), np.ptp(q, axis=0).max())
    )
