"""`python -m benchmarks.fuzz`: random cases for some minutes, each from its seed; a seed runs again with
`--only CAMPAIGN --seed SEED --cases 1`.

The cases run in processes of their own, one for each campaign in turn. One that crashes or hangs is a failure
like another: its seed is printed, and a new process goes on behind it.
"""

from __future__ import annotations

import faulthandler
import os
import resource
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Annotated

import typer

from ..process import ROOT

CAMPAIGNS = ("interrupts", "scenes", "formulas", "sequences", "messages")
TURN = 60.0  # s of one campaign before the next one has its turn
HANGS = 300.0  # s: no case takes as long


def case_of(campaign: str) -> tuple[Callable[[Random], str], Callable[[], None]]:
    """What runs one case of a campaign, and what ends it."""
    from . import formulas, interrupts, messages, scenes, sequences

    if campaign == "messages":
        running = messages.Campaign()
        return running.case, running.end
    plain = {"interrupts": interrupts, "scenes": scenes, "formulas": formulas, "sequences": sequences}
    return plain[campaign].case, lambda: None


def work(campaign: str, seed: int, cases: int, seconds: float) -> int:
    """Run cases of a campaign in this process; how many failed. The seed in hand stands in a file."""
    faulthandler.enable()
    case, end = case_of(campaign)
    note = Path(os.environ["TINKERDYNE_FUZZ_NOTE"])
    came, failed, until = Counter[str](), 0, time.monotonic() + seconds
    for number in range(seed, seed + cases):
        note.write_text(str(number))
        try:
            came[case(Random(number))] += 1
        except Exception as problem:
            failed += 1
            where = traceback.extract_tb(problem.__traceback__)[-1]
            said = f"{type(problem).__name__}: {problem} ({where.name}, {where.lineno})"
            print(f"FAILED {campaign} seed {number}: {said}")
        if time.monotonic() > until:
            break
    note.write_text(str(number + 1))
    end()
    print(
        f"{campaign}: {sum(came.values()) + failed} cases from seed {seed}, {failed} failed; {dict(came)}",
        flush=True,
    )
    return failed


def turn(campaign: str, seed: int, seconds: float) -> tuple[int, int]:
    """One turn of a campaign in a process of its own: the seed to go on with, and how many failed."""
    with tempfile.TemporaryDirectory() as folder:
        note = Path(folder) / "seed"
        note.write_text(str(seed))
        here = {"TINKERDYNE_FUZZ_NOTE": str(note), "XDG_STATE_HOME": folder, "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-m", "benchmarks.fuzz", "--work-on", campaign, "--seed", str(seed)]
        command += ["--minutes", str(seconds / 60)]
        try:
            done = subprocess.run(
                command, cwd=folder, env={**os.environ, **here}, timeout=seconds + HANGS, check=False,
                capture_output=True, text=True,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            print(f"FAILED {campaign} seed {note.read_text()}: it hangs", flush=True)
            return int(note.read_text()) + 1, 1
        print(done.stdout, end="", flush=True)
        if done.returncode not in (0, 1):
            print(f"FAILED {campaign} seed {note.read_text()}: it crashed with {done.returncode}", flush=True)
            print(done.stderr[-3000:], flush=True)
            return int(note.read_text()) + 1, 1
        return int(note.read_text()), done.stdout.count("FAILED ")


Minutes = Annotated[float, typer.Option(help="minutes for all campaigns together")]
Only = Annotated[str, typer.Option(help=f"one campaign of {', '.join(CAMPAIGNS)}")]
Seed = Annotated[int, typer.Option(help="the first seed; a number made of the time where it is -1")]
Cases = Annotated[int, typer.Option(help="run so many cases here, in this process")]
Work = Annotated[str, typer.Option(hidden=True)]


def main(
    minutes: Minutes = 5.0, only: Only = "", seed: Seed = -1, cases: Cases = 0, work_on: Work = ""
) -> None:
    """Attack files, formulas, edits, interrupts and the socket with random cases."""
    first = int(time.time()) % 10**9 * 1000 if seed < 0 else seed
    if only and only not in CAMPAIGNS:
        raise typer.BadParameter(f"there is no campaign {only!r}; there are {', '.join(CAMPAIGNS)}")
    if work_on:
        raise SystemExit(int(work(work_on, first, 10**9, 60 * minutes) > 0))
    if cases:
        with tempfile.TemporaryDirectory() as folder:
            os.environ |= {"TINKERDYNE_FUZZ_NOTE": f"{folder}/seed", "XDG_STATE_HOME": folder}
            raise SystemExit(int(work(only or CAMPAIGNS[0], first, cases, 1e9) > 0))
    print(f"seeds begin at {first}; one again: make fuzz ONLY=scenes SEED=… CASES=1", flush=True)
    chosen = [only] if only else list(CAMPAIGNS)
    seeds, failed, until = dict.fromkeys(chosen, first), 0, time.monotonic() + 60 * minutes
    while (rest := until - time.monotonic()) > 0:
        for campaign in chosen:
            seconds = max(1.0, min(TURN, rest / len(chosen)))
            seeds[campaign], bad = turn(campaign, seeds[campaign], seconds)
            failed += bad
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    total = ", ".join(f"{name} {seeds[name] - first}" for name in chosen)
    print(f"cases: {total}; {failed} failed; {used.ru_utime + used.ru_stime:.0f} s of CPU")
    raise SystemExit(int(failed > 0))


if __name__ == "__main__":
    typer.run(main)
