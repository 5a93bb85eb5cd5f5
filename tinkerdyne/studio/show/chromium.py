"""Chromium, which draws the studio's page without a screen: where it is, and what to do where it is not."""

from __future__ import annotations

import os
import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

CHOSEN = "TINKERDYNE_BROWSER"
STARTS = 300.0  # s: who takes longer hangs; a machine on which much else runs is no reason to give up
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# It draws in software, and so the same on every machine. GL draws the world alone: in software it takes
# twenty times as long for text and panels as Chromium's own painter, whatever Debian's Chromium would do.
FLAGS = (
    "--no-sandbox",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-gpu-rasterization",
    "--disable-gpu-compositing",
)
REMEDY = (
    "install it (on Debian or Ubuntu: sudo apt-get install chromium; elsewhere: python -m playwright install "
    f"chromium), or name one: export {CHOSEN}=/path/to/chromium"
)


def find(playwright: Playwright) -> str:
    """Where Chromium is: the one that was chosen, one of the machine, or the one that playwright fetched."""
    chosen = os.environ.get(CHOSEN)
    if chosen:
        program = shutil.which(chosen)
        if program is None:
            raise FileNotFoundError(
                f"{CHOSEN} names {chosen!r}, which is no program that can be run; {REMEDY}"
            )
        return program
    for name in NAMES:
        program = shutil.which(name)
        if program is not None:
            return program
    fetched = playwright.chromium.executable_path
    if Path(fetched).is_file():
        return fetched
    raise FileNotFoundError(f"the studio's page is drawn by Chromium, which was not found; {REMEDY}")


def launch(playwright: Playwright, *flags: str) -> Browser:
    """Start Chromium without a screen."""
    from playwright.sync_api import Error

    program = find(playwright)
    try:
        return playwright.chromium.launch(
            executable_path=program, args=[*FLAGS, *flags], timeout=1e3 * STARTS
        )
    except Error as problem:
        said = str(problem).strip().splitlines()[0]
        raise RuntimeError(f"{program} does not start ({said}); mend it, or {REMEDY}") from problem


def can_render() -> bool:
    """Whether films can be made here: what draws, and what writes them, is installed."""
    writers = shutil.which("ffmpeg") or find_spec("imageio_ffmpeg")
    return find_spec("playwright") is not None and bool(writers)
