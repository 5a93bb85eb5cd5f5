"""Every command about curves, models, images and data, and who carries it out."""

from __future__ import annotations

from typing import Any

from tinkerdyne.optimise.fit import Fit
from tinkerdyne.optimise.settle import settle
from tinkerdyne.optimise.snake import Snake
from tinkerdyne.studio.media import curves, fits, models, pictures, troids, uploads
from tinkerdyne.studio.session.session import Request, Session
from tinkerdyne.studio.wire import protocol as p
from tinkerdyne.svg import svg_of

MOST_STEPS = 10_000  # of settling: a second or so, in which the world does nothing else
FIRST_STEP = 0.01  # s
STILL = 1e-3  # pixels: a snake that moves less in ten steps rests


def load(command: p.Load, session: Session, request: Request) -> Any:
    """Use files that were brought."""
    reading = {
        "picture": pictures.picture_in, "frames": pictures.frames_in, "texture": pictures.texture_in,
        "svg": curves.svg_in, "sheets": troids.sheets_in, "mesh": troids.mesh_in, "data": fits.data_in,
    }  # fmt: skip
    return reading[command.what](command, session, request)


def tune(command: p.Tune, session: Session, _request: Request) -> None:
    """Change a whole snake or fit."""
    world = session.world
    if fits.is_fit(world, command.name):
        match command.values:
            case {"limit": limit, **others} if not others:
                fits.robust(world, command.name, limit)
            case {"scatters": scatters, **others} if not others:
                fits.robust_in_scatters(world, command.name, scatters)
            case _:
                unknown = ", ".join(set(command.values) - {"limit", "scatters"}) or "such numbers together"
                raise TypeError(f"fit {command.name!r} has no {unknown}; it has limit, or scatters")
    else:
        Snake.of(world, command.name).change(**command.values)


def settle_(command: p.Settle, session: Session, _request: Request) -> str:
    """Let everything slide to rest now; the clock stands still, and one undo takes it back."""
    world = session.world
    if command.name and fits.is_fit(world, command.name):
        rest = Fit.of(world, command.name).settle(most_steps=MOST_STEPS)
    elif command.name:
        still = STILL * Snake.of(world, command.name).shown.pixel
        rest = settle(world, most_steps=MOST_STEPS, speed=1e-9, first_step=1.0, still=still)
    else:
        rest = settle(world, most_steps=MOST_STEPS, first_step=FIRST_STEP)
    if rest:
        return f"at rest after {rest.steps} steps"
    if rest.steps < MOST_STEPS:
        return f"not at rest: {rest.result}"
    return f"not quite at rest after {rest.steps} steps; settle again, or let it run"


def report(
    command: p.Report, session: Session, _request: Request
) -> p.FitReport | p.PictureInfo | p.Mask | p.Text:
    """Something to see or to keep."""
    world = session.world
    match command.what:
        case "fit":
            return fits.report(world, command.name)
        case "picture":
            return pictures.shown_picture(world, command.name)
        case "mask":
            return pictures.mask_png(world, command.name)
        case "svg":
            return p.Text(svg_of(world))
        case "csv" | "json":
            return pictures.polygon_text(world, command.name, command.what)
        case _:
            return pictures.polygon_text(world, command.name, "svg")


COMMANDS = (
    (p.Check, curves.check),
    (p.Attach, curves.attach),
    (p.Lock, curves.lock_),
    (p.Sheet, curves.sheet),
    (p.Define, models.define),
    (p.Upload, uploads.upload),
    (p.Load, load),
    (p.PutSnake, pictures.snake),
    (p.PutVolcano, pictures.volcano),
    (p.PutFit, fits.fit),
    (p.Tune, tune),
    (p.Settle, settle_),
    (p.Report, report),
)
# What changes the world that is shown.
CHANGING = (p.Attach, p.Lock, p.Sheet, p.Define, p.Load, p.PutSnake, p.PutVolcano, p.PutFit, p.Tune, p.Settle)
