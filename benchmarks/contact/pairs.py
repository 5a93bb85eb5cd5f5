"""Pairs of surfaces that touch, many of each kind, side by side in one world."""

from __future__ import annotations

import numpy as np

from tinkerdyne.engine.contact.detector import Detector, SurfaceOf
from tinkerdyne.language.arrays import Array
from tinkerdyne.objects import boundary
from tinkerdyne.objects.boundary import Part
from tinkerdyne.objects.surfaces import cuboid

KINDS = ("ball", "capsule", "ring", "box", "cylinder", "cone", "hull", "mesh", "plane")
APART = 4.0  # m between pairs
FAR = 10.0  # m: a margin within which every pair has its gap


def rotation(rng: np.random.Generator) -> Array:
    """A random rotation."""
    q, r = np.linalg.qr(rng.normal(size=(3, 3)))
    q = q * np.sign(np.diag(r))
    return q if np.linalg.det(q) > 0 else -q


def specimen(kind: str, rng: np.random.Generator) -> Part:
    """A random part of a kind, some decimetres in size; hulls have 24 vertices, meshes 12 triangles."""
    x, y, z = (float(u) for u in rng.uniform(0.2, 0.8, 3))
    if kind == "hull":
        p = rng.normal(size=(24, 3))
        return Part("hull", vertices=p / np.linalg.norm(p, axis=1)[:, None] * 0.5)
    if kind == "mesh":
        vertices, faces = cuboid((x, y, z))
        return Part("mesh", vertices=vertices, faces=faces)
    made = {
        "ball": lambda: boundary.ball(x),
        "capsule": lambda: boundary.capsule(2 * x, y / 2),
        "ring": lambda: boundary.ring(x, x / 4),
        "box": lambda: boundary.block((2 * x, 2 * y, 2 * z)),
        "cylinder": lambda: boundary.bar(2 * x, y),
        "cone": lambda: boundary.cone(x, y, z),
        "plane": boundary.half_space,
    }
    return made[kind]()[0]


def touching(kind_a: str, kind_b: str, *, count: int, gap: float, is_flat: bool = False) -> Detector:
    """Pairs of two kinds, each turned at random (or not at all) and moved until its gap is this one."""
    rng = np.random.default_rng(0)
    surfaces, poses = [], []
    for k in range(count):
        a, b = specimen(kind_a, rng), specimen(kind_b, rng)
        way = rng.normal(size=3) if not is_flat else np.array([0.1, 0.2, 1.0])
        turned = (np.eye(3), np.eye(3)) if is_flat else (rotation(rng), rotation(rng))
        place = _moved(a, turned[0], b, turned[1], way, gap)
        group = 1 << k % 60  # planes have no end: pairs that stand near have other groups
        surfaces += [SurfaceOf(2 * k, a, group, group), SurfaceOf(2 * k + 1, b, group, group)]
        origin = np.array([APART * k, 0.0, 0.0])
        poses += [(origin, turned[0]), (origin + place, turned[1])]
    detector = Detector(2 * count, surfaces, margin=1e-3, slop=-1.0)
    for k, pose in enumerate(poses):
        detector.put(k, *pose)
    return detector


def _moved(a: Part, R: Array, b: Part, Q: Array, way: Array, gap: float) -> Array:
    """Where b lies when it is moved along the normal, again and again, until its gap from a is this one."""
    alone = Detector(2, [SurfaceOf(0, a), SurfaceOf(1, b)], margin=FAR, slop=-1.0)
    place = way / np.linalg.norm(way) * 2.0
    alone.put(0, np.zeros(3), R)
    for _ in range(30):
        alone.put(1, place, Q)
        if alone.find() == 0:
            break
        least, normal = deepest(alone)
        if abs(least - gap) < 1e-7:
            break
        place = place + (gap - least) * normal
    return place


def deepest(detector: Detector) -> tuple[float, Array]:
    """The least gap, and its normal."""
    from tinkerdyne.compiler.records import place_of
    from tinkerdyne.engine.contact.detection_records import ContactPoint

    points = detector.contacts()[1]
    gaps = points[:, place_of(ContactPoint, "gap")]
    first = place_of(ContactPoint, "n")
    return float(gaps.min()), points[gaps.argmin(), first : first + 3]
