"""The expressions of pointer Python in LLVM IR: what operators and functions take, mean and give.

The meaning is Python's, with numpy's numbers: integers have 64 bits and must not overflow, x / 0 is ±inf or
NaN, and of integers x // 0 is 0 and x % 0 is x. Loads and stores carry TBAA tags: a store of a double cannot
change an int64, so table entries stay in registers while results are written.
"""

from __future__ import annotations

import ast
import builtins
import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from tinkerdyne.compiler import core
from tinkerdyne.compiler.records import is_record
from tinkerdyne.compiler.values import (
    BOOL,
    FALSE,
    FLOAT,
    FLOATS,
    INT,
    INTS,
    TRUE,
    Value,
    element_of,
    kind_of,
    name_of,
    number,
    plain,
    record_of,
    tag_of,
    type_of,
)

Function = Callable[..., object]

_RANK = {BOOL: 0, INT: 1, FLOAT: 2}
_WIDEN = {(BOOL, INT): "zext", (BOOL, FLOAT): "uitofp", (INT, FLOAT): "sitofp"}

# An operator's instruction for integers and for floats; "" where there is none. A remainder is made of the
# others.
_BINARY: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("add nsw", "fadd contract"),
    ast.Sub: ("sub nsw", "fsub contract"),
    ast.Mult: ("mul nsw", "fmul contract"),
    ast.Div: ("", "fdiv contract"),
    ast.BitAnd: ("and", ""),
    ast.BitOr: ("or", ""),
    ast.BitXor: ("xor", ""),
    ast.LShift: ("shl", ""),
    ast.RShift: ("ashr", ""),
}
_COMPARE: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("slt", "olt"),
    ast.LtE: ("sle", "ole"),
    ast.Gt: ("sgt", "ogt"),
    ast.GtE: ("sge", "oge"),
    ast.Eq: ("eq", "oeq"),
    ast.NotEq: ("ne", "une"),
}
_ONE = ("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "expm1", "log", "log1p")
_TWO = ("atan2", "pow", "fmod", "hypot", "copysign")
_MATH: dict[object, str] = {getattr(math, name): name for name in (*_ONE, *_TWO)} | {
    math.sqrt: "llvm.sqrt.f64",
    math.fabs: "llvm.fabs.f64",
    abs: "llvm.fabs.f64",
}
_ROUND: dict[object, str] = {
    math.floor: "llvm.floor.f64",
    math.ceil: "llvm.ceil.f64",
    math.trunc: "llvm.trunc.f64",
    int: "llvm.trunc.f64",
}

# how many arguments
SYMBOLS = {symbol: 2 if symbol in _TWO else 1 for symbol in (*_MATH.values(), *_ROUND.values())}

_LARGEST_POWER = 64  # constant exponents up to this become products


class TranslationError(Exception):
    """A function cannot be translated; the message names the file, the line and the construct."""


class NotYetKnown(Exception):
    """A variable was read whose kind is found only further on: its statement waits for the next round."""


def float_mod(a: float, b: float) -> float:
    """a % b of floats, in pointer Python."""
    rest = math.fmod(a, b)
    if rest == 0.0:
        return math.copysign(0.0, b)
    return rest + b if (rest < 0.0) != (b < 0.0) else rest


def float_floor_divide(a: float, b: float) -> float:
    """a // b of floats, in pointer Python: as CPython does it, and a / b where b is 0."""
    if b == 0.0:
        return a / b
    rest = math.fmod(a, b)
    near = (a - rest) / b
    if rest != 0.0 and (rest < 0.0) != (b < 0.0):
        near -= 1.0
    if near == 0.0:
        return math.copysign(0.0, a / b)
    if not (math.fabs(near) < 2.0**52):
        return near
    whole = math.floor(near)
    return float(whole + 1 if near - whole > 0.5 else whole)


class Expressions(ABC):
    """The code of one function while it is being written, as far as its expressions go."""

    def __init__(self, function: Function, tree: ast.FunctionDef) -> None:
        self.function, self.tree = function, tree
        self.locals = frozenset(function.__code__.co_varnames)
        self.kinds: dict[str, str] = {}  # of every variable
        self.begin()

    def begin(self) -> None:
        """Start on an empty page; what is known of kinds stays."""
        self.lines: list[str] = []
        self.block, self.is_closed = "entry", False  # the block at work, and whether it has ended
        self.targets: set[str] = set()  # blocks that something jumps to
        self.count = 0

    @abstractmethod
    def call_routine(self, node: ast.AST, function: Function, arguments: list[Value]) -> list[Value] | None:
        """Call a compiled function; None if it is not one."""

    def error(self, node: ast.AST, message: str) -> TranslationError:
        return TranslationError(
            f"{self.function.__code__.co_filename}:{getattr(node, 'lineno', self.tree.lineno)}: {message}"
        )

    def foreign(self, node: ast.AST) -> TranslationError:
        return self.error(
            node,
            f"`{ast.unparse(node).splitlines()[0]}` ({type(node).__name__}) is not part of pointer Python",
        )

    # --- lines, blocks and kinds -----------------------------------------------------------------------

    def put(self, code: str) -> None:
        self.lines.append("  " + code)

    def make(self, kind: str, code: str) -> Value:
        self.count += 1
        self.put(f"%t{self.count} = {code}")
        return Value(kind, f"%t{self.count}")

    def labels(self, *names: str) -> list[str]:
        self.count += 1
        return [f"{name}{self.count}" for name in names]

    def start(self, label: str) -> None:
        self.lines.append(f"{label}:")
        self.block, self.is_closed = label, False

    def resume(self, label: str) -> None:
        """Go on at a label, unless nothing leads there."""
        if label in self.targets:
            self.start(label)

    def jump(self, label: str, note: str = "") -> None:
        if not self.is_closed:
            self.put(f"br label %{label}{note}")
            self.targets.add(label)
        self.is_closed = True

    def branch(self, test: Value, yes: str, no: str) -> None:
        self.put(f"br i1 {test.text}, label %{yes}, label %{no}")

    def unify(self, node: ast.AST, *kinds: str) -> str:
        """The narrowest kind that holds them all."""
        if len(set(kinds)) > 1 and not set(kinds) <= set(_RANK):
            raise self.error(node, f"{' and '.join(name_of(kind) for kind in kinds)} do not mix")
        return max(kinds, key=lambda kind: _RANK.get(kind, 0))

    def convert(self, node: ast.AST, value: Value, kind: str) -> Value:
        if value.kind == kind:
            return value
        if (value.kind, kind) not in _WIDEN:
            raise self.error(node, f"{name_of(value.kind)} stands where {name_of(kind)} is wanted")
        return self.make(kind, f"{_WIDEN[value.kind, kind]} {value.typed} to {kind}")

    def truth(self, node: ast.AST, value: Value) -> Value:
        if value.kind not in _RANK:
            raise self.error(node, "a pointer has no truth value")
        if value.kind == BOOL:
            return value
        return self.make(
            BOOL, f"icmp ne {value.typed}, 0" if value.kind == INT else f"fcmp une {value.typed}, 0.0"
        )

    # --- expressions -----------------------------------------------------------------------------------

    def value(self, node: ast.expr) -> Value:
        """One number or pointer."""
        values = self.values(node)
        if len(values) != 1:
            raise self.error(node, f"one value is wanted here, not {'a tuple' if values else 'None'}")
        return values[0]

    def load(self, name: str) -> Value:
        if name not in self.kinds:
            raise NotYetKnown(name)
        return self.make(self.kinds[name], f'load {type_of(self.kinds[name])}, ptr %"v.{name}"')

    def cast(self, node: ast.AST, value: Value, kind: str) -> Value:
        """The same pointer, with other names for what lies there."""
        if plain(value.kind) != plain(kind):
            raise self.error(node, f"{name_of(value.kind)} stands where {name_of(kind)} is wanted")
        return Value(kind, value.text)

    def cell(self, node: ast.Attribute) -> tuple[str, str, int] | None:
        """The kind, address and number of the cells that a field of a row names; None if this is no row."""
        if not self.is_row(node.value):
            return None
        base = self.value(node.value)
        record = record_of(base.kind)
        if record is None:
            raise self.error(node, f"{name_of(base.kind)} has no field `{node.attr}`")
        if node.attr not in record.fields:
            raise self.error(node, f"{record.__name__} has no field `{node.attr}`")
        cell, element = record.fields[node.attr], element_of(base.kind)
        index = Value(INT, str(cell.offset))
        place = self.make(plain(base.kind), f"getelementptr inbounds {element}, {base.typed}, {index.typed}")
        return element, place.text, cell.count

    def is_table(self, node: ast.Attribute) -> bool:
        """Whether this is the method `of` of a class of records."""
        return not self.is_row(node.value) and is_record(self.resolve(node.value))

    def row_of(self, node: ast.expr, record: Any, header: ast.expr, k: ast.expr) -> Value:
        """Row k of a table: the header, at the table's first place and k rows further on; or, from a row of
        the same record, k rows further on."""
        base = self.value(header)
        first = None
        if record_of(base.kind) is not record:
            first = self.read(*self.place(ast.copy_location(ast.Attribute(header, record.table), node)))
        rows = self.binary(node, ast.Mult(), self.value(k), Value(INT, str(record.size)))
        index = rows if first is None else self.binary(node, ast.Add(), first, rows)
        code = f"getelementptr inbounds {element_of(base.kind)}, {base.typed}, {index.typed}"
        return Value(kind_of(record), self.make(plain(base.kind), code).text)

    def is_row(self, node: ast.expr) -> bool:
        """Whether an expression is a value of this function, rather than the name of a module or a class."""
        while isinstance(node, ast.Attribute):
            node = node.value
        return not isinstance(node, ast.Name) or node.id in self.locals

    def place(self, node: ast.Subscript | ast.Attribute) -> tuple[str, str]:
        """The kind of an array's element and the register of its address."""
        if isinstance(node, ast.Attribute):
            found = self.cell(node)
            if found is None or found[2] != 1:
                raise self.error(node, f"`{ast.unparse(node)}` is not one cell of a row")
            return found[:2]
        base = self.value(node.value)
        if base.kind in _RANK:
            raise self.error(node, f"{name_of(base.kind)} has no elements")
        element, index = element_of(base.kind), self.convert(node, self.value(node.slice), INT)
        return element, self.make(
            base.kind, f"getelementptr inbounds {element}, {base.typed}, {index.typed}"
        ).text

    def read(self, element: str, place: str) -> Value:
        return self.make(element, f"load {element}, ptr {place}, align 8, !tbaa {tag_of(element)}")

    def values(self, node: ast.expr) -> list[Value]:
        """The values of an expression: several of a tuple, none of None."""
        match node:
            case ast.Tuple(items) if len(items) > 1:
                return [self.value(item) for item in items]
            case ast.Call(ast.Attribute(_, "of") as function, [header, k], []) if self.is_table(function):
                return [self.row_of(node, self.resolve(function).__self__, header, k)]
            case ast.Call(function, arguments, []):
                return self.call(
                    node, self.resolve(function), [self.value(argument) for argument in arguments]
                )
            case ast.Name(name) if name in self.locals:
                return [self.load(name)]
            case ast.Constant(value):
                return [self.constant(node, value)]
            case ast.Attribute() if self.is_row(node.value):
                element, place, count = self.cell(node) or ("", "", 0)
                return [self.read(element, place) if count == 1 else Value(element + "*", place)]
            case ast.Name() | ast.Attribute():
                return [self.constant(node, self.resolve(node))]
            case ast.Subscript():
                return [self.read(*self.place(node))]
            case ast.BinOp(left, op, right):
                return [self.binary(node, op, self.value(left), self.value(right))]
            case ast.UnaryOp(op, operand):
                return [self.unary(node, op, self.value(operand))]
            case ast.Compare(left, ops, others):
                return [self.comparison(node, self.value(left), ops, others)]
            case ast.BoolOp(op, operands):
                return [self.connective(isinstance(op, ast.And), operands)]
            case ast.IfExp(test, body, orelse):
                choice = self.truth(test, self.value(test))
                return [self.choose(node, choice, lambda: self.value(body), lambda: self.value(orelse))]
        raise self.foreign(node)

    def resolve(self, node: ast.expr) -> Any:
        """What a global name, or an attribute of one, stands for."""
        match node:
            case ast.Name(name) if name not in self.locals:
                if name in self.function.__globals__:
                    return self.function.__globals__[name]
                if hasattr(builtins, name):
                    return getattr(builtins, name)
            case ast.Attribute(owner, name) if hasattr(self.resolve(owner), name):
                return getattr(self.resolve(owner), name)
        raise self.error(node, f"`{ast.unparse(node)}` is not a global name")

    def constant(self, node: ast.AST, value: object) -> Value:
        if isinstance(value, bool):
            return TRUE if value else FALSE
        if isinstance(value, int) and -(2**63) <= value < 2**63:
            return Value(INT, str(int(value)))
        if isinstance(value, float):
            return Value(FLOAT, number(value))
        raise self.error(node, f"{value!r} is not a bool, a 64-bit int or a float")

    def binary(self, node: ast.AST, op: ast.operator, a: Value, b: Value) -> Value:
        kind = self.unify(node, a.kind, b.kind)
        if kind not in _RANK:
            raise self.error(node, "a pointer is not a number; at(p, i) moves it")
        if isinstance(op, ast.Pow):
            return self.power(node, a, b)
        integer, floating = _BINARY.get(type(op), ("", ""))
        is_quotient = isinstance(op, ast.FloorDiv | ast.Mod)
        if kind == BOOL and not isinstance(op, ast.BitAnd | ast.BitOr | ast.BitXor):
            kind = INT
        if kind == INT and not integer and not is_quotient:
            kind = FLOAT
        a, b = self.convert(node, a, kind), self.convert(node, b, kind)
        if is_quotient and kind == FLOAT:
            return self.call(node, float_mod if isinstance(op, ast.Mod) else float_floor_divide, [a, b])[0]
        if is_quotient:
            quotient = self.make(INT, f"call i64 @floor_divide({a.typed}, {b.typed})")
            whole = self.binary(node, ast.Mult(), quotient, b) if isinstance(op, ast.Mod) else quotient
            return self.binary(node, ast.Sub(), a, whole) if isinstance(op, ast.Mod) else quotient
        code = floating if kind == FLOAT else integer
        if not code:
            raise self.error(
                node,
                f"{type(op).__name__} of {name_of(a.kind)} and {name_of(b.kind)} is not part of pointer "
                "Python",
            )
        return self.make(kind, f"{code} {a.typed}, {b.text}")

    def power(self, node: ast.AST, base: Value, exponent: Value) -> Value:
        """base ** exponent: products for a small constant exponent."""
        n = exponent.integer
        if n is not None and abs(n) <= _LARGEST_POWER:
            square = self.convert(node, base, FLOAT if n < 0 or base.kind == FLOAT else INT)
            result = Value(INT, "1") if square.kind == INT else Value(FLOAT, number(1.0))
            for bit in range(abs(n).bit_length()):
                if bit > 0:
                    square = self.binary(node, ast.Mult(), square, square)
                if abs(n) >> bit & 1:
                    result = self.binary(node, ast.Mult(), result, square)
            return self.binary(node, ast.Div(), Value(INT, "1"), result) if n < 0 else result
        if FLOAT not in (base.kind, exponent.kind):
            raise self.error(node, "an int to a variable power is not part of pointer Python")
        return self.call(node, math.pow, [base, exponent])[0]

    def unary(self, node: ast.AST, op: ast.unaryop, value: Value) -> Value:
        if isinstance(op, ast.Not):
            return self.make(BOOL, f"xor {self.truth(node, value).typed}, true")
        value = self.convert(node, value, self.unify(node, value.kind, INT))
        if isinstance(op, ast.UAdd):
            return value
        if isinstance(op, ast.Invert):
            return self.make(INT, f"xor {self.convert(node, value, INT).typed}, -1")
        if value.integer is not None:
            return Value(INT, str(-value.integer))
        return self.make(
            value.kind, f"fneg {value.typed}" if value.kind == FLOAT else f"sub nsw i64 0, {value.text}"
        )

    def compare(self, node: ast.AST, op: ast.cmpop, a: Value, b: Value) -> Value:
        kind = self.unify(node, a.kind, b.kind, INT)
        if type(op) not in _COMPARE:
            raise self.foreign(node)
        a, b = self.convert(node, a, kind), self.convert(node, b, kind)
        integer, floating = _COMPARE[type(op)]
        return self.make(
            BOOL, f"{f'fcmp {floating}' if kind == FLOAT else f'icmp {integer}'} {a.typed}, {b.text}"
        )

    def comparison(self, node: ast.AST, left: Value, ops: list[ast.cmpop], others: list[ast.expr]) -> Value:
        """a < b < c, where c is looked at only if a < b."""
        right = self.value(others[0])
        test = self.compare(node, ops[0], left, right)
        if len(ops) == 1:
            return test
        return self.choose(
            node, test, lambda: self.comparison(node, right, ops[1:], others[1:]), lambda: FALSE
        )

    def connective(self, is_and: bool, operands: list[ast.expr]) -> Value:
        """a and b and …, or a or b or …: the first operand that settles it."""
        left = self.value(operands[0])
        if len(operands) == 1:
            return left
        settled = left if left.kind != BOOL else FALSE if is_and else TRUE
        ways = (lambda: self.connective(is_and, operands[1:])), (lambda: settled)
        return self.choose(operands[0], self.truth(operands[0], left), *(ways if is_and else ways[::-1]))

    def choose(self, node: ast.AST, test: Value, yes: Callable[[], Value], no: Callable[[], Value]) -> Value:
        """The value of one of two expressions; the other is not evaluated."""
        first, second, widen, join = self.labels("yes", "no", "widen", "join")
        self.branch(test, first, second)
        self.start(first)
        a = yes()
        self.jump(widen)
        self.start(second)
        b = no()
        kind = self.unify(node, a.kind, b.kind)
        b = self.convert(node, b, kind)
        end = self.block
        self.jump(join)
        self.start(widen)
        a = self.convert(node, a, kind)
        self.jump(join)
        self.start(join)
        return self.make(kind, f"phi {type_of(kind)} [ {a.text}, %{widen} ], [ {b.text}, %{end} ]")

    def call(self, node: ast.AST, function: Function, arguments: list[Value]) -> list[Value]:
        kinds = tuple(argument.kind for argument in arguments)
        given = self.call_routine(node, function, arguments)
        if given is not None:
            return given
        if function is core.call and tuple(map(plain, kinds)) == (INT, INT, INTS, FLOATS):
            kernel = self.make(INTS, f"inttoptr {arguments[0].typed} to ptr")
            self.put(
                f"call void {kernel.text}({', '.join(argument.typed for argument in arguments[1:])}) nounwind"
            )
            return []
        if is_record(function) and len(kinds) == 1:
            return [self.cast(node, arguments[0], kind_of(function))]
        if function is core.at and len(kinds) == 2 and kinds[0] not in _RANK:
            base, index = arguments[0], self.convert(node, arguments[1], INT)
            element = element_of(base.kind)
            code = f"getelementptr inbounds {element}, {base.typed}, {index.typed}"
            return [self.make(plain(base.kind), code)]
        if not kinds or not set(kinds) <= set(_RANK):
            raise self.foreign(node)
        return [self.call_builtin(node, function, arguments)]

    def call_builtin(self, node: ast.AST, function: object, arguments: list[Value]) -> Value:
        """Functions of numbers: math's, and abs, min, max, int, float, bool."""
        first = arguments[0]
        if function in (min, max) and len(arguments) > 1:
            kind = self.unify(node, INT, *(argument.kind for argument in arguments))
            best, *others = (self.convert(node, argument, kind) for argument in arguments)
            for other in others:
                test = self.compare(node, ast.Gt() if function is max else ast.Lt(), other, best)
                best = self.make(kind, f"select {test.typed}, {other.typed}, {best.typed}")
            return best
        if len(arguments) != (2 if _MATH.get(function) in _TWO else 1):
            raise self.foreign(node)
        if function is bool:
            return self.truth(node, first)
        if (function in _ROUND or function is abs) and first.kind != FLOAT:
            first = self.convert(node, first, INT)
            return (
                self.make(INT, f"call i64 @llvm.abs.i64({first.typed}, i1 false)")
                if function is abs
                else first
            )
        numbers = [self.convert(node, argument, FLOAT) for argument in arguments]
        if function is float:
            return numbers[0]
        if function in _ROUND:
            whole = self.make(FLOAT, f"call double @{_ROUND[function]}({numbers[0].typed})")
            return self.make(INT, f"fptosi {whole.typed} to i64")
        if function is math.isnan:
            return self.make(BOOL, f"fcmp uno {numbers[0].typed}, 0.0")
        if function in (math.isinf, math.isfinite):
            size = self.make(FLOAT, f"call double @llvm.fabs.f64({numbers[0].typed})")
            return self.make(
                BOOL, f"fcmp {'oeq' if function is math.isinf else 'olt'} {size.typed}, {number(math.inf)}"
            )
        if function not in _MATH:
            raise self.error(
                node,
                f"`{ast.unparse(node)}`: this function is not compiled; mark it @compiled, or use math's",
            )
        return self.make(
            FLOAT, f"call double @{_MATH[function]}({', '.join(number.typed for number in numbers)})"
        )
