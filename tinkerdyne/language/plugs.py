"""What is plugged into a block: its dimension, whether it stands still, and what does not fit."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tinkerdyne.language.block import Layout, Port
from tinkerdyne.language.item import Item, label
from tinkerdyne.language.registry import port_of


def misfit(item: Item, ports: Sequence[Port], layout: Layout, said: str) -> str:
    """Why a block cannot be made. CasADi speaks of matrices; this speaks of what was plugged in."""
    if "truth value" in said:
        said = "a formula has no Python `if`; use if_else(condition, then, otherwise)"
    elif re.search(r"[.][ch]pp:|overloaded function", said):
        said = "their dimensions do not fit"
    plugs = ", ".join(
        f"{label(i)} ({p.kind.name}, {p.dim} numbers)" for i, p in zip(item.inputs, ports, strict=True)
    )
    numbers = ", ".join(f"{k} ({d})" for k, d in zip(layout.names, layout.dims, strict=True) if d > 1)
    with_ = f" with {numbers}" if numbers else ""
    return f"{label(item)} cannot be made of {plugs or 'nothing'}{with_}: {said}"


def dimension(inputs: Sequence[object]) -> int:
    """2 or 3, from the first input that is geometry; 0 when none is."""
    for source in inputs:
        if isinstance(source, Item) and source.type.family in ("object", "connector"):
            port = port_of(source)
            if dim := port.kind.space(port.dim):
                return dim
    return 0


def stands_still(source: object) -> bool:
    """Whether nothing that a connector stands on can move."""
    return (
        isinstance(source, Item)
        and source.type.family == "connector"
        and all(map(stands_still, source.inputs))
    )
