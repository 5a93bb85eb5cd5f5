"""Checks at the public door: numbers, vectors, directions, axes and names, or a message in words.

Each takes `what`, how messages speak of the thing ("length of rod 'upper'"), and returns its stored form."""

from __future__ import annotations

import difflib
import inspect
import math
import numbers
from collections.abc import Iterable

import numpy as np

from tinkerdyne.language.synonyms import our_word

LONGEST_NAME = 256  # characters; an object's name is shorter, so that its parts can be called after it


def checked_name(what: str, name: object, *, longest: int = LONGEST_NAME) -> str:
    """A name that can be shown on one line and written to a file; it may be empty."""
    if not isinstance(name, str):
        raise TypeError(f"{what} must be text, not {name!r}")
    if len(name) > longest:
        raise ValueError(f"{what} may have {longest} characters, not {len(name)}: {name[:40]!a}…")
    if not all(c.isprintable() for c in name):
        raise ValueError(f"{what} must be printable characters on one line, not {name!a}")
    return name


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """The end of a message about a name that is not there: the word for what others call so, the nearest
    name that is there, or nothing."""
    known_names = sorted(names)
    ours = our_word(name, known_names)
    if ours:
        return f"; did you mean {ours!r}?"
    by_lower_case = {known.lower(): known for known in known_names}
    lower = name.lower()[:100]
    near = [lower] if lower in by_lower_case else difflib.get_close_matches(lower, by_lower_case, 1, 0.75)
    near += [known for known in by_lower_case if len(lower) > 2 and known.startswith(lower)]
    return f"; did you mean {by_lower_case[near[0]]!r}?" if near else ""


def missing(said: str, name: str, names: Iterable[str]) -> AttributeError:
    """That something has no such attribute, with the nearest one that it has."""
    # A name of its own keeps Python from guessing once more behind our guess.
    return AttributeError(f"{said}{did_you_mean(name, names)}", name="")


def by_name(name: str) -> str:
    """The line that takes an item by its name; a named place of a body comes into being when it is read."""
    owner, dot, part = name.partition(".")
    return f"world[{owner!r}].{part}" if dot and part.isidentifier() else f"world[{name!r}]"


def number(what: str, value: object, *, positive: bool = False, finite: bool = True) -> float:
    """A real number, or a message that names the thing, what came and what was wanted."""
    if type(value) is float and not positive and math.isfinite(value):
        return value  # most are so, and the questions below take a microsecond
    if isinstance(value, np.ndarray) and value.size == 1 and value.dtype.kind in "fi":
        value = value.item()
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (numbers.Real, np.floating, np.integer)):
        raise TypeError(f"{what} must be a number, not {value!r}")
    try:
        out = float(value)
    except OverflowError:
        raise ValueError(f"{what} must be finite, and fit a float64 (to 1.8e308)") from None
    if math.isnan(out):
        raise ValueError(f"{what} must be a number, not NaN")
    if finite and math.isinf(out):
        raise ValueError(f"{what} must be finite, not {out}")
    if positive and out <= 0:
        raise ValueError(f"{what} must be positive, not {out:g}")
    return out


def pieces(what: str, segments: object, *, least: int = 1, most: int = 10_000) -> int:
    """Into how many segments a picture is divided, or a message."""
    if isinstance(segments, bool) or not isinstance(segments, int) or segments < least:
        raise ValueError(
            f"a picture of {what} needs a whole number of segments, at least {least}, not {segments!r}"
        )
    if segments > most:
        raise ValueError(f"a picture of {what} has at most {most:,} segments, not {segments:,}")
    return segments


def is_number(value: object) -> bool:
    """Whether a value is one plain number; a truth is none."""
    return isinstance(value, (numbers.Real, np.floating, np.integer)) and not isinstance(
        value, (bool, np.bool_)
    )


def are_numbers(value: object) -> bool:
    """Whether a value is a tuple, list or array of plain numbers."""
    if isinstance(value, np.ndarray):
        return value.ndim == 1 and value.dtype.kind in "fiu"
    return isinstance(value, (tuple, list)) and all(map(is_number, value))


def function(what: str, value: object, given: str) -> None:
    """Something that can be called with the one thing that it will be `given`, or a message."""
    if not callable(value):
        raise TypeError(f"{what} must be a function that is called, such as print, not {value!r}")
    try:
        inspect.signature(value).bind(given)
    except ValueError:  # some that are written in C do not say what they take
        return
    except TypeError as problem:
        raise TypeError(
            f"{what} is called with the {given}, and does not take it ({problem}); write "
            f"{what}=lambda {given}: …"
        ) from None


def text(what: str, value: str) -> str:
    """A text that a file can hold."""
    try:
        value.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{what} holds half of a surrogate pair: {value[:40]!a}") from None
    return value


def truth(what: str, value: object) -> bool:
    """True or False."""
    if not isinstance(value, bool):
        raise TypeError(f"{what} must be True or False, not {value!r}")
    return value


def vector(what: str, value: object, *, length: int | tuple[int, ...] = ()) -> tuple[float, ...]:
    """A tuple of finite numbers of a wanted length."""
    if isinstance(value, (str, bytes)) or not hasattr(value, "__iter__"):
        raise TypeError(f"{what} must be a sequence of numbers, not {value!r}{along(value)}")
    out: tuple[float, ...]
    if type(value) is tuple and all([type(x) is float and math.isfinite(x) for x in value]):
        out = value  # as most are
    else:
        flat = np.asarray(value, dtype=object).ravel().tolist()
        part, of, whole = what.partition(" of ")
        out = tuple(number(f"{part}[{k}]{of}{whole}", x) for k, x in enumerate(flat))
    wanted = (length,) if isinstance(length, int) else length
    if wanted and len(out) not in wanted:
        counts = " or ".join(str(w) for w in wanted)
        raise ValueError(f"{what} must have {counts} numbers, not {len(out)}: {value!r}")
    return out


def along(letter: object) -> str:
    """What to write for the letter of an axis, at the end of a message."""
    axes = {"x": "(1, 0, 0)", "y": "(0, 1, 0)", "z": "(0, 0, 1)"}
    return f"; write {axes[letter]}" if isinstance(letter, str) and letter in axes else ""


def unit(what: str, value: object) -> tuple[float, ...]:
    """A direction, made one unit long."""
    flat = vector(what, value, length=(2, 3))
    size = math.hypot(*flat)
    if size == 0:
        raise ValueError(f"{what} must not be zero: it is a direction")
    return flat if abs(size - 1) < 1e-12 else tuple(x / size for x in flat)


def axes(what: str, value: object) -> tuple[float, ...]:
    """Unit axes at right angles, right-handed, by columns."""
    flat = vector(what, value, length=(4, 9))
    n = 2 if len(flat) == 4 else 3
    R = np.array(flat).reshape(n, n)
    if np.abs(R @ R.T - np.eye(n)).max() > 1e-6 or np.linalg.det(R) < 0:
        raise ValueError(f"{what} must be unit axes at right angles, right-handed, by columns, not {value!r}")
    return flat
