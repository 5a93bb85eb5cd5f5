"""Laws of the source: functions that can be read at once, and cells of the arena that have names."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest

import tinkerdyne as td

PACKAGE = Path(td.__file__).parent
PYTHON = sorted(PACKAGE.rglob("*.py"))
ENGINE = sorted((PACKAGE / "engine").rglob("*.py"))

LONGEST = 60  # lines of a function
DEEPEST = 5  # loops, branches and other blocks inside each other
WIDEST = 30  # names of one import list
MOST_ANY = 295  # times the package says Any, its imports counted: a quarter of what it once did

Function = ast.FunctionDef | ast.AsyncFunctionDef
BLOCKS = (
    ast.For, ast.AsyncFor, ast.While, ast.If, ast.With, ast.AsyncWith, ast.Try, ast.TryStar, ast.Match,
)  # fmt: skip
ARENA = ("I", "S")  # the two arrays, whatever they are seen through


def functions(tree: ast.AST) -> Iterator[Function]:
    return (node for node in ast.walk(tree) if isinstance(node, Function))


def length(function: Function) -> int:
    return (function.end_lineno or function.lineno) - function.lineno + 1


def nesting(node: ast.AST) -> int:
    """How many blocks stand inside each other; an `elif` is no deeper than its `if`."""
    deepest = 0
    for child in ast.iter_child_nodes(node):
        is_elif = isinstance(node, ast.If) and isinstance(child, ast.If) and node.orelse == [child]
        deepest = max(deepest, nesting(child) + (isinstance(child, BLOCKS) and not is_elif))
    return deepest


# --- rows and their cells ------------------------------------------------------------------------------


def records(tree: ast.AST) -> set[str]:
    """The classes of records that a file makes."""
    return {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        and {base.id for base in node.bases if isinstance(base, ast.Name)} & {"IntRecord", "FloatRecord"}
    }


def is_row(value: ast.expr, known: set[str], aliases: Collection[str] = ()) -> bool:
    """Whether an expression is a row: `Record(…)`, `Record.of(…)`, or another name of one."""
    match value:
        case ast.Call(ast.Name(name)) | ast.Call(ast.Attribute(ast.Name(name), "of")):
            return name in known
        case ast.Name(name):
            return name in aliases
        case ast.Attribute(_, name):
            return name in ARENA
        case ast.IfExp(_, body, otherwise):
            return is_row(body, known, aliases) or is_row(otherwise, known, aliases)
        case ast.NamedExpr(_, inner):
            return is_row(inner, known, aliases)
    return False


def assigned(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Targets of assignments, each with its value, those of tuples one by one."""
    match node:
        case ast.Assign([ast.Tuple(targets)], ast.Tuple(values)):
            yield from zip(targets, values, strict=False)
        case ast.Assign(targets, value):
            yield from ((target, value) for target in targets)
        case ast.AnnAssign(target, _, value) | ast.NamedExpr(target, value) if value is not None:
            yield target, value


def rows_in(function: Function, known: set[str]) -> set[str]:
    """The names in a function that stand for rows or for the arena."""
    arguments = function.args.posonlyargs + function.args.args
    said = {a.arg for a in arguments if a.annotation is not None and ast.unparse(a.annotation) in known}
    found, before = {*ARENA, *said}, 0
    while len(found) > before:  # a row may be called something else, and that something else
        before = len(found)
        found |= {
            target.id
            for node in ast.walk(function)
            for target, value in assigned(node)
            if isinstance(target, ast.Name) and is_row(value, known, found)
        }
    return found


def is_number(node: ast.expr | None) -> bool:
    match node:
        case ast.UnaryOp(ast.USub() | ast.UAdd(), operand):
            return is_number(operand)
        case ast.Constant(int() as value):
            return not isinstance(value, bool)
    return False


def counts_cells(index: ast.expr | None) -> bool:
    """Whether an index is a bare number, or a place and a bare number more."""
    match index:
        case ast.BinOp(left, ast.Add() | ast.Sub(), right):
            return counts_cells(left) or counts_cells(right)
        case ast.Slice(lower, upper, _):
            return counts_cells(lower) or counts_cells(upper)
    return is_number(index)


