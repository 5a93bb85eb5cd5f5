"""Attributes that are not there: what is asked for one says the nearest that it has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Never

from tinkerdyne.language.checks import missing


class SaysNearest:
    """What names, of an attribute that it has not, the nearest that it has."""

    __slots__ = ()

    if not TYPE_CHECKING:  # to a type checker it has what stands in its class and no more

        def __getattr__(self, name: str) -> Never:
            if name.startswith("_"):
                raise AttributeError(name)
            word = type(self).__name__.lower()
            raise missing(f"{'an' if word[0] in 'aeiou' else 'a'} {word} has no {name!r}", name, dir(self))
