"""Curves, models, images and data as a person meets them: real Chromium, and the world on the server looked
at beside it."""

from __future__ import annotations

import io
import math
import re
import runpy
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import tinkerdyne as td
from tests.studio.person import Person, until
from tests.studio.test_media import CENTRE, RADIUS, SIDE, disc, inside, plane, png, wave
from tests.studio.test_media_troids import DRAWING, SIDES, obj
from tinkerdyne.behaviors.images import photo
from tinkerdyne.optimise.fit import Fit
from tinkerdyne.optimise.snake import Snake
from tinkerdyne.optimise.snake import circle as ring
from tinkerdyne.studio.media.pictures import QUICK

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
    is_in = all(
        box["x"] < x < box["x"] + box["width"] and box["y"] < y < box["y"] + box["height"] for x, y in first
    )
    return first if is_in and first == second else []


def test_a_curve_is_typed_pulled_attached_and_undone(show, meet):
    world = plane()
    world.add(td.Circle("wheel", position=(2.6, 0.0), radius=0.6))
    world.history.clear()
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
    curve = world["typed_curve-1"]
    assert (curve.cx, curve.cy, curve.a) == (0, 0, 1)

    # The view steps back until it holds both. A curve is seen at its first point: (cx + a, cy), and (3.2, 0)
    # of the wheel; together they tell the scale.
    (x, y), (wx, _) = until(lambda: both_in_view(me), "both curves are in view")
    metre = (wx - x) / 2.2
    top = (x - metre, y - metre)
    me.catch(lambda: top)
    me.move((top[0], top[1] - 0.4 * metre))
    me.sees(".readout", "soft")
    until(lambda: max(curve.cy, curve.a - 1) > 0.05, "it follows by its equations")
    me.drop()
    until(lambda: not me.reads(".readout"), "the hand is empty")
    me.press("Control+z")
    until(lambda: (curve.cx, curve.cy, curve.a) == (0, 0, 1), "the whole drag is one step")
    until(lambda: np.allclose(me.seen("typed_curve-1"), (x, y), atol=2), "and the page shows it there")
    left = (wx - 1.2 * metre, y)  # of the wheel
    me.take(left)
    me.move((x + 3, y))
    me.sees(".readout", "tangent")
    me.drop()
    until(lambda: "tangential-1" in world, "the curves are attached")
    until(lambda: world["tangential-1"].gap < 1e-6, "and touch")
    with world.lock:  # at one moment
        apart = np.linalg.norm(np.subtract(world["wheel"].position, (curve.cx, curve.cy)))
        assert apart == pytest.approx(world["wheel"].radius + curve.a, abs=0.01)  # from outside
    me.press("Control+z")
    until(lambda: "tangential-1" not in world and "wheel u" not in world, "one undo takes it off")
    until(lambda: np.allclose(me.seen("wheel"), (wx, y), atol=2), "and the page shows it where it was")
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
    wanted = lambda: float(pull.input_value())  # noqa: E731
    until(lambda: wanted() > 3.3 and abs(world["width"].value - wanted()) < 0.02, "the width is pulled there")
    until(lambda: abs(world["height"].value - 9 / wanted()) < 0.02, "and the height follows")
    me.page.mouse.up()
    until(lambda: abs(world["width"].value - 3) < 0.05, "let go, it goes back")
    assert not any(item.type.name == "scalar_spring" for item in world.items)
    me.page.get_by_label("Hold height").click()
    until(lambda: "hold height" in world, "an output is held")
    me.page.get_by_label("Delete area = 9").click()
    until(lambda: "area = 9" not in world, "and a constraint deleted")


