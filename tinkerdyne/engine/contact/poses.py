"""Poses of bodies for detection, from the lifts of objects in the arena.

A lift is x and the axes by columns: 12 numbers in space (a rigid body, a troid), 6 in the plane; of a
particle it is its place, 3 or 2 numbers.
"""

from __future__ import annotations

from tinkerdyne.compiler.core import at, compiled, entry, inlined
from tinkerdyne.compiler.records import Floats, Ints
from tinkerdyne.engine.contact.detection_records import Collider, Detection
from tinkerdyne.engine.contact.placing import pose_of
from tinkerdyne.engine.records import Index, Object, Scalars

PLANAR, PLANAR_POINT = 6, 2  # numbers of a lift in the plane


@inlined
def write_planar(lift: Floats, width: int, out: Floats) -> None:
    """A pose in the plane, at z = 0."""
    out[0] = lift[0]
    out[1] = lift[1]
    if width == PLANAR:
        R = at(out, 3)
        for c in range(2):
            for r in range(2):
                R[3 * c + r] = lift[2 + 2 * c + r]


@compiled
def gather_poses(I: Index, S: Scalars, H: Detection, F: Floats) -> None:
    """Write the pose of every body whose object is known, by the lifts at hand; the rest of a pose is that of
    no turn, as it was laid out."""
    for b in range(H.n_bodies):
        body = Collider.of(H, b + 1)
        if body.object < 0:
            continue
        lift = at(S, Object.of(I, body.object).lift)
        out = pose_of(H, F, b)
        if body.lift == PLANAR or body.lift == PLANAR_POINT:
            write_planar(lift, body.lift, out)
        else:
            for i in range(body.lift):
                out[i] = lift[i]


@entry("IFIF")
def gather_all_poses(I: Ints, S: Floats, D: Ints, F: Floats) -> int:
    """The same from Python."""
    H = Detection(D)
    gather_poses(Index(I), Scalars(S), H, F)
    return H.n_bodies
