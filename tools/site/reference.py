"""The reference: a page for each family of public names, made from signatures and docstrings.

Formulas are typeset, operands and parameters stand in tables with their units. No name can be missing: a
name whose module no page takes is refused.
"""

from __future__ import annotations

import ast
import enum
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import tinkerdyne as td
from tinkerdyne.language.item_type import ItemType
from tinkerdyne.language.kinds import Kind, Parameter
from tools.site import formulas

ROOT = Path(__file__).parents[2]
LONGEST = 60  # characters of a default that is shown
# Each page takes the modules that begin so, unless a page before it did.
PAGES = {
    "world": ("Worlds and running", ("world.", "engine.diagnose")),
    "edits": ("Edits and timelines", ("world.edit", "world.display")),
    "bodies": ("Bodies and other objects", ("objects.",)),
    "contact": (
        "Contact and grounds",
        ("behaviors.contact", "connectors.contact", "engine.contact", "objects.grounds"),
    ),
    "curves": (
        "Curves and surfaces",
        (
            *("objects.curve", "objects.splines", "objects.typed", "objects.patches"),
            *("connectors.curves", "connectors.patches", "constraints.curves"),
        ),
    ),
    "connectors": ("Connectors", ("connectors.",)),
    "joints": ("Joints and their coordinates", ("constraints.joints", "constraints.coordinates")),
    "constraints": ("Constraints", ("constraints.",)),
    "forces": ("Forces and fields", ("behaviors.",)),
    "language": ("Formulas and types of one's own", ("language",)),
    "optimise": ("Optimisation, fits and snakes", ("optimise.", "behaviors.images")),
    "svg": ("Drawings", ("svg",)),
    "formats": ("Formats of other programs", ("formats",)),
}
OWN = {  # what is a value, or comes from CasADi, whose words are not ours
    "PI": ("Half a turn, π = 3.14159… [rad].", r"\pi"),
    "TAU": ("A whole turn, 2π [rad].", r"2\pi"),
    "Edit": ("Any of the edits: Add, Remove, Change, Move, Rename, Configure, Display, Several, Plan.", ""),
    "sqrt": ("The square root.", r"\sqrt{x}"),
    "atan2": ("The angle of the point (x, y), from −π to π; y comes first.", r"\mathrm{atan2}(y, x)"),
    "exp": ("The exponential function.", r"e^{x}"),
    "log": ("The natural logarithm.", r"\ln x"),
}
FUNCTIONS = {
    "sin": "sine", "cos": "cosine", "tan": "tangent", "asin": "arc sine", "acos": "arc cosine",
    "atan": "arc tangent", "sinh": "hyperbolic sine", "cosh": "hyperbolic cosine", 
    "tanh": "hyperbolic tangent",
}  # fmt: skip
for _name, _said in FUNCTIONS.items():
    OWN[_name] = (f"The {_said} of numbers and symbols.", rf"\{_name.replace('a', 'arc', _name[0] == 'a')} x")


