"""Settings of a world: their names, choices and defaults."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, TypedDict, get_args

from tinkerdyne.engine.engine import FEEDBACK, SOLVERS
from tinkerdyne.language.item import number

Method = Literal[
    "rattle", "energy_momentum", "runge_kutta", "stormer", "adaptive", "lsoda", "dop853", "dense"
]
METHODS = get_args(Method)


class Settings(TypedDict, total=False):
    """Settings of a world; `World` says what they are."""

    method: Method
    max_step: float
    order: Literal[1, 2]
    feedback: Literal["none", "inside", "outside"]
    tolerance: float
    theta: float
    rtol: float
    atol: float
    solver: Literal["ldl", "conjugate_gradient"]
    iterations: int
    precision: float
    warm_start: bool
    corrections: int


DEFAULTS: dict[str, Any] = {
    "method": "rattle",
    "max_step": 1e-3,
    "order": 2,
    "feedback": "none",
    "tolerance": 1e-8,
    "theta": 0.5,
    "rtol": 1e-9,
    "atol": 1e-11,
    "solver": "ldl",
    "iterations": 1000,
    "precision": 1e-10,
    "warm_start": False,
    "corrections": 20,
}


def checked_setting(name: str, value: Any) -> Any:
    """A setting of the world, checked."""
    choices: dict[str, Iterable[Any]] = {
        "method": METHODS,
        "feedback": FEEDBACK,
        "order": (1, 2),
        "solver": SOLVERS,
    }
    if name in choices:
        if isinstance(value, bool) or value not in choices[name]:
            raise ValueError(f"{name} must be one of {', '.join(map(str, choices[name]))}, not {value!r}")
        return value
    if name == "theta":
        if not 0.5 <= number(name, value) <= 1:
            raise ValueError(f"theta must lie between 0.5 (keeps energy) and 1, not {value!r}")
        return float(value)
    if name == "warm_start":
        if not isinstance(value, bool):
            raise TypeError(f"warm_start must be True or False, not {value!r}")
        return value
    if name in ("iterations", "corrections"):
        if number(name, value, positive=True) != int(value):
            raise ValueError(f"{name} must be a whole number, not {value!r}")
        return int(value)
    if name in DEFAULTS:
        return number(name, value, positive=True)
    raise ValueError(f"a world has no setting {name!r}; it has {', '.join(DEFAULTS)}")
