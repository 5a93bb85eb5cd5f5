"""Transactions: an edit happens as a whole or not at all, whatever cuts it short.

An edit writes down what it is about to touch: items with all that they have, and the state of everything
before a row comes or goes. One assignment opens a transaction, and one closes it; between the two there is
nothing that could be left half done. What fails or is interrupted meanwhile is taken back: the items get
back what they had, and the structure of the engine, which follows from them, is made anew. That can be cut
short too. It is then done again, at the latest before the next edit or step.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING, Generic, TypeVar

from tinkerdyne.engine.engine import Engine
from tinkerdyne.engine.going_back import take_back
from tinkerdyne.engine.journal import Journal
from tinkerdyne.engine.snapshot import Snapshot

if TYPE_CHECKING:
    from tinkerdyne.world.contents import Contents

Answer = TypeVar("Answer")
Given = TypeVar("Given")
Back = Callable[[], None]  # puts back what was there


class Transaction:
    """An edit, or a group of edits, that is not yet closed."""

    def __init__(self, outer: Transaction | None, journal: Journal, backs: list[Back]) -> None:
        self.outer, self.journal, self.backs = outer, journal, backs
        self.frame: FrameType | None = None  # of the call that carries out an edit; None for a group
        self.first = 0  # of a group: number of the last step that can be undone and is not part of it
        self.has_failed = False  # of a group: the last edit within it failed, or the group did

    def is_left(self) -> bool:
        """Whether an edit was cut short, and what it left is still there: the call has ended."""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and frame is not self.frame:
            frame = frame.f_back
        return self.frame is not None and frame is None


class Transactions:
    """The open transactions of a world, one within another."""

    def __init__(self, contents: Contents, engine: Engine) -> None:
        self._contents, self._engine = contents, engine
        self._top: Transaction | None = None
        # what else is written down as a transaction opens: each answers with how to put it back
        self.also: list[Callable[[], Back]] = [contents.written_down]
        engine.mend = self.mend

    @property
    def group(self) -> Transaction | None:
        """The group of edits that is open, the innermost one."""
        found = self._top
        while found is not None and found.frame is not None:
            found = found.outer
        return found

    def whole(self, work: Callable[[], Answer], *, is_trial: bool = False) -> Answer:
        """Do some work all or not at all. A trial moves the state about, beside what an edit does."""
        self.mend()
        mine = self._written(is_trial=is_trial)
        mine.frame = sys._getframe()
        self._push(mine)
        try:
            answer = work()
            self.close(mine)
            return answer
        except BaseException:
            self.take_back(mine)
            if mine.outer is not None:
                mine.outer.has_failed = True
            raise

    def failed(self) -> None:
        """An edit was refused before its transaction began: so has the group that it is part of."""
        if self._top is not None:
            self._top.has_failed = True

    def open_group(self, first: int) -> Transaction:
        """Begin a group; `close` or `take_back` ends it."""
        self.mend()
        mine = self._written(is_trial=False)
        mine.first = first
        mine.journal.shot = self._engine.snapshot()
        self._push(mine)
        return mine

    def _written(self, *, is_trial: bool) -> Transaction:
        engine = self._engine
        journal = Journal.of(engine)
        if is_trial:
            journal.shot = engine.snapshot()
            journal.numbers = None if engine.is_stale else engine.numbers()
        return Transaction(self._top, journal, [also() for also in self.also])

    def _push(self, mine: Transaction) -> None:
        self._engine.open = mine.journal
        self._top = mine
        if mine.outer is not None:
            mine.outer.has_failed = False

    def _pop(self, mine: Transaction) -> None:
        self._top = mine.outer
        self._engine.open = None if mine.outer is None else mine.outer.journal
        mine.frame = None

    def close(self, mine: Transaction) -> None:
        """It is done. A group that it is part of may still take it back."""
        while self._top is not None and self._is_within(self._top, mine):
            if self._top.outer is not None:
                self._top.outer.journal.take_over(self._top.journal)
            self._pop(self._top)

    def take_back(self, mine: Transaction) -> None:
        """Put everything back that it and all within it have touched. An interrupt meanwhile waits."""
        while self._top is not None and self._is_within(self._top, mine):
            try:
                self._put_back(self._top)
            except KeyboardInterrupt:
                continue

    def mend(self) -> None:
        """Take back what an edit that was cut short has left."""
        if self._top is not None and self._top.is_left():
            self.take_back(self._top)

    def _put_back(self, mine: Transaction) -> None:
        self._contents.put_back(mine.journal.kept.values())
        for back in mine.backs:
            back()
        take_back(self._engine, mine.journal, self._contents.items, self._contents.settings)
        self._pop(mine)

    def _is_within(self, one: Transaction | None, mine: Transaction) -> bool:
        """Whether a transaction is this one or was opened within it."""
        while one is not None and one is not mine:
            one = one.outer
        return one is mine


class Group(Generic[Given]):
    """Edits that happen all or not at all, as a `with` statement. `finish` ends it, when nothing failed."""

    _open: Transaction | None = None

    def __init__(
        self,
        contents: Contents,
        last: Callable[[], int],
        finish: Callable[[Transaction, Snapshot], None],
        given: Given,
    ) -> None:
        self._contents, self._last, self._finish, self._given = contents, last, finish, given
        self._lock = contents.lock

    def __enter__(self) -> Given:
        self._lock.acquire()
        try:
            self._open = self._contents.transactions.open_group(self._last())
        except BaseException:
            self._lock.release()
            raise
        return self._given

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: object) -> None:
        if kind is not None and self._open is not None:
            self._open.has_failed = True
        mine, transactions = self._open, self._contents.transactions
        assert mine is not None
        try:
            if kind is None:
                mine.has_failed = True  # until it is finished
                before = mine.journal.shot
                assert before is not None
                self._finish(mine, before)
                transactions.close(mine)
                mine.has_failed = False
        finally:
            self._end()

    def _end(self) -> None:
        """It is over: what failed is taken back, and what was closed is not there any more."""
        mine = self._open
        if mine is None:
            return
        transactions = self._contents.transactions
        if mine.has_failed:
            transactions.take_back(mine)
        else:
            transactions.close(mine)
        self._open = None
        self._lock.release()

    def __del__(self) -> None:
        """One whose end was cut short ends now. Where even its beginning was, it stays as it is, unless an
        edit within it had failed: every edit was whole."""
        self._end()
