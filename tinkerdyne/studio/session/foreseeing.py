"""Looking ahead: what something would do to the freedoms of the world, found on a copy beside the engine."""

from __future__ import annotations

from collections.abc import Callable

from tinkerdyne.studio.session.background import later
from tinkerdyne.studio.session.conflicts import diagnosis_together
from tinkerdyne.studio.session.files import scene_value
from tinkerdyne.studio.session.messages import quietly
from tinkerdyne.studio.session.session import Request, Session
from tinkerdyne.studio.wire import protocol as p
from tinkerdyne.world.scene import dumps
from tinkerdyne.world.world import World


def foreseen(session: Session, request: Request, put: Callable[[World], str | None]) -> object:
    """Diagnose a copy with what `put` adds and without it; the words are its own where it has some."""
    value = scene_value(session.world, session.hidden())

    def look() -> p.Foreseen:
        with quietly():
            copy = World.from_json(dumps(value))
            before = copy.diagnose().freedoms
            stops = [
                item.name for item in copy.engine.structure.constraints() if item.type.block_of(item).is_stop
            ]
            if stops:
                copy.remove(*stops)  # they open when a joint pulls, and contradict nothing
            lost = copy.diagnose().freedoms
            words = put(copy)
            if words:
                return p.Foreseen(freedoms=before, before=before, says=words)
            found = diagnosis_together(copy)
        lost -= found.freedoms
        says = f"takes {lost} of {before} freedoms" if lost else "takes no freedom"
        if found.contradictory:
            says += "; it would contradict " + ", ".join(found.contradictory[0])
        elif found.redundant:
            says += "; " + ", ".join(found.redundant[0]) + " repeat each other"
        return p.Foreseen(freedoms=before - lost, before=before, says=says)

    return later(session, request, look)
