"""The whole site: it is built without a warning, no link is broken, and every scene of its gallery starts."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tinkerdyne import gallery

ROOT = Path(__file__).parents[2]
SITE = ROOT / "build" / "site"
LEAST_LIVE = 45  # scenes that run in their pages
NOISE = "GPU stall due to ReadPixels"  # of a browser that draws in software


@pytest.fixture(scope="module")
def site(page: None) -> Path:
    """The site, built; it checks its own links."""
    done = subprocess.run(
        [sys.executable, "-m", "tools.site"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return SITE


def opened(browser: Any, page: Path, scheme: str = "light") -> tuple[Any, list[str]]:
    """A page from disk, with what its console complains of."""
    tab = browser.new_page(viewport={"width": 1000, "height": 800}, color_scheme=scheme)
    faults: list[str] = []
    tab.on("pageerror", lambda fault: faults.append(str(fault)))
    tab.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    tab.on(
        "request",
        lambda asked: None if asked.url.startswith(("file:", "data:", "blob:")) else faults.append(asked.url),
    )
    tab.goto(page.as_uri())
    return tab, faults


@pytest.mark.long
def test_every_scene_of_the_gallery_starts_in_its_page(site, browser) -> None:
    wrong, live = {}, 0
    for name in gallery.names():
        tab, faults = opened(browser, site / "gallery" / f"{name}.html")
        tab.click(".stage button")
        frame = tab.wait_for_selector(".stage iframe").content_frame()
        frame.wait_for_selector("canvas")
        if frame.evaluate("'world' in window"):
            live += 1
            frame.evaluate("world.ready")
            frame.wait_for_function("world.time > 0", timeout=60_000)
        if faults := [fault for fault in faults if NOISE not in fault]:
            wrong[name] = faults
        tab.close()
    assert not wrong
    assert live >= LEAST_LIVE


@pytest.mark.long
def test_search_finds_a_name_from_disk(site, browser) -> None:
    tab, faults = opened(browser, site / "search.html")
    tab.goto((site / "search.html").as_uri() + "?q=distance_between")
    tab.wait_for_selector("#search-results li a")
    assert "distance_between" in tab.inner_text("#search-results")
    assert not faults
    tab.close()
