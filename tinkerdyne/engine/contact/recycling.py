"""Recycling: a patch is kept, as anchors in the bodies, while these hardly move against each other.

A patch that is kept is seen from where its bodies are now: its points and gaps follow the anchors. So what
rests has the same patch, to the last bit, in every step.
"""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats, Ints
from tinkerdyne.engine.contact.detection_records import (
    Collider,
    ContactPoint,
    Core,
    Detection,
    FoundContact,
    Owner,
    Patch,
    PatchPose,
)
from tinkerdyne.engine.contact.placing import placed, pose_of
from tinkerdyne.engine.contact.vectors import dot, make_unit, put, put_cross, put_sum, turn, turn_back


@inlined
def contact_at(D: Ints, table: int, k: int) -> FoundContact:
    """Row k of a table of contacts."""
    return FoundContact(at(D, table + k * FoundContact.size))


@inlined
def point_at(F: Floats, table: int, k: int) -> ContactPoint:
    """Row k of a table of their points."""
    return ContactPoint(at(F, table + k * ContactPoint.size))


@inlined
def patch_at(D: Ints, table: int, k: int) -> Patch:
    """Row k of a table of patches."""
    return Patch(at(D, table + k * Patch.size))


@inlined
def pose_at(F: Floats, table: int, k: int) -> PatchPose:
    """Row k of a table of their poses."""
    return PatchPose(at(F, table + k * PatchPose.size))


# --- anchors -------------------------------------------------------------------------------------
@inlined
def invert(R: Floats, x: float, y: float, z: float, out: Floats) -> None:
    """out ← R⁻¹ (x, y, z), of a body that is not rigid: Cramer's rule."""
    put_cross(out, at(R, 3), at(R, 6))
    det = dot(out, R)
    p = (out[0] * x + out[1] * y + out[2] * z) / det
    put_cross(out, at(R, 6), R)
    q = (out[0] * x + out[1] * y + out[2] * z) / det
    put_cross(out, R, at(R, 3))
    r = (out[0] * x + out[1] * y + out[2] * z) / det
    put(out, p, q, r)


@inlined
def to_body(H: Detection, F: Floats, body: int, x: Floats, out: Floats) -> None:
    """A place of the world as a body sees it."""
    pose = pose_of(H, F, body)
    a = x[0] - pose.position[0]
    b = x[1] - pose.position[1]
    c = x[2] - pose.position[2]
    if Collider.of(H, body + 1).is_affine != 0:
        invert(pose.rotation, a, b, c, out)
    else:
        turn_back(pose.rotation, a, b, c, out)


@inlined
def to_world(H: Detection, F: Floats, body: int, x: Floats, out: Floats) -> None:
    """A place of a body in the world."""
    pose = pose_of(H, F, body)
    turn(pose.rotation, x[0], x[1], x[2], out)
    put_sum(out, out, 1.0, pose.position)


@inlined
def normal_to_body(H: Detection, F: Floats, body: int, n: Floats, out: Floats) -> None:
    """A normal as a body sees it: Rᵀ n."""
    turn_back(pose_of(H, F, body).rotation, n[0], n[1], n[2], out)


@inlined
def normal_to_world(H: Detection, F: Floats, body: int, n: Floats, out: Floats) -> None:
    """The normal that a body sees so: R n, or R⁻ᵀ n of a body that is not rigid."""
    R = pose_of(H, F, body).rotation
    if Collider.of(H, body + 1).is_affine == 0:
        turn(R, n[0], n[1], n[2], out)
        return
    a = n[0]
    b = n[1]
    c = n[2]
    for i in range(3):
        j = (i + 1) % 3
        k = (i + 2) % 3
        out[i] = (
            a * (R[3 + j] * R[6 + k] - R[3 + k] * R[6 + j])
            + b * (R[6 + j] * R[k] - R[6 + k] * R[j])
            + c * (R[j] * R[3 + k] - R[k] * R[3 + j])
        )
    make_unit(out)


@inlined
def owner_of(contact: FoundContact, point: ContactPoint) -> int:
    """The body with which a normal turns; −1 where it does with neither."""
    if point.owner == Owner.NEITHER:
        return -1
    return contact.a if point.owner == Owner.A else contact.b


