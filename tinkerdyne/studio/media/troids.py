"""Troids from files: elastic sheets of the outlines of a drawing, an elastic solid of a mesh (G6)."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

from tinkerdyne.behaviors.elastic import elastic
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item
from tinkerdyne.objects.mesh import FORMATS, mesh_from_file
from tinkerdyne.objects.troids import block
from tinkerdyne.studio.media.curves import _free, _free_prefix, drawing_unit
from tinkerdyne.studio.media.uploads import taken
from tinkerdyne.studio.session.background import later
from tinkerdyne.studio.session.session import Request, Session
from tinkerdyne.studio.wire import protocol as p
from tinkerdyne.svg.sheets import sheets_from_svg
from tinkerdyne.world.world import World

MOST_SHEETS = 200
BYTES_OF_A_FACE = 1000  # of a file, at most: in the wordiest format some 300
MOST_FACES = 5000  # of a mesh: pages and scene files hold each of them
SIZES = (0.1, 10.0)  # m: a mesh of another size has other units, and is made
SIZE = 1.0  # m large
STIFFNESS = 10.0  # N m
DENSITY = 1.0  # kg/m² of a sheet


def sheets_in(command: p.Load, session: Session, request: Request) -> object:
    """A sheet for each closed outline of a drawing, all as one edit."""
    [data] = taken(request, *command.files[:1])
    what = f"the drawing {command.files[0]!r}"
    base = _free_prefix(session.world, "sheet")

    def read() -> list[Item]:
        try:
            found = sheets_from_svg(data, unit=drawing_unit(data), density=DENSITY, name=base)
        except ValueError as problem:
            raise ValueError(f"{what}: {problem}") from None
        if len(found) > MOST_SHEETS:
            raise ValueError(
                f"{what} has {len(found)} closed outlines; at most {MOST_SHEETS}: leave some out"
            )
        return found

    return later(session, request, read, lambda found: _put(session.world, found))


def mesh_in(command: p.Load, session: Session, request: Request) -> object:
    """A solid with the mass of the inside of a closed mesh, which stands where the axes cross."""
    [data] = taken(request, *command.files[:1])
    name = command.files[0]

    if len(data) > MOST_FACES * BYTES_OF_A_FACE:  # before it is read
        raise ValueError(
            f"the mesh {name!r} has {len(data):,} bytes, more than {MOST_FACES:,} faces take: make it coarser"
        )

    def read() -> Item:
        vertices, faces = _mesh(name, data)
        if len(faces) > MOST_FACES:
            raise ValueError(
                f"the mesh {name!r} has {len(faces):,} faces; at most {MOST_FACES:,}: make it coarser"
            )
        low, high = vertices.min(axis=0), vertices.max(axis=0)
        size = float((high - low).max())
        unit = 1.0 if SIZES[0] <= size <= SIZES[1] or not np.isfinite(size) or size <= 0 else SIZE / size
        foot = np.array([*(low + high)[:2] / 2, low[2]])
        try:
            return block("", vertices=(vertices - foot) * unit, faces=faces)
        except ValueError as problem:
            raise ValueError(f"the mesh {name!r}: {problem}") from None

    def put(item: Item) -> list[str]:
        object.__setattr__(item, "name", _free(session.world, "solid"))
        return _put(session.world, [item])

    return later(session, request, read, put)


def _mesh(name: str, data: bytes) -> tuple[Array, Array]:
    """Vertices and faces of a file that was brought, read from a folder of its own."""
    suffix = Path(name).suffix.lower()
    if suffix not in FORMATS:
        raise ValueError(
            f"{name!r} is not a mesh that can be read: its name must end with {', '.join(FORMATS)}"
        )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"mesh{suffix}"
        path.write_bytes(data)
        try:
            return mesh_from_file(path)
        except ValueError as problem:
            said = str(problem)
            raise ValueError(
                said.replace(str(path), repr(name)) if str(path) in said else f"the mesh {name!r}: {said}"
            ) from None


def _put(world: World, troids: list[Item]) -> list[str]:
    """Troids with their elastic forces."""
    with world.history.one_step():
        world.add(*troids)
        world.add(*[elastic(body, stiffness=STIFFNESS, name=f"{body.name} elastic") for body in troids])
    return [body.name for body in troids]
