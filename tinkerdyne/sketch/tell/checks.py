"""Checks of a whole sketch: its bodies, what it asks for twice, and times that are not in order."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from tinkerdyne.language.item import Item, label
from tinkerdyne.sketch.tell.shape import shape_of
from tinkerdyne.sketch.tell.story import Collision, Flight, Wish, struck_first


def check_bodies(bodies: tuple[object, ...]) -> None:
    """A message where there are none, or one is no rigid body with a name of its own."""
    if not bodies:
        raise TypeError("a sketch needs at least one body: Sketch(Box('die', size=(0.1, 0.1, 0.1)))")
    names = [body.name for body in bodies if isinstance(body, Item)]
    for body in bodies:
        if not isinstance(body, Item):
            raise TypeError(f"a sketch is made of bodies, one by one: Sketch(die, cup), not of {body!r}")
        shape_of(body)
        if not body.name or names.count(body.name) > 1:
            raise ValueError(
                f"every body of a sketch needs a name of its own; {label(body)} has none, or shares it"
            )


def check_member(body: object, bodies: list[Item], obstacles: list[Item]) -> str:
    """The label of a body that moves in a sketch; a message where it is none, or fixed."""
    if not isinstance(body, Item):
        raise TypeError(f"a body of the sketch is meant, not {body!r}")
    if body in obstacles:
        raise ValueError(
            f"{label(body)} is fixed: it stands in the way and is not moved; tell what belongs to it by "
            "a place of the world, "
            "such as bounce(…, on=Surface(origin, normal)) or want(…, position=(low, high)), or let it "
            "move: is_fixed=False"
        )
    if body not in bodies:
        raise ValueError(
            f"{label(body)} is not a body of this sketch; name it when the sketch is made: "
            f"Sketch({body.name}, …)"
        )
    return label(body)


def check_two(a: Item, b: Item, bodies: list[Item], obstacles: list[Item]) -> frozenset[str]:
    """The names of two bodies, of which one may stand still."""
    standing = [one for one in (a, b) if one in obstacles]
    who, whom = (
        label(one) if len(standing) == 1 and one is standing[0] else check_member(one, bodies, obstacles)
        for one in (a, b)
    )
    if a is b:
        raise ValueError(f"{who} and {whom} are one body; name two")
    return frozenset((a.name, b.name))


def contradictions(flights: list[Flight]) -> list[str]:
    """What is asked for twice, with values that cannot both be."""
    out = []
    for k, flight in enumerate(flights):
        fixed: dict[tuple[Hashable, ...], Wish] = {}
        for wish in flight.wishes:
            if not wish.is_hard or wish.kind in ("custom", "reach", "face", "place"):
                continue
            moment = {"start": 0.0, "end": 1.0}.get(str(wish.when), wish.when)
            key = (wish.kind, id(wish.body), moment, wish.time, wish.at, id(wish.surface))
            other = fixed.setdefault(key, wish)
            if other is not wish and _differ(other, wish):
                values = f"{_value(other)} and {_value(wish)}"
                out.append(f"Flight {k + 1} asks for two values of the {wish.says}, {values}; drop one.")
    return out


def _differ(a: Wish, b: Wish) -> bool:
    """Whether two wishes of one value cannot both be met."""
    if a.kind == "orientation":
        p, q = (one.low / np.linalg.norm(one.low) for one in (a, b))
        return bool(abs(p @ q) < 1 - 1e-12)
    return bool(np.any(np.maximum(a.low, b.low) > np.minimum(a.high, b.high) + 1e-12))


def _value(wish: Wish) -> str:
    """The value or the bounds of a wish."""
    rows = [np.round(one, 6).tolist() for one in (wish.low, wish.high)]
    return f"{rows[0]}" if rows[0] == rows[1] else f"{rows[0]} to {rows[1]}"


def check_flights(flights: list[Flight]) -> None:
    """A message where nothing is asked for, or where the times of samples go back."""
    if not any(f.tracks or f.wishes for f in flights):
        raise ValueError("the sketch asks for nothing: follow a body, or say what is wanted of it")
    last = 0.0
    for k, flight in enumerate(flights):
        for name, track in flight.tracks.items():
            if track.times is not None and track.times[0] < last - 1e-9:
                raise ValueError(
                    f"times of {name} in flight {k + 1} begin before the flight ahead of it ends; they count "
                    "from the start"
                )
        last = max([last, *(float(t.times[-1]) for t in flight.tracks.values() if t.times is not None)])


def check_standing(
    standing: list[str], bodies: list[Item], flights: list[Flight], collisions: list[Collision]
) -> None:
    """A message where something is asked of a body while it stands."""
    for body in bodies:
        if body.name not in standing:
            continue
        since = struck_first(collisions, body)
        for k, flight in enumerate(flights[:since]):
            asked = ["samples"] * (body.name in flight.tracks)
            asked += [
                wish.says
                for wish in flight.wishes
                if wish.body is body and wish.kind not in ("reach", "face")
            ]
            if asked:
                raise ValueError(
                    f"{label(body)} stands until it is struck, but flight {k + 1} asks for {asked[0]}; place "
                    "the body where it stands, or drop stand"
                )
