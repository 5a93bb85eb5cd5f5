"""Takes the pictures of docs/studio.md: every panel of the studio, in Chromium, as a person comes to see it.

`python -m tools.pictures` (`make pictures`) writes them all. A name takes one of them; --size and --theme
show it in other windows and colours, and --to writes into another folder, so that every panel can be
looked at before a change is kept.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import traceback
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from tests.studio.person import Person
from tinkerdyne.studio import studio
from tinkerdyne.studio.show import chromium
from tools.panels import PANELS, Panel

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
QUALITY = 80  # of WebP, of 100


def take(browser: Browser, panel: Panel, size: tuple[int, int], theme: str, effects: bool) -> bytes:
    """The picture of a panel, as PNG."""
    with tempfile.TemporaryDirectory() as folder:
        world = panel.build()
        with studio(
            world, folder=folder, browser=False, title=panel.name, is_playing=panel.is_running
        ) as shown:
            look = f"&lowfx={int(not effects)}&theme={theme}&lang={panel.speaks}"
            me = Person(browser, shown.url, size=size, look=look)
            try:
                panel.act(me, shown)
                me.pictured()
                me.page.wait_for_timeout(400)  # what fades in is there
                return me.page.screenshot()
            finally:
                me.leave()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(PANELS)}")
    parser.add_argument("--size", help="such as 1440x900, for all of them")
    parser.add_argument("--theme", choices=("light", "dark"), help="for all of them")
    parser.add_argument("--to", type=Path, default=PICTURES, help="the folder")
    parser.add_argument("--few-effects", action="store_true", help="without shadows, which is quicker")
    asked = parser.parse_args()
    os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp()  # nothing of the user's own is shown, or changed
    failed = []
    with sync_playwright() as playwright:
        browser = chromium.launch(playwright)
        for name in asked.names or PANELS:
            panel = PANELS[name]
            size = tuple(int(n) for n in asked.size.split("x")) if asked.size else panel.size
            try:
                png = take(browser, panel, size, asked.theme or panel.theme, not asked.few_effects)
            except Exception:
                traceback.print_exc()
                failed.append(name)
                continue
            file = asked.to / f"studio-{name}.webp"
            Image.open(BytesIO(png)).convert("RGB").save(file, quality=QUALITY, method=6)
            print(f"{file}: {file.stat().st_size / 1e3:.0f} kB", flush=True)
        browser.close()
    if failed:
        raise SystemExit(f"not taken: {', '.join(failed)}")


if __name__ == "__main__":
    main()
