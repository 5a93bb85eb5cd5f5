"""Sketch files: a sketch as JSON, told in the order in which it happens, with gestures in files beside it.

{"sketch": 1, "bodies": [{"type": "cylinder", "name": "pencil", "length": 0.18, "radius": 0.004, "mass":
0.006}],
 "surfaces": [{"name": "table"}],
 "story": [{"follow": "pencil", "gesture": "throw.csv", "rows": [0, 40]},
           {"bounce": "pencil", "at": "end2", "on": "table", "restitution": 0.6},
           {"follow": "pencil", "gesture": "throw.csv", "rows": [40, 90]},
           {"want": "pencil", "position": [0.55, 0, 0.1], "orientation": [0.7, 0, 0.7, 0]}]}
"""

from __future__ import annotations

import inspect
import json
import math
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tinkerdyne.connectors.points import frame, world_frame
from tinkerdyne.constraints.joints import ball, join, pin, universal
from tinkerdyne.drawing.bodies import Mark
from tinkerdyne.files import SceneError, read_file
from tinkerdyne.language.item import Item, number, vector
from tinkerdyne.language.types import REGISTRY
from tinkerdyne.sketch.tell.gesture import Gesture, gesture_of, load_gesture
from tinkerdyne.sketch.tell.shape import shape_of
from tinkerdyne.sketch.tell.sketch import Sketch
from tinkerdyne.sketch.tell.story import Surface

if TYPE_CHECKING:
    from tinkerdyne.sketch.tree.sketch import TreeSketch

VERSION = 1
ANYWHERE = "anywhere"
SMOOTH = 1.5  # samples
FIELDS = {
    "sketch",
    "name",
    "gravity",
    "bodies",
    "surfaces",
    "joints",
    "story",
    "samples",
    "steps",
    "gap_weight",
    "marks",
}
VERBS = (
    "follow",
    "bounce",
    "collide",
    "want",
    "split",
    "land",
    "inside",
    "lasts",
    "keep_above",
    "keep_apart",
    "let_overlap",
    "vary_force",
    "vary_inertia",
)


def load_sketch(path: str | os.PathLike[str]) -> Sketch | TreeSketch:
    """The sketch of a file, of a tree where it has joints; a SceneError says what is wrong with it, and in
    which entry."""
    name = os.fspath(path)
    try:
        document = json.loads(read_file(path), object_pairs_hook=_once)
    except SceneError as problem:
        raise SceneError(f"{name}: {problem}") from problem
    except (ValueError, RecursionError) as problem:
        # also a UnicodeDecodeError, and a whole number of too many digits
        where = (
            f" (line {problem.lineno}, column {problem.colno})"
            if isinstance(problem, json.JSONDecodeError)
            else ""
        )
        raise SceneError(f"{name}: this is not JSON{where}: {problem}") from problem
    return sketch_of(document, name=name, folder=Path(path).parent)


def is_sketch(path: str | os.PathLike[str]) -> bool:
    """Whether a file is JSON that calls itself a sketch, wherever it says so; of what is broken, whether it
    begins like one."""
    data = read_file(path)
    try:
        told = json.loads(data)
    except (ValueError, RecursionError):
        return b'"sketch"' in data[:200]
    return isinstance(told, dict) and "sketch" in told


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = [key for key, _ in pairs]
    for name in names:
        if names.count(name) > 1:
            raise SceneError(f"the key {name!r} is given twice; keep one")
    return dict(pairs)


