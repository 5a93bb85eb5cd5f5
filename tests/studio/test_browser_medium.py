"""Curves, models, images and data as a person meets them: real Chromium, and the world on the server looked at beside it."""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import tinkerdyne as td
from tests.studio.person import Person, until
from tests.studio.test_medium import CENTRE, RADIUS, SIDE, disc, inside, plane, wave
from tinkerdyne.medium.fit import Fit
from tinkerdyne.medium.snake import Snake

ROOT = Path(__file__).parents[2]


def fill(me: Person, label: str, text: str) -> None:
    me.page.get_by_label(label, exact=True).fill(text)


def middle(me: Person) -> tuple[float, float]:
    box = me.page.locator(".viewport canvas[data-panel]").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


RED = """([x, y]) => {
  const canvas = document.querySelector(".viewport canvas[data-panel]"), box = canvas.getBoundingClientRect();
  const copy = document.createElement("canvas").getContext("2d");
  copy.drawImage(canvas, x - box.left, y - box.top, 1, 1, 0, 0, 1, 1);
  return copy.getImageData(0, 0, 1, 1).data[0];
}"""


def red(me: Person, x: float, y: float) -> int:
    """How much red there is at a place of the page, 0 to 255."""
    return int(me.page.evaluate(RED, [x, y]))


def both_in_view(me: Person) -> list[tuple[float, float]]:
    """Where the two curves are seen, once the view rests."""
    first, second = me._seen("typed_curve-1", "wheel"), me._seen("typed_curve-1", "wheel")
    box = me.page.locator(".viewport canvas[data-panel]").bounding_box()
    is_in = all(box["x"] < x < box["x"] + box["width"] and box["y"] < y < box["y"] + box["height"] for x, y in first)
    return first if is_in and first == second else []


def test_a_curve_is_typed_pulled_attached_and_undone(show, meet):
    world = plane()
    world.add(td.Circle("wheel", position=(2.6, 0.0), radius=0.6))
    world._undo.clear()
    shown = show(world, title="curves")
    me = meet(shown.url)
    me.focus_view()
    me.press("c")
    me.page.wait_for_selector("dialog[open]")
    fill(me, "x of the curve", "cx + a*cos(u)")
    fill(me, "y of the curve", "cy + a*sin(u")
    me.sees(".fault", "never closed")
    assert me.reads(".fault mark") == "("  # it points at the character
    assert me.page.get_by_role("button", name="Make it").is_disabled()
    fill(me, "y of the curve", "cy + a*sin(u)")
    until(lambda: me.page.get_by_role("button", name="Make it").is_enabled(), "the formula is right")
    me.sees(".curve-preview", "closed")
    me.page.get_by_role("button", name="Make it").click()
    until(lambda: "typed_curve-1" in world, "the curve is there")
    until(lambda: not me.page.locator("dialog[open]").count(), "the dialog closes")


    # The view steps back until it holds both. A curve is seen at its first point: (cx + a, cy), and (3.2, 0) of the wheel; together
    # they tell the scale.
    (x, y), (wx, _) = until(lambda: both_in_view(me), "both curves are in view")
    metre = (wx - x) / 2.2
    top = (x - metre, y - metre)
    me.take(top)
    me.move((top[0], top[1] - 0.4 * metre))
    me.sees(".readout", "soft")
    until(lambda: world["typed_curve-1"].numbers[1] > 0.1, "it follows by its equations")
    cx, a, cy = world["typed_curve-1"].numbers[:3]
    me.drop()
    until(lambda: not me.reads(".readout"), "the hand is empty")
    names = world["typed_curve-1"].names
    assert sorted(names) == ["a", "cx", "cy"] and {cx, a, cy} != {0.0, 1.0}
    me.press("Control+z")
    until(lambda: sorted(world["typed_curve-1"].numbers) == [0, 0, 1], "the whole drag is one step")

    until(lambda: np.allclose(me.seen("typed_curve-1"), (x, y), atol=2), "and the page shows it there")
    left = (wx - 1.2 * metre, y)  # of the wheel
    me.take(left)
    me.move((x + 3, y))
    me.sees(".readout", "tangent")
    me.drop()
    until(lambda: "tangential-1" in world, "the curves are attached")
    until(lambda: world["tangential-1"].gap < 1e-6, "and touch")
    centre = np.array([world["typed_curve-1"].cx, world["typed_curve-1"].cy])
    apart = np.linalg.norm(np.subtract(world["wheel"].position, centre))
    assert apart == pytest.approx(world["wheel"].radius + world["typed_curve-1"].a, abs=0.01)  # from outside
    me.press("Control+z")
    until(lambda: "tangential-1" not in world and "wheel u" not in world, "one undo takes it off")
    me.press("Escape")
    me.click((wx, y))
    me.page.get_by_label("Lock radius").click()
    until(lambda: "lock wheel.radius" in world, "its radius is locked")
    me.press("Control+e")
    me.sees("pre.code", "td.typed_curve('cx + a*cos(u)'")


