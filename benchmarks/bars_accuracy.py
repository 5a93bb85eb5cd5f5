"""Accuracy: orders of the methods, what results say of it, forces at any ratio of masses, contradictions.

The worlds are those of tests/truth, more of them and with other seeds.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import numpy as np

import tinkerdyne as td
from tests.truth import contradictions, heavy, light, motions, orders

from .bar import Bar, Line, Remark

ORDERS = {
    "rattle": (1.9, (8e-3, 4e-3, 2e-3, 1e-3)),
    "energy_momentum": (1.9, (8e-3, 4e-3, 2e-3, 1e-3)),
    "runge_kutta": (3.8, (2e-2, 1e-2, 5e-3)),
    "stormer": (0.9, (4e-3, 2e-3, 1e-3)),
}
MOTIONS, WORLDS, CHAINS = 300, 40, 200  # random motions, contradictions of each method, and light chains
RATIOS = (1.0, 1e2, 1e4, 1e6, 1e8)
TOLD = 3.0  # times the promise: what is off by more must be told; what is off by less than a third must not


def order(name: str) -> Iterator[Line]:
    """The least order that each method shows on problems whose forces depend on velocities and time."""
    for method, (wanted, steps) in ORDERS.items():
        found = {case.__name__: orders.slope(case, method, steps) for case in orders.CASES}
        worst = min(found, key=lambda which: found[which][0])
        yield Bar(name, f"order of {method}, the least of {len(found)}", found[worst][0], "≥", wanted)
        each = ", ".join(f"{which} {slope:.2f}" for which, (slope, _) in found.items())
        yield Remark(name, f"{method}: {each}")


def told(name: str) -> Iterator[Line]:
    """Random motions at random steps: how many wrong ones are called right, and the other way round."""
    bad = good = missed = false = 0
    for seed in range(1000, 1000 + MOTIONS):
        method, step = motions.chosen(seed)
        try:
            error, result = motions.true_error(seed, method, step)
        except ArithmeticError:  # no reference
            continue
        promise = 0.1 if method == "stormer" else 0.01
        is_told = result.status not in (td.Status.DONE, td.Status.CAREFUL)
        if error > TOLD * promise:
            bad += 1
            missed += not is_told
        elif error < promise / TOLD:
            good += 1
            false += is_told
    yield Bar(name, f"wrong motions not told, of {bad}", 100 * missed / max(bad, 1), "≤", 2, " %")
    yield Bar(name, f"right motions called wrong, of {good}", 100 * false / max(good, 1), "≤", 3, " %")


def shaken(name: str) -> Iterator[Line]:
    """Light chains under tension at 10 ms: how many have forces that are wrong by a third and not told."""
    bad = missed = 0
    for seed in range(3000, 3000 + CHAINS):
        error, result = light.force_error(seed, max_step=1e-2)
        if error > 0.3:
            bad += 1
            missed += result.status in (td.Status.DONE, td.Status.CAREFUL)
    yield Bar(name, f"wrong forces not told, of {bad}", 100 * missed / max(bad, 1), "≤", 10, " %")


def gains(name: str) -> Iterator[Line]:
    """Energy that contradictory constraints give to a world, as a share of what was turned over."""
    for method in contradictions.METHODS:
        shares = [
            contradictions.gained(contradictions.random_contradiction(seed, method=method), 8.0)
            for seed in range(500, 500 + WORLDS)
        ]
        yield Bar(name, f"most gained with {method}, of {WORLDS}", 100 * max(shares), "≤", 1, " %")
        box = contradictions.box_between_nails(method=method)
        box.run(20.0)
        yield Remark(
            name, f"box of 1 kg between nails 2 m too far apart, {method}: {box.kinetic_energy:.2g} J"
        )


def peaks(name: str) -> Iterator[Line]:
    """How far approaches to what cannot be met raise the energy, against RATTLE."""
    for method in ("runge_kutta", "adaptive"):
        worst = 0.0
        for seed in range(700, 700 + WORLDS):
            usual = contradictions.peak(contradictions.random_contradiction(seed), 0.6)
            this = contradictions.peak(contradictions.random_contradiction(seed, method=method), 0.6)
            worst = max(worst, this / max(usual, 1.0))
        yield Bar(name, f"highest energy with {method}, of {WORLDS}", worst, "≤", 10, "× of RATTLE's")


def forces(name: str) -> Iterator[Line]:
    """The worst relative error of a force that light parts hand through."""
    for setting in ({"method": "rattle"}, {"method": "runge_kutta"}, {"method": "energy_momentum"},
                    {"method": "adaptive"}, {"method": "rattle", "solver": "svd"}):  # fmt: skip
        worst, where = 0.0, ""
        for case in heavy.CASES:
            for ratio in RATIOS:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    world, force, wanted = case(ratio, **setting)
                    world.run(0.01)
                error = abs(force() / wanted - 1)
                if not error <= worst:
                    worst, where = error, f"{case.__name__} at {ratio:g}"
        what = " and ".join(setting.values())
        yield Bar(name, f"error of a force with {what}", float(np.nan_to_num(worst, nan=np.inf)), "≤", 1e-6,
                  remark=where)  # fmt: skip


MEASUREMENTS = {
    "truth-order": order,
    "truth-told": told,
    "truth-shaken": shaken,
    "truth-contradictions": gains,
    "truth-contradictions-peak": peaks,
    "truth-forces": forces,
}
