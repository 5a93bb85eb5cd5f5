"""History: the one owner of undo. Whatever can be taken back is remembered here, as steps (E6).

A step is an edit with its inverse and the state before it. `one_step` makes one step of several edits, all of
them or none. A `Drag` is a step that goes on over many frames. What the timeline does is taken back with the
step before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from tinkerdyne.engine.snapshot import Snapshot
from tinkerdyne.world.edit import Change, Edit, Several
from tinkerdyne.world.editing import Editor

UNDO = 1000  # steps that can be taken back

Mark = tuple[int, int]


@dataclass(frozen=True)
class Done:
    """A step that can be taken back: its inverse, and the state before it."""

    inverse: Edit
    before: Snapshot
    number: int  # the later, the larger; a step that is rewritten keeps it
    is_automatic: bool = False  # the timeline's, taken back with the user's step before it


class History:
    """The steps of a world that can be taken back, and those that can come again."""

    def __init__(self, editor: Editor) -> None:
        self._editor = editor
        self._undo: list[Done] = []
        self._redo: list[Done] = []
        self._last = 0  # number given to a step
        self._first = 0  # number before the open group of edits: older steps are not touched
        self._depth = 0  # groups that are open
        self._is_silent = False

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

    def mark(self) -> Mark:
        """How many steps can be taken back, and the number of the last: another one after every edit."""
        return len(self._undo), self._undo[-1].number if self._undo else 0

    def clear(self) -> None:
        """Forget everything: from here on there is nothing to go back to."""
        self._undo.clear()
        self._redo.clear()

    # --- states ----------------------------------------------------------------------------------
    def snapshot(self) -> Snapshot:
        """The state of everything now; edits between two steps of the engine share one."""
        return self._editor.snapshot()

    def restore(self, shot: Snapshot) -> None:
        """Back to a state, without a trace."""
        self._editor.restore(shot)

    def travel(self, shot: Snapshot) -> None:
        """Go to a state of another time; undo comes back from there."""
        with self._editor.lock:
            before = self.snapshot()
            self.remember(self._editor.carry_out(Several(())), before)  # after which references begin anew
            self.restore(shot)

    @contextmanager
    def motion(self) -> Iterator[None]:
        """A change of the state alone, at once: undo goes back to before it."""
        with self._editor.lock:
            before = self.snapshot()
            yield
            self.remember(Several(()), before)

    # --- edits -----------------------------------------------------------------------------------
    def apply(self, edit: Edit) -> Edit:
        """Carry out an edit, remember it, and return its inverse."""
        with self._editor.lock:
            before = self.snapshot()
            inverse = self._editor.carry_out(edit)
            self.remember(inverse, before)
            return inverse

    def apply_automatic(self, edit: Edit) -> None:
        """An edit of the timeline: undo takes it back along with the user's step before it.

        A parameter's first value is enough."""
        inverse = self._editor.carry_out(edit)
        self._redo.clear()
        last = self._undo[-1] if self._undo else None
        if last is None:  # with nothing of the user's before it there is nothing to go back to
            return
        is_more = last.is_automatic and last.number > self._first
        done = last.inverse.edits if is_more and isinstance(last.inverse, Several) else ()
        if isinstance(inverse, Change) and any(
            isinstance(e, Change)
            and (e.name, e.parameter, e.key) == (inverse.name, inverse.parameter, inverse.key)
            for e in done
        ):
            return
        if done:
            self._undo.pop()
        self._undo.append(Done(Several((inverse, *done)), last.before, self._next(), is_automatic=True))

    def remember(self, inverse: Edit, before: Snapshot) -> None:
        """Let undo take this back; what was undone before cannot come again."""
        if self._is_silent:
            return
        self._undo.append(Done(inverse, before, self._next()))
        self._redo.clear()
        self._trim()

    def _next(self) -> int:
        self._last += 1
        return self._last

    def _trim(self) -> None:
        if not self._depth:
            del self._undo[:-UNDO]

    @contextmanager
    def silence(self) -> Iterator[None]:
        """Edits made within leave no trace: they are no edits of the user's."""
        was, self._is_silent = self._is_silent, True
        try:
            yield
        finally:
            self._is_silent = was

    # --- groups ----------------------------------------------------------------------------------
    @contextmanager
    def all_or_nothing(self) -> Iterator[None]:
        """Edits made within are taken back when one of them, or anything else within, fails."""
        with self._editor.lock:
            before, redo = self.snapshot(), tuple(self._redo)
            outer, self._first = self._first, self._last
            self._depth += 1
            try:
                yield
            except Exception:
                self._take_back(before, redo)
                raise
            finally:
                self._first = outer
                self._depth -= 1
                self._trim()

    def _take_back(self, before: Snapshot, redo: tuple[Done, ...]) -> None:
        """Undo the open group."""
        made = [step for step in self._undo if step.number > self._first]
        if not made:
            return
        self._editor.carry_out(Several(tuple(step.inverse for step in reversed(made))))
        self._undo = [step for step in self._undo if step.number <= self._first]
        self._redo = list(redo)
        self._editor.restore(before)

    @contextmanager
    def one_step(self, ending: Drag | None = None) -> Iterator[None]:
        """Edits made within are one step, all of them or none; a group within another joins it.

        `ending`: a drag that ends with them, and is the same step, unless something else was done meanwhile.
        """
        with self.all_or_nothing():
            before, first = self.snapshot(), self._first
            yield
            self._join(first, before)
            if ending is not None:
                between = [step for step in self._undo if ending.number < step.number]
                if between and all(step.is_automatic for step in between[:-1]):
                    self._join(ending.number - 1, ending.before)

    def _join(self, first: int, before: Snapshot) -> None:
        """Make one step of those with a number beyond the first."""
        made = [step for step in self._undo if step.number > first]
        if len(made) > 1:
            inverse = Several(tuple(step.inverse for step in reversed(made)))
            self._undo = [step for step in self._undo if step.number <= first]
            self._undo.append(Done(inverse, before, made[-1].number))

    @contextmanager
    def drag(self) -> Iterator[Drag]:
        """A drag begins: what is put into the world within is there until it ends."""
        with self._editor.lock:
            drag = Drag(self, self.snapshot())
            with self.one_step():
                yield drag
            drag.number = self._undo[-1].number

    # --- back and forth --------------------------------------------------------------------------
    def undo(self) -> bool:
        """Take the last step back, with the time and state just before it; False when there is none."""
        return self._go(self._undo, self._redo)

    def redo(self) -> bool:
        """Carry the last undone step out again."""
        return self._go(self._redo, self._undo)

    def _go(self, source: list[Done], target: list[Done]) -> bool:
        with self._editor.lock:
            if not source:
                return False
            now = self.snapshot()
            count = 1
            while source[-count].is_automatic and count < len(source):
                count += 1
            taken = source[: -count - 1 : -1]  # the newest first
            inverse = self._editor.carry_out(
                Several(tuple(step.inverse for step in taken))
            )  # all, or nothing
            del source[-count:]
            target.append(Done(inverse, now, self._next()))
            self._editor.restore(taken[-1].before)
            return True

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

    def carry_out_silently(self, edit: Edit) -> None:
        """An edit that is part of a step which is remembered already."""
        with self._editor.lock:
            self._editor.carry_out(edit)


class Drag:
    """A drag as a step for undo: what was put into the world for it, and the state when it began."""

    def __init__(self, history: History, before: Snapshot) -> None:
        self.history, self.before = history, before
        self.number = 0  # of its step, once it has begun

    def change(self, edit: Edit) -> None:
        """An edit in the course of the drag, such as another target."""
        self.history.carry_out_silently(edit)

    def end(self, edit: Edit) -> None:
        """The edit that ends it; undo then goes back to before the drag.

        Other steps may have come meanwhile."""
        self.history.carry_out_silently(edit)
        self.history.rewrite(self.number, Several(()), self.before)

    def take_over(self, other: Drag) -> None:
        """Go on with a drag that has ended: both are one step."""
        self.history.forget(other.number)
        self.before = other.before
        self.history.rewrite(self.number, None, self.before)
