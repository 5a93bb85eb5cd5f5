"""Behaviors: forces on any connector (E4).

Positive spring and damping coefficients pull together and slow down."""

from __future__ import annotations

from casadi import fmax

from tinkerdyne.language.effects import Effort, Energy, energy, force, spin, torque, velocity
from tinkerdyne.language.kinds import ORIGIN, Down, Either, Frame, Number, Place, Point, Scalar, Size
from tinkerdyne.language.look import look
from tinkerdyne.language.symbols import SX, dot, norm, tanh
from tinkerdyne.language.types import behavior, field
from tinkerdyne.objects.fields import BodyValue

UP = Either((0.0, 1.0), (0.0, 0.0, 1.0))
TURN = Either((1.0,), (0.0, 0.0, 1.0))  # in the plane a torque is one number


@look(icon="gravity")
@field(tied=True)
def gravity(body: BodyValue, *, g: Down = (0.0, 0.0, -9.81)) -> Energy:
    """Uniform gravity on every object with mass:  E = −g·Σ m x   [g m/s²].

    One number is its strength downwards: gravity(9.81) is gravity((0, 0, −9.81)). Space is z-up, the plane
    y-up: in the plane two numbers are along x and y, and of three the first and the last."""
    if body.moment is None:
        return Energy(0)
    n = body.moment.numel()
    if n == g.numel():
        pull = g
    elif n == 2:
        pull = g[[0, 2]] if g.numel() == 3 else g  # 3-D is z-up, 2-D is y-up
    else:
        pull = g
    return Energy(-dot(pull, body.moment))


@look(icon="drag")
@field
def damping(body: BodyValue, *, rate: Number = 1.0) -> SX:
    """Drag on every object in proportion to its momentum:  Q = −rate · M v   [rate 1/s]."""
    return -rate * body.momentum


@look(glyph="coil", length="length", tool=16)
@behavior
def spring(
    a: Point, b: Point, *, stiffness: Number = 100.0, length: Number = 0.0, damping: Number = 0.0
) -> Effort:
    """A damped spring between two points:  E = ½ k (|b − a| − length)²,  and −damping along its line
    [stiffness N/m, length m, damping N s/m]."""
    size = norm(b - a)
    stretch = size - length
    return energy(stiffness / 2 * stretch * stretch), force(size, -damping * velocity(size))


@look(glyph="dashpot", tool=17)
@behavior
def damper(a: Point, b: Point, *, coefficient: Number = 1.0) -> Effort:
    """A damper between two points, in all directions:  F = −coefficient · (velocity of b − a)
    [coefficient N s/m]."""
    return force(b - a, -coefficient * velocity(b - a))


@look(glyph="dashpot", icon="block")
@behavior
def bushing(a: Point, b: Point, *, stiffness: Number = 100.0, damping: Number = 1.0) -> Effort:
    """A block of rubber between two points, the same in all directions:  E = ½ k |b − a|²,
    F = −damping · (velocity of b − a)   [stiffness N/m, damping N s/m]."""
    apart = b - a
    return energy(stiffness / 2 * dot(apart, apart)), force(apart, -damping * velocity(apart))


@look(title="Constant force")
@behavior(tied=True)
def pull(p: Point, *, by: Place = UP) -> Effort:
    """A constant force on a point, in world axes   [by N]."""
    return force(p, by)


@look(title="Hand", place="to", icon="hand")
@behavior(tied=True)
def tug(p: Point, *, to: Place = ORIGIN, mass: Number = 1.0, time: Size = 0.1, limit: Size = 1e3) -> Effort:
    """A pull towards a place by a critically damped spring for a mass, with a largest force (a hand)
    [to m, mass kg, time s, limit N]:

    F = mass ((to − p)/time² − 2 ṗ/time), cut off at `limit`.
    """
    pull = mass * ((to - p) / (time * time) - 2 * velocity(p) / time)
    return force(p, pull * limit / fmax(limit, norm(pull)))


@behavior
def push_body(p: Point, body: Frame, *, by: Place = UP) -> Effort:
    """A constant force on a point, in the axes of a body   [by N]."""
    return force(p, body.axes @ by)


@look(title="Constant torque", icon="twist")
@behavior(tied=True)
def twist(body: Frame, *, by: Place = TURN) -> Effort:
    """A constant torque on a body, in world axes   [by N m]."""
    return torque(body, by)


