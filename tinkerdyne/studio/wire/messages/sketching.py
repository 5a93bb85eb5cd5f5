"""Motion sketching by hand: what a sketch asks for, the motion that was found, and the commands that edit
it."""

from __future__ import annotations

from typing import ClassVar, Literal

import msgspec

from tinkerdyne.studio.wire.messages.base import Command, Message

Moment = Literal["start", "end"]
Verdict = Literal["none", "met", "plausible", "wild", "deep", "unmet"]
Wanted = Literal["position", "orientation", "velocity", "spin", "point", "inside"]


class SketchTrack(msgspec.Struct, frozen=True):
    """The samples of a body in a flight."""

    body: str
    places: tuple[tuple[float, ...], ...]
    orientations: tuple[tuple[float, ...], ...]  # none where only places are shown
    is_timed: bool  # its samples have times of their own
    at: tuple[float, ...] = ()  # the point of the body that is shown; none: its middle
    keys: tuple[int, ...] = ()  # samples at which orientations count, where they do not at all


class SketchWish(msgspec.Struct, frozen=True):
    """A value that is wanted of a body when a flight begins or ends."""

    body: str
    kind: Wanted
    when: Moment
    value: tuple[float, ...]  # of "inside" the least place, in the axes of the other body
    is_hard: bool
    high: tuple[float, ...] = ()  # where it may lie between: the most
    at: tuple[float, ...] = ()  # of "point": of the body
    of: str = ""  # of "inside": in which other body


class SketchFlight(msgspec.Struct, frozen=True):
    """What is asked of a flight."""

    tracks: tuple[SketchTrack, ...]
    wishes: tuple[SketchWish, ...]
    others: tuple[str, ...]  # wishes of other kinds, in words
    lasts: tuple[float, ...]  # least and most [s]; none where it is free


class SketchBlow(msgspec.Struct, frozen=True):
    """What ends a flight: a collision, or without a body a split where the motion goes on smoothly."""

    name: str
    body: str
    at: tuple[float, ...]  # of the body; none: the corner that comes lowest
    on: str  # the surface; "" where it is of a body,
    of: str  # which is this one
    origin: tuple[float, ...]  # of the surface; of a body in its own axes
    normal: tuple[float, ...]
    reach: float  # m from the origin, of a body; 0: anywhere on the face
    is_round: bool  # of a body that has no face
    restitution: tuple[float, ...]  # least and most
    friction: tuple[float, ...]
    tilt: float  # rad


class SketchSurface(msgspec.Struct, frozen=True):
    """A plane of the world."""

    name: str
    origin: tuple[float, ...]
    normal: tuple[float, ...]


class SketchTold(Message, frozen=True, tag="Sketch"):
    """The sketch of the world that is open, after every edit; no bodies: there is none."""

    number: int  # of the newest edit
    bodies: tuple[str, ...] = ()
    gravity: tuple[float, ...] = ()
    surfaces: tuple[SketchSurface, ...] = ()
    flights: tuple[SketchFlight, ...] = ()
    blows: tuple[SketchBlow, ...] = ()  # one between two flights
    style: dict[str, float] = {}
    standing: tuple[str, ...] = ()  # bodies that stand until something strikes them
    still: tuple[str, ...] = ()  # fixed bodies that are in the way
    is_tree: bool = False  # of bodies with joints: one flight, without collisions
    problem: str = ""  # why it cannot be read or solved


class MotionPath(msgspec.Struct, frozen=True):
    """The motion of a body: x y z qw qx qy qz in a row, at even shares of each flight."""

    body: str
    flights: tuple[tuple[float, ...], ...]
    samples: tuple[tuple[float, ...], ...]  # when it passes each sample, by flights [s]


class MotionBlow(msgspec.Struct, frozen=True):
    """A collision of the motion, and what physics does not explain of it."""

    flight: int  # that it ends
    time: float
    place: tuple[float, ...]
    normal: tuple[float, ...]
    impulse: float  # N s
    restitution: float
    friction: float
    speed_gap: float  # m/s, of the body with the widest
    spin_gap: float  # rad/s
    is_wild: bool


class MotionFault(msgspec.Struct, frozen=True):
    """Something that is not as it should be."""

    says: str
    size: float
    unit: str
    place: tuple[float, ...] = ()  # where it is seen


class MotionTold(Message, frozen=True, tag="Motion"):
    """The motion that was found for a sketch; no paths: there is none yet."""

    number: int  # of the edit that it answers
    is_searching: bool = False  # a better one is still looked for
    grid: tuple[float, ...] = ()  # when flights begin and end [s]
    paths: tuple[MotionPath, ...] = ()
    blows: tuple[MotionBlow, ...] = ()
    faults: tuple[MotionFault, ...] = ()
    notes: tuple[str, ...] = ()  # what else is to be known of it, in sentences
    verdict: Verdict = "none"
    is_astray: bool = False  # it does not follow the samples
    misfit: tuple[float, ...] = ()  # of places [m] and orientations [rad], root mean square
    seconds: float = 0.0  # that solving took
    played: float = -1.0  # when it began in the world, where it was put there


class SketchOther(msgspec.Struct, frozen=True):
    """Another motion that meets the sketch."""

    number: int
    paths: tuple[MotionPath, ...]
    grid: tuple[float, ...]
    speed: float  # m/s, root mean square
    height: float  # m
    seconds: float
    turns: float
    cost: float


