"""Hands: what pages hold. A hand is no item of the model; each pulls by itself, and goes with its page or its
body."""

from __future__ import annotations

import itertools
from collections import OrderedDict, deque
from collections.abc import Collection

from tinkerdyne.engine.readings import acting_force, multipliers, read
from tinkerdyne.studio.session.posing import Posing
from tinkerdyne.studio.wire.mailbox import Mailbox
from tinkerdyne.world.dragging import Grip
from tinkerdyne.world.world import World

REMEMBERED = 100  # handles that are no more, of which it is known why


class Hands:
    """The grips of all pages, by handle."""

    def __init__(self) -> None:
        self.grips: dict[int, tuple[Mailbox, Grip]] = {}
        self._numbers = itertools.count(1)
        self._lost: deque[Grip] = deque(maxlen=100)  # grips whose body was removed
        self._names: dict[int, str] = {}  # what each handle holds
        # why handles hold nothing any more, of the last ones
        self._ended: OrderedDict[int, str] = OrderedDict()

    def hold(self, client: Mailbox, grip: Grip, name: str) -> int:
        """A new handle of the thing with this name."""
        handle = next(self._numbers)
        self._names[handle] = name
        self.grips[handle] = (client, grip)
        client.handles.add(handle)
        return handle

    def held(self, handle: int, client: Mailbox) -> Grip:
        """What a page holds by a handle, or a message: a hand belongs to its page."""
        found = self.grips.get(handle)
        if found is None or found[0] is not client or not found[1].is_held:
            raise ReferenceError(self._why(handle, client))
        return found[1]

    def _why(self, handle: int, client: Mailbox) -> str:
        """What became of a hand that holds nothing."""
        owner = self.grips[handle][0] if handle in self.grips else None
        if handle not in self._names or owner not in (None, client):
            return f"there is no grip {handle} of this page; grab something first"
        return (
            f"{self._names[handle]!r} is no longer held: {self._ended.get(handle, 'it was removed')}; "
            "grab it again"
        )

    def release(self, handle: int, why: str = "it was released") -> None:
        """Let go."""
        found = self.grips.pop(handle, None)
        if found is not None:
            found[0].handles.discard(handle)
            found[1].release()
            self._ended[handle] = why
            if len(self._ended) > REMEMBERED:
                self._names.pop(self._ended.popitem(last=False)[0], None)

    def taken_over(self, handle: int, client: Mailbox) -> Grip:
        """Release a hand, and return its grip, for another one that goes on with the same drag."""
        grip = self.held(handle, client)
        self.release(handle)
        return grip

    def let_go(self, why: str, of: Collection[str] | None = None) -> None:
        """Release the hands that are made of these items, or all: before time goes back, before a removal,
        before another world."""
        for handle, (_, grip) in tuple(self.grips.items()):
            if of is None or grip.item.name in of:
                self.release(handle, why)

    def end_posing(self) -> None:
        """Time goes on: let go of what was posed."""
        posed = [handle for handle, (_, grip) in self.grips.items() if isinstance(grip, Posing)]
        for handle in posed:
            self.release(handle, "the world runs")

    def tend(self) -> None:
        """Forget hands whose body was removed; where an undone removal brought one back, let go."""
        for handle in [h for h, (_, grip) in self.grips.items() if not grip.is_held]:
            self._lost.append(self.grips[handle][1])
            self.release(handle, "it was removed")
        for grip in self._lost:
            grip.release()

    def hidden(self, world: World) -> dict[str, str]:
        """Names of the items that hands are made of, and what their tracks are called."""
        found: dict[str, str] = {}
        for handle, (_, grip) in self.grips.items():
            if grip.is_held and not isinstance(grip, Posing):  # which is made of nothing
                found[grip.item.name] = f"grip:{handle}"
                for source in (*grip.item.inputs, *(s for i in grip.item.inputs for s in i.inputs)):
                    if source.type.family == "connector" and world.contents.is_implicit(source):
                        found[source.name] = f"grip:{handle}.point"
        return found


def pull_now(world: World, grip: Grip) -> list[float]:
    """The force of a grip as last evaluated [N], without evaluating again."""
    if isinstance(grip, Posing):
        return []
    engine, item = world.engine, grip.item
    if item.type.family == "behavior" and "to" not in item.values:  # a hand on a number or a fit
        return []
    if item.type.family == "behavior":
        places = acting_force(engine, item)
        return [] if places is None else [float(x) for x in read(engine, places)]
    return [float(x) for x in read(engine, multipliers(engine, item))]
