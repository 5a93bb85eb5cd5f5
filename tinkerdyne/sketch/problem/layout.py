"""Which unknowns and parameters the problem of a structure has, and in which order (M3)."""

from __future__ import annotations

from tinkerdyne.sketch.problem.formulas import NODE, ImpactNumbers, SampleNumbers, WishNumbers, width
from tinkerdyne.sketch.problem.structure import MOMENTS, Junction, Structure
from tinkerdyne.sketch.problem.terms import Slices
from tinkerdyne.sketch.problem.unknowns import (
    END,
    GRAVITY,
    STYLE,
    UNITS,
    Begin,
    Between,
    Duration,
    Faces,
    Force,
    Friction,
    Gap,
    Guarded,
    Impact,
    Inertia,
    Mass,
    Moments,
    Node,
    Reference,
    Restitution,
    Sample,
    Share,
    Tilt,
    Watch,
    Wished,
)


def laid_out(s: Structure) -> tuple[Slices, Slices]:
    """The unknowns and the parameters of a structure."""
    x, p = Slices(), Slices()
    p.add(GRAVITY, 3)
    p.add(UNITS, 2)
    if s.is_styled:
        p.add(STYLE, 4)
    for b, kind in enumerate(s.kinds):
        p.add(Mass(b), 1)
        p.add(Moments(b), 3)
        if s.forces and s.forces[b]:
            x.add(Force(b), 3)
        if s.inertias and s.inertias[b]:
            x.add(Inertia(b), len(set(MOMENTS[kind])))
    for k in range(len(s.samples)):
        _segment(s, k, x, p)
    if s.is_timed:
        p.add(END, 1)
    for i, wish in enumerate(s.wishes):
        p.add(Wished(i), WishNumbers.SIZE)
        if wish.kind == "face":
            p.add(Faces(i), 3 * wish.size)
    for i, guard in enumerate(s.guards):
        p.add(Guarded(i), 6)
        for j in range(len(guard.shares)):
            p.add(Watch(i, j), 1 + width(guard) * guard.corners)
    for i, separation in enumerate(s.separations):
        for j in range(separation.planes):
            p.add(Between(i, j), 7 + width(separation) * separation.corners)
    return x, p


def _segment(s: Structure, k: int, x: Slices, p: Slices) -> None:
    """A segment, and the junction at its end."""
    f = s.flights[k]
    if k == 0 or f != s.flights[k - 1]:
        x.add(Duration(f), 1)
    if s.has_clock:
        (x if k else p).add(Begin(k), 1)
    for b in range(len(s.kinds)):
        (p if s.is_still(k, b) else x).add(Node(k, b), NODE)
        p.add(Reference(k, b), 4)
        for i in s.held(k, b):
            p.add(Sample(f, b, i), SampleNumbers.SIZE)
            (x if s.is_free(k, b, i) else p).add(Share(f, b, i), 1)
    if k < len(s.junctions) and s.junctions[k].struck:
        _impact(s, k, s.junctions[k], x, p)


def _impact(s: Structure, k: int, junction: Junction, x: Slices, p: Slices) -> None:
    p.add(Impact(k), ImpactNumbers.SIZE)
    if junction.is_tilted:
        x.add(Tilt(k), 2)
    if junction.is_elastic:
        x.add(Restitution(k), 1)
    if junction.friction == "varied":
        x.add(Friction(k), 1)
    if s.has_gaps:
        for b in junction.struck:
            x.add(Gap(k, b), 6)
