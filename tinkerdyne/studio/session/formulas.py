"""Formulas by hand, as a page types them: read, looked at ahead, and made."""

from __future__ import annotations

from tinkerdyne.language.formula_error import FormulaError
from tinkerdyne.language.item import Item
from tinkerdyne.studio.build.formulating import ReadFormula, TypedFormula, made, names_of, understood
from tinkerdyne.studio.build.literals import keywords, written
from tinkerdyne.studio.session.foreseeing import foreseen
from tinkerdyne.studio.session.messages import said
from tinkerdyne.studio.session.session import Request, Session
from tinkerdyne.studio.wire import protocol as p
from tinkerdyne.world.world import World

WHOLE = -1  # a fault of the whole, not of one character
MAKERS = {
    "constraint": "equation", "condition": "formula", "energy": "formula_energy", "force": "formula_force",
    "measure": "formula", "path": "follow",
}  # fmt: skip


def formulate(command: p.Formulate, session: Session, request: Request) -> object:
    """Read a formula, say what it would do, or make it."""
    typed = TypedFormula(command.form, command.text, command.names, command.on)
    dimension = session.scene.dimension
    if command.what == "read":
        return _read(session.world, typed, dimension)
    if command.what == "make":
        return _make(session.world, typed, dimension, command.name)

    def put(copy: World) -> str | None:
        item = _added(copy, typed, dimension)[0]
        return _words(item)

    return foreseen(session, request, put)


def _read(world: World, typed: TypedFormula, dimension: int) -> p.Formulated:
    names = tuple(p.FormulaName(name, is_place) for name, is_place in names_of(typed).items())
    try:
        found = understood(world, typed, dimension)
    except FormulaError as problem:
        fault = p.Fault(0, problem.reason, min(problem.position, len(typed.text)))
        return p.Formulated((fault,), names, typed.form, (), (), "")
    except (TypeError, ValueError, KeyError, ReferenceError) as problem:
        return p.Formulated((p.Fault(WHOLE, said(problem), 0),), names, typed.form, (), (), "")
    return p.Formulated((), names, found.form, found.texts, found.now or (), _line(typed, found))


def _make(world: World, typed: TypedFormula, dimension: int, name: str) -> list[str]:
    before = set(world.contents.names)
    with world.history.one_step():
        main = _added(world, typed, dimension, name)[0]
    return [main.name, *(one for one in world.contents.names if one not in before and one != main.name)]


def _added(world: World, typed: TypedFormula, dimension: int, name: str = "") -> tuple[Item, ...]:
    items = made(understood(world, typed, dimension), name)
    world.add(items[0])
    return items


def _words(item: Item) -> str | None:
    """What there is to say of what takes no freedoms."""
    match item.type.family:
        case "constraint" if item.type.block_of(item).is_stop:
            return "takes no freedom while it is open; it stops the motion where it closes"
        case "behavior":
            return f"its energy is {item.energy:.4g} J now; it takes no freedom"
        case "connector":
            return "a measure: plot it, or use it in other formulas and in events"
    return None


def _line(typed: TypedFormula, found: ReadFormula) -> str:
    """The line of Python that makes it."""
    word = MAKERS[found.form]
    if found.form == "measure" and len(found.texts) > 1:
        word = "moving"
    given = {
        name: name if name not in found.numbers else written(found.numbers[name]) for name in found.is_place
    }
    first = ["on"] if found.form in ("force", "path") else []
    inner = f"{word}({', '.join([*first, *map(repr, found.texts)])}{', ' if given else ''}{keywords(given)})"
    if found.form == "condition":
        bound = "at_least" if found.sign in (">=", ">") else "at_most"
        return f"world.add({bound}({inner}))"
    return f"world.add({inner})"
