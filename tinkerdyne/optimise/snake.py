"""Snakes: a springy, stretchy curve on a picture that locks on to edges, is pulled by hand, and follows them
(G4, ID90 §5.3).

    world = World(order=1, max_step=1.0)
    shown = world.add(photo("cell.png"))
    snake = Snake(world, shown, circle((60, 60), 40))
    snake.settle()
    snake.mask()

It is n particles of the plane and a `link` at each of them, with the energy of stretching, bending and edges,
so that all that holds for particles holds for it: grab a point, tie a spring to it, nail it, put a volcano
beside it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike

from tinkerdyne.behaviors.forces import spring
from tinkerdyne.behaviors.images import edge, link, picture
from tinkerdyne.behaviors.images import volcano as hill
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.attributes import SaysNearest
from tinkerdyne.language.calls import methods_say_how
from tinkerdyne.language.checks import number, vector
from tinkerdyne.language.item import Item
from tinkerdyne.language.kinds import Value
from tinkerdyne.objects.catalog import Particle
from tinkerdyne.optimise.settle import Rest, settle
from tinkerdyne.world.edit import Change, Several
from tinkerdyne.world.world import World

FEWEST, MOST = 4, 10_000  # points of a snake


@methods_say_how()
class Snake(SaysNearest):
    """A curve of particles on a picture; tension and bending [N/m] and the strength of edges [J] can be
    changed while it runs."""

    def __init__(
        self,
        world: World,
        shown: Item,
        places: ArrayLike,
        *,
        closed: bool = True,
        tension: float = 0.2,
        bending: float = 0.1,
        strength: float = 100.0,
        name: str = "snake",
    ) -> None:
        given = np.asarray(places, float)
        if given.ndim != 2 or given.shape[1] != 2 or not FEWEST <= len(given) <= MOST:
            raise ValueError(
                f"snake {name!r} takes {FEWEST} to {MOST} places (x, y), not an array of {given.shape}"
            )
        if not np.isfinite(given).all():
            raise ValueError(
                f"snake {name!r} has a place that is not finite, number "
                f"{int(np.argwhere(~np.isfinite(given))[0, 0])}"
            )
        if world.settings["order"] != 1:
            raise ValueError(
                "a snake lives in a first-order world, World(order=1): there it stops where the forces end"
            )
        if not isinstance(shown, Item) or shown.type is not picture:
            raise TypeError(f"snake {name!r} needs a picture, such as photo(image), not {shown!r}")
        values = {"tension": tension, "bending": bending, "strength": strength}
        values = {key: _weight(name, key, value) for key, value in values.items()}
        points = [Particle(f"{name} {k}", position=tuple(place)) for k, place in enumerate(given.tolist())]
        world.add(*points, *([] if shown.world is world else [shown]))
        ring = [points[-1], *points, points[0]] if closed else points
        links = [
            link(a, b, c, shown, **values, name=f"{b.name} link")
            for a, b, c in zip(ring, ring[1:], ring[2:], strict=False)
        ]
        if not closed:  # what the links at the inner points leave out
            links += [
                edge(p, shown, strength=values["strength"], name=f"{p.name} end")
                for p in (points[0], points[-1])
            ]
            links.append(
                spring(points[0], points[1], stiffness=values["tension"], name=f"{name} first tension")
            )
        world.add(*links)
        self.world, self.shown, self.name, self.closed, self._points = (
            world,
            shown,
            name,
            closed,
            tuple(points),
        )

    def __repr__(self) -> str:
        form = "closed" if self.closed else "open"
        return f"<Snake {self.name!r}: {form}, {len(self._points)} points on {self.shown.name!r}>"

    @classmethod
    def of(cls, world: World, name: str = "snake") -> Snake:
        """The snake of this name in a world, such as one that was loaded from a file."""
        points = [
            item
            for item in world.items
            if item.type.family == "object" and item.name.rpartition(" ")[0] == name
        ]
        if not points:
            raise KeyError(f"there is no snake {name!r} in this world")
        snake = cls.__new__(cls)
        snake.world, snake.name, snake._points = world, name, tuple(points)
        links = [item for item in world.items if item.type is link and item.inputs[1] in points]
        if not links:
            raise KeyError(
                f"snake {name!r} has no links left in this world; undo what took them, or make a new one"
            )
        snake.shown = links[0].inputs[3]
        snake.closed = f"{name} first tension" not in world and not any(
            f"{p.name} end" in world for p in points
        )
        return snake

    @property
    def points(self) -> tuple[Item, ...]:
        """Its particles in order, without those that were taken out of the world."""
        points = tuple(p for p in self._points if p in self.world)
        if not points:
            raise KeyError(
                f"snake {self.name!r} has no points left in its world; undo what took them, or make a new one"
            )
        return points

    # --- what it can do --------------------------------------------------------------------------
    def settle(self, *, pixels: float = 1e-3) -> Rest:
        """Slide on to the edge now, until ten steps move no point by more than this share of a pixel."""
        still = number("pixels", pixels, positive=True) * self.shown.pixel
        return settle(self.world, speed=1e-9, still=still, first_step=1.0, most_steps=20_000)

    def show(self, image: Value) -> None:
        """Put another image, such as the next frame, in the place of the picture's."""
        self.shown.image = image

    def track(self, frames: Iterable[Value], *, steps: int = 20, seconds: float = 1.0) -> Iterator[Array]:
        """Follow an edge through frames: after each one, some steps of some seconds, and the polygon."""
        for frame in frames:
            self.show(frame)
            for _ in range(steps):
                self.world.step(seconds)
            yield self.polygon

    def change(self, **values: float) -> None:
        """Change tension, bending or strength along the whole snake, as one edit: snake.change(bending=5)."""
        unknown = set(values) - {"tension", "bending", "strength"}
        if unknown:
            raise TypeError(
                f"snake {self.name!r} has no {', '.join(unknown)}; it has tension, bending and strength"
            )
        values = {key: _weight(self.name, key, value) for key, value in values.items()}
        parameters = {"link": ("tension", "bending", "strength"), "end": ("strength",)}
        edits = [
            Change(f"{p.name} {part}", key, value)
            for part, known in parameters.items()
            for p in self.points
            for key, value in values.items()
            if key in known and f"{p.name} {part}" in self.world
        ]
        if "tension" in values and f"{self.name} first tension" in self.world:
            edits.append(Change(f"{self.name} first tension", "stiffness", values["tension"]))
        self.world.apply(Several(tuple(edits)))

    def nearest(self, place: Sequence[float]) -> Item:
        """The point of the snake that is nearest to a place: the one to grab."""
        away = self.polygon - np.array(vector("a place", place, length=2))
        return self.points[int(np.argmin((away**2).sum(axis=1)))]

    def volcano(
        self, at: Sequence[float], *, height: float = 100.0, width: float = 10.0, name: str = "volcano"
    ) -> tuple[Item, ...]:
        """Put a hill beside the snake, which drives its points off; take it away with
        world.remove(*hills)."""
        hills = [
            hill(p, at=at, height=height, width=width, name=f"{name} {k}") for k, p in enumerate(self.points)
        ]
        self.world.add(*hills)
        return tuple(hills)

    # --- what comes out --------------------------------------------------------------------------
    @property
    def polygon(self) -> Array:
        """Its points, n × 2, in the plane of the world [m]."""
        with self.world.lock:
            return np.array([self.world.engine.state(p)[0] for p in self.points])

    @property
    def pixels(self) -> Array:
        """Its points, n × 2, as (row, column) of the image."""
        rows = self.shown.image.landscape(self.shown.scales).rows
        far = (self.polygon - np.array(self.shown.corner)) / self.shown.pixel
        return np.stack([rows - far[:, 1] - 0.5, far[:, 0] - 0.5], axis=1)

    def mask(self) -> Array:
        """True for the pixels of the image whose centre lies within a closed snake."""
        from skimage.draw import polygon2mask

        if not self.closed:
            raise ValueError(f"snake {self.name!r} is open: it has no inside")
        seen = self.shown.image.landscape(self.shown.scales)
        return np.asarray(polygon2mask((seen.rows, seen.columns), self.pixels))


