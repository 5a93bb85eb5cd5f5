"""Documents: a sketch as the JSON that `load_sketch` reads, to be kept or sent to another process."""

from __future__ import annotations

import json
import math
import os
from typing import TYPE_CHECKING

import numpy as np

from tinkerdyne.drawing.bodies import Mark
from tinkerdyne.files import write_file
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item
from tinkerdyne.sketch.tell.entries import Document
from tinkerdyne.sketch.tell.file import VERSION
from tinkerdyne.sketch.tell.shape import shape_of
from tinkerdyne.sketch.tell.story import Collision, Flight, Surface, Wish

if TYPE_CHECKING:
    from tinkerdyne.sketch.tell.sketch import Sketch
    from tinkerdyne.sketch.tree.sketch import TreeSketch


def save_sketch(sketch: Sketch | TreeSketch, path: str | os.PathLike[str]) -> None:
    """Write a sketch to a file that `load_sketch` reads; conditions that are Python functions cannot be
    kept."""
    write_file(path, json.dumps(document_of(sketch), indent=1, allow_nan=False).encode())


def document_of(sketch: Sketch | TreeSketch) -> Document:
    """The document of a sketch."""
    from tinkerdyne.sketch.tree.document import tree_document
    from tinkerdyne.sketch.tree.sketch import TreeSketch

    head = {"sketch": VERSION, "name": sketch.name, "gravity": sketch.gravity.tolist()}
    return head | (tree_document(sketch) if isinstance(sketch, TreeSketch) else _flights(sketch))


def body_document(body: Item) -> Document:
    values = {key: value for key, value in body.values.items() if key != "is_fixed" or value}
    return {
        "type": body.type.name,
        "name": body.name,
        **values,
        **{key: list(value) for key, value in body.start.items()},
    }


# --- flights and collisions ---------------------------------------------------------------------
def _flights(sketch: Sketch) -> Document:
    struck = [c.on for c in sketch.collisions if c.body is not None and c.on.of is None]
    landed = [
        wish.surface
        for flight in sketch.flights
        for wish in flight.wishes
        if wish.kind == "height" and wish.surface
    ]
    seen = dict.fromkeys([*sketch.surfaces, *struck, *landed])
    names = [one.name for one in seen]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(
                f"two surfaces are called {name!r}; give each a name of its own before the sketch is saved"
            )
    story: list[Document] = [{"keep_above": one.name} for one in sketch.surfaces]
    story += [
        {"vary_force": name, "low": low.tolist(), "high": high.tolist()}
        for name, (low, high) in sketch.forces.items()
    ]
    story += [
        {"vary_inertia": name, "low": low, "high": high} for name, (low, high) in sketch.inertias.items()
    ]
    story += [
        {"keep_apart" if is_kept else "let_overlap": sorted(two)} for two, is_kept in sketch.apart.items()
    ]
    story += [{"stand": name} for name in sketch.standing]
    if sketch.preferred is not None:
        story.append({"style": sketch.preferred.wishes})
    for k, flight in enumerate(sketch.flights):
        story += _told(flight)
        if k < len(sketch.collisions):
            story.append(_collision(sketch.collisions[k], flight))
    return {
        "samples": sketch.count,
        "gap_weight": float(sketch.gap_weight),
        "bodies": [body_document(body) for body in (*sketch.bodies, *sketch.obstacles)],
        "surfaces": [_surface(one) for one in seen],
        "story": story,
        **(
            {"marks": {name: [_mark(one) for one in letters] for name, letters in sketch.marks.items()}}
            if sketch.marks
            else {}
        ),
    }


def _mark(m: Mark) -> Document:
    return {
        "letter": m.letter,
        "normal": m.normal.tolist(),
        "up": m.up.tolist(),
        "at": m.at.tolist(),
        "size": m.size,
    }


def bounds_document(low: Array, high: Array) -> list[list[float | None]]:
    """Bounds by rows; null where there is none, for JSON has no infinity."""
    return [[None if math.isinf(x) else float(x) for x in row] for row in (low, high)]


def _surface(s: Surface) -> Document:
    return {
        "name": s.name,
        "origin": list(s.origin),
        "normal": list(s.normal),
        **({"of": s.of.name} if s.of else {}),
    }


def _told(flight: Flight) -> list[Document]:
    """The tracks, wishes and duration of a flight."""
    out: list[Document] = []
    for name, track in flight.tracks.items():
        entry: Document = {"follow": name, "places": track.places.tolist(), "weight": track.weight}
        entry["turn_weight"] = track.turn_weight
        entry |= {} if track.orientations is None else {"orientations": track.orientations.tolist()}
        entry |= {} if track.keys is None else {"keys": list(track.keys)}
        out.append(entry | ({} if track.times is None else {"times": track.times.tolist()}))
    out += [_wish(wish) for wish in flight.wishes if wish.kind not in ("reach", "face")]
    return out + ([{"lasts": list(flight.duration)}] if flight.duration is not None else [])


def _wish(wish: Wish) -> Document:
    moment = {"when": wish.when} if wish.time is None else {"time": wish.time}
    if wish.kind == "custom" or wish.body is None:
        raise ValueError(
            f"condition {wish.says!r} is a Python function and cannot be kept in a file; ask for a position, "
            "orientation, point, "
            "velocity or spin instead, or tell the condition again after loading"
        )
    who, at = wish.body.name, list(wish.at)
    if wish.kind == "height":
        assert wish.surface is not None
        return {"land": who, "at": at, "on": wish.surface.name}
    if wish.kind == "place":
        assert wish.surface is not None and wish.surface.of is not None
        axes = shape_of(wish.surface.of).axes
        ends = np.array([axes @ wish.low, axes @ wish.high])
        return {
            "inside": who,
            "of": wish.surface.of.name,
            "low": ends.min(axis=0).tolist(),
            "high": ends.max(axis=0).tolist(),
            "at": at,
            **moment,
        }
    is_one = wish.kind == "orientation" or (wish.low == wish.high).all()
    value = wish.low.tolist() if is_one else bounds_document(wish.low, wish.high)
    point = {"at": at} if wish.kind == "point" else {}
    kept = {"hard": wish.is_hard, "weight": wish.weight, "name": wish.name}
    return {"want": who, wish.kind: value, **kept, **moment, **point}


def _collision(c: Collision, flight: Flight) -> Document:
    """What ends a flight."""
    if c.body is None:
        return {"split": True}
    law = {"restitution": list(c.restitution), "friction": list(c.friction), "tilt": c.tilt, "name": c.name}
    at = None if c.at is None else list(c.at)
    if c.on.of is None:
        return {"bounce": c.body.name, "at": at, "on": c.on.name, **law}
    reach = [float(np.sqrt(w.high[0])) for w in flight.wishes if w.kind == "reach" and w.surface == c.on]
    face = {"origin": list(c.on.origin), **({} if c.on.ball else {"normal": list(c.on.normal)})}
    return {
        "collide": c.body.name,
        "at": at,
        "with": c.on.of.name,
        **face,
        **({"reach": reach[0]} if reach else {}),
        **law,
    }
