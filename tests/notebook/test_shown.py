"""What notebooks show of worlds and recordings, without a notebook."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tinkerdyne as td
from tests.studio.unpacked import content
from tinkerdyne.notebook import framed
from tinkerdyne.notebook.widget import WorldWidget, widget_of

pytestmark = pytest.mark.mission("S2")


def swinging() -> td.World:
    world = td.World()
    rod = world.add(td.Rod("rod", position=(0.5, 0, 0)))
    hinge, weight = world.add(td.connect(rod.end1, td.Nail(0, 0, 0)), td.gravity())
    world.show(controls=[td.control(weight, "g", index=2, low=-20, high=0), td.control(hinge, "is_on")])
    return world


@pytest.fixture
def shown(monkeypatch) -> tuple[td.World, WorldWidget, list[dict[str, Any]]]:
    """A world, its widget, and what the page is told."""
    world, told = swinging(), list[dict[str, Any]]()
    widget = widget_of(world, "a page")
    monkeypatch.setattr(widget, "send", lambda message: told.append(message))
    return world, widget, told


def test_the_page_stands_in_a_frame_as_text() -> None:
    page = framed('<p title="a">&amp; more</p>', "its run is a script")
    assert "replay: its run is a script" in page
    assert 'srcdoc="&lt;p title=&quot;a&quot;&gt;&amp;amp; more&lt;/p&gt;"' in page


def test_the_world_goes_where_the_page_goes(shown) -> None:
    world, widget, told = shown
    other = swinging()
    other.step(0.5)
    now = [other.time, *other.engine.state_vector().tolist()]
    widget._heard(
        widget, {"kind": "now", "numbers": now, "readings": {"energy": 1.0}, "turn": widget.turn}, []
    )
    assert world.time == widget.time == 0.5 and widget.readings == {"energy": 1.0}
    assert np.array_equal(world["rod"].position, other["rod"].position)
    widget.sync()
    assert told == []
    world.step(0.1)
    other.step(0.1)
    assert world["rod"].position == pytest.approx(
        other["rod"].position, abs=1e-9
    )  # constraints are held to 1e-8 m, and the steps begin afresh


def test_what_python_changes_goes_to_the_page_and_older_reports_are_void(shown) -> None:
    world, widget, told = shown
    stale = {
        "kind": "now",
        "numbers": [9.0, *world.engine.state_vector()],
        "readings": {},
        "turn": widget.turn,
    }
    world["gravity-1"].g = (0, 0, -1.62)
    world.step(0.1)
    widget.sync()
    assert told[0] == {"kind": "set", "item": "gravity-1", "parameter": "g", "value": (0.0, 0.0, -1.62)}
    assert told[1]["kind"] == "resume" and told[1]["numbers"][0] == world.time
    widget._heard(widget, stale, [])
    assert world.time == 0.1


def test_controls_are_traits_in_both_directions(shown) -> None:
    world, widget, told = shown
    assert widget.gravity_1_g == (0, 0, -9.81) and widget.connect_1_is_on is True
    change = {"kind": "change", "item": "connect-1", "parameter": "is_on", "value": False}
    widget._heard(widget, change, [])
    assert widget.connect_1_is_on is False and world["connect-1"].is_on is False
    widget.gravity_1_g = (0, 0, -3.7)
    assert world["gravity-1"].g == (0, 0, -3.7)
    assert [one["parameter"] for one in told] == ["g"]


def test_another_structure_is_another_page(shown) -> None:
    world, widget, told = shown
    world.add(td.Particle("bob", position=(2, 0, 0)))
    widget.sync()
    items = [item["name"] for item in content(widget.page, "world")["model"]["items"]]
    assert "bob" in items and not told
    world.configure(method="adaptive")
    widget.sync()
    assert 'method="adaptive" runs in Python only' in widget.problem


def test_a_recording_shows_its_plots() -> None:
    world = swinging()
    run = world.record(0.1, of=[world["rod"]])
    shown = run._repr_mimebundle_()
    assert shown["text/plain"] == repr(run) and shown["image/svg+xml"].count("<path") > 10