@look(icon="twist")
@behavior
def twist_body(body: Frame, *, by: Place = TURN) -> Effort:
    """A constant torque on a body, in its own axes   [by N m]."""
    return torque(body, by if body.dim == 2 else body.axes @ by)


@look(glyph="bar")
@behavior
def attraction(a: Point, b: Point, *, strength: Number = 1.0) -> Effort:
    """Gravity between two points:  E = −strength / |b − a|, with strength G m_a m_b   [strength J m]."""
    return energy(-strength / norm(b - a))


@look(glyph="wheel", group="Motors and paths", title="Motor (drive)", icon="motor", tool=19)
@behavior
def drive(x: Scalar, *, speed: Number = 1.0, gain: Number = 10.0, limit: Number = 1e6) -> Effort:
    """A motor on any measure, towards a speed, with a largest effort:  limit · tanh(gain (speed − ẋ) /
    limit).

    On a length, speed is in m/s and limit in N; on an angle, in rad/s and N m."""
    return force(x, limit * tanh(gain * (speed - velocity(x)) / limit))


@look(glyph="wheel", group="Motors and paths")
@behavior
def servo(
    x: Scalar, to: Scalar, *, stiffness: Number = 100.0, damping: Number = 10.0, limit: Number = 1e6
) -> Effort:
    """A motor on any measure, towards another one, with a largest effort:  limit · tanh((k (to − x) + c (ṫo −
    ẋ)) / limit).

    On a length, k is in N/m, c in N s/m and limit in N; on an angle, in N m/rad, N m s/rad and N m."""
    return force(x, limit * tanh((stiffness * (to - x) + damping * (velocity(to) - velocity(x))) / limit))


@behavior
def friction(x: Scalar, *, effort: Number = 1.0, width: Number = 1e-2) -> Effort:
    """Dry friction on any measure:  −effort · tanh(ẋ / width), in N and m/s, or N m and rad/s; below the
    width it creeps   [width 1]."""
    return force(x, -effort * tanh(velocity(x) / width))


@look(icon="drag")
@behavior
def drag(p: Point, *, coefficient: Number = 1.0) -> Effort:
    """Viscous drag on a point:  F = −coefficient · velocity   [coefficient N s/m]."""
    return force(p, -coefficient * velocity(p))


@look(icon="drag")
@behavior
def spin_drag(body: Frame, *, coefficient: Number = 1.0) -> Effort:
    """Viscous drag on a body's rotation:  T = −coefficient · ω   [coefficient N m s]."""
    return torque(body, -coefficient * spin(body))


@look(icon="spring")
@behavior
def scalar_spring(x: Scalar, *, stiffness: Number = 1.0, rest: Number = 0.0, damping: Number = 0.0) -> Effort:
    """A damped spring on any measure:  E = ½ k (x − rest)²,  and −damping · ẋ along it.

    On a length, k is in N/m and damping in N s/m; on an angle, in N m/rad and N m s/rad."""
    return energy(stiffness / 2 * (x - rest) * (x - rest)), force(x, -damping * velocity(x))


@look(glyph="wheel", icon="spring")
@behavior
def torsion_spring(a: Frame, b: Frame, *, stiffness: Number = 1.0, damping: Number = 0.0) -> Effort:
    """Turns b back to the orientation of a:  E = k (n − tr R_aᵀR_b)/2 ≈ ½ k θ², and −damping on the relative
    spin   [stiffness N m, damping N m s]."""
    R = a.axes.T @ b.axes
    trace = sum((R[k, k] for k in range(1, a.dim)), R[0, 0])
    turn = spin(b) - spin(a)
    return energy(stiffness * (a.dim - trace) / 2), torque(b, -damping * turn), torque(a, damping * turn)


@look(glyph="wheel", group="Motors and paths")
@behavior
def motor(a: Frame, b: Frame, *, speed: Number = 1.0, gain: Number = 1.0, axis: Place = TURN) -> Effort:
    """Drives b against a towards a speed about an axis of a:  T = gain · (speed − ω_rel·axis)
    [speed rad/s, gain N m s]."""
    if a.dim == 2:
        effort = gain * (speed - (spin(b) - spin(a)))
        return torque(b, effort), torque(a, -effort)
    along = a.axes @ axis
    effort = gain * (speed - dot(spin(b) - spin(a), along)) * along
    return torque(b, effort), torque(a, -effort)
