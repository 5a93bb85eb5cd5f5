"""Building as a person does it: plans on the timeline, axes of joints, turning by hand, arrows of forces, the
clipboard."""

from __future__ import annotations

import numpy as np
import pytest

from tests.studio.page import Page
from tests.studio.person import Person, until
from tests.studio.test_browser import hanging, names
from tinkerdyne import (
    Box,
    Disc,
    Item,
    Particle,
    Rod,
    World,
    damping,
    distance,
    gravity,
    join,
    nail,
    path,
    pin,
    spring,
    weld,
)
from tinkerdyne.studio.session import start
from tinkerdyne.studio.show.frames import HEADER, FramePlan
from tinkerdyne.world.edit import Change, Event, Ramp


def still(show, world: World, title: str = "building"):
    """Show a world that is paused."""
    world.history.clear()
    return show(world, title=title, is_playing=False)


# --- the timeline --------------------------------------------------------------------------------
def planned(show):
    """A rod on a nail and a spring, a switch at 3 s, a ramp from 1 to 2 s, a path of three keys."""
    world = World()
    rod = world.add(Rod("rod", position=(0, 0, 1.5), orientation=(np.sqrt(0.5), 0, np.sqrt(0.5), 0)))
    wall = world.add(Box("wall", position=(1, 0, 1), is_fixed=True))
    world.add(
        nail(rod.end1, at=(0, 0, 2), name="hook"), spring(rod.end2, wall.centre, length=1.0, name="coil")
    )
    world.add(gravity(name="gravity"))
    world.add(path(keys=((1.0, 0, 0, 1), (2.0, 1, 0, 1), (4.0, 1, 0, 2)), name="route"))
    world.at(3.0, Change("hook", "is_on", False))
    world.ramp(world["coil"], "length", to=2.0, start=1.0, end=2.0)
    return still(show, world)


def drag(me: Person, label: str, seconds: float) -> None:
    """Drag a mark of the timeline in time."""
    mark = me.page.get_by_role("button", name=label)
    x, y, scale = at_rest(me, mark)
    me.page.mouse.move(x, y)
    me.page.mouse.down()
    me.page.mouse.move(x + seconds * scale, y, steps=8)
    me.page.mouse.up()


MIDDLE = """e => {
  const middle = (e) => {
    const b = e.getBoundingClientRect();
    return [b.x + b.width / 2, b.y + b.height / 2];
  };
  const ticks = [...document.querySelectorAll(".ruler-line .tick")], [a, b] = [ticks[0], ticks.at(-1)];
  return [...middle(e), (middle(b)[0] - middle(a)[0]) / (Number(b.textContent) - Number(a.textContent))];
}"""


def at_rest(me: Person, what) -> tuple[float, float, float]:
    """The middle of something that has come to rest in the page, and the pixels of a second of the
    timeline."""

    def found() -> tuple[float, float, float] | None:
        before = what.evaluate(MIDDLE)
        me.pictured()
        return before if before == what.evaluate(MIDDLE) else None

    return until(found, "it comes to rest")


def events(shown) -> list[tuple[float, object]]:
    return [(e.time, e.what) for e in shown.world.timeline if isinstance(e, Event)]


def ramps(shown) -> list[tuple[float, float]]:
    return [(e.start, e.end) for e in shown.world.timeline if isinstance(e, Ramp)]


def test_events_ramps_and_keys_are_dragged_in_time(show, meet):
    shown = planned(show)
    me = meet(shown.url)
    me.sees(".lanes", "coil.length")
    drag(me, "switch hook off at", 1.0)
    until(lambda: abs(events(shown)[0][0] - 4.0) < 0.03, "the event is a second later")
    assert events(shown)[0][1] == Change("hook", "is_on", False)
    drag(me, "start of coil.length", -0.5)
    until(lambda: np.allclose(ramps(shown), [(0.5, 2.0)], atol=0.03), "one end of the ramp moved")
    drag(me, "end of coil.length", 0.5)
    until(lambda: np.allclose(ramps(shown), [(0.5, 2.5)], atol=0.03), "and the other one")
    drag(me, "ramp coil.length", 0.5)
    until(lambda: np.allclose(ramps(shown), [(1.0, 3.0)], atol=0.03), "the ramp as a whole")
    drag(me, "key 2 of route", 0.5)
    until(
        lambda: np.allclose([k[0] for k in shown.world["route"].keys], [1, 2.5, 4], atol=0.03),
        "a key of the path",
    )
    assert shown.world["route"].keys[1][1:] == (1, 0, 1)
    drag(me, "key 1 of route", 9.0)  # no further than the next one
    until(
        lambda: 2.3 < shown.world["route"].keys[0][0] < shown.world["route"].keys[1][0],
        "keys do not pass each other",
    )
    drag(me, "path route", 1.0)
    until(lambda: abs(shown.world["route"].keys[2][0] - 5.0) < 0.03, "the path as a whole")
    for _ in range(7):
        me.press("Control+z")
    until(
        lambda: ramps(shown) == [(1.0, 2.0)] and events(shown)[0][0] == 3.0, "each drag is one step for undo"
    )
    until(lambda: shown.world["route"].keys[1][0] == 2.0, "of the keys too")


