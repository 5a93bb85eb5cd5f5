"""Making things by hand: bodies drawn out, joints and motors on them, formulas; gestures are counted (a
click, a drag, a key or chord, one filled field: each is one)."""

from __future__ import annotations

import numpy as np
import pytest

from tests.studio.person import Person, until
from tinkerdyne import Box, Floor, World, gravity


class Maker:
    """A person who counts what they do."""

    def __init__(self, me: Person) -> None:
        self.me, self.count = me, 0

    def tool(self, name: str) -> None:
        self.count += 1
        self.me.page.locator(".toolbox").get_by_role("button", name=name, exact=True).click()

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        self.count += 1
        mouse = self.me.page.mouse
        mouse.move(*start)
        mouse.down()
        mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, steps=3)
        mouse.move(*end, steps=3)
        mouse.up()

    def click(self, at: tuple[float, float]) -> None:
        self.count += 1
        self.me.click(at)

    def press(self, key: str) -> None:
        self.count += 1
        self.me.press(key)

    def fill(self, label: str, text: str) -> None:
        self.count += 1
        self.me.page.get_by_label(label, exact=True).fill(text)

    def push(self, selector: str) -> None:
        self.count += 1
        self.me.page.locator(selector).first.click()

    @property
    def middle(self) -> tuple[float, float]:
        box = self.me.page.locator(".viewport canvas[data-panel]").bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def items_of(shown, kind: str) -> list:
    return [item for item in shown.world.items if item.type.name == kind]


def arrives(shown, me: Person, kind: str, count: int) -> list:
    """Wait until there are some of a type, in the page too."""
    found = until(lambda: len(now := items_of(shown, kind)) == count and now, f"{count} of {kind}")
    me.seen(found[-1].name)  # it is drawn, so that the next thing can begin on it
    return found


def empty(show, meet, where: str = "New world in the plane"):
    shown = show(World(), title="empty")
    me = meet(shown.url)
    me.command(where)
    until(lambda: "floor" in me.reads(".parts"), "a new world has a floor")
    me.pictured()
    return shown, me, Maker(me)


def test_a_pendulum_and_a_formula_are_made_in_six_gestures_each(show, meet):
    shown, me, maker = empty(show, meet)
    x, y = maker.middle
    maker.tool("Planar rod")
    maker.drag((x, y - 60), (x + 90, y - 60))
    (rod,) = arrives(shown, me, "planar_rod", 1)
    me.page.mouse.move(*me.still("planar_rod-1.end1"))
    maker.press("n")
    (hook,) = arrives(shown, me, "nail", 1)
    maker.press("Space")
    until(lambda: rod.angle < -0.3, "it swings")
    assert maker.count <= 6 and hook.gap < 1e-6
    me.press("Space")
    assert float(rod.length) == pytest.approx(round(float(rod.length), 3))  # to the grid

    me.command("New world in the plane")
    until(lambda: "planar_rod" not in me.reads(".parts"), "an empty world again")
    me.pictured()
    maker = Maker(me)
    maker.tool("Particle")
    for k, place in enumerate([(x - 40, y), (x + 60, y - 30)]):
        maker.click(place)
        arrives(shown, me, "particle", k + 1)
    maker.press("q")
    maker.fill("Formula", "|a − b| = 2 r")
    me.sees(".formula-now", "takes 1 of 4 freedoms")
    maker.press("Enter")
    (formula,) = arrives(shown, me, "typed_equation", 1)
    assert maker.count <= 6
    a, b = items_of(shown, "particle")
    apart = np.linalg.norm(np.subtract(a.position, b.position))
    assert formula.value == pytest.approx(apart - 2)
    me.press("Control+z")
    until(lambda: not items_of(shown, "typed_equation") and len(items_of(shown, "particle")) == 2, "one step")


