"""`tinkerdyne demo`: a chain that swings, is cut, and is mended."""

from __future__ import annotations

import math
import time
from typing import Annotated

import typer
from rich.table import Table

import tinkerdyne as td
from tinkerdyne.cli.shared import ProgressBar, UsageError, check_positive, console, plain_words


def demo(
    seconds: Annotated[float, typer.Option(help="Simulated seconds.")] = 5.0,
    rods: Annotated[int, typer.Option(help="Rods in the chain.")] = 50,
) -> None:
    """Swing a chain of rods between two nails, cut it in mid-swing, and take the cut back."""
    with plain_words():
        check_positive("seconds", seconds)
        if rods < 2:
            raise UsageError(f"--rods must be at least 2, not {rods}")
        _demonstrate(seconds, rods)


def _demonstrate(seconds: float, rods: int) -> None:
    begin = time.perf_counter()
    world = td.World()
    end, x, z = td.Nail(0, 0, 0), 0.0, 0.0
    for k in range(rods):
        up = 0.6 if k % 2 == 0 else -0.6
        half = -math.atan2(up, 0.8) / 2
        turn = (math.cos(half), 0, math.sin(half), 0)
        rod = world.add(td.Rod(f"rod {k + 1}", position=(x + 0.4, 0, z + up / 2), orientation=turn))
        world.add(td.connect(rod.end1, end))
        end, x, z = rod.end2, x + 0.8, z + up
    joint = world.add(td.connect(end, td.Nail(x, 0, z), name="last joint"))
    world.add(td.gravity())
    start = world.energy
    built = time.perf_counter() - begin
    console.print(
        f"{rods} rods between two nails, {world.diagnose().freedoms} degrees of freedom; built in "
        f"{built:.2f} s"
    )
    worst = drift = cpu = 0.0
    low = high = world.potential_energy
    frames = max(1, round(seconds * 60))
    with ProgressBar(world, seconds, "swinging"):
        for _ in range(frames):
            mark = time.process_time()
            world.step(seconds / frames)
            cpu += time.process_time() - mark
            potential = world.potential_energy
            low, high = min(low, potential), max(high, potential)
            worst, drift = max(worst, world.gap), max(drift, abs(world.energy - start))
    pull = float((joint.force @ joint.force) ** 0.5)
    mark = time.perf_counter()
    world.remove(joint)
    world.step(1 / 60)
    edit = time.perf_counter() - mark
    world.undo()
    table = Table(title="measured")
    table.add_column("what")
    table.add_column("value", justify="right")
    for name, value in (
        ("simulated / CPU time", f"{seconds / cpu:.1f} ×"),
        ("widest joint opening", f"{worst:.1e} m"),
        ("worst energy error, of the potential range", f"{100 * drift / max(high - low, 1e-12):.3f} %"),
        ("pull on the last joint at the end", f"{pull:.1f} N"),
        ("cut that joint and take one more frame", f"{1e3 * edit:.2f} ms"),
        ("time after undo", f"{world.time:.3f} s, joint back: {'last joint' in world}"),
    ):
        table.add_row(name, value)
    console.print(table)
