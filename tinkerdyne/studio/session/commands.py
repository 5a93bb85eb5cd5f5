"""What pages may ask for, carried out by the engine's thread under the world's lock.

No command runs code of a page."""

from __future__ import annotations

from dataclasses import replace
from functools import singledispatch

from tinkerdyne.connectors.points import point
from tinkerdyne.language.checks import number, vector
from tinkerdyne.language.item import Item, label
from tinkerdyne.language.types import port_of
from tinkerdyne.studio.build.arranging import arranged
from tinkerdyne.studio.build.clipboard import copied, pasted
from tinkerdyne.studio.build.edits import checked, checked_edit, removed
from tinkerdyne.studio.build.inserting import aimed, build, insert
from tinkerdyne.studio.build.motors import motorise
from tinkerdyne.studio.media import commands as media
from tinkerdyne.studio.media.hands import grip_on, held_point, pull_on
from tinkerdyne.studio.media.pictures import with_images
from tinkerdyne.studio.session import opening as errands
from tinkerdyne.studio.session import running, undoing
from tinkerdyne.studio.session.foreseeing import foreseen
from tinkerdyne.studio.session.formulas import formulate
from tinkerdyne.studio.session.posing import Posing, is_posable, pose
from tinkerdyne.studio.session.session import FASTEST, SLOWEST, Request, Session
from tinkerdyne.studio.sketching import commands as sketching
from tinkerdyne.studio.wire import protocol as p
from tinkerdyne.world.edit import Add, Change, Event, Plan, Ramp, Remove, Several
from tinkerdyne.world.world import World

MOST_STEPS = 60  # frames in one command
MOST_GRIPS = 20  # of one page
EDITS = (
    p.Apply, p.Insert, p.Build, p.Formulate, p.Arrange, p.Aim, p.Motorise, p.Steer,
    p.Postpone, p.Delete, p.Paste,
)  # fmt: skip
CHANGING = (*EDITS, p.Grab, *media.CHANGING, *sketching.CHANGING)


def carry_out(session: Session, request: Request) -> object:
    """Do what a command asks; the result, or `Deferred` when it is answered later."""
    command = request.command
    if session.view.shown is not None and isinstance(command, CHANGING):
        session.go_on_from_past()  # whoever changes what is shown goes on from there
    if isinstance(command, (p.Insert, p.Attach)) and (command.handle or command.moved):
        return _at_the_end_of_a_drag(command, session, request)
    return _do(command, session, request)


def _at_the_end_of_a_drag(command: p.Insert | p.Attach, session: Session, request: Request) -> object:
    """A drag and the joint that it ends with are one step for undo.

    Where the joint is refused, the hand has not let go."""
    held = session.hands.held(command.handle, request.client) if command.handle else None
    with session.world.history.one_step(ending=held.drag if held else None):
        if command.moved:
            _apply(p.Apply(command.moved), session, request)
        result = _do(command, session, request)
        if command.handle:
            session.release(command.handle)
        if isinstance(held, Posing):
            session.world.assemble()
    return result


@singledispatch
def _do(command: object, session: Session, request: Request) -> object:
    raise TypeError(f"{type(command).__name__} is not a command")


# --- edits ---------------------------------------------------------------------------------------
@_do.register
def _apply(command: p.Apply, session: Session, _request: Request) -> None:
    edit = checked_edit(command.edit)
    if isinstance(edit, Plan):
        edit = with_images(session.world, edit)
        _foresee(session.world, edit)
        session.world.clock.pass_over()
    _let_go_of(session, removed(edit))
    session.world.apply(edit)


