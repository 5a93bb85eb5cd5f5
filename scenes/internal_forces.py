"""The forces inside a compound pendulum, against the double pendulum of the textbooks.

DC88 Fig. 5: F₁ at the nail, F₂ between the rods. scipy integrates Lagrange's equations in the two angles,
which know no forces; those follow from Newton's law, F₂ = m₂ (a₂ − g) and F₁ = m₁ (a₁ − g) + F₂.
"""

import numpy as np
from scipy.integrate import solve_ivp

from tinkerdyne import Nail, Rod, World, connect, gravity
from tinkerdyne.gallery import Claim

IDS = ("R7", "R10")
GROUP = "Papers"
SECONDS = 5.0
EVERY = 1 / 120
G, RADIUS = 9.81, 0.05
M1, L1, M2, L2 = 1.0, 1.0, 0.6, 0.8
I1, I2 = (m * (length**2 / 12 + RADIUS**2 / 4) for m, length in ((M1, L1), (M2, L2)))


def build():
    world = World(method="adaptive", rtol=1e-11, atol=1e-12)
    upper = world.add(Rod("upper", mass=M1, length=L1, radius=RADIUS, position=(L1 / 2, 0, 0)))
    lower = world.add(Rod("lower", mass=M2, length=L2, radius=RADIUS, position=(L1 + L2 / 2, 0, 0)))
    world.add(
        connect(upper.end1, Nail(0, 0, 0), name="F1"),
        connect(lower.end1, upper.end2, name="F2"),
        gravity(g=(0, 0, -G)),
    )
    return world


def lagrange(a, b, p, q):
    """Angular accelerations of both rods, for angles a, b from straight down and their rates p, q
    [rad/s²]."""
    coupling = M2 * L1 * L2 / 2
    mass = [
        [I1 + M1 * L1**2 / 4 + M2 * L1**2, coupling * np.cos(a - b)],
        [coupling * np.cos(a - b), I2 + M2 * L2**2 / 4],
    ]
    turning = -coupling * np.sin(a - b) * np.array([q * q, -p * p])
    weight = -G * np.array([(M1 / 2 + M2) * L1 * np.sin(a), M2 * L2 / 2 * np.sin(b)])
    return np.linalg.solve(mass, turning + weight)


def check(world, recording):
    t = recording.time
    start = (np.pi / 2, np.pi / 2, 0, 0)
    y = solve_ivp(
        lambda _t, y: (*y[2:], *lagrange(*y)), (0, t[-1]), start, "DOP853", t, rtol=1e-12, atol=1e-13
    ).y
    # A point at s along a rod of angle a lies at s (sin a, −cos a), and s (cos a, sin a) a″ + s (−sin a, cos
    # a) a′² is its a.
    second = np.array([lagrange(*column) for column in y.T]).T
    swing = [np.array([np.cos(a), np.sin(a)]) * acc + np.array([-np.sin(a), np.cos(a)]) * rate**2
             for a, rate, acc in zip(y[:2], y[2:], second, strict=True)]  # fmt: skip
    up = np.array([[0], [G]])
    F2 = M2 * (L1 * swing[0] + L2 / 2 * swing[1] + up)
    F1 = M1 * (L1 / 2 * swing[0] + up) + F2
    for name, wanted in (("F1", F1), ("F2", F2)):
        error = np.abs(recording[f"{name}.force"][:, [0, 2]].T - wanted).max()
        yield Claim(
            f"{name} against the textbook, of its largest", 100 * error / np.abs(wanted).max(), 1e-4, "%"
        )
    x = recording["lower.position"][:, 0] - L1 * np.sin(y[0]) - L2 / 2 * np.sin(y[1])
    yield Claim("distance of the lower rod from the textbook", np.abs(x).max(), 1e-6, "m")
