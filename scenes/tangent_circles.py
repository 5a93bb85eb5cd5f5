"""Four circles are drawn anywhere and told to touch: the fourth grows to the size that Descartes found.

Six tangencies, each sliding on two circles at once. With curvatures k = 1/r, the circle that touches three
others from between them has k₄ = k₁ + k₂ + k₃ + 2√(k₁k₂ + k₂k₃ + k₃k₁). Then a hand pulls at one of them, and
the drawing goes with it.
"""

import itertools

import numpy as np

from tinkerdyne import Circle, Variable, World, curve_point, lock, tangential
from tinkerdyne.gallery import Claim
from tinkerdyne.world.recording import joined

IDS = ("G2", "G7")
GROUP = "Curves and drawings"
SECONDS = 5.0
RADII = (1.0, 0.8, 0.6)  # m, of the three that keep theirs
PLACES = ((0.1, -0.2), (2.1, 0.1), (1.0, 1.7), (1.0, 0.5))  # m, as drawn


def build():
    world = World(order=1, max_step=1 / 240)
    circles = [
        Circle(f"circle{k}", position=p, radius=r)
        for k, p, r in zip(range(1, 5), PLACES, (*RADII, 0.3), strict=True)
    ]
    world.add(*circles)
    world.add(*[lock(c, "radius") for c in circles[:3]])
    for i, j in itertools.combinations(range(4), 2):
        x, y = np.subtract(PLACES[j], PLACES[i])
        u, w = (
            Variable(f"u{i + 1}{j + 1}", value=np.arctan2(y, x)),
            Variable(f"u{j + 1}{i + 1}", value=np.arctan2(-y, -x)),
        )
        world.add(u, w)
        world.add(tangential(circles[i], u, circles[j], w, name=f"touch{i + 1}{j + 1}"))
    return world


def run(world):
    parts = [world.record(2.0)]
    grip = world.grab(curve_point(world["circle3"], u=1.0))
    grip.move(3.0, 4.0)
    parts.append(world.record(SECONDS - 2))
    return joined(parts)


def check(world, recording):
    k1, k2, k3 = 1 / np.array(RADII)
    wanted = 1 / (k1 + k2 + k3 + 2 * np.sqrt(k1 * k2 + k2 * k3 + k3 * k1))
    yield Claim.near("radius of the fourth circle", recording["circle4.radius"][-1], wanted, 1e-6, "m")
    late = recording.time > 2
    pairs = itertools.combinations(range(1, 5), 2)
    apart = [np.linalg.norm(recording[f"circle{i}.position"] - recording[f"circle{j}.position"], axis=1)
             - recording[f"circle{i}.radius"] - recording[f"circle{j}.radius"] for i, j in pairs]  # fmt: skip
    yield Claim(
        "widest gap between circles while they are pulled", np.abs(np.array(apart)[:, late]).max(), 1e-6, "m"
    )
    way = np.linalg.norm(recording["circle3.position"][-1] - recording["circle3.position"][late][0])
    yield Claim.at_least("way of the circle in the hand", way, 1.0, "m")
