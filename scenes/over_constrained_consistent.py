"""A nailed rod is to stand up: its other end wants to go straight there, and cannot.

DC88 Fig. 14c. Both nails can be met, but not on the straight way that each of them asks for; the
least-squares forces take a way between, and both are met in the end. Then one of the six equations only
repeats the others.
"""

import numpy as np

from tinkerdyne import Rod, World, gravity, nail
from tinkerdyne.gallery import Claim

IDS = ("E8", "R10")
GROUP = "Papers"
SECONDS = 4.0


def build():
    world = World()
    rod = world.add(Rod("rod", position=(0.5, 0, 0)))
    world.add(nail(rod.end1, at=(0, 0, 0), tau=0.2, name="foot"))
    world.add(nail(rod.end2, at=(0, 0, 1), tau=0.2, name="top"), gravity())
    return world


def check(world, recording):
    found = world.diagnose()
    yield Claim.near("freedoms left", found.freedoms, 1, 0)
    yield Claim("redundant groups other than foot, top", len({("foot", "top")} ^ set(found.redundant)), 0)
    yield Claim("contradictory groups", len(found.contradictory), 0)
    foot, top = recording["foot.gap"], recording["top.gap"]
    yield Claim("gap of both at the end", max(foot[-1], top[-1]), 1e-7, "m")
    yield Claim(
        "distance from standing, at the end",
        np.abs(recording["rod.position"][-1] - (0, 0, 0.5)).max(),
        1e-7,
        "m",
    )
    both = recording["foot.force"][-1] + recording["top.force"][-1]
    yield Claim("forces of both − weight, at the end", np.abs(both - (0, 0, 9.81)).max(), 1e-6, "N")
    yield Claim("largest gap on the way, of the first", 100 * max(foot.max(), top.max()) / top[0], 100, "%")
    # The straight way, √2 m long, would be done at √2 m/(e τ) or less.
    speed = np.linalg.norm(recording["rod.velocity"], axis=1)
    yield Claim("largest speed on the way, of a usual approach", speed.max() / (np.sqrt(2) / (np.e * 0.2)), 3)