@pytest.mark.long
def test_a_stack_of_five_boxes_takes_twelve_gestures_at_most(show, meet):
    shown, me, maker = empty(show, meet, "New world in space")
    x, y = maker.middle
    maker.tool("Box")
    for k in range(5):
        low = y + 60 - 26 * k
        maker.drag((x - 12, low), (x + 12, low - 22))
        arrives(shown, me, "box", k + 1)
    maker.press("Space")
    assert maker.count <= 12
    boxes = items_of(shown, "box")

    def lie() -> bool:
        with shown.world.lock:
            return shown.world.time > 1 and all(np.linalg.norm(box.velocity) < 1e-3 for box in boxes)

    until(lie, "the stack rests")
    heights = [box.position[2] for box in boxes]
    assert heights == sorted(heights) and heights[0] > 0
    for box, height in zip(boxes[1:], heights[1:], strict=True):  # each lies on the one below
        assert height - heights[boxes.index(box) - 1] == pytest.approx(
            (box.size[2] + boxes[boxes.index(box) - 1].size[2]) / 2, abs=1e-3
        )


@pytest.mark.long
def test_a_four_bar_with_motor_trace_and_plot_takes_25_gestures_at_most(show, meet):
    shown, me, maker = empty(show, meet)
    x, y = maker.middle
    maker.tool("Planar rod")
    corners = [(x - 120, y), (x - 120, y - 50), (x + 60, y - 120), (x + 80, y)]
    maker.drag(corners[0], corners[1])
    arrives(shown, me, "planar_rod", 1)
    maker.drag(me.still("planar_rod-1.end2"), corners[2])
    arrives(shown, me, "planar_rod", 2)
    maker.drag(me.still("planar_rod-2.end2"), corners[3])
    crank, *_ = arrives(shown, me, "planar_rod", 3)
    arrives(shown, me, "connect", 2)
    me.page.mouse.move(*me.still("planar_rod-3.end2"))
    maker.press("n")
    arrives(shown, me, "nail", 1)
    maker.tool("Motor (drive)")
    maker.click(me.still("planar_rod-1.end1"))
    arrives(shown, me, "drive", 1)
    maker.press("Escape")
    maker.click(me.still("planar_rod-2"))
    maker.push(".switch:has-text('Trace') input")
    maker.push('button[title^="plot planar_rod-2.angle"]')
    maker.push('.running [aria-label^="Play"]')
    until(lambda: crank.angle > 4, "the crank turns", 90)
    assert maker.count <= 25
    assert shown.world.gap < 1e-5
    me.sees(".plots", "planar_rod-2")


@pytest.mark.long
def test_a_size_is_typed_while_it_is_drawn_and_after(show, meet):
    shown, me, maker = empty(show, meet)
    x, y = maker.middle
    maker.tool("Planar rod")
    me.page.mouse.move(x, y)
    me.page.mouse.down()
    me.page.mouse.move(x + 60, y, steps=4)
    me.sees(".readout", " m")
    me.press("1", ".", "2", "5")
    me.sees(".readout", "1.25 m")
    me.page.mouse.up()
    (rod,) = arrives(shown, me, "planar_rod", 1)
    assert rod.length == 1.25
    start = tuple(rod.end1.value)
    me.sees(".notices", "type a number")
    me.press("2")
    me.sees(".size-entry", "length")
    me.page.locator(".size-entry input").nth(1).fill("0.2")
    me.press("Enter")
    until(lambda: rod.length == 2 and rod.width == 0.2, "it is resized")
    assert tuple(rod.end1.value) == pytest.approx(start, abs=1e-6)  # it stays where it begins
    until(lambda: not me.page.locator(".size-entry").count(), "the form is gone")
    me.press("Control+z")
    until(lambda: rod.length == 1.25, "one step")


