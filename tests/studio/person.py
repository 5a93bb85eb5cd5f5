"""A person at the studio: a real Chromium, moved with a real mouse and keyboard."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser

PATIENCE = 60.0  # s: of a machine that does other things too
SIZE = {"width": 1100, "height": 720}


def until(what: Callable[[], Any], says: str, seconds: float = PATIENCE) -> Any:
    """Wait for something to become true."""
    end = time.monotonic() + seconds
    while not (found := what()):
        assert time.monotonic() < end, f"{says}: still not so after {seconds:g} s"
        time.sleep(0.02)
    return found


class Person:
    """One browser with the studio in it, effects off."""

    def __init__(self, browser: Browser, url: str, before: str = "") -> None:
        self.context = browser.new_context(viewport=SIZE, permissions=["clipboard-read", "clipboard-write"])
        if before:  # a script that runs before the page's own
            self.context.add_init_script(before)
        self.context.set_default_timeout(1e3 * PATIENCE)
        self.page = self.context.new_page()
        self.faults: list[str] = []
        self.page.on("pageerror", lambda fault: self.faults.append(str(fault)))
        self.page.goto(f"{url}&lowfx=1&theme=light")
        self.page.wait_for_selector(".readings")
        self.page.wait_for_function("window.tinkerdyne !== undefined")

    def leave(self) -> None:
        assert not self.faults, self.faults
        self.context.close()

    # --- looking ---------------------------------------------------------------------------------
    def _seen(self, *names: str) -> list[tuple[float, float]]:
        """Where things are in one picture."""

        def look() -> list[tuple[float, float]]:
            found = self.page.evaluate("names => window.tinkerdyne.seen(...names)", names)
            return [(at["x"], at["y"]) for at in found] if all(found) else []

        found: list[tuple[float, float]] = until(look, f"{names} are to be seen")
        return found

    def seen(self, name: str) -> tuple[float, float]:
        """Where a part, a joint or a place is in the page now [px]."""
        return self._seen(name)[0]

    def still(self, name: str) -> tuple[float, float]:
        """Where something is that has come to a stop, in the page too, which may be late [px]."""

        def look() -> tuple[float, float] | None:
            before = self.seen(name)
            self.page.wait_for_timeout(300)
            after = self.seen(name)
            return after if max(abs(after[0] - before[0]), abs(after[1] - before[1])) < 0.5 else None

        found: tuple[float, float] = until(look, f"{name} is still")
        return found

    def towards(self, name: str, other: str, share: float = 0.12) -> tuple[float, float]:
        """A little way from one place to another."""
        (x, y), (u, v) = self._seen(name, other)
        return x + share * (u - x), y + share * (v - y)

    def reads(self, selector: str) -> str:
        return " ".join(self.page.locator(selector).all_inner_texts())

    def sees(self, selector: str, text: str) -> None:
        try:
            until(lambda: text in self.reads(selector), selector)
        except AssertionError as vain:
            raise AssertionError(f"{selector} says {text!r}: it says {self.reads(selector)!r}") from vain

    # --- doing -----------------------------------------------------------------------------------
    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def click(self, at: tuple[float, float], modifier: str = "") -> None:
        if modifier:
            self.page.keyboard.down(modifier)
        self.page.mouse.move(*at)
        self.page.mouse.down()
        self.page.mouse.up()
        if modifier:
            self.page.keyboard.up(modifier)

    def take(self, at: tuple[float, float]) -> None:
        """Press, and pull far enough that it is a drag."""
        self.page.mouse.move(*at)
        self.page.mouse.down()
        self.page.mouse.move(at[0] + 6, at[1] - 6, steps=2)

    def catch(self, where: Callable[[], tuple[float, float]]) -> tuple[float, float]:
        """Take something that moves, and say where: who misses tries again."""
        for _ in range(5):
            at = where()
            self.take(at)
            for _ in range(100):
                if self.reads(".readout"):
                    return at
                self.page.wait_for_timeout(50)
            self.drop()
        raise AssertionError("it cannot be caught")

    def move(self, to: tuple[float, float]) -> None:
        self.page.mouse.move(*to, steps=6)

    def drop(self) -> None:
        self.page.mouse.up()

    def bring(self, to: str, says: str) -> None:
        """Move what is in hand to a place, which may move too, until what would be joined is said with all of
        it."""

        def comes() -> bool:
            self.move(self.seen(to))
            said = self.reads(".readout")
            return says in said and "freedom" in said

        until(comes, f"the hand is told {says!r} and what that does to the freedoms")

    def command(self, words: str) -> None:
        """By the palette."""
        self.press("Control+k")
        search = self.page.get_by_label("Search commands")
        search.fill(words)
        search.press("Enter")
        until(lambda: not self.page.locator("dialog[aria-label=Commands]").count(), "the palette closes")

    def focus_view(self) -> None:
        self.page.locator(".viewport canvas[data-panel]").focus()
