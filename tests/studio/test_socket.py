"""Pages on real sockets: state, replies, hands, several pages, and what a page may do wrong."""

from __future__ import annotations

import csv
import json
import random
import socket
import time

import numpy as np
import pytest
from websockets.exceptions import ConnectionClosed

import tinkerdyne as td
from tests.patience import HANG, patience
from tests.studio.page import PATIENCE, Page
from tinkerdyne.files import VERSION
from tinkerdyne.studio.session import start
from tinkerdyne.studio.wire import protocol, server
from tinkerdyne.world.edit import Change, Configure, Move, Plan, Rename, plain


@pytest.fixture
def shown(show):
    return show(start.build(), title="pendulum")


@pytest.fixture
def page(shown):
    found = Page(shown._server)
    yield found
    found.close()


def edit(page: Page, what) -> None:
    page.ask("apply", edit=plain(what))


# --- state ---------------------------------------------------------------------------------------
def test_a_page_gets_everything_and_then_frames_of_the_running_world(page, shown):
    assert page.latest["Hello"]["version"] == protocol.VERSION
    assert {"rod", "pin", "connect"} <= {one["name"] for one in page.latest["Hello"]["types"]}
    assert "four_bar" in page.latest["Hello"]["examples"]
    assert {"pendulum", "second", "hinge", "hook", "gravity"} <= set(page.names)
    assert page.item("pendulum")["shape"]["kind"] == "mesh"
    assert page.item("pendulum.end1")["part_of"] == "pendulum"
    before, count = page.time, page.frames
    page.until(lambda: page.frames > count + 10 and page.time > before + 0.2)
    assert page.latest["Status"]["is_playing"]


def test_a_frame_shows_the_state_of_the_world(page, shown):
    page.ask("play", is_playing=False)
    page.until(lambda: page.time == shown.world.time)
    rod = shown.world["pendulum"]
    assert np.allclose(page.track("pendulum", "pose"), [*rod.position, *rod.orientation], atol=1e-6)
    assert np.allclose(page.track("pendulum.end2"), rod.end2.value, atol=1e-6)
    force = shown.world.reactions(shown.world["hinge"])["pendulum"][:3]
    assert np.allclose(page.track("hinge", "force", "pendulum")[3:6], force, rtol=1e-4)


def test_a_paused_world_stands_and_one_step_is_a_sixtieth_of_a_second(page, shown):
    page.ask("play", is_playing=False)
    page.until(lambda: page.time == shown.world.time)
    before = page.time
    page.read(0.2)
    assert page.time == before == shown.world.time
    page.ask("play", steps=3)
    page.until(lambda: page.time == pytest.approx(before + 3 / 60))
    page.read(0.1)
    assert page.time == shown.world.time == pytest.approx(before + 3 / 60)


def test_slow_motion_is_slow(page):
    page.ask("play", speed=0.1)
    begin, before = time.monotonic(), page.time
    page.read(1.0)
    assert page.time - before < 0.5 * (time.monotonic() - begin)
    page.until(lambda: page.latest["Status"]["speed"] == 0.1)


def test_edits_of_every_kind_arrive_and_can_be_taken_back(page, shown):
    world = shown.world
    edit(page, Change("pendulum", "mass", 3.0))
    page.until(lambda: page.latest.get("Values", {}).get("items", {}).get("pendulum", {}).get("mass") == 3.0)
    assert world["pendulum"].mass == 3.0
    edit(page, Rename("second", "other"))
    assert "other" in page.names and "other.end1" in page.names
    edit(page, Plan((td.Event(9.0, Change("hinge", "is_on", False)),)))
    assert [e["title"] for e in page.latest["Model"]["timeline"]] == ["switch hinge off"]
    assert all(page.ask("undo")["is_done"] for _ in range(3)) and not page.ask("undo")["is_done"]
    assert "second" in page.names and world["pendulum"].mass == 1.0
    assert page.ask("redo")["is_done"] and world["pendulum"].mass == 3.0


def test_insert_snap_cut_and_undo_restore_model_and_state(page, shown):
    page.ask("play", is_playing=False)
    names = page.ask("insert", of="connect", inputs=["pendulum.end2", "second.end1"], name="snap")
    assert names == ["snap"] and page.item("snap")["inputs"] == ["pendulum.end2", "second.end1"]
    page.ask("play", steps=30)
    state = shown.world["second"].position
    assert page.ask("delete", names=["snap"]) == ["snap"] and "snap" not in page.names
    page.ask("play", steps=5)
    assert page.ask("undo")["is_done"] and "snap" in page.names
    assert shown.world["second"].position == state


