"""Whether a step can be taken back, or come again, while the run is left alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tinkerdyne.engine.readings import value_of
from tinkerdyne.world.contents import Contents
from tinkerdyne.world.edit import Add, Change, Edit, Move, Remove, Rename, Several

TORN = 1e-6  # [SI]: what is further from being met would be pulled together before the eyes of whoever undoes

EVERYTHING = ""  # of an item


def simple(edit: Edit) -> Iterator[Edit]:
    """The edits that an edit consists of."""
    if isinstance(edit, Several):
        for one in edit.edits:
            yield from simple(one)
    else:
        yield edit


def stands_alone(edit: Edit, others: Iterable[Edit]) -> bool:
    """Whether an edit changes something, and nothing that others change too."""
    mine = {what for one in simple(edit) for what in _touched(one)}
    theirs = {what for other in others for one in simple(other) for what in _touched(one)}
    items = {name for name, _ in mine if name}
    shared = {name for name, part in theirs if part == EVERYTHING}
    whole = {name for name, part in mine if part == EVERYTHING}
    is_apart = not mine & theirs and not items & shared and not whole & {name for name, _ in theirs}
    return any(True for _ in simple(edit)) and is_apart


def _touched(edit: Edit) -> Iterator[tuple[str, str]]:
    """Items and parts of them that an edit changes."""
    match edit:
        case Add(items):
            yield from ((d.name, EVERYTHING) for d in items)
        case Remove(names):
            yield from ((name, EVERYTHING) for name in names)
        case Change(name, parameter, _):
            yield name, parameter
        case Move(name, _):
            yield name, EVERYTHING
        case Rename(name, to):
            yield name, EVERYTHING
            yield to, EVERYTHING


def is_torn(contents: Contents, edit: Edit) -> bool:
    """After an edit that left the state of all else alone: whether constraints that came, or those of parts
    that were moved, are not met."""
    names: list[str] = []
    for one in simple(edit):
        match one:
            case Add(items):
                names += [d.name for d in items]
            case Change(name, "is_on", True):
                names.append(name)
            case Move(name, _):
                names += [item.name for item in contents.dependents([name]).values()]
    engine = contents.engine
    engine.ready()
    engine.evaluate()
    for item in filter(None, map(contents.get, names)):
        if item.type.family != "constraint" or not engine.is_attached(item):
            continue
        if item.type.block_of(item).is_stop or item.type.block_of(item).is_on_velocity:
            continue
        gap = value_of(engine, item, "gap")
        if isinstance(gap, float) and not gap <= TORN:
            return True
    return False
