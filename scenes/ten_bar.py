"""A ten-bar linkage draws an exactly straight line: Peaucellier's cell, turned by a crank and a rod.

Ten bars with the frame, thirteen pins, four loops, one freedom. Lipkin and Peaucellier found that OC · OP =
a² − b² for the two corners C, P of a rhombus (sides b) on two bars a from O: when C goes on a circle through
O, P goes on a straight line.
"""

import numpy as np

from tinkerdyne import Nail, PlanarRod, World, connect, gravity
from tinkerdyne.gallery import Claim

IDS = ("A1", "A7")
GROUP = "Linkages"
SECONDS = 6.0
LONG, SIDE, RADIUS, CRANK, ROD = 1.4, 0.6, 0.5, 0.36, 1.5  # m
# where the frame has its pins
O, Q, GROUND = np.array((0.0, 0.0)), np.array((RADIUS, 0.0)), np.array((0.82, -1.5))
SPIN = -30.0  # rad/s, of the crank before the other bars are tied to it
LINE = (LONG**2 - SIDE**2) / (2 * RADIUS)  # m, from O to the line


def build():
    world = World(max_step=1 / 2000, tolerance=1e-11)
    k = np.array((GROUND[0] + CRANK, GROUND[1]))
    c = meet(Q, RADIUS, k, ROD)
    a, b = meet(c, SIDE, O, LONG), meet(O, LONG, c, SIDE)
    p = a + b - c

    def bar(name, start, end, mass=1.0):
        x, y = end - start
        return world.add(
            PlanarRod(
                name, length=np.hypot(x, y), position=(start + end) / 2, angle=np.arctan2(y, x), mass=mass
            )
        )

    crank = bar("crank", GROUND, k, mass=20.0)
    rod, arm, oa, ob = bar("rod", k, c), bar("arm", Q, c), bar("oa", O, a), bar("ob", O, b)
    ca, cb, pa, pb = bar("ca", c, a), bar("cb", c, b), bar("pa", p, a), bar("pb", p, b)
    for one, place in ((crank, GROUND), (arm, Q), (oa, O), (ob, O)):
        world.add(connect(one.end1, Nail(*place)))
    world.add(connect(crank.end2, rod.end1), connect(pa.end1, pb.end1))
    world.add(*[connect(arm.end2, other) for other in (rod.end2, ca.end1, cb.end1)])
    world.add(*[connect(one.end2, other.end2) for one, other in ((oa, ca), (oa, pa), (ob, cb), (ob, pb))])
    world.add(gravity(g=(0, -9.81)))
    crank.spin, crank.velocity = SPIN, (0, SPIN * CRANK / 2)
    world.project()
    return world


def meet(a, r, b, s):
    """The point at distance r of a and s of b, to the left of the way from a to b."""
    d = b - a
    size = d @ d
    along = (r * r - s * s + size) / (2 * size)
    return a + along * d + np.sqrt(r * r / size - along**2) * np.array((-d[1], d[0]))


def end(recording, name, half):
    """Where a bar's end was: half its length ahead of its centre."""
    angle = recording[f"{name}.angle"]
    return recording[f"{name}.position"] + half * np.stack([np.cos(angle), np.sin(angle)], -1)


def check(world, recording):
    p, c = end(recording, "pa", -SIDE / 2), end(recording, "ca", -SIDE / 2)
    yield Claim("distance of the pen from its line", np.abs(p[:, 0] - LINE).max(), 1e-9, "m")
    yield Claim.at_least("length of the line", np.ptp(p[:, 1]), 1.3, "m")
    product = np.hypot(*p.T) * np.hypot(*c.T)
    yield Claim("change of OC · OP", np.abs(product - (LONG**2 - SIDE**2)).max(), 1e-9, "m²")
    yield Claim.at_least("turns of the crank", np.ptp(recording["crank.angle"]) / (2 * np.pi), 3)
    energy = recording.kinetic_energy + recording.potential_energy
    yield Claim(
        "change of energy, of the largest kinetic",
        100 * np.ptp(energy) / recording.kinetic_energy.max(),
        0.01,
        "%",
    )
    found = world.diagnose()
    yield Claim.near("freedoms", found.freedoms, 1, 0)
    yield Claim.near("rows of thirteen pins, none of them idle", found.rank, 26, 0)
