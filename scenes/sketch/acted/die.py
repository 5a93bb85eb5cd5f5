"""A die that bounces across the table and spells a word, a letter at each bounce (MS03 §6.1.3)."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
from scipy.spatial.transform import Rotation

from scenes.sketch.acted.hand import SHOWN, TABLE, TILT, shaky, slerp, uneven
from tinkerdyne.drawing.bodies import Mark
from tinkerdyne.language.arrays import Array
from tinkerdyne.objects.rotation import multiplied, quaternion_of, rotation_matrix
from tinkerdyne.objects.shapes import Box
from tinkerdyne.sketch.tell.shape import shape_of
from tinkerdyne.sketch.tell.sketch import Sketch

DIE = 0.08  # m, edge of the die
STEP = 0.22  # m between two bounces of the die


def spelled(word: str) -> list[Array]:
    """For each letter the turn of the die, of the 24 that a cube has, that shows its side to the viewer
    (towards −y).

    A letter that is new takes the free side that is reached by the least turn, if possible about the
    vertical; one that comes again is shown again in the same way.
    """
    if not isinstance(word, str) or not 1 <= len(word) <= 6 or not word.isalnum():
        raise ValueError(f"the die spells a word of one to six letters, not {word!r}")
    turns = [
        np.array(axes)
        for order in permutations(np.eye(3))
        for signs in product((1, -1), repeat=3)
        if np.linalg.det(axes := np.array([s * a for s, a in zip(signs, order, strict=True)])) > 0
    ]
    chosen: dict[str, Array] = {}
    now = np.eye(3)
    out = []
    for letter in word.upper():
        if letter not in chosen:
            taken = [C.T @ (0, -1, 0) for C in chosen.values()]
            free = [C for C in turns if not any(np.allclose(C.T @ (0, -1, 0), side) for side in taken)]
            chosen[letter] = min(free, key=lambda C: (round(-np.trace(C @ now.T)), -(C @ now.T)[1, 0]))
        now = chosen[letter]
        out.append(now)
    return out


def lettered(word: str) -> list[Mark]:
    """The letters on the sides of the die."""
    sides = dict(zip(word.upper(), spelled(word), strict=True))
    out = [
        (letter, C.T @ np.array((0.0, -1.0, 0.0)), C.T @ np.array((0.0, 0.0, 1.0)))
        for letter, C in sides.items()
    ]
    return [Mark(letter, normal, up, DIE / 2 * normal, 0.6 * DIE) for letter, normal, up in out]


def die(word: str = "MOTION", seed: int = 0, *, tremor: float = 0.012, twist: float = 0.1) -> Sketch:
    """A die bounces across the table in a straight line and shows a letter at each bounce: more is asked than
    can be (MS03 §6.1.3).

    The poses at the bounces are hard; the normals may lean by 6°; what velocities then lack is made small and
    reported.
    """
    rng = np.random.default_rng(3000 + seed)
    body = Box("die", size=(DIE,) * 3, mass=0.05)
    shape = shape_of(body)
    turns = []
    for C in spelled(word):  # nearly upright on a corner, so that a blow there throws it up rather than round
        lean = (rng.uniform(0.62, 0.78), rng.uniform(0.45, 0.6), 0.08 * rng.normal())
        turns.append(quaternion_of(Rotation.from_euler("yxz", lean).as_matrix() @ C))
    corners = [int((shape.corners @ rotation_matrix(q).T)[:, 2].argmin()) for q in turns]
    places = [
        np.array((STEP * k, 0.0, 0.0)) - rotation_matrix(q) @ shape.corners[c]
        for k, (q, c) in enumerate(zip(turns, corners, strict=True))
    ]
    turns = [
        multiplied(turns[0], quaternion_of(Rotation.from_rotvec(0.8 * rng.normal(size=3)).as_matrix())),
        *turns,
    ]
    places = [places[0] + (-STEP, 0.0, 0.25), *places]
    last = multiplied(turns[-1], quaternion_of(Rotation.from_rotvec(0.8 * rng.normal(size=3)).as_matrix()))
    sketch = Sketch(body, name=f"die spelling {word.upper()}")
    sketch.gap_weight = 300.0
    sketch.marks["die"] = lettered(word)
    for k in range(len(turns)):
        is_last = k == len(turns) - 1
        q1 = last if is_last else turns[k + 1]
        x1 = places[k] + (STEP, 0.0, 0.05) if is_last else places[k + 1]
        s = uneven(SHOWN, rng)
        rise = 0.0 if k == 0 else rng.uniform(0.07, 0.12)
        x = places[k] + s[:, None] * (x1 - places[k]) + np.outer(4 * s * (1 - s) * rise, (0, 0, 1))
        sketch.follow(body, *shaky(x, slerp(turns[k], q1, s), rng, tremor=tremor, twist=twist))
        sketch.lasts(0.12, 0.8)
        if not is_last:
            sketch.want(body, position=x1, orientation=q1, name=f"{word.upper()[k]} at bounce {k + 1}")
            sketch.bounce(body, shape.corners[corners[k]], on=TABLE, restitution=(0.4, 0.9), tilt=TILT)
    return sketch
