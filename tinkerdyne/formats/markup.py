"""XML of other programs, read within limits and with line numbers; it remembers what nobody asked for.

Entities are refused, since they may read files or grow without end; nothing outside the file is fetched. Each
element knows which of its attributes were read, so that the rest can be listed instead of being dropped.
"""

from __future__ import annotations

import os
import xml.parsers.expat as expat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

LARGEST = 32 * 2**20  # bytes of a file
DEEPEST = 200  # elements inside one another
MOST = 500_000  # elements of a file


class FormatError(ValueError):
    """A file of another program that cannot be read: where, why, and what to do."""


@dataclass(eq=False)
class Element:
    """An element with its place; `get` notes what was read."""

    tag: str
    attributes: dict[str, str]
    line: int
    file: Path
    children: list[Element] = field(default_factory=list)
    read: set[str] = field(default_factory=set)
    is_known: bool = False  # somebody asked for this element
    behind: list[Element] = field(default_factory=list)  # say what this one does not, the nearest first

    def get(self, name: str, default: str = "") -> str:
        """An attribute as text, its own or that of an element behind it."""
        for element in (self, *self.behind):
            element.is_known = True
            element.read.add(name)
        for element in (self, *self.behind):
            if name in element.attributes:
                return element.attributes[name]
        return default

    def has(self, name: str) -> bool:
        return any(name in element.attributes for element in (self, *self.behind))

    def all(self, *tags: str) -> Iterator[Element]:
        """The children of these kinds, in their order."""
        for child in self.children:
            if child.tag in tags:
                child.is_known = True
                yield child

    def first(self, tag: str) -> Element | None:
        return next(self.all(tag), None)

    @property
    def where(self) -> str:
        """For messages: the file, the line, the element and its name."""
        name = self.attributes.get("name", "")
        named = f" {name[:60]!r}" if name else ""
        return f"{self.file.name}, line {self.line}: {self.tag}{named}"


def wrong(element: Element, says: str) -> FormatError:
    """An error at an element."""
    return FormatError(f"{element.where}: {says}")


def read_markup(path: Path) -> Element:
    """The root element of a file."""
    size = os.stat(path).st_size
    if size > LARGEST:
        raise FormatError(f"{path.name} has {size:,} bytes, more than a model may have ({LARGEST:,})")
    return parsed(path.read_bytes(), path)


def parsed(data: bytes, path: Path) -> Element:
    """The root element of a text; `path` is where it stands, for messages and for what it includes."""
    return _Reader(path).read(data)


class _Reader:
    """Builds the tree while expat reads."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.open: list[Element] = []
        self.root: Element | None = None
        self.count = 0
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = lambda _tag: self.open.pop()
        self.parser.EntityDeclHandler = self.refuse_entity
        self.parser.ExternalEntityRefHandler = self.refuse_entity

    def read(self, data: bytes) -> Element:
        try:
            self.parser.Parse(data, True)
        except expat.ExpatError as problem:
            said = expat.ErrorString(problem.code)
            raise FormatError(
                f"{self.path.name}, line {problem.lineno}, column {problem.offset + 1}: not XML: {said}"
            ) from None
        assert self.root is not None  # expat refuses a text without elements
        return self.root

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        line = self.parser.CurrentLineNumber
        self.count += 1
        if self.count > MOST:
            raise FormatError(f"{self.path.name} has more than {MOST:,} elements; divide it")
        if len(self.open) >= DEEPEST:
            raise FormatError(f"{self.path.name}, line {line}: elements lie more than {DEEPEST} deep")
        element = Element(tag.rpartition(":")[2], attributes, line, self.path)
        if self.open:
            self.open[-1].children.append(element)
        else:
            self.root = element
        self.open.append(element)

    def refuse_entity(self, *_: object) -> int:
        raise FormatError(
            f"{self.path.name}, line {self.parser.CurrentLineNumber}: it declares or uses entities "
            "(<!ENTITY …>), which may read files or grow without end; remove them"
        )
