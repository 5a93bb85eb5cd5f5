"""Settings of a world: their names, choices and defaults."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Never, cast, get_args

from tinkerdyne.engine.settings import FEEDBACK, SOLVERS, STOPS, Method, Settings
from tinkerdyne.language.checks import did_you_mean, number
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
    "stop_by": "residual",
    "warm_start": False,
    "corrections": 20,
    "error": 0.0,
}

# What some of them may be.
CHOICES: dict[str, Collection[str | int]] = {
    "method": METHODS,
    "feedback": FEEDBACK,
    "order": (1, 2),
    "solver": SOLVERS,
    "stop_by": STOPS,
}

# What is beyond these is a slip, not a wish: no step, tolerance or count of that size can be meant.
LIMITS: dict[str, tuple[float, float]] = {
    "max_step": (1e-9, 1e6),  # s
    "tolerance": (1e-300, 1.0),  # SI
    "rtol": (1e-14, 1.0),
    "atol": (1e-300, 1e6),
    "precision": (1e-16, 1.0),
    "iterations": (1, 1e9),
    "corrections": (1, 1e6),
    "error": (1e-15, 1e6),  # m
}


class _Shown(dict[str, object]):
    """Settings to be read."""

    def __setitem__(self, name: str, value: object) -> Never:
        raise TypeError(f"settings are changed by world.configure({name}={value!r})")

    def __getattr__(self, name: str) -> Never:
        raise AttributeError(f"settings go by their names: read world.settings[{name!r}]", name="")


def read_only(settings: Settings) -> Settings:
    """The same settings, of which none can be set by a slip."""
    return cast(Settings, _Shown(settings))


def with_changes(chosen: Settings, changes: Mapping[str, object]) -> Settings:
    """Chosen settings with some of them given another value, each checked; None is as it comes. One chosen as
    it comes is left out, but for `max_step`: chosen, it binds `adaptive` too."""
    usual: Mapping[str, object] = DEFAULTS
    now: dict[str, object] = dict(chosen)
    for name, value in changes.items():
        if value is None and name in usual:
            now.pop(name, None)
            continue
        now[name] = checked_setting(name, value)
        if now[name] == usual[name] and name != "max_step":
            del now[name]
    return cast(Settings, now)


def checked_setting(name: str, value: object) -> str | float | bool:
    """A setting of the world, checked."""
    if name in CHOICES:
        if isinstance(value, bool) or not isinstance(value, str | int) or value not in CHOICES[name]:
            raise ValueError(
                f"{name} must be one of {', '.join(map(str, CHOICES[name]))}, not {value!r}"
                f"{did_you_mean(str(value), map(str, CHOICES[name]))}"
            )
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
    if name == "error" and value == 0:  # steps are as long as they are
        return 0.0
    if name in LIMITS:
        found, (low, high) = number(name, value, positive=True), LIMITS[name]
        if not low <= found <= high:
            raise ValueError(f"{name} must lie between {low:g} and {high:g}, not {found:g}")
        if name not in ("iterations", "corrections"):
            return found
        if found != int(found):
            raise ValueError(f"{name} must be a whole number, not {value!r}")
        return int(found)
    near = instead_of_setting(name, value)
    raise ValueError(f"a world has no setting {name!r}; it has {', '.join(DEFAULTS)}{near}")
