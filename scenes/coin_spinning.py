"""A coin spins on its rim as Euler's disk does, faster the flatter it lies: Ω² = 4 g/(a sin α).

It rolls without slipping while its centre stays in place. With the thickness h of the coin and its moments A
and C, the steady spin has  Ω² sin α (A cos α − C h/(2a) sin α) = m g (a cos α − h/2 sin α).
"""

import numpy as np

from tinkerdyne import Cylinder, Floor, World, contact, gravity
from tinkerdyne.gallery import Claim

IDS = ("R11",)
GROUP = "Stacks, rolls and blows"
SECONDS = 1.5
EVERY = 1 / 480
RADIUS, THICK, TILT, G = 0.0375, 0.003, 0.25, 9.81  # m, m, rad, m/s²


def build(tilt=TILT, step=1 / 2000):
    world = World(max_step=step)
    world.add(gravity(), contact(friction=0.8), Floor("table", size=0.3))
    half = (np.pi / 2 - tilt) / 2  # its axis is its own x; it leans towards x, where the rim is lowest
    turn = (np.cos(half), 0.0, -np.sin(half), 0.0)
    place = (0.0, 0.0, RADIUS * np.sin(tilt) + THICK / 2 * np.cos(tilt))
    # It turns about the line from its centre to where it touches, a e₁ − h/2 e₃; its own z is −e₁.
    spin = rate(tilt) * np.sin(tilt) * np.array((THICK / (2 * RADIUS), 0.0, 1.0))
    coin = Cylinder(
        "coin", length=THICK, radius=RADIUS, density=7800, orientation=turn, position=place, spin=spin
    )
    world.add(coin)
    world.show(is_running=True)
    return world


def rate(tilt):
    """Ω of the steady spin [rad/s], by A = m (a²/4 + h²/12) and C = m a²/2."""
    a, h, s, c = RADIUS, THICK, np.sin(tilt), np.cos(tilt)
    A, C = a**2 / 4 + h**2 / 12, a**2 / 2
    return np.sqrt(G * (a * c - h / 2 * s) / (s * (A * c - C * h / (2 * a) * s)))


def check(world, recording):
    w, x, y, z = recording["coin.orientation"].T
    axis = np.stack([w * w + x * x - y * y - z * z, 2 * (x * y + w * z), 2 * (x * z - w * y)])
    tilt, heading = np.arccos(axis[2]), np.unwrap(np.arctan2(axis[1], axis[0]))
    found = (heading[-1] - heading[0]) / SECONDS
    yield Claim(
        "how often its axis goes round, beside the closed form", 100 * (found / rate(TILT) - 1), 0.1, "%"
    )
    yield Claim("change of its tilt", np.abs(tilt - TILT).max(), 1e-3, "rad")
    place = recording["coin.position"]
    yield Claim("way of its centre", 1e3 * np.ptp(place, axis=0).max(), 0.1, "mm")
    energy = recording.kinetic_energy + recording.potential_energy
    yield Claim("change of energy", 100 * np.ptp(energy) / energy[0], 0.1, "%")
