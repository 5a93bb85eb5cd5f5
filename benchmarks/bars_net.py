"""A net of 40 × 40 particles with rigid distances, two corners nailed, steps of 1/480 s.

With opposite corners nailed it hangs and swings. With adjacent ones an edge is exactly taut, and every step
is a singular one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from . import ours
from .bar import Bar, Line, Measurement, Missing, Remark, Unmeasured, needed
from .peers.scene import Net
from .race import Runner, race
from .watch import Watched, watch

DT = 1 / 480  # s
SECONDS = 5.0
TIMED = 0.5  # s of motion that is raced
FRAME = 1 / 20  # s
BUDGET = 90.0  # CPU s for 5 s of motion
WAYS = {"tendons": "tendon_net", "flex": "net"}  # MuJoCo's two ways to keep distances
TUNINGS = ("tuned", "default")


def _seen(scene: Any, dt: float) -> Watched:
    return watch(scene, seconds=SECONDS, steps_a_frame=round(FRAME / dt), frame=FRAME, budget=BUDGET)


def _early(run: Watched) -> str:
    return f", ended at {run.seconds:.2g} s: {run.end}" if run.end else ""


def _against(name: str, layout: Net, mujoco: Any, mine: Watched) -> Iterator[Line]:
    def theirs(way: str, tuning: str) -> Any:
        return getattr(mujoco, WAYS[way])(layout, DT, "euler", tuning)

    trials: dict[str, Callable[[], Runner]] = {
        f"{way} {tuning}": lambda way=way, tuning=tuning: theirs(way, tuning).step
        for way in WAYS
        for tuning in TUNINGS
    }
    trial = race(trials, steps=4, segment=1, repeats=2)
    best = {way: min(TUNINGS, key=lambda tuning: trial[f"{way} {tuning}"]) for way in WAYS}
    makers: dict[str, Callable[[], Runner]] = {"ours": lambda: ours.net(layout, dt=DT).step}
    makers |= {way: trials[f"{way} {tuning}"] for way, tuning in best.items()}
    cpu = race(makers, steps=round(TIMED / DT), segment=8, repeats=2)
    ratio = cpu["tendons"] / cpu["ours"]
    yield Bar(name, "speed against MuJoCo tendons", ratio, "≥", 1.5, "×")
    yield Remark(name, f"speed against MuJoCo flex {cpu['flex'] / cpu['ours']:.3g}×")
    times = [
        f"ours {1e3 * cpu['ours']:.3g} ms",
        *(f"MuJoCo {which} {1e3 * t:.3g} ms" for which, t in trial.items()),
    ]
    yield Remark(name, "a step: " + ", ".join(times))
    run = _seen(theirs("tendons", best["tendons"]), DT)
    drift = run.drift(mine.potential_range)
    yield Remark(
        name, f"MuJoCo tendons {best['tendons']}: drift {drift:.3g} %, gap {run.gap:.2g} m{_early(run)}"
    )
    steps = max(1, round(FRAME / DT * ratio))  # as many as cost what MuJoCo's cost
    same = _seen(ours.net(layout, dt=FRAME / steps), FRAME / steps)
    drifts = (
        f"ours {same.drift():.3g} % with steps of 1/{steps / FRAME:.0f} s, MuJoCo {drift:.3g} % with 1/480 s"
    )
    yield Remark(name, f"drift at equal CPU time: {drifts}{_early(same)}")


def _measurement(layout: Net) -> Measurement:
    def measure(name: str) -> Iterator[Line]:
        scene = ours.net(layout, dt=DT)
        seen = _seen(scene, DT)
        yield Bar(name, "gap", max(seen.gap, scene.outside_gap()), "≤", 1e-6, " m", seen.end)
        yield Bar(name, "drift", seen.drift(), "≤", 1, " %", seen.end)
        try:
            yield from _against(name, layout, needed("mujoco"), seen)
        except Missing as reason:
            yield Unmeasured(name, "speed against MuJoCo tendons", str(reason))

    return measure


MEASUREMENTS = {"net-40": _measurement(Net(40)), "net-40-taut": _measurement(Net(40, "adjacent"))}
