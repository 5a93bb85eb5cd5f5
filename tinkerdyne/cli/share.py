"""`tinkerdyne share`: a scene as one HTML file that runs by itself in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tinkerdyne import gallery
from tinkerdyne.cli.render import filmed
from tinkerdyne.cli.shared import SceneName, Seconds, console, opened, plain_words, target_of, world_of
from tinkerdyne.files import write_file


def share(
    scene: SceneName,
    out: Annotated[Path | None, typer.Option(help="The file to write; NAME.html when left out.")] = None,
    seconds: Seconds = None,
) -> None:
    """Write a scene as one file that runs in a browser by itself: no server, no network.

    What only Python can run is written as a replay of its run, and the reason is said.
    """
    from tinkerdyne.studio.show.live import live_page, why_not

    with plain_words():
        target = target_of(out or Path(f"{Path(scene).stem}.html"), (".html",))
        what = opened(scene)
        world = world_of(what)
        runs_itself = isinstance(what, gallery.Scene) and what.runs_itself
        refusal = "its run is a script" if runs_itself else why_not(world)
        if refusal:
            console.print(f"this is a replay: {refusal}", markup=False)
            text = filmed(scene, seconds).page()
        else:
            text = live_page(world, what.title if isinstance(what, gallery.Scene) else Path(scene).stem)
        write_file(target, text.encode())
        console.print(f"wrote {target}", markup=False)
