"""Looks: pages know a type by what its description says, and a new type needs no line elsewhere."""

from __future__ import annotations

import typing

import pytest

import tinkerdyne as td
from tinkerdyne.constraints.joints import joint
from tinkerdyne.language.effects import energy
from tinkerdyne.language.kinds import ORIGIN, Frame, Keys, Number, Place, Point, Scalar, Size
from tinkerdyne.language.look import Look, Role, look
from tinkerdyne.language.symbols import norm
from tinkerdyne.language.types import REGISTRY, behavior, connector, constraint
from tinkerdyne.objects.maker import Maker
from tinkerdyne.studio.build.catalogue import catalogue, described, fit_models, info
from tinkerdyne.studio.build.clipboard import copied, pasted
from tinkerdyne.studio.build.inserting import insert
from tinkerdyne.studio.session import start


@look(glyph="hinge", axis="turning", rank=7)
@joint()
def studio_door(a: Frame, b: Frame) -> typing.Any:
    """A joint that says how it looks."""
    return b.origin - a.origin


@behavior
def studio_breath(p: Point) -> typing.Any:
    """A force that says nothing of its look."""
    return -p


def test_a_new_joint_brings_its_look_along():
    found = info(studio_door)
    assert (found.glyph, found.axis, found.rank, found.is_joint) == ("hinge", "turning", 7, True)


def test_a_type_that_says_nothing_has_a_plain_mark():
    assert studio_breath.look == Look()
    assert info(studio_breath).glyph == "plain" and not info(studio_breath).is_joint


def test_a_look_is_of_one_type_alone():
    assert REGISTRY["spring"].look.glyph == "coil" and REGISTRY["damper"].look.glyph == "dashpot"
    assert REGISTRY["friction"].look == Look()


@pytest.mark.parametrize("role", [role for role in typing.get_args(Role) if role != "none"])
def test_a_role_is_played_by_one_type(role):
    assert len([one for one in catalogue() if one.role == role]) == 1


@pytest.mark.parametrize("family", ["constraint", "object"])
def test_those_that_are_offered_first_are_counted_from_one(family):
    ranks = sorted(
        one.rank for one in catalogue() if one.family == family and one.rank and one.name != "studio_door"
    )
    assert ranks == list(range(1, len(ranks) + 1)) and len(ranks) > 5


def test_who_sits_somewhere_has_what_tells_where():
    needed = {"at": "at", "between": "share", "keys": "keys", "curve": "u"}
    for one in catalogue():
        if one.seat in needed:
            assert needed[one.seat] in {parameter.name for parameter in one.parameters}, one.name
        if one.seat == "contact":
            assert [port.kind for port in one.ports[:2]] == ["curve", "scalar"], one.name


def test_types_are_described_by_name_as_far_as_they_are_known():
    assert [one.name for one in described(["spring", "rod", "nobody", "rod"])] == ["rod", "spring"]


def test_the_hints_are_about_what_is_in_the_first_world():
    world = start.build()
    assert all(name in world for name in start.GUIDE.needs)
    for hint in start.GUIDE.hints:
        body, _, place = hint.at.partition(".")
        assert body in world and (not place or place in info(world[body].type).places)
        assert not hint.glows or hint.glows in world
    assert len({hint.until for hint in start.GUIDE.hints}) == len(start.GUIDE.hints)


def test_models_to_fit_say_how_many_columns_they_want():
    columns = {one.name: one.columns for one in fit_models()}
    assert columns["line"] == 2 and columns["sphere"] == 3 and columns["cylinder"] == 3


# --- what is measured from the world as it is, for types that nobody has heard of ------------------------
@look(place="anchor")
@behavior(tied=True)
def studio_tether(p: Point, *, anchor: Place = ORIGIN) -> typing.Any:
    """A force towards a place of the world   [anchor m]."""
    return energy((p - anchor).T @ (p - anchor))


@look(length="slack")
@constraint
def studio_leash(a: Point, b: Point, *, slack: Size = 1.0) -> typing.Any:
    """Two points stay apart   [slack m]."""
    return norm(b - a) - slack


@look(length="rest")
@behavior
def studio_rubber(a: Point, b: Point, *, rest: Number = 1.0) -> typing.Any:
    """A spring that may be without length   [rest m]."""
    return energy((norm(b - a) - rest) ** 2)


@look(value="level")
@behavior(tied=True)
def studio_float(x: Scalar, *, level: Number = 0.0) -> typing.Any:
    """A force towards a value of a measure   [level 1]."""
    return energy((x - level) ** 2)


@look(place="stations")
@connector(tied=True)
def studio_route(*, stations: Keys = ((0.0, 0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 1.0))) -> Point:
    """A point that passes through keys   [stations m]."""
    return stations.at(0.0)


@pytest.fixture
def two() -> td.World:
    """Two balls three metres apart, four from the origin, and their distance."""
    world = td.World()
    a, b = world.add(td.Particle("a", position=(0, 4, 0)), td.Particle("b", position=(0, 4, 3)))
    world.add(td.distance_between(a, b, name="gap"))
    return world


def made(world: td.World, of: str, *inputs: str, dimension: int = 3) -> td.Item:
    return world[insert(world, of, inputs, {}, "", dimension)[0]]


def test_a_new_force_is_tied_to_where_its_point_is_now(two):
    assert made(two, "studio_tether", "b").anchor == (0, 4, 3)


def test_new_lengths_are_measured_where_they_may_be(two):
    assert made(two, "studio_leash", "a", "b").slack == made(two, "studio_rubber", "a", "b").rest == 3
    two.add(td.Particle("c", position=(0, 4, 3)))
    assert made(two, "studio_leash", "b", "c").slack == 1  # which cannot be zero
    assert made(two, "studio_rubber", "b", "c").rest == 0


def test_a_new_force_keeps_a_measure_at_its_value(two):
    assert made(two, "studio_float", "gap").level == pytest.approx(3)


def test_what_is_pasted_takes_its_place_of_the_world_along(two):
    tether = made(two, "studio_tether", "b")
    two.add(studio_route(name="route"))
    edit, names = pasted(two, copied(two, ("b", "route")), (1.0, 0.0, 0.0))
    two.apply(edit)
    twin, route = (two[next(n for n in names if of in n)] for of in ("studio_tether", "route"))
    assert twin.anchor == (1, 4, 3) and tether.anchor == (0, 4, 3)
    assert route.stations == ((0, 1, 0, 0), (1, 1, 0, 1))


def test_a_new_object_of_either_dimension_is_inserted_in_the_plane(two):
    def where(who, _values, start):
        kind = REGISTRY["particle"]
        return kind.resolve_type(who, {"mass": 1.0}, start)

    either = Maker(
        "studio_mote",
        {},
        {"position": (0.0, 0.0, 0.0), "velocity": (0.0, 0.0, 0.0)},
        where,
        check_state=REGISTRY["particle"].check_state,
        doc="A point mass of one kilogram.",
    )
    assert either.can_be_planar() and not td.Rod.can_be_planar() and not td.Variable.can_be_planar()
    assert len(made(two, "studio_mote", dimension=2).position) == 2
    assert len(made(two, "studio_mote", dimension=3).position) == 3


def test_a_look_that_measures_nothing_is_refused():
    with pytest.raises(TypeError, match="lenght"):
        look(length="lenght")(studio_leash)
    assert studio_leash.look.length == "slack"
