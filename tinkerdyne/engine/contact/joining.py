"""Joining: the contacts that were found and those that were there before, in one table.

A patch has four points at most, and a body that tumbles comes down on others than it left. A step that is
taken again knows both. Of each old contact its impulse and its bend are carried on: `then` and `bent`
become r and b.
"""

from __future__ import annotations

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats, Ints
from tinkerdyne.engine.contact.detection_records import (
    ContactPoint,
    Detection,
    FoundContact,
    Patch,
    PatchPose,
)
from tinkerdyne.engine.contact.recycling import contact_at, patch_at, point_at
from tinkerdyne.engine.contact.touching import Bend, Course

BEFORE, SAME, BEHIND = -1, 0, 1


@inlined
def bend_at(bends: Floats, k: int) -> Bend:
    """The bend of a contact."""
    return Bend(at(bends, k * Bend.size))


@inlined
def compare(one: Patch, other: Patch) -> int:
    """The order of two patches, by their surfaces."""
    if one.a == other.a and one.b == other.b:
        return SAME
    return BEFORE if one.a < other.a or (one.a == other.a and one.b < other.b) else BEHIND


@compiled
def place_in(H: Detection, D: Ints, F: Floats, patch: Patch, old: int) -> int:
    """Which point of a new patch an old one is, with the same anchors and the same normal, or −1. Where two
    edges cross these move along while the feature stays: with the newest alone, a step went to and fro
    between two."""
    for k in range(patch.first, patch.first + patch.n):
        if contact_at(D, H.contacts, k).feature == contact_at(D, H.old_contacts, old).feature:
            x = point_at(F, H.points, k)
            y = point_at(F, H.old_points, old)
            differs = 0
            for i in range(3):
                if x.anchor_a[i] != y.anchor_a[i] or x.anchor_b[i] != y.anchor_b[i]:
                    differs = 1
                if x.local_n[i] != y.local_n[i]:
                    differs = 1
            if differs == 0:
                return k
    return -1


@compiled
def extra_points(H: Detection, D: Ints, F: Floats, old: Patch, new: Patch) -> int:
    """How many points of an old patch the new one of the same surfaces has not."""
    n = 0
    for k in range(old.first, old.first + old.n):
        n += 1 if place_in(H, D, F, new, k) < 0 else 0
    return n


@compiled
def copy_contact(
    D: Ints, F: Floats, contacts: int, points: int, k: int, to_contacts: int, to_points: int, to: int
) -> None:
    """Copy a contact from one table to another."""
    source = contact_at(D, contacts, k)
    target = contact_at(D, to_contacts, to)
    for i in range(FoundContact.size):
        target[i] = source[i]
    x = point_at(F, points, k)
    y = point_at(F, to_points, to)
    for i in range(ContactPoint.size):
        y[i] = x[i]


@compiled
def count_joined(H: Detection, D: Ints, F: Floats) -> tuple[int, int]:
    """How many patches and contacts both tables have together."""
    patches = H.n_patches
    contacts = H.n_contacts
    i = 0
    for j in range(H.n_old_patches):
        old = patch_at(D, H.old_patches, j)
        while i < H.n_patches and compare(patch_at(D, H.patches, i), old) == BEFORE:
            i += 1
        if i < H.n_patches and compare(patch_at(D, H.patches, i), old) == SAME:
            contacts += extra_points(H, D, F, old, patch_at(D, H.patches, i))
        else:
            patches += 1
            contacts += old.n
    return patches, contacts


@inlined
def carry(r: Floats, then: Floats, b: Floats, bent: Floats, k: int, place: int) -> None:
    """An old contact keeps its impulse and its bend."""
    for c in range(3):
        r[3 * place + c] = then[3 * k + c]
    for c in range(Bend.size):
        b[Bend.size * place + c] = bent[Bend.size * k + c]


@inlined
def put_old(
    H: Detection, D: Ints, F: Floats, r: Floats, then: Floats, b: Floats, bent: Floats,
    j: int, at_patch: int, end: int,
) -> int:  # fmt: skip
    """Write an old patch as it is, so that its contacts end there; returns where they begin."""
    old = patch_at(D, H.old_patches, j)
    first = end - old.n
    for k in range(old.n - 1, -1, -1):
        copy_contact(D, F, H.old_contacts, H.old_points, old.first + k, H.contacts, H.points, first + k)
        carry(r, then, b, bent, old.first + k, first + k)
    for i in range(PatchPose.size):
        F[H.relative + at_patch * PatchPose.size + i] = F[H.old_relative + j * PatchPose.size + i]
    patch = patch_at(D, H.patches, at_patch)
    patch.a = old.a
    patch.b = old.b
    patch.first = first
    patch.n = old.n
    patch.joined = old.joined
    return first


@inlined
def leave_rolled(H: Detection, D: Ints, old: Patch, k: int, b: Floats, bent: Floats) -> None:
    """A new contact with the feature of an old one that rolls is that one, rolled on: it counts for
    nothing."""
    for i in range(old.first, old.first + old.n):
        is_same = contact_at(D, H.old_contacts, i).feature == contact_at(D, H.contacts, k).feature
        if is_same and bend_at(bent, i).kind == Course.ROLLS:
            bend_at(b, k).kind = Course.ROLLED_ON


