"""What measures show of contacts: whether two bodies touch, and with which force, after every step."""

from __future__ import annotations

from tinkerdyne.compiler.core import at, compiled, entry
from tinkerdyne.compiler.records import Floats, IntRecord, Ints
from tinkerdyne.engine.contact.detection_records import Detection
from tinkerdyne.engine.contact.recycling import contact_at, point_at
from tinkerdyne.engine.contact.touching import Touching, TouchValues

CLOSED = 1e2  # times the slop: contacts with a smaller gap are closed


class Watch(IntRecord):
    """A measure of two bodies of the detection, or −1 where one of them has no surface."""

    table = "watches"
    a: int
    b: int
    is_force: int
    place: int  # S: of its number, or of its three


@compiled
def tell_watches(S: Floats, T: Touching, Y: Floats, D: Ints, F: Floats) -> None:
    """Write what the measures show into the arena: 1 or 0, or the force of b on a [N], of the last kick."""
    H = Detection(D)
    values = TouchValues(Y)
    share = 2.0 / values.taken if values.taken > 0.0 else 0.0
    for w in range(T.n_watches):
        watch = Watch.of(T, w)
        out = at(S, watch.place)
        for i in range(3 if watch.is_force != 0 else 1):
            out[i] = 0.0
        for k in range(H.n_contacts):
            found = contact_at(D, H.contacts, k)
            is_ahead = found.a == watch.a and found.b == watch.b
            if not is_ahead and not (found.a == watch.b and found.b == watch.a):
                continue
            r = at(Y, T.impulses + 3 * k)
            point = point_at(F, H.points, k)
            if watch.is_force != 0:
                for i in range(3):
                    out[i] += -share * r[i] if is_ahead else share * r[i]
            elif (
                point.gap <= CLOSED * values.slop
                or r[0] * point.n[0] + r[1] * point.n[1] + r[2] * point.n[2] > 0.0
            ):
                out[0] = 1.0


@entry("FIFIF")
def tell_all_watches(S: Floats, T: Ints, Y: Floats, D: Ints, F: Floats) -> int:
    """The same from Python."""
    tell_watches(S, Touching(T), Y, D, F)
    return 0
