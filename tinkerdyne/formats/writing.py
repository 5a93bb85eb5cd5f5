"""Worlds out: as glTF and USD with their motion, and as MJCF."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from pathlib import Path

from tinkerdyne.formats.gltf import glb_of, gltf_of
from tinkerdyne.formats.mjcf_writing import mjcf_of
from tinkerdyne.formats.usd import usda_of, write_usd
from tinkerdyne.world.recording import Recording
from tinkerdyne.world.scene import write_file
from tinkerdyne.world.world import World

Made = tuple[bytes, list[str]]
TOLD = 3  # things that a warning names


def _glb(_path: Path, world: World, recording: Recording | None) -> Made:
    return glb_of(world, recording)


def _gltf(_path: Path, world: World, recording: Recording | None) -> Made:
    text, left = gltf_of(world, recording)
    return text.encode(), left


def _usd(path: Path, world: World, recording: Recording | None) -> Made:
    text, left = usda_of(world, recording)
    return write_usd(path, text), left


def _mjcf(path: Path, world: World, recording: Recording | None) -> Made:
    if recording is not None:
        raise ValueError(f"{path.name} cannot hold a recording: MJCF has no motion; write .glb or .usda")
    text, left = mjcf_of(world)
    return text.encode(), left


WRITERS: dict[str, Callable[[Path, World, Recording | None], Made]] = {
    ".glb": _glb, ".gltf": _gltf, ".usda": _usd, ".usd": _usd, ".usdc": _usd, ".xml": _mjcf,
}  # fmt: skip


def write_model(
    path: str | os.PathLike[str], world: World, *, recording: Recording | None = None
) -> list[str]:
    """Write a world for other programs, as the ending of the file says; what is left out is returned.

    .glb and .gltf (glTF) hold its bodies, and a recording as their animation; .usda, .usd and .usdc (USD)
    also masses and joints; .xml (MJCF) is a model of the bodies, joints and what acts along them.
    """
    file = Path(path)
    write = WRITERS.get(file.suffix.lower())
    if write is None:
        raise ValueError(f"{file} must end with {', '.join(WRITERS)}, which says how it is written")
    if not isinstance(world, World):
        raise TypeError(f"write_model takes a file and a world, not {world!r}: write_model('a.glb', world)")
    data, left = write(file, world, recording)
    write_file(file, data)
    if left:
        more = f" and {len(left) - TOLD} more" if len(left) > TOLD else ""
        warnings.warn(f"{file.name} lacks {'; '.join(left[:TOLD])}{more}", stacklevel=2)
    return left
