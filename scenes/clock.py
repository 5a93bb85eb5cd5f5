"""A clock runs for a week in seven seconds, and its hands stay in step to the last tooth.

A motor turns the seconds' wheel; pairs of 8 to 60, 8 to 64, 10 to 30 and 8 to 32 teeth make a turn a minute
into one an hour and one in twelve hours. The turns are counted, so no slip gathers. A wind pushes the hour
hand; the motor feels a 720th of it.
"""

import numpy as np

from tinkerdyne import Disc, World, gear, join, pin, speed, twist
from tinkerdyne.gallery import Claim

IDS = ("A1", "A7", "R4")
GROUP = "Machines"
SECONDS = 7.0
MINUTES = 1440  # in a day, which takes a second here
WIND = 3.6  # N m
PAIRS = (
    ("seconds", "third", 8, 60),
    ("third", "minutes", 8, 64),
    ("minutes", "motion", 10, 30),
    ("motion", "hours", 8, 32),
)
# m; hours turn about the minutes' axis
PLACES = {"seconds": -1.4, "third": -0.72, "minutes": 0.0, "motion": 0.4, "hours": 0.0}


def build():
    world = World(max_step=1 / 5000, tolerance=1e-10)  # less than a third of a turn in a step
    sizes = {"seconds": 30, **{driven: teeth for _, driven, _, teeth in PAIRS}}
    turns = {}
    for name, x in PLACES.items():
        wheel = world.add(Disc(name, radius=sizes[name] / 100, mass=sizes[name] / 100, position=(x, 0)))
        turns[name] = world.add(join(pin, None, wheel, at=(x, 0))).turn
    for driver, driven, small, large in PAIRS:
        world.add(gear(turns[driver], turns[driven], ratio=-small / large))
    world.add(
        speed(turns["seconds"], at=(2 * np.pi * MINUTES,), name="motor"), twist(world["hours"], by=(-WIND,))
    )
    world.project()
    world.show(is_running=True)
    return world


def check(world, recording):
    for name, wanted in (("seconds", 10080), ("minutes", 168), ("hours", 14)):
        yield Claim.near(
            f"turns of the {name} in a week", recording[f"{name}.angle"][-1] / (2 * np.pi), wanted, 1e-8
        )
    yield Claim.near(
        "torque of the motor against the wind", recording["motor.force"][-1, 0], WIND / 720, 1e-9, "N m"
    )
