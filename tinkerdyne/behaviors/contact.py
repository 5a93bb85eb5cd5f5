"""Contact: what makes bodies touch, and what their surfaces are like (CONTACT).

These items apply no forces by a formula: they are rules that the steps read. A step with contact solves for
all contacts and joints together.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, TypeVar

from tinkerdyne.language.effects import Energy
from tinkerdyne.language.item import Item
from tinkerdyne.language.kinds import Choice, Either, Group, Number, Part, Place, Value
from tinkerdyne.language.look import Icon, Role, look
from tinkerdyne.language.symbols import SX
from tinkerdyne.language.types import BehaviorType, ConnectorType, FieldType
from tinkerdyne.objects.fields import BodyValue

MOST = {"friction": 100.0, "restitution": 1.0, "rolling": 1e3, "spinning": 1e3}  # arms in m
Rule = TypeVar("Rule", bound="ContactType | RuleType | GroupType")
ALONG = Either((1.0, 0.0), (1.0, 0.0, 0.0))


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


def _check_bodies(word: str, item: Item) -> None:
    """Rules and groups are about whole bodies, and about groups of them."""
    for source in item.inputs:
        if source.type.family != "object" and not isinstance(source.type, GroupType):
            raise TypeError(f"{word} takes whole bodies, not {source.type.name} {source.name!r}")


class GroupType(ConnectorType):
    """Bodies that rules speak of as one."""

    acts = False
    rule = "group"
    readings: ClassVar = {}

    def check_inputs(self, item: Item) -> None:
        super().check_inputs(item)
        _check_bodies(self.word, item)
        if not item.inputs:
            raise TypeError(f"{self.word} takes a body or more: {self.word}(a, b)")


class RuleType(BehaviorType):
    """A rule about bodies and groups of them."""

    acts = False
    readings: ClassVar = {}

    def checked(self, item: str, name: str, value: object) -> Value:
        return _checked(item, name, super().checked(item, name, value))

    def check_inputs(self, item: Item) -> None:
        super().check_inputs(item)
        _check_bodies(self.word, item)


class MaterialType(RuleType):
    """Constants of one body."""

    rule = "material"


class PairingType(RuleType):
    """Constants of one pair."""

    rule = "pairing"

    def check_inputs(self, item: Item) -> None:
        super().check_inputs(item)
        a, b = item.inputs
        if a is b and not isinstance(a.type, GroupType):
            raise TypeError(
                f"{self.word} takes two bodies, and a body does not touch itself: {self.word}(a, b)"
            )


class IgnoreType(RuleType):
    """Bodies that pass through each other."""

    rule = "ignore"

    def check_inputs(self, item: Item) -> None:
        super().check_inputs(item)
        if len(set(item.inputs)) < 2 and not any(isinstance(x.type, GroupType) for x in item.inputs):
            raise TypeError(f"{self.word} takes two bodies or more, or a group: {self.word}(a, b)")


class ConveyorType(RuleType):
    """A surface that moves."""

    rule = "conveyor"


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
    geometric mean; `material` gives a body constants of its own, `pairing` a pair. Unless `may_sleep` is
    False, bodies that touch each other sleep once they have rested for half a second, until something reaches
    them. `rolling` and `spinning` are arms: a moment of at most the arm times the normal force slows the
    rolling, and the spin about the normal   [rolling m, spinning m]."""
    return Energy(0)


def _group(*bodies: Part) -> Group:
    """Bodies, and groups of them, that rules of contact speak of as one."""
    return SX(0)


def _material(
    body: Part,
    *,
    friction: Number = 0.5,
    restitution: Number = 0.0,
    rolling: Number = 0.0,
    spinning: Number = 0.0,
) -> Energy:
    """What the surface of a body, or of each of a group, is like to others in contact
    [rolling m, spinning m]."""
    return Energy(0)


def _pairing(a: Part, b: Part, *, friction: Number = 0.5, restitution: Number = 0.0) -> Energy:
    """What two bodies, or those of two groups, are like to each other in contact, whatever their
    materials."""
    return Energy(0)


def _ignore(*bodies: Part) -> Energy:
    """Bodies that pass through each other where there is contact, two or more. A group passes through what
    else is named, not through itself; named alone, through itself."""
    return Energy(0)


def _conveyor(body: Part, *, velocity: Place = ALONG) -> Energy:
    """A body whose surface moves, in the body's own axes   [m/s]: what lies on it is carried along by
    friction."""
    return Energy(0)


def _shown(
    title: str, *, word: str = "", role: Role = "none", icon: Icon = "touch", tool: int = 0
) -> Callable[[Rule], Rule]:
    """How a rule looks: it has no place."""
    return look(
        title=title, word=word, glyph="none", group="Ground and contact", role=role, icon=icon, tool=tool
    )


contact = _shown("Contact: all things touch", word="Contact", role="contact", tool=22)(
    ContactType(_contact, name="contact")
)
group = _shown("Group of bodies, for rules of contact", word="Group")(GroupType(_group, name="group"))
material = _shown("Material: friction and restitution", word="Material")(
    MaterialType(_material, name="material")
)
pairing = _shown("Material of a pair: friction and restitution", word="Material of a pair")(
    PairingType(_pairing, name="pairing")
)
ignore = _shown("Ignore each other: no contact", word="Ignore")(IgnoreType(_ignore, name="ignore"))
conveyor = _shown("Conveyor: a surface that moves", word="Conveyor", icon="belt")(
    ConveyorType(_conveyor, name="conveyor")
)
