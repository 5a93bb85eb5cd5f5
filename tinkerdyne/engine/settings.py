"""Settings of a world as its engine takes them."""

from __future__ import annotations

from typing import Literal, TypedDict

Method = Literal[
    "rattle", "energy_momentum", "runge_kutta", "implicit", "stormer", "adaptive", "lsoda", "dop853", "dense"
]
Feedback = Literal["none", "inside", "outside"]
Solver = Literal["ldl", "conjugate_gradient", "svd"]
SOLVERS: dict[Solver, float] = {"ldl": 0.0, "conjugate_gradient": 1.0, "svd": 2.0}
StopBy = Literal["residual", "correction", "forces"]
STOPS: dict[StopBy, float] = {"residual": 0.0, "correction": 1.0, "forces": 2.0}
FEEDBACK: dict[Feedback, float] = {"none": 0.0, "inside": 1.0, "outside": 2.0}


class Settings(TypedDict, total=False):
    """The settings of a world; `World` says what they mean."""

    method: Method
    max_step: float  # s
    order: Literal[1, 2]
    feedback: Feedback
    tolerance: float  # of |c| [SI]
    theta: float
    rtol: float
    atol: float
    solver: Solver
    iterations: int
    precision: float
    stop_by: StopBy
    warm_start: bool
    corrections: int
    error: float  # m
