"""A chain lies over a fixed drum, one end lower than the other; friction holds it as Euler's law says.

A heavy rope on a drum of radius ρ slips when its longer end, below the axle, passes
    (short + ρ k) exp(μ π) + ρ k,   k = 2 μ/(1 + μ²)
(Euler's law with the weight of what lies on the drum). With 3 % more friction the chain stays, with
3 % less it runs off. Its joints are exact all the while.
"""

from itertools import pairwise

import numpy as np
from scipy.optimize import brentq

from tinkerdyne import Capsule, Cylinder, World, ball, contact, gravity, join
from tinkerdyne.gallery import Claim

IDS = ("R11", "A1")
GROUP = "Papers"
SECONDS = 2.0
LINK, THICK, ON, SHORT, LONG = 0.08, 0.02, 16, 4, 13  # m, m, links on the drum and below on either side
REACH = LINK / 2 / np.tan(np.pi / (2 * ON))  # m, from the axle to the middle of a link


def slips():
    """The least friction with which the rope stays."""

    def left(mu):
        k = REACH * 2 * mu / (1 + mu**2)
        return LINK * LONG - (LINK * SHORT + k) * np.exp(mu * np.pi) - k

    # The rope is pulled in its middle, and rubs on the drum, which has the shorter lever.
    return brentq(left, 0.0, 2.0) * REACH / (REACH - THICK)


def corners():
    """Where the links begin and end, from the end of the short side."""
    wide = REACH / np.cos(np.pi / (2 * ON))
    turn = np.linspace(np.pi, 0.0, ON + 1)
    below = [(-wide, -LINK * k) for k in range(SHORT, 0, -1)]
    beyond = [(wide, -LINK * k) for k in range(1, LONG + 1)]
    return np.array([*below, *zip(wide * np.cos(turn), wide * np.sin(turn), strict=True), *beyond])


def build(share=1.03):
    """With this share of the friction that it needs."""
    world = World(max_step=1 / 240, tolerance=1e-9)
    along = (np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5))  # the axle is y
    drum = Cylinder("drum", radius=REACH - THICK, length=0.3, is_fixed=True, orientation=along)
    world.add(gravity(), contact(friction=share * slips()), drum)
    places = np.insert(corners(), 1, 0.0, axis=1)
    links = []
    for k, (a, b) in enumerate(pairwise(places)):
        half = -np.arctan2(b[2] - a[2], b[0] - a[0]) / 2
        turn, shape = (np.cos(half), 0.0, np.sin(half), 0.0), {"length": LINK - 2 * THICK, "radius": THICK}
        links.append(
            world.add(Capsule(f"link{k}", mass=0.1, position=(a + b) / 2, orientation=turn, **shape))
        )
    for k, (a, b) in enumerate(pairwise(links)):
        world.add(join(ball, a, b, at=tuple(places[k + 1]), name=f"joint{k}"))
    return world


def check(world, recording):
    last = f"link{SHORT + ON + LONG - 1}.position"
    sinks = recording[last][0, 2] - recording[last][:, 2]
    yield Claim("sinking of the long end, once the links lie", sinks[-1] - sinks[60], 1e-8, "m")
    gaps = [recording[name].max() for name in recording if name.endswith(".gap")]
    yield Claim("widest gap of a joint", max(gaps), 1e-9, "m")
    less = build(share=0.97)
    high = less[last.removesuffix(".position")].position[2]
    less.run(1.0)
    sunk = high - less[last.removesuffix(".position")].position[2]
    yield Claim.at_least("sinking with 3 % less friction than a rope needs", sunk, 0.05, "m")
