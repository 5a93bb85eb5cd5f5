"""Triangle meshes: their mass properties by exact integration, what makes one the surface of a solid, and
files of them (R1)."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from tinkerdyne.language.arrays import Array

Rows = tuple[tuple[float, ...], ...]
Made = TypeVar("Made")

KEPT = 256  # measured meshes, polygons and compounds that are remembered
THINNEST = 1e-12  # of size³ (size²): a volume (area) below this is rounding
SAME = 1e-7  # of the size: vertices of a file this near are one, since a float32 has seven digits
LARGEST = 1e50  # m: the volume of what is larger, or smaller than its inverse, could leave float64
FORMATS = (".stl", ".obj", ".ply", ".off", ".glb", ".gltf")
UPWARDS = (".glb", ".gltf")  # files whose y points up, as in glTF
LARGEST_MESH = 500_000_000  # bytes of a file: some millions of triangles


class Solid(NamedTuple):
    """Mass properties of one kilogram of a shape: about its centre of mass, in its own axes."""

    volume: float  # m³, of a planar shape its area in m²
    inertia: tuple[float, ...]  # m²: three principal moments, nine numbers, or the one of a planar shape
    # where the centre of mass lies in the axes in which the shape was given
    centre: tuple[float, ...] = (0.0, 0.0, 0.0)
    mass: float = 0.0  # kg, of a compound: what its parts weigh together


class Polyhedron(NamedTuple):
    """A closed mesh that has been measured: vertices from the centre of mass, faces that look outwards."""

    solid: Solid
    vertices: Array
    faces: Array


def by_identity(function: Callable[..., Made]) -> Callable[..., Made]:
    """Remember results by the identity of the arguments behind the first: edits of a mass must not measure a
    mesh anew."""
    kept: dict[tuple[int, ...], tuple[tuple[object, ...], Made]] = {}

    @functools.wraps(function)
    def call(who: str, *frozen: object) -> Made:
        key = tuple(map(id, frozen))
        found = kept.get(key)
        if found is None:
            # the arguments are held, so that no other thing gets their identity
            found = (frozen, function(who, *frozen))
            while len(kept) >= KEPT:
                del kept[next(iter(kept))]
            kept[key] = found
        return found[1]

    return call


# --- integrals ----------------------------------------------------------------------------------
def integrals(vertices: Array, faces: Array) -> tuple[float, Array, Array]:
    """(V, ∫x, ∫x xᵀ) over the inside of a closed mesh, exactly, as signed tetrahedra between the origin and
    each face.

    With d = a·(b × c) and s = a + b + c:  V = Σ d/6,  ∫x = Σ d s/24,  ∫x xᵀ = Σ d (a aᵀ + b bᵀ + c cᵀ + s
    sᵀ)/120.
    """
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    d = np.einsum("ij,ij->i", a, np.cross(b, c))
    s = a + b + c
    second = sum((np.einsum("i,ij,ik->jk", d, x, x) for x in (a, b, c, s)), np.zeros((3, 3)))
    return float(d.sum() / 6), d @ s / 24, second / 120


def solid_of(vertices: Array, faces: Array) -> Solid:
    """Mass properties of the inside of a closed mesh with outward faces; I = tr(C) 1 − C with C = ∫x xᵀ /
    V."""
    middle = (vertices.min(axis=0) + vertices.max(axis=0)) / 2  # far from the origin the sums would cancel
    volume, first, _ = integrals(vertices - middle, faces)
    centre = middle + first / volume
    volume, first, second = integrals(vertices - centre, faces)
    C = second / volume - np.outer(first, first) / volume**2
    inertia = np.trace(C) * np.eye(3) - (C + C.T) / 2
    noise = abs(inertia) < 1e-14 * inertia.max()
    inertia[noise] = 0.0  # a box keeps the axes it was given as its principal ones
    return Solid(volume, tuple(inertia.ravel().tolist()), tuple(centre.tolist()))


# --- what may be given --------------------------------------------------------------------------
def _table(what: str, value: ArrayLike, width: int, kinds: str, wanted: str) -> Array:
    try:
        table = np.asarray(value)
    except ValueError:
        raise ValueError(f"{what} must be {wanted}; the rows differ in length") from None
    if table.ndim != 2 or table.shape[1] != width:
        raise ValueError(f"{what} must be {wanted}, not an array of shape {table.shape}")
    if table.dtype.kind not in kinds:
        raise TypeError(f"{what} must be {wanted}, not {table.dtype}")
    return table


def checked_vertices(what: str, value: ArrayLike, dim: int = 3) -> Rows:
    """Places of vertices as rows of finite numbers [m]."""
    table = _table(what, value, dim, "fiu", f"rows of {dim} numbers").astype(float)
    bad = np.flatnonzero(~(abs(table) < LARGEST).all(axis=1))
    if len(bad):
        raise ValueError(
            f"{what} must be finite (and below {LARGEST:g} m); vertex {bad[0]} is "
            f"{tuple(table[bad[0]].tolist())}"
        )
    return tuple(map(tuple, table.tolist()))


def checked_faces(what: str, value: ArrayLike) -> tuple[tuple[int, ...], ...]:
    """Triangles as rows of three numbers of vertices, counted from 0."""
    table = _table(what, value, 3, "iu", "rows of three numbers of vertices (whole, counted from 0)")
    return tuple(map(tuple, table.astype(int).tolist()))


@by_identity
def polyhedron(who: str, given: Rows, triangles: tuple[tuple[int, ...], ...]) -> Polyhedron:
    """Measure a mesh, or say why it is not the surface of a solid; one that is inside out is turned over with
    a word."""
    if len(triangles) < 4:
        raise ValueError(f"faces of {who} are {len(triangles)}; a closed mesh has at least four")
    vertices, faces = np.array(given), np.array(triangles)
    wrong = np.flatnonzero((faces < 0).any(axis=1) | (faces >= len(vertices)).any(axis=1))
    if len(wrong):
        face = tuple(faces[wrong[0]].tolist())
        raise ValueError(
            f"face {wrong[0]} of {who} is {face}, but its vertices are numbered 0 to {len(vertices) - 1}"
        )
    _refuse_degenerate(who, vertices, faces)
    _refuse_open(who, faces)
    used = vertices[np.unique(faces)]
    middle, size = (used.min(axis=0) + used.max(axis=0)) / 2, float(np.ptp(used, axis=0).max())
    volume = integrals((vertices - middle) / size, faces)[0]
    if abs(volume) < THINNEST:
        raise ValueError(f"{who} encloses no volume ({volume * size**3:g} m³); give it some thickness")
    if volume < 0:
        faces = faces[:, ::-1]
        warnings.warn(
            f"{who} is inside out (its volume is {volume * size**3:g} m³); all its faces are turned over",
            stacklevel=6,
        )
    _refuse_inverted_parts(who, (vertices - middle) / size, faces)
    solid = solid_of(vertices, faces)
    return Polyhedron(solid, vertices - np.array(solid.centre), faces)


def _refuse_degenerate(who: str, vertices: Array, faces: Array) -> None:
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    sides = np.stack([b - a, c - b, a - c])
    longest = (sides**2).sum(axis=2).max(axis=0)
    twice_area = np.linalg.norm(np.cross(sides[0], sides[2]), axis=1)
    bad = np.flatnonzero(twice_area <= 1e-14 * longest)  # a sliver below rounding has no normal
    if len(bad):
        face = tuple(faces[bad[0]].tolist())
        raise ValueError(
            f"{who} has {len(bad)} faces of no area, the first is face {bad[0]}: {face}; remove them and "
            "close up"
        )


def _edges(faces: Array) -> tuple[Array, Array, Array]:
    """Edges as rows of two vertices, lower first; of each side of each face its edge, and +1 when it runs
    upwards."""
    sides = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    edges, which = np.unique(np.sort(sides, axis=1), axis=0, return_inverse=True)
    return edges, which.ravel(), np.where(sides[:, 0] < sides[:, 1], 1, -1)


def _refuse_open(who: str, faces: Array) -> None:
    """In a closed mesh each edge is run through as often upwards as downwards: then the boundary of the
    boundary is zero."""
    edges, which, way = _edges(faces)
    uneven = np.bincount(which, weights=way) != 0
    odd = uneven & (np.bincount(which) % 2 == 1)
    if odd.any():
        i, j = edges[odd][0].tolist()
        n = int(odd.sum())
        raise ValueError(
            f"{who} is not closed: it has {n} open edges, one from vertex {i} to {j}; fill the holes"
        )
    if uneven.any():
        i, j = edges[uneven][0].tolist()
        raise ValueError(
            f"faces of {who} are turned against each other at {int(uneven.sum())} edges, one from vertex {i} "
            f"to {j}; "
            "list the vertices of every face counterclockwise as seen from outside"
        )


def _refuse_inverted_parts(who: str, vertices: Array, faces: Array) -> None:
    """A separate piece of negative volume must be a hollow within another piece."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    n = len(vertices)
    sides = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]]])
    count, piece = connected_components(
        coo_matrix((np.ones(len(sides)), sides.T), shape=(n, n)), directed=False
    )
    of = piece[faces[:, 0]]
    volumes = (
        {k: integrals(vertices, faces[of == k])[0] for k in range(count) if (of == k).any()}
        if count > 1
        else {}
    )
    for k in (k for k, volume in volumes.items() if volume < 0):
        inner = vertices[piece == k]
        for j in (j for j, volume in volumes.items() if volume > -volumes[k]):
            outer = vertices[piece == j]
            if (inner.min(axis=0) >= outer.min(axis=0)).all() and (
                inner.max(axis=0) <= outer.max(axis=0)
            ).all():
                break
        else:
            raise ValueError(
                f"a separate piece of {who} with {int((of == k).sum())} faces is inside out; turn its faces "
                "over"
            )


