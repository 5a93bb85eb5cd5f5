"""What comes back by undo has its old place, and edits that fail leave the order as it was."""

import math
import random

import pytest

import tinkerdyne as td
from tinkerdyne.world import timeline
from tinkerdyne.world.contents import Contents
from tinkerdyne.world.edit import Change, Event, Ramp
from tinkerdyne.world.timeline import Agenda


def test_what_comes_back_stands_where_it_stood():
    world = td.World()
    world.add(td.Rod("a"), td.Rod("b"), td.Rod("c"))
    before = world.to_json()
    world.remove("b")
    world.undo()
    assert [item.name for item in world] == ["a", "b", "c"] and world.to_json() == before


def test_a_refused_edit_leaves_the_order_of_what_came_back():
    world = td.World()
    world.add(td.Rod("a"), td.Rod("b"))
    world.remove("a")
    world.add(td.Rod("c"))
    world.undo()
    world.undo()
    before = world.to_json()
    with pytest.raises(ValueError, match="a"):
        world.add(td.Rod("d"), td.Rod("a"))
    assert world.to_json() == before


@pytest.mark.parametrize("end", [1e307, 8e307])
def test_ramps_of_astronomical_length_have_their_ends_alone(end):
    ramp = Ramp("a", "mass", -end, end, 1.0, 2.0)
    agenda = Agenda((ramp,))
    assert agenda.next_time(0.0) == end and agenda.next_time(end) == math.inf
    ((change, _),) = agenda.due(end)
    assert change.value == 2.0


def test_long_timelines_and_removals_take_time_in_proportion(monkeypatch):
    """Counted, not timed: every `at` checked all entries before it, and every item that came back sorted all
    items (2,000 and 8,000 of them took 18 s each)."""
    checks, sorts = [], []
    plain_check, plain_sort = timeline._checked, Contents.sort
    monkeypatch.setattr(timeline, "_checked", lambda entry: checks.append(1) or plain_check(entry))
    monkeypatch.setattr(Contents, "sort", lambda self: sorts.append(1) or plain_sort(self))
    world = td.World()
    balls = [world.add(td.Particle(f"ball{k}")) for k in range(100)]
    for k in range(200):
        world.at((k * 7 % 200) / 100, Change(f"ball{k % 100}", "mass", 1.0 + k))
    assert len(checks) == 200 and [entry.time for entry in world.timeline] == [k / 100 for k in range(200)]
    world.remove(*balls[::2])
    world.undo()
    assert world.items[: len(balls)] == tuple(balls) and len(sorts) == 1


def test_an_agenda_says_what_a_search_through_all_entries_says():
    draw = random.Random(5)
    entries = timeline.checked(
        [
            Event(draw.randint(0, 20) / 4, Change("a", "mass", float(k)))
            if draw.random() < 0.6
            else Ramp("a", "mass", start := draw.randint(0, 16) / 4, start + draw.randint(1, 8) / 4, 0.0, 1.0)
            for k in range(60)
        ]
    )
    agenda = timeline.Agenda(entries)
    t = -math.inf
    while t < math.inf:
        times = [e.time if isinstance(e, Event) else timeline._after(e, t) for e in entries]
        t, before = agenda.next_time(t), t
        assert t == min(when for when in (*times, math.inf) if when > before)
        events = [e for e in entries if isinstance(e, Event) and e.time == t]
        assert [entry for _, entry in agenda.due(t) if isinstance(entry, Event)] == events
        ramps = [
            e
            for e in entries
            if isinstance(e, Ramp) and (t in (e.start, e.end) or timeline._is_on_grid(e, t))
        ]
        ramps = [e for e in ramps if e.start <= t <= e.end]
        assert [entry for _, entry in agenda.due(t) if isinstance(entry, Ramp)] == ramps