def test_sliding_an_output_moves_the_others(show, meet):
    world = plane()
    shown = show(world, title="model")
    me = meet(shown.url)
    me.page.get_by_role("tab", name="Model").click()
    form = me.page.get_by_role("form", name="Add to the model")

    def add(part: str, **fields: str) -> None:
        count = len(world.items)
        form.get_by_label("What to add").select_option(part)
        for name, text in fields.items():
            form.get_by_label(name.replace("_", " "), exact=True).fill(text)
        form.get_by_role("button", name="Add", exact=True).click()
        until(lambda: len(world.items) > count, f"the {part} is there")

    add("variable", name="width", value="1", at_least="0.1")
    add("variable", name="height", value="4", at_least="0.1")
    add("output", name="area", formula="width*height")
    add("minimise", formula="20*(width + height)")
    form.get_by_label("What to add").select_option("constraint")
    form.get_by_label("formula", exact=True).fill("area = 9*widht")
    me.sees(".fault", "did you mean 'width'")
    assert me.reads(".fault mark") == "w"
    form.get_by_label("formula", exact=True).fill("area = 9")
    form.get_by_role("button", name="Add", exact=True).click()
    until(lambda: abs(world["width"].value - 3) < 0.02, "it slides to the square")
    until(lambda: re.search(r"width\s+(2\.99|3)", me.reads(".number-head")), "and the panel says so")

    pull = me.page.get_by_label("pull width")
    pull.scroll_into_view_if_needed()
    low, high = (float(pull.get_attribute(k)) for k in ("min", "max"))
    box = pull.bounding_box()
    at = lambda value: box["x"] + 8 + (box["width"] - 16) * (value - low) / (high - low)  # noqa: E731
    line = box["y"] + box["height"] / 2
    me.page.mouse.move(at(world["width"].value), line)
    me.page.mouse.down()
    me.page.mouse.move(at(min(5.0, high)), line, steps=8)
    wanted = float(pull.input_value())
    assert wanted > 3.3
    until(lambda: abs(world["width"].value - wanted) < 0.02, "the width is pulled there")
    until(lambda: abs(world["height"].value - 9 / wanted) < 0.02, "and the height follows")
    me.page.mouse.up()
    until(lambda: abs(world["width"].value - 3) < 0.05, "let go, it goes back")
    assert not any(item.type.name == "scalar_spring" for item in world.items)
    me.page.get_by_label("Hold height").click()
    until(lambda: "hold height" in world, "an output is held")
    me.page.get_by_label("Delete area = 9").click()
    until(lambda: "area = 9" not in world, "and a constraint deleted")


def test_a_snake_is_put_on_an_image_pulled_and_its_mask_kept(show, meet, tmp_path):
    world = plane()
    shown = show(world, title="image")
    me = meet(shown.url)
    (tmp_path / "disc.png").write_bytes(disc())
    (tmp_path / "bad.png").write_bytes(b"this is no image")
    me.page.get_by_role("tab", name="Image").click()
    for name in ("bad.png", "disc.png"):
        with me.page.expect_file_chooser() as chooser:
            me.page.get_by_text("Load image…").click()
        chooser.value.set_files(tmp_path / name)
        if name == "bad.png":
            me.sees(".notices", "no PNG or JPEG")
    until(lambda: "picture-1" in world, "the image is there")
    me.page.get_by_role("button", name="Closed snake").click()
    me.sees(".prompt", "Drag a circle")
    x, y = middle(me)  # of the image too
    until(lambda: red(me, x - 60, y - 90) < 120, "the image is drawn")
    me.page.mouse.move(x, y)
    me.page.mouse.down()
    me.page.mouse.move(x + 130, y, steps=5)
    me.page.mouse.up()
    until(lambda: "snake-1 5 link" in world, "the snake is there")
    snake = Snake.of(world, "snake-1")

    def off() -> float:
        return float(np.abs(np.hypot(*(snake.polygon - CENTRE).T) - RADIUS).mean())

    until(lambda: off() < 0.5, "it settles on the edge")
    point = snake.nearest(CENTRE + np.array((0, RADIUS)))
    at = me.seen(point.name)
    me.take(at)
    me.move((at[0], at[1] - 60))
    until(lambda: point.position[1] > CENTRE[1] + RADIUS + 8, "a point of it is pulled away")
    me.drop()
    until(lambda: off() < 0.5, "it locks on again")
    with me.page.expect_download() as download:
        me.page.get_by_role("button", name="Mask (PNG)").click()
    mask = np.asarray(Image.open(download.value.path())) > 0
    assert mask.shape == (SIDE, SIDE) and (mask & inside()).sum() / (mask | inside()).sum() > 0.97
    with me.page.expect_download() as download:
        me.page.get_by_role("button", name="CSV").click()
    assert Path(download.value.path()).read_text().startswith("x,y,row,column")
    me.page.get_by_role("button", name="Volcano").click()
    me.sees(".prompt", "volcano")
    me.click((x, y))
    until(lambda: "volcano-1 0" in world, "a volcano within drives it off")
    me.press("Control+z")
    until(lambda: "volcano-1 0" not in world, "undone")


