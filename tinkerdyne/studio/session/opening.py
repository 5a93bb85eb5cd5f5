"""Opening, saving, and things to read: the scene as Python, as a table, as a page that replays it."""

from __future__ import annotations

import base64
import csv
import io
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from tinkerdyne import gallery
from tinkerdyne.studio.build.script import script
from tinkerdyne.studio.media.curves import new_world
from tinkerdyne.studio.media.pictures import shown_pictures
from tinkerdyne.studio.session import autosaves, start
from tinkerdyne.studio.session.background import later
from tinkerdyne.studio.session.files import scene_text, scene_value
from tinkerdyne.studio.session.past import PastFrame
from tinkerdyne.studio.session.session import Request, Session
from tinkerdyne.studio.session.view import NEVER, OpenWorld
from tinkerdyne.studio.show import film
from tinkerdyne.studio.show.frames import HEADER
from tinkerdyne.studio.show.ledger import Quantity
from tinkerdyne.studio.show.live import live_page
from tinkerdyne.studio.show.share import page
from tinkerdyne.studio.wire import protocol as p
from tinkerdyne.studio.wire.protocol import FrameLayout
from tinkerdyne.world.scene import dumps
from tinkerdyne.world.world import World

MOST_ROWS = 5000  # of a table
MOST_SHARED = 16 << 20  # bytes of a recording that is shared
FILM_RATE, FILM_SIZE, LONGEST_FILM = 30.0, (960, 540), 30.0  # a second, px, s
PICTURES = gallery.folder() / "pictures"


def new(command: p.New, session: Session, _request: Request) -> None:
    world = start.build() if command.is_start else new_world(command.dimension, command.order)
    scene = OpenWorld(world, "untitled", None)
    scene.dimension = command.dimension
    # what is put into an empty world with gravity would fall out of sight
    session.show(scene, is_playing=command.order == 1 or command.is_start)


def open_(command: p.Open, session: Session, request: Request) -> object:
    """Build or read beside the engine; other commands wait until the scene is there."""
    is_recovered = command.recover or bool(command.unsaved)
    given = [bool(command.example), bool(command.text), bool(command.path), is_recovered]
    if sum(given) != 1:
        raise ValueError("say what to open: an example, a text, a path or the recovered scene, one of them")
    offer = session.files.recoverable(command.unsaved) if is_recovered else None
    if is_recovered and offer is None:
        raise ValueError("it is no longer there" if command.unsaved else "there is nothing to recover")
    path = session.files.inside(command.path) if command.path else None
    files = session.files

    def build() -> tuple[World, str, Path | None, bool]:
        if command.example:
            if command.example not in gallery.names():
                near = gallery.near(command.example, gallery.names())
                raise ValueError(f"there is no scene {command.example!r} in the gallery{near}")
            found = gallery.load(command.example)
            return found.build(), found.name.replace("_", " "), None, True
        if path is not None:
            return World.from_json(files.read(path)), path.stem, path, True
        if offer is not None:
            where = files.folder / offer["path"] if offer["path"] else None
            return World.from_json(files.recovered(offer)), offer["title"], where, False
        return World.from_json(command.text), "untitled", None, False

    def show(found: tuple[World, str, Path | None, bool]) -> None:
        session.is_loading = False
        world, title, where, is_saved = found
        world.history.clear()
        scene = OpenWorld(world, title, where)
        if not is_saved:
            scene.saved = NEVER
        session.show(scene, is_playing=world.display.get("is_running") is True)
        if offer is not None:
            files.autosave(title, where, scene_text(world))
            offer["file"].unlink(missing_ok=True)

    def shown_or_not() -> tuple[World, str, Path | None, bool]:
        try:
            return build()
        except BaseException:
            session.is_loading = False
            raise

    session.is_loading = True
    return later(session, request, shown_or_not, show)


def save(command: p.Save, session: Session, request: Request) -> object:
    scene = session.scene
    path = session.files.inside(command.path) if command.path else scene.path
    if path is None:
        raise ValueError("this scene was never saved; give it a name")
    value, mark = scene_value(session.world, session.hidden()), scene.mark()

    def saved(_nothing: object) -> p.Saved:
        scene.path, scene.title, scene.saved = path, path.stem, mark
        session.files.forget()
        return p.Saved(session.files.shown(path))

    return later(
        session, request, lambda: session.files.write(path, dumps(value), is_forced=command.is_forced), saved
    )


def forget(command: p.Forget, session: Session, request: Request) -> object:
    """Delete a world that was left unsaved."""
    return later(session, request, lambda: autosaves.forget(command.unsaved))


