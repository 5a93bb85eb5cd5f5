"""Records: classes that name the cells of a row, for pointer Python and for plain Python over arrays.

    class ObjectBatch(IntRecord):
        n: int      # cell 0
        drift: int  # cell 1

`batch = ObjectBatch(at(I, place))` costs nothing: `batch.drift` is a load or store at a fixed offset, in
compiled code the same as `at(I, place)[1]`. A field with the value `cells(k)` stands for k cells, and reading
it gives a pointer to the first of them. `ObjectBatch.of(I, b)` is row b of the table that I names in the
field given by `table`; a row is `ObjectBatch.size` cells long. `ObjectBatch.of(row, b)` stands b rows
behind a row.
"""

from __future__ import annotations

import inspect
from typing import Any, ClassVar, Self


class Ints:
    """A pointer to int64, read and written by index (in plain Python, a view of an array)."""

    def __init__(self, array: Any) -> None:
        self.array: Any = getattr(array, "array", array)

    def __getitem__(self, index: int) -> int:
        return int(self.array[index])

    def __setitem__(self, index: int, value: int) -> None:
        self.array[index] = value


class Floats:
    """A pointer to double, read and written by index (in plain Python, a view of an array)."""

    def __init__(self, array: Any) -> None:
        self.array: Any = getattr(array, "array", array)

    def __getitem__(self, index: int) -> float:
        return float(self.array[index])

    def __setitem__(self, index: int, value: float) -> None:
        self.array[index] = value


class Cell:
    """One named cell of a row, or the first of several."""

    def __init__(self, offset: int, count: int) -> None:
        self.offset, self.count = offset, count

    def __get__(self, row: Any, owner: type) -> Any:
        if row is None:
            return self
        if self.count == 1:
            return row.array.item(self.offset)  # quicker than row[self.offset]
        return type(row).__mro__[-2](row.array[self.offset :])

    def __set__(self, row: Any, value: Any) -> None:
        row.array[self.offset] = value


class _Cells:
    """What `cells(k)` leaves in a class until its places are given out."""

    def __init__(self, count: int) -> None:
        self.count = count


def cells(count: int) -> Any:
    """Several cells under one name: `kernels: Ints = cells(6)`."""
    return _Cells(count)


def _lay_out(record: type) -> dict[str, Cell]:
    """Give the annotated fields of a class their places, in the order in which they stand."""
    fields: dict[str, Cell] = {}
    offset = 0
    for name, annotation in inspect.get_annotations(record).items():
        if str(annotation).startswith("ClassVar"):
            continue
        given = record.__dict__.get(name)
        count = given.count if isinstance(given, _Cells) else 1
        fields[name] = Cell(offset, count)
        setattr(record, name, fields[name])
        offset += count
    return fields


class IntRecord(Ints):
    """A row of whole numbers with a name for each."""

    size: ClassVar[int] = 0  # cells of a row
    table: ClassVar[str] = ""  # the field of a header that says where the table of such rows begins
    fields: ClassVar[dict[str, Cell]] = {}

    def __init_subclass__(cls) -> None:
        cls.fields = _lay_out(cls)
        cls.size = sum(cell.count for cell in cls.fields.values())

    @classmethod
    def of(cls, header: IntRecord, k: int) -> Self:
        """Row k of the table of these rows; or, from one of these rows, the row that stands k further on."""
        first = 0 if isinstance(header, cls) else getattr(header, cls.table)
        return cls(header.array[first + k * cls.size :])


class FloatRecord(Floats):
    """A row of floating-point numbers with a name for each."""

    size: ClassVar[int] = 0  # cells of a row
    fields: ClassVar[dict[str, Cell]] = {}

    def __init_subclass__(cls) -> None:
        cls.fields = _lay_out(cls)
        cls.size = sum(cell.count for cell in cls.fields.values())


Record = type[IntRecord] | type[FloatRecord]


def is_record(thing: object) -> bool:
    """Whether this is a class of records."""
    return isinstance(thing, type) and issubclass(thing, IntRecord | FloatRecord)


def place_of(record: Record, name: str) -> int:
    """The offset of a field in its row."""
    return record.fields[name].offset


def annotated(function: Any, name: str) -> Any:
    """What a parameter of a compiled function is said to be: a class of records, Ints or Floats, or None."""
    said = function.__annotations__.get(name)
    if isinstance(said, str):
        said = function.__globals__.get(said)
    return said if is_record(said) or said in (Ints, Floats) else None
