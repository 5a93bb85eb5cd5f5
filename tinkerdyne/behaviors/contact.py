"""Contact: what makes bodies touch, and what their surfaces are like (CONTACT).

These items apply no forces by a formula: they are rules that the steps read. A step with contact solves for
all contacts and joints together.
"""

from __future__ import annotations

from typing import ClassVar

from tinkerdyne.language.effects import Energy
from tinkerdyne.language.item import Item
from tinkerdyne.language.kinds import Choice, Frame, Number, Value
from tinkerdyne.language.look import look
from tinkerdyne.language.types import BehaviorType, FieldType
from tinkerdyne.objects.fields import BodyValue

MOST = {"friction": 100.0, "restitution": 1.0, "rolling": 1e3, "spinning": 1e3}  # arms in m


def _checked(what: str, name: str, value: Value) -> Value:
    """Constants of surfaces: friction and arms not negative, restitution from 0 to 1."""
    most = MOST.get(name)
    if most is not None and not 0.0 <= value <= most:
        raise ValueError(f"{name} of {what} must lie between 0 and {most:g}, not {value:g}")
    return value


class ContactType(FieldType):
    """The field that makes everything touch."""

    acts = False
    rule = "contact"
    readings: ClassVar = {}

    def checked(self, item: str, name: str, value: object) -> Value:
        return _checked(item, name, super().checked(item, name, value))


class RuleType(BehaviorType):
    """A rule about bodies."""

    acts = False
    readings: ClassVar = {}

    def checked(self, item: str, name: str, value: object) -> Value:
        return _checked(item, name, super().checked(item, name, value))

    def check_inputs(self, item: Item) -> None:
        super().check_inputs(item)
        for source in item.inputs:
            if source.type.family != "object":
                raise TypeError(f"{self.word} takes whole bodies, not {source.type.name} {source.name!r}")


class MaterialType(RuleType):
    """Constants of one body."""

    rule = "material"


class IgnoreType(RuleType):
    """A pair that passes through each other."""

    rule = "ignore"


def _contact(
    body: BodyValue,
    *,
    friction: Number = 0.5,
    restitution: Number = 0.0,
    may_sleep: Choice = True,
    rolling: Number = 0.0,
    spinning: Number = 0.0,
) -> Energy:
    """Everything touches everything: bodies rest, slide, roll, stack and collide, with Coulomb friction.

    Bodies that are joined to each other do not touch each other. Of two surfaces the friction is the
    geometric mean; `material` gives a body constants of its own. Unless `may_sleep` is False, bodies that
    touch each other sleep once they have rested for half a second, until something reaches them. `rolling`
    and `spinning` are arms: a moment of at most the arm times the normal force slows the rolling, and the
    spin about the normal   [rolling m, spinning m]."""
    return Energy(0)


def _material(
    body: Frame,
    *,
    friction: Number = 0.5,
    restitution: Number = 0.0,
    rolling: Number = 0.0,
    spinning: Number = 0.0,
) -> Energy:
    """What the surface of a body is like to others in contact   [rolling m, spinning m]."""
    return Energy(0)


def _ignore(a: Frame, b: Frame) -> Energy:
    """Two bodies that pass through each other where there is contact."""
    return Energy(0)


contact = look(title="Contact", glyph="none")(ContactType(_contact, name="contact"))
material = look(glyph="none")(MaterialType(_material, name="material"))
ignore = look(glyph="none")(IgnoreType(_ignore, name="ignore"))
