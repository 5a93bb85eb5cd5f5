"""`tinkerdyne check`, `plot`, `repl` and `bench`: look into a scene in words, pictures, Python and
numbers."""

from __future__ import annotations

import code
import contextlib
import importlib.util
import keyword
import os
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

import tinkerdyne as td
from tinkerdyne import gallery
from tinkerdyne.cli.interrupts import leave_interrupts
from tinkerdyne.cli.shared import (
    FAILED,
    AsJson,
    SceneName,
    Seconds,
    console,
    objects,
    opened,
    plain_words,
    print_json,
    recorded,
    target_of,
    world_of,
)
from tinkerdyne.cli.sketch import drawn_sketch
from tinkerdyne.world.accuracy import figures
from tinkerdyne.world.world import World

OPEN = 1e-7  # a gap worth a word [SI]
TRIED = 0.25  # s that a scene is run for, to see how accurate it is
ROOT = Path(__file__).parents[2]  # of a checkout


def check(scene: SceneName, as_json: AsJson = False) -> None:
    """Say in words what the constraints of a scene do: freedoms, repetitions, contradictions, gaps.

    Exit 1 when they contradict, or when the scene does not run."""
    with plain_words():
        world = world_of(opened(scene))
        held = [item for item in world.items if item.type.family == "constraint" and item.is_on]
        gaps = {item.name: item.gap for item in held if item.gap > OPEN}
        world.project(iterations=100)  # what is still on its way to its place contradicts nothing
        found = world.diagnose()
        taus = {item.name: item.tau for item in held if "tau" in item.values}
        tried = _tried(scene)
        advice = _advice(found, gaps, taus, tried)
        if as_json:
            print_json(
                {
                    "scene": scene,
                    "status": tried.status.name,
                    "culprits": tried.culprits,
                    "remedy": tried.remedy,
                    "accuracy": figures(tried.accuracy),
                    "freedoms": found.freedoms,
                    "rows": found.rows,
                    "rank": found.rank,
                    "redundant": found.redundant,
                    "contradictory": found.contradictory,
                    "without_effect": found.without_effect,
                    "residual": found.residual,
                    "gaps": gaps,
                    "advice": advice,
                }
            )
        else:
            console.print(f"{scene}: {len(objects(world))} objects, {len(held)} constraints", markup=False)
            for line in (
                str(found).splitlines()[0],
                *([f"accuracy in its first {TRIED:g} s: {tried.accuracy}"] if tried.accuracy else []),
                *(advice or ["nothing repeats or contradicts, and all gaps are closed"]),
            ):
                console.print(line, markup=False, soft_wrap=True)
        if found.contradictory or not tried:
            raise typer.Exit(FAILED)


def _advice(
    found: td.Diagnosis, gaps: dict[str, float], taus: dict[str, float], tried: td.Result
) -> list[str]:
    """What to do about repetitions, contradictions, gaps, and what the first moments met."""
    advice = [
        f"{', '.join(group)} repeat each other: harmless; remove one, or keep it" for group in found.redundant
    ]
    advice += [
        f"{', '.join(group)} contradict each other: remove or switch off one" for group in found.contradictory
    ]
    advice += [
        f"{name} has no effect: it can move nothing; remove it, or free what it holds"
        for name in found.without_effect
    ]
    for name, gap in gaps.items():
        if not any(name in group for group in found.contradictory):
            advice.append(
                f"{name} is open by {gap:.3g}: it closes with its tau of {taus[name]:g} s, or now by "
                "world.project()"
            )
    if tried.status is td.Status.INACCURATE:
        advice.append(f"in its first {TRIED:g} s: {tried.remedy}")
    elif not tried or (tried.status is td.Status.UNMET and not found.contradictory):
        advice.append(f"in its first {TRIED:g} s: {tried}")
    return advice


def _tried(scene: str) -> td.Result:
    """What the first moments of a scene say of its accuracy."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # they were said when the scene was looked at
        return world_of(opened(scene)).run(TRIED)


def plot(
    scene: SceneName,
    out: Annotated[Path, typer.Option(help="The picture: .png, .svg or .pdf.")] = Path("plot.png"),
    seconds: Seconds = None,
    films: Annotated[int, typer.Option(min=0, max=60, help="Pictures in the filmstrip.")] = 6,
) -> None:
    """Draw a run: a filmstrip, and energies, gaps and constraint forces over time; of a sketch file, sketch
    and motion."""
    with plain_words():
        if importlib.util.find_spec("matplotlib") is None:
            raise ImportError("plotting needs matplotlib: pip install 'tinkerdyne[plot]'")
        from tinkerdyne import drawing

        target = target_of(out, drawing.ENDINGS)
        if drawn_sketch(scene, target):
            console.print(f"wrote {target}", markup=False)
            return
        found = opened(scene)
        world = world_of(found)
        recording = recorded(found, world, seconds, None, of=drawing.readings_for_plot(world))
        title = found.title if isinstance(found, gallery.Scene) else Path(scene).stem
        drawing.plot(world, recording, target, title=title, films=films)
        console.print(f"wrote {target}", markup=False)


def repl(scene: SceneName) -> None:
    """Open a Python prompt on a scene: `world`, its items by name, all names of tinkerdyne, numpy as np.

    Ctrl-D ends it."""
    with plain_words():
        world = world_of(opened(scene))
        names = Names({name: getattr(td, name) for name in td.__all__})
        names.update(
            {
                item.name: item
                for item in world.items
                if item.name.isidentifier() and not keyword.iskeyword(item.name)
            }
        )
        names.update(world=world, np=np, td=td)
        if sys.stdin.isatty():
            with contextlib.suppress(ImportError):  # line editing, where the platform has it
                import readline  # noqa: F401
        there = ", ".join(item.name for item in objects(world)[:12])
        hint = "try world.step(1), world.energy, world.diagnose(), world.undo(), world.save('scene.json')"
        leave_interrupts()
        code.interact(f"{scene}: {there}\n{hint}", local=names, exitmsg="")


class Names(dict[str, object]):
    """The names of the prompt; an item that came later is found in the world by its name."""

    def __missing__(self, name: str) -> object:
        world = dict.get(self, "world")
        if isinstance(world, World) and name in world:
            return world[name]
        raise KeyError(name)


def bench(
    family: Annotated[
        str, typer.Argument(help="The beginning of the names of bars, such as loop or chain-100.")
    ] = "",
) -> None:
    """Measure speed and accuracy beside other engines (in a checkout of the source)."""
    with plain_words():
        if not (ROOT / "benchmarks" / "__main__.py").is_file():
            raise FileNotFoundError(
                "the benchmarks come with the source, not with the package; in a checkout: make bench"
            )
        one = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}
        command = [sys.executable, "-m", "benchmarks", family]
        raise typer.Exit(subprocess.run(command, cwd=ROOT, env={**one, **os.environ}).returncode)
