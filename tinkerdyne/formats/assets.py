"""Meshes and other files that a model names."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tinkerdyne.formats.markup import Element, FormatError, wrong
from tinkerdyne.language.arrays import Array
from tinkerdyne.objects.decomposition import convex_parts
from tinkerdyne.objects.mesh import Solid, mesh_from_file, solid_of

LARGEST = 256 * 2**20  # bytes of a mesh
MOST_PARTS = 8  # convex ones of a mesh


class MeshAsset:
    """A mesh of a model, read when it is first asked for: its triangles, and what its inside weighs."""

    def __init__(
        self, make: Callable[[], tuple[Array, Array]], weigh: Callable[[Array, Array], Solid] = solid_of
    ) -> None:
        self._make, self._weigh = make, weigh

    @functools.cached_property
    def triangles(self) -> tuple[Array, Array]:
        """(vertices, faces)."""
        return self._make()

    @functools.cached_property
    def convex_parts(self) -> list[tuple[Array, Array]]:
        """What it is touched as; links that are alike share it."""
        return convex_parts(*self.triangles, most=MOST_PARTS)

    @functools.cached_property
    def solid(self) -> Solid:
        return self._weigh(*self.triangles)


@dataclass
class Assets:
    """Where the files of a model lie, and its meshes by their names."""

    folder: Path
    may_touch: bool = True  # whether contact is wanted at all
    meshes: dict[str, MeshAsset] = field(default_factory=dict)


def mesh_of_file(path: Path, element: Element) -> tuple[Array, Array]:
    """The triangles of a file that an element names."""
    if not path.is_file():
        raise wrong(element, f"there is no file {path.name!r} where the model looks for its meshes")
    if path.stat().st_size > LARGEST:
        raise wrong(element, f"{path.name} has more than {LARGEST:,} bytes")
    try:
        return mesh_from_file(path)
    except FormatError:
        raise
    except ValueError as problem:
        raise wrong(element, str(problem)) from None
