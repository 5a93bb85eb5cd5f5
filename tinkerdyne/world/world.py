"""The world: the mutable shell that remembers.

Everything may change between two steps; the state of the rest is kept (E6)."""

from __future__ import annotations

import importlib
import os
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Literal, Never, Self, TypeVar, Unpack, overload

import numpy as np

from tinkerdyne.engine.contact.events import HAPPENINGS, ContactEvent, Happening, Listener
from tinkerdyne.engine.contact.meetings import Meetings
from tinkerdyne.engine.diagnose import Diagnosis, diagnose
from tinkerdyne.engine.engine import Engine
from tinkerdyne.engine.reactions import reactions, strike
from tinkerdyne.engine.readings import apart, value_of
from tinkerdyne.engine.settings import Feedback, Method, Settings, Solver, StopBy
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.calls import methods_say_how
from tinkerdyne.language.checks import function, missing, number, vector
from tinkerdyne.language.item import Item, label
from tinkerdyne.language.kinds import Value
from tinkerdyne.language.types import port_of
from tinkerdyne.world import scene
from tinkerdyne.world.adding import arrivals, planned
from tinkerdyne.world.assembling import assembled, projected
from tinkerdyne.world.clock import Clock
from tinkerdyne.world.contents import Contents
from tinkerdyne.world.display import Parts, edits_of
from tinkerdyne.world.dragging import Grip, grab
from tinkerdyne.world.edit import (
    Add,
    Change,
    Configure,
    Description,
    Edit,
    Entry,
    Event,
    Move,
    Plan,
    Remove,
    Several,
    Shown,
)
from tinkerdyne.world.editing import Editor
from tinkerdyne.world.guesses import (
    OfTheClass,
    instead_of_attribute,
    instead_of_setting_it,
    item_of,
    unpacked,
)
from tinkerdyne.world.history import History
from tinkerdyne.world.lost import no_number, refuse_no_number
from tinkerdyne.world.recording import Recording, record
from tinkerdyne.world.results import Assembly, Result
from tinkerdyne.world.rounding import refuse_lost, shortest_of
from tinkerdyne.world.settings import read_only, with_changes
from tinkerdyne.world.stepping import Stepper
from tinkerdyne.world.timeline import ramp_of

Kept = TypeVar("Kept", bound=Item)
Answer = TypeVar("Answer")


