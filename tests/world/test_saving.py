"""Saving: a world written down and read again goes on bit for bit, and the text is for people."""

import json
import warnings

import numpy as np
import pytest

import tinkerdyne as td
from tests.world.worlds import WORLDS, chain, formulas, own_type
from tinkerdyne import World

pytestmark = pytest.mark.filterwarnings("ignore:.*Runge–Kutta with projection")
DT = 1e-3


def bits(world: World) -> dict[str, bytes]:
    """The state of every object, exactly."""
    return {
        i.name: b"".join(a.tobytes() for a in world.engine.state(i))
        for i in world.items
        if i.type.family == "object"
    }


@pytest.mark.parametrize("name", WORLDS)
def test_a_loaded_world_takes_a_thousand_steps_with_the_same_bits(name, tmp_path, recwarn):
    world = WORLDS[name]()
    world.run(0.137)
    world.save(tmp_path / "scene.json")
    other = World.load(tmp_path / "scene.json")
    assert other.time == world.time
    assert bits(other) == bits(world)
    for _ in range(4):
        world.run(0.25, dt=DT * 10)
        other.run(0.25, dt=DT * 10)
        assert other.time == world.time
        assert bits(other) == bits(world)
    assert not [w for w in recwarn if "open" in str(w.message)]


OPEN = {
    "unmet": "nail-1",
    "impossible": "nail-1",
    "plane": "distance-1",
    "first order": "distance-1",
    "formulas": "path",
    "non-square": "orient-1",
}


@pytest.mark.parametrize("name", WORLDS)
def test_a_world_saved_before_its_first_step_takes_the_same_steps(name):
    world = WORLDS[name]()
    with warnings.catch_warnings(record=True) as heard:
        other = World.from_json(world.to_json())
    assert [OPEN[name] in str(w.message) for w in heard] == [True] * (name in OPEN)
    world.run(0.05)
    other.run(0.05)
    assert bits(other) == bits(world)


@pytest.mark.parametrize("name", WORLDS)
def test_saving_does_not_disturb_the_run(name):
    world, watched = WORLDS[name](), WORLDS[name]()
    for _ in range(5):
        world.run(0.02)
        watched.run(0.02)
        watched.to_json()
    assert bits(watched) == bits(world)


@pytest.mark.parametrize("name", WORLDS)
def test_saving_what_was_loaded_gives_the_same_text(name):
    world = WORLDS[name]()
    world.run(0.05)
    text = world.to_json()
    assert World.from_json(text).to_json() == text


def test_the_text_is_plain_json_with_one_line_an_item():
    world = chain(2)
    world.run(0.01)
    text = world.to_json()
    document = json.loads(text)
    assert list(document) == [
        "tinkerdyne",
        "time",
        "objects",
        "connectors",
        "constraints",
        "behaviors",
        "order",
        "stepper",
    ]
    assert document["objects"][0]["type"] == "rod"
    assert document["objects"][0]["state"]["position"] == list(world["rod0"].position)
    assert {"name": "rod0.end1", "type": "point", "on": ["rod0"], "part": "end1"} in document["connectors"]
    assert document["order"] == [item.name for item in world.items]
    assert len(text.splitlines()) == 6 + 2 * 4 + len(world.items)


def test_typed_formulas_are_written_as_people_write_them():
    document = json.loads(formulas().to_json())
    by_name = {
        e["name"]: e for section in ("connectors", "constraints", "behaviors") for e in document[section]
    }
    assert by_name["path"]["text"] == ["cos(w*t)", "sin(w*t)", "0.1*t"]
    assert by_name["path"]["constants"] == {"w": 0.9}
    assert by_name["path"]["on"] == ["a"]
    size = by_name["size"]
    assert size["text"] == "sqrt((p[0]-q[0])^2 + (p[1]-q[1])^2 + (p[2]-q[2])^2) * k"
    assert (size["on"], size["names"], size["constants"]) == (["a", "b"], ["p", "q"], {"k": 1.25})


def test_a_person_can_write_a_scene_with_little():
    world = World.from_json("""{
      "tinkerdyne": 1,
      "objects": [{"name": "bob", "type": "particle", "state": {"position": [1, 0]}}],
      "constraints": [{"name": "string", "type": "distance", "on": ["bob", "hook"]}],
      "connectors": [{"name": "hook", "type": "place", "at": [0, 0]}],
      "behaviors": [{"name": "weight", "type": "gravity", "g": [0, -9.81]}]
    }""")
    world.run(1.0)
    assert np.hypot(*world["bob"].position) == pytest.approx(1.0, abs=1e-7)
    assert world.energy == pytest.approx(0.0, abs=1e-3)
    assert world["string"].length == 1.0


