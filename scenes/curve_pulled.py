"""A drawing of attached curves is pulled at points that have no name, and reshapes by its curves' own
equations.

ID90 Fig. 3. A figure of a circle, an ellipse, two arcs, a spline, a Bézier and a line in a first-order world:
a hand takes three places of it in turn. The curves stay attached, the point in the hand follows it, and what
is let go stops at once. How a lone circle yields has a closed form: under a force F at its right, dx/dt =
dr/dt = F/(2πr drag), so r² grows evenly.
"""

import numpy as np

from tinkerdyne import (
    Arc,
    Bezier,
    BSpline,
    Circle,
    Ellipse,
    Line,
    World,
    connect,
    curve_point,
    lock,
    nail,
    pull,
)
from tinkerdyne.gallery import Claim
from tinkerdyne.world.recording import joined

IDS = ("G2",)
GROUP = "Curves and drawings"
SECONDS = 8.0
# curve, u, where to
HANDS = (("head", 1.0, (0.6, 3.4)), ("tail", 2.5, (-2.6, -0.6)), ("leg", 0.5, (0.9, -2.8)))
FORCE = 0.5  # N, on the lone circle


def build():
    world = World(order=1, max_step=1 / 240)
    head, body = Circle("head", position=(0, 2), radius=0.6), Ellipse("body", radii=(0.7, 1.4))
    left, right = (Arc(f"{n} arm", position=(s * 1.335, 0.9), radius=0.8, begin=a, end=b)
                   for n, s, a, b in (("left", -1, 0.0, 2.4), ("right", 1, np.pi, 0.7)))  # fmt: skip
    tail = BSpline("tail", points=[(-0.3 - 0.4 * k, -1.0 + 0.3 * (-1) ** k) for k in range(6)])
    leg = Bezier("leg", points=((0, -1.4), (0.4, -1.8), (-0.2, -2.2), (0.2, -2.6)))
    foot, lone = Line("foot", points=((0.2, -2.6), (0.7, -2.6))), Circle("lone", position=(4, 0), radius=0.5)
    world.add(head, body, left, right, tail, leg, foot, lone)
    joints = (
        (head, -np.pi / 2, body, np.pi / 2),
        (body, 0.7, right, 0.0),
        (body, np.pi - 0.7, left, 0.0),
        (body, np.pi + 0.8, tail, 0.0),
        (body, -np.pi / 2, leg, 0.0),
        (leg, 1.0, foot, 0.0),
    )
    world.add(*[connect(curve_point(a, u=u), curve_point(b, u=w)) for a, u, b, w in joints])
    world.add(nail(curve_point(foot, u=1.0), at=(0.7, -2.6)), lock(body, "angle"))
    world.add(pull(curve_point(lone, u=0.0), by=(FORCE, 0)))
    return world


def run(world):
    held = [world.add(curve_point(world[name], u=u, name=f"place on {name}")) for name, u, _ in HANDS]
    parts = [world.record(2.0, also=held)]
    for place, (_, _, to) in zip(held, HANDS, strict=True):
        grip = world.grab(place)
        grip.move(*to)
        parts.append(world.record(1.5, also=held))
        grip.release()
    return joined([*parts, world.record(SECONDS - 2 - 1.5 * len(HANDS), also=held)])


def check(world, recording):
    gaps = [v for name, v in recording.items() if name.endswith(".gap")]
    late = recording.time > 2
    yield Claim(
        "widest gap of what is attached, once it has met", max(np.nanmax(v[late]) for v in gaps), 1e-6, "m"
    )
    for k, (name, _, to) in enumerate(HANDS):
        then = np.searchsorted(recording.time, 2 + 1.5 * (k + 1) - 1e-9)
        yield Claim(
            f"hand from its point on the {name}",
            np.linalg.norm(recording[f"place on {name}.value"][then] - to),
            0.02,
            "m",
        )
    still = recording.time > 2 + 1.5 * len(HANDS) + 1e-6
    after = np.concatenate(
        [np.ravel(recording[f"{n}.points"][still] - recording[f"{n}.points"][-1]) for n in ("tail", "leg")]
    )
    yield Claim("way of tail and leg after they were let go", np.abs(after).max(), 1e-9, "m")
    r = recording["lone.radius"]
    grown = np.abs(r**2 - r[0] ** 2 - FORCE * recording.time / np.pi).max()
    yield Claim("r² of the lone circle beside its closed form, of it", 100 * grown / r[-1] ** 2, 0.2, "%")