def _foresee(world: World, plan: Plan) -> None:
    """Refuse new entries of a timeline that could not be carried out, as far as that is known now."""
    known = [e.what if isinstance(e, Event) else (e.name, e.parameter, e.low, e.high) for e in world.timeline]
    to_come = {
        d.name for e in plan.entries if isinstance(e, Event) and isinstance(e.what, Add) for d in e.what.items
    }
    for entry in plan.entries:
        values: tuple[object, ...]
        if isinstance(entry, Ramp):
            name, parameter, values = entry.name, entry.parameter, (entry.low, entry.high)
            is_known = (name, parameter, *values) in known
        elif isinstance(entry.what, Change):
            name, parameter, values = entry.what.name, entry.what.parameter, (entry.what.value,)
            is_known = entry.what in known
        else:
            continue
        if is_known or (name in to_come and name not in world):
            continue
        item = world[name]
        for value in values:
            item.type.checked(label(item), parameter, value)


@_do.register
def _insert(command: p.Insert, session: Session, _request: Request) -> list[str]:
    return insert(
        session.world,
        command.of,
        command.inputs,
        command.values,
        command.name,
        session.scene.dimension,
        most_lift=command.most_lift,
    )


@_do.register
def _build(command: p.Build, session: Session, _request: Request) -> list[str]:
    return build(session.world, command.inserts, session.scene.dimension)


@_do.register
def _delete(command: p.Delete, session: Session, _request: Request) -> list[str]:
    if not command.names:
        return []
    _let_go_of(session, command.names)
    inverse = session.world.remove(*command.names)
    assert isinstance(inverse, Add)
    return [d.name for d in inverse.items]


@_do.register
def _postpone(command: p.Postpone, session: Session, _request: Request) -> tuple[str, ...]:
    world, contents = session.world, session.world.contents
    when = number("the time of an event", command.time)
    if when < world.time:
        raise ValueError(f"the time of an event must not be before now, {world.time:g} s, but is {when:g} s")
    _let_go_of(session, command.names)
    gone = sorted(
        contents.dependents((*command.names, *contents.orphans(command.names))).values(),
        key=lambda item: item.key,
    )
    added = Add(tuple(replace(contents.describe(item), key=0, memory=()) for item in gone))
    names = tuple(item.name for item in gone)
    world.apply(Several((Plan((*world.timeline, Event(when, added))), Remove(names))))
    return names


@_do.register
def _aim(command: p.Aim, session: Session, _request: Request) -> None:
    session.world.apply(aimed(session.world, command.joint, command.axis))


@_do.register
def _motorise(command: p.Motorise, session: Session, _request: Request) -> list[str]:
    return motorise(
        session.world,
        command.joint,
        text=command.text,
        is_speed=command.is_speed,
        limit=command.limit,
        replaces=command.replaces,
        axis=command.axis,
        dimension=session.scene.dimension,
    )


@_do.register
def _steer(command: p.Steer, session: Session, request: Request) -> None:
    session.steering.steer(session.world, request.client, command)
    session.view.sync(session.hidden(), force=True)  # a drag that goes on leaves no mark of its own


def _let_go_of(session: Session, names: tuple[str, ...]) -> None:
    """Hands let go of what is to be removed: undo shall bring it back without them."""
    if session.hands.grips and names:
        session.hands.let_go("it was removed", session.world.contents.dependents(names))


@_do.register
def _copy(command: p.Copy, session: Session, _request: Request) -> p.Text:
    return p.Text(copied(session.world, command.names, session.hidden()))


@_do.register
def _paste(command: p.Paste, session: Session, _request: Request) -> list[str]:
    edit, names = pasted(
        session.world, command.text, vector("by", command.by, length=(2, 3)) if command.by else ()
    )
    session.world.apply(checked(edit))
    return names


@_do.register
def _arrange(command: p.Arrange, session: Session, _request: Request) -> list[str]:
    edit, names = arranged(session.world, command, session.scene.dimension, session.hidden())
    session.world.apply(checked(edit))
    return names


# --- running -------------------------------------------------------------------------------------
@_do.register
def _play(command: p.Play, session: Session, _request: Request) -> None:
    if command.speed is not None:
        session.pace.begin_anew()
        session.speed = min(FASTEST, max(SLOWEST, number("speed", command.speed, positive=True)))
    if command.is_playing is not None:
        session.loop.end()
    if command.is_playing or command.steps:
        session.hands.end_posing()
    if command.is_playing:
        session.go_on_from_past()
    if command.is_playing is not None:
        session.is_playing = command.is_playing
    if command.steps:
        if abs(command.steps) > MOST_STEPS:
            raise ValueError(f"steps must be −{MOST_STEPS} to {MOST_STEPS}, not {command.steps}")
        session.is_playing = False
        running.step_along(session, command.steps)
    session.send_status()


