"""Curves, models, images and data over the socket: what they do, and what becomes of bad formulas, images and
data."""

from __future__ import annotations

import base64
import io
import json
import math
import struct
import warnings
import zlib

import numpy as np
import pytest
from PIL import Image
from scipy.optimize import curve_fit

import tinkerdyne as td
from tests.studio.page import Page
from tests.studio.test_script import again, assert_near, same
from tests.studio.unpacked import content
from tinkerdyne.behaviors.images import photo
from tinkerdyne.optimise.fit import Fit
from tinkerdyne.optimise.snake import Snake, circle
from tinkerdyne.studio.media.pictures import LARGEST_SIDE
from tinkerdyne.studio.media.uploads import LARGEST_FILE
from tinkerdyne.studio.show import share

SIDE, RADIUS, CENTRE = 120, 32.0, np.array((62.0, 57.0))  # pixels of a disc in an image, y upwards


def plane() -> td.World:
    return td.World(order=1, max_step=1 / 60)


@pytest.fixture
def shown(show):
    return show(plane(), title="medium")


@pytest.fixture
def page(shown):
    found = Page(shown._server)
    yield found
    found.close()


def inside() -> np.ndarray:
    """The pixels of the disc."""
    y, x = np.mgrid[SIDE - 0.5 : 0 : -1, 0.5:SIDE]
    return np.hypot(x - CENTRE[0], y - CENTRE[1]) < RADIUS


def disc(aside: float = 0.0) -> bytes:
    """A grey PNG with a bright disc, so many pixels to the right."""
    y, x = np.mgrid[SIDE - 0.5 : 0 : -1, 0.5:SIDE]
    bright = 50 + 150 / (1 + np.exp(np.hypot(x - CENTRE[0] - aside, y - CENTRE[1]) - RADIUS))
    return png(bright.astype(np.uint8))


def png(pixels: np.ndarray) -> bytes:
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG")
    return file.getvalue()


def upload(page: Page, name: str, data: bytes, part: int = 300_000) -> str:
    for offset in range(0, len(data), part):
        piece = base64.b64encode(data[offset : offset + part]).decode()
        page.ask("upload", file=name, offset=offset, size=len(data), data=piece)
    return name


def faults(page: Page, *texts: str, what: str = "curve", spans=("0", "2*pi"), **numbers: float) -> list[dict]:
    return page.ask("check", what=what, texts=texts, numbers=numbers, spans=spans)["faults"]


# --- curves ----------------------------------------------------------------------------------------
def test_faults_of_typed_curves_point_at_the_character(page):
    assert faults(page, "a*cos(u)", "b*sin(u)", a=1, b=2) == []
    assert faults(page, "c.x + cos(u)", "c.y + sin(u)", **{"c.x": 0, "c.y": 0}) == []
    [fault] = faults(page, "a*cos(u)", "b*sin(u", a=1, b=2)
    assert (fault["field"], fault["position"]) == (1, 5) and "never closed" in fault["reason"]
    [fault] = faults(page, "a*cos(u)", "a + 1 + lenght*u", a=1)
    assert (fault["field"], fault["position"]) == (1, 8) and "unknown name" in fault["reason"]
    for text in (
        "__import__('os').system('ls')",
        "(lambda: 1)()",
        "9**9**9",
        "a.real",
        "[a for a in u]",
        "x" * 600,
        "u\0",
    ):
        [fault] = faults(page, "a*u", text, a=1)
        assert fault["field"] == 1, text
    assert faults(page, "a*u", "b", a=1, b=1, spans=("0", "2*p"))[0]["field"] == -3
    assert "nothing that could change" in faults(page, "cos(u)", "sin(u)")[0]["reason"]
    assert "no place at u" in faults(page, "a*u", "log(u - 1)", a=1)[0]["reason"]
    assert "not to" not in faults(page, "a*u", "u", a=1, spans=("1", "0"))[0]["reason"]
    assert page.ask("check", what="relation", texts=["3 <= 2*zz"])["faults"][0]["position"] == 7
    assert "one of =" in page.ask("check", what="relation", texts=["1 < 2 < 3"])["faults"][0]["reason"]


def test_a_typed_curve_is_pulled_at_any_point_and_the_whole_drag_undone(page, shown):
    values = {
        "text": ["cx + a*cos(u)", "cy + b*sin(u)"],
        "names": ["cx", "cy", "a", "b"],
        "numbers": [0, 0, 1, 0.5],
    }
    [name] = page.ask("insert", of="typed_curve", values=values | {"span": [0, 2 * math.pi]})
    assert page.item(name)["shape"]["spans"] == [0, pytest.approx(2 * math.pi)]
    u = 0.7
    handle = page.ask("grab", item=name, at=[u])
    target = np.array((1.6, 0.9))
    page.ask("drag", handle=handle, to=target.tolist())

    def held() -> tuple[float, float]:
        cx, cy, a, b = page.track(name, "state")
        return cx + a * math.cos(u), cy + b * math.sin(u)

    page.until(lambda: np.allclose(held(), target, atol=0.02))
    page.ask("release", handle=handle)
    page.ask("undo")
    assert shown.world[name].numbers == (0, 0, 1, 0.5)