@pytest.mark.long
def test_plans_are_made_edited_and_deleted_by_keyboard(show, meet):
    shown = planned(show)
    me = meet(shown.url)
    form = me.page.locator(".event-form")
    me.page.locator(".row", has_text="coil").first.click()
    me.focus_view()
    me.press("e")
    until(form.count, "the form is there")
    assert form.get_by_label("what", exact=True).input_value() == "coil"  # what was selected
    form.get_by_label("do", exact=True).select_option("ramp")
    form.get_by_label("parameter", exact=True).select_option("stiffness")
    for field, value in (("to", "400"), ("start", "2"), ("end", "5")):
        form.get_by_label(field, exact=True).last.fill(value)
    me.press("Enter")
    until(lambda: not form.count(), "it is planned")
    made = [e for e in shown.world.timeline if isinstance(e, Ramp) and e.parameter == "stiffness"]
    assert made == [Ramp("coil", "stiffness", 2.0, 5.0, 100.0, 400.0)]

    mark = me.page.get_by_role("button", name="switch hook off at")
    mark.focus()
    me.press("ArrowRight", "ArrowRight", "ArrowRight", "Shift+ArrowRight")
    until(lambda: abs(events(shown)[0][0] - 4.3) < 1e-9, "arrows move it, each press counts")
    until(lambda: mark.evaluate("m => m === document.activeElement"), "it keeps the focus")
    me.press("Enter")
    until(form.count, "Enter opens it")
    form.get_by_label("do", exact=True).select_option("set")
    form.get_by_label("parameter", exact=True).select_option("tau")
    form.get_by_label("to", exact=True).last.fill("-1")
    me.press("Enter")
    me.sees(".event-form .error", "tau")  # what could not be carried out is refused now
    form.get_by_label("to", exact=True).last.fill("0.5")
    me.press("Enter")
    until(lambda: (4.3, Change("hook", "tau", 0.5)) in events(shown), "it was changed")
    me.page.get_by_role("button", name="hook.tau = 0.5 at").focus()
    me.press("Delete")
    until(lambda: not events(shown), "it is deleted")
    assert {"hook", "coil", "rod"} <= names(shown)

    me.page.get_by_role("button", name="key 2 of route").focus()
    me.press("Enter")
    until(form.count, "the form of a key")
    form.get_by_label("at", exact=True).last.fill("3")
    form.get_by_label("place z").fill("1.5")
    me.press("Enter")
    until(lambda: shown.world["route"].keys[1] == (3.0, 1.0, 0.0, 1.5), "time and place of a key")
    me.page.get_by_role("button", name="key 2 of route").focus()
    me.press("Delete")
    until(lambda: len(shown.world["route"].keys) == 2, "a key is deleted")


@pytest.mark.long
def test_parts_leave_and_come_at_their_times(show, meet):
    shown = planned(show)
    me = meet(shown.url)
    form = me.page.locator(".event-form")
    for what, item, at in (("remove", "coil", "0.1"), ("add", "wall", "0.3")):
        me.page.get_by_role("button", name="+ Event").click()
        form.get_by_label("do", exact=True).select_option(what)
        form.get_by_label("what", exact=True).select_option(item)
        form.get_by_label("at", exact=True).last.fill(at)
        form.get_by_role("button", name="Plan it").click()
        until(lambda: not form.count(), "it is planned")
    assert not {"wall", "coil"} & names(shown)  # taken out until then, with what is plugged into it
    me.focus_view()
    me.press("Space")
    until(lambda: "wall" in names(shown), "it comes at its time")
    assert shown.world.time >= 0.3
    me.press("Space")


