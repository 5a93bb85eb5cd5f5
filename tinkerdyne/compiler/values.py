"""Values of pointer Python (numbers, pointers, rows of records): their kinds, and how LLVM IR writes them."""

from __future__ import annotations

import struct
from typing import Any, NamedTuple

from tinkerdyne.compiler.records import Floats, IntRecord, Ints, Record

BOOL, INT, FLOAT, INTS, FLOATS = "i1", "i64", "double", "i64*", "double*"


class Value(NamedTuple):
    """A number or a pointer: its kind, and the register or literal that holds it."""

    kind: str
    text: str

    @property
    def typed(self) -> str:
        return f"{type_of(self.kind)} {self.text}"

    @property
    def integer(self) -> int | None:
        """Its value, if it is an integer literal."""
        return int(self.text) if self.kind == INT and self.text.lstrip("-").isdigit() else None


TRUE, FALSE = Value(BOOL, "true"), Value(BOOL, "false")


def type_of(kind: str) -> str:
    return "ptr" if is_pointer(kind) else kind


def is_pointer(kind: str) -> bool:
    return "*" in kind


def plain(kind: str) -> str:
    """The kind of pointer that a row is, once the names of its cells are left out."""
    return kind[: kind.index("*") + 1] if is_pointer(kind) else kind


def element_of(kind: str) -> str:
    """What a pointer points to."""
    return kind[: kind.index("*")]


def kind_of(said: Any) -> str:
    """The kind of a value annotated as a class of records, or as Ints or Floats."""
    if said is Ints or said is Floats:
        return INTS if said is Ints else FLOATS
    name = f"{said.__module__}.{said.__qualname__}"  # two files may have a record of the same name
    _records[name] = said
    return (INTS if issubclass(said, IntRecord) else FLOATS) + name


def record_of(kind: str) -> Record | None:
    """The class that names the cells behind a pointer of this kind."""
    return _records.get(kind.partition("*")[2])


_records: dict[str, Record] = {}


def name_of(kind: str) -> str:
    """A kind in words."""
    names = {
        BOOL: "a bool",
        INT: "an int",
        FLOAT: "a float",
        INTS: "a pointer to int64",
        FLOATS: "a pointer to double",
    }
    return names.get(kind) or f"a row of {kind.rpartition('.')[2]}"


def tag_of(element: str) -> str:
    """The TBAA tag of loads and stores."""
    return "!1" if element == FLOAT else "!2"


def number(value: float) -> str:
    return "0x" + struct.pack(">d", value).hex().upper()
