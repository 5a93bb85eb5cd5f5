"""Builds the documentation site into build/site: `make docs`, or `python -m tools.site`."""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

from sphinx.cmd.build import build_main

from tools.site import sources

ROOT = Path(__file__).parents[2]
SOURCE, SITE, TREES = ROOT / "build" / "site-source", ROOT / "build" / "site", ROOT / "build" / "site-trees"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.parse_args()
    sources.assemble(SOURCE)
    shutil.rmtree(SITE, ignore_errors=True)
    options = ["-b", "html", "-W", "--keep-going", "-q", "-d", str(TREES)]
    return build_main([*options, str(SOURCE), str(SITE)])


if __name__ == "__main__":
    sys.exit(main())