@pytest.mark.parametrize("how", ["fixed", "slide", "cross", "tangent", "equal_length", "equal_area"])
def test_attached_curves_come_together_and_one_undo_takes_it_all_back(how, page, shown):
    world = shown.world
    a, b = world.add(
        td.Circle("a", position=(0, 0), radius=1.0), td.Ellipse("b", position=(2.2, 0.3), radii=(0.9, 0.6))
    )
    before = set(world.contents.names)
    made = page.ask("attach", how=how, a="a@0.2", b="b@3.0")
    page.until(lambda: world[made[0]].gap < 1e-6)
    page.ask("play", is_playing=False)  # read at one moment
    if how == "equal_area":
        assert a.radius**2 == pytest.approx(b.radii[0] * b.radii[1], abs=1e-6)
    if how == "tangent":
        u, w = world["a u"].value, world["b u"].value
        touch = np.array(a.position) + a.radius * np.array((math.cos(u), math.sin(u)))
        other = np.array(b.position) + np.array((b.radii[0] * math.cos(w), b.radii[1] * math.sin(w)))
        # its angle is still zero, to a percent
        slope = np.array((-b.radii[0] * math.sin(w), b.radii[1] * math.cos(w)))
        assert np.allclose(touch, other, atol=0.05)
        assert abs(slope @ (math.cos(u), math.sin(u))) < 0.1 * np.linalg.norm(slope)
    page.ask("undo")
    assert set(world.contents.names) == before and world["a"].radius == 1.0


def test_radii_lengths_and_mirror_images_are_kept_and_undone(page, shown):
    world = shown.world
    a, b = world.add(td.Circle("a", position=(-2, 0)), td.Circle("b", position=(2, 0.4), radius=0.6))
    line = world.add(td.Line("line", points=((0, -1), (0, 1))))
    before = set(world.contents.names)
    assert page.ask("attach", how="equal_radius", a="a@0", b="b@0")[0] == "equal radii"
    page.until(lambda: abs(a.radius - b.radius) < 1e-6)
    page.ask("undo")
    assert set(world.contents.names) == before and (a.radius, b.radius) == (1.0, 0.6)
    assert page.ask("attach", how="mirror", a="a@0", b="b@0", line="line@0.5")[0] == "mirror images"
    page.until(lambda: world["mirror images"].gap < 1e-6 and abs(a.radius - b.radius) < 1e-6)
    page.ask("undo")
    assert (
        page.ask("attach", how="mirror_points", a="a@0", b="b@3.141592653589793", line="line@0.5")[0]
        == "mirrored points"
    )
    page.until(lambda: world["mirrored points"].gap < 1e-6)
    page.ask("undo")
    assert page.ask("attach", how="keep_length", a="line@0")[0] == "length of line"
    handle = page.ask("grab", item="line", at=[1.0])
    page.ask("drag", handle=handle, to=[3.0, 3.0])
    page.until(lambda: line.points[1][0] > 1)
    page.ask("release", handle=handle)
    page.ask("play", is_playing=False)  # between two steps
    assert math.dist(*line.points) == pytest.approx(2.0, abs=1e-4)
    assert "no straight line" in page.refused("attach", how="mirror", a="a@0", b="b@0", line="b@0")
    assert "no ''" in page.refused("attach", how="mirror", a="a@0", b="b@0")


def test_a_troid_that_is_too_stiff_pauses_the_world_and_is_named(page, shown):
    page.ask("new", dimension=2, order=2)
    page.ask("play", is_playing=True)
    world = shown.world
    [body, force] = page.ask("sheet", places=[[0, 0], [1, 0], [1, 1]], stiffness=100)
    world[body].shape = (1.02, 0.0, 0.0, 1.0)  # it swings
    page.ask(
        "apply", edit={"edit": "Change", "name": force, "parameter": "stiffness", "value": 1e12, "key": 0}
    )
    page.until(lambda: any("too stiff" in n["text"] and body in n["text"] for n in page.notices))
    assert np.abs(world[body].shape).max() < 1.1


