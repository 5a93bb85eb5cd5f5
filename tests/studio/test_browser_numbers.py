"""The numbers on the screen are those that Python reads, in odd worlds too: tiny, far away, turned often, in
other units."""

from __future__ import annotations

import math

import pytest

import tinkerdyne as td
from tests.studio.person import Person, until

CLOSE = 5e-6  # relative, of what the inspector shows of a state: six digits


def odd() -> td.World:
    """Parts of a micrometre and of a kilometre, and one that was turned round four times."""
    world = td.World()
    world.add(td.Particle("mote", position=(2.5e-6, -3.25e-7), mass=1e-12))
    world.add(td.Plate("wall", position=(1234.5, -6789.25), size=(40.0, 3.0), angle=math.pi / 4))
    wheel = world.add(td.Disc("wheel", radius=0.1, position=(1 / 3, 0.2), angle=25.1))
    world.add(td.nail(wheel.centre, at=(1 / 3, 0.2), name="hook"))
    world.history.clear()
    return world


def choose(me: Person, name: str) -> None:
    me.page.locator(".parts .row", has_text=name).first.click()
    until(lambda: me.page.locator(".item-name").input_value() == name, f"{name} is chosen")


def numbers(me: Person, field: str) -> list[float]:
    """What a field says in full."""
    inputs = me.page.get_by_role("group", name=field, exact=True).last.locator("input.number")
    return [float(one.get_attribute("title") or "nan") for one in inputs.all()]


def agree(me: Person, field: str, wanted: tuple[float, ...]) -> None:
    size = max(map(abs, wanted))
    until(
        lambda: (
            len(found := numbers(me, field)) == len(wanted)
            and all(abs(a - b) <= CLOSE * size for a, b in zip(found, wanted, strict=True))
        ),
        f"{field} reads {wanted}",
    )


def unit(me: Person, field: str) -> str:
    return me.page.get_by_role("group", name=field, exact=True).last.locator(".unit").inner_text()


def test_numbers_of_odd_worlds_are_those_of_python(show, meet):
    shown = show(odd(), is_playing=False)
    me, world = meet(shown.url), shown.world
    choose(me, "mote")
    agree(me, "position", world["mote"].position)
    agree(me, "mass", (world["mote"].mass,))
    choose(me, "wheel")
    agree(me, "angle", (math.degrees(world["wheel"].angle),))  # with all of its turns
    me.command("Lengths in mm")
    until(lambda: unit(me, "position") == "mm", "other units")
    agree(me, "position", tuple(1000 * x for x in world["wheel"].position))
    choose(me, "wall")
    assert numbers(me, "angle") == [45.0]  # and not 44.98
    agree(me, "position", tuple(1000 * x for x in world["wall"].position))
    agree(me, "size", (40_000.0, 3_000.0))


@pytest.mark.long
def test_what_is_typed_in_other_units_is_what_python_has(show, meet):
    shown = show(odd(), is_playing=False)
    me, world = meet(shown.url), shown.world
    me.command("Lengths in mm")
    choose(me, "wall")
    size = me.page.get_by_role("group", name="size", exact=True).locator("input.number")
    size.nth(0).fill("12.5")
    me.press("Enter")
    until(lambda: world["wall"].size[0] == 0.0125, "typed in millimetres")
    me.press("Control+z")
    until(lambda: world["wall"].size[0] != 0.0125, "undone")
    agree(me, "size", tuple(1000 * x for x in world["wall"].size))
    choose(me, "wheel")
    turn = me.page.get_by_role("group", name="angle", exact=True).locator("input.number")
    turn.fill("1500")
    me.press("Enter")
    until(lambda: abs(world["wheel"].angle - math.radians(1500)) < 1e-9, "turned four times and more")
    agree(me, "angle", (1500.0,))
