"""Images and snakes by hand: a picture in the plane, a snake on it, volcanoes, frames; polygon and mask out
(G4)."""

from __future__ import annotations

import base64
import io
import json
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from types import ModuleType
from typing import Any

import numpy as np

from tinkerdyne.behaviors.elastic import elastic
from tinkerdyne.behaviors.images import photo
from tinkerdyne.behaviors.images import picture as image
from tinkerdyne.behaviors.landscape import ImageText, image_from, image_text
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.checks import number, vector
from tinkerdyne.language.item import Item, label
from tinkerdyne.objects.catalog import Troid
from tinkerdyne.objects.textures import Texture, texture_from
from tinkerdyne.objects.troids import picture
from tinkerdyne.optimise.snake import Snake, circle, resampled
from tinkerdyne.studio.media.uploads import taken
from tinkerdyne.studio.session.background import later
from tinkerdyne.studio.session.session import Request, Session
from tinkerdyne.studio.show.describe import IMAGES, _shortened
from tinkerdyne.studio.wire import protocol as p
from tinkerdyne.world.edit import Change, Event, Plan, Several
from tinkerdyne.world.world import World

LARGEST_SIDE = 2048  # pixels of an image in the studio: its edges are there within a second or two
MOST_FRAMES = 300
SCALES = (2.0, 6.0)  # pixels: widths at which edges are seen
SHOWN_SIDE = 1024  # pixels of an image as pages see it
POINTS = (24, 160)  # of a snake: one for about SPACING pixels of its first line
SPACING = 3.0  # pixels
QUICK = 0.001  # kg of a snake's point: in a first-order world its drag, so that it settles in a second or two
WIDTH = 2.0  # m of an image that is carried along
STIFFNESS = 10.0  # N m of a troid with it
HIGH = 0.1  # of the picture's height: the width of a volcano
MOST_PLACES = 5000


def pillow() -> ModuleType:
    """The library that reads and writes image files."""
    try:
        from PIL import Image
    except ImportError:
        raise ValueError(
            "images need Pillow, which is not installed: pip install 'tinkerdyne[image]'"
        ) from None
    return Image


def picture_in(command: p.Load, session: Session, request: Request) -> object:
    """A picture into the plane, read beside the engine."""
    _first_order(session.world)
    [data] = taken(request, *command.files[:1])
    what = repr(command.files[0])

    def put(item: Item) -> list[str]:
        _first_order(session.world)
        object.__setattr__(item, "name", _free(session.world, "picture"))
        session.world.add(item)
        return [item.name]

    return later(session, request, lambda: _photo(data, what), put)


def texture_in(command: p.Load, session: Session, request: Request) -> object:
    """An image on a troid; where none is named, on a new one with the mass of its bright pixels, drawn back
    by an elastic force."""
    if command.picture:
        _troid(session.world, command.picture)
    [data] = taken(request, *command.files[:1])
    what = repr(command.files[0])

    def put(read: Texture | Item) -> list[str]:
        world = session.world
        if not isinstance(read, Item):
            _troid(world, command.picture).texture = read
            return [command.picture]
        object.__setattr__(read, "name", _free(world, "picture"))
        with world.history.one_step():
            body = world.add(read)
            force = world.add(elastic(body, stiffness=STIFFNESS, name=f"{body.name} elastic"))
        return [body.name, force.name]

    def read() -> Texture | Item:
        _read(data, what)  # refused here as images in the plane are
        return (
            texture_from(f"the image {what}", data) if command.picture else picture(image=data, width=WIDTH)
        )

    return later(session, request, read, put)


def _troid(world: World, name: str) -> Item:
    item = world[name]
    if item.type is not Troid:
        raise TypeError(f"{label(item)} is no troid; only troids carry an image along")
    return item


def _photo(data: bytes, what: str) -> Item:
    item = photo(_read(data, what), scales=SCALES)
    item.values["image"].landscape(item.values["scales"])  # here, not in the engine's thread
    return item


