"""A CasADi SX tape becomes the LLVM IR of a kernel over many instances.

Every kernel has one shape, `void kernel(int64 n, int64* off, double* S)`: for instance i, `off` holds
`stride` offsets into the arena S, one an entry; a slot is the place of one vector or matrix: entry,
displacement, shape (matrices by rows).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import casadi as ca

ABSOLUTE = -1  # a slot with this entry lies at a fixed place of the arena, such as the time


@dataclass(frozen=True)
class Slot:
    """Where one input or output of a kernel lies: S[off[entry] + displacement + position].

    At a table's place stand n and w, then n times, then n rows of w numbers; a kernel sees the last row not
    after the time.
    """

    entry: int
    displacement: int = 0
    is_table: bool = False


_INFIX = {ca.OP_ADD: "fadd", ca.OP_SUB: "fsub", ca.OP_MUL: "fmul", ca.OP_DIV: "fdiv"}
_COMPARE = {ca.OP_LT: "olt", ca.OP_LE: "ole", ca.OP_EQ: "oeq", ca.OP_NE: "une"}
_INTRINSIC = {
    ca.OP_SQRT: "llvm.sqrt.f64",
    ca.OP_FABS: "llvm.fabs.f64",
    ca.OP_FLOOR: "llvm.floor.f64",
    ca.OP_CEIL: "llvm.ceil.f64",
}
_LIBM = {
    ca.OP_SIN: "tk_sin",
    ca.OP_COS: "tk_cos",
    ca.OP_TAN: "tan",
    ca.OP_ASIN: "asin",
    ca.OP_ACOS: "acos",
    ca.OP_ATAN: "atan",
    ca.OP_SINH: "sinh",
    ca.OP_COSH: "cosh",
    ca.OP_TANH: "tanh",
    ca.OP_ASINH: "asinh",
    ca.OP_ACOSH: "acosh",
    ca.OP_ATANH: "atanh",
    ca.OP_EXP: "exp",
    ca.OP_LOG: "log",
    ca.OP_ERF: "erf",
}
_LIBM2 = {
    ca.OP_POW: "pow",
    ca.OP_CONSTPOW: "pow",
    ca.OP_ATAN2: "atan2",
    ca.OP_FMOD: "fmod",
    ca.OP_COPYSIGN: "copysign",
}


def _number(value: float) -> str:
    import struct

    return "0x" + struct.pack(">d", value).hex().upper()


def _row_major(sparsity: ca.Sparsity) -> list[int]:
    """Nonzero k of a CasADi (column-major) sparsity ↦ its place in a dense row-major block."""
    columns = sparsity.size2()
    return [row * columns + column for row, column in zip(sparsity.row(), sparsity.get_col(), strict=True)]


def kernel_ir(
    name: str, function: ca.Function, inputs: Sequence[Slot], outputs: Sequence[Slot], stride: int
) -> str:
    """The IR text of one kernel function (declarations are in `module_ir`)."""
    kernel = Kernel(inputs)
    kernel.open(name, (*inputs, *outputs), stride)
    kernel.compute(function, outputs)
    kernel.close()
    return "\n".join(kernel.lines)


class Kernel:
    """A kernel as it is written, line by line: the loop over instances around the tape of its formula."""

    def __init__(self, inputs: Sequence[Slot]) -> None:
        self.inputs = inputs
        self.lines: list[str] = []
        self._count = 0  # temporaries so far

    def open(self, name: str, slots: Sequence[Slot], stride: int) -> None:
        """The head of the loop, and where the offsets of an instance lead."""
        self.lines += [
            f"define void @{name}(i64 %n, ptr noalias readonly %off, ptr noalias %S) nounwind {{",
            "entry:",
            "  %empty = icmp slt i64 %n, 1",
            "  br i1 %empty, label %done, label %loop",
            "loop:",
            "  %i = phi i64 [ 0, %entry ], [ %next, %loop ]",
            f"  %row = mul nsw i64 %i, {stride}",
            "  %table = getelementptr inbounds i64, ptr %off, i64 %row",
        ]
        for entry in sorted({slot.entry for slot in slots if slot.entry != ABSOLUTE}):
            self.lines += [
                f"  %p{entry} = getelementptr inbounds i64, ptr %table, i64 {entry}",
                f"  %o{entry} = load i64, ptr %p{entry}, align 8",
                f"  %b{entry} = getelementptr inbounds double, ptr %S, i64 %o{entry}",
            ]
        for k, slot in enumerate(self.inputs):
            if slot.is_table:
                self.lines += [
                    f"  %k{k} = getelementptr inbounds double, ptr %b{slot.entry}, i64 {slot.displacement}",
                    f"  %row{k} = call ptr @tk_row(ptr %k{k}, ptr %S)",
                ]

    def compute(self, function: ca.Function, outputs: Sequence[Slot]) -> None:
        """The tape of a function, with its loads and stores."""
        in_places = [_row_major(function.sparsity_in(k)) for k in range(function.n_in())]
        out_places = [_row_major(function.sparsity_out(k)) for k in range(function.n_out())]
        register: dict[int, str] = {}
        stores: list[tuple[Slot, int, str]] = []
        for k in range(function.n_instructions()):
            op = function.instruction_id(k)
            out, args = function.instruction_output(k), function.instruction_input(k)
            if op == ca.OP_CONST:
                register[out[0]] = _number(function.instruction_constant(k))
            elif op == ca.OP_INPUT:
                pointer = self.place(self.inputs[args[0]], in_places[args[0]][args[1]])
                register[out[0]] = self.line(f"load double, ptr {pointer}, align 8")
            elif op == ca.OP_OUTPUT:
                stores.append((outputs[out[0]], out_places[out[0]][out[1]], register[args[0]]))
            else:
                register[out[0]] = _operation(op, [register[a] for a in args], self.line)
        # Stores come last: inputs and outputs may share a record, and every load must see the old values.
        for slot, position, value in stores:
            self.lines.append(f"  store double {value}, ptr {self.place(slot, position)}, align 8")

    def close(self) -> None:
        """The end of the loop."""
        self.lines += [
            "  %next = add nuw nsw i64 %i, 1",
            "  %more = icmp slt i64 %next, %n",
            "  br i1 %more, label %loop, label %done",
            "done:",
            "  ret void",
            "}",
        ]

    def line(self, code: str) -> str:
        """A line that gives a new temporary; its name."""
        self._count += 1
        self.lines.append(f"  %t{self._count} = {code}")
        return f"%t{self._count}"

    def place(self, slot: Slot, position: int) -> str:
        """A pointer to one number of a slot."""
        base, shift = "%S" if slot.entry == ABSOLUTE else f"%b{slot.entry}", slot.displacement
        if slot.is_table:
            base, shift = f"%row{self.inputs.index(slot)}", 0
        return self.line(f"getelementptr inbounds double, ptr {base}, i64 {shift + position}")


def _operation(op: int, args: list[str], line: Callable[[str], str]) -> str:
    """The lines of one operation of the tape; the name of what it gives."""
    a = args[0]
    b = args[1] if len(args) > 1 else a

    def truth(code: str) -> str:  # CasADi's booleans are 0.0 and 1.0
        return line(f"uitofp i1 {line(code)} to double")

    one, zero = _number(1.0), _number(0.0)
    if op == ca.OP_ASSIGN:
        return a
    if op in _INFIX:
        return line(f"{_INFIX[op]} contract double {a}, {b}")
    if op == ca.OP_NEG:
        return line(f"fneg double {a}")
    if op == ca.OP_SQ:
        return line(f"fmul contract double {a}, {a}")
    if op == ca.OP_TWICE:
        return line(f"fadd contract double {a}, {a}")
    if op == ca.OP_INV:
        return line(f"fdiv contract double {one}, {a}")
    if op in _INTRINSIC:
        return line(f"call double @{_INTRINSIC[op]}(double {a})")
    if op in _LIBM:
        return line(f"call double @{_LIBM[op]}(double {a})")
    if op in _LIBM2:
        return line(f"call double @{_LIBM2[op]}(double {a}, double {b})")
    if op == ca.OP_HYPOT:
        return line(f"call double @hypot(double {a}, double {b})")
    if op in (ca.OP_FMIN, ca.OP_FMAX):
        test = line(f"fcmp {'olt' if op == ca.OP_FMIN else 'ogt'} double {a}, {b}")
        return line(f"select i1 {test}, double {a}, double {b}")
    if op in _COMPARE:
        return truth(f"fcmp {_COMPARE[op]} double {a}, {b}")
    if op == ca.OP_NOT:
        return truth(f"fcmp oeq double {a}, {zero}")
    if op in (ca.OP_AND, ca.OP_OR):
        left, right = line(f"fcmp une double {a}, {zero}"), line(f"fcmp une double {b}, {zero}")
        return truth(f"{'and' if op == ca.OP_AND else 'or'} i1 {left}, {right}")
    if op == ca.OP_IF_ELSE_ZERO:
        test = line(f"fcmp une double {a}, {zero}")
        return line(f"select i1 {test}, double {b}, double {zero}")
    if op == ca.OP_SIGN:
        up, down = line(f"fcmp ogt double {a}, {zero}"), line(f"fcmp olt double {a}, {zero}")
        low = line(f"select i1 {down}, double {_number(-1.0)}, double {a}")
        return line(f"select i1 {up}, double {one}, double {low}")
    if op == ca.OP_LOG1P:
        return line(f"call double @log1p(double {a})")
    if op == ca.OP_EXPM1:
        return line(f"call double @expm1(double {a})")
    raise NotImplementedError(
        f"CasADi operation {op} has no machine code yet; add it to tinkerdyne/compiler/emit.py"
    )


# sin and cos by Cody and Waite's reduction to |r| ≤ π/4 and the minimax polynomials of fdlibm (Sun, 1993):
# below one unit in the last place, no call, no branch for |x| < 1e5, and the two of one angle share the
# reduction. Larger
# angles go to libm.
_PIO2 = (1.57079632673412561417e00, 6.07710050630396597660e-11, 2.02226624879595063154e-21)
_SIN = (
    -1.66666666666666324348e-01, 8.33333333332248946124e-03, -1.98412698298579493134e-04,
    2.75573137070700676789e-06, -2.50507602534068634195e-08, 1.58969099521155010221e-10,
)  # fmt: skip
_COS = (
    4.16666666666666019037e-02, -1.38888888888741095749e-03, 2.48015872894767294178e-05,
    -2.75573143513906633035e-07, 2.08757232129817482790e-09, -1.13596475577881948265e-11,
)  # fmt: skip


def _trigonometry() -> str:
    n = _number

    def horner(prefix: str, values: tuple[float, ...]) -> list[str]:
        lines, last = [], n(values[-1])
        for k, value in enumerate(reversed(values[:-1])):
            lines += [
                f"  %{prefix}m{k} = fmul contract double {last}, %z",
                f"  %{prefix}{k} = fadd contract double %{prefix}m{k}, {n(value)}",
            ]
            last = f"%{prefix}{k}"
        return lines

    out = []
    for name, shift in (("sin", 0), ("cos", 1)):
        lines = [
            f"define internal double @tk_{name}(double %x) alwaysinline nounwind willreturn memory(none) {{",
            "  %size = call double @llvm.fabs.f64(double %x)",
            f"  %near = fcmp olt double %size, {n(1e5)}",
            "  br i1 %near, label %fast, label %slow",
            "slow:",
            f"  %far = call double @{name}(double %x)",
            "  ret double %far",
            "fast:",
            f"  %turns = fmul double %x, {n(0.63661977236758134308)}",
            "  %k = call double @llvm.rint.f64(double %turns)",
            "  %quarter = fptosi double %k to i64",
        ]
        previous = "%x"
        for i, part in enumerate(_PIO2):
            lines += [
                f"  %q{i} = fneg double %k",
                f"  %r{i} = call double @llvm.fma.f64(double %q{i}, double {n(part)}, double {previous})",
            ]
            previous = f"%r{i}"
        lines += [f"  %z = fmul contract double {previous}, {previous}"]
        lines += horner("s", _SIN) + horner("c", _COS)
        lines += [
            f"  %s_r = fmul contract double {previous}, %z",
            "  %s_p = fmul contract double %s_r, %s4",
            f"  %sine = fadd contract double {previous}, %s_p",
            "  %c_zz = fmul contract double %z, %z",
            "  %c_p = fmul contract double %c_zz, %c4",
            f"  %c_h = fmul contract double %z, {n(-0.5)}",
            f"  %c_1 = fadd contract double {n(1.0)}, %c_h",
            "  %cosine = fadd contract double %c_1, %c_p",
            f"  %phase = add i64 %quarter, {shift}",
            "  %odd = and i64 %phase, 1",
            "  %is_odd = icmp ne i64 %odd, 0",
            "  %pick = select i1 %is_odd, double %cosine, double %sine",
            "  %half = and i64 %phase, 2",
            "  %is_half = icmp ne i64 %half, 0",
            "  %minus = fneg double %pick",
            "  %result = select i1 %is_half, double %minus, double %pick",
            "  ret double %result",
            "}",
        ]
        out.append("\n".join(lines))
    return "\n".join(out)


# The row of a table (n, w, n times, n rows of w) that holds the time at the head of the arena: the last one
# not after it.
_ROW = """define internal ptr @tk_row(ptr %table, ptr %S) nounwind willreturn memory(read) {
entry:
  %time = load double, ptr %S, align 8
  %count = load double, ptr %table, align 8
  %n = fptosi double %count to i64
  %at_width = getelementptr inbounds double, ptr %table, i64 1
  %wide = load double, ptr %at_width, align 8
  %w = fptosi double %wide to i64
  %times = getelementptr inbounds double, ptr %table, i64 2
  br label %loop
loop:
  %low = phi i64 [ 0, %entry ], [ %low_next, %step ]
  %high = phi i64 [ %n, %entry ], [ %high_next, %step ]
  %left = sub i64 %high, %low
  %more = icmp sgt i64 %left, 1
  br i1 %more, label %step, label %found
step:
  %sum = add i64 %low, %high
  %middle = ashr i64 %sum, 1
  %at_middle = getelementptr inbounds double, ptr %times, i64 %middle
  %then = load double, ptr %at_middle, align 8
  %is_before = fcmp ole double %then, %time
  %low_next = select i1 %is_before, i64 %middle, i64 %low
  %high_next = select i1 %is_before, i64 %high, i64 %middle
  br label %loop
found:
  %skip = mul i64 %low, %w
  %rows = getelementptr inbounds double, ptr %times, i64 %n
  %row = getelementptr inbounds double, ptr %rows, i64 %skip
  ret ptr %row
}"""


def module_ir(kernels: Sequence[str]) -> str:
    """One module with the declarations every kernel may need."""
    pure = "nounwind willreturn memory(none)"
    plain = (f for f in _LIBM.values() if not f.startswith("tk_"))
    names = (*plain, *_INTRINSIC.values(), "log1p", "expm1", "sin", "cos", "llvm.rint.f64")
    one = [f"declare double @{f}(double) {pure}" for f in names]
    two = [
        f"declare double @{f}(double, double) {pure}" for f in ("pow", "atan2", "fmod", "copysign", "hypot")
    ]
    fma = "declare double @llvm.fma.f64(double, double, double)"
    trigonometry = [_trigonometry()] if any("@tk_" in k for k in kernels) else []
    tables = [_ROW] if any("@tk_row" in k for k in kernels) else []
    return "\n".join(["; tinkerdyne kernels", *one, *two, fma, *trigonometry, *tables, *kernels, ""])
