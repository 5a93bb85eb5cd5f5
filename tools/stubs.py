"""Writes tinkerdyne/__init__.pyi: the public door as type checkers and editors see it.

The types of `tinkerdyne` are made by decorators and makers, which no checker looks into. Here each becomes a
function with its operands, its parameters with their defaults, and its sentence with units; objects and
joints also get a class that names their parameters, state, places and coordinates. Run by `make stubs`.
"""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import tinkerdyne as td
from tinkerdyne.constraints.joints import JointType
from tinkerdyne.language.item import Item
from tinkerdyne.language.item_type import ItemType, Option
from tinkerdyne.language.kinds import Either, Value
from tinkerdyne.language.registry import LITERALS
from tinkerdyne.language.types import BlockType
from tinkerdyne.objects.maker import Maker

DOOR = Path(td.__file__)
STUB = DOOR.with_suffix(".pyi")
WIDE = 100  # characters of a line of prose
HEAD = '''"""Tinkerdyne: interactive constrained dynamics. This is the only public door.

Written by `make stubs` from the types themselves.
"""

from collections.abc import Sequence
from typing import TypeAlias
from tinkerdyne.language.arrays import Array as _Array
from tinkerdyne.objects.catalog import Rigid as _Rigid
from tinkerdyne.objects.shape import Body as _Body
from tinkerdyne.studio import studio as studio
'''
ALIASES = """
_Numbers: TypeAlias = Sequence[float] | _Array
_Rows: TypeAlias = Sequence[Sequence[float]] | _Array
"""


def stub() -> str:
    """The text of the stub."""
    types = {word: kind for word in td.__all__ if isinstance(kind := getattr(td, word), ItemType)}
    others = [
        f"from {module} import {name}"
        for module, name in imported()
        if name not in types and name in td.__all__
    ]
    names = textwrap.fill(", ".join(f'"{word}"' for word in td.__all__), WIDE)
    listed = f"__all__ = [\n{textwrap.indent(names, '    ')},\n]  # fmt: skip"
    kinds = sorted({operand.kind for kind in types.values() for operand in kind.operands()})
    operands = [f"_{k.capitalize()}: TypeAlias = Item{' | _Numbers' * (k in LITERALS)}" for k in kinds]
    parts = [HEAD + "\n".join(others), ALIASES, "\n".join(operands), listed]
    parts += [text for word, kind in sorted(types.items()) for text in written(word, kind)]
    return formatted("\n\n".join(parts) + "\n")


def imported() -> Iterator[tuple[str, str]]:
    """(module, name) of everything that the door brings in."""
    for node in ast.parse(DOOR.read_text()).body:
        if isinstance(node, ast.ImportFrom) and node.module != "typing":
            yield from ((str(node.module), alias.name) for alias in node.names)


def written(word: str, kind: ItemType) -> Iterator[str]:
    """The class of a type's items, where it has one, and the function that makes them."""
    made = "Item"
    if isinstance(kind, (Maker, JointType)):
        made = f"_{''.join(part[:1].upper() + part[1:] for part in word.split('_'))}Item"
        yield item_class(made, kind)
    yield f"def {word}({', '.join(arguments(kind))}) -> {made}:\n{textwrap.indent(prose(kind), '    ')}"


def arguments(kind: ItemType) -> Iterator[str]:
    """The arguments of a type's function."""
    operands = {operand.name: operand for operand in kind.operands()}
    is_open = True
    for p in kind.__signature__.parameters.values():
        if p.kind is p.KEYWORD_ONLY and is_open:
            yield "*"
        is_open = is_open and p.kind not in (p.KEYWORD_ONLY, p.VAR_POSITIONAL)
        stars = "*" if p.kind is p.VAR_POSITIONAL else "**" if p.kind is p.VAR_KEYWORD else ""
        if p.name in operands:
            hint = f"_{operands[p.name].kind.capitalize()}{' | None' * operands[p.name].is_optional}"
        elif isinstance(p.annotation, Option):
            hint = hint_of(kind, p.annotation)
        else:
            hint = inspect.formatannotation(p.annotation).replace("collections.abc.", "")
        yield f"{stars}{p.name}: {hint}" + ("" if p.default is p.empty else f" = {plain_of(p.default)!r}")


def plain_of(default: Value) -> Value:
    """A default as it can be written: of what depends on the dimension, the one in space."""
    return default.space if isinstance(default, Either) else default


def hint_of(kind: ItemType, option: Option) -> str:
    """The type of what may be given for an option, or read of it."""
    default = plain_of(option.default)
    if default is None:
        return "float | None"
    if option.name == "mass" and isinstance(kind, Maker):
        return "float | tuple[str, float]"
    if isinstance(default, tuple):
        if default and isinstance(default[0], tuple):
            return "_Rows" if isinstance(default[0][0], (int, float)) else "object"
        if default and isinstance(default[0], str):
            return "Sequence[str]"
        sort = (
            kind.parameters[option.name][0]
            if isinstance(kind, BlockType) and option.name in kind.parameters
            else None
        )
        return "float | _Numbers" if sort is not None and sort.name == "place" else "_Numbers"
    return type(default).__name__


def item_class(name: str, kind: ItemType) -> str:
    """A class that names what an item has: parameters, state, places or coordinates."""
    base = {Item: "Item"}.get(kind.item, f"_{kind.item.__name__}") if isinstance(kind, Maker) else "Item"
    base = base if base in ("Item", "_Body", "_Rigid") else "Item"
    own = set(dir(kind.item if isinstance(kind, Maker) else Item))
    lines = [
        f"{option.name}: {'float' if option.default is None else hint_of(kind, option)}"
        for option in kind.options()
        if option.name not in own
    ]
    if isinstance(kind, Maker):
        lines += [f"{place}: Item" for place in kind.places(kind.parameters)]
    elif isinstance(kind, JointType):
        lines += [f"{word}: Item" for word in kind.coordinates]
        lines += ["value: _Array", "velocity: _Array", "force: _Array", "gap: float"]
        lines += ["coordinates: _Array", "speeds: _Array", "reaction: tuple[_Array, _Array]"]
    return f"class {name}({base}):\n" + textwrap.indent("\n".join(lines), "    ")


def prose(kind: ItemType) -> str:
    """The docstring of a type's function: its sentence, and the units of its parameters."""
    parts = [textwrap.fill(" ".join(part.split()), WIDE) for part in kind.doc.split("\n\n")]
    units = ", ".join(f"{o.name} [{o.unit}]" for o in kind.options() if o.unit)
    parts += [textwrap.fill(f"Units: {units}.", WIDE)] if units else []
    text = "\n\n".join(parts).replace("\\", "\\\\")
    return f'"""{text}\n"""' if "\n" in text else f'"""{text}"""'


def formatted(text: str) -> str:
    """The text as the formatter leaves it, with its imports sorted."""
    ruff = [sys.executable, "-m", "ruff"]
    for command in (["check", "--fix", "--quiet", "--select", "I"], ["format", "--quiet"]):
        done = subprocess.run(
            [*ruff, *command, "--stdin-filename", str(STUB), "-"], input=text, capture_output=True, text=True
        )
        if done.returncode:
            raise SystemExit(done.stderr or done.stdout)
        text = done.stdout
    return text


if __name__ == "__main__":
    STUB.write_text(stub())
    print(f"wrote {STUB}")
