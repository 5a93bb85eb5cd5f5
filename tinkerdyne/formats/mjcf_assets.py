"""MJCF's meshes."""

from __future__ import annotations

from tinkerdyne.formats.markup import Element
from tinkerdyne.formats.mjcf_bodies import Reading


def read_meshes(section: Element, reading: Reading) -> None:
    """The meshes of an asset section, by their names."""