def sketch_of(document: Any, *, name: str = "sketch", folder: Path = Path()) -> Sketch | TreeSketch:
    """The sketch of a document; gestures lie in the folder."""
    if not isinstance(document, dict) or "sketch" not in document:
        raise SceneError(f'{name}: this is no sketch: it must begin with {{"sketch": {VERSION}, …}}')
    if document["sketch"] != VERSION:
        raise SceneError(
            f"{name}: sketch format {document['sketch']!r} is not known here; this version reads {VERSION}"
        )
    unknown = set(document) - FIELDS
    if unknown:
        raise SceneError(
            f"{name}: a sketch has no {', '.join(sorted(map(repr, unknown)))}; it has "
            f"{', '.join(sorted(FIELDS))}"
        )
    if not isinstance(document.get("name", ""), str):
        raise SceneError(f"{name}: the name of a sketch must be text, not {document['name']!r}")
    bodies = {}
    for k, given in enumerate(_list(name, document, "bodies")):
        body = _at(f"{name}: bodies[{k}]", partial(_body, given))
        if body.name in bodies:
            raise SceneError(
                f"{name}: bodies[{k}]: there is a body {body.name!r} already; give it another name"
            )
        bodies[body.name] = body
    if "joints" in document:
        return _tree(document, bodies, name, folder)
    surfaces, told = {"table": Surface()}, set()
    for k, given in enumerate(_list(name, document, "surfaces", missing=[])):
        found = _at(f"{name}: surfaces[{k}]", partial(_surface, given, bodies))
        if found.name in told:
            raise SceneError(
                f"{name}: surfaces[{k}]: there is a surface {found.name!r} already; give it another name"
            )
        told.add(found.name)
        surfaces[found.name] = found
    options = {key: document[key] for key in ("gravity", "samples", "name") if key in document}
    sketch: Sketch = _at(name, lambda: Sketch(*bodies.values(), **options))
    if "gap_weight" in document:
        sketch.gap_weight = _at(
            f"{name}: gap_weight", lambda: number("gap_weight", document["gap_weight"], positive=True)
        )
    if "marks" in document:
        sketch.marks = _at(f"{name}: marks", lambda: _marks(document["marks"], bodies))
    for k, entry in enumerate(_list(name, document, "story")):
        _at(f"{name}: story[{k}]", partial(_tell, sketch, entry, bodies, surfaces, folder))
    return sketch


# --- trees --------------------------------------------------------------------------------------
def _tree(document: dict[str, Any], bodies: dict[str, Item], name: str, folder: Path) -> TreeSketch:
    from tinkerdyne.sketch.tree.sketch import TreeSketch
    from tinkerdyne.sketch.tree.tree import Tree

    told = _list(name, document, "joints", missing=[])
    joints = [_at(f"{name}: joints[{k}]", partial(_joint, given, bodies)) for k, given in enumerate(told)]
    options = {key: document[key] for key in ("gravity", "steps", "name") if key in document}
    sketch: TreeSketch = _at(name, lambda: TreeSketch(Tree(list(bodies.values()), joints), **options))
    for k, entry in enumerate(_list(name, document, "story")):
        _at(f"{name}: story[{k}]", partial(_tell_tree, sketch, entry, bodies, folder))
    return sketch


def _joint(given: Any, bodies: dict[str, Item]) -> Item:
    """A joint of two bodies, or of the world and a body: at a place of the world with an axis, or by its
    frames in the bodies."""
    kinds = {"pin": pin, "universal": universal, "ball": ball}
    if not isinstance(given, dict) or given.get("type") not in kinds:
        raise ValueError(f"a joint names its type, pin, universal or ball, not {str(given)[:60]!r}")
    kind = kinds[given["type"]]
    a = None if given.get("a") is None else _named(bodies, given["a"], "body")
    b = _named(bodies, given.get("b"), "body")
    options = {key: _tuples(value) for key, value in given.items() if key not in ("type", "a", "b")}
    if "frame_a" not in options:
        made: Item = join(kind, a, b, **options)
        return made
    unknown = set(options) - {"frame_a", "frame_b", "name"}
    if unknown or "frame_b" not in options:
        raise ValueError(
            f"a joint has frame_a and frame_b, and perhaps a name, not {', '.join(sorted(options))}"
        )
    named = {"name": options["name"]} if "name" in options else {}
    held: Item = kind(_frame(a, options["frame_a"]), _frame(b, options["frame_b"]), **named)
    return held


def _frame(body: Item | None, given: Any) -> Any:
    """A frame of a body or of the world, from its origin and its axes, nine numbers by columns."""
    if not isinstance(given, dict) or set(given) != {"at", "axes"}:
        raise ValueError(f"a frame has at and axes, not {str(given)[:60]!r}")
    at, axes = _tuples(given["at"]), _tuples(given["axes"])
    return world_frame(at=at, axes=axes) if body is None else frame(body, at=at, axes=axes)


