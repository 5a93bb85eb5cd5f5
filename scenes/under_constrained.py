"""A card between two nails turns about itself; how hard they pull against each other is anyone's choice.

DC88 Fig. 14a. Six equations hold five freedoms: a pair of opposite forces along the card moves nothing. The
least of all pairs is taken, without any such pull, and the freedom that is left goes on by itself.
"""

import numpy as np

from tinkerdyne import Card, World, gravity, nail
from tinkerdyne.gallery import Claim

IDS = ("E8", "R10")
GROUP = "Papers"
SECONDS = 2.0
SPIN, WEIGHT = 5.0, 9.81


def build():
    world = World()
    card = world.add(Card("card", height=0.4, spin=(SPIN, 0, 0)))
    world.add(
        nail(card.left, at=(-0.5, 0, 0), name="left"),
        nail(card.right, at=(0.5, 0, 0), name="right"),
        gravity(),
    )
    return world


def check(world, recording):
    found = world.diagnose()
    yield Claim.near("freedoms left", found.freedoms, 1, 0)
    yield Claim("redundant groups other than left, right", len({("left", "right")} ^ set(found.redundant)), 0)
    yield Claim("contradictory groups", len(found.contradictory), 0)
    left, right = recording["left.force"], recording["right.force"]
    yield Claim("forces of both − weight", np.abs(left + right - (0, 0, WEIGHT)).max(), 1e-9, "N")
    yield Claim("pull of one against the other", np.abs(left - right).max(), 1e-6, "N")
    yield Claim(
        "change of the spin that is free", np.abs(recording["card.spin"] - (SPIN, 0, 0)).max(), 1e-9, "rad/s"
    )
