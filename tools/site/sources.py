"""The sources of the site, put together under build/: the pages of docs/ with their links turned, the
reference, and the gallery."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from tools.site import reference

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
# Headings of the side bar, with the pages under each; a page that has no place yet ends the guides.
NAVIGATION = {
    "Start": ("start",),
    "Guides": (
        "modelling", "bodies", "contact", "curves", "troids", "running", "stepping", "types", "optimise",
        "sketching", "studio", "sharing",
    ),
    "Coming from": ("from_mujoco", "from_algodoo", "from_solvespace", "from_matlab"),
    "Gallery": ("gallery/index", "scene_files"),
    "Reference": ("reference/index",),
    "Theory": ("theory", "vocabulary"),
    "Under the hood": ("tour", "design", "mission", "contributing", "changelog"),
}  # fmt: skip
OUTSIDE = {  # pages that do not lie in docs/
    "README.md": "index",
    "CONTRIBUTING.md": "contributing",
    "CHANGELOG.md": "changelog",
    "scenes/README.md": "scene_files",
}
LINK = re.compile(r"(!?\[[^\]]*\])\(([^)\s]+)\)")


def documents() -> dict[str, Path]:
    """The pages that are written by hand, by the name that the site gives them."""
    pages = {path.stem: path for path in sorted((ROOT / "docs").glob("*.md"))}
    return pages | {name: ROOT / path for path, name in OUTSIDE.items() if name != "index"}


def navigation() -> dict[str, tuple[str, ...]]:
    """The pages under each heading."""
    placed = {page for group in NAVIGATION.values() for page in group}
    others = tuple(name for name in documents() if name not in placed)
    return {title: pages + others * (title == "Guides") for title, pages in NAVIGATION.items()}


def turned(text: str, page: Path) -> str:
    """The page with its links as the site has them; to a file that the site has not, its words alone."""

    def link(match: re.Match[str]) -> str:
        words, target = match.groups()
        if target.startswith(("http", "#", "mailto:")):
            return match[0]
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve().relative_to(ROOT)
        if words.startswith("!"):
            return f"{words}(/{file.relative_to('docs')})"
        words = "[]" if words == f"[{target}]" else words  # the page's title stands for its file
        known = OUTSIDE.get(str(file)) or (file.stem if file.parent == Path("docs") else "")
        return f"{words}(/{known}.md{'#' * bool(anchor)}{anchor})" if known else words[1:-1]

    blocks = re.split(r"(^```.*?^```\s*$|`[^`\n]+`)", text, flags=re.S | re.M)
    return "".join(block if k % 2 else LINK.sub(link, block) for k, block in enumerate(blocks))


def home() -> str:
    """The first page: a few words, the list of all pages for the side bar, and the README's own beginning."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    begin, papers = readme.split("## The studio")[0], readme.split("## Where it comes from")[1]
    trees = "".join(
        f"\n```{{toctree}}\n:caption: {title}\n:hidden:\n\n" + "\n".join(pages) + "\n```\n"
        for title, pages in navigation().items()
    )
    leads = (HERE / "home.md").read_text(encoding="utf-8")
    return turned(begin, ROOT / "README.md") + leads + f"\n## Where it comes from{papers}" + trees


def assemble(target: Path) -> None:
    """Write all sources but the gallery into an empty folder."""
    shutil.rmtree(target, ignore_errors=True)
    (target / "reference").mkdir(parents=True)
    pages = documents()
    for name, path in pages.items():
        (target / f"{name}.md").write_text(turned(path.read_text(encoding="utf-8"), path), encoding="utf-8")
    (target / "index").with_suffix(".md").write_text(home(), encoding="utf-8")
    for file, text in reference.pages():
        (target / "reference" / file).write_text(text, encoding="utf-8")
    shutil.copytree(ROOT / "docs" / "pictures", target / "pictures")
    shutil.copytree(HERE / "static", target / "static")
    shutil.copy(HERE / "conf.py", target)
    (target / "extra").mkdir()
