"""Vectors: the unknowns and parameters of a problem at a point, and the point of a solution (M3)."""

from __future__ import annotations

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.objects.quaternion import exponential, multiplied
from tinkerdyne.sketch.problem.flight import flown
from tinkerdyne.sketch.problem.guard import first_looks
from tinkerdyne.sketch.problem.point import Guess, Point
from tinkerdyne.sketch.problem.problem import Problem
from tinkerdyne.sketch.problem.statement import Statement

# of the range of friction: where a first guess begins, since what sticks does not tell how much more would
# too
SLIDES = 0.05


def vectors(s: Statement, P: Problem, point: Point, p: Array) -> tuple[Array, Array]:
    """x and p at a point: nodes become their own references."""
    x, p = np.zeros(P.x.size), p.copy()
    for f, parts in enumerate(s.parts):
        x[P.x.parts[f"T {f}"]] = point.durations[f]
        for b, guess in enumerate(point.states[f]):
            track = s.tracks[f][b]
            for k in range(parts):
                segment = int(s.first[f]) + k
                t = point.durations[f] * k / parts
                node = point.nodes.get((segment, b)) if point.nodes else None
                if node is None:
                    moments = s.moments(b, point.extra)
                    node = (
                        guess[:4]
                        if k == 0
                        else flown(s.shapes[b].kind, guess[:4], moments, s.g, np.array([t]))
                    )
                x[P.x.parts[f"z {segment},{b}"]] = np.concatenate(
                    [node[0].ravel(), np.zeros(3), node[2].ravel(), node[3].ravel()]
                )
                p[P.p.parts[f"q {segment},{b}"]] = node[1].ravel() / np.linalg.norm(node[1])
                if track is not None:
                    for i in P.structure.held(segment, b):
                        name = f"share {f},{b},{i}"
                        local = point.shares[f][b][i] * parts - k
                        if name in P.x:
                            x[P.x.parts[name]] = local
                        else:
                            p[P.p.parts[name]] = (
                                local if not P.structure.frees_times else float((segment, i) != (0, 0))
                            )
    begin = 0.0
    for k in range(1, int(s.first[-1]) if "B 0" in P.p else 0):
        f = P.structure.flights[k - 1]
        begin += point.durations[f] / s.parts[f]
        x[P.x.parts[f"B {k}"]] = begin
    for b in range(len(s.items)):
        if f"inertia {b}" in P.x:
            x[P.x.parts[f"inertia {b}"]] = 1.0
    for name, value in point.extra.items():
        if name in P.x:
            x[P.x.parts[name]] = value
    for i, row in enumerate(point.looks or first_looks(s, P.structure)):
        for j, look in enumerate(row):
            p[P.p.parts[f"guard {i},{j}"]] = np.concatenate(
                [[look.share], look.corners.ravel() / s.units.length]
            )
    for i, planes in enumerate(point.planes if P.structure.pairs else []):
        for j, one in enumerate(planes):
            L = s.units.length
            p[P.p.parts[f"apart {i},{j}"]] = (
                *one.origin / L,
                *one.normal,
                one.share,
                *one.corners.ravel() / L,
            )
    for f, c in enumerate(s.collisions):
        k = int(s.first[f + 1]) - 1
        for name, bounds, part in ((f"e {k}", c.restitution, 0.5), (f"mu {k}", c.friction, SLIDES)):
            if name in P.x and name not in point.extra:
                x[P.x.parts[name]] = bounds[0] + part * (bounds[1] - bounds[0])
    return x, p


def point_at(s: Statement, P: Problem, x: Array, p: Array, before: Point) -> Point:
    """A point of the problem as durations, states and shares, its guards where they were; inverse of
    `vectors`."""
    durations = np.array([float(x[P.x.parts[f"T {f}"]][0]) for f in range(len(s.parts))])
    states: list[list[Guess]] = []
    shares: list[list[Array]] = []
    nodes: dict[tuple[int, int], tuple[Array, ...]] = {}
    for f, parts in enumerate(s.parts):
        states.append([])
        shares.append([])
        for b in range(len(s.items)):
            track = s.tracks[f][b]
            share = np.zeros(0 if track is None else len(track.places))
            for k in range(parts):
                segment = int(s.first[f]) + k
                z, q = x[P.x.parts[f"z {segment},{b}"]], p[P.p.parts[f"q {segment},{b}"]]
                nodes[segment, b] = (z[:3], multiplied(q, exponential(z[3:6])), z[6:9], z[9:12])
                for i in P.structure.held(segment, b):
                    name = f"share {f},{b},{i}"
                    local = float((x[P.x.parts[name]] if name in P.x else p[P.p.parts[name]])[0])
                    share[i] = (local + k) / parts
            if track is not None and track.times is not None:
                share = np.clip((track.times - durations[:f].sum()) / durations[f], 0, 1)
            first = nodes[int(s.first[f]), b]
            states[-1].append(Guess(first[0], first[1], first[2], first[3], share))
            shares[-1].append(share)
    kept = ("tilt", "e", "mu", "gap", "force", "inertia")
    extra = {name: x[at].copy() for name, at in P.x.parts.items() if name.split(" ")[0] in kept}
    return Point(durations, states, shares, nodes, extra, before.looks, before.planes)
