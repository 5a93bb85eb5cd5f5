"""What two surfaces are like to each other: their friction and restitution, and how fast one moves along."""

from __future__ import annotations

import math

from tinkerdyne.compiler.core import at, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.contact.detection_records import FoundContact, Pose
from tinkerdyne.engine.contact.touching import Material, Touching


@inlined
def material_of(T: Touching, Y: Floats, surface: int) -> Material:
    """What a surface is like."""
    return Material(at(Y, T.materials + surface * Material.size))


@inlined
def pairing_of(T: Touching, found: FoundContact) -> int:
    """The number of the constants that two bodies in contact have for each other, or −1."""
    key = min(found.a, found.b) * T.n_bodies + max(found.a, found.b)
    low = 0
    high = T.n_pairings
    while low < high:
        middle = (low + high) // 2
        if T[T.pairings + middle] < key:
            low = middle + 1
        else:
            high = middle
    return low if low < T.n_pairings and T[T.pairings + low] == key else -1


@inlined
def pair_material(T: Touching, Y: Floats, pair: int) -> Material:
    """What a pair of bodies has agreed on."""
    return Material(at(Y, T.pair_materials + pair * Material.size))


@inlined
def friction_of(T: Touching, Y: Floats, found: FoundContact) -> float:
    """μ of a contact: that of its pair, or the geometric mean of its surfaces'."""
    pair = pairing_of(T, found)
    if pair >= 0:
        return pair_material(T, Y, pair).friction
    a = material_of(T, Y, found.surface_a).friction
    return math.sqrt(a * material_of(T, Y, found.surface_b).friction)


@inlined
def bounce_of(T: Touching, Y: Floats, found: FoundContact) -> float:
    """The restitution of a contact likewise."""
    pair = pairing_of(T, found)
    if pair >= 0:
        return pair_material(T, Y, pair).restitution
    a = material_of(T, Y, found.surface_a).restitution
    return math.sqrt(a * material_of(T, Y, found.surface_b).restitution)


@inlined
def along_belt(T: Touching, Y: Floats, surface: int, pose: Pose, d: Floats) -> float:
    """How fast a surface moves along d by itself."""
    v = material_of(T, Y, surface).velocity
    R = pose.rotation
    out = 0.0
    for i in range(3):
        out += d[i] * (R[i] * v[0] + R[3 + i] * v[1] + R[6 + i] * v[2])
    return out
