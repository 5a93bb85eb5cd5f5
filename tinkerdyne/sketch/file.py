"""Sketch files: a sketch as JSON, told in the order in which it happens, with gestures in files beside it.

{"sketch": 1, "bodies": [{"type": "cylinder", "name": "pencil", "length": 0.18, "radius": 0.004, "mass": 0.006}],
 "surfaces": [{"name": "table"}],
 "story": [{"follow": "pencil", "gesture": "throw.csv", "rows": [0, 40]},
           {"bounce": "pencil", "at": "end2", "on": "table", "restitution": 0.6},
           {"follow": "pencil", "gesture": "throw.csv", "rows": [40, 90]},
           {"want": "pencil", "position": [0.55, 0, 0.1], "orientation": [0.7, 0, 0.7, 0]}]}
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from tinkerdyne.files import SceneError, read_file, write_file
from tinkerdyne.kernel.item import Item
from tinkerdyne.kernel.types import REGISTRY
from tinkerdyne.sketch.flight import shape_of
from tinkerdyne.sketch.gesture import Gesture, gesture_of, load_gesture
from tinkerdyne.sketch.sketch import Sketch
from tinkerdyne.sketch.story import Surface

VERSION = 1
SMOOTH = 1.5  # samples


def load_sketch(path: str | os.PathLike[str]) -> Sketch:
    """The sketch of a file; a SceneError says what is wrong with it, and in which entry."""
    name = os.fspath(path)
    try:
        document = json.loads(read_file(path))
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as problem:
        where = f" (line {problem.lineno}, column {problem.colno})" if isinstance(problem, json.JSONDecodeError) else ""
        raise SceneError(f"{name}: this is not JSON{where}: {problem}") from problem
    if not isinstance(document, dict) or "sketch" not in document:
        raise SceneError(f'{name}: this is no sketch: it must begin with {{"sketch": {VERSION}, …}}')
    if document["sketch"] != VERSION:
        raise SceneError(f"{name}: sketch format {document['sketch']!r} is not known here; this version reads {VERSION}")
    unknown = set(document) - {"sketch", "name", "gravity", "bodies", "surfaces", "story", "samples"}
    if unknown:
        raise SceneError(f"{name}: a sketch has no {', '.join(sorted(map(repr, unknown)))}")
    bodies = {}
    for k, given in enumerate(_list(name, document, "bodies")):
        body = _at(f"{name}: bodies[{k}]", partial(_body, given))
        bodies[body.name] = body
    surfaces = {"table": Surface()}
    for k, given in enumerate(_list(name, document, "surfaces", missing=[])):
        found = _at(f"{name}: surfaces[{k}]", partial(_surface, given, bodies))
        surfaces[found.name] = found
    options = {key: document[key] for key in ("gravity", "samples", "name") if key in document}
    sketch: Sketch = _at(name, lambda: Sketch(*bodies.values(), **options))
    for k, entry in enumerate(_list(name, document, "story")):
        _at(f"{name}: story[{k}]", partial(_tell, sketch, entry, bodies, surfaces, Path(path).parent))
    return sketch


def _at(where: str, call: Callable[[], Any]) -> Any:
    """The result of a call; what goes wrong is told with its place in the file."""
    try:
        return call()
    except SceneError as problem:
        raise SceneError(f"{where}: {problem}") from problem
    except (TypeError, ValueError, KeyError, AttributeError) as problem:
        said = problem.args[0] if problem.args else problem
        raise SceneError(f"{where}: {said}") from problem


def _list(name: str, document: dict[str, Any], key: str, missing: Any = None) -> list[Any]:
    found = document.get(key, missing)
    if not isinstance(found, list) or (missing is None and not found):
        raise SceneError(f"{name}: {key} must be a list with at least one entry, not {str(found)[:60]!r}")
    return found


def _body(given: Any) -> Item:
    if not isinstance(given, dict) or not isinstance(given.get("type"), str):
        raise ValueError(f'a body names its type, such as "box", not {str(given)[:60]!r}')
    kind = REGISTRY.get(given["type"])
    if kind is None or getattr(kind, "family", "") != "object":
        raise ValueError(
            f"there is no body of type {given['type']!r}; there are box, sphere, cylinder, capsule, rod, cone, torus, card, mesh …"
        )
    if not isinstance(given.get("name"), str) or not given["name"]:
        raise ValueError(f"a {given['type']} of a sketch needs a name")
    made: Item = kind(given["name"], **{key: _tuples(value) for key, value in given.items() if key not in ("type", "name")})
    shape_of(made)
    return made


def _surface(given: Any, bodies: dict[str, Item]) -> Surface:
    if not isinstance(given, dict) or not isinstance(given.get("name"), str):
        raise ValueError(f"a surface needs a name, not {str(given)[:60]!r}")
    unknown = set(given) - {"name", "origin", "normal", "of"}
    if unknown:
        raise ValueError(f"a surface has origin, normal and of, not {', '.join(sorted(unknown))}")
    of = None if given.get("of") is None else _named(bodies, given["of"], "body")
    return Surface(tuple(given.get("origin", (0, 0, 0))), tuple(given.get("normal", (0, 0, 1))), given["name"], of)


def _named(known: dict[str, Any], name: Any, what: str) -> Any:
    if name not in known:
        raise ValueError(f"there is no {what} {name!r}; there are {', '.join(known) or 'none'}")
    return known[name]


def _tuples(value: Any) -> Any:
    return tuple(_tuples(v) for v in value) if isinstance(value, list) else value


def _tell(sketch: Sketch, entry: Any, bodies: dict[str, Item], surfaces: dict[str, Surface], folder: Path) -> None:
    """One entry of the story."""
    verbs = ("follow", "bounce", "want", "split", "land", "lasts", "keep_above", "vary_force")
    if not isinstance(entry, dict) or sum(verb in entry for verb in verbs) != 1:
        raise ValueError(f"an entry has one of {', '.join(verbs)}, not {str(entry)[:60]!r}")
    verb = next(verb for verb in verbs if verb in entry)
    options = {key: value for key, value in entry.items() if key != verb}
    if verb == "split":
        sketch.split()
        return
    if verb == "lasts":
        sketch.lasts(*entry["lasts"])
        return
    if verb == "keep_above":
        sketch.keep_above(_named(surfaces, entry["keep_above"], "surface"))
        return
    body = _named(bodies, entry[verb], "body")
    if isinstance(options.get("on"), str):
        options["on"] = _named(surfaces, options["on"], "surface")
    if isinstance(options.get("at"), str):
        options["at"] = getattr(body, options["at"])
    if verb == "follow":
        _follow(sketch, body, options, folder)
    elif verb == "vary_force":
        sketch.vary_force(body, options["low"], options["high"])
    else:
        getattr(sketch, verb)(body, **options)


def _follow(sketch: Sketch, body: Item, options: dict[str, Any], folder: Path) -> None:
    """A track from the file itself, or rows of a gesture beside it; a gesture's own times count only where `timed` says so."""
    if "gesture" in options:
        given = Path(options.pop("gesture"))
        if given.is_absolute() or ".." in given.parts:
            raise ValueError(f"gesture {str(given)!r} must lie beside the sketch, or below")
        gesture: Gesture = load_gesture(folder / given)
        if (rows := options.pop("rows", None)) is not None:
            gesture = gesture[slice(*rows)]
        gesture = gesture.smoothed(float(options.pop("smooth", SMOOTH)))
        is_timed = options.pop("timed", False)
    else:
        gesture = gesture_of({key: options.pop(key) for key in ("places", "orientations", "times") if key in options})
        is_timed = gesture.times is not None
    sketch.follow(body, gesture.places, gesture.orientations, times=gesture.times if is_timed else None, **options)


