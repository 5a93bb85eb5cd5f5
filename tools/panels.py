"""What the pictures of docs/studio.md show: each a world, and what a person does in it until the picture is
taken."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import tinkerdyne as td
from tests.studio.person import Person, until
from tests.studio.test_media import plane
from tinkerdyne import gallery
from tinkerdyne.studio import Shown
from tinkerdyne.studio.session import start
from tinkerdyne.world.edit import Change

Act = Callable[[Person, Shown], None]


@dataclass(frozen=True)
class Panel:
    """A picture: its name, the world, what is done, and how the page is seen."""

    name: str
    build: Callable[[], td.World]
    act: Act
    size: tuple[int, int] = (1280, 800)
    theme: str = "light"
    is_running: bool = False
    speaks: str = "en"


PANELS: dict[str, Panel] = {}


def panel(build: Callable[[], td.World], **seen: Any) -> Callable[[Act], Act]:
    """A picture with the name of the function."""

    def keep(act: Act) -> Act:
        name = act.__name__.rstrip("_").replace("_", "-")
        PANELS[name] = Panel(name, build, act, **seen)
        return act

    return keep


# --- worlds --------------------------------------------------------------------------------------
def scene(name: str, seconds: float = 0.0) -> Callable[[], td.World]:
    """A scene of the gallery, some time later."""

    def build() -> td.World:
        world = gallery.load(name).build()
        if seconds:
            world.run(seconds)
        return world

    return build


def hanging() -> td.World:
    """A double pendulum that swings, with a plot of its hinge."""
    world = td.World()
    upper = world.add(td.Rod("upper", length=0.8, position=(0.4, 0, 2)))
    lower = world.add(td.Rod("lower", length=0.6, position=(1.1, 0, 2)))
    world.add(td.nail(upper.end1, at=(0, 0, 2), name="hook"), td.gravity())
    world.add(td.join(td.pin, upper, lower, at=(0.8, 0, 2), axis=(0, 1, 0), name="knee"))
    world.history.clear()
    return world


def boxes() -> td.World:
    """Two boxes on a floor."""
    world = td.World()
    world.add(td.gravity(), td.Floor("floor"), td.contact())
    world.add(td.Box("base", size=(0.8, 0.5, 0.4), position=(0, 0, 0.2)))
    world.add(td.Box("block", size=(0.3, 0.3, 0.3), position=(0.1, 0, 0.55)))
    world.history.clear()
    return world


def curves() -> td.World:
    """An empty world of curves."""
    return plane()


# --- what a person does --------------------------------------------------------------------------
def middle(me: Person) -> tuple[float, float]:
    box = me.page.locator(".viewport canvas[data-panel]").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def choose(me: Person, name: str) -> None:
    me.page.locator(".parts .row", has_text=name).first.click()


@contextmanager
def pressed(me: Person, start: tuple[float, float], end: tuple[float, float]) -> Iterator[None]:
    """A drag of which the picture is taken before the hand lets go."""
    me.page.mouse.move(*start)
    me.page.mouse.down()
    me.page.mouse.move(*end, steps=6)
    yield


def begin(me: Person, where: str) -> None:
    """A new world, by the menu."""
    me.command(where)
    until(lambda: "floor" in me.reads(".parts"), "a new world has a floor")
    me.pictured()


def tool(me: Person, name: str) -> None:
    me.page.locator(".toolbox").get_by_role("button", name=name, exact=True).click()


def have(me: Person, shown: Shown, name: str) -> None:
    """Wait until a part is there and drawn."""
    until(lambda: name in shown.world, f"{name} is there")
    me.seen(name)


def run(shown: Shown, seconds: float) -> None:
    """Let the world run so long, and pause it."""
    session = shown._session
    me_time = shown.world.time + seconds
    session.call(lambda: setattr(session, "is_playing", True))
    until(lambda: shown.world.time >= me_time, f"{seconds} s have passed")
    session.call(lambda: setattr(session, "is_playing", False))


# --- the pictures --------------------------------------------------------------------------------
@panel(start.build, is_running=True)
def start_(me: Person, shown: Shown) -> None:
    until(lambda: shown.world.time > 0.5, "it swings")


@panel(start.build)
def pull(me: Person, shown: Shown) -> None:
    me.press(*"[[[[", "Space")
    x, y = me.catch(lambda: me.towards("pendulum.end1", "pendulum", 0.7))
    me.move((x - 150, y + 30))
    until(lambda: " N" in me.reads(".readout") and shown.world.time > 0.15, "it is pulled")


@panel(start.build)
def snap(me: Person, shown: Shown) -> None:
    with pressed(me, me.towards("second.end1", "second"), me.seen("pendulum.end2")):
        me.bring("pendulum.end2", "second.end1 to pendulum.end2")


@panel(start.build)
def python(me: Person, shown: Shown) -> None:
    me.press("Control+e")
    me.sees("pre.code", "td.Rod")


@panel(td.World)
def new_world(me: Person, shown: Shown) -> None:
    begin(me, "New world in space")


@panel(td.World)
def draw(me: Person, shown: Shown) -> None:
    begin(me, "New world in space")
    x, y = middle(me)
    tool(me, "Box")
    with pressed(me, (x - 200, y + 90), (x - 100, y + 10)):
        pass
    me.page.mouse.up()
    have(me, shown, "box-1")
    tool(me, "Rod")
    with pressed(me, (x, y + 60), (x + 190, y - 70)):
        me.sees(".readout", " m")
        me.press("1", ".", "5")


@panel(td.World)
def insert(me: Person, shown: Shown) -> None:
    begin(me, "New world in space")
    me.press("i")
    me.page.wait_for_selector("dialog[aria-label=Insert]")


@panel(td.World)
def formula(me: Person, shown: Shown) -> None:
    begin(me, "New world in the plane")
    x, y = middle(me)
    tool(me, "Particle")
    for k, place in enumerate([(x - 90, y - 40), (x + 110, y - 90)]):
        me.click(place)
        have(me, shown, f"particle-{k + 1}")
    me.press("q")
    me.page.get_by_label("Formula", exact=True).fill("|a \u2212 b| = 2 r")
    me.sees(".formula-now", "freedoms")


@panel(boxes)
def gizmo(me: Person, shown: Shown) -> None:
    me.click(me.seen("block"))
    me.sees(".row.chosen", "block")
    me.press("d")
    me.click(me.seen("base"))
    me.click(me.seen("block"))
    me.sees(".label.measure", " m")
    me.press("Escape")
    me.click(me.seen("block"))


@panel(boxes)
def arrange(me: Person, shown: Shown) -> None:
    me.click(me.seen("block"))
    me.press("Shift+A")
    me.page.get_by_label("how many, with the first", exact=True).fill("4")


@panel(hanging)
def axis(me: Person, shown: Shown) -> None:
    choose(me, "knee")
    me.sees(".inspector", "Axis")


@panel(hanging)
def menu(me: Person, shown: Shown) -> None:
    me.page.mouse.click(*me.seen("upper"), button="right")
    me.page.wait_for_selector("[role=menu]")


@panel(hanging)
def menus(me: Person, shown: Shown) -> None:
    me.page.get_by_role("button", name="Edit", exact=True).click()


@panel(hanging)
def plots(me: Person, shown: Shown) -> None:
    run(shown, 4.0)
    choose(me, "lower")
    for quantity in ("lower.position[0]", "lower.position[2]"):
        me.page.locator(f'button[title^="plot {quantity}"]').first.click()


@panel(scene("four_bar"))
def motor(me: Person, shown: Shown) -> None:
    run(shown, 1.5)
    choose(me, "motor")


@panel(scene("jansen"))
def controls(me: Person, shown: Shown) -> None:
    me.sees(".control-panel", "Speed")


@panel(hanging)
def timeline(me: Person, shown: Shown) -> None:
    world = shown.world
    world.at(3.0, Change("hook", "is_on", False))
    world.ramp(world["upper"], "mass", to=2.0, start=1.0, end=2.0)
    run(shown, 1.0)
    me.press("k", "Escape")
    me.press("e")
    me.page.wait_for_selector(".event-form")


@panel(hanging)
def palette(me: Person, shown: Shown) -> None:
    me.press("Control+k")
    me.page.get_by_label("Search commands").fill("film")


@panel(hanging)
def keys(me: Person, shown: Shown) -> None:
    me.press("?")
    me.page.wait_for_selector("dialog[open]")


@panel(hanging)
def guides(me: Person, shown: Shown) -> None:
    me.command("First steps and guides")
    me.page.wait_for_selector("dialog[open]")


@panel(hanging)
def settings(me: Person, shown: Shown) -> None:
    me.command("Settings of the world")
    me.page.wait_for_selector("dialog[open]")


@panel(hanging)
def gallery_(me: Person, shown: Shown) -> None:
    me.press("Control+Shift+O")
    me.page.wait_for_selector("dialog[aria-label=Gallery] .tile")
    me.page.wait_for_timeout(1500)


@panel(hanging)
def recover(me: Person, shown: Shown) -> None:
    choose(me, "hook")
    me.press("Delete")
    until(lambda: "hook" not in shown.world, "deleted")
    me.command("New world in space")
    until(lambda: "floor" in me.reads(".parts"), "new")
    me.command("Recover an unsaved world")
    me.page.wait_for_selector("dialog[open]")


@panel(hanging)
def conflict(me: Person, shown: Shown) -> None:
    world = shown.world
    world.add(td.nail(world["lower"].end2, at=(2.5, 0, 2), name="far"))
    me.sees(".conflicts", "far")
    me.page.locator(".conflicts .chip", has_text="far").click()


@panel(hanging)
def away(me: Person, shown: Shown) -> None:
    shown.world.add(td.Sphere("ball", position=(0, 0, 1)))
    for one in ("upper", "lower"):
        shown.world.remove(shown.world[one])
    me.seen("ball")
    with shown.world.lock:
        shown.world["ball"].position = (400, 0, 1)
    me.sees(".away", "left the view")


@panel(curves)
def curve(me: Person, shown: Shown) -> None:
    me.focus_view()
    me.press("c")
    me.page.wait_for_selector("dialog[open]")
    me.page.get_by_label("x of the curve", exact=True).fill("cx + a*cos(u)")
    me.page.get_by_label("y of the curve", exact=True).fill("cy + b*sin(u")
    me.sees(".fault", "never closed")


@panel(scene("tangent_circles"))
def curves_(me: Person, shown: Shown) -> None:
    me.pictured()


@panel(scene("box_of_least_surface"))
def model(me: Person, shown: Shown) -> None:
    me.page.get_by_role("tab", name="Model").click()


@panel(scene("snake_coins"))
def image(me: Person, shown: Shown) -> None:
    me.page.get_by_role("tab", name="Image").click()


@panel(scene("fit_circle"), theme="dark")
def data(me: Person, shown: Shown) -> None:
    me.page.get_by_role("tab", name="Data").click()


@panel(scene("jansen"), size=(720, 1000))
def narrow(me: Person, shown: Shown) -> None:
    me.page.get_by_role("navigation", name="Panels").get_by_text("Parts").click()


@panel(scene("four_bar"), speaks="de", theme="dark")
def german(me: Person, shown: Shown) -> None:
    me.pictured()
