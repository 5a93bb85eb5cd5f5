"""`tinkerdyne run`: run a scene and write its states as a table."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from tinkerdyne import export
from tinkerdyne.cli.shared import (
    FAILED,
    AsJson,
    Every,
    SceneName,
    Seconds,
    console,
    objects,
    opened,
    plain_words,
    print_json,
    recorded,
    say,
    target_of,
    world_of,
)
from tinkerdyne.world.accuracy import figures
from tinkerdyne.world.recording import Recording
from tinkerdyne.world.results import Status
from tinkerdyne.world.world import World


def run(
    scene: SceneName,
    seconds: Seconds = None,
    every: Every = None,
    out: Annotated[
        Path | None, typer.Option(help="Write the states to this .csv, .npz or .parquet file.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Run a scene, and write its states as a table.

    One row a recorded time. Columns: time, energy, kinetic_energy, potential_energy; of each object its
    state, such as <name>.position.x, .velocity.z, .orientation.w, .spin.x; of each constraint <name>.force.0
    … (the multipliers, row by row) and <name>.gap. SI units. The file is written as a whole or not at all.
    """
    with plain_words():
        target = None if out is None else target_of(out, export.ENDINGS)
        found = opened(scene)
        world = world_of(found)
        begin = time.perf_counter()
        recording = recorded(found, world, seconds, every)
        wall = time.perf_counter() - begin
        if target is not None:
            export.write_table(target, export.table(recording))
        _report_run(scene, world, recording, wall, target, as_json)
        if not recording.is_complete:
            say(f"{_ended(scene, recording)}; what was recorded ends there")
            raise typer.Exit(FAILED)


def _ended(scene: str, recording: Recording) -> str:
    """Why a run ended early, when, and what to do about it."""
    result, when = recording.result, f"after t = {recording.time[-1]:.6g} s"
    if result is None or result.status is Status.NOT_FINITE:
        who = f", at {', '.join(result.culprits)}" if result is not None and result.culprits else ""
        return f"the motion of {scene} stopped being finite {when}{who}"
    return f"the motion of {scene} ended {when}: {result}"


def _report_run(
    scene: str, world: World, recording: Recording, wall: float, target: Path | None, as_json: bool
) -> None:
    energy = recording.kinetic_energy + recording.potential_energy
    gaps = {
        name.removesuffix(".gap"): float(recording[name][-1]) for name in recording if name.endswith(".gap")
    }
    widest = max(gaps, key=lambda name: gaps[name], default=None)
    if as_json:
        state = {
            item.name: {name: getattr(item, name) for name in item.type.state_names()}
            for item in objects(world)
        }
        report = {
            "scene": scene,
            "time": world.time,
            "moments": len(recording.time),
            "complete": recording.is_complete,
        }
        report |= {
            "energy": {"first": energy[0], "last": energy[-1], "range": np.ptp(energy)},
            "gap": gaps.get(widest or "", 0.0),
            "status": None if recording.result is None else recording.result.status.name,
            "culprits": [] if recording.result is None else recording.result.culprits,
            "remedy": "" if recording.result is None else recording.result.remedy,
            "accuracy": figures(recording.accuracy),
        }
        print_json(report | {"wall": wall, "out": None if target is None else str(target), "state": state})
        return
    length = recording.time[-1] - recording.time[0]
    console.print(f"{scene}: {length:g} s in {wall:.2f} s, {len(recording.time)} moments", markup=False)
    console.print(f"energy {energy[0]:.6g} J at first, {energy[-1]:.6g} J at the end")
    if widest is not None:
        console.print(f"widest gap at the end {gaps[widest]:.2g}, of {widest}", markup=False)
    if recording.accuracy is not None:
        console.print(f"accuracy: {recording.accuracy}", markup=False, soft_wrap=True)
    if recording.result is not None and recording.result.status in (Status.INACCURATE, Status.UNMET):
        console.print(str(recording.result), markup=False, soft_wrap=True, style="yellow")
    if target is not None:
        console.print(f"wrote {target}", markup=False)
