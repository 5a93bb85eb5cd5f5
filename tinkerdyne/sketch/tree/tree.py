"""Articulated trees (M7): bodies of the library joined by pins, universal and ball joints, free or clamped to
the world.

Coordinates are those that the joints leave free; a root that is free has its place and orientation. The
equations of motion are the recursive Newton–Euler equations over CasADi symbols: velocities and accelerations
outwards from the root,

    ω_i = Eᵀ ω + S ṡ,   α_i = Eᵀ α + S s̈ + ω_i × S ṡ,   a_i = a + α × r + ω × (ω × r),

forces and moments back inwards; what is left at the joints, f(c, u, u̇) = 0, is inverse dynamics. A universal
joint is two pins, a bend about the x axis of its frame a and a swing about the y axis of its frame b, as in
tinkerdyne's own joints.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import casadi as ca
import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item
from tinkerdyne.language.symbols import SX
from tinkerdyne.objects.rotation import exponential, matrix, product, quaternion_of, rotation_matrix
from tinkerdyne.sketch.tree.links import FREEDOMS, Link, check_bodies, linked


@dataclass
class Motion:
    """One link while a motion is computed: place of its centre of mass, axes, and velocities in the world."""

    x: SX
    R: SX
    v: SX = 0.0
    w: SX = 0.0
    a: SX = 0.0
    alpha: SX = 0.0


class Tree:
    """Links in an order in which parents come first; what is fixed belongs to the world, and what it carries
    is clamped."""

    def __init__(self, bodies: Sequence[Item], joints: Sequence[Item]) -> None:
        check_bodies(bodies)
        self.fixed = [body for body in bodies if body.values.get("is_fixed")]
        moving = [body for body in bodies if not body.values.get("is_fixed")]
        if not moving:
            raise ValueError("a tree needs at least one body that moves; give it bodies that are not fixed")
        self.links = linked(moving, joints, self.fixed)
        self.freedoms = sum(FREEDOMS[link.joint] for link in self.links)
        self.turns = sum(link.turn >= 0 for link in self.links)

    @functools.cached_property
    def moving(self) -> Array:
        """Which freedoms are angular velocities of a quaternion, (turns, 3)."""
        rows = [
            np.arange(3) + link.first + (3 if link.joint == "free" else 0)
            for link in self.links
            if link.turn >= 0
        ]
        return np.array(rows, int).reshape(-1, 3)

    # --- kinematics and dynamics -----------------------------------------------------------------
    # A configuration is (c, Q): c (freedoms) with places and angles, the entries of quaternions unused; Q (4,
    # turns).
    def poses(self, c: SX, Q: SX) -> list[Motion]:
        """Place and axes of every link."""
        return self._outwards(c, Q, None, None)

    def _outwards(self, c: SX, Q: SX, u: SX, du: SX) -> list[Motion]:
        moved: list[Motion] = []
        zero = c.zeros(3) if hasattr(c, "zeros") else np.zeros(3)
        for link in self.links:
            if link.parent >= 0:
                base = moved[link.parent]
            else:
                base = Motion(zero, ca.SX.eye(3), zero, zero, zero, zero)
            moved.append(self._carried(link, base, c[link.freedoms], Q, u, du))
        return moved

    def _carried(self, link: Link, base: Motion, s: SX, Q: SX, u: SX, du: SX) -> Motion:
        """A link from the one that carries it."""
        if link.joint == "free":
            R = matrix(Q[:, link.turn])
            if u is None:
                return Motion(s[:3], R)
            rate, change = u[link.freedoms], du[link.freedoms]
            return Motion(s[:3], R, rate[:3], R @ rate[3:], change[:3], R @ change[3:])
        A = base.R @ link.axes_a
        w, alpha = base.w, base.alpha
        if link.joint == "ball":
            B = A @ matrix(Q[:, link.turn])
            if u is not None:  # the rate is that of frame b in its own axes
                w, alpha = _turned(w, alpha, B, u[link.freedoms], du[link.freedoms])
        else:
            B = A
            for axis, i in {"pin": ((2, 0),), "universal": ((0, 0), (1, 1))}[link.joint]:
                e = B[:, axis]
                B = B @ _about(axis, s[i])
                if u is not None:
                    w, alpha = _turned(w, alpha, e, u[link.first + i], du[link.first + i])
        R = B @ link.axes_b.T
        arm, out = base.R @ link.at_a, -R @ link.at_b
        x = base.x + arm + out
        if u is None:
            return Motion(x, R)
        v = base.v + ca.cross(base.w, arm) + ca.cross(w, out)
        a = base.a + ca.cross(base.alpha, arm) + ca.cross(base.w, ca.cross(base.w, arm))
        a = a + ca.cross(alpha, out) + ca.cross(w, ca.cross(w, out))
        return Motion(x, R, v, w, a, alpha)

    def moving_poses(self, c: SX, Q: SX, u: SX) -> list[Motion]:
        """The links with their velocities."""
        return self._outwards(c, Q, u, ca.SX.zeros(self.freedoms))

    def inverse_dynamics(self, c: SX, Q: SX, u: SX, du: SX, g: Array) -> SX:
        """The forces and torques along the freedoms that the motion would need; none are there, so zero [N, N
        m]."""
        moved = self._outwards(c, Q, u, du)
        force = [ca.SX.zeros(3) for _ in self.links]
        torque = [ca.SX.zeros(3) for _ in self.links]  # about the link's centre of mass
        out = ca.SX.zeros(self.freedoms)
        for i in range(len(self.links) - 1, -1, -1):
            link, m = self.links[i], moved[i]
            I = m.R @ link.inertia @ m.R.T
            F = force[i] + link.mass * (m.a - g)
            N = torque[i] + I @ m.alpha + ca.cross(m.w, I @ m.w)
            if link.joint == "free":
                out[link.first : link.first + 3], out[link.first + 3 : link.first + 6] = F, m.R.T @ N
                continue
            base = moved[link.parent] if link.parent >= 0 else Motion(ca.SX.zeros(3), ca.SX.eye(3))
            place = m.R @ link.at_b  # of the joint from the centre of mass
            M = N - ca.cross(place, F)  # about the joint
            A = base.R @ link.axes_a
            if link.joint == "ball":
                out[link.freedoms] = (A @ matrix(Q[:, link.turn])).T @ M
            else:
                B = A
                for axis, j in {"pin": ((2, 0),), "universal": ((0, 0), (1, 1))}[link.joint]:
                    out[link.first + j] = ca.dot(B[:, axis], M)
                    B = B @ _about(axis, c[link.first + j])
            if link.parent >= 0:
                arm = base.R @ link.at_a
                force[link.parent] = force[link.parent] + F
                torque[link.parent] = torque[link.parent] + M + ca.cross(arm, F)
        return out

    def acceleration(self, c: SX, Q: SX, u: SX, g: Array) -> SX:
        """u̇ of the free motion: M u̇ = −f(c, u, 0)."""
        du = ca.SX.sym("du", self.freedoms)
        f = self.inverse_dynamics(c, Q, u, du, g)
        M = ca.jacobian(f, du)
        h = ca.substitute(f, du, ca.SX.zeros(self.freedoms))
        D, LT, order = ca.ldl(M)  # solve() would orthogonalise, and lose four digits to thin links
        return ca.ldl_solve(-h, D, LT, order)

    def weights(self) -> Array:
        """The inertia along each freedom in the bodies' own poses: the diagonal of M [kg, kg m²]."""
        n = self.freedoms
        du = ca.SX.sym("du", n)
        c, Q = self.configuration()
        f = self.inverse_dynamics(ca.SX(c), ca.SX(Q), ca.SX.zeros(n), du, np.zeros(3))
        return np.array(ca.evalf(ca.diag(ca.jacobian(f, du)))).ravel()

    def rates(self, Q: SX, u: SX) -> SX:
        """Q̇ = ½ q ⊗ (0, ω) of every quaternion."""
        columns = [product(Q[:, k], ca.vertcat(0, u[self.moving[k].tolist()])) / 2 for k in range(self.turns)]
        return ca.horzcat(*columns) if columns else ca.SX(4, 0)

    def turned(self, Q: SX, by: SX) -> SX:
        """Every quaternion turned by its rotation vector of `by` (freedoms)."""
        columns = [product(Q[:, k], exponential(by[self.moving[k].tolist()])) for k in range(self.turns)]
        return ca.horzcat(*columns) if columns else ca.SX(4, 0)

    # --- numbers ---------------------------------------------------------------------------------
    def configuration(self) -> tuple[Array, Array]:
        """(c, Q) of the bodies as they are now; where they do not fit their joints, the joints win."""
        c, Q = np.zeros(self.freedoms), np.zeros((4, self.turns))
        for link in self.links:
            R = rotation_matrix(link.item.orientation)
            if link.joint == "free":
                c[link.first : link.first + 3] = link.item.position
                Q[:, link.turn] = link.item.orientation
                continue
            base = np.eye(3) if link.parent < 0 else rotation_matrix(self.links[link.parent].item.orientation)
            J = (base @ link.axes_a).T @ R @ link.axes_b
            if link.joint == "ball":
                Q[:, link.turn] = quaternion_of(J)
            elif link.joint == "pin":
                c[link.first] = np.arctan2(J[1, 0], J[0, 0])
            else:
                c[link.first], c[link.first + 1] = np.arctan2(J[2, 1], J[1, 1]), np.arctan2(J[0, 2], J[0, 0])
        return c, Q

    @functools.cached_property
    def pose_function(self) -> ca.Function:
        """(c, Q) → places (3, links) and axes (3, 3 links)."""
        c, Q = ca.SX.sym("c", self.freedoms), ca.SX.sym("Q", 4, self.turns)
        moved = self.poses(c, Q)
        return ca.Function(
            "poses", [c, Q], [ca.horzcat(*[m.x for m in moved]), ca.horzcat(*[m.R for m in moved])]
        )

    def posed(self, c: Array, Q: Array) -> tuple[Array, Array]:
        """Places (n, links, 3) and axes (n, links, 3, 3) of configurations c (n, freedoms), Q (n, 4,
        turns)."""
        n, links = len(c), len(self.links)
        x, R = self.pose_function.map(n)(c.T, Q.transpose(1, 0, 2).reshape(4, -1))
        axes = np.array(R).reshape(3, n, links, 3).transpose(1, 2, 0, 3)
        return np.array(x).reshape(3, n, links).transpose(1, 2, 0), axes

    @functools.cached_property
    def velocity_function(self) -> ca.Function:
        """(c, Q, u) → velocities of the centres (3, links) and spins in the bodies' axes (3, links)."""
        c, Q, u = ca.SX.sym("c", self.freedoms), ca.SX.sym("Q", 4, self.turns), ca.SX.sym("u", self.freedoms)
        moved = self.moving_poses(c, Q, u)
        return ca.Function(
            "velocities",
            [c, Q, u],
            [ca.horzcat(*[m.v for m in moved]), ca.horzcat(*[m.R.T @ m.w for m in moved])],
        )


def _turned(w: SX, alpha: SX, axes: SX, rate: SX, change: SX) -> tuple[SX, SX]:
    """Spin and its change beyond a joint that turns at `rate` about axes carried by what lies beyond it."""
    own = axes @ rate if axes.shape[1] > 1 else axes * rate
    growth = axes @ change if axes.shape[1] > 1 else axes * change
    return w + own, alpha + growth + ca.cross(w, own)


def _about(axis: int, angle: SX) -> SX:
    c, s = ca.cos(angle), ca.sin(angle)
    return {
        0: ca.vertcat(ca.horzcat(1, 0, 0), ca.horzcat(0, c, -s), ca.horzcat(0, s, c)),
        1: ca.vertcat(ca.horzcat(c, 0, s), ca.horzcat(0, 1, 0), ca.horzcat(-s, 0, c)),
        2: ca.vertcat(ca.horzcat(c, -s, 0), ca.horzcat(s, c, 0), ca.horzcat(0, 0, 1)),
    }[axis]
