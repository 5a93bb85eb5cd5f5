"""Sketching a motion over the wire: the sketch is the world's, every edit can be undone, the motion is solved
beside the engine and goes on in the world."""

from __future__ import annotations

import numpy as np
import pytest

import tinkerdyne as td
from tests.studio.page import Page
from tinkerdyne.objects.rotation import rotation_matrix
from tinkerdyne.studio.sketching.acting import valleys

PLACE = (0.0, 0.0, 0.5)


def table() -> td.World:
    world = td.World()
    world.add(td.gravity(), td.Floor("floor"), td.contact(friction=0.5, restitution=0.3))
    world.add(td.Box("die", size=(0.1, 0.1, 0.1), mass=0.1, position=PLACE))
    return world


@pytest.fixture
def met(show):
    """A page that has begun to sketch the die."""
    shown = show(table(), is_playing=False)
    page = Page(shown._server)
    yield shown, page
    page.stack.close()


def begun(page: Page) -> dict:
    page.ask(**{"do": "sketch", "bodies": ["die"], "along": [1, 0, 0]})
    return page.solved()


def place_at(motion: dict, flight: int, share: float) -> np.ndarray:
    rows = np.reshape(motion["paths"][0]["flights"][flight], (-1, 7))
    return rows[round(share * (len(rows) - 1)), :3]


def test_a_sketch_begins_where_the_body_is_and_is_met(met):
    shown, page = met
    motion = begun(page)
    assert (
        motion["verdict"] == "met"
        and not motion["is_astray"]
        and place_at(motion, 0, 0) == pytest.approx(PLACE, abs=1e-6)
    )
    told = page.sketch
    assert told["surfaces"][0]["name"] == "floor" and len(told["flights"][0]["tracks"][0]["places"]) == 3
    assert shown.world.display["sketch"].text.count('"die"')


def test_every_edit_of_a_sketch_is_saved_and_taken_back(met):
    shown, page = met
    begun(page)
    texts = [shown.world.display["sketch"].text]
    for command in (
        {"do": "pose-sample", "number": 5, "body": "die", "flight": 0, "sample": 1, "place": [0.9, 0, 0.4]},
        {"do": "edit-flight", "what": "bounce", "flight": 0},
        {"do": "edit-blow", "flight": 0, "body": "die", "on": "floor", "restitution": [0.2, 0.8]},
        {
            "do": "ask-wish",
            "body": "die",
            "flight": 1,
            "kind": "position",
            "when": "end",
            "value": [1.2, 0, 0.2],
        },
        {"do": "edit-sketch", "gravity": [0, 0, -3.7], "style": {"calmer": 1}},
        {"do": "edit-sketch", "surface": "floor", "origin": [0, 0, 0.02], "normal": [0, 0, 1]},
        {"do": "edit-flight", "what": "lasts", "flight": 0, "lasts": [0.3, 0.3]},
        {"do": "edit-flight", "what": "split", "flight": 1},
        {"do": "edit-flight", "what": "reorder", "flight": 0, "to": 1},
        {"do": "edit-flight", "what": "remove", "flight": 2},
        {"do": "drop-sample", "body": "die", "flight": 0, "sample": 0},
    ):
        page.ask(**command)
        texts.append(shown.world.display["sketch"].text)
        copy = td.World.from_json(shown.world.to_json())
        assert copy.display["sketch"] == shown.world.display["sketch"]
    assert len(set(texts)) == len(texts)
    for text in reversed(texts[:-1]):
        page.ask(**{"do": "undo"})
        assert shown.world.display["sketch"].text == text
    page.until(lambda: len(page.sketch["flights"]) == 1)
    assert page.solved()["verdict"] == "met"
    page.ask(**{"do": "undo"})
    assert "sketch" not in shown.world.display
    page.until(lambda: not page.sketch["bodies"])


