"""Live pages in Chromium beside Python: time of a step, file size, time to the first frame from disk, energy,
gap and places; with the same worlds in both."""

from __future__ import annotations

import contextlib
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import tinkerdyne as td
from tinkerdyne import gallery
from tinkerdyne.studio.show import chromium
from tinkerdyne.studio.show.live import live_page

from . import ours
from .bar import Bar, Line, Measurement, Remark, Unmeasured
from .peers.scene import chain_rods, loop_rods

STEP = 1e-3  # s, max_step of all of them
SEGMENTS = {"chain-100": 0.03, "loop-50": 0.05, "jansen": 1.0, "stack-of-boxes": 0.05}  # s that are timed
RUNS = 6
OPENINGS = 3
LARGEST = 400.0  # kB
WANTED = {"pendulum": 1e-9, "four_bar": 1e-9, "jansen": 1e-9}  # m or rad, of all places after 10 s


def pendulum() -> td.World:
    world = td.World()
    rod = world.add(td.Rod("rod", position=(0.5, 0, 0)))
    world.add(td.connect(rod.end1, td.Nail(0, 0, 0)), td.gravity())
    return world


def stack() -> td.World:
    """Ten boxes, none straight above the other."""
    world = td.World()
    world.add(td.gravity(), td.contact(friction=0.5), td.Floor("floor"))
    for k in range(10):
        world.add(td.Box(f"box{k}", size=(0.2, 0.2, 0.2), position=(0.01 * (k % 3), 0, 0.1 + 0.2 * k)))
    return world


WORLDS: dict[str, Callable[[], td.World]] = {
    "pendulum": pendulum,
    "chain-100": lambda: ours.rods(chain_rods(100), dt=STEP).world,
    "loop-50": lambda: ours.rods(loop_rods(50), dt=STEP).world,
    "jansen": lambda: gallery.load("jansen").build(),
    "four_bar": lambda: gallery.load("four_bar").build(),
    "stack-of-boxes": stack,
}

# Each run takes the same steps from the same start; the shortest counts, since others run on the machine too.
TIMED = """([seconds, count]) => {
    let best = Infinity;
    for (let k = 0; k < count; k++) {
        world.reset();
        const start = performance.now();
        world.step(seconds);
        best = Math.min(best, performance.now() - start);
    }
    return best / 1000;
}"""
PAUSED = "async () => { await world.ready; world.pause(); world.reset(); }"


@contextlib.contextmanager
def _opened(world: td.World) -> Iterator[tuple[Any, Path]]:
    """The file of a world in Chromium."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = Path(folder) / "world.html"
        file.write_text(live_page(world, "a world"), encoding="utf-8")
        browser = chromium.launch(playwright)
        try:
            page = browser.new_page(viewport={"width": 900, "height": 700}, offline=True)
            page.goto(file.as_uri())
            page.evaluate(PAUSED)
            yield page, file
        finally:
            browser.close()


def _live(of: str) -> Measurement:
    def measure(name: str) -> Iterator[Line]:
        world = WORLDS[of]()
        with _opened(world) as (page, file):
            yield Bar(name, "file", file.stat().st_size / 1000, "≤", LARGEST, " kB")
            if of in SEGMENTS:
                yield _speed(name, of, page)
            yield from _agreement(name, of, page)
            yield Bar(name, "first frame from disk", _first_frame(page), "≤", 1, " s")

    return measure


def _speed(name: str, of: str, page: Any) -> Bar:
    """A step of both, without what a call costs beside its steps."""
    seconds = SEGMENTS[of]
    native, there = [], []
    for _ in range(3):  # in turns; the first ones warm up
        native.append(_timed(of, seconds) - _timed(of, STEP))
        there.append(page.evaluate(TIMED, [seconds, RUNS]) - page.evaluate(TIMED, [STEP, RUNS]))
    both = [1e6 * float(min(spent)) / (seconds / STEP - 1) for spent in (native, there)]
    said = f"{both[0]:.1f} µs a step in Python, {both[1]:.1f} µs in the page"
    return Bar(name, "step in the page, to Python's", both[1] / both[0], "≤", 2, "×", said)


def _timed(of: str, seconds: float) -> float:
    """The shortest of some runs [s]."""
    best, world = np.inf, WORLDS[of]()
    world.engine.evaluate()
    begin = world.engine.numbers()
    for _ in range(RUNS):
        world.engine.set_numbers(begin)
        start = time.perf_counter()
        world.step(seconds)
        best = min(best, time.perf_counter() - start)
    return float(best)


def _agreement(name: str, of: str, page: Any) -> Iterator[Line]:
    """Places after 0.2 s, and after 10 s where they must agree; energy and gap."""
    world = WORLDS[of]()
    page.evaluate("world.reset()")
    for seconds, until in ((0.2, 0.2), (9.8, 10.0)):
        page.evaluate(f"world.step({seconds})")
        world.step(seconds)
        here = np.array([float(x) for x in page.evaluate("world.state()")])
        off = float(np.abs(here - world.engine.state_vector()[: len(here)]).max())
        if until < 1 or of in WANTED:
            yield Bar(
                name, f"places after {until:g} s, to Python's", off, "≤", WANTED.get(of, 1e-9), " m, rad"
            )
        else:
            yield Remark(name, f"places after {until:g} s are {off:.2g} m, rad from Python's")
    energy, scale = float(page.evaluate("world.get('energy')")), max(abs(world.potential_energy), 1e-9)
    yield Remark(
        name,
        f"energy after 10 s {energy:.9g} J, by {(energy - world.energy) / scale:.1g} from Python's",
    )
    gap = float(page.evaluate("world.gap()"))
    yield Bar(
        name, "gap after 10 s", gap, "≤", max(1e-6, 2 * world.gap), " m", f"{world.gap:.2g} m in Python"
    )


def _first_frame(page: Any) -> float:
    """From opening the file to the first picture of the world [s]."""
    best = np.inf
    for _ in range(OPENINGS):
        page.reload()
        page.evaluate("async () => { await world.ready; await new Promise(requestAnimationFrame); }")
        best = min(best, float(page.evaluate("performance.now()")) / 1000)
    return float(best)


def _without_chromium(of: str) -> Measurement:
    """The same, or a word where there is no browser."""

    def measure(name: str) -> Iterator[Line]:
        try:
            yield from _live(of)(name)
        except ImportError as problem:
            yield Unmeasured(name, "the page", str(problem))

    return measure


MEASUREMENTS: dict[str, Measurement] = {f"live-{of}": _without_chromium(of) for of in WORLDS}
