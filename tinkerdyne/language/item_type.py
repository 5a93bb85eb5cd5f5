"""Types of items, as they are asked: what they take, what they have, and what they say of themselves.

A type is called to make an item. It explains itself: `help(spring)`, `inspect.signature(spring)` and
`repr(spring)` show the sentence, the operands by kind, and the parameters with units and defaults.
"""

from __future__ import annotations

import inspect
import reprlib
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from tinkerdyne.language.arrays import Array
from tinkerdyne.language.block import Block, Layout, Port
from tinkerdyne.language.item import Item, Values, label
from tinkerdyne.language.kinds import Kind, Value
from tinkerdyne.language.look import Look
from tinkerdyne.language.units import COMMON, rate_unit, units_of

Places = dict[str, tuple[float, ...]]
LONGEST_VALUE = 44  # characters of a value that is shown
WIDEST = 96  # characters of a line that shows a type or an item
_short = reprlib.Repr()
_short.maxtuple = _short.maxlist = 4
_short.maxstring = _short.maxother = 40


@dataclass(frozen=True)
class Operand:
    """What a type is plugged into: its name and kind, whether any number may follow, or none be given."""

    name: str
    kind: str
    is_many: bool = False
    is_optional: bool = False


@dataclass(frozen=True)
class Option:
    """A parameter or a part of the state: its sort in Python's words, its default and its unit."""

    name: str
    sort: str
    default: Value
    unit: str = ""
    is_state: bool = False

    def __repr__(self) -> str:
        return f"{self.sort} [{self.unit}]" if self.unit else self.sort


