"""Parallel projection: places (x, y, z), z up, onto the page.

A place of the plane (x, y) is lifted to (x, 0, y)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tinkerdyne.language.arrays import Array

AZIMUTH, ELEVATION = np.radians(-62.0), np.radians(18.0)  # of the viewer, when the scene is not flat
# shares of a scene's size: when its centres stay as flat, and its bodies as thin, it is seen face on
FLAT, THIN = 0.02, 0.2


def lifted(places: Array) -> Array:
    """Places (…, 2) or (…, 3) as (…, 3)."""
    if places.shape[-1] == 3:
        return places
    out = np.zeros((*places.shape[:-1], 3))
    out[..., 0], out[..., 2] = places[..., 0], places[..., 1]
    return out


@dataclass(frozen=True)
class View:
    """Unit directions: `right` and `up` on the page, `towards` the viewer."""

    right: Array
    up: Array
    towards: Array

    @classmethod
    def of(cls, centres: Array, corners: Array) -> View:
        """A view of things with these centres and corners, each (n, 3): face on when they are flat, else from
        a corner.

        Curves have no centres; where there is nothing else, their points must be as flat.
        """
        centres = centres[np.isfinite(centres).all(axis=1)]
        if not len(centres):
            centres = corners
        size = float(np.ptp(corners, axis=0).max(initial=0.0))
        is_flat = (np.ptp(centres, axis=0) <= FLAT * size) & (np.ptp(corners, axis=0) <= THIN * size)
        for axis, direction in ((1, (-np.pi / 2, 0.0)), (0, (0.0, 0.0)), (2, (-np.pi / 2, np.pi / 2))):
            if is_flat[axis]:
                return cls.looking(*direction)
        return cls.looking(AZIMUTH, ELEVATION)

    @classmethod
    def looking(cls, azimuth: float, elevation: float) -> View:
        """From this direction towards the origin [rad]."""
        (sa, ca), (se, ce) = (np.sin(azimuth), np.cos(azimuth)), (np.sin(elevation), np.cos(elevation))
        return cls(
            np.array((-sa, ca, 0.0)), np.array((-se * ca, -se * sa, ce)), np.array((ce * ca, ce * sa, se))
        )

    @property
    def light(self) -> Array:
        """Towards the lamp, above and to the left of the viewer."""
        found: Array = self.towards + 0.9 * self.up - 0.5 * self.right
        return found / float(np.linalg.norm(found))

    def flat(self, places: Array) -> Array:
        """Places (…, 3) on the page, (…, 2)."""
        found: Array = places @ np.stack([self.right, self.up], axis=1)
        return found
