"""A tower of jelly cubes stands on nails: each sags under what it carries, exactly as its elastic energy
says.

Five affine cubes, each attached to the one below at the corners; the lowest is nailed at its corners. At rest
only the heights give: the energy ¼ k (a² − 1)² of a cube squeezed to a carries half of its own weight and all
that stands on it.
"""

import numpy as np
from scipy.optimize import brentq

from tinkerdyne import Box, World, block, connect, elastic, gravity, nail, point, shape_drag, surface
from tinkerdyne.gallery import Claim

IDS = ("G6",)
GROUP = "Stacks, rolls and blows"
SECONDS = 6.0
COUNT, STIFFNESS, MASS, G = 5, 200.0, 1.0, 9.81
FOOT = [(x, y) for x in (-0.5, 0.5) for y in (-0.5, 0.5)]


def build():
    world = World(max_step=1 / 480)
    vertices, faces = surface(Box(size=(1, 1, 1)))
    up = np.array((0, 0, 1))
    cubes = [
        world.add(block(f"cube {k}", vertices=vertices + (k + 0.5) * up, faces=faces, mass=MASS))
        for k in range(COUNT)
    ]
    for k, cube in enumerate(cubes):
        world.add(elastic(cube, stiffness=STIFFNESS), shape_drag(cube, coefficient=30.0))
        for x, y in FOOT[:3]:  # an affine face is fixed by three of its points
            foot = point(cube, at=(x, y, -0.5))
            world.add(connect(foot, point(cubes[k - 1], at=(x, y, 0.5))) if k else nail(foot, at=(x, y, 0)))
    world.add(gravity(g=(0, 0, -G)))
    return world


def check(world, recording):
    # Feet and faces are held, so a cube has its height alone: k a (a² − 1) + carried weight = 0 in virtual
    # work.
    heights = recording_heights(recording)
    for k in range(COUNT):
        weight = MASS * G * (COUNT - 1 - k + 0.5)
        wanted = brentq(lambda a, w=weight: STIFFNESS * a * (a * a - 1) + w, 0.6, 1.0)
        yield Claim.near(f"height of cube {k}", heights[k], wanted, 1e-3, "m")
    yield Claim("factorings of the constraint matrix a step", factorings(world), 0.02)
    yield Claim("widest gap", max(v.max() for n, v in recording.items() if n.endswith(".gap")), 1e-8, "m")


def recording_heights(recording):
    return [recording[f"cube {k}.shape"][-1].reshape(3, 3).T[2, 2] for k in range(COUNT)]


def factorings(world):
    """How often the matrix was factored, in whole: it is constant, so once is enough (ID90 §5.4)."""
    return world.counts["factorings"] / world.counts["steps"]
