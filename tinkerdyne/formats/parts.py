"""Shapes of links as a body takes them, and what stands still in the world."""

from __future__ import annotations

from typing import Any

from tinkerdyne.formats.model import ReadModel
from tinkerdyne.formats.tree import Part
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item


def shapes_of(parts: list[Part], centre: Array) -> dict[str, Any]:
    return {}


def standing(parts: list[Part], model: ReadModel) -> list[Item]:
    return []
