"""Checks the finished site as it lies on disk: every link, picture and script leads to a file and its anchor,
and nothing is fetched from the network."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

FETCHING = {"script", "img", "iframe", "link", "source", "video", "audio", "object", "embed"}
LED = {"a": "href", "link": "href"}  # where else than in src a page leads


class Page(HTMLParser):
    """The links of a page with the elements that hold them, and its anchors."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[tuple[str, str]] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.anchors |= {value for key in ("id", "name") if (value := given.get(key))}
        for key in (LED.get(tag, "src"), "data-page"):
            if target := given.get(key):
                self.links.append((tag, target))


@functools.cache
def page_at(path: Path) -> Page:
    return Page(path.read_text(encoding="utf-8"))


def broken(site: Path) -> Iterator[str]:
    """What is wrong with the links of a site, a sentence each."""
    for path in sorted(site.rglob("*.html")):
        if path.parent.name == "scenes":  # pages of the studio's own, which hold everything
            continue
        where = path.relative_to(site)
        for tag, target in page_at(path).links:
            if target.startswith(("http:", "https:", "//")):
                if tag in FETCHING:
                    yield f"{where} fetches {target} from the network; put it into the site"
                continue
            if target.startswith(("mailto:", "data:", "javascript:")):
                continue
            yield from _missing(path, where, target)


def _missing(path: Path, where: Path, target: str) -> Iterator[str]:
    """Whether a file, or an anchor in it, is not there."""
    name, _, anchor = target.partition("#")
    file = (path.parent / unquote(name.partition("?")[0])).resolve() if name else path
    if not file.is_file():
        yield f"{where} leads to {target}, where nothing lies"
    elif anchor and file.suffix == ".html" and unquote(anchor) not in page_at(file).anchors:
        yield f"{where} leads to {target}, which has no such anchor"