def _read(data: bytes, what: str) -> Array:
    """The brightness of an image file, with its size checked before it is unpacked."""
    Image = pillow()
    if not data:
        raise ValueError(f"the image {what} is empty")
    try:
        size = Image.open(io.BytesIO(data), formats=("PNG", "JPEG")).size
    except Image.DecompressionBombError:
        raise ValueError(
            f"the image {what} is huge; at most {LARGEST_SIDE} pixels a side: scale it down"
        ) from None
    except (OSError, SyntaxError, ValueError):  # what cannot be identified is an OSError
        raise ValueError(f"{what} is no PNG or JPEG image that can be read") from None
    if max(size) > LARGEST_SIDE:
        raise ValueError(
            f"the image {what} has {size[0]} × {size[1]} pixels; at most {LARGEST_SIDE} a side: scale it down"
        )
    try:
        with Image.open(io.BytesIO(data), formats=("PNG", "JPEG")) as opened:
            opened.load()
            pixels = np.asarray(
                opened if opened.mode in ("L", "RGB", "RGBA", "I;16", "I", "F") else opened.convert("RGB")
            )
    except (OSError, SyntaxError, ValueError) as problem:
        raise ValueError(f"the image {what} cannot be read: {problem}") from None
    return image_from(pixels, what=f"the image {what}")


def _first_order(world: World) -> None:
    if world.settings["order"] != 1:
        raise ValueError(
            "images, snakes and fits live in a first-order world: File, New world of curves and models, then "
            "load it"
        )


def frames_in(command: p.Load, session: Session, request: Request) -> object:
    """Frames one after the other in the place of a picture's image, by the timeline; the first is shown at
    once."""
    world = session.world
    shown = _picture(world, command.picture)
    rate = number("rate", command.rate, positive=True)
    if not 1 <= len(command.files) <= MOST_FRAMES:
        raise ValueError(f"a sequence has 1 to {MOST_FRAMES} frames, not {len(command.files)}")
    files = list(zip(command.files, taken(request, *command.files), strict=True))
    scales = shown.values["scales"]

    def read() -> list[ImageText]:
        found, size = [], None
        for number_and_name, data in files:
            name = re.sub(r"^\d{5} ", "", number_and_name)  # a page numbers files that come together
            pixels = _read(data, repr(name))
            if size is not None and pixels.shape != size:
                raise ValueError(
                    f"the frame {name!r} has {pixels.shape} pixels, those before it {size}; all must be alike"
                )
            size = pixels.shape
            found.append(image_text(pixels))
            found[-1].landscape(scales)
        return found

    def put(texts: list[ImageText]) -> list[str]:
        begin = world.time
        changes = [Change(shown.name, "image", text) for text in texts]
        events = tuple(Event(begin + k / rate, change) for k, change in enumerate(changes[1:], 1))
        world.apply(Several((changes[0], Plan((*world.timeline, *events)))))
        return [shown.name]

    return later(session, request, read, put)


def with_images(world: World, plan: Plan) -> Plan:
    """A timeline that a page wrote, with the images themselves where it has the words in which it was told of
    them."""
    told = {
        _shortened(one): one for one in (*_images(world.timeline), *_images([i.values for i in world.items]))
    }
    found: Plan = _replaced(plan, told)
    return found


def _images(part: object) -> Iterator[ImageText | Texture]:
    """The images within edits, lists and values."""
    if isinstance(part, IMAGES):
        yield part
    elif isinstance(part, (tuple, list)):
        for one in part:
            yield from _images(one)
    elif isinstance(part, dict):
        yield from _images(list(part.values()))
    elif is_dataclass(part):
        yield from _images([getattr(part, one.name) for one in fields(part)])


def _replaced(part: Any, told: dict[str, Any]) -> Any:
    """Edits and values with other texts in the place of some."""
    if isinstance(part, str):
        return told.get(part, part)
    if isinstance(part, tuple):
        return tuple(_replaced(one, told) for one in part)
    if is_dataclass(part) and not isinstance(part, type):
        return replace(part, **{one.name: _replaced(getattr(part, one.name), told) for one in fields(part)})
    return part


# --- snakes ------------------------------------------------------------------------------------------
def snake(command: p.PutSnake, session: Session, _request: Request) -> str:
    """A snake through clicked places, or round a circle."""
    world = session.world
    _first_order(world)
    shown = _picture(world, command.picture)
    if command.centre:
        first = circle(command.centre, command.radius)
    elif 2 <= len(command.places) <= MOST_PLACES:
        first = np.array(
            [vector(f"place {k + 1}", place, length=2) for k, place in enumerate(command.places)]
        )
    else:
        raise ValueError(
            f"a snake begins with 2 to {MOST_PLACES} places, or with a circle, not with {len(command.places)}"
        )
    if command.is_closed and len(first) < 3:
        raise ValueError("a closed snake begins with three places at least")
    line = np.concatenate([first, first[:1]]) if command.is_closed else first
    length = float(np.hypot(*np.diff(line, axis=0).T).sum()) / shown.pixel
    count = int(np.clip(round(length / SPACING), *POINTS))
    name = _free(world, "snake")
    with world.history.one_step():
        made = Snake(
            world,
            shown,
            resampled(first, count, closed=command.is_closed),
            closed=command.is_closed,
            name=name,
        )
        world.apply(Several(tuple(Change(one.name, "mass", QUICK) for one in made.points)))
    return name