def test_while_the_hand_moves_the_motion_follows_and_the_world_keeps_its_sketch(met):
    shown, page = met
    begun(page)
    before = shown.world.display["sketch"].text
    for k in range(8):
        page.ask(
            **{
                "do": "pose-sample", "number": 100 + k, "body": "die", "flight": 0, "sample": 2,
                "place": [1.0 + 0.02 * k, 0, 0.5], "is_final": False,
            }
        )  # fmt: skip
    page.until(lambda: page.latest["Motion"]["number"] == 107)
    assert 0.9 < place_at(page.latest["Motion"], 0, 1)[0] < 1.14  # the sample between holds it back
    assert shown.world.display["sketch"].text == before
    page.ask(
        **{
            "do": "pose-sample",
            "number": 108,
            "body": "die",
            "flight": 0,
            "sample": 2,
            "place": [1.14, 0, 0.5],
        }
    )
    assert shown.world.display["sketch"].text != before


def test_where_the_motion_starts_is_one_with_its_first_sample(met):
    _shown, page = met
    begun(page)
    start = [0.1, 0.2, 0.7]
    page.ask(**{"do": "pose-wish", "number": 9, "body": "die", "flight": 0, "when": "start", "place": start})
    motion = page.solved()
    assert page.sketch["flights"][0]["tracks"][0]["places"][0] == start
    assert place_at(motion, 0, 0) == pytest.approx(start, abs=1e-6)


def test_the_motion_lives_on_in_its_world_and_one_undo_takes_it_back(met):
    shown, page = met
    begun(page)
    page.ask(**{"do": "edit-flight", "what": "bounce", "flight": 0})
    motion = page.solved()
    assert motion["verdict"] == "met"
    world, session = shown.world, shown._session
    page.ask(**{"do": "play-motion"})
    page.ask(**{"do": "play", "is_playing": False})
    die, end = world["die"], motion["grid"][-1]
    session.call(lambda: session.step(max(end - 1e-3 - world.time, 0)))
    assert np.linalg.norm(die.position - place_at(motion, 1, 1)) < 0.02
    session.call(lambda: [session.step(0.02) for _ in range(200)])
    corners = 0.05 * np.array(np.meshgrid((-1, 1), (-1, 1), (-1, 1))).reshape(3, -1).T
    heights = (corners @ rotation_matrix(np.array(die.orientation)).T)[:, 2] + die.position[2]
    assert np.linalg.norm(die.velocity) < 1e-2 and np.sort(heights)[:4] == pytest.approx(0, abs=2e-3)
    assert not [item for item in world.items if item.name.startswith("sketch: ")]
    page.ask(**{"do": "undo"})
    assert die.position == pytest.approx(PLACE, abs=1e-9) and not world.timeline


def test_a_sketch_follows_the_names_and_sizes_of_its_bodies_and_says_who_is_gone(met):
    _shown, page = met
    begun(page)
    page.ask(**{"do": "apply", "edit": {"edit": "Rename", "name": "die", "to": "cube"}})
    page.until(lambda: page.sketch["bodies"] == ["cube"])
    assert page.sketch["flights"][0]["tracks"][0]["body"] == "cube"
    page.ask(**{"do": "delete", "names": ["cube"]})
    page.until(lambda: "cube" in page.sketch["problem"])
    page.ask(**{"do": "undo"})
    page.until(lambda: page.sketch["bodies"] == ["cube"])


def test_what_cannot_be_sketched_is_refused_in_words(met):
    _shown, page = met
    assert "not fixed" in page.refused(**{"do": "sketch", "bodies": ["floor"]})
    assert "no sketch" in page.refused(**{"do": "edit-flight", "what": "bounce", "flight": 0})
    begun(page)
    for command, word in (
        ({"do": "edit-flight", "what": "remove", "flight": 0}, "at least one flight"),
        ({"do": "edit-flight", "what": "lasts", "flight": 0, "lasts": [2, 1]}, "duration"),
        ({"do": "edit-blow", "flight": 0, "body": "die"}, "collision"),
        ({"do": "drop-sample", "body": "dice", "flight": 0, "sample": 0}, "no body"),
    ):
        assert word in page.refused(**command)


