"""What a new user would try, from an empty world, with its gestures counted: a click, a drag, a key or chord,
one filled field. The counts are printed, and may not grow."""

from __future__ import annotations

import numpy as np
import pytest

from tests.studio.person import until
from tests.studio.test_browser_making import Maker, arrives, empty, items_of
from tinkerdyne import World


def counted(maker: Maker, what: str, most: int) -> None:
    print(f"{what}: {maker.count} gestures")
    assert maker.count <= most, (what, maker.count)


def runs(shown, seconds: float) -> None:
    """Wait until the world has run so far."""
    until(lambda: shown.world.time > seconds, f"it runs for {seconds} s", 120)


def hung_rod(shown, me, maker: Maker):
    """A rod on a nail: three gestures."""
    x, y = maker.middle
    maker.tool("Planar rod")
    maker.drag((x, y - 60), (x + 90, y - 60))
    (rod,) = arrives(shown, me, "planar_rod", 1)
    me.page.mouse.move(*me.still("planar_rod-1.end1"))
    maker.press("n")
    (hook,) = arrives(shown, me, "nail", 1)
    return rod, hook


@pytest.mark.long
def test_a_slider_crank(show, meet):
    shown, me, maker = empty(show, meet)
    x, y = maker.middle
    maker.tool("Planar rod")
    maker.drag((x - 120, y), (x - 80, y - 30))
    arrives(shown, me, "planar_rod", 1)
    maker.drag(me.still("planar_rod-1.end2"), (x + 60, y))
    arrives(shown, me, "planar_rod", 2)
    maker.tool("Plate")
    u, v = me.still("planar_rod-2.end2")
    maker.drag((u - 30, v + 20), (u + 30, v - 20))
    (piston,) = arrives(shown, me, "plate", 1)
    assert abs(piston.position[1]) < 0.1  # where it was drawn, though the rod is there
    maker.tool("Pin joint")
    maker.click(me.still("planar_rod-2.end2"))
    arrives(shown, me, "pin", 1)
    maker.tool("Slider")
    maker.click(me.towards("plate-1.left", "plate-1", 0.3))
    arrives(shown, me, "prismatic", 1)
    maker.tool("Motor (drive)")
    maker.click(me.still("planar_rod-1.end1"))
    arrives(shown, me, "drive", 1)
    maker.press("Space")
    xs = []
    until(lambda: xs.append(piston.position[0]) or shown.world.time > 3, "it runs", 120)
    assert max(xs) - min(xs) > 0.3 and shown.world.gap < 1e-5
    counted(maker, "slider-crank", 14)


@pytest.mark.long
def test_a_spring_and_a_damper(show, meet):
    shown, me, maker = empty(show, meet)
    x, y = maker.middle
    maker.tool("Plate")
    maker.drag((x - 40, y + 20), (x + 40, y - 20))
    (block,) = arrives(shown, me, "plate", 1)
    for tool, kind, side in (("Spring", "spring", -20), ("Damper", "damper", 20)):
        maker.tool(tool)
        u, v = me.still("plate-1")
        maker.drag((u + side, v), (u + side, v - 120))
        arrives(shown, me, kind, 1)
    maker.press("Space")
    runs(shown, 1.0)
    assert np.isfinite(block.position).all()
    counted(maker, "spring and damper", 7)


@pytest.mark.long
def test_a_gear_pair(show, meet):
    shown, me, maker = empty(show, meet)
    x, y = maker.middle
    maker.tool("Disc")
    for k, at in enumerate((x - 80, x + 80)):
        maker.drag((at, y), (at + 60, y))
        arrives(shown, me, "disc", k + 1)
    maker.tool("Pin joint")
    for k in (1, 2):
        maker.click(me.still(f"disc-{k}"))
        arrives(shown, me, "pin", k)
    maker.press("i")
    maker.fill("Search what can be inserted", "gear")
    maker.press("Enter")
    for k in (1, 2):
        me.sees(".prompt", "joint")
        maker.click(me.still(f"pin-{k}"))
    (gear,) = arrives(shown, me, "gear", 1)
    maker.tool("Motor (drive)")
    maker.click(me.still("pin-1"))
    arrives(shown, me, "drive", 1)
    maker.press("Space")
    one, two = items_of(shown, "disc")
    until(lambda: abs(one.angle) > 1, "the first turns", 120)
    assert abs(two.angle) > 0.5 and gear.gap < 1e-5
    counted(maker, "gear pair", 14)


