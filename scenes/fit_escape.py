"""A sine wave on noisy data rests in a wrong minimum until a hand drags it out.

From its first guess the wave slides to a frequency that fits a few swings only. A slider pulls the frequency
over the hill between the two minima and lets go; the data do the rest.
"""

import numpy as np
from scipy.optimize import curve_fit

from tinkerdyne.gallery import Claim
from tinkerdyne.optimise.fit import Fit
from tinkerdyne.world.recording import joined

IDS = ("G5",)
GROUP = "Optimisation, fits and images"
SECONDS = 30.0
EVERY = 1 / 10
TRUE = (0.3, 2.0, 1.7, 0.4)  # c, a, w, p
SEEN = {}


def wave(x, c, a, w, p):
    return c + a * np.sin(w * x + p)


def data():
    x = np.linspace(0, 12, 150)
    return np.stack([x, wave(x, *TRUE) + 0.2 * np.random.default_rng(7).normal(size=x.size)], 1)


def build():
    return Fit("sinusoid", data(), c=0.0, a=1.5, w=2.7, p=0.0).world


def run(world):
    fit = Fit.of(world)
    parts = [world.record(10, every=EVERY, of=fit.parameters)]
    fit.settle()
    SEEN.update(wrong=fit.values, cost=world.potential_energy)
    slider = fit.slide("w")
    for step in range(50):
        slider.move(SEEN["wrong"]["w"] + (1.75 - SEEN["wrong"]["w"]) * (step + 1) / 50)
        parts.append(world.record(0.2, every=EVERY, of=fit.parameters))
    slider.release()
    parts.append(world.record(10, every=EVERY, of=fit.parameters))
    fit.settle()
    return joined(parts)


def check(world, recording):
    fit = Fit.of(world)
    yield Claim.at_least("frequency in the wrong minimum", SEEN["wrong"]["w"], 2.0, "rad/m")
    yield Claim.at_least("cost there, by the cost in the end", SEEN["cost"] / world.potential_energy, 10)
    c, a, w, p = fit.values.values()
    # a wave upside down is one half a turn on
    found = np.array((c, abs(a), w, (p + np.pi * (a < 0)) % (2 * np.pi)))
    best, covariance = curve_fit(wave, *data().T, p0=TRUE, xtol=1e-15, ftol=1e-15, gtol=1e-15)
    yield Claim("parameters beside scipy's curve_fit", np.abs(found - best).max(), 1e-6)
    off = np.array(list(fit.uncertainties.values())) / np.sqrt(np.diag(covariance)) - 1
    yield Claim("uncertainties beside those of curve_fit, relative", np.abs(off).max(), 1e-5)
    sure = np.abs(found - TRUE) / list(fit.uncertainties.values())
    yield Claim("distance from the truth, in standard deviations", sure.max(), 3)