def test_a_gesture_is_cut_where_it_comes_down():
    t = np.linspace(0, 1, 40)
    hops = np.stack([t, 0 * t, np.abs(np.cos(3 * np.pi * t))], axis=1)
    assert len(valleys(hops, np.array((0, 0, -9.81)))) == 3
    assert not valleys(np.stack([t, 0 * t, t * (1 - t)], axis=1), np.array((0, 0, -9.81)))


def test_a_gesture_is_cut_elsewhere_and_says_how_high_it_goes(met):
    _shown, page = met
    begun(page)
    t = np.linspace(0, 1, 40)
    hops = np.stack([t, 0 * t, 0.1 + 0.4 * np.abs(np.cos(1.5 * np.pi * t))], axis=1).tolist()
    told = page.ask("act-sketch", body="die", places=hops)
    assert len(told["heights"]) == 40 and len(told["cuts"]) == 1
    page.until(lambda: len(page.sketch["flights"]) == 2)
    assert page.ask("act-sketch", body="die", places=hops, cuts=[8, 20, 30])["cuts"] == [8, 20, 30]
    page.until(lambda: len(page.sketch["flights"]) == 4)
    assert "in order" in page.refused("act-sketch", body="die", places=hops, cuts=[20, 8])


def test_a_stroke_has_orientations_at_its_keys_alone(met):
    _shown, page = met
    begun(page)
    t = np.linspace(0, 1, 12)
    stroke = np.stack([0.6 * t, 0 * t, 0.5 + t * (1 - t)], axis=1).tolist()
    page.ask("act-sketch", body="die", places=stroke, smooth=0)
    page.until(lambda: not page.sketch["flights"][0]["tracks"][0]["orientations"])
    turns = {2: [1.0, 0, 0, 0], 9: [0.7071067811865476, 0, 0.7071067811865476, 0]}
    for k, turn in turns.items():
        page.ask(
            "pose-sample", number=20 + k, body="die", flight=0, sample=k, place=stroke[k], orientation=turn
        )
    page.until(lambda: page.sketch["flights"][0]["tracks"][0]["keys"] == [2, 9])
    track = page.sketch["flights"][0]["tracks"][0]
    for k, turn in turns.items():
        assert track["orientations"][k] == pytest.approx(turn)
    motion = page.solved()
    assert motion["verdict"] == "met" and motion["misfit"][1] < 0.02  # only keys count
    page.ask("pose-sample", number=50, body="die", flight=0, sample=5, place=[0.3, 0, 0.8], is_new=True)
    page.until(lambda: page.sketch["flights"][0]["tracks"][0]["keys"] == [2, 10])
    page.ask("drop-sample", body="die", flight=0, sample=2)
    page.until(lambda: page.sketch["flights"][0]["tracks"][0]["keys"] == [9])
    for turn in ([1, 0, 0], [0, 0, 0, 0]):
        sample = {"body": "die", "flight": 0, "sample": 3, "place": [0, 0, 1]}
        assert "orientation of" in page.refused("pose-sample", **sample, number=60, orientation=turn)


@pytest.mark.long
def test_other_ways_to_do_it_are_found_beside_the_engine_and_one_is_taken(met):
    _shown, page = met
    begun(page)
    page.ask("drop-sample", body="die", flight=0, sample=1)  # how high it flies is not shown any more
    page.ask("find-others", starts=2)
    page.until(lambda: page.latest["Others"]["is_over"] and page.latest["Others"]["of"], 240)
    found = page.latest["Others"]["found"]
    assert len(found) >= 2
    highest = max(found, key=lambda one: one["height"])
    page.ask("take-other", number=highest["number"])
    motion = page.solved()
    heights = np.reshape(motion["paths"][0]["flights"][0], (-1, 7))[:, 2]
    assert heights.max() == pytest.approx(highest["height"], rel=0.05)
