"""A thrown ball is brought to a nail; its force is three forces: against gravity, against motion, towards the
nail.

DC88 Fig. 10 and Example 2: F = −F_g − F_v − F_D, with F_g = m g, F_v = (2/τ) m v and F_D = (1/τ²) m (x − x₀).
First it pulls, then it brakes, and in the end it carries the weight alone.
"""

import numpy as np

from tinkerdyne import Sphere, World, gravity, nail
from tinkerdyne.gallery import Claim

IDS = ("R7", "R10")
GROUP = "Papers"
SECONDS = 4.0
MASS, TAU, G = 0.5, 0.3, np.array((0, 0, -9.81))
D, V = np.array((-2.0, 0.0, -1.0)), np.array((0.0, 3.0, 1.0))  # from the nail, and velocity, at first


def build():
    world = World()
    ball = world.add(Sphere("ball", mass=MASS, radius=0.1, position=D, velocity=V))
    world.add(nail(ball.centre, at=(0, 0, 0), tau=TAU, name="nail"), gravity(g=G))
    return world


def components(recording):
    """The three forces of Fig. 10 over time, from the recorded motion [N]."""
    against_motion = -2 / TAU * MASS * recording["ball.velocity"]
    return {
        "against gravity": np.broadcast_to(-MASS * G, against_motion.shape),
        "against motion": against_motion,
        "towards the nail": -MASS / TAU**2 * recording["ball.position"],
    }


def check(world, recording):
    t, force = recording.time[:, None], recording["nail.force"]
    parts = components(recording)
    error = np.abs(force - sum(parts.values())).max()
    yield Claim("force − its three components, of the largest", 100 * error / np.abs(force).max(), 1e-3, "%")
    # D = (D₀ + B t) e^(−t/τ) with B = V₀ + D₀/τ solves D″ + 2/τ D′ + 1/τ² D = 0; the force is m (D″ − g).
    B = V + D / TAU
    wanted = MASS * (((D + B * t) / TAU**2 - 2 * B / TAU) * np.exp(-t / TAU) - G)
    yield Claim(
        "force against its closed form", 100 * np.abs(force - wanted).max() / np.abs(wanted).max(), 1e-3, "%"
    )
    yield Claim(
        "distance from the nail at the end", np.linalg.norm(recording["ball.position"][-1]), 1e-4, "m"
    )
    yield Claim("force − weight at the end", np.abs(force[-1] + MASS * G).max(), 1e-3, "N")
