"""Every command about curves, models, images and data, and who carries it out."""

from __future__ import annotations

from typing import Any

from tinkerdyne.medium.snake import Snake
from tinkerdyne.studio import protocol as p
from tinkerdyne.studio.medium import curves, fits, models, pictures, uploads
from tinkerdyne.studio.session import Request, Session
from tinkerdyne.svg import svg_of


def load(command: p.Load, session: Session, request: Request) -> Any:
    """Use files that were brought."""
    reading = {
        "picture": pictures.picture_in, "frames": pictures.frames_in, "texture": pictures.texture_in,
        "svg": curves.svg_in, "data": fits.data_in,
    }  # fmt: skip
    return reading[command.what](command, session, request)


def tune(command: p.Tune, session: Session, _request: Request) -> Any:
    """Change a whole snake or fit."""
    world = session.world
    if fits.is_fit(world, command.name):
        unknown = set(command.values) - {"limit"}
        if unknown or not command.values:
            raise TypeError(f"fit {command.name!r} has no {', '.join(unknown) or 'such number'}; it has limit")
        fits.robust(world, command.name, command.values["limit"])
    else:
        Snake.of(world, command.name).change(**command.values)


def report(command: p.Report, session: Session, _request: Request) -> Any:
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
            return {"text": svg_of(world)}
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
    (p.Report, report),
)
CHANGING = (p.Attach, p.Lock, p.Sheet, p.Define, p.Load, p.PutSnake, p.PutVolcano, p.PutFit, p.Tune)  # the world that is shown
