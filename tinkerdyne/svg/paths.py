"""The small languages inside SVG: numbers, transforms, and paths (M L H V C S Q T A Z) as pieces of degree
one to three."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

import numpy as np

from tinkerdyne.language.arrays import Array

FARTHEST = 1e9  # units from the origin
DROPPED = 1e-9  # units: a shorter piece is nothing
MOST_PIECES = 5_000  # curves made of one drawing
MOST_TRANSFORMS = 1_000  # of one element


class SVGError(ValueError):
    """A drawing that cannot be read: what, where, and why."""


NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_SPACE = re.compile(r"[\s,]*")
_TRANSFORM = re.compile(r"\s*(matrix|translate|scale|rotate|skewX|skewY)\s*\(([^()]*)\)[\s,]*")
_FLAG = re.compile("[01]")
_TAKES = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}


def numbers(what: str, text: str) -> list[float]:
    """Numbers with spaces or commas between them."""
    found, at = [], _SPACE.match(text).end()  # type: ignore[union-attr]
    while at < len(text):
        match = NUMBER.match(text, at)
        if match is None:
            raise SVGError(f"{what}: a number was wanted at {text[at : at + 20]!r} (character {at})")
        found.append(bounded(what, match.group()))
        at = _SPACE.match(text, match.end()).end()  # type: ignore[union-attr]
    return found


def bounded(what: str, text: str) -> float:
    value = float(text)
    if not abs(value) <= FARTHEST:
        raise SVGError(f"{what}: {text[:20]} is farther than {FARTHEST:g} units; scale the drawing")
    return value


def transform(what: str, text: str) -> Array:
    """The 3 × 3 matrix of a transform attribute."""
    M, at, text = np.eye(3), 0, text.rstrip()
    if text.count("(") > MOST_TRANSFORMS:
        raise SVGError(f"transform of {what} has more than {MOST_TRANSFORMS} parts; make one matrix of them")
    while at < len(text):
        match = _TRANSFORM.match(text, at)
        if match is None:
            raise SVGError(f"transform of {what} is not understood at {text[at : at + 30]!r}")
        M = M @ _step(what, match[1], numbers(f"transform of {what}", match[2]))
        at = match.end()
    return M


def _step(what: str, name: str, given: list[float]) -> Array:
    allowed = {
        "matrix": (6,),
        "translate": (1, 2),
        "scale": (1, 2),
        "rotate": (1, 3),
        "skewX": (1,),
        "skewY": (1,),
    }[name]
    if len(given) not in allowed:
        raise SVGError(
            f"transform of {what}: {name} takes {' or '.join(map(str, allowed))} numbers, not {len(given)}"
        )
    if name == "matrix":
        a, b, c, d, e, f = given
        return np.array([[a, c, e], [b, d, f], [0, 0, 1]])
    if name == "translate":
        return np.array([[1, 0, given[0]], [0, 1, given[1] if len(given) == 2 else 0], [0, 0, 1]])
    if name == "scale":
        return np.diag([given[0], given[-1], 1.0])
    angle = math.radians(given[0])
    if name == "rotate":
        c, s = math.cos(angle), math.sin(angle)
        x, y = given[1:] if len(given) == 3 else (0.0, 0.0)
        return np.array([[c, -s, x - c * x + s * y], [s, c, y - s * x - c * y], [0, 0, 1]])
    t = math.tan(angle)
    return (
        np.array([[1, t, 0], [0, 1, 0], [0, 0, 1]])
        if name == "skewX"
        else np.array([[1, 0, 0], [t, 1, 0], [0, 0, 1]])
    )


def path(what: str, text: str, most: int = MOST_PIECES) -> list[tuple[list[Array], bool]]:
    """The subpaths of a path: pieces as control points (2, 3 or 4 of them), and whether it is closed.

    What has more commands than `most` pieces could need is refused while it is read, before anything is made
    of it."""
    subpaths: list[tuple[list[Array], bool]] = []
    pieces: list[Array] = []
    here = begin = handle = np.zeros(2)
    before = ""
    for count, (command, given) in enumerate(_commands(what, text)):
        if count > 2 * most + 1:  # a move and a line make one piece
            raise SVGError(f"{what} has more than {most:,} pieces; simplify it, or read parts of it")
        kind, shift = command.upper(), here if command.islower() else np.zeros(2)
        if kind == "M":
            if pieces:
                subpaths.append((pieces, False))
            pieces, here = [], shift + given
            begin = here
        elif kind == "Z":
            if np.hypot(*(begin - here)) > DROPPED:
                pieces.append(np.stack([here, begin]))
            if pieces:
                subpaths.append((pieces, True))
            pieces, here = [], begin
        elif kind == "A":
            end = shift + given[5:]
            pieces += _arc(here, given[:2], given[2], given[3] != 0, given[4] != 0, end)
            here = end
        else:
            if kind == "H":
                points = np.array([[given[0] + shift[0], here[1]]])
            elif kind == "V":
                points = np.array([[here[0], given[0] + shift[1]]])
            else:
                points = np.reshape(given, (-1, 2)) + shift
            if kind in "ST":
                smooth = before in ("CS" if kind == "S" else "QT")
                points = np.vstack([2 * here - handle if smooth else here, points])
            piece = np.vstack([here, points])
            if np.ptp(piece, axis=0).max() > DROPPED:
                pieces.append(piece)
            handle, here = piece[-2], piece[-1]
        before = kind if kind in "CSQT" else "-"
    if pieces:
        subpaths.append((pieces, False))
    return subpaths


def _commands(what: str, text: str) -> Iterator[tuple[str, Array]]:
    """Commands one by one, each with its numbers; what follows a command without a new letter repeats it."""
    at, command, count = _SPACE.match(text).end(), "", 0  # type: ignore[union-attr]
    while at < len(text):
        if text[at].isalpha() and text[at] not in "eE":
            is_first, command, count = not command, text[at], 0
            if command.upper() not in _TAKES or (is_first and command.upper() != "M"):
                raise SVGError(
                    f"{what}: {text[at : at + 10]!r} is no command that could stand here (character {at})"
                )
            at = _SPACE.match(text, at + 1).end()  # type: ignore[union-attr]
        elif not command or command in "zZ":
            raise SVGError(f"{what}: a command was wanted at {text[at : at + 10]!r} (character {at})")
        given: list[float] = []
        for k in range(_TAKES[command.upper()]):
            match = _FLAG.match(text, at) if command in "aA" and k in (3, 4) else NUMBER.match(text, at)
            if match is None:
                raise SVGError(f"{what}: a number was wanted at {text[at : at + 10]!r} (character {at})")
            given.append(bounded(what, match.group()))
            at = _SPACE.match(text, match.end()).end()  # type: ignore[union-attr]
        # l follows m
        yield command if command not in "mM" or count == 0 else chr(ord(command) - 1), np.array(given)
        count += 1


def _arc(start: Array, radii: Array, tilt: float, large: bool, sweep: bool, end: Array) -> list[Array]:
    """An elliptical arc as cubic pieces of a quarter turn at most (SVG 1.1, F.6)."""
    rx, ry = np.abs(radii)
    if np.hypot(*(end - start)) <= DROPPED:
        return []
    if rx == 0 or ry == 0:
        return [np.stack([start, end])]
    c, s = math.cos(math.radians(tilt)), math.sin(math.radians(tilt))
    R = np.array([[c, -s], [s, c]])
    x, y = R.T @ (start - end) / 2
    size = math.hypot(x / rx, y / ry)
    if size > 1:
        rx, ry = rx * size, ry * size
    rest = max(0.0, (rx * ry) ** 2 - (rx * y) ** 2 - (ry * x) ** 2) / ((rx * y) ** 2 + (ry * x) ** 2)
    centre = (-1 if large == sweep else 1) * math.sqrt(rest) * np.array([rx * y / ry, -ry * x / rx])
    first = math.atan2((y - centre[1]) / ry, (x - centre[0]) / rx)
    last = math.atan2((-y - centre[1]) / ry, (-x - centre[0]) / rx)
    turn = (last - first) % (2 * math.pi) if sweep else -((first - last) % (2 * math.pi))
    count = max(1, math.ceil(abs(turn) / (math.pi / 2) - 1e-9))
    middle, step, pieces = R @ centre + (start + end) / 2, turn / count, []
    k = 4 / 3 * math.tan(step / 4)
    for i in range(count):
        a, b = first + i * step, first + (i + 1) * step
        ca, sa, cb, sb = math.cos(a), math.sin(a), math.cos(b), math.sin(b)
        unit = np.array([(ca, sa), (ca - k * sa, sa + k * ca), (cb + k * sb, sb - k * cb), (cb, sb)])
        pieces.append(middle + (unit * (rx, ry)) @ R.T)
    pieces[0][0], pieces[-1][-1] = start, end
    return pieces