def test_a_preview_tells_the_freedoms_and_leaves_no_trace(page, shown):
    page.ask("play", is_playing=False)
    before = shown.world.to_json()
    found = page.ask("preview", of="connect", inputs=["pendulum.end2", "second.end1"])
    assert found["before"] - found["freedoms"] == 3 and "3" in found["says"]
    assert shown.world.to_json() == before and not page.latest["Model"]["can_undo"]
    assert "end9" in page.refused("preview", of="connect", inputs=["pendulum.end9", "second.end1"])


def test_copies_are_connected_among_themselves(page, shown):
    text = page.ask("copy", names=["pendulum", "hinge"])["text"]
    names = page.ask("paste", text=text, by=[0, 1, 0])
    assert {"pendulum 2", "pendulum 2.end1", "hinge 2", "hook 2"} <= set(names) <= set(page.names)
    assert page.item("hinge 2")["inputs"] == ["pendulum 2.end1", "hook 2"]
    assert page.item("hook 2")["values"]["at"][1] == 1.0
    assert shown.world["hinge 2"].gap < 1e-6
    assert page.ask("undo")["is_done"] and "pendulum 2" not in page.names
    assert "copy some first" in page.refused("paste", text="hello")


def newest(page, name: str) -> float | None:
    """A quantity at the last moment that is recorded."""
    return page.ask("recall", names=[name])["values"][0][-1]


def test_quantities_are_recalled_and_what_is_gone_has_none(page, shown):
    page.ask("play", is_playing=False)
    assert newest(page, "energy") == pytest.approx(shown.world.energy, rel=1e-5)
    page.ask("delete", names=["pendulum"])
    page.until(lambda: newest(page, "pendulum.position[2]") is None)
    assert "at most" in page.refused("recall", names=["energy"] * 201)


def test_the_past_is_shown_and_the_world_goes_on_from_there(page, shown):
    page.until(lambda: page.time > 0.6)
    page.ask("play", is_playing=False)
    now, state = shown.world.time, shown.world["pendulum"].position
    page.ask("scrub", time=0.3)
    page.until(lambda: page.latest["Status"]["is_past"] and page.time < 0.31)
    assert shown.world.time == now  # only the picture went back
    page.ask("scrub")
    page.until(lambda: page.time == now)
    page.ask("scrub", time=0.3, is_final=True)
    page.until(lambda: not page.latest["Status"]["is_past"])
    assert shown.world.time == pytest.approx(0.3, abs=0.02)
    assert (
        page.ask("undo")["is_done"] and shown.world.time == now and shown.world["pendulum"].position == state
    )


def test_a_scene_of_the_past_before_an_edit_has_its_own_layout(page):
    page.until(lambda: page.time > 0.3)
    page.ask("insert", of="sphere", values={"position": [3, 0, 3]}, name="ball")
    page.until(lambda: page.time > 0.6)
    page.ask("scrub", time=0.2)
    page.until(lambda: page.time < 0.25)
    with pytest.raises(KeyError):
        page.track("ball")
    page.ask("scrub")
    assert len(page.track("ball")) == 7


def test_an_edit_of_a_large_world_sends_only_what_it_changed(show):
    world = td.World()
    for k in range(50):
        world.add(td.Rod(f"rod {k}", position=(k, 0, 0)))
    shown = show(world, is_playing=False)
    page, other = Page(shown._server), Page(shown._server)
    whole = len(json.dumps(page.latest["Model"]))
    edit(page, Rename("rod 7", "seven"))
    page.ask("insert", of="connect", inputs=["seven.end2", "rod 8.end1"], name="hinge")
    assert len(json.dumps(page.changes)) < whole / 10
    page.ask("delete", names=["rod 3"])
    page.ask("undo")
    late = Page(shown._server)
    for one in (page, other):
        one.until(lambda one=one: one.names == late.names)
        assert [(i["name"], i["inputs"], i["shape"]) for i in one.latest["Model"]["items"]] == [
            (i["name"], i["inputs"], i["shape"]) for i in late.latest["Model"]["items"]
        ]
    for one in (page, other, late):
        one.close()


