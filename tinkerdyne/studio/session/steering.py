"""Controls that are moved: each move is carried out at once, and a whole drag of a slider is one step for
undo."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from tinkerdyne.studio.build.edits import checked_edit
from tinkerdyne.studio.wire.mailbox import Mailbox
from tinkerdyne.studio.wire.protocol import Steer
from tinkerdyne.world.history import Drag
from tinkerdyne.world.world import World


class Steering:
    """The controls that pages hold now."""

    def __init__(self) -> None:
        self._held: WeakKeyDictionary[Mailbox, dict[tuple[str, str], Drag]] = WeakKeyDictionary()

    def steer(self, world: World, client: Mailbox, command: Steer) -> None:
        """Give a parameter the value of a control."""
        held, what = self._held.setdefault(client, {}), (command.name, command.parameter)
        edit = checked_edit(
            {
                "edit": "Change",
                "name": command.name,
                "parameter": command.parameter,
                "value": command.value,
                "key": 0,
            }
        )
        drag = held.get(what)
        if drag is not None and drag.history is world.history:
            drag.change(edit)
        else:
            with world.history.drag() as drag:
                world.apply(edit)
            held[what] = drag
        if command.is_final:
            del held[what]
