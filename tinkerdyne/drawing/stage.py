"""The stage: where the parts of a recorded world are at each moment, as corners and lines in space."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import casadi as ca
import numpy as np

from tinkerdyne.connectors.points import frame, place, point, world_frame
from tinkerdyne.constraints.points import nail
from tinkerdyne.drawing.view import View, lifted
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item
from tinkerdyne.language.kinds import Point
from tinkerdyne.objects.object import ObjectType
from tinkerdyne.objects.rotation import matrices
from tinkerdyne.objects.shapes import outline, surface
from tinkerdyne.objects.textures import levels_of
from tinkerdyne.objects.troids import drawing_of, texture_corners
from tinkerdyne.world.recording import Recording
from tinkerdyne.world.world import World

DRAWN = ("point", "frame", "curve", "particles")  # kinds of objects that have a place
DOT = 0.016  # radius of a particle, as a share of the scene's size
MARGIN = 0.06  # around the scene, as a share of its size
TOGETHER = 0.005  # points nearer than this share of the scene's size are drawn as one
IN_WORLD, ON_BODY = (place, world_frame), (point, frame)  # connectors with a place `at`
ALONG = np.linspace(0.0, 1.0, 121)  # where a curve is drawn
MANY = 12  # corners: a planar body with more is round
ROUND = np.linspace(0.0, 2 * np.pi, 25)[:-1]


class StagedBody:
    """One object on the stage."""

    def __init__(self, item: Item, recording: Recording, number: int) -> None:
        self.item = item
        self.number = number
        self.is_fixed: bool = item.is_fixed
        kind, parameters = item.type.resolve(item)
        self.kind: str = kind.kind.name
        self.mass = float(parameters[0]) if self.kind == "point" else 0.0
        parts = {part.name: recording[f"{item.name}.{part.name}"] for part in kind.positions}
        self.q = np.column_stack([values.reshape(len(recording.time), -1) for values in parts.values()])
        self.parts = parts
        self.shape = _shape(item) if self.kind == "frame" else None
        self.is_closed = (
            self.shape is not None and self.shape[0].shape[1] == 3 and "second_moment" not in item.values
        )
        self.drawn = _function(kind, parameters, self.kind) if self.kind in ("curve", "particles") else None

    @cached_property
    def trail(self) -> Array:
        """Where its centre is at each moment, (n, 3)."""
        if self.drawn is None:
            return lifted(self.parts["position"])
        return np.stack([np.concatenate(self.drawn(q)).mean(axis=0) for q in self.q])

    def places(self, local: Array, k: int) -> Array:
        """Places given in body axes, in space: x + R s."""
        x = self.parts["position"][k]
        if "orientation" in self.parts:
            q = self.parts["orientation"][k]
            R = matrices((q / float(np.linalg.norm(q)))[None])[0]
        elif "angle" in self.parts:
            c, s = np.cos(self.parts["angle"][k]), np.sin(self.parts["angle"][k])
            R = np.array(((c, -s), (s, c)))
        else:
            R = self.parts["shape"][k].reshape(len(x), len(x)).T
        return lifted(x + local[:, : len(x)] @ R.T)

    @cached_property
    def image(self) -> Array | None:
        """The pixels of a sheet's texture, rows × columns (× colours)."""
        is_sheet = self.item.values.get("texture") and len(self.item.position) == 2
        return levels_of(self.item.texture) if is_sheet else None

    def image_corners(self, k: int) -> Array:
        """Where its image has its upper left, upper right and lower left corner at a moment, (3, 3)."""
        return self.places(texture_corners(self.item), k)

    def lines(self, k: int) -> list[Array]:
        """A curve, as lines in space; on a round planar body, a spoke that shows how it turns."""
        if self.kind == "curve" and self.drawn is not None:
            return self.drawn(self.q[k])
        if self.shape is not None and len(self.shape[0]) == len(self.shape[1][0]) > MANY:
            return [self.places(np.stack([np.zeros(2), self.shape[0][0]]), k)]
        return []

    def faces(self, k: int, stage: Stage) -> Array:
        """Its faces at a moment, (faces, corners, 3); of a closed surface those that look at the viewer."""
        if self.shape is not None:
            vertices, faces = self.shape
            found: Array = self.places(vertices, k)[faces]
            return found[normals(found) @ stage.view.towards > 0] if self.is_closed else found
        if self.kind == "point":
            return stage.disk(self.trail[k], np.cbrt(self.mass / stage.heaviest))[None]
        if self.kind == "particles" and self.drawn is not None:
            return np.array([stage.disk(place[0], 1.0) for place in self.drawn(self.q[k])])
        return np.zeros((0, 3, 3))

    def extent(self, moments: range) -> Array:
        """Places that the window must show."""
        if self.shape is not None:
            return np.concatenate([self.places(self.shape[0], k) for k in moments])
        if self.drawn is not None:
            return np.concatenate([line for k in moments for line in self.drawn(self.q[k])])
        return self.trail[list(moments)]


