"""Recordings: a run as arrays, one row a moment, by name: run = world.record(5), then
run["upper.position"]."""

from __future__ import annotations

import csv
import importlib
import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Never

import numpy as np

from tinkerdyne.engine.contact.events import ContactEvent
from tinkerdyne.engine.engine import Engine
from tinkerdyne.engine.going_back import Moment
from tinkerdyne.engine.readings import OF_WORLD, read, readings
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.checks import by_name, did_you_mean, missing, number
from tinkerdyne.language.item import Item, label
from tinkerdyne.world.accuracy import Accuracy
from tinkerdyne.world.guesses import item_of
from tinkerdyne.world.results import Result, Status, together
from tinkerdyne.world.rounding import refuse_lost

if TYPE_CHECKING:
    from tinkerdyne.world.world import World

LARGEST = 2**29  # numbers in one recording: 4 GiB
SHORTEST = 1e-9  # s: no step is shorter
# What other programs let a table do, and the line for it here.
ELSEWHERE = {
    "to_csv": "write run.save('run.csv')",
    "plot": "write run.save('run.csv'), or with matplotlib plt.plot(run.time, run['kinetic_energy'])",
    "names": "write list(run)",
    "columns": "write list(run)",
}


@dataclass(frozen=True, repr=False)
class Recording(Mapping[str, Array]):
    """A run: `time` (n,), energies (n,), and for each item its readings, (n,) or (n, width), under
    "name.reading".

    An object has the parts of its state; a constraint `force` (λ, along its rows) and `gap` (the largest |c|;
    of a stop, how far it is passed; of a constraint on velocities, the largest |ċ|); a connector `value` and
    `velocity`; a behavior `energy` and `power`. SI units.
    """

    time: Array
    kinetic_energy: Array
    potential_energy: Array
    readings: Mapping[str, Array] = field(repr=False)
    is_complete: bool = True  # False when the motion stopped being finite, or took too many steps, on the way
    result: Result | None = field(default=None, repr=False)  # what the steps said, with their accuracy
    contacts: tuple[ContactEvent, ...] = field(default=(), repr=False)  # who touched and hit whom, when

    def __repr__(self) -> str:
        """How many moments, from when to when, and what was recorded."""
        n, names = len(self.time), sorted({name.rpartition(".")[0] for name in self.readings})
        some = ", ".join(map(repr, names[:4])) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
        span = f" from {self.time[0]:g} to {self.time[-1]:g} s" if n else ""
        end = "" if self.is_complete else "; not complete"
        if self.result is not None and self.result.status is Status.INACCURATE:
            end += "; inaccurate"
        return f"<Recording: {n} moments{span} of {some or 'nothing'}{end}>"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, object]:
        """Its plots, at the end of a notebook's cell."""
        shown: dict[str, object] = importlib.import_module("tinkerdyne.notebook").recording_shown(self)
        return shown

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Never:
            said = f"a recording has no {name!r}"
            if name.startswith("_") or "readings" not in self.__dict__:
                raise AttributeError(said)
            of = next((reading for reading in self.readings if reading.startswith(f"{name}.")), "")
            line = f"readings go by name, such as run[{of!r}]" if of else ELSEWHERE.get(name)
            if line:
                raise AttributeError(f"{said}; {line}", name="")
            raise missing(said, name, dir(self))

    @property
    def accuracy(self) -> Accuracy | None:
        """How far the recorded motion may be off."""
        return None if self.result is None else self.result.accuracy

    def __getitem__(self, name: str) -> Array:
        if name in ("time", "kinetic_energy", "potential_energy"):
            column: Array = getattr(self, name)
            return column
        if name in self.readings:
            return self.readings[name]
        raise KeyError(f"nothing called {name!r} was recorded; {self._instead_of(name)}")

    def _instead_of(self, name: str) -> str:
        """What to read instead of what was not recorded."""
        reading, _, letter = str(name).rpartition(".")
        if reading in self.readings and letter in "xyz":
            return f"write run[{reading!r}][:, {'xyz'.index(letter)}]"
        own = [reading for reading in self.readings if reading.startswith(f"{name}.")]
        return (
            f"there are {', '.join(own)}"
            if own
            else f"there are {', '.join(self)}{did_you_mean(str(name), self)}"
        )

    def __iter__(self) -> Iterator[str]:
        return iter(("time", "kinetic_energy", "potential_energy", *self.readings))

    def __len__(self) -> int:
        return 3 + len(self.readings)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write to a file: .npz (for numpy.load) or .csv (a column a number, "upper.position[0]")."""
        ending = os.path.splitext(os.fspath(path))[1].lower()
        if ending == ".npz":
            with open(path, "wb") as file:
                np.savez(file, **{name: self[name] for name in self})  # type: ignore[arg-type]
        elif ending == ".csv":
            with open(path, "w", encoding="utf-8", newline="") as text:
                csv.writer(text, lineterminator="\n").writerows(self._lines())
        else:
            raise ValueError(f"a recording is saved as .npz or .csv, not as {os.fspath(path)!r}")

    def _lines(self) -> Iterator[Sequence[str | float]]:
        head: list[str] = []
        columns: list[Array] = []
        for name in self:
            values = self[name]
            if values.ndim == 1:
                head.append(name)
                columns.append(values)
            else:
                head += [f"{name}[{k}]" for k in range(values.shape[1])]
                columns += list(values.T)
        yield head
        yield from zip(*[c.tolist() for c in columns], strict=True)


def joined(parts: Iterable[Recording]) -> Recording:
    """One recording of runs that followed each other, with edits between; where an item was not there, its
    readings are NaN."""
    given = list(parts)
    if not given:
        raise ValueError("there is no recording to join")
    shapes = {name: values.shape[1:] for part in given for name, values in part.readings.items()}

    def column(part: Recording, name: str) -> Array:
        kept = part.readings.get(name)
        return np.full((len(part.time), *shapes[name]), np.nan) if kept is None else kept

    time, kinetic, potential = (
        np.concatenate([part[name] for part in given])
        for name in ("time", "kinetic_energy", "potential_energy")
    )
    readings = {name: np.concatenate([column(part, name) for part in given]) for name in shapes}
    said = [part.result for part in given if part.result is not None]
    is_complete = all(part.is_complete for part in given)
    result = together(said) if said else None
    events = tuple(event for part in given for event in part.contacts)
    return Recording(time, kinetic, potential, readings, is_complete, result, events)


def record(
    world: World, seconds: float, every: float, of: Sequence[Item] | None, also: Sequence[Item] = ()
) -> Recording:
    """Run a world and keep its readings at the start, every so often, and at the end."""
    seconds, every = number("seconds", seconds), number("every", every, positive=True)
    if seconds < 0:
        raise ValueError(f"seconds must not be negative, not {seconds:g}")
    chosen = _chosen(world, of, also)
    world.engine.ready()
    plan = ReadingPlan(world, chosen)
    count = math.floor(seconds / every + 1e-9)
    if (count + 2) * plan.width > LARGEST:
        raise ValueError(
            f"{count + 1} moments of {plan.width} numbers are too many for one recording; record fewer "
            "items, or less often"
        )
    steps, rest = [every] * count, seconds - count * every
    if count and 1e-9 * every < rest < SHORTEST:  # too short for a step of its own
        steps[-1] += rest
    elif rest > 1e-9 * every:
        steps.append(rest)
    # dense output knows nothing of stops that open and turns that are counted
    remembers = world.engine.overview.has_stops or world.engine.overview.counts_turns
    is_smooth = world.stepper.method.in_force() == "adaptive" and not world.engine.contacts.is_on()
    if is_smooth and len(steps) > 1 and not world.timeline and not remembers:
        times = [world.time + k * every for k in range(1, len(steps))]
        end = world.time + seconds
        refuse_lost(world.time, every)
        return world.contents.transactions.whole(lambda: _through(world, plan, times, end), is_trial=True)
    heard: list[ContactEvent] = []
    stop = world.on_contact(heard.append)
    try:
        return replace(_along(world, plan, steps, of, also), contacts=tuple(heard))
    finally:
        stop()


def _chosen(world: World, of: Sequence[Item] | None, also: Sequence[Item]) -> list[Item]:
    if of is None:
        usual = [item for item in world.items if item.type.family == "object" or _is_held(world, item)]
        return (
            [*usual, *(item for item in _chosen(world, also, ()) if item not in usual)]
            if len(also)
            else usual
        )
    if isinstance(of, Item | str):
        one = by_name(of) if isinstance(of, str) else of.name or of.type.word
        raise TypeError(f"of takes a list of items: of=[{one}]")
    chosen = []
    for item in (*of, *also):
        if item_of("record", item) not in world:
            raise ValueError(f"{label(item)} is not in this world")
        if item.type.family == "field":
            raise ValueError(f"{label(item)} acts on every object and has no reading of its own")
        if not world.engine.is_attached(item):
            raise ValueError(f"{label(item)} is switched off")
        chosen.append(item)
    return chosen


def _takes_part(world: World, item: Item) -> bool:
    return item in world and world.engine.is_attached(item)


def _is_held(world: World, item: Item) -> bool:
    return item.type.family == "constraint" and world.engine.is_attached(item)


def _along(
    world: World, plan: ReadingPlan, steps: list[float], of: Sequence[Item] | None, also: Sequence[Item]
) -> Recording:
    """Step from moment to moment; where the timeline changed what there is, another part begins."""
    engine = world.engine
    parts: list[Recording] = []
    rows = [plan.row(engine)]
    results: list[Result] = []
    for dt in steps:
        count = engine.rebuilds
        results.append(world.step(dt))
        if not results[-1]:
            break
        engine.ready()
        if engine.rebuilds != count:
            parts.append(plan.recording(np.array(rows), results))
            rows, results = [], []
            there, too = ([item for item in some or () if _takes_part(world, item)] for some in (of, also))
            plan = ReadingPlan(world, _chosen(world, None if of is None else there, too))
        rows.append(plan.row(engine))
    parts.append(plan.recording(np.array(rows), results))
    return joined(parts) if len(parts) > 1 else parts[0]


def _through(world: World, plan: ReadingPlan, times: list[float], last: float) -> Recording:
    """Run the adaptive method in one go; the moments come from its dense output, and the last is where the
    world is."""
    engine = world.engine
    rows = [plan.row(engine)]
    stepper, start, steps = world.stepper, world.time, engine.scalars.count_steps
    begin, good = stepper.judge.start(), Moment.of(engine)
    stepper.judge.open_run()
    done, dense = stepper.advance_adaptive(last, times)
    taken = int(engine.scalars.count_steps - steps)
    if done < 0:
        result = stepper.judge.given_up("adaptive", last - start, good, taken)
    else:
        result = stepper.judge.controlled("adaptive", done, begin)
    end, now = engine.state_vector(), world.time
    for t, y in zip([t for t in times if t <= now], dense, strict=False):
        engine.set_state_vector(y, t)
        engine.program.tidy()
        rows.append(plan.row(engine))
    engine.set_state_vector(end, now)
    rows.append(plan.row(engine))
    return plan.recording(np.array(rows), [result])


class ReadingPlan:
    """Which readings are kept, and where they lie in the arena, found once."""

    def __init__(self, world: World, chosen: list[Item]) -> None:
        self.shapes: dict[str, tuple[slice, bool]] = {}  # name → columns, and whether it is one number
        # columns of c, to be replaced by its largest, and whether c ≥ 0 is allowed
        self.gaps: list[tuple[slice, bool]] = []
        places = [OF_WORLD[name] for name in ("time", "kinetic_energy", "potential_energy")]
        self.width = 3
        for item in chosen:
            for reading in readings(world.engine, item):
                columns = slice(self.width, self.width + len(reading.places))
                self.shapes[f"{item.name}.{reading.name}"] = (columns, reading.is_number)
                if reading.name == "gap":
                    self.gaps.append((columns, item.type.block_of(item).is_stop))
                places.append(reading.places)
                self.width += len(reading.places)
        self.places = np.concatenate(places)

    def row(self, engine: Engine) -> Array:
        """All readings now."""
        engine.evaluate()
        return read(engine, self.places)

    def recording(self, rows: Array, results: list[Result]) -> Recording:
        """The rows that some steps gave."""
        for columns, is_stop in self.gaps:
            c = rows[:, columns]
            rows[:, columns.start] = (np.maximum(-c, 0.0) if is_stop else np.abs(c)).max(axis=1)
        kept = {
            name: np.array(rows[:, columns.start] if single else rows[:, columns])
            for name, (columns, single) in self.shapes.items()
        }
        said = together(results)
        return Recording(rows[:, 0].copy(), rows[:, 1].copy(), rows[:, 2].copy(), kept, bool(said), said)
