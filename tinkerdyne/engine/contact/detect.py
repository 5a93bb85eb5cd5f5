"""Detection: all contacts of a world in one compiled call.

    n = program["find_contacts"](D, F)      from Python, or find_contacts(D, F) from a stepper

D (int64) begins with a `Detection`, which says where all else lies in D and in F (float64); `detector.py`
lays both out. Before the call, bring the poses: `gather_poses(I, S, Detection(D), F)` of `poses.py` takes
them from the lifts of the objects that `Detector.follow` named (run the lifts first), or write the pose of
body b into row b + 1 of the Pose table (`H.poses`: place, then the rotation by columns; a planar body has
z = 0 and turns about z, a particle is not turned, a troid has its shape). Write the margin and the slop into
the settings, and into `Pose.way` how far the points of a fast body may go in this step: its gaps are told
that much further. After the call, contact k < n is `Contact` row k of `H.contacts` and `ContactPoint` row k
of `H.points`; these two tables trade places with the old ones in each call, so ask H again. Contacts are in
rising order of their surfaces.

    n ≥ 0   contacts
    n = −1  more pairs than H.pair_room: H.n_pairs are wanted
    n = −2  more contacts than H.contact_room, or patches than H.patch_room: H.n_wanted are wanted

Where room is missing, nothing has changed: give it more (`Detector.grow`) and call again. The tables, with
H.n_patches, are all that is remembered between steps; with them a step has the same bytes again.
"""

from __future__ import annotations

from tinkerdyne.compiler.core import at, compiled, entry, inlined
from tinkerdyne.compiler.records import Floats, Ints
from tinkerdyne.engine.contact.arc_pairs import track_pair
from tinkerdyne.engine.contact.bowl_pairs import bowl_pair
from tinkerdyne.engine.contact.broad_phase import broad_phase
from tinkerdyne.engine.contact.circle_pairs import circle_pair
from tinkerdyne.engine.contact.convex_pairs import box_pair, convex_pair, point_pair, segment_pair
from tinkerdyne.engine.contact.detection_records import (
    Core,
    Detection,
    DetectionSettings,
    Marks,
    Owner,
    PatchPoint,
    PatchPose,
    Placed,
    Surface,
    SurfacePair,
    Work,
)
from tinkerdyne.engine.contact.patch_groups import turn_points
from tinkerdyne.engine.contact.patches import SECOND
from tinkerdyne.engine.contact.placing import place_all, placed, pose_of
from tinkerdyne.engine.contact.planar_pairs import disc_on_polygon, polygon_pair
from tinkerdyne.engine.contact.plane_pairs import plane_pair
from tinkerdyne.engine.contact.recycling import (
    contact_at,
    find_old,
    is_still,
    keep_patch,
    normal_to_body,
    owner_of,
    patch_at,
    point_at,
    refresh,
    relative_pose,
    swap_tables,
    to_body,
)
from tinkerdyne.engine.contact.reduction import reduce_patch
from tinkerdyne.engine.contact.triangles import mesh_on_plane, mesh_pair, two_meshes
from tinkerdyne.engine.contact.vectors import put, put_sum

NO_PAIR_ROOM, NO_CONTACT_ROOM = -1, -2
ASIDE_X, ASIDE_Y, ASIDE_Z = 0.8061, 0.3127, 0.5023  # a direction along which bodies seldom lie side by side


@inlined
def convex_cores(D: Ints, F: Floats, W: Work, M: Marks, A: Placed, B: Placed) -> None:
    """Two convex cores, the lower kind first."""
    ka = int(A.kind)
    kb = int(B.kind)
    if ka == Core.POINT and kb < Core.HULL:
        point_pair(W, A, B)
    elif ka == Core.SEGMENT and kb < Core.HULL:
        segment_pair(D, F, W, M, A, B)
    elif ka == Core.BOX and kb == Core.BOX:
        box_pair(D, F, W, M, A, B)
    else:
        convex_pair(D, F, W, M, A, B)