def test_a_single_number_is_locked_and_let_go(page, shown):
    ring = shown.world.add(td.Circle("ring", radius=1.0))
    page.ask("lock", item="ring", what="radius")
    assert "locked already" in page.refused("lock", item="ring", what="radius")
    handle = page.ask("grab", item="ring", at=[0.0])
    page.ask("drag", handle=handle, to=[3.0, 0.0])
    page.until(lambda: ring.position[0] > 1.5)
    page.ask("play", is_playing=False)  # between two steps
    assert ring.radius == pytest.approx(1.0, abs=1e-6)
    page.ask("release", handle=handle)
    page.ask("lock", item="ring", what="radius", is_locked=False)
    assert "is not locked" in page.refused("lock", item="ring", what="radius", is_locked=False)
    assert "has no 'size'" in page.refused("lock", item="ring", what="size")


def test_attaching_says_what_cannot_be(page, shown):
    shown.world.add(td.Circle("ring"), td.Particle("dot", position=(2.0, 0.0)))
    before, edits = set(shown.world.contents.names), len(shown.world.history)
    assert "is no curve" in page.refused("attach", how="tangent", a="ring@0", b="dot")
    assert "must end with the parameter" in page.refused("attach", how="fixed", a="ring@x", b="dot")
    assert "no 'gone'" in page.refused("attach", how="fixed", a="ring@0", b="gone")
    assert set(shown.world.contents.names) == before and len(shown.world.history) == edits
    page.ask("attach", how="slide", a="ring@0", b="dot")  # the dot slides along the ring
    page.until(
        lambda: (
            abs(np.hypot(*np.subtract(shown.world["dot"].position, shown.world["ring"].position)) - 1) < 0.6
        )
    )


def test_drawings_come_in_as_curves_and_go_out(page, shown):
    drawing = (
        '<svg viewBox="0 0 100 50"><path d="M0 0 C 10 20 30 20 40 0 L 60 10"/><circle cx="80" cy="25" '
        'r="10"/></svg>'
    )
    names = page.ask("load", what="svg", files=[upload(page, "a.svg", drawing.encode())])
    assert len(names) == 3
    round_ = shown.world[names[-1]]
    # three metres wide
    assert round_.radius == pytest.approx(0.3) and np.allclose(round_.position, (2.4, -0.75))
    assert "<ellipse" in page.ask("report", what="svg")["text"]
    page.ask("undo")
    assert not shown.world.items
    bad = {
        "<svg": "XML",
        "": "empty",
        "<html/>": "no SVG",
        "<!ENTITY a><svg/>": "entities",
        "<svg/>": "no path",
    }
    for text, word in bad.items():
        assert word in page.refused("load", what="svg", text=text), text


# --- models ----------------------------------------------------------------------------------------
def box(page: Page) -> None:
    for name, value in (("width", 1.0), ("depth", 2.0), ("height", 4.0)):
        page.ask("define", part="variable", name=name, value=value, low=0.1)
    page.ask("define", part="constraint", text="width*depth*height = 8")
    page.ask("define", part="output", name="surface", text="2*(width*depth + depth*height + height*width)")
    page.ask("define", part="minimise", text="surface")


def test_a_slider_pulls_an_output_and_the_others_follow_to_the_closed_form(page, shown):
    box(page)
    world = shown.world
    page.until(lambda: abs(page.track("surface", "state")[0] - 24) < 1e-2)  # the cube
    handle = page.ask("grab", item="width")
    page.ask("drag", handle=handle, to=[3.0])
    other = math.sqrt(8 / 3)
    page.until(lambda: abs(world["depth"].value - other) < 2e-2 and abs(world["height"].value - other) < 2e-2)
    assert world["width"].value == pytest.approx(3, abs=2e-2)
    page.ask("release", handle=handle)
    handle = page.ask("grab", item="surface")
    page.ask("drag", handle=handle, to=[30.0])
    page.until(lambda: abs(page.track("surface", "state")[0] - 30) < 0.1)
    with world.lock:  # at one moment
        assert world["width"].value * world["depth"].value * world["height"].value == pytest.approx(
            8, abs=1e-6
        )
    page.ask("release", handle=handle)
    page.ask("define", part="hold", name="height")
    with world.lock:
        held = world["height"].value
    page.read(0.3)
    with world.lock:
        assert world["height"].value == pytest.approx(held, abs=1e-6)


