"""Commands that open, save and hand out worlds."""

from __future__ import annotations

from typing import ClassVar, Literal

from tinkerdyne.studio.wire.messages.base import Answer, Command, Text


class Saved(Answer, frozen=True):
    """Where a scene was saved."""

    path: str


class FileInfo(Answer, frozen=True):
    """A scene in the studio's folder."""

    path: str
    modified: float  # s, as Unix counts
    size: int  # bytes


class Thumbnail(Answer, frozen=True):
    """A scene of the gallery."""

    name: str
    title: str
    text: str
    picture: str  # a data URL, "" where there is none
    group: str = ""  # the heading under which it stands
    film: str = ""  # its motion, a data URL; "" where there is none


class Unsaved(Answer, frozen=True):
    """A world that was left unsaved."""

    name: str
    title: str
    path: str
    saved: float  # s, as Unix counts
    parts: int = 0  # objects in it, where they were counted
    is_mine: bool = False  # by this studio, when it gave way to another world


class New(Command, frozen=True, tag="new"):
    """An empty world, in space or in the plane, with gravity; of the first order (f = m v) without: for
    curves, models and fits."""

    result: ClassVar[object] = None

    dimension: int = 3
    order: int = 2
    is_start: bool = False  # the world of the first steps instead


class Open(Command, frozen=True, tag="open"):
    """Open a gallery scene by name, a scene by its text or path, or one that was left unsaved: the newest, or
    one by its name."""

    result: ClassVar[object] = None

    example: str = ""
    text: str = ""
    path: str = ""
    recover: bool = False
    unsaved: str = ""


class Forget(Command, frozen=True, tag="forget"):
    """Delete a world that was left unsaved; until then it is offered at every start."""

    result: ClassVar[object] = None

    unsaved: str


class Save(Command, frozen=True, tag="save"):
    """Save to the folder that the studio was started with; without a path, where it was saved before.

    Refused with `can_force` where another file stands there.
    """

    result: ClassVar[object] = Saved

    path: str = ""
    is_forced: bool = False  # also over a file that another program changed meanwhile


class Ask(Command, frozen=True, tag="ask"):
    """Something to read: "python" (the world as a script), "scene" (its JSON), "share" (one HTML file that
    replays the recorded past), "live" (one in which the world runs by itself; refused with the reason where
    only Python can run it), "film" (of it, an MP4 file in base64, where the server can draw), "csv" (the
    recorded past), "files" (in the studio's folder), "thumbnails" (of the gallery), "recovery" (the newest
    world that was left unsaved, or null), "unsaved" (all of them, the newest first).
    """

    result: ClassVar[object] = {
        "python": Text,
        "scene": Text,
        "share": Text,
        "live": Text,
        "film": Text,
        "csv": Text,
        "files": tuple[FileInfo, ...],
        "thumbnails": tuple[Thumbnail, ...],
        "recovery": Unsaved | None,
        "unsaved": tuple[Unsaved, ...],
    }

    what: Literal[
        "python", "scene", "files", "share", "live", "film", "csv", "thumbnails", "recovery", "unsaved"
    ]
    plots: tuple[str, ...] = ()  # of what is shared, or of the table: quantities that are in it
    traces: tuple[str, ...] = ()  # of what is shared: places whose way is drawn


FileCommand = New | Open | Forget | Save | Ask