# --- files --------------------------------------------------------------------------------------
def mesh_from_file(path: str | Path) -> tuple[Array, Array]:
    """(vertices, faces) of a mesh in an stl, obj, ply, off or glTF file; vertices nearer than SAME of its
    size are merged."""
    path = Path(path)
    if path.suffix.lower() not in FORMATS:
        raise ValueError(
            f"{path} is not a mesh that can be read: its name must end with {', '.join(FORMATS)}"
        )
    if not path.is_file():
        raise FileNotFoundError(f"there is no file {path}")
    if path.stat().st_size > LARGEST_MESH:
        raise ValueError(
            f"{path} has {path.stat().st_size:,} bytes; a mesh may have {LARGEST_MESH:,}: simplify it first"
        )
    try:
        import trimesh
    except ImportError:
        raise ImportError("reading meshes needs trimesh; install it with: pip install trimesh") from None
    try:
        read: Any = trimesh.load_mesh(str(path), process=False)
        vertices, faces = np.array(read.vertices, float), np.array(read.faces, int)
        if path.suffix.lower() in UPWARDS:
            vertices = vertices[:, [0, 2, 1]] * (1.0, -1.0, 1.0)
    except Exception as problem:  # whatever its readers stumble over in a broken file
        raise ValueError(f"{path} cannot be read as a mesh: {problem}") from None
    if not len(faces):
        raise ValueError(f"{path} holds no faces")
    if not np.isfinite(vertices).all():
        bad = vertices[~np.isfinite(vertices).all(axis=1)][0]
        raise ValueError(f"{path} has a vertex that is not finite: {bad}")
    return merged(vertices, faces)


def merged(vertices: Array, faces: Array) -> tuple[Array, Array]:
    """The mesh with near vertices made one, without the faces that thereby lose their area and the vertices
    of no face."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components
    from scipy.spatial import KDTree

    places, which = np.unique(vertices, axis=0, return_inverse=True)
    pairs = KDTree(places).query_pairs(SAME * float(np.ptp(places, axis=0).max()), output_type="ndarray")
    n = len(places)
    _, group = connected_components(coo_matrix((np.ones(len(pairs)), pairs.T), shape=(n, n)), directed=False)
    first = np.unique(group, return_index=True)[1]
    faces = group[which.ravel()[faces]]
    kept = (faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])
    used, faces = np.unique(faces[kept], return_inverse=True)
    return places[first[used]], faces.reshape(-1, 3)