def test_parts_of_a_model_are_changed_deleted_and_undone(page, shown):
    box(page)
    world = shown.world
    page.ask("define", part="constraint", text="width*depth*height = 27", replaces="width*depth*height = 8")
    page.until(lambda: abs(world["width"].value - 3) < 0.05)
    page.ask("define", part="variable", name="width", value=2.0, low=0.5, high=2.5, replaces="width")
    page.until(lambda: world["width"].value <= 2.5 + 1e-6)
    assert "width >= 0.1" not in world and world["width <= 2.5"].high == 2.5
    page.ask("undo")
    assert "width >= 0.1" in world and "width <= 2.5" not in world
    gone = page.ask("delete", names=["surface"])
    assert "minimise surface" in gone
    count = len(world.items)
    for words, fields in (
        ("unknown name", {"part": "minimise", "text": "wdith^2"}),
        ("a relation has one of", {"part": "constraint", "text": "width"}),
        ("letters, digits", {"part": "variable", "name": "2x"}),
        ("meaning of its own", {"part": "variable", "name": "sin"}),
        ("already", {"part": "variable", "name": "width"}),
        ("below the upper", {"part": "variable", "name": "q", "low": 2.0, "high": 1.0}),
        (
            "below the upper",
            {"part": "variable", "name": "width", "low": 2.0, "high": 1.0, "replaces": "width"},
        ),
        ("no variable or output", {"part": "hold", "name": "nothing"}),
        ("is used by", {"part": "output", "name": "depth", "text": "1", "replaces": "depth"}),
        ("stands in formulas", {"part": "variable", "name": "wide", "replaces": "width"}),
    ):
        assert words in page.refused("define", **fields), fields
    assert len(world.items) == count


def test_a_model_needs_a_first_order_world(show):
    shown = show(td.World(), title="second")
    page = Page(shown._server)
    assert "first-order world" in page.refused("define", part="variable", name="a")
    upload(page, "a.png", disc())
    assert "first-order world" in page.refused("load", what="picture", files=["a.png"])
    page.ask("new", dimension=2, order=1)
    page.until(lambda: page.latest["Model"]["settings"]["order"] == 1)
    assert page.latest["Model"]["dimension"] == 2
    page.close()


# --- images ----------------------------------------------------------------------------------------
def test_a_snake_finds_a_disc_and_its_mask_is_the_disc(page, shown):
    world = shown.world
    [name] = page.ask("load", what="picture", files=[upload(page, "disc.png", disc(), part=1000)])
    seen = page.ask("report", what="picture", name=name)
    assert seen["size"] == [SIDE, SIDE] and seen["image"].startswith("data:image/png;base64,")
    assert page.item(name)["values"]["image"].startswith("image ")  # the page asks for it
    snake = page.ask("snake", picture=name, centre=CENTRE.tolist(), radius=45.0)
    found = Snake.of(world, snake)
    page.until(lambda: np.abs(np.hypot(*(found.polygon - CENTRE).T) - RADIUS).mean() < 0.4)
    mask = (
        np.asarray(
            Image.open(io.BytesIO(base64.b64decode(page.ask("report", what="mask", name=snake)["data"])))
        )
        > 0
    )
    assert (mask & inside()).sum() / (mask | inside()).sum() > 0.97
    table = page.ask("report", what="csv", name=snake)["text"].splitlines()
    assert table[0] == "x,y,row,column" and len(table) == 1 + len(found.points)
    x, y, row, column = map(float, table[1].split(","))
    assert (column, row) == pytest.approx((x - 0.5, SIDE - y - 0.5), abs=1e-3)
    assert json.loads(page.ask("report", what="json", name=snake)["text"])["is_closed"]
    assert "<path" in page.ask("report", what="outline", name=snake)["text"]
    hill = page.ask("volcano", snake=snake, at=[CENTRE[0] + RADIUS, CENTRE[1]], width=8.0)
    page.until(lambda: np.hypot(*(found.polygon - CENTRE - (RADIUS, 0)).T).min() > 8)
    page.ask("undo")
    assert f"{hill} 0" not in world
    page.ask("tune", name=snake, values={"tension": 0.5})
    assert world[f"{snake} 3 link"].tension == 0.5
    page.ask("undo")
    page.ask("undo")
    assert [item.name for item in world.items] == [name]  # the snake was one step


def far_snake(page: Page) -> None:
    """A polygon 20 to 50 pixels off the edge of a smooth ellipse in an image of 300 × 200."""
    y, x = np.mgrid[:200, :300]
    image = np.where(((x - 140) / 60) ** 2 + ((y - 90) / 40) ** 2 < 1, 200, 30).astype(np.uint8)
    [name] = page.ask("load", what="picture", files=[upload(page, "far.png", png(image))])
    page.ask("play", is_playing=False)
    page.ask("snake", picture=name, places=[[36, 170], [220, 165], [240, 60], [50, 50]])


def overlap(snake: Snake) -> float:
    """Intersection over union of a snake and the ellipse."""
    y, x = np.mgrid[:200, :300]
    mask, true = snake.mask(), ((x - 140) / 60) ** 2 + ((y - 90) / 40) ** 2 < 1
    return float((mask & true).sum() / (mask | true).sum())


