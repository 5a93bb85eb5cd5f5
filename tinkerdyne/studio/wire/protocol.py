"""What the studio's server and its pages say to each other.
The TypeScript types are generated from this file (`make protocol`).

Text messages are JSON objects with the name of their type under "type". A page sends `Request`s, numbered
from 1; every one is answered by one `Reply` with its number, in any order, and never dropped. What it holds
is of the type that the command's class declares (`result`). The server sends the other messages by itself.
Moving things come as binary frames, the newest only:

    uint32 magic "TKF1" (0x31464B54 little-endian), uint32 revision, float64 time, then float32 numbers as
    `Layout` says.

A frame belongs to the `Layout` of the same revision; a page ignores frames of another one.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import msgspec

from tinkerdyne.language.look import Axis, Glyph, Role, Seat

VERSION = 1
MAGIC = 0x31464B54
LARGEST_MESSAGE = 1 << 20  # bytes, from a page
SOCKET = "/ws"  # where a page connects


class Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag=True):
    """Anything that is sent as text."""


# --- what there is -------------------------------------------------------------------------------
class Parameter(msgspec.Struct, frozen=True):
    """A parameter of a type, or a part of an object's state."""

    name: str
    sort: Literal["number", "size", "vector", "unit", "axes", "choice", "keys", "truth", "quaternion"]
    default: object
    unit: str = ""  # "kg", "m", "N/m" …, from the type's docstring where it says so
    choices: tuple[str, ...] = ()


class Port(msgspec.Struct, frozen=True):
    """An input of a type."""

    name: str
    kind: str  # "point", "direction", "frame", "scalar", "vector", "curve", "particles", "anything"
    is_many: bool = False


class TypeInfo(msgspec.Struct, frozen=True):
    """A type that a page can insert: everything in menus, palette and inspector follows from this."""

    name: str
    family: Literal["object", "connector", "constraint", "behavior", "field"]
    group: str  # heading in menus: "Bodies", "Joints", "Points", "Forces", "Measures", "Curves" …
    title: str  # "Ball joint"
    doc: str
    parameters: tuple[Parameter, ...] = ()
    state: tuple[Parameter, ...] = ()
    ports: tuple[Port, ...] = ()
    supplies: str = ""  # the kind that a connector or object supplies
    coordinates: tuple[str, ...] = ()  # free coordinates of a joint
    places: tuple[str, ...] = ()  # named points of a body
    is_planar: bool = False
    is_joint: bool = False
    python: str = ""  # a line that makes one: "pin(a, b)"
    # Its look, as `tinkerdyne.language.look` has it: pages ask for this and not for its name.
    glyph: Glyph = "plain"
    axis: Axis = "none"
    seat: Seat = "first"
    role: Role = "none"
    word: str = ""  # in short; its title where there is none
    rank: int = 0  # its place among those that are offered first, from 1; 0 for the others


class Shape(msgspec.Struct, frozen=True):
    """How an object is drawn, in its own axes."""

    kind: Literal["mesh", "outline", "point", "curve", "affine", "none"]
    vertices: tuple[float, ...] = ()  # x, y, z in a row; of an outline and an affine sheet x, y
    faces: tuple[int, ...] = ()  # three corners in a row
    radius: float = 0.0  # of a point, or of a curve's line
    is_closed: bool = False
    spans: tuple[float, ...] = ()  # of a curve: u from, to; of a surface also v


class ItemInfo(msgspec.Struct, frozen=True):
    """An item of the world."""

    name: str
    of: str  # the name of its type
    family: str
    inputs: tuple[str, ...]
    values: dict[str, object]
    is_on: bool = True
    is_fixed: bool = False
    dimension: int = 3  # 2 for what lives in the plane
    shape: Shape | None = None
    places: dict[str, tuple[float, ...]] = {}  # named points of a body, in its own axes
    part_of: str = ""  # the body whose named place this connector is
    key: int = 0  # stays when the name changes


class Track(msgspec.Struct, frozen=True):
    """Where one thing lies in a frame."""

    name: str
    kind: Literal["pose", "point", "curve", "affine", "state", "force", "value"]
    # pose: x y z, w x y z — point: x y z — curve: n × (x y z) — affine: x y z and the columns of the shape
    # (9) state: the numbers of a curve or variable, the value of a scalar measure
    # force: of a constraint or behavior on one body: place (3), force (3), torque about that place (3), in
    # world axes; the force of a hand has the name "grip:<handle>" — value: a number that is plotted, NaN
    # where there is none now
    offset: int
    count: int  # float32 numbers
    of: str = ""  # of a force: the body that it acts on