@pytest.mark.long
def test_mistyped_numbers_of_a_model_are_told_at_their_field(show, meet):
    world = plane()
    shown = show(world, title="numbers")
    me = meet(shown.url)
    me.page.get_by_role("tab", name="Model").click()
    form = me.page.get_by_role("form", name="Add to the model")
    add = form.get_by_role("button", name="Add", exact=True)
    field = lambda label: form.get_by_label(label, exact=True)  # noqa: E731
    for label, text in (("name", "q"), ("value", "abc"), ("at least", "3"), ("at most", "ten")):
        field(label).fill(text)
    add.click()
    me.sees(".model-editor", "value: “abc” is no number")
    me.sees(".model-editor", "at most: “ten” is no number")
    assert (
        field("value").get_attribute("aria-invalid")
        == field("at most").get_attribute("aria-invalid")
        == "true"
    )
    field("value").fill("4")
    field("at most").fill("2")
    add.click()
    me.sees(".model-editor", "at most: it must be above 3")
    assert "no number" not in me.reads(".model-editor") and not world.items
    field("value").fill("abc")
    form.get_by_label("What to add").select_option("constraint")  # hides the number, which is not sent
    field("formula").fill("1 = 1 + q")
    me.sees(".fault", "unknown name 'q'")
    form.get_by_label("What to add").select_option("variable")
    assert field("value").input_value() == "1" and field("at most").input_value() == ""
    field("at most").fill("2,5")
    add.click()
    until(lambda: "q" in world and world["q <= 2.5"].high == 2.5, "the variable is there with its bound")
    form.get_by_label("What to add").select_option("minimise")
    field("formula").fill("(q - 2)^2")
    add.click()
    until(lambda: "minimise (q - 2)^2" in world, "the objective is there")
    me.page.get_by_role("button", name="Settle").click()
    me.sees(".notices", "at rest")
    assert abs(world["q"].value - 2) < 1e-6


@pytest.mark.long
def test_troids_come_from_drawings_and_meshes(show, meet, tmp_path):
    world = td.World()
    shown = show(world, title="troids")
    me = meet(shown.url)
    me.focus_view()
    for command, name, data, says in (
        ("Troid from a drawing", "cut.svg", DRAWING[:60].encode(), "the drawing 'cut.svg': this is no XML"),
        ("Troid from a drawing", "house.svg", DRAWING.encode(), "2 sheets came in"),
        ("Troid from a mesh", "open.obj", obj(SIDES[1:]), "the mesh 'open.obj': a new block is not closed"),
        ("Troid from a mesh", "box.obj", obj(), "solid came in"),
    ):
        (tmp_path / name).write_bytes(data)
        with me.page.expect_file_chooser() as chooser:
            me.command(command)
        chooser.value.set_files(tmp_path / name)
        me.sees(".notices", says)
    assert [item.type.name for item in world.items].count("troid") == 3
    me.seen("solid")
    me.press("Control+z")
    until(lambda: "solid" not in world and "solid elastic" not in world, "the solid is one step")
    me.press("Control+z")
    until(lambda: not world.items, "and the sheets are one")


@pytest.mark.long
def test_words_on_the_timeline_are_left_out_where_they_would_overlap(show, meet):
    world = td.World()
    ball = world.add(td.Particle("ball", position=(0.0, 0.0, 0.0)))
    for time in (0.5, 4.0, *(6 + 0.05 * k for k in range(20))):
        world.at(time, td.Change("ball", "mass", 1 + time))
    assert ball.mass == 1
    shown = show(world, title="events", is_playing=False)
    me = meet(shown.url)
    until(lambda: me.page.locator(".mark.event").count() == 22, "the events are there")
    assert me.reads(".mark.event .word").split("= ")[1:3] == ["1.5 ", "5 "]
    boxes = sorted(
        (box["x"], box["x"] + box["width"])
        for box in (w.bounding_box() for w in me.page.locator(".lane .word").all())
    )
    assert 2 <= len(boxes) <= 3 and all(right < left for (_, right), (left, _) in pairwise(boxes))


