"""An allocation under linear constraints: the least variance that still earns enough, with bounds on every
share.

The shares slide down the variance; an equation holds them together, inequalities stop them, and the stops'
forces are the prices of the bounds. Then the wanted return is raised while the model runs, and everything
follows.
"""

import numpy as np
from scipy.optimize import minimize

from tinkerdyne.gallery import Claim
from tinkerdyne.optimise.model import Model
from tinkerdyne.world.recording import joined

IDS = ("G3",)
GROUP = "Optimisation, fits and images"
SECONDS = 8.0
NAMES = ("bonds", "shares", "gold", "land", "cash")
EARNED = np.array((0.04, 0.11, 0.05, 0.08, 0.01))
COVARIANCE = np.array((
    (0.010, 0.004, 0.001, 0.002, 0.000),
    (0.004, 0.090, -0.010, 0.020, 0.000),
    (0.001, -0.010, 0.060, 0.004, 0.000),
    (0.002, 0.020, 0.004, 0.040, 0.000),
    (0.000, 0.000, 0.000, 0.000, 0.001),
))  # fmt: skip
MOST = 0.45
LOW, HIGH = 0.05, 0.08  # of the wanted return
FIRST = {}


def build():
    model = Model()
    for name in NAMES:
        model.variable(name, 0.2, low=0.0, high=MOST, mass=0.05)
    model.constrain(" + ".join(NAMES) + " = 1")
    terms = [
        f"{c}*{a}*{b}"
        for a, row in zip(NAMES, COVARIANCE, strict=True)
        for b, c in zip(NAMES, row, strict=True)
        if c
    ]
    model.output("earned", " + ".join(f"{r}*{n}" for r, n in zip(EARNED, NAMES, strict=True)))
    model.constrain("earned >= wanted", wanted=LOW)
    model.minimise(" + ".join(terms))
    return model.world


def run(world):
    model = Model(world)
    first = world.record(4)
    model.settle()
    FIRST.update(model.values)
    model.change("earned >= wanted", wanted=HIGH)
    second = world.record(4)
    model.settle()
    return joined([first, second])


def best(wanted):
    rules = (
        {"type": "eq", "fun": lambda x: x.sum() - 1},
        {"type": "ineq", "fun": lambda x: EARNED @ x - wanted},
    )
    slsqp = minimize(
        lambda x: x @ COVARIANCE @ x,
        np.full(5, 0.2),
        jac=lambda x: 2 * COVARIANCE @ x,
        method="SLSQP",
        constraints=rules,
        bounds=[(0, MOST)] * 5,
        options={"ftol": 1e-16, "maxiter": 1000},
    )
    return slsqp.x


def check(world, recording):
    now = Model(world).values
    for wanted, found in ((LOW, FIRST), (HIGH, now)):
        off = np.abs([found[n] for n in NAMES] - best(wanted)).max()
        yield Claim(f"shares beside scipy's SLSQP when {100 * wanted:g} % are wanted", off, 1e-6)
    yield Claim.near("earned in the end", now["earned"], HIGH, 1e-7)
    yield Claim(
        "sum of the shares on the way", np.abs(sum(recording[f"{n}.value"] for n in NAMES) - 1).max(), 1e-7
    )
    yield Claim.at_least("price of the wanted return", world["earned >= wanted"].force[0], 1e-3)
