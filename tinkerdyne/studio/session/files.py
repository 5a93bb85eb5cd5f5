"""Files of the studio: scenes in one folder, autosaves in the state folder, and the built page."""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
import os
from collections.abc import Collection
from pathlib import Path
from typing import ClassVar

from tinkerdyne.files import keep_older, read_file, write_file
from tinkerdyne.studio.session.autosaves import Autosave, LeftBehind, described, left_behind
from tinkerdyne.studio.wire.protocol import FileInfo, Unsaved
from tinkerdyne.world import scene
from tinkerdyne.world.world import World

CLIENT = Path(__file__).parents[1] / "client" / "dist"
MOST_FILES = 1000  # listed for a page


class Conflicting(ValueError):
    """A file stands where one is to be saved, and it is not the one that was opened."""

    can_force: ClassVar = True


def scene_value(world: World, without: Collection[str] = ()) -> scene.SceneValue:
    """The world as a value, without the items that hands are made of; `scene.dumps` makes its text, beside
    the engine."""
    with world.lock:
        items = [item for item in world.items if item.name not in without]
        return scene.scene_of(world.contents, items)


def scene_text(world: World, without: Collection[str] = ()) -> str:
    """The world as JSON, without the items that hands are made of."""
    return scene.dumps(scene_value(world, without))


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


class Files:
    """Scenes in a folder, and nothing outside of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.mine = Autosave()
        self._known: dict[Path, str] = {}  # digests of files as they were read or written here

    # --- scenes ----------------------------------------------------------------------------------
    def shown(self, path: Path | None) -> str:
        """A path as pages see it: relative to the folder where it lies in it."""
        if path is None:
            return ""
        return str(path.relative_to(self.folder)) if path.is_relative_to(self.folder) else str(path)

    def inside(self, name: str) -> Path:
        """The path of a scene by its name, refused when it leads out of the folder."""
        path = self.folder / name
        if not name or not name.isprintable() or len(name) > 1000 or path.name.startswith("."):
            raise ValueError(f"{name[:80]!r} is no name for a scene")
        if path.suffix.lower() != ".json":
            path = path.with_name(path.name + ".json")
        real = Path(os.path.realpath(path))
        if not real.is_relative_to(self.folder):
            raise ValueError(
                f"{name!r} lies outside of the studio's folder {str(self.folder)!r}; choose a name within it"
            )
        return real

    def read(self, path: Path) -> bytes:
        data = read_file(path)
        self._known[path] = digest(data)
        return data

    def check_unchanged(self, path: Path) -> None:
        """Refuse to replace a file that this session has not seen as it is."""
        try:
            there = digest(read_file(path))
        except FileNotFoundError:
            return
        if path not in self._known:
            raise Conflicting(
                f"there is already a file {self.shown(path)!r}; choose another name, or replace it"
            )
        if there != self._known[path]:
            said = f"{self.shown(path)!r} was changed by another program since it was opened"
            raise Conflicting(f"{said}; choose another name, or replace it")

    def write(self, path: Path, text: str, *, is_forced: bool) -> None:
        """Save a scene; on failure the old file is intact."""
        if not is_forced:
            self.check_unchanged(path)
        data = text.encode()
        keep_older(path)
        write_file(path, data)
        self._known[path] = digest(data)

    def listed(self) -> list[FileInfo]:
        """The scenes of the folder, the newest first."""
        found: list[FileInfo] = []
        for path in itertools.islice(self.folder.glob("*.json"), MOST_FILES):
            with contextlib.suppress(OSError, ValueError):
                real = self.inside(path.name)
                with real.open("rb") as file:
                    if b'"tinkerdyne"' in file.read(4096):
                        about = real.stat()
                        found.append(FileInfo(path.name, about.st_mtime, about.st_size))
        return sorted(found, key=lambda one: -one.modified)

    # --- autosaves -------------------------------------------------------------------------------
    def autosave(self, title: str, path: Path | None, text: str) -> None:
        """Keep a scene for after a crash."""
        self.mine.write(title, path, text)

    def keep(self, title: str, path: Path | None, text: str) -> None:
        """Keep a scene that gives way to another unsaved."""
        self.autosave(title, path, text)
        self.mine.let_go()
        self.mine = Autosave()

    def forget(self) -> None:
        """There is nothing to recover of this session."""
        self.mine.forget()

    def close(self) -> None:
        self.mine.let_go()

    def recoverable(self, name: str = "") -> LeftBehind | None:
        """A scene that was left unsaved, by a session that is no more or for another scene: that of this
        name, or the newest."""
        return next((one for one in left_behind() if name in ("", one["name"])), None)

    def unsaved(self) -> list[Unsaved]:
        """All scenes that were left unsaved, the newest first, each with the number of its objects."""
        found: list[Unsaved] = []
        for one in left_behind():
            with contextlib.suppress(
                OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError
            ):
                parts = len(json.loads(self.recovered(one)).get("objects", ()))
                found.append(described(one, parts))
        return found

    def recovered(self, offer: LeftBehind) -> str:
        """The text of an autosave; the file stays until the session that took it over has one of its own."""
        return str(json.loads(read_file(offer["file"]))["scene"])


def page_build() -> str:
    """A word that differs from one build of the page to the next; "" when it is not built."""
    try:
        return digest((CLIENT / "index.html").read_bytes())[:16]
    except OSError:
        return ""