@pytest.mark.long
def test_another_world_has_plots_of_its_own_and_a_gallery_snake_follows_its_film(show, meet):
    world = td.World()
    world.add(td.Particle("ball", position=(0.0, 0.0, 2.0), mass=3.0), td.gravity())
    shown = show(world, title="first", is_playing=False)
    me = meet(shown.url)
    me.sees(".plot figcaption", "58.8")  # m g h
    me.focus_view()
    me.press("Control+Shift+o")
    me.page.get_by_label("Search scenes").fill("snake tracking")
    me.page.get_by_role("button", name="Snake tracking").click()
    session = shown._session
    until(lambda: "film" in session.world, "it is opened")
    until(
        lambda: re.search(r"energy\s+-\d", me.reads(".plot figcaption")),
        "the plot has the energy of this world",
    )
    assert "58.8" not in me.reads(".plot figcaption")
    snake = Snake.of(session.world)
    before = snake.polygon[:, 0].max()
    me.focus_view()
    me.press("Space")
    until(lambda: session.world.time > 3, "the film runs")
    me.press("Space")
    until(lambda: not session.is_playing, "and is paused")
    frame = min(59, int(10 * session.world.time + 1e-6))
    outline = runpy.run_path(str(ROOT / "scenes" / "snake_tracking.py"))["shape"](
        frame, np.linspace(0, 2 * np.pi, 500)
    )
    away = np.hypot(*(snake.polygon[:, None] - outline[None]).transpose(2, 0, 1)).min(axis=1)
    assert away.mean() < 2 and snake.polygon[:, 0].max() > before + 15  # pixels


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
    at = me.catch(lambda: me.seen(point.name))
    me.move((at[0], at[1] - 60))
    until(lambda: snake.polygon[:, 1].max() > CENTRE[1] + RADIUS + 8, "a point of it is pulled away")
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


@pytest.mark.long
def test_a_snake_follows_an_edge_over_frames_that_were_loaded(show, meet, tmp_path):
    world = plane()
    picture = world.add(photo(np.asarray(Image.open(io.BytesIO(disc()))), name="picture-1"))
    snake = Snake(world, picture, ring(CENTRE, RADIUS + 4, 60), name="snake-1")
    for point in snake.points:
        point.mass = QUICK
    shown = show(world, title="frames")
    me = meet(shown.url)
    me.page.get_by_role("tab", name="Image").click()
    frames = [tmp_path / f"frame{k}.png" for k in range(12)]
    for k, frame in enumerate(frames):
        frame.write_bytes(disc(1.5 * k))
    (tmp_path / "small.png").write_bytes(png(np.zeros((20, 20), np.uint8)))

    def load(*files: Path) -> None:
        with me.page.expect_file_chooser() as chooser:
            me.page.get_by_role("button", name="Frames…").click()
        chooser.value.set_files(list(files))

    load(frames[0], tmp_path / "small.png")
    me.sees(".notices", "all must be alike")
    assert not world.timeline
    load(*frames[::-1])  # they are taken by their numbers, 2 before 10
    me.sees(".notices", "12 frames")

    def off() -> float:
        return float(np.abs(np.hypot(*(snake.polygon - CENTRE - (1.5 * 11, 0)).T) - RADIUS).mean())

    until(lambda: off() < 0.5, "it followed the disc to where the last frame has it")
    x, y = middle(me)  # of the image, of which the disc covers more at the right now
    until(lambda: red(me, x + 118, y) > 150 and red(me, x - 65, y) < 120, "and the page shows the last frame")
    me.focus_view()
    me.press("Control+z")
    until(lambda: not world.timeline, "undone, they do not come")


