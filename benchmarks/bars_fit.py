"""Fitting by dynamics beside scipy's least_squares: every model of the library, parameters and time (G5)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.optimize import least_squares

from tinkerdyne.language.arrays import Array
from tinkerdyne.optimise.fit import Fit

from .bar import Bar, Line, Measurement, Remark
from .race import cpu

ROWS = 200


def examples() -> dict[str, tuple[Array, dict[str, float]]]:
    """Data and first guesses for each model."""
    rng = np.random.default_rng(1)
    x, turn, z = np.linspace(0, 10, ROWS), rng.uniform(0, 2 * np.pi, ROWS), rng.uniform(-3, 3, ROWS)
    noise = 0.05 * rng.normal(size=(ROWS, 3))
    round_ = np.stack([np.cos(turn), np.sin(turn)], 1)
    ball = rng.normal(size=(ROWS, 3))
    ball /= np.linalg.norm(ball, axis=1)[:, None]
    tilt = np.array(((np.cos(0.5), np.sin(0.5)), (-np.sin(0.5), np.cos(0.5))))
    bumps = 2 * np.exp(-(((x - 3) / 0.6) ** 2) / 2) + 1.2 * np.exp(-((x - 5.5) ** 2) / 2)
    return {
        "line": (np.stack([x, 1 + x / 2 + noise[:, 0]], 1), {"a": 0, "b": 0}),
        "circle": (round_ * 2 + (3, -1) + noise[:, :2], {"cx": 1, "cy": 0, "r": 1}),
        "ellipse": (
            round_ * (3, 1.5) @ tilt + (1, 2) + noise[:, :2],
            {"cx": 0.5, "cy": 1.5, "a": 2, "b": 1.8, "turn": 0.3},
        ),
        "sinusoid": (
            np.stack([x, 0.3 + 2 * np.sin(1.7 * x + 0.4) + noise[:, 0]], 1),
            {"c": 0, "a": 1, "w": 1.6, "p": 0.5},
        ),
        "gaussians": (
            np.stack([x, bumps + noise[:, 0]], 1),
            {"a1": 1, "m1": 2.5, "s1": 1, "a2": 1, "m2": 6, "s2": 1},
        ),
        "sphere": (ball * 1.5 + (1, 2, 3) + noise, {"cx": 0, "cy": 0, "cz": 0, "r": 1}),
        "cylinder": (
            np.column_stack([round_ * 1.2 + (0.2 * z + 0.5)[:, None], z]) + noise,
            {"px": 0, "py": 0, "u": 0, "v": 0, "r": 1},
        ),
    }


def _agreement(name: str) -> Iterator[Line]:
    for model, (data, start) in examples().items():
        fit = Fit(model, data, columns=("x", "y", "z")[: data.shape[1]], **start)
        seconds = cpu(fit.settle)
        sharp = {"xtol": 1e-15, "ftol": 1e-15, "gtol": 1e-15}
        residuals, slopes = (lambda q, f=fit, k=k: f._evaluate(q)[k] for k in range(2))
        best = least_squares(residuals, list(start.values()), jac=slopes, **sharp)
        off = float(np.abs(np.array(list(fit.values.values())) - best.x).max())
        yield Bar(name, f"{model}: parameters beside scipy's least_squares", off, "≤", 1e-6)
        yield Remark(name, f"{model}: {ROWS} rows, at rest in {1e3 * seconds:.3g} ms")


MEASUREMENTS: dict[str, Measurement] = {"fit-agreement": _agreement}
