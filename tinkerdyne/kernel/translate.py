"""Pointer Python becomes the LLVM IR of one module.

A function is translated once for each tuple of argument kinds it is called with. Kinds of variables are found on the way: a
variable takes the kind of what is assigned to it, widened bool → int → float where assignments differ, and the function is
written again until no kind changes. Every variable lives in a stack slot; the optimiser turns slots into registers.

The meaning is Python's, but as numpy does it: integers have 64 bits and must not overflow, x / 0 is ±inf or NaN, and x // 0
and x % 0 of integers are 0. Loads and stores carry TBAA tags: a store of a double cannot change an int64, so table
entries stay in registers while results are written.
"""

from __future__ import annotations

import ast
import builtins
import logging
import math
import struct
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tinkerdyne.kernel import core, machine

log = logging.getLogger("tinkerdyne")

Function = Callable[..., Any]
Kinds = tuple[str, ...]  # of arguments, or of a result: () is None, more than one a tuple

BOOL, INT, FLOAT, INTS, FLOATS = "i1", "i64", "double", "i64*", "double*"
_LETTERS = {"F": FLOATS, "I": INTS, "i": INT, "d": FLOAT}
_RANK = {BOOL: 0, INT: 1, FLOAT: 2}
_NAMES = {BOOL: "bool", INT: "int", FLOAT: "float", INTS: "pointer to int64", FLOATS: "pointer to double"}
_WIDEN = {(BOOL, INT): "zext", (BOOL, FLOAT): "uitofp", (INT, FLOAT): "sitofp"}
_TAG = {FLOAT: "!1", INT: "!2"}