def test_the_recorded_past_follows_a_new_name(page, shown):
    page.until(lambda: page.time > 0.3)
    edit(page, Rename("pendulum", "arm"))
    key = page.item("arm")["key"]
    page.until(lambda: page.time > 0.5)
    page.ask("scrub", time=0.2)
    page.until(lambda: page.time < 0.25)
    told = page.ask("recall", names=["arm.position[2]", "arm.end2.value[0]"])
    then = told["values"][0][told["times"].index(page.time)]
    assert then == pytest.approx(page.track("arm", "pose")[2])
    assert None not in told["values"][1] and len(page.track("hinge", "force", "arm")) == 9
    with pytest.raises(KeyError):
        page.track("pendulum")
    page.ask("scrub")
    page.ask("undo")
    page.until(lambda: "pendulum" in page.names)
    assert page.item("pendulum")["key"] == key
    page.ask("scrub", time=0.2)
    page.until(lambda: page.time < 0.25)
    assert len(page.track("pendulum", "pose")) == 7


# --- hands ---------------------------------------------------------------------------------------
def test_a_hand_pulls_shows_its_force_and_lets_go(page, shown):
    handle = page.ask("grab", item="second", at=[0.35, 0, 0])
    assert not [name for name in page.names if "tug" in name]  # a hand is no item
    for k in range(60):
        force = page.ask("drag", handle=handle, to=[1.0, 0.0, 1.0 + 0.01 * k])
    assert len(force) == 3 and np.linalg.norm(force) > 1.0
    pull = lambda: page.ask("drag", handle=handle, to=[1.0, 0.0, 1.6])  # noqa: E731
    # when it rests there
    page.until(lambda: np.allclose(page.track(f"grip:{handle}", "force", "second")[3:6], pull(), atol=0.5))
    assert shown.world["second"].position[2] > 0.5
    page.ask("release", handle=handle)
    assert not any(item.type.name == "tug" for item in shown.world.items)
    assert "released" in page.refused("drag", handle=handle, to=[0, 0, 0])
    assert page.ask("undo")["is_done"]  # the whole drag is one step
    assert shown.world["second"].position[2] < 0.1 and not page.ask("undo")["is_done"]


def test_a_hard_hand_holds_its_point_in_place(page, shown):
    handle = page.ask("grab", item="second", at=[0, 0, 0], is_hard=True)
    for _ in range(80):
        page.ask("drag", handle=handle, to=[1.2, 0.3, 1.0])
    page.ask("play", is_playing=False)  # between two steps
    assert np.allclose(shown.world["second"].position, [1.2, 0.3, 1.0], atol=1e-3)
    page.ask("release", handle=handle)


def test_a_hand_with_orientation_turns_a_body(page, shown):
    handle = page.ask("grab", item="second", with_orientation=True)
    for _ in range(80):
        page.ask("drag", handle=handle, to=[1.2, 0.0, 1.0], orientation=[0.6, 0, 0, 0.8])
    page.ask("play", is_playing=False)
    assert np.allclose(np.abs(shown.world["second"].orientation), [0.6, 0, 0, 0.8], atol=1e-3)


def test_of_many_drags_at_once_only_the_newest_counts_and_all_are_answered(page, shown):
    handle = page.ask("grab", item="second", at=[0, 0, 0])
    numbers = [page.send("drag", handle=handle, to=[1.0, 0.0, 1.0 + 0.001 * k]) for k in range(300)]
    for number in numbers:
        assert not page.reply(number)["error"]
    tug = next(item for item in shown.world.items if item.type.name == "tug")
    assert tug.to[2] == pytest.approx(1.299)


def test_two_pages_may_hold_one_body_and_both_pull(page, shown):
    other = Page(shown._server)
    first = page.ask("grab", item="second", at=[0, 0, 0])
    second = other.ask("grab", item="second", at=[0, 0, 0])
    for _ in range(60):
        page.ask("drag", handle=first, to=[1.0, -0.5, 1.0])
        other.ask("drag", handle=second, to=[1.0, 0.5, 1.0])
    assert shown.world["second"].position[1] == pytest.approx(0.0, abs=0.05)  # in the middle
    assert "grip" in page.refused("drag", handle=second, to=[0, 0, 0])  # a hand belongs to its page
    other.close()


def test_a_page_that_vanishes_lets_go(page, shown):
    other = Page(shown._server)
    other.ask("grab", item="second", at=[0, 0, 0])
    assert any(item.type.name == "tug" for item in shown.world.items)
    other.socket.socket.close()  # no farewell
    page.until(lambda: not any(item.type.name == "tug" for item in shown.world.items))