def test_keys_of_a_path_are_dragged_in_the_picture(show, meet):
    shown = planned(show)
    me = meet(shown.url)
    me.press("Shift+Digit1")
    me.page.locator(".lane-title", has_text="route").click()
    handle = me.page.get_by_label("Time handle 2 on route")
    until(handle.count, "a selected path has its times beside its keys")
    x, y, _ = at_rest(me, handle)
    me.page.mouse.move(x, y)
    me.page.mouse.down()
    me.page.mouse.move(x + 50, y, steps=5)
    me.page.mouse.up()
    until(lambda: abs(shown.world["route"].keys[1][0] - 2.5) < 0.03, "to the right is later")
    x, y = me.seen("route")  # its first key
    me.page.mouse.move(x, y)
    me.page.mouse.down()
    me.page.mouse.move(x - 40, y - 30, steps=5)
    me.page.mouse.up()
    until(lambda: shown.world["route"].keys[0][1] < -0.05, "a key is put somewhere else")
    time, _, depth, height = shown.world["route"].keys[0]
    assert time == 1.0 and abs(depth) < 1e-6 and height > 1.05


# --- the axis of a joint -------------------------------------------------------------------------
def axis_of(item) -> np.ndarray:
    """z of a joint's first frame, in the world."""
    return np.array(item.inputs[0].value)[9:12]


def bench(show):
    """A fixed block, and a rod beside it."""
    world = World()
    world.add(
        Box("block", position=(0, 0, 1), size=(0.4, 0.4, 0.4), is_fixed=True), Rod("rod", position=(1, 0, 1))
    )
    world.add(gravity(name="gravity"))
    return still(show, world)


def snap(me: Person, mine: str, other: str) -> None:
    """Carry a part so that one place comes to another."""
    me.take(me.towards(mine, mine.split(".")[0], 0.08))
    me.bring(other, f"{mine} to {other}")


def test_a_joint_gets_the_axis_that_is_chosen(show, meet):
    shown = bench(show)
    begin = shown.world["rod"].position
    me = meet(shown.url)
    assert not me.page.get_by_label("axis of joints").count()  # a ball has none
    me.press("2")
    me.page.get_by_label("axis of joints").select_option("x")
    me.focus_view()
    snap(me, "rod.end1", "block.centre")
    me.sees(".readout", "pin (axis x)")
    me.press("a", "a")  # y, then z, while it is in the hand
    me.sees(".readout", "pin (axis z)")
    me.drop()
    until(lambda: "pin-1" in names(shown), "joined")
    assert np.allclose(axis_of(shown.world["pin-1"]), (0, 0, 1), atol=1e-6)

    me.sees(".inspector", "Axis")  # of what was just made
    me.page.locator(".inspector").get_by_role("button", name="y", exact=True).click()
    until(lambda: np.allclose(axis_of(shown.world["pin-1"]), (0, 1, 0), atol=1e-6), "the axis is turned")
    field = me.page.locator(".inspector").get_by_label
    until(
        lambda: (field("along y").input_value(), field("along z").input_value()) == ("1", "0"),
        "the page knows",
    )
    along = field("along z")
    along.fill("1")
    along.press("Enter")
    until(
        lambda: np.allclose(axis_of(shown.world["pin-1"]), (0, 0.5**0.5, 0.5**0.5), atol=1e-3), "by numbers"
    )
    assert shown.world.gap < 1e-6  # nothing was torn apart
    me.focus_view()
    me.press("Control+z", "Control+z")
    until(
        lambda: np.allclose(axis_of(shown.world["pin-1"]), (0, 0, 1), atol=1e-6), "each is one step for undo"
    )
    assert shown.world["rod"].position != begin
    me.press("Control+z")
    until(
        lambda: "pin-1" not in names(shown) and shown.world["rod"].position == begin,
        "the drag goes with its joint",
    )


@pytest.mark.long
def test_a_joint_of_the_menu_gets_the_axis_too(show, meet):
    shown = bench(show)
    me = meet(shown.url)
    me.press("4")  # prismatic: the choice of an axis is there
    me.page.get_by_label("axis of joints").select_option("typed")
    for k, x in enumerate(("0", "3", "4")):
        me.page.get_by_label(f"axis {'xyz'[k]}", exact=True).fill(x)
        me.press("Tab")
    me.focus_view()
    me.command("cylindrical joint")
    me.sees(".prompt", "pick the first body")
    me.click(me.seen("rod.end1"))
    me.sees(".prompt", "pick the second body")
    me.click(me.seen("block.centre"))
    joint = until(lambda: [i for i in shown.world.items if i.type.name == "cylindrical"], "a joint")[0]
    assert np.allclose(axis_of(joint), (0, 0.6, 0.8), atol=1e-6)


