"""A chain of three links that flies to a hook (MS03 §6.3)."""

from __future__ import annotations

import math

import numpy as np

from scenes.sketch.acted.hand import SHOWN, uneven
from tinkerdyne.constraints.joints import join, universal
from tinkerdyne.objects.shapes import Capsule
from tinkerdyne.sketch.tree.sketch import TreeSketch
from tinkerdyne.sketch.tree.tree import Tree

LINK = 0.25  # m


def chain_tree() -> Tree:
    """Three links in a row with universal joints between them, free in space."""
    links = [
        Capsule(f"link {k + 1}", radius=0.02, length=LINK - 0.04, mass=0.15, position=(LINK * k, 0.0, 1.0))
        for k in range(3)
    ]
    joints = [
        join(universal, links[k], links[k + 1], at=(LINK * (k + 0.5), 0.0, 1.0), axis=(1.0, 0, 0))
        for k in range(2)
    ]
    return Tree(links, joints)


def chain(seed: int = 0, *, tree: Tree | None = None, tremor: float = 0.02) -> TreeSketch:
    """A chain of three links flies across and reaches a hook with its end (MS03 §6.3): start pose hard, end
    point hard."""
    rng = np.random.default_rng(5000 + seed)
    tree = tree or chain_tree()
    sketch = TreeSketch(tree, name="chain to a hook")
    hook = np.array((rng.uniform(1.6, 2.0), rng.uniform(-0.3, 0.3), rng.uniform(0.9, 1.5)))
    s = uneven(SHOWN, rng)
    top = np.array((0.0, 0.0, 1.0))
    # the chain stays long
    behind = 0.56 * np.array((math.cos(lean := rng.uniform(-0.7, 0.7)), 0.2 * rng.normal(), math.sin(lean)))
    path = (
        top
        + s[:, None] * (hook - top - behind)
        + np.outer(4 * s * (1 - s) * rng.uniform(0.3, 0.5), (0, 0, 1))
    )
    first, last = tree.links[0].item, tree.links[2].item
    sketch.follow(first, path + tremor * rng.normal(size=path.shape))
    sketch.want(last, hook, at=last.end2)
    sketch.lasts(0.4, 1.5)
    return sketch
