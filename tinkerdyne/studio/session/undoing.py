"""Undo as a person at the page means it: the edit is taken back, the run goes on, and it is said what became
of both."""

from __future__ import annotations

from tinkerdyne.language.types import REGISTRY
from tinkerdyne.studio.session.session import Session
from tinkerdyne.studio.show.describe import said
from tinkerdyne.studio.wire import protocol as p
from tinkerdyne.world.edit import Add, Change, Configure, Edit, Move, Plan, Remove, Rename
from tinkerdyne.world.kept_run import simple
from tinkerdyne.world.world import World

NAMED = 3  # parts of a step that are named


def undo(command: p.Undo, session: Session, _request: object) -> p.Turned:
    return _turned(session, is_back=True, is_whole=command.is_whole)


def redo(command: p.Redo, session: Session, _request: object) -> p.Turned:
    return _turned(session, is_back=False, is_whole=command.is_whole)


def rewind(_command: p.Rewind, session: Session, _request: object) -> bool:
    """Go back in time after all."""
    _begin(session, "time went back")
    session.view.past.is_turned = True
    return session.world.history.rewind()


def _begin(session: Session, why: str) -> None:
    session.view.show_present()  # the past is only looked at: undo is of edits
    session.hands.let_go(why)


def _turned(session: Session, *, is_back: bool, is_whole: bool) -> p.Turned:
    _begin(session, "an edit was undone" if is_back else "an edit was done again")
    world = session.world
    history, before = world.history, world.time
    step = history.upcoming(is_back=is_back)
    says = "" if step is None else (step[1] or what_was_done(world, step[0], is_back=is_back) or "a change")
    if is_whole or world.settings["order"] == 1:  # there nothing runs: what an edit moved goes back with it
        is_done = history.undo() if is_back else history.redo()
        time, earlier = world.time if is_done and world.time != before else None, None
    else:
        turned = history.take_back() if is_back else history.bring_again()
        is_done = turned is not None
        time, earlier = (None, None) if turned is None else (turned.time, turned.earlier)
    session.view.past.is_turned = time is not None
    return p.Turned(is_done, says, time, earlier if is_back else None)


def what_was_done(world: World, edit: Edit, *, is_back: bool) -> str:
    """What a step did, of which this is the edit that undo (or redo) will carry out."""
    words = [_in_words(world, one, is_back=is_back) for one in simple(edit)]
    found = list(dict.fromkeys(word for word in words if word))
    more = f" and {len(found) - NAMED} more" if len(found) > NAMED else ""
    return ", ".join(found[:NAMED]) + more


def _in_words(world: World, edit: Edit, *, is_back: bool) -> str:
    match edit:
        case Add(items):
            names = [d.name for d in items if REGISTRY[d.type].family != "connector"]
            return _listed("deleted" if is_back else "inserted", names or [d.name for d in items])
        case Remove(names):
            parts = [n for n in names if n in world and world[n].type.family != "connector"]
            return _listed("inserted" if is_back else "deleted", parts or list(names))
        case Change(name, "is_on", value):
            return f"switched {name} {'on' if bool(value) != is_back else 'off'}"
        case Change(name, "is_fixed", value):
            return f"{'fixed' if bool(value) != is_back else 'freed'} {name}"
        case Change(name, parameter, _):
            return f"{parameter} of {name}"
        case Move(name, state):
            is_moved = {part for part, _ in state} & {"position", "orientation", "angle"}
            return f"moved {name}" if is_moved else f"state of {name}"
        case Rename(name, to):
            return f"renamed {to if is_back else name}"
        case Configure(setting, _):
            return f"the setting {setting}"
        case Plan():
            return "the timeline"
    return said(edit)


def _listed(word: str, names: list[str]) -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"{word} {', '.join(names[:NAMED])}{more}"
