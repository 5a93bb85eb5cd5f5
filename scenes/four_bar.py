"""A four-bar linkage turns without end: its crank is the shortest bar, and Grashof's sum is kept.

A motor holds the crank's speed exactly. A point of the coupler draws a curve of the sixth degree, here beside
Freudenstein's closed form, and the motor's power is the rate of the energy, found here from its Fourier
series.
"""

import numpy as np

from tinkerdyne import Nail, PlanarRod, Polygon, World, connect, gravity, join, pin, speed
from tinkerdyne.gallery import Claim

IDS = ("A1", "R4")
GROUP = "Linkages"
SECONDS = 4.0
EVERY = 1 / 120
PIVOT = np.array((2.0, 0.0))  # m, of the rocker
CRANK, COUPLER, ROCKER = 0.7, 1.8, 1.5  # m; 0.7 + 2.0 < 1.8 + 1.5
PEN = np.array((1.1, 0.9))  # m, in the coupler's axes from the crank's pin
SPEED = np.pi  # rad/s


def build():
    world = World(max_step=1 / 480, tolerance=1e-11)
    a, b, _ = joints(0.0)
    crank = PlanarRod("crank", length=CRANK, position=a / 2, spin=SPEED)
    coupler = Polygon("coupler", vertices=((0, 0), (COUPLER, 0), PEN))
    coupler.angle = np.arctan2(*(b - a)[::-1])
    coupler.position = a + turned(coupler.offset, coupler.angle)
    rocker = PlanarRod(
        "rocker", length=ROCKER, position=(b + PIVOT) / 2, angle=np.arctan2(*(b - PIVOT)[::-1])
    )
    world.add(crank, coupler, rocker)
    axle = join(pin, None, crank, at=(0, 0), name="axle")
    world.add(axle, speed(axle.turn, at=(SPEED,), name="motor"), gravity(g=(0, -9.81)))
    world.add(
        connect(crank.end2, coupler.corner1),
        connect(coupler.corner2, rocker.end2),
        connect(rocker.end1, Nail(*PIVOT)),
    )
    world.project()
    world.show(is_running=True)
    return world


def turned(p, angle):
    """A point of the plane turned about the origin."""
    c, s = np.cos(angle), np.sin(angle)
    return np.stack([c * p[0] - s * p[1], s * p[0] + c * p[1]], -1)


def joints(angle):
    """The crank's pin, the rocker's pin and the pen at an angle of the crank."""
    a = turned((CRANK, 0), angle)
    ahead = PIVOT - a
    diagonal = np.hypot(ahead[..., 0], ahead[..., 1])
    bend = np.arccos((diagonal**2 + COUPLER**2 - ROCKER**2) / (2 * diagonal * COUPLER))  # the law of cosines
    coupler = np.arctan2(ahead[..., 1], ahead[..., 0]) + bend
    return a, a + turned((COUPLER, 0), coupler), a + turned(PEN, coupler)


def check(world, recording):
    angle, offset = recording["coupler.angle"], np.array(world["coupler"].offset)
    pen = recording["coupler.position"] + turned(PEN - offset, angle)
    yield Claim(
        "pen beside the closed form", np.abs(pen - joints(SPEED * recording.time)[2]).max(), 1e-9, "m"
    )
    rocker = recording["rocker.angle"]
    yield Claim.near("turns of the crank", recording["crank.angle"][-1] / (2 * np.pi), 2, 1e-9)
    yield Claim("swing of the rocker after whole turns", rocker[-1] - rocker[0], 1e-9, "rad")
    energy, power = (
        recording.kinetic_energy + recording.potential_energy,
        SPEED * recording["motor.force"][:-1, 0],
    )
    waves = np.arange(len(power) // 2 + 1) * 2j * np.pi / SECONDS
    rate = np.fft.irfft(waves * np.fft.rfft(energy[:-1]), len(power))
    yield Claim(
        "power of the motor beside the rate of the energy",
        100 * np.abs(power - rate).max() / np.ptp(power),
        1e-6,
        "%",
    )