def test_a_hand_on_what_is_deleted_ends(page, shown):
    handle = page.ask("grab", item="second", at=[0, 0, 0])
    page.ask("delete", names=["second"])
    assert "'second' is no longer held: it was removed" in page.refused("drag", handle=handle, to=[0, 0, 1])
    assert "deleted" in page.refused("grab", item="second")
    page.ask("undo")
    assert "second" in page.names
    assert not any(item.type.name == "tug" for item in shown.world.items)  # the hand does not come back


def test_a_hand_on_what_python_removed_does_not_come_back(page, shown):
    page.ask("grab", item="second", at=[0, 0, 0])
    shown.world.remove("second")
    page.until(lambda: not shown._session.hands.grips)
    shown.world.undo()
    page.until(
        lambda: "second" in page.names and not any(item.type.name == "tug" for item in shown.world.items)
    )


def test_what_cannot_be_grabbed_is_refused(page):
    edit(page, Change("second", "is_fixed", True))
    assert "fixed" in page.refused("grab", item="second")
    assert "cannot be grabbed" in page.refused("grab", item="gravity")


# --- several pages -------------------------------------------------------------------------------
def test_pages_see_each_others_edits(page, shown):
    other = Page(shown._server)
    page.ask("insert", of="sphere", name="ball", values={"position": [0, 3, 3]})
    other.until(lambda: "ball" in other.names)
    edit(other, Change("ball", "radius", 0.25))
    page.until(lambda: page.item("ball")["values"]["radius"] == 0.25)
    other.close()


def test_a_page_that_comes_back_gets_the_whole_state(page, shown):
    page.ask("insert", of="sphere", name="ball", values={"position": [0, 3, 3]})
    page.close()
    again = Page(shown._server)
    assert "ball" in again.names and len(again.track("ball")) == 7
    again.close()


def test_a_page_that_comes_late_sees_the_values_of_now(page, shown):
    edit(page, Change("pendulum", "mass", 5.0))
    late = Page(shown._server)
    assert late.item("pendulum")["values"]["mass"] == 5.0 and late.latest["Model"]["can_undo"]
    page.ask("insert", of="sphere", name="ball", values={"position": [0, 3, 3]})
    late.until(lambda: "ball" in late.names)  # what changes afterwards is told to it as to the others
    assert late.item("pendulum")["values"]["mass"] == 5.0
    late.close()


def test_settings_reach_all_pages(page, shown):
    other = Page(shown._server)
    edit(page, Configure("max_step", 0.002))
    for one in (page, other):
        one.until(lambda one=one: one.latest["Model"]["settings"]["max_step"] == 0.002)
    other.close()


def test_a_page_that_does_not_read_costs_nobody_anything(page, shown, monkeypatch):
    closed_after = patience(4.0)
    monkeypatch.setattr(server, "STALLED", closed_after)
    narrow = socket.socket()
    narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    narrow.connect(("127.0.0.1", shown._server.port))
    stalled = Page(shown._server, max_queue=1, sock=narrow)
    for _ in range(120):  # larger frames fill the socket sooner
        page.send("insert", of="rod", values={"position": [5, 5, 5]})
    page.until(lambda: len(page.replies) >= 120)
    arrivals = [time.monotonic()]
    while len(shown._session.clients) == 2:  # after a time it is closed
        assert time.monotonic() < arrivals[0] + HANG
        count = page.frames
        page.take(0.05)
        if page.frames > count:
            arrivals.append(time.monotonic())
    assert (
        max(np.diff([*arrivals, time.monotonic()])) < 0.875 * closed_after
    )  # meanwhile nobody waited for it
    stalled.close()


# --- Python on the same world --------------------------------------------------------------------
def test_edits_made_in_python_appear_in_the_page(page, shown):
    world = shown.world
    ball = world.add(td.Sphere("ball", position=(0, 2, 2)))
    page.until(lambda: "ball" in page.names)
    ball.radius = 0.1
    page.until(lambda: page.item("ball")["values"]["radius"] == 0.1)
    world["hinge"].tau = 0.3
    page.until(lambda: page.latest.get("Values", {}).get("items", {}).get("hinge", {}).get("tau") == 0.3)
    world.remove("ball")
    page.until(lambda: "ball" not in page.names)


