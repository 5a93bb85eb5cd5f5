"""Joints between two frames (A1): what they hold, and the coordinates that they leave free.

Each holds frame b in frame a. The third axis of a (z) is the axis of the joint: pins turn about it, sliders
move along it. A joint has its coordinates as parts, connectors like any other: `hinge.turn.value`,
`speed(hinge.turn, at=2)`, `within(hinge.turn, -1, 1)`. In the plane the axis is the plane's normal, and
sliders move along the x axis of a.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import casadi as ca
import numpy as np

from tinkerdyne.connectors.measures import turn_between
from tinkerdyne.connectors.points import frame, world_frame
from tinkerdyne.constraints.algebra import at_least, at_most
from tinkerdyne.constraints.coordinates import (
    across_between,
    bend_between,
    rotation_between,
    slide_between,
    swing_between,
)
from tinkerdyne.constraints.frames import match
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.calls import says_how
from tinkerdyne.language.checks import unit, vector
from tinkerdyne.language.item import Item, Values, label
from tinkerdyne.language.item_type import Operand
from tinkerdyne.language.kinds import Frame, FrameValue, Number, Scalar
from tinkerdyne.language.look import look
from tinkerdyne.language.symbols import SX, dot
from tinkerdyne.language.types import ConnectorType, ConstraintType, constraint
from tinkerdyne.objects.rotation import matrix, plane_rotation

Joint = TypeVar("Joint", bound=Item)


# --- joints --------------------------------------------------------------------------------------
class JointType(ConstraintType):
    """A constraint between two frames that knows its free coordinates."""

    def __init__(self, formula: Callable[..., SX], **coordinates: ConnectorType) -> None:
        self.coordinates = coordinates
        super().__init__(formula)

    def own_names(self) -> tuple[str, ...]:
        return (*self.coordinates, "coordinates", "speeds", "reaction")

    def part_names(self, item: Item) -> tuple[str, ...]:
        return (*super().part_names(item), *self.own_names())

    def has(self) -> str:
        free = f" Its coordinates are {', '.join(self.coordinates)}." if self.coordinates else ""
        return f"{super().has()} Of a joint there are also coordinates, speeds and reaction.{free}"

    def operands(self) -> Sequence[Operand]:
        """Two frames; the turns of a screw are counted for it, unless they are given."""
        return [replace(one, is_optional=k > 1) for k, one in enumerate(super().operands())]

    def instead(self) -> str:
        """Two bodies and a place are joined where they are."""
        return f"; at a place of the world write join({self.word}, a, b, at=…)"

    def make(self, name: str, inputs: Sequence[Item], parameters: Values) -> Item:
        if len(self.ports) == 3 and len(inputs) == 2:  # a screw needs its own turns counted
            inputs = (*inputs, turn_between(*inputs, name=f"{name}.turn" if name else ""))
        return super().make(name, inputs, parameters)

    def part(self, item: Item, name: str) -> Any:
        """A free coordinate as a connector made once; `coordinates`, `speeds` and `reaction` as numbers."""
        if name == "turn" and len(item.inputs) == 3:
            return item.inputs[2]  # the one that a screw goes by
        if name in self.coordinates:
            made = item.parts.get(name)
            if made is None or made.fate:
                called = f"{item.name}.{name}" if item.name else ""
                known = item.world[called] if item.world is not None and called in item.world else None
                made = known or self.coordinates[name](*item.inputs[:2], name=called)
                item.parts[name] = made
            return made
        if name in ("coordinates", "speeds"):
            read = "value" if name == "coordinates" else "velocity"
            found = [getattr(self.part(item, one), read) for one in self.coordinates]
            return np.concatenate(found) if found else np.zeros(0)
        if name == "reaction":
            return reaction(item)
        return super().part(item, name)


def joint(**coordinates: Callable[..., Item]) -> Callable[[Callable[..., SX]], JointType]:
    """Make a joint type of a formula over two frames; its free coordinates by name, such as
    turn=turn_between."""
    known: dict[str, ConnectorType] = {}
    for name, kind in coordinates.items():
        if not isinstance(kind, ConnectorType):
            raise TypeError(
                f"coordinate {name!r} of a joint must be a connector type over two frames, such as "
                f"turn_between, not {kind!r}"
            )
        known[name] = kind
    return lambda formula: JointType(formula, **known)


def reaction(item: Item) -> tuple[Array, Array]:
    """Force and torque [N, N m] that a joint puts on the body of its frame b, about the joint's origin, in
    world axes."""
    if item.world is None:
        raise AttributeError(f"{label(item)} is in no world yet; add it to read its reaction")
    forces = item.world.reactions(item)
    second = item.inputs[1]
    origin = np.array(second.position if second.type.family == "object" else second.value)
    for source, sign in ((item.inputs[1], 1.0), (item.inputs[0], -1.0)):
        body = source
        while body.type.family == "connector" and body.inputs:
            body = body.inputs[0]
        if body.name in forces and body.type.family == "object":
            f = sign * forces[body.name]
            centre = np.array(body.position)
            arm = centre - origin[: len(centre)]
            if len(centre) == 3:
                return f[:3], f[3:] + np.cross(arm, f[:3])
            return f[:2], np.array([f[2] + arm[0] * f[1] - arm[1] * f[0]])
    return np.zeros(3), np.zeros(3)


def in_space(a: FrameValue, name: str, instead: str) -> None:
    """Refuse a joint that the plane has no room for."""
    if a.dim == 2:
        raise ValueError(f"a joint of the sort {name} exists in space only; in the plane use {instead}")


@look(glyph="ball", title="Ball joint", tool=12)
@joint(rotation=rotation_between)
def ball(a: Frame, b: Frame) -> SX:
    """A ball joint: the origins coincide (LD98 calls it universal)   [m]; in the plane it is a pin."""
    return match.formula(a, b, locked="xy" if a.dim == 2 else "xyz")


@look(glyph="hinge", axis="turning", rank=2, title="Pin joint", tool=11)
@joint(turn=turn_between)
def pin(a: Frame, b: Frame) -> SX:
    """A hinge: b turns about the axis of a   [m, rad]."""
    return match.formula(a, b, locked="xy" if a.dim == 2 else "xyzab")


@look(glyph="cross", axis="turning", rank=3, title="Universal joint")
@joint(bend=bend_between, swing=swing_between)
def universal(a: Frame, b: Frame) -> SX:
    """A cardan joint: origins coincide, and the y axis of b stays across the x axis of a   [m, 1]."""
    in_space(a, "universal", "pin")
    return ca.vertcat(match.formula(a, b, locked="xyz"), dot(a.axes[:, 0], b.axes[:, 1]))


@look(glyph="cylinder", axis="turning", rank=5, title="Cylindrical joint")
@joint(slide=slide_between, turn=turn_between)
def cylindrical(a: Frame, b: Frame) -> SX:
    """b turns about the axis of a and slides along it   [m, rad]."""
    in_space(a, "cylindrical", "pin or prismatic")
    return match.formula(a, b, locked="xyab")


@look(glyph="slider", axis="sliding", rank=4, title="Prismatic joint", word="Slider", tool=13)
@joint(slide=slide_between)
def prismatic(a: Frame, b: Frame) -> SX:
    """b slides along the axis of a (in the plane, the x axis) without turning   [m, rad]."""
    return match.formula(a, b, locked="yc" if a.dim == 2 else "xyabc")


@look(glyph="table", axis="turning", title="Planar joint")
@joint(across=across_between, turn=turn_between)
def planar(a: Frame, b: Frame) -> SX:
    """b moves in the x, y plane of a and turns about its normal   [m, rad]."""
    in_space(a, "planar", "no joint at all")
    return match.formula(a, b, locked="zab")


@look(glyph="bead", axis="sliding", title="Point on axis")
@joint(slide=slide_between)
def on_axis(a: Frame, b: Frame) -> SX:
    """The origin of b slides along the axis of a, b turns freely (LD98 calls it ball-socket)   [m]."""
    return match.formula(a, b, locked="y" if a.dim == 2 else "xy")


@look(glyph="table", axis="turning", title="Point on face")
@joint(across=across_between)
def on_face(a: Frame, b: Frame) -> SX:
    """The origin of b moves in the x, y plane of a, b turns freely: smooth contact   [m]."""
    in_space(a, "on_face", "on_axis")
    return match.formula(a, b, locked="z")


@look(glyph="weld", rank=6, tool=14)
@joint()
def weld(a: Frame, b: Frame) -> SX:
    """b is held in a   [m, rad]."""
    return match.formula(a, b)


@look(glyph="screw", axis="turning", title="Screw joint")
@joint(slide=slide_between, turn=turn_between)
def screw(a: Frame, b: Frame, turn: Scalar, *, pitch: Number = 0.01) -> SX:
    """b turns about the axis of a and moves along it by the pitch in a turn   [m, rad]; its turns are counted
    along with it."""
    in_space(a, "screw", "rack")
    rows = match.formula(a, b, locked="xyab")
    return ca.vertcat(rows, slide_between.formula(a, b) - pitch * turn / (2 * ca.pi))


@look(glyph="gear", icon="gear")
@constraint
def gear(first: Scalar, second: Scalar, *, ratio: Number = -1.0, phase: Number = 0.0) -> SX:
    """Two turns mesh:  second = ratio · first + phase   [phase rad].

    The ratio of two outer gears is −(teeth of first)/(of second)."""
    return second - ratio * first - phase


@look(icon="rack")
@constraint
def rack(slide: Scalar, turn: Scalar, *, radius: Number = 1.0, phase: Number = 0.0) -> SX:
    """A rack moves with its pinion:  slide = radius · turn + phase   [phase m]."""
    return slide - radius * turn - phase


# --- around joints -------------------------------------------------------------------------------
@says_how
def within(
    x: Item, low: float, high: float, *, restitution: float = 0.0, name: str = ""
) -> tuple[Item, Item]:
    """Two stops that keep a coordinate between two values; add both: world.add(*within(hinge.turn, -1,
    1))."""
    if not low <= high:
        raise ValueError(f"the limits of {label(x)} must be in order, not {low!r} and {high!r}")
    below = at_least(x, low=low, restitution=restitution, name=f"{name}.low" if name else "")
    above = at_most(x, high=high, restitution=restitution, name=f"{name}.high" if name else "")
    return below, above


def _where(at: Item | Sequence[float] | Array) -> Sequence[float] | Array:
    """A place of the world; of a named place of a body, where it is now."""
    if not isinstance(at, Item):
        return at
    if at.type.output.name != "point" or not at.inputs or at.inputs[0].type.family != "object":
        raise TypeError(f"a joint is made at a place, or at a named place of a body, not at {label(at)}")
    body = at.inputs[0]
    place: Array = np.array(body.position) + _axes_of(body) @ np.array(at.at)
    return place


@says_how
def join(
    kind: Callable[..., Joint],
    a: Item | None,
    b: Item,
    *,
    at: Item | Sequence[float] | Array,
    axis: Sequence[float] | Array = (0.0, 0.0, 1.0),
    toward: Sequence[float] | Array | None = None,
    **options: Any,
) -> Joint:
    """A joint at a place of the world, between two bodies where they are now: join(pin, None, door, at=…,
    axis=…).

    None is the world itself. The frames are made in the bodies: their z along `axis`, their x along `toward`
    as far as possible. Further options are those of the joint: name, tau, gains, is_on, the pitch of a screw.
    """
    if not callable(kind) or isinstance(kind, Item):
        raise TypeError(f"the first of join is the type of the joint, not {kind!r}: join(pin, a, b, at=…)")
    for body in (a, b):
        if body is not None and not isinstance(body, Item):
            raise TypeError(f"a joint takes two bodies, not {body!r}: join(pin, a, b, at=…)")
        if body is not None and not {"orientation", "angle"} & set(body.type.state_names()):
            raise TypeError(
                f"a joint takes rigid bodies, or None for the world as the first, not {label(body)}"
            )
    if b is None:
        raise TypeError("the second body of a joint must not be the world itself; exchange the two")
    if a is b:
        raise ValueError(f"{label(b)} cannot be joined to itself")
    place = vector("at", _where(at), length=(2, 3))
    if len(place) == 2:
        x = np.array(unit("toward", (1.0, 0.0) if toward is None else toward))
        axes = np.column_stack([x, (-x[1], x[0])])
    else:
        z = np.array(unit("axis", axis))
        lead = np.array(unit("toward", toward)) if toward is not None else np.eye(3)[int(np.abs(z).argmin())]
        x = lead - z * (z @ lead)
        if math.hypot(*x) < 1e-9:
            raise ValueError(
                f"toward {tuple(lead.tolist())} lies along the axis {tuple(z.tolist())}; name a direction "
                "across it"
            )
        x /= math.hypot(*x)
        axes = np.column_stack([x, np.cross(z, x), z])
    on_a = (
        world_frame(at=place, axes=axes.ravel(order="F")) if a is None else _in_body(a, np.array(place), axes)
    )
    return kind(on_a, _in_body(b, np.array(place), axes), **options)


def _in_body(body: Item, place: Array, axes: Array) -> Item:
    """The frame of a body that lies at a pose of the world now."""
    origin = np.array(body.position)
    if len(place) != len(origin):
        raise ValueError(f"{label(body)} lives in {len(origin)} dimensions, the joint in {len(place)}")
    R = _axes_of(body)
    return frame(body, at=R.T @ (place - origin), axes=(R.T @ axes).ravel(order="F"))


def _axes_of(body: Item) -> Array:
    """The axes of a body as it lies now, by columns."""
    return plane_rotation(body.angle) if len(body.position) == 2 else np.array(matrix(body.orientation))
