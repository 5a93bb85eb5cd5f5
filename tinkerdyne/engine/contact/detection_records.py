"""Records of detection: surfaces as cores with a rounding, their places in a step, patches and contacts.

A surface is the set of all points within `rounding` of a core: a ball is a point with a rounding, a capsule a
segment, a torus a circle. Cores lie in the frame of their surface; what is long lies along its x axis, a
circle about its z axis, a plane looks along its z axis, and a bowl is open along it. Rotations are kept by
columns.
"""

from __future__ import annotations

from tinkerdyne.compiler.records import FloatRecord, Floats, IntRecord, Ints, cells


class Core:
    """Kinds of cores. Pairs are looked at with the lower kind first."""

    POINT, SEGMENT, CIRCLE, BOX, CYLINDER, CONE, HULL, POLYGON, PLANE, MESH, BOWL, TRACK = range(12)


MOST_POINTS = 4  # of a patch
ROWS = 96  # points that a pair may have before they are reduced
CORNERS = 64  # of a face that is clipped
RIM = 24  # corners on the true circle that stand for a flat round face
EPA_VERTICES = 128
EPA_FACES = 512
STARTS = 6  # ways out of round cores that are polished


class Detection(IntRecord):
    """The head of the integers of detection: counts, and places in the integers (D) and the floats (F)."""

    n_bodies: int
    bodies: int  # D: Body rows; row 0 is the ground
    n_surfaces: int
    surfaces: int  # D: Surface rows
    placed: int  # F: Placed rows
    poses: int  # F: Pose rows; row 0 is the ground
    n_ignored: int
    ignored: int  # D: pairs of bodies that ignore each other as n_bodies·a + b with a < b, in rising order
    bounded: int  # D: surfaces with bounds
    wide: int  # D: room for those that fit into no cell
    cells: int  # D: Cell rows, one for each surface
    n_heads: int  # a power of two
    heads: int  # D: the first surface of each list of cells
    n_unbounded: int
    unbounded: int  # D: planes
    pair_room: int
    n_pairs: int
    pairs: int  # D: Pair rows, in rising order
    sorting: int  # D: room for two integers a surface, and one
    contact_room: int
    n_contacts: int
    contacts: int  # D: Contact rows
    points: int  # F: ContactPoint rows
    patch_room: int
    n_patches: int
    patches: int  # D: Patch rows, in the order of their pairs
    relative: int  # F: PatchPose rows
    n_old_patches: int
    old_patches: int  # D: those of the step before, …
    old_relative: int  # F
    old_contacts: int  # D
    old_points: int  # F
    marks: int  # D: Marks
    work: int  # F: Work
    settings: int  # F: DetectionSettings
    one_face: int  # D: the Face row of a triangle that is looked at
    first_corners: int  # F: its vertices, …
    second_corners: int  # … and those of a second one
    recycled: int  # patches that were kept in the last step
    n_wanted: int  # contacts, where there was no room


class DetectionSettings(FloatRecord):
    """What detection is told in each step."""

    margin: float  # m: gaps up to this are reported
    slop: float  # m: a patch is kept while its bodies have moved less against each other


class Collider(IntRecord):
    """A body as detection sees it."""

    table = "bodies"
    is_fixed: int  # two of these are no pair
    is_affine: int  # it may be sheared and stretched
    object: int  # whose lift its pose is taken from; −1 where it is written otherwise
    lift: int  # how many numbers that has


class Pose(FloatRecord):
    """Place and rotation of a body, and how far any of its points may go in the step at hand."""

    position: Floats = cells(3)
    rotation: Floats = cells(9)
    way: float  # m: its gaps are reported that much further


class Surface(IntRecord):
    """A surface: whose it is, and with which others it is a pair."""

    table = "surfaces"
    body: int  # −1 is the ground
    kind: int
    group: int  # bits; two surfaces are a pair where each has a bit of the other's mask
    mask: int
    is_planar: int  # in the plane; such a surface is a pair with others of the plane, and with planes
    n_vertices: int
    vertices: int  # F: in its own frame
    n_faces: int
    faces: int  # D: Face rows; of meshes Triangle rows; of polygons which sides are inner
    normals: int  # F: of a hull's faces in its own frame; −1 where its body may be sheared
    tree: int  # D: TreeNode rows of a mesh
    bounds: int  # F: their bounds, six numbers each
    turned: int  # F: vertices as they are turned now, from the surface's centre


class Placed(FloatRecord):
    """A surface where it is now. Whole numbers are kept as floats, so that a row says all of a core."""

    kind: float
    n_vertices: float
    vertices: float  # F: turned vertices
    n_faces: float
    faces: float  # D
    normals: float  # F
    surface: float
    local: Floats = cells(3)  # frame in the body
    local_axes: Floats = cells(9)
    extent: Floats = cells(3)
    rounding: float
    reach: float  # no point is further from the centre
    centre: Floats = cells(3)
    axes: Floats = cells(9)
    low: Floats = cells(3)  # bounds in the world
    high: Floats = cells(3)


class Arc(FloatRecord):
    """An arc of a track in its frame: its middle, the direction there out of its circle, and more."""

    x: float
    y: float
    out_x: float
    out_y: float
    radius: float
    half: float  # its angle
    ends: float  # bits: which of them nothing goes on from
    reach: float  # from its middle


class Face(IntRecord):
    """A face of a hull: its corners counterclockwise as seen from outside."""

    n: int
    corners: int  # D: numbers of vertices


