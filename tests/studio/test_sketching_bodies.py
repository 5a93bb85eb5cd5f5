"""Sketching by hand over the wire: two bodies that meet, bodies that stand, rooms and points that are wanted,
and bodies with joints."""

from __future__ import annotations

import numpy as np
import pytest

import tinkerdyne as td
from tests.studio.page import Page
from tinkerdyne.sketch.tell.sketch import Sketch
from tinkerdyne.studio.sketching.begin import begun
from tinkerdyne.studio.sketching.verbs import revised
from tinkerdyne.studio.wire import protocol as p


@pytest.fixture
def meet(show):
    """A page at a world."""
    pages: list[Page] = []

    def come(world: td.World) -> tuple[object, Page]:
        shown = show(world, is_playing=False)
        pages.append(Page(shown._server))
        return shown, pages[-1]

    yield come
    for page in pages:
        page.stack.close()


def two() -> td.World:
    world = td.World()
    world.add(td.gravity(), td.Floor("floor"), td.contact(friction=0.4))
    world.add(td.Box("block", size=(0.1, 0.08, 0.06), mass=0.1, position=(-0.4, 0, 0.8)))
    world.add(td.Sphere("ball", radius=0.05, mass=0.1, position=(0.4, 0, 0.8)))
    world.add(td.Box("other", size=(0.2, 0.2, 0.2), mass=0.3, position=(0.9, 0, 0.5)))
    return world


def test_two_bodies_meet_where_one_looks_at_the_other_and_all_of_it_is_edited(meet):
    shown, page = meet(two())
    page.ask("sketch", bodies=["block", "other"], along=[1, 0, 0])
    page.solved()
    texts = [shown.world.display["sketch"].text]
    page.ask("edit-flight", what="meet", flight=0, body="block")
    (blow,) = sketch_after(page, lambda told: len(told["blows"]) == 1)["blows"]
    assert (blow["body"], blow["of"], blow["on"]) == ("block", "other", "")
    assert blow["normal"] == pytest.approx((-1, 0, 0)) and blow["origin"] == pytest.approx((-0.1, 0, 0))
    texts.append(shown.world.display["sketch"].text)
    change = {"flight": 0, "body": "block", "of": "other", "restitution": [0.2, 0.4], "tilt": 0.1}
    page.ask("edit-blow", **change, at=[0.05, 0.04, 0.03], origin=[0, 0, 0.1], normal=[0, 0, 1], reach=0.05)
    (blow,) = sketch_after(page, lambda told: told["blows"][0]["reach"] > 0)["blows"]
    assert blow["normal"] == [0, 0, 1] and blow["reach"] == pytest.approx(0.05) and blow["tilt"] == 0.1
    texts.append(shown.world.display["sketch"].text)
    page.ask("edit-blow", flight=0, body="block", on="floor")
    sketch_after(page, lambda told: told["blows"][0]["on"] == "floor")
    texts.append(shown.world.display["sketch"].text)
    for text in texts[-2::-1]:
        page.ask("undo")
        assert shown.world.display["sketch"].text == text
    assert "face" not in page.refused("edit-flight", what="meet", flight=0, body="die")


def sketch_after(page: Page, is_so) -> dict:
    page.until(lambda: page.sketch["bodies"] and is_so(page.sketch))
    return page.sketch


def test_what_is_round_strikes_the_face_of_what_is_not_and_is_met_anywhere(meet):
    _shown, page = meet(two())
    page.ask("sketch", bodies=["block", "ball"], along=[1, 0, 0])
    page.ask("edit-flight", what="meet", flight=0)
    (blow,) = sketch_after(page, lambda told: told["blows"])["blows"]
    assert (blow["body"], blow["of"], blow["is_round"]) == ("ball", "block", False)
    page.ask("edit-blow", flight=0, body="block", at=[0.05, 0.04, 0.03], of="ball")
    (blow,) = sketch_after(page, lambda told: told["blows"][0]["is_round"])["blows"]
    assert (blow["body"], blow["of"]) == ("block", "ball")


