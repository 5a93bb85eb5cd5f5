"""Curves by hand: grabbing any point, attaching, locking single numbers, drawings in and out (G2)."""

from __future__ import annotations

import re

import casadi as ca
import numpy as np

from tinkerdyne.behaviors.contact import contact
from tinkerdyne.behaviors.elastic import elastic
from tinkerdyne.behaviors.forces import gravity
from tinkerdyne.connectors.curves import area_within, curve_point, length_of
from tinkerdyne.constraints.algebra import held
from tinkerdyne.constraints.curves import attach as crossing
from tinkerdyne.constraints.curves import (
    equal_area,
    equal_length,
    equal_radius,
    lock,
    measures,
    mirror_images,
    mirror_points,
    tangential,
)
from tinkerdyne.constraints.points import connect, on_curve
from tinkerdyne.language.checks import number, vector
from tinkerdyne.language.item import Item, label
from tinkerdyne.language.parse import FormulaError, parse
from tinkerdyne.language.types import port_of
from tinkerdyne.objects.catalog import Variable
from tinkerdyne.objects.grounds import Floor, PlanarFloor
from tinkerdyne.objects.patches import typed_surface
from tinkerdyne.objects.troids import sheet as troid_sheet
from tinkerdyne.objects.typed import checked_span, scope_of, typed_curve
from tinkerdyne.optimise.model import relation
from tinkerdyne.studio.build.inserting import resolve
from tinkerdyne.studio.media.points import lies_on
from tinkerdyne.studio.media.uploads import taken
from tinkerdyne.studio.session.background import later
from tinkerdyne.studio.session.session import Request, Session
from tinkerdyne.studio.wire import protocol as p
from tinkerdyne.svg import curves_from_svg
from tinkerdyne.world.world import World

WIDE, LONG = 6.0, 4.0  # m: how large the floor of a new world is drawn, in space and in the plane
BELOW = (0.0, -1.2)  # m: where it lies in the plane, so that there is room above it
MOST_NAMES = 32  # of one typed formula
WIDTH = 3.0  # m: a drawing that comes in is made about as wide as the curves of the menu
WHOLE = -1  # a fault of the whole, not of one text


# --- formulas while they are typed -----------------------------------------------------------------
def check(command: p.Check, session: Session, _request: Request) -> p.Faults:
    """What is wrong with typed formulas, and where."""
    known = set(command.numbers)
    if command.what in ("value", "relation"):
        known |= set(scalars(session.world))
    if len(known) > 1000 or len(command.texts) > 8:
        raise ValueError("too many formulas or names at a time")
    symbols = {name: ca.SX.sym(name) for name in (*known, *command.names)} | _scope(command.numbers)
    letters = {"curve": ("u",), "surface": ("u", "v"), "value": ("t",), "relation": ("t",), "fit": ()}[
        command.what
    ]
    symbols |= {letter: ca.SX.sym(letter) for letter in letters}
    faults = [
        fault for k, text in enumerate(command.texts) for fault in _faults(k, text, symbols, command.what)
    ]
    for k, text in enumerate(command.spans):
        try:
            number("the end of a span", float(parse(text, {})))
        except FormulaError as problem:
            faults.append(p.Fault(-2 - k, problem.reason, problem.position))
        except ValueError as problem:
            faults.append(p.Fault(-2 - k, str(problem), 0))
    if not faults and command.what in ("curve", "surface"):
        try:
            made = typed(command.what, command.texts, command.numbers, command.spans)
            kind = made.type.resolve(made)[0]  # compiled beside the engine while the person still looks at it
            session.work_on(lambda: kind.kernels, lambda _done: None, lambda _problem: None)
        except (TypeError, ValueError) as problem:
            faults.append(p.Fault(WHOLE, str(problem).split("\n")[0], 0))
    return p.Faults(tuple(faults))


def _scope(numbers: dict[str, float]) -> dict[str, ca.SX]:
    """Numbers and places by name: "c.x" and "c.y" are the place c."""
    return scope_of(tuple(numbers), ca.vertcat(*[ca.SX.sym(f"n{k}") for k in range(len(numbers))]))


