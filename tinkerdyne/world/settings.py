"""Settings of a world: their names, choices and defaults."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import cast, get_args

from tinkerdyne.engine.settings import FEEDBACK, SOLVERS, Method, Settings
from tinkerdyne.language.checks import number
from tinkerdyne.world.guesses import instead_of_setting

METHODS = get_args(Method)

DEFAULTS: Settings = {
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


def with_changes(settings: Settings, changes: Mapping[str, object]) -> Settings:
    """Settings with some of them given another value, each checked."""
    checked = {name: checked_setting(name, value) for name, value in changes.items()}
    return cast(Settings, {**settings, **checked})


def changed(settings: Settings) -> dict[str, object]:
    """The settings that are not as they come."""
    usual: Mapping[str, object] = DEFAULTS
    return {name: value for name, value in settings.items() if value != usual[name]}


def checked_setting(name: str, value: object) -> str | float | bool:
    """A setting of the world, checked."""
    choices: dict[str, Collection[str | int]] = {
        "method": METHODS,
        "feedback": FEEDBACK,
        "order": (1, 2),
        "solver": SOLVERS,
    }
    if name in choices:
        if isinstance(value, bool) or not isinstance(value, str | int) or value not in choices[name]:
            raise ValueError(f"{name} must be one of {', '.join(map(str, choices[name]))}, not {value!r}")
        return value
    if name == "theta":
        theta = number(name, value)
        if not 0.5 <= theta <= 1:
            raise ValueError(f"theta must lie between 0.5 (keeps energy) and 1, not {value!r}")
        return theta
    if name == "warm_start":
        if not isinstance(value, bool):
            raise TypeError(f"warm_start must be True or False, not {value!r}")
        return value
    if name in ("iterations", "corrections"):
        count = number(name, value, positive=True)
        if count != int(count):
            raise ValueError(f"{name} must be a whole number, not {value!r}")
        return int(count)
    if name in DEFAULTS:
        return number(name, value, positive=True)
    near = instead_of_setting(name, value)
    raise ValueError(f"a world has no setting {name!r}; it has {', '.join(DEFAULTS)}{near}")