def test_python_and_pages_may_edit_at_the_same_time(page, shown):
    for k in range(20):
        number = page.send("insert", of="sphere", name=f"page {k}", values={"position": [k, 5, 5]})
        shown.world.add(td.Sphere(f"python {k}", position=(k, 7, 7)))
        assert not page.reply(number)["error"]
    page.until(lambda: sum(name.startswith(("page ", "python ")) for name in page.names) == 40)


# --- what a page may do wrong --------------------------------------------------------------------
def test_a_number_that_comes_again_is_answered_as_before_and_not_done_again(page, shown):
    request = json.dumps(
        {"seq": 77, "command": {"do": "insert", "of": "sphere", "values": {"position": [9, 9, 9]}}}
    )
    page.socket.send(request)
    first = page.reply(77)
    page.replies.clear()
    page.socket.send(request)
    assert page.reply(77) == first
    assert sum(item.type.name == "sphere" for item in shown.world.items) == 1


def test_numbers_may_come_in_any_order(page):
    for seq in (50, 7, 900, 8):
        page.socket.send(json.dumps({"seq": seq, "command": {"do": "ask", "what": "recovery"}}))
    for seq in (50, 7, 900, 8):
        assert page.reply(seq)["error"] == ""


@pytest.mark.parametrize(
    ("text", "seq", "says"),
    [
        ("no json", 0, "not a request"),
        ("[1, 2]", 0, "not a request"),
        ('"text"', 0, "not a request"),
        ("{}", 0, "seq"),
        ('{"seq": 5}', 5, "command"),
        ('{"seq": 5, "command": {"do": "fly"}}', 5, "fly"),
        ('{"seq": 5, "command": {"do": "grab"}}', 5, "item"),
        ('{"seq": 5, "command": {"do": "drag", "handle": "x", "to": []}}', 5, "int"),
        ('{"seq": 5, "command": {"do": "undo", "more": 1}}', 5, "more"),
        ('{"seq": 5, "command": {"do": "apply", "edit": {"edit": "Explode"}}}', 5, "Explode"),
        (
            '{"seq": 5, "command": {"do": "apply", "edit": {"edit": "Rename", "name": 3, "to": "x"}}}',
            5,
            "text",
        ),
        ('{"seq": 5, "command": {"do": "play", "speed": -1}}', 5, "positive"),
        ('{"seq": 5, "command": {"do": "open", "example": "../../etc/passwd"}}', 5, "no scene"),
        ('{"seq": 5, "command": {"do": "open", "example": "scenes/four_bar.py"}}', 5, "no scene"),
        ('{"seq": 5, "command": {"do": "open", "text": "{}"}}', 5, "not a Tinkerdyne scene"),
        ('{"seq": 1e400, "command": {"do": "undo"}}', 0, "not a request"),
        ("[" * 5000, 0, "not a request"),
    ],
)
def test_what_is_no_request_is_answered_in_words(page, text, seq, says):
    page.socket.send(text)
    assert says in page.reply(seq)["error"]
    assert page.ask("ask", what="files") == []  # and the page goes on


def test_too_large_a_message_closes_with_1009(shown):
    page = Page(shown._server)
    page.socket.send("x" * (protocol.LARGEST_MESSAGE + 1))
    with pytest.raises(ConnectionClosed) as closed:
        page.read(HANG)
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 1009


def test_binary_where_text_is_due_closes_with_1003(shown):
    page = Page(shown._server)
    page.socket.send(b"\x00\x01")
    with pytest.raises(ConnectionClosed) as closed:
        page.read(HANG)
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 1003


def test_ten_thousand_messages_of_nonsense_leave_the_server_alive(page, shown):
    """Random bytes, random JSON, and true commands with random fields; seeded, and sent as fast as they are
    taken."""
    rng = random.Random(4)
    makers = (_noise, _document, _command)
    for k in range(10_000):
        page.socket.send(json.dumps(rng.choice(makers[1:])(rng, k)) if rng.random() < 0.8 else _noise(rng, k))
        while k % 100 == 0 and page.take(0):
            pass
    page.seq = 10_000_000
    number = page.send("ask", what="recovery")
    page.until(lambda: number in page.replies, 3 * PATIENCE)
    assert page.replies[number]["error"] == ""
    assert shown._session._thread.is_alive()
    again = Page(shown._server)
    again.ask("new")
    again.ask("insert", of="rod", name="after all", values={"position": [0, 0, 1]})
    again.ask("play", is_playing=True)
    before = again.time
    again.until(lambda: again.time > before)
    again.close()


