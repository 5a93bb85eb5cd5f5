"""A session: one world that runs in a thread of its own against the real clock, and the pages that look at
it.

Whatever pages ask for waits in a queue and is carried out between two steps by that thread, the only one that
touches the world; Python code elsewhere may edit the same world through its lock, and what it changes is
noticed and shown. When the work of a step does not fit into its time the world runs slower, and says so.
"""

from __future__ import annotations

import sys
import threading
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, Literal, TypeVar

from msgspec.structs import replace

from tinkerdyne.studio.session.files import Files, scene_value
from tinkerdyne.studio.session.hands import Hands, pull_now
from tinkerdyne.studio.session.health import Health, diagnosis
from tinkerdyne.studio.session.looping import PastLoop
from tinkerdyne.studio.session.messages import is_quiet, said
from tinkerdyne.studio.session.pace import BUDGET, Pace
from tinkerdyne.studio.session.safekeeping import Safekeeping
from tinkerdyne.studio.session.steering import Steering
from tinkerdyne.studio.session.view import OpenWorld, PageView
from tinkerdyne.studio.session.warm import warm
from tinkerdyne.studio.session.workers import Workers
from tinkerdyne.studio.show.describe import encoder
from tinkerdyne.studio.sketching.sketching import Sketching
from tinkerdyne.studio.wire import protocol
from tinkerdyne.studio.wire.mailbox import Mailbox
from tinkerdyne.world.scene import dumps
from tinkerdyne.world.world import World

TICK = 1 / 120  # s between two steps of the world in real time: what a hand does is felt within this
FRAME = 2  # ticks between two frames
EARLY = TICK / 2  # s by which a step may come too early when a hand moves
STATUS, AUTOSAVE, DIAGNOSE = 0.2, 3.0, 0.5  # s between two reports, autosaves, diagnoses
SLOWEST, FASTEST = 1e-3, 100.0  # times real time
IDLE = 0.05  # s between two looks at a world that is paused: Python code may have changed it
# s after which another thread lets the engine's run: ten times sooner than Python's own, so that a hand is
# felt
SWITCH = 5e-4
BUSY = 5.0  # s that stopping waits for work in hand

T = TypeVar("T")
Deferred = object()  # the result of a command that is answered later


class Request:
    """A command of a page on its way."""

    __slots__ = ("client", "command", "received", "seq")

    def __init__(self, client: Mailbox, seq: int, command: Any, received: float) -> None:
        self.client, self.seq, self.command, self.received = client, seq, command, received


