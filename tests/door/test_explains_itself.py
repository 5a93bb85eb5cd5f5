"""The public door explains itself: help, signatures, reprs and completion show operands and units."""

import inspect
import pydoc

import pytest

import tinkerdyne as td
from tests.laws.zoo import types
from tinkerdyne.world.settings import DEFAULTS, Settings

TYPES = types("connector", "constraint", "behavior", "field", "object")


def helped(thing) -> str:
    """What help(thing) prints."""
    return pydoc.plain(pydoc.render_doc(thing, "Help on %s:"))


def test_help_on_a_spring_prints_what_a_person_needs():
    text = helped(td.spring)
    assert text.splitlines()[0] == "Help on BehaviorType in module tinkerdyne.behaviors.forces:"
    assert "spring = <behavior spring(a, b, *, stiffness, length, damping, is_on)>" in text
    assert "A damped spring between two points:  E = ½ k (|b − a| − length)²" in text
    assert "spring(a, b, *, stiffness=100.0, length=0.0, damping=0.0, is_on=True, name='')" in text
    rows = {line.split()[0]: line.split()[1:] for line in text.splitlines() if line.strip()}
    assert rows["a"] == rows["b"] == ["point"]
    assert rows["stiffness"] == ["100.0", "N/m"] and rows["damping"] == ["0.0", "N", "s/m"]
    assert "energy [J], power [W]" in text


@pytest.mark.parametrize("kind", TYPES, ids=lambda kind: kind.name)
def test_help_shows_every_operand_and_parameter_of_a_type(kind):
    text = helped(kind)
    assert " ".join(kind.doc.split())[:60] in " ".join(text.split())
    for operand in kind.operands():
        assert f"  {'*' * operand.is_many}{operand.name} " in text
    for option in kind.options():
        line = next(line for line in text.splitlines() if line.startswith(f"      {option.name} "))
        assert line.rstrip().endswith(option.unit)
    assert max(map(len, text.splitlines())) <= 110


@pytest.mark.parametrize("kind", TYPES, ids=lambda kind: kind.name)
def test_the_signature_of_a_type_has_its_operands_and_defaults(kind):
    given = inspect.signature(kind).parameters
    assert [name for name in given if name in {o.name for o in kind.operands()}] == [
        o.name for o in kind.operands()
    ]
    if "text" not in given:  # typed curves take their numbers by any name
        for option in kind.options():
            assert given[option.name].default == option.default
    assert "name" in given and kind.__name__ == kind.word


@pytest.mark.parametrize("kind", TYPES, ids=lambda kind: kind.name)
def test_a_type_is_shown_on_one_line(kind):
    assert len(repr(kind)) <= 100 and "\n" not in repr(kind)
    assert repr(kind).startswith(f"<{kind.family} {kind.word}(")


def test_a_signature_shows_kinds_units_and_defaults():
    text = str(inspect.signature(td.spring))
    assert text.startswith("(a: Point, b: Point, *, stiffness: float [N/m] = 100.0, length: float [m] = 0.0")
    assert str(inspect.signature(td.Rod)).startswith("(name: str = '', *, mass: float [kg] = 1.0, density:")
    assert str(inspect.signature(td.gravity)).startswith("(g: tuple [m/s²] = (0.0, 0.0, -9.81), *,")
    assert inspect.signature(td.screw).parameters["turn"].default is None


def test_a_type_of_ones_own_explains_itself():
    @td.behavior(listed=False)
    def leash(a: td.Point, b: td.Point, *, k: td.Number = 2.0, slack: td.Number = 0.5):
        """A leash:  E = ½ k max(|b − a| − slack, 0)²   [k N/m, slack m]."""
        return td.energy(k / 2 * (td.norm(b - a) - slack) ** 2)

    assert leash.doc == "A leash:  E = ½ k max(|b − a| − slack, 0)²."
    assert leash.units == {"k": "N/m", "slack": "m"}
    assert "k      2.0    N/m" in helped(leash)


def test_a_unit_for_what_is_no_parameter_is_refused():
    with pytest.raises(
        TypeError, match=r"behavior 'odd': \[k N/m, c N s/m\] in its docstring .* 'c N s/m' is not"
    ):

        @td.behavior(listed=False)
        def odd(p: td.Point, *, k: td.Number = 2.0):
            """Odd   [k N/m, c N s/m]."""
            return td.force(p, -k * p)


# --- items, worlds, recordings ------------------------------------------------------------------------
def test_an_item_lists_parameters_state_and_places():
    rod = td.Rod("upper")
    assert {"length", "radius", "mass", "density", "position", "spin", "end1", "end2", "inertia"} <= set(
        dir(rod)
    )
    world = td.World()
    hinge = world.add(td.join(td.pin, None, world.add(rod), at=(0, 0, 0)))
    assert {"turn", "coordinates", "speeds", "reaction", "force", "gap", "tau", "is_on"} <= set(dir(hinge))
    assert {"stiffness", "energy", "power"} <= set(dir(td.spring(rod.end1, rod.end2)))
    assert {"k", "constants"} <= set(dir(td.formula("k*x", k=2.0, x=td.Variable("x"))))


