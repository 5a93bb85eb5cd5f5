"""Numbers as a person would write them: 0.3 for 0.30000000000000004, and 0 for what rounding left of it."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from keyword import iskeyword

from tinkerdyne.language.kinds import Value

# share of a vector's largest number, and of a place in m or rad, below which a number is a zero
NOISE = 1e-12
CLOSE = 1e-13  # share of a number by which a shorter one may differ
MOST_DIGITS = 10  # of a number that counts as shorter
LARGEST = 1e9  # whole numbers below are written without a point


def cleaned(value: Value, floor: float = 0.0) -> Value:
    """A value without the noise of its numbers; all below `floor` are zero."""
    if isinstance(value, tuple):
        numbers = [abs(x) for x in value if isinstance(x, float)]
        floor = max(floor, NOISE * max(numbers, default=0.0))
        return tuple(cleaned(x, floor) for x in value)
    if isinstance(value, float):
        return _shortest(value) if abs(value) >= floor else 0.0
    return value


def _shortest(x: float) -> float:
    """The number with the fewest digits that is as good as x; x itself where it has no short one."""
    for digits in range(1, MOST_DIGITS + 1):
        found = float(f"{x:.{digits}g}")
        if abs(found - x) <= CLOSE * abs(x):
            return found
    return x


def keywords(arguments: dict[str, str]) -> str:
    """Arguments with their names; a name that is no word of Python goes as a text."""
    plain = {k: v for k, v in arguments.items() if k.isascii() and k.isidentifier() and not iskeyword(k)}
    said = [f"{name}={value}" for name, value in plain.items()]
    others = ", ".join(f"{name!r}: {value}" for name, value in arguments.items() if name not in plain)
    return ", ".join([*said, f"**{{{others}}}"] if others else said)


def written(value: object) -> str:
    """A value, or a dataclass of the door, in Python."""
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < LARGEST else repr(value)
    if isinstance(value, tuple):
        return f"({', '.join(map(written, value))}{',' if len(value) == 1 else ''})"
    if is_dataclass(value) and not isinstance(value, type):
        given = {f.name: getattr(value, f.name) for f in fields(value) if f.name not in ("key", "memory")}
        options = ", ".join(f"{name}={written(cleaned(one))}" for name, one in given.items())
        return f"td.{type(value).__name__}({options})"
    return repr(value)