class Triangle(IntRecord):
    """A triangle of a mesh, with what lies beyond its edges; edge k runs from corner k to the next."""

    corners: Ints = cells(3)
    edges: Ints = cells(3)  # whether the surface is convex there: 1 yes, 0 flat, −1 hollow
    tips: Ints = cells(3)  # whether a corner sticks out: some edge there is convex, and none is hollow
    across: Ints = cells(3)  # the triangle beyond, or −1


class TreeNode(IntRecord):
    """A node of a tree of triangles; its first child follows it."""

    skip: int  # the node behind it and all below it
    triangle: int  # −1 where it has children


class Cell(IntRecord):
    """The cell of the grid in which a surface lies, and the next surface of the same list, or −1."""

    table = "cells"
    x: int
    y: int
    z: int
    next: int


class SurfacePair(IntRecord):
    """Two surfaces that may touch, the lower number first."""

    table = "pairs"
    a: int
    b: int


class Patch(IntRecord):
    """The contacts of one pair of surfaces."""

    table = "patches"
    a: int  # surfaces
    b: int
    first: int  # contact
    n: int
    joined: int  # points at its end that were joined from an older patch, and go when it is kept


class PatchPose(FloatRecord):
    """How two bodies lay to each other when their patch was found: b from a."""

    position: Floats = cells(3)
    rotation: Floats = cells(9)


class FoundContact(IntRecord):
    """Two bodies at a point: −1 is the ground."""

    table = "contacts"
    a: int
    b: int
    surface_a: int
    surface_b: int
    feature: int


class ContactPoint(FloatRecord):
    """A contact in the world, with n from a into b and φ = n·(xb − xa); and its anchors in the bodies."""

    xa: Floats = cells(3)
    xb: Floats = cells(3)
    n: Floats = cells(3)
    gap: float
    anchor_a: Floats = cells(3)
    anchor_b: Floats = cells(3)
    local_n: Floats = cells(3)  # n as the body sees it with which it turns, …
    owner: float  # … one of `Owner`


class Owner:
    """With whom a normal turns: with a, with b, or with neither, as between two balls."""

    A, B, NEITHER = 0.0, 1.0, 2.0


class PatchPoint(FloatRecord):
    """A point of a patch while it is made; places are from the centre of a."""

    xa: Floats = cells(3)
    xb: Floats = cells(3)
    n: Floats = cells(3)
    gap: float
    feature: float
    kept: float


class Vertex(FloatRecord):
    """A point of b − a, and the points whose difference it is."""

    w: Floats = cells(3)
    a: Floats = cells(3)
    b: Floats = cells(3)
    share: float  # of it in the point that is nearest


class Corner(FloatRecord):
    """A corner of a face that is clipped."""

    x: Floats = cells(3)
    feature: float


class Nearest(FloatRecord):
    """What of a mesh is nearest to a point, in the mesh's frame."""

    place: Floats = cells(3)  # of the point
    distance: float  # below 0 behind the mesh
    square: float  # of it
    normal: Floats = cells(3)  # away from the mesh, on its side
    above: float  # cosine of it and of the triangle's own normal
    triangle: float  # −1 before the first


class Work(FloatRecord):
    """Room to work in."""

    margin: float
    count: float  # of points in the patch
    level: float  # the gap up to which they count as deepest
    normal: Floats = cells(3)
    nearest: Floats = cells(8)  # distance, normal, feature, and more of the last point asked for
    xa: Floats = cells(3)  # the points that are nearest, or deepest
    xb: Floats = cells(3)
    a: Floats = cells(Placed.size)
    b: Floats = cells(Placed.size)
    c: Floats = cells(Placed.size)
    triangle: Floats = cells(9)
    mesh_a: Floats = cells(Placed.size)
    mesh_b: Floats = cells(Placed.size)
    low: Floats = cells(3)
    high: Floats = cells(3)
    outer_low: Floats = cells(3)
    outer_high: Floats = cells(3)
    corners_a: Floats = cells(9)
    corners_b: Floats = cells(9)
    circle: Floats = cells(16)  # of normals, while one is polished
    simplex: Floats = cells(5 * Vertex.size)
    simplex_size: float
    widest: Floats = cells(4)  # the best normal that was seen, and its gap
    tried: Floats = cells(6 * STARTS)  # ways out of round cores, before and after they were polished
    v: Floats = cells(3)
    first: Floats = cells(CORNERS * Corner.size)
    second: Floats = cells(CORNERS * Corner.size)
    third: Floats = cells(CORNERS * Corner.size)
    facing: Floats = cells(8)
    best_normal: Floats = cells(3)
    fallback_normal: Floats = cells(3)  # along which a core is least deep in a mesh, where all triangles …
    fallback_points: Floats = cells(6)
    fallback_gap: float  # … leave it to their neighbours
    samples: Floats = cells(2 * CORNERS)
    closest: Floats = cells(Nearest.size)
    relative: Floats = cells(PatchPose.size)
    vertices: Floats = cells(EPA_VERTICES * Vertex.size)
    planes: Floats = cells(EPA_FACES * 4)
    patch: Floats = cells((ROWS + 1) * PatchPoint.size)


class Marks(IntRecord):
    """Room for integers."""

    faces: Ints = cells(EPA_FACES * 4)
    edges: Ints = cells(EPA_FACES * 2)
