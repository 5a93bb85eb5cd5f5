"""Values of a file, checked: each is what it should be, or a SceneError says what it is instead."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import TypeAlias, TypeVar

from tinkerdyne.files import SceneError
from tinkerdyne.language.checks import checked_name, number
from tinkerdyne.language.item_type import ItemType
from tinkerdyne.language.kinds import Value
from tinkerdyne.language.types import REGISTRY

WORDS = {dict: "an object {…}", list: "a list […]", str: "text"}
Document: TypeAlias = dict[str, object]
Sort = TypeVar("Sort", dict[str, object], list[object], str)


def expect(sort: type[Sort], what: str, value: object) -> Sort:
    """A value of the wanted sort."""
    if not isinstance(value, sort):
        raise SceneError(f"{what} must be {WORDS[sort]}, not {short(value)}")
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            raise SceneError(f"{what} holds half of a surrogate pair: {short(value)}") from None
    return value


def texts(what: str, value: object) -> list[str]:
    """A list of texts."""
    return [expect(str, f"{what}[{k}]", x) for k, x in enumerate(expect(list, what, value))]


def real(what: str, value: object) -> float:
    """A finite number."""
    try:
        return number(what, value)
    except (TypeError, ValueError) as problem:
        raise SceneError(str(problem)) from None


def frozen(who: str, value: object) -> Value:
    """Lists as tuples, and texts whole."""
    if isinstance(value, list):
        return tuple(frozen(who, v) for v in value)
    return expect(str, f"a text of {who}", value) if isinstance(value, str) else value


def no_others(who: str, given: Mapping[str, object], known: Iterable[str]) -> None:
    """Refuse fields that nothing would read."""
    known = tuple(known)
    for name in given:
        if name not in known:
            raise SceneError(
                f"{who} has no field {short(name)}{hint(name, known)}; it has {', '.join(known) or 'none'}"
            )


def hint(name: str, known: Iterable[str]) -> str:
    """The known name that was perhaps meant, in brackets."""
    close = difflib.get_close_matches(name, list(known), n=1) if len(name) < 100 else []
    return f" (did you mean {close[0]!r}?)" if close else ""


def short(value: object) -> str:
    """A value as messages show it."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"


def kind_of(name: str, entry: Document) -> ItemType:
    """The registered type of an entry."""
    if "type" not in entry:
        raise SceneError(f'{name!r} lacks "type"')
    wanted = expect(str, f'"type" of {name!r}', entry["type"])
    if wanted not in REGISTRY:
        raise SceneError(
            f"{name!r} has the unknown type {short(wanted)}{hint(wanted, REGISTRY)}; "
            "a type of your own must be defined (or imported) before loading"
        )
    kind: ItemType = REGISTRY[wanted]
    return kind


def named(where: str, value: object) -> tuple[str, Document]:
    """An entry, and its name."""
    entry = expect(dict, where, value)
    if "name" not in entry:
        raise SceneError(f'{where} lacks "name"')
    try:
        name = checked_name(f"the name of {where}", entry["name"])
    except (TypeError, ValueError) as problem:
        raise SceneError(str(problem)) from None
    if not name:
        raise SceneError(f"the name of {where} is empty")
    return name, entry
