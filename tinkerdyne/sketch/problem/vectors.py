"""Vectors: the unknowns and parameters of a problem at a point, and the point of a solution (M3)."""

from __future__ import annotations

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.objects.rotation import exponential_of, multiplied
from tinkerdyne.sketch.problem.flight import flown
from tinkerdyne.sketch.problem.guard import first_looks
from tinkerdyne.sketch.problem.point import Guess, Point
from tinkerdyne.sketch.problem.problem import Problem
from tinkerdyne.sketch.problem.statement import Statement
from tinkerdyne.sketch.problem.unknowns import (
    Begin,
    Between,
    Duration,
    Force,
    Friction,
    Gap,
    Inertia,
    Node,
    Reference,
    Restitution,
    Share,
    Tilt,
    Watch,
)

# of the range of friction: where a first guess begins, since what sticks does not tell how much more would
# too
SLIDES = 0.05


def vectors(s: Statement, P: Problem, point: Point, p: Array) -> tuple[Array, Array]:
    """x and p at a point: nodes become their own references."""
    x, p = np.zeros(P.x.size), p.copy()
    for f, parts in enumerate(s.parts):
        x[P.x.parts[Duration(f)]] = point.durations[f]
        for b in range(len(point.states[f])):
            for k in range(parts):
                _put_node(s, P, point, (f, b, k), x, p)
                _put_shares(s, P, point, (f, b, k), x, p)
    begin = 0.0
    for k in range(1, int(s.first[-1]) if Begin(0) in P.p else 0):
        f = P.structure.flights[k - 1]
        begin += point.durations[f] / s.parts[f]
        x[P.x.parts[Begin(k)]] = begin
    _put_chosen(s, P, point, x)
    _put_clearance(s, P, point, p)
    return x, p


def _put_node(
    s: Statement, P: Problem, point: Point, which: tuple[int, int, int], x: Array, p: Array
) -> None:
    """The node of a body at the start of a part of a flight: as the point has it, or flown from its start."""
    f, b, k = which
    segment = int(s.first[f]) + k
    state = point.nodes.get(Node(segment, b)) if point.nodes else None
    if state is None:
        first, t = point.states[f][b][:4], point.durations[f] * k / s.parts[f]
        moments = s.moments(b, point.chosen)
        state = first if k == 0 else flown(s.motion(f, b), first, moments, s.g, np.array([t]))
    place, turn, velocity, spin = (one.ravel() for one in state)
    node = Node(segment, b)
    values, layout = (x, P.x) if node in P.x else (p, P.p)
    values[layout.parts[node]] = np.concatenate([place, np.zeros(3), velocity, spin])
    p[P.p.parts[Reference(segment, b)]] = turn / np.linalg.norm(state[1])


def _put_shares(
    s: Statement, P: Problem, point: Point, which: tuple[int, int, int], x: Array, p: Array
) -> None:
    """The shares of the samples in a part of a flight: where they are free, or given."""
    f, b, k = which
    segment = int(s.first[f]) + k
    for i in P.structure.held(segment, b) if s.tracks[f][b] is not None else ():
        share, local = Share(f, b, i), point.shares[f][b][i] * s.parts[f] - k
        if share in P.x:
            x[P.x.parts[share]] = local
        elif P.structure.frees_times:  # the first and the last sample of a motion lie at its ends
            p[P.p.parts[share]] = float((segment, i) != (0, 0))
        else:
            p[P.p.parts[share]] = local


def _put_chosen(s: Statement, P: Problem, point: Point, x: Array) -> None:
    """What the motion chose, or else where its choice begins."""
    for b in range(len(s.items)):
        if Inertia(b) in P.x:
            x[P.x.parts[Inertia(b)]] = 1.0
    for key, value in point.chosen.items():
        if key in P.x:
            x[P.x.parts[key]] = value
    for f, c in enumerate(s.collisions):
        k = int(s.first[f + 1]) - 1
        for key, (low, high), part in (
            (Restitution(k), c.restitution, 0.5),
            (Friction(k), c.friction, SLIDES),
        ):
            if key in P.x and key not in point.chosen:
                x[P.x.parts[key]] = low + part * (high - low)


def _put_clearance(s: Statement, P: Problem, point: Point, p: Array) -> None:
    """When guards look, with which corners, and the planes between bodies."""
    L = s.units.length
    for i, row in enumerate(point.looks or first_looks(s, P.structure)):
        for j, look in enumerate(row):
            p[P.p.parts[Watch(i, j)]] = np.concatenate([[look.share], look.corners.ravel() / L])
    for i, planes in enumerate(point.planes if P.structure.separations else []):
        for j, one in enumerate(planes):
            numbers = (*one.origin / L, *one.normal, one.share, *one.corners.ravel() / L)
            p[P.p.parts[Between(i, j)]] = numbers


def point_at(s: Statement, P: Problem, x: Array, p: Array, before: Point) -> Point:
    """A point of the problem as durations, states and shares, its guards where they were; inverse of
    `vectors`."""
    durations = np.array([float(x[P.x.parts[Duration(f)]][0]) for f in range(len(s.parts))])
    states: list[list[Guess]] = []
    shares: list[list[Array]] = []
    nodes: dict[Node, tuple[Array, ...]] = {}
    for f, parts in enumerate(s.parts):
        states.append([])
        shares.append([])
        for b in range(len(s.items)):
            track = s.tracks[f][b]
            share = np.zeros(0 if track is None else len(track.places))
            for k in range(parts):
                node = Node(int(s.first[f]) + k, b)
                z = x[P.x.parts[node]] if node in P.x else p[P.p.parts[node]]
                q = p[P.p.parts[Reference(node.segment, b)]]
                nodes[node] = (z[:3], multiplied(q, exponential_of(z[3:6])), z[6:9], z[9:12])
                for i in P.structure.held(node.segment, b):
                    key = Share(f, b, i)
                    local = float((x[P.x.parts[key]] if key in P.x else p[P.p.parts[key]])[0])
                    share[i] = (local + k) / parts
            if track is not None and track.times is not None:
                share = np.clip((track.times - durations[:f].sum()) / durations[f], 0, 1)
            place, turn, velocity, spin = nodes[Node(int(s.first[f]), b)]
            states[-1].append(Guess(place, turn, velocity, spin, share))
            shares[-1].append(share)
    chosen = {
        key: x[at].copy()
        for key, at in P.x.parts.items()
        if isinstance(key, (Tilt, Restitution, Friction, Gap, Force, Inertia))
    }
    return Point(durations, states, shares, nodes, chosen, before.looks, before.planes)
