"""Motion sketching (MS03): from a rough sketch to a physical motion.

This is its public door; parts load when first wanted."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tinkerdyne.sketch.show.solution import Solution
    from tinkerdyne.sketch.show.style import alternatives, measures
    from tinkerdyne.sketch.show.tree_solution import TreeSolution
    from tinkerdyne.sketch.solve.parallel import LocalProcesses, executor_on
    from tinkerdyne.sketch.solve.search import chosen, divided, search, search_counts
    from tinkerdyne.sketch.tell.document import save_sketch
    from tinkerdyne.sketch.tell.file import load_sketch
    from tinkerdyne.sketch.tell.gesture import Gesture, load_gesture
    from tinkerdyne.sketch.tell.sketch import Sketch
    from tinkerdyne.sketch.tell.story import Surface
    from tinkerdyne.sketch.tree.sketch import TreeSketch
    from tinkerdyne.sketch.tree.tree import Tree

_HOMES = {
    "Gesture": "tell.gesture",
    "Sketch": "tell.sketch",
    "Solution": "show.solution",
    "Surface": "tell.story",
    "Tree": "tree.tree",
    "TreeSketch": "tree.sketch",
    "TreeSolution": "show.tree_solution",
    "alternatives": "show.style",
    "chosen": "solve.search",
    "divided": "solve.search",
    "executor_on": "solve.parallel",
    "load_gesture": "tell.gesture",
    "load_sketch": "tell.file",
    "measures": "show.style",
    "LocalProcesses": "solve.parallel",
    "save_sketch": "tell.document",
    "search": "solve.search",
    "search_counts": "solve.search",
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
    "alternatives",
    "chosen",
    "divided",
    "executor_on",
    "load_gesture",
    "load_sketch",
    "measures",
    "save_sketch",
    "search",
    "search_counts",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(f"tinkerdyne.sketch.{_HOMES[name]}"), name)
    raise AttributeError(f"tinkerdyne.sketch has no {name!r}; it has {', '.join(__all__)}")
