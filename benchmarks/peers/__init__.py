"""Other engines on the same scenes, to measure against; install them with the extra `peers`.

Each `*_peer` module needs its engine to be imported; this one needs none.
"""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

_PACKAGES = ("mujoco", "exudyn", "drake", "pybullet", "rapier3d", "pymunk", "pin", "py-slvs")


def available() -> dict[str, str]:
    """The installed peers and their versions, by package name."""
    found = {}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found
