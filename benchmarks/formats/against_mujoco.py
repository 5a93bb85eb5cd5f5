"""An MJCF model beside MuJoCo: q̈ at a random state, its equalities met exactly (J q̈ = −J̇ q̇)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import mujoco
import numpy as np

import tinkerdyne as td

from .ours import Floats, accelerations, set_control, wanted

STEP = 1e-4  # s of the differences that give J̇ q̇


class State:
    """A random state of a model, in MuJoCo's numbers, and by the names of joints."""

    def __init__(self, path: Path, seed: int) -> None:
        self.m = mujoco.MjModel.from_xml_path(str(path))
        off = mujoco.mjtDisableBit.mjDSBL_CONTACT, mujoco.mjtDisableBit.mjDSBL_LIMIT
        self.m.opt.disableflags |= int(off[0]) | int(off[1])
        self.m.opt.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
        self.d = mujoco.MjData(self.m)
        self.rng = np.random.default_rng(seed)
        for _ in range(100):  # one in which no tendon is at its limit
            self.draw()
            mujoco.mj_forward(self.m, self.d)
            low, high = self.m.tendon_range.T
            if (
                ~self.m.tendon_limited.astype(bool) | ((self.d.ten_length > low) & (self.d.ten_length < high))
            ).all():
                break
        self.meet_equalities()

    def draw(self) -> None:
        m, d, rng = self.m, self.d, self.rng
        d.qpos[:] = m.qpos0
        d.qvel[:] = rng.normal(size=m.nv)
        for j in range(m.njnt):
            a, kind = m.jnt_qposadr[j], m.jnt_type[j]
            turn = rng.normal(size=4)
            if kind == mujoco.mjtJoint.mjJNT_FREE:
                d.qpos[a : a + 3] += rng.normal(size=3)
                d.qpos[a + 3 : a + 7] = turn / np.linalg.norm(turn)
            elif kind == mujoco.mjtJoint.mjJNT_BALL:
                d.qpos[a : a + 4] = turn / np.linalg.norm(turn)
            else:
                here = m.qpos0[a]
                low, high = m.jnt_range[j] if m.jnt_limited[j] else (here - 1, here + 1)
                d.qpos[a] = low + (high - low) * rng.uniform(0.1, 0.9)
        for k in range(m.nu):
            low, high = m.actuator_ctrlrange[k] if m.actuator_ctrllimited[k] else (-1.0, 1.0)
            d.ctrl[k] = 1.1 * rng.uniform(low, high)
        d.act[:] = rng.normal(size=m.na)

    def equalities(self) -> tuple[Floats, Floats]:
        mujoco.mj_forward(self.m, self.d)
        rows = self.d.efc_type == mujoco.mjtConstraint.mjCNSTR_EQUALITY
        return self.d.efc_J.reshape(-1, self.m.nv)[rows].copy(), self.d.efc_pos[rows].copy()

    def meet_equalities(self) -> None:
        """Newton's method on the coordinates of hinges and sliders; then the velocities."""
        moves = np.ones(self.m.nv)
        for j in np.flatnonzero(self.m.jnt_type == mujoco.mjtJoint.mjJNT_FREE):
            moves[self.m.jnt_dofadr[j] :][:6] = 0
        for _ in range(50):
            J, c = self.equalities()
            if not len(c) or abs(c).max() < 1e-15:
                break
            by = -np.linalg.lstsq(J * moves, c, rcond=None)[0] * moves
            mujoco.mj_integratePos(self.m, self.d.qpos, by, 1.0)
        if len(c):
            self.d.qvel[:] -= np.linalg.lstsq(J, J @ self.d.qvel, rcond=None)[0]

    def acceleration(self) -> Floats:
        m, d = self.m, self.d
        J, c = self.equalities()
        M = np.zeros((m.nv, m.nv))
        mujoco.mj_fullM(m, d, M)
        f = d.qfrc_passive + d.qfrc_actuator - d.qfrc_bias - m.dof_frictionloss * np.sign(d.qvel)
        free = np.linalg.solve(M, f)
        if not len(c):
            return free
        start = d.qpos.copy()

        def rate(h: float) -> Floats:
            d.qpos[:] = start
            mujoco.mj_integratePos(m, d.qpos, d.qvel, h)
            return self.equalities()[0] @ d.qvel

        once, twice = ((rate(h) - rate(-h)) / (2 * h) for h in (STEP, 2 * STEP))
        d.qpos[:] = start
        self.equalities()
        W = np.linalg.solve(M, J.T)
        push = np.linalg.lstsq(J @ W, -(4 * once - twice) / 3 - J @ free, rcond=None)[0]
        return np.asarray(free + W @ push)

    def by_name(self, flat: Floats, of_place: bool) -> dict[str, float | Floats]:
        """Numbers of the joints: of places or of velocities."""
        m = self.m
        found: dict[str, float | Floats] = {}
        for j in range(m.njnt):
            body = m.jnt_bodyid[j]
            name = m.joint(j).name or f"{m.body(body).name} joint {j - m.body_jntadr[body] + 1}"
            first = (m.jnt_qposadr if of_place else m.jnt_dofadr)[j]
            width = ((7, 4, 1, 1) if of_place else (6, 3, 1, 1))[m.jnt_type[j]]
            found[name] = float(flat[first]) if width == 1 else flat[first : first + width].copy()
        return found


def differences(path: Path, seeds: Sequence[int]) -> tuple[list[float], td.ReadModel]:
    """The largest difference of accelerations at each state, as a share of the largest (or of 1), and the
    model."""
    model = td.read_model(path, contact=False)
    return [_difference(model, path, seed) for seed in seeds], model


def _difference(model: td.ReadModel, path: Path, seed: int) -> float:
    state = State(path, seed)
    second = state.by_name(state.acceleration(), False)
    q, rates = state.by_name(state.d.qpos, True), state.by_name(state.d.qvel, False)
    model.pose(q, rates)
    for k in range(state.m.nu):
        name = state.m.actuator(k).name or f"actuator {k + 1}"
        late = state.m.actuator_actadr[k]
        set_control(model, name, float(state.d.act[late] if late >= 0 else state.d.ctrl[k]))
    ours, theirs = accelerations(model), wanted(model, q, rates, second)
    return float(abs(ours - theirs).max() / max(1.0, abs(theirs).max()))
