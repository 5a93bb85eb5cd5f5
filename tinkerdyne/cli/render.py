"""`tinkerdyne render`: pictures and films of a scene, drawn by the studio's own page in headless Chromium."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import Progress

from tinkerdyne import gallery
from tinkerdyne.cli.shared import (
    SECONDS,
    SceneName,
    Seconds,
    UsageError,
    check_positive,
    console,
    errors,
    opened,
    plain_words,
    target_of,
    world_of,
)
from tinkerdyne.files import write_file

if TYPE_CHECKING:
    from tinkerdyne.studio.show.film import Film


def render(
    scene: SceneName,
    out: Annotated[
        Path,
        typer.Option(
            help="What to write: .png (one picture, of the end), .gif or .mp4, or .html (a replay)."
        ),
    ],
    seconds: Seconds = None,
    size: Annotated[str, typer.Option(help="Width and height in pixels.")] = "960x540",
    rate: Annotated[float, typer.Option(help="Pictures a second of a film.")] = 30.0,
    at: Annotated[
        float | None, typer.Option(help="The time of a single picture; the end when left out.")
    ] = None,
    forces: Annotated[
        bool, typer.Option("--forces", help="Draw the arrows of all forces, not the bodies only.")
    ] = False,
    dark: Annotated[bool, typer.Option("--dark", help="Draw with the dark theme.")] = False,
) -> None:
    """Draw a scene: a picture, a film, or one HTML file that replays it."""
    from tinkerdyne.studio.show import film

    with plain_words():
        check_positive("seconds", seconds)
        check_positive("rate", rate)
        target = target_of(out, (*film.ENDINGS, ".html"))
        pixels = _pixels(size)
        taken = filmed(scene, seconds)
        html = taken.page()
        if target.suffix.lower() == ".html":
            data = html.encode()
        else:
            first, last = taken.moments[0].time, taken.moments[-1].time
            times = [first + k / rate for k in range(int((last - first) * rate + 1e-6) + 1)]
            if target.suffix.lower() == ".png":
                times = [last if at is None else at]
            images = film.pictures(html, times, pixels, is_dark=dark, with_forces=forces)
            with _counted(images, len(times)) as counted:
                match target.suffix.lower():
                    case ".gif":
                        data = film.gif(counted, rate)
                    case ".mp4":
                        data = film.mp4(counted, rate)
                    case _:
                        data = b"".join(counted)  # one picture
        write_file(target, data)
        console.print(f"wrote {target}", markup=False)


def _pixels(size: str) -> tuple[int, int]:
    """Width and height of a picture, from "960x540"."""
    width, _, height = size.partition("x")
    if not (
        width.isdecimal() and height.isdecimal() and 16 <= int(width) <= 7680 and 16 <= int(height) <= 4320
    ):
        raise UsageError(f"--size must be such as 960x540, 16x16 to 7680x4320, not {size!r}")
    return int(width), int(height)


def filmed(name: str, seconds: float | None) -> Film:
    """A run of a scene, in its own way unless its length is given."""
    from tinkerdyne.studio.show import film

    what = opened(name)
    world = world_of(what)
    if not isinstance(what, gallery.Scene):
        return film.filmed(world, Path(name).stem, lambda: world.run(seconds or SECONDS, dt=1 / 60))
    if what.runs_itself and seconds is None:
        return film.filmed(world, what.title, lambda: what.record(world))
    return film.filmed(world, what.title, lambda: world.run(seconds or what.seconds, dt=1 / 60))


@contextlib.contextmanager
def _counted(images: Iterable[bytes], count: int) -> Iterator[Iterator[bytes]]:
    """Pictures, with a bar that grows as they are drawn."""
    with Progress(console=errors, transient=True, disable=not errors.is_terminal) as bar:
        task = bar.add_task("drawing", total=count)

        def counted() -> Iterator[bytes]:
            for image in images:
                bar.advance(task)
                yield image

        yield counted()
