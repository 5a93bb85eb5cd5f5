"""Commands of formulas by hand."""

from __future__ import annotations

from typing import ClassVar, Literal

from tinkerdyne.language.look import Form
from tinkerdyne.studio.wire.messages.base import Answer, Command, Names
from tinkerdyne.studio.wire.messages.curves import Fault
from tinkerdyne.studio.wire.messages.editing import Foreseen


class FormulaName(Answer, frozen=True):
    """A name in a formula."""

    name: str
    is_place: bool  # it looks like a place of something, not like a number


class Formulated(Answer, frozen=True):
    """What was understood of a formula."""

    faults: tuple[Fault, ...]
    names: tuple[FormulaName, ...]
    form: Form
    texts: tuple[str, ...]  # in the grammar of formulas
    now: tuple[float, ...]  # its values now; none where something is missing
    python: str  # the line that makes it


class Formulate(Command, frozen=True, tag="formulate"):
    """A formula typed by hand, `|a − b| = 2 r`, with what its names stand for: a number, or something as
    `Insert` takes it.

    `on` is what a force acts on and what a path leads. "read" says what was understood, "foresee" what it
    would do, "make" makes it. Result of "make": the new names, that of the formula first.
    """

    result: ClassVar[object] = {"read": Formulated, "foresee": Foreseen, "make": Names}

    what: Literal["read", "foresee", "make"]
    form: Form
    text: str
    names: dict[str, str | float] = {}
    on: str = ""
    name: str = ""


FormulaCommand = Formulate
