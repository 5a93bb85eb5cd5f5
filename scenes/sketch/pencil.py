"""A pencil bounces off the table, tumbles and lands in a mug, as a slow and shaky hand acted it out.

MS03 §6.2: one hard wish, the pose in the mug, whose wall is not passed through; the timing of the gesture
means nothing, and is found. Two styles: the tip strikes the table first, or the eraser:
build(style="eraser").
"""

import functools

import numpy as np

from scenes.sketch.acted.pencil import pencil
from tinkerdyne.gallery import Claim

IDS = ("M1", "M2", "M3", "M4", "M9")
SECONDS = 0.6


@functools.cache
def solution(style="tip"):
    return pencil(0, style=style).solve(restarts=3)


def build(style="tip"):
    return solution(style).world()


def run(world):
    return world.record(solution().seconds)


def check(world, recording):
    for style in ("tip", "eraser"):
        found = solution(style)
        yield Claim(
            f"{style} first: pose in the mug and contact, the worst residual",
            max(r.size for r in found.residuals),
            1e-8,
        )
        yield Claim(f"{style} first: unexplained jump of velocity", found.widest_gap, 1e-8, "m/s")
        deepest = max((one.size for one in found.depths), default=0.0)
        yield Claim(f"{style} first: pencil through the wall of the mug, deepest", deepest, 0.0, "m")
        yield Claim(f"{style} first: the whole motion flown by the engine, end", found.replayed(), 1e-6, "m")
    times = np.concatenate(solution().sample_times(solution().sketch.bodies[0]))
    yield Claim("times given to the samples fall by at most", max(0.0, -np.diff(times).min()), 1e-9, "s")
    mug = solution().sketch.flights[-1].wishes[0].low
    yield Claim(
        "played in the engine, distance from the mug",
        np.abs(recording["pencil.position"][-1] - mug).max(),
        1e-6,
        "m",
    )


def picture(path, style="tip"):
    solution(style).plot(path)