class Layout(Message, frozen=True):
    """What the frames of this revision hold."""

    revision: int
    size: int  # float32 numbers in a frame
    tracks: tuple[Track, ...]
    then: tuple[ItemInfo, ...] = ()  # of the past: items that are gone or changed since
    since: tuple[int, ...] = ()  # of the past: keys of items that were not there yet
    is_past: bool = False  # of a moment that is looked at instead of the present


class EventInfo(msgspec.Struct, frozen=True):
    """An entry of the timeline."""

    index: int
    kind: Literal["event", "ramp", "path"]
    start: float
    end: float
    title: str
    item: str = ""
    keys: tuple[tuple[float, ...], ...] = ()  # of a path
    entry: dict[str, Any] = {}  # an event or ramp itself, as `tinkerdyne.world.edit.plain` writes it


class FitModel(msgspec.Struct, frozen=True):
    """A model that data can be fitted to, known by its name."""

    name: str
    title: str
    columns: int  # of the data


class Hint(msgspec.Struct, frozen=True):
    """What to try next, said in the picture until it was done."""

    until: Literal["pull", "snap", "cut", "undo"]  # what the person does then
    text: str
    at: str  # a part, a place of one, or with `of_joint` a part of which the first joint is meant
    of_joint: bool = False
    glows: str = ""  # a part that is lit meanwhile


class GuideStep(msgspec.Struct, frozen=True):
    """A line of the first steps; keys stand in backquotes."""

    title: str
    text: str


class Guide(msgspec.Struct, frozen=True):
    """A tutorial: hints in the picture, one after the other, in a world that has what they are about."""

    needs: tuple[str, ...]  # names of items
    hints: tuple[Hint, ...]
    steps: tuple[GuideStep, ...]


# --- from the server -----------------------------------------------------------------------------
class Hello(Message, frozen=True):
    """The first message: who is speaking, and everything that there is."""

    version: int
    build: str  # of the page that fits; another one should be loaded anew
    types: tuple[TypeInfo, ...]
    examples: tuple[str, ...]  # names of gallery scenes
    guide: Guide
    fits: tuple[FitModel, ...] = ()  # models that are known by name
    can_render: bool = False


class Model(Message, frozen=True):
    """The whole world, after it was opened and after every edit of its structure."""

    revision: int
    title: str  # of the file or scene
    path: str  # where it is saved; "" for nowhere yet
    items: tuple[ItemInfo, ...]
    settings: dict[str, object]
    timeline: tuple[EventInfo, ...] = ()
    can_undo: bool = False
    can_redo: bool = False
    is_dirty: bool = False
    dimension: int = 3
    scene: int = 0  # counts the worlds that were opened: keys of items are those of one world


class Changes(Message, frozen=True):
    """A whole world again, but of its items only those that are new or changed; a page that has no model of
    `since` ignores it."""

    since: int  # the revision of the model that this one follows
    model: Model
    order: tuple[int, ...]  # keys of all items


class Values(Message, frozen=True):
    """Parameters that changed without a change of structure."""

    revision: int
    items: dict[str, dict[str, object]]
    can_undo: bool = False
    can_redo: bool = False
    is_dirty: bool = False


class Conflict(msgspec.Struct, frozen=True):
    """A group of constraints that cannot all be met, or that repeat each other."""

    kind: Literal["contradictory", "redundant", "unmet"]
    names: tuple[str, ...]


class Status(Message, frozen=True):
    """A few times a second: how the world is doing."""

    time: float
    is_playing: bool
    speed: float  # wanted, times real time
    real_speed: float  # reached
    step_ms: float  # work of a frame
    kinetic: float
    potential: float
    gap: float
    freedoms: int  # −1 while they are not known
    conflicts: tuple[Conflict, ...] = ()
    note: str = ""  # what the last step said, when it was not plain
    error: float = -1.0  # how far the motion may be off, as a share; −1 where nothing is known
    accuracy: str = ""  # the same in words
    is_inaccurate: bool = False  # it is more than the settings promise
    start: float = 0.0  # of the recorded past
    end: float = 0.0  # of it: the world's own time, also while the page is shown the past
    is_past: bool = False  # the page is shown the past