def bare_cells(tree: ast.AST, known: set[str]) -> Iterator[tuple[int, str]]:
    """Reads and writes of a row or of the arena that count cells instead of naming them."""
    for function in functions(tree):
        rows = rows_in(function, known)
        for node in ast.walk(function):
            match node:
                case ast.Subscript(ast.Name(name), index) if name in rows and counts_cells(index):
                    yield node.lineno, ast.unparse(node)
                case ast.Subscript(ast.Attribute(_, name), index) if name in ARENA and counts_cells(index):
                    yield node.lineno, ast.unparse(node)
                case ast.Subscript(ast.Call() | ast.NamedExpr() as row, index) if counts_cells(index):
                    if is_row(row, known, rows):
                        yield node.lineno, ast.unparse(node)


KNOWN = set().union(*(records(ast.parse(path.read_text())) for path in ENGINE))


@pytest.fixture(params=ENGINE, ids=lambda path: str(path.relative_to(PACKAGE)))
def source(request: pytest.FixtureRequest) -> ast.Module:
    """The syntax of one file of the engine."""
    path: Path = request.param
    return ast.parse(path.read_text())


@pytest.mark.parametrize("path", PYTHON, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_function_is_read_at_once(path: Path) -> None:
    source = ast.parse(path.read_text())
    long = [f"{f.name}, line {f.lineno}: {length(f)} lines" for f in functions(source) if length(f) > LONGEST]
    deep = [
        f"{f.name}, line {f.lineno}: {nesting(f)} deep" for f in functions(source) if nesting(f) > DEEPEST
    ]
    assert not long + deep, "divide along its mathematics: " + "; ".join(long + deep)


def test_cells_of_the_arena_are_named(source: ast.Module) -> None:
    bare = [f"line {line}: {text}" for line, text in bare_cells(source, KNOWN)]
    assert not bare, "give these cells a name in a record: " + "; ".join(bare)


def test_import_lists_are_short(source: ast.Module) -> None:
    wide = [
        f"line {node.lineno}: {len(node.names)} names of {node.module}"
        for node in ast.walk(source)
        if isinstance(node, ast.ImportFrom) and len(node.names) > WIDEST
    ]
    assert not wide, "; ".join(wide)


def test_types_are_said() -> None:
    counts = {path: len(re.findall(r"\bAny\b", path.read_text())) for path in PYTHON}
    most = sorted(PYTHON, key=lambda path: -counts[path])[:5]
    assert sum(counts.values()) <= MOST_ANY, f"say what it is, first of all in {[p.name for p in most]}"


def test_the_records_of_the_arena_are_known() -> None:
    assert {"Index", "Scalars", "Object", "Constraint", "Plan", "FrontPlan"} <= KNOWN


@pytest.mark.parametrize(
    "line",
    [
        "I[6]",
        "row[0]",
        "S[-2]",
        "S[C.memory + 4]",
        "S[C.memory + 3 * C.dim + 1]",
        "row[3]",
        "other[3]",
        "C[1] += 2",
        "T[2]",
        "arena.I[5]",
        "engine.arena.S[7:]",
        "Object.of(I, k)[2]",
        "p = S; p[4]",
        "p, k = I, 3; p[k + 1]",
        "p = arena.S; p[-1]",
        "p = row; other = p; other[0]",
        "p: Floats = S; p[4]",
        "p = S if k else y; p[4]",
        "(p := S)[4]",
    ],
)
def test_a_bare_cell_would_be_noticed(line: str) -> None:
    assert list(bare_cells(around(line), {"Index", "Object", "Constraint"}))


@pytest.mark.parametrize(
    "line",
    [
        "y[2]",
        "I[I.plan + k]",
        "S[T.M + i * 3 + j]",
        "row[LIFT + k]",
        "S[:SCALARS]",
        "J[6 + c]",
        "p = y; p[4]",
    ],
)
def test_other_indices_are_let_be(line: str) -> None:
    assert not list(bare_cells(around(line), {"Index", "Object", "Constraint"}))


def around(line: str) -> ast.Module:
    """A function with one line in the midst of rows."""
    return ast.parse(
        "def f(I: Index, S: Scalars, C: Constraint, y: Floats):\n"
        "    T = Object.of(I, 1)\n"
        "    row, other = Object(at(I, 9)), Constraint(at(I, 7))\n"
        f"    {line}\n"
    )


def test_depth_counts_blocks_and_not_alternatives() -> None:
    lines = ["for a in b:", " if a: pass", " elif b: pass", " elif c:", "  while d: pass", " else: pass"]
    assert nesting(ast.parse("\n".join(lines))) == 3
