"""Contact of what is built: card houses, an arch, a chain over a cylinder, a linkage that pushes boxes.

Nothing is set by scene but the step: 1/240 s, and once more 1 ms; where joints are measured, `tolerance` is
1e-9."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

import tinkerdyne as td
from tinkerdyne import gallery
from tinkerdyne.language.arrays import Array

from .bar import Bar, Line

STEPS = (1 / 240, 1e-3)
TOLERANCE = 1e-9


def _world(step: float, **settings: float) -> td.World:
    world = td.World(max_step=step, **settings)
    world.add(td.gravity(), td.contact(), td.Floor("floor"))
    return world


def _moved(world: td.World, seconds: float) -> float:
    """How far anything is from where it was, looked at ten times."""
    bodies = [item for item in world if item.type.family == "object"]
    before, most = [np.array(body.position) for body in bodies], 0.0
    for _ in range(10):
        world.run(seconds / 10)
        off = [np.abs(body.position - at).max() for body, at in zip(bodies, before, strict=True)]
        most = max(most, float(max(off)))
    return most


# --- what stands ---------------------------------------------------------------------------------
def card_house(world: td.World, storeys: int) -> list[td.Item]:
    """Tents of cards that lean on each other at 0.3 rad, with flat cards between the storeys."""
    lean, high, thick = 0.3, 1.0, 0.02
    half = 0.5 * high * np.cos(lean) + 0.5 * thick * np.sin(lean)
    reach = 0.5 * high * np.sin(lean) + 0.5 * thick * np.cos(lean)
    pitch, cards, z = 2 * (2 * reach) + 0.02, [], 0.0
    for storey in range(storeys):
        tents = storeys - storey
        for k in range(tents):
            x = (k - (tents - 1) / 2) * pitch
            for side in (-1, 1):
                a = -side * lean / 2
                turned = (np.cos(a), 0.0, np.sin(a), 0.0)
                at = (x + side * reach, 0.0, z + half)
                cards.append(td.Box(size=(thick, 0.7, high), density=700, position=at, orientation=turned))
        z += 2 * half
        for k in range(tents - 1):
            x = (k - (tents - 2) / 2) * pitch
            cards.append(td.Box(size=(pitch, 0.7, thick), density=700, position=(x, 0, z + thick / 2)))
        z += thick
    world.add(*cards)
    return cards


def _cards(name: str) -> Iterator[Line]:
    for step in STEPS:
        # Of three storeys an outer card may go: what is left wedges under the roof, as tan 0.3 < μ.
        for storeys, pulled in ((2, 0), (3, 2)):
            world = _world(step)
            cards = card_house(world, storeys)
            what = f"house of {len(cards)} cards, step {step:.4f}"
            yield Bar(name, f"{what}: moved in 60 s", _moved(world, 60.0), "≤", 1e-6, " m")
            yield Bar(name, f"{what}: kinetic energy", world.kinetic_energy, "≤", 1e-12, " J")
            top = cards[-1].position[2]
            world.remove(cards[pulled])
            world.run(3.0)
            fallen = top - cards[-1].position[2]
            yield Bar(name, f"{what}: the top falls when a card is pulled, by", fallen, "≥", 0.5, " m")


def _arch(name: str) -> Iterator[Line]:
    """At least 0.30899 is needed: the linear program of the scene."""
    for step in STEPS:
        standing = gallery.load("arch").build(friction=0.32, step=step)
        moved = _moved(standing, 60.0)
        yield Bar(name, f"μ = .32, moved in 60 s, step {step:.4f}", moved, "≤", 1e-6, " m")
        energy = standing.kinetic_energy
        yield Bar(name, f"μ = .32, kinetic energy, step {step:.4f}", energy, "≤", 1e-12, " J")
        falling = gallery.load("arch").build(friction=0.30, step=step)
        top = falling["keystone"].position[2]
        falling.run(3.0)
        fallen = top - falling["keystone"].position[2]
        yield Bar(name, f"μ = .30, the keystone falls, step {step:.4f}, by", fallen, "≥", 0.5, " m")


# --- joints under contact --------------------------------------------------------------------------
def _chain(step: float) -> td.World:
    world = td.World(max_step=step, tolerance=TOLERANCE)
    turned = (np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5))
    world.add(td.gravity(), td.contact(), td.Cylinder(radius=0.3, is_fixed=True, orientation=turned))
    rods = [
        world.add(td.Capsule(length=0.12, radius=0.03, mass=0.1, position=(0.15 * k - 1.49, 0, 0.34)))
        for k in range(21)
    ]
    for a, b in pairwise(rods):
        world.add(td.join(td.ball, a, b, at=tuple((np.array(a.position) + np.array(b.position)) / 2)))
    return world


def _bar(name: str, start: Array, end: Array) -> td.Item:
    """A bar in the plane y = 0 from one place to another."""
    (x, _, z), middle = end - start, (start + end) / 2
    half = -np.arctan2(z, x) / 2
    turned = (np.cos(half), 0.0, np.sin(half), 0.0)
    return td.Box(
        name, size=(np.hypot(x, z), 0.05, 0.05), density=2000, position=tuple(middle), orientation=turned
    )


def _pusher(step: float) -> td.World:
    """Crank, coupler and rocker on four pins; the rocker hangs down and pushes nine boxes."""
    world = _world(step, tolerance=TOLERANCE)
    crank_at, rocker_at, crank, coupler, rocker = (0, 0, 0.8), (0.9, 0, 0.8), 0.25, 0.9, 0.5
    p = np.add(crank_at, (0, 0, crank))
    ahead = np.array(rocker_at) - p
    far = float(np.hypot(ahead[0], ahead[2]))
    bend = np.arccos((far**2 + coupler**2 - rocker**2) / (2 * far * coupler))  # the law of cosines
    angle = np.arctan2(ahead[2], ahead[0]) - bend
    q = p + coupler * np.array((np.cos(angle), 0, np.sin(angle)))
    foot = np.array(rocker_at) + 1.4 * (q - rocker_at)
    one, two, three = world.add(
        _bar("crank", np.array(crank_at), p), _bar("coupler", p, q), _bar("rocker", np.array(rocker_at), foot)
    )
    joints = ((None, one, crank_at), (one, two, p), (two, three, q), (None, three, rocker_at))
    pins = world.add(*(td.join(td.pin, a, b, at=tuple(at), axis=(0, 1, 0)) for a, b, at in joints))
    world.add(td.speed(pins[0].turn, at=(2.0,), name="motor"))
    for i, k in np.ndindex(3, 3):
        at = (foot[0] + 0.5 + 0.21 * i, 0, 0.1 + 0.2 * k)
        world.add(td.Box(f"box{i}{k}", size=(0.2, 0.2, 0.2), density=500, position=at))
    world.project()
    return world


def _joints(name: str) -> Iterator[Line]:
    for step in STEPS:
        chain = _chain(step)
        gap = max(chain.run(0.25).accuracy.gap for _ in range(12))
        what = f"step {step:.4f}, tolerance {TOLERANCE:g}"
        yield Bar(name, f"joint gap of a chain on a cylinder, {what}", gap, "≤", 1e-9, " m")
        world = _pusher(step)
        stood = world["box00"].position[0]
        gap = max(world.run(0.25).accuracy.gap for _ in range(24))
        yield Bar(name, f"joint gap of a four-bar that pushes boxes, {what}", gap, "≤", 1e-9, " m")
        yield Bar(name, "… which go as far as", world["box00"].position[0] - stood, "≥", 0.02, " m")


MEASUREMENTS = {"contact-cards": _cards, "contact-arch": _arch, "contact-joints": _joints}
