"""History: the one owner of undo. Whatever can be taken back is remembered here, as steps (E6).

A step is an edit with its inverse and the state before it. `one_step` makes one step of several edits, all of
them or none. A `Drag` is a step that goes on over many frames. What the timeline does is taken back with the
step before it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from tinkerdyne.engine.snapshot import Snapshot
from tinkerdyne.language.attributes import SaysNearest
from tinkerdyne.world.edit import Change, Edit, Entry, Several
from tinkerdyne.world.editing import Editor
from tinkerdyne.world.kept_run import is_torn, stands_alone
from tinkerdyne.world.played import Played, stands
from tinkerdyne.world.transaction import Answer, Given, Group, Transaction

UNDO = 1000  # steps that can be taken back

HistoryMark = tuple[int, int]


@dataclass(frozen=True)
class Done:
    """A step that can be taken back: its inverse, and the state before it."""

    inverse: Edit
    before: Snapshot
    number: int  # the later, the larger; a step that is rewritten keeps it
    is_automatic: bool = False  # the timeline's, taken back with the user's step before it
    says: str = ""  # of a change of the state alone: what was done
    left: float | None = None  # of what was undone: the time [s] to which the world went back with it
    origin: Snapshot | None = None  # and else the state to which it could have gone back


@dataclass(frozen=True)
class Turned:
    """What became of the run when a step was taken back, or came again."""

    time: float | None  # s, to which the world went; None where the run was left alone
    earlier: float | None  # s, to which `rewind` would go


class History(SaysNearest):
    """The steps of a world that can be taken back, and those that can come again."""

    def __init__(self, editor: Editor) -> None:
        self._editor, self._contents = editor, editor.contents
        self._transactions = self._contents.transactions
        self._transactions.also.append(self._written_down)
        self._undo: list[Done] = []
        self._redo: list[Done] = []
        self._last = 0  # number given to a step
        self._played = Played()

    def _written_down(self) -> Callable[[], None]:
        """How to put the steps back that there are now."""
        undo, redo = self._undo, self._redo  # lists to which steps are only ever appended
        undone, redone = len(undo), len(redo)
        played = self._played.written_down()

        def back() -> None:
            self._undo, self._redo = undo[:undone], redo[:redone]
            played()

        return back

    def __repr__(self) -> str:
        return f"<History: {len(self)} to undo, {self.undone} to redo>"

    # --- what there is ---------------------------------------------------------------------------
    @property
    def can_undo(self) -> bool:
        """Whether there is something to take back."""
        return bool(self._undo)

    @property
    def can_redo(self) -> bool:
        """Whether something was taken back that can come again."""
        return bool(self._redo)

    @property
    def undone(self) -> int:
        """How many steps can come again."""
        return len(self._redo)

    def __len__(self) -> int:
        return len(self._undo)

    def mark(self) -> HistoryMark:
        """How many steps can be taken back, and the number of the last: another one after every edit."""
        return len(self._undo), self._undo[-1].number if self._undo else 0

    def clear(self) -> None:
        """Forget everything: from here on there is nothing to go back to."""
        self._undo, self._redo = [], []

    # --- states ----------------------------------------------------------------------------------
    def snapshot(self) -> Snapshot:
        """The state of everything now; edits between two steps of the engine share one."""
        return self._editor.snapshot()

    def restore(self, shot: Snapshot) -> None:
        """Back to a state, without a trace."""
        with self._contents.lock:
            self._transactions.whole(lambda: self._editor.restore(shot))

    def travel(self, shot: Snapshot) -> None:
        """Go to a state of another time; undo comes back from there.

        What the timeline did since that time is taken back, and happens again."""

        def go() -> None:
            before, then = self.snapshot(), shot.time
            says = f"went from {before.time:.2f} s to {then:.2f} s"
            self._remember(self._unplay(shot), before, says)  # after which references begin anew
            self._editor.restore(shot)

        with self._contents.lock:
            self._transactions.whole(go)

    def _unplay(self, shot: Snapshot) -> Edit:
        """Take back what the timeline did after a moment and nobody changed since; the inverse of that."""
        later, contents = self._played.forget_after(shot.played_until), self._contents
        forth = [self._editor.carry_out(one.inverse) for one in reversed(later) if stands(one, contents)]
        return self._editor.carry_out(Several(())) if not forth else Several(tuple(reversed(forth)))

    def motion(self, says: str = "moved") -> Group[None]:
        """A change of the state alone, at once: undo goes back to before it."""
        return self._group(lambda _group, before: self._remember(Several(()), before, says), None)

    # --- edits -----------------------------------------------------------------------------------
    def apply(self, edit: Edit) -> Edit:
        """Carry out an edit, remember it, and return its inverse."""

        def apply() -> Edit:
            before = self.snapshot()
            inverse = self._editor.carry_out(edit)
            self._remember(inverse, before)
            return inverse

        with self._contents.lock:
            return self._transactions.whole(apply)

    def apply_automatic(self, edit: Edit, entry: Entry, when: float) -> None:
        """An edit of the timeline: undo takes it back along with the user's step before it.

        A parameter's first value is enough."""
        inverse = self._transactions.whole(lambda: self._editor.carry_out(edit))
        self._played.add(when, entry, edit, inverse)
        self._redo = []
        last = self._undo[-1] if self._undo else None
        if last is None:  # with nothing of the user's before it there is nothing to go back to
            return
        group = self._transactions.group
        is_more = last.is_automatic and (group is None or last.number > group.first)
        done = last.inverse.edits if is_more and isinstance(last.inverse, Several) else ()
        if isinstance(inverse, Change) and any(
            isinstance(e, Change)
            and (e.name, e.parameter, e.key) == (inverse.name, inverse.parameter, inverse.key)
            for e in done
        ):
            return
        step = Done(Several((inverse, *done)), last.before, self._next(), is_automatic=True)
        self._undo = [*(self._undo[:-1] if done else self._undo), step]

    def _remember(self, inverse: Edit, before: Snapshot, says: str = "") -> None:
        """Let undo take this back; what was undone before cannot come again."""
        self._undo.append(Done(inverse, before, self._next(), says=says))
        self._redo = []
        self._trim()

    def _next(self) -> int:
        self._last += 1
        return self._last

    def _trim(self) -> None:
        if len(self._undo) > UNDO and self._transactions.group is None:
            self._undo = self._undo[-UNDO:]

    # --- groups ----------------------------------------------------------------------------------
    def _group(self, finish: Callable[[Transaction, Snapshot], None], given: Given) -> Group[Given]:
        return Group(self._contents, lambda: self._last, finish, given)

    def all_or_nothing(self) -> Group[None]:
        """Edits made within are taken back when one of them, or anything else within, fails."""
        return self._group(lambda _group, _before: None, None)

    def one_step(self, ending: Drag | None = None) -> Group[None]:
        """Edits made within are one step, all of them or none; a group within another joins it.

        `ending`: a drag that ends with them, and is the same step, unless something else was done meanwhile.
        """

        def finish(group: Transaction, before: Snapshot) -> None:
            self._join(group.first, before)
            if ending is not None:
                between = [step for step in self._undo if ending.number < step.number]
                if between and all(step.is_automatic for step in between[:-1]):
                    self._join(ending.number - 1, ending.before)

        return self._group(finish, None)

    def _join(self, first: int, before: Snapshot) -> None:
        """Make one step of those with a number beyond the first."""
        made = [step for step in self._undo if step.number > first]
        if len(made) > 1:
            inverse = Several(tuple(step.inverse for step in reversed(made)))
            earlier = [step for step in self._undo if step.number <= first]
            says = made[0].says if all(step.says for step in made) else ""
            self._undo = [*earlier, Done(inverse, before, made[-1].number, says=says)]

    def drag(self, says: str = "pulled") -> Group[Drag]:
        """A drag begins: what is put into the world within is there until it ends. `says`: what is done."""
        drag = Drag(self)

        def finish(group: Transaction, before: Snapshot) -> None:
            self._join(group.first, before)
            drag.before, drag.number = before, self._undo[-1].number
            self._undo[-1] = replace(self._undo[-1], says=says)

        return self._group(finish, drag)

    # --- back and forth --------------------------------------------------------------------------
    def undo(self) -> bool:
        """Take the last step back, with the time and state just before it; False when there is none."""
        return self._whole(lambda: self._go(is_back=True, keeps_run=False)) is not None

    def redo(self) -> bool:
        """Carry the last undone step out again."""
        return self._whole(lambda: self._go(is_back=False, keeps_run=False)) is not None

    def take_back(self) -> Turned | None:
        """Take the last step back and leave the run alone: parts go on from where they are now. None when
        there is none.

        Where that cannot be, because nothing but the state was changed, or because what comes back would have
        to be pulled together, the world goes back as with `undo`."""
        return self._whole(lambda: self._go(is_back=True, keeps_run=True))

    def bring_again(self) -> Turned | None:
        """Carry the last undone step out again; the world goes on to another time only where it went back
        with it."""
        return self._whole(lambda: self._go(is_back=False, keeps_run=True))

    def rewind(self) -> bool:
        """After `take_back` left the run alone: go back to just before the step all the same."""

        def go() -> bool:
            last = self._redo[-1] if self._redo else None
            if last is None or last.origin is None:
                return False
            now, then = self.snapshot(), last.origin.time
            forth = self._unplay(last.origin)
            self._editor.restore(last.origin)
            step = replace(last, inverse=Several((last.inverse, forth)), before=now, left=then, origin=None)
            self._redo = [*self._redo[:-1], step]
            return True

        return self._whole(go)

    def upcoming(self, *, is_back: bool) -> tuple[Edit, str] | None:
        """The edit that undo or redo would carry out, and what is said of a step that has none."""
        steps = self._undo if is_back else self._redo
        step = next((step for step in reversed(steps) if not step.is_automatic), None)
        return None if step is None else (step.inverse, step.says)

    def _whole(self, go: Callable[[], Answer]) -> Answer:
        with self._contents.lock:
            return self._transactions.whole(go)

    def _go(self, *, is_back: bool, keeps_run: bool) -> Turned | None:
        source, target = (self._undo, self._redo) if is_back else (self._redo, self._undo)
        if not source:
            return None
        now = self.snapshot()
        count = 1
        while source[-count].is_automatic and count < len(source):
            count += 1
        taken = source[: -count - 1 : -1]  # the newest first
        step, then = taken[-1], taken[-1].before.time
        before = now if is_back or step.origin is None else step.origin
        is_kept = keeps_run and not step.says and now.time not in (then, step.left)
        if is_kept and stands_alone(step.inverse, (one.inverse for one in taken[:-1])):
            inverse = self._editor.carry_out(step.inverse)
            if not is_torn(self._contents, step.inverse):
                origin = step.before if is_back else None
                done = Done(inverse, before, self._next(), says=step.says, origin=origin)
                self._turn(is_back, [*source[:-count], *taken[-2::-1]], [*target, done])
                return Turned(None, then)
            self._editor.carry_out(inverse)
        inverse = self._editor.carry_out(Several(tuple(one.inverse for one in taken)))
        self._editor.restore(step.before)
        self._played.forget_after(step.before.played_until)
        done = Done(inverse, before, self._next(), says=step.says, left=then if is_back else None)
        self._turn(is_back, source[:-count], [*target, done])
        return Turned(None if now.time == then else then, None)

    def _turn(self, is_back: bool, left: list[Done], more: list[Done]) -> None:
        self._undo, self._redo = (left, more) if is_back else (more, left)

    # --- drags -----------------------------------------------------------------------------------
    def rewrite(self, number: int, inverse: Edit | None, before: Snapshot) -> None:
        """Give the step of this number, if it is there, another state to go back to, and another inverse."""
        self._undo = [
            replace(step, inverse=step.inverse if inverse is None else inverse, before=before)
            if step.number == number
            else step
            for step in self._undo
        ]

    def forget(self, number: int) -> None:
        """Drop the step of this number."""
        self._undo = [step for step in self._undo if step.number != number]

    def carry_out_silently(self, edit: Edit, ends: Drag | None = None) -> None:
        """An edit that is part of a step which is remembered already; with it a drag may end."""

        def carry_out() -> None:
            self._editor.carry_out(edit)
            if ends is not None:
                self.rewrite(ends.number, Several(()), ends.before)

        with self._contents.lock:
            self._transactions.whole(carry_out)

    def take_over(self, drag: Drag, other: Drag) -> None:
        """A drag goes on with another one that has ended: both are one step."""

        def take_over() -> None:
            self.forget(other.number)
            self.rewrite(drag.number, None, other.before)
            drag.before = other.before

        with self._contents.lock:
            self._transactions.whole(take_over)


class Drag:
    """A drag as a step for undo: what was put into the world for it, and the state when it began."""

    before: Snapshot

    def __init__(self, history: History) -> None:
        self.history = history
        self.number = 0  # of its step, once it has begun

    def change(self, edit: Edit) -> None:
        """An edit in the course of the drag, such as another target."""
        self.history.carry_out_silently(edit)

    def end(self, edit: Edit) -> None:
        """The edit that ends it; undo then goes back to before the drag.

        Other steps may have come meanwhile."""
        self.history.carry_out_silently(edit, ends=self)

    def take_over(self, other: Drag) -> None:
        """Go on with a drag that has ended: both are one step."""
        self.history.take_over(self, other)
