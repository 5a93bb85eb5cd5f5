"""A robot (URDF) beside Pinocchio: its articulated-body algorithm at a random state, mimic joints by
projection (Gᵀ M G q̈ = Gᵀ f)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pinocchio as pin

import tinkerdyne as td

from .ours import Floats, accelerations, set_control, wanted

FARTHEST = 10.0  # rad or m: limits beyond are none
STRONGEST = 20.0  # N m or N that motors push with


class State:
    """A random state of a robot, in Pinocchio's numbers, and by the names of joints."""

    def __init__(self, path: Path, model: td.ReadModel, seed: int, *, floating: bool) -> None:
        joint = (pin.JointModelFreeFlyer(),) if floating else ()
        self.m = pin.buildModelFromUrdf(str(path), *joint)
        self.data = self.m.createData()
        self.model, self.rng = model, np.random.default_rng(seed)
        self.q, self.v = pin.neutral(self.m), self.rng.normal(size=self.m.nv)
        self.free = next((j.name for j in model.machine.joints().values() if j.sort == "free"), "")
        self.ties = [tie for tie in model.machine.equalities if tie.sort == "joint"]
        self.places: dict[str, float | Floats] = {}
        for k in range(1, self.m.njoints):
            self.draw(self.m.names[k], self.m.joints[k])
        self.tie()
        self.efforts()

    def draw(self, name: str, joint: object) -> None:
        i = joint.idx_q  # type: ignore[attr-defined]
        if name == "root_joint":
            place, turn = self.rng.normal(size=3), self.rng.normal(size=4)
            turn /= np.linalg.norm(turn)
            self.q[i : i + 7] = [*place, *turn[1:], turn[0]]
            self.places[self.free] = np.array([*place, *turn])
            return
        low, high = self.m.lowerPositionLimit[i], self.m.upperPositionLimit[i]
        if joint.nq == 2:  # type: ignore[attr-defined]  # an angle without limits, as cosine and sine
            by = self.rng.uniform(-3, 3)
            self.q[i : i + 2] = np.cos(by), np.sin(by)
        else:
            low, high = (max(low, -FARTHEST), min(high, FARTHEST)) if low < high else (-1.0, 1.0)
            by = self.q[i] = low + (high - low) * self.rng.uniform(0.1, 0.9)
        self.places[name] = float(by)

    def index(self, name: str) -> tuple[int, int]:
        joint = self.m.joints[self.m.getJointId(name)]
        return joint.idx_q, joint.idx_v

    def tie(self) -> None:
        """Mimic joints where the joints say that they follow."""
        for tie in self.ties:
            (iq, iv), (_, kv) = self.index(str(tie.first)), self.index(str(tie.second))
            self.q[iq] = self.places[str(tie.first)] = (
                tie.terms[0] + tie.terms[1] * self.places[str(tie.second)]
            )
            self.v[iv] = tie.terms[1] * self.v[kv]

    def efforts(self) -> None:
        """What motors, dampers and friction do."""
        self.effort = np.zeros(self.m.nv)
        joints = self.model.machine.joints()
        for name in self.places:
            if name != self.free and name in joints:
                iv, joint = self.index(name)[1], joints[name]
                self.effort[iv] -= joint.damping * self.v[iv] + joint.friction * np.sign(self.v[iv])
        for actuator in self.model.machine.actuators:
            if actuator.name in self.model.actuators:
                most = min(actuator.control[1] if actuator.control else STRONGEST, STRONGEST)
                u = float(self.rng.uniform(-most, most))
                set_control(self.model, actuator.name, u)
                self.effort[self.index(actuator.joint)[1]] += u

    def acceleration(self) -> Floats:
        if not self.ties:
            return np.asarray(pin.aba(self.m, self.data, self.q, self.v, self.effort))
        G = np.eye(self.m.nv)
        for tie in self.ties:
            first, second = self.index(str(tie.first))[1], self.index(str(tie.second))[1]
            G[first, first], G[first, second] = 0.0, tie.terms[1]
        G = G[:, G.any(axis=0)]
        M = np.triu(pin.crba(self.m, self.data, self.q))
        M = M + np.triu(M, 1).T
        f = self.effort - pin.rnea(self.m, self.data, self.q, self.v, np.zeros(self.m.nv))
        return np.asarray(G @ np.linalg.solve(G.T @ M @ G, G.T @ f))

    def by_name(self, flat: Floats, *, second: bool) -> dict[str, float | Floats]:
        """Rates or accelerations by name; a free root's in the world, Pinocchio has them in its own axes."""
        found: dict[str, float | Floats] = {
            name: float(flat[self.index(name)[1]]) for name in self.places if name != self.free
        }
        if self.free:
            R = pin.XYZQUATToSE3(self.q[:7]).rotation
            along = flat[:3] + (np.cross(self.v[3:6], self.v[:3]) if second else 0)
            found[self.free] = np.array([*(R @ along), *flat[3:6]])
        return found


def differences(path: Path, seeds: Sequence[int], *, floating: bool) -> tuple[list[float], td.ReadModel]:
    """The largest difference of accelerations at each state, as a share of the largest (or of 1), and the
    model."""
    model = td.read_model(path, floating=floating, contact=False)
    return [_difference(model, path, seed, floating=floating) for seed in seeds], model


def _difference(model: td.ReadModel, path: Path, seed: int, *, floating: bool) -> float:
    state = State(path, model, seed, floating=floating)
    known = model.machine.joints()
    q = {name: place for name, place in state.places.items() if name in known}
    rates = {k: v for k, v in state.by_name(state.v, second=False).items() if k in known}
    second = {k: v for k, v in state.by_name(state.acceleration(), second=True).items() if k in known}
    model.pose(q, rates)
    ours, theirs = accelerations(model), wanted(model, q, rates, second)
    return float(abs(ours - theirs).max() / max(1.0, abs(theirs).max()))
