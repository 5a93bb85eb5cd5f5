"""The first message of the server: all that there is, and the first steps."""

from __future__ import annotations

from typing import Literal

import msgspec

from tinkerdyne.studio.wire.messages.base import Message
from tinkerdyne.studio.wire.messages.model import TypeInfo


class FitModel(msgspec.Struct, frozen=True):
    """A model that data can be fitted to, known by its name."""

    name: str
    title: str
    columns: int  # of the data


class Hint(msgspec.Struct, frozen=True):
    """What to try next, said in the picture until it was done."""

    # what the person does then; "have": there are as many items of each sort as `counts` says
    # "sketch": a sketch of a motion was begun; "pose": it was changed
    until: Literal["pull", "snap", "cut", "undo", "motor", "plot", "trace", "play", "have", "sketch", "pose"]
    text: str  # keys stand in backquotes
    # of types, of what they supply, of roles or families; grounds and floors are not counted
    counts: dict[str, int] = {}
    at: str = ""  # a part, a place of one, or with `of_joint` a part of which the first joint is meant
    of_joint: bool = False
    glows: str = ""  # a part that is lit meanwhile


class GuideStep(msgspec.Struct, frozen=True):
    """A line of the first steps; keys stand in backquotes."""

    title: str
    text: str


class Guide(msgspec.Struct, frozen=True):
    """A tutorial: hints in the picture, one after the other, in a world that has what they are about."""

    name: str
    title: str
    # the world that it begins with: the first one, or a new one; "empty": any that is opened empty
    begin: Literal["start", "space", "plane", "curves", "empty"]
    needs: tuple[str, ...]  # names of items
    hints: tuple[Hint, ...]
    steps: tuple[GuideStep, ...]


class Hello(Message, frozen=True):
    """The first message: who is speaking, and everything that there is."""

    version: int
    build: str  # of the page that fits; another one should be loaded anew
    types: tuple[TypeInfo, ...]
    examples: tuple[str, ...]  # names of gallery scenes
    guides: tuple[Guide, ...]
    fits: tuple[FitModel, ...] = ()  # models that are known by name
    can_render: bool = False  # the server makes films
    session: str = ""  # another one after the server was started anew
    is_bare: bool = False  # it was started without saying which world