@pytest.mark.long
def test_directions_are_axes_of_bodies_and_of_the_world(show, meet):
    shown = bench(show)
    me = meet(shown.url)
    me.press("Shift+Digit1")
    me.command("insert: align")
    me.sees(".prompt", "a body's axis")
    me.click(me.still("rod"))
    me.sees(".prompt", "second direction")
    x, y = me.seen("rod")
    me.click((x, y - 120))  # beside all bodies: the world's, upwards
    joint = until(lambda: [i for i in shown.world.items if i.type.name == "align"], "made")[0]
    along = {i.type.name: i.along for i in joint.inputs}
    assert np.allclose(along["direction"], (1, 0, 0), atol=1e-6) and np.allclose(
        along["world_direction"], (0, 0, 1)
    )
    me.command("insert: screw joint")
    me.click(me.seen("rod.end1"))
    me.sees(".prompt", "pick the second body")
    me.click(me.seen("block.centre"))
    until(lambda: any(i.type.name == "screw" for i in shown.world.items), "a screw asks for its bodies only")


@pytest.mark.long
def test_coordinates_of_joints_are_picked_by_keyboard(show, meet):
    world = World()
    block = world.add(Box("block", size=(0.2, 0.2, 0.2), is_fixed=True))
    for k in range(2):
        rod = world.add(Rod(f"wheel {k}", position=(k, 0, 0)))
        world.add(join(pin, block, rod, at=(k, 0, 0), axis=(0, 1, 0), name=f"hinge {k}"))
    shown = still(show, world)
    me = meet(shown.url)

    def pick(name: str) -> None:
        me.page.locator(".parts .row", has_text=name).first.focus()
        me.press("Enter")

    me.command("insert: gear")
    me.sees(".prompt", "first joint or measure")
    pick("wheel 0")
    me.sees(".notices", "wheel 0 has no free coordinate")
    pick("hinge 0")
    me.sees(".prompt", "second joint or measure")
    pick("hinge 1")
    gear = until(lambda: [i for i in shown.world.items if i.type.name == "gear"], "made")[0]
    assert [i.type.name for i in gear.inputs] == ["turn_between"] * 2 and gear.inputs[0] is not gear.inputs[1]
    me.command("insert: at most")
    me.sees(".prompt", "pick the joint or measure")
    pick("hinge 1")
    stop = until(lambda: [i for i in shown.world.items if i.type.name == "at_most"], "a stop of a door")[0]
    assert stop.inputs[0] is gear.inputs[1]  # known by its name already


@pytest.mark.long
@pytest.mark.parametrize("dimension", [2, 3])
def test_new_parts_do_not_lie_on_each_other(show, meet, dimension):
    shown = bench(show)
    me = meet(shown.url)
    me.command(f"New world in {'the plane' if dimension == 2 else 'space'}")
    until(lambda: "rod" not in shown.world, "a new world")
    made: list = []
    for _ in range(5):
        me.command("insert: rod" if dimension == 3 else "planar rod")
        new = until(lambda made=tuple(made): names(shown) - {"gravity", "contact", "floor", *made}, "a rod")
        made += new
        me.seen(made[-1])  # the page knows
    places = [np.array(shown.world[name].position) for name in made]
    for k, p in enumerate(places):
        for q in places[:k]:
            across, up = np.abs(p - q)[[0, -1]]
            assert across > 1.0 or up > 0.1  # longer or thicker than a rod
    plot = me.page.locator(".plot", has_text="energy").locator("b")
    bar = me.page.locator(".readings > div", has_text="energy").locator("dd")
    until(
        lambda: f"{plot.inner_text()} J" == bar.text_content() != "0 J",
        "a plot knows what changed while time stood still",
    )


