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
    embed: Annotated[
        bool, typer.Option("--embed", help="Also write tinkerdyne-world.js, by which another page shows it.")
    ] = False,
) -> None:
    """Write a scene as one file that runs in a browser by itself: no server, no network.

    What only Python can run is written as a replay of its run, and the reason is said.
    """
    from tinkerdyne.studio.show import shared

    with plain_words():
        target = target_of(out or Path(f"{Path(scene).stem}.html"), (".html",))
        what = opened(scene)
        if isinstance(what, gallery.Scene) and what.runs_itself:
            text, reason = filmed(scene, seconds).page(), "its run is a script"
        else:
            title = what.title if isinstance(what, gallery.Scene) else Path(scene).stem
            text, reason = shared.shared(world_of(what), title, seconds=seconds or shared.SECONDS)
        if reason:
            console.print(f"this is a replay: {reason}", markup=False)
        write_file(target, text.encode())
        console.print(f"wrote {target}", markup=False)
        if embed:
            script = target.with_name(shared.ELEMENT)
            write_file(script, shared.element().encode())
            console.print(f"wrote {script}; another page shows the world by", markup=False)
            console.print(shared.lines_for(target), markup=False, soft_wrap=True)
