"""Where the links of a machine are, and how they move, when its coordinates do.

Outwards along the tree, joint by joint:  ω += u q̇,  α += ω × u q̇ + u q̈  about an anchor that goes along;
a slider adds  u q̇  and  2 ω × u q̇ + u q̈.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from tinkerdyne.formats.tree import Joint, Link, Machine, Pose, zeros
from tinkerdyne.language.arrays import Array
from tinkerdyne.objects.rotation import rotation_matrix

Given = float | Array | None
Coordinates = Mapping[str, "float | Array"]


@dataclass
class Motion:
    """The pose of a link's frame in the world, its velocities and its accelerations, in world axes."""

    pose: Pose = field(default_factory=Pose)
    velocity: Array = field(default_factory=zeros)
    spin: Array = field(default_factory=zeros)
    acceleration: Array = field(default_factory=zeros)
    spin_rate: Array = field(default_factory=zeros)

    def moved(self, offset: Array) -> Motion:
        """The motion of another point of the same body, by the way to it in world axes."""
        w, a = self.spin, self.spin_rate
        return Motion(
            Pose(self.pose.place + offset, self.pose.turn),
            self.velocity + np.cross(w, offset),
            w,
            self.acceleration + np.cross(a, offset) + np.cross(w, np.cross(w, offset)),
            a,
        )

    def at(self, pose: Pose) -> Motion:
        """The motion of a frame that is fixed in this one."""
        there = self.moved(self.pose.turn @ pose.place)
        there.pose = self.pose @ pose
        return there


def turned(axis: Array, angle: float) -> Array:
    """The rotation matrix about a unit axis."""
    half = angle / 2
    return rotation_matrix((np.cos(half), *(np.sin(half) * axis)))


def motions(
    machine: Machine, q: Coordinates, rates: Coordinates | None = None, second: Coordinates | None = None
) -> list[Motion]:
    """The motion of each link's frame. A hinge has its angle, a slider its way, as the file counts them; a
    ball a quaternion and a spin in axes of the link; what is free place and quaternion, velocity of the
    place in the world and spin in axes of the link. What is left out is as the file describes it, at rest."""
    rates, second = rates or {}, second or {}
    found: list[Motion] = []
    for link in machine.links:
        carrier = found[link.parent] if link.parent >= 0 else Motion()
        motion = carrier.at(link.pose)
        for joint in link.joints:
            step = _axial if joint.sort in ("hinge", "slide") else _spherical
            motion = step(motion, joint, q.get(joint.name), rates.get(joint.name), second.get(joint.name))
        found.append(motion)
    return found


def _axial(
    motion: Motion,
    joint: Joint,
    q: float | Array | None,
    rate: float | Array | None,
    second: float | Array | None,
) -> Motion:
    by = 0.0 if q is None else float(q) - joint.zero
    v, a = float(rate or 0.0), float(second or 0.0)
    u = motion.pose.turn @ joint.axis
    if joint.sort == "slide":
        out = motion.moved(u * by)
        out.velocity = out.velocity + u * v
        out.acceleration = out.acceleration + u * a + 2 * np.cross(motion.spin, u * v)
        return out
    anchor = motion.moved(motion.pose.turn @ joint.anchor)
    anchor.spin_rate = anchor.spin_rate + np.cross(anchor.spin, u * v) + u * a
    anchor.spin = anchor.spin + u * v
    turn = motion.pose.turn @ turned(joint.axis, by)
    anchor.pose = Pose(anchor.pose.place, turn)
    return anchor.moved(-turn @ joint.anchor)


def _spherical(
    motion: Motion,
    joint: Joint,
    q: float | Array | None,
    rate: float | Array | None,
    second: float | Array | None,
) -> Motion:
    """A ball joint, or a link that is free."""
    width = 4 if joint.sort == "ball" else 7
    v = np.zeros(width - 1) if rate is None else np.asarray(rate, float)
    a = np.zeros(width - 1) if second is None else np.asarray(second, float)
    if joint.sort == "free":
        if q is None:
            pose = motion.pose
        else:
            x = np.asarray(q, float)
            pose = Pose(x[:3], rotation_matrix(x[3:]))
        return Motion(pose, v[:3], pose.turn @ v[3:], a[:3], pose.turn @ a[3:])
    anchor = motion.moved(motion.pose.turn @ joint.anchor)
    turn = motion.pose.turn if q is None else motion.pose.turn @ rotation_matrix(np.asarray(q, float))
    spin = turn @ v
    anchor.spin_rate = anchor.spin_rate + np.cross(anchor.spin, spin) + turn @ a
    anchor.spin = anchor.spin + spin
    anchor.pose = Pose(anchor.pose.place, turn)
    return anchor.moved(-turn @ joint.anchor)


def centre_motion(link: Link, motion: Motion) -> Motion:
    """The motion of a link's centre of mass."""
    return motion.moved(motion.pose.turn @ link.mass.centre)


def joint_inertia(machine: Machine) -> dict[str, float]:
    """What each hinge and slider feels as its inertia where the machine lies as described: 1/(M⁻¹)_ii
    [kg m², kg]; of those with several coordinates the mean."""
    columns: list[tuple[str, Array]] = []
    for name, joint in machine.joints().items():
        if joint.sort in ("hinge", "slide"):
            columns.append((name, np.ones(1)))
        else:
            columns += [(name, row) for row in np.eye(3 if joint.sort == "ball" else 6)]
    flows = []
    for name, rate in columns:
        moving = motions(machine, {}, {name: float(rate[0]) if len(rate) == 1 else rate})
        flow = []
        for link, motion in zip(machine.links, moving, strict=True):
            centre = centre_motion(link, motion)
            flow += [
                *(np.sqrt(link.mass.mass) * centre.velocity),
                *(_root(link.mass.inertia) @ motion.pose.turn.T @ motion.spin),
            ]
        flows.append(flow)
    J = np.array(flows)
    armature = [machine.joints()[name].armature for name, _ in columns]
    W = np.diag(np.linalg.inv(J @ J.T + np.diag(armature)))
    return {
        name: 1 / float(np.mean([w for (of, _), w in zip(columns, W, strict=True) if of == name]))
        for name in machine.joints()
    }


def settle_springs(machine: Machine) -> None:
    """Springs and dampers of joints that are given by their time T and damping ratio ζ:
    k = I/(T ζ)²,  c = 2 I/T,  with the inertia I that the joint feels where the machine lies as described."""
    given = {name: joint for name, joint in machine.joints().items() if joint.settles is not None}
    if given:
        feels = joint_inertia(machine)
        for name, joint in given.items():
            assert joint.settles is not None
            time, ratio = joint.settles
            joint.stiffness = feels[name] / (time * ratio) ** 2
            joint.damping = 2 * feels[name] / time


def _root(inertia: Array) -> Array:
    moments, axes = np.linalg.eigh(inertia)
    return np.asarray(np.sqrt(np.maximum(moments, 0))[:, None] * axes.T)