def _noise(rng: random.Random, _k: int) -> str:
    return "".join(
        chr(rng.choice((rng.randrange(32, 127), rng.randrange(1, 0xD7FF)))) for _ in range(rng.randrange(40))
    )


def _value(rng: random.Random, depth: int = 0):
    simple = [
        None,
        True,
        -1,
        0,
        3,
        1e308,
        -1e-300,
        "",
        "pendulum",
        "hinge",
        "é\u0000",
        "pendulum.end1",
        [1, 2, 3],
        [0, 0],
        {},
    ]
    if depth > 2 or rng.random() < 0.7:
        return rng.choice(simple)
    if rng.random() < 0.5:
        return [_value(rng, depth + 1) for _ in range(rng.randrange(4))]
    return {rng.choice(["name", "edit", "x", "at"]): _value(rng, depth + 1) for _ in range(rng.randrange(4))}


def _document(rng: random.Random, k: int):
    return {
        "seq": rng.choice([k, _value(rng)]),
        "command": _value(rng),
        **({"extra": 1} if rng.random() < 0.1 else {}),
    }


FIELDS = {
    "apply": ("edit",),
    "insert": ("of", "inputs", "values", "name"),
    "undo": (),
    "redo": (),
    "play": ("is_playing", "steps", "speed"),
    "grab": ("item", "at", "is_hard", "with_orientation"),
    "drag": ("handle", "to"),
    "release": ("handle",),
    "preview": ("of", "inputs"),
    "delete": ("names",),
    "copy": ("names",),
    "paste": ("text",),
    "recall": ("names", "version"),
    "scrub": ("time", "is_final"),
    "save": ("path",),
    "open": ("path", "text"),
    "ask": ("what",),
}
TRUE = {
    "of": ("rod", "connect", "pin", "nail", "spring", "place", "gravity", "sphere"),
    "item": ("pendulum", "second", "hook", "gravity"),
    "inputs": (["pendulum.end1", "second.end2"], ["pendulum"], ["second@0,0,1"], []),
    "values": ({}, {"mass": 2.0}, {"at": [0, 0, 0]}),
    "names": (["second"], ["energy", "x.y[3]"], ["hinge"]),
    "handle": (1, 2, 3),
    "to": ([0, 0, 1], [1, 2]),
    "what": ("python", "scene"),
    "is_playing": (True, False),
    "speed": (0.5, 1.0, 1e9),
    "steps": (1, 2),
    "time": (0.1, 1.0),
    "at": ([0, 0, 0], [1]),
    "edit": (
        {"edit": "Change", "name": "pendulum", "parameter": "mass", "value": 2.0, "key": 0},
        {"edit": "Change", "name": "pendulum", "parameter": "length", "value": [1], "key": "x"},
        {"edit": "Move", "name": "second", "state": [["position", [1, 0, 1]]], "key": 0},
        {"edit": "Move", "name": "second", "state": 3, "key": 0},
        {"edit": "Remove", "names": ["second"]},
        {"edit": "Remove", "names": "hinge"},
        {"edit": "Several", "edits": [{"edit": "Rename", "name": "hook", "to": "hook"}]},
        {
            "edit": "Plan",
            "entries": [{"edit": "Event", "time": 1e9, "what": {"edit": "Remove", "names": ["second"]}}],
        },
        {"edit": "Plan", "entries": [3]},
        {
            "edit": "Add",
            "items": [{"type": "rod", "name": "r", "inputs": [], "values": [], "state": [], "key": 1e9}],
        },
        {"edit": "Configure", "setting": "tolerance", "value": "x"},
    ),
}


def _command(rng: random.Random, k: int):
    do = rng.choice(list(FIELDS))
    fields = {
        f: rng.choice(TRUE[f]) if f in TRUE and rng.random() < 0.8 else _value(rng)
        for f in FIELDS[do]
        if rng.random() < 0.9
    }
    return {"seq": k + 1, "command": {"do": do, **fields}}


def test_a_flood_is_throttled_and_others_are_served(page, shown):
    other = Page(shown._server)
    begin = time.monotonic()
    for _ in range(3000):
        page.send("ask", what="recovery")
    assert other.ask("ask", what="files") == []
    page.until(lambda: len(page.replies) == 3000)
    taken = time.monotonic() - begin
    assert taken > (3000 - server.BURST) / server.RATE * 0.9  # no faster than allowed
    other.close()


