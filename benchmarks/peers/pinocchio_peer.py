"""Pinocchio: the articulated-body algorithm on a tree of hinges, integrated by scipy's DOP853."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pinocchio
from scipy.integrate import solve_ivp

from .precision import Precision
from .reference import PENDULUMS, SPAN
from .scene import GRAVITY, LENGTH, MASS, Array, Place

pin: Any = pinocchio


def solve_tree(n_links: int, tolerance: float) -> tuple[Place, float]:
    pendulum = PENDULUMS[n_links]
    model = pin.Model()
    model.gravity.linear = np.array([0, 0, -GRAVITY])
    inertia = pin.Inertia(MASS, np.array([pendulum.centre, 0, 0]), pendulum.inertia * np.eye(3))
    joint = 0
    for k in range(n_links):
        place = pin.SE3(np.eye(3), np.array([min(k, 1) * LENGTH, 0, 0]))
        joint = model.addJoint(joint, pin.JointModelRY(), place, f"hinge{k}")
        model.appendBodyToJoint(joint, inertia, pin.SE3.Identity())
    data, no_torque, aba = model.createData(), np.zeros(n_links), pin.aba

    def slope(_: float, y: Array) -> Array:
        q, v = y[:n_links], y[n_links:]
        return np.concatenate([v, aba(model, data, q, v, no_torque)])

    start = time.process_time()
    run = solve_ivp(slope, (0, SPAN), np.zeros(2 * n_links), "DOP853", rtol=tolerance, atol=tolerance)
    cpu = time.process_time() - start
    turns = np.cumsum(run.y[:n_links, -1])
    return (float(LENGTH * np.cos(turns).sum()), 0.0, float(-LENGTH * np.sin(turns).sum())), cpu


PRECISION = (Precision("Pinocchio + DOP853", "reduced", tuple(10.0**-k for k in range(4, 14)), solve_tree),)
