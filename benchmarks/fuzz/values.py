"""Random values of all sorts, for what is read from outside: plain ones, odd ones, and hostile ones."""

from __future__ import annotations

import json
import math
from random import Random
from typing import Any

TEXTS = (
    "", "a", "rod", "ball", "x" * 300, "é", "ａ", "\u2028", "\ud800", "'", '"', "\\", "{", "../x",
    "/etc/passwd", "__class__", "lambda", "name", "text", "tau", "t", "1", "nan", "body0.end1", "body0",
    "a b", "\x00", "#", "💥",
)  # fmt: skip
NUMBERS = (
    0, 1, -1, 2, 3, 0.5, -0.0, 1e-320, 1e-9, 1e9, 1e300, 1e308, -1e308, 2**53, 2**63, 2**64, 10**30,
    math.nan, math.inf, -math.inf,
)  # fmt: skip


def text(rng: Random) -> str:
    if rng.random() < 0.8:
        return rng.choice(TEXTS)
    return "".join(
        chr(rng.choice((rng.randrange(32, 127), rng.randrange(1, 0x2FFF)))) for _ in range(rng.randrange(12))
    )


def number(rng: Random) -> float:
    return rng.choice(NUMBERS) if rng.random() < 0.6 else rng.gauss(0, 10.0 ** rng.uniform(-3, 3))


def anything(rng: Random, depth: int = 0) -> Any:
    """A value that JSON has."""
    sort = rng.randrange(5 if depth > 3 else 7)
    if sort == 0:
        return rng.choice((None, True, False))
    if sort < 3:
        return number(rng)
    if sort < 5:
        return text(rng)
    if sort == 5:
        return [anything(rng, depth + 1) for _ in range(rng.randrange(5))]
    return {text(rng): anything(rng, depth + 1) for _ in range(rng.randrange(4))}


def spoiled(rng: Random, document: Any) -> Any:
    """A document with a few things changed: left out, doubled, exchanged, or made something else."""
    copy = json.loads(json.dumps(document))
    for _ in range(rng.randint(1, 3)):
        copy = _spoiled_once(rng, copy)
    return copy


def _spoiled_once(rng: Random, document: Any) -> Any:
    at = document
    while True:
        if not isinstance(at, (dict, list)) or not at:
            return document
        key: Any = rng.choice(list(at)) if isinstance(at, dict) else rng.randrange(len(at))
        if isinstance(at[key], (dict, list)) and at[key] and rng.random() < 0.85:
            at = at[key]
            continue
        break
    way = rng.randrange(5)
    if way == 0:
        del at[key]
    elif way == 1 and isinstance(at, list):
        at.insert(key, at[key])
    elif way == 1:
        at[text(rng)] = at.pop(key)
    elif way == 2 and isinstance(at[key], float):
        at[key] = number(rng)
    elif way == 3 and isinstance(at[key], str):
        at[key] = text(rng)
    else:
        at[key] = anything(rng)
    return document
