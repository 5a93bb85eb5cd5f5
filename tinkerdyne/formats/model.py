"""What reading a model gives: the world, its joints and actuators by their names in the file, a report."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tinkerdyne.formats.kinematics import Coordinates, Motion, centre_motion, motions
from tinkerdyne.formats.report import Report
from tinkerdyne.formats.tree import Machine
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.checks import did_you_mean
from tinkerdyne.language.item import Item
from tinkerdyne.objects.maker import LONGEST_OBJECT_NAME
from tinkerdyne.objects.rotation import quaternion_of
from tinkerdyne.world.edit import Change, Edit, Move, Several
from tinkerdyne.world.world import World


@dataclass
class ReadModel:
    """A world that was read from a file of another program.

    `report` says what was left out, by element and line; it is true where the motion misses nothing of it.
    `coordinates` are measures of the joints by their names in the file, `actuators` forces whose `u` is the
    control."""

    world: World
    machine: Machine
    report: Report
    bodies: list[Item] = field(default_factory=list)  # as the links of the machine
    coordinates: dict[str, Item] = field(default_factory=dict)
    rotors: dict[str, Item] = field(default_factory=dict)
    frictions: dict[str, Item] = field(default_factory=dict)  # of joints and tendons
    lengths: dict[str, Item] = field(default_factory=dict)  # of tendons
    actuators: dict[str, Item] = field(default_factory=dict)
    activations: dict[str, Item] = field(default_factory=dict)

    def __repr__(self) -> str:
        counts = f"{len(self.bodies)} bodies, {len(self.coordinates)} joints, {len(self.actuators)} actuators"
        left = sum(one.bears for one in self.report.left)
        return f"<ReadModel {self.machine.name!r}: {counts}; {left} elements were left out>"

    def name_for(self, wanted: str, sort: str) -> str:
        """A name that is free in the world: that of the file, or one that says the sort of thing too."""
        shown = "".join(c if c.isprintable() else "?" for c in wanted)[: LONGEST_OBJECT_NAME - 12] or sort
        shown = shown.replace(".", "_")
        for name in (shown, f"{shown} {sort}", *(f"{shown} {sort} {k}" for k in range(2, 10_000))):
            if name not in self.world:
                return name
        raise ValueError(f"too many things are called {wanted!r}")

    def body_of(self, name: str) -> Item | None:
        """The body that carries a link of the file; None where it stands still or is not there."""
        site = self.machine.sites.get(name)
        return None if site is None or site.link < 0 else self.bodies[site.link]

    def pose(self, q: Coordinates | None = None, rates: Coordinates | None = None) -> None:
        """Put the machine where its coordinates say, with these rates, in one edit.

        A hinge has an angle, a slider a way, as the file counts them; a ball a quaternion (w, x, y, z) and a
        spin in its own axes; a free link its place and quaternion, and the velocity of the place with the
        spin. What is not named is as the file describes it, at rest."""
        q, rates = dict(q or {}), dict(rates or {})
        known = self.machine.joints()
        for name in (*q, *rates):
            if name not in known:
                raise ValueError(f"the model has no joint {name!r}{did_you_mean(name, known)}")
        edits: list[Edit] = []
        for body, link, motion in zip(
            self.bodies, self.machine.links, motions(self.machine, q, rates), strict=True
        ):
            edits.append(Move(body.name, tuple(_state(centre_motion(link, motion)).items())))
        for name, rotor in self.rotors.items():
            value = float(q.get(name, known[name].zero)) - known[name].zero
            state = (("value", value), ("rate", float(rates.get(name, 0.0))))
            edits.append(Move(rotor.name, state))
        for name, x in self.coordinates.items():
            if known[name].sort == "hinge":  # its full turns are counted from here
                angle = float(q.get(name, known[name].zero)) - known[name].zero
                edits.append(Change(x.name, "turns", angle))
        self.world.apply(Several(tuple(edits)))


def _state(motion: Motion) -> dict[str, Any]:
    """The state of a rigid body that moves so."""
    turn: Array = motion.pose.turn
    return {
        "position": _numbers(motion.pose.place),
        "orientation": _numbers(quaternion_of(turn)),
        "velocity": _numbers(motion.velocity),
        "spin": _numbers(turn.T @ motion.spin),
    }


def _numbers(row: Array) -> tuple[float, ...]:
    return tuple(float(x) for x in np.asarray(row))
