"""JSON as a person writes it: what json.loads lets pass is refused, with the line and column."""

from __future__ import annotations

import json
import math
import re
from typing import NoReturn

from tinkerdyne.files import LARGEST_FILE, SceneError


def decoded(text: str | bytes) -> str:
    """UTF-8 text of a bearable length."""
    if len(text) > LARGEST_FILE:
        raise SceneError(f"{len(text):,} bytes are more than a scene may have ({LARGEST_FILE:,})")
    try:
        text = text.decode() if isinstance(text, bytes) else text.encode().decode()
    except UnicodeDecodeError as problem:
        line, byte = problem.object[: problem.start].count(b"\n") + 1, problem.object[problem.start]
        raise SceneError(
            f"this is not UTF-8 text: line {line} has the byte {byte:#04x} (number {problem.start})"
        ) from None
    except UnicodeEncodeError as problem:
        raise SceneError(f"character {problem.start} is half of a surrogate pair") from None
    text = text.removeprefix("\ufeff")
    if not text.strip():
        raise SceneError("the scene is empty")
    return text


def parsed(text: str) -> object:
    """JSON, without what json.loads lets pass: keys given twice, NaN, infinities, numbers too large for a
    float64."""

    def pairs(given: list[tuple[str, object]]) -> dict[str, object]:
        out = dict(given)
        if len(out) < len(given):
            names = [k for k, _ in given]
            twice = next(k for k in names if names.count(k) > 1)
            raise SceneError(f"the key {twice!r}{_of(out)} is given twice")
        return out

    def infinite(written: str) -> NoReturn:
        raise SceneError(f"{written[:40]} at {_where(text, written)} is not a finite number")

    def real(written: str) -> float:
        value = float(written)
        return value if math.isfinite(value) else infinite(written)

    def integer(written: str) -> int:
        return int(written) if math.isfinite(float(written)) else infinite(written)

    try:
        document: object = json.loads(
            text, object_pairs_hook=pairs, parse_constant=infinite, parse_float=real, parse_int=integer
        )
        return document
    except json.JSONDecodeError as problem:
        place = f"line {problem.lineno}, column {problem.colno}"
        cut = problem.pos >= len(text.rstrip()) or problem.msg.startswith("Unterminated")
        said = "the scene is cut short" if cut else "this is not JSON"
        raise SceneError(f"{said} at {place}: {problem.msg.lower()}") from None
    except RecursionError:
        raise SceneError("the scene has brackets nested deeper than any scene needs") from None


_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*"|[\w.+-]+')


def _where(text: str, token: str) -> str:
    """Line and column of a number or name that stands outside of strings."""
    at = next((m.start() for m in _TOKENS.finditer(text) if m.group() == token), 0)
    return f"line {text.count(chr(10), 0, at) + 1}, column {at - text.rfind(chr(10), 0, at)}"


def _of(entry: dict[str, object]) -> str:
    return f" of {entry['name']!r}" if isinstance(entry.get("name"), str) else ""