@compiled
def refresh(H: Detection, F: Floats, contact: FoundContact, point: ContactPoint) -> None:
    """Points, normal and gap of a contact by its anchors, where the bodies are now."""
    to_world(H, F, contact.a, point.anchor_a, point.xa)
    to_world(H, F, contact.b, point.anchor_b, point.xb)
    normal_to_world(H, F, owner_of(contact, point), point.local_n, point.n)
    gap = 0.0
    for c in range(3):
        gap += point.n[c] * (point.xb[c] - point.xa[c])
    point.gap = gap


# --- keeping -------------------------------------------------------------------------------------
@inlined
def relative_pose(H: Detection, F: Floats, a: int, b: int, out: PatchPose) -> None:
    """How body b lies as body a sees it."""
    P = pose_of(H, F, a)
    Q = pose_of(H, F, b)
    R = P.rotation
    x = Q.position[0] - P.position[0]
    y = Q.position[1] - P.position[1]
    z = Q.position[2] - P.position[2]
    turn_back(R, x, y, z, out.position)
    for c in range(3):
        axis = at(Q.rotation, 3 * c)
        turn_back(R, axis[0], axis[1], axis[2], at(out.rotation, 3 * c))


@compiled
def is_still(H: Detection, D: Ints, F: Floats, old: int, now: PatchPose, slop: float) -> int:
    """Whether the bodies of an old patch have moved less than the slop against each other, at its points and
    as far as the smaller surface reaches."""
    patch = patch_at(D, H.old_patches, old)
    then = pose_at(F, H.old_relative, old)
    turned = 0.0
    for i in range(9):
        turned += (now.rotation[i] - then.rotation[i]) * (now.rotation[i] - then.rotation[i])
    reach = math.inf
    for side in range(2):
        surface = placed(H, F, patch.a if side == 0 else patch.b)
        if int(surface.kind) != Core.PLANE:  # which has no reach: a ball that rolls on it moves at no point
            reach = min(reach, surface.reach)
    most = 0.0
    for k in range(patch.first, patch.first + patch.n):
        x = point_at(F, H.old_points, k).anchor_b
        square = 0.0
        for c in range(3):
            way = now.position[c] - then.position[c]
            for j in range(3):
                way += (now.rotation[3 * j + c] - then.rotation[3 * j + c]) * x[j]
            square += way * way
        most = max(most, square)
    return 1 if math.sqrt(turned) * reach + math.sqrt(most) <= slop else 0


@compiled
def find_old(H: Detection, D: Ints, start: int, a: int, b: int) -> int:
    """The first old patch from `start` on whose pair is not before (a, b)."""
    k = start
    while k < H.n_old_patches:
        patch = patch_at(D, H.old_patches, k)
        if patch.a > a or (patch.a == a and patch.b >= b):
            break
        k += 1
    return k


@compiled
def keep_patch(H: Detection, D: Ints, F: Floats, old: int) -> int:
    """Take an old patch over; 0 where there is no room."""
    patch = patch_at(D, H.old_patches, old)
    n = patch.n - patch.joined
    if H.n_patches >= H.patch_room or H.n_contacts + n > H.contact_room:
        H.n_contacts += n
        return 0
    new = patch_at(D, H.patches, H.n_patches)
    new.a = patch.a
    new.b = patch.b
    new.first = H.n_contacts
    new.n = n
    new.joined = 0
    for i in range(PatchPose.size):
        F[H.relative + H.n_patches * PatchPose.size + i] = F[H.old_relative + old * PatchPose.size + i]
    for k in range(n):
        source = contact_at(D, H.old_contacts, patch.first + k)
        target = contact_at(D, H.contacts, H.n_contacts + k)
        for i in range(FoundContact.size):
            target[i] = source[i]
        point = point_at(F, H.old_points, patch.first + k)
        copy = point_at(F, H.points, H.n_contacts + k)
        for i in range(ContactPoint.size):
            copy[i] = point[i]
        refresh(H, F, target, copy)
    H.n_contacts += n
    H.n_patches += 1
    H.recycled += 1
    return 1


@compiled
def swap_tables(H: Detection) -> None:
    """What was found becomes what was there before."""
    contacts = H.contacts
    points = H.points
    patches = H.patches
    relative = H.relative
    n = H.n_patches
    H.contacts = H.old_contacts
    H.points = H.old_points
    H.patches = H.old_patches
    H.relative = H.old_relative
    H.n_patches = H.n_old_patches
    H.old_contacts = contacts
    H.old_points = points
    H.old_patches = patches
    H.old_relative = relative
    H.n_old_patches = n
