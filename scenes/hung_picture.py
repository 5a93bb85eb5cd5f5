"""A picture hangs by a rubber band from its upper edge: it weighs where it is bright, and that centre ends
plumb below the nail.

A troid with the mass distribution of an image, which it carries along. At rest the band points at the centre
of mass, and its tension is the weight; elastic forces let the picture sag a little.
"""

import numpy as np

from tinkerdyne import World, damping, elastic, gravity, picture, place, point, shape_drag, spring
from tinkerdyne.gallery import Claim

IDS = ("G6",)
GROUP = "Papers"
SECONDS = 30.0
WIDTH, HEIGHT, MASS, G = 1.2, 0.9, 0.6, 9.81
STIFFNESS, LENGTH = 100.0, 0.3  # N/m and m of the band
HELD = (0.45, HEIGHT)  # m: where on the picture


def sunset():
    """A sun over the sea, bright at the left, as pixels (rows × columns × RGB)."""
    y, x = np.mgrid[0:1:96j, 0:1:128j]
    sky = np.stack([230 - 60 * y, 120 + 90 * y, 90 + 20 * x], axis=2)
    sea = np.stack([20 + 30 * y, 60 + 25 * np.sin(60 * y + 6 * x), 120 + 20 * x], axis=2)
    image = np.where((y > 0.62)[..., None], sea, sky)
    image[np.hypot((x - 0.3) * 4 / 3, y - 0.42) < 0.17] = (255, 235, 150)
    return np.round(image).astype(np.uint8)


def build():
    world = World(max_step=1 / 240)
    sheet = world.add(picture("picture", image=sunset(), width=WIDTH, mass=MASS))
    world.add(elastic(sheet, stiffness=20.0), shape_drag(sheet, coefficient=0.5, turning=1.0))
    nail, held = (
        place(at=(HELD[0], HEIGHT + LENGTH), name="nail"),
        point(sheet, at=np.subtract(HELD, sheet.position), name="held"),
    )
    world.add(spring(nail, held, stiffness=STIFFNESS, length=LENGTH, damping=1.0, name="band"))
    world.add(gravity(g=(0, -G)), damping(rate=0.8))
    return world


def check(world, recording):
    centre, shape = recording["picture.position"][-1], recording["picture.shape"][-1].reshape(2, 2).T
    held = centre + shape @ np.subtract(HELD, picture(image=sunset(), width=WIDTH).position)
    yield Claim("centre of mass beside the plumb line", abs(centre[0] - HELD[0]), 1e-9, "m")
    yield Claim("band beside the plumb line", abs(held[0] - HELD[0]), 1e-9, "m")
    wanted = LENGTH + MASS * G / STIFFNESS
    yield Claim.near("length of the band", HEIGHT + LENGTH - held[1], wanted, 1e-9, "m")
    yield Claim.at_least(
        "turned by its weight", np.degrees(abs(np.arctan2(shape[1, 0], shape[0, 0]))), 5, "°"
    )