def _weight(name: str, key: str, value: float) -> float:
    """A tension, a stiffness of bending or a strength of edges; below zero the first two would blow the snake
    up."""
    given = number(f"{key} of snake {name!r}", value)
    if key != "strength" and given < 0:
        raise ValueError(
            f"{key} of snake {name!r} must not be negative, or the snake would fly apart; not {given:g}"
        )
    return given


def circle(centre: Sequence[float], radius: float, count: int = 100) -> Array:
    """Places on a circle, to begin a snake with [m]."""
    x, y = vector("the centre of a circle", centre, length=2)
    turn = np.linspace(0, 2 * math.pi, count, endpoint=False)
    radius = number("the radius of a circle", radius, positive=True)
    return np.stack([x + radius * np.cos(turn), y + radius * np.sin(turn)], axis=1)


def resampled(places: ArrayLike, count: int, *, closed: bool = True) -> Array:
    """A drawn line with its points at equal distances, to begin a snake with."""
    given = np.asarray(places, float)
    if given.ndim != 2 or given.shape[1] != 2 or len(given) < 2:
        raise ValueError(
            f"a line to begin a snake with has at least two places (x, y), not an array of {given.shape}"
        )
    line = np.concatenate([given, given[:1]]) if closed else given
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
    if not along[-1] > 0:
        raise ValueError("a line to begin a snake with must have a length; all its places are the same")
    wanted = np.linspace(0, along[-1], count + closed)[:count]
    return np.stack([np.interp(wanted, along, line[:, k]) for k in range(2)], axis=1)


__all__ = ["Snake", "circle", "resampled"]
