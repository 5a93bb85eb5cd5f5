"""Meshes and other files that a model names."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from tinkerdyne.formats.markup import Element
from tinkerdyne.formats.report import Report
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item
from tinkerdyne.objects.mesh import Solid


@dataclass
class MeshAsset:
    """A mesh of a model: its vertices and faces as they are used, and what its inside weighs."""

    vertices: Array
    faces: Array
    solid: Solid


@dataclass
class Assets:
    """Where the files of a model lie, and its meshes by their names."""

    folder: Path
    meshes: dict[str, MeshAsset] = field(default_factory=dict)


def urdf_shape(element: Element, assets: Assets, report: Report) -> Item | None:
    return None
