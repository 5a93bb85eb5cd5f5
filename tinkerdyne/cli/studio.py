"""`tinkerdyne studio`: the studio in the browser."""

from __future__ import annotations

import signal
import threading
from pathlib import Path
from typing import Annotated

import typer

from tinkerdyne import gallery
from tinkerdyne.cli.shared import UsageError, console, opened, plain_words, world_of


def studio(
    scene: Annotated[
        str | None, typer.Argument(metavar="[SCENE]", help="A scene file or gallery scene; else a pendulum.")
    ] = None,
    port: Annotated[
        int, typer.Option(help="The port, or the next free one after it; 0 for any.", min=0, max=65535)
    ] = 8137,
    browser: Annotated[bool, typer.Option(help="Open the browser.")] = True,
    folder: Annotated[
        Path | None, typer.Option(help="Where scenes are opened and saved; else that of the scene.")
    ] = None,
) -> None:
    """Build, snap, pull, cut and watch in the browser while it runs.

    Ctrl-C ends it; what was not saved can be recovered."""
    with plain_words():
        if folder is not None and not folder.is_dir():
            raise UsageError(f"--folder: there is no folder {str(folder)!r}")
        _run(scene, port, browser, folder)


def _run(scene: str | None, port: int, browser: bool, folder: Path | None) -> None:
    from tinkerdyne.studio import begin
    from tinkerdyne.studio.session import start
    from tinkerdyne.studio.session.session import Session

    title, path = "pendulum", None
    if scene is None:
        world = start.build()
    else:
        found = opened(scene)
        world = world_of(found)
        title = found.name.replace("_", " ") if isinstance(found, gallery.Scene) else Path(scene).stem
        if not isinstance(found, gallery.Scene):
            path = Path(scene).resolve()
            folder = folder or path.parent
    session = Session(world, folder=folder, title=title, path=path)
    session.view.is_bare = scene is None
    if path is not None:
        session.files.read(path)
    ended = threading.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_: ended.set())
    with begin(session, port=port, browser=browser):
        console.print("Ctrl-C ends it", style="dim")
        while not ended.wait(0.5):
            pass
    console.print(
        "ended; what was not saved can be recovered at the next start" if session.scene.is_dirty else "ended"
    )
