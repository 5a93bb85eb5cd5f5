"""Motion sketching in a session: the sketch of the open world, the motion that fits it, and who is told.

The world owns the sketch, as a part of its display; what is held here follows it, whoever changed it. The
motion is solved beside the engine (`solver.py`)."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import TYPE_CHECKING

from msgspec.structs import replace

from tinkerdyne.studio.session.messages import said
from tinkerdyne.studio.show.describe import encoder
from tinkerdyne.studio.sketching.solver import Found, Solver, Wanted
from tinkerdyne.studio.wire import protocol as p
from tinkerdyne.studio.wire.mailbox import Mailbox
from tinkerdyne.world.edit import Display, Sketched

if TYPE_CHECKING:
    from tinkerdyne.studio.session.session import Session
    from tinkerdyne.studio.sketching.begin import AnySketch
    from tinkerdyne.studio.sketching.others import Search
    from tinkerdyne.studio.sketching.solver import AnySolution


class Sketching:
    """See the module. Everything but `_found` runs in the engine's thread."""

    def __init__(self, session: Session, begin: Callable[[], object]) -> None:
        self.session = session
        self.solver = Solver(self._found, begin)
        self.sketch: AnySketch | None = None
        self.solution: AnySolution | None = None
        self.number = 0  # of the newest edit
        self.search: Search | None = None  # for other motions
        self.played = -1.0  # s: when the motion began in the world
        self._seen: tuple[object, ...] = ()
        self._text = ""
        self._bodies: tuple[object, ...] = ()
        self._told: dict[str, bytes] = {}
        self._motion = p.MotionTold(0)  # that was told last

    # --- the world's sketch ----------------------------------------------------------------------
    @property
    def shown(self) -> Sketched | None:
        """The sketch of the world."""
        found = self.session.world.contents.display.get("sketch")
        return found if isinstance(found, Sketched) else None

    def sync(self) -> None:
        """Notice another sketch, or other bodies of it, whoever changed them."""
        world = self.session.world
        display = world.contents.display
        seen = (id(world), id(display), world.engine.rebuilds, *world.history.mark())
        if seen == self._seen or (not self._text and "sketch" not in display):
            self._seen = seen
            return
        self._seen = seen
        with world.lock:
            self._follow()

    def _follow(self) -> None:
        from tinkerdyne.studio.sketching.begin import bodies_in, read

        shown, world = self.shown, self.session.world
        bodies = () if shown is None else bodies_in(world, shown)
        if (shown.text if shown is not None else "") == self._text and bodies == self._bodies:
            return
        self._text, self._bodies = ("" if shown is None else shown.text), bodies
        try:
            self._adopt(None if shown is None else read(world, shown, self.sketch))
        except Exception as problem:  # whatever a file may hold
            self._adopt(None, said(problem))

    def _adopt(self, sketch: AnySketch | None, problem: str = "", number: int = 0) -> None:
        """This is the sketch now: told, and solved."""
        from tinkerdyne.studio.sketching.telling import sketch_told

        self.number = max(self.number + 1, number)
        self.sketch = sketch
        self._send("sketch", sketch_told(sketch, self.number, problem))
        if sketch is None:
            self.forget()
        else:
            self.solver.solve(Wanted(copy(sketch), self.number, is_final=True))

    def forget(self) -> None:
        """There is no motion."""
        self.solution = None
        if self.search is not None:
            self.search.call_off()
        self.search = None
        self.solver.go_on_from(None)
        self._send("motion", p.MotionTold(self.number))
        self._send("others", p.OthersTold(self.number))

    def look_at_another_world(self) -> None:
        """Another world was opened."""
        self._seen, self._text, self._bodies, self.played = (), "", (), -1.0
        if self.sketch is not None or self._told:
            self._adopt(None)

    # --- edits -----------------------------------------------------------------------------------
    def edited(self, command: object) -> AnySketch:
        """The sketch as a command changes it."""
        from tinkerdyne.studio.sketching.verbs import revised

        if self.sketch is None:
            raise ValueError("there is no sketch: select a body, and sketch its motion")
        return revised(command, self.sketch, self.solution)

    def show(self, sketch: AnySketch, number: int) -> None:
        """Solve a sketch that the hand has not let go of."""
        self.solver.solve(Wanted(sketch, number, is_final=False))

    def keep(self, sketch: AnySketch | None, number: int = 0) -> None:
        """Have another sketch, as one step for undo."""
        from tinkerdyne.studio.sketching.begin import bodies_in, check, kept

        world = self.session.world
        if sketch is not None:
            check(sketch)
        shown = None if sketch is None else kept(sketch)
        world.apply(Display("sketch", shown))
        found = self.shown
        self._text = "" if found is None else found.text
        self._bodies = () if found is None else bodies_in(world, found)
        self._adopt(sketch, number=number)

    def keep_with(self, sketch: AnySketch, solution: AnySolution) -> None:
        """Have another sketch, and this motion of it."""
        self.solver.go_on_from(solution)
        self.keep(copy(sketch))

    # --- motions ---------------------------------------------------------------------------------
    def _found(self, found: Found) -> None:
        """In the solver's thread: tell what was found."""
        from tinkerdyne.studio.sketching.telling import motion_told

        wanted = found.wanted
        if found.solution is None:
            self.session.post(lambda: self._refused(found))
            return
        told = motion_told(found.solution, wanted.number, found.seconds, is_searching=found.is_searching)
        self.session.post(lambda: self._take(found, told))

    def _refused(self, found: Found) -> None:
        from tinkerdyne.studio.sketching.telling import sketch_told

        if found.wanted.number == self.number:
            self.solution = None
            self._send("sketch", sketch_told(self.sketch, self.number, found.problem))
            self._send("motion", p.MotionTold(self.number))

    def _take(self, found: Found, told: p.MotionTold) -> None:
        if self.sketch is None:
            return
        if found.wanted.number == self.number:
            self.solution = found.solution
        self._send("motion", told)

    def begins(self, time: float) -> None:
        """The motion was put into the world at a time."""
        self.played = time
        self._motion = replace(self._motion, played=time)
        self._send("motion", self._motion)

    def take(self, solution: AnySolution) -> None:
        """Go on with this motion."""
        from tinkerdyne.studio.sketching.telling import motion_told

        self.solution = solution
        self.solver.go_on_from(solution)
        self._send("motion", motion_told(solution, self.number, 0.0, is_searching=False))

    # --- pages -----------------------------------------------------------------------------------
    def _send(self, kind: str, message: p.SketchTold | p.MotionTold | p.OthersTold) -> None:
        if isinstance(message, p.MotionTold):
            message = self._motion = replace(message, played=self.played)
        self._told[kind] = encoder.encode(message)
        for client in self.session.clients:
            client.put_latest(kind, self._told[kind])
        self.session.wake()

    def tell_others(self, message: p.OthersTold) -> None:
        self._send("others", message)

    def welcome(self, client: Mailbox) -> None:
        """All that there is, for a page that comes."""
        for kind, message in self._told.items():
            client.put_latest(kind, message)

    def stop(self) -> None:
        if self.search is not None:
            self.search.call_off()
        self.solver.stop()
