"""`python -m benchmarks.soak`: every scene of the gallery for some simulated minutes, and ten scenes for an
hour; each in a process of its own, with a line for each.

A scene fails when a run ends with an error or stops short, when a number is not finite, when a gap is open
that no status told of, or when memory grows. Energy is shown at the beginning, at its least and most, and at
the end: what drives a scene or brakes it is the scene's own. Constraints on their way to their places do
work too: the energies are those from when the first ways are over, and what was put in till then is shown.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import time
import warnings
from typing import Annotated, Any

import typer

from ..process import ROOT, peak_megabytes

HOUR = (
    "bennett", "clock", "compound_pendulum", "four_bar", "jansen", "pandoras_chain", "rack_and_pinion",
    "running_chain", "screw_press", "stewart",
)  # fmt: skip
PART = 0.1  # s of simulated time between two looks
UNTOLD = 100  # tolerances: a wider gap must be told by the status
GROWTH = 30.0  # MB that a run may come to hold after its first tenth
HANGS = 4 * 3600.0  # s of one scene


def soak(name: str, minutes: float, cpu: float) -> dict[str, Any]:
    """Run one scene; what was seen."""
    from tinkerdyne import gallery
    from tinkerdyne.engine.culprits import approaches

    warnings.simplefilter("ignore")
    world = gallery.load(name).build()
    begin, count = time.process_time(), max(1, round(60 * minutes / PART))
    energies, gap, told, memory, word = [world.energy], 0.0, 0, 0.0, ""
    scattered, is_approaching = energies[0], True
    for k in range(count):
        result = world.step(PART)
        energies.append(world.energy)
        is_approaching = is_approaching and approaches(world.engine)
        if is_approaching:
            del energies[:-1]
        gap, told = max(gap, world.gap), told + (result.status.name == "UNMET")
        if not result:
            word = str(result)
        elif not math.isfinite(energies[-1]):
            word = f"the energy is {energies[-1]} at t = {world.time:g} s"
        elif world.gap > UNTOLD * world.settings["tolerance"] and not told:
            word = f"a gap of {world.gap:.2g} at t = {world.time:g} s that no status told of"
        memory = peak_megabytes() if k <= count // 10 else memory
        if word or time.process_time() - begin > cpu:
            break
    growth = peak_megabytes() - memory
    if not word and growth > GROWTH:
        word = f"memory grew by {growth:.0f} MB"
    return {
        "minutes": world.time / 60,
        "energy": [energies[0], min(energies), max(energies), energies[-1]],
        "put_in": energies[0] - scattered,
        "gap": gap,
        "unmet": told,
        "growth": growth,
        "cpu": time.process_time() - begin,
        "failed": word,
    }


def in_a_process(name: str, minutes: float, cpu: float) -> dict[str, Any]:
    """The same in a process of its own, so that a crash is a line too."""
    command = [sys.executable, "-m", "benchmarks.soak", "--work-on", name, "--minutes", str(minutes)]
    done = subprocess.run(
        [*command, "--cpu", str(cpu)], cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False,
        capture_output=True, text=True, timeout=HANGS,
    )  # fmt: skip
    if done.returncode:
        return {"failed": f"it ended with {done.returncode}: {done.stderr.strip()[-300:]}"}
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def line(name: str, found: dict[str, Any]) -> str:
    """What is said of a scene."""
    if "minutes" not in found:
        return f"FAILED {name}: {found['failed']}"
    first, least, most, last = found["energy"]
    said = (
        f"{name}: {found['minutes']:.3g} min, energy {first:.6g} → {last:.6g} J "
        f"(from {least:.6g} to {most:.6g}; put in before {found['put_in']:.6g}), "
        f"gap {found['gap']:.1e}, unmet {found['unmet']} times, "
        f"memory +{found['growth']:.1f} MB, "
        f"CPU {found['cpu']:.1f} s"
    )
    return f"FAILED {said}: {found['failed']}" if found["failed"] else said


Minutes = Annotated[float, typer.Option(help="simulated minutes of every scene")]
Hour = Annotated[float, typer.Option(help="simulated minutes of the ten scenes")]
Only = Annotated[str, typer.Option(help="one scene")]
Cpu = Annotated[float, typer.Option(help="seconds of CPU after which a scene is cut short")]
Work = Annotated[str, typer.Option(hidden=True)]


def main(
    minutes: Minutes = 10.0, hour: Hour = 60.0, only: Only = "", cpu: Cpu = 1800.0, work_on: Work = ""
) -> None:
    """Run the gallery for long, and look at energy, gap and memory."""
    from tinkerdyne import gallery

    if work_on:
        print(json.dumps(soak(work_on, minutes, cpu)))
        return
    every = [only] if only else gallery.names()
    jobs = [(name, minutes) for name in every]
    jobs += [(name, hour) for name in HOUR if hour and name in every and hour > minutes]
    failed = 0
    for name, how_long in jobs:
        found = in_a_process(name, how_long, cpu)
        failed += bool(found["failed"])
        print(line(name, found), flush=True)
    print(f"{len(jobs)} runs, {failed} failed")
    raise SystemExit(int(failed > 0))


if __name__ == "__main__":
    typer.run(main)