@pytest.mark.long
def test_parts_that_are_apart_contradict_nothing(show, meet):
    world = World()
    a = world.add(Rod("a", position=(0, 0, 2), orientation=(0.5**0.5, 0, 0.5**0.5, 0)))
    world.add(
        Rod("b", position=(0.7, 0, 1)), nail(a.end1, at=(0, 0, 2.5), name="hook"), gravity(name="gravity")
    )
    world.add(nail(world["b"].end2, at=(1.2, 0, 1), name="foot"))
    shown = show(world, title="apart")
    shown._session.speed = 0.02  # both swing
    me = meet(shown.url)
    me.catch(lambda: me.towards("b.end1", "b", 0.08))
    me.bring("a.end2", "b.end1 to a.end2")
    said = until(lambda: me.reads(".readout"), "what the joint would do")
    assert "takes 3 of" in said and "contradict" not in said
    me.drop()
    until(lambda: "connect-1" in names(shown), "joined")


@pytest.mark.parametrize(
    ("place", "turn"),
    [((1.3, 0.5, -1.2), (0.7, -0.5, 0.9, -1.1)), ((-0.6, 2.4, -1.8), (0.2, -2.1, 0.0, 0.9))],
)
def test_a_preview_of_a_joint_assembles_first(show, place, turn):
    """From these poses one projection alone does not find the way together."""
    world = World()
    rod = world.add(Rod("a", position=(0, 0, 2)))
    world.add(Rod("b", position=place, orientation=tuple(np.array(turn) / np.linalg.norm(turn))))
    world.add(nail(rod.end1, at=(-0.5, 0, 2), name="hook"))
    page = Page(still(show, world)._server)
    says = page.ask("preview", of="pin", inputs=["b.end1", "a.end2"])["says"]
    assert says == "takes 5 of 9 freedoms"
    page.close()


def test_a_preview_does_not_mind_the_floor_under_a_part(show):
    """The second rod of the first world lies on two stops, which open when the joint lifts it."""
    page = Page(still(show, start.build())._server)
    for first, second in (("second.end1", "pendulum.end2"), ("second.end2", "pendulum.end2")):
        assert page.ask("preview", of="connect", inputs=[first, second])["says"] == "takes 3 of 7 freedoms"
    page.close()


@pytest.mark.parametrize("is_running", [False, True])
def test_a_drag_with_its_joint_is_one_step_for_undo(show, is_running):
    shown = bench(show)
    page, world = Page(shown._server), shown.world
    begin = world["rod"].position
    joint = {"of": "connect", "inputs": ["rod.end1", "block.centre"]}
    moved: dict = {
        "edit": "Several",
        "edits": [{"edit": "Move", "name": "rod", "state": [["position", [0.5, 0, 1]]], "key": 0}],
    }
    if is_running:
        page.ask("play", is_playing=True)
        handle = page.ask("grab", item="rod", at=[-0.5, 0, 0])
        page.ask("drag", handle=handle, to=[0, 0, 1])
        page.ask("insert", **joint, handle=handle)
        assert page.refused("release", handle=handle)  # it let go
    else:
        page.ask("insert", **joint, moved=moved)
    page.ask("play", is_playing=False)
    assert len(world.history) == 1 and "connect-1" in world
    page.ask("undo")
    assert "connect-1" not in world and not world.history.can_undo
    if not is_running:
        assert world["rod"].position == begin
    page.ask("redo")
    assert "connect-1" in world and len(world.history) == 1
    page.ask("undo")

    joint["inputs"] = ["rod.end1", "block.nowhere"]
    begin = world["rod"].position
    end = {"handle": page.ask("grab", item="rod", at=[-0.5, 0, 0])} if is_running else {"moved": moved}
    assert "nowhere" in page.refused("insert", **joint, **end)
    # nothing was done: a hand still holds
    assert world["rod"].position == begin and len(world.history) == is_running
    if is_running:
        page.ask("release", **end)
    page.close()


# --- hands that turn -----------------------------------------------------------------------------
def turned(shown, axis: tuple[float, ...]) -> float:
    """By how much the rod's own x axis has turned about this axis from the world's x axis, in degrees; 360
    about another one."""
    w, x, y, z = shown.world["rod"].orientation
    R = np.array([1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)])
    return float(np.degrees(np.arccos(np.clip(R[0], -1, 1)))) if abs(R @ axis) < 0.05 else 360.0


def floating(show):
    """A rod that nothing pulls."""
    world = World()
    world.add(Rod("rod", position=(0, 0, 1)))
    world.history.clear()
    return show(world, title="floating")


