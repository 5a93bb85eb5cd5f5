"""Bodies of all kinds for random worlds with contact."""

import numpy as np

import tinkerdyne as td

KINDS = {
    "box": lambda u, **rest: td.Box(size=tuple(u), **rest),
    "sphere": lambda u, **rest: td.Sphere(radius=u[0] / 2, **rest),
    "capsule": lambda u, **rest: td.Capsule(radius=u[0] / 3, length=u[1], **rest),
    "cylinder": lambda u, **rest: td.Cylinder(radius=u[0] / 2, length=u[1], **rest),
    "cone": lambda u, **rest: td.Cone(radius=u[0] / 2, height=u[1], **rest),
    "torus": lambda u, **rest: td.Torus(radius=u[0], thickness=u[1] / 4, **rest),
}


def turn(random):
    q = random.normal(size=4)
    return tuple(q / np.linalg.norm(q))
