"""Posing: while the world is paused, a part is moved and what is joined to it follows, so that nothing tears.

No time passes and no force acts. The part goes towards the hand, and then all are put together by the least
change, weighted by mass (LD98's correction), again and again."""

from __future__ import annotations

import numpy as np

from tinkerdyne.language.arrays import Array
from tinkerdyne.language.checks import vector
from tinkerdyne.language.item import Item, label
from tinkerdyne.language.kinds import Value
from tinkerdyne.objects.rotation import matrix
from tinkerdyne.world.dragging import Grip
from tinkerdyne.world.edit import Move, Several
from tinkerdyne.world.history import Drag
from tinkerdyne.world.world import World

# of the way to the hand: a free end that is pulled goes half as far again when it is put together
SHARE = 0.7
MOST = 8.0  # the same of what moves all that is joined to it, at most
ROUNDS = 12  # in one move of the hand, at most
NEAR = 1e-6  # m from the hand
PRECISION, PATIENCE = 1e-10, 60  # of the constraints [SI], and corrections in a round


def is_posable(what: Item) -> bool:
    """Whether something has a place that can be given."""
    return what.type.family == "object" and "position" in what.type.state_names() and "velocity" in what.start


class Posing(Grip):
    """A hand on a part of a world that is paused; it holds the part at a point of it."""

    def __init__(self, world: World, body: Item, at: tuple[float, ...], drag: Drag) -> None:
        super().__init__(world, body, body, drag)
        size = len(body.position)
        self._at = np.array(vector(f"the place on {label(body)}", at, length=size)) if at else np.zeros(size)
        self._turn: tuple[float, ...] = ()
        self._is_over = False

    @property
    def is_held(self) -> bool:
        return super().is_held and not self._is_over

    def move(self, *to: float) -> None:
        """As near to a place of the world as the joints allow."""
        body = self.item
        self._held()
        given = to[0] if len(to) == 1 else to
        target = np.array(vector(f"the target of {label(body)}", given, length=len(self._at)))
        before, share, here = np.inf, SHARE, self._point()
        for _ in range(ROUNDS):
            missing = target - here
            distance = float(np.linalg.norm(missing))
            if distance <= NEAR or distance > 0.999 * before:
                break
            self._put({"position": tuple((np.array(body.position) + share * missing).tolist())})
            before, was, here = distance, here, self._point()
            # how far it follows when it is put together depends on what hangs on it
            followed = float(missing @ (here - was)) / (share * distance**2)
            share = SHARE if followed <= 0 else min(max(1 / followed, SHARE), MOST)

    def turn(self, *orientation: float) -> None:
        """Give the whole part this orientation, as far as the joints allow."""
        given = orientation[0] if len(orientation) == 1 and isinstance(orientation[0], tuple) else orientation
        if given != self._turn:
            self._turn = tuple(given)
            self._put({"orientation": tuple(given)} if len(given) == 4 else {"angle": given[0]})

    def release(self) -> None:
        if self.is_held:
            self.drag.end(Several(()))
        self._is_over = True

    def _point(self) -> Array:
        """Where the held point is."""
        body = self.item
        rotation = body.type.resolve(body)[0].rotation
        if rotation == "quaternion":
            return np.asarray(
                np.array(body.position) + np.array(matrix(np.array(body.orientation))) @ self._at
            )
        if rotation == "angle":
            c, s = np.cos(body.angle), np.sin(body.angle)
            return np.asarray(np.array(body.position) + np.array([[c, -s], [s, c]]) @ self._at)
        return np.array(body.position)

    def _put(self, state: dict[str, Value]) -> None:
        """Give the part this state, and put all together."""
        self.drag.change(Move(self.item.name, tuple(state.items())))
        put_together(self.world)


def put_together(world: World) -> None:
    """Move everything onto its constraints, by the least change."""
    engine = world.engine
    engine.ready()
    engine.forget_approaches()
    engine.moving()
    engine.program.assemble_parts(PRECISION, PATIENCE, by_mass=True)
    engine.is_settled = world.gap <= world.settings["tolerance"]


def pose(world: World, body: Item, at: tuple[float, ...]) -> Posing:
    """Take a part in hand."""
    with world.history.drag(f"moved {body.name}") as drag:
        world.history.apply(Several(()))
    return Posing(world, body, at, drag)
