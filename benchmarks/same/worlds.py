"""Random worlds of every sort, each from its seed: what two trees are compared on.

A kind of world is a function of a random generator that returns a world, through the public door alone.
Together they have objects of all sorts, all joints, forces, stops, paths, curves, troids, typed formulas and
types that a user makes. Numbers come from numpy's generator, so both trees build the same world. What is done
to a world while it runs is in `edits`.
"""

from __future__ import annotations

import bodies
import drawings
import joints
import numpy as np
from kinds import KINDS

import tinkerdyne as td

__all__ = ["bodies", "build", "drawings", "joints", "name_of"]


def build(seed: int) -> td.World:
    """The world of a seed; kinds take turns."""
    return KINDS[seed % len(KINDS)](np.random.default_rng([2024, seed]))


def name_of(seed: int) -> str:
    """What sort of world a seed gives."""
    return KINDS[seed % len(KINDS)].__name__
