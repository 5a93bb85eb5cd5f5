"""What a motion plays on: the things that stand in its way, and tables where bodies bounce."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item
from tinkerdyne.objects.grounds import Floor
from tinkerdyne.objects.rotation import quaternion_of

if TYPE_CHECKING:
    from tinkerdyne.sketch.show.solution import Solution
    from tinkerdyne.sketch.tell.story import Surface, Wish

BEYOND = 0.06  # of its size that a table reaches beyond what moves over it


def stage(solution: Solution) -> list[Item]:
    """Fixed bodies for the engine's world: obstacles as they stand, and a floor for each plane of the
    world."""
    sketch = solution.sketch
    out = [body.type.make(body.name, (), {**body.values, **body.start}) for body in sketch.obstacles]
    taken = {body.name for body in (*sketch.bodies, *sketch.obstacles)}
    over = everywhere(solution)
    for surface in sketch.surfaces:
        if surface.of is None:
            name = next(
                n
                for n in (surface.name, *(f"{surface.name} {k}" for k in range(2, 10_000)))
                if n not in taken
            )
            taken.add(name)
            out.append(_floor(name, np.array(surface.normal), patch(surface, over)))
    return out


def _floor(name: str, n: Array, corners: Array) -> Item:
    """All below a plane, drawn over these corners, in order round it."""
    x, y = corners[1] - corners[0], corners[3] - corners[0]
    width, height = float(np.linalg.norm(x)), float(np.linalg.norm(y))
    turn = quaternion_of(np.column_stack([x / width, y / height, n]))
    made: Item = Floor(
        name, size=max(width, height), position=tuple(corners.mean(axis=0)), orientation=tuple(turn)
    )
    return made


def everywhere(solution: Solution) -> Array:
    """Places that are sketched, wanted and moved through (n, 3)."""
    out = [track.places for flight in solution.sketch.flights for track in flight.tracks.values()]
    s = np.linspace(0, 1, 30)
    for f, b in product(range(len(solution.grid) - 1), range(len(solution.sketch.bodies))):
        out.append(solution.states(b, f, s)[0])
    for flight in solution.sketch.flights:
        out += [
            middle(wish)[None]
            for wish in flight.wishes
            if wish.kind in ("position", "point") and is_finite(wish)
        ]
    return np.concatenate(out)


def patch(surface: Surface, everything: Array) -> Array:
    """The corners of the part of a plane that things move over."""
    n, origin = np.array(surface.normal), np.array(surface.origin)
    # across the world where it lies, upright where it stands
    first = np.eye(3)[0 if abs(n[2]) > abs(n[0]) else 2]
    first = first - n * (n @ first)
    first /= np.linalg.norm(first)
    along = np.array([first, np.cross(n, first)])
    flat = (everything - origin) @ along.T
    size = max(float(np.ptp(flat, axis=0).max()), 1e-3)
    low, high = flat.min(axis=0) - BEYOND * size, flat.max(axis=0) + BEYOND * size
    middle, least = (low + high) / 2, 0.22 * size
    low, high = np.minimum(low, middle - least), np.maximum(high, middle + least)
    foot = (
        origin
        + [(a, b) for a, b in ((low[0], low[1]), (high[0], low[1]), (high[0], high[1]), (low[0], high[1]))]
        @ along
    )
    return np.asarray(foot)


def middle(wish: Wish) -> Array:
    return np.asarray((wish.low + wish.high) / 2)


def is_finite(wish: Wish) -> bool:
    return bool(np.isfinite(wish.low).all() and np.isfinite(wish.high).all())
