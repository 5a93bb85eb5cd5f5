"""Chains of rods, one end nailed: steps of 1/240 s against MuJoCo in maximal coordinates."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from . import ours
from .bar import Bar, Line, Measurement, Missing, Remark, Unmeasured, needed
from .ours import DT
from .peers.scene import chain_rods
from .race import Runner, race
from .watch import watch

SECONDS = 5.0
PAIRS = (  # our method, MuJoCo's, its name, wanted ratio, wanted drift in percent
    ("rattle", "euler", "Euler", 2.5, 0.1),
    ("runge_kutta", "rk4", "RK4", 4.0, 0.01),
)


def _quality(name: str, count: int, method: str, drift: float) -> Iterator[Line]:
    """Gap and drift over 5 s."""
    scene = ours.rods(chain_rods(count), method=method)
    seen = watch(scene, seconds=SECONDS, steps_a_frame=4)
    yield Bar(name, f"{method} gap", max(seen.gap, scene.outside_gap()), "≤", 1e-6, " m")
    yield Bar(name, f"{method} drift", seen.drift(), "≤", drift, " %")


def _speed(name: str, count: int, pair: tuple[str, str, str, float, float], mujoco: Any) -> Iterator[Line]:
    method, integrator, called, wanted, _ = pair

    def theirs(tuning: str) -> Callable[[], Runner]:
        return lambda: mujoco.chain(count, DT, integrator, tuning).step

    makers: dict[str, Callable[[], Runner]] = {
        "ours": lambda: ours.rods(chain_rods(count), method=method).step,
        "tuned": theirs("tuned"),
        "default": theirs("default"),
    }
    is_long = count > 100 and method == "runge_kutta"
    steps = round((1.0 if is_long else SECONDS) / DT)
    cpu = race(makers, steps=steps, segment=24 if count > 100 else 60, repeats=3 if count > 100 else 7)
    best = min(cpu["tuned"], cpu["default"])
    yield Bar(name, f"{method} speed against MuJoCo {called}", best / cpu["ours"], "≥", wanted, "×")
    times = ", ".join(f"{which} {1e6 * cpu[which]:.0f} µs" for which in ("tuned", "default"))
    yield Remark(name, f"{method} {1e6 * cpu['ours']:.0f} µs a step; MuJoCo {called} {times}")


def _measurement(count: int) -> Measurement:
    def measure(name: str) -> Iterator[Line]:
        for pair in PAIRS:
            yield from _quality(name, count, pair[0], pair[4])
            try:
                yield from _speed(name, count, pair, needed("mujoco"))
            except Missing as reason:
                yield Unmeasured(name, f"{pair[0]} speed against MuJoCo {pair[2]}", str(reason))

    return measure


MEASUREMENTS = {f"chain-{count}": _measurement(count) for count in (100, 500)}
