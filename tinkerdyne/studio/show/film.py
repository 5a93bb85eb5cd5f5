"""Films and pictures: a run as a replay page, drawn frame by frame by the studio's own client in headless
Chromium (S3, S4)."""

from __future__ import annotations

import io
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from tinkerdyne.studio.media.pictures import shown_pictures
from tinkerdyne.studio.session.past import PastFrame, seen_from
from tinkerdyne.studio.show import chromium
from tinkerdyne.studio.show.describe import Descriptions, encoder, shown, timeline, world_dimension
from tinkerdyne.studio.show.frames import FramePlan
from tinkerdyne.studio.show.share import page
from tinkerdyne.studio.wire.protocol import FrameLayout, ItemInfo
from tinkerdyne.world.results import Result
from tinkerdyne.world.settings import DEFAULTS
from tinkerdyne.world.world import World

ENDINGS = (".png", ".gif", ".mp4")


class Film:
    """Moments of a run, taken after each step; what comes and goes on the way is part of it."""

    def __init__(self, world: World, title: str) -> None:
        self.world, self.title = world, title
        self.layouts: dict[int, FrameLayout] = {}
        self.moments: list[PastFrame] = []
        self._plan: FramePlan | None = None
        self._descriptions = Descriptions()
        self._items: dict[int, tuple[ItemInfo, ...]] = {}  # of each layout
        self.take()

    def take(self) -> None:
        """Keep the present moment."""
        world = self.world
        world.engine.evaluate()
        if self._plan is None or self._plan.rebuilds != world.engine.rebuilds:
            self._plan = FramePlan(world, len(self.layouts) + 1, {})
            self._descriptions.update(world, set())
            self.layouts[self._plan.revision], self._items[self._plan.revision] = (
                self._plan.layout,
                self._descriptions.infos,
            )
            world.engine.evaluate()
        frame = self._plan.frame()
        self.moments.append(PastFrame(world.time, frame, None, len(frame)))

    def page(self) -> str:
        """The replay as one HTML file."""
        world = self.world
        raw, _ = self._descriptions.update(world, set())
        now = self._descriptions.infos
        layouts = {
            revision: seen_from(layout, self._items[revision], now)
            for revision, layout in self.layouts.items()
        }
        model = {
            "type": "Model",
            "revision": len(self.layouts),
            "title": self.title,
            "path": "",
            "items": raw,
            "settings": {**DEFAULTS, **world.settings},
            "timeline": timeline(world),
            "dimension": world_dimension(world),
            "display": shown(world),
        }
        return page(encoder.encode(model), layouts, self.moments, shown_pictures(self.world))


def filmed(world: World, title: str, run: Callable[[], object]) -> Film:
    """The film of whatever a run does with a world: a moment is taken after each of its steps."""
    film = Film(world, title)
    clock = world.clock
    step = clock.step

    def taken(dt: float) -> Result:
        result = step(dt)
        film.take()
        return result

    clock.step = taken  # type: ignore[method-assign]
    try:
        run()
    finally:
        del clock.step
    return film


def pictures(
    html: str, times: list[float], size: tuple[int, int], *, is_dark: bool, with_forces: bool
) -> Iterator[bytes]:
    """PNG images of a replay page at some times, of the bodies only or with the arrows of all forces (R8)."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError as problem:
        raise ImportError(
            "pictures need the package playwright: pip install 'tinkerdyne[render]'"
        ) from problem
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = Path(folder) / "film.html"
        file.write_text(html, encoding="utf-8")
        browser = chromium.launch(playwright, "--hide-scrollbars")
        try:
            scheme = "dark" if is_dark else "light"
            tab = browser.new_page(viewport={"width": size[0], "height": size[1]}, color_scheme=scheme)  # type: ignore[arg-type]
            tab.set_default_timeout(0)  # a machine on which much else runs takes its time
            tab.goto(file.as_uri() + ("#film-forces" if with_forces else "#film"))
            tab.evaluate("window.tinkerdyne.ready")
            for time in times:
                tab.evaluate("time => window.tinkerdyne.seek(time)", time)
                yield tab.screenshot(type="png")
        finally:
            browser.close()


def gif(images: Iterator[bytes], rate: float) -> bytes:
    """An animated GIF."""
    from PIL import Image

    frames = [
        Image.open(io.BytesIO(image)).convert("P", palette=Image.Palette.ADAPTIVE, colors=128)
        for image in images
    ]
    out = io.BytesIO()
    frames[0].save(
        out,
        "GIF",
        save_all=True,
        append_images=frames[1:],
        duration=round(1000 / rate),
        loop=0,
        optimize=True,
    )
    return out.getvalue()


def mp4(images: Iterator[bytes], rate: float) -> bytes:
    """A film in H.264."""
    tool = shutil.which("ffmpeg")
    if tool is None:
        try:
            import imageio_ffmpeg
        except ImportError as problem:
            raise ImportError(
                "films need ffmpeg, or the package imageio-ffmpeg: pip install 'tinkerdyne[render]'"
            ) from problem
        tool = imageio_ffmpeg.get_ffmpeg_exe()
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "film.mp4"
        even = "scale=trunc(iw/2)*2:trunc(ih/2)*2"
        command = [
            tool,
            "-v",
            "error",
            "-f",
            "image2pipe",
            "-framerate",
            f"{rate:g}",
            "-c:v",
            "png",
            "-i",
            "-",
            "-vf",
            even,
        ]
        command += [
            "-c:v",
            "libx264",
            "-crf",
            "20",
            "-pix_fmt",
            "yuv420p",
            "-movflags",
            "+faststart",
            str(out),
        ]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            assert process.stdin is not None and process.stderr is not None
            for image in images:
                process.stdin.write(image)
            process.stdin.close()
            said = process.stderr.read().decode(errors="replace")
        if process.returncode:
            raise RuntimeError(f"ffmpeg could not make the film: {said.strip()[-300:]}")
        return out.read_bytes()
