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

import json
import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tinkerdyne.drawing.bodies import Mark
from tinkerdyne.files import SceneError, read_file
from tinkerdyne.language.checks import number, vector
from tinkerdyne.language.item import Item
from tinkerdyne.language.types import REGISTRY
from tinkerdyne.sketch.tell.entries import (
    Document,
    call,
    entries,
    gesture_in,
    named,
    placed,
    tuples,
    two,
    unbounded,
    verb_of,
)
from tinkerdyne.sketch.tell.shape import shape_of
from tinkerdyne.sketch.tell.sketch import Sketch
from tinkerdyne.sketch.tell.story import Surface

if TYPE_CHECKING:
    from tinkerdyne.sketch.tree.sketch import TreeSketch

VERSION = 1
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
    "stand",
    "style",
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
        document = json.loads(data)
    except (ValueError, RecursionError):
        return b'"sketch"' in data[:200]
    return isinstance(document, dict) and "sketch" in document


def _once(pairs: list[tuple[str, object]]) -> Document:
    names = [key for key, _ in pairs]
    for name in names:
        if names.count(name) > 1:
            raise SceneError(f"the key {name!r} is given twice; keep one")
    return dict(pairs)


def sketch_of(document: object, *, name: str = "sketch", folder: Path = Path()) -> Sketch | TreeSketch:
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
    for k, given in enumerate(entries(name, document, "bodies")):
        body = placed(f"{name}: bodies[{k}]", partial(_body, given))
        if body.name in bodies:
            raise SceneError(
                f"{name}: bodies[{k}]: there is a body {body.name!r} already; give it another name"
            )
        bodies[body.name] = body
    if "joints" in document:
        from tinkerdyne.sketch.tree.file import tree_sketch

        return tree_sketch(document, bodies, name, folder)
    surfaces, taken = {"table": Surface()}, set()
    for k, given in enumerate(entries(name, document, "surfaces", missing=[])):
        surface = placed(f"{name}: surfaces[{k}]", partial(_surface, given, bodies))
        if surface.name in taken:
            raise SceneError(
                f"{name}: surfaces[{k}]: there is a surface {surface.name!r} already; give it another name"
            )
        taken.add(surface.name)
        surfaces[surface.name] = surface
    options = {key: document[key] for key in ("gravity", "samples", "name") if key in document}
    sketch: Sketch = placed(name, lambda: Sketch(*bodies.values(), **options))
    if "gap_weight" in document:
        sketch.gap_weight = placed(
            f"{name}: gap_weight", lambda: number("gap_weight", document["gap_weight"], positive=True)
        )
    if "marks" in document:
        sketch.marks = placed(f"{name}: marks", lambda: _marks(document["marks"], bodies))
    for k, entry in enumerate(entries(name, document, "story")):
        placed(f"{name}: story[{k}]", partial(_tell, sketch, entry, bodies, surfaces, folder))
    return sketch


def _body(given: object) -> Item:
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
        given["name"], **{key: tuples(value) for key, value in given.items() if key not in ("type", "name")}
    )
    shape_of(made)
    return made


def _surface(given: object, bodies: dict[str, Item]) -> Surface:
    if not isinstance(given, dict) or not isinstance(given.get("name"), str):
        raise ValueError(f"a surface needs a name, not {str(given)[:60]!r}")
    unknown = set(given) - {"name", "origin", "normal", "of"}
    if unknown:
        raise ValueError(f"a surface has origin, normal and of, not {', '.join(sorted(unknown))}")
    of = None if given.get("of") is None else named(bodies, given["of"], "body")
    return Surface(
        tuples(given.get("origin", [0, 0, 0])), tuples(given.get("normal", [0, 0, 1])), given["name"], of
    )


def _marks(given: object, bodies: dict[str, Item]) -> dict[str, list[Mark]]:
    """The letters on the sides of bodies."""
    if not isinstance(given, dict):
        raise ValueError(f"marks are lists of letters by the name of a body, not {str(given)[:60]!r}")
    out: dict[str, list[Mark]] = {}
    for name, letters in given.items():
        named(bodies, name, "body")
        for one in letters if isinstance(letters, list) else [letters]:
            if not isinstance(one, dict) or set(one) != {"letter", "normal", "up", "at", "size"}:
                raise ValueError(f"a mark has letter, normal, up, at and size, not {str(one)[:60]!r}")
            n, up, at = (np.array(vector(key, one[key], length=3)) for key in ("normal", "up", "at"))
            out.setdefault(name, []).append(
                Mark(str(one["letter"]), n, up, at, number("size", one["size"], positive=True))
            )
    return out


def _tell(
    sketch: Sketch, entry: object, bodies: dict[str, Item], surfaces: dict[str, Surface], folder: Path
) -> None:
    """One entry of the story."""
    verb, subject, options = verb_of(entry, VERBS)
    if verb == "split":
        sketch.split()
        return
    if verb == "style":
        if not isinstance(subject, dict):
            raise ValueError(f"style has weights such as calmer, not {str(subject)[:60]!r}")
        call(sketch.style, **subject)
        return
    if verb == "lasts":
        sketch.lasts(*two("lasts", subject, "times"))
        return
    if verb == "keep_above":
        sketch.keep_above(named(surfaces, subject, "surface"))
        return
    if verb in ("keep_apart", "let_overlap"):
        a, b = (named(bodies, one, "body") for one in two(verb, subject, "bodies"))
        getattr(sketch, verb)(a, b)
        return
    body = named(bodies, subject, "body")
    if isinstance(options.get("on"), str):
        options["on"] = named(surfaces, options["on"], "surface")
    if isinstance(options.get("at"), str):
        options["at"] = getattr(body, options["at"])
    for key in ("of", "with"):
        if isinstance(options.get(key), str):
            options[key] = named(bodies, options[key], "body")
    if verb == "follow":
        gesture, is_timed = gesture_in(options, folder)
        times = gesture.times if is_timed else None
        call(sketch.follow, body, gesture.places, gesture.orientations, times=times, **options)
    else:
        if verb == "collide" and "with" in options:
            options["b"] = options.pop("with")
        if verb == "want":
            options = {key: unbounded(value) for key, value in options.items()}
        call(getattr(sketch, verb), body, **options)
