"""Paths: control points, directions and numbers that move by keys over time, twice continuously
differentiable (R3, G7).

A path is keys, at which it passes exactly: rows (time, number …), joined by cubic splines. `style` is
"smooth" (at rest at both ends), "natural" (free ends) or "linear" (for dense recorded samples; its velocity
jumps at the keys). Before the first key and after the last one it stays there. A path given by a formula is
`moving`.
"""

from __future__ import annotations

from tinkerdyne.language.block import T_SYMBOL
from tinkerdyne.language.kinds import Direction, Keys, Point, Scalar, Style
from tinkerdyne.language.look import look
from tinkerdyne.language.symbols import normalise
from tinkerdyne.language.types import connector


@look(glyph="path", seat="keys", role="path", group="Motors and paths", place="keys")
@connector(tied=True)
def path(*, style: Style = "smooth", keys: Keys = ((0.0, 0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 1.0))) -> Point:
    """A control point that passes through keys (time, x, y, z), in the plane (time, x, y)   [s, m]."""
    return keys.at(T_SYMBOL)


@look(group="Motors and paths")
@connector(tied=True)
def direction_path(
    *, style: Style = "smooth", keys: Keys = ((0.0, 1.0, 0.0, 0.0), (1.0, 0.0, 0.0, 1.0))
) -> Direction:
    """A direction that passes through keys (time, x, y, z), which need not be one unit long   [s]."""
    return normalise(keys.at(T_SYMBOL))


@look(group="Motors and paths")
@connector(tied=True)
def number_path(*, style: Style = "smooth", keys: Keys = ((0.0, 0.0), (1.0, 1.0))) -> Scalar:
    """A number that passes through keys (time, value)   [s]."""
    return keys.at(T_SYMBOL)
