"""Pointer Python becomes the LLVM IR of one module.

A function is translated once for each tuple of argument kinds it is called with. Kinds of variables are found
on the way: a variable takes the kind of what is assigned to it, widened bool → int → float where assignments
differ, and the function is written again until no kind changes. Every variable lives in a stack slot that
starts as 0; the optimiser turns slots into registers.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from pathlib import Path

from tinkerdyne.compiler import core, machine
from tinkerdyne.compiler.expressions import (
    SYMBOLS,
    Expressions,
    Function,
    NotYetKnown,
    TranslationError,
    float_floor_divide,
    float_mod,
)
from tinkerdyne.compiler.records import annotated
from tinkerdyne.compiler.values import (
    BOOL,
    FLOAT,
    FLOATS,
    INT,
    INTS,
    Value,
    is_pointer,
    kind_of,
    name_of,
    plain,
    tag_of,
    type_of,
)
from tinkerdyne.python_text import module_tree

__all__ = ["TranslationError", "build", "translate"]

Kinds = tuple[str, ...]  # of arguments, or of a result: () is None, more than one a tuple

_LETTERS = {"F": FLOATS, "I": INTS, "i": INT, "d": FLOAT}

# Both save time to compile: 3.0 s of CPU for the engine, 3.8 s without the first, 5.0 s without the second.
# The steps of chains and of nets take the same time within the noise of 3 %, nets a tenth less.
_LARGE = 250  # lines from which a routine is called, never inlined
# Blocks have 1 to 6 rows: unrolling and vectors only add code that is never run. What runs over a whole
# vector is an outermost loop, and may become vectors.
_LOOP = '!{!"llvm.loop.unroll.runtime.disable"}, !{!"llvm.loop.interleave.count", i32 1}'
_INNER_LOOP = _LOOP + ', !{!"llvm.loop.vectorize.enable", i1 false}'

_PURE = "nounwind willreturn memory(none)"
_PRELUDE = """
!0 = !{!"tinkerdyne"}
!1 = !{!3, !3, i64 0}
!2 = !{!4, !4, i64 0}
!3 = !{!"double", !0, i64 0}
!4 = !{!"int64", !0, i64 0}

declare i64 @llvm.abs.i64(i64, i1)

