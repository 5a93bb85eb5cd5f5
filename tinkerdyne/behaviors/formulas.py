"""Behaviors typed in as text: an energy (force = −gradient) or a force along any measure (E4)."""

from __future__ import annotations

import casadi as ca

from tinkerdyne.connectors.formulas import Given, checked_text, from_text, scope
from tinkerdyne.language.calls import says_how
from tinkerdyne.language.effects import Effort, energy, force, velocity
from tinkerdyne.language.item import Item
from tinkerdyne.language.kinds import Anything, FrameValue, Names, Place, Texts
from tinkerdyne.language.look import look
from tinkerdyne.language.parse import parse
from tinkerdyne.language.types import behavior


@look(
    role="objective", group="Formulas", form="energy", line='world.add(formula_energy("k*x^2/2", x=x, k=40))'
)
@behavior(tied=True)
def typed_energy(
    *inputs: Anything,
    text: Texts = ("0",),
    names: Names = (),
    constant_names: Names = (),
    constants: Place = (),
) -> Effort:
    """A potential energy given by a typed formula   [J]."""
    return energy(parse(text[0], scope(inputs, names, constants, constant_names)))


@look(group="Formulas", form="force", line='world.add(formula_force(x, "-c*x_dot", x=x, c=2))')
@behavior(tied=True)
def typed_force(
    on: Anything,
    *inputs: Anything,
    text: Texts = ("0",),
    names: Names = (),
    constant_names: Names = (),
    constants: Place = (),
) -> Effort:
    """A force along a measure given by typed formulas, one a component; x_dot is the rate of input x
    [N]."""
    where = scope(inputs, names, constants, constant_names)
    for name, x in zip(names, inputs, strict=True):
        where[f"{name}_dot"] = velocity(x.origin if isinstance(x, FrameValue) else x)
    measure = on.origin if isinstance(on, FrameValue) else on
    if measure.numel() != len(text):
        raise ValueError(f"a force here takes {measure.numel()} texts, one a component, not {len(text)}")
    return force(measure, ca.vertcat(*[parse(t, where) for t in text]))


@says_how
def formula_energy(text: str, *, name: str = "", is_on: bool = True, **names: Given) -> Item:
    """A behavior by its potential: formula_energy("k*x^2/2", x=slide, k=40.0)."""
    return from_text(typed_energy, checked_text(text, count=(1,)), names, {"name": name, "is_on": is_on})


@says_how
def formula_force(on: Item, *text: str, name: str = "", is_on: bool = True, **names: Given) -> Item:
    """A force on a connector: formula_force(p, "-c*v_dot[0]", "0", "0", v=p, c=2.0)."""
    extra = {"name": name, "is_on": is_on}
    return from_text(typed_force, checked_text(text, count=(1, 2, 3)), names, extra, (on,))