def _tell_tree(sketch: TreeSketch, entry: Any, bodies: dict[str, Item], folder: Path) -> None:
    """One entry of the story of a tree."""
    verb, options = _verb(entry, ("follow", "want", "begin", "lasts"))
    if verb == "lasts":
        sketch.lasts(*_two("lasts", entry["lasts"], "times"))
    elif verb == "begin":
        if not isinstance(entry["begin"], dict):
            raise ValueError(
                f"begin has within and angle, {{}} for the bodies' own poses, not "
                f"{str(entry['begin'])[:60]!r}"
            )
        _call(
            sketch.begin,
            **{key: math.inf if value == ANYWHERE else value for key, value in entry["begin"].items()},
        )
    else:
        body = _named(bodies, entry[verb], "body")
        if isinstance(options.get("at"), str):
            options["at"] = getattr(body, options["at"])
        if verb == "want":
            _call(sketch.want, body, **{key: _unbounded(value) for key, value in options.items()})
            return
        gesture, is_timed = _gesture(options, folder)
        _call(sketch.follow, body, gesture.places, times=gesture.times if is_timed else None, **options)


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
            f"there is no body of type {given['type']!r}; there are box, sphere, cylinder, capsule, rod, "
            "cone, torus, card, mesh …"
        )
    if not isinstance(given.get("name"), str) or not given["name"]:
        raise ValueError(f"a {given['type']} of a sketch needs a name")
    made: Item = kind(
        given["name"], **{key: _tuples(value) for key, value in given.items() if key not in ("type", "name")}
    )
    shape_of(made)
    return made


def _surface(given: Any, bodies: dict[str, Item]) -> Surface:
    if not isinstance(given, dict) or not isinstance(given.get("name"), str):
        raise ValueError(f"a surface needs a name, not {str(given)[:60]!r}")
    unknown = set(given) - {"name", "origin", "normal", "of"}
    if unknown:
        raise ValueError(f"a surface has origin, normal and of, not {', '.join(sorted(unknown))}")
    of = None if given.get("of") is None else _named(bodies, given["of"], "body")
    return Surface(
        _tuples(given.get("origin", [0, 0, 0])), _tuples(given.get("normal", [0, 0, 1])), given["name"], of
    )


def _named(known: dict[str, Any], name: Any, what: str) -> Any:
    if not isinstance(name, str) or name not in known:
        raise ValueError(f"there is no {what} {name!r}; there are {', '.join(known) or 'none'}")
    return known[name]


def _tuples(value: Any) -> Any:
    return tuple(_tuples(v) for v in value) if isinstance(value, list) else value


def _marks(given: Any, bodies: dict[str, Item]) -> dict[str, list[Mark]]:
    """The letters on the sides of bodies."""
    if not isinstance(given, dict):
        raise ValueError(f"marks are lists of letters by the name of a body, not {str(given)[:60]!r}")
    out: dict[str, list[Mark]] = {}
    for name, letters in given.items():
        _named(bodies, name, "body")
        for one in letters if isinstance(letters, list) else [letters]:
            if not isinstance(one, dict) or set(one) != {"letter", "normal", "up", "at", "size"}:
                raise ValueError(f"a mark has letter, normal, up, at and size, not {str(one)[:60]!r}")
            n, up, at = (np.array(vector(key, one[key], length=3)) for key in ("normal", "up", "at"))
            out.setdefault(name, []).append(
                Mark(str(one["letter"]), n, up, at, number("size", one["size"], positive=True))
            )
    return out


def _unbounded(value: Any) -> Any:
    """A value, or its bounds; null where it is free on that side."""
    if not isinstance(value, list) or len(value) != 2 or not all(isinstance(row, list) for row in value):
        return value
    return [
        [free if x is None else x for x in row]
        for row, free in zip(value, (-math.inf, math.inf), strict=True)
    ]