def _faults(field: int, text: str, symbols: dict[str, ca.SX], what: str) -> list[p.Fault]:
    """Faults of one text; of a relation each side is read by itself, so that the character is the one that
    was typed."""
    parts = [(text, 0)]
    if what == "relation" or (what == "fit" and "=" in text):
        try:
            left, sign, right = relation(text)
        except ValueError as problem:
            return [p.Fault(field, str(problem), 0)]
        parts = [(left, 0), (right, len(left) + len(sign))]
    for part, at in parts:
        try:
            parse(part, symbols)
        except FormulaError as problem:
            return [p.Fault(field, problem.reason, at + problem.position)]
    return []


def scalars(world: World) -> dict[str, Item]:
    """What a typed formula may call by its name: variables, and measures with names of their own."""
    named = (i for i in world.items if i.type.family in ("object", "connector") and i.name.isidentifier())
    return {item.name: item for item in named if port_of(item).kind.name == "scalar"}


def typed(what: str, texts: tuple[str, ...], numbers: dict[str, float], spans: tuple[str, ...]) -> Item:
    """A typed curve or surface that is in no world."""
    given = {name: number(name, value) for name, value in numbers.items()}
    if len(given) > MOST_NAMES:
        raise ValueError(f"a curve may have {MOST_NAMES} numbers, not {len(given)}")
    options: dict[str, object] = {"text": texts, "names": tuple(given), "numbers": tuple(given.values())}
    ends = [checked_span("span", spans[k : k + 2]) for k in range(0, len(spans), 2)]
    if what == "surface":
        made = typed_surface.make("", (), options | dict(zip(("u_span", "v_span"), ends, strict=True)))
    else:
        made = typed_curve.make("", (), options | ({"span": ends[0]} if ends else {}))
    made.type.resolve(made)
    return made


# --- attaching -------------------------------------------------------------------------------------
def attach(command: p.Attach, session: Session, _request: Request) -> list[str]:
    """A constraint between curves with the variables that it slides by, as one edit."""
    world = session.world
    before = set(world.contents.names)
    with world.history.one_step():
        made = _attached(world, command)
        world.add(made)
    return [made.name, *(name for name in world.contents.names if name not in before and name != made.name)]


EQUAL = {
    "equal_length": (equal_length, "equal lengths"), "equal_area": (equal_area, "equal areas"),
    "equal_radius": (equal_radius, "equal radii"),
}  # fmt: skip
KEPT = {"keep_length": (length_of, "length"), "keep_area": (area_within, "area")}


def _attached(world: World, command: p.Attach) -> Item:
    made: Item
    how, a, b = command.how, command.a, command.b
    if how in EQUAL:
        keep_equal, title = EQUAL[how]
        return keep_equal(_curve(world, a), _curve(world, b), name=_free(world, title))
    if how in KEPT:
        measure, title = KEPT[how]
        curve = _curve(world, a)
        size = world.add(measure(curve))
        made = held(
            size, at=tuple(np.ravel(size.value).tolist()), name=_free(world, f"{title} of {curve.name}")
        )
        return made
    if how == "mirror":
        line = _curve(world, command.line)
        return mirror_images(_curve(world, a), _curve(world, b), line, name=_free(world, "mirror images"))
    if how == "mirror_points":
        line = _curve(world, command.line)
        return mirror_points(
            resolve(world, a, "point"), resolve(world, b, "point"), line, name=_free(world, "mirrored points")
        )
    if how == "fixed":
        made = connect(resolve(world, a, "point"), resolve(world, b, "point"))
        return made
    if how == "slide":
        if "@" in b and lies_on(world[b.partition("@")[0]]) == "curve":
            point, along = a, b
        else:  # what is no curve slides along the other
            point, along = b, a
        curve = _curve(world, along)
        made = on_curve(resolve(world, point, "point"), curve, _slide(world, curve, along))
        return made
    first, second = _curve(world, a), _curve(world, b)
    kind = tangential if how == "tangent" else crossing
    made = kind(first, _slide(world, first, a), second, _slide(world, second, b))
    return made


def _curve(world: World, text: str) -> Item:
    owner = world[text.partition("@")[0]] if text.partition("@")[0] in world else world[text]
    while owner.type.family == "connector" and owner.inputs:
        owner = owner.inputs[0]
    if lies_on(owner) != "curve":
        raise TypeError(f"{label(owner)} is no curve; this attaches curves, points are attached with “fixed”")
    return owner