def test_a_ball_knocks_over_a_pin_that_stands_until_it_is_struck(meet):
    world = td.World()
    world.add(td.gravity(), td.Floor("floor"), td.contact(friction=0.5))
    world.add(td.Cylinder("pin", radius=0.03, length=0.2, mass=0.1, position=(0.6, 0, 0.1),
                          orientation=(0.7071067811865476, 0, 0.7071067811865476, 0)))  # fmt: skip
    world.add(td.Sphere("ball", radius=0.05, mass=0.4, position=(0, 0, 0.4)))
    shown, page = meet(world)
    page.ask("sketch", bodies=["pin", "ball"], along=[1, 0, 0])
    page.ask("edit-flight", what="meet", flight=0, body="pin")
    page.ask("edit-sketch", standing=["pin"])
    told = sketch_after(page, lambda told: told["standing"] == ["pin"])
    assert not [t for f in told["flights"][:1] for t in f["tracks"] if t["body"] == "pin"]
    assert page.solved()["verdict"] in ("met", "plausible")
    page.ask("play-motion")
    page.ask("play", is_playing=False)
    assert world["pin"].is_fixed
    session = shown._session
    session.call(lambda: [session.step(0.02) for _ in range(80)])
    assert not world["pin"].is_fixed
    upright = abs(np.array(world["pin"].end2.value)[2] - np.array(world["pin"].end1.value)[2])
    assert upright < 0.15  # it leans or lies
    page.ask("undo")
    page.ask("edit-sketch", standing=[])
    sketch_after(page, lambda told: not told["standing"])


def met(*commands: object) -> Sketch:
    """A sketch of a pin and a ball that meet, as commands change it."""
    world = td.World()
    world.add(td.gravity(), td.Floor("floor"))
    world.add(td.Box("pin", size=(0.06, 0.06, 0.2), mass=0.1, position=(0.6, 0, 0.1)))
    world.add(td.Sphere("ball", radius=0.05, mass=0.4, position=(0, 0, 0.4)))
    told = begun(world, ["pin", "ball"], [1, 0, 0])
    for command in (p.EditFlight(what="meet", flight=0, body="pin"), *commands):
        told = revised(command, told, None)
    return told


def test_a_body_that_is_to_stand_is_met_where_it_stands_and_falls_by_contact():
    shown, stands = met(), p.EditSketch(standing=("pin",))
    told = revised(stands, shown, None)
    assert set(shown.flights[1].tracks) == {"pin", "ball"} and not told.flights[1].tracks
    ends = shown.flights[0].tracks
    apart = ends["ball"].places[-1] - ends["pin"].places[-1]
    assert told.flights[0].tracks["ball"].places[-1] == pytest.approx(np.array((0.6, 0, 0.1)) + apart)
    at = {"body": "ball", "place": (0.5, 0, 0.15)}
    told = met(p.PoseSample(number=1, flight=0, sample=2, **at), stands)
    assert told.flights[0].tracks["ball"].places[-1] == pytest.approx(at["place"])  # a hand showed it
    assert not told.flights[1].tracks
    told = met(p.PoseSample(number=1, flight=1, sample=1, **at), stands)
    assert set(told.flights[1].tracks) == {"pin", "ball"}


def test_a_room_and_a_point_are_wanted_and_freed(meet):
    shown, page = meet(two())
    page.ask("sketch", bodies=["block", "other"], along=[1, 0, 0])
    whole = {"body": "block", "flight": 0, "when": "end"}
    page.ask("ask-wish", **whole, kind="position", value=[0.1, -0.1, 0.6], high=[0.3, 0.1, 0.8])
    told = sketch_after(page, lambda told: any(w["high"] for w in told["flights"][0]["wishes"]))
    motion = page.solved()
    end = np.array(motion["paths"][0]["flights"][0][-7:-4])
    assert motion["verdict"] == "met" and np.all(end > [0.099, -0.101, 0.599])
    page.ask("ask-wish", **whole, kind="point", at=[0.05, 0.04, 0.03], value=[0.3, 0, 0.7])
    page.ask("ask-wish", **whole, kind="inside", of="other")
    told = sketch_after(page, lambda told: any(w["kind"] == "inside" for w in told["flights"][0]["wishes"]))
    kinds = {w["kind"]: w for w in told["flights"][0]["wishes"]}
    assert kinds["point"]["at"] == [0.05, 0.04, 0.03] and kinds["inside"]["of"] == "other"
    assert kinds["inside"]["high"] == pytest.approx([-x for x in kinds["inside"]["value"]])
    copy = td.World.from_json(shown.world.to_json())
    assert copy.display["sketch"] == shown.world.display["sketch"]
    for kind in ("position", "point", "inside"):
        page.ask("ask-wish", **whole, kind=kind)
    told = sketch_after(
        page, lambda told: not [w for w in told["flights"][0]["wishes"] if w["when"] == "end"]
    )


