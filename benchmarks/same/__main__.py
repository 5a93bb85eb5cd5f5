"""`python -m benchmarks.same --rev COMMIT`: does the working tree compute a commit's bytes, as fast?

Both trees run beside each other on this machine, with the same libraries and for the same CPU target
(TINKERDYNE_CPU). The gallery's scenes are stepped and run in their own way, random worlds are stepped and
edited; everything they show is compared byte by byte. CPU times of a step are taken in turns.
"""

from __future__ import annotations

import inspect
import json
import os
import re
import statistics
from importlib.metadata import version
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from . import core_object, difference
from .tree import FOLDER, Side, commit_of, new_tree, old_tree

ROUNDS = 9
SORTS = {
    "scene": "scenes, 1,000 steps",
    "random": "random worlds, 1,000 steps and edits",
    "run": "scenes, as they run themselves",
    "sketch": "sketches, solved",
}
console = Console(highlight=False, markup=False, soft_wrap=True)

Rev = Annotated[str, typer.Option(help="the commit to compare with")]
Only = Annotated[str, typer.Option(help="how names of worlds begin, such as jansen or 'random 17'")]
Worlds = Annotated[int, typer.Option(help="how many random worlds")]
Object = Annotated[
    bool, typer.Option("--object", help="compare the object code of the compiled core, and nothing else")
]
Bytes = Annotated[bool, typer.Option("--bytes", help="compare bytes, and nothing else")]
Times = Annotated[bool, typer.Option("--times", help="compare times, and nothing else")]
HashSeed = Annotated[int, typer.Option(help="Python's seed of hashes in the new tree; the old one has 0")]


def compare_objects(commit: str) -> bool:
    """Whether the compiled core has the same code and constants; those of the commit are kept."""
    made_by = core_object.digest(inspect.getsource(core_object), version("llvmlite"))[:12]
    kept = FOLDER / f"object-{commit[:12]}-{os.environ.get('TINKERDYNE_CPU') or 'native'}-{made_by}.json"
    if kept.exists():
        old = json.loads(kept.read_text())
    else:
        with old_tree(commit) as tree:
            old = json.loads(tree.run("core_object.py"))
        kept.write_text(json.dumps(old))
    with new_tree() as tree:
        new = json.loads(tree.run("core_object.py"))
    said = core_object.compare(old, new)
    sizes = ", ".join(f"{name} {size}" for name, (size, *_) in new["sections"].items())
    console.print("\n".join(said) if said else f"the object code is equal: {sizes} bytes")
    return not said


def is_meant(name: str, only: str) -> bool:
    """Whether a word of a name begins as asked; `random 1` is not `random 17`."""
    return re.search(rf"(?:^|\s){re.escape(only)}(?!\d)", name) is not None


def compare_bytes(old: Side, new: Side, *, only: str, worlds: int) -> bool:
    """Whether all worlds that both trees have compute the same numbers; what differs is named on the way."""
    names = [side.ask("names", count=worlds) for side in (old, new)]
    for label, mine, theirs in (("old", *names), ("new", *reversed(names))):
        alone = [name for name in mine if name not in theirs and is_meant(name, only)]
        if alone:
            console.print(f"only in the {label} tree, and not compared: {', '.join(alone)}")
    chosen = [name for name in names[1] if name in names[0] and is_meant(name, only)]
    found = []
    with console.status("") as status:
        for k, name in enumerate(chosen):
            status.update(f"{k + 1} of {len(chosen)}: {name}")
            for side in (old, new):
                side.send("world", name=name)
            found.append(difference.compare(name, old.answer(), new.answer()))
            if not found[-1].is_equal:
                console.print(f"DIFFERS  {found[-1]}")
    for sort, title in SORTS.items():
        of_sort = [one for one in found if one.world.startswith(f"{sort} ")]
        if of_sort:
            equal, numbers = sum(one.is_equal for one in of_sort), sum(one.numbers for one in of_sort)
            console.print(f"{title}: {equal} of {len(of_sort)} equal, {numbers:,} numbers")
    told = [one for one in found if one.words]
    if told:
        listed = ", ".join(f"{one.world} ({', '.join(one.words)})" for one in told[:5])
        more = " …" if told[5:] else ""
        console.print(
            f"words differ, which is no difference of numerics, in {len(told)} worlds: {listed}{more}"
        )
    return bool(found) and all(one.is_equal for one in found)


def compare_times(old: Side, new: Side, *, only: str) -> None:
    """CPU time a step, in turns; both sides take the very same steps, so the ratio is that of each round."""
    theirs = old.ask("timed")
    names = [name for name in new.ask("timed") if name in theirs and is_meant(name, only)]
    if not names:
        return
    table = Table("CPU time a step [µs]", "old, least", "median", "new, least", "median", "new / old")
    with console.status("") as status:
        for name in names:
            rounds = []
            for k in range(ROUNDS + 1):
                status.update(f"{name}, round {k} of {ROUNDS}")
                order = (old, new) if k % 2 else (new, old)
                taken = {side.tree.label: side.ask("time", name=name) for side in order}
                rounds.append((1e6 * taken["old"], 1e6 * taken["new"]))
            del rounds[0]  # to warm up
            cells = [
                f"{f(column):.3g}" for column in zip(*rounds, strict=True) for f in (min, statistics.median)
            ]
            table.add_row(name, *cells, f"{statistics.median(b / a for a, b in rounds):.3f}")
    console.print(table)


def main(
    rev: Rev = "HEAD",
    only: Only = "",
    worlds: Worlds = 50,
    is_object: Object = False,
    is_bytes: Bytes = False,
    is_times: Times = False,
    hash_seed: HashSeed = 0,
) -> None:
    """Compare the working tree with a commit; ends with 1 where numbers or object code differ."""
    commit = commit_of(rev)
    cpu = os.environ.get("TINKERDYNE_CPU") or "native"
    console.print(f"old: commit {commit[:12]}; new: the working tree; CPU {cpu}")
    if is_object:
        raise typer.Exit(0 if compare_objects(commit) else 1)
    is_all = not is_bytes and not is_times
    is_same = True
    with (
        old_tree(commit) as before,
        new_tree() as after,
        Side(before) as old,
        Side(after, hash_seed=hash_seed) as new,
    ):
        if is_all or is_bytes:
            is_same = compare_bytes(old, new, only=only, worlds=worlds)
        if is_all or is_times:
            compare_times(old, new, only=only)
    raise typer.Exit(0 if is_same else 1)


if __name__ == "__main__":
    try:
        typer.run(main)
    except (RuntimeError, ValueError) as problem:
        raise SystemExit(str(problem)) from None
