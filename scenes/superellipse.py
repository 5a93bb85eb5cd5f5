"""A superellipse typed in as two formulas is pulled at its shoulder and grows square, while it keeps the area
of a circle.

The curve is text and numbers alone: x = a s cos u, y = b s sin u with s = (|cos u|ⁿ + |sin u|ⁿ)^(−1/n). Its
exponent n is state like its half axes, so a pull may change it. The area within has a closed form, 4ab Γ(1 +
1/n)²/Γ(1 + 2/n).
"""

import numpy as np
from scipy.special import gamma

from tinkerdyne import Circle, World, curve_point, equal_area, lock, typed_curve
from tinkerdyne.gallery import Claim

IDS = ("G2",)
GROUP = "Curves and drawings"
SECONDS = 3.0
SIZE = "(abs(cos(u))^n + abs(sin(u))^n)^(-1/n)"
SHOULDER, TO = 0.7, (0.96, 0.66)  # rad, m


def build():
    world = World(order=1, max_step=1 / 240)
    text = f"c.x + a*{SIZE}*cos(u)", f"c.y + b*{SIZE}*sin(u)"
    curve = typed_curve(*text, span=(0.0, "2*pi"), panels=2, c=(0, 0), a=1.2, b=0.8, n=2.0, name="curve")
    coin = Circle("coin", position=(3, 0), radius=1.0)
    world.add(curve, coin)
    world.add(lock(coin, "radius"), lock(curve, "c"), equal_area(coin, curve, name="area"))
    world.add(curve_point(curve, u=SHOULDER, name="shoulder"))
    world.grab(world["shoulder"]).move(*TO)
    return world


def run(world):
    return world.record(SECONDS, also=[world["shoulder"]])


def check(world, recording):
    a, b, n = recording["curve.numbers"][:, 2:].T
    area = 4 * a * b * gamma(1 + 1 / n) ** 2 / gamma(1 + 2 / n)
    yield Claim("area within at the end − that of the coin", area[-1] - np.pi, 1e-5, "m²")
    yield Claim(
        "area on the way − that of the coin", np.abs(area[recording.time > 1.5] - np.pi).max(), 1e-4, "m²"
    )
    yield Claim.at_least("exponent, from 2", n[-1], 2.5)
    x, y = recording["shoulder.value"][-1]
    yield Claim(
        "shoulder beside the equation (x/a)ⁿ + (y/b)ⁿ = 1",
        (x / a[-1]) ** n[-1] + (y / b[-1]) ** n[-1] - 1,
        1e-9,
    )
    yield Claim("hand from the shoulder", np.hypot(x - TO[0], y - TO[1]), 0.05, "m")
