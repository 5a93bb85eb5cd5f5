"""Brute force for contacts: support functions in numpy, and the separation of two convex parts.

gap = max over unit n of  g(n) = min n·b − max n·a,   positive apart, negative where they overlap
"""

from __future__ import annotations

import numpy as np

from tinkerdyne.engine.contact.detection_records import ContactPoint, FoundContact
from tinkerdyne.engine.contact.detector import Detector, SurfaceOf
from tinkerdyne.objects import boundary
from tinkerdyne.objects.boundary import Part
from tinkerdyne.objects.surfaces import cuboid


def rotation(rng):
    """A random rotation."""
    q, r = np.linalg.qr(rng.normal(size=(3, 3)))
    q = q * np.sign(np.diag(r))
    return q if np.linalg.det(q) > 0 else -q


def corners(part: Part):
    """Points whose hull is the core, or None where it is round."""
    if part.core == "point":
        return np.zeros((1, 3))
    if part.core == "segment":
        return np.array([(-part.size[0], 0, 0), (part.size[0], 0, 0)])
    if part.core == "box":
        return np.array([(i, j, k) for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]) * part.size
    return part.vertices


def heights(part: Part, pose, n):
    """max n·x over a part with its pose (place, rotation), for rows of n."""
    x, R = pose
    R, x = R @ part.rotation, x + R @ part.position
    local = n @ R
    along, across = local[:, 0], np.hypot(local[:, 1], local[:, 2])
    if part.core == "cylinder":
        h, r = part.size
        top = h * abs(along) + r * across
    elif part.core == "cone":
        base, r, apex = part.size
        top = np.maximum(-base * along + r * across, apex * along)
    elif part.core == "circle":  # of its hull
        top = part.size[0] * np.hypot(local[:, 0], local[:, 1])
    else:
        top = (local @ corners(part).T).max(axis=1)
    return top + n @ x + part.rounding * np.linalg.norm(n, axis=1)


def directions(count):
    """Unit vectors spread evenly."""
    k = np.arange(count) + 0.5
    z, turn = 1 - 2 * k / count, np.pi * (1 + 5**0.5) * k
    r = np.sqrt(1 - z * z)
    return np.column_stack([r * np.cos(turn), r * np.sin(turn), z])


MANY = directions(1200)


def gaps(a, pose_a, b, pose_b, n):
    """g for rows of n."""
    return -heights(b, pose_b, -n) - heights(a, pose_a, n)


def best_nearby(a, pose_a, b, pose_b, n, planar=False):
    """The largest g over directions spread evenly, and over many near n."""
    rng = np.random.default_rng(0)
    near = [n + r * rng.normal(size=(60, 3)) for r in (0.1, 1e-2, 1e-3, 1e-4, 1e-6)]
    tries = np.vstack([MANY, *near, pose_b[0] - pose_a[0] + 1e-300])
    if planar:
        angle = np.linspace(0, 2 * np.pi, 720)
        tries = np.vstack([np.column_stack([np.cos(angle), np.sin(angle), 0 * angle]), *near]) * (1, 1, 0)
    tries = tries[np.linalg.norm(tries, axis=1) > 1e-9]
    tries /= np.linalg.norm(tries, axis=1)[:, None]
    return gaps(a, pose_a, b, pose_b, tries).max()


def outside(part, pose, points):
    """How far the furthest of some points lies outside a convex part, at least."""
    return float((MANY @ points.T - heights(part, pose, MANY)[:, None]).max())


def check(a, pose_a, b, pose_b, found, *, tolerance=1e-9, planar=False):
    """Contacts of two convex parts hold a proof: points of both, that far apart along n, and no direction in
    which they are further apart (or overlap less)."""
    assert len(found["gap"]) in range(1, 5)
    k = found["gap"].argmin()
    n, gap = found["n"][k], found["gap"][k]
    assert np.allclose(np.linalg.norm(found["n"], axis=1), 1, atol=1e-12)
    assert np.allclose(found["xb"] - found["xa"], found["gap"][:, None] * found["n"], atol=tolerance)
    assert outside(a, pose_a, found["xa"]) < tolerance
    assert outside(b, pose_b, found["xb"]) < tolerance
    assert abs(gaps(a, pose_a, b, pose_b, n[None])[0] - gap) < tolerance
    assert best_nearby(a, pose_a, b, pose_b, n, planar) < gap + tolerance


def fields(points):
    """The columns of ContactPoint rows by name."""
    out = {}
    for name, cell in ContactPoint.fields.items():
        whole = points[:, cell.offset : cell.offset + cell.count]
        out[name] = whole[:, 0] if cell.count == 1 else whole
    return out


def pair(a: Part, pose_a, b: Part, pose_b, *, margin=10.0, slop=-1.0):
    """The contacts of two parts on two bodies, by name."""
    detector = Detector(2, [SurfaceOf(0, a), SurfaceOf(1, b)], margin=margin, slop=slop)
    detector.put(0, *pose_a)
    detector.put(1, *pose_b)
    detector.find()
    whole, points = detector.contacts()
    found = fields(points)
    found["feature"] = whole[:, FoundContact.fields["feature"].offset]
    return found


def hull_points(rng, count=14):
    """Points of a random hull."""
    p = rng.normal(size=(count, 3))
    return p / np.linalg.norm(p, axis=1)[:, None] * rng.uniform(0.3, 0.6, (count, 1))


def specimen(kind: str, rng, size=1.0) -> Part:
    """A random part of a kind."""
    u = size * rng.uniform(0.2, 0.8, 3)
    if kind == "point":
        return boundary.ball(u[0])[0]
    if kind == "segment":
        return boundary.capsule(2 * u[0], u[1] / 2)[0]
    if kind == "circle":
        return boundary.ring(u[0], u[0] * rng.uniform(0.1, 0.6))[0]
    if kind == "box":
        return boundary.block(2 * u)[0]
    if kind == "cylinder":
        return boundary.bar(2 * u[0], u[1])[0]
    if kind == "cone":
        return boundary.cone(u[0], u[1], u[2])[0]
    if kind == "mesh":
        vertices, faces = cuboid(tuple(2 * u))
        return Part("mesh", vertices=vertices, faces=faces)
    return Part("hull", vertices=size * hull_points(rng))


def placed_pair(kind_a, kind_b, rng, gap):
    """Two random parts with poses; along a random direction they are this far apart."""
    a, b = specimen(kind_a, rng), specimen(kind_b, rng)
    pose_a, turned = (rng.normal(size=3), rotation(rng)), rotation(rng)
    d = rng.normal(size=3)
    d /= np.linalg.norm(d)
    apart = gaps(a, pose_a, b, (pose_a[0], turned), d[None])[0]
    return a, pose_a, b, (pose_a[0] + d * (gap - apart), turned)


def settled(a, pose_a, b, pose_b, gap):
    """A pose of b that is moved along the normal, again and again, until its gap from a is this one."""
    x, R = pose_b
    for _ in range(40):
        found = pair(a, pose_a, b, (x, R))
        k = found["gap"].argmin()
        if abs(found["gap"][k] - gap) < 1e-10:
            break
        x = x + (gap - found["gap"][k]) * found["n"][k]
    return x, R
