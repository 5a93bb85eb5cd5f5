"""Settings of a world as its engine takes them."""

from __future__ import annotations

from typing import Literal, TypedDict

SOLVERS = {"ldl": 0.0, "conjugate_gradient": 1.0}
FEEDBACK = {"none": 0.0, "inside": 1.0, "outside": 2.0}


class Settings(TypedDict, total=False):
    """The settings of a world; `World` says what they mean."""

    method: str
    max_step: float  # s
    order: Literal[1, 2]
    feedback: str
    tolerance: float  # of |c| [SI]
    theta: float
    rtol: float
    atol: float
    solver: str
    iterations: int
    precision: float
    warm_start: bool
    corrections: int
