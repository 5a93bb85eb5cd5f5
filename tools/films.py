"""Takes the films of docs/sketching.md: the four examples of the paper, sketched by hand in the studio.

`python -m tools.films` (`make films`) takes them all. A name takes one of them; --theme shows it in other
colours, and --to writes into another folder.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from tests.studio.person import Person
from tests.studio.sketched_by_hand import BY_HAND
from tinkerdyne.studio import studio
from tinkerdyne.studio.show import chromium

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
WINDOW, SHOWN = (1100, 720), (760, 498)  # px: of the studio, and of the film
QUALITY = 55  # of WebP, of 100
PACE, REST = 160, 1800  # ms of a picture, and of the last one


def taken(browser: Browser, name: str, theme: str) -> list[Image.Image]:
    """The pictures of a film."""
    world, act = BY_HAND[name]
    pictures: list[Image.Image] = []
    with (
        tempfile.TemporaryDirectory() as folder,
        studio(world(), folder=folder, browser=False, title=name, is_playing=False) as shown,
    ):
        me = Person(browser, shown.url, size=WINDOW, look=f"&lowfx=1&theme={theme}")

        def film() -> None:
            picture = Image.open(BytesIO(me.page.screenshot())).convert("RGB")
            pictures.append(picture.resize(SHOWN, Image.Resampling.LANCZOS))

        try:
            act(me, film)
            film()
        finally:
            me.leave()
    return pictures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(BY_HAND)}")
    parser.add_argument("--theme", choices=("light", "dark"), default="light")
    parser.add_argument("--to", type=Path, default=PICTURES, help="the folder")
    asked = parser.parse_args()
    os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp()  # nothing of the user's own is shown, or changed
    with sync_playwright() as playwright:
        browser = chromium.launch(playwright)
        for name in asked.names or BY_HAND:
            first, *rest = taken(browser, name, asked.theme)
            file = asked.to / f"sketch-{name}.webp"
            paces = [PACE] * len(rest) + [REST]
            first.save(
                file, save_all=True, append_images=rest, duration=paces, loop=0, quality=QUALITY, method=4
            )
            print(f"{file}: {len(paces)} pictures, {file.stat().st_size / 1e3:.0f} kB", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
