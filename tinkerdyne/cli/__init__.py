"""The command line: run, check, plot and edit scenes, run the gallery with its checks, measure speed.

A SCENE is a scene file (.json), the name of a gallery scene, or a path to such a Python file. Exit codes: 0
fine, 1 the scene or a claim failed, 2 wrong usage, 130 interrupted. Messages go to stderr; with --json,
stdout holds one JSON value and no more.
"""

from __future__ import annotations

import importlib.metadata
from typing import Annotated

import typer

from tinkerdyne.cli import scenes
from tinkerdyne.cli.demo import demo
from tinkerdyne.cli.look import bench, check, plot, repl
from tinkerdyne.cli.render import render
from tinkerdyne.cli.run import run
from tinkerdyne.cli.share import share
from tinkerdyne.cli.sketch import sketch
from tinkerdyne.cli.studio import studio

app = typer.Typer(
    add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode="rich"
)


def _version(wanted: bool) -> None:
    if wanted:
        try:
            typer.echo(f"tinkerdyne {importlib.metadata.version('tinkerdyne')}")
        except importlib.metadata.PackageNotFoundError:
            typer.echo("tinkerdyne, from a checkout that is not installed")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Tinkerdyne: interactive constrained dynamics.

    A SCENE is a scene file (.json), the name of a gallery scene, or a path to such a Python file.

    Exit codes: 0 fine, 1 the scene or a claim failed, 2 wrong usage, 130 interrupted.
    """


for command in (run, check, plot, render, share, repl, bench, sketch, demo, studio):
    app.command()(command)
app.add_typer(scenes.app, name="gallery")

__all__ = ["app"]
