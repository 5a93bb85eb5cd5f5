"""Writes requirements-lock.txt: known-good versions of all Python dependencies, as constraints for pip.

One version serves Python 3.11 to 3.14 on every platform where there is one; else environment markers say
which is for whom. Each section builds on those before it, so that nothing is held back by a development tool
or a peer. Run by `make lock`, which brings uv, the resolver; whoever installs needs pip alone.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
LOCK = ROOT / "requirements-lock.txt"
HEAD = """\
# Known-good versions of all Python dependencies, for Python 3.11 to 3.14, written by `make lock`.
# `make` installs these; `make test LATEST=1` takes the newest instead.
# By hand: pip install -c requirements-lock.txt -e '.[dev]'
"""
COMPILE = ["uv", "pip", "compile", "--universal", "--python-version", "3.11", "--fork-strategy", "fewest"]
PLAIN = ["--strip-extras", "--no-header", "--no-annotate", "--no-config", "--quiet"]
SECTIONS = {  # each with the extras of pyproject.toml that it adds
    "runtime": (),
    "documentation": ("docs",),
    "development, and what builds the package": ("dev",),
    "long tests of the notebook and of USD": ("lab",),
    "peers, for the comparisons of `make bench`": ("peers",),
}


def compiled(extras: list[str], known: list[str], more: list[str]) -> list[str]:
    """The newest versions that go together with those known already."""
    with tempfile.TemporaryDirectory() as folder:
        constraints, others = Path(folder, "known.txt"), Path(folder, "more.in")
        constraints.write_text("\n".join(known))
        others.write_text("\n".join(more))
        options = [option for extra in extras for option in ("--extra", extra)]
        command = [
            sys.executable,
            "-m",
            *COMPILE,
            *PLAIN,
            *options,
            "-c",
            str(constraints),
            "pyproject.toml",
            str(others),
        ]
        done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    return [line for line in done.stdout.splitlines() if re.match(r"[\w.-]+==", line)]


def build_needs() -> list[str]:
    """What builds the package: hatchling, and the Node that is used where the machine has none."""
    sys.path.insert(0, str(ROOT))
    from hatch_build import NODE

    return [NODE]


def main() -> None:
    text = HEAD
    known: list[str] = []
    extras: list[str] = []
    for title, adds in SECTIONS.items():
        extras += adds
        found = compiled(extras, known, build_needs() if extras else [])
        text += f"\n# --- {title}\n" + "".join(f"{line}\n" for line in found if line not in known)
        known = found
    LOCK.write_text(text)
    print(f"wrote {LOCK.name}: {len(known)} packages")


if __name__ == "__main__":
    main()
