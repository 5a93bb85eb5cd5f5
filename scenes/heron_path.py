"""Heron's shortest path: by way of a mirror, light takes the path on which its angles are equal.

The foot of the path slides along the mirror until the path is shortest; held at another length, it moves
aside.
"""

import numpy as np
from scipy.optimize import brentq, minimize

from tinkerdyne import Line, connect, curve_point, moving, nail
from tinkerdyne.gallery import Claim
from tinkerdyne.optimise.model import Model

IDS = ("G3",)
GROUP = "Curves and drawings"
SECONDS = 5.0
LAMP, EYE = (0.0, 1.0), (4.0, 2.0)  # m, above the mirror
LONGER = 5.5  # m
LIGHT = 1e-3  # kg/m: beside a variable of 1 kg next to nothing


def build():
    model = Model()
    model.variable("foot", 0.3)
    places = {"lamp": LAMP[0], "low": LAMP[1], "eye": EYE[0], "high": EYE[1]}
    model.output("path", "sqrt((foot - lamp)^2 + low^2) + sqrt((eye - foot)^2 + high^2)", **places)
    model.minimise("path")
    draw(model.world)
    return model.world


def draw(world):
    """The mirror, and the two rays as light lines whose ends the variable moves."""
    foot = world["foot"]
    world.add(Line("mirror", is_fixed=True, points=((LAMP[0] - 0.5, 0.0), (EYE[0] + 0.5, 0.0))))
    bounce = world.add(moving("foot", "0*foot", foot=foot, name="bounce"))
    comes = world.add(Line("comes", density=LIGHT, points=(LAMP, (foot.value, 0.0))))
    goes = world.add(Line("goes", density=LIGHT, points=((foot.value, 0.0), EYE)))
    world.add(
        nail(curve_point(comes), at=LAMP, name="lamp"), nail(curve_point(goes, u=1.0), at=EYE, name="eye")
    )
    world.add(
        connect(curve_point(comes, u=1.0), bounce, name="arrives"),
        connect(curve_point(goes), bounce, name="leaves"),
    )


def length(foot):
    return np.hypot(foot - LAMP[0], LAMP[1]) + np.hypot(EYE[0] - foot, EYE[1])


def check(world, recording):
    model = Model(world)
    model.settle()
    foot = model.values["foot"]
    yield Claim(
        "angle in beside angle out",
        np.arctan2(LAMP[1], foot - LAMP[0]) - np.arctan2(EYE[1], EYE[0] - foot),
        1e-9,
        "rad",
    )
    yield Claim.near("foot beside the mirror image's straight line", foot, 4 / 3, 1e-9, "m")
    best = minimize(lambda x: length(x[0]), [0.3], method="SLSQP", options={"ftol": 1e-16})
    yield Claim.near("foot beside scipy's SLSQP", foot, best.x[0], 1e-6, "m")
    world["foot"].value = 2.5
    model.hold("path", LONGER)
    model.settle()
    wanted = brentq(lambda x: length(x) - LONGER, 2, 4)
    yield Claim.near("foot when the path is held longer", model.values["foot"], wanted, 1e-6, "m")
