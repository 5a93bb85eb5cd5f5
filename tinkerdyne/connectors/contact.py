"""Measures of contact: whether two bodies touch, the force between them, and the area of support."""

from __future__ import annotations

from collections.abc import Callable

from tinkerdyne.language.block import Layout
from tinkerdyne.language.item import Item, Values
from tinkerdyne.language.kinds import FrameValue, Number, Part, Scalar, Symbolic, Vector
from tinkerdyne.language.types import ConnectorType

TOLD = "told"  # the number, or the three, that the engine writes after every step


class ContactMeasure(ConnectorType):
    """A connector whose number the steps with contact write; 0 where there is no contact."""

    def __init__(self, formula: Callable[..., Symbolic], *, name: str, size: int) -> None:
        self.gauge, self.size = name, size
        super().__init__(formula, name=name)

    def _read_signature(self) -> None:
        super()._read_signature()
        del self.parameters[TOLD]  # which is nobody's to choose

    def check_inputs(self, item: Item) -> None:
        super().check_inputs(item)
        for source in item.inputs:
            if not source.type.acts:
                raise TypeError(f"{self.word} takes two bodies, not {source.type.name} {source.name!r}")

    def layout(self, values: Values) -> Layout:
        return Layout((TOLD,), (self.size,), (0,))

    def flat(self, values: Values) -> list[float]:
        return [0.0] * self.size


def _touching(a: Part, b: Part, *, told: Number = 0.0) -> Scalar:
    """1 where two bodies touch, else 0; for a point or a frame its body counts."""
    return told


def _contact_force(a: Part, b: Part, *, told: Number = 0.0) -> Vector:
    """The force of b on a by contact, in world axes   [N]; for a point or a frame its body counts."""
    is_planar = any(_dimension(x) == 2 for x in (a, b))
    return told[:2] if is_planar else told


def _contact_area(a: Part, b: Part, *, told: Number = 0.0) -> Scalar:
    """What the points at which two bodies push on each other enclose, seen along their normal   [m²]."""
    return told


def _dimension(x: Symbolic) -> int:
    """2 for what lives in the plane."""
    if isinstance(x, FrameValue):
        return x.dim
    return 2 if getattr(x, "numel", int)() == 2 else 3


touching = ContactMeasure(_touching, name="touching", size=1)
contact_force = ContactMeasure(_contact_force, name="contact_force", size=3)
contact_area = ContactMeasure(_contact_area, name="contact_area", size=1)
