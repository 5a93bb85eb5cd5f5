"""The gallery's pages: for each scene where it runs, what it claims, and its source."""

from __future__ import annotations

import html
import shutil
from collections.abc import Sequence
from pathlib import Path

from tinkerdyne import gallery
from tools.site.scenes import Shown

PICTURES = gallery.folder() / "pictures"
LIVE, REPLAY = "runs in the page", "replay"
CARD = """\
<a class="card" href="{name}.html">
<img src="../scenes/pictures/{name}.webp" alt="" loading="lazy" width="280" height="176">
<strong>{label}</strong><span class="badge {sort}">{badge}</span>
<span>{title}</span>
</a>
"""
STAGE = """\
<div class="stage" data-page="../scenes/{name}.html">
<button type="button"><img src="../scenes/pictures/{name}.webp" alt=""><span>{what}</span></button>
</div>
"""


def write(target: Path, scenes: Sequence[Shown]) -> None:
    """All pages of the gallery into the sources, and what runs in them beside them."""
    folder, extra = target / "gallery", target / "extra" / "scenes"
    folder.mkdir()
    shutil.copytree(PICTURES, extra / "pictures", ignore=shutil.ignore_patterns("films"))
    for shown in scenes:
        shutil.copy(shown.file, extra / f"{shown.name}.html")
        (folder / f"{shown.name}.md").write_text(page(shown), encoding="utf-8")
    (folder / "index").with_suffix(".md").write_text(index(scenes), encoding="utf-8")


def label(name: str) -> str:
    """A scene's name for people."""
    words = name.replace("_", " ")
    return words[:1].upper() + words[1:]


def index(scenes: Sequence[Shown]) -> str:
    """Cards of all scenes by their groups."""
    live = sum(shown.is_live for shown in scenes)
    groups: dict[str, list[Shown]] = {name: [] for name in (*gallery.GROUPS, gallery.OTHERS)}
    for shown in scenes:
        groups[gallery.load(shown.name).group].append(shown)
    cards = "".join(
        f'## {group}\n\n<div class="cards">\n{"".join(map(card, members))}</div>\n\n'
        for group, members in groups.items()
        if members
    )
    tree = "\n".join(shown.name for shown in scenes)
    return (
        f"# The gallery\n\n{live} of {len(scenes)} scenes run in their pages: the engine itself, as "
        "WebAssembly, with no server behind it. Pull on what moves. Each scene stands beside its source, and "
        "beside what it claims about physics, with the numbers measured when this site was made.\n\n"
        f"{cards}```{{toctree}}\n:hidden:\n\n{tree}\n```\n"
    )


def card(shown: Shown) -> str:
    scene = gallery.load(shown.name)
    return CARD.format(
        name=shown.name, label=label(shown.name), title=html.escape(scene.title),
        sort="live" if shown.is_live else "replay", badge=LIVE if shown.is_live else REPLAY,
    )  # fmt: skip


def page(shown: Shown) -> str:
    """The page of one scene."""
    scene = gallery.load(shown.name)
    what = "Run it here" if shown.is_live else "Play the replay"
    note = shown.said if shown.is_live else f"This is a replay: {shown.said}."
    claims = "".join(f"| {' | '.join(map(cell, claim))} |\n" for claim in shown.claims)
    source = scene.path.read_text(encoding="utf-8").rstrip()
    return (
        f"# {label(shown.name)}\n\n{escaped(scene.title)}\n\n{STAGE.format(name=shown.name, what=what)}\n"
        f"{note}\n\n{escaped(scene.text)}\n\n## What it claims\n\n"
        f"| claim | measured | wanted |\n|---|---|---|\n{claims}\n"
        f"`tinkerdyne gallery run {shown.name}` measures them again, `tinkerdyne studio {shown.name}` opens "
        "the scene.\n\n"
        f"## Its source\n\n```python\n{source}\n```\n"
    )


def escaped(text: str) -> str:
    """Plain text as Markdown."""
    for sign in "\\*_$<[":
        text = text.replace(sign, f"\\{sign}")
    return text


def cell(text: str) -> str:
    return escaped(text).replace("|", r"\|")
