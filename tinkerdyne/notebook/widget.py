"""The widget of a world: the live page in a cell, in step with the world in Python.

The page runs by itself and reports some times a second where everything is; between cells the world in
Python goes with it. After each cell, or by `sync()`, what Python changed goes to the page: numbers as
numbers, another structure as another page."""

from __future__ import annotations

import contextlib
import re
import weakref
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, cast

import anywidget
import numpy as np
import traitlets

from tinkerdyne.engine.readings import parameter_places
from tinkerdyne.engine.switches import switch_of
from tinkerdyne.language.kinds import Value
from tinkerdyne.notebook import HEIGHT
from tinkerdyne.studio.session.files import CLIENT
from tinkerdyne.studio.show.live import CannotRun, live_page
from tinkerdyne.world.edit import Change, Control
from tinkerdyne.world.world import World

SCRIPT = "notebook.js"
_widgets: weakref.WeakKeyDictionary[World, WorldWidget] = weakref.WeakKeyDictionary()


class WorldWidget(anywidget.AnyWidget):
    """A world that runs in a cell.

    `time` and `readings` (what is plotted) follow the page. Each control of the world's panel is a trait,
    such as `motor_at`, that follows in both directions and can be linked to other widgets.
    """

    _esm: ClassVar[Any] = ""
    page = traitlets.Unicode("").tag(sync=True)
    height = traitlets.Int(HEIGHT).tag(sync=True)
    turn = traitlets.Int(0).tag(sync=True)  # counts what Python changed: older reports of the page are void
    time = traitlets.Float(0.0)
    readings = traitlets.Dict()
    problem = traitlets.Unicode("")  # why the last page is that of an older world

    def __init__(self, world: World, page: str) -> None:
        self._world = weakref.ref(world)
        self._known = _known(world)
        self._moment = _moment(world)
        self._controls: dict[str, Control] = {}
        super().__init__(page=page, _esm=(CLIENT / SCRIPT).read_text(encoding="utf-8"))
        self._add_controls(world)
        self.on_msg(self._heard)

    # --- from the page ---------------------------------------------------------------------------
    def _heard(self, _widget: object, told: Mapping[str, Any], _buffers: object) -> None:
        world = self._world()
        if world is None:
            return
        if told.get("kind") == "now" and told.get("turn") == self.turn:
            self._follow(world, told["numbers"], told["readings"])
        elif told.get("kind") == "change":
            value = told["value"]
            with contextlib.suppress(
                KeyError, TypeError, ValueError
            ):  # it is gone here: the page is void soon
                _set(world, told["item"], told["parameter"], value)
            self._known = _known(world)
            self._tell_controls(world)

    def _follow(self, world: World, numbers: Sequence[float], readings: Mapping[str, float]) -> None:
        """Be where the page is."""
        with world.lock:
            engine = world.engine
            engine.ready()
            if len(numbers) != 1 + len(engine.state_vector()):
                return  # of a world of another structure
            engine.set_state_vector(np.array(numbers[1:]), float(numbers[0]))
            world.clock.pass_over()
            self._moment = _moment(world)
        self.time, self.readings = world.time, dict(readings)

    # --- to the page -----------------------------------------------------------------------------
    def sync(self) -> None:
        """Tell the page what has changed in Python; after a cell this happens by itself."""
        world = self._world()
        if world is None:
            return
        now, before = _known(world), self._known
        self._known = now
        changed = {
            (name, parameter): value
            for name, values in now[1].items()
            for parameter, value in values.items()
            if before[1].get(name, {}).get(parameter) != value
        }
        is_other = now[0] != before[0]
        if is_other or not all(_is_live(world, name, parameter) for name, parameter in changed):
            self._show_anew(world)
        else:
            for (name, parameter), value in changed.items():
                self.send({"kind": "set", "item": name, "parameter": parameter, "value": value})
            if self._moment != (moment := _moment(world)):
                self._moment, self.turn = moment, self.turn + 1
                self.send({"kind": "resume", "numbers": list(moment), "turn": self.turn})
        self._tell_controls(world)

    def _show_anew(self, world: World) -> None:
        try:
            page = live_page(world)
        except CannotRun as problem:
            self.problem = str(problem)
            return
        self.problem, self._moment = "", _moment(world)
        self.turn += 1
        self.page = page
        self._add_controls(world)

    def play(self) -> None:
        """Let the page run."""
        self.send({"kind": "play", "value": True})

    def pause(self) -> None:
        """Let it stand."""
        self.send({"kind": "play", "value": False})

    # --- the controls as traits ------------------------------------------------------------------
    def _add_controls(self, world: World) -> None:
        given = world.display.get("controls")
        rows = [row for row in given if isinstance(row, Control)] if isinstance(given, tuple) else []
        self._controls = {re.sub(r"\W", "_", f"{row.name}_{row.parameter}"): row for row in rows}
        fresh = {name: traitlets.Any() for name in self._controls if not self.has_trait(name)}
        if fresh:
            self.add_traits(**fresh)
            self.observe(self._steered, list(fresh))
        self._tell_controls(world)

    def _tell_controls(self, world: World) -> None:
        for name, row in self._controls.items():
            if row.name in world:
                setattr(self, name, world[row.name].values.get(row.parameter))

    def _steered(self, change: Mapping[str, Any]) -> None:
        world, row = self._world(), self._controls.get(change["name"])
        if world is None or row is None or row.name not in world:
            return
        if world[row.name].values.get(row.parameter) != change["new"]:
            _set(world, row.name, row.parameter, change["new"])
            self.sync()


Known = tuple[object, dict[str, dict[str, object]]]


def _known(world: World) -> Known:
    """The structure of a world, and all its parameters."""
    items = [(one.key, one.name, one.type.name, tuple(i.name for i in one.inputs)) for one in world.items]
    structure = (items, dict(world.settings), world.timeline, world.display)
    return structure, {item.name: dict(item.values) for item in world.items}


def _moment(world: World) -> tuple[float, ...]:
    world.engine.ready()
    return (world.time, *world.engine.state_vector().tolist())


def _is_live(world: World, name: str, parameter: str) -> bool:
    """Whether the page can change it."""
    item = world[name]
    if parameter == "is_on":
        return item.values.get("is_on") is False or switch_of(world.engine, item) is not None
    return parameter in parameter_places(world.engine, item)


def _set(world: World, name: str, parameter: str, value: object) -> None:
    old = world[name].values[parameter]
    if isinstance(value, list):
        value = tuple(value)
    if isinstance(old, bool):
        value = bool(value)
    world.apply(Change(name, parameter, cast(Value, value)))


def widget_of(world: World, page: str) -> WorldWidget:
    """The widget of a world; it looks for changes after each cell."""
    found = _widgets.get(world)
    if found is None:
        found = _widgets[world] = WorldWidget(world, page)
        _after_cells(found)
    else:
        found.sync()
    return found


def _after_cells(widget: WorldWidget) -> None:
    """Where there is IPython, tell the page after each cell what has changed."""
    try:
        from IPython.core.getipython import get_ipython
    except ImportError:
        return
    shell = get_ipython()
    if shell is None:
        return
    kept = weakref.ref(widget)

    def after(*_: object) -> None:
        here = kept()
        if here is not None:
            here.sync()

    shell.events.register("post_run_cell", after)
