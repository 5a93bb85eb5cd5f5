"""The four examples of the paper, made by hand in the studio with a real mouse: by tests, and for the films
of docs/sketching.md."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from playwright.sync_api import Locator

import tinkerdyne as td
from scenes.sketch.acted.hat import HAT, hat_body
from scenes.sketch.acted.pencil import mug_body
from tests.studio.person import Person, until

Film = Callable[[], None]
UP = (math.sqrt(0.5), 0.0, -math.sqrt(0.5), 0.0)  # turns x to z


def none() -> None:
    """No film."""


def _world(*items: object) -> td.World:
    world = td.World()
    world.add(td.gravity(), td.Floor("floor"), td.contact(friction=0.4, restitution=0.2), *items)
    return world


def pencil_world() -> td.World:
    pencil = td.Cylinder("pencil", radius=0.004, length=0.18, mass=0.006, position=(0, 0, 0.35))
    return _world(pencil, mug_body())


def die_world() -> td.World:
    return _world(td.Box("die", size=(0.08,) * 3, mass=0.05, position=(0, 0, 0.3)))


def hat_world() -> td.World:
    hat, box = hat_body(), td.Box("box", size=(0.06,) * 3, mass=0.08, position=(0.1, 0, 1.2))
    hat.start.update(position=(-0.1, 0, 0.5), orientation=UP)
    return _world(hat, box)


def chain_world() -> td.World:
    world = td.World()
    links = [
        td.Capsule(f"link{k}", radius=0.02, length=0.21, mass=0.15, position=(0.25 * k, 0, 1.0))
        for k in range(3)
    ]
    hook = td.Torus("hook", radius=0.06, thickness=0.024, is_fixed=True, position=(1.45, 0, 1.15))
    world.add(td.gravity(), *links, hook)
    for k in range(2):
        world.add(
            td.join(td.universal, links[k], links[k + 1], at=(0.25 * k + 0.125, 0, 1.0), axis=(1, 0, 0))
        )
    return world


class Sketcher:
    """A person who sketches: what of the panel is pressed, and what of the view is dragged."""

    def __init__(self, me: Person, film: Film = none) -> None:
        self.me, self.film = me, film
        self.panel = me.page.locator("section.sketch")

    def begin(self, *bodies: str) -> None:
        for k, body in enumerate(bodies):
            self.me.click(self.me.still(body), "Shift" if k else "")
        self.film()
        self.me.press("s")
        self.settled()

    def flight(self, number: int) -> Locator:
        return self.panel.get_by_role("group", name=f"Flight {number}", exact=True)

    def blow(self, number: int) -> Locator:
        return self.panel.get_by_role("group", name=f"Collision {number}", exact=True)

    def press(self, number: int, name: str) -> None:
        """A button of a flight."""
        self.flight(number).get_by_role("button", name=name, exact=True).click()
        self.settled()

    def ask(self, number: int, label: str, to: str) -> None:
        """What is wanted at the start or end of a flight."""
        card = self.flight(number)
        if not card.locator("details[open]").count():
            card.locator("summary").click()
        card.get_by_label(label, exact=True).select_option(to)
        self.settled()

    def type(self, number: int, label: str, text: str) -> None:
        """A value of a collision, in its field."""
        field = self.blow(number).get_by_role("textbox", name=label, exact=True)
        field.fill(text)
        field.press("Enter")
        self.settled()

    def lasting(self, number: int, seconds: str) -> None:
        """How long a flight lasts, held."""
        card = self.flight(number)
        card.get_by_label("lasts", exact=True).first.select_option("hard")
        self.settled()
        field = card.get_by_role("textbox", name="lasts", exact=True)
        field.fill(seconds)
        field.press("Enter")
        self.settled()

    def drag(self, start: tuple[float, ...], end: tuple[float, ...], steps: int = 6) -> None:
        """Something of the view, from a place of the world to another, in the plane of the picture."""
        a, b = (self.me.seen("@" + ",".join(f"{x:.4f}" for x in one)) for one in (start, end))
        self.me.take(a)
        for share in np.linspace(0, 1, steps):
            self.me.page.mouse.move(a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]))
            if share:
                self.film()
        self.me.drop()
        self.settled()

    def told(self) -> dict[str, Any]:
        """What the page knows of the sketch and its motion."""
        found: dict[str, Any] = self.me.page.evaluate("() => window.tinkerdyne.sketched()")
        return found

    def sample(self, body: str, flight: int, sample: int) -> tuple[float, ...]:
        """Where a sample is, all counted from 1."""
        tracks = self.told()["sketch"]["flights"][flight - 1]["tracks"]
        (track,) = [one for one in tracks if one["body"] == body]
        return tuple(track["places"][sample - 1])

    def wished(self, body: str, flight: int) -> tuple[float, ...]:
        """Where a body, or a point of it, is wanted at the end of a flight."""
        wishes = self.told()["sketch"]["flights"][flight - 1]["wishes"]
        (one,) = [w for w in wishes if w["body"] == body and w["when"] == "end" and w["kind"] == "point"]
        return tuple(one["value"])

    def verdict(self) -> str:
        return self.me.reads("section.sketch .verdict")

    def settled(self) -> None:
        """Wait until the motion of the newest edit is there, and nothing better is looked for."""

        def is_there() -> bool:
            told = self.told()
            sketch, motion = told["sketch"], told["motion"]
            if not sketch or not motion:
                return False
            return motion["number"] == sketch["number"] and not motion["is_searching"]

        until(is_there, f"the motion is found: {self.verdict()!r}")
        self.me.pictured()
        self.film()

    def preview(self, frames: int = 16) -> None:
        """See the motion as a ghost, from its start to its end."""
        slider = self.panel.get_by_label("Moment of the motion", exact=True)
        whole = float(slider.get_attribute("max"))
        for share in np.linspace(0, 1, frames):
            slider.evaluate(
                "(at, x) => { at.value = x; at.dispatchEvent(new Event('input')); }", share * whole
            )
            self.me.pictured()
            self.film()

    def play(self) -> None:
        self.panel.get_by_role("button", name="Play on", exact=True).click()


def die(me: Person, film: Film = none) -> Sketcher:
    """The die bounces twice, and shows a side by a hard pose at its first bounce."""
    hand = Sketcher(me, film)
    hand.begin("die")
    hand.press(1, "Ends with a bounce")
    hand.press(2, "Ends with a bounce")
    hand.ask(1, "die at the end: orientation", "hard")
    track = hand.sample("die", 2, 1)
    hand.drag(track, (track[0] + 0.1, track[1], track[2] + 0.05))
    hand.preview()
    return hand


def pencil(me: Person, film: Film = none) -> Sketcher:
    """The pencil is acted: thrown down, off the table, turning, into the mug."""
    hand = Sketcher(me, film)
    hand.begin("pencil")
    me.page.get_by_role("button", name="Act pencil", exact=True).click()
    up, down = (0.0, 0.0, 0.35), (0.22, 0.0, 0.06)
    over, mug = (0.42, 0.0, 0.3), (0.55, 0.0, 0.12)
    me.page.mouse.move(*me.seen("@" + ",".join(map(str, up))))
    me.page.mouse.down()
    for a, b in ((up, down), (down, over), (over, mug)):
        p, q = (me.seen("@" + ",".join(map(str, one))) for one in (a, b))
        for share in np.linspace(0, 1, 12)[1:]:
            me.page.mouse.move(p[0] + share * (q[0] - p[0]), p[1] + share * (q[1] - p[1]))
            if share in (0.5, 1.0):
                film()
        me.page.mouse.wheel(0, 300)
    me.page.mouse.up()
    hand.settled()
    until(lambda: me.page.locator("[role=group][aria-label='The gesture']").count(), "the gesture is shown")
    last = hand.panel.get_by_role("group", name="Flight 2", exact=True)
    until(last.count, "the gesture is cut where it comes down")
    hand.ask(2, "pencil at the end: inside", "mug")
    hand.preview()
    return hand


def hat(me: Person, film: Film = none) -> Sketcher:
    """Hat and box meet in the air, and the box ends in the hat."""
    hand = Sketcher(me, film)
    hand.begin("hat", "box")
    hand.press(1, "Ends when two bodies meet")
    blow = hand.blow(1)
    blow.get_by_label("strikes", exact=True).select_option("box")
    hand.settled()
    for k, axis in enumerate("xyz"):  # the inside of its crown
        inside = (HAT["felt"] - float(hat_body().offset[0]), 0.0, 0.0)
        hand.type(1, f"origin {axis}", f"{inside[k]:.4f}")
    hand.type(1, "reach", "0.09")
    hand.ask(2, "box at the end: inside", "hat")
    hand.lasting(2, "0.15")
    hand.preview()
    return hand


def chain(me: Person, film: Film = none) -> Sketcher:
    """A chain is thrown to a hook."""
    hand = Sketcher(me, film)
    hand.begin("link0")
    hand.ask(1, "link2 at the end: a point", "hard")
    hand.flight(1).get_by_label("link2 at the end: with", exact=True).select_option("end2")
    hand.settled()
    hand.drag(hand.wished("link2", 1), (1.45, 0.0, 1.15))
    hand.preview()
    return hand


BY_HAND = {
    "pencil": (pencil_world, pencil),
    "die": (die_world, die),
    "hat": (hat_world, hat),
    "chain": (chain_world, chain),
}
