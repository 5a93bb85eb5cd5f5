"""The studio's page in headless Chromium, which draws in software here: what it loads, how soon it is seen,
how soon a hand is seen to move a part, how many calls draw a thousand parts, and whether plots draw what
was recorded.

Part of  python -m benchmarks.bars_studio (`make bench-studio`).
"""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from playwright.sync_api import Browser, sync_playwright

import tinkerdyne as td
from tests.studio.person import Person, until
from tests.studio.test_browser_look import ten_shapes
from tests.studio.test_browser_truth import Read, drawn, keep, missing, swinging
from tinkerdyne.studio import Shown, studio
from tinkerdyne.studio.session import start
from tinkerdyne.studio.show import chromium

from .bar import Bar, Line, Measurement, Remark
from .process import ROOT

SIZE = (1440, 900)  # px
LOADS, MOVES = 5, 40  # how often
SECONDS = 20.0  # of a motion that is plotted
MEMORY = 1 << 20  # bytes of the past, soon full: its beginning is lost
CLOSE = 1e-7  # relative: a rounding of float32

# From the pointer's move to the picture in which the part has moved half a pixel [ms].
WATCH = """(name) => {
  let begin = 0;
  const canvas = document.querySelector(".viewport canvas[data-panel]");
  canvas.addEventListener("pointermove", (event) => (begin ||= event.timeStamp), { capture: true });
  window.watch = async () => {
    begin = 0;
    const [before] = await window.tinkerdyne.seen(name);
    for (;;) {
      const [now] = await window.tinkerdyne.seen(name);
      if (begin && Math.hypot(now.x - before.x, now.y - before.y) > 0.5) return performance.now() - begin;
    }
  };
}"""


@contextmanager
def _chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        found = chromium.launch(playwright, "--hide-scrollbars")
        yield found
        found.close()


@contextmanager
def _shown(world: td.World, **options: Any) -> Iterator[Shown]:
    """A studio whose autosaves are nobody's."""
    with tempfile.TemporaryDirectory() as state:
        before = os.environ.get("XDG_STATE_HOME")
        os.environ["XDG_STATE_HOME"] = state
        try:
            with studio(world, folder=state, browser=False, **options) as shown:
                yield shown
        finally:
            os.environ.pop("XDG_STATE_HOME")
            if before is not None:
                os.environ["XDG_STATE_HOME"] = before


