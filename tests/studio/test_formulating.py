"""Formulas by hand: what people write on paper, and where it is wrong."""

from __future__ import annotations

import pytest

import tinkerdyne as td
from tinkerdyne.language.formula_error import FormulaError
from tinkerdyne.studio.build.formulating import TypedFormula, made, understood
from tinkerdyne.studio.build.notation import names_in, relations


def plane() -> td.World:
    world = td.World()
    world.add(td.Particle("a", position=(0.0, 0.0)), td.Particle("b", position=(3.0, 4.0)))
    rod = world.add(td.PlanarRod("rod", position=(0.0, 2.0)))
    world.add(td.pin(td.world_frame(at=(-0.5, 2.0)), td.frame(rod, at=(-0.5, 0.0)), name="hinge"))
    return world


def put(world: td.World, form: str, text: str, on: str = "", **given: str | float) -> td.Item:
    item = made(understood(world, TypedFormula(form, text, given, on), 2))[0]
    world.add(item)
    return item


AB = {"a": "a", "b": "b"}


@pytest.mark.parametrize(
    ("text", "texts"),
    [
        ("|a − b| = 2 r", ("norm(a - b) - (2 *r)",)),
        ("|a − b|² = 25", ("norm(a - b)^2 - 25",)),
        ("||a| - |b|| = r", ("abs(norm(a) - norm(b)) - r",)),
        ("a = 2 b", ("a.x - (2 * b.x)", "a.y - (2 * b.y)")),
        ("a.x = b.x; a.y = 2(b.y − 1)", ("a.x - (b.x)", "a.y - (2*(b.y - 1))")),
        ("a.x = r if t > 1 else 2", ("a.x - (r if t > 1 else 2)",)),
        ("a·b", None),
    ],
)
def test_what_is_written_on_paper_is_read(text, texts):
    world = plane()
    if texts is None:
        with pytest.raises(FormulaError, match="dot"):
            understood(world, TypedFormula("constraint", text, AB), 2)
        return
    found = understood(world, TypedFormula("constraint", text, {**AB, "r": 2.5}), 2)
    assert found.texts == texts and not found.missing
    item = made(found)[0]
    world.add(item)
    world.step(1e-3)


def test_names_say_whether_they_are_places():
    def names(text: str) -> dict[str, bool]:
        return names_in(relations(text))

    assert names("|a − b| = 2 r") == {"a": True, "b": True, "r": False}
    assert names("norm(a - 2*b) + k*|c|") == {"a": True, "b": True, "k": False, "c": True}
    assert names("p.x^2 + sin(2 pi t) = |k x|") == {"p": True, "k": False, "x": False}


@pytest.mark.parametrize(
    ("form", "text", "at", "says"),
    [
        ("constraint", "|a − b = 2", 0, "never closed"),
        ("constraint", "|a − b| = ", 9, "missing after"),
        ("constraint", "|a − b| = 2 + * 3", 14, "missing before"),
        ("constraint", "|a − b| = |a| = 3", 14, "one sign"),
        ("constraint", "|a − b| = a", 9, "on the other a vector"),
        ("constraint", "2 a + § = 1", 6, "not ASCII"),
        ("energy", "|a − b| = 2", 8, "without '='"),
        ("condition", "|a − b|", 7, "<= or >="),
        ("energy", "a − b", 0, "one number is wanted"),
        ("force", "a.x, 2, 3", 0, "2 numbers are wanted"),
    ],
)
def test_a_fault_points_at_what_was_typed(form, text, at, says):
    with pytest.raises(FormulaError, match=says) as problem:
        understood(plane(), TypedFormula(form, text, AB, "a"), 2)
    assert problem.value.position == at


def test_values_now_are_those_that_python_reads():
    world = plane()
    found = understood(world, TypedFormula("constraint", "|a − b| = 2 r", {**AB, "r": 2.0}), 2)
    assert found.now == pytest.approx((1.0,))
    (item,) = made(found)
    world.add(item)
    assert item.value == pytest.approx(1.0)
    item.r = 2.5  # a number of the formula stays a parameter
    assert item.gap == pytest.approx(0.0)
    measure = put(world, "measure", "turn + |p|", turn="hinge.turn", p="rod.end2")
    assert measure.value == pytest.approx(4.25**0.5)


def test_all_forms_make_what_they_say():
    world = plane()
    stop = put(world, "constraint", "|a − b| ≥ 1", **AB)  # a condition, though nobody said so
    assert stop.type is td.at_least and stop.inputs[0].value == pytest.approx(4.0)
    assert put(world, "condition", "a.x <= 3", a="a").type is td.at_most
    energy = put(world, "energy", "k |a − b|²/2", k=2.0, **AB)
    assert energy.energy == pytest.approx(25.0)
    force = put(world, "force", "-k (a − b) - c a_dot", k=1.0, c=0.1, **AB)
    assert force.inputs[0] is world["a"] and len(force.values["text"]) == 2
    place = put(world, "measure", "(a + b)/2", **AB)
    assert tuple(place.value) == pytest.approx((1.5, 2.0))
    path = put(world, "path", "cos(t) - 1, sin(t)", on="a")
    assert path.gap == pytest.approx(0.0)
    world.step(1e-2)


def test_what_is_missing_is_said_by_name():
    found = understood(plane(), TypedFormula("constraint", "|a − b| = 2 r", {"a": "a"}), 2)
    assert found.missing == ("b", "r") and found.now is None
    with pytest.raises(ValueError, match="what b, r stands for"):
        made(found)
    with pytest.raises(ValueError, match="what the path is for"):
        made(understood(plane(), TypedFormula("path", "cos(t), 0"), 2))