@compiled
def patch_of(H: Detection, D: Ints, F: Floats, W: Work, M: Marks, A: Placed, B: Placed) -> None:
    """All points of two surfaces, the lower kind first."""
    ka = int(A.kind)
    kb = int(B.kind)
    if kb == Core.TRACK:
        track_pair(D, F, W, A, B)
    elif kb == Core.BOWL:
        if ka < Core.BOWL:
            bowl_pair(H, F, W, A, B)
    elif ka == Core.MESH:
        two_meshes(H, D, F, W, M, A, B)
    elif kb == Core.MESH and ka == Core.PLANE:
        mesh_on_plane(H, D, F, W, B, A)
        turn_points(W, 0)
    elif kb == Core.MESH:
        mesh_pair(H, D, F, W, M, A, B)
    elif kb == Core.PLANE:
        if ka != Core.PLANE:
            plane_pair(D, F, W, A, B)
    elif kb == Core.POLYGON:
        if ka == Core.POLYGON:
            polygon_pair(D, F, W, A, B)
        elif ka == Core.POINT:
            disc_on_polygon(D, F, W, A, B)
    elif ka == Core.CIRCLE:
        circle_pair(H, D, F, W, M, A, B)
    elif kb == Core.CIRCLE:
        circle_pair(H, D, F, W, M, B, A)
        turn_points(W, 0)
    else:
        convex_cores(D, F, W, M, A, B)
    if kb != Core.MESH:
        reduce_patch(W, 0)


@inlined
def bring_near(H: Detection, F: Floats, k: int, origin: Floats, out: Placed) -> None:
    """A copy of a surface whose centre is seen from an origin: near, digits are not lost far out."""
    P = placed(H, F, k)
    for i in range(Placed.size):
        out[i] = P[i]
    put_sum(out.centre, P.centre, -1.0, origin)


@inlined
def is_first(A: Placed, B: Placed) -> int:
    """Whether a surface is looked at before another, whatever their numbers are: the lower kind, the smaller
    one, and of equals the one that lies further out along a direction of its own."""
    if A.kind != B.kind:
        return 1 if A.kind < B.kind else 0
    if A.reach != B.reach:
        return 1 if A.reach < B.reach else 0
    for i in range(3):
        if A.extent[i] != B.extent[i]:
            return 1 if A.extent[i] < B.extent[i] else 0
    x = A.centre[0] - B.centre[0]
    y = A.centre[1] - B.centre[1]
    z = A.centre[2] - B.centre[2]
    return 1 if ASIDE_X * x + ASIDE_Y * y + ASIDE_Z * z >= 0.0 else 0


@inlined
def owner_in(A: Placed, B: Placed, feature: float) -> float:
    """With whom the normal of a point turns, as `Owner` says: with whose face it is, with what has one beside
    what is round, and in no case with a ball."""
    ahead = is_first(A, B)
    low = int(A.kind) if ahead != 0 else int(B.kind)
    high = int(B.kind) if ahead != 0 else int(A.kind)
    if high <= Core.CIRCLE and (low > Core.POINT or high == Core.POINT):
        return Owner.NEITHER
    is_second = low <= Core.CIRCLE or high >= Core.PLANE or int(feature) & int(SECOND) != 0
    if is_second:
        return Owner.B if ahead != 0 else Owner.A
    return Owner.A if ahead != 0 else Owner.B


@compiled
def look_at_pair(H: Detection, D: Ints, F: Floats, a: int, b: int) -> None:
    """W.patch: the points of two surfaces, a and b as they are given, seen from the centre of the first."""
    W = Work(at(F, H.work))
    M = Marks(at(D, H.marks))
    W.count = 0.0
    ways = pose_of(H, F, Surface.of(H, a).body).way + pose_of(H, F, Surface.of(H, b).body).way
    W.margin = DetectionSettings(at(F, H.settings)).margin + ways
    ahead = is_first(placed(H, F, a), placed(H, F, b))
    origin = placed(H, F, a if ahead != 0 else b).centre
    bring_near(H, F, a, origin, Placed(W.a))
    bring_near(H, F, b, origin, Placed(W.b))
    if ahead != 0:
        patch_of(H, D, F, W, M, Placed(W.a), Placed(W.b))
    else:
        patch_of(H, D, F, W, M, Placed(W.b), Placed(W.a))
        turn_points(W, 0)
    for k in range(int(W.count)):
        point = PatchPoint(at(W.patch, k * PatchPoint.size))
        put_sum(point.xa, point.xa, 1.0, origin)
        put_sum(point.xb, point.xb, 1.0, origin)


