"""Commands of images and data: files that are brought, snakes, fits, sheets."""

from __future__ import annotations

from typing import ClassVar, Literal

from tinkerdyne.studio.wire.messages.base import Answer, Command, Names, Text


class Received(Answer, frozen=True):
    """How much of a file has come."""

    received: int  # bytes


class Rows(Answer, frozen=True):
    """A table of data."""

    columns: tuple[str, ...]
    rows: tuple[tuple[float, ...], ...]


class FitReport(Answer, frozen=True):
    """How a fit stands."""

    text: str  # left − right of its equation
    values: dict[str, float]
    uncertainties: dict[str, float]  # one standard deviation of each parameter, where it is known
    why: str  # they are not known
    rms: float | None  # of the residuals, where they are finite
    largest: float | None
    rows: int
    outliers: int  # rows beyond the limit
    limit: float  # Huber, in spreads; 0 for none
    spread: float


class PictureInfo(Answer, frozen=True):
    """An image as a page draws it, with its place; a texture, which lies on its troid, has none."""

    image: str  # a data URL
    size: tuple[float, ...] = ()  # m
    corner: tuple[float, ...] = ()  # m
    pixel: float = 0.0  # m


class Mask(Answer, frozen=True):
    """What lies within a snake."""

    data: str  # a PNG in base64


class Upload(Command, frozen=True, tag="upload"):
    """The next part of a file, in base64, for `Load`."""

    result: ClassVar[object] = Received

    file: str
    offset: int
    size: int  # of the whole
    data: str


class Load(Command, frozen=True, tag="load"):
    """Use files that were brought: "picture" (PNG, JPEG: into the plane), "frames" (several, shown one by one
    by the timeline in place of `picture`), "texture" (onto the troid `picture`, or onto a new one), "svg"
    (its outlines become curves), "sheets" (the closed outlines of an SVG become elastic troids), "mesh" (stl,
    obj, ply, off: a solid troid), "data" (or the typed `text`: rows of numbers). Result: the new names, or
    the rows.
    """

    result: ClassVar[object] = {
        "picture": Names,
        "frames": Names,
        "texture": Names,
        "svg": Names,
        "sheets": Names,
        "mesh": Names,
        "data": Rows,
    }

    what: Literal["picture", "frames", "texture", "svg", "sheets", "mesh", "data"]
    files: tuple[str, ...] = ()
    text: str = ""
    picture: str = ""
    rate: float = 10.0  # frames a second


class PutSnake(Command, frozen=True, tag="snake"):
    """Put a snake on a picture, through some places or round a circle [m]. Result: its name."""

    result: ClassVar[object] = str

    picture: str
    places: tuple[tuple[float, ...], ...] = ()
    centre: tuple[float, ...] = ()
    radius: float = 0.0
    is_closed: bool = True


class PutVolcano(Command, frozen=True, tag="volcano"):
    """Put a hill beside a snake, which drives it off. Result: its name."""

    result: ClassVar[object] = str

    snake: str
    at: tuple[float, ...]
    height: float = 1000.0
    width: float = 0.0  # m; none: a tenth of the picture's height


class PutFit(Command, frozen=True, tag="fit"):
    """Fit a model, a known one by its name or a typed equation, to rows of data.

    What is not said of its parameters is guessed.
    Result: the fit's name.
    """

    result: ClassVar[object] = str

    model: str
    rows: tuple[tuple[float, ...], ...]
    columns: tuple[str, ...] = ("x", "y")
    start: dict[str, float] = {}
    limit: float | None = None  # Huber, in spreads
    spread: float = 1.0
    replaces: str = ""


class Tune(Command, frozen=True, tag="tune"):
    """Change a whole snake (tension, bending, strength) or fit (Huber's limit in spreads, or in scatters of
    its data; 0 for none), as one edit.
    """

    result: ClassVar[object] = None

    name: str
    values: dict[str, float]


class Settle(Command, frozen=True, tag="settle"):
    """Slide to rest now, without passing time, as fine as the snake or fit of this name needs.

    Result: how it ended, in words."""

    result: ClassVar[object] = str

    name: str = ""


class Sheet(Command, frozen=True, tag="sheet"):
    """An elastic sheet, a troid with the mass of a drawn polygon. Result: the new names."""

    result: ClassVar[object] = Names

    places: tuple[tuple[float, ...], ...]
    stiffness: float = 10.0


class Report(Command, frozen=True, tag="report"):
    """Something to see or to keep.

    fit: values, uncertainties, residuals, cost; picture: an image, or the texture of a troid; csv, json,
    outline: the polygon of a snake; mask: what lies within it; svg: the drawing of a plane world.
    """

    result: ClassVar[object] = {
        "fit": FitReport,
        "picture": PictureInfo,
        "csv": Text,
        "json": Text,
        "outline": Text,
        "mask": Mask,
        "svg": Text,
    }

    what: Literal["fit", "picture", "csv", "json", "outline", "mask", "svg"]
    name: str = ""


MediaCommand = Upload | Load | PutSnake | PutVolcano | PutFit | Tune | Settle | Sheet | Report
