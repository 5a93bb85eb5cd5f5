"""A person at the studio: a real Chromium, moved with a real mouse and keyboard.

What a page draws and a server does comes later than the press that asks for it; how much later is the
machine's affair. So whoever reads something waits for it, with `until` or `sees`; asks before every press
where things are, with `seen`, in metres ("@1,0,2") where the length counts; and lets go with `drop`. A page
on a processor so many times slower is had with  TINKERDYNE_SLOW=4 pytest tests/studio ."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser

from tests.patience import patience

PATIENCE = 60.0  # s, where nothing else runs
SLOW = float(os.environ.get("TINKERDYNE_SLOW", "1"))  # times that the page's processor is slower
SIZE = (1100, 720)  # px


def until(what: Callable[[], Any], says: str, seconds: float = PATIENCE) -> Any:
    """Wait for something to become true."""
    start = time.monotonic()
    while not (found := what()):
        waited = time.monotonic() - start
        assert waited < SLOW * patience(seconds), f"{says}: still not so after {waited:.0f} s"
        time.sleep(0.02)
    return found


# Pictures are held back: the page goes on without drawing, as on a machine that is slow to draw.
HOLD = """() => {
  const draw = window.requestAnimationFrame, held = [];
  window.requestAnimationFrame = (then) => held.push(then);
  window.goOnDrawing = () => {
    window.requestAnimationFrame = draw;
    held.forEach((then) => draw(then));
  };
}"""


# What a page shows of itself.
TELLS = """() => {
  const chosen = document.activeElement;
  const fields = [...document.querySelectorAll("dialog input")].map((one) => one.value);
  return [
    `the keyboard is in: ${chosen?.outerHTML.slice(0, 200)}`,
    `fields of dialogs: ${JSON.stringify(fields)}`,
    ...document.body.innerText.split("\\n").filter((line) => line.trim()).slice(0, 200),
  ].join("\\n");
}"""


class Person:
    """One browser with the studio in it, effects off."""

    def __init__(
        self,
        browser: Browser,
        url: str,
        before: str = "",
        *,
        size: tuple[int, int] = SIZE,
        look: str = "&lowfx=1&theme=light",
    ) -> None:
        self.context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            permissions=["clipboard-read", "clipboard-write"],
        )
        if before:  # a script that runs before the page's own
            self.context.add_init_script(before)
        self.context.set_default_timeout(1e3 * SLOW * patience(PATIENCE))
        self.page = self.context.new_page()
        if SLOW > 1:
            self.context.new_cdp_session(self.page).send("Emulation.setCPUThrottlingRate", {"rate": SLOW})
        self.faults: list[str] = []
        self.page.on("pageerror", lambda fault: self.faults.append(str(fault)))
        self.page.goto(url + look)
        self.page.wait_for_selector(".readings")
        self.page.wait_for_function("window.tinkerdyne !== undefined")

    def leave(self) -> None:
        assert not self.faults, self.faults
        self.context.close()

    def tells(self) -> str:
        """What the page shows, and what has the keyboard: for a report of what failed."""
        return f"the page:\n{self.page.evaluate(TELLS)}"

    # --- looking ---------------------------------------------------------------------------------
    def pictured(self) -> None:
        """Wait until all that happened is drawn."""
        self.page.evaluate("window.tinkerdyne.pictured()")

    def _seen(self, *names: str) -> list[tuple[float, float]]:
        """Where things are in one picture, which shows all that the page knows of."""

        def look() -> list[tuple[float, float]]:
            found = self.page.evaluate("names => window.tinkerdyne.seen(...names)", names)
            return [(at["x"], at["y"]) for at in found] if all(found) else []

        found: list[tuple[float, float]] = until(look, f"{names} are to be seen")
        return found

    def seen(self, name: str) -> tuple[float, float]:
        """Where a part, a joint or a place, "rod.end2" or "@1,0,2" of the world, is in the page now [px]."""
        return self._seen(name)[0]

    def still(self, name: str) -> tuple[float, float]:
        """Where something is that has come to a stop [px]."""

        def look() -> tuple[float, float] | None:
            before, after = self.seen(name), self.seen(name)
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

        def caught() -> tuple[float, float] | None:
            at = where()
            self.take(at)
            self.pictured()
            if self.reads(".readout"):
                return at
            self.page.mouse.up()
            return None

        found: tuple[float, float] = until(caught, "it is caught")
        return found

    def move(self, to: tuple[float, float]) -> None:
        self.page.mouse.move(*to, steps=6)

    def drop(self) -> None:
        """Look where it is, and let go."""
        self.pictured()
        self.page.mouse.up()

    @contextmanager
    def late(self) -> Iterator[None]:
        """Meanwhile the page draws nothing."""
        self.page.evaluate(HOLD)
        yield
        self.page.evaluate("window.goOnDrawing()")

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
        self.page.evaluate("() => new Promise((done) => setTimeout(done))")  # then the command begins

    def focus_view(self) -> None:
        self.page.locator(".viewport canvas[data-panel]").focus()
