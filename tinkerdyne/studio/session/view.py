"""What pages see of a world: the model and its values, the layout of frames, the present or a moment of the
past.

Every change is noticed by itself, whoever made it: the structure counts its rebuilds, and every edit leaves
an entry for undo.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace

from tinkerdyne import gallery
from tinkerdyne.engine.readings import apart
from tinkerdyne.language.types import REGISTRY
from tinkerdyne.studio.build.catalogue import catalogue, fit_models
from tinkerdyne.studio.session.checkpoints import Checkpoints
from tinkerdyne.studio.session.files import Files, page_build
from tinkerdyne.studio.session.guides import GUIDES
from tinkerdyne.studio.session.past import Past, seen_from
from tinkerdyne.studio.show.chromium import can_render
from tinkerdyne.studio.show.describe import Descriptions, encoder, shown, timeline, world_dimension
from tinkerdyne.studio.show.frames import FramePlan
from tinkerdyne.studio.show.ledger import Ledger, Quantity
from tinkerdyne.studio.wire import protocol
from tinkerdyne.studio.wire.mailbox import Mailbox
from tinkerdyne.world.history import HistoryMark
from tinkerdyne.world.settings import DEFAULTS
from tinkerdyne.world.world import World

NEVER: HistoryMark = (-1, 0)  # the mark of no moment
MOST_PINNED = 1000


class OpenWorld:
    """A world with the name and file it goes by."""

    def __init__(self, world: World, title: str, path: Path | None) -> None:
        self.world, self.title, self.path = world, title, path
        self.dimension = world_dimension(world)  # of an empty world, what it was made for
        self.saved: HistoryMark = self.mark()  # the newest edit that is in a file
        self.checkpoints = Checkpoints(world)
        self.pinned: protocol.Pinned | None = None

    def mark(self) -> HistoryMark:
        """How many edits can be taken back, and the last of them."""
        return self.world.history.mark()

    @property
    def is_dirty(self) -> bool:
        """Whether there are edits that were not saved."""
        return self.mark() != self.saved


class PageView:
    """The messages that describe a scene, made anew when something changed."""

    def __init__(self, scene: OpenWorld, clients: Iterable[Mailbox], files: Files) -> None:
        self.clients, self.files = clients, files
        self.revision = 0
        self.is_bare = False  # nobody said which world is to be shown
        self.session = secrets.token_hex(8)
        self._scenes = secrets.randbelow(1 << 30)  # those of another session have other numbers
        self.past = Past()
        self.shown: float | None = None  # the time of the past that is shown instead of the present
        self.is_other = False  # whether items were others at that time
        self.newest = b""  # frame
        self.is_current = False  # whether pages have the present state
        self._told: tuple[
            object, ...
        ] = ()  # of which layout of the past pages were told, and seen from where
        self._hello: tuple[tuple[int, bool], bytes] = ((-1, False), b"")
        self.hello()
        self.look_at(scene)

    def look_at(self, scene: OpenWorld) -> None:
        """Another world; its past begins now."""
        self.scene = scene
        self._scenes += 1
        self.past.clear()
        self.shown, self.is_other = None, False
        self._descriptions = Descriptions()
        self._plan: FramePlan | None = None
        self._ledger: Ledger | None = None
        self._seen: tuple[object, ...] = ()
        self._sent: int | None = None  # the revision of the last model of this world
        # of the newest frame: time [s], kinetic and potential energy [J], the widest gap [SI]
        self.numbers = (scene.world.time, 0.0, 0.0, 0.0)
        self._items: list[msgspec.Raw] = []
        self._infos: tuple[protocol.ItemInfo, ...] = ()
        self.layout = b""

    # --- the model -------------------------------------------------------------------------------
    def sync(self, hidden: dict[str, str], *, force: bool = False) -> bool:
        """Tell pages what changed; `hidden` are the items that hands are made of. Whether something did."""
        scene, world = self.scene, self.scene.world
        with world.lock:
            world.engine.ready()
            edits = (world.history.undone, scene.is_dirty, *scene.mark())
            seen = (
                world.engine.rebuilds,
                world.timeline,
                scene.path,
                scene.title,
                repr(world.settings),
                world.contents.display,
                *edits,
            )
            if not force and same(seen, self._seen):
                if self._plan is None:
                    self.planned(hidden)
                    return True
                return False
            is_first = not self._seen
            is_rebuilt = is_first or self._seen[0] != seen[0]
            is_renamed = is_first or not same(self._seen[1:6], seen[1:6])
            self._items, changed = self._descriptions.update(world, set(hidden))
            if self._descriptions.renamed:
                self.past.rename(self._descriptions.renamed)
            if changed is None or is_renamed or any("keys" in values for values in changed.values()):
                self._send_model()
                is_rebuilt = True
            elif changed or not force:
                values = protocol.Values(
                    self.revision, changed, world.history.can_undo, world.history.can_redo, scene.is_dirty
                )
                for client in self.clients:
                    client.put_values(values)
            self._infos = self._descriptions.infos
            if is_rebuilt:
                self._plan = None
                self.planned(hidden)
            if self.shown is not None and (is_rebuilt or self._descriptions.fresh):
                self.show_past(self.shown)  # seen from another present
            self.is_current = False
            self._seen = seen
            return True

    def _send_model(self) -> None:
        self.revision += 1
        since, self._sent = self._sent, self.revision
        model, changes = self._model(), b""
        if since is not None:
            fresh = {**model, "items": self._descriptions.fresh}
            found = {"type": "Changes", "since": since, "model": fresh, "order": self._descriptions.order}
            changes = encoder.encode(found)
        whole = encoder.encode(model)
        for client in self.clients:
            client.put_model(whole, changes)

    @property
    def model(self) -> bytes:
        """The message that describes the world as it is now."""
        return encoder.encode(self._model())

    def _model(self) -> dict[str, object]:
        scene, world = self.scene, self.scene.world
        has_objects = any(item.type.family == "object" for item in world.items)
        return {
            "type": "Model",
            "revision": self._sent or 0,
            "title": scene.title,
            "path": self.files.shown(scene.path),
            "items": self._items,
            "settings": {**DEFAULTS, **world.settings},
            "timeline": timeline(world),
            "can_undo": world.history.can_undo,
            "can_redo": world.history.can_redo,
            "is_dirty": scene.is_dirty,
            "dimension": world_dimension(world) if has_objects else scene.dimension,
            "display": shown(world),
            "scene": self._scenes,
            "pinned": scene.pinned,
        }

    def pin(self, pinned: protocol.Pinned) -> None:
        """Have these plots and traces in all pages."""
        if pinned.scene != self._scenes:
            return
        if sum(len(plot.left) + len(plot.right) for plot in pinned.plots) > MOST_PINNED:
            raise ValueError(f"{MOST_PINNED} quantities at most can be pinned; remove some plots first")
        self.scene.pinned = pinned
        message = encoder.encode(pinned)
        for client in self.clients:
            client.put_latest("pinned", message)

    # --- frames ----------------------------------------------------------------------------------
    def planned(self, hidden: dict[str, str]) -> FramePlan:
        """The plan of frames; made anew after a change of structure."""
        if self._plan is None:
            if self.layout:
                self.revision += 1
            self._plan = FramePlan(self.scene.world, self.revision, hidden)
            self.layout = encoder.encode(self._plan.layout)
            if self.shown is None:
                for client in self.clients:
                    client.put_latest("layout", self.layout)
        return self._plan

    def present(self, hidden: dict[str, str], longest: float = math.inf) -> None:
        """The frame of now, kept in the past and offered to pages; `longest` is the time between two frames
        of a world that runs."""
        world = self.scene.world
        plan = self.planned(hidden)
        world.engine.evaluate()
        self.newest = plan.frame()
        shot = world.history.snapshot() if self.past.wants_state() else None
        scalars = world.engine.scalars
        numbers = (scalars.kinetic, scalars.energy, apart(world.engine))
        self.numbers = (world.time, *numbers)
        if self._ledger is None or self._ledger.rebuilds != world.engine.rebuilds:
            self._ledger = Ledger(world)
        self._ledger = self._ledger.seen(self._infos)
        self.past.add(world.time, self.newest, plan.layout, shot, self._infos, numbers, self._ledger, longest)
        self.is_current = True
        if self.shown is None:
            for client in self.clients:
                client.put_frame(self.newest)

    # --- the past --------------------------------------------------------------------------------
    def show_past(self, time: float, *, anew: bool = False) -> None:
        """Show the recorded moment at a time instead of the present; `anew`, its layout again too."""
        moment = self.past.at(time)
        if moment is None:
            raise ValueError("nothing is recorded yet; let the world run first")
        layout = self.past.layout_of(moment)
        told = (layout, self._infos)
        if anew or self.shown is None or not same(told, self._told):
            self._told = told
            seen = self.past.seen(moment, self._infos)
            self.is_other = bool(seen.then or seen.since)
            message = encoder.encode(replace(seen, is_past=True))
            for client in self.clients:
                client.put_latest("layout", message)
        self.shown = moment.time
        for client in self.clients:
            client.put_frame(moment.frame)

    def wanted(self, names: Sequence[str]) -> list[Quantity]:
        """Quantities by their names."""
        if len(names) > protocol.MOST_RECALLED:
            raise ValueError(
                f"{protocol.MOST_RECALLED} quantities at most can be recalled at once, not {len(names)}"
            )
        return [Quantity(self.scene.world, name) for name in names]

    def recalled(self, names: Sequence[str], version: int, since: float) -> protocol.Recalled:
        """Quantities as they were recorded."""
        past = self.past
        begin, times, values = past.recalled(self.wanted(names), version, since)
        told = tuple(tuple(None if v != v else v for v in one.tolist()) for one in values)
        return protocol.Recalled(
            past.version, None if begin == -math.inf else begin, past.start, tuple(times.tolist()), told
        )

    def recorded_layouts(self) -> dict[int, protocol.FrameLayout]:
        """All layouts of the past, as they are seen from now."""
        past = self.past
        return {
            revision: seen_from(layout, past.items[revision], self._infos)
            for revision, layout in past.layouts.items()
        }

    def show_present(self) -> None:
        if self.shown is not None:
            self.shown, self.is_other = None, False
            for client in self.clients:
                if self.newest:
                    # before its layout: no frame of the past shall be taken for the present
                    client.put_frame(self.newest)
                client.put_latest("layout", self.layout)
            self.is_current = False

    # --- a page that comes -----------------------------------------------------------------------
    def welcome(self, client: Mailbox) -> None:
        """Everything that there is."""
        client.put_latest("hello", self.hello())
        client.put_model(self.model, b"")
        if self.shown is not None:
            self.show_past(self.shown, anew=True)
            return
        client.put_latest("layout", self.layout)
        if self.newest:
            client.put_frame(self.newest)
        self.is_current = False

    def hello(self) -> bytes:
        """The first message; another one after new types were defined."""
        if self._hello[0] != (len(REGISTRY), self.is_bare):
            hello = protocol.Hello(
                protocol.VERSION, page_build(), catalogue(), gallery.names(), GUIDES, fit_models(),
                can_render(), self.session, self.is_bare,
            )  # fmt: skip
            self._hello = ((len(REGISTRY), self.is_bare), encoder.encode(hello))
        return self._hello[1]


def same(a: tuple[object, ...], b: tuple[object, ...]) -> bool:
    """Whether two tuples hold the same things: numbers and texts by value, others by identity."""
    return len(a) == len(b) and all(
        x is y or (isinstance(x, (int, str, Path)) and x == y) for x, y in zip(a, b, strict=True)
    )
