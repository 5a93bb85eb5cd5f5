"""The object types of mechanics: particle, rigid body, planar rigid body, scalar variable, troid (E1)."""

from __future__ import annotations

from collections.abc import Callable

import casadi as ca

from tinkerdyne.language.block import Layout
from tinkerdyne.language.kinds import Frame, Point, Scalar
from tinkerdyne.language.symbols import SX
from tinkerdyne.objects import rotation
from tinkerdyne.objects.object import Drift, ObjectType, StatePart

ZERO3 = (0.0, 0.0, 0.0)
FreeRotation = Callable[[SX, SX, SX], tuple[SX, SX]]  # (spin, moments, h) ↦ (turn, spin)


def _particle(dim: int) -> ObjectType:
    zero = (0.0,) * dim
    return ObjectType(
        name=f"particle{dim}",
        kind=Point,
        positions=(StatePart("position", zero),),
        velocities=(StatePart("velocity", zero),),
        layout=Layout(("mass",), (1,)),
        mass=lambda _q, p: p["mass"] * ca.SX.eye(dim),
        moment=lambda x, p: p["mass"] * x,
    )


particle2, particle3 = _particle(2), _particle(3)

variable = ObjectType(
    name="variable",
    kind=Scalar,
    positions=(StatePart("value", (0.0,)),),
    velocities=(StatePart("rate", (0.0,)),),
    layout=Layout(("mass",), (1,)),
    mass=lambda _q, p: p["mass"],
)


# Rigid body: q = (x, quaternion), v = (ẋ in the world, Ω in the body); lift = (x, R), Ṙ = R Ω̂.
# Arena parameters: mass, inertia tensor I (by columns) in body axes, principal moments, principal axes P
# (columns) with the axis of symmetry first, so that Π in principal axes is Pᵀ I Ω.
_RIGID = Layout(("mass", "inertia", "moments", "axes"), (1, 9, 3, 9))


def _rigid_lift(q: SX, _p: dict[str, SX]) -> SX:
    return ca.vertcat(q[:3], ca.vec(rotation.matrix(q[3:])))


def _rigid_rate(ell: SX, v: SX) -> SX:
    return ca.vertcat(v[:3], ca.vec(ca.reshape(ell[3:], 3, 3) @ ca.skew(v[3:])))


def _rigid_spatial(ell: SX, v: SX) -> SX:
    return ca.vertcat(v[:3], ca.vec(ca.skew(v[3:]) @ ca.reshape(ell[3:], 3, 3)))


def _rigid_qdot(q: SX, v: SX) -> SX:
    return ca.vertcat(v[:3], rotation.product(q[3:], ca.vertcat(0, v[3:])) / 2)


def _rigid_mass(_q: SX, p: dict[str, SX]) -> SX:
    return ca.diagcat(p["mass"] * ca.SX.eye(3), ca.reshape(p["inertia"], 3, 3))


def _rigid_gyro(_q: SX, v: SX, p: dict[str, SX]) -> SX:
    """−Ω × IΩ, in body axes."""
    spin = v[3:]
    return ca.vertcat(ca.SX.zeros(3), -ca.cross(spin, ca.reshape(p["inertia"], 3, 3) @ spin))


def _rigid_drift(free_rotation: FreeRotation) -> Drift:
    def drift(q: SX, v: SX, p: dict[str, SX], h: SX) -> tuple[SX, SX]:
        # The turn is found in principal axes P (Ω_principal = Pᵀ Ω) and seen from the body: only its vector
        # part turns by P.
        axes = ca.reshape(p["axes"], 3, 3)
        turn, spin = free_rotation(axes.T @ v[3:], p["moments"], h)
        turn = ca.vertcat(turn[0], axes @ turn[1:])
        q1 = rotation.kept_unit(rotation.product(q[3:], turn))
        return ca.vertcat(q[:3] + h * v[:3], q1), ca.vertcat(v[:3], axes @ spin)

    return drift


def _rigid(name: str, free_rotation: FreeRotation) -> ObjectType:
    return ObjectType(
        name=name,
        kind=Frame,
        positions=(StatePart("position", ZERO3), StatePart("orientation", (1.0, 0.0, 0.0, 0.0))),
        velocities=(StatePart("velocity", ZERO3), StatePart("spin", ZERO3)),
        layout=_RIGID,
        mass=_rigid_mass,
        moment=lambda ell, p: p["mass"] * ell[:3],
        lift=_rigid_lift,
        lift_dim=12,
        rate=_rigid_rate,
        spatial=_rigid_spatial,
        qdot=_rigid_qdot,
        gyro=_rigid_gyro,
        drift=_rigid_drift(free_rotation),
        normalise=lambda q: ca.vertcat(q[:3], rotation.normalised(q[3:])),
        rotation="quaternion",
    )


rigid_symmetric = _rigid("rigid_symmetric", rotation.axisymmetric)
rigid_general = _rigid("rigid_general", rotation.split)


# Planar rigid body: q = (x, y, θ); lift = (x, y, R by columns).
def _planar_lift(q: SX, _p: dict[str, SX]) -> SX:
    c, s = ca.cos(q[2]), ca.sin(q[2])
    return ca.vertcat(q[:2], c, s, -s, c)


def _planar_rate(ell: SX, v: SX) -> SX:
    w = v[2]
    return ca.vertcat(v[:2], -w * ell[3], w * ell[2], -w * ell[5], w * ell[4])


planar_body = ObjectType(
    name="planar_body",
    kind=Frame,
    positions=(StatePart("position", (0.0, 0.0)), StatePart("angle", (0.0,))),
    velocities=(StatePart("velocity", (0.0, 0.0)), StatePart("spin", (0.0,))),
    layout=Layout(("mass", "inertia"), (1, 1)),
    mass=lambda _q, p: ca.diagcat(p["mass"] * ca.SX.eye(2), p["inertia"]),
    moment=lambda ell, p: p["mass"] * ell[:2],
    lift=_planar_lift,
    lift_dim=6,
    rate=_planar_rate,
    qdot=lambda _q, v: v,
    rotation="angle",
)


def _troid(dim: int) -> ObjectType:
    """An affine body (ID90 §5.4): place of material point s is x + A s; s is measured from the centre of
    mass.

    T = ½ m |ẋ|² + ½ tr(Ȧ S Ȧᵀ) with S = ∫ ρ s sᵀ, so M = diag(m 1, S ⊗ 1): constant, and q' = v.
    """
    identity = tuple(1.0 if i == j else 0.0 for j in range(dim) for i in range(dim))
    return ObjectType(
        name=f"troid{dim}",
        kind=Frame,
        positions=(StatePart("position", (0.0,) * dim), StatePart("shape", identity)),
        velocities=(StatePart("velocity", (0.0,) * dim), StatePart("shape_rate", (0.0,) * (dim * dim))),
        layout=Layout(("mass", "second_moment"), (1, dim * dim)),
        mass=lambda _q, p: ca.diagcat(
            p["mass"] * ca.SX.eye(dim), ca.kron(ca.reshape(p["second_moment"], dim, dim), ca.SX.eye(dim))
        ),
        moment=lambda ell, p: p["mass"] * ell[:dim],
        rotation="affine",
    )


troid2, troid3 = _troid(2), _troid(3)