# An operator's instruction for integers and for floats; @name is a function of the prelude, "" has no such form.
_BINARY: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("add nsw", "fadd contract"),
    ast.Sub: ("sub nsw", "fsub contract"),
    ast.Mult: ("mul nsw", "fmul contract"),
    ast.Div: ("", "fdiv contract"),
    ast.FloorDiv: ("@int_floor_div", "@float_floor_div"),
    ast.Mod: ("@int_mod", "@float_mod"),
    ast.BitAnd: ("and", ""),
    ast.BitOr: ("or", ""),
    ast.BitXor: ("xor", ""),
    ast.LShift: ("shl", ""),
    ast.RShift: ("ashr", ""),
}
_LOGICAL = (ast.BitAnd, ast.BitOr, ast.BitXor)  # these keep bools
_COMPARE: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("slt", "olt"),
    ast.LtE: ("sle", "ole"),
    ast.Gt: ("sgt", "ogt"),
    ast.GtE: ("sge", "oge"),
    ast.Eq: ("eq", "oeq"),
    ast.NotEq: ("ne", "une"),
}
_INTRINSIC = {math.sqrt: "llvm.sqrt.f64", math.fabs: "llvm.fabs.f64"}
_UNARY = ("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "expm1", "log", "log1p")
_MATH = {getattr(math, name): name for name in (*_UNARY, "atan2", "pow", "fmod", "hypot", "copysign")} | _INTRINSIC
_ROUND = {math.floor: "llvm.floor.f64", math.ceil: "llvm.ceil.f64", math.trunc: "llvm.trunc.f64", int: "llvm.trunc.f64"}
_TWO = (math.atan2, math.pow, math.fmod, math.hypot, math.copysign)  # functions of two arguments
_LARGEST_POWER = 64  # larger constant exponents go to pow()

_PRELUDE = """
!0 = !{!"tinkerdyne"}
!1 = !{!3, !3, i64 0}
!2 = !{!4, !4, i64 0}
!3 = !{!"double", !0, i64 0}
!4 = !{!"int64", !0, i64 0}
declare i64 @llvm.abs.i64(i64, i1)

define internal i64 @int_floor_div(i64 %a, i64 %b) alwaysinline nounwind {
  %never = icmp eq i64 %b, 0
  %divisor = select i1 %never, i64 1, i64 %b
  %quotient = sdiv i64 %a, %divisor
  %rest = srem i64 %a, %divisor
  %signs = xor i64 %rest, %b
  %opposite = icmp slt i64 %signs, 0
  %inexact = icmp ne i64 %rest, 0
  %lower = and i1 %opposite, %inexact
  %step = sext i1 %lower to i64
  %floor = add i64 %quotient, %step
  %result = select i1 %never, i64 0, i64 %floor
  ret i64 %result
}

define internal i64 @int_mod(i64 %a, i64 %b) alwaysinline nounwind {
  %never = icmp eq i64 %b, 0
  %divisor = select i1 %never, i64 1, i64 %b
  %rest = srem i64 %a, %divisor
  %signs = xor i64 %rest, %b
  %opposite = icmp slt i64 %signs, 0
  %inexact = icmp ne i64 %rest, 0
  %lower = and i1 %opposite, %inexact
  %step = select i1 %lower, i64 %b, i64 0
  %result = add i64 %rest, %step
  ret i64 %result
}

define internal double @float_mod(double %a, double %b) nounwind {
  %rest = call double @fmod(double %a, double %b)
  %below = fcmp olt double %rest, 0.0
  %negative = fcmp olt double %b, 0.0
  %opposite = xor i1 %below, %negative
  %inexact = fcmp une double %rest, 0.0
  %lower = and i1 %opposite, %inexact
  %moved = fadd double %rest, %b
  %mod = select i1 %lower, double %moved, double %rest
  %zero = call double @copysign(double 0.0, double %b)
  %result = select i1 %inexact, double %mod, double %zero
  ret double %result
}

define internal double @float_floor_div(double %a, double %b) nounwind {
  %never = fcmp oeq double %b, 0.0
  %ratio = fdiv double %a, %b
  %mod = call double @float_mod(double %a, double %b)
  %difference = fsub double %a, %mod
  %near = fdiv double %difference, %b
  %floor = call double @llvm.floor.f64(double %near)
  %over = fsub double %near, %floor
  %far = fcmp ogt double %over, 0.5
  %up = fadd double %floor, 1.0
  %rounded = select i1 %far, double %up, double %floor
  %some = fcmp une double %near, 0.0
  %zero = call double @copysign(double 0.0, double %ratio)
  %whole = select i1 %some, double %rounded, double %zero
  %result = select i1 %never, double %ratio, double %whole
  ret double %result
}
"""


class TranslationError(Exception):
    """A function cannot be translated; the message names the file, the line and the construct."""


class _NotYetKnown(Exception):
    """A variable was read whose kind is found only further on: its statement waits for the next round."""


class Value(NamedTuple):
    """A number or pointer: its kind, and the register or literal that holds it."""

    kind: str
    text: str

    @property
    def typed(self) -> str:
        return f"{_type(self.kind)} {self.text}"


TRUE, FALSE = Value(BOOL, "true"), Value(BOOL, "false")


def build(functions: Sequence[Function], entries: Mapping[str, tuple[Function, str]]) -> bytes:
    """The object code of the program."""
    begin = time.perf_counter()
    text = translate(functions, entries)
    middle = time.perf_counter()
    code = machine.compile_ir(text, loops=True)
    log.info("engine compiled: translation %.2f s, optimisation %.2f s", middle - begin, time.perf_counter() - middle)
    return code


def translate(functions: Sequence[Function], entries: Mapping[str, tuple[Function, str]]) -> str:
    """The IR of a module in which each entry is `i64 @tk_NAME(…)` and all else is internal."""
    program = _Program(functions)
    parts = [_PRELUDE]
    for function, symbol in (_MATH | _ROUND).items():
        arguments = "double, double" if function in _TWO else "double"
        if function is not int:
            parts.append(f"declare double @{symbol}({arguments}) nounwind willreturn memory(none)")
    wanted: list[_Routine] = []
    for name, (function, letters) in entries.items():
        kinds = tuple(_LETTERS[letter] for letter in letters)
        routine = program.routine(function, kinds)
        if routine.result not in ((INT,), (BOOL,)):
            raise routine.error(routine.tree, f"entry {name} must return an int")
        arguments = ", ".join(f"{_type(kind)} %a{k}" for k, kind in enumerate(kinds))
        widen = "%r" if routine.result == (INT,) else "%w"
        parts.append(
            f"define i64 @tk_{name}({arguments}) nounwind {{\n  %r = call {routine.type} {routine.symbol}({arguments})\n"
            + ("" if widen == "%r" else "  %w = zext i1 %r to i64\n")
            + f"  ret i64 {widen}\n}}\n"
        )
        wanted += [routine] if routine not in wanted else []
    for routine in wanted:  # grows: what earlier rounds asked for with narrower kinds is left out
        wanted += [other for other in dict.fromkeys(routine.calls) if other not in wanted]
        parts.append(routine.text)
    return "\n".join(parts)


def _type(kind: str) -> str:
    return "ptr" if kind.endswith("*") else kind


def _number(value: float) -> str:
    return "0x" + struct.pack(">d", value).hex().upper()


class _Program:
    """The routines written so far, by function and argument kinds."""

    def __init__(self, functions: Sequence[Function]) -> None:
        self.functions = {id(function) for function in functions}
        self._routines: dict[tuple[int, Kinds], _Routine] = {}
        self._trees: dict[str, dict[int, ast.FunctionDef]] = {}

    def tree(self, function: Function) -> ast.FunctionDef:
        """The function's syntax; each file is parsed once."""
        file = function.__code__.co_filename
        if file not in self._trees:
            nodes = [n for n in ast.walk(ast.parse(Path(file).read_text())) if isinstance(n, ast.FunctionDef)]
            self._trees[file] = {min([n.lineno, *(d.lineno for d in n.decorator_list)]): n for n in nodes}
        return self._trees[file][function.__code__.co_firstlineno]

    def routine(self, function: Function, kinds: Kinds) -> _Routine:
        """The translation of a function for these argument kinds; its text is empty while it is being written."""
        key = (id(function), kinds)
        if key not in self._routines:
            self._routines[key] = _Routine(self, function, kinds, f'@"{function.__name__}.{len(self._routines)}"')
            self._routines[key].write()
        return self._routines[key]


class _Routine:
    """One function for one tuple of argument kinds."""

    def __init__(self, program: _Program, function: Function, kinds: Kinds, symbol: str) -> None:
        self.program, self.function, self.symbol = program, function, symbol
        self.tree = program.tree(function)
        self.locals = frozenset(function.__code__.co_varnames)
        names = [a.arg for a in self.tree.args.args]
        if len(names) != len(kinds) or len(names) != function.__code__.co_argcount or function.__code__.co_kwonlyargcount:
            raise self.error(self.tree, f"{function.__name__} takes {len(names)} arguments, {len(kinds)} were given")
        self.arguments = dict(zip(names, kinds, strict=True))
        self.kinds = dict(self.arguments)  # of every variable
        self.result: Kinds | None = None
        self.text = ""
        self._clear()

    def _clear(self) -> None:
        self.lines: list[str] = []
        self.calls: list[_Routine] = []
        self.block, self.is_closed = "entry", False  # the block at work, and whether it has ended
        self.targets: set[str] = set()  # blocks that something jumps to
        self.loops: list[tuple[str, str]] = []  # where `continue` and `break` go
        self.count = 0
        self.widened = False  # a kind changed after code had used it
        self.waiting: TranslationError | None = None

    @property
    def type(self) -> str:
        """The IR type of the result."""
        types = [_type(kind) for kind in self.result or ()]
        return types[0] if len(types) == 1 else f"{{ {', '.join(types)} }}" if types else "void"

    def error(self, node: ast.AST, message: str) -> TranslationError:
        line = getattr(node, "lineno", self.tree.lineno)
        return TranslationError(f"{self.function.__code__.co_filename}:{line}: {message}")

    def write(self) -> None:
        """Translate, again and again until every kind is known and settled."""
        while True:
            before = dict(self.kinds)
            self._clear()
            self.statements(self.tree.body)
            if self.waiting is not None:
                if before == self.kinds:
                    raise self.waiting
            elif not self.widened:
                break
        if not self.is_closed:
            if self.result:
                raise self.error(self.tree, f"{self.function.__name__} can end without returning a value")
            self.put("ret void")
        self.result = self.result or ()
        arguments = ", ".join(f"{_type(kind)} %a{k}" for k, kind in enumerate(self.arguments.values()))
        body, self.lines = self.lines, []
        for name, kind in self.kinds.items():
            self.put(f'%"v.{name}" = alloca {_type(kind)}')
            self.put(f'store {_type(kind)} zeroinitializer, ptr %"v.{name}"')
        for k, (name, kind) in enumerate(self.arguments.items()):
            self.store(self.tree, name, Value(kind, f"%a{k}"))
        head = [f"define internal {self.type} {self.symbol}({arguments}) nounwind {{", "entry:"]
        self.text = "\n".join([*head, *self.lines, *body, "}\n"])

    # --- lines, blocks and kinds ---------------------------------------------------------------------------------------------

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

    def jump(self, label: str) -> None:
        if not self.is_closed:
            self.put(f"br label %{label}")
            self.targets.add(label)
        self.is_closed = True

    def branch(self, test: Value, yes: str, no: str) -> None:
        self.put(f"br i1 {test.text}, label %{yes}, label %{no}")

    def unify(self, node: ast.AST, *kinds: str) -> str:
        """The narrowest kind that holds them all."""
        if len(set(kinds)) == 1:
            return kinds[0]
        for kind in kinds:
            if kind not in _RANK:
                raise self.error(node, f"{' and '.join(_NAMES[k] for k in kinds)} do not mix")
        return max(kinds, key=_RANK.__getitem__)

    def convert(self, node: ast.AST, value: Value, kind: str) -> Value:
        if value.kind == kind:
            return value
        if (value.kind, kind) not in _WIDEN:
            raise self.error(node, f"a {_NAMES[value.kind]} stands where a {_NAMES[kind]} is wanted")
        return self.make(kind, f"{_WIDEN[value.kind, kind]} {value.typed} to {kind}")

    def truth(self, node: ast.AST, value: Value) -> Value:
        if value.kind not in _RANK:
            raise self.error(node, "a pointer has no truth value")
        if value.kind == INT:
            return self.make(BOOL, f"icmp ne {value.typed}, 0")
        return value if value.kind == BOOL else self.make(BOOL, f"fcmp une {value.typed}, 0.0")

    # --- statements ----------------------------------------------------------------------------------------------------------

    def statements(self, nodes: Sequence[ast.stmt]) -> None:
        for node in nodes:
            if self.is_closed:
                return
            try:
                self.statement(node)
            except _NotYetKnown as problem:
                self.waiting = self.error(node, f"variable {problem} is read before it has a value")

    def statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Pass() | ast.Assert() | ast.Expr(ast.Constant()) | ast.AnnAssign(value=None):
                pass
            case ast.Expr(value):
                self.values(value)
            case ast.Assign(targets, value):
                values = self.values(value)
                for target in targets:
                    self.unpack(target, values)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self.unpack(target, self.values(value))
            case ast.AugAssign(ast.Name(name), op, value):
                self.store(node, name, self.binary(node, op, self.load(name), self.value(value)))
            case ast.AugAssign(ast.Subscript() as target, op, value):
                element, place = self.place(target)
                self.write_to(node, element, place, self.binary(node, op, self.read(element, place), self.value(value)))
            case ast.If(test, body, orelse):
                yes, no, after = self.labels("then", "else", "after")
                self.branch(self.truth(test, self.value(test)), yes, no)
                for label, nodes in ((yes, body), (no, orelse)):
                    self.start(label)
                    self.statements(nodes)
                    self.jump(after)
                self.resume(after)
            case ast.While(test, body, orelse):
                self.loop_while(test, body, orelse)
            case ast.For():
                self.loop_for(node)
            case ast.Continue():
                self.jump(self.loops[-1][0])
            case ast.Break():
                self.jump(self.loops[-1][1])
            case ast.Return(value):
                empty = value is None or (isinstance(value, ast.Constant) and value.value is None)
                self.give(node, [] if empty or value is None else self.values(value))
            case _:
                raise self.error(node, f"{type(node).__name__} is not part of pointer Python")

    def unpack(self, target: ast.expr, values: list[Value]) -> None:
        targets = target.elts if isinstance(target, ast.Tuple) else [target]
        if len(targets) != len(values):
            raise self.error(target, f"{len(values)} values for {len(targets)} targets")
        for one, value in zip(targets, values, strict=True):
            match one:
                case ast.Name(name):
                    self.store(one, name, value)
                case ast.Subscript():
                    self.write_to(one, *self.place(one), value)
                case _:
                    raise self.error(one, f"assignment to {type(one).__name__} is not part of pointer Python")

    def load(self, name: str) -> Value:
        if name not in self.kinds:
            raise _NotYetKnown(name)
        return self.make(self.kinds[name], f'load {_type(self.kinds[name])}, ptr %"v.{name}"')

    def store(self, node: ast.AST, name: str, value: Value) -> None:
        before = self.kinds.get(name, value.kind)
        if before != value.kind and not (before in _RANK and value.kind in _RANK):
            raise self.error(node, f"`{name}` was a {_NAMES[before]} and is a {_NAMES[value.kind]} here; rename one of them")
        kind = self.kinds[name] = self.unify(node, before, value.kind)
        self.widened |= kind != before
        self.put(f'store {self.convert(node, value, kind).typed}, ptr %"v.{name}"')

    def place(self, node: ast.Subscript) -> tuple[str, str]:
        """The kind of an array's element and the register of its address."""
        base = self.value(node.value)
        if base.kind in _RANK:
            raise self.error(node, f"a {_NAMES[base.kind]} has no elements")
        index = self.convert(node, self.value(node.slice), INT)
        element = base.kind[:-1]
        return element, self.make(base.kind, f"getelementptr inbounds {element}, {base.typed}, {index.typed}").text

    def read(self, element: str, place: str) -> Value:
        return self.make(element, f"load {element}, ptr {place}, align 8, !tbaa {_TAG[element]}")

    def write_to(self, node: ast.AST, element: str, place: str, value: Value) -> None:
        self.put(f"store {self.convert(node, value, element).typed}, ptr {place}, align 8, !tbaa {_TAG[element]}")

    def loop_while(self, test: ast.expr, body: list[ast.stmt], orelse: list[ast.stmt]) -> None:
        head, inside, done, end = self.labels("head", "body", "done", "end")
        self.jump(head)
        self.start(head)
        is_endless = isinstance(test, ast.Constant) and bool(test.value)
        if is_endless:
            self.jump(inside)
        else:
            self.branch(self.truth(test, self.value(test)), inside, done)
        self.start(inside)
        self.loops.append((head, end))
        self.statements(body)
        self.loops.pop()
        self.jump(head)
        if not is_endless:
            self.start(done)
            self.statements(orelse)
            self.jump(end)
        self.resume(end)

    def loop_for(self, node: ast.For) -> None:
        # The counter is hidden: the body may change its variable, which keeps its last value after the loop.
        over = node.iter
        if not (isinstance(over, ast.Call) and self.resolve(over.func) is range and isinstance(node.target, ast.Name)):
            raise self.error(node, "a for loop runs one variable over range(…)")
        bounds = [self.convert(over, self.value(argument), INT).text for argument in over.args]
        first, last, step = {1: ["0", *bounds, "1"], 2: [*bounds, "1"]}.get(len(bounds), bounds)
        if not step.lstrip("-").isdigit() or int(step) == 0:
            raise self.error(over, "the step of a range must be a constant other than 0")
        head, body, following, done, end = self.labels("head", "body", "next", "done", "end")
        before = self.block
        self.jump(head)
        self.start(head)
        i = self.make(INT, f"phi i64 [ {first}, %{before} ], [ %{following}.i, %{following} ]")
        self.branch(self.make(BOOL, f"icmp {'slt' if int(step) > 0 else 'sgt'} {i.typed}, {last}"), body, done)
        self.start(body)
        self.store(node, node.target.id, i)
        self.loops.append((following, end))
        self.statements(node.body)
        self.loops.pop()
        self.jump(following)
        self.start(following)
        self.put(f"%{following}.i = add nsw {i.typed}, {step}")
        self.jump(head)
        self.start(done)
        self.statements(node.orelse)
        self.jump(end)
        self.resume(end)

    def give(self, node: ast.AST, values: list[Value]) -> None:
        """Return these values."""
        before = self.result if self.result is not None else tuple(value.kind for value in values)
        if len(before) != len(values):
            raise self.error(node, f"returns {len(values)} values here and {len(before)} elsewhere")
        self.result = tuple(self.unify(node, a, value.kind) for a, value in zip(before, values, strict=True))
        self.widened |= self.result != before
        given = [self.convert(node, value, kind) for value, kind in zip(values, self.result, strict=True)]
        whole = given[0].text if len(given) == 1 else "undef"
        if len(given) > 1:
            for k, value in enumerate(given):
                whole = self.make("", f"insertvalue {self.type} {whole}, {value.typed}, {k}").text
        self.put(f"ret {self.type} {whole}" if given else "ret void")
        self.is_closed = True

    # --- expressions ---------------------------------------------------------------------------------------------------------

    def value(self, node: ast.expr) -> Value:
        """One number or pointer."""
        values = self.values(node)
        if len(values) != 1 or isinstance(node, ast.Tuple):
            raise self.error(node, f"one value is wanted here, not {'None' if not values else 'a tuple'}")
        return values[0]

    def values(self, node: ast.expr) -> list[Value]:
        """The values of an expression: several of a tuple, none of None."""
        match node:
            case ast.Tuple(items) if len(items) > 1:
                return [self.value(item) for item in items]
            case ast.Call():
                return self.call(node)
            case ast.Constant(value):
                return [self.constant(node, value)]
            case ast.Name(name) if name in self.locals:
                return [self.load(name)]
            case ast.Name() | ast.Attribute():
                return [self.constant(node, self.resolve(node))]
            case ast.Subscript():
                return [self.read(*self.place(node))]
            case ast.BinOp(left, op, right):
                return [self.binary(node, op, self.value(left), self.value(right))]
            case ast.UnaryOp(op, operand):
                return [self.unary(node, op, self.value(operand))]
            case ast.Compare(left, ops, comparators):
                return [self.comparison(node, self.value(left), ops, comparators)]
            case ast.BoolOp(op, operands):
                return [self.connective(isinstance(op, ast.And), operands)]
            case ast.IfExp(test, body, orelse):
                choice = self.truth(test, self.value(test))
                return [self.choose(node, choice, lambda: self.value(body), lambda: self.value(orelse))]
        raise self.error(node, f"{type(node).__name__} is not part of pointer Python")

    def resolve(self, node: ast.expr) -> Any:
        """What a global name, or an attribute of one, stands for."""
        match node:
            case ast.Name(name) if name not in self.locals:
                if name in self.function.__globals__:
                    return self.function.__globals__[name]
                if hasattr(builtins, name):
                    return getattr(builtins, name)
            case ast.Attribute(owner, name):
                return getattr(self.resolve(owner), name)
        raise self.error(node, f"`{ast.unparse(node)}` is not a global name")

    def constant(self, node: ast.AST, value: Any) -> Value:
        if isinstance(value, bool):
            return TRUE if value else FALSE
        if isinstance(value, int) and -(2**63) <= value < 2**63:
            return Value(INT, str(int(value)))
        if isinstance(value, float):
            return Value(FLOAT, _number(value))
        raise self.error(node, f"{value!r} is not a bool, a 64-bit int or a float")

    def binary(self, node: ast.AST, op: ast.operator, a: Value, b: Value) -> Value:
        kind = self.unify(node, a.kind, b.kind)
        if isinstance(op, ast.Pow) and kind in _RANK:
            return self.power(node, a, b)
        integer, floating = _BINARY.get(type(op), ("", ""))
        if kind == BOOL and not isinstance(op, _LOGICAL):
            kind = INT
        if kind == INT and not integer:
            kind = FLOAT
        code = floating if kind == FLOAT else integer
        if kind not in _RANK or not code:
            raise self.error(node, f"{type(op).__name__} of {_NAMES[a.kind]} and {_NAMES[b.kind]} is not part of pointer Python")
        a, b = self.convert(node, a, kind), self.convert(node, b, kind)
        if code.startswith("@"):
            return self.make(kind, f"call {kind} {code}({a.typed}, {b.typed})")
        return self.make(kind, f"{code} {a.typed}, {b.text}")

    def power(self, node: ast.AST, base: Value, exponent: Value) -> Value:
        """base ** exponent: products for a small constant exponent."""
        text = exponent.text
        if exponent.kind == INT and text.lstrip("-").isdigit() and abs(int(text)) <= _LARGEST_POWER:
            n = int(text)
            base = self.convert(node, base, FLOAT if n < 0 or base.kind == FLOAT else INT)
            result, left = self.convert(node, Value(INT, "1"), base.kind), abs(n)
            while left:
                if left & 1:
                    result = self.binary(node, ast.Mult(), result, base)
                left >>= 1
                if left:
                    base = self.binary(node, ast.Mult(), base, base)
            return self.binary(node, ast.Div(), Value(FLOAT, _number(1.0)), result) if n < 0 else result
        if FLOAT not in (base.kind, exponent.kind):
            raise self.error(node, "an int to a variable power is not part of pointer Python")
        a, b = self.convert(node, base, FLOAT), self.convert(node, exponent, FLOAT)
        return self.make(FLOAT, f"call double @pow({a.typed}, {b.typed})")

    def unary(self, node: ast.AST, op: ast.unaryop, value: Value) -> Value:
        if isinstance(op, ast.Not):
            return self.make(BOOL, f"xor {self.truth(node, value).typed}, true")
        kind = self.unify(node, value.kind, INT)
        value = self.convert(node, value, kind)
        if isinstance(op, ast.UAdd):
            return value
        if isinstance(op, ast.USub):
            if kind == INT and value.text.isdigit():
                return Value(INT, f"-{value.text}")
            return self.make(kind, f"fneg {value.typed}" if kind == FLOAT else f"sub nsw i64 0, {value.text}")
        return self.make(INT, f"xor {self.convert(node, value, INT).typed}, -1")

    def compare(self, node: ast.AST, op: ast.cmpop, a: Value, b: Value) -> Value:
        kind = self.unify(node, a.kind, b.kind, INT)
        if type(op) not in _COMPARE:
            raise self.error(node, f"{type(op).__name__} is not part of pointer Python")
        a, b = self.convert(node, a, kind), self.convert(node, b, kind)
        integer, floating = _COMPARE[type(op)]
        return self.make(BOOL, f"{f'fcmp {floating}' if kind == FLOAT else f'icmp {integer}'} {a.typed}, {b.text}")

    def comparison(self, node: ast.AST, left: Value, ops: list[ast.cmpop], others: list[ast.expr]) -> Value:
        """a < b < c, where c is looked at only if a < b."""
        right = self.value(others[0])
        test = self.compare(node, ops[0], left, right)
        if len(ops) == 1:
            return test
        return self.choose(node, test, lambda: self.comparison(node, right, ops[1:], others[1:]), lambda: FALSE)

    def connective(self, is_and: bool, operands: list[ast.expr]) -> Value:
        """a and b and …, or a or b or …: the first operand that settles it."""
        left = self.value(operands[0])
        if len(operands) == 1:
            return left
        test = self.truth(operands[0], left)
        if is_and:
            settled = FALSE if left.kind == BOOL else left
            return self.choose(operands[0], test, lambda: self.connective(is_and, operands[1:]), lambda: settled)
        settled = TRUE if left.kind == BOOL else left
        return self.choose(operands[0], test, lambda: settled, lambda: self.connective(is_and, operands[1:]))

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
        return self.make(kind, f"phi {_type(kind)} [ {a.text}, %{widen} ], [ {b.text}, %{end} ]")

    def call(self, node: ast.Call) -> list[Value]:
        function = self.resolve(node.func)
        if node.keywords:
            raise self.error(node, "keyword arguments are not part of pointer Python")
        arguments = [self.value(argument) for argument in node.args]
        if id(function) in self.program.functions:
            return self.call_routine(node, function, arguments)
        if function is core.call:
            address, n, off, S = arguments
            kernel = self.make(INTS, f"inttoptr {address.typed} to ptr")
            self.put(f"call void {kernel.text}({n.typed}, {off.typed}, {S.typed}) nounwind")
            return []
        if function is core.at and arguments[0].kind not in _RANK:
            base, index = arguments[0], self.convert(node, arguments[1], INT)
            return [self.make(base.kind, f"getelementptr inbounds {base.kind[:-1]}, {base.typed}, {index.typed}")]
        kinds = [argument.kind for argument in arguments]
        if not all(kind in _RANK for kind in kinds) or not kinds:
            raise self.error(node, f"`{ast.unparse(node)}` is not part of pointer Python")
        return [self.call_builtin(node, function, arguments)]

    def call_routine(self, node: ast.Call, function: Function, arguments: list[Value]) -> list[Value]:
        if len(arguments) != function.__code__.co_argcount:
            raise self.error(node, f"{function.__name__} takes {function.__code__.co_argcount} arguments")
        routine = self.program.routine(function, tuple(argument.kind for argument in arguments))
        if not routine.text or routine.result is None:
            raise self.error(node, f"{function.__name__} calls itself; recursion is not part of pointer Python")
        self.calls.append(routine)
        code = f"call {routine.type} {routine.symbol}({', '.join(argument.typed for argument in arguments)})"
        if not routine.result:
            self.put(code)
            return []
        whole = self.make(routine.result[0], code)
        if len(routine.result) == 1:
            return [whole]
        return [self.make(kind, f"extractvalue {routine.type} {whole.text}, {k}") for k, kind in enumerate(routine.result)]

    def call_builtin(self, node: ast.Call, function: Any, arguments: list[Value]) -> Value:
        """Functions of numbers: math's, and abs, min, max, int, float, bool."""
        first = arguments[0]
        if function in (min, max) and len(arguments) > 1:
            kind = self.unify(node, INT, *(argument.kind for argument in arguments))
            arguments = [self.convert(node, argument, kind) for argument in arguments]
            best = arguments[0]
            for other in arguments[1:]:
                test = self.compare(node, ast.Gt() if function is max else ast.Lt(), other, best)
                best = self.make(kind, f"select {test.typed}, {other.typed}, {best.typed}")
            return best
        if len(arguments) != (2 if function in _TWO else 1):
            raise self.error(node, f"`{ast.unparse(node)}` has the wrong number of arguments")
        if function is bool:
            return self.truth(node, first)
        if function in (*_ROUND, abs) and first.kind != FLOAT:
            first = self.convert(node, first, INT)
            return self.make(INT, f"call i64 @llvm.abs.i64({first.typed}, i1 false)") if function is abs else first
        numbers = [self.convert(node, argument, FLOAT) for argument in arguments]
        if function is float:
            return numbers[0]
        if function in _ROUND:
            return self.make(INT, f"fptosi {self.make(FLOAT, f'call double @{_ROUND[function]}({numbers[0].typed})').typed} to i64")
        if function is math.isnan:
            return self.make(BOOL, f"fcmp uno {numbers[0].typed}, 0.0")
        if function in (math.isinf, math.isfinite):
            size = self.make(FLOAT, f"call double @llvm.fabs.f64({numbers[0].typed})")
            return self.make(BOOL, f"fcmp {'oeq' if function is math.isinf else 'olt'} {size.typed}, {_number(math.inf)}")
        symbol = _MATH[math.fabs] if function is abs else _MATH.get(function)
        if symbol is None:
            raise self.error(node, f"`{ast.unparse(node.func)}` is not compiled: mark it @compiled, or use math's functions")
        return self.make(FLOAT, f"call double @{symbol}({', '.join(number.typed for number in numbers)})")
