"""A hundred scattered links join into a chain between two towers, which swings and comes to rest as a
catenary.

DC88 Figs. 19–21. At rest no link feels a torque: the horizontal pull H is the same everywhere, the vertical
one grows by the weight of a link, and each link lies along the mean of the pulls at its ends, so tan θ_k = (k
− (n − 1)/2) m g / H.
"""

import numpy as np
from scipy.optimize import brentq

from tinkerdyne import Box, Rod, World, connect, damping, gravity
from tinkerdyne.gallery import Claim

IDS = ("R10",)
GROUP = "Papers"
SECONDS = 20.0
N = 100  # links
SPAN, HEIGHT, LENGTH, TAU = 8.0, 6.0, 12.0, 0.5  # m between the towers, of the towers, of the chain; s


def build(n=N, seed=0):
    """Links lie about on the ground, turned at random; then everything is to be joined at once."""
    world, random = World(max_step=1 / 240), np.random.default_rng(seed)
    links = []
    for k in range(n):
        turn, place = random.uniform(0, np.pi), (SPAN * random.uniform(), random.uniform(-2, 2), 0)
        links.append(Rod(f"link {k}", length=LENGTH / n, radius=0.2 * LENGTH / n, mass=20 / n, position=place,
                         orientation=(np.cos(turn), 0, 0, np.sin(turn))))  # fmt: skip
    towers = [
        Box(name, size=(0.4, 0.4, HEIGHT), position=(x, 0, HEIGHT / 2), is_fixed=True)
        for name, x in (("A", 0), ("B", SPAN))
    ]
    world.add(*towers, *links)
    ends = [towers[0].top, *[p for link in links for p in (link.end1, link.end2)], towers[1].top]
    world.add(
        *[
            connect(b, a, tau=TAU, name=f"joint {k}")
            for k, (a, b) in enumerate(zip(ends[::2], ends[1::2], strict=True))
        ]
    )
    world.add(gravity(), damping(rate=1.0))
    return world


def check(world, recording):
    n = sum(name.startswith("link") and name.endswith(".spin") for name in recording)
    yield Claim(
        "widest gap at the end", max(recording[f"joint {k}.gap"][-1] for k in range(n + 1)), 1e-6, "m"
    )
    # H from the span: the sum of l cos θ_k is the distance of the towers.
    weights = np.arange(n) - (n - 1) / 2
    slope = brentq(lambda s: (LENGTH / n / np.sqrt(1 + (s * weights) ** 2)).sum() - SPAN, 1e-6, 10)
    along = LENGTH / n / np.sqrt(1 + (slope * weights) ** 2)
    x, z = (
        np.cumsum(along) - along / 2,
        HEIGHT + np.cumsum(slope * weights * along) - slope * weights * along / 2,
    )
    shape = np.array([recording[f"link {k}.position"][-1] for k in range(n)])
    yield Claim(
        "distance from the catenary at the end",
        np.abs(shape - np.column_stack([x, 0 * x, z])).max(),
        1e-3,
        "m",
    )
    pull = np.hypot(*recording[f"joint {n}.force"][-1][:2])
    yield Claim.near("pull on a tower", pull, 20 / n * 9.81 / slope, 0.1, "N")