def test_a_fit_is_pulled_out_of_a_wrong_minimum(show, meet):
    world = plane()
    shown = show(world, title="data")
    me = meet(shown.url)
    me.page.get_by_role("tab", name="Data").click()
    fill(me, "Rows of numbers", "1, 2\n3, x")
    me.page.get_by_role("button", name="Take these").click()
    me.sees(".medium .error", "line 2")
    fill(me, "Rows of numbers", "x, y\n" + "\n".join(f"{a:.4f}, {b:.4f}" for a, b in wave()))
    me.page.get_by_role("button", name="Take these").click()
    me.sees(".medium-card", "120 rows")
    me.page.get_by_label("Model", exact=True).select_option("typed")
    fill(me, "Equation", "y = c + a*sin(w*x + p)")
    for name, start in (("c", "0"), ("a", "1.5"), ("w", "2.7"), ("p", "0")):
        until(lambda label=f"start of {name}": me.page.get_by_label(label).count() == 1, f"{name} is a parameter")
        fill(me, f"start of {name}", start)
    me.page.get_by_role("button", name="Fit", exact=True).click()
    until(lambda: "fit datum 119" in world, "the fit is there")
    rms = lambda: float(re.search(r"[\d.]+", me.reads(".rms") + " 99")[0])  # noqa: E731
    until(lambda: rms() < 1.6, "it slides into a minimum")
    assert world["w"].value > 2.2 and rms() > 1  # a wrong one

    pull = me.page.get_by_label("pull w")
    low, high = (float(pull.get_attribute(k)) for k in ("min", "max"))
    box = pull.bounding_box()
    at = lambda value: box["x"] + 8 + (box["width"] - 16) * (value - low) / (high - low)  # noqa: E731
    line = box["y"] + box["height"] / 2
    me.page.mouse.move(at(world["w"].value), line)
    me.page.mouse.down()
    me.page.mouse.move(at(1.72), line, steps=10)
    until(lambda: abs(world["w"].value - float(pull.input_value())) < 0.05, "the frequency is pulled")
    until(lambda: abs(world["w"].value - 1.72) < 0.1 and rms() < 0.9, "over the hill")
    me.page.mouse.up()
    until(lambda: abs(world["w"].value - 1.7) < 0.03 and rms() < 0.3, "the data do the rest")
    me.sees(".number-head", "±")
    assert abs(abs(world["a"].value) - 2) < 0.15


def test_a_fitted_line_is_dragged_by_the_hand(show, meet):
    world = plane()
    shown = show(world, title="line")
    me = meet(shown.url)
    me.page.get_by_role("tab", name="Data").click()
    rows = [(x, 3 + (0.05 if x % 2 else -0.05)) for x in range(21)]
    fill(me, "Rows of numbers", "\n".join(f"{x} {y}" for x, y in rows))
    me.page.get_by_role("button", name="Take these").click()
    me.sees(".medium-card", "21 rows")
    me.page.get_by_role("button", name="Fit", exact=True).click()
    until(lambda: "b" in world and abs(world["a"].value + 10 * world["b"].value - 3) < 0.02, "the line is there")
    x, y = middle(me)  # where the data's middle is, and so the line
    until(lambda: red(me, x, y) < 45, "the blue line is drawn")
    me.take((x, y))
    me.move((x, y - 100))
    me.sees(".readout", "pulling fit")
    until(lambda: world["a"].value + 10 * world["b"].value > 3.5, "the model follows the hand")
    me.drop()
    until(lambda: abs(world["a"].value + 10 * world["b"].value - 3) < 0.05, "and goes back to the data")
    assert math.isfinite(world["b"].value) and not any(i.name.startswith("datum") for i in world.items)


def test_a_troid_wears_its_image_and_an_undone_one_does_not(show, meet):
    image = np.zeros((8, 8, 3), np.uint8)
    image[:, :4, 0], image[:, 4:, 2] = 255, 255  # red at the left, blue at the right
    world = plane()
    world.add(td.picture("flag", image=image, width=2.0))
    shown = show(world, title="flag")
    me = meet(shown.url)
    x, y = middle(me)
    until(lambda: red(me, x - 40, y + 30) > 150 and red(me, x + 40, y + 30) < 60, "red and blue are drawn")
    world["flag"].texture = image[:, ::-1]
    until(lambda: red(me, x - 40, y + 30) < 60 and red(me, x + 40, y + 30) > 150, "the halves have changed places")
    world.undo()
    until(lambda: red(me, x - 40, y + 30) > 150 and red(me, x + 40, y + 30) < 60, "and back")


def test_a_fitted_sphere_is_drawn_as_a_surface(show, meet):
    places = np.random.default_rng(3).normal(size=(60, 3))
    places /= np.linalg.norm(places, axis=1)[:, None]
    world = plane()
    Fit("sphere", places, columns=("x", "y", "z"), world=world, cx=0.0, cy=0.0, cz=0.0, r=1.0)
    shown = show(world, title="sphere", is_playing=False)
    me = meet(shown.url)
    x, y = middle(me)
    spots = [(x + dx, y + dy) for dx in (-60, -20, 20, 60) for dy in (-60, -20, 20, 60)]
    until(lambda: sum(red(me, *spot) < 170 for spot in spots) > 10, "the surface is there, but for lines of the grid before it")