def test_a_snake_comes_from_afar_in_two_seconds_of_the_world(page, shown):
    far_snake(page)
    snake = Snake.of(shown.world, "snake-1")
    assert overlap(snake) < 0.4
    begin = shown.world.time
    while shown.world.time < begin + 2:
        page.ask("play", steps=10)
    assert overlap(snake) > 0.99


def test_a_snake_model_and_fit_settle_at_once_and_one_undo_takes_it_back(page, shown):
    world = shown.world
    far_snake(page)
    snake = Snake.of(world, "snake-1")
    before, now = snake.polygon, world.time
    page.ask("settle", name="snake-1")
    assert overlap(snake) > 0.99 and world.time == now
    page.ask("undo")
    assert np.array_equal(snake.polygon, before)
    page.ask("new", dimension=2, order=1)
    page.ask("define", part="variable", name="q", value=5.0)
    page.ask("define", part="minimise", text="(q - 2)^2")
    world = shown._session.world
    assert page.ask("settle").startswith("at rest")
    assert world["q"].value == pytest.approx(2, abs=1e-8)
    name = page.ask("fit", model="line", rows=[[k, 1 + 2 * k] for k in range(9)])
    assert page.ask("settle", name=name).startswith("at rest")
    assert world["b"].value == pytest.approx(2, abs=1e-8)
    assert "no snake 'none'" in page.refused("settle", name="none")
    page.ask("new", dimension=2, order=2)
    assert "first-order" in page.refused("settle")


def test_a_sequence_of_frames_is_shown_by_the_timeline(page, shown):
    world = shown.world
    [name] = page.ask("load", what="picture", files=[upload(page, "0.png", disc())])
    page.ask("play", is_playing=False)
    shots = [np.roll(np.asarray(Image.open(io.BytesIO(disc()))), k, axis=1) for k in range(4)]
    names = [upload(page, f"{k}.png", png(shot)) for k, shot in enumerate(shots)]
    page.ask("load", what="frames", picture=name, files=names, rate=20.0)
    assert len(world.timeline) == 3
    first = page.item(name)["values"]["image"]
    page.ask("play", steps=20)
    page.until(lambda: page.latest["Values"]["items"].get(name, {}).get("image", first) != first)
    assert np.array_equal(world[name].image.pixels, shots[-1])
    plan = page.latest["Model"]["timeline"]
    entries = [entry["entry"] for entry in plan]
    assert (
        all(entry["title"] == f"{name}.image = another image" for entry in plan)
        and len(json.dumps(entries)) < 2000
    )
    before = [(event.time, event.what) for event in world.timeline]
    entries[0]["time"] += 0.01  # as a page moves an event: the others go with it
    page.ask("apply", edit={"edit": "Plan", "entries": entries[:2]})
    assert [(event.time, event.what) for event in world.timeline] == [
        (before[0][0] + 0.01, before[0][1]),
        before[1],
    ]
    small = upload(page, "small.png", png(np.zeros((10, 10), np.uint8)))
    other = upload(page, "other.png", disc())
    assert "all must be alike" in page.refused("load", what="frames", picture=name, files=[other, small])


def bomb(width: int, height: int) -> bytes:
    """A small PNG that says it is huge."""
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    chunks = [(b"IHDR", head), (b"IDAT", zlib.compress(b"\0" * 1000)), (b"IEND", b"")]
    out = b"\x89PNG\r\n\x1a\n"
    for kind, data in chunks:
        out += struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return out


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"no image at all", "no PNG or JPEG"),
        (b"GIF89a" + b"\0" * 50, "no PNG or JPEG"),
        (disc()[:-400], "cannot be read"),
        (bomb(60_000, 60_000), f"at most {LARGEST_SIDE}"),
        (bomb(3000, 3000), f"at most {LARGEST_SIDE}"),
        (bomb(2000, 2000), "cannot be read"),
        (png(np.zeros((2, 2), np.uint8)), "pixels a side"),
    ],
)
def test_a_bad_image_is_refused_and_nothing_changes(data, words, page, shown):
    upload(page, "bad.png", data)
    assert words in page.refused("load", what="picture", files=["bad.png"])
    assert not shown.world.items and not page.latest["Model"]["can_undo"]


def test_uploads_are_bounded_and_checked(page, shown):
    good = base64.b64encode(b"abc").decode()
    assert "is empty" in page.refused("upload", file="a", offset=0, size=0, data="")
    assert "more than" in page.refused("upload", file="a", offset=0, size=LARGEST_FILE + 1, data=good)
    assert "not base64" in page.refused("upload", file="a", offset=0, size=10, data="***")
    assert "more than was said" in page.refused("upload", file="a", offset=0, size=2, data=good)
    page.ask("upload", file="a", offset=0, size=6, data=good)
    assert "was due" in page.refused("upload", file="a", offset=5, size=6, data=good)
    assert "needs a name" in page.refused("upload", file="", offset=0, size=3, data=good)
    assert "was not brought" in page.refused("load", what="picture", files=["a"])  # half of it
    assert "was not brought" in page.refused("load", what="data", files=["../../etc/passwd"])
    page.ask("upload", file="a", offset=0, size=3, data=good)
    other = Page(shown._server)
    # files belong to the page that brought them
    assert "was not brought" in other.refused("load", what="data", files=["a"])
    other.close()


