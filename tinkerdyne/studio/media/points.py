"""Places on curves and surfaces as a page writes them: "circle@1.57", "sheet@0.2,0.8"."""

from __future__ import annotations

import casadi as ca
import numpy as np

from tinkerdyne.connectors.curves import curve_point, tangent
from tinkerdyne.connectors.patches import surface_normal, surface_point
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.checks import vector
from tinkerdyne.language.item import Item, label
from tinkerdyne.language.types import port_of

NEEDS = {"curve": 1, "surface": 2}  # numbers that say where


def lies_on(item: Item) -> str:
    """ "curve", "surface" or "" for anything else."""
    kind = port_of(item).kind.name if item.type.family == "object" else ""
    return kind if kind in NEEDS else ""


def point_at(owner: Item, at: object, kind: str = "point") -> Item:
    """The point of a curve at (u,), of a surface at (u, v); the direction there; or the owner itself where
    that is wanted."""
    if kind in NEEDS:
        return owner
    where = vector(f"the parameters on {label(owner)}", at, length=NEEDS[lies_on(owner)])
    on_curve = len(where) == 1
    if kind == "direction":
        made: Item = tangent(owner, u=where[0]) if on_curve else surface_normal(owner, u=where[0], v=where[1])
    else:
        made = curve_point(owner, u=where[0]) if on_curve else surface_point(owner, u=where[0], v=where[1])
    return made


def named(owner: Item, text: str, numbers: str, kind: str) -> Item:
    """What "circle@1.57" names."""
    try:
        at = tuple(float(x) for x in numbers.split(","))
    except ValueError:
        raise ValueError(
            f"{text!r} must end with the parameter of {label(owner)}, such as {owner.name}@0.5"
        ) from None
    return point_at(owner, at, kind)


def state_of(owner: Item) -> Array:
    """The numbers of a curve now, and its constants: what its equations see."""
    what = owner.type.resolve(owner)[0]
    state = [np.ravel(getattr(owner, part.name)) for part in what.positions]
    constants = [owner.values[name] for name in what.layout.names[2:]]
    return np.concatenate([*state, np.array(constants, float)])


def place_on(item: Item) -> Array | None:
    """Where a point of a curve or surface is now, also before it is in the world; None for other
    connectors."""
    if item.type not in (curve_point, surface_point):
        return None
    owner = item.inputs[0]
    value = port_of(owner).kind.wrap(ca.DM(state_of(owner)))
    at = [item.values[name] for name in ("u", "v") if name in item.values]
    return np.ravel(ca.DM(ca.evalf(ca.SX(value.point(*at)))).full())


def span_of(owner: Item) -> tuple[float, ...]:
    """From where to where u (and v) of a curve (surface) run."""
    value = port_of(owner).kind.wrap(ca.SX.sym("l", port_of(owner).dim))
    return tuple(value.span) if lies_on(owner) == "curve" else (*value.u_span, *value.v_span)