def _slide(world: World, curve: Item, text: str) -> Item:
    """A variable that runs along a curve from where it was pointed at."""
    where = text.partition("@")[2]
    if not where and text in world and world[text].type is curve_point:
        where = str(world[text].values["u"])
    u = Variable(_free(world, f"{curve.name} u"), value=float(where or 0.0), mass=0.01)
    made: Item = world.add(u)
    return made


def _free(world: World, base: str) -> str:
    return next(n for n in (base, *(f"{base} {k}" for k in range(2, 100_000))) if n not in world)


# --- locking single numbers ------------------------------------------------------------------------
def lock_(command: p.Lock, session: Session, _request: Request) -> str:
    """Hold a number of an object's state, or let it go."""
    world, item = session.world, session.world[command.item]
    name = f"lock {command.item}.{command.what}"
    if command.is_locked:
        if name in world:
            raise ValueError(f"{command.what} of {label(item)} is locked already")
        if item.type is Variable and command.what == "value":
            made: Item = held(item, at=(float(item.value),), name=name)
        else:
            made = lock(item, command.what, name=name)
        world.add(made)
        return name
    wanted = {
        (one.inputs[0].key if one.inputs else item.key, one.values.get("index"))
        for one in measures(item, command.what)
    }
    locks = [
        one
        for one in world.items
        if one.name == name
        or (
            one.type is held
            and one.inputs[0].inputs
            and (one.inputs[0].inputs[0].key, one.inputs[0].values.get("index")) in wanted
        )
    ]
    if not locks:
        raise ValueError(f"{command.what} of {label(item)} is not locked")
    world.remove(*locks)
    return name


# --- drawings ----------------------------------------------------------------------------------------
def svg_in(command: p.Load, session: Session, request: Request) -> object:
    """The outlines of a drawing as curves."""
    data = taken(request, *command.files)[0] if command.files else command.text.encode()
    base = _free_prefix(session.world, "drawing")

    def read() -> list[Item]:
        try:
            return curves_from_svg(data, unit=drawing_unit(data), name=base)
        except ValueError as problem:
            raise ValueError(
                f"the drawing {command.files[0]!r}: {problem}" if command.files else str(problem)
            ) from None

    def put(items: list[Item]) -> list[str]:
        with session.world.history.one_step():
            curves = [item for item in items if item.type.family == "object"]
            session.world.add(*curves)
            session.world.add(*[item for item in items if item.type.family != "object"])
        return [curve.name for curve in curves]

    return later(session, request, read, put)


def drawing_unit(data: bytes) -> float:
    """Metres in a unit of a drawing that shall be WIDTH wide; of one that does not say how wide it is,
    0.01."""
    found = re.search(rb'viewBox\s*=\s*["\']\s*[-+.\deE]+[\s,]+[-+.\deE]+[\s,]+([.\deE+]+)', data)
    try:
        wide = float(found[1]) if found else 0.0
    except ValueError:
        wide = 0.0
    return WIDTH / wide if 0 < wide < 1e9 else 0.01


def _free_prefix(world: World, base: str) -> str:
    taken_names = world.contents.names
    k = 1
    while any(name.startswith(f"{base}{k}-") for name in taken_names):
        k += 1
    return f"{base}{k}"


# --- sheets ------------------------------------------------------------------------------------------
def sheet(command: p.Sheet, session: Session, _request: Request) -> list[str]:
    """An elastic troid of a drawn polygon."""
    world = session.world
    corners = [vector(f"corner {k + 1}", place, length=2) for k, place in enumerate(command.places)]
    with world.history.one_step():
        body = world.add(troid_sheet(_free(world, "sheet"), vertices=np.array(corners)))
        made = world.add(
            elastic(body, stiffness=number("stiffness", command.stiffness), name=f"{body.name} elastic")
        )
    return [body.name, made.name]


def new_world(dimension: int, order: int) -> World:
    """A world to begin with: gravity, contact and a floor that holds; or one of the first order, empty, for
    curves, models and fits, where motion ends with the force."""
    if dimension not in (2, 3) or order not in (1, 2):
        raise ValueError(f"a world has 2 or 3 dimensions and order 1 or 2, not {dimension} and {order}")
    if order == 1:
        return World(order=1, max_step=1 / 60)
    world = World()
    floor = Floor("floor", size=WIDE) if dimension == 3 else PlanarFloor("floor", size=LONG, position=BELOW)
    world.add(gravity(name="gravity"), contact(name="contact"), floor)
    world.history.clear()
    return world
