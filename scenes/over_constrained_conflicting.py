"""Two nails stand further apart than the rod is long: it takes the pose half way between.

DC88 Fig. 14b. There is no way to meet both; the least-squares pose has the rod in line, as far from one nail
as from the other.
"""

import numpy as np

from tinkerdyne import Rod, World, gravity, nail
from tinkerdyne.gallery import Claim

IDS = ("E8", "R10")
GROUP = "Papers"
SECONDS = 3.0
APART, LENGTH, WEIGHT = 1.6, 1.0, 9.81


def build():
    world = World()
    rod = world.add(
        Rod("rod", length=LENGTH, position=(0.4, 0.6, -0.5), orientation=(np.cos(0.4), 0, 0, np.sin(0.4)))
    )
    world.add(nail(rod.end1, at=(-APART / 2, 0, 0), tau=0.2, name="left"))
    world.add(nail(rod.end2, at=(APART / 2, 0, 0), tau=0.2, name="right"), gravity())
    return world


def check(world, recording):
    found = world.diagnose()
    yield Claim(
        "contradictory groups other than left, right", len({("left", "right")} ^ set(found.contradictory)), 0
    )
    gap = (APART - LENGTH) / 2
    for name in ("left", "right"):
        yield Claim.near(f"gap at the {name} nail", recording[f"{name}.gap"][-1], gap, 1e-6, "m")
    yield Claim(
        "distance of the rod's middle from theirs", np.linalg.norm(recording["rod.position"][-1]), 1e-3, "m"
    )
    both = recording["left.force"][-1] + recording["right.force"][-1]
    yield Claim("forces of both − weight", np.abs(both - (0, 0, WEIGHT)).max(), 1e-6, "N")
    speed = np.linalg.norm(recording["rod.velocity"], axis=1)
    yield Claim("speed at the end", speed[-1], 1e-9, "m/s")
    # A deviation of d that decays as (1 + t/τ) e^(−t/τ) is never faster than d/(e τ).
    usual = np.linalg.norm(recording["rod.position"][0]) / (np.e * 0.2)
    yield Claim("largest speed on the way, of a usual approach", speed.max() / usual, 3)