@pytest.mark.long
def test_a_bead_on_a_typed_curve(show, meet):
    shown, me, maker = empty(show, meet)
    x, y = maker.middle
    maker.press("c")
    maker.fill("x of the curve", "u")
    maker.fill("y of the curve", "u^2/2")
    me.page.get_by_role("button", name="Make it").click()
    maker.count += 1
    arrives(shown, me, "typed_curve", 1)
    maker.tool("Particle")
    maker.click((x + 60, y - 120))
    arrives(shown, me, "particle", 1)
    maker.press("i")
    maker.fill("Search what can be inserted", "on curve")
    maker.press("Enter")
    me.sees(".prompt", "pick")
    maker.click(me.still("particle-1"))
    maker.click(me.still("typed_curve-1"))
    (held,) = arrives(shown, me, "on_curve", 1)
    maker.press("Space")
    runs(shown, 1.0)
    until(lambda: held.gap < 1e-4, "it is on the curve", 120)
    counted(maker, "typed curve with a bead", 12)


@pytest.mark.long
def test_copy_and_array(show, meet):
    shown, me, maker = empty(show, meet)
    x, y = maker.middle
    maker.tool("Plate")
    maker.drag((x - 100, y + 15), (x - 70, y - 15))
    (plate,) = arrives(shown, me, "plate", 1)
    me.press("Control+d")
    _, copy = arrives(shown, me, "plate", 2)
    assert copy.position[0] - plate.position[0] > plate.size[0]  # beside it, not in it
    me.press("Control+z")
    arrives(shown, me, "plate", 1)
    me.click(me.still("plate-1"))
    maker.press("Shift+A")
    maker.fill("how many, with the first", "5")
    maker.press("Enter")
    arrives(shown, me, "plate", 5)
    counted(maker, "copy and array", 5)


@pytest.mark.long
def test_cut_and_mend_and_the_undo_of_a_drag(show, meet):
    shown, me, maker = empty(show, meet)
    rod, hook = hung_rod(shown, me, maker)
    me.sees(".row.chosen", hook.name)
    maker.press("x")  # what is selected
    until(lambda: hook not in shown.world, "it is cut")
    maker.press("Control+z")
    until(lambda: items_of(shown, "nail"), "it is mended")
    counted(maker, "cut and mend", 5)
    before = rod.angle
    me.press("Escape")
    maker = Maker(me)
    x, y = me.still("planar_rod-1.end2")
    maker.drag(me.towards("planar_rod-1.end2", "planar_rod-1", 0.2), (x - 40, y + 60))
    until(lambda: abs(rod.angle - before) > 0.2, "it is turned about its nail")
    maker.press("Control+z")
    until(lambda: abs(rod.angle - before) < 1e-6, "it is back")
    counted(maker, "undo of a drag", 2)


@pytest.mark.long
def test_an_event_and_a_force_plot_that_is_exported(show, meet, tmp_path):
    shown, me, maker = empty(show, meet)
    _, hook = hung_rod(shown, me, maker)
    maker.press("Shift+P")
    me.sees(".plots", "nail-1.force")
    maker.press("e")
    me.page.wait_for_selector(".event-form")
    maker.count += 1
    me.page.locator(".event-form input[aria-label=at]").fill("0.5")
    maker.press("Enter")
    until(lambda: len(shown.world.timeline) == 1, "it is planned")
    until(lambda: not me.page.locator(".event-form").count(), "the form is gone")
    counted(maker, "event on the timeline, with a plot", 7)
    maker.press("Space")
    until(lambda: not hook.is_on, "the nail lets go at its time", 120)
    maker.press("Space")
    maker.push(".plot-menu button >> nth=-1")
    with me.page.expect_download() as download:
        maker.push(".plot-sheet button:has-text('CSV')")
    download.value.save_as(tmp_path / "force.csv")
    rows = [line.split(",") for line in (tmp_path / "force.csv").read_text().splitlines()[1:]]
    assert len(rows) > 10 and max(float(value) for _, value in rows if value) > 1
    counted(maker, "event, force plot, and its table", 11)


@pytest.mark.long
def test_open_as_python_and_back(show, meet):
    shown, me, maker = empty(show, meet)
    rod, _ = hung_rod(shown, me, maker)
    maker.press("Space")
    runs(shown, 0.3)
    maker.press("Space")
    until(lambda: not shown._session.is_playing, "a pause")
    maker.press("Control+e")
    me.sees("pre.code", "td.PlanarRod")
    maker.push("dialog button.primary")
    code = me.page.evaluate("navigator.clipboard.readText()")
    counted(maker, "open as Python", 7)
    space: dict = {}
    exec(code, space)
    again = next(value for value in space.values() if isinstance(value, World))
    assert again.time == pytest.approx(shown.world.time)
    assert again["planar_rod-1"].angle == pytest.approx(rod.angle, abs=1e-9)
    me.press("Escape")
    show(again, title="again")  # and back
