"""Meeting: from the state of a world to its contacts, and to the numbers of the contact solver."""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats, Ints
from tinkerdyne.engine.contact.constants import along_belt, friction_of
from tinkerdyne.engine.contact.detect import find_contacts
from tinkerdyne.engine.contact.detection_records import (
    Detection,
    DetectionSettings,
    Pose,
)
from tinkerdyne.engine.contact.islands import contact_prepare
from tinkerdyne.engine.contact.making_turns import add_turns, write_turns
from tinkerdyne.engine.contact.placing import pose_of
from tinkerdyne.engine.contact.poses import gather_poses
from tinkerdyne.engine.contact.problem import Body, Contact, Point, Problem
from tinkerdyne.engine.contact.recycling import contact_at, patch_at, point_at, refresh, swap_tables
from tinkerdyne.engine.contact.sleep import leave_out_sleepers, wake_who_touches
from tinkerdyne.engine.contact.touching import Bend, Course, Touching, TouchingBody, TouchValues
from tinkerdyne.engine.product import times_W
from tinkerdyne.engine.records import Flag, Index, Object, Scalars, Vel
from tinkerdyne.engine.steppers.motion import vels

NO_PROBLEM_ROOM, NO_WORDS, NO_FLOATS = -3, -4, -5
FINEST_WAY, WIDEST_WAY = 2.0**-40, 2.0**40  # m
AHEAD = 2.0  # steps that contacts are looked for ahead of a body


# --- where everything is ---------------------------------------------------------------------------
@inlined
def speed_of(I: Index, S: Scalars, own: Object, reach: float, h: float) -> float:
    """A bound of how fast a point of an object's surface is within the next step; its accelerations without
    constraints are in Vel.KICK."""
    kick = at(vels(I, S, Vel.KICK), own.v - I.v)
    line = 0.0
    turn = 0.0
    for i in range(own.nv):
        v = math.fabs(S[own.v + i]) + h * math.fabs(kick[i])
        if i >= 3 or (own.flags & Flag.PLANAR != 0 and i == 2):
            turn += v * v
        else:
            line += v * v
    return math.sqrt(line) + math.sqrt(turn) * reach


@compiled
def write_ways(I: Index, S: Scalars, T: Touching, Y: Floats, H: Detection, F: Floats, h: float) -> None:
    """How far ahead of each body contacts are looked for. In powers of two: what is looked at does not hang
    on the last digits of a speed, and not on bodies elsewhere."""
    times_W(I, S, at(S, I.force), vels(I, S, Vel.KICK))
    for b in range(T.n_bodies):
        row = TouchingBody.of(T, b)
        way = 0.0
        if row.mover >= 0 and Y[T.rests + row.mover] < 0.0:
            way = FINEST_WAY
        elif row.mover >= 0:
            wanted = AHEAD * h * speed_of(I, S, Object.of(I, row.object), Y[row.reach], h)
            way = FINEST_WAY
            while way < wanted and way < WIDEST_WAY:
                way *= 2.0
        pose_of(H, F, b).way = way


@compiled
def meet(
    I: Index, S: Scalars, T: Touching, Y: Floats, D: Ints, F: Floats, P: Problem, K: Ints, h: float
) -> int:
    """Find the contacts of the present state and make the problem ready for them; returns how many there are,
    or below 0 what room is missing."""
    H = Detection(D)
    settings = DetectionSettings(at(F, H.settings))
    gather_poses(I, S, H, F)
    write_ways(I, S, T, Y, H, F, h)
    settings.margin = TouchValues(Y).slop
    settings.slop = TouchValues(Y).slop
    before = H.n_contacts
    n = find_contacts(D, F)
    if n < 0:
        return n
    ready = make_problem(I, T, Y, D, P, K)
    if ready < 0:  # the impulses at hand are those of the contacts before
        swap_tables(H)
        H.n_contacts = before
        return ready
    recall_impulses(T, Y, H, D)
    return n


@compiled
def make_problem(I: Index, T: Touching, Y: Floats, D: Ints, P: Problem, K: Ints) -> int:
    """Make the problem ready for the contacts that detection holds, and wake who touches what is awake;
    returns how many contacts there are, or below 0 what room is missing."""
    H = Detection(D)
    n = H.n_contacts
    if n > P.contact_room:
        H.n_wanted = n
        return NO_PROBLEM_ROOM
    T.n_met = n
    P.n_contacts = n
    for k in range(n):
        found = contact_at(D, H.contacts, k)
        contact = Contact.of(P, k)
        contact.a = -1 if found.a < 0 else TouchingBody.of(T, found.a).mover
        contact.b = -1 if found.b < 0 else TouchingBody.of(T, found.b).mover
        contact.turn = 0
    wake_who_touches(T, Y, P)
    leave_out_sleepers(T, Y, P)
    if T.has_turns != 0 and add_turns(I, T, Y, D, P) < 0:
        return NO_PROBLEM_ROOM
    floats = contact_prepare(P, T.problem_room, K, T.work_room)
    if floats < 0:
        return NO_WORDS
    if floats > T.float_room:
        return NO_FLOATS
    T.is_found = 1
    return n