@_do.register
def _scrub(command: p.Scrub, session: Session, _request: Request) -> None:
    session.loop.end()
    if command.time is None:
        session.view.show_present()
    else:
        session.view.show_past(number("time", command.time))
        session.is_playing = False
    if command.is_final:
        session.go_on_from_past()
    session.send_status()


@_do.register
def _recall(command: p.Recall, session: Session, _request: Request) -> p.Recalled:
    return session.view.recalled(command.names, command.version, command.since)


# --- hands ---------------------------------------------------------------------------------------
@_do.register
def _grab(command: p.Grab, session: Session, request: Request) -> int:
    world, client = session.world, request.client
    before = session.hands.taken_over(command.instead_of, client) if command.instead_of else None
    if len(client.handles) >= MOST_GRIPS:
        raise ValueError(f"a page has {MOST_GRIPS} hands at most; release one first")
    special = grip_on(world, command.item, command.at)
    if special is not None:
        return session.hands.hold(client, special, command.item)
    what = world[command.item]
    if what.type.family not in ("object", "connector"):
        raise TypeError(f"{label(what)} cannot be grabbed; grab a body, a particle or a point")
    if what.values.get("is_fixed"):
        raise ValueError(f"{label(what)} is fixed and cannot be moved; free it first")
    if not session.is_playing and is_posable(what):
        posing = pose(world, what, () if command.with_orientation else command.at)
        if before is not None:
            posing.drag.take_over(before.drag)
        return session.hands.hold(client, posing, command.item)
    held: Item = held_point(what, command.at)
    if port_of(what).kind.name == "frame" and not command.with_orientation:
        held = point(what, at=command.at) if command.at else point(what)
    is_hard = command.is_hard or command.with_orientation
    pull = {} if is_hard else pull_on(world, what)
    grip = world.grab(held, hard=is_hard, orientation=command.with_orientation, **pull)
    if before is not None:
        grip.drag.take_over(before.drag)
    for source in (held, *grip.item.inputs):
        # Connectors made for the hand go when it lets go.
        if (
            source.type.family == "connector"
            and source is not what
            and source.world is world
            and source.key > what.key
        ):
            world.contents.came_along(source)
    return session.hands.hold(client, grip, command.item)


@_do.register
def _drag(command: p.Drag, session: Session, request: Request) -> None:
    grip = session.hands.held(command.handle, request.client)
    grip.move(*command.to)
    if command.orientation:
        grip.turn(*command.orientation)


@_do.register
def _release(command: p.Release, session: Session, request: Request) -> None:
    grip, history = session.hands.held(command.handle, request.client), session.world.history
    session.release(command.handle)
    if command.is_cancelled and isinstance(grip, Posing) and history.mark()[1] == grip.drag.number:
        session.world.undo()


# --- looking ahead -------------------------------------------------------------------------------
@_do.register
def _preview(command: p.Preview, session: Session, request: Request) -> object:
    """What a joint would do, beside the engine."""
    dimension = session.scene.dimension

    def put(copy: World) -> None:
        insert(copy, command.of, command.inputs, command.values, "", dimension)

    return foreseen(session, request, put)


for kind, errand in (
    (p.Undo, undoing.undo),
    (p.Redo, undoing.redo),
    (p.Rewind, undoing.rewind),
    (p.Loop, running.loop),
    (p.Pin, running.pin),
    (p.Keep, running.keep),
    (p.GoTo, running.go_to),
    (p.New, errands.new),
    (p.Open, errands.open_),
    (p.Forget, errands.forget),
    (p.Save, errands.save),
    (p.Ask, errands.ask),
    (p.Formulate, formulate),
    *media.COMMANDS,
    *sketching.COMMANDS,
):
    _do.register(kind, errand)
