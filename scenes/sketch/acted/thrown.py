"""A die that was really thrown, sketched by a hand: a sketch with known answers (MS03 §6.1)."""

from __future__ import annotations

import numpy as np

from scenes.sketch.acted.die import DIE
from scenes.sketch.acted.hand import SHOWN, TABLE, shaky, uneven
from tinkerdyne.objects.shapes import Box
from tinkerdyne.sketch.problem.simulate import poses, simulated
from tinkerdyne.sketch.tell.shape import shape_of
from tinkerdyne.sketch.tell.sketch import Sketch


def thrown_die(
    seed: int = 0, *, bounces: int = 4, tremor: float = 0.01, twist: float = 0.08
) -> tuple[Sketch, list[int]]:
    """A die that was really thrown, sketched by a hand; the corners that struck are the answer to be
    found."""
    rng = np.random.default_rng(6000 + seed)
    body = Box("die", size=(DIE,) * 3, mass=0.05)
    shape = shape_of(body)
    while True:
        q = rng.normal(size=4)
        v = (rng.uniform(0.8, 1.4), 0.2 * rng.normal(), rng.uniform(-0.5, 0.5))
        state = ((0.0, 0.0, rng.uniform(0.35, 0.55)), q / np.linalg.norm(q), v, 5 * rng.normal(size=3))
        flights = simulated(shape, state, bounces, restitution=0.8)
        if len(flights) == bounces + 1 and min(f.T for f in flights) > 0.09:
            break
    sketch = Sketch(body, name="thrown die")
    for k, one in enumerate(flights):
        sketch.follow(body, *shaky(*poses(shape, one, uneven(SHOWN, rng)), rng, tremor=tremor, twist=twist))
        if k < bounces:
            sketch.bounce(body, on=TABLE, restitution=0.8)
    return sketch, [one.corner for one in flights[:-1]]
