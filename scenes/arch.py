"""Nine stones make an arch that nothing but friction holds: it stands at μ = 0.32, and at 0.30 it falls.

A half circle of wedges, dry, on a floor. What friction it needs at least is a linear program of statics, over
the forces at the two edges of each joint. It stands with a thousandth more than that, and falls with less.
"""

import numpy as np
from scipy.optimize import linprog

from tinkerdyne import Floor, Mesh, World, contact, gravity
from tinkerdyne.gallery import Claim

IDS = ("R11",)
GROUP = "Stacks, rolls and blows"
SECONDS = 3.0
STONES, INNER, OUTER, WIDE = 9, 0.875, 1.125, 0.4  # –, m, m, m
SIDES = ((0, 1, 2, 3), (4, 7, 6, 5), (0, 4, 5, 1), (1, 5, 6, 2), (2, 6, 7, 3), (3, 7, 4, 0))
FACES = [three for a, b, c, d in SIDES for three in ((a, b, c), (a, c, d))]


def section(k):
    """The corners of stone k from the front: inner and outer ones of its lower joint, then of its upper."""
    low, high = ((np.cos(a), np.sin(a)) for a in np.pi * np.array((k, k + 1)) / STONES)
    return np.array(
        [np.multiply(r, way) for r, way in ((INNER, low), (OUTER, low), (OUTER, high), (INNER, high))]
    )


def build(friction=0.32, step=1 / 240):
    world = World(max_step=step)
    world.add(gravity(), contact(friction=friction), Floor("floor", size=4.0))
    for k in range(STONES):
        front, back = (np.insert(section(k), 1, y, axis=1) for y in (-WIDE / 2, WIDE / 2))
        name = "keystone" if 2 * k + 1 == STONES else f"stone{k}"
        stone = world.add(Mesh(name, vertices=np.vstack([front, back]), faces=FACES, density=2400))
        stone.position = stone.offset
    return world


def least_friction():
    """The least μ with which forces at the edges of the joints can carry all stones, by halving."""
    low, high = 0.0, 1.0
    while high - low > 1e-6:
        middle = (low + high) / 2
        low, high = (low, middle) if can_stand(middle) else (middle, high)
    return high


def can_stand(mu):
    """Whether there are N ≥ 0 at both edges and |T| ≤ μ ΣN at every joint that balance all stones."""
    balance, weight = np.zeros((3 * STONES, 3 * (STONES + 1))), np.zeros(3 * STONES)
    for k in range(STONES):
        p = section(k)
        turn = p[:, 0] * np.roll(p[:, 1], -1) - p[:, 1] * np.roll(p[:, 0], -1)
        centre = ((p + np.roll(p, -1, axis=0)) * turn[:, None]).sum(axis=0) / (3 * turn.sum())
        weight[3 * k + 1] = turn.sum() / 2
        for joint, side in ((k, 1), (k + 1, -1)):
            angle = np.pi * joint / STONES
            out, along = np.array((np.cos(angle), np.sin(angle))), np.array((-np.sin(angle), np.cos(angle)))
            for i, (r, way) in enumerate(((INNER, along), (OUTER, along), (INNER, out))):
                arm = r * out - centre
                moment = arm[0] * way[1] - arm[1] * way[0]
                balance[3 * k : 3 * k + 3, 3 * joint + i] += side * np.array((*way, moment))
    cone = np.kron(np.eye(STONES + 1), [(-mu, -mu, 1), (-mu, -mu, -1)])
    bounds = [(0, None), (0, None), (None, None)] * (STONES + 1)
    found = linprog(
        np.zeros(len(bounds)), A_ub=cone, b_ub=np.zeros(len(cone)), A_eq=balance, b_eq=weight, bounds=bounds
    )
    return found.status == 0


def check(world, recording):
    names = [item.name for item in world if item.type.family == "object" and item.name != "floor"]
    moved = max(np.ptp(recording[f"{name}.position"], axis=0).max() for name in names)
    yield Claim("way of any stone at μ = 0.32", moved, 1e-8, "m")
    least = least_friction()
    yield Claim.near("least friction, by statics", least, 0.30899, 1e-5)
    for says, share in (
        ("sinking of the keystone with 0.1 % more than that", 1.001),
        ("with 0.1 % less", 0.999),
    ):
        other = build(friction=share * least)
        high = other["keystone"].position[2]
        other.run(1.0)
        sunk = high - other["keystone"].position[2]
        yield Claim(says, sunk, 1e-8, "m") if share > 1 else Claim.at_least(says, sunk, 1e-3, "m")
