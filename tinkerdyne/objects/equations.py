"""Objects given by their equations: what their functions' signatures say, and the makers made of them.

Keyword-only names of the function are the state; names with a default before the star are constants,
adjustable live.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

import casadi as ca
import numpy as np

from tinkerdyne.language.checks import number, vector
from tinkerdyne.language.item import Values
from tinkerdyne.language.kinds import Value
from tinkerdyne.language.symbols import SX
from tinkerdyne.objects.maker import Maker
from tinkerdyne.objects.object import ObjectType, StatePart

_versions: dict[str, int] = {}


def signature_of(
    function: Callable[..., Any], skip: int, taken: Collection[str]
) -> tuple[dict[str, float], Values]:
    """(constants, state) of an object's function, with their defaults; the names taken are parameters of all
    such objects."""
    constants, state = {}, {}
    for k, p in enumerate(inspect.signature(function).parameters.values()):
        if p.kind is p.KEYWORD_ONLY:
            state[p.name] = 0.0 if p.default is p.empty else p.default
        elif k >= skip:
            constants[p.name] = 1.0 if p.default is p.empty else p.default
    name = function.__name__
    for clash in {*constants, *state} & {*taken, "is_fixed"}:
        raise TypeError(
            f"{name} has a {clash!r} of its own, besides the one that every such object has; call it "
            f"something else, such as {name}_{clash}"
        )
    if not state:
        raise TypeError(f"{name} has no state: give it keyword-only names, such as def {name}(u, *, x, y)")
    return constants, state


def parts_of(state: Values, suffix: str) -> tuple[StatePart, ...]:
    """The named parts of a flat state, or with a suffix those of its rates."""
    zero = suffix != ""
    return tuple(
        StatePart(name + suffix, tuple((0.0 if zero else float(x)) for x in np.atleast_1d(value)))
        for name, value in state.items()
    )


def named(state: Values, q: SX) -> dict[str, SX]:
    """The parts of a flat state by their names."""
    out, at = {}, 0
    for name, value in state.items():
        width = int(np.size(value))
        out[name] = q[at : at + width]
        at += width
    return out


def maker_of(
    function: Callable[..., Any],
    kind: ObjectType,
    extra: Values,
    state: Values,
    units: Mapping[str, str],
    name: str = "",
) -> Maker:
    """The maker of an object type that a function gave the equations of."""
    both = {
        **state,
        **{
            f"{k}_rate": tuple(0.0 for _ in np.atleast_1d(v)) if np.ndim(v) else 0.0 for k, v in state.items()
        },
    }
    both = {k: tuple(float(x) for x in v) if np.ndim(v) else float(v) for k, v in both.items()}

    def resolve(_who: str, values: Values, _start: Values) -> tuple[ObjectType, list[float]]:
        row: list[float] = []
        for name in kind.layout.names:
            row.extend(np.atleast_1d(values[name]).tolist())
        return kind, row

    def check(what: str, name: str, value: Any) -> Value:
        if name in ("density", "drag", "masses"):
            flat = vector(what, np.atleast_1d(value), length=int(np.size(extra[name])))
            for x in flat:
                number(what, x, positive=True)
            return flat if np.ndim(extra[name]) else flat[0]
        return number(what, value)

    return Maker(
        name or function.__name__,
        extra,
        both,
        resolve,
        check=check,
        doc=inspect.getdoc(function) or "",
        units=units,
        word=function.__name__,
        module=function.__module__,
    )


def carried(constants: Iterable[str], width: int) -> dict[str, Any]:
    """Constants travel with the lift, (q, constants), so that connectors see them."""
    constants = tuple(constants)
    if not constants:
        return {}
    count = len(constants)
    return {
        "lift": lambda q, p: ca.vertcat(q, *[p[k] for k in constants]),
        "lift_dim": width + count,
        "rate": lambda _ell, v: ca.vertcat(v, ca.SX.zeros(count)),
    }


def version_of(name: str) -> str:
    """A name for an object type of its own each time that a function is defined."""
    _versions[name] = _versions.get(name, 0) + 1
    return f"{name}@{_versions[name]}"
