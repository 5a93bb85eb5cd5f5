"""Parameters whose names an item has of itself are refused when their type is defined."""

import pytest

import tinkerdyne as td
from tinkerdyne.language.item import Item

OWN = [name for name in Item.__slots__ if not name.startswith("_")]


@pytest.mark.parametrize("name", [*OWN, "force", "gap", "value", "velocity", "tau", "gains", "is_on"])
def test_a_constraint_cannot_have_a_parameter_that_hides_an_items_own(name):
    space: dict = {"td": td}
    exec(f"def clash(p: td.Point, *, {name}: td.Number = 1.0):\n    return p * {name}", space)
    with pytest.raises(
        TypeError, match=f"parameter '{name}' of constraint 'clash' would hide .* such as clash_{name}"
    ):
        td.constraint(listed=False)(space["clash"])


def test_a_force_is_a_fine_parameter_of_a_behavior():
    @td.behavior(listed=False)
    def shove(p: td.Point, *, force: td.Number = 1.0):
        """A shove   [force N]."""
        return td.force(p, force * td.vec(1, 0, 0))

    assert shove(td.Particle("p")).force == 1.0
    with pytest.raises(TypeError, match="parameter 'energy' of behavior 'bad' would hide"):

        @td.behavior(listed=False)
        def bad(p: td.Point, *, energy: td.Number = 1.0):
            return td.force(p, energy * p)


def test_an_input_cannot_be_called_as_what_every_call_takes():
    with pytest.raises(TypeError, match="input 'name' of constraint 'bad' would hide"):

        @td.constraint(listed=False)
        def bad(name: td.Point):
            return name


@pytest.mark.parametrize("name", ["start", "key", "parts", "density", "drag", "is_fixed"])
def test_the_state_of_a_curve_cannot_hide_an_items_own(name):
    space: dict = {"td": td}
    exec(f"def bad(u, *, {name}=1.0):\n    return td.vec(u, {name})", space)
    with pytest.raises(TypeError, match=f"{name}"):
        td.curve()(space["bad"])


def test_a_number_of_a_typed_formula_cannot_hide_an_items_own():
    with pytest.raises(TypeError, match="parameter 'start' of connector 'formula_value' would hide"):
        td.formula("start*x", start=2.0, x=td.Variable("x"))


def test_a_coordinate_of_a_joint_cannot_be_hidden():
    with pytest.raises(TypeError, match="parameter 'turn' of constraint 'odd' would hide"):

        @td.joint(turn=td.turn_between)
        def odd(a: td.Frame, b: td.Frame, *, turn: td.Number = 0.0):
            return a.origin - b.origin