@compiled
def write_patch(H: Detection, D: Ints, F: Floats, a: int, b: int, relative: PatchPose) -> int:
    """Write the points that were found down as contacts; 0 where there is no room."""
    W = Work(at(F, H.work))
    n = int(W.count)
    if H.n_patches >= H.patch_room or H.n_contacts + n > H.contact_room:
        H.n_contacts += n
        return 0
    patch = patch_at(D, H.patches, H.n_patches)
    patch.a = a
    patch.b = b
    patch.first = H.n_contacts
    patch.n = n
    patch.joined = 0
    for i in range(PatchPose.size):
        F[H.relative + H.n_patches * PatchPose.size + i] = relative[i]
    for k in range(n):
        row = PatchPoint(at(W.patch, k * PatchPoint.size))
        contact = contact_at(D, H.contacts, H.n_contacts + k)
        contact.a = Surface.of(H, a).body
        contact.b = Surface.of(H, b).body
        contact.surface_a = a
        contact.surface_b = b
        contact.feature = int(row.feature)
        point = point_at(F, H.points, H.n_contacts + k)
        put(point.xa, row.xa[0], row.xa[1], row.xa[2])
        put(point.xb, row.xb[0], row.xb[1], row.xb[2])
        put(point.n, row.n[0], row.n[1], row.n[2])
        to_body(H, F, contact.a, point.xa, point.anchor_a)
        to_body(H, F, contact.b, point.xb, point.anchor_b)
        point.owner = owner_in(placed(H, F, a), placed(H, F, b), row.feature)
        normal_to_body(H, F, owner_of(contact, point), point.n, point.local_n)
        refresh(H, F, contact, point)
    H.n_contacts += n
    H.n_patches += 1
    return 1


@compiled
def contacts_of_pairs(H: Detection, D: Ints, F: Floats) -> int:
    """Contacts of all pairs, kept or found anew; 0 where there is no room."""
    W = Work(at(F, H.work))
    slop = DetectionSettings(at(F, H.settings)).slop
    old = 0
    has_room = 1
    for k in range(H.n_pairs):
        a = SurfacePair.of(H, k).a
        b = SurfacePair.of(H, k).b
        now = PatchPose(W.relative)
        relative_pose(H, F, Surface.of(H, a).body, Surface.of(H, b).body, now)
        old = find_old(H, D, old, a, b)
        is_there = old < H.n_old_patches and patch_at(D, H.old_patches, old).a == a
        if is_there and patch_at(D, H.old_patches, old).b == b and is_still(H, D, F, old, now, slop) != 0:
            has_room &= keep_patch(H, D, F, old)
            continue
        look_at_pair(H, D, F, a, b)
        if W.count > 0.0:
            has_room &= write_patch(H, D, F, a, b, now)
    return has_room


@entry("IF")
def find_contacts(D: Ints, F: Floats) -> int:
    """All contacts of a world, in order; see above for what it needs and returns."""
    H = Detection(D)
    margin = DetectionSettings(at(F, H.settings)).margin
    place_all(H, D, F, margin)
    if broad_phase(H, D, F) > H.pair_room:
        return NO_PAIR_ROOM
    n_before = H.n_contacts
    swap_tables(H)
    H.n_patches = 0
    H.n_contacts = 0
    H.recycled = 0
    if contacts_of_pairs(H, D, F) == 0:
        swap_tables(H)
        H.n_wanted = H.n_contacts
        H.n_contacts = n_before
        return NO_CONTACT_ROOM
    return H.n_contacts
