"""Four balls come to their nails from one metre away, each with its own τ.

DC88 Fig. 12: D(t)/D₀ = (1 + t/τ) e^(−t/τ), also under gravity and whatever the mass.
"""

import numpy as np

from tinkerdyne import Particle, World, gravity, nail
from tinkerdyne.gallery import Claim

IDS = ("E7", "R3", "R10")
GROUP = "Papers"
SECONDS = 4.0
TAUS = (0.1, 0.2, 0.4, 0.8)  # s


def build():
    world = World()
    for k, tau in enumerate(TAUS):
        ball = world.add(Particle(f"ball {tau:g}", mass=1.0 + k, position=(k, 0, 0)))
        world.add(nail(ball, at=(k, 0, 1), tau=tau, name=f"τ = {tau:g} s"))
    world.add(gravity())
    return world


def check(world, recording):
    t = recording.time
    for k, tau in enumerate(TAUS):
        gap = recording[f"τ = {tau:g} s.gap"]
        wanted = (1 + t / tau) * np.exp(-t / tau)
        yield Claim(f"τ = {tau:g} s: distance from (1 + t/τ) e^(−t/τ)", np.abs(gap - wanted).max(), 1e-7, "m")
        # F = m (g + D₀ (1 − t/τ)/τ² e^(−t/τ)): it pulls, brakes, and at last carries the weight.
        force = (1 + k) * (9.81 + (1 - t / tau) / tau**2 * np.exp(-t / tau))
        error = np.abs(recording[f"τ = {tau:g} s.force"][:, 2] - force).max() / force.max()
        yield Claim(f"τ = {tau:g} s: force against its closed form", 100 * error, 1e-6, "%")
