"""The command line. So far: `tinkerdyne demo` runs a demonstration scene headless and prints what it measured."""

from __future__ import annotations

import math
import time
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

app = typer.Typer(add_completion=False, help="Tinkerdyne: interactive constrained dynamics.")
console = Console()


@app.callback()
def main() -> None:
    """Interactive constrained dynamics."""


@app.command()
def demo(
    seconds: Annotated[float, typer.Option(help="Simulated seconds.")] = 5.0,
    rods: Annotated[int, typer.Option(help="Rods in the chain.")] = 50,
) -> None:
    """Swing a chain of rods between two nails, cut it in mid-swing, and take the cut back."""
    if not (math.isfinite(seconds) and seconds > 0) or rods < 2:
        console.print("[red]seconds must be positive and rods at least 2")
        raise typer.Exit(2)
    import tinkerdyne as td

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
    console.print(f"{rods} rods between two nails, {world.diagnose().freedoms} degrees of freedom; built in {built:.2f} s")
    worst = drift = cpu = 0.0
    low = high = world.potential_energy
    frames = max(1, round(seconds * 60))
    columns = (TextColumn("swinging"), BarColumn(), TextColumn("{task.completed:.2f} s"), TimeElapsedColumn())
    with Progress(*columns, console=console) as bar:
        task = bar.add_task("", total=seconds)
        for _ in range(frames):
            mark = time.process_time()
            world.step(seconds / frames)
            cpu += time.process_time() - mark
            potential = world.potential_energy
            low, high = min(low, potential), max(high, potential)
            worst, drift = max(worst, world.gap), max(drift, abs(world.energy - start))
            bar.update(task, completed=world.time)
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


if __name__ == "__main__":
    app()