def test_loading_and_editing_are_one_after_the_other(page, shown):
    opened = page.send("open", example="dumbbell")
    added = page.send("insert", of="sphere", name="afterwards", values={"position": [9, 9, 9]})
    assert not page.reply(opened)["error"] and not page.reply(added)["error"]
    page.until(lambda: "afterwards" in page.names)
    assert page.answers.index(opened) < page.answers.index(added) and "pendulum" not in page.names


def test_an_edit_that_is_refused_changes_nothing(page, shown):
    page.ask("play", is_playing=False)
    before = shown.world.to_json()
    wrong = {
        "edit": "Several",
        "edits": [plain(Change("pendulum", "mass", 2.0)), plain(Change("pendulum", "mass", -1.0))],
    }
    assert "positive" in page.refused("apply", edit=wrong)
    assert "no 'nobody'" in page.refused("delete", names=["pendulum", "nobody"])
    assert "must have 3 numbers" in page.refused(
        "apply", edit=plain(Move("pendulum", (("position", (1, 2)),)))
    )
    assert shown.world.to_json() == before


def test_an_edit_that_cannot_run_is_taken_back_and_answered(page, shown):
    ball = page.ask("copy", names=["second"])["text"]
    page.ask("open", example="four_bar")  # its gravity lies in the plane
    page.until(lambda: "pendulum" not in page.names)
    names = {item.name for item in shown.world.items}
    said = page.refused("paste", text=ball)
    assert "gravity" in said and "second" in said and "cannot act" in said
    assert {item.name for item in shown.world.items} == names and not shown.world.history.can_undo
    page.ask("play", is_playing=True)
    page.until(lambda: page.time > 0.1)


def test_a_refused_edit_leaves_the_past_as_it_is(page, shown):
    page.until(lambda: page.time > 0.6)
    page.ask("play", is_playing=False)
    page.until(lambda: page.time == shown.world.time)  # the last frame is recorded
    now, frames = shown.world.time, len(shown._session.view.past.moments)
    page.ask("scrub", time=0.2)
    assert "positive" in page.refused("apply", edit=plain(Change("pendulum", "mass", -1.0)))
    page.until(lambda: page.latest["Status"]["is_past"])
    assert (
        shown.world.time == now
        and len(shown._session.view.past.moments) == frames
        and not shown.world.history.can_undo
    )
    edit(page, Change("pendulum", "mass", 2.0))
    assert shown.world.time == pytest.approx(0.2, abs=0.02)
    page.ask("undo")
    assert shown.world["pendulum"].mass == 1.0


def test_undo_while_the_past_is_shown_is_of_the_last_edit(page, shown):
    edit(page, Change("pendulum", "mass", 2.0))
    page.until(lambda: page.time > 0.6)
    page.ask("scrub", time=0.4)
    assert (
        page.ask("undo")["is_done"]
        and shown.world["pendulum"].mass == 1.0
        and not shown.world.history.can_undo
    )


def test_a_world_that_gives_way_unsaved_is_kept(page, shown):
    page.ask("insert", of="sphere", name="ball", values={"position": [0, 3, 3]})
    page.ask("new", dimension=3)
    page.until(lambda: "ball" not in page.names)
    assert page.ask("ask", what="recovery")["is_mine"]
    page.ask("insert", of="box", name="crate", values={"position": [0, 0, 3]})
    page.ask("open", recover=True)
    page.until(lambda: "ball" in page.names)
    page.ask("open", recover=True)  # and the other one, which gave way to it
    page.until(lambda: "crate" in page.names)


def test_python_of_the_world_is_told_and_the_table_of_the_past(page, shown):
    page.until(lambda: page.time > 0.2)
    text = page.ask("ask", what="python")["text"]
    assert "td.Rod('pendulum'" in text and len(text.splitlines()) <= 16
    table = list(csv.DictReader(page.ask("ask", what="csv", plots=["energy"])["text"].splitlines()))
    assert next(iter(table[0])) == "time" and len(table) > 4
    assert float(table[0]["energy"]) == pytest.approx(float(table[-1]["energy"]), abs=1e-3)
    assert json.loads(page.ask("ask", what="scene")["text"])["tinkerdyne"] == VERSION
    assert {one["name"] for one in page.ask("ask", what="thumbnails")} == set(
        page.latest["Hello"]["examples"]
    )