# --- something to read ---------------------------------------------------------------------------
def ask(command: p.Ask, session: Session, request: Request) -> object:
    world = session.world
    match command.what:
        case "python":
            return p.Text(script(world, session.hidden()))
        case "scene":
            return p.Text(scene_text(world, session.hidden()))
        case "files":
            return session.files.listed()
        case "recovery":
            offer = session.files.recoverable()
            return None if offer is None else autosaves.described(offer)
        case "unsaved":
            return later(session, request, session.files.unsaved)
        case "csv":
            rows = [
                (moment, session.view.past.layout_of(moment))
                for moment in session.view.past.thinned(MOST_ROWS)
            ]
            wanted = dict(zip(command.plots, session.view.wanted(command.plots), strict=True))
            return later(session, request, lambda: p.Text(_table(rows, wanted)))
        case "share":
            html = _replay(command, session)
            return later(session, request, lambda: p.Text(html()))
        case "live":
            value, title, plots = scene_value(world, session.hidden()), session.scene.title, command.plots
            return later(session, request, lambda: p.Text(_live(dumps(value), title, plots)))
        case "film":
            start, end = session.view.past.start or 0.0, session.view.past.moments[-1].time
            html = _replay(command, session)
            return later(session, request, lambda: p.Text(_film(html(), max(start, end - LONGEST_FILM), end)))
        case _:
            return later(session, request, _thumbnails)


def _replay(command: p.Ask, session: Session) -> Callable[[], str]:
    """How to write the recorded past as a page, beside the engine."""
    past, model = session.view.past, session.view.model
    moments = past.thinned(MOST_SHARED * len(past.moments) // max(1, past.bytes))
    layouts, images = session.view.recorded_layouts(), shown_pictures(session.world)
    ways = (f"{at}[{k}]" for at in command.traces for k in range(3))
    names = list(dict.fromkeys((*command.plots, *ways)))
    told, traces = session.view.recalled(names, -1, 0.0), command.traces
    plots = {name: p.Plotted(told.times, one) for name, one in zip(names, told.values, strict=True)}
    return lambda: page(model, layouts, moments, images, plots, traces)


def _live(text: str, title: str, plots: Sequence[str]) -> str:
    """The world as a page in which it runs by itself."""
    return live_page(World.from_json(text), title, plots or None)


def _film(html: str, start: float, end: float) -> str:
    """The replay as an MP4 file, in base64."""
    times = [start + k / FILM_RATE for k in range(int((end - start) * FILM_RATE) + 1)]
    images = film.pictures(html, times, FILM_SIZE, is_dark=False, with_forces=False)
    return base64.b64encode(film.mp4(images, FILM_RATE)).decode()


def _table(moments: list[tuple[PastFrame, FrameLayout]], wanted: dict[str, Quantity]) -> str:
    """The recorded past as a table: time, the quantities that are wanted, and the numbers of every track;
    empty where a thing was not there."""
    columns: dict[str, None] = {}
    rows: list[dict[str, float]] = []
    for moment, layout in moments:
        numbers = np.frombuffer(moment.frame, np.float32, offset=HEADER.size)
        row = {"time": moment.time}
        if moment.ledger is not None and moment.row is not None:
            values = {name: moment.ledger.values(moment.row[None], one)[0] for name, one in wanted.items()}
            row |= {name: float(value) for name, value in values.items() if value == value}
        for track in layout.tracks:
            for k in range(track.count):
                of = f".{track.of}" if track.of else ""
                row[f"{track.name}{of}.{track.kind}[{k}]"] = float(numbers[track.offset + k])
        columns.update(dict.fromkeys(row))
        rows.append(row)
    text = io.StringIO()
    writer = csv.DictWriter(text, list(columns), restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _thumbnails() -> list[p.Thumbnail]:
    """The gallery with its pictures, where there are some."""
    found = []
    for name in gallery.names():
        about = gallery.load(name)
        picture = next(
            (PICTURES / f"{name}.{end}" for end in ("webp", "png") if (PICTURES / f"{name}.{end}").is_file()),
            None,
        )
        data = "" if picture is None else base64.b64encode(picture.read_bytes()).decode()
        shown = "" if picture is None else f"data:image/{picture.suffix[1:]};base64,{data}"
        film = PICTURES / "films" / f"{name}.webp"
        moving = base64.b64encode(film.read_bytes()).decode() if film.is_file() else ""
        moves = f"data:image/webp;base64,{moving}" if moving else ""
        found.append(p.Thumbnail(name, about.title, about.text, shown, about.group, moves))
    order = (*gallery.GROUPS, gallery.OTHERS)
    return sorted(found, key=lambda one: order.index(one.group))