class OthersTold(Message, frozen=True, tag="Others"):
    """What a search for other motions came to so far."""

    number: int  # of the edit for which they were looked for
    done: int = 0
    of: int = 0  # starts; none where nothing is searched
    is_over: bool = True
    found: tuple[SketchOther, ...] = ()


class BeginSketch(Command, frozen=True, tag="sketch"):
    """Sketch a motion of some bodies, from where they are now, with a throw to begin with along a direction;
    without bodies: there shall be no sketch."""

    result: ClassVar[object] = None

    bodies: tuple[str, ...] = ()
    along: tuple[float, ...] = ()


class PoseSample(Command, frozen=True, tag="pose-sample"):
    """Put a sample of a flight somewhere else, or with `is_new` another one before it. Without `is_final`
    the hand still moves: the motion is only shown, and only the newest counts."""

    result: ClassVar[object] = None

    number: int  # of the edit, which its motion bears
    body: str
    flight: int
    sample: int
    place: tuple[float, ...]
    orientation: tuple[float, ...] = ()
    is_new: bool = False
    is_final: bool = True


class PoseWish(Command, frozen=True, tag="pose-wish"):
    """Put the pose that is wanted of a body at the start or end of a flight somewhere else."""

    result: ClassVar[object] = None

    number: int
    body: str
    flight: int
    when: Moment
    place: tuple[float, ...]
    orientation: tuple[float, ...] = ()
    is_final: bool = True


class DropSample(Command, frozen=True, tag="drop-sample"):
    """A flight without one of its samples."""

    result: ClassVar[object] = None

    body: str
    flight: int
    sample: int


class AskWish(Command, frozen=True, tag="ask-wish"):
    """Want a value of a body at the start or end of a flight, hard or soft, or between two values; without a
    value it is free. "inside" without a value wants a body anywhere in another."""

    result: ClassVar[object] = None

    body: str
    flight: int
    kind: Wanted
    when: Moment
    value: tuple[float, ...] = ()
    is_hard: bool = True
    high: tuple[float, ...] = ()
    at: tuple[float, ...] = ()  # of "point"
    of: str = ""  # of "inside"


class EditFlight(Command, frozen=True, tag="edit-flight"):
    """Let a flight end with a bounce, or with a collision of two bodies, and another one follow; cut one in
    two; remove one, or put it elsewhere; say how long it lasts (`lasts`; nothing frees it). Without
    `is_final` the hand still moves."""

    result: ClassVar[object] = None

    what: Literal["bounce", "meet", "split", "remove", "reorder", "lasts"]
    flight: int
    body: str = ""  # of "bounce" and "meet": what strikes; the first one
    to: int = 0  # of "reorder"; of "split" the sample before which it is cut
    lasts: tuple[float, ...] = ()
    number: int = 0  # of the edit, which its motion bears
    is_final: bool = True


class EditBlow(Command, frozen=True, tag="edit-blow"):
    """Tell what ends a flight anew; without a body it becomes a split. With `of` another body is struck, on
    the face that looks at the first, or on the one that is given in its axes."""

    result: ClassVar[object] = None

    flight: int
    body: str = ""
    at: tuple[float, ...] = ()
    on: str = ""
    of: str = ""
    origin: tuple[float, ...] = ()
    normal: tuple[float, ...] = ()
    reach: float = 0.0
    restitution: tuple[float, ...] = (0.5, 0.5)
    friction: tuple[float, ...] = (0.0, 0.0)
    tilt: float = 0.0


class EditSketch(Command, frozen=True, tag="edit-sketch"):
    """Other gravity, another plane (by its name; a new name makes one), another style, or other bodies that
    stand until they are struck: what is left out stays."""

    result: ClassVar[object] = None

    gravity: tuple[float, ...] = ()
    surface: str = ""
    origin: tuple[float, ...] = ()
    normal: tuple[float, ...] = ()
    style: dict[str, float] | None = None
    standing: tuple[str, ...] | None = None


class GestureTold(msgspec.Struct, frozen=True):
    """A gesture as it was taken."""

    heights: tuple[float, ...]  # m, of its places
    cuts: tuple[int, ...]  # the places at which its flights meet


class ActSketch(Command, frozen=True, tag="act-sketch"):
    """A gesture as it was recorded, instead of the samples of a body: divided into flights where it comes
    lowest, or where it is cut."""

    result: ClassVar[object] = GestureTold

    body: str
    places: tuple[tuple[float, ...], ...] = ()
    orientations: tuple[tuple[float, ...], ...] = ()
    times: tuple[float, ...] = ()
    text: str = ""  # of a file, CSV or JSON, instead
    flights: int = 0  # as many; none: as many as it shows
    smooth: float = 1.5  # samples
    cuts: tuple[int, ...] = ()  # places at which it is cut, instead


class FindOthers(Command, frozen=True, tag="find-others"):
    """Look for other motions that meet the sketch, in the background, or end that."""

    result: ClassVar[object] = None

    starts: int = 12
    is_on: bool = True


class TakeOther(Command, frozen=True, tag="take-other"):
    """Go on with another motion that was found."""

    result: ClassVar[object] = None

    number: int


class PlayMotion(Command, frozen=True, tag="play-motion"):
    """Put the motion into the world, from now on: the bodies start it, are struck as it says, and go on by
    contact. One step for undo. Result: how far the bodies' own motion is replaced [s]."""

    result: ClassVar[object] = float


SketchCommand = (
    BeginSketch
    | PoseSample
    | PoseWish
    | DropSample
    | AskWish
    | EditFlight
    | EditBlow
    | EditSketch
    | ActSketch
    | FindOthers
    | TakeOther
    | PlayMotion
)