def test_snakes_say_what_they_need(page, shown):
    shown.world.add(
        photo(np.asarray(Image.open(io.BytesIO(disc()))), name="shot"),
        td.Particle("dot", position=(0.0, 0.0)),
    )
    assert "is no picture" in page.refused("snake", picture="dot", centre=[1, 1], radius=2)
    assert "2 to" in page.refused("snake", picture="shot", places=[])
    assert "three places" in page.refused("snake", picture="shot", places=[[0, 0], [5, 5]])
    assert "positive" in page.refused("snake", picture="shot", centre=[50, 50], radius=-2)
    assert "must have a length" in page.refused("snake", picture="shot", places=[[5, 5]] * 3)
    assert "no snake" in page.refused("report", what="mask", name="none")
    snake = page.ask("snake", picture="shot", places=[[10, 10], [60, 60]], is_closed=False)
    assert "no inside" in page.refused("report", what="mask", name=snake)


# --- data ------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "are empty"),
        ("x, y\n", "rows of numbers"),
        ("1, 2\n3, nan", "has nan in row 2, column 2"),
        ("1, 2\n3, 1e999", "has inf"),
        ("1, 2\n3", "line 2 has 1 numbers"),
        ("1, 2\n3, four", "line 2"),
        ("1, 2, 3, 4", "2 columns (x, y) or 3"),
        ("[[1, 2], [3, NaN]]", "has nan"),
        ('{"x": [1, 2], "y": [3]}', "x has 2, y has 1"),
        ("[[1, 2], [3]]", "rows of numbers"),
        ('{"x": 1}', "lists of numbers"),
        ("[" * 100_000, "no JSON"),
        ("[[1, 2]", "no JSON"),
        ("\n".join(f"{k} {k}" for k in range(3000)), "2000 rows"),
    ],
)
def test_bad_data_are_refused_with_the_place(text, words, page):
    assert words in page.refused("load", what="data", text=text)


def test_data_come_from_tables_and_json(page):
    assert page.ask("load", what="data", text="time;height\n1;2\n3;4") == {
        "columns": ["time", "height"],
        "rows": [[1, 2], [3, 4]],
    }
    assert page.ask("load", what="data", text='{"x": [1, 2], "y": [3, 4]}')["rows"] == [[1, 3], [2, 4]]
    found = page.ask(
        "load", what="data", files=[upload(page, "a.csv", "\ufeff1 2 # first\n\n3 4\n".encode())]
    )
    assert found == {"columns": ["x", "y"], "rows": [[1, 2], [3, 4]]}
    upload(page, "b.csv", b"\xff\xfe1")
    assert "no text" in page.refused("load", what="data", files=["b.csv"])


def wave() -> np.ndarray:
    x = np.linspace(0, 12, 120)
    return np.stack(
        [x, 0.3 + 2 * np.sin(1.7 * x + 0.4) + 0.2 * np.random.default_rng(7).normal(size=x.size)], 1
    )


def test_a_fit_runs_to_the_least_squares_and_is_pulled(page, shown):
    rows = wave()
    name = page.ask("fit", model="sinusoid", rows=rows.tolist())
    best, covariance = curve_fit(
        lambda x, c, a, w, p: c + a * np.sin(w * x + p), *rows.T, p0=(0.3, 2, 1.7, 0.4)
    )
    page.until(
        lambda: abs(shown.world["w"].value - best[2]) < 2e-3 and abs(shown.world["p"].value - best[3]) < 2e-2
    )
    report = page.ask("report", what="fit", name=name)
    assert report["uncertainties"]["w"] == pytest.approx(math.sqrt(covariance[2, 2]), rel=0.05)
    assert report["rms"] == pytest.approx(0.2, rel=0.2) and report["rows"] == 120
    handle = page.ask("grab", item=name, at=[0.0, 0.3])
    page.ask("drag", handle=handle, to=[0.0, 3.0])
    page.until(lambda: page.ask("report", what="fit", name=name)["rms"] > 0.4)
    page.ask("release", handle=handle)
    page.until(lambda: page.ask("report", what="fit", name=name)["rms"] < 0.25)
    page.ask("undo")  # the pull
    page.ask("undo")
    assert not shown.world.items


