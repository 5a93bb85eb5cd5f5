"""Jansen's linkage walks: one turning crank, and a foot that goes straight along the ground.

Eleven bars a leg, of the lengths that Theo Jansen published for his beach animals (here in centimetres).
`build(legs=6)` sets six of them on one crankshaft, in mirrored pairs a third of a turn apart. Intersecting
circles give the same foot on paper.
"""

import numpy as np

from tinkerdyne import (
    Disc,
    Nail,
    PlanarRod,
    Polygon,
    World,
    connect,
    control,
    gravity,
    join,
    pin,
    point,
    speed,
)
from tinkerdyne.gallery import Claim

IDS = ("A1", "A7", "R4")
GROUP = "Linkages"
SECONDS = 6.0
A, B, C, D, E, F, G, H, I, J, K, L, M = (
    np.array((38, 41.5, 39.3, 40.1, 55.8, 39.4, 36.7, 65.7, 49, 50, 61.9, 7.8, 15)) / 100
)
SPEED = np.pi  # rad/s, of the crank
HEAVY = 5.0  # kg/m²


def build(legs=1):
    world = World(tolerance=1e-10, max_step=1 / 200)
    crank = world.add(Disc("crank", radius=M, density=HEAVY, spin=SPEED))
    axle = join(pin, None, crank, at=(0, 0), name="axle")
    world.add(axle, speed(axle.turn, at=(SPEED,), name="motor"), gravity(g=(0, -9.81)))
    for leg in range(legs):
        add_leg(world, crank, f"leg{leg + 1}", side=(-1, 1)[leg % 2], phase=leg // 2 * 2 * np.pi / 3)
    world.project()
    world.show(
        camera=(-0.3, -0.22, 0, 3.4, 0, 0),
        traces=[f"leg{leg + 1}.vxy.corner3" for leg in range(legs)],
        plots=["motor.force", "leg1.vxy.position[1]"],
        controls=[control("motor", "at", low=-6, high=6, keys="J K", title="Speed of the crank")],
        is_running=True,
    )
    return world


def add_leg(world, crank, name, side, phase):
    """One leg to the left (side −1) or to the right of the crank, on its pin at an angle."""
    at = joints(phase, side)

    def bar(start, end):
        middle, (x, y) = (at[start] + at[end]) / 2, at[end] - at[start]
        size = {"length": np.hypot(x, y), "width": 0.02, "density": HEAVY}
        return PlanarRod(f"{name}.{start}{end}", position=middle, angle=np.arctan2(y, x), **size)

    def triangle(*corners):
        plate = Polygon(
            f"{name}.{''.join(corners)}", vertices=[at[corner] for corner in corners], density=HEAVY
        )
        plate.position = plate.offset
        return plate

    hip, shin = world.add(triangle("q", "u", "w"), triangle("v", "x", "y"))
    upper, lower, arm, link = world.add(bar("p", "u"), bar("p", "v"), bar("q", "v"), bar("w", "x"))
    throw, fixed = point(crank, at=at["p"]), Nail(*at["q"])
    world.add(
        connect(throw, upper.end1),
        connect(throw, lower.end1),
        connect(fixed, hip.corner1),
        connect(fixed, arm.end1),
    )
    world.add(
        connect(upper.end2, hip.corner2), connect(hip.corner3, link.end1), connect(link.end2, shin.corner2)
    )
    world.add(connect(lower.end2, arm.end2), connect(lower.end2, shin.corner1))


def joints(angle, side=-1):
    """Where the joints of a leg are at an angle of its crank pin p; q stays, the foot is y."""
    p = M * np.stack([np.cos(angle), np.sin(angle)], -1)
    q = np.array((side * A, -L))
    u, v = meet(p, J, q, B, side), meet(p, K, q, C, -side)
    w = meet(u, E, q, D, side)
    x = meet(w, F, v, G, side)
    return {"p": p, "q": q, "u": u, "v": v, "w": w, "x": x, "y": meet(x, H, v, I, side)}


def meet(a, r, b, s, side):
    """The point at distance r of a and s of b, to the left (side 1) or right of the way from a to b."""
    d = b - a
    size = (d * d).sum(-1, keepdims=True)
    along = (r * r - s * s + size) / (2 * size)
    return a + along * d + side * np.sqrt(r * r / size - along**2) * np.stack([-d[..., 1], d[..., 0]], -1)


def check(world, recording):
    shin, angle, turned = world["leg1.vxy"], recording["leg1.vxy.angle"], recording["crank.angle"]
    x, y = np.array(shin.vertices[2]) - shin.offset
    c, s = np.cos(angle), np.sin(angle)
    foot = recording["leg1.vxy.position"] + np.stack([c * x - s * y, s * x + c * y], -1)
    yield Claim("foot beside the one on paper", np.abs(foot - joints(turned)["y"]).max(), 1e-9, "m")
    yield Claim(
        "widest gap of a joint",
        max(recording[name].max() for name in recording if name.endswith(".gap")),
        1e-9,
        "m",
    )
    yield Claim.near("turns of the crank", turned[-1] / (2 * np.pi), SPEED * SECONDS / (2 * np.pi), 1e-9)
    stride, _ = np.ptp(foot, axis=0)
    treads = foot[:-1, 1] < foot[:, 1].min() + stride / 40
    yield Claim.at_least("time on the ground, to a fortieth of the stride", 100 * treads.mean(), 48, "%")
    torque = recording["motor.force"][:-1, 0]
    yield Claim(
        "work of the motor in whole turns, of its peak's",
        100 * torque.mean() / np.abs(torque).max(),
        1e-6,
        "%",
    )
