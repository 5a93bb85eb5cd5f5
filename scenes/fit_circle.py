"""A circle on half a ring of points shrugs off outliers (Huber), is pulled aside by a hand, and comes back.

Each point is a spring on the typed-in model; one that is far away pulls with a constant force only. The hand
is a point of great weight: the circle is drawn through it.
"""

import numpy as np
from scipy.optimize import least_squares

from tinkerdyne.gallery import Claim
from tinkerdyne.optimise.fit import Fit
from tinkerdyne.world.recording import joined

IDS = ("G5",)
GROUP = "Optimisation, fits and images"
SECONDS = 9.0
LIMIT = 0.1  # m, of a distance that counts in full
HAND = (3.0, 2.0)  # m
SEEN = {}


def data():
    """Half of a ring of radius 2 about (3, -1), and dirt."""
    rng = np.random.default_rng(3)
    turn = rng.uniform(0, np.pi, 120)
    ring = np.stack([3 + 2 * np.cos(turn), -1 + 2 * np.sin(turn)], 1)
    return np.concatenate([ring + 0.03 * rng.normal(size=ring.shape), rng.uniform(-2, 6, (20, 2))])


def build():
    return Fit("circle", data(), limit=LIMIT, cx=2.0, cy=0.5, r=0.6).world


def run(world):
    fit = Fit.of(world)
    parts = [world.record(3, of=fit.parameters)]
    hand = fit.pull(*HAND, weight=1000)
    parts.append(world.record(3, of=fit.parameters))
    fit.settle()
    SEEN.update(fit.values)
    hand.release()
    parts.append(world.record(3, of=fit.parameters))
    fit.settle()
    return joined(parts)


def check(world, recording):
    fit = Fit.of(world)
    found = np.array(list(fit.values.values()))
    away = np.hypot(HAND[0] - SEEN["cx"], HAND[1] - SEEN["cy"]) - SEEN["r"]
    yield Claim("distance of the circle from the hand that pulls it", away, 0.05, "m")
    for name, value, wanted in zip(
        ("x of the centre", "y of the centre", "radius"), found, (3, -1, 2), strict=True
    ):
        yield Claim.near(f"{name} in the end", value, wanted, 0.05, "m")
    points = data()

    def distance(q):
        return np.hypot(points[:, 0] - q[0], points[:, 1] - q[1]) - q[2]

    best = least_squares(
        distance, (3, -1, 2), loss="huber", f_scale=LIMIT, xtol=1e-15, ftol=1e-15, gtol=1e-15
    )
    yield Claim("centre and radius beside scipy's least_squares", np.abs(found - best.x).max(), 1e-6, "m")
    plain, robust = (np.abs(q - (3, -1, 2)).max() for q in (least_squares(distance, (3, -1, 2)).x, found))
    yield Claim.at_least("error of the plain least squares, by the error here", plain / robust, 3)
