"""A machine as other programs describe it: a tree of links with the joints that carry them.

Joints of one link follow each other; with axes and anchors in the link's own frame where all of them are at
zero, the link lies in its parent at  X₀ E₁(q₁) E₂(q₂) …  (product of exponentials).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from tinkerdyne.formats.markup import Element
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item

Sort = Literal["hinge", "slide", "ball", "free"]


def zeros() -> Array:
    return np.zeros(3)


@dataclass
class Pose:
    """Where a frame lies in another one: x ↦ place + turn · x."""

    place: Array = field(default_factory=zeros)
    turn: Array = field(default_factory=lambda: np.eye(3))

    def __matmul__(self, other: Pose) -> Pose:
        return Pose(self.place + self.turn @ other.place, self.turn @ other.turn)

    def at(self, x: Array) -> Array:
        return np.asarray(self.place + self.turn @ x)

    @property
    def inverse(self) -> Pose:
        return Pose(-self.turn.T @ self.place, self.turn.T)


@dataclass
class Mass:
    """Mass [kg], its centre [m] and the inertia about that centre [kg m²], in the axes of a link."""

    mass: float = 0.0
    centre: Array = field(default_factory=zeros)
    inertia: Array = field(default_factory=lambda: np.zeros((3, 3)))

    def moved(self, pose: Pose) -> Mass:
        return Mass(self.mass, pose.at(self.centre), pose.turn @ self.inertia @ pose.turn.T)

    def __add__(self, other: Mass) -> Mass:
        """Masses add, moments about the common centre: I + m (|d|² 1 − d dᵀ)."""
        if not self.mass or not other.mass:
            first, second = (self, other) if self.mass else (other, self)
            return Mass(first.mass, first.centre, first.inertia + second.inertia)
        mass = self.mass + other.mass
        centre = (self.mass * self.centre + other.mass * other.centre) / mass
        return Mass(mass, centre, self.about(centre) + other.about(centre))

    def about(self, place: Array) -> Array:
        """The inertia about another place."""
        d = self.centre - place
        return np.asarray(self.inertia + self.mass * (d @ d * np.eye(3) - np.outer(d, d)))


@dataclass
class Joint:
    """A freedom of a link; for "ball" and "free" the axis says nothing."""

    name: str
    sort: Sort
    source: Element
    axis: Array = field(default_factory=lambda: np.array([0.0, 0.0, 1.0]))
    anchor: Array = field(default_factory=zeros)
    zero: float = 0.0  # what the file calls the coordinate where the link lies as described
    low: float | None = None
    high: float | None = None
    damping: float = 0.0
    stiffness: float = 0.0
    rest: float = 0.0
    armature: float = 0.0
    friction: float = 0.0
    settles: tuple[float, float] | None = None  # time and damping ratio, which stand for spring and damper

    def seen_from(self, pose: Pose) -> None:
        """Describe the joint in another frame, in which its own lies at a pose."""
        self.axis, self.anchor = pose.turn @ self.axis, pose.at(self.anchor)


@dataclass
class Part:
    """A shape that a link is seen and touched as, where it lies in the link."""

    shape: Item
    pose: Pose
    touches: bool = True
    bits: tuple[int, int] = (1, 1)  # its kinds, and those that it touches


@dataclass
class Box:
    """The box of equal inertia that a medium drags, at a pose in the link."""

    pose: Pose
    size: Array


@dataclass
class Link:
    """A body: where it lies in its parent (−1: the world), what carries it, what it weighs."""

    name: str
    source: Element
    parent: int = -1
    pose: Pose = field(default_factory=Pose)
    joints: list[Joint] = field(default_factory=list)
    mass: Mass = field(default_factory=Mass)
    parts: list[Part] = field(default_factory=list)
    boxes: list[Box] = field(default_factory=list)
    lifted: list[tuple[float, Array]] = field(default_factory=list)  # mass without weight, and where


@dataclass
class Site:
    """A frame of a link, by name."""

    link: int
    pose: Pose


@dataclass
class Tendon:
    """A length: Σ coefficient · coordinate, or the way through sites, each stretch with its divisor."""

    name: str
    source: Element
    joints: list[tuple[str, float]] = field(default_factory=list)
    stretches: list[tuple[str, str, float]] = field(default_factory=list)
    low: float | None = None
    high: float | None = None
    stiffness: float = 0.0
    damping: float = 0.0
    friction: float = 0.0
    slack: tuple[float, float] | None = None  # the spring is at rest between the two; None: as it is at first


@dataclass
class Actuator:
    """An effort along gear · (a coordinate or a tendon):  gain(l, l̇) · u + bias(l, l̇), each c₀ + c₁ l + c₂ l̇.

    With a time constant u is a state of its own, u̇ = (control − u)/time; with 0 the control itself, with
    infinity its integral."""

    name: str
    source: Element
    joint: str = ""
    tendon: str = ""
    site: str = ""
    gear: tuple[float, ...] = (1.0,)
    gain: tuple[float, float, float] = (1.0, 0.0, 0.0)
    bias: tuple[float, float, float] = (0.0, 0.0, 0.0)
    time: float = 0.0
    control: tuple[float, float] | None = None
    effort: tuple[float, float] | None = None


@dataclass
class Equality:
    """What is held: two points together ("connect"), two frames ("weld"), or
    first − zero = Σ cₖ (second − zero)ᵏ of coordinates ("joint") or lengths ("tendon")."""

    name: str
    source: Element
    sort: Literal["connect", "weld", "joint", "tendon"]
    first: str | int
    second: str | int | None
    places: tuple[Pose, Pose] = field(default_factory=lambda: (Pose(), Pose()))
    terms: tuple[float, ...] = (0.0, 1.0)
    is_on: bool = True


@dataclass
class Machine:
    """All that was read of a file. Parents stand before their children."""

    name: str = ""
    links: list[Link] = field(default_factory=list)
    fixed: list[Part] = field(default_factory=list)  # what stands still
    sites: dict[str, Site] = field(default_factory=dict)
    tendons: dict[str, Tendon] = field(default_factory=dict)
    actuators: list[Actuator] = field(default_factory=list)
    equalities: list[Equality] = field(default_factory=list)
    apart: list[tuple[str, str]] = field(default_factory=list)  # pairs that do not touch
    gravity: Array = field(default_factory=lambda: np.array([0.0, 0.0, -9.81]))
    density: float = 0.0  # of the medium [kg/m³]
    viscosity: float = 0.0  # [Pa s]
    wind: Array = field(default_factory=zeros)

    def joints(self) -> dict[str, Joint]:
        return {joint.name: joint for link in self.links for joint in link.joints}
