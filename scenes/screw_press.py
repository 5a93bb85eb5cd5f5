"""A screw press makes a great force of a small torque: 2π over the pitch of its screw.

A handwheel on a screw presses a plate down upon a spring. The plate slides between guides and hangs on the
screw by a bearing. All of it moves as one damped oscillator, I φ″ + c φ′ + k (p/2π)² φ = T + m g p/2π, and
comes to rest under 1.7 kN.
"""

import numpy as np
from scipy.integrate import solve_ivp

from tinkerdyne import (
    Box,
    Cylinder,
    World,
    gravity,
    join,
    pin,
    prismatic,
    scalar_spring,
    screw,
    spin_drag,
    twist,
)
from tinkerdyne.gallery import Claim

IDS = ("A1", "A7", "E8")
GROUP = "Machines"
SECONDS = 20.0
PITCH, TORQUE, STIFFNESS, DRAG, G = 0.02, 5.0, 2e4, 0.2, 9.81  # m, N m, N/m, N m s, m/s²
DOWN = (0, 0, -1)


def build():
    world = World(max_step=1 / 500, tolerance=1e-11)
    wheel = Cylinder(
        "wheel",
        radius=0.25,
        length=0.05,
        mass=4,
        position=(0, 0, 1),
        orientation=np.array((1, 0, 1, 0)) / np.sqrt(2),
    )
    plate = Box("plate", size=(0.4, 0.4, 0.05), mass=6, position=(0, 0, 0.5))
    world.add(wheel, plate)
    thread = join(screw, None, wheel, at=wheel.position, axis=DOWN, pitch=PITCH, name="thread")
    guide = join(prismatic, None, plate, at=plate.position, axis=DOWN, name="guide")
    world.add(thread, guide, join(pin, plate, wheel, at=(0, 0, 0.5), axis=DOWN, name="bearing"))
    world.add(
        scalar_spring(guide.slide, stiffness=STIFFNESS),
        twist(wheel, by=(0, 0, -TORQUE)),
        spin_drag(wheel, coefficient=DRAG),
    )
    world.add(gravity(g=(0, 0, -G)))
    return world


def run(world):
    shown = [world[name] for name in ("wheel", "plate", "thread", "guide", "bearing")]
    return world.record(SECONDS, of=[*shown, world["thread"].turn, world["guide"].slide])


def check(world, recording):
    lead, mass = PITCH / (2 * np.pi), 4 + 6
    inertia = 4 * 0.25**2 / 2 + mass * lead**2

    def rate(_t, y):
        return y[1], (TORQUE + mass * G * lead - DRAG * y[1] - STIFFNESS * lead**2 * y[0]) / inertia

    found = solve_ivp(
        rate, (0, recording.time[-1]), (0, 0), method="DOP853", t_eval=recording.time, rtol=1e-12, atol=1e-12
    )
    turn, slide = recording["thread.turn.value"], recording["guide.slide.value"]
    yield Claim("turn beside scipy's solution", np.abs(turn - found.y[0]).max(), 1e-4, "rad")
    yield Claim("plate beside its screw", np.abs(slide - lead * turn).max(), 1e-10, "m")
    yield Claim.near(
        "force on the spring at the end", STIFFNESS * slide[-1], TORQUE / lead + mass * G, 0.1, "N"
    )
    yield Claim.at_least("turns of the wheel", turn.max() / (2 * np.pi), 3)
