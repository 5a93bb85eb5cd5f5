"""Closed loops of rods under the default stepper with its micro-steps of 1 ms: zig-zag, long, and taut."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from . import ours
from .bar import Bar, Line, Measurement, Missing, Remark, needed
from .peers.scene import GRAVITY, LENGTH, MASS, loop_rods, taut_rods
from .race import race
from .watch import FRAME, Watched, watch

SECONDS = 5.0
FRAMES = round(SECONDS / FRAME)
PEER_STEP = 1e-3  # s, like our micro-steps
PEER_FRAME = 0.05  # s
PEER_BUDGET = 20.0  # CPU s a peer may take on one loop
LOOPING_PEERS = ("mujoco", "exudyn", "drake", "pybullet", "rapier3d", "pymunk")


def _loop(count: int) -> ours.Ours:
    """A world with its default settings; a step is a frame."""
    return ours.rods(loop_rods(count), dt=FRAME, max_step=1e-3)


def _zig_zag(count: int, drift: float) -> Measurement:
    def measure(name: str) -> Iterator[Line]:
        scene = _loop(count)
        seen = watch(scene, seconds=SECONDS, steps_a_frame=1)
        yield Bar(name, "seconds run", round(seen.seconds, 9), "≥", SECONDS, " s", seen.end)
        yield Bar(name, "gap", max(seen.gap, scene.outside_gap()), "≤", 1e-6, " m")
        yield Bar(name, "drift", seen.drift(), "≤", drift, " %")
        cpu = race(
            {"ours": lambda: _loop(count).step}, steps=FRAMES, segment=10, repeats=5 if count < 100 else 3
        )
        yield Bar(name, "speed against real time", FRAME / cpu["ours"], "≥", 3, "×")
        for package in LOOPING_PEERS:
            try:
                theirs = needed(package).loop(count, PEER_STEP)
            except Missing as reason:
                yield Remark(name, f"peer not measured: {reason}")
                continue
            steps = round(PEER_FRAME / PEER_STEP)
            run = watch(theirs, seconds=SECONDS, steps_a_frame=steps, frame=PEER_FRAME, budget=PEER_BUDGET)
            yield Remark(name, f"{package} with steps of 1 ms: {_said(run, seen.potential_range)}")

    return measure


def _said(run: Watched, scale: float) -> str:
    """A peer's run in words; `scale` is the potential range of our run, since theirs may be anything."""
    change = 100 * (run.energies - run.energies[0]) / scale
    worst = float(change[np.argmax(np.abs(change))]) if np.all(np.isfinite(change)) else float("nan")
    speed = run.seconds / run.cpu if run.cpu else 0.0
    end = f", ended at {run.seconds:.2g} s: {run.end}" if run.end else ""
    return f"drift {worst:+.3g} %, gap {run.gap:.2g} m, {speed:.2g}× real time{end}"


def _long(name: str) -> Iterator[Line]:
    """Does the energy wander over a minute?"""
    seen = watch(_loop(10), seconds=60, steps_a_frame=1)
    frames = round(10 / FRAME)
    change = abs(seen.energies[-frames:].mean() - seen.energies[:frames].mean()) if not seen.end else np.nan
    percent = float(100 * change / seen.potential_range)
    yield Bar(name, "mean energy of the last 10 s against the first", percent, "≤", 0.1, " %", seen.end)
    yield Remark(name, f"worst drift at any time {seen.drift():.3g} %, gap {seen.gap:.2g} m")


def _taut(count: int) -> Measurement:
    def measure(name: str) -> Iterator[Line]:
        scene = ours.rods(taut_rods(count), dt=FRAME, max_step=1e-3)
        kinetic = [0.0]
        seen = watch(
            scene, seconds=SECONDS, steps_a_frame=1, each=lambda: kinetic.append(scene.world.kinetic_energy)
        )
        weight = count * MASS * GRAVITY * LENGTH  # J: nothing has fallen by even one rod's length
        yield Bar(name, "seconds run", round(seen.seconds, 9), "≥", SECONDS, " s", seen.end)
        yield Bar(
            name, "kinetic energy of weight × length", 100 * float(np.max(kinetic)) / weight, "≤", 1, " %"
        )
        yield Bar(name, "gap", max(seen.gap, scene.outside.gap()), "≤", 1e-5, " m")
        gained = float(np.max(seen.energies - seen.energies[0]))
        yield Bar(name, "energy gained of weight × length", 100 * gained / weight, "≤", 1e-4, " %")
        yield Remark(name, f"{seen.seconds / seen.cpu:.3g}× real time")

    return measure


MEASUREMENTS: dict[str, Measurement] = {
    "loop-10": _zig_zag(10, 1),
    "loop-50": _zig_zag(50, 1),
    "loop-200": _zig_zag(200, 2),
    "loop-10-60s": _long,
    "loop-taut-10": _taut(10),
    "loop-taut-50": _taut(50),
}