class Notice(Message, frozen=True):
    """Something a person should read."""

    level: Literal["info", "warning", "error"]
    text: str


class Reply(Message, frozen=True):
    """The answer to a request."""

    seq: int
    error: str = ""  # "" when it was done
    can_force: bool = False  # of a refusal: it would be done all the same, if that is said
    result: object = None  # as `result_type` has it for the command


# --- answers -------------------------------------------------------------------------------------
class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The result of a command, where it is more than a name or a number."""


class Text(Answer, frozen=True):
    """Something to read or to keep."""

    text: str


class Foreseen(Answer, frozen=True):
    """What a joint would do to the degrees of freedom."""

    freedoms: int  # with it
    before: int
    says: str  # in words


class Saved(Answer, frozen=True):
    """Where a scene was saved."""

    path: str


class FileInfo(Answer, frozen=True):
    """A scene in the studio's folder."""

    path: str
    modified: float  # s, as Unix counts
    size: int  # bytes


class Thumbnail(Answer, frozen=True):
    """A scene of the gallery."""

    name: str
    title: str
    text: str
    picture: str  # a data URL, "" where there is none


class Unsaved(Answer, frozen=True):
    """A world that was left unsaved."""

    name: str
    title: str
    path: str
    saved: float  # s, as Unix counts
    parts: int = 0  # objects in it, where they were counted
    is_mine: bool = False  # by this studio, when it gave way to another world


class Fault(Answer, frozen=True):
    """What is wrong with a typed formula, and where."""

    field: int  # which text; −1 is the whole, −2 − k the span k
    reason: str
    position: int  # character


class Faults(Answer, frozen=True):
    """All that is wrong; nothing for what can be used."""

    faults: tuple[Fault, ...]


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


Names = tuple[str, ...]  # of items


# --- a recording in a page of its own ------------------------------------------------------------
class Plotted(msgspec.Struct, frozen=True):
    """A quantity over time; null where it was not there, and where the world did not run on."""

    times: tuple[float, ...]
    values: tuple[float | None, ...]


class Replay(msgspec.Struct, frozen=True):
    """What stands in the place of RECORDING in replay.html."""

    model: Model
    layouts: tuple[Layout, ...]
    types: tuple[TypeInfo, ...]  # of its items
    # base64 of the frames one behind the other, as sent: a header of 16 bytes, then `size` float32 of its
    # layout
    frames: str
    pictures: dict[str, PictureInfo] = {}  # images that lie in the plane, as `Report` has them
    plots: dict[str, Plotted] = {}  # quantities that are plotted, over all of the recording