def test_settings_names_and_switches_come_back():
    world = chain(2, method="runge_kutta", max_step=2e-3)
    world["rod1"].mass = 2.5
    world["connect-2"].is_on = False
    world["connect-1"].tau = 0.02
    world["rod0"].is_fixed = True
    other = World.from_json(world.to_json())
    assert other.settings == world.settings
    assert [i.name for i in other.items] == [i.name for i in world.items]
    for mine, theirs in zip(world.items, other.items, strict=True):
        assert theirs.values == mine.values


def test_named_places_of_a_loaded_object_still_belong_to_it():
    world = World.from_json(chain(2).to_json())
    rod = world["rod0"]
    assert rod.end2 is world["rod0.end2"]
    rod.length = 3.0
    assert rod.end2.at == (1.5, 0.0, 0.0)


def test_a_place_that_was_moved_by_hand_keeps_where_it_is():
    world = chain(2)
    world["rod0"].end2.at = (0.4, 0.1, 0.0)
    with pytest.warns(UserWarning, match="connect-2' is open by 0.1"):
        other = World.from_json(world.to_json())
    assert other["rod0"].end2.at == (0.4, 0.1, 0.0)
    assert other["rod0"].end2 is other["rod0.end2"]


def test_a_type_of_ones_own_is_found_by_its_name():
    world = own_type()
    assert json.loads(world.to_json())["constraints"][0]["type"] == "model_on_circle"
    assert World.from_json(world.to_json())["rim"].type is world["rim"].type


def test_a_loaded_world_has_nothing_to_undo_and_can_be_edited():
    world = World.from_json(chain(3).to_json())
    assert not world.undo()
    text = world.to_json()
    world.remove("rod1")
    assert world.undo()
    assert world.to_json() == text


def test_saving_and_loading_after_many_edits_still_gives_the_same_bits():
    world = chain(4)
    world.run(0.1)
    first, second = world["rod0"], world["rod1"]
    world.remove(second)
    world.add(td.Particle("bead", position=(0.0, 1.0, 0.0)))
    world.run(0.1)
    world.undo()
    world.undo()
    world.remove(first)
    world.undo()
    world.add(td.spring(first.end2, td.Nail(0, 1, 0), stiffness=20.0))
    world["rod2"].is_fixed = True
    world["rod2"].is_fixed = False
    world["connect-2"].is_on = False
    world["connect-2"].is_on = True
    world.run(0.05)
    other = World.from_json(world.to_json())
    world.run(1.0)
    other.run(1.0)
    assert bits(other) == bits(world)


def test_numbers_survive_to_the_last_bit():
    values = (0.1, 1 / 3, -0.0, 5e-324, 1.7976931348623157e308, 2.2250738585072014e-308, 1e-9 + 1e9)
    world = World()
    for k, value in enumerate(values):
        world.add(td.Variable(f"x{k}", rate=value))
    other = World.from_json(world.to_json())
    assert bits(other) == bits(world)


def test_an_older_version_is_brought_up_to_date():
    old = """{"tinkerdyne": 0, "time": 2.5, "settings": {"max_step": 0.002}, "items": [
      {"type": "rod", "name": "rod", "values": {"mass": 2.0}, "state": {"position": [0.5, 0, 0]}},
      {"type": "point", "name": "tip", "inputs": ["rod"], "values": {"at": [-0.5, 0, 0]}},
      {"type": "gravity", "name": "weight", "values": {"g": [0, 0, -1.0]}},
      {"type": "nail", "name": "pin", "inputs": ["tip"], "values": {"at": [0, 0, 0], "tau": 0.2}}]}"""
    world = World.from_json(old)
    assert (world.time, world.settings["max_step"]) == (2.5, 0.002)
    assert [i.name for i in world.items] == ["rod", "tip", "weight", "pin"]
    assert (world["rod"].mass, world["pin"].tau, world["weight"].g) == (2.0, 0.2, (0.0, 0.0, -1.0))
    assert json.loads(world.to_json())["tinkerdyne"] == 2


def test_saving_over_an_older_version_keeps_the_original(tmp_path):
    path = tmp_path / "old.json"
    old = '{"tinkerdyne": 0, "items": [{"type": "particle", "name": "p"}]}'
    path.write_text(old)
    World.load(path).save(path)
    assert json.loads(path.read_text())["tinkerdyne"] == 2
    assert (tmp_path / "old.json.v0").read_text() == old
