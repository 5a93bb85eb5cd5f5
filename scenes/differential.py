"""A differential lets two wheels turn at their own speeds and gives both the same torque.

A motor turns the carrier, in which a bevel pinion meshes with both wheels: the carrier turns at their mean
speed. One wheel is in mud, which drags it; then it is stopped, and the other turns twice as fast as the
carrier.
"""

import numpy as np
from scipy.linalg import expm

from tinkerdyne import Change, Cylinder, World, equation, join, pin, speed, spin_drag, twist
from tinkerdyne.gallery import Claim

IDS = ("A1", "A7", "R4")
GROUP = "Machines"
SECONDS = 6.0
TORQUE, MUD = 3.0, 0.8  # N m; N m s
TEETH, ARM = 2.0, 0.3  # of a wheel, to one of the pinion; m from the axle to the pinion
UPRIGHT = np.array((1, 0, -1, 0)) / np.sqrt(2)  # turns the x axis up


def build():
    world = World(max_step=1 / 1000, tolerance=1e-11)
    carrier = Cylinder("carrier", radius=0.4, length=0.2, mass=6)
    left = Cylinder("left", radius=0.5, length=0.1, mass=8, position=(-0.6, 0, 0))
    right = Cylinder("right", radius=0.5, length=0.1, mass=8, position=(0.6, 0, 0))
    pinion = Cylinder("pinion", radius=0.1, length=0.05, mass=0.05, position=(0, 0, ARM), orientation=UPRIGHT)
    world.add(carrier, left, right, pinion)
    cage, one, other = (
        join(pin, None, body, at=body.position, axis=(1, 0, 0)) for body in (carrier, left, right)
    )
    stud = join(pin, carrier, pinion, at=pinion.position, axis=(0, 0, 1))
    world.add(cage, one, other, stud)
    turns = {"c": cage.turn, "l": one.turn, "r": other.turn, "p": stud.turn}
    world.add(equation("l + r - 2*c", "p - n*(l - r)/2", n=TEETH, name="teeth", **turns))
    world.add(twist(carrier, by=(TORQUE, 0, 0)), spin_drag(left, coefficient=MUD))
    world.add(speed(one.turn, at=(0.0,), name="brake", is_on=False))
    world.at(SECONDS / 2, Change("brake", "is_on", True))
    world.show(is_running=True)
    return world


def check(world, recording):
    stop = np.searchsorted(recording.time, SECONDS / 2 - 1e-9)  # when the brake takes hold
    l, r, c = (recording[f"{name}.spin"][:, 0] for name in ("left", "right", "carrier"))
    wheel, cage, pinion = (
        8 * 0.5**2 / 2,
        6 * 0.4**2 / 2 + 0.05 * (ARM**2 + 0.05**2 / 12 + 0.1**2 / 4),
        0.05 * 0.1**2 / 2,
    )
    sums, differences = np.ones((2, 2)) / 4, np.array(((1, -1), (-1, 1))) / 4
    # M ω' = T/2 − mud, of the two wheels
    M = wheel * np.eye(2) + cage * sums + TEETH**2 * pinion * differences
    A = np.zeros((3, 3))
    A[:2, :2], A[:2, 2] = np.linalg.solve(M, np.diag((-MUD, 0))), np.linalg.solve(M, (TORQUE / 2, TORQUE / 2))
    wanted = expm(A * SECONDS / 2)[:2, 2]
    yield Claim.near("speed of the wheel in mud", l[stop], wanted[0], 1e-6, "rad/s")
    yield Claim.near("speed of the other", r[stop], wanted[1], 1e-6, "rad/s")
    yield Claim("carrier beside the mean of the wheels", np.abs(c - (l + r) / 2).max(), 1e-9, "rad/s")
    yield Claim.near("speed of the free wheel to the carrier's, the other stopped", r[-1] / c[-1], 2, 1e-6)
    torque = world.reactions(world["teeth"])
    yield Claim.near(
        "torque on one wheel to that on the other", torque["left"][3] / torque["right"][3], 1, 1e-3
    )