define internal i64 @floor_divide(i64 %a, i64 %b) alwaysinline nounwind {
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
"""


def build(functions: Sequence[Function], entries: Mapping[str, tuple[Function, str]]) -> bytes:
    """The object code of the program."""
    return machine.compile_ir(translate(functions, entries), loops=True)


def translate(functions: Sequence[Function], entries: Mapping[str, tuple[Function, str]]) -> str:
    """The IR of a module in which each entry is `i64 @tk_NAME(…)` and all else is internal.

    functions: all that may be called; entries: (function, signature letters) by name, see `core.entry`.
    """
    program = _Program([*functions, float_mod, float_floor_divide])
    parts = [
        _PRELUDE,
        *(f"declare double @{name}({', '.join(['double'] * n)}) {_PURE}" for name, n in SYMBOLS.items()),
    ]
    wanted: list[_Routine] = []
    for name, (function, letters) in entries.items():
        kinds = tuple(_LETTERS[letter] for letter in letters)
        routine = program.routine(function, kinds)
        if routine.result not in ((INT,), (BOOL,)):
            raise routine.error(routine.tree, f"entry {name} must return an int")
        arguments = _arguments(kinds)
        call = f"call {routine.type} {routine.symbol}({arguments})"
        widen = "zext i1 %r to i64" if routine.result == (BOOL,) else "add i64 %r, 0"
        parts.append(
            f"define i64 @tk_{name}({arguments}) nounwind {{\n  %r = {call}\n  %w = {widen}\n  ret i64 "
            "%w\n}\n"
        )
        wanted.append(routine)
    used: dict[_Routine, None] = {}  # what only an early round asked for, with kinds too narrow, is left out
    while wanted:
        routine = wanted.pop()
        if routine not in used:
            used[routine] = None
            wanted += routine.calls
    return "\n".join([*parts, *(routine.text for routine in used), *program.loops])


def _arguments(kinds: Sequence[str]) -> str:
    return ", ".join(f"{type_of(kind)} %a{k}" for k, kind in enumerate(kinds))


class _Program:
    """The routines written so far, by function and argument kinds."""

    def __init__(self, functions: Sequence[Function]) -> None:
        self.functions = {id(function) for function in functions}
        self.inlined = core.inlined_functions()
        self.loops: list[str] = []  # metadata: one node a loop
        self._routines: dict[tuple[int, Kinds], _Routine] = {}
        self._trees: dict[str, dict[int, ast.FunctionDef]] = {}

    def tree(self, function: Function) -> ast.FunctionDef:
        """The function's syntax; each file is parsed once."""
        file, line = function.__code__.co_filename, function.__code__.co_firstlineno
        if file not in self._trees:
            module = module_tree(Path(file).read_text(), file)
            nodes = [n for n in ast.walk(module) if isinstance(n, ast.FunctionDef)]
            self._trees[file] = {min([n.lineno, *(d.lineno for d in n.decorator_list)]): n for n in nodes}
        tree = self._trees[file].get(line)
        if tree is None or tree.name != function.__name__:
            raise TranslationError(
                f"{file}:{line}: {function.__name__} is not here any more; the file changed, so start again"
            )
        return tree

    def as_annotated(self, function: Function, kinds: Kinds) -> Kinds:
        """Pointers under the names that the function has for what lies there, or under none."""
        names = function.__code__.co_varnames
        said = [annotated(function, name) for name in names[: len(kinds)]]
        for name, wanted, kind in zip(names, said, kinds, strict=False):
            if wanted is not None and plain(kind_of(wanted)) != plain(kind):
                code = function.__code__
                raise TranslationError(
                    f"{code.co_filename}:{code.co_firstlineno}: {function.__name__} wants "
                    f"{name_of(kind_of(wanted))} as `{name}`, not {name_of(kind)}"
                )
        pairs = zip(said, kinds, strict=False)
        return tuple(plain(kind) if wanted is None else kind_of(wanted) for wanted, kind in pairs)

    def routine(self, function: Function, kinds: Kinds) -> _Routine:
        """The translation of a function for these argument kinds; it has no text while it is being
        written."""
        kinds = self.as_annotated(function, kinds)
        key = (id(function), kinds)
        if key not in self._routines:
            self._routines[key] = _Routine(
                self, function, kinds, f'@"{function.__name__}.{len(self._routines)}"'
            )
            self._routines[key].write()
        return self._routines[key]

    def loop(self, hints: str) -> str:
        """A new metadata node for a loop."""
        node = f"!{len(self.loops) + 5}"
        self.loops.append(f"{node} = distinct !{{{node}, {hints}}}")
        return node


class _Routine(Expressions):
    """One function for one tuple of argument kinds: its statements."""

    def __init__(self, program: _Program, function: Function, kinds: Kinds, symbol: str) -> None:
        super().__init__(function, program.tree(function))
        self.program, self.symbol = program, symbol
        code, given = function.__code__, self.tree.args
        if code.co_argcount != len(kinds) or given.kwonlyargs or given.vararg or given.kwarg:
            raise self.error(
                self.tree, f"{function.__name__} takes {code.co_argcount} arguments, {len(kinds)} were given"
            )
        self.arguments = dict(zip(code.co_varnames, kinds, strict=False))
        self.kinds.update(self.arguments)
        self.result: Kinds | None = None
        self.text = ""

    def begin(self) -> None:
        super().begin()
        self.calls: dict[_Routine, None] = {}
        self.loops: list[tuple[str, str]] = []  # where `continue` and `break` go
        self.is_widened = False  # a kind changed after code had used it
        self.waiting: TranslationError | None = None

    def write(self) -> None:
        """Translate, again and again until every kind is known and settled."""
        while True:
            before = dict(self.kinds)
            self.begin()
            self.statements(self.tree.body)
            if self.waiting is not None and before == self.kinds:
                raise self.waiting
            if self.waiting is None and not self.is_widened:
                break
        if not self.is_closed:
            if self.result:
                raise self.error(self.tree, f"{self.function.__name__} can end without returning a value")
            self.put("ret void")
        self.result = self.result or ()
        body, self.lines = self.lines, []
        for name, kind in self.kinds.items():
            self.put(f'%"v.{name}" = alloca {type_of(kind)}')
            self.put(f'store {type_of(kind)} zeroinitializer, ptr %"v.{name}"')
        for k, (name, kind) in enumerate(self.arguments.items()):
            self.store(self.tree, name, Value(kind, f"%a{k}"))
        inline = " noinline" if len(body) > _LARGE else ""
        if self.function in self.program.inlined:
            inline = " alwaysinline"
        head = (
            f"define internal {self.type} {self.symbol}({_arguments(list(self.arguments.values()))}) "
            f"nounwind{inline} {{\nentry:"
        )
        self.text = "\n".join([head, *self.lines, *body, "}\n"])

    @property
    def type(self) -> str:
        """The IR type of the result."""
        types = [type_of(kind) for kind in self.result or ()]
        return types[0] if len(types) == 1 else f"{{ {', '.join(types)} }}" if types else "void"

    # --- statements ------------------------------------------------------------------------------------

    def statements(self, nodes: Sequence[ast.stmt]) -> None:
        for node in nodes:
            if self.is_closed:
                return
            try:
                self.statement(node)
            except NotYetKnown as problem:
                self.waiting = self.waiting or self.error(
                    node, f"variable `{problem}` is read before it has a value"
                )

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
            case ast.AugAssign((ast.Subscript() | ast.Attribute()) as target, op, value):
                element, place = self.place(target)
                self.write_to(
                    node, element, place, self.binary(node, op, self.read(element, place), self.value(value))
                )
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
            case ast.For(ast.Name(name), ast.Call(args=bounds) as over, body, orelse) if self.is_range(over):
                self.loop_for(
                    over, name, [self.convert(over, self.value(bound), INT) for bound in bounds], body, orelse
                )
            case ast.Continue():
                self.jump(self.loops[-1][0])
            case ast.Break():
                self.jump(self.loops[-1][1])
            case ast.Return(None | ast.Constant(None)):
                self.give(node, [])
            case ast.Return(ast.expr() as value):
                self.give(node, self.values(value))
            case _:
                raise self.foreign(node)

    def unpack(self, target: ast.expr, values: list[Value]) -> None:
        targets = target.elts if isinstance(target, ast.Tuple) else [target]
        if len(targets) != len(values):
            raise self.error(target, f"{len(values)} values for {len(targets)} targets")
        for one, value in zip(targets, values, strict=True):
            match one:
                case ast.Name(name):
                    self.store(one, name, value)
                case ast.Subscript() | ast.Attribute():
                    self.write_to(one, *self.place(one), value)
                case _:
                    raise self.foreign(one)

    def store(self, node: ast.AST, name: str, value: Value) -> None:
        before = self.kinds.get(name, value.kind)
        if before != value.kind and (is_pointer(before) or is_pointer(value.kind)):
            raise self.error(
                node, f"`{name}` was {name_of(before)} and is {name_of(value.kind)} here; rename one of them"
            )
        kind = self.kinds[name] = self.unify(node, before, value.kind)
        self.is_widened |= kind != before
        self.put(f'store {self.convert(node, value, kind).typed}, ptr %"v.{name}"')

    def write_to(self, node: ast.AST, element: str, place: str, value: Value) -> None:
        self.put(
            f"store {self.convert(node, value, element).typed}, ptr {place}, align 8, !tbaa {tag_of(element)}"
        )

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

    def loop_for(
        self, node: ast.AST, name: str, bounds: list[Value], body: list[ast.stmt], orelse: list[ast.stmt]
    ) -> None:
        # The counter is hidden: the body may change its variable, which keeps its last value after the loop.
        one = Value(INT, "1")
        first, last, by = {1: [Value(INT, "0"), *bounds, one], 2: [*bounds, one]}.get(len(bounds), bounds)
        step = by.integer
        if not step:
            raise self.error(node, "the step of a range must be a constant other than 0")
        head, inside, following, done, end = self.labels("head", "body", "next", "done", "end")
        before = self.block
        self.jump(head)
        self.start(head)
        i = self.make(INT, f"phi i64 [ {first.text}, %{before} ], [ %{following}.i, %{following} ]")
        self.branch(
            self.make(BOOL, f"icmp {'slt' if step > 0 else 'sgt'} {i.typed}, {last.text}"), inside, done
        )
        self.start(inside)
        self.store(node, name, i)
        self.loops.append((following, end))
        self.statements(body)
        self.loops.pop()
        self.jump(following)
        self.start(following)
        self.put(f"%{following}.i = add nsw {i.typed}, {step}")
        self.jump(head, f", !llvm.loop {self.program.loop(_INNER_LOOP if self.loops else _LOOP)}")
        self.start(done)
        self.statements(orelse)
        self.jump(end)
        self.resume(end)

    def is_range(self, node: ast.Call) -> bool:
        return self.resolve(node.func) is range and 1 <= len(node.args) <= 3 and not node.keywords

    def give(self, node: ast.AST, values: list[Value]) -> None:
        """Return these values."""
        before = self.result if self.result is not None else tuple(value.kind for value in values)
        if len(before) != len(values):
            raise self.error(node, f"returns {len(values)} values here and {len(before)} elsewhere")
        self.result = tuple(
            self.unify(node, kind, value.kind) for kind, value in zip(before, values, strict=True)
        )
        self.is_widened |= self.result != before
        given = [self.convert(node, value, kind) for value, kind in zip(values, self.result, strict=True)]
        whole = given[0].text if len(given) == 1 else "undef"
        if len(given) > 1:
            for k, value in enumerate(given):
                whole = self.make("", f"insertvalue {self.type} {whole}, {value.typed}, {k}").text
        self.put(f"ret {self.type} {whole}" if given else "ret void")
        self.is_closed = True

    def call_routine(self, node: ast.AST, function: Function, arguments: list[Value]) -> list[Value] | None:
        if id(function) not in self.program.functions:
            return None
        if len(arguments) != function.__code__.co_argcount:
            raise self.error(node, f"{function.__name__} takes {function.__code__.co_argcount} arguments")
        routine = self.program.routine(function, tuple(argument.kind for argument in arguments))
        if not routine.text or routine.result is None:
            raise self.error(
                node, f"{function.__name__} calls itself; recursion is not part of pointer Python"
            )
        self.calls[routine] = None
        code = f"call {routine.type} {routine.symbol}({', '.join(argument.typed for argument in arguments)})"
        if not routine.result:
            self.put(code)
            return []
        whole = self.make(routine.result[0], code)
        if len(routine.result) == 1:
            return [whole]
        return [
            self.make(kind, f"extractvalue {routine.type} {whole.text}, {k}")
            for k, kind in enumerate(routine.result)
        ]
