"""A true throw with two bounces, and its exact sketch."""

import dataclasses

import numpy as np

import tinkerdyne as td
from tinkerdyne.sketch.problem.simulate import poses, simulated
from tinkerdyne.sketch.tell.shape import shape_of
from tinkerdyne.sketch.tell.sketch import Sketch
from tinkerdyne.sketch.tell.story import Surface

TABLE = Surface()
# two good bounces for all sizes below
THROW = ((0.0, 0.0, 0.4), (-0.7, -1.4, -1.8, -1.6), (1.0, 0.1, 0.6), (-2.4, 1.1, 2.6))


def thrown(size, *, restitution=0.7, friction=0.0, timed=True, inertia=1.0, body=None, **bounce):
    """A true throw with two bounces and its exact sketch."""
    body = body or td.Box("die", size=size, mass=0.05)
    shape = shape_of(body)
    shape = dataclasses.replace(shape, moments=shape.moments * inertia)
    q = np.array(THROW[1]) / np.linalg.norm(THROW[1])
    flights = simulated(
        shape, (THROW[0], q, *THROW[2:]), 2, last=0.05, restitution=restitution, friction=friction
    )
    sketch, begin = Sketch(body, samples=10), 0.0
    for k, one in enumerate(flights):
        s = np.linspace(0, 1, 10) if k == 0 else np.linspace(0.02, 1, 10)
        sketch.follow(body, *poses(shape, one, s), times=begin + s * one.T if timed else None)
        begin += one.T
        if one.corner >= 0:
            sketch.bounce(
                body,
                shape.corners[one.corner],
                on=TABLE,
                **{"restitution": restitution, "friction": friction, **bounce},
            )
    sketch.surfaces.clear()  # the truth itself sinks a corner soon after its second bounce
    return sketch, flights