@pytest.mark.long
def test_a_part_is_held_by_place_and_orientation(show, meet):
    shown = floating(show)
    me = meet(shown.url)
    me.press("Shift+Digit1")  # from the front: the picture's plane is x, z
    me.page.keyboard.down("Alt")
    x, y = me.seen("rod.end1")
    me.take((x + 20, y))
    me.page.keyboard.up("Alt")
    me.sees(".readout", "place and turn")
    start = np.array(shown.world["rod"].position)
    me.press("r", "r")
    until(lambda: abs(turned(shown, (0, 1, 0)) - 30) < 1.5, "two steps of R")
    me.press("Shift+R")
    until(lambda: abs(turned(shown, (0, 1, 0)) - 15) < 1.5, "one back")
    me.move((x + 120, y - 60))
    until(lambda: shown.world["rod"].position[2] > start[2] + 0.1, "it follows the pointer")
    assert abs(turned(shown, (0, 1, 0)) - 15) < 2  # and keeps its orientation
    me.drop()
    until(lambda: not me.reads(".readout"), "it is let go")
    me.press("Control+z")  # the whole drag is one step
    until(lambda: turned(shown, (0, 1, 0)) < 1, "undo puts it back")
    until(lambda: not shown.world.history.can_undo, "and there is nothing more to undo")


@pytest.mark.long
def test_a_hard_hold_turns_into_one_with_orientation(show, meet):
    shown = floating(show)
    me = meet(shown.url)
    me.press("Shift+Digit1")
    me.page.keyboard.down("Shift")
    x, y = me.seen("rod")
    me.take((x, y))
    me.page.keyboard.up("Shift")
    me.sees(".readout", "hard")
    me.press("r", "r", "r")
    me.sees(".readout", "place and turn")
    until(lambda: abs(turned(shown, (0, 1, 0)) - 45) < 1.5, "it is turned")
    me.drop()
    until(lambda: not me.reads(".readout"), "it is let go")
    until(lambda: len(shown.world.history) == 1, "both holds are one step for undo")
    me.press("Control+z")
    until(lambda: turned(shown, (0, 1, 0)) < 1 and not shown.world.history.can_undo, "undo puts it back")


@pytest.mark.long
def test_holding_and_turning_by_keyboard(show, meet):
    shown = floating(show)
    me = meet(shown.url)
    me.press("Shift+Digit1")
    me.focus_view()
    me.press("Tab", "h")
    me.sees(".readout", "place and turn")
    me.press("Control+ArrowRight", "Control+ArrowRight")
    until(lambda: abs(turned(shown, (0, 0, 1)) - 30) < 1.5, "tilted about the upward line")
    height = shown.world["rod"].position[2]
    me.press(*["ArrowUp"] * 6)
    until(lambda: shown.world["rod"].position[2] > height + 0.05, "arrows move it")
    me.press("Control+ArrowLeft", "Control+ArrowLeft")
    until(lambda: turned(shown, (0, 1, 0)) < 1.5, "tilted back")
    me.page.mouse.move(*me.seen("rod"))
    me.page.mouse.wheel(0, 600)
    until(lambda: abs(turned(shown, (0, 1, 0)) - 30) < 1.5, "the wheel turns it too")
    me.press("Enter")
    until(lambda: not me.reads(".readout"), "it is let go")


# --- forces --------------------------------------------------------------------------------------
def tracks(world: World) -> dict[tuple[str, str], np.ndarray]:
    """The forces in the present frame: place, force, torque about the place, by (name, body)."""
    plan = FramePlan(world, 1, {})
    world.engine.evaluate()
    flat = np.frombuffer(plan.frame(), np.float32, offset=HEADER.size).astype(float)
    return {
        (t.name, t.of): flat[t.offset : t.offset + t.count] for t in plan.layout.tracks if t.kind == "force"
    }