class Session:
    """See the module. `start` begins, `stop` ends; `join`, `leave`, `submit`, `post` and `call` may be used
    from any thread."""

    def __init__(
        self,
        world: World,
        *,
        folder: Path | None = None,
        title: str = "",
        path: Path | None = None,
        is_playing: bool = True,
    ) -> None:
        self.files = Files(folder or Path.cwd())
        self.steering = Steering()
        self.scene = OpenWorld(world, title or "untitled", path)
        self.clients: set[Mailbox] = set()
        self.view = PageView(self.scene, self.clients, self.files)
        self.health = Health()
        self.is_playing, self.speed = is_playing, 1.0
        self.hands = Hands()
        self.loop = PastLoop()
        self.is_loading = False  # a scene is being opened: commands wait
        self.wake: Callable[[], None] = lambda: None  # tells the server that something is to be sent
        self.clock: Callable[[], float] = time.monotonic
        self._inbox: deque[Request] = deque()
        self._posted: deque[Callable[[], None]] = deque()
        self._woken = threading.Event()
        self._stopping = False
        self._own: set[int] = set()  # its threads
        self._workers = Workers(2, lambda: self._own.add(threading.get_ident()))
        self.sketching = Sketching(self, lambda: self._own.add(threading.get_ident()))
        self._thread = threading.Thread(target=self._run, name="tinkerdyne-engine", daemon=True)
        self._drags: list[Request] = []  # that wait for the next step
        self._felt: list[Request] = []  # of which a step knows: they are answered with its frame
        self._ticks = 0
        self.pace = Pace(lambda: self.clock())
        self._busy = 0.0  # s of work (CPU time) since the last frame
        self._complaint = ""
        self._next: dict[str, float] = {}  # when things are done that are done now and then
        self._safekeeping = Safekeeping(self)
        self._warned = warnings.showwarning
        self._switch = sys.getswitchinterval()

    @property
    def world(self) -> World:
        return self.scene.world

    @property
    def is_running(self) -> bool:
        """Whether time goes on: not paused, and the present is shown."""
        return self.is_playing and self.view.shown is None

    # --- from other threads ----------------------------------------------------------------------
    def start(self) -> None:
        self._warned, warnings.showwarning = warnings.showwarning, self._warning
        self._switch = sys.getswitchinterval()
        sys.setswitchinterval(min(self._switch, SWITCH))
        self._thread.start()
        self._workers.submit(warm)

    def stop(self) -> None:
        """End the thread, after an autosave of what was not saved."""
        self._stopping = True
        self._woken.set()
        if self._thread.is_alive():
            self._thread.join(BUSY)
        self.sketching.stop()
        self._workers.stop(BUSY)
        if warnings.showwarning == self._warning:
            warnings.showwarning = self._warned
            sys.setswitchinterval(self._switch)
        if not self._thread.is_alive():
            self.hands.let_go("the studio ends")
            self._safekeeping.end()
        self.files.close()

    def join(self) -> Mailbox:
        """A page that looks on from now."""
        client = Mailbox()
        self.post(lambda: self._welcome(client))
        return client

    def leave(self, client: Mailbox) -> None:
        """A page went; what it held is released."""
        client.is_closed = True
        self.post(lambda: self._farewell(client))

    def submit(self, client: Mailbox, seq: int, command: object) -> None:
        """Let a command be carried out between two steps."""
        self._inbox.append(Request(client, seq, command, self.clock()))
        self._woken.set()

    def post(self, task: Callable[[], None]) -> None:
        """Let the engine's thread do something between two steps."""
        self._posted.append(task)
        self._woken.set()

    def call(self, task: Callable[[], T], timeout: float = 30.0) -> T:
        """Let the engine's thread do something, and wait for the result."""
        done: Future[T] = Future()

        def run() -> None:
            try:
                done.set_result(task())
            except BaseException as problem:
                done.set_exception(problem)

        self.post(run)
        return done.result(timeout)

    def work_on(
        self, job: Callable[[], T], then: Callable[[T], None], failed: Callable[[BaseException], None]
    ) -> None:
        """Do something long beside the engine, and go on in its thread."""

        def finished(done: Future[T]) -> None:
            if not done.cancelled():
                problem = done.exception()
                self.post(lambda: failed(problem) if problem is not None else then(done.result()))

        self._workers.submit(job).add_done_callback(finished)

    # --- the loop --------------------------------------------------------------------------------
    def _run(self) -> None:
        self._own.add(threading.get_ident())
        due = self.clock()
        while not self._stopping:
            self._woken.clear()
            try:
                self._tasks()
                self._commands()
                now = self.clock()
                # paused, or the clock jumped, or the machine slept
                if not self.is_running or abs(now - due) > 0.25:
                    due = max(due, now) if not self.is_running and due - now < 0.25 else now
                if self.is_running and now >= due - (EARLY if self._drags else 0.0):
                    self._tick()
                    due += TICK
                    if self.clock() > due + TICK:  # too much work: slower, and no hurry afterwards
                        due = self.clock()
                if self.loop.go_on(self.view, self.clock(), self.speed):
                    self.wake()
                self._show()
                self._now_and_then()
            except Exception as problem:  # whatever a world may do, the studio goes on
                self._failed(problem)
            early = EARLY if self._drags else 0.0
            wait = max(0.0, due - early - self.clock()) if self.is_running else IDLE
            # the clock may have jumped back just now
            wait = min(wait, IDLE if self.loop.span is None else FRAME * TICK)
            if wait and not self._posted and not (self._inbox and not self.is_loading):
                self._woken.wait(wait)

    def _failed(self, problem: Exception) -> None:
        """Pause, and say why, once; the state is the last good one."""
        self.is_playing = False
        words = f"The world was paused: {said(problem)}"
        for request in (*self._drags, *self._felt):
            self.answer(request, error=words)
        self._drags, self._felt = [], []
        if words != self._complaint:
            self._complaint = words
            self.notice("error", words)

    def _tasks(self) -> None:
        while self._posted:
            task = self._posted.popleft()
            try:
                task()
            except Exception as problem:
                self.notice("error", said(problem))

    def _commands(self) -> None:
        """Carry out what waits, of several drags of one hand only the newest; then tell what changed, then
        answer."""
        from tinkerdyne.studio.session.commands import carry_out

        if self.is_loading or not self._inbox:
            return
        begin = self.clock()
        answers: list[tuple[Request, object, str, bool]] = []
        while self._inbox and not self.is_loading and 0 <= self.clock() - begin < BUDGET:
            request = self._inbox.popleft()
            is_drag = isinstance(request.command, protocol.Drag)
            if is_drag and self._inbox and _is_same_hand(request, self._inbox[0]):
                self._drags.append(request)
                continue
            try:
                with self.world.lock, nullcontext() if is_drag else self._whole():
                    result = carry_out(self, request)
            except Exception as problem:
                words = said(problem) or type(problem).__name__
                answers.append((request, None, words, getattr(problem, "can_force", False)))
                continue
            if is_drag:
                self._drags.append(request)
            elif result is not Deferred:
                answers.append((request, result, "", False))
        try:
            self.sync()
        finally:
            for request, result, error, can_force in answers:
                self.answer(request, result, error, can_force)

    @contextmanager
    def _whole(self) -> Iterator[None]:
        """All of a command or nothing: what is refused, or cannot run in this world, leaves everything as it
        was."""
        world, shown, scene = self.world, self.view.shown, self.scene
        before, mark = world.history.snapshot(), scene.mark()
        try:
            with world.history.all_or_nothing():
                yield
                if self.scene is scene and scene.mark() != mark:
                    world.engine.ready()
        except Exception:
            if self.scene is scene and shown is not None and self.view.shown is None:
                world.history.restore(before)
                self.view.show_past(shown)
            raise

    def _tick(self) -> None:
        """One step of a tick in real time, or as much of it as fits into the budget."""
        work = time.thread_time()
        world = self.world
        with world.lock:
            before = world.time
            self.pace.tick(world, TICK * self.speed, self.step, lambda: self.is_playing)
            self.health.simulated += world.time - before
        self._felt, self._drags = [*self._felt, *self._drags], []
        self._ticks += 1
        self._busy += time.thread_time() - work
        self.view.is_current = False

    def step(self, dt: float) -> None:
        """Advance; a step that cannot be taken pauses the world where it was."""
        world = self.world
        self.scene.checkpoints.goes_on()
        good = world.history.snapshot()
        try:
            result = world.step(dt)
        except Exception:
            world.history.restore(good)
            raise
        self.health.result = result
        if result:
            self._complaint = ""
        else:
            self.is_playing = False
            self.notice("error", f"The world was paused. {result}")

    def step_frames(self, count: int) -> None:
        """Some frames further, by hand."""
        for _ in range(count):
            self.step(FRAME * TICK * self.speed)
            self._present()

    # --- what pages see --------------------------------------------------------------------------
    def _show(self) -> None:
        """Send what changed: the model, values, the present frame."""
        self.sync()
        if not self.is_running:
            self._felt, self._drags = [*self._felt, *self._drags], []
        if self._felt or (not self.view.is_current and (not self.is_running or self._ticks % FRAME == 0)):
            self._present()

    def _present(self) -> None:
        work = time.thread_time()
        with self.world.lock:
            self.sync()  # within the lock: nobody changes the structure between this and the frame
            self.view.present(self.hidden(), FRAME * TICK * self.speed)
            felt, self._felt = self._felt, []
            for request in felt:
                self._answer_drag(request)
        self.health.worked(self._busy + time.thread_time() - work, self.clock())
        self._busy = 0.0
        self.wake()

    def _answer_drag(self, request: Request) -> None:
        try:
            grip = self.hands.held(request.command.handle, request.client)
        except ReferenceError as gone:
            self.answer(request, error=said(gone))
        else:
            self.health.latencies.append(self.clock() - request.received)
            self.answer(request, pull_now(self.world, grip))

    def hidden(self) -> dict[str, str]:
        """Names of the items that hands are made of, and what their tracks are called."""
        return self.hands.hidden(self.world)

    def sync(self, *, force: bool = False) -> None:
        """Notice every change of the world, whoever made it, and tell pages."""
        if self.view.sync(self.hidden(), force=force):
            self.wake()
        self.sketching.sync()

    def go_on_from_past(self) -> None:
        """Make the shown moment the present; undo goes back to where the world was."""
        when, world = self.view.shown, self.world
        if when is None:
            return
        found = self.view.past.state_before(when)
        self.view.show_present()
        if found is None or found.shot is None:
            return
        world.history.travel(found.shot)
        world.clock.pass_over()
        if when - world.time > 1e-6:
            self.step(when - world.time)  # what was recorded after it is forgotten with its first frame

    # --- messages --------------------------------------------------------------------------------
    def answer(
        self, request: Request, result: object = None, error: str = "", can_force: bool = False
    ) -> None:
        """The reply to a request."""
        if request.client.is_closed:
            return
        try:
            reply = encoder.encode(protocol.Reply(request.seq, error, can_force, result))
        except (TypeError, ValueError, OverflowError) as problem:
            reply = encoder.encode(protocol.Reply(request.seq, f"the result cannot be sent: {problem}"))
        brief = encoder.encode(protocol.Reply(request.seq, error or "this was answered already"))
        request.client.answer(request.seq, reply, brief)
        self.wake()

    def notice(
        self, level: Literal["info", "warning", "error"], text: str, to: Mailbox | None = None
    ) -> None:
        """Something for people to read."""
        message = encoder.encode(protocol.Notice(level, text))
        for client in [to] if to is not None else self.clients:
            client.put(message)
        self.wake()

    def send_status(self) -> None:
        with self.world.lock:
            report = self.health.report(
                self.view, self.clock(), is_playing=self.is_running, speed=self.speed, hands=self.hidden()
            )
        report = replace(report, loop=self.loop.span or (), checkpoints=self.scene.checkpoints.told)
        message = encoder.encode(report)
        for client in self.clients:
            client.put_latest("status", message)
        self.wake()

    def _warning(self, message: Warning | str, *rest: Any, **others: Any) -> None:
        """Warnings of the session's threads go to the pages; others go where they went."""
        if is_quiet():
            return
        if threading.get_ident() in self._own:
            self.post(lambda: self.notice("warning", str(message)))
        else:
            self._warned(message, *rest, **others)

    # --- pages and hands -------------------------------------------------------------------------
    def _welcome(self, client: Mailbox) -> None:
        self.clients.add(client)
        try:
            self.sync()
        finally:  # a world that cannot run can be looked at
            self.view.welcome(client)
            self.sketching.welcome(client)
            self.send_status()

    def _farewell(self, client: Mailbox) -> None:
        self.clients.discard(client)
        for handle in tuple(client.handles):
            self.release(handle)

    def release(self, handle: int) -> None:
        """Let go of what a handle holds."""
        with self.world.lock:
            self.hands.release(handle)
        self.view.is_current = False

    # --- now and then ----------------------------------------------------------------------------
    def _now_and_then(self) -> None:
        now = self.clock()
        for every, task in (
            (STATUS, self._report),
            (AUTOSAVE, self._safekeeping.write),
            (DIAGNOSE, self._diagnose),
        ):
            if not 0 <= self._next.get(task.__name__, -1.0) - now <= every:  # also when the clock jumped
                self._next[task.__name__] = now + every
                task()

    def _report(self) -> None:
        with self.world.lock:
            self.hands.tend()
        if self.world.timeline:
            self.sync(force=True)  # ramps change values by themselves
        if self.clients:
            self.send_status()

    def _diagnose(self) -> None:
        if self.health.wants_diagnosis(self.view):
            value = scene_value(self.world, self.hidden())
            self.work_on(
                lambda: diagnosis(dumps(value)),
                self.health.diagnosed,
                lambda _problem: self.health.diagnosed(None),
            )

    def show(self, scene: OpenWorld, *, is_playing: bool) -> None:
        """Another world from now on; hands let go, the past is forgotten, and what was not saved is kept to
        be recovered."""
        self.hands.let_go("another world was opened")
        self.loop.end()
        self._safekeeping.put_aside()
        self.view.show_present()
        self.scene, self.is_playing = scene, is_playing
        self.view.look_at(scene)
        self.sketching.look_at_another_world()
        self.health.forget()
        self.pace.forget()
        self._complaint = ""
        self._next.clear()
        self.send_status()  # before its model: who sees the world knows whether it runs


def _is_same_hand(first: Request, second: Request) -> bool:
    later = second.command
    return (
        isinstance(later, protocol.Drag)
        and later.handle == first.command.handle
        and second.client is first.client
    )
