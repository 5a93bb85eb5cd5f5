"""Sketches of trees in files: joints of bodies, and what is asked of the motion (M7)."""

from __future__ import annotations

import math
from functools import partial
from pathlib import Path

from tinkerdyne.connectors.points import frame, world_frame
from tinkerdyne.constraints.joints import ball, join, pin, universal
from tinkerdyne.language.item import Item
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
from tinkerdyne.sketch.tree.sketch import TreeSketch
from tinkerdyne.sketch.tree.tree import Tree

ANYWHERE = "anywhere"


def tree_sketch(document: Document, bodies: dict[str, Item], name: str, folder: Path) -> TreeSketch:
    """The sketch of a tree of these bodies."""
    listed = entries(name, document, "joints", missing=[])
    joints = [
        placed(f"{name}: joints[{k}]", partial(_joint, given, bodies)) for k, given in enumerate(listed)
    ]
    options = {key: document[key] for key in ("gravity", "steps", "name") if key in document}
    sketch: TreeSketch = placed(name, lambda: TreeSketch(Tree(list(bodies.values()), joints), **options))
    for k, entry in enumerate(entries(name, document, "story")):
        placed(f"{name}: story[{k}]", partial(_tell_tree, sketch, entry, bodies, folder))
    return sketch


def _joint(given: object, bodies: dict[str, Item]) -> Item:
    """A joint of two bodies, or of the world and a body: at a place of the world with an axis, or by its
    frames in the bodies."""
    kinds = {"pin": pin, "universal": universal, "ball": ball}
    if not isinstance(given, dict) or given.get("type") not in kinds:
        raise ValueError(f"a joint names its type, pin, universal or ball, not {str(given)[:60]!r}")
    kind = kinds[given["type"]]
    a = None if given.get("a") is None else named(bodies, given["a"], "body")
    b = named(bodies, given.get("b"), "body")
    options = {key: tuples(value) for key, value in given.items() if key not in ("type", "a", "b")}
    if "frame_a" not in options:
        made: Item = join(kind, a, b, **options)
        return made
    unknown = set(options) - {"frame_a", "frame_b", "name"}
    if unknown or "frame_b" not in options:
        raise ValueError(
            f"a joint has frame_a and frame_b, and perhaps a name, not {', '.join(sorted(options))}"
        )
    name = {"name": options["name"]} if "name" in options else {}
    held: Item = kind(_frame(a, options["frame_a"]), _frame(b, options["frame_b"]), **name)
    return held


def _frame(body: Item | None, given: object) -> Item:
    """A frame of a body or of the world, from its origin and its axes, nine numbers by columns."""
    if not isinstance(given, dict) or set(given) != {"at", "axes"}:
        raise ValueError(f"a frame has at and axes, not {str(given)[:60]!r}")
    at, axes = tuples(given["at"]), tuples(given["axes"])
    made: Item = world_frame(at=at, axes=axes) if body is None else frame(body, at=at, axes=axes)
    return made


def _tell_tree(sketch: TreeSketch, entry: object, bodies: dict[str, Item], folder: Path) -> None:
    """One entry of the story of a tree."""
    verb, subject, options = verb_of(entry, ("follow", "want", "begin", "lasts"))
    if verb == "lasts":
        sketch.lasts(*two("lasts", subject, "times"))
    elif verb == "begin":
        if not isinstance(subject, dict):
            raise ValueError(
                f"begin has within and angle, {{}} for the bodies' own poses, not {str(subject)[:60]!r}"
            )
        call(
            sketch.begin,
            **{key: math.inf if value == ANYWHERE else value for key, value in subject.items()},
        )
    else:
        body = named(bodies, subject, "body")
        if isinstance(options.get("at"), str):
            options["at"] = getattr(body, options["at"])
        if verb == "want":
            call(sketch.want, body, **{key: unbounded(value) for key, value in options.items()})
            return
        gesture, is_timed = gesture_in(options, folder)
        call(sketch.follow, body, gesture.places, times=gesture.times if is_timed else None, **options)
