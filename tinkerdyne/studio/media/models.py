"""Models by hand: variables, constraints, objectives and outputs typed in, and sliders that pull on them
(G3)."""

from __future__ import annotations

import numpy as np

from tinkerdyne.behaviors.forces import scalar_spring
from tinkerdyne.constraints.algebra import at_least, at_most
from tinkerdyne.engine.readings import readings, write
from tinkerdyne.language.checks import number
from tinkerdyne.language.item import Item, label
from tinkerdyne.language.types import port_of
from tinkerdyne.optimise.model import Model, Slider
from tinkerdyne.studio.session.session import Request, Session
from tinkerdyne.studio.wire import protocol as p
from tinkerdyne.world.dragging import Grip
from tinkerdyne.world.edit import Rename
from tinkerdyne.world.world import World

FIRM = 3000.0  # 1/s: how fast a slider's spring alone would bring its number to where it pulls
DIFFERENCE = 1e-6  # of a variable, for slopes
WEAKEST = 1e-12  # mobility that still counts


def define(command: p.Define, session: Session, _request: Request) -> list[str]:
    """Put a part into the model of the world, or in the place of another one."""
    world = session.world
    model = Model(world)
    before = set(world.contents.names)
    with world.history.one_step():
        if command.replaces:
            old = world[command.replaces]
            if command.part == "variable" and old.type.family == "object":
                return _changed(model, command, old)
            users = [name for name in world.contents.dependents((old.name,)) if name != old.name]
            if users and command.part in ("variable", "output"):
                raise ValueError(
                    f"{label(old)} is used by {', '.join(users[:6])}; change or delete these first"
                )
            world.remove(*[old.name, *_bounds(world, old)])
            before -= {old.name}
        _put(model, command)
    return [name for name in world.contents.names if name not in before]


def _changed(model: Model, command: p.Define, old: Item) -> list[str]:
    """Another name, value or bounds of a variable that stays, with all that is built on it."""
    world = model.world
    model._new(command.name)
    bounds = _bounds(world, old)
    if bounds:
        world.remove(*bounds)
    if command.name != old.name:
        if world.contents.users(old):
            raise ValueError(
                f"{old.name!r} stands in formulas under this name; delete these first, or keep the name"
            )
        world.apply(Rename(old.name, command.name))
    old.value = number(f"value of {command.name}", command.value)
    stops = _stops(old, command)
    if stops:
        world.add(*stops)
    return [old.name]


def _stops(item: Item, command: p.Define) -> list[Item]:
    made: list[Item] = []
    _refuse_crossed(command)
    if command.low is not None:
        made.append(at_least(item, low=command.low, name=f"{item.name} >= {number('low', command.low):g}"))
    if command.high is not None:
        made.append(at_most(item, high=command.high, name=f"{item.name} <= {number('high', command.high):g}"))
    return made


def _refuse_crossed(command: p.Define) -> None:
    if command.low is not None and command.high is not None and not command.low < command.high:
        said = f"{command.low:g} and {command.high:g}"
        raise ValueError(f"the lower bound of {command.name} must be below the upper one, not {said}")


def _bounds(world: World, item: Item) -> list[str]:
    """The stops that a variable was given as its bounds."""
    stops = [user for user in world.contents.users(item) if user.type in (at_least, at_most)]
    return [stop.name for stop in stops if stop.name.startswith(f"{item.name} ")]


def _put(model: Model, command: p.Define) -> None:
    match command.part:
        case "variable":
            _refuse_crossed(command)
            model.variable(
                command.name,
                number(f"value of {command.name}", command.value),
                low=command.low,
                high=command.high,
            )
        case "output":
            model.output(command.name, command.text)
        case "minimise":
            model.minimise(command.text)
        case "maximise":
            model.maximise(command.text)
        case "constraint":
            model.constrain(command.text)
        case "hold":
            model.hold(command.name)


# --- hands on numbers ------------------------------------------------------------------------------
def slide(world: World, what: Item) -> Grip:
    """A slider on a variable or measure: a spring as firm as makes it lead, whatever it moves."""
    if world.settings["order"] != 1:
        raise ValueError(
            "a slider pulls in a first-order world; make one with File, New world of curves and models"
        )
    with world.history.drag("pulled a number") as drag:
        now = float(np.ravel(what.value)[0])
        item: Item = scalar_spring(what, stiffness=FIRM / mobility(world, what), rest=now)
        world.add(item)
    return Slider(world, item, item, drag)


def mobility(world: World, what: Item) -> float:
    """How easily a number moves: ∇x W ∇xᵀ at the present state, by differences over the variables beneath
    it."""
    if what.type.family == "object":
        return 1 / float(what.mass)
    total, shot, engine = 0.0, world.history.snapshot(), world.engine
    for variable in _variables(what):
        engine.ready()
        places = next(reading.places for reading in readings(engine, variable) if reading.name == "value")
        base = float(variable.value)
        step = DIFFERENCE * (1 + abs(base))
        values = []
        for at in (base + step, base - step, base):
            write(engine, places, at)
            values.append(float(np.ravel(what.value)[0]))
        total += ((values[0] - values[1]) / (2 * step)) ** 2 / float(variable.mass)
    world.history.restore(shot)
    return max(total, WEAKEST) if np.isfinite(total) else 1.0


def _variables(item: Item) -> list[Item]:
    """The variables that a measure is made of."""
    if item.type.family == "object":
        return [item] if port_of(item).kind.name == "scalar" else []
    found: dict[int, Item] = {}
    for source in item.inputs:
        found |= {one.key: one for one in _variables(source)}
    return list(found.values())