@pytest.mark.parametrize("name", ["end1", "length", "position", "energy_"])
def test_what_an_item_lists_can_be_read(name):
    rod = td.Rod("upper")
    assert hasattr(rod, name) == (name in dir(rod))


def test_an_item_is_shown_with_what_was_given():
    rod = td.Rod("upper", length=2.0)
    assert repr(rod) == "<rod 'upper': length=2.0>"
    assert repr(td.Box("door", density=600)) == "<box 'door': density=600.0>"
    assert (
        repr(td.spring(rod.end2, (0, 0, 1), stiffness=40))
        == "<spring: upper.end2, a new place, stiffness=40.0>"
    )
    assert repr(td.Particle()) == "<particle>"
    ring = [(float(k), float(k * k)) for k in range(40)]
    assert len(repr(td.Polygon("many", vertices=ring))) <= 100


def test_a_removed_item_can_still_be_shown():
    world = td.World()
    rod = world.add(td.Rod("upper", length=2.0))
    world.remove(rod)
    assert repr(rod) == "<rod 'upper': length=2.0>"


def test_a_world_and_a_recording_are_shown_in_a_line():
    world = td.World()
    assert repr(world) == "<World at 0 s: empty; rattle>"
    world.add(td.Rod("upper"), td.Rod("lower"), td.gravity(9.81))
    assert repr(world) == "<World at 0 s: 2 objects, 1 field; rattle>"
    run = world.record(0.5, every=0.1)
    assert repr(run) == "<Recording: 6 moments from 0 to 0.5 s of 'lower', 'upper'>"


def test_a_grip_and_a_history_are_shown_in_a_line():
    world = td.World()
    ball = world.add(td.Particle("ball"))
    grip = world.grab(ball)
    grip.move(1, 2, 3)
    assert repr(grip) == "<Grip 'tug-1' on 'ball': held, its target at (1, 2, 3)>"
    grip.release()
    assert repr(grip) == "<Grip 'tug-1': released>"
    assert repr(world.history) == "<History: 2 to undo, 0 to redo>"
    world.undo()
    assert repr(world.history) == "<History: 1 to undo, 1 to redo>"


def test_an_item_shows_what_it_has_and_not_what_its_world_keeps():
    shown = dir(td.World().add(td.Rod("upper")))
    assert {"length", "position", "end1", "name", "type", "world"} <= set(shown)
    assert not {"fate", "resolved", "key"} & set(shown)
    assert not [name for name in shown if name.startswith("_") and not name.startswith("__")]


def test_help_speaks_of_every_setting():
    said = inspect.getdoc(td.World)
    assert not [name for name in DEFAULTS if name not in said]


def test_the_settings_of_a_world_stand_in_its_signature():
    given = inspect.signature(td.World).parameters
    shown = {name: p.default for name, p in given.items() if p.kind is p.KEYWORD_ONLY}
    # 1 ms chosen and 1 ms as it comes are not the same; the time at which it begins is no setting
    assert shown == {**DEFAULTS, "max_step": None, "time": 0.0}
    assert set(Settings.__annotations__) == set(DEFAULTS)
    with pytest.raises(ValueError, match="a world has no setting 'gravity'; it has method"):
        td.World(gravity=9.81)


# --- names --------------------------------------------------------------------------------------------
def test_a_name_that_is_not_there_is_refused_with_the_nearest():
    with pytest.raises(AttributeError, match="tinkerdyne has no 'sprng'; did you mean 'spring'"):
        _ = td.sprng
    with pytest.raises(AttributeError, match="tinkerdyne has no 'rod'; did you mean 'Rod'"):
        _ = td.rod
    with pytest.raises(AttributeError, match=r"tinkerdyne has no 'simulate'$"):  # nothing is near
        _ = td.simulate


def test_a_folder_that_moved_is_refused_with_its_new_name():
    with pytest.raises(AttributeError, match=r"tinkerdyne.medium is now tinkerdyne.optimise"):
        _ = td.medium


def test_fits_models_and_snakes_come_through_the_door():
    assert all(name in td.__all__ for name in ("Fit", "Model", "Snake", "settle"))


def test_models_and_fits_are_shown_in_a_line():
    model = td.Model()
    assert repr(model) == "<Model of no variables>"
    model.variable("width", 2.0)
    assert repr(model) == "<Model of width=2>"
    fit = td.Fit("y = a*x", [(0.0, 1.0), (1.0, 2.0)], a=1.5)
    assert repr(fit) == "<Fit 'fit': '(y) - (a*x)' on 2 rows; a=1.5>"


@pytest.mark.parametrize("name", [n for n in td.__all__ if callable(getattr(td, n))])
def test_a_public_name_is_ours_and_says_what_it_is(name):
    thing = getattr(td, name)
    assert getattr(thing, "__module__", "").startswith("tinkerdyne."), "its help would be of another library"
    assert inspect.getdoc(thing)


@pytest.mark.parametrize("decorator", [td.connector, td.constraint, td.behavior, td.field])
def test_a_decorator_shows_its_options(decorator):
    assert {"name", "tied", "listed"} <= set(inspect.signature(decorator).parameters)


def test_completion_of_the_package_offers_what_is_public_alone():
    assert set(dir(td)) == {*td.__all__, "studio"}
