"""Fingers, the menu of a part, buttons of the control panel, the view cube: what no dragged mouse tries."""

from __future__ import annotations

import numpy as np

import tinkerdyne as td
from tests.studio.person import Person, until

Place = tuple[float, float]


class Fingers:
    """Fingers on the page, by the browser's own input."""

    def __init__(self, me: Person) -> None:
        self.session = me.context.new_cdp_session(me.page)

    def touch(self, kind: str, *places: Place) -> None:
        points = [{"x": x, "y": y, "id": k} for k, (x, y) in enumerate(places)]
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def drag(self, *ways: tuple[Place, Place]) -> None:
        """Each finger goes its way, all at once."""
        self.touch("touchStart", *(begin for begin, _ in ways))
        for share in np.linspace(0.2, 1.0, 5):
            self.touch("touchMove", *((1 - share) * np.array(a) + share * np.array(b) for a, b in ways))
        self.touch("touchEnd")


def world() -> td.World:
    """A ball that lies still, and a spring beside it."""
    made = td.World()
    ball = made.add(td.Sphere("ball", radius=0.3, position=(0, 0, 1)))
    other = made.add(td.Sphere("other", radius=0.3, position=(2, 0, 1)))
    made.add(td.spring(ball.right, other.left, stiffness=5.0, name="coil"))
    stiff = td.control("coil", "stiffness", kind="button", low=5.0, high=50.0, title="Stiff")
    made.show(controls=(stiff,))
    made.history.clear()
    return made


def test_fingers_menus_buttons_and_the_view_cube(show, meet):
    shown = show(world(), title="fingers", is_playing=False)
    me = meet(shown.url)
    fingers = Fingers(me)
    me.page.get_by_role("button", name="Look from the front").click()
    (x, y), (_, same) = me._seen("ball", "other")
    assert abs(y - same) < 0.5  # what is as high is seen as high
    to = me.seen("@0,0,1.5")
    menu = me.page.get_by_role("menu", name="What can be done with ball")

    def carries() -> bool:
        fingers.drag(((x, y), to))
        me.pictured()
        is_late = bool(menu.count())  # a finger that stays too long where it is asks for the menu
        if is_late:
            me.press("Escape")
        return not is_late

    until(carries, "a finger moves before it asks for the menu")
    until(lambda: abs(shown.world["ball"].position[2] - 1.5) < 0.05, "one finger carries a part")
    until(lambda: not me.reads(".readout"), "it is put down")

    fingers.touch("touchStart", me.seen("ball"))
    menu.wait_for()  # of a finger that stays
    fingers.touch("touchEnd")
    menu.get_by_role("menuitem", name="Duplicate").click()
    until(lambda: "ball 2" in shown.world, "it is done with what lies under the finger")
    me.press("Control+z")
    until(lambda: "ball 2" not in shown.world, "undone")

    me.page.mouse.click(*me.seen("ball"), button="right")
    menu.wait_for()
    me.press("Escape")
    until(lambda: not menu.count(), "Escape closes it")

    (a, _), (b, _) = me._seen("ball", "other")
    middle = ((a + b) / 2, to[1] + 120)
    apart = [((middle[0] + side * 30, middle[1]), (middle[0] + side * 39, middle[1])) for side in (-1, 1)]
    fingers.drag(*apart)
    (c, _), (d, _) = me._seen("ball", "other")
    assert abs((d - c) / (b - a) - 1.3) < 0.1  # two fingers zoom by as much as they part
    assert abs(shown.world["ball"].position[2] - 1.5) < 0.05

    button = me.page.locator(".control-panel").get_by_role("button", name="Stiff", exact=True)
    button.hover()
    me.page.mouse.down()
    until(lambda: shown.world["coil"].stiffness == 50, "it is stiff while the button is down")
    me.page.mouse.up()
    until(lambda: shown.world["coil"].stiffness == 5, "and no longer")

    box = me.page.locator(".view-cube").bounding_box()
    hit = "([x, y]) => document.elementFromPoint(x, y).tagName"
    assert me.page.evaluate(hit, [box["x"] + 4, box["y"] + 4]) == "CANVAS"  # beside the cube is the world
