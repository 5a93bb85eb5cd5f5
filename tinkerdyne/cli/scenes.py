"""`tinkerdyne gallery`: list the scenes of the gallery, and run them with their checks."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

import tinkerdyne as td
from tinkerdyne import gallery
from tinkerdyne.cli.shared import (
    FAILED,
    AsJson,
    ProgressBar,
    UsageError,
    console,
    path_of,
    plain_words,
    print_json,
    say,
)

app = typer.Typer(invoke_without_command=True)


@app.callback()
def list_gallery(context: typer.Context, as_json: AsJson = False) -> None:
    """List the gallery's scenes, or run them with their checks."""
    if context.invoked_subcommand is not None:
        return
    with plain_words():
        scenes, broken = [], []
        for name in gallery.names():
            try:
                scenes.append(gallery.load(name))
            except td.SceneError as error:
                broken.append(str(error))
        if as_json:
            print_json(
                [
                    {"name": s.name, "title": s.title, "ids": s.ids, "seconds": s.seconds, "slow": s.is_slow}
                    for s in scenes
                ]
            )
        else:
            table = Table(box=None, pad_edge=False, show_header=False)
            table.add_column(style="bold", no_wrap=True)
            table.add_column()
            table.add_column(style="dim")
            for s in scenes:
                table.add_row(s.name, s.title, " ".join(s.ids))
            console.print(table)
        for problem in broken:
            say(problem)
        if broken:
            raise typer.Exit(FAILED)


@app.command("run")
def run_gallery(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]...", help="Scenes of the gallery.")
    ] = None,
    every_one: Annotated[bool, typer.Option("--all", help="Run all of them.")] = False,
    as_json: AsJson = False,
) -> None:
    """Run scenes and check what they claim. Exit 1 when a claim fails."""
    with plain_words():
        if bool(names) == every_one:
            raise UsageError("name one or more scenes, or say --all for all of them")
        reports = [_run_one(name, as_json) for name in _claiming(names or gallery.names())]
        if as_json:
            print_json(reports)
        failed = [str(report["name"]) for report in reports if not report["holds"]]
        if failed:
            say(f"{len(failed)} of {len(reports)} failed: {', '.join(failed)}")
            raise typer.Exit(FAILED)


def _claiming(names: Sequence[str]) -> Sequence[str]:
    """These names, when all of them mean scenes that make claims."""
    for name in names:
        if Path(name).suffix == ".json":
            raise UsageError(f"{name!r} is a scene file and claims nothing; `tinkerdyne run` runs it")
        path_of(name)
    return names


def _run_one(name: str, quiet: bool) -> dict[str, object]:
    """Run one scene of the gallery, print its claims and return them; a scene that breaks has failed, and the
    others go on."""
    begin = time.perf_counter()
    claims: tuple[gallery.Claim, ...] = ()
    title = problem = ""
    try:
        scene = gallery.read(path_of(name))
        title = scene.title
        world = scene.build()
        with ProgressBar(world, scene.seconds, scene.name):
            recording = scene.record(world)
        claims = scene.check(world, recording)
    except td.SceneError as error:
        problem = str(error)
    wall = time.perf_counter() - begin
    if not quiet:
        console.print(
            f"{Path(name).stem}  {title}  ({wall:.1f} s)", style="bold", markup=False, soft_wrap=True
        )
        for claim in claims:
            console.print(f"  {claim}", style="" if claim.holds else "red", markup=False, soft_wrap=True)
    if problem:
        say(problem)
    told = [{**asdict(claim), "holds": claim.holds} for claim in claims]
    holds = not problem and all(claim.holds for claim in claims)
    return {"name": Path(name).stem, "wall": wall, "holds": holds, "error": problem or None, "claims": told}
