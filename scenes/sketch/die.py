"""A die spells a word in six bounces; what physics cannot give it is made small and told.

MS03 §6.1.3: at each bounce the pose is hard, so that the letter is seen; normals may lean by 6°. That asks
more than there is to choose, so velocities jump a little at the bounces beyond the impulse. Any word of up to
six letters: build(word="TUMBLE").
"""

import functools

import numpy as np

from scenes.sketch.acted.die import die
from scenes.sketch.acted.hand import TILT
from tinkerdyne.gallery import Claim

IDS = ("M1", "M2", "M3", "M5", "M9")
SECONDS = 1.2


@functools.cache
def solution(word="MOTION"):
    return die(word, seed=5).solve(restarts=3, gaps=True)


def build(word="MOTION"):
    return solution(word).world()


def run(world):
    return world.record(solution().seconds)


def check(world, recording):
    found = solution()
    yield Claim("hard poses and contacts, the worst residual", max(r.size for r in found.residuals), 1e-6)
    yield Claim("engine against each flight, furthest corner", max(found.resimulated()), 1e-6, "m")
    end = found.at(found.sketch.bodies[0], found.seconds)["position"]
    yield Claim(
        "engine through all six bounces, end", np.abs(recording["die.position"][-1] - end).max(), 1e-6, "m"
    )
    lean = max(np.degrees(np.arccos(min(1.0, blow.normal[2]))) for blow in found.blows)
    yield Claim("most that a normal leans", lean, np.degrees(TILT) + 1e-3, "°")
    yield Claim("widest unexplained jump of velocity", found.widest_gap, 1.0, "m/s")


def picture(path, word="MOTION"):
    solution(word).plot(path)
