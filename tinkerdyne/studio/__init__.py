"""The studio: build, snap, pull, cut and watch in the browser while it runs.

import tinkerdyne as td
shown = td.studio(world)     # starts the server beside the program; shown.url, shown.stop()
shown.wait()                 # at the end of a script: until Ctrl-C
"""

from __future__ import annotations

import contextlib
import sys
import threading
import webbrowser
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tinkerdyne.studio.session.session import Session
    from tinkerdyne.studio.wire.server import Server
    from tinkerdyne.world.world import World


class Shown:
    """A studio that runs beside the program."""

    def __init__(self, session: Session, server: Server) -> None:
        self._session, self._server = session, server
        self._ended = threading.Event()

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
        self._ended.set()

    def wait(self) -> None:
        """Return when it was stopped; Ctrl-C stops it."""
        try:
            while not self._ended.wait(0.5):
                pass
        except KeyboardInterrupt:
            self.stop()

    def __enter__(self) -> Shown:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def __repr__(self) -> str:
        return f"<studio at {self.url}>"


def studio(
    world: World,
    *,
    port: int = 0,
    folder: Path | str | None = None,
    title: str = "",
    is_playing: bool = True,
    browser: bool = True,
) -> Shown:
    """Show a world in the browser without waiting: edits made in Python appear there, and the other way
    round."""
    from tinkerdyne.studio.session.session import Session

    session = Session(world, folder=Path(folder) if folder else None, title=title, is_playing=is_playing)
    return begin(session, port=port, browser=browser)


def begin(session: Session, *, port: int, browser: bool) -> Shown:
    """Start a session and its server, say where it is, and open the browser there if there is one."""
    from tinkerdyne.studio.wire.server import Server

    server = Server(session, port=port)
    session.start()
    server.start()
    if port and server.port != port:
        print(f"port {port} is in use; this one is {server.port}")
    print(f"the studio is at {server.url}", flush=True)
    if browser:  # beside the program: some browsers return only when they are closed
        threading.Thread(target=_browse, args=(server.url,), name="tinkerdyne-browser", daemon=True).start()
    return Shown(session, server)


def _browse(url: str) -> None:
    with contextlib.suppress(webbrowser.Error):
        webbrowser.open(url)


class _Callable(ModuleType):
    """`tinkerdyne.studio` is both this package and what one calls."""

    def __call__(self, world: World, **options: Any) -> Shown:
        return studio(world, **options)


sys.modules[__name__].__class__ = _Callable
