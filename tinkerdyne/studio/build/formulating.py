"""Formulas by hand: what a person typed, and the parts that its names stand for, as constraints, conditions,
energies, forces, measures and paths."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import casadi as ca
import numpy as np

from tinkerdyne.behaviors.formulas import typed_energy, typed_force
from tinkerdyne.connectors.formulas import Given, formula_place, formula_value, from_text
from tinkerdyne.constraints.algebra import at_least, at_most, typed_equation, typed_path
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.checks import number
from tinkerdyne.language.formula_error import FormulaError
from tinkerdyne.language.item import Item, label
from tinkerdyne.language.item_type import refuse_clash
from tinkerdyne.language.look import Form
from tinkerdyne.language.symbols import SX
from tinkerdyne.language.types import BlockType, port_of
from tinkerdyne.studio.build.inserting import resolve, where
from tinkerdyne.studio.build.notation import (
    Piece,
    Relation,
    component,
    names_in,
    relations,
    strict,
    symbols_of,
    value_of,
)
from tinkerdyne.world.world import World

MOST_NAMES = 24  # of one formula
MOST_ROWS = 6  # of one constraint
LOW, HIGH = (">=", ">"), ("<=", "<")
RATE = "_dot"  # ends the name of a rate in a force
TYPES: Mapping[Form, BlockType] = {
    "constraint": typed_equation, "condition": formula_value, "energy": typed_energy, "force": typed_force,
    "measure": formula_value, "path": typed_path,
}  # fmt: skip
ALONE = {"energy": "an energy", "force": "a force", "measure": "a measure", "path": "a path"}


@dataclass(frozen=True)
class TypedFormula:
    """What a person says: the formula, and what its names stand for, a number or something as `Insert` takes
    it; `on` is what a force acts on and a path leads."""

    form: Form
    text: str
    given: Mapping[str, str | float] = field(default_factory=dict)
    on: str = ""


@dataclass(frozen=True)
class ReadFormula:
    """A formula that can be read: its texts in the grammar of formulas, and what its names stand for."""

    form: Form
    texts: tuple[str, ...]
    sign: str  # of a condition
    is_place: dict[str, bool]  # of every name: whether it looks like a place
    items: dict[str, Item]
    numbers: dict[str, float]
    on: Item | None
    now: tuple[float, ...] | None  # its values now, where all is known

    @property
    def missing(self) -> tuple[str, ...]:
        """Names that stand for nothing yet."""
        return tuple(name for name in self.is_place if name not in self.items and name not in self.numbers)


def understood(world: World, typed: TypedFormula, dimension: int) -> ReadFormula:
    """A formula as it was typed. Raises FormulaError at the character that is wrong."""
    lines = relations(typed.text)
    is_place = names_in(lines)
    rates = [name for name in is_place if name.endswith(RATE)] if typed.form == "force" else []
    for name in rates:
        is_place.setdefault(name.removesuffix(RATE), is_place.pop(name))
    if len(is_place) > MOST_NAMES:
        raise FormulaError(f"a formula may have {MOST_NAMES} names, not {len(is_place)}", typed.text, 0)
    form, sign = _form(typed, lines)
    items = {
        name: _input(world, given)
        for name, given in typed.given.items()
        if name in is_place and isinstance(given, str)
    }
    numbers = {
        name: number(name, given)
        for name, given in typed.given.items()
        if name in is_place and not isinstance(given, str)
    }
    for name in numbers:
        refuse_clash(TYPES[form], name)
    sizes = {
        name: 1 if name in numbers else size_of(items[name]) if name in items else dimension if place else 1
        for name, place in is_place.items()
    }
    sizes |= {name: sizes[name.removesuffix(RATE)] for name in rates}
    on = _input(world, typed.on) if typed.on else None
    if on is None and form == "force" and items:  # on the first that it speaks of
        on = next(items[name] for name in is_place if name in items)
    wanted = size_of(on) if on is not None else 0
    symbols = symbols_of(sizes)
    texts, values = _texts(form, lines, sizes, symbols, wanted, typed.text)
    now = _now(values, symbols, items, numbers, world.time)
    return ReadFormula(form, texts, sign, is_place, items, numbers, on, now)


def names_of(typed: TypedFormula) -> dict[str, bool]:
    """The names in what was typed, and whether each looks like a place; none where it is not whole yet."""
    try:
        names = names_in(relations(typed.text))
    except FormulaError:
        return {}
    if typed.form == "force":  # x_dot is the rate of x
        names = {name.removesuffix(RATE): is_place for name, is_place in names.items()}
    return names


def made(found: ReadFormula, name: str = "") -> tuple[Item, ...]:
    """The items that say it, the main one first; none of them is in the world yet."""
    if found.missing:
        raise ValueError(f"say what {', '.join(found.missing)} stands for: click its place, or give a number")
    names: dict[str, Given] = {**found.items, **found.numbers}
    first: tuple[Item, ...] = ()
    if found.form in ("force", "path"):
        if found.on is None:
            raise ValueError(f"say what the {found.form} is for: click a place or a joint")
        first = (found.on,)
    kind = TYPES[found.form]
    if found.form == "measure" and len(found.texts) > 1:
        kind = formula_place
    extra = {} if found.form == "condition" else {"name": name}
    item = from_text(kind, found.texts, names, dict(extra), first)
    if found.form != "condition":
        return (item,)
    stop: Item = at_least(item, name=name) if found.sign in LOW else at_most(item, name=name)
    return (stop, item)


def size_of(item: Item) -> int:
    """How many numbers a name of a formula has: of a body those of its place."""
    port = port_of(item)
    if port.kind.name == "frame":
        return port.kind.space(port.dim)
    return port.dim


# --- reading ------------------------------------------------------------------------------------------
def _form(typed: TypedFormula, lines: tuple[Relation, ...]) -> tuple[Form, str]:
    """What it is: a constraint with ≤ or ≥ is a condition, and the other way round."""
    signs = {line.sign for line in lines}
    unequal = signs & {*LOW, *HIGH}
    if typed.form in ALONE:
        if signs - {""}:
            at = next(iter(line.right.at(0) for line in lines if line.right is not None)) - 1
            raise FormulaError(f"{ALONE[typed.form]} is a formula without '{max(signs)}'", typed.text, at)
        return typed.form, ""
    if unequal:
        if len(lines) > 1:
            raise FormulaError("a condition stands alone; make one after the other", typed.text, 0)
        return "condition", lines[0].sign
    if typed.form == "condition":
        raise FormulaError("a condition has <= or >=, such as |a - b| >= 1", typed.text, len(typed.text))
    return "constraint", "="


def _input(world: World, text: str) -> Item:
    item = resolve(world, text, "anything")
    if item.type.family not in ("object", "connector"):
        raise TypeError(
            f"{label(item)} has no place and no value; pick a part, a joint's coordinate or a measure"
        )
    return item


def _texts(
    form: Form,
    lines: tuple[Relation, ...],
    sizes: Mapping[str, int],
    symbols: Mapping[str, SX],
    wanted: int,
    typed: str,
) -> tuple[tuple[str, ...], list[SX]]:
    """The texts, one a number, and their values as expressions."""
    texts: list[str] = []
    values: list[SX] = []
    for line in lines:
        sides = [strict(side, symbols) for side in line.sides()]
        found = [value_of(side, symbols) for side in sides]
        if len({value.numel() for value in found}) > 1:
            raise FormulaError("on one side stands a number and on the other a vector", typed, sides[1].at(0))
        count = found[0].numel()
        if count > 1 and form in ("energy", "condition"):
            raise FormulaError(
                f"this gives a vector of {count}, and one number is wanted; write |…|, or take .x",
                typed,
                sides[0].at(0),
            )
        values.append(found[0] - found[1] if len(found) > 1 else found[0])
        texts += [_joined([_part(side, k, count, sizes) for side in sides]) for k in range(count)]
    most = {"constraint": MOST_ROWS, "energy": 1, "condition": 1}.get(form, 3)
    if len(texts) > most or (wanted and len(texts) != wanted):
        said = f"{wanted}" if wanted else f"at most {most}"
        raise FormulaError(
            f"{said} numbers are wanted here, with commas between them, not {len(texts)}", typed, 0
        )
    if form == "measure" and len(texts) > 1 and len(texts) not in (2, 3):
        raise FormulaError("a measure is one number, or a place of two or three", typed, 0)
    return tuple(texts), values


def _part(side: Piece, k: int, count: int, sizes: Mapping[str, int]) -> str:
    return component(side.text, k, sizes) if count > 1 else side.text.strip()


def _joined(sides: list[str]) -> str:
    """left − (right), or a side alone."""
    if len(sides) == 1 or sides[1] == "0":
        return sides[0]
    left = sides[0] if "if" not in sides[0].split() else f"({sides[0]})"
    return f"{left} - ({sides[1]})" if not sides[1].replace("_", "").isalnum() else f"{left} - {sides[1]}"


# --- values now ---------------------------------------------------------------------------------------
def _now(
    values: list[SX],
    symbols: Mapping[str, SX],
    items: Mapping[str, Item],
    numbers: Mapping[str, float],
    time: float,
) -> tuple[float, ...] | None:
    """What the texts give now; None where something is not known yet."""
    known: dict[str, Array] = {"t": np.array([time])}
    known |= {name: np.array([value]) for name, value in numbers.items()}
    for name, item in items.items():
        value = _numbers(item)
        if value is not None:
            known[name] = value
    whole = ca.vertcat(*values)
    free = {name for name, symbol in symbols.items() if ca.depends_on(whole, symbol)}
    if free - known.keys():
        return None
    used = [name for name in symbols if name in known]
    given = [ca.SX(known[name]) for name in used]
    value = ca.DM(ca.evalf(ca.substitute([whole], [symbols[name] for name in used], given)[0]))
    found = tuple(float(x) for x in np.ravel(value.full()))
    return found if np.isfinite(found).all() else None


def _numbers(item: Item) -> Array | None:
    """What a name of a formula is now."""
    if item.type.family == "object" and "value" in item.type.state_names():
        return np.atleast_1d(float(item.value))
    if item.world is not None and item.type.family == "connector":
        return np.ravel(np.array(item.value, float))[: size_of(item)]
    try:
        return np.ravel(where(item))
    except (ValueError, AttributeError):
        return None
