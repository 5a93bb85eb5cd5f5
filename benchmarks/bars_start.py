"""Starting: the import, the first step with a warm and with an empty cache, and a formula never seen
before."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from .bar import Bar, Line, Measurement, Remark
from .process import python

IMPORT = """
import time
start = time.process_time()
import tinkerdyne
print(time.process_time() - start)
"""
FIRST_STEP = """
import time
import tinkerdyne as td
world = td.World()
upper, lower = td.Rod(position=(0.5, 0, 0)), td.Rod(position=(1.5, 0, 0))
world.add(upper, lower, td.gravity())
world.add(td.connect(upper.end1, td.Nail(0, 0, 0)), td.connect(upper.end2, lower.end1))
assert world.step(1 / 60)
print(time.process_time())  # since the process began
"""
SHIPPED = (
    """
import sys
from pathlib import Path
from tinkerdyne.compiler import machine
machine.SHIPPED = Path(sys.argv[1])
"""
    + FIRST_STEP
)  # as a wheel for this platform has it
NEW_TYPE = (  # the number is part of the formula, so a number never used makes a type never seen
    FIRST_STEP
    + """
import sys
from tinkerdyne.language.kinds import Point
fresh, bead = float(sys.argv[1]), td.Particle(position=(1, 0, 0))
world.add(bead)
assert world.step(1 / 60)
start = time.process_time()
@td.constraint
def on_oval(p: Point) -> object:
    return p[0] * p[0] + fresh * p[2] * p[2] + p[1] * p[2] - 1
world.add(on_oval(bead))
assert world.step(1 / 60)
print(time.process_time() - start)
"""
)
NEW_TEXT = (
    FIRST_STEP
    + """
import sys
bead = td.Particle(position=(1, 0, 0))
world.add(bead)
x, y, z = world.add(*(td.component(bead, of=k) for k in range(3)))
assert world.step(1 / 60)
start = time.process_time()
world.add(td.equation(f"x*x + {sys.argv[1]}*z*z + y*z - 1", x=x, y=y, z=z))
assert world.step(1 / 60)
print(time.process_time() - start)
"""
)
REPEATS = 5


def _seconds(code: str, *arguments: str, cache: Path | None = None) -> float:
    return float(python(code, *arguments, cache=cache).split()[-1])


def _import(name: str) -> Iterator[Line]:
    yield Bar(name, "CPU of the import", min(_seconds(IMPORT) for _ in range(REPEATS)), "≤", 0.3, " s")


def _warm(name: str) -> Iterator[Line]:
    _seconds(FIRST_STEP)  # fills the cache
    best = min(_seconds(FIRST_STEP) for _ in range(REPEATS))
    yield Bar(name, "CPU from a fresh process to the first step", best, "≤", 1, " s")


def _cold(name: str) -> Iterator[Line]:
    with tempfile.TemporaryDirectory() as empty:
        yield Bar(name, "CPU of the first run ever", _seconds(FIRST_STEP, cache=Path(empty)), "≤", 15, " s")


def _shipped(name: str) -> Iterator[Line]:
    """With what a wheel brings along, and an empty cache."""
    with tempfile.TemporaryDirectory() as along, tempfile.TemporaryDirectory() as empty:
        python(f"from tools.ship import main; main({along!r}, 'platform')")
        first = [_seconds(SHIPPED, along, cache=Path(empty) / str(k)) for k in range(REPEATS)]
        yield Bar(name, "CPU of the first run ever, with a wheel's code", min(first), "≤", 0.6, " s")
        yield Remark(name, f"{len(list(Path(along).iterdir()))} files came along")


def _formula(name: str) -> Iterator[Line]:
    for what, code in (("a constraint written in Python", NEW_TYPE), ("a typed-in equation", NEW_TEXT)):
        _seconds(code, "2.0")  # fills the cache with all else
        fresh = [_seconds(code, f"{1 + time.time_ns() % 10**9 / 1e9:.9f}") for _ in range(REPEATS)]
        yield Bar(name, f"CPU from {what} to its first step", min(fresh), "≤", 0.2, " s")


MEASUREMENTS: dict[str, Measurement] = {
    "start-import": _import,
    "start-warm": _warm,
    "start-cold": _cold,
    "start-shipped": _shipped,
    "start-formula": _formula,
}
