"""What a measurement says: a bar with what was wanted of it, a bar that could not be measured, or a
remark."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from .peers import available
from .peers.check import peer


@dataclass(frozen=True)
class Bar:
    """`unit` is written right after the number: " %", " m", "×"."""

    name: str
    what: str
    value: float
    limit: Literal["≤", "≥"]
    wanted: float
    unit: str = ""
    remark: str = ""

    @property
    def holds(self) -> bool:
        """Never true of a value that is not a number."""
        return bool(self.value <= self.wanted if self.limit == "≤" else self.value >= self.wanted)

    def __str__(self) -> str:
        verdict = "holds" if self.holds else "falls short"
        wanted = f"(wanted {self.limit} {self.wanted:g}{self.unit})"
        remark = f"; {self.remark}" if self.remark else ""
        return f"bar {self.name}: {self.what} {self.value:.3g}{self.unit} {wanted} {verdict}{remark}"


@dataclass(frozen=True)
class Unmeasured:
    name: str
    what: str
    why: str

    def __str__(self) -> str:
        return f"bar {self.name}: {self.what} not measured: {self.why}"


@dataclass(frozen=True)
class Remark:
    """Something measured of which nothing was wanted."""

    name: str
    text: str

    def __str__(self) -> str:
        return f"note {self.name}: {self.text}"


Line = Bar | Unmeasured | Remark
Measurement = Callable[[str], Iterator[Line]]  # takes the bar's name


class Missing(RuntimeError):
    """A peer that is needed is not installed, or cannot be imported here."""


def needed(package: str) -> Any:
    """The module of a peer's scenes, or `Missing` with the reason."""
    if package not in available():
        raise Missing(f"{package} is not installed")
    try:
        return peer(package)
    except ImportError as problem:
        raise Missing(f"{package} cannot be imported ({problem})") from problem
