"""Motion sketching (MS03): from a rough sketch to a physical motion.

This is its public door; parts load when first wanted."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tinkerdyne.sketch.articulated import TreeSketch
    from tinkerdyne.sketch.document import save_sketch
    from tinkerdyne.sketch.file import load_sketch
    from tinkerdyne.sketch.gesture import Gesture, load_gesture
    from tinkerdyne.sketch.parallel import LocalProcesses
    from tinkerdyne.sketch.sequences import chosen, divided, executor_on, search, search_counts
    from tinkerdyne.sketch.sketch import Sketch
    from tinkerdyne.sketch.solution import Solution
    from tinkerdyne.sketch.story import Surface
    from tinkerdyne.sketch.tree import Tree
    from tinkerdyne.sketch.tree_solution import TreeSolution

_HOMES = {
    "Gesture": "gesture",
    "Sketch": "sketch",
    "Solution": "solution",
    "Surface": "story",
    "Tree": "tree",
    "TreeSketch": "articulated",
    "TreeSolution": "tree_solution",
    "chosen": "sequences",
    "divided": "sequences",
    "executor_on": "sequences",
    "load_gesture": "gesture",
    "load_sketch": "file",
    "LocalProcesses": "parallel",
    "save_sketch": "document",
    "search": "sequences",
    "search_counts": "sequences",
}

__all__ = [
    "Gesture",
    "LocalProcesses",
    "Sketch",
    "Solution",
    "Surface",
    "Tree",
    "TreeSketch",
    "TreeSolution",
    "chosen",
    "divided",
    "executor_on",
    "load_gesture",
    "load_sketch",
    "save_sketch",
    "search",
    "search_counts",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(f"tinkerdyne.sketch.{_HOMES[name]}"), name)
    raise AttributeError(f"tinkerdyne.sketch has no {name!r}; it has {', '.join(__all__)}")
