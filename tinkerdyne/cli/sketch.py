"""`tinkerdyne sketch`: from a sketch file to a physical motion."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from tinkerdyne.cli.shared import (
    FAILED,
    INTERRUPTED,
    AsJson,
    UsageError,
    console,
    errors,
    plain_words,
    print_json,
    target_of,
)

if TYPE_CHECKING:
    from tinkerdyne.sketch.show.solution import Solution
    from tinkerdyne.sketch.show.tree_solution import TreeSolution

ENDINGS = (".json", ".npz", ".csv")
PICTURES = (".png", ".svg", ".pdf")


def sketch(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="A sketch file (.json); docs/sketching.md says what it holds."),
    ],
    out: Annotated[
        Path | None,
        typer.Option(help="The motion: .json (a scene that plays it), .npz or .csv (a recording)."),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(help="A picture of sketch and motion: .png, .svg or .pdf.")
    ] = None,
    restarts: Annotated[int, typer.Option(min=1, max=1000, help="First guesses to try.")] = 8,
    workers: Annotated[
        int | None,
        typer.Option(min=0, help="Processes; 0 for one a core. Left out: one, and one a core for a search."),
    ] = None,
    on: Annotated[
        str | None, typer.Option(help="A Dask cluster to work on, such as tcp://10.0.0.1:8786.")
    ] = None,
    search: Annotated[
        str | None, typer.Option(help="Find the corners that strike: exhaustive or beam.")
    ] = None,
    gaps: Annotated[
        bool | None,
        typer.Option("--gaps/--exact", help="Allow velocities to jump; otherwise only where needed."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Find the physical motion that fits a sketch, and say what it meets.

    Exit 1 when wishes are not met, or bodies overlap."""
    with plain_words():
        if not file.exists():
            raise UsageError(f"there is no file {str(file)!r}")
        if search not in (None, "exhaustive", "beam"):
            raise UsageError(f"--search is exhaustive or beam, not {search!r}")
        target = None if out is None else target_of(out, ENDINGS)
        drawn = None if plot is None else target_of(plot, PICTURES)
        if drawn is not None and importlib.util.find_spec("matplotlib") is None:
            raise ImportError("plotting needs matplotlib: pip install 'tinkerdyne[plot]'")
        from tinkerdyne.sketch.tell.file import load_sketch

        told = load_sketch(file)
        with (
            _executor(workers if workers is not None else 0 if search is not None else 1, on) as executor,
            interrupts() as is_interrupted,
        ):
            solution = _solve(told, restarts, gaps, executor, search, is_interrupted)
        _write(solution, target, drawn)
        if as_json:
            print_json(_report(file, solution))
        else:
            console.print(str(solution), markup=False, soft_wrap=True)
            for written in filter(None, (target, drawn)):
                console.print(f"wrote {written}", markup=False)
        if is_interrupted():
            raise typer.Exit(INTERRUPTED)
        if not solution.is_plausible:
            raise typer.Exit(FAILED)


@contextlib.contextmanager
def interrupts() -> Iterator[Callable[[], bool]]:
    """Whether Ctrl-C was pressed, which then does not end the command: the best motion so far is kept.

    A second one ends it."""
    pressed = threading.Event()

    def press(*_: object) -> None:
        if pressed.is_set():
            raise KeyboardInterrupt
        pressed.set()

    before = (
        signal.signal(signal.SIGINT, press) if threading.current_thread() is threading.main_thread() else None
    )
    try:
        yield pressed.is_set
    finally:
        if before is not None:
            signal.signal(signal.SIGINT, before)


def drawn_sketch(scene: str, target: Path) -> bool:
    """Draw what a sketch file asks for against the motion that is found, for `tinkerdyne plot`; False where
    it is no such file."""
    path = Path(scene)
    if path.suffix != ".json" or not path.is_file():
        return False
    from tinkerdyne.sketch.tell.file import is_sketch, load_sketch

    if not is_sketch(path):
        return False

    _solve(load_sketch(path), 8, None, None, None, None).plot(target)
    return True


@contextlib.contextmanager
def _executor(workers: int, on: str | None) -> Iterator[Executor | None]:
    """What works on several starts at once: a cluster, processes, or nothing; it is closed in the end."""
    from tinkerdyne.sketch.solve.parallel import LocalProcesses, executor_on

    is_alone = on is None and (workers or os.cpu_count()) == 1
    executor = None if is_alone else LocalProcesses(workers) if on is None else executor_on(on)
    try:
        yield executor
    finally:
        if executor is not None:
            executor.shutdown(cancel_futures=True)


def _write(solution: Solution | TreeSolution, target: Path | None, drawn: Path | None) -> None:
    """The motion and its picture, where they are wanted."""
    if target is not None and target.suffix == ".json":
        solution.world().save(target)
    elif target is not None:
        solution.recording().save(target)
    if drawn is not None:
        solution.plot(drawn)


def _solve(
    told: Any,
    restarts: int,
    gaps: bool | None,
    executor: Executor | None,
    search: str | None,
    cancel: Callable[[], bool] | None,
) -> Solution | TreeSolution:
    from tinkerdyne.sketch.tree.sketch import TreeSketch

    is_tree = isinstance(told, TreeSketch)
    if is_tree and (search is not None or gaps is not None):
        raise UsageError("a sketch of a tree has no collisions: leave out --search, --gaps and --exact")
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed} of {task.total}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal) as progress:
        if search is not None:
            from tinkerdyne.sketch.solve.search import chosen
            from tinkerdyne.sketch.solve.search import search as find

            task = progress.add_task("trying sequences", total=None)
            found = find(
                told, method=search, executor=executor, cancel=cancel,
                progress=lambda n, of: progress.update(task, completed=n, total=of),
            )  # fmt: skip
            told = chosen(told, found[0])
        task = progress.add_task("solving", total=restarts)
        options = {"restarts": restarts, "executor": executor} | ({} if is_tree else {"gaps": gaps})
        solution: Solution | TreeSolution = told.solve(
            **options,
            cancel=cancel,
            progress=lambda n, of, _best: progress.update(task, completed=n, total=of),
        )
        return solution


def _report(file: Path, solution: Solution | TreeSolution) -> dict[str, object]:
    return {
        "sketch": str(file),
        "met": solution.is_met,
        "plausible": solution.is_plausible,
        "misfit": solution.cost,
        "seconds": solution.seconds,
        "collisions": solution.grid[1:-1],
        "residuals": {r.says: r.size for r in solution.residuals},
        "depths": {d.says: d.size for d in getattr(solution, "depths", ())},  # a tree has none
        "gaps": [{"name": b.name, "time": b.time, "gaps": b.gaps} for b in solution.blows],
        "starts": len(solution.others),
        "cpu": solution.cpu,
        "says": str(solution),
    }
