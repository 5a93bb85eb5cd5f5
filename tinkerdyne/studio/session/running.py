"""Time by hand: steps back and forth, the recorded past in a loop, the start and other checkpoints."""

from __future__ import annotations

from tinkerdyne.studio.session.session import Session
from tinkerdyne.studio.wire import protocol as p


def step_along(session: Session, count: int) -> None:
    """Some frames further; back, and forth again, along the recorded past."""
    view = session.view
    session.loop.end()
    if count > 0 and view.shown is None:
        session.step_frames(count)
        return
    last = session.world.time if view.shown is None else view.shown
    moment = view.past.beside(last, count)
    if moment is None or moment.time >= session.world.time:
        view.show_present()
    else:
        view.show_past(moment.time)


def loop(command: p.Loop, session: Session, _request: object) -> None:
    if not command.is_on:
        session.loop.end()
    else:
        session.loop.begin(session.view, command.start, command.end, session.clock())
        session.is_playing = False
    session.send_status()


def pin(command: p.Pin, session: Session, _request: object) -> None:
    session.view.pin(p.Pinned(command.scene, command.plots, command.traces))


def keep(command: p.Keep, session: Session, _request: object) -> int:
    checkpoints, number = session.scene.checkpoints, command.number
    if not number:
        session.view.show_present()
        number = checkpoints.keep(command.name)
    elif command.name:
        checkpoints.rename(number, command.name)
    else:
        checkpoints.forget(number)
    session.send_status()
    return number


def go_to(command: p.GoTo, session: Session, _request: object) -> None:
    session.loop.end()
    session.view.show_present()
    session.hands.let_go("time went back")
    session.is_playing = False
    session.scene.checkpoints.go_to(command.number)
    session.world.clock.pass_over()
    session.view.is_current = False
    session.send_status()
