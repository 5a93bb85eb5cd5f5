"""The whole site, built as `make docs` builds it and opened from disk.

One test, since all of it shares the folder build/site.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, Page

from tests.patience import HANG, patience
from tinkerdyne import gallery

ROOT = Path(__file__).parents[2]
SITE = ROOT / "build" / "site"
LEAST_LIVE = 45  # scenes that run in their pages
PATIENCE = 60.0  # s until a scene has moved, where nothing else runs
NOISE = "GPU stall due to ReadPixels"  # of a browser that draws in software
FROM_DISK = ("file:", "data:", "blob:")


@contextmanager
def opened(browser: Browser, address: str, faults: list[str]) -> Iterator[Page]:
    """A page from disk; what its console complains of, and what it wants from the network, are faults."""
    tab = browser.new_page(viewport={"width": 1000, "height": 800})
    tab.set_default_timeout(1e3 * HANG)
    tab.on("pageerror", lambda fault: faults.append(f"{address}: {fault}"))
    tab.on("console", lambda said: complained(said.type, f"{address}: {said.text}", faults))
    tab.on("request", lambda asked: asked.url.startswith(FROM_DISK) or faults.append(asked.url))
    tab.goto(f"{SITE.as_uri()}/{address}")
    yield tab
    tab.close()


def complained(kind: str, said: str, faults: list[str]) -> None:
    if kind == "error" and NOISE not in said:
        faults.append(said)


def starts(tab: Page) -> bool:
    """Press the button of a scene's page, and wait until it moves; whether it is live."""
    tab.click(".stage button")
    frame = tab.wait_for_selector(".stage iframe").content_frame()
    frame.wait_for_selector("canvas", timeout=1e3 * patience(PATIENCE))
    if not frame.evaluate("'world' in window"):
        return False
    frame.evaluate("world.ready")
    frame.evaluate("world.play()")
    frame.wait_for_function("world.time > 0", timeout=1e3 * patience(PATIENCE))
    return True


@pytest.mark.long
def test_the_site_is_built_every_scene_starts_and_search_finds_names_from_disk(page, browser) -> None:
    command = [sys.executable, "-m", "tools.site"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    faults: list[str] = []
    live = 0
    for name in gallery.names():
        with opened(browser, f"gallery/{name}.html", faults) as tab:
            try:
                live += starts(tab)
            except Error as problem:  # the other scenes are tried too
                faults.append(f"{name}: {problem}")
    assert not faults
    assert live >= LEAST_LIVE
    with opened(browser, "search.html?q=distance_between", faults) as tab:
        tab.wait_for_selector("#search-results li a")
        assert "distance_between" in tab.inner_text("#search-results")
    assert not faults
