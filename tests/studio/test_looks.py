"""Looks: pages know a type by what its description says, and a new type needs no line elsewhere."""

from __future__ import annotations

import typing

import pytest

from tinkerdyne.constraints.joints import joint
from tinkerdyne.language.kinds import Frame, Point
from tinkerdyne.language.look import Look, Role, look
from tinkerdyne.language.types import REGISTRY, behavior
from tinkerdyne.studio.build.catalogue import catalogue, described, fit_models, info
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
    assert REGISTRY["gravity"].look == Look()


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