@pytest.mark.long
def test_drawings_and_data_come_from_files_and_faults_are_told(show, meet, tmp_path):
    world = plane()
    shown = show(world, title="files")
    me = meet(shown.url)

    def bring(click: Callable[[], None], name: str, content: str | bytes) -> None:
        (tmp_path / name).write_bytes(content.encode() if isinstance(content, str) else content)
        with me.page.expect_file_chooser() as chooser:
            click()
        chooser.value.set_files(tmp_path / name)

    me.focus_view()
    drawing = (
        '<svg viewBox="0 0 100 60"><path d="M10 10 C 20 40 40 40 50 10"/><circle cx="75" cy="30" '
        'r="12"/></svg>'
    )
    for name, content, says in (
        ("cut.svg", drawing[:60], "the drawing 'cut.svg': this is no XML"),
        ("nan.svg", '<svg><path d="M 0 0 L nan 5"/></svg>', "a number was wanted at 'nan 5'"),
        ("fine.svg", drawing, "2 curves came in"),
    ):
        bring(lambda: me.command("Import SVG"), name, content)
        me.sees(".notices", says)
    assert {item.type.name for item in world.items if item.type.family == "object"} == {"bezier", "circle"}
    with me.page.expect_download() as download:
        me.command("Export the plane")
    again = td.curves_from_svg(Path(download.value.path()))
    assert sorted(item.type.name for item in again) == ["bezier", "circle"]

    me.page.get_by_role("tab", name="Data").click()
    for name, content, says in (
        ("nan.csv", "x,y\n1,2\n3,nan\n", "has nan in row 2, column 2"),
        ("huge.csv", "\n".join(f"{k},{k}" for k in range(3000)), "2000 rows here, not 3000"),
        ("binary.csv", bytes(range(256)), "no UTF-8"),
        ("empty.csv", "", "is empty"),
        ("uneven.json", '{"x": [1, 2], "y": [3]}', "x has 2, y has 1"),
    ):
        bring(lambda: me.page.get_by_text("Load CSV, JSON…").click(), name, content)
        me.sees(".media .error", says)
        assert not me.page.get_by_role("button", name="Fit", exact=True).count()


def test_a_fit_is_pulled_out_of_a_wrong_minimum(show, meet):
    world = plane()
    shown = show(world, title="data")
    me = meet(shown.url)
    me.page.get_by_role("tab", name="Data").click()
    fill(me, "Rows of numbers", "1, 2\n3, x")
    me.page.get_by_role("button", name="Take these").click()
    me.sees(".media .error", "line 2")
    fill(me, "Rows of numbers", "x, y\n" + "\n".join(f"{a:.4f}, {b:.4f}" for a, b in wave()))
    me.page.get_by_role("button", name="Take these").click()
    me.sees(".card", "120 rows")
    me.page.get_by_label("Model", exact=True).select_option("typed")
    fill(me, "Equation", "y = c + a*sin(w*x + p)")
    for name, start in (("c", "0"), ("a", "1.5"), ("w", "2.7"), ("p", "0")):
        until(
            lambda label=f"start of {name}": me.page.get_by_label(label).count() == 1,
            f"{name} is a parameter",
        )
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
    until(lambda: abs(abs(world["a"].value) - 2) < 0.15, "the amplitude is that of the data")


@pytest.mark.long
def test_a_fitted_line_is_dragged_by_the_hand(show, meet):
    world = plane()
    shown = show(world, title="line")
    me = meet(shown.url)
    me.page.get_by_role("tab", name="Data").click()
    rows = [(x, 3 + (0.05 if x % 2 else -0.05)) for x in range(21)]
    fill(me, "Rows of numbers", "\n".join(f"{x} {y}" for x, y in rows))
    me.page.get_by_role("button", name="Take these").click()
    me.sees(".card", "21 rows")
    me.page.get_by_role("button", name="Fit", exact=True).click()
    until(
        lambda: "b" in world and abs(world["a"].value + 10 * world["b"].value - 3) < 0.02, "the line is there"
    )
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
    until(
        lambda: red(me, x - 40, y + 30) < 60 and red(me, x + 40, y + 30) > 150,
        "the halves have changed places",
    )
    world.undo()
    until(lambda: red(me, x - 40, y + 30) > 150 and red(me, x + 40, y + 30) < 60, "and back")


def sphere(count: int = 60) -> np.ndarray:
    """Places on the unit sphere."""
    places = np.random.default_rng(3).normal(size=(count, 3))
    return places / np.linalg.norm(places, axis=1)[:, None]


