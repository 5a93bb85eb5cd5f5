"""Autosaves: scenes kept for after a crash, each in a file of its own name, with a lock that dies with its
session.

A file belongs to a session as long as the session holds the lock beside it. The system lets go of the lock
when the process ends, however it ends; so the number of a process, which another may have by then, means
nothing here. What nobody holds is offered until it is taken up or forgotten.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import sys
import time
from pathlib import Path
from typing import TypedDict

from tinkerdyne.files import read_file, write_file
from tinkerdyne.folders import state_folder
from tinkerdyne.studio.wire.protocol import Unsaved

_made_here: set[str] = set()  # names of files of this process


class LeftBehind(TypedDict):
    """An autosave that no session works on."""

    name: str
    title: str
    path: str
    saved: float  # s, as Unix counts
    file: Path
    is_mine: bool


def described(about: LeftBehind, parts: int = 0) -> Unsaved:
    """A scene that was left unsaved, as pages see it."""
    return Unsaved(about["name"], about["title"], about["path"], about["saved"], parts, about["is_mine"])


class Autosave:
    """The file of one scene, and its lock."""

    def __init__(self) -> None:
        name = f"{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(6)}.json"
        self.file = state_folder() / "autosave" / name
        self._lock = -1
        _made_here.add(name)

    def write(self, title: str, path: Path | None, text: str) -> None:
        """Keep a scene, and hold the file from now on."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        if self._lock < 0:
            self._lock = _locked(_lock_of(self.file), os.O_CREAT)
        about = {
            "title": title,
            "path": "" if path is None else str(path),
            "saved": time.time(),
            "scene": text,
        }
        write_file(self.file, json.dumps(about).encode())

    def let_go(self) -> None:
        """Leave the file behind, for whoever takes it up."""
        if self._lock >= 0:
            with contextlib.suppress(OSError):
                _lock_of(self.file).unlink()
            os.close(self._lock)
            self._lock = -1

    def forget(self) -> None:
        """There is nothing to recover of it."""
        with contextlib.suppress(OSError):
            self.file.unlink()
        self.let_go()


def left_behind() -> list[LeftBehind]:
    """Autosaves that no session works on, the newest first; those that cannot be read are passed over."""
    found: list[LeftBehind] = []
    with contextlib.suppress(OSError):
        for file in (state_folder() / "autosave").glob("*.json"):
            if _is_held(file):
                continue
            with contextlib.suppress(OSError, ValueError, KeyError, TypeError, RecursionError):
                about = json.loads(read_file(file))
                found.append(
                    {
                        "title": str(about["title"]),
                        "path": str(about["path"]),
                        "name": file.name,
                        "saved": float(about["saved"]),
                        "file": file,
                        "is_mine": file.name in _made_here,
                    }
                )
    return sorted(found, key=lambda one: -one["saved"])


def forget(name: str) -> None:
    """Delete a scene that was left behind, since its user said so."""
    offer = next((one for one in left_behind() if one["name"] == name), None)
    if offer is None:
        raise ValueError("it is no longer there")
    offer["file"].unlink(missing_ok=True)


def _lock_of(file: Path) -> Path:
    return file.with_suffix(".lock")


def _is_held(file: Path) -> bool:
    """Whether a session, of this process or another, holds a file."""
    try:
        handle = _locked(_lock_of(file))
    except BlockingIOError:
        return True
    except OSError:  # there is no lock: nobody holds it
        return False
    os.close(handle)
    return False


def _locked(lock: Path, flags: int = 0) -> int:
    """A lock's open handle; BlockingIOError when somebody else holds it."""
    handle = os.open(lock, os.O_RDWR | flags, 0o600)
    try:
        if sys.platform == "win32":
            import msvcrt

            try:
                msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
            except OSError as problem:
                raise BlockingIOError(problem.errno, problem.strerror) from problem
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BaseException:
        os.close(handle)
        raise
    return handle
