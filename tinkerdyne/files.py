"""Files of scenes: read within a size, and replaced as a whole, so that the old or the new one is there at
every moment."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import shutil
import stat
import time
from pathlib import Path

VERSION = 2  # of the scene format
LARGEST_FILE = 256 * 2**20  # bytes: some 200,000 rods with their joints
STALE = 3600.0  # s: a temporary file of this age was left by a program that died while saving


class SceneError(ValueError):
    """A scene that cannot be written or read, and why."""


def read_file(path: str | os.PathLike[str]) -> bytes:
    """The bytes of a scene file, refused by size before they are read."""
    found = os.stat(path)
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, "a scene is a file, but this is a folder", os.fspath(path))
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "a scene is a plain file, but this is not one", os.fspath(path))
    if found.st_size > LARGEST_FILE:
        raise SceneError(
            f"{os.fspath(path)}: {found.st_size:,} bytes are more than a scene may have ({LARGEST_FILE:,})"
        )
    return Path(path).read_bytes()


def write_file(path: str | os.PathLike[str], data: bytes) -> None:
    """Replace a file as a whole: at every moment the old or the new one is there, also when the machine
    stops.

    A symbolic link stays, and the file it points to is replaced. On failure the old file is intact.
    """
    target = Path(os.path.realpath(path))
    try:
        if target.is_dir():
            raise IsADirectoryError(errno.EISDIR, "a scene is saved to a file, but this is a folder")
        if target.is_symlink():
            raise OSError(errno.ELOOP, "this symbolic link leads in a circle")
        if target.exists() and not target.is_file():
            raise OSError(errno.EINVAL, "a scene is saved to a plain file, but this is not one")
        if not target.parent.is_dir():
            raise FileNotFoundError(errno.ENOENT, f"there is no folder {str(target.parent)!r}; make it first")
        _replace(target, data)
    except OSError as problem:
        said = f"not saved, and what was there is intact: {problem.strerror}"
        raise OSError(problem.errno, said, os.fspath(path)) from problem


def _replace(target: Path, data: bytes) -> None:
    prefix = f".{target.name[:100]}."
    for left in target.parent.glob(f"{_literal(prefix)}*.tmp"):
        with contextlib.suppress(OSError):
            if time.time() - left.stat().st_mtime > STALE:
                left.unlink()
    name = target.parent / f"{prefix}{os.getpid()}-{secrets.token_hex(4)}.tmp"
    try:
        with open(name, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, name)
        os.replace(name, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise
    if hasattr(os, "O_DIRECTORY"):
        folder = os.open(target.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def keep_older(path: str | os.PathLike[str]) -> None:
    """Before a scene of an older version is replaced, keep it beside the new one as name.v0, name.v1 …"""
    target = Path(os.path.realpath(path))
    with contextlib.suppress(OSError):
        if target.is_file():
            with target.open("rb") as file:
                said = re.search(rb'"tinkerdyne"\s*:\s*(\d{1,9})', file.read(4096))
            if said and int(said[1]) < VERSION:
                kept = target.with_name(f"{target.name}.v{int(said[1])}")
                if not kept.exists():
                    shutil.copy2(target, kept)


def _literal(text: str) -> str:
    """A file name for glob, without its wildcards."""
    return re.sub(r"([*?\[])", r"[\1]", text)
