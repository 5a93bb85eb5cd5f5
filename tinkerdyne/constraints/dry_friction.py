"""Dry friction along a measure that truly sticks: brakes, clutches and slides that stop and stay."""

from __future__ import annotations

from typing import ClassVar

from tinkerdyne.language.effects import Dry, velocity
from tinkerdyne.language.item import Values
from tinkerdyne.language.kinds import Number, Scalar, Truth, Value
from tinkerdyne.language.look import look
from tinkerdyne.language.types import TAU, ConstraintType


class DryFrictionType(ConstraintType):
    """A constraint whose effort has a limit, and which knows no approach."""

    common: ClassVar = {"is_on": (Truth, True)}

    def flat(self, values: Values) -> list[float]:
        return super().flat({"tau": TAU, "gains": (), **values})

    def checked(self, item: str, name: str, value: object) -> Value:
        found = super().checked(item, name, value)
        if name == "limit" and not found >= 0:
            raise ValueError(f"limit of {item} must not be negative, not {value!r}")
        return found


def _dry_friction(x: Scalar, *, limit: Number = 1.0) -> Dry:
    """Dry friction on any measure:  ẋ = 0 while |λ| ≤ limit, else λ = −limit · sign ẋ; in N, or N m.

    On a joint's coordinate it is a brake, between two shafts a clutch. It holds without creep."""
    return Dry(velocity(x))


dry_friction = look(glyph="wheel")(DryFrictionType(_dry_friction, name="dry_friction"))
