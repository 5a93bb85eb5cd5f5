"""Sees to it that there is a Chromium that starts, before the tests begin.

It is found, or installed where that may be (Debian's, by root with apt-get); else a sentence says what to do.
Run by `make test`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from playwright.sync_api import Playwright, sync_playwright

from tinkerdyne.studio.show import chromium


def may_install() -> bool:
    """Whether this is root on a machine with apt-get, and no other browser was chosen."""
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return is_root and shutil.which("apt-get") is not None and not os.environ.get(chromium.CHOSEN)


def install() -> None:
    """Debian's Chromium."""
    print("installing Chromium, in which the studio's page is tested", flush=True)
    quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for command in ("apt-get update -qq", "apt-get install -y -qq chromium"):
        if subprocess.run(command.split(), env=quiet, check=False).returncode:
            sys.exit(f"Chromium could not be installed ('{command}' failed); {chromium.REMEDY}")


def ensure(playwright: Playwright) -> None:
    """There is a Chromium, and it starts."""
    try:
        chromium.find(playwright)
    except FileNotFoundError:
        if not may_install():
            raise
        install()
    chromium.launch(playwright).close()


def main() -> None:
    with sync_playwright() as playwright:
        try:
            ensure(playwright)
        except (FileNotFoundError, RuntimeError) as problem:
            sys.exit(str(problem))


if __name__ == "__main__":
    main()
