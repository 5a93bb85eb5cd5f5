"""`python -m benchmarks [ONLY]`: measure every bar whose name begins with ONLY, print a line for each, write
the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from . import (
    bars_accuracy,
    bars_assembly,
    bars_chain,
    bars_contact,
    bars_contact_built,
    bars_contact_detection,
    bars_contact_worlds,
    bars_curve,
    bars_damped,
    bars_drag,
    bars_edit,
    bars_events,
    bars_fit,
    bars_growth,
    bars_interrupts,
    bars_live,
    bars_loop,
    bars_model,
    bars_net,
    bars_piles,
    bars_precision,
    bars_scene,
    bars_sketch,
    bars_sketch_families,
    bars_snake,
    bars_start,
    bars_stiff,
    bars_studio,
    bars_taut,
    bars_troid,
    table,
)
from .bar import Line, Measurement, Unmeasured

FAMILIES = (
    bars_chain,
    bars_loop,
    bars_net,
    bars_precision,
    bars_edit,
    bars_interrupts,
    bars_growth,
    bars_start,
    bars_stiff,
    bars_assembly,
    bars_drag,
    bars_scene,
    bars_troid,
    bars_curve,
    bars_damped,
    bars_model,
    bars_snake,
    bars_fit,
    bars_studio,
    bars_live,
    bars_taut,
    bars_sketch,
    bars_sketch_families,
    bars_accuracy,
    bars_events,
    bars_contact,
    bars_contact_built,
    bars_contact_detection,
    bars_contact_worlds,
    bars_piles,
)


def measurements(only: str) -> dict[str, Measurement]:
    """All measurements by the name of their bars, those that begin with `only`."""
    known = {name: measure for family in FAMILIES for name, measure in family.MEASUREMENTS.items()}
    chosen = {name: measure for name, measure in known.items() if name.startswith(only)}
    if not chosen:
        raise typer.BadParameter(f"no bar begins with {only!r}; there are {', '.join(known)}")
    return chosen


def lines_of(name: str, measure: Measurement) -> Iterator[Line]:
    """What a measurement says; when it fails, that is what it says, and the others go on."""
    try:
        yield from measure(name)
    except Exception as problem:
        yield Unmeasured(name, "the rest was", f"{type(problem).__name__}: {problem}")


Only = Annotated[str, typer.Argument(help="the beginning of the names of bars, such as loop or chain-100")]


def main(only: Only = "") -> None:
    """Measure our engine beside its peers."""
    chosen = measurements(only)
    console = Console(highlight=False, markup=False)
    about, said = table.circumstances(), list[Line]()
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=len(chosen))
        for name, measure in chosen.items():
            progress.update(task, description=name)
            for line in lines_of(name, measure):
                said.append(line)
                console.print(str(line), soft_wrap=True)
            progress.advance(task)
            table.write(said, about, only=only)
    console.print(f"the table is in {table.FOLDER / 'latest.md'}", soft_wrap=True)


if __name__ == "__main__":
    typer.run(main)