class Stage:
    """A recorded world as it is drawn: bodies, points that are held, links and springs between them."""

    def __init__(self, world: World, recording: Recording) -> None:
        self.recording = recording
        self.bodies: list[StagedBody] = []
        for item in world.items:
            kind = item.type.resolve(item)[0] if item.type.family == "object" else None
            if (
                kind is not None
                and kind.kind.name in DRAWN
                and all(f"{item.name}.{p.name}" in recording for p in kind.positions)
            ):
                self.bodies.append(StagedBody(item, recording, len(self.bodies)))
        self._of = {body.item.name: body for body in self.bodies}
        self.heaviest = max((body.mass for body in self.bodies if body.kind == "point"), default=1.0)
        on = [item for item in world.items if item.values.get("is_on", True)]
        self.constraints = [item for item in on if item.type.family == "constraint"]
        self._behaviors = [item for item in on if item.type.family == "behavior"]
        self.nails = [lifted(np.array(item.at)) for item in world.items if item.type in (*IN_WORLD, nail)]
        n = len(recording.time)
        moments = range(0, n, max(1, n // 60))
        found = [body.extent(moments) for body in self.bodies] + [np.array(self.nails).reshape(-1, 3)]
        seen = np.concatenate(found)
        self.seen = seen[np.isfinite(seen).all(axis=1)]

    @property
    def is_visible(self) -> bool:
        return bool(self.bodies) and len(self.seen) > 0

    @cached_property
    def view(self) -> View:
        """Face on when centres and points move in a plane and nothing sticks far out of it, else from a
        corner."""
        held = [place for k in (0, -1) for place in self.joints(k)]
        parts = [body.trail for body in self.bodies if body.drawn is None] + [
            np.array([*self.nails, *held]).reshape(-1, 3)
        ]
        return View.of(np.concatenate(parts), self.seen)

    @cached_property
    def size(self) -> float:
        """The larger side of what is seen [m]."""
        return float(np.ptp(self.view.flat(self.seen), axis=0).max()) or 1.0

    def window(self, aspect: float) -> Array:
        """((left, right), (low, high)) on the page, of this width/height."""
        flat = self.view.flat(self.seen)
        low, high = flat.min(axis=0), flat.max(axis=0)
        half = (high - low) / 2 + (MARGIN + DOT) * self.size
        half = np.maximum(half, half[::-1] * (aspect, 1 / aspect))
        return np.stack([(low + high) / 2 - half, (low + high) / 2 + half], axis=1)

    @property
    def aspect(self) -> float:
        """Width/height of what is seen, never thinner than 1 : 4."""
        if not self.is_visible:
            return 1.0
        width, height = np.ptp(self.view.flat(self.seen), axis=0) + 2 * (MARGIN + DOT) * self.size
        return float(np.clip(width / height, 0.25, 4.0))

    def disk(self, centre: Array, share: float) -> Array:
        """A round dot that faces the viewer."""
        radius = DOT * self.size * max(share, 0.4)
        found: Array = centre + radius * (
            np.outer(np.cos(ROUND), self.view.right) + np.outer(np.sin(ROUND), self.view.up)
        )
        return found

    def links(self, k: int) -> list[Array]:
        """Lines between the points of constraints that are apart: distances kept, gaps to be closed."""
        ends = [self._points(item, k) for item in self.constraints]
        return [
            pair
            for pair in ends
            if len(pair) == 2 and np.linalg.norm(pair[1] - pair[0]) > TOGETHER * self.size
        ]

    def springs(self, k: int) -> list[Array]:
        """Lines between the points of behaviors."""
        return [pair for pair in (self._points(item, k) for item in self._behaviors) if len(pair) == 2]

    def joints(self, k: int) -> list[Array]:
        """The points of bodies that constraints hold."""
        return [
            found
            for item in self.constraints
            for source in item.inputs
            if source.type.family == "connector" and source.type not in IN_WORLD
            for found in self._place(source, k)
        ]

    def _points(self, item: Item, k: int) -> Array:
        """Where the points lie that an item is plugged into; a nail has its own place besides."""
        places = [place for source in item.inputs for place in self._place(source, k)]
        if item.type is nail:
            places.append(lifted(np.array(item.at)))
        return np.array(places).reshape(-1, 3)

    def _place(self, source: Item, k: int) -> list[Array]:
        """Where a point, or the origin of a frame, is at a moment; nothing when it is neither, or was not
        recorded."""
        if source.type.family == "object":
            body = self._of.get(source.name)
            found = [body.trail[k]] if body is not None and body.kind == "point" else []
        elif source.type in IN_WORLD:
            found = [lifted(np.array(source.at))]
        elif source.type in ON_BODY and source.inputs[0].name in self._of:
            found = [self._of[source.inputs[0].name].places(np.array(source.at)[None], k)[0]]
        elif source.type.output == Point and f"{source.name}.value" in self.recording:
            found = [lifted(self.recording[f"{source.name}.value"][k])]
        else:
            found = []
        return [place for place in found if np.isfinite(place).all()]


def normals(faces: Array) -> Array:
    """Of faces (n, corners, 3), with the length of twice the area of their first triangle."""
    found: Array = np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0])
    return found


def _shape(item: Item) -> tuple[Array, Array]:
    """Corners in body axes (n, 2 or 3), and faces by their corners' numbers (faces, corners)."""
    if "second_moment" in item.values:
        return drawing_of(item)
    if len(item.position) == 3:
        return surface(item)
    corners = outline(item)
    return corners, np.arange(len(corners))[None]


def _function(kind: ObjectType, parameters: list[float], sort: str) -> Callable[[Array], list[Array]]:
    """From a state to the lines of a curve, or to the particles of a Lagrangian object, each (n, 3)."""
    q = ca.SX.sym("q", kind.nq)
    named, at = {}, 0
    for name, width in zip(kind.layout.names, kind.layout.dims, strict=True):
        named[name], at = ca.DM(parameters[at : at + width]), at + width
    value = kind.kind.wrap(kind.lift(q, named) if kind.lift is not None else q)
    if sort == "particles":
        out = [ca.transpose(place) for place in value.places]
    else:
        low, high = value.span
        out = [ca.transpose(ca.horzcat(*[value.point(low + (high - low) * u) for u in ALONG]))]
    function = ca.Function("drawn", [q], out)
    return lambda state: [lifted(np.array(found)) for found in function.call([ca.DM(state)])]
