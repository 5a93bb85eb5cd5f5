"""What every command shares: which scene is meant, plain words for errors, JSON, and a bar of simulated
time."""

from __future__ import annotations

import contextlib
import json
import math
import warnings
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.console import Console, RenderableType
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

import tinkerdyne as td
from tinkerdyne import export, gallery
from tinkerdyne.cli.interrupts import heard_interrupts
from tinkerdyne.language.item import Item
from tinkerdyne.world.recording import Recording
from tinkerdyne.world.world import World

SECONDS = 5.0  # of a run, when neither the command line nor the scene says
FAILED, USAGE, INTERRUPTED = 1, 2, 130  # exit codes

console, errors = Console(highlight=False), Console(stderr=True, highlight=False, soft_wrap=True)

SceneName = Annotated[
    str,
    typer.Argument(metavar="SCENE", help="A scene file (.json), a gallery scene's name, or its .py file."),
]
Seconds = Annotated[float | None, typer.Option(help=f"Simulated seconds; as the scene says, or {SECONDS:g}.")]
Every = Annotated[
    float | None, typer.Option(help="Seconds between recorded moments; as the scene says, or 1/60.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON value instead of text.")]


class UsageError(Exception):
    """The command line asks for what does not exist."""


@contextlib.contextmanager
def plain_words() -> Iterator[None]:
    """Errors become one line on stderr and an exit code; warnings become notes."""

    def note(message: Warning | str, *_: object, **__: object) -> None:
        errors.print(f"note: {message}", style="yellow", markup=False)

    try:
        with heard_interrupts(), warnings.catch_warnings():
            warnings.showwarning = note
            yield
    except (typer.Exit, typer.Abort, BrokenPipeError):
        raise
    except KeyboardInterrupt:
        say("stopped; nothing was written")
        raise typer.Exit(INTERRUPTED) from None
    except UsageError as problem:
        say(str(problem))
        raise typer.Exit(USAGE) from problem
    except OSError as problem:
        named = f"{problem.filename}: " if problem.filename else ""
        say(f"{named}{problem.strerror or problem}")
        raise typer.Exit(FAILED) from problem
    except Exception as problem:
        known = isinstance(problem, (ValueError, TypeError, ImportError, td.FormulaError))
        said = problem.args[0] if isinstance(problem, KeyError) and problem.args else problem
        say(str(said) if known else f"{type(problem).__name__}: {said}")
        raise typer.Exit(FAILED) from problem


def say(message: str) -> None:
    errors.print(f"error: {' '.join(message.split())}", style="red", markup=False)


def print_json(value: object) -> None:
    typer.echo(json.dumps(_plain(value), ensure_ascii=False, indent=2, allow_nan=False))


def _plain(value: object) -> object:
    """As JSON has it: lists and numbers; what is not finite is null."""
    if isinstance(value, dict):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [_plain(v) for v in value]
    if isinstance(value, (float, np.floating)):
        return float(value) if math.isfinite(value) else None
    return value


def opened(name: str) -> gallery.Scene | World:
    """The scene of the gallery, or the world of a scene file, that SCENE means."""
    path = path_of(name)
    return World.load(path) if path.suffix == ".json" else gallery.read(path)


def path_of(name: str) -> Path:
    """The file, .json or .py, that SCENE means."""
    path = Path(name)
    if name in gallery.names():
        return gallery.folder() / f"{name}.py"
    if path.exists():
        if path.suffix not in (".json", ".py"):
            raise UsageError(
                f"{name!r} is no scene: a scene ends in .json or .py, or is a name that `tinkerdyne gallery` "
                "lists"
            )
        return path
    if path.suffix or len(path.parts) > 1:
        there = [
            str(path.with_name(other.name))
            for other in sorted(path.parent.glob("*"))
            if other.suffix in (".json", ".py")
        ]
        raise UsageError(f"there is no file {name!r}{gallery.near(name, [*there, *gallery.names()])}")
    close = gallery.near(name, gallery.names())
    raise UsageError(f"there is no scene {name!r}{close or '; `tinkerdyne gallery` lists them'}")


def world_of(scene: gallery.Scene | World) -> World:
    return scene.build() if isinstance(scene, gallery.Scene) else scene


def check_positive(name: str, value: float | None) -> None:
    if value is not None and not (math.isfinite(value) and value > 0):
        raise UsageError(f"--{name} must be a positive number, not {value:g}")


def target_of(out: Path, endings: tuple[str, ...]) -> Path:
    """A file to be written at the end, refused before the work when it cannot be."""
    if out.suffix.lower() not in endings:
        raise UsageError(
            f"--out {str(out)!r} must end in {', '.join(endings[:-1])} or {endings[-1]}, which says how it "
            "is written"
        )
    return export.checked_target(out, endings)


class ProgressBar(Progress):
    """A bar of simulated time on stderr, when that is a terminal; it reads the world's clock while the world
    runs."""

    def __init__(self, world: World, seconds: float, says: str) -> None:
        self._world: World | None = None  # rich draws once while it is set up
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.completed:.2f} s"),
            TimeElapsedColumn(),
        )
        super().__init__(*columns, console=errors, transient=True, disable=not errors.is_terminal)
        self._begin, self._world = world.time, world
        self._task: TaskID = self.add_task(says, total=seconds)

    def get_renderables(self) -> Iterable[RenderableType]:
        if self._world is not None:
            self.update(self._task, completed=self._world.time - self._begin)
        return super().get_renderables()


def recorded(
    scene: gallery.Scene | World,
    world: World,
    seconds: float | None,
    every: float | None,
    of: Sequence[Item] | None = None,
) -> Recording:
    """The run of a scene as it runs by itself, or as long and as often as asked for."""
    check_positive("seconds", seconds)
    check_positive("every", every)
    length = seconds or (scene.seconds if isinstance(scene, gallery.Scene) else SECONDS)
    often = every or (scene.every if isinstance(scene, gallery.Scene) else gallery.EVERY)
    with ProgressBar(world, length, "running"):
        if isinstance(scene, gallery.Scene) and scene.runs_itself and seconds is None and every is None:
            return scene.record(world)
        return world.record(length, every=often, of=of)


def objects(world: World) -> list[td.Item]:
    return [item for item in world.items if item.type.family == "object"]
