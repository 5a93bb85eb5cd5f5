"""One constraint force brings a ball to its nail; another keeps a swinging rod at its own.

DC88 Figs. 7 and 8, the two halves of inverse dynamics. The ball is pulled until t = τ and braked afterwards;
the rod's nail pulls up against gravity and sideways against inertia, by F = m (a − g) of the physical
pendulum.
"""

import numpy as np

from tinkerdyne import Nail, Rod, Sphere, World, connect, gravity
from tinkerdyne.gallery import Claim

IDS = ("R7", "R10")
GROUP = "Papers"
SECONDS = 3.0
TAU, G, RADIUS, LENGTH = 0.4, 9.81, 0.05, 1.0
INERTIA = LENGTH**2 / 3 + RADIUS**2 / 4  # kg m², of 1 kg about its end


def build():
    world = World(max_step=1 / 4000, tolerance=1e-10)
    ball = world.add(Sphere("ball", radius=0.1, position=(-2.0, 1.0, 0.0)))
    rod = world.add(Rod("rod", length=LENGTH, radius=RADIUS, position=(LENGTH / 2, 0, 0)))
    world.add(connect(ball.centre, Nail(0, 1, 0), tau=TAU, name="meeting"))
    world.add(connect(rod.end1, Nail(0, 0, 0), name="maintaining"), gravity(g=(0, 0, -G)))
    return world


def check(world, recording):
    t = recording.time
    sideways, _, up = recording["meeting.force"].T
    wanted = 2 / TAU**2 * (1 - t / TAU) * np.exp(-t / TAU)
    yield Claim(
        "meeting: force along the way against its closed form", np.abs(sideways - wanted).max(), 1e-4, "N"
    )
    turned = np.interp(0, -sideways[: np.argmin(sideways)], t[: np.argmin(sideways)])
    yield Claim.near("meeting: the force turns round at", turned, TAU, 0.01, "s")
    yield Claim("meeting: upward force − weight", np.abs(up - G).max(), 1e-6, "N")
    # Swing angle θ from straight down: I θ″ = −m g l/2 sin θ, and ½ I θ′² = m g l/2 cos θ from horizontal
    # rest.
    x, _, z = recording["rod.position"].T / (LENGTH / 2)
    alpha, square = -G * LENGTH / 2 * x / INERTIA, -G * LENGTH * z / INERTIA
    a = LENGTH / 2 * np.array([-z * alpha - x * square, x * alpha - z * square])
    error = np.abs(recording["maintaining.force"][:, [0, 2]].T - a - np.array([[0], [G]])).max()
    yield Claim("maintaining: force against m (a − g) of the pendulum", error, 1e-4, "N")
    yield Claim("maintaining: distance from the nail", recording["maintaining.gap"].max(), 1e-8, "m")
