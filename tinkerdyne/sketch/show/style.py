"""Alternatives: other motions that meet a sketch, ranked by how they look (M5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from tinkerdyne.sketch.show.solution import Solution
from tinkerdyne.sketch.show.tree_solution import TreeSolution

if TYPE_CHECKING:
    from tinkerdyne.language.arrays import Array

LOOKS = 60  # moments at which a motion is measured
ALIKE = 0.02  # of the extent: motions that differ by less are one
By = Literal["fit", "calmer", "higher", "faster", "more turns"]


@dataclass(frozen=True)
class Measures:
    """How a motion looks: the mean square root of its speed [m/s], how high it goes [m], how long it takes
    [s], and how far its bodies turn [turns]."""

    speed: float
    height: float
    seconds: float
    turns: float


def measures(solution: Solution | TreeSolution) -> Measures:
    """Of all bodies together."""
    if isinstance(solution, TreeSolution):
        return _tree_measures(solution)
    g = solution.sketch.gravity
    up = -g / np.linalg.norm(g) if g.any() else np.array((0.0, 0.0, 1.0))
    t = np.linspace(0, solution.seconds, LOOKS)
    speeds, heights, turns = [], [], 0.0
    for body in solution.sketch.bodies:
        rows = [solution.at(body, float(when)) for when in t]
        v, x, w = (np.array([row[name] for row in rows]) for name in ("velocity", "position", "spin"))
        radius = solution.statement.shapes[solution.sketch.bodies.index(body)].radius
        speeds.append((v**2).sum(axis=1) + radius**2 * (w**2).sum(axis=1))
        heights.append(float((x @ up).max()))
        turns += float(np.linalg.norm(w, axis=1).mean()) * solution.seconds / (2 * np.pi)
    return Measures(float(np.sqrt(np.mean(speeds))), max(heights), solution.seconds, turns)


def _tree_measures(m: TreeSolution) -> Measures:
    """Of all links, at their middles."""
    g, tree, nodes = m.sketch.gravity, m.sketch.tree, m.nodes
    up = -g / np.linalg.norm(g) if g.any() else np.array((0.0, 0.0, 1.0))
    found = [tree.velocity_function(c, Q, u) for c, Q, u in zip(nodes.c, nodes.Q, nodes.u, strict=True)]
    v, w = (np.array([np.array(row[k]) for row in found]) for k in (0, 1))  # (nodes, 3, links)
    x, _ = tree.posed(nodes.c, nodes.Q)
    spins = np.linalg.norm(w, axis=1)
    turns = float(spins.mean(axis=0).sum()) * m.seconds / (2 * np.pi)
    speed = float(np.sqrt((v**2).sum(axis=1).mean()))
    return Measures(speed, float((x @ up).max()), float(m.seconds), turns)


def alternatives(solution: Solution, by: By = "fit") -> list[Solution]:
    """The different motions that the starts of a solution came to, the best first: nearest to the samples,
    or calmer, higher, faster, or with more turns."""
    kept: list[tuple[Array, Solution]] = []
    for outcome in sorted((o for o in solution.others if o.is_sound), key=lambda o: o.cost):
        one = Solution(solution.sketch, solution.statement, outcome, [outcome])
        places = _places(one)
        if all(np.abs(places - other).max() > ALIKE * solution.statement.units.length for other, _ in kept):
            kept.append((places, one))
    found = [one for _, one in kept]
    if by == "fit":
        return found
    sign = {"calmer": 1, "higher": -1, "faster": 1, "more turns": -1}
    if by not in sign:
        raise ValueError(f"alternatives are ranked by fit, {', '.join(sign)}, not by {by!r}")
    value = {"calmer": "speed", "higher": "height", "faster": "seconds", "more turns": "turns"}[by]
    return sorted(found, key=lambda one: sign[by] * float(getattr(measures(one), value)))


def _places(solution: Solution) -> Array:
    """Places, and marks that turn with the bodies, at even shares of the flights."""
    share, rows = np.linspace(0, 1, 9), []
    for f in range(len(solution.grid) - 1):
        for b, shape in enumerate(solution.statement.shapes):
            x, q, *_ = solution.states(b, f, share)
            rows.append(x)
            rows.append(shape.radius * np.abs(q[:, :1]))
    return np.concatenate([row.ravel() for row in rows])


__all__ = ["Measures", "alternatives", "measures"]
