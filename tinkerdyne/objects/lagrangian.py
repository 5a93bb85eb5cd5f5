"""Lagrangian compounds: particles whose places are functions of a few coordinates (E11, CN97 §5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import casadi as ca
import numpy as np

from tinkerdyne.language.block import Layout
from tinkerdyne.language.effects import column
from tinkerdyne.language.item import Values
from tinkerdyne.language.kinds import Kind, ParticlesValue
from tinkerdyne.language.symbols import SX
from tinkerdyne.objects.equations import carried, maker_of, named, parts_of, signature_of, version_of
from tinkerdyne.objects.maker import Maker
from tinkerdyne.objects.object import ObjectType


def lagrangian(function: Callable[..., Sequence[SX]]) -> Maker:
    """Make an object type of a map from a few coordinates to particles' places: JᵀMJ ü + JᵀM J̇ u̇ = JᵀQ
    (CN97 eq. 13).

    The function returns the places; `masses` is a parameter with one number a particle.
    """
    constants, state = signature_of(function, 0, ("masses",))
    width = sum(int(np.size(v)) for v in state.values())

    def lifted(ell: SX) -> ParticlesValue:
        return ParticlesValue(places(ell[:width], {k: ell[width + j] for j, k in enumerate(constants)}))

    def places(q: SX, p: dict[str, SX]) -> tuple[SX, ...]:
        fixed = {k: p[k] for k in constants}
        return tuple(column(x) for x in function(**fixed, **named(state, q)))

    count = len(places(ca.SX.zeros(width), {k: ca.SX(v) for k, v in constants.items()}))
    extra: Values = {"masses": (1.0,) * count, **constants}
    layout = Layout(tuple(extra), (count, *[1] * len(constants)))

    def mass(q: SX, p: dict[str, SX]) -> SX:
        total: SX = 0
        for k, x in enumerate(places(q, p)):
            J = ca.jacobian(x, q)
            total = total + p["masses"][k] * (J.T @ J)
        return total

    def moment(q: SX, p: dict[str, SX]) -> SX:
        return sum((p["masses"][k] * x for k, x in enumerate(places(q, p))), ca.SX(0))

    kind = ObjectType(
        name=version_of(function.__name__),
        kind=Kind("particles", wrap=lifted),
        positions=parts_of(state, ""),
        velocities=parts_of(state, "_rate"),
        layout=layout,
        mass=mass,
        moment=moment,
        mass_varies=True,
        **carried(constants, width),
    )
    return maker_of(function, kind, extra, state, {"masses": "kg"})