@compiled
def see_from_here(I: Index, S: Scalars, T: Touching, D: Ints, F: Floats) -> None:
    """Contacts that were found elsewhere, by their anchors, where the bodies are now."""
    H = Detection(D)
    gather_poses(I, S, H, F)
    for k in range(H.n_contacts):
        refresh(H, F, contact_at(D, H.contacts, k), point_at(F, H.points, k))


@compiled
def recall_impulses(T: Touching, Y: Floats, H: Detection, D: Ints) -> None:
    """Contacts that were there before begin with the impulses they had: patches of the same two surfaces, and
    in them the points of the same features."""
    now = at(Y, T.impulses)
    for k in range(3 * H.n_contacts):
        now[k] = 0.0
    match_impulses(H, D, now, at(Y, T.old_impulses))
    for k in range(3 * H.n_contacts):  # these contacts are the old ones of the next time
        Y[T.old_impulses + k] = now[k]


@inlined
def match_impulses(H: Detection, D: Ints, now: Floats, then: Floats) -> None:
    """See `recall_impulses`."""
    old = 0
    for p in range(H.n_patches):
        patch = patch_at(D, H.patches, p)
        while old < H.n_old_patches:
            before = patch_at(D, H.old_patches, old)
            if before.a > patch.a or (before.a == patch.a and before.b >= patch.b):
                break
            old += 1
        if old == H.n_old_patches:
            return
        before = patch_at(D, H.old_patches, old)
        if before.a != patch.a or before.b != patch.b:
            continue
        for i in range(patch.first, patch.first + patch.n):
            feature = contact_at(D, H.contacts, i).feature
            for j in range(before.first, before.first + before.n):
                if contact_at(D, H.old_contacts, j).feature == feature:
                    for c in range(3):
                        now[3 * i + c] = then[3 * j + c]
                    break


# --- the numbers of the problem ----------------------------------------------------------------------
@compiled
def write_bodies(I: Index, S: Scalars, T: Touching, P: Problem, X: Floats, v_free: Floats) -> None:
    """Masses and velocities of the objects that move; v_free is a vector like v."""
    for m in range(T.n_movers):
        own = Object.of(I, T[T.movers + m])
        body = Body.of(P, m)
        n = own.nv
        w = body.width
        M = at(X, body.M)
        if body.is_asleep != 0:
            for i in range(w):
                X[P.v + body.dof + i] = 0.0
                X[P.v_free + body.dof + i] = 0.0
            continue
        for i in range(n):
            for j in range(w):
                M[i * w + j] = S[own.M + i * n + j] if j < n else 0.0
        first = own.v - I.v
        for i in range(w):
            X[P.v + body.dof + i] = S[own.v + i] if i < n else 0.0
            X[P.v_free + body.dof + i] = v_free[first + i] if i < n else 0.0


@inlined
def tangents(n: Floats, is_planar: int, t1: Floats, t2: Floats) -> None:
    """Two directions across n; in the plane the first lies in it."""
    if is_planar != 0:
        t1[0] = -n[1]
        t1[1] = n[0]
        t1[2] = 0.0
        t2[0] = 0.0
        t2[1] = 0.0
        t2[2] = 1.0
        return
    # the axis that n is least along
    x = math.fabs(n[0])
    y = math.fabs(n[1])
    z = math.fabs(n[2])
    k = 0 if x <= y and x <= z else (1 if y <= z else 2)
    i = (k + 1) % 3
    j = (k + 2) % 3
    size = math.sqrt(n[i] * n[i] + n[j] * n[j])
    t1[k] = 0.0
    t1[i] = -n[j] / size
    t1[j] = n[i] / size
    t2[0] = n[1] * t1[2] - n[2] * t1[1]
    t2[1] = n[2] * t1[0] - n[0] * t1[2]
    t2[2] = n[0] * t1[1] - n[1] * t1[0]


@inlined
def write_row(
    own: Object, pose: Pose, anchor: Floats, d: Floats, sign: float, row: Floats, width: int
) -> None:
    """How fast the point of an object goes along d, for each of its velocities."""
    for i in range(width):
        row[i] = sign * d[i] if i < 3 and i < own.nv else 0.0
    R = pose.rotation
    if own.flags & Flag.RIGID != 0:
        x = R[0] * d[0] + R[1] * d[1] + R[2] * d[2]
        y = R[3] * d[0] + R[4] * d[1] + R[5] * d[2]
        z = R[6] * d[0] + R[7] * d[1] + R[8] * d[2]
        row[3] = sign * (anchor[1] * z - anchor[2] * y)
        row[4] = sign * (anchor[2] * x - anchor[0] * z)
        row[5] = sign * (anchor[0] * y - anchor[1] * x)
    elif own.flags & Flag.PLANAR != 0:
        x = R[0] * anchor[0] + R[3] * anchor[1]
        y = R[1] * anchor[0] + R[4] * anchor[1]
        row[2] = sign * (x * d[1] - y * d[0])
    elif own.nv > 3:  # a troid: its shape by columns behind its place
        n = 3 if own.nv == 12 else 2
        for j in range(n):
            for i in range(n):
                row[n + n * j + i] = sign * d[i] * anchor[j]