@pytest.mark.long
def test_a_fitted_sphere_is_drawn_as_a_surface_also_while_paused(show, meet):
    world = plane()
    Fit("sphere", sphere(), columns=("x", "y", "z"), world=world, cx=0.0, cy=0.0, cz=0.0, r=0.1)
    shown = show(world, title="sphere", is_playing=False)
    me = meet(shown.url)
    x, y = middle(me)
    spots = [(x + dx, y + dy) for dx in (-60, -20, 20, 60) for dy in (-60, -20, 20, 60)]
    covered = lambda: sum(red(me, *spot) < 190 for spot in spots)  # noqa: E731
    until(lambda: covered() < 6, "a small one leaves the ground free")
    world["r"].value = 1.0
    until(lambda: covered() == 16, "a large one is over and under the ground, everywhere")
    world["r"].value = 0.1
    until(lambda: covered() < 6, "and it goes back")


@pytest.mark.long
def test_a_fitted_sphere_is_dragged_at_its_surface(show, meet):
    world = plane()
    Fit("sphere", sphere(), columns=("x", "y", "z"), world=world, cx=0.0, cy=0.0, cz=0.0, r=1.0)
    shown = show(world, title="sphere")
    me = meet(shown.url)
    x, y = middle(me)
    until(lambda: red(me, x - 20, y - 20) < 190, "the surface is drawn")
    me.take((x, y - 70))
    me.move((x, y - 170))
    me.sees(".readout", "pulling fit")
    until(lambda: world["cz"].value > 0.2, "it is pulled up at a point near its top")
    me.drop()
    until(
        lambda: abs(world["cz"].value) < 0.01 and abs(world["r"].value - 1) < 0.01,
        "and goes back to the data",
    )
    assert not any(item.name.startswith("datum") for item in world.items)


@pytest.mark.long
def test_circles_are_made_equal_tangent_and_mirror_images_by_hand(show, meet):
    world = plane()
    shown = show(world, title="drawing")
    me = meet(shown.url)
    for button, name in (
        ("Circle", "circle-1"),
        ("Circle", "circle-2"),
        ("Circle", "circle-3"),
        ("Line", "line-1"),
    ):
        me.focus_view()
        me.press("c")
        me.page.get_by_role("button", name=button, exact=True).click()
        until(
            lambda name=name: name in world and not me.page.locator("dialog[open]").count(),
            f"{name} is there",
        )
    one, two, three, line = (world[name] for name in ("circle-1", "circle-2", "circle-3", "line-1"))
    # beside each other
    assert two.position[0] - one.position[0] > 2 and three.position[0] - two.position[0] > 2
    middle_x = (two.position[0] + three.position[0]) / 2
    wanted = {"points[0].x": middle_x, "points[0].y": -1, "points[1].x": middle_x, "points[1].y": 1}
    for k, (what, value) in enumerate(wanted.items()):
        field = me.page.get_by_role("textbox", name=what, exact=True)
        field.fill(str(value))
        me.press("Enter")
        until(lambda k=k, value=value: abs(np.ravel(line.points)[k] - value) < 1e-3, what)
        until(
            lambda field=field, value=value: abs(float(field.input_value()) - value) < 1e-3,
            "the page has it too",
        )
        me.page.get_by_label(f"Lock {what}").click()
        until(lambda what=what: f"lock line-1.{what}" in world, f"{what} is locked")

    def picked(words: str, constraint: str, *places: tuple[str, str, float]) -> None:
        """Choose a command and click on curves, each a share of the way from one to another."""
        me.command(words)
        for k, (name, other, share) in enumerate(places):
            me.sees(".prompt", ("first", "second", "third")[k])
            me.click(me.towards(name, other, share))
        until(lambda: constraint in world, f"{constraint} is there")

    # A circle is seen at its rightmost point, two metres from its leftmost.
    apart = two.position[0] - one.position[0]
    left = ("circle-2", "circle-1", 2 / apart)
    picked("Equal radii", "equal radii", ("circle-1", "circle-1", 0), ("circle-2", "circle-1", 0))
    picked("Attach: tangent", "tangential-1", ("circle-1", "circle-1", 0), left)
    until(lambda: world["tangential-1"].gap < 1e-6, "they touch")
    picked(
        "Mirror images",
        "mirror images",
        ("circle-2", "circle-1", 0),
        ("circle-3", "circle-1", 0),
        ("line-1", "line-1", 0),
    )
    me.press("Escape")
    old = one.radius, one.position[0]
    x, y = me.seen("circle-1")
    metre = (me.seen("circle-3")[0] - x) / (three.position[0] + three.radius - one.position[0] - one.radius)
    at = (x - one.radius * metre, y - one.radius * metre)  # its top
    me.take(at)
    me.move((at[0] - 0.3 * metre, at[1] - 0.8 * metre))
    until(lambda: one.radius > old[0] + 0.1, "the first is pulled, and grows")

    def off() -> float:
        (a, b, c), (x, y) = (np.array(i.position) for i in (one, two, three)), (middle_x, 0.0)
        image = np.array((2 * x - b[0], b[1] + y))
        touch = np.linalg.norm(b - a) - one.radius - two.radius
        return float(
            max(
                abs(touch),
                abs(one.radius - two.radius),
                abs(two.radius - three.radius),
                np.abs(image - c).max(),
            )
        )

    until(lambda: off() < 1e-3, "the others follow: equal, touching, mirrored")
    assert abs(one.position[1]) > 0.05 and two.radius > old[0] + 0.05
    me.drop()
    until(lambda: not me.reads(".readout"), "the hand is empty")
    me.press("Control+z", "Control+z")
    until(lambda: "mirror images" not in world and "equal radii" in world, "undone, the drag and the mirror")