def test_fixed_bodies_feel_the_opposite_of_what_holds_the_others():
    world = World()
    block = world.add(Box("block", position=(0, 0, 2), is_fixed=True))
    rod = world.add(Rod("rod", position=(0.5, 0, 2), mass=3.0))
    ball = world.add(Particle("ball", position=(0, 1, 1), mass=2.0))
    far = world.add(
        join(weld, block, world.add(Rod("arm", position=(0, -1, 2))), at=(0, -0.5, 2), name="seam")
    )
    world.add(join(pin, block, rod, at=(0, 0, 2), axis=(0, 1, 0), name="hinge"))
    world.add(distance(ball, block.centre, length=2**0.5, name="string"))
    world.add(
        gravity(name="gravity"),
        nail(world.add(Rod("lone", position=(3, 0, 0))).end1, at=(2.5, 0, 0), name="hook"),
    )
    world.run(seconds=0.3)
    found = tracks(world)
    for name, body in (("hinge", "rod"), ("string", "ball"), ("seam", "arm")):
        on, off = found[name, body], found[name, "block"]
        assert np.linalg.norm(on[3:6]) > 1
        assert np.allclose(off[3:6], -on[3:6], atol=1e-5)
        about = on[6:] + np.cross(on[:3] - off[:3], on[3:6])  # the same torque about the other place
        assert np.allclose(off[6:], -about, atol=1e-4)
    # it carries the arm
    assert np.allclose(found["seam", "block"][3:6], (0, 0, -far.world["arm"].mass * 9.81), atol=1e-4)
    assert {body for name, body in found if name == "hook"} == {"lone"}  # nothing is behind the world


def test_fields_act_on_every_body_that_moves():
    world = World()
    world.add(Rod("rod", position=(0, 0, 2), mass=3.0, velocity=(1, 0, 0), spin=(0, 0, 2)))
    world.add(Box("wall", position=(3, 0, 0), is_fixed=True))
    world.add(Particle("ball", position=(0, 1, 1), mass=2.0), Disc("disc", position=(0, 0), mass=0.5))
    world.add(gravity(name="gravity"), damping(rate=0.5, name="air"))
    found = tracks(world)
    assert np.allclose(found["gravity", "rod"], (0, 0, 2, 0, 0, -3 * 9.81, 0, 0, 0), atol=1e-5)
    assert np.allclose(found["gravity", "ball"], (0, 1, 1, 0, 0, -2 * 9.81, 0, 0, 0), atol=1e-5)
    assert np.allclose(found["gravity", "disc"], (0, 0, 0, 0, -0.5 * 9.81, 0, 0, 0, 0), atol=1e-5)
    spin = 0.5 * 2 * 3.0 * (1 + 3 * 0.05**2) / 12  # rate · spin · m (length² + 3 radius²)/12
    assert np.allclose(found["air", "rod"], (0, 0, 2, -1.5, 0, 0, 0, 0, -spin), atol=1e-5)
    assert not {body for _, body in found} & {"wall"}


@pytest.mark.long
def test_arrows_are_switched_by_kind(show, meet):
    world = World()
    block = world.add(Box("block", position=(0, 0, 2), size=(0.2, 0.2, 0.2), is_fixed=True))
    rod = world.add(Rod("rod", position=(0.5, 0, 2)))
    world.add(join(pin, block, rod, at=(0, 0, 2), axis=(0, 1, 0), name="hinge"), gravity(name="gravity"))
    world.add(spring(rod.end2, block.centre, length=0.5, name="coil"))
    shown = still(show, world)
    me = meet(shown.url)
    me.page.locator(".row", has_text="hinge").first.click()
    me.sees(".forces", "on block")  # also on what is fixed
    me.page.locator(".row", has_text="rod").first.click()
    me.sees(".forces", "of gravity")
    me.focus_view()
    me.press("Escape")
    until(lambda: not me.page.locator(".row.chosen").count(), "nothing is selected")

    def picture() -> bytes:
        me.pictured()
        return me.page.locator(".viewport canvas[data-panel]").screenshot()

    for key, kind in (
        ("Shift+w", "fields"),
        ("Shift+f", "constraints"),
        ("Shift+b", "behaviors"),
        ("Shift+t", "torques"),
    ):
        chip = me.page.locator(".kinds").get_by_role("button", name=kind)
        was = chip.get_attribute("aria-pressed")
        before = picture()
        me.press(key)
        until(lambda chip=chip, was=was: chip.get_attribute("aria-pressed") != was, f"{kind} are switched")
        if kind != "torques":  # a pin across the weight has none
            until(lambda before=before: picture() != before, f"the arrows of {kind} come or go")
        chip.click()
        until(lambda chip=chip, was=was: chip.get_attribute("aria-pressed") == was, "and back, by the mouse")