def save_sketch(sketch: Sketch, path: str | os.PathLike[str]) -> None:
    """Write a sketch to a file that `load_sketch` reads; conditions that are Python functions cannot be kept."""
    bodies = []
    for body in sketch.bodies:
        values = {key: value for key, value in body.values.items() if key != "is_fixed"}
        bodies.append({"type": body.type.name, "name": body.name, **values, **{k: list(v) for k, v in body.start.items()}})
    seen = {*sketch.surfaces, *(c.on for c in sketch.collisions)}
    surfaces = [
        {"name": s.name, "origin": list(s.origin), "normal": list(s.normal), **({"of": s.of.name} if s.of else {})} for s in seen
    ]
    story: list[dict[str, Any]] = []
    for k, flight in enumerate(sketch.flights):
        for name, track in flight.tracks.items():
            entry: dict[str, Any] = {
                "follow": name,
                "places": track.places.tolist(),
                "weight": track.weight,
                "turn_weight": track.turn_weight,
            }
            entry |= {} if track.orientations is None else {"orientations": track.orientations.tolist()}
            story.append(entry | ({} if track.times is None else {"times": track.times.tolist()}))
        for wish in flight.wishes:
            if wish.kind not in ("position", "orientation", "point", "velocity", "spin") or wish.body is None:
                raise ValueError(f"{wish.says} cannot be kept in a file; only values of a body's state can")
            value = (
                wish.low.tolist()
                if wish.kind == "orientation" or (wish.low == wish.high).all()
                else [wish.low.tolist(), wish.high.tolist()]
            )
            moment = {"when": wish.when} if wish.time is None else {"time": wish.time}
            point = {"at": list(wish.at)} if wish.kind == "point" else {}
            story.append(
                {
                    "want": wish.body.name,
                    wish.kind: value,
                    "hard": wish.is_hard,
                    "weight": wish.weight,
                    "name": wish.name,
                    **moment,
                    **point,
                }
            )
        if flight.duration is not None:
            story.append({"lasts": list(flight.duration)})
        if k < len(sketch.collisions):
            c = sketch.collisions[k]
            story.append(
                {"split": True}
                if c.body is None
                else {
                    "bounce": c.body.name,
                    "at": None if c.at is None else list(c.at),
                    "on": c.on.name,
                    "restitution": list(c.restitution),
                    "friction": list(c.friction),
                    "tilt": c.tilt,
                    "name": c.name,
                }
            )
    document = {
        "sketch": VERSION,
        "name": sketch.name,
        "gravity": sketch.gravity.tolist(),
        "samples": sketch.count,
        "bodies": bodies,
        "surfaces": surfaces,
        "story": story,
    }
    write_file(path, json.dumps(document, indent=1).encode())