def modules() -> dict[str, str]:
    """The module of every public name, without the package's."""
    found = {}
    for node in ast.parse(Path(td.__file__).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.module != "typing":
            module = str(node.module).removeprefix("tinkerdyne.")
            found |= {alias.asname or alias.name: module for alias in node.names}
    return found


def page_of(module: str) -> str:
    """The page that takes a module: the one that names most of it."""
    fits = {
        page: max((len(one) for one in begins if module.startswith(one)), default=0)
        for page, (_, begins) in PAGES.items()
    }
    page = max(fits, key=lambda name: fits[name])
    if not fits[page]:
        raise ValueError(f"no page of the reference takes tinkerdyne.{module}; add it to PAGES in {__file__}")
    return page


def listed() -> dict[str, list[str]]:
    """The public names of every page, in their order."""
    where, found = modules(), {page: [] for page in PAGES}  # type: dict[str, str], dict[str, list[str]]
    for name in sorted(td.__all__, key=lambda name: (name.lower(), name)):
        found[page_of(where[name])].append(name)
    return found


def pages() -> Iterator[tuple[str, str]]:
    """(name of the file, reStructuredText) of every page, and of their list."""
    names = listed()
    for page, (title, _) in PAGES.items():
        yield f"{page}.rst", "\n".join([heading(title), *map(entry, names[page])])
    tables = "\n".join(summary(page, names[page]) for page in PAGES)
    tree = "\n".join(f"   {page}" for page in PAGES)
    said = f"All {len(td.__all__)} public names: ``from tinkerdyne import …``. ``help(name)`` shows the same."
    yield "index.rst", f"{heading('Reference')}\n{said}\n\n.. toctree::\n   :hidden:\n\n{tree}\n\n{tables}"


def heading(title: str) -> str:
    return f"{title}\n{'=' * len(title)}\n"


def summary(page: str, names: list[str]) -> str:
    """A table of a page's names with their first sentences."""
    title = PAGES[page][0]
    rows = "".join(f"   * - :py:obj:`~tinkerdyne.{name}`\n     - {first_sentence(name)}\n" for name in names)
    table = f".. list-table::\n   :widths: 25 75\n   :class: names\n\n{rows}"
    return f"{title}\n{'-' * len(title)}\n\n:doc:`With all parameters and units <{page}>`\n\n{table}\n"


def first_sentence(name: str) -> str:
    before, formula, after = formulas.found(doc_of(name))
    if formula:
        return (
            f"{inline(before)} :math:`{formulas.tex(formula)}`"
            if before
            else f":math:`{formulas.tex(formula)}`"
        )
    return inline(re.split(r"(?<=\.)\s|\n\n", before + after)[0])


# --- an entry ------------------------------------------------------------------------------------
def doc_of(name: str) -> str:
    """What is said of a public name, in its author's words."""
    thing = getattr(td, name)
    if name in OWN:
        return OWN[name][0]
    if isinstance(thing, (Kind, Parameter)):
        return kinds()[name]
    return thing.doc if isinstance(thing, ItemType) else inspect.getdoc(thing) or ""


def kinds() -> dict[str, str]:
    """What docs/types.md says of the kinds of inputs and sorts of parameters."""
    found = {}
    for line in (ROOT / "docs" / "types.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if line.startswith("| `") and len(cells) == 2:
            found |= {
                name: f"A formula receives or accepts {cells[1]}."
                for name in re.findall(r"`(\w+)`", cells[0])
            }
    return found


def entry(name: str) -> str:
    """Everything about one public name."""
    thing = getattr(td, name)
    if isinstance(thing, ItemType):
        return type_entry(name, thing)
    if name in OWN:
        sort, said, call = "data" if not callable(thing) else "function", [inline(OWN[name][0])], ""
        if OWN[name][1]:
            said += ["", f".. math:: {OWN[name][1]}"]
            call = ("(y, x)" if name == "atan2" else "(x)") if sort == "function" else ""
        return directive(sort, name + call, said)
    if isinstance(thing, (Kind, Parameter)):
        sort = "Kind of an input" if isinstance(thing, Kind) else "Sort of a parameter"
        return directive("data", name, [f"*{sort}.* {inline(doc_of(name))}"])
    if inspect.isclass(thing):
        return class_entry(name, thing)
    return directive("function", name + signature(thing), prose(doc_of(name)))


def directive(sort: str, head: str, content: list[str]) -> str:
    lines = [
        f".. py:{sort}:: {head}",
        "   :module: tinkerdyne",
        "",
        *(f"   {line}".rstrip() for line in content),
    ]
    return "\n".join(lines) + "\n"


def type_entry(name: str, kind: ItemType) -> str:
    """A type of items: the call, the sentence with its formula, and tables of what it takes and has."""
    lines = [f"*{kind.family.capitalize()}.*", "", *prose(kind.doc)]
    operands = [
        (f"``{'*' * one.is_many}{one.name}``", one.kind + " (may be left out)" * one.is_optional)
        for one in kind.operands()
    ]
    lines += table("input", "kind", operands)
    for title, is_state in (("parameter", False), ("state at the start", True)):
        rows = [
            (f"``{one.name}``", code(short(one.default)), inline(one.unit))
            for one in kind.options()
            if one.is_state == is_state
        ]
        lines += table(title, "default", rows, "unit")
    if kind.readings:
        said = ", ".join(f"``{what}``" + f" [{unit}]" * bool(unit) for what, unit in kind.readings.items())
        lines += ["", f"In a world it has {said}."]
    coordinates = getattr(kind, "coordinates", None)
    if coordinates:
        lines += ["", f"Its coordinates are {', '.join(f'``{one}``' for one in coordinates)}."]
    first = ", ".join(["*" * one.is_many + one.name for one in kind.operands()])
    more = ", ".join(
        f"{one.name}={short(one.default)}"
        for one in kind.options()
        if not one.is_state and one.name not in ("tau", "gains")
    )
    call = ", ".join(part for part in (first, more) if part)
    return directive("function", f"{name}({call})", lines)


def class_entry(name: str, thing: type) -> str:
    """A class with its public methods and properties, or the members of an enumeration."""
    lines = prose(doc_of(name))
    if issubclass(thing, enum.Enum):
        lines += table("member", "meaning", [(f"``{one.name}``", inline(str(one.value))) for one in thing])
        return directive("class", name, lines)
    fields = getattr(thing, "__dataclass_fields__", {})
    if fields:
        lines += ["", "Has " + ", ".join(f"``{field}``" for field in fields if field[0] != "_") + "."]
    for key, member in vars(thing).items():
        if key.startswith("_"):
            continue
        if isinstance(member, property):
            lines += [
                "",
                *directive("property", f"{name}.{key}", prose(inspect.getdoc(member) or "")).splitlines(),
            ]
        elif inspect.isfunction(member) or isinstance(member, classmethod):
            function = member.__func__ if isinstance(member, classmethod) else member
            sort = "classmethod" if isinstance(member, classmethod) else "method"
            head = f"{name}.{key}{signature(function, is_method=True)}"
            lines += ["", *directive(sort, head, prose(inspect.getdoc(function) or "")).splitlines()]
    sort = "exception" if issubclass(thing, Exception) else "class"
    return directive(sort, name if fields else name + signature(thing), lines)


def signature(thing: Any, *, is_method: bool = False) -> str:
    """Names and defaults; the types are told in words."""
    try:
        given = inspect.signature(thing)
    except (ValueError, TypeError):
        return ""
    kept = list(given.parameters.values())[is_method:]
    plain = [one.replace(annotation=inspect.Parameter.empty) for one in kept]
    return str(given.replace(parameters=plain, return_annotation=inspect.Signature.empty))


def table(first: str, second: str, rows: list[tuple[str, ...]], third: str = "") -> list[str]:
    """Rows under their heads; nothing where there is none."""
    if not rows:
        return []
    heads = (first, second, third) if third else (first, second)
    lines = ["", ".. list-table::", "   :header-rows: 1", "   :class: parameters", ""]
    for row in (heads, *rows):
        lines += [f"   {'*' if k == 0 else ' '} - {cell}" for k, cell in enumerate(row)]
    return lines


# --- words ---------------------------------------------------------------------------------------
def prose(text: str) -> list[str]:
    """Paragraphs in reStructuredText, each formula on a line of its own."""
    before, formula, after = formulas.found(text)
    lines = [inline(part) for part in paragraphs(before)]
    if formula:
        unit = re.match(r"\s*\[([^\]]*)\]", after)
        after = after[unit.end() :] if unit else after
        said = rf"\qquad [\text{{{unit[1]}}}]" if unit else ""
        lines += [f".. math:: {formulas.tex(formula)}{said}"]
        after = re.sub(r"^[;,.]?\s*", "", after)
        lines += [inline(part) for part in paragraphs(after)]
    return [one for line in lines if line for one in (line, "")]


def paragraphs(text: str) -> list[str]:
    return [" ".join(part.split()) for part in re.split(r"\n\s*\n", text) if part.strip()]


def short(value: object) -> str:
    """A default on one line."""
    text = repr(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def code(text: str) -> str:
    return f"``{text}``" if text else ""


def inline(text: str) -> str:
    """Plain words, with `code` kept."""
    parts = re.split(r"`([^`]+)`", " ".join(text.split()))
    return "".join(
        f"\\ ``{part}``\\ " if k % 2 else re.sub(r"([*_|\\])", r"\\\1", part) for k, part in enumerate(parts)
    )