@pytest.mark.long
def test_parts_are_moved_turned_measured_copied_and_grouped(show, meet):
    world = World()
    world.add(gravity(), Floor("floor"), Box("a", size=(0.5, 0.5, 0.5), position=(0, 0, 0.5)))
    world.add(Box("b", size=(0.3, 0.3, 0.3), position=(1.5, 0, 0.6)))
    shown = show(world, title="boxes", is_playing=False)
    me = meet(shown.url)
    a, b = world["a"], world["b"]
    me.click(me.seen("a"))
    me.sees(".item-name, .kind-line", "Box")
    x, y = me.still("a")
    me.page.mouse.move(x, y - 60)  # the arrow upwards
    me.page.mouse.down()
    me.page.mouse.move(x, y - 90, steps=4)
    me.sees(".readout", "along z")
    me.press("1", ".", "5")
    me.sees(".readout", "1.5 m along z")
    me.page.mouse.up()
    until(lambda: a.position[2] == pytest.approx(2.0), "it is moved by what was typed")
    me.press("Shift+V")
    me.page.get_by_label("turn by", exact=True).fill("90")
    me.press("Enter")
    until(lambda: abs(a.orientation[3] - np.sqrt(0.5)) < 1e-6, "it is turned by degrees")
    until(lambda: not me.page.locator(".arrange-form").count(), "the form is gone")
    me.press("Escape", "f", "d")  # it was moved out of the picture
    me.click(me.still("a"))
    me.click(me.still("b"))
    (measure,) = arrives(shown, me, "distance_between", 1)
    me.sees(".label.measure", f"{float(measure.value[0]):.4g} m")
    me.press("Escape")
    me.click(me.seen("b"))
    me.press("Shift+A")
    me.page.get_by_label("how many, with the first", exact=True).fill("4")
    me.page.locator(".arrange-form").get_by_label("x", exact=True).fill("0.5")
    me.press("Enter")
    arrives(shown, me, "box", 5)
    assert world["b 4"].position[0] == pytest.approx(3.0)
    me.press("Control+z")
    until(lambda: len(items_of(shown, "box")) == 2, "one step takes all copies back")
    me.page.mouse.wheel(0, 300)  # so that both lie well within the picture
    me.press("b")
    box = me.page.locator(".viewport canvas[data-panel]").bounding_box()
    assert box is not None
    me.take((box["x"] + 110, box["y"] + 70))
    me.move((box["x"] + box["width"] - 20, box["y"] + box["height"] - 20))
    me.drop()
    until(
        lambda: set(me.reads(".row.chosen .row-name, .row.chosen").split()) >= {"a", "b"}, "both are selected"
    )
    assert "floor" not in me.reads(".row.chosen")
    me.press("Control+g")
    arrives(shown, me, "middle", 1)
    me.press("Escape")
    me.click(me.seen("b"))
    me.sees(".inspector", "2 selected")
    assert b.position[0] == 1.5


@pytest.mark.long
def test_everything_is_inserted_from_one_panel_that_knows_what_fits(show, meet):
    shown, me, _ = empty(show, meet)
    me.press("i")
    panel = me.page.locator("dialog[aria-label=Insert]")
    assert not panel.get_by_text("Universal joint", exact=True).count()  # which the plane has not
    assert not panel.get_by_text("Tangential", exact=True).count()  # there is no curve
    panel.get_by_label("also what does not fit here").check()
    me.sees("dialog[aria-label=Insert]", "only in space")
    panel.get_by_label("also what does not fit here").uncheck()
    panel.get_by_label("Search what can be inserted").fill("disc")
    me.press("Enter")
    arrives(shown, me, "disc", 1)
    me.press("i")
    panel.get_by_label("for what is selected").wait_for()
    assert (
        panel.get_by_text("Pin joint", exact=True).count()
        and not panel.get_by_text("Disc", exact=True).count()
    )
    panel.get_by_label("for what is selected").uncheck()
    panel.get_by_label("Search what can be inserted").fill("typed equation")
    me.press("Enter")
    me.sees(".formula-form", "Formula by hand")  # no wall of ports: the form asks
