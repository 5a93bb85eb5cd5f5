"""The studio: build, snap, pull, cut and watch in the browser while it runs.

    import tinkerdyne as td
    shown = td.studio(world)     # starts the server beside the program; shown.url, shown.stop()
"""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tinkerdyne.world import World


class Shown:
    """A studio that runs beside the program."""

    def __init__(self, session: Any, server: Any) -> None:
        self._session, self._server = session, server

    @property
    def url(self) -> str:
        """Where to open it, with the token."""
        return str(self._server.url)

    @property
    def world(self) -> World:
        """The world that is shown; another one after a page opened a scene."""
        found: World = self._session.scene.world
        return found

    def stop(self) -> None:
        """End the server; the world stays as it is."""
        self._server.stop()
        self._session.stop()

    def __enter__(self) -> Shown:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def __repr__(self) -> str:
        return f"<studio at {self.url}>"


def studio(world: World, *, port: int = 0, folder: Path | str | None = None, title: str = "", is_playing: bool = True) -> Shown:
    """Show a world in the browser without waiting: edits made in Python appear there, and the other way round."""
    from tinkerdyne.studio.server import Server
    from tinkerdyne.studio.session import Session

    session = Session(world, folder=Path(folder) if folder else None, title=title, is_playing=is_playing)
    server = Server(session, port=port)
    session.start()
    server.start()
    return Shown(session, server)


class _Callable(ModuleType):
    """`tinkerdyne.studio` is both this package and what one calls."""

    def __call__(self, world: World, **options: Any) -> Shown:
        return studio(world, **options)


sys.modules[__name__].__class__ = _Callable