def _tell(
    sketch: Sketch, entry: Any, bodies: dict[str, Item], surfaces: dict[str, Surface], folder: Path
) -> None:
    """One entry of the story."""
    verb, options = _verb(entry, VERBS)
    if verb == "split":
        sketch.split()
        return
    if verb == "lasts":
        sketch.lasts(*_two("lasts", entry["lasts"], "times"))
        return
    if verb == "keep_above":
        sketch.keep_above(_named(surfaces, entry["keep_above"], "surface"))
        return
    if verb in ("keep_apart", "let_overlap"):
        a, b = (_named(bodies, one, "body") for one in _two(verb, entry[verb], "bodies"))
        getattr(sketch, verb)(a, b)
        return
    body = _named(bodies, entry[verb], "body")
    if isinstance(options.get("on"), str):
        options["on"] = _named(surfaces, options["on"], "surface")
    if isinstance(options.get("at"), str):
        options["at"] = getattr(body, options["at"])
    for key in ("of", "with"):
        if isinstance(options.get(key), str):
            options[key] = _named(bodies, options[key], "body")
    if verb == "follow":
        gesture, is_timed = _gesture(options, folder)
        times = gesture.times if is_timed else None
        _call(sketch.follow, body, gesture.places, gesture.orientations, times=times, **options)
    else:
        if verb == "collide" and "with" in options:
            options["b"] = options.pop("with")
        if verb == "want":
            options = {key: _unbounded(value) for key, value in options.items()}
        _call(getattr(sketch, verb), body, **options)


def _call(method: Callable[..., None], *given: Any, **options: Any) -> None:
    """Tell the sketch something; what is missing or unknown is named as it stands in the file."""
    try:
        inspect.signature(method).bind(*given, **options)
    except TypeError as problem:
        said = (
            str(problem)
            .replace("keyword argument", "field")
            .replace("argument", "field")
            .replace("'b'", "'with'")
        )
        raise ValueError(f"{method.__name__} {said}") from problem
    method(*given, **options)


def _two(verb: str, given: Any, what: str) -> list[Any]:
    if not isinstance(given, list) or len(given) != 2:
        raise ValueError(f"{verb} names two {what}, not {str(given)[:60]!r}")
    return given


def _verb(entry: Any, verbs: tuple[str, ...]) -> tuple[str, dict[str, Any]]:
    """What an entry says, and the rest of it."""
    if not isinstance(entry, dict) or sum(verb in entry for verb in verbs) != 1:
        raise ValueError(f"an entry has one of {', '.join(verbs)}, not {str(entry)[:60]!r}")
    verb = next(verb for verb in verbs if verb in entry)
    return verb, {key: value for key, value in entry.items() if key != verb}


def _gesture(options: dict[str, Any], folder: Path) -> tuple[Gesture, bool]:
    """A track from the file itself, or rows of a gesture beside it; a gesture's own times count only where
    `timed` says so."""
    if "gesture" not in options:
        gesture = gesture_of(
            {key: options.pop(key) for key in ("places", "orientations", "times") if key in options}
        )
        return gesture, gesture.times is not None
    if not isinstance(options["gesture"], str):
        raise ValueError(f"gesture must be the name of a file, not {str(options['gesture'])[:60]!r}")
    given = Path(options.pop("gesture"))
    if given.is_absolute() or ".." in given.parts:
        raise ValueError(f"gesture {str(given)!r} must lie beside the sketch, or below")
    try:
        gesture = load_gesture(folder / given)
    except OSError as problem:
        why = (
            f"gesture {str(given)!r} cannot be read ({problem.strerror}); it lies beside the sketch, or below"
        )
        raise ValueError(why) from problem
    if (rows := options.pop("rows", None)) is not None:
        first, last = _two("rows", rows, "numbers of samples")
        if not (isinstance(first, int) and isinstance(last, int) and 0 <= first < last <= len(gesture)):
            raise ValueError(
                f"rows must be two whole numbers in order, from 0 to the gesture's {len(gesture)}, not "
                f"{rows!r}"
            )
        gesture = gesture[first:last]
    smooth = number("smooth", options.pop("smooth", SMOOTH))
    if smooth < 0:
        raise ValueError(f"smooth must not be negative, not {smooth:g}; 0 leaves the gesture as it is")
    if not isinstance(timed := options.pop("timed", False), bool):
        raise ValueError(f"timed must be true or false, not {timed!r}")
    return gesture.smoothed(smooth), timed