@pytest.mark.long
def test_a_four_bar_is_made_of_lines_by_hand(show, meet):
    world = plane()
    crank, coupler, rocker = world.add(
        td.Line("crank", points=((0, 0), (0, 1))),
        td.Line("coupler", points=((0.05, 1.05), (2, 1.5))),
        td.Line("rocker", points=((2.05, 1.5), (2, 0))),
    )
    shown = show(world, title="four bar")
    me = meet(shown.url)

    def at(*place: float) -> tuple[float, float]:
        """Where a place is in the page: the crank is seen at its first point, and so is the rocker."""
        (x, y), (u, _) = me._seen("crank", "rocker")
        metre = (u - x) / (rocker.points[0][0] - crank.points[0][0])
        return x + metre * (place[0] - crank.points[0][0]), y - metre * (place[1] - crank.points[0][1])

    for line in (crank, coupler, rocker):
        me.command("Keep its length")
        me.sees(".prompt", "curve")
        me.click(at(*np.mean(line.points, axis=0)))
        until(lambda line=line: f"length of {line.name}" in world, f"the length of {line.name} is kept")
    for k, (first, second) in enumerate(
        ((crank.points[1], coupler.points[0]), (coupler.points[1], rocker.points[0])), 1
    ):
        me.command("Attach at a fixed point")
        me.sees(".prompt", "first")
        me.click(at(*first))
        me.sees(".prompt", "second")
        me.click(at(*second))
        until(
            lambda k=k: f"connect-{k}" in world and world[f"connect-{k}"].gap < 1e-6, "two ends are attached"
        )
    for k, end in enumerate((crank.points[0], rocker.points[1]), 1):
        me.focus_view()
        me.page.mouse.move(*at(*end))
        me.press("n")  # what is under the pointer
        until(lambda k=k: f"nail-{k}" in world, "an end is nailed")
    me.press("Escape")
    ends = [(world[f"nail-{k}"].inputs[0].inputs[0].name, world[f"nail-{k}"].inputs[0].u) for k in (1, 2)]
    assert ends == [("crank", 0.0), ("rocker", 1.0)] and world.diagnose().freedoms == 1
    lengths, place = [math.dist(*line.points) for line in (crank, coupler, rocker)], rocker.points[0]
    start = np.mean(crank.points, axis=0)
    to = at(start[0] + 0.8, start[1] - 0.3)
    me.take(at(*start))
    me.move(to)
    until(lambda: math.dist(rocker.points[0], place) > 0.2, "the rocker follows the crank")
    assert [math.dist(*line.points) for line in (crank, coupler, rocker)] == pytest.approx(lengths, abs=1e-4)
    me.drop()
