"""A four-bar linkage is found whose coupler point passes near nine drawn points.

The crank, the coupler, the pen's place on it and one pose for each drawn point are variables; each pose
closes its loop by an equation, and the squared distances of the pen from the drawn points are what the model
slides down. One pose is drawn.
"""

import numpy as np
from scipy.optimize import minimize

from tinkerdyne import Line, Particle, connect, curve_point, moving, nail
from tinkerdyne.gallery import Claim
from tinkerdyne.optimise.model import Model

IDS = ("G3",)
GROUP = "Linkages"
SECONDS = 4.0
EVERY = 1 / 30
DRAWN = (
    (0.30, 1.50),
    (0.45, 1.80),
    (0.75, 2.05),
    (1.15, 2.20),
    (1.55, 2.20),
    (1.95, 2.05),
    (2.25, 1.85),
    (2.45, 1.55),
    (2.50, 1.20),
)
PIVOT, ROCKER = 2.4, 1.7  # m, given
LENGTHS = {"crank": 0.8, "coupler": 2.0, "along": 1.0, "across": 1.0}  # m, to begin with
LIGHT = 1e-3  # kg/m: beside a variable of 1 kg next to nothing
SHOWN = 4  # the pose that is drawn
TURNS = np.linspace(2.5, 0.4, len(DRAWN))  # rad of the crank, to begin with


def build():
    model = Model()
    for name, start in LENGTHS.items():
        model.variable(name, start, low=0.3)
    for k, (turn, tilt, (x, y)) in enumerate(zip(TURNS, tilts(TURNS), DRAWN, strict=True)):
        model.variable(f"turn{k}", turn)
        model.variable(f"tilt{k}", tilt)
        model.output(f"ahead{k}", f"crank*cos(turn{k}) + coupler*cos(tilt{k}) - pivot", pivot=PIVOT)
        model.output(f"above{k}", f"crank*sin(turn{k}) + coupler*sin(tilt{k})")
        model.constrain(f"ahead{k}^2 + above{k}^2 = rocker^2", rocker=ROCKER)
        model.output(f"px{k}", f"crank*cos(turn{k}) + along*cos(tilt{k}) - across*sin(tilt{k})")
        model.output(f"py{k}", f"crank*sin(turn{k}) + along*sin(tilt{k}) + across*cos(tilt{k})")
        model.minimise(f"weight*((px{k} - x)^2 + (py{k} - y)^2)", x=x, y=y, weight=10.0)
    draw(model.world)
    return model.world


def draw(world):
    """The drawn points, and the linkage in one pose as light lines whose ends the variables move."""
    world.add(*(Particle(f"drawn{k}", position=at, is_fixed=True) for k, at in enumerate(DRAWN)))
    crank = {"crank": world["crank"], "turn": world[f"turn{SHOWN}"]}
    coupler = {name: world[name] for name in ("coupler", "along", "across")} | {"tilt": world[f"tilt{SHOWN}"]}
    x, y = "crank*cos(turn)", "crank*sin(turn)"
    elbow = world.add(moving(x, y, **crank, name="elbow"))
    tip = world.add(
        moving(f"{x} + coupler*cos(tilt)", f"{y} + coupler*sin(tilt)", **crank, **coupler, name="tip")
    )
    ahead, above = "along*cos(tilt) - across*sin(tilt)", "along*sin(tilt) + across*cos(tilt)"
    pen = world.add(moving(f"{x} + {ahead}", f"{y} + {above}", **crank, **coupler, name="pen"))
    bars = (
        ("crank bar", None, elbow),
        ("coupler bar", elbow, tip),
        ("rocker", tip, None),
        ("pen arm", elbow, pen),
    )
    for name, begin, end in bars:
        fixed = (0.0, 0.0) if begin is None else (PIVOT, 0.0)
        places = [fixed if one is None else tuple(one.value) for one in (begin, end)]
        bar = world.add(Line(name, density=LIGHT, points=places))
        for u, one in ((0.0, begin), (1.0, end)):
            at = curve_point(bar, u=u)
            world.add(
                nail(at, at=fixed, name=f"{name} pivot")
                if one is None
                else connect(at, one, name=f"{name} {u:g}")
            )


def tilts(turn):
    """The coupler's tilts that close the first loops, by the law of cosines."""
    x, y = PIVOT - LENGTHS["crank"] * np.cos(turn), -LENGTHS["crank"] * np.sin(turn)
    far = np.hypot(x, y)
    return np.arctan2(y, x) + np.arccos(
        (far**2 + LENGTHS["coupler"] ** 2 - ROCKER**2) / (2 * far * LENGTHS["coupler"])
    )


def loops(q):
    (crank, coupler), turn, tilt = q[:2], q[4::2], q[5::2]
    x, y = (
        crank * np.cos(turn) + coupler * np.cos(tilt) - PIVOT,
        crank * np.sin(turn) + coupler * np.sin(tilt),
    )
    return x**2 + y**2 - ROCKER**2


def distances(q):
    """Of the pen from the drawn points, squared."""
    crank, _, along, across = q[:4]
    turn, tilt = q[4::2], q[5::2]
    x = crank * np.cos(turn) + along * np.cos(tilt) - across * np.sin(tilt)
    y = crank * np.sin(turn) + along * np.sin(tilt) + across * np.cos(tilt)
    return (x - np.array(DRAWN)[:, 0]) ** 2 + (y - np.array(DRAWN)[:, 1]) ** 2


def slope(f, q):
    """Derivatives by a complex step, exact to rounding."""
    return np.stack([np.imag(f(q + 1e-30j * e)) / 1e-30 for e in np.eye(len(q))], -1)


def check(world, recording):
    names = (*LENGTHS, *(f"{what}{k}" for k in range(len(DRAWN)) for what in ("turn", "tilt")))
    rest = Model(world).settle(speed=1e-9)
    yield Claim("rate that is left", rest.speed, 1e-9, "1/s")
    q = np.array([world[name].value for name in names])
    yield Claim("loops closed", np.abs(loops(q)).max(), 1e-8, "m²")
    start = q + 0.01 * np.sin(np.arange(len(q)))
    slsqp = minimize(
        lambda q: 10 * distances(q).sum(),
        start,
        jac=lambda q: slope(lambda q: 10 * distances(q).sum(), q),
        method="SLSQP",
        constraints={"type": "eq", "fun": loops, "jac": lambda q: slope(loops, q)},
        bounds=[(0.3, None)] * 4 + [(None, None)] * 2 * len(DRAWN),
        options={"ftol": 1e-16, "maxiter": 1000},
    )
    yield Claim("cost beside scipy's SLSQP, begun a little aside", 10 * distances(q).sum() - slsqp.fun, 1e-6)
    yield Claim("variables beside those of SLSQP", np.abs(q - slsqp.x).max(), 1e-6)
    yield Claim("distance of the pen from a drawn point", np.sqrt(distances(q).max()), 0.1, "m")
