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

    until: Literal["pull", "snap", "cut", "undo"]  # what the person does then
    text: str
    at: str  # a part, a place of one, or with `of_joint` a part of which the first joint is meant
    of_joint: bool = False
    glows: str = ""  # a part that is lit meanwhile


class GuideStep(msgspec.Struct, frozen=True):
    """A line of the first steps; keys stand in backquotes."""

    title: str
    text: str


class Guide(msgspec.Struct, frozen=True):
    """A tutorial: hints in the picture, one after the other, in a world that has what they are about."""

    needs: tuple[str, ...]  # names of items
    hints: tuple[Hint, ...]
    steps: tuple[GuideStep, ...]


class Hello(Message, frozen=True):
    """The first message: who is speaking, and everything that there is."""

    version: int
    build: str  # of the page that fits; another one should be loaded anew
    types: tuple[TypeInfo, ...]
    examples: tuple[str, ...]  # names of gallery scenes
    guide: Guide
    fits: tuple[FitModel, ...] = ()  # models that are known by name
    can_render: bool = False