def _load(name: str) -> Iterator[Line]:
    """What is loaded, and when the first picture is there."""
    subprocess.run([sys.executable, "hatch_build.py"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    dist = ROOT / "tinkerdyne" / "studio" / "client" / "dist"
    size = sum(
        len(gzip.compress(file.read_bytes(), 9))
        for file in (dist / "index.html", *(dist / "assets").iterdir())
    )
    yield Bar(name, "everything the page can load, both languages, gzipped", size / 1e3, "≤", 350, " kB")
    paints, seen = [], []
    with _shown(start.build()) as shown, _chromium() as browser:
        for _ in range(LOADS):
            me = Person(browser, shown.url, size=SIZE)
            me.seen("pendulum")
            seen.append(me.page.evaluate("performance.now()"))
            me.page.wait_for_function("performance.getEntriesByName('first-contentful-paint').length > 0")
            paints.append(
                me.page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
            )
            me.leave()
    said = f"the pendulum to be seen after {np.median(seen):.3g} ms (medians of {LOADS})"
    yield Remark(name, f"first paint after {np.median(paints):.3g} ms, {said}")


def pile() -> td.World:
    """A block that stands on a floor in a row of others, which it pushes."""
    world = td.World()
    world.add(td.gravity(), td.Floor("floor"), td.contact())
    world.add([td.Box(f"box {k}", size=(0.3, 0.3, 0.3), position=(0.32 * k, 0, 0.15)) for k in range(6)])
    world.history.clear()
    return world


def _moved(me: Person, name: str) -> list[float]:
    """How long it takes until a part that is held hard is seen to follow [ms]."""
    me.page.evaluate(WATCH, name)
    x, y = me.still(name)
    me.page.keyboard.down("Shift")
    me.page.mouse.move(x, y)
    me.page.mouse.down()
    me.page.mouse.move(x - 6, y)
    me.sees(".readout", "N")
    found = []
    for k in range(MOVES):
        me.page.evaluate("void (window.found = window.watch())")
        me.page.wait_for_timeout(150)
        me.page.mouse.move(x - 6 + 8 * (k % 2), y)
        found.append(me.page.evaluate("window.found"))
    me.page.mouse.up()
    me.page.keyboard.up("Shift")
    return found


def _drag(name: str) -> Iterator[Line]:
    with _chromium() as browser:
        for world, part, what in (
            (pile(), "box 0", "with contact, pushing five blocks"),
            (hung(), "rod", "without contact"),
        ):
            with _shown(world) as shown:
                me = Person(browser, shown.url, size=SIZE)
                found = _moved(me, part)
                me.leave()
            said = f"median {np.median(found):.3g} ms, p99 {np.quantile(found, 0.99):.3g} ms of {MOVES}"
            yield Remark(name, f"from the pointer's move to the picture that shows it, {what}: {said}")


def hung() -> td.World:
    """A rod that hangs still from a nail."""
    world = td.World()
    rod = world.add(td.Rod("rod", position=(0, 0, 1.5), orientation=(np.sqrt(0.5), 0, np.sqrt(0.5), 0)))
    world.add(td.nail(rod.end1, at=(0, 0, 2)), td.gravity())
    world.history.clear()
    return world


def _calls(name: str) -> Iterator[Line]:
    world = td.World()
    world.add([ten_shapes(f"p{k}", (k % 10, k // 10 % 10, k // 100), k) for k in range(1000)])
    with _shown(world) as shown, _chromium() as browser:
        me = Person(browser, shown.url, size=SIZE, look="&lowfx=0&theme=light")
        calls = until(
            lambda: me.page.evaluate(
                "(({parts, calls}) => parts() === 1000 && calls() > 20 && calls())(window.tinkerdyne)"
            ),
            "all parts are drawn",
        )
        me.leave()
    yield Bar(name, "calls that draw a thousand parts of ten shapes, with shadows", calls, "≤", 60)


def _plots(name: str) -> Iterator[Line]:
    """A motion of which the beginning is no longer kept: every point and every peak is compared with what
    Python read."""
    with _shown(swinging(), is_playing=False) as shown, _chromium() as browser:
        session = shown._session
        session.view.past.memory = MEMORY
        read = keep(shown)
        session.call(session.view.past.clear)
        me = Person(browser, shown.url, size=SIZE)
        me.press("Space")
        until(lambda: shown.world.time > SECONDS, "it swings", 10 * SECONDS)
        me.press("Space")
        until(lambda: not session.is_playing, "a pause")
        until(lambda: drawn(me)["lines"][0]["xs"][-1] == shown.world.time, "all of it came")
        me.page.reload()  # a page that comes late has what is kept, and no more
        until(
            lambda: me.page.evaluate("window.tinkerdyne?.drawn().lines[0]?.xs.length ?? 0") > 100,
            "it is there",
        )
        lines = drawn(me)["lines"]
        begin = session.view.past.start or 0.0
        me.leave()
    points, worst, lost = _compared(lines, read)
    yield Bar(name, "worst relative error of a drawn point", worst, "≤", CLOSE, "", f"{points} points")
    yield Bar(name, "recorded values beyond all that is drawn in their column of pixels", lost, "≤", 0)
    first = min(line["xs"][0] for line in lines)
    marked = max(abs(line["begin"] - begin) for line in lines)
    yield Bar(
        name, "between the mark where the kept past begins and its first moment", marked, "≤", 1e-9, " s"
    )
    yield Remark(name, f"{shown.world.time:.3g} s, kept from {begin:.3g} s on, drawn from {first:.3g} s on")


def _compared(lines: list[dict[str, Any]], read: Read) -> tuple[int, float, int]:
    """How many points are drawn, their worst relative error, and how many recorded values go beyond them."""
    count, worst, lost = 0, 0.0, 0
    for line in lines:
        name = line["name"]
        points = [(x, y) for x, y in zip(line["xs"], line["ys"], strict=True) if y is not None]
        for time, value in points:
            true = read[time][name]
            worst = max(worst, abs(value - true) / max(abs(true), 1e-3))
            count += 1
        lost += missing(line, read)
    return count, worst, lost


MEASUREMENTS: dict[str, Measurement] = {
    "studio-load": _load,
    "studio-pixel": _drag,
    "studio-calls": _calls,
    "studio-plots": _plots,
}