class ItemType:
    """A type of items: of objects, or of function blocks (connectors, constraints, behaviors and fields)."""

    family: str  # "object", "connector", "constraint", "behavior" or "field"
    name: str  # as scene files have it
    word: str  # as Python has it
    module: str  # where it was defined
    doc: str  # its docstring, less the units
    units: dict[str, str]  # of parameters and state, where they have one
    # items that come along with one of this type
    companions: Callable[[Item], Sequence[Item]] = staticmethod(lambda _item: ())
    places: Callable[[Values], Places] = staticmethod(lambda _values: {})  # named points of an object
    output: Kind = Kind("")  # what a connector supplies
    readings: ClassVar[dict[str, str]] = {}  # what one has in a world, with its unit
    look: Look = Look()  # to people
    acts: ClassVar[bool] = True  # it has a block in the engine; what does not is a rule for others
    rule: ClassVar[str] = ""  # which one
    gauge: str = ""  # what of the engine's own numbers a connector shows

    __name__: str
    __qualname__: str
    __signature__: inspect.Signature

    # --- what an item asks -----------------------------------------------------------------------
    def parameter_names(self) -> tuple[str, ...]:
        """Names of its parameters."""
        raise NotImplementedError

    def state_names(self) -> tuple[str, ...]:
        """Names of the parts of its state."""
        return ()

    def own_names(self) -> tuple[str, ...]:
        """Names that its items have of themselves, besides those of all items of its family."""
        return ()

    def part_names(self, item: Item) -> tuple[str, ...]:
        """Names of what else an item has: places, coordinates, readings."""
        return tuple(self.readings)

    def part(self, item: Item, name: str) -> Any:
        """A named place, coordinate or reading of an item; None where it has no such thing."""
        raise NotImplementedError

    def checked(self, item: str, name: str, value: object) -> Value:
        """A parameter's value in its stored form, or a message."""
        raise NotImplementedError

    def checked_live(self, item: Item, name: str, value: object) -> Value:
        """The same for an item that is in a world, and must still fit into it."""
        return self.checked(label(item), name, value)

    def checked_state(self, item: str, name: str, value: object) -> Value:
        """A part of the state in its stored form, or a message."""
        raise AttributeError(f"{item} has no state {name!r}")

    def make(self, name: str, inputs: Sequence[Item], options: Values) -> Item:
        """An item of this type; inputs and parameters are checked here, at the public door."""
        raise NotImplementedError

    def port(self, item: Item) -> Port:
        """What an item of this type offers to a block."""
        raise TypeError(f"{label(item)} cannot be plugged into anything")

    if TYPE_CHECKING:  # what is asked of objects alone, and of function blocks alone
        parameters: dict[str, Any]  # defaults; of a function block with their sorts before them
        state: Values  # how an object starts when nothing is said
        formula: Callable[..., Any]

        def boundary(self, item: Item) -> Sequence[Any]:
            """The parts by which an object touches others."""

        def resolve(self, item: Item) -> tuple[Any, list[float]]:
            """The object type of an item and its parameters in the arena."""

        def pack(self, item: Item) -> tuple[Array, Array]:
            """q and v from an item's starting state."""

        def unpack(self, item: Item, q: Array, v: Array) -> Values:
            """The named parts of the state."""

        def check_inputs(self, item: Item) -> None:
            """Refuse what cannot be plugged in."""

        def block_of(self, item: Item) -> Block:
            """The compiled block for what an item is plugged into."""

        def layout(self, values: Values) -> Layout:
            """Names and places of the parameters in the arena."""

        def flat(self, values: Values) -> list[float]:
            """The arena's row of parameters."""

    # --- what it says of itself ------------------------------------------------------------------
    def operands(self) -> Sequence[Operand]:
        """What it is plugged into."""
        return ()

    def options(self) -> Iterator[Option]:
        """What may be given by name, besides the operands."""
        raise NotImplementedError

    def signature(self) -> inspect.Signature:
        """How it is called."""
        empty, P = inspect.Parameter.empty, inspect.Parameter
        found = [
            P(
                o.name,
                P.VAR_POSITIONAL if o.is_many else P.POSITIONAL_OR_KEYWORD,
                annotation=Option("", o.kind.capitalize(), None),
                default=None if o.is_optional else empty,
            )
            for o in self.operands()
        ]
        found += [P(o.name, P.KEYWORD_ONLY, annotation=o, default=o.default) for o in self.options()]
        found.append(P("name", P.KEYWORD_ONLY, annotation=str, default=""))
        return inspect.Signature(found, return_annotation=Item)

    def explain(self, doc: str) -> None:
        """Take a docstring and say what it is to Python's own tools."""
        names = [option.name for option in self.options()]
        said, self.doc = units_of(f"{self.family} {self.name!r}", doc, names)
        self.units = {**{name: COMMON[name] for name in names if name in COMMON}, **self.units, **said}
        for name in names:
            if name.endswith("_rate"):
                self.units.setdefault(name, rate_unit(self.units.get(name.removesuffix("_rate"), "")))
        self.__name__ = self.__qualname__ = self.word
        self.__module__ = self.module
        self.__signature__ = self.signature()
        self.__doc__ = self.help()

    def help(self) -> str:
        """Its sentence, how it is called, its operands and its parameters with their units."""
        plain = [p.replace(annotation=p.empty) for p in self.__signature__.parameters.values()]
        call = _wrapped(f"{self.word}{inspect.Signature(plain)}", "    ")
        rows = [("Operands:", "", "")] if self.operands() else []
        rows += [(f"  {'*' * o.is_many}{o.name}", o.kind, "") for o in self.operands()]
        for title, is_state in (("Parameters:", False), ("State, at the start:", True)):
            group = [o for o in self.options() if o.is_state == is_state]
            rows += [(title, "", "")] if group else []
            rows += [(f"  {o.name}", _shortened(o.default), o.unit) for o in group]
        wide = [max((len(row[k]) for row in rows if row[0].startswith(" ")), default=0) for k in (0, 1)]
        table = "\n".join(f"{a:{wide[0]}}  {b:{wide[1]}}  {c}".rstrip() for a, b, c in rows)
        doc = "\n\n".join(_wrapped(" ".join(part.split("\n"))) for part in self.doc.split("\n\n"))
        return "\n\n".join(part for part in (doc, call, table, _wrapped(self.has())) if part)

    def has(self) -> str:
        """What one has in a world, in a sentence."""
        found = ", ".join(f"{name} [{unit}]" if unit else name for name, unit in self.readings.items())
        return f"In a world it has {found}." if found else ""

    def __repr__(self) -> str:
        names = [f"{'*' * o.is_many}{o.name}" for o in self.operands()]
        names += ["*" for _ in names[-1:] if not names[-1].startswith("*")]
        return _within(f"<{self.family} {self.word}(", [*names, *(o.name for o in self.options())], ")>")

    def as_given(self, values: Values) -> Values:
        """Parameters as a person gives them, from the form in which they are kept."""
        return values

    def shown(self, item: Item) -> str:
        """How an item of this type is shown: what it is plugged into, and the parameters that were given."""
        usual = {option.name: option.default for option in self.options()}
        parts = [i.name or f"a new {i.type.name}" for i in item.inputs]
        given = self.as_given(item.values).items()
        parts += [f"{k}={_shortened(v)}" for k, v in given if k in usual and v != usual[k]]
        name = f" {item.name!r}" if item.name else ""
        return _within(f"<{self.name}{name}{': ' if parts else ''}", parts, ">")


_OWN = frozenset(name for name in Item.__slots__ if not name.startswith("_"))


def refuse_clash(type: ItemType, name: str, *, is_input: bool = False) -> None:
    """Refuse a parameter whose name an item has of itself, since it could be neither read nor set."""
    common = getattr(type, "common", {})
    taken = {"name", *common} if is_input else {*_OWN, *type.readings, *common, *type.own_names()}
    if name in taken:
        what = "input" if is_input else "parameter"
        raise TypeError(
            f"{what} {name!r} of {type.family} {type.name!r} would hide what every {type.family} calls "
            f"{name!r}; call it something else, such as {type.name}_{name}"
        )


def _shortened(value: Value) -> str:
    text = _short.repr(value)
    return text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 1]}…"


def _wrapped(text: str, indent: str = "") -> str:
    return textwrap.fill(text, WIDEST - 8, subsequent_indent=indent, break_long_words=False)


def _within(start: str, parts: Sequence[str], end: str) -> str:
    """As many of the parts as a line has room for."""
    line = start
    for k, part in enumerate(parts):
        more = f"{', ' if k else ''}{part}"
        if len(line) + len(more) + len(end) > WIDEST - 3:
            return f"{line}{', ' if k else ''}…{end}"
        line += more
    return line + end
