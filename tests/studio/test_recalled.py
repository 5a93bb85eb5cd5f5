"""Plots show the recording: every number that a page gets is what Python read at that moment."""

from __future__ import annotations

import numpy as np
import pytest

import tinkerdyne as td
from tests.studio.page import Page
from tinkerdyne.studio.session.session import FRAME, TICK, Session
from tinkerdyne.world.edit import Rename

STEP = FRAME * TICK
NAMES = (
    "energy",
    "bob.position[0]",
    "bob.velocity",
    "string.force",
    "spring.force",
    "spring.energy",
    "tip.value",
)


def pendulum() -> td.World:
    """A bob on a string that a spring pulls."""
    world = td.World()
    bob = world.add(td.Particle("bob", position=(1, 0, 0)))
    world.add(td.distance(td.Nail(0, 0, 0), bob, length=1.0, name="string"), td.gravity())
    world.add(td.spring(bob, td.Nail(1, 1, 0), stiffness=20.0, name="spring"))
    world.add(td.distance_between(bob, td.Nail(0, 2, 0), name="tip"))
    return world


class Read:
    """A session that is stepped by hand, and what Python reads at every frame."""

    def __init__(self, world: td.World) -> None:
        self.session = Session(world, is_playing=False)
        self.read: dict[float, tuple[float, ...]] = {}
        self.session.view.sync({})
        self.keep()

    def keep(self) -> None:
        self.session._present()
        world = self.session.world
        spring = world["spring"]
        stretched = float(np.linalg.norm(np.array(world["bob"].position) - (1, 1, 0))) - spring.length
        self.read[world.time] = (
            world.energy, world["bob"].position[0], float(np.linalg.norm(world["bob"].velocity)),
            float(np.ravel(world["string"].force)[0]), spring.stiffness * abs(stretched), spring.energy,
            float(np.linalg.norm(world["tip"].value)),
        )  # fmt: skip

    def run(self, frames: int) -> None:
        for _ in range(frames):
            self.session.step(STEP)
            self.keep()

    def recalled(self, names=NAMES, version=-1, since=0.0):
        return self.session.view.recalled(names, version, since)


@pytest.fixture
def read(tmp_path):
    one = Read(pendulum())
    yield one
    one.session.files.close()


def check(read: Read, told) -> None:
    """Every point is what Python read, to the rounding of float32, and none is missing."""
    assert [t for t in told.times if t in read.read] == [t for t in read.read if t in told.times]
    for k, time in enumerate(told.times):
        for values, true in zip(told.values, read.read[time], strict=True):
            assert values[k] == pytest.approx(true, rel=3e-7, abs=3e-7)


def test_what_is_pinned_late_is_told_from_the_beginning(read):
    read.run(40)
    told = read.recalled()
    assert told.cut is None and told.begin == 0.0 and len(told.times) == 41
    check(read, told)


def test_a_page_that_has_some_is_told_the_rest(read):
    read.run(10)
    first = read.recalled()
    read.run(7)
    rest = read.recalled(version=first.version, since=first.times[-1])
    assert rest.cut == first.times[-1] and len(rest.times) == 7
    check(read, rest)
    assert read.recalled(version=first.version - 1, since=first.times[-1]).cut is None  # it has another past


def test_undo_and_redo_lead_through_what_was_recorded(read):
    world = read.session.world
    read.run(10)
    world["spring"].stiffness = 30.0
    read.keep()
    read.run(12)
    whole, before = dict(read.read), read.recalled()
    past = read.session.view.past
    past.is_turned = True
    assert world.undo()
    read.session._present()
    undone = read.recalled(version=before.version, since=before.times[-1])
    assert undone.cut is not None and max(undone.times, default=0.0) <= 10 * STEP + 1e-9
    past.is_turned = True
    assert world.redo()
    read.session._present()
    again = read.recalled()
    read.read = whole
    assert len(again.times) == len(before.times) and None not in again.values[0]
    check(read, again)


def test_where_the_world_did_not_run_on_there_is_a_break(read):
    read.run(5)
    read.session.world.run(1.0)  # by other Python code, without frames
    read.keep()
    told = read.recalled()
    gap = [k for k, value in enumerate(told.values[0]) if value is None]
    assert len(gap) == 1 and told.times[gap[0] - 1] < told.times[gap[0]] < told.times[gap[0] + 1]
    some = read.recalled(version=told.version, since=told.times[gap[0] - 1])
    assert some.values[0][0] is None and some.values[0][1] is not None


def test_what_was_not_there_has_no_value(read):
    read.run(3)
    read.session.world.add(td.Particle("late", position=(3, 0, 0)))
    read.session.view.sync({})
    read.run(2)
    (values,) = read.recalled(("late.position[0]",)).values
    assert values[:3] == (None, None, None) and values[-1] == pytest.approx(3.0)
    (nothing,) = read.recalled(("nobody.position[0]",)).values
    assert set(nothing) == {None}


def test_a_quantity_goes_on_under_a_new_name(read):
    read.run(3)
    read.session.world.apply(Rename("bob", "weight"))
    read.session.view.sync({})
    for _ in range(2):
        read.session.step(STEP)
        read.session._present()
    (values,) = read.recalled(("weight.position[0]",)).values
    assert None not in values and values[0] == pytest.approx(1.0)


def test_a_page_recalls_by_the_wire(show):
    shown = show(pendulum())
    page = Page(shown._server)
    page.until(lambda: page.time > 0.3)
    told = page.ask("recall", names=["energy", "string.force"])
    assert len(told["times"]) == len(told["values"][0]) == len(told["values"][1]) > 5
    assert all(value is not None for value in told["values"][1])
    page.close()


def test_places_of_bodies_are_told_as_they_were_on_their_way(tmp_path):
    world = td.World()
    rod = world.add(td.Rod("rod", length=1.0, position=(0.1, 0.2, 0.3), spin=(1, 2, 3)))
    disc = world.add(td.Disc("disc", radius=0.3, position=(1, 2), spin=2.0))
    world.add(td.Particle("bead", velocity=(1, 0, 0)))
    read = Read.__new__(Read)
    read.session = Session(world, is_playing=False)
    read.session.view.sync({})
    true: list[tuple[float, ...]] = []
    for k in range(12):
        if k == 6:
            rod.length = 2.0
            read.session.view.sync({})
        read.session.step(STEP)
        read.session._present()
        end, right = rod.end2.value, disc.right.value
        true.append((*end, *right, 0.0, *world["bead"].position))
    names = [f"{of}[{k}]" for of in ("rod.end2", "disc.right", "bead") for k in range(3)]
    told = np.array(read.recalled(names).values).T
    read.session.files.close()
    assert np.abs(told - np.array(true)).max() < 4e-7


def test_rules_of_contact_have_nothing_to_be_plotted_and_stop_no_studio(show):
    """They have no numbers in the engine: a studio that got one paused, with a number for a word."""
    world = td.World()
    world.add(td.gravity(), td.contact(), td.Floor("floor"))
    a, b = (world.add(td.Box(name, position=(2 * k, 0, 0.5))) for k, name in enumerate("ab"))
    shown = show(world)
    rules = td.conveyor(world["floor"]), td.material(a, friction=0.2), td.pairing(a, b), td.ignore(a, b)
    for rule in rules:
        page = Page(shown._server)
        world.add(rule)
        since = world.time
        page.until(lambda since=since: world.time > since + 0.1)
        assert not page.notices
        page.close()
    assert a.velocity[0] > 0.01