def volcano(command: p.PutVolcano, session: Session, _request: Request) -> str:
    """A hill beside a snake."""
    world = session.world
    held = Snake.of(world, command.snake)
    rows = held.shown.values["image"].landscape(held.shown.values["scales"]).rows
    width = number("width", command.width, positive=True) if command.width else HIGH * rows * held.shown.pixel
    name = next(n for n in (f"volcano-{k}" for k in range(1, 100_000)) if f"{n} 0" not in world)
    at = vector("the place of a volcano", command.at, length=2)
    held.volcano(at, height=number("height", command.height), width=width, name=name)
    return name


def _picture(world: World, name: str) -> Item:
    item = world[name]
    if item.type is not image:
        raise TypeError(f"{label(item)} is no picture; load an image first")
    return item


def _free(world: World, base: str) -> str:
    names = world.contents.names
    return next(
        n
        for n in (f"{base}-{k}" for k in range(1, 100_000))
        if not any(x == n or x.startswith(f"{n} ") for x in names)
    )


# --- what comes out ----------------------------------------------------------------------------------
def shown_picture(world: World, name: str) -> p.PictureInfo:
    """An image as a page draws it, with its place; of a troid its texture."""
    Image = pillow()
    item = world[name]
    if item.values.get("texture"):
        return p.PictureInfo(str(item.texture))
    item = _picture(world, name)
    seen = item.values["image"].landscape(item.values["scales"])
    pixels = item.values["image"].pixels
    if pixels is None:
        pixels = image_from(item.values["image"])
    low, high = (
        (0.0, 255.0)
        if pixels.min() >= 0 and pixels.max() <= 255
        else (float(pixels.min()), float(pixels.max()))
    )
    grey = Image.fromarray(np.round((pixels - low) * (255 / max(high - low, 1e-30))).astype(np.uint8))
    grey.thumbnail((SHOWN_SIDE, SHOWN_SIDE))
    file = io.BytesIO()
    grey.save(file, "PNG")
    size = (seen.columns * item.pixel, seen.rows * item.pixel)
    return p.PictureInfo(
        image=f"data:image/png;base64,{base64.b64encode(file.getvalue()).decode()}",
        size=size,
        corner=item.corner,
        pixel=item.pixel,
    )


def shown_pictures(world: World) -> dict[str, p.PictureInfo]:
    """All images of a world, by the names of their items."""
    found = (item.name for item in world.items if item.type is image or item.values.get("texture"))
    return {name: shown_picture(world, name) for name in found}


def polygon_text(world: World, name: str, form: str) -> p.Text:
    """A snake's polygon as text: places [m], and pixels (row, column)."""
    held = Snake.of(world, name)
    places, pixels = held.polygon, held.pixels
    if form == "csv":
        rows = ["x,y,row,column", *(",".join(f"{x:.6g}" for x in row) for row in np.hstack([places, pixels]))]
        return p.Text("\n".join(rows) + "\n")
    if form == "json":
        found = {
            "snake": name,
            "is_closed": held.closed,
            "places": places.tolist(),
            "pixels": pixels.tolist(),
        }
        return p.Text(json.dumps(found) + "\n")
    seen = held.shown.values["image"].landscape(held.shown.values["scales"])
    d = (
        "M"
        + " L".join(f"{column + 0.5:.3f} {row + 0.5:.3f}" for row, column in pixels)
        + ("Z" if held.closed else "")
    )
    box = f'viewBox="0 0 {seen.columns} {seen.rows}" width="{seen.columns}" height="{seen.rows}"'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" {box}><path d="{d}" fill="none" stroke="black"/></svg>\n'
    return p.Text(svg)


def mask_png(world: World, name: str) -> p.Mask:
    """What lies within a closed snake, white on black, of the image's size."""
    Image = pillow()
    file = io.BytesIO()
    Image.fromarray(np.where(Snake.of(world, name).mask(), 255, 0).astype(np.uint8)).save(file, "PNG")
    return p.Mask(base64.b64encode(file.getvalue()).decode())
