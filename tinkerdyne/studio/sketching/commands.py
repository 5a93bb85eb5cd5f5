"""Every command of motion sketching, and who carries it out."""

from __future__ import annotations

from tinkerdyne.studio.session.session import Request, Session
from tinkerdyne.studio.sketching import others
from tinkerdyne.studio.wire import protocol as p


def begin(command: p.BeginSketch, session: Session, _request: Request) -> None:
    from tinkerdyne.studio.sketching.begin import begun

    sketching = session.sketching
    sketching.keep(begun(session.world, command.bodies, command.along) if command.bodies else None)
    session.hands.end_posing()
    session.is_playing = False
    session.send_status()


def pose(command: p.PoseSample | p.PoseWish | p.EditFlight, session: Session, _request: Request) -> None:
    sketching = session.sketching
    new = sketching.edited(command)
    if command.is_final:
        sketching.keep(new, command.number)
    else:
        sketching.show(new, command.number)


def edit(command: object, session: Session, _request: Request) -> None:
    sketching = session.sketching
    sketching.keep(sketching.edited(command))


def act(command: p.ActSketch, session: Session, _request: Request) -> p.GestureTold:
    from tinkerdyne.studio.sketching.acting import gesture_told

    sketching = session.sketching
    new = sketching.edited(command)
    sketching.keep(new)
    return gesture_told(command, new.gravity)


def play(_command: p.PlayMotion, session: Session, _request: Request) -> float:
    from tinkerdyne.studio.sketching import playing

    sketching = session.sketching
    if sketching.solution is None:
        raise ValueError("there is no motion yet: it is still being solved, or the sketch cannot be met")
    session.hands.let_go("the motion of the sketch begins")
    begins = session.world.time
    seconds = playing.play(session.world, sketching.solution)
    session.world.clock.pass_over()
    sketching.begins(begins)
    session.is_playing = True
    session.send_status()
    return seconds


COMMANDS = (
    (p.BeginSketch, begin),
    (p.PoseSample, pose),
    (p.PoseWish, pose),
    (p.DropSample, edit),
    (p.AskWish, edit),
    (p.EditFlight, pose),
    (p.EditBlow, edit),
    (p.EditSketch, edit),
    (p.ActSketch, act),
    (p.FindOthers, others.find),
    (p.TakeOther, others.take),
    (p.PlayMotion, play),
)
# What changes the world that is shown.
CHANGING = (p.BeginSketch, p.PlayMotion)