@inlined
def put_new(
    H: Detection, D: Ints, F: Floats, r: Floats, then: Floats, b: Floats, bent: Floats,
    i: int, j: int, at_patch: int, end: int, rolls: int,
) -> int:  # fmt: skip
    """Write a new patch further behind, with the points that the old patch j has beyond it (−1: none), so
    that its contacts end there; returns where they begin. New points have no impulse yet."""
    new = patch_at(D, H.patches, i)
    own = new.n - new.joined
    depth = depth_of(F, H, new)
    place = end
    if j >= 0:
        old = patch_at(D, H.old_patches, j)
        for k in range(old.first + old.n - 1, old.first - 1, -1):
            if place_in(H, D, F, new, k) < 0:
                place -= 1
                copy_contact(D, F, H.old_contacts, H.old_points, k, H.contacts, H.points, place)
                carry(r, then, b, bent, k, place)
    first = place - new.n
    for k in range(new.n - 1, -1, -1):
        copy_contact(D, F, H.contacts, H.points, new.first + k, H.contacts, H.points, first + k)
        for c in range(3):
            r[3 * (first + k) + c] = 0.0
        for c in range(Bend.size):
            b[Bend.size * (first + k) + c] = 0.0
        bend_at(b, first + k).depth = depth
        if j >= 0 and rolls != 0:
            leave_rolled(H, D, patch_at(D, H.old_patches, j), first + k, b, bent)
    for c in range(PatchPose.size):
        F[H.relative + at_patch * PatchPose.size + c] = F[H.relative + i * PatchPose.size + c]
    patch = patch_at(D, H.patches, at_patch)
    one = new.a
    other = new.b
    patch.a = one
    patch.b = other
    patch.joined = end - first - own
    patch.n = end - first
    patch.first = first
    return first


@inlined
def depth_of(F: Floats, H: Detection, patch: Patch) -> float:
    """By how much the points of a patch overlap at most."""
    most = 0.0
    for k in range(patch.first, patch.first + patch.n):
        most = max(most, -point_at(F, H.points, k).gap)
    return most


@compiled
def note_depths(H: Detection, D: Ints, F: Floats, bent: Floats) -> None:
    """Of each old contact, by how much its bodies overlap in the new patches: not at all where they have
    left each other, wherever a spin has taken its anchors since."""
    i = 0
    for j in range(H.n_old_patches):
        old = patch_at(D, H.old_patches, j)
        while i < H.n_patches and compare(patch_at(D, H.patches, i), old) == BEFORE:
            i += 1
        depth = 0.0
        if i < H.n_patches and compare(patch_at(D, H.patches, i), old) == SAME:
            depth = depth_of(F, H, patch_at(D, H.patches, i))
        for k in range(old.first, old.first + old.n):
            bend_at(bent, k).depth = depth


@compiled
def leave_deep(H: Detection, D: Ints, F: Floats, deep: float) -> None:
    """Leave of the new patches those in which something overlaps by more than that."""
    patches = 0
    contacts = 0
    for i in range(H.n_patches):
        patch = patch_at(D, H.patches, i)
        first = patch.first
        n = patch.n
        if depth_of(F, H, patch) <= deep:
            continue
        for k in range(n):
            copy_contact(D, F, H.contacts, H.points, first + k, H.contacts, H.points, contacts + k)
        to = patch_at(D, H.patches, patches)
        for c in range(Patch.size):
            to[c] = patch[c]
        to.first = contacts
        for c in range(PatchPose.size):
            F[H.relative + patches * PatchPose.size + c] = F[H.relative + i * PatchPose.size + c]
        contacts += n
        patches += 1
    H.n_patches = patches
    H.n_contacts = contacts


@compiled
def join_patches(
    H: Detection, D: Ints, F: Floats, deep: float, room: int,
    r: Floats, then: Floats, b: Floats, bent: Floats, rolls: int,
) -> int:  # fmt: skip
    """The old patches, and of the new ones those that overlap by more than `deep`, in order; returns how many
    contacts there are then, `room` at most. Where there is no room the answer is −1, and nothing has
    changed."""
    patches, contacts = count_joined(H, D, F)
    if patches > H.patch_room or contacts > H.contact_room or contacts > room:
        H.n_wanted = contacts
        H.n_pairs = max(H.n_pairs, patches)
        return -1
    note_depths(H, D, F, bent)
    leave_deep(H, D, F, deep)
    patches, contacts = count_joined(H, D, F)
    i = H.n_patches - 1
    j = H.n_old_patches - 1
    end = contacts
    for p in range(patches - 1, -1, -1):
        order = BEHIND
        if i < 0:
            order = BEFORE
        elif j >= 0:
            order = compare(patch_at(D, H.patches, i), patch_at(D, H.old_patches, j))
        if order == BEFORE:
            end = put_old(H, D, F, r, then, b, bent, j, p, end)
            j -= 1
        else:
            end = put_new(H, D, F, r, then, b, bent, i, j if order == SAME else -1, p, end, rolls)
            i -= 1
            if order == SAME:
                j -= 1
    H.n_patches = patches
    H.n_contacts = contacts
    return contacts