# --- bodies with joints ----------------------------------------------------------------------------
def chain(count: int = 3, *, is_clamped: bool = False, kind=None) -> td.World:
    world, length = td.World(), 0.25
    world.add(td.gravity())
    links = [
        td.Capsule(f"link{k}", radius=0.02, length=length - 0.04, mass=0.15, position=(length * k, 0, 1.0))
        for k in range(count)
    ]
    world.add(*links)
    kind = kind or td.universal
    for k in range(count - 1):
        world.add(td.join(kind, links[k], links[k + 1], at=(length * (k + 0.5), 0, 1.0), axis=(1.0, 0, 0)))
    if is_clamped:
        world.add(td.join(kind, None, links[-1], at=(length * (count - 0.5), 0, 1.0), axis=(0, 1.0, 0)))
    return world


def point_at(motion: dict, body: str, at: float) -> np.ndarray:
    (path,) = [one for one in motion["paths"] if one["body"] == body]
    rows = np.reshape(path["flights"][0], (-1, 7))
    return rows[round(at * (len(rows) - 1)), :3]


def test_a_chain_is_sketched_by_any_of_its_links_and_reaches_a_hook(meet):
    shown, page = meet(chain())
    page.ask("sketch", bodies=["link1"], along=[1, 0, 0])
    told = sketch_after(page, lambda told: told["is_tree"])
    assert sorted(told["bodies"]) == ["link0", "link1", "link2"]
    first = told["bodies"][0]
    assert told["flights"][0]["tracks"][0]["body"] == first and page.solved()["verdict"] == "met"
    tip = list(shown.world["link2"].end2.values["at"])
    hook = {"body": "link2", "flight": 0, "kind": "point", "when": "end", "at": tip}
    page.ask("ask-wish", **hook, value=[1.5, 0.1, 1.1])
    motion = page.solved()
    assert motion["verdict"] == "met" and not motion["faults"]
    texts = [shown.world.display["sketch"].text]
    page.ask("pose-wish", number=50, body="link2", flight=0, when="end", place=[1.52, 0.1, 1.12])
    assert page.solved()["verdict"] == "met"
    texts.append(shown.world.display["sketch"].text)
    assert texts[0] != texts[1]
    copy = td.World.from_json(shown.world.to_json())
    assert copy.display["sketch"] == shown.world.display["sketch"]
    page.ask("undo")
    assert shown.world.display["sketch"].text == texts[0]
    page.until(lambda: page.sketch["flights"][0]["wishes"][0]["value"] == [1.5, 0.1, 1.1])
    assert page.solved()["verdict"] == "met"
    page.ask("play-motion")
    page.ask("play", is_playing=False)
    session, world = shown._session, shown.world
    session.call(lambda: session.step(motion["grid"][-1] - world.time))
    # the studio plays it in steps of its own method
    assert np.array(world["link2"].end2.value) == pytest.approx([1.5, 0.1, 1.1], abs=2e-3)
    page.ask("undo")
    assert np.array(world["link0"].position) == pytest.approx((0, 0, 1.0))


@pytest.mark.long
@pytest.mark.parametrize("kind", [td.pin, td.ball])
def test_a_clamped_chain_swings_where_it_is_shown_whichever_way_its_joints_were_made(meet, kind):
    shown, page = meet(chain(2, is_clamped=True, kind=kind))
    page.ask("sketch", bodies=["link0"], along=[0, 1, 0])
    told = sketch_after(page, lambda told: told["is_tree"])
    assert told["bodies"][0] == "link1"  # the root
    motion = page.solved()
    assert motion["verdict"] == "met"
    assert point_at(motion, "link1", 0) == pytest.approx(shown.world["link1"].position, abs=1e-6)


def test_what_is_no_tree_is_refused_in_words(meet):
    world = chain(3)
    world.add(td.weld(world["link0"], world["link2"], name="brace"))
    _shown, page = meet(world)
    assert "brace" in page.refused("sketch", bodies=["link1"])
    page.ask("delete", names=["brace"])
    page.ask("sketch", bodies=["link1"])
    for command, word in (
        ({"do": "edit-flight", "what": "bounce", "flight": 0}, "one flight"),
        ({"do": "edit-sketch", "style": {"calmer": 1}}, "joints"),
        ({"do": "ask-wish", "body": "link0", "flight": 0, "kind": "inside", "when": "end"}, "joints"),
        ({"do": "drop-sample", "body": "link2", "flight": 0, "sample": 0}, "shown"),
        ({"do": "act-sketch", "body": "die", "places": [[0, 0, k] for k in range(9)]}, "die"),
    ):
        assert word in page.refused(**command)


def test_places_of_a_tree_are_three_numbers(meet):
    _shown, page = meet(chain(2))
    page.ask("sketch", bodies=["link0"])
    for place in ([0, 0], [0, 0, 1, 0], []):
        for is_new in (False, True):
            sample = {"body": "link0", "flight": 0, "sample": 0, "is_new": is_new}
            assert "place of link0" in page.refused("pose-sample", **sample, number=1, place=place)