def test_a_robust_fit_leaves_outliers_alone(page, shown):
    x = np.linspace(0, 1, 40)
    rows = np.stack([x, 1 + 2 * x], 1)
    rows[::8, 1] += 5
    name = page.ask("fit", model="line", rows=rows.tolist())
    page.until(lambda: shown.world["a"].value > 1.3)  # five of forty rows drag it up
    page.ask("tune", name=name, values={"limit": 0.3})
    # 5/35 of the limit
    page.until(lambda: abs(shown.world["a"].value - 1) < 0.15 and abs(shown.world["b"].value - 2) < 0.2)
    assert page.ask("report", what="fit", name=name)["outliers"] == 5
    page.ask("tune", name=name, values={"limit": 0})
    assert page.ask("report", what="fit", name=name)["limit"] == 0
    assert "has no" in page.refused("tune", name=name, values={"tension": 1})


def test_robust_in_scatters_finds_the_scatter_among_outliers_and_is_one_step(page, shown):
    """The limit is the 1.345 scatters of the noise, though every ninth row is 2 off, forty times the
    noise."""
    x, noise = np.linspace(0, 10, 80), 0.05
    true = {"a1": 3.0, "m1": 3.0, "s1": 0.8, "a2": 2.0, "m2": 7.0, "s2": 1.0}
    bells = (true[f"a{k}"] * np.exp(-(((x - true[f"m{k}"]) / true[f"s{k}"]) ** 2) / 2) for k in (1, 2))
    y = sum(bells) + noise * np.random.default_rng(0).normal(size=x.size)
    y[::9] += 2
    name = page.ask("fit", model="gaussians", rows=np.stack([x, y], 1).tolist())
    off = lambda: max(abs(shown.world[key].value - value) for key, value in true.items())  # noqa: E731
    page.until(
        lambda: (
            abs(shown.world["a1"].value - 3) > 0.1 and page.ask("report", what="fit", name=name)["rms"] < 0.7
        )
    )
    assert off() > 0.1
    page.ask("tune", name=name, values={"scatters": 1.345})
    limit = page.ask("report", what="fit", name=name)["limit"]
    assert 0.7 < limit / (1.345 * noise) < 1.3
    page.until(lambda: off() < 0.06)
    assert page.ask("report", what="fit", name=name)["outliers"] >= 9
    page.ask("undo")
    assert page.ask("report", what="fit", name=name)["limit"] == 0
    assert "positive" in page.refused("tune", name=name, values={"scatters": -1})
    assert "together" in page.refused("tune", name=name, values={"scatters": 1, "limit": 1})


def test_data_without_noise_have_a_scatter_of_almost_nothing(page, shown):
    name = page.ask("fit", model="line", rows=[[k, 1 + 2 * k] for k in range(9)])
    page.ask("settle", name=name)
    page.ask("tune", name=name, values={"scatters": 1.345})
    assert 0 < page.ask("report", what="fit", name=name)["limit"] < 1e-6


def test_an_open_curve_has_no_area_also_by_the_plain_menu(page, shown):
    page.ask("insert", of="line", name="open")
    assert "encloses no area" in page.refused("insert", of="area_within", inputs=["open"])
    page.ask("insert", of="circle", name="round")
    page.ask("insert", of="area_within", inputs=["round"])


def test_a_fit_stays_one_when_its_first_row_is_left_out(page, shown):
    name = page.ask("fit", model="line", rows=[[k, 1 + 2 * k] for k in range(5)])
    page.ask("delete", names=[f"{name} datum 0"])
    page.ask("tune", name=name, values={"limit": 2.0})
    assert page.ask("report", what="fit", name=name)["limit"] == 2
    other = page.ask("fit", model="circle", rows=[[0, 1], [1, 0], [-1, 0], [0, -1]])
    assert other != name


def test_fits_say_what_is_wrong(page, shown):
    rows = [[0, 1], [1, 2], [2, 4]]
    for words, fields in (
        ("has no parameters", {"model": "y = 2*x"}),
        ("unknown name", {"model": "y = a + b*z", "start": {"a": 1, "b": 1}}),
        ("does not use", {"model": "y = a", "start": {"a": 1, "q": 1}}),
        ("2 columns", {"model": "line", "rows": [[1, 2, 3]]}),
        ("rows of numbers", {"model": "line", "rows": []}),
        ("cannot be a column", {"model": "y = a*x", "start": {"x": 1, "a": 1}}),
        ("meaning of its own", {"model": "y = pi*x", "start": {"pi": 3}}),
    ):
        assert words in page.refused("fit", **{"rows": rows, **fields}), fields
    assert not shown.world.items
    page.ask("fit", model="line", rows=rows)
    assert "already" in page.refused("fit", model="line", rows=rows)
    page.ask("fit", model="line", rows=rows, replaces="fit")


