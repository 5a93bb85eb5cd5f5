"""Simple polygons: their area, centre and moment, and what makes one simple (R1)."""

from __future__ import annotations

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.objects.mesh import THINNEST, Rows, Solid, by_identity


@by_identity
def polygon(who: str, given: Rows) -> tuple[Solid, Array]:
    """Area, centre and polar moment of a simple polygon, and its corners from the centre, counterclockwise.

    With d = a × b of each side:  A = Σ d/2,  ∫x = Σ d (a + b)/6,  ∫|x|² = Σ d (a·a + a·b + b·b)/12.
    """
    if len(given) < 3:
        raise ValueError(f"{who} has {len(given)} vertices; a polygon has at least three")
    corners = np.array(given)
    middle, size = (corners.min(axis=0) + corners.max(axis=0)) / 2, float(np.ptp(corners, axis=0).max())
    _refuse_crossing(who, corners)
    area = _sides(corners - middle)[2].sum() / 2
    if abs(area) <= THINNEST * size**2:
        raise ValueError(f"{who} encloses no area ({area:g} m²); its vertices lie on a line")
    if area < 0:
        corners = corners[::-1]
    a, b, d = _sides(corners - middle)
    corners = corners - middle - d @ (a + b) / (6 * abs(area))
    a, b, d = _sides(corners)
    moment = d @ ((a * a).sum(axis=1) + (a * b).sum(axis=1) + (b * b).sum(axis=1)) / (12 * abs(area))
    centre = np.array(given if area > 0 else given[::-1])[0] - corners[0]
    return Solid(abs(float(area)), (float(moment),), tuple(centre.tolist())), corners


def _sides(corners: Array) -> tuple[Array, Array, Array]:
    a, b = corners, np.roll(corners, -1, axis=0)
    return a, b, a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]


def _refuse_crossing(who: str, corners: Array) -> None:
    """No two sides may cross: each would have the other's ends on both of its sides."""
    a, b, _ = _sides(corners)

    def side(of: int) -> Array:
        u, r = b[of] - a[of], corners - a[of]
        return np.asarray(np.sign(u[0] * r[:, 1] - u[1] * r[:, 0]))

    s = np.array([side(k) for k in range(len(corners))])
    # [k, j]: side j has its ends on both sides of the line through side k
    across = s * np.roll(s, -1, axis=1) < 0
    found = np.argwhere(across & across.T)
    if len(found):
        i, j = found[0].tolist()
        raise ValueError(
            f"{who} crosses itself: side {i} (from vertex {i}) meets side {j}; give the vertices in order "
            "around it"
        )
