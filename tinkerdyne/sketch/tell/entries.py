"""Entries of a sketch's file: named things, verbs with their fields, and gestures; what is wrong is told with
its place."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from tinkerdyne.files import SceneError
from tinkerdyne.language.checks import number
from tinkerdyne.sketch.tell.gesture import Gesture, gesture_of, load_gesture

Document: TypeAlias = dict[str, Any]  # what JSON holds
T = TypeVar("T")
SMOOTH = 1.5  # samples


def placed(where: str, call: Callable[[], T]) -> T:
    """The result of a call; what goes wrong is told with its place in the file."""
    try:
        return call()
    except SceneError as problem:
        raise SceneError(f"{where}: {problem}") from problem
    except (TypeError, ValueError, KeyError, AttributeError) as problem:
        said = problem.args[0] if problem.args else problem
        raise SceneError(f"{where}: {said}") from problem


def entries(name: str, document: Document, key: str, missing: list[Any] | None = None) -> list[Any]:
    listed = document.get(key, missing)
    if not isinstance(listed, list) or (missing is None and not listed):
        raise SceneError(f"{name}: {key} must be a list with at least one entry, not {str(listed)[:60]!r}")
    return listed


def named(known: dict[str, T], name: object, what: str) -> T:
    if not isinstance(name, str) or name not in known:
        raise ValueError(f"there is no {what} {name!r}; there are {', '.join(known) or 'none'}")
    return known[name]


def tuples(value: Any) -> Any:
    return tuple(tuples(v) for v in value) if isinstance(value, list) else value


def unbounded(value: Any) -> Any:
    """A value, or its bounds; null where it is free on that side."""
    if not isinstance(value, list) or len(value) != 2 or not all(isinstance(row, list) for row in value):
        return value
    return [
        [free if x is None else x for x in row]
        for row, free in zip(value, (-math.inf, math.inf), strict=True)
    ]


def two(verb: str, given: object, what: str) -> list[Any]:
    if not isinstance(given, list) or len(given) != 2:
        raise ValueError(f"{verb} names two {what}, not {str(given)[:60]!r}")
    return given


def verb_of(entry: object, verbs: tuple[str, ...]) -> tuple[str, Any, Document]:
    """What an entry says, of what, and the rest of it."""
    if not isinstance(entry, dict) or sum(verb in entry for verb in verbs) != 1:
        raise ValueError(f"an entry has one of {', '.join(verbs)}, not {str(entry)[:60]!r}")
    verb = next(verb for verb in verbs if verb in entry)
    return verb, entry[verb], {key: value for key, value in entry.items() if key != verb}


def call(method: Callable[..., None], *given: object, **options: object) -> None:
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


def gesture_in(options: Document, folder: Path) -> tuple[Gesture, bool]:
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
        first, last = two("rows", rows, "numbers of samples")
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