# --- troids, scripts, files --------------------------------------------------------------------------
def test_a_drawn_sheet_is_an_elastic_troid(page, shown):
    name, force = page.ask("sheet", places=[[0, 0], [2, 0], [2, 1], [0, 1]])
    assert np.allclose(shown.world[name].position, (1, 0.5)) and shown.world[force].type.name == "elastic"
    assert page.item(name)["shape"]["kind"] == "affine" and len(page.item(name)["shape"]["vertices"]) == 8
    for places in ([[0, 0], [1, 1]], [[0, 0], [1, 1], [2, 2]], [[0, 0], [1, 0], [0, 1], [1, 1]]):
        page.refused("sheet", places=places)  # no polygon, no area, crossing itself
    page.ask("undo")
    assert not shown.world.items


def test_troids_carry_images_that_are_loaded_shown_and_undone(page, shown):
    world = shown.world
    name, force = page.ask("load", what="texture", files=[upload(page, "disc.png", disc())])
    assert world[force].type.name == "elastic" and page.item(name)["values"]["texture"].startswith("image ")
    seen = page.ask("report", what="picture", name=name)["image"]
    sent = Image.open(io.BytesIO(base64.b64decode(seen.partition(",")[2])))
    assert np.array_equal(np.asarray(sent.convert("L")), np.asarray(Image.open(io.BytesIO(disc()))))
    page.ask("undo")
    assert not world.items
    stripes = io.BytesIO()  # of one pixel, which a smaller copy has not
    Image.fromarray(np.tile(np.array((0, 250), np.uint8), (700, 350))).save(stripes, "PNG")
    name, _ = page.ask("load", what="texture", files=[upload(page, "stripes.png", stripes.getvalue())])
    assert world[name].second_moment == td.picture(image=stripes.getvalue(), width=2.0).second_moment
    page.ask("undo")
    sheet, _ = page.ask("sheet", places=[[0, 0], [2, 0], [2, 1], [0, 1]])
    assert page.item(sheet)["values"]["texture"] == ""
    page.ask("load", what="texture", picture=sheet, files=[upload(page, "disc.png", disc())])
    assert world[sheet].texture == seen
    page.ask("undo")
    assert world[sheet].texture == ""
    page.ask("insert", of="particle", name="dot")
    assert "no troid" in page.refused(
        "load", what="texture", picture="dot", files=[upload(page, "disc.png", disc())]
    )
    assert "no PNG" in page.refused(
        "load", what="texture", picture=sheet, files=[upload(page, "bad.png", b"nothing")]
    )


def medium_world() -> td.World:
    """A little of everything."""
    world = plane()
    curve = world.add(
        td.typed_curve(
            "c.x + a*cos(u)", "c.y + a*sin(u)", span=(0, "2*pi"), name="typed", a=1.5, c=(0.1, 0.2)
        )
    )
    ring = world.add(td.Circle("ring", position=(3, 0)))
    u, w = world.add(td.Variable("typed u", value=0.0), td.Variable("ring u", value=3.0))
    world.add(td.tangential(curve, u, ring, w), td.lock(ring, "radius"))
    surface = td.typed_surface("a*u", "b*v", "u*v", u=(0, 2), v=(0, 1), name="sheet", a=1.0, b=2.0)
    model = td.optimise.model.Model(world)
    model.variable("x", 1.0, low=0.1)
    model.output("square", "x*x")
    model.minimise("square - x")
    Fit("y = k*x", [[0, 1], [1, 2], [2, 5]], world=world, k=1.0)
    shown = world.add(photo(np.asarray(Image.open(io.BytesIO(disc()))), name="shot"))
    Snake(world, shown, circle(CENTRE, 40, 12))
    world.add(surface)
    return world


def test_the_script_of_curves_models_images_and_data_builds_them_again():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        world = medium_world()
        assert_near(same(again(world).to_json()), same(world.to_json()))


def test_worlds_of_curves_models_images_and_data_are_saved_opened_and_shared(show, tmp_path, monkeypatch):
    shown = show(medium_world(), title="all", is_playing=False)
    page = Page(shown._server)
    before = same(shown.world.to_json())
    page.ask("save", path="all")
    page.ask("new", dimension=2, order=1)
    page.ask("open", path="all.json")
    assert same(shown._session.world.to_json()) == before
    monkeypatch.setattr(share, "CLIENT", tmp_path)
    (tmp_path / "replay.html").write_text("<!--RECORDING-->")
    replay = page.ask("ask", what="share")["text"]
    assert content(replay, "recording")["pictures"]["shot"]["image"].startswith("data:image/png;base64,")
    page.close()
