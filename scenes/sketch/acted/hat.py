"""A hat and a box that meet in mid-air and land with the box in the hat (MS03 §6.2.3)."""

from __future__ import annotations

import math

import numpy as np
from scipy.spatial.transform import Rotation

from scenes.sketch.acted.hand import SHOWN, TILT, shaky, slerp, uneven
from tinkerdyne.language.item import Item
from tinkerdyne.objects.rotation import multiplied, quaternion_of, rotation_matrix
from tinkerdyne.objects.shapes import Box, Mesh
from tinkerdyne.objects.surfaces import revolved
from tinkerdyne.sketch.tell.shape import shape_of
from tinkerdyne.sketch.tell.sketch import Sketch
from tinkerdyne.sketch.tell.story import Surface

HAT = {"radius": 0.1, "depth": 0.12, "brim": 0.17, "felt": 0.008}  # m


def hat_body() -> Item:
    """A hat about its own x axis, its opening towards +x."""
    R, H, B, t = HAT.values()
    profile = [(0.0, 0.0), (0.0, R), (H - t, R), (H - t, B), (H, B), (H, R - t), (t, R - t), (t, 0.0)]
    vertices, faces = revolved(profile, 12)
    return Mesh("hat", vertices=vertices, faces=faces, mass=0.12)


def hat_and_box(seed: int = 0, *, tremor: float = 0.012, twist: float = 0.1) -> Sketch:
    """A hat and a box fly towards each other, meet in mid-air, and land on the table with the box in the hat
    (MS03 §6.2.3)."""
    rng = np.random.default_rng(4000 + seed)
    hat, box = hat_body(), Box("box", size=(0.06,) * 3, mass=0.08)
    up = quaternion_of(Rotation.align_vectors([(0, 0, 1.0)], [(1.0, 0, 0)])[0].as_matrix())
    sketch = Sketch(hat, box, name="hat and box")
    bottom = np.array((HAT["felt"], 0.0, 0.0)) - np.array(hat.offset)  # the inside of its crown
    meet = np.array((0.0, 0.0, 0.75)) + 0.04 * rng.normal(size=3)
    rest = np.array((0.1 * rng.normal(), 0.1 * rng.normal(), hat.offset[0]))
    towards = np.array((0.0, 1.0, 0.0))  # turned about it, the hat holds its opening against the box
    tipped = multiplied(
        quaternion_of(Rotation.from_rotvec(1.05 * towards + 0.15 * rng.normal(size=3)).as_matrix()), up
    )
    thrown = multiplied(quaternion_of(Rotation.from_rotvec(rng.uniform(0.3, 0.8) * towards).as_matrix()), up)
    inside = rotation_matrix(tipped) @ (np.add(bottom, (0.5 * math.sqrt(3) * 0.06, 0, 0)))
    cubes = [quaternion_of(Rotation.from_rotvec(a * rng.normal(size=3)).as_matrix()) for a in (1.0, 0.6, 0.6)]
    starts = {"hat": np.array((-0.6, 0.0, 0.35)), "box": np.array((0.6, 0.0, 0.8))}
    hand = {"tremor": tremor, "twist": twist}
    s = uneven(SHOWN, rng)
    arc = np.outer(4 * s * (1 - s), (0, 0, 1.0))
    sketch.lasts(0.2, 0.8)
    sketch.follow(
        hat,
        *shaky(
            starts["hat"] + s[:, None] * (meet - starts["hat"]) + 0.12 * arc,
            slerp(thrown, tipped, s),
            rng,
            **hand,
        ),
    )
    ends = meet + inside - starts["box"]
    sketch.follow(
        box,
        *shaky(
            starts["box"] + s[:, None] * ends + 0.1 * arc,
            slerp(cubes[0], cubes[1], s),
            rng,
            **hand,
        ),
    )
    corner = shape_of(box).corners[int((shape_of(box).corners @ rotation_matrix(cubes[1]).T)[:, 2].argmin())]
    # so that all of the box is in the crown
    R = (HAT["radius"] - HAT["felt"]) * math.cos(math.pi / 12) - 0.5 * math.sqrt(3) * 0.06
    crown = np.add(bottom, (0.03, -R, -R)), np.add(bottom, (0.09, R, R))
    sketch.inside(box, hat, *crown)
    sketch.collide(box, corner, hat, origin=bottom, normal=(1.0, 0, 0), reach=HAT["radius"] - HAT["felt"],
                   restitution=(0.09, 0.11), tilt=TILT, name="collision in mid-air")  # fmt: skip
    s = uneven(SHOWN, rng)
    sketch.lasts(0.15, 0.8)
    drop = rest - meet
    sketch.follow(hat, *shaky(meet + s[:, None] * drop, slerp(tipped, up, s), rng, **hand))
    offset = rotation_matrix(up) @ np.add(bottom, (0.05, 0, 0))
    x = meet + inside + s[:, None] * (rest + offset - meet - inside)
    sketch.follow(box, *shaky(x, slerp(cubes[1], cubes[2], s), rng, **hand))
    sketch.want(hat, position=rest, name="hat on the table")
    sketch.want(hat, orientation=up, hard=False, weight=10.0)
    sketch.inside(box, hat, *crown)
    sketch.keep_above(Surface((0.0, 0.0, -0.03)))
    return sketch