# --- from a page ---------------------------------------------------------------------------------
class Command(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """Anything that a page may ask for."""

    # The type of the answer; where that depends on `what` is asked for, types by that.
    result: ClassVar[object]


class Apply(Command, frozen=True, tag="apply"):
    """Carry out an edit, as `tinkerdyne.world.edit.plain` writes it."""

    result: ClassVar[object] = None

    edit: dict[str, object]


class Insert(Command, frozen=True, tag="insert"):
    """Add an item of a type. `inputs` are names of items, or "body.place", or "body@x,y,z" for a point at a
        place of a body's own axes, or "@x,y,z" for a place of the world; frames for joints are made where
        they
    are now, each at its own point (or, where none
        is given, at that of the other), with their z along values["axis"] (a direction of the world). A joint
        with one input is with the world. `values` are parameters and, of an object, its state; lengths and
        places left out are as they are now. With the end of a drag, `handle` or `moved`, both are one step
        for undo. Result: the new names, that of the item first.
    """

    result: ClassVar[object] = Names

    of: str
    inputs: tuple[str, ...] = ()
    values: dict[str, object] = {}
    name: str = ""
    handle: int = 0  # a hand that lets go, unless this is refused
    moved: dict[str, object] = {}  # an edit that is carried out first


class Undo(Command, frozen=True, tag="undo"):
    """Take the last edit back. Result: whether there was one."""

    result: ClassVar[object] = bool


class Redo(Command, frozen=True, tag="redo"):
    """Do again what was undone last. Result: whether there was something."""

    result: ClassVar[object] = bool


class Play(Command, frozen=True, tag="play"):
    """Run, pause, one frame further, or change the speed (times real time)."""

    result: ClassVar[object] = None

    is_playing: bool | None = None
    steps: int = 0
    speed: float | None = None


class Grab(Command, frozen=True, tag="grab"):
    """Catch a body at a place of its own axes (or a particle); a curve at u, a surface at (u, v); a variable
        or measure, of which `to` of a drag has one number; a fit at a place. Result: a handle, a whole
        number.
    Several hands may hold one body:
        each pulls by itself. A hand is no item of the model, only a force track "grip:<handle>".
    """

    result: ClassVar[object] = int

    item: str
    at: tuple[float, ...] = ()
    is_hard: bool = False
    with_orientation: bool = False  # the body as a whole, by the place and the orientation of its own axes
    instead_of: int = 0  # a handle that this one takes over: both together are one step for undo


class Drag(Command, frozen=True, tag="drag"):
    """Move what a handle holds to a place of the world; only the newest of several counts.

    Result: the force [N]."""

    result: ClassVar[object] = tuple[float, ...]

    handle: int
    to: tuple[float, ...]
    orientation: tuple[float, ...] = ()


class Release(Command, frozen=True, tag="release"):
    """Let go."""

    result: ClassVar[object] = None

    handle: int


class Preview(Command, frozen=True, tag="preview"):
    """What a joint would do, without making it."""

    result: ClassVar[object] = Foreseen

    of: str
    inputs: tuple[str, ...]
    values: dict[str, object] = {}


class Aim(Command, frozen=True, tag="aim"):
    """Give a joint another axis, a direction of the world, where its parts are now; in the plane the line of
    a slider."""

    result: ClassVar[object] = None

    joint: str
    axis: tuple[float, ...]


class Postpone(Command, frozen=True, tag="postpone"):
    """Take items out now, with what is plugged into them, and put them in again as they are at a time, as one
    edit. Result: all the names that went.
    """

    result: ClassVar[object] = Names

    names: tuple[str, ...]
    time: float


class Delete(Command, frozen=True, tag="delete"):
    """Remove items and what is plugged into them, as one edit. Result: all the names that went."""

    result: ClassVar[object] = Names

    names: tuple[str, ...]


class Copy(Command, frozen=True, tag="copy"):
    """Items as text for the clipboard: with what connects them to each other."""

    result: ClassVar[object] = Text

    names: tuple[str, ...]


class Paste(Command, frozen=True, tag="paste"):
    """Put copied items in again under new names, moved a little. Result: the new names."""

    result: ClassVar[object] = Names

    text: str
    by: tuple[float, ...] = ()


class Watch(Command, frozen=True, tag="watch"):
    """Which quantities this page plots: "upper.position[2]", "energy", "nail-1.force[0]" … They become
    `value` tracks."""

    result: ClassVar[object] = None

    names: tuple[str, ...]


class Recalled(msgspec.Struct, frozen=True):
    """Quantities as they were recorded: the page forgets what it has from `cut` on (all where that is none),
    and adds these. Null stands where a quantity was not there, and where the world did not run on."""

    version: int  # of the recording
    cut: float | None
    begin: float | None  # when the recording begins
    times: tuple[float, ...]
    values: tuple[tuple[float | None, ...], ...]  # in the order of the names


class Recall(Command, frozen=True, tag="recall"):
    """Quantities over the recorded past, after a time that a page has them up to by a version; −1: all."""

    result: ClassVar[object] = Recalled

    names: tuple[str, ...]
    version: int = -1
    since: float = 0.0


class Scrub(Command, frozen=True, tag="scrub"):
    """Show the recorded past at a time; none goes back to now; with `is_final` the world goes on from there
    (undoable)."""

    result: ClassVar[object] = None

    time: float | None = None
    is_final: bool = False


class New(Command, frozen=True, tag="new"):
    """An empty world, in space or in the plane, with gravity; of the first order (f = m v) without: for
    curves, models and fits."""

    result: ClassVar[object] = None

    dimension: int = 3
    order: int = 2


class Open(Command, frozen=True, tag="open"):
    """Open a gallery scene by name, a scene by its text or path, or one that was left unsaved: the newest, or
    one by its name."""

    result: ClassVar[object] = None

    example: str = ""
    text: str = ""
    path: str = ""
    recover: bool = False
    unsaved: str = ""


class Forget(Command, frozen=True, tag="forget"):
    """Delete a world that was left unsaved; until then it is offered at every start."""

    result: ClassVar[object] = None

    unsaved: str


class Save(Command, frozen=True, tag="save"):
    """Save to the folder that the studio was started with; without a path, where it was saved before.

    Refused with `can_force` where another file stands there.
    """

    result: ClassVar[object] = Saved

    path: str = ""
    is_forced: bool = False  # also over a file that another program changed meanwhile


class Ask(Command, frozen=True, tag="ask"):
    """Something to read: "python" (the world as a script), "scene" (its JSON), "share" (one HTML file that
    replays the recorded past), "csv" (the recorded past), "files" (in the studio's folder), "thumbnails" (of
    the gallery), "recovery" (the newest world that was left unsaved, or null), "unsaved" (all of them, the
    newest first).
    """

    result: ClassVar[object] = {
        "python": Text,
        "scene": Text,
        "share": Text,
        "csv": Text,
        "files": tuple[FileInfo, ...],
        "thumbnails": tuple[Thumbnail, ...],
        "recovery": Unsaved | None,
        "unsaved": tuple[Unsaved, ...],
    }

    what: Literal["python", "scene", "files", "share", "csv", "thumbnails", "recovery", "unsaved"]


# --- curves, models, images and data -------------------------------------------------------------
class Check(Command, frozen=True, tag="check"):
    """Read typed formulas without doing anything.

    `numbers` are the names with their first values, `spans` those of u (and v).
    """

    result: ClassVar[object] = Faults

    what: Literal["curve", "surface", "value", "relation", "fit"]
    texts: tuple[str, ...]
    numbers: dict[str, float] = {}
    spans: tuple[str, ...] = ()  # from, to of u; of a surface also of v
    names: tuple[str, ...] = ()  # of a fit: the columns


class Attach(Command, frozen=True, tag="attach"):
    """Attach a curve to something, as one edit.

    `a` and `b` are places as `Insert` takes them ("circle@1.57"). fixed: the points
    stay together; slide: the point a slides along the curve b; cross: both slide; tangent: both slide and
    touch; equal_length, equal_area, equal_radius: of two curves; keep_length, keep_area: of the curve a;
    mirror: the curves a and b are mirror images in a line; mirror_points: two points are. `handle` and
    `moved` as of `Insert`. Result: the new names, that of the constraint first.
    """

    result: ClassVar[object] = Names

    how: Literal[
        "fixed",
        "slide",
        "cross",
        "tangent",
        "equal_length",
        "equal_area",
        "equal_radius",
        "keep_length",
        "keep_area",
        "mirror",
        "mirror_points",
    ]
    a: str
    b: str = ""
    line: str = ""
    handle: int = 0
    moved: dict[str, object] = {}


class Lock(Command, frozen=True, tag="lock"):
    """Hold one number of a curve, particle or variable where it is ("radius", "position.x", "points[2].y"),
    or let it go again. Result: the name of the lock.
    """

    result: ClassVar[object] = str

    item: str
    what: str
    is_locked: bool = True


class Define(Command, frozen=True, tag="define"):
    """Put a part into a model, typed in: a variable (name, value, bounds), an output (name, formula),
    something to minimise or maximise (formula), a constraint ("a*b = 8", "a + b <= 3"), or a hold on a
    variable or output (name). With `replaces` it takes the place of another part, as one edit. Result: the
    new names.
    """

    result: ClassVar[object] = Names

    part: Literal["variable", "output", "minimise", "maximise", "constraint", "hold"]
    name: str = ""
    text: str = ""
    value: float = 1.0
    low: float | None = None
    high: float | None = None
    replaces: str = ""


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


AnyCommand = (
    Apply
    | Insert
    | Undo
    | Redo
    | Play
    | Grab
    | Drag
    | Release
    | Preview
    | Delete
    | Copy
    | Paste
    | Watch
    | Recall
    | Scrub
    | New
    | Open
    | Forget
    | Save
    | Ask
    | Aim
    | Postpone
    | Check
    | Attach
    | Lock
    | Define
    | Upload
    | Load
    | PutSnake
    | PutVolcano
    | PutFit
    | Tune
    | Sheet
    | Settle
    | Report
)


def result_type(command: Command) -> object:
    """The type of a command's answer."""
    found = command.result
    return found[command.what] if isinstance(found, dict) else found  # type: ignore[attr-defined]


class Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command with its number; the same number again is answered as before and not done again."""

    seq: int
    command: AnyCommand


ServerMessage = Hello | Model | Changes | Values | Layout | Status | Notice | Reply
