"""One side of a comparison: a process that runs worlds of its tree, and hands out all that they compute.

It is the same file for both trees and uses the package's public door only. Commands and answers are lines of
JSON; a number is answered as the hexadecimal bytes of its float64, so nothing is rounded on the way.
"""

from __future__ import annotations

import io
import json
import os
import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import edits
import numpy as np
import worlds
from target import use_target
from timed import TIMED

import tinkerdyne as td
from tinkerdyne import gallery

MOMENTS = (1, 10, 100, 1000)  # steps after which a world is read
EDITED = (500, 600, 700, 800, 900)  # a random world is edited at these
FEWER = {"characters_bound": 100}  # steps of scenes that would take half a minute
SLOW = {"lsoda": 60, "dop853": 60, "dense": 200}  # steps of worlds by these methods
Moment = dict[str, Any]


def hexadecimal(value: Any) -> str:
    return np.ascontiguousarray(value, dtype=np.float64).tobytes().hex()


class Reader:
    """Reads everything a world shows at a moment."""

    def __init__(self) -> None:
        self.known: dict[str, bool] = {}  # whether an item has readings: fields have none

    def moment(self, label: str, world: td.World, result: Any = None, extra: Any = ()) -> Moment:
        """All readings by name, in order; words, which may be chosen anew, apart."""
        numbers = [("time", world.time), ("gap", world.gap), *world.counts.items()]
        if result is not None:
            numbers += [(f"result {result.status.name}", result.steps)]
        numbers += self.readings(world).items()
        numbers += extra
        words = {"saved": world.to_json(), "culprits": "" if result is None else ", ".join(result.culprits)}
        return {
            "moment": label,
            "numbers": [(name, hexadecimal(value)) for name, value in numbers],
            "words": words,
        }

    def readings(self, world: td.World) -> dict[str, Any]:
        """Of objects and constraints, and of connectors and behaviors in worlds of moderate size."""
        also = (
            [] if len(world.items) > 600 else [item for item in world.items if self.can_be_read(world, item)]
        )
        return dict(world.record(0.0, also=also))

    def can_be_read(self, world: td.World, item: td.Item) -> bool:
        if getattr(item, "is_on", True) is False:
            return False
        if item.name not in self.known:
            try:
                world.record(0.0, of=[item])
            except ValueError:
                self.known[item.name] = False
            else:
                self.known[item.name] = not hasattr(
                    item, "image"
                )  # the value of a picture is an address in memory
        return self.known[item.name]


def played(world: td.World, steps: int, *, seed: int | None = None) -> Iterator[Moment]:
    """Step a world and read it; one with a seed is edited on its way."""
    reader, rng = Reader(), np.random.default_rng([7, seed or 0])
    yield reader.moment("the start", world)
    edited = EDITED if seed is not None and steps == MOMENTS[-1] else ()
    taken = 0
    for stop in sorted({*(m for m in MOMENTS if m < steps), *edited, steps}):
        result = world.step((stop - taken) * world.settings["max_step"])
        taken = stop
        yield reader.moment(f"step {stop}", world, result)
        if not result:
            return  # it stays where it is
        if stop in edited:
            world, did, extra = edits.do(world, rng)
            reader = Reader()
            yield reader.moment(f"step {stop}, then {did}", world, None, extra)


def recorded(scene: gallery.Scene) -> Iterator[Moment]:
    """A scene run in its own way, all its moments as one."""
    world = scene.build()
    recording = scene.record(world)
    numbers = [(name, hexadecimal(values)) for name, values in recording.items()]
    yield {"moment": "its recording", "numbers": numbers, "words": {}}
    yield Reader().moment("its end", world)


def moments(name: str) -> Iterator[Moment]:
    """Everything that a named world computes."""
    sort, _, which = name.partition(" ")
    if sort == "scene":
        yield from played(gallery.load(which).build(), FEWER.get(which, MOMENTS[-1]))
    elif sort == "run":
        yield from recorded(gallery.load(which))
    elif sort == "sketch":
        yield from recorded(gallery.load(str(gallery.folder() / "sketch" / f"{which}.py")))
    else:
        seed = int(which.partition(" ")[0])
        world = worlds.build(seed)
        yield from played(world, SLOW.get(world.settings["method"], MOMENTS[-1]), seed=seed)


class Worker:
    """Answers commands."""

    def names(self, count: int) -> list[str]:
        """All that this tree can run."""
        scenes = gallery.names()
        sketches = sorted(path.stem for path in (gallery.folder() / "sketch").glob("[!_]*.py"))
        return [
            *(f"scene {name}" for name in scenes),
            *(f"random {seed} {worlds.name_of(seed)}" for seed in range(count)),
            *(f"run {name}" for name in scenes),
            *(f"sketch {name}" for name in sketches),
        ]

    def world(self, name: str) -> list[Moment]:
        """All moments; a world that cannot be made or run ends with the error in its place."""
        found: list[Moment] = []
        try:
            for moment in moments(name):
                found.append(moment)
        except Exception as problem:
            numbers = [(f"stopped by {type(problem).__name__}", hexadecimal(len(found)))]
            found.append({"moment": "the error", "numbers": numbers, "words": {"message": str(problem)}})
        return found

    def timed(self) -> list[str]:
        """Names of what can be timed."""
        return list(TIMED)

    def time(self, name: str) -> float:
        """CPU seconds of a step, of a world made anew: where numerics differ on purpose, worlds that run on
        would come to different motions."""
        what = TIMED[name]
        world = what.build()
        world.step(20 * world.settings["max_step"])
        dt = what.steps * world.settings["max_step"]
        begin = time.process_time()
        for _ in range(what.calls):
            world.step(dt)
        return (time.process_time() - begin) / (what.calls * what.steps)


def main() -> None:
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    sys.stdout = sys.stderr  # a scene may print
    warnings.simplefilter("ignore")
    use_target()
    here = Path(td.__file__).parents[1]
    if here != Path.cwd():
        raise SystemExit(f"the package comes from {here}, not from {Path.cwd()}")
    worker = Worker()
    for line in io.TextIOWrapper(sys.stdin.buffer):
        command = json.loads(line)
        answer = getattr(worker, command.pop("do"))(**command)
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
