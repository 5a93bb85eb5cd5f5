"""Units of parameters: those of names that mean the same everywhere, and those that a docstring gives.

A docstring names the units of its parameters in brackets, each behind its name:
    "A damped spring …:  E = ½ k (|b − a| − length)²   [stiffness N/m, length m, damping N s/m]."
What has no unit is given 1. Other brackets, such as [m] behind a formula, are the unit of what it gives.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

# Words of mechanics, and the parameters that all types of a family have.
COMMON: Mapping[str, str] = {
    "angle": "rad",
    "gains": "1/s², 1/s",
    "height": "m",
    "inertia": "kg m²",
    "length": "m",
    "mass": "kg",
    "pitch": "m",
    "points": "m",
    "position": "m",
    "radii": "m",
    "radius": "m",
    "second_moment": "kg m²",
    "size": "m",
    "spin": "rad/s",
    "tau": "s",
    "thickness": "m",
    "time": "s",
    "velocity": "m/s",
    "vertices": "m",
    "width": "m",
}
_BRACKET = re.compile(r"\s*\[([^\[\]]+)\]")


def units_of(who: str, doc: str, names: Collection[str]) -> tuple[dict[str, str], str]:
    """Units of parameters that a docstring gives, and the docstring without their brackets."""
    found: dict[str, str] = {}

    def read(bracket: re.Match[str]) -> str:
        parts = [part.split(None, 1) for part in bracket[1].split(",")]
        named = [part for part in parts if len(part) == 2 and part[0] in names]
        if not named:
            return bracket[0]
        if len(named) < len(parts):
            strange = next(part for part in parts if part not in named)
            raise TypeError(
                f"{who}: [{bracket[1]}] in its docstring gives units, but {' '.join(strange)!r} is not a "
                f"parameter with its unit; it has {', '.join(names)}"
            )
        found.update({name: "" if unit.strip() == "1" else " ".join(unit.split()) for name, unit in named})
        return ""

    return found, _BRACKET.sub(read, doc)


def rate_unit(unit: str) -> str:
    """The unit of a rate of change."""
    return f"{unit}/s" if unit else "1/s"
