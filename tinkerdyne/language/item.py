"""Items: the things a world is made of, first as free descriptions and, once added, as handles to the running
world.

An item knows its type, its name, what it is plugged into and its parameters. Until it is added it is only
that; afterwards reading a parameter or state asks the world, and setting one is an edit.
"""

from __future__ import annotations

import math
import numbers
from typing import Any

import numpy as np

LONGEST_NAME = 256  # characters; an object's name is shorter, so that its parts can be called after it


class Item:
    """One object, connector, constraint or behavior."""

    __slots__ = (
        "__weakref__",
        "fate",
        "inputs",
        "key",
        "name",
        "parts",
        "resolved",
        "start",
        "type",
        "values",
        "world",
    )
    type: Any
    name: str
    inputs: tuple[Item, ...]
    values: dict[str, Any]
    start: dict[str, Any]
    world: Any
    key: int
    fate: str
    parts: dict[str, Item]
    resolved: Any  # what the maker made of the parameters; None when they have changed since

    def __init__(
        self, type: Any, name: str, inputs: tuple[Item, ...], values: dict[str, Any], start: dict[str, Any]
    ) -> None:
        set_ = object.__setattr__
        set_(self, "type", type)
        set_(self, "name", name)
        set_(self, "inputs", inputs)
        set_(self, "values", values)
        set_(self, "start", start)
        set_(self, "world", None)
        set_(self, "key", 0)
        set_(self, "fate", "")
        set_(self, "parts", {})
        set_(self, "resolved", None)

    def __repr__(self) -> str:
        return f"<{self.type.name} {self.name!r}>" if self.name else f"<{self.type.name}>"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        self._alive()
        if name in self.values:
            return self.values[name]
        if name in self.values.get("constant_names", ()):
            return self.values["constants"][self.values["constant_names"].index(name)]
        if name in self.type.state_names():
            return self.world.state_of(self, name) if self.world is not None else self.start[name]
        part = self.type.part(self, name)
        if part is not None:
            return part
        known = ", ".join((*self.values, *self.type.state_names()))
        raise AttributeError(f"{self.type.name} {self.name!r} has no {name!r}; it has {known}")

    def __setattr__(self, name: str, value: Any) -> None:
        self._alive()
        if name in self.values.get("constant_names", ()):  # a number of a typed formula
            given = list(self.values["constants"])
            given[self.values["constant_names"].index(name)] = number(f"{name} of {label(self)}", value)
            name, value = "constants", tuple(given)
        if name in self.values:
            value = self.type.checked(label(self), name, value)
            if self.world is not None:
                self.world.change(self, name, value)
            else:
                self.values[name] = value
                object.__setattr__(self, "resolved", None)
        elif name in self.type.state_names():
            value = self.type.checked_state(label(self), name, value)
            if self.world is not None:
                self.world.set_state(self, name, value)
            else:
                self.start[name] = value
                object.__setattr__(self, "resolved", None)
        else:
            known = ", ".join((*self.values, *self.type.state_names()))
            raise AttributeError(f"{label(self)} has no {name!r} to set; it has {known}")

    def _spelled(self, name: str, value: Any) -> tuple[str, Any]:
        """The parameter that stands for a name, and its value there."""
        return name, value

    def _alive(self) -> None:
        if self.fate:
            raise ReferenceError(self.fate)


def label(item: Item) -> str:
    """How messages speak of an item: its type and name."""
    return f"{item.type.name} {item.name!r}" if item.name else f"a new {item.type.name}"


def checked_name(what: str, name: Any, *, longest: int = LONGEST_NAME) -> str:
    """A name that can be shown on one line and written to a file; it may be empty."""
    if not isinstance(name, str):
        raise TypeError(f"{what} must be text, not {name!r}")
    if len(name) > longest:
        raise ValueError(f"{what} may have {longest} characters, not {len(name)}: {name[:40]!a}…")
    if not all(c.isprintable() for c in name):
        raise ValueError(f"{what} must be printable characters on one line, not {name!a}")
    return name


def number(what: str, value: Any, *, positive: bool = False, finite: bool = True) -> float:
    """A real number, or a message that names the thing, what came and what was wanted."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (numbers.Real, np.floating, np.integer)):
        if isinstance(value, np.ndarray) and value.size == 1 and value.dtype.kind in "fi":
            value = value.item()
        else:
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


def vector(what: str, value: Any, *, length: int | tuple[int, ...] = ()) -> tuple[float, ...]:
    """A tuple of finite numbers of a wanted length."""
    if isinstance(value, (str, bytes)) or not hasattr(value, "__iter__"):
        raise TypeError(f"{what} must be a sequence of numbers, not {value!r}")
    flat = np.asarray(value, dtype=object).ravel().tolist()
    part, of, whole = what.partition(" of ")
    out = tuple(number(f"{part}[{k}]{of}{whole}", x) for k, x in enumerate(flat))
    wanted = (length,) if isinstance(length, int) else length
    if wanted and len(out) not in wanted:
        counts = " or ".join(str(w) for w in wanted)
        raise ValueError(f"{what} must have {counts} numbers, not {len(out)}: {value!r}")
    return out


def unit(what: str, value: Any) -> tuple[float, ...]:
    """A direction, made one unit long."""
    flat = vector(what, value, length=(2, 3))
    size = math.hypot(*flat)
    if size == 0:
        raise ValueError(f"{what} must not be zero: it is a direction")
    return flat if abs(size - 1) < 1e-12 else tuple(x / size for x in flat)


def axes(what: str, value: Any) -> tuple[float, ...]:
    """Unit axes at right angles, right-handed, by columns."""
    flat = vector(what, value, length=(4, 9))
    n = 2 if len(flat) == 4 else 3
    R = np.array(flat).reshape(n, n)
    if np.abs(R @ R.T - np.eye(n)).max() > 1e-6 or np.linalg.det(R) < 0:
        raise ValueError(f"{what} must be unit axes at right angles, right-handed, by columns, not {value!r}")
    return flat
