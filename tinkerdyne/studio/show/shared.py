"""A world as one HTML file for others: it runs there by itself, and where only Python can run it, its replay
is shown instead."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tinkerdyne.studio.session.files import CLIENT
from tinkerdyne.studio.show.film import filmed
from tinkerdyne.studio.show.live import live_page, why_not
from tinkerdyne.world.world import World

SECONDS = 10.0  # of the world in a replay
ELEMENT = "tinkerdyne-world.js"  # by which other pages show the file


class Shared(NamedTuple):
    """The text of the file, and why it is a replay; "" where the world runs by itself."""

    html: str
    reason: str


def shared(
    world: World, title: str = "", plots: Sequence[str] | None = None, seconds: float = SECONDS
) -> Shared:
    """The file of a world; the world itself stays as it is."""
    reason = why_not(world)
    if not reason:
        return Shared(live_page(world, title, plots), "")
    played = copy.copy(world)
    return Shared(filmed(played, title, lambda: played.run(seconds, dt=1 / 60)).page(), reason)


def element() -> str:
    """The script of <tinkerdyne-world src="…">, for pages that show live pages."""
    script = CLIENT / ELEMENT
    if not script.is_file():
        raise ValueError(f"{ELEMENT} is not built; build it with `make studio`, then share again")
    return script.read_text(encoding="utf-8")


def lines_for(page: Path) -> str:
    """What another page says to show this one."""
    return (
        f'<script type="module" src="{ELEMENT}"></script>\n'
        f'<tinkerdyne-world src="{page.name}"></tinkerdyne-world>'
    )
