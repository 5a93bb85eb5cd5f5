"""A bar is put between two disks in a few corrections, each leaving less than the square of what the last one
left.

LD98 Fig. 2: the ends of the bar have to coincide with the centres of the disks. All three move, by M⁻¹Jᵀλ:
the bar turns, the disks do not, and the common centre of mass stays where it is.
"""

from dataclasses import replace

import numpy as np

from tinkerdyne import Disc, PlanarRod, World, connect
from tinkerdyne.gallery import Claim
from tinkerdyne.world.recording import joined

IDS = ("A2", "A7")
GROUP = "Papers"
SECONDS = 1.0
LENGTH = 2.0


def build():
    world = World()
    bar = world.add(PlanarRod("bar", length=LENGTH, mass=2, position=(0.2, 0.9), angle=1.1))
    left, right = world.add(Disc("left", position=(-1.2, 0)), Disc("right", position=(1.4, 0.3), mass=3))
    world.add(
        connect(bar.end1, left.centre, name="at left"), connect(bar.end2, right.centre, name="at right")
    )
    return world


def run(world):
    """One moment a correction, spread over the second: an assembly takes no time."""
    parts = [world.record(0)]
    while not world.assemble(iterations=1) and len(parts) < 20:
        parts.append(world.record(0))
    parts.append(world.record(0))
    return replace(joined(parts), time=np.linspace(0, SECONDS, len(parts)))


def check(world, recording):
    gaps = np.maximum(recording["at left.gap"], recording["at right.gap"])
    yield Claim("corrections", len(gaps) - 1, 5)
    # A turn by δ, taken as straight, misses by (1 − cos δ) l/2 ≤ l δ²/4, and δ is at most twice the gap over
    # l.
    yield Claim("what a correction leaves, of gap²/l", np.max(gaps[1:-1] / (gaps[:-2] ** 2 / LENGTH)), 1)
    yield Claim("gap at the end", gaps[-1], 1e-12, "m")
    masses = {name: world[name].mass for name in ("bar", "left", "right")}
    centre = sum(m * recording[f"{name}.position"] for name, m in masses.items()) / sum(masses.values())
    yield Claim("way of the centre of mass", np.abs(centre - centre[0]).max(), 1e-12, "m")
    yield Claim(
        "turn of the disks",
        max(np.ptp(recording[f"{name}.angle"]) for name in ("left", "right")),
        1e-12,
        "rad",
    )
    turned = recording["bar.angle"][-1] - recording["bar.angle"][0]
    yield Claim.at_least("turn of the bar", abs(turned), 0.5, "rad")
