"""What measures show of contacts after every step: whether two bodies touch, the force, and the area."""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, entry, inlined
from tinkerdyne.compiler.records import FloatRecord, Floats, IntRecord, Ints, cells
from tinkerdyne.engine.contact.detection_records import Detection, FoundContact, Work
from tinkerdyne.engine.contact.recycling import contact_at, point_at
from tinkerdyne.engine.contact.touching import Touching, TouchValues
from tinkerdyne.engine.contact.vectors import dot, make_unit, perpendicular, put, put_cross, put_sum

CLOSED = 1e2  # times the slop: contacts with a smaller gap are closed


class Gauge:
    """What a measure shows."""

    TOUCHING, FORCE, AREA = range(3)


GAUGES = {"touching": Gauge.TOUCHING, "contact_force": Gauge.FORCE, "contact_area": Gauge.AREA}


class Watch(IntRecord):
    """A measure of two bodies of the detection, or −1 where one of them has no surface."""

    table = "watches"
    a: int
    b: int
    gauge: int
    place: int  # S: of its number, or of its three


class SupportPlane(FloatRecord):
    """Axes along and across a patch, and two directions and a point in it."""

    u: Floats = cells(3)
    v: Floats = cells(3)
    n: Floats = cells(3)
    here: Floats = cells(3)
    ahead: Floats = cells(3)
    way: Floats = cells(3)


@inlined
def is_between(watch: Watch, found: FoundContact) -> int:
    """1 for a contact of both bodies of a measure, −1 where they are the other way round, else 0."""
    if found.a == watch.a and found.b == watch.b:
        return 1
    return -1 if found.a == watch.b and found.b == watch.a else 0


@inlined
def pushes(T: Touching, Y: Floats, D: Ints, F: Floats, watch: Watch, k: int) -> int:
    """Whether contact k is one of a measure's, and pushes: as `is_between` says."""
    H = Detection(D)
    way = is_between(watch, contact_at(D, H.contacts, k))
    return way if dot(at(Y, T.impulses + 3 * k), point_at(F, H.points, k).n) > 0.0 else 0


@compiled
def hull_ahead(
    T: Touching, Y: Floats, D: Ints, F: Floats, watch: Watch, plane: SupportPlane, here: int
) -> int:
    """The pushing contact that has all others on its left as seen from one; that one where it is alone."""
    H = Detection(D)
    best = here
    put_sum(plane.here, point_at(F, H.points, here).xa, 0.0, plane.n)
    for k in range(H.n_contacts):
        if k == here or pushes(T, Y, D, F, watch, k) == 0:
            continue
        put_sum(plane.way, point_at(F, H.points, k).xa, -1.0, plane.here)
        x = dot(plane.u, plane.way)
        y = dot(plane.v, plane.way)
        p = dot(plane.u, plane.ahead)
        q = dot(plane.v, plane.ahead)
        turned = p * y - q * x
        is_further = turned == 0.0 and x * x + y * y > p * p + q * q
        if best == here or turned < 0.0 or is_further:
            best = k
            put_sum(plane.ahead, plane.way, 0.0, plane.n)
    return best


@compiled
def area_of(T: Touching, Y: Floats, D: Ints, F: Floats, watch: Watch, plane: SupportPlane) -> float:
    """What the pushing points of a measure enclose, seen along their mean normal (gift wrapping)."""
    H = Detection(D)
    put(plane.n, 0.0, 0.0, 0.0)
    first = -1
    for k in range(H.n_contacts):
        way = pushes(T, Y, D, F, watch, k)
        if way != 0:
            put_sum(plane.n, plane.n, float(way), point_at(F, H.points, k).n)
            first = k
    if first < 0 or not (make_unit(plane.n) > 0.0):
        return 0.0
    perpendicular(plane.n, plane.u)
    put_cross(plane.v, plane.n, plane.u)
    for k in range(H.n_contacts):  # one that lies furthest is a corner
        if pushes(T, Y, D, F, watch, k) == 0:
            continue
        more = dot(plane.u, point_at(F, H.points, k).xa) - dot(plane.u, point_at(F, H.points, first).xa)
        if more > 0.0:
            first = k
    area = 0.0
    here = first
    origin = point_at(F, H.points, first).xa
    for _ in range(H.n_contacts):
        there = hull_ahead(T, Y, D, F, watch, plane, here)
        if there == first or there == here:
            break
        put_sum(plane.here, plane.here, -1.0, origin)
        put_cross(plane.way, plane.here, plane.ahead)
        area += 0.5 * dot(plane.n, plane.way)
        here = there
    return math.fabs(area)


@compiled
def tell_watches(S: Floats, T: Touching, Y: Floats, D: Ints, F: Floats) -> None:
    """Write what the measures show into the arena: 1 or 0, the force of b on a [N], of the last kick, or the
    area of support [m²]."""
    H = Detection(D)
    values = TouchValues(Y)
    share = 2.0 / values.taken if values.taken > 0.0 else 0.0
    for w in range(T.n_watches):
        watch = Watch.of(T, w)
        out = at(S, watch.place)
        for i in range(3 if watch.gauge == Gauge.FORCE else 1):
            out[i] = 0.0
        if watch.gauge == Gauge.AREA:
            out[0] = area_of(T, Y, D, F, watch, SupportPlane(Work(at(F, H.work)).samples))
            continue
        for k in range(H.n_contacts):
            way = is_between(watch, contact_at(D, H.contacts, k))
            if way == 0:
                continue
            r = at(Y, T.impulses + 3 * k)
            point = point_at(F, H.points, k)
            if watch.gauge == Gauge.FORCE:
                put_sum(out, out, -float(way) * share, r)
            elif point.gap <= CLOSED * values.slop or dot(r, point.n) > 0.0:
                out[0] = 1.0


@entry("FIFIF")
def tell_all_watches(S: Floats, T: Ints, Y: Floats, D: Ints, F: Floats) -> int:
    """The same from Python."""
    tell_watches(S, Touching(T), Y, D, F)
    return 0