# --- the clipboard -------------------------------------------------------------------------------
@pytest.mark.long
def test_parts_go_from_one_world_to_another_by_the_clipboard(show, meet):
    shown = hanging(show)
    me = meet(shown.url)
    me.click(me.seen("rod"))
    me.press("Control+c")
    me.sees(".notices", "copied rod")
    other = World()
    other.add(gravity(name="gravity"))
    there = still(show, other, "another")
    page = me.context.new_page()  # it has copied nothing itself
    page.goto(f"{there.url}&lowfx=1")
    page.wait_for_selector(".readings")
    page.locator(".viewport canvas[data-panel]").focus()
    page.keyboard.press("Control+v")
    until(lambda: any(i.type.name == "rod" for i in there.world.items), "it is pasted in the other world")
    page.evaluate("navigator.clipboard.writeText('something else')")
    me.page.bring_to_front()
    me.focus_view()
    me.press("Control+v")  # this page has its own copy
    until(lambda: "rod 2" in names(shown), "and pasted here")


@pytest.mark.long
def test_what_was_not_saved_is_offered_once(show, meet, tmp_path):
    shown = hanging(show)
    me = meet(shown.url)
    me.command("insert sphere")
    saved = tmp_path / "state" / "tinkerdyne" / "autosave"
    found = until(lambda: [*saved.glob("*.json")], "it is autosaved")[0]
    (saved / "999999999-1.json").write_text(found.read_text())  # as if of a process that is no more
    again = meet(still(show, World(), "next")._server.url)
    again.sees(".banner", "was not saved")
    assert "saved" not in again.reads(".notices")


# --- by keyboard alone ---------------------------------------------------------------------------
@pytest.mark.long
def test_the_whole_of_a_four_bar_by_keyboard_alone(show, meet):
    shown = show(World(), title="empty")
    me = meet(shown.url)
    me.command("New world in the plane")
    until(lambda: "floor" in me.reads(".parts"), "a new world")

    def bars() -> list[Item]:
        return [item for item in shown.world.items if item.type.name == "planar_rod"]

    def go(where: str, text: str) -> None:
        """To a button of a panel, by F6 and Tab."""
        here = f"document.activeElement?.closest('{where}') !== null"
        until(lambda: me.page.evaluate(here) or me.press("F6"), f"F6 leads to {where}")
        says = "document.activeElement?.innerText?.trim()"
        until(lambda: me.page.evaluate(says) == text or me.press("Tab"), f"Tab leads to {text}")

    def choose(name: str) -> None:
        """A part, in the view."""
        until(
            lambda: me.page.evaluate("document.activeElement?.matches('.viewport canvas')") or me.press("F6"),
            "F6",
        )

        def is_chosen() -> bool:
            me.pictured()
            return name in me.reads(".row.chosen")

        until(lambda: is_chosen() or me.press("Tab"), f"Tab leads to {name}")

    for k, (x, y, degrees) in enumerate([(0.0, 0.5, 90), (0.5, 1.0, 0), (1.0, 0.5, 90)]):
        me.command("insert rod")
        bar = until(lambda k=k: len(bars()) > k and bars()[k], "a bar")
        me.seen(bar.name)
        until(lambda name=bar.name: name in me.reads(".row.chosen"), "it is selected")
        me.press("Shift+V")
        me.page.wait_for_selector(".arrange-form")
        for number in (x - bar.position[0], y - bar.position[1], degrees):
            me.page.keyboard.type(str(round(number, 6)))
            me.press("Tab")
        me.press("Enter")
        until(lambda bar=bar, x=x, y=y: np.allclose(bar.position, (x, y), atol=1e-5), "it is put there")
        until(lambda: not me.page.locator(".arrange-form").count(), "the form is gone")
    crank, coupler, rocker = (bar.name for bar in bars())

    for a, b in (((crank, "end2"), (coupler, "end1")), ((coupler, "end2"), (rocker, "end2"))):
        me.command("insert: connect")
        for k, (name, end) in enumerate((a, b)):
            me.sees(".prompt", "second" if k else "first")
            choose(name)
            go(".inspector", end)
            me.press("Enter")
        until(lambda: not me.reads(".prompt"), "joined")
    for foot in (rocker, crank):
        choose(foot)
        go(".inspector", "end1")
        me.press("Enter")
        until(lambda: "nail" in me.reads(".row.chosen"), "nailed, and selected")
    until(lambda: shown.world.diagnose().freedoms == 1, "a four-bar")
    me.press("m")  # the crank's was nailed last
    until(lambda: any(item.name.endswith("motor") for item in shown.world.items), "a motor")
    me.press("Space")
    start = shown.world[crank].angle
    until(lambda: abs(shown.world[crank].angle - start) > 0.5, "the crank turns")
    assert shown.world.gap < 1e-4