@methods_say_how("a file is read by World.load('scene.json'); items come by world.add(item)")
class World:
    """A world of objects, connectors, constraints and behaviors that can be edited while it runs.

    method: "rattle" (default), "energy_momentum" (with theta), "runge_kutta", "implicit" (for stiff
    forces; error [m], where given, divides steps to keep it), "stormer" (LD98: displacements
    and assembly, with corrections, the limit of its geometric iterations), "adaptive" (order 8, with rtol and
    atol), "lsoda" and "dop853" (scipy's), "dense" (least squares, for non-square constraints); max_step:
    largest single step [s], 1 ms where none is given (then "adaptive" takes any); order: 2 for f = m a, 1 for
    f = m v; feedback: "none" (projection), "inside" or "outside" the multiplier equation; tolerance of |c|
    [SI]; solver: "ldl", "conjugate_gradient" (with iterations, their limit, precision, a relative one, what
    it is of, stop_by: "residual", "correction" or "forces", and warm_start, whether those of "stormer" begin
    with the last solution) or "svd" (dense, for small worlds). time: when it begins [s].
    """

    # Its parts, for what is built on it: `contents` knows the items, `engine` their numbers, `history` what
    # can be taken back; `clock` and `stepper` let time go on. Another thread holds `lock` while it uses them.

    def __init__(
        self,
        *,
        method: Method = "rattle",
        max_step: float | None = None,
        order: Literal[1, 2] = 2,
        feedback: Feedback = "none",
        tolerance: float = 1e-8,
        theta: float = 0.5,
        rtol: float = 1e-9,
        atol: float = 1e-11,
        solver: Solver = "ldl",
        iterations: int = 1000,
        precision: float = 1e-10,
        stop_by: StopBy = "residual",
        warm_start: bool = False,
        corrections: int = 20,
        error: float = 0.0,
        time: float = 0.0,
        **unknown: Never,
    ) -> None:
        settings: dict[str, object] = {
            "method": method, "max_step": max_step, "order": order, "feedback": feedback,
            "tolerance": tolerance, "theta": theta, "rtol": rtol, "atol": atol, "solver": solver,
            "iterations": iterations, "precision": precision, "stop_by": stop_by,
            "warm_start": warm_start, "corrections": corrections, "error": error, **unknown,
        }  # fmt: skip
        self.engine = Engine()
        self.contents = Contents(self, self.engine, settings)
        self._editor = Editor(self.contents)
        self.history = History(self._editor)
        self.stepper = Stepper(self.contents)
        self.clock = Clock(self.contents, self.history, self.stepper)
        self.clock.begin_at(time)

    def __repr__(self) -> str:
        families = Counter(item.type.family for item in self.items)
        counts = [f"{n} {family}{'s' * (n != 1)}" for family, n in families.items()]
        return f"<World at {self.time:g} s: {', '.join(counts) or 'empty'}; {self.settings['method']}>"

    @property
    def lock(self) -> AbstractContextManager[object]:
        """Held by whoever changes or reads the world."""
        return self.contents.lock

    # --- what is in it ---------------------------------------------------------------------------
    @property
    def items(self) -> tuple[Item, ...]:
        """Everything, in the order it was added."""
        return self.contents.items

    @property
    def settings(self) -> Settings:
        """Its method, largest step, order, feedback, tolerance …; changed by `configure`."""
        return read_only(self.contents.settings)

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return self.clock.time

    @property
    def timeline(self) -> tuple[Entry, ...]:
        """What happens when, in the order of time."""
        return self.contents.timeline

    @property
    def display(self) -> Mapping[str, Shown]:
        """How the world is meant to be seen, as far as `show` said it."""
        return dict(self.contents.display)

    def __getitem__(self, name: str) -> Item:
        return self.contents[name]

    def __contains__(self, what: object) -> bool:
        return what in self.contents

    def __iter__(self) -> Iterator[Item]:
        return iter(self.items)

    if not TYPE_CHECKING:  # to a type checker a world has what stands here and no more

        def __getattr__(self, name: str) -> Never:
            if name.startswith("_") or "contents" not in self.__dict__:
                raise AttributeError(name)
            line = instead_of_attribute(name, self.items)
            if line:
                raise AttributeError(f"a world has no {name!r}; {line}", name="")
            raise missing(f"a world has no {name!r}", name, dir(self))

        def __setattr__(self, name: str, value: object) -> None:
            # Who sets gravity or max_step here would wonder why nothing happens.
            if isinstance(getattr(type(self), name, None), property):
                raise AttributeError(f"the {name} of a world is read, not set{instead_of_setting_it(name)}")
            line = instead_of_attribute(name, ()) if not hasattr(type(self), name) else ""
            if line:
                raise AttributeError(f"a world has no {name!r} to set; {line}")
            object.__setattr__(self, name, value)

        def __setitem__(self, name: str, value: object) -> Never:
            raise TypeError(
                f"items come by world.add(item), and are changed by their parameters, such as "
                f"world[{name!r}].mass = 2.0"
            )

        def __delitem__(self, name: str) -> Never:
            raise TypeError(f"items go by world.remove({name!r})")

    # --- edits -----------------------------------------------------------------------------------
    @overload
    def add(self, item: Kept, /) -> Kept: ...
    @overload
    def add(self, first: Item, second: Item, /, *others: Item) -> tuple[Item, ...]: ...
    @overload
    def add(self, items: Sequence[Item], /) -> tuple[Item, ...]: ...
    @overload
    def add(self, *items: Item) -> Item | tuple[Item, ...]: ...
    def add(self, *given: Item | Sequence[Item]) -> Item | tuple[Item, ...]:
        """Put items into the world and return them; connectors they are plugged into come along."""
        items = unpacked(given)
        self._bring(items, self.apply)
        return items[0] if len(items) == 1 and items[0] is given[0] else items

    def adopt(self, item: Item) -> None:
        """Add a connector because it was read, which is no edit of the user's."""
        self._bring([item], lambda edit: self._whole(lambda: self._editor.carry_out(edit)))

    def _bring(self, items: Sequence[Item], carry_out: Callable[[Edit], Edit]) -> None:
        """Let free items arrive by the edit that adds them."""
        with self.lock:
            self.contents.transactions.mend()
            try:
                self.contents.arriving = arriving = arrivals(self.contents, items)
                carry_out(arriving.edit)
            except BaseException:
                self.contents.transactions.failed()
                raise
            finally:
                self.contents.arriving = None

    def remove(self, *what: Item | str) -> Edit:
        """Take items out, with all that is plugged into them; returns the inverse edit."""

        def remove() -> Edit:
            names = []
            for thing in what:
                item = thing if isinstance(thing, Item) else self[thing]
                item._alive()
                if item not in self:
                    raise ValueError(f"{label(item)} is not in this world")
                names.append(item.name)
            return self.apply(Remove((*names, *self.contents.orphans(names))))

        return self._whole(remove)

    def _whole(self, work: Callable[[], Answer], *, is_trial: bool = False) -> Answer:
        """Do some work all or not at all, with the lock held."""
        with self.lock:
            return self.contents.transactions.whole(work, is_trial=is_trial)

    def apply(self, edit: Edit) -> Edit:
        """Carry out an edit and return its inverse; the state of everything else stays as it is."""
        return self.history.apply(edit)

    def undo(self) -> bool:
        """Take the last edit back, with the time and state just before it; False when there is none."""
        return self.history.undo()

    def redo(self) -> bool:
        """Carry the last undone edit out again."""
        return self.history.redo()

    def change(self, item: Item, name: str, value: Value) -> None:
        """Give a parameter of an item another value."""
        self.apply(Change(item.name, name, value))

    def set_state(self, item: Item, name: str, value: Value) -> None:
        """Give a part of an object's state another value."""
        self.apply(Move(item.name, ((name, value),)))

    def configure(self, **settings: Unpack[Settings]) -> None:
        """Change settings of the world, such as method="runge_kutta" or max_step=1e-3."""
        with self.lock:
            refuse_lost(self.time, shortest_of(with_changes(self.settings, settings)))
            self.apply(Several(tuple(Configure(k, v) for k, v in settings.items())))

    def show(self, **parts: Unpack[Parts]) -> None:
        """Say how the world is meant to be seen: `camera` (place, distance, azimuth and elevation),
        `traces` ("rod.end2" …), `plots` ("motor.force" …), `controls` (see `control`), `is_running`."""
        with self.lock:
            self.apply(Several(edits_of(parts)))

    # --- the timeline ----------------------------------------------------------------------------
    def at(self, time: float, *what: Edit | Item) -> None:
        """Put edits on the timeline: world.at(2.0, Change("nail", "is_on", False)); items are to be added
        then, by their names."""

        def plan() -> None:
            when = number("the time of an event", time)
            if when < self.time:
                raise ValueError(
                    f"the time of an event must not be before now, {self.time:g} s, but is {when:g} s"
                )
            items = [thing for thing in what if isinstance(thing, Item)]
            edits: list[Edit] = [planned(self.contents, items)] if items else []
            edits += [thing for thing in what if not isinstance(thing, Item)]
            self.apply(Plan((*self.timeline, *[Event(when, edit) for edit in edits])))

        self._whole(plan)

    def ramp(
        self,
        item: Item,
        parameter: str,
        *,
        to: Value,
        start: float,
        end: float,
        low: Value = None,
        is_smooth: bool = False,
    ) -> None:
        """Put a ramp on the timeline: a parameter goes from `low` (its present value if left out) to another
        one."""

        def plan() -> None:
            entry = ramp_of(item_of("ramp", item), parameter, (low, to), (start, end), is_smooth=is_smooth)
            if entry.start < self.time:
                raise ValueError(
                    f"a ramp must not start before now, {self.time:g} s, but starts at {start:g} s"
                )
            self.apply(Plan((*self.timeline, entry)))

        self._whole(plan)

    # --- running ---------------------------------------------------------------------------------
    def step(self, dt: float) -> Result:
        """Advance by dt, in as many equal steps as max_step asks for."""
        return self.clock.step(dt)

    def run(
        self, seconds: float, *, dt: float | None = None, each: Callable[[Self], None] | None = None
    ) -> Result:
        """Run for some seconds; with `each`, call it after every dt (default 1/60 s)."""
        if each is not None:
            function("each", each, "world")
        return self.clock.run(seconds, dt, None if each is None else lambda: each(self))

    def live(self, seconds: float, *, each: Callable[[Self], None] | None = None) -> Result:
        """Run against the real-time clock (LD98): each step is as long as the time since the last one; call
        `each` after it.

        A step is at most a tenth of a second; when the work takes longer than that, the world falls behind
        the clock.
        """
        if each is not None:
            function("each", each, "world")
        return self.clock.live(seconds, None if each is None else lambda: each(self))

    def record(
        self,
        seconds: float,
        *,
        every: float = 1 / 60,
        of: Sequence[Item] | None = None,
        also: Sequence[Item] = (),
    ) -> Recording:
        """Run for some seconds and keep readings as arrays: of all objects and constraints, or of the items
        given; and also …"""
        with self.lock:
            for given in (of or (), also):
                for item in () if isinstance(given, Item) else given:
                    if isinstance(item, Item):
                        self._adopt_connector(item)
            return record(self, seconds, every, of, also)

    # --- reading results -------------------------------------------------------------------------
    @property
    def asleep(self) -> tuple[Item, ...]:
        """The bodies that sleep: they have rested in contact for half a second, and nothing has reached them
        since."""
        with self.lock:
            self.engine.ready()
            return tuple(self.engine.contacts.asleep())

    @property
    def kinetic_energy(self) -> float:
        """½ vᵀ M v [J]."""
        with self.lock:
            self.engine.evaluate()
            return self.engine.scalars.kinetic

    @property
    def potential_energy(self) -> float:
        """Of all behaviors that have a potential [J]."""
        with self.lock:
            self.engine.evaluate()
            return self.engine.scalars.energy

    @property
    def energy(self) -> float:
        """Kinetic and potential energy [J]."""
        with self.lock:
            self.engine.evaluate()
            return self.engine.scalars.kinetic + self.engine.scalars.energy

    @property
    def counts(self) -> dict[str, int]:
        """What the steps since the world was made took: steps, factorings of the matrix, steps in parts,
        careful and compliant steps, and projections."""
        scalars = self.engine.scalars
        return {
            "steps": int(scalars.count_steps),
            "factorings": int(scalars.count_factor),
            "finer": int(scalars.count_finer),
            "careful": int(scalars.count_em),
            "taut": int(scalars.count_taut),
            "last_resort": int(scalars.count_lm),
        }

    @property
    def gap(self) -> float:
        """The largest distance of a constraint from where it should be now (0, or its approach r(t)) [SI]."""
        with self.lock:
            self.engine.evaluate()
            return self.engine.scalars.gap

    @property
    def apart(self) -> float:
        """The largest gap of a constraint [SI]: |c|, also of what still approaches 0."""
        with self.lock:
            self.engine.evaluate()
            return apart(self.engine)

    def state_of(self, item: Item, name: str) -> Value:
        """A part of an object's state, by name; never from within a step that another thread takes."""
        return self.contents.state_of(item, name)

    def reading(self, item: Item, name: str) -> Value:
        """What a connector, constraint or behavior shows now.

        connector: value, velocity; constraint: value and gap (c), velocity (ċ), force (λ, along its rows);
        behavior and field: energy, power.
        """
        with self.lock:
            if not self.engine.is_attached(item):
                raise ValueError(f"{label(item)} is switched off")
            self.engine.evaluate()
            return value_of(self.engine, item, name)

    def reactions(self, constraint: Item) -> dict[str, Array]:
        """The force of a constraint on each object, by name: Jᵀλ; for a rigid body force and torque in world
        axes."""
        with self.lock:
            if item_of("reactions", constraint).type.family != "constraint":
                raise TypeError(
                    f"reactions are those of a constraint, not of {label(constraint)}; of all of them write "
                    "[world.reactions(c) for c in world if c.type.family == 'constraint']"
                )
            if constraint not in self:
                raise ValueError(f"{label(constraint)} is not in this world")
            if not self.engine.is_attached(constraint):
                raise ValueError(f"{label(constraint)} is switched off")
            self.engine.evaluate()
            return {item.name: force for item, force in reactions(self.engine, constraint).items()}

    # --- contact ---------------------------------------------------------------------------------
    def contacts(self, body: Item | None = None) -> Meetings:
        """Where bodies touch now, or where one body touches others: points, normals, forces, slip and gaps.

        The forces are those of the last step; where something was moved by hand since, there are none yet."""
        with self.lock:
            if body is not None:
                if item_of("contacts", body).type.family != "object":
                    raise TypeError(f"contacts takes a body, not {label(body)}")
                if body not in self:
                    raise ValueError(f"{label(body)} is not in this world")
            self.engine.ready()
            return self.engine.contacts.meetings(body)

    def on_contact(
        self,
        call: Callable[[ContactEvent], object],
        *,
        of: Item | None = None,
        kind: Happening | None = None,
        speed: float = 0.0,
    ) -> Callable[[], None]:
        """Call somebody after each step in which bodies begin to touch, hit each other or let go; returns
        how to stop it.

        of: events of this body only; kind: "begin", "hit" or "end"; speed: only hits at this speed or above
        [m/s]. Who is called may edit the world. Listeners are not saved with it.
        """
        if kind is not None and kind not in HAPPENINGS:
            raise ValueError(f"kind must be one of {', '.join(map(repr, HAPPENINGS))}, not {kind!r}")
        if of is not None and item_of("on_contact", of) not in self:
            raise ValueError(f"{label(of)} is not in this world")
        function("call", call, "event")
        listener = Listener(call, of, kind, number("speed", speed))
        with self.lock:
            self.engine.contacts.listen(listener)
        return lambda: self.engine.contacts.ignore(listener)

    # --- by hand ---------------------------------------------------------------------------------
    def impulse(self, on: Item, by: Sequence[float]) -> dict[str, Array]:
        """Strike a point (or any other measure) with an impulse [N s]; constraints answer at once.
        Can be undone.

        Returns the impulses of the constraints along their rows, by name: Δv = W (Jᵀ_on by + Jᵀ Λ), with J Δv
        = 0.
        """
        with self.lock:
            item_of("impulse", on)
            self._adopt_connector(on)
            if on.world is not self:
                raise ValueError(f"{label(on)} is not in this world")
            if on.type.family not in ("connector", "object") or (
                on.type.family == "object" and "position" not in on.start
            ):
                raise TypeError(
                    f"an impulse acts on a point, another connector or a body, not on {label(on)}"
                )
            dim = port_of(on).dim if on.type.family == "connector" else len(on.position)
            given = np.array(vector(f"the impulse on {label(on)}", by, length=dim))
            self.engine.evaluate()
            with self.history.motion(f"struck {on.name}"):
                answers = strike(self.engine, on, given)
                refuse_no_number(self.contents, f"an impulse on {label(on)}")
            return {item.name: impulse for item, impulse in answers.items()}

    def _adopt_connector(self, item: Item) -> None:
        """Take a free connector in, since it is asked for."""
        if item.world is None and item.type.family == "connector":
            self.adopt(item)

    def grab(
        self,
        what: Item,
        *,
        hard: bool = False,
        orientation: bool = False,
        tau: float | None = None,
        limit: float | None = None,
    ) -> Grip:
        """Catch a point or a body where it is; move the grip, watch its force, release it.

        Soft by default: a critically damped spring of time constant tau and at most `limit` newtons. hard: a
        nail that moves; with orientation: a weld to a handle of infinite mass, which turns too.
        """
        with self.lock:
            return grab(self, item_of("grab", what), hard=hard, orientation=orientation, tau=tau, limit=limit)

    # --- constraints -----------------------------------------------------------------------------
    def diagnose(self) -> Diagnosis:
        """Degrees of freedom, rank, and the groups of constraints that repeat or contradict each other, by
        name."""
        with self.lock:
            self.engine.ready()
            try:
                return self._whole(lambda: diagnose(self.engine), is_trial=True)
            except np.linalg.LinAlgError as problem:
                raise no_number(self.contents, "a diagnosis") from problem

    def project(self, *, iterations: int = 50) -> Result:
        """Move everything onto its constraints now, by the least change; the result names what could not be
        met."""

        with self.lock:
            self.engine.ready()
            judge = self.stepper.judge
            return self._whole(lambda: projected(self.contents, judge, iterations), is_trial=True)

    def assemble(
        self, *, precision: float = 1e-10, iterations: int = 200, by_mass: bool = True, apart: bool = False
    ) -> Assembly:
        """Put scattered parts together, loops too: LD98's correction with rotations cut off at 0.8 rad; can
        be undone.

        by_mass: heavy parts move less; else all alike (the pseudo-inverse). Fixed objects are handles that
        nothing moves. apart: bodies that touch in this world are parted as well; what cannot be is named.
        """
        with self.lock:
            return assembled(
                self.contents,
                self.history,
                precision=precision,
                iterations=iterations,
                tolerance=self.settings["tolerance"],
                by_mass=by_mass,
                apart=apart,
            )

    # --- keeping ---------------------------------------------------------------------------------
    def to_json(self) -> str:
        """The whole world as versioned JSON that a person can read (see tinkerdyne.world.scene)."""
        value = self._whole(lambda: scene.scene_of(self.contents, self.items), is_trial=True)
        return scene.dumps(value)

    @classmethod
    def from_json(cls, text: str | bytes) -> World:
        """A new world from such a text; a SceneError says what is wrong with it."""
        value = scene.loads(text)
        world = cls()
        try:
            world.contents.configure(value.settings)
        except (TypeError, ValueError) as problem:
            raise scene.SceneError(f"settings: {problem}") from problem
        try:
            refuse_lost(value.time, shortest_of(world.settings))
        except ValueError as problem:
            raise scene.SceneError(f'"time": {problem}') from problem

        def add(description: Description) -> Item:
            world._editor.carry_out(Add((description,)))
            return world[description.name]

        scene.fill(value, add, world.engine)
        world.contents.timeline = value.timeline
        world.contents.display = dict(value.display)
        gaps = scene.resume(value, world.engine)
        world.engine.settle()
        if gaps:
            warnings.warn(
                f"{gaps}; it closes with its time constant, or at once by world.project()", stacklevel=2
            )
        return world

    def __reduce__(self) -> tuple[Callable[[str], World], tuple[str]]:
        """A copy, also one for another process, is a world of its own, as it would be loaded from a file."""
        return _loaded, (self.to_json(),)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the world to a file: the old file, or the new one, is there at every moment."""
        text = self.to_json()
        scene.keep_older(path)
        scene.write_file(path, text.encode())

    def share(
        self,
        path: str | os.PathLike[str],
        *,
        title: str = "",
        plots: Sequence[str] | None = None,
        seconds: float = 10.0,
    ) -> None:
        """Write one HTML file in which the world runs by itself in any browser: no server, no network.

        plots: quantities that are plotted there, such as "energy" or "hinge.force"; those of `show` where
        none are given. What only Python can run is written as a replay of so many seconds [s], with a
        warning that says why.
        """
        sharing = importlib.import_module("tinkerdyne.studio.show.shared")
        name = os.path.splitext(os.path.basename(os.fspath(path)))[0]
        text, reason = sharing.shared(self, title or name, plots, number("seconds", seconds, positive=True))
        scene.write_file(path, text.encode())
        if reason:
            warnings.warn(f"{os.fspath(path)} is a replay: {reason}", stacklevel=2)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, object]:
        """At the end of a notebook's cell it runs there."""
        shown: dict[str, object] = importlib.import_module("tinkerdyne.notebook").world_shown(self)
        return shown

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> World:
        """A new world from a file that `save` or a person wrote."""
        data = scene.read_file(path)
        try:
            return cls.from_json(data)
        except scene.SceneError as problem:
            raise scene.SceneError(f"{os.fspath(path)}: {problem}") from problem

    if not TYPE_CHECKING:  # asked of a world they would leave it as it is, and who asked would wonder
        from_json, load = OfTheClass(from_json), OfTheClass(load)


def _loaded(text: str) -> World:
    return World.from_json(text)
