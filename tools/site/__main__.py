"""Builds the documentation site into build/site, and checks its links: `make docs`."""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from pathlib import Path

from sphinx.cmd.build import build_main

from tools.site import gallery, links, scenes, sources

ROOT = Path(__file__).parents[2]
SOURCE, SITE, TREES = ROOT / "build" / "site-source", ROOT / "build" / "site", ROOT / "build" / "site-trees"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draft", action="store_true", help="make no scene anew: for who writes pages")
    start, is_draft = time.monotonic(), parser.parse_args().draft
    shown = list(scenes.kept() if is_draft else scenes.all_shown())
    sources.assemble(SOURCE)
    gallery.write(SOURCE, shown)
    shutil.rmtree(SITE, ignore_errors=True)
    # Warnings are errors: a link within a page that leads nowhere is one.
    failed = build_main(["-b", "html", "-W", "--keep-going", "-q", "-d", str(TREES), str(SOURCE), str(SITE)])
    if failed:
        return failed
    if wrong := list(links.broken(SITE)):
        print("\n".join(wrong))
        return 1
    size = sum(file.stat().st_size for file in SITE.rglob("*") if file.is_file()) / 1e6
    live = sum(one.is_live for one in shown)
    print(
        f"{SITE.relative_to(ROOT)}/index.html: {len(shown)} scenes, {live} of them live; {size:.0f} MB, "
        f"made in {time.monotonic() - start:.0f} s"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