@inlined
def write_side(
    I: Index, T: Touching, H: Detection, F: Floats, P: Problem, X: Floats, b: int, H_: int, anchor: Floats,
    frame: Floats, sign: float,
) -> None:  # fmt: skip
    """The three rows of one body of a contact."""
    if b < 0:
        return
    row = TouchingBody.of(T, b)
    if row.mover < 0:
        return
    own = Object.of(I, row.object)
    pose = pose_of(H, F, b)
    w = Body.of(P, row.mover).width
    for i in range(3):
        write_row(own, pose, anchor, at(frame, 3 * i), sign, at(X, H_ + i * w), w)


@inlined
def is_in_plane(I: Index, T: Touching, b: int) -> int:
    """Whether a body lives in the plane."""
    if b < 0:
        return 0
    own = Object.of(I, TouchingBody.of(T, b).object)
    return 1 if own.flags & Flag.PLANAR != 0 or own.nv == 2 else 0


@inlined
def along_normal(P: Problem, X: Floats, k: int, v: Floats) -> float:
    """How fast a contact opens with velocities v, padded as the problem has them."""
    contact = Contact.of(P, k)
    rate = 0.0
    if contact.a >= 0:
        body = Body.of(P, contact.a)
        for j in range(body.width):
            rate += X[contact.Ha + j] * v[body.dof + j]
    if contact.b >= 0:
        body = Body.of(P, contact.b)
        for j in range(body.width):
            rate += X[contact.Hb + j] * v[body.dof + j]
    return rate


@inlined
def wide_open(rate: float) -> float:
    """A b with which a contact that closes at this rate is none."""
    return 4.0 * math.fabs(rate) + 1.0


@compiled
def write_contacts(
    I: Index, S: Scalars, T: Touching, Y: Floats, D: Ints, F: Floats, P: Problem, X: Floats, h: float
) -> None:
    """H, b, μ and a guess of r of every contact, in the frame (n, t1, t2)."""
    H = Detection(D)
    for k in range(T.n_met):
        found = contact_at(D, H.contacts, k)
        point = point_at(F, H.points, k)
        contact = Contact.of(P, k)
        if contact.a < 0 and contact.b < 0:
            continue
        given = Point(at(X, contact.point))
        frame = at(Y, T.frames + 9 * k)
        for i in range(3):
            frame[i] = point.n[i]
        planar = max(is_in_plane(I, T, found.a), is_in_plane(I, T, found.b))
        tangents(frame, planar, at(frame, 3), at(frame, 6))
        write_side(I, T, H, F, P, X, found.a, contact.Ha, point.anchor_a, frame, -1.0)
        write_side(I, T, H, F, P, X, found.b, contact.Hb, point.anchor_b, frame, 1.0)
        given.mu = friction_of(T, Y, found)
        given.arm = 0.0
        given.b[0] = max(0.0, point.gap) / h
        if Y[T.holds + k] != 0.0:
            given.b[0] = wide_open(along_normal(P, X, k, at(X, P.v_free)))
        given.b[1] = 0.0
        given.b[2] = 0.0
        if T.has_belts != 0:
            for i in range(1, 3):
                along = at(frame, 3 * i)
                given.b[i] += along_belt(T, Y, found.surface_b, pose_of(H, F, found.b), along)
                given.b[i] -= along_belt(T, Y, found.surface_a, pose_of(H, F, found.a), along)
        r = at(Y, T.impulses + 3 * k)
        for i in range(3):
            given.r[i] = r[0] * frame[3 * i] + r[1] * frame[3 * i + 1] + r[2] * frame[3 * i + 2]
    write_turns(I, T, Y, D, F, P, X, 1.0)


@compiled
def keep_impulses(T: Touching, Y: Floats, P: Problem, X: Floats, is_again: int) -> None:
    """The impulses of a solution, in the world; in one that is taken again some are kept as they are."""
    for k in range(T.n_met):
        if Contact.of(P, k).a < 0 and Contact.of(P, k).b < 0:
            continue
        if is_again != 0 and Bend(at(Y, T.bends + k * Bend.size)).kind == Course.KEPT:
            continue
        given = Point(at(X, Contact.of(P, k).point))
        r = given.r
        frame = at(Y, T.frames + 9 * k)
        for i in range(3):
            out = r[0] * frame[i] + r[1] * frame[3 + i] + r[2] * frame[6 + i]
            Y[T.impulses + 3 * k + i] = out
            Y[T.old_impulses + 3 * k + i] = out
