"""Kernels that sum one formula over the nodes of a quadrature in a loop: their code does not grow with the
number of nodes.

    outputs = finish(inputs, Σ_k term(inputs, node_k))
A straight line of sixteen nodes takes sixteen times as long to compile, which is what someone who types in a
curve waits for.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import casadi as ca

from tinkerdyne.compiler import machine
from tinkerdyne.compiler.emit import ABSOLUTE, Slot, kernel_ir, module_ir
from tinkerdyne.compiler.kernels import tidy_function

SX = Any
Rows = Sequence[Sequence[float]]

_NODE = 987_654_000  # a place of the arena that no kernel has: stands for the node until the text is written
_HEAD = "(i64 %n, ptr noalias readonly %off, ptr noalias %S) nounwind {"


class Summing(Protocol):
    """A kernel that sums."""

    def ir(self, name: str, stride: int, known: dict[int, str]) -> list[str]:
        """The text of the kernel and of what it calls; `known` are the sums that the module has, by their
        name."""

    def function(self) -> Any:
        """The same as one CasADi function, a straight line over all nodes."""

    def places(self) -> tuple[Sequence[Slot], Sequence[Slot]]:
        """Where the kernel finds the inputs of that function, and leaves its outputs."""


@dataclass(frozen=True)
class Sum:
    """Dense `terms` over `inputs` and `node`, and where a kernel finds the inputs and leaves the sums."""

    inputs: Sequence[SX]
    ins: Sequence[Slot]
    node: SX
    nodes: Rows  # (u, w) usually
    terms: Sequence[SX]
    outs: Sequence[Slot]

    def ir(self, name: str, stride: int) -> list[str]:
        """The nodes, a function that sets the sums to zero, and one that adds the terms of one node."""
        zero = tidy_function("zero", list(self.inputs), [ca.SX.zeros(*term.shape) for term in self.terms])
        first = kernel_ir(f"{name}_zero", zero, self.ins, self.outs, stride).replace(
            "define void", "define internal void"
        )
        return [numbers_ir(f"{name}_nodes", self.nodes), first, term_ir(name, self, stride)]

    def symbols(self) -> list[SX]:
        """Symbols for the sums."""
        return [ca.SX.sym(f"sum{k}", *term.shape) for k, term in enumerate(self.terms)]

    def total(self) -> list[SX]:
        """The sums in symbols, term after term."""
        outputs = [ca.SX.zeros(*term.shape) for term in self.terms]
        for node in self.nodes:
            terms = ca.substitute(list(self.terms), [self.node], [ca.SX(list(node))])
            outputs = [a + b for a, b in zip(outputs, terms, strict=True)]
        return outputs


@dataclass(frozen=True)
class Loop:
    """One kernel: a sum, and what becomes of it in the end; several may share a sum."""

    sum: Sum
    finish: Callable[..., Sequence[SX]] | None = None  # from the sums, over the same inputs

    def ir(self, name: str, stride: int, known: dict[int, str]) -> list[str]:
        """The function that loops over the nodes, the one that finishes, and those of the sum where it is
        new."""
        s = self.sum
        of = known.setdefault(id(s), name)
        texts = s.ir(of, stride) if of == name else []
        loop = _LOOP.replace("NAME", name).replace("SUM", of)
        loop = loop.replace("COUNT", str(len(s.nodes))).replace("WIDTH", str(s.node.numel()))
        if self.finish is None:
            return [*texts, loop.replace("FINISH", "")]
        sums = s.symbols()
        end = tidy_function("finish", [*s.inputs, *sums], [ca.densify(x) for x in self.finish(*sums)])
        text = kernel_ir(f"{name}_finish", end, [*s.ins, *s.outs], s.outs, stride).replace(
            "define void", "define internal void"
        )
        return [*texts, text, loop.replace("FINISH", f"call void @{name}_finish(i64 %n, ptr %off, ptr %S)")]

    def function(self) -> Any:
        """The same as one CasADi function, a straight line over all nodes."""
        total = self.sum.total()
        outputs = self.finish(*total) if self.finish is not None else total
        return ca.Function("sum", list(self.sum.inputs), [ca.densify(x) for x in outputs])

    def places(self) -> tuple[Sequence[Slot], Sequence[Slot]]:
        """Where the kernel finds its inputs, and leaves its outputs."""
        return self.sum.ins, self.sum.outs


def term_ir(name: str, s: Sum, stride: int) -> str:
    """The function NAME_term that adds the terms of the node it is given."""
    sums = s.symbols()
    added = [ca.densify(a + t) for a, t in zip(sums, s.terms, strict=True)]
    term = tidy_function("term", [*s.inputs, s.node, *sums], added)
    text = kernel_ir(f"{name}_term", term, [*s.ins, Slot(ABSOLUTE, _NODE), *s.outs], s.outs, stride)
    assert _HEAD in text, "kernel_ir writes another head now"
    for k in range(s.node.numel()):
        text = text.replace(f"ptr %S, i64 {_NODE + k}\n", f"ptr %node, i64 {k}\n")
    text = text.replace(_HEAD, _HEAD.replace(") nounwind", ", ptr noalias readonly %node) nounwind"))
    return text.replace("define void", "define internal void")


_LOOP = """define void @NAME(i64 %n, ptr noalias readonly %off, ptr noalias %S) nounwind {
entry:
  call void @SUM_zero(i64 %n, ptr %off, ptr %S)
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = mul i64 %k, WIDTH
  %node = getelementptr inbounds double, ptr @SUM_nodes, i64 %at
  call void @SUM_term(i64 %n, ptr %off, ptr %S, ptr %node) noinline
  %next = add i64 %k, 1
  %more = icmp ult i64 %next, COUNT
  br i1 %more, label %loop, label %done
done:
  FINISH
  ret void
}"""


def compile_loops(loops: Mapping[str, Summing], stride: int) -> dict[str, int]:
    """Addresses of named kernels that sum over nodes, from the cache where it has them."""
    known: dict[int, str] = {}
    text = module_ir([part for name, loop in loops.items() for part in loop.ir(name, stride, known)])
    names = list(loops)
    return dict(zip(names, machine.kernels(text, names), strict=True))


def numbers_ir(name: str, rows: Rows) -> str:
    """A table of float64, exactly, as a constant of a module."""
    flat = ["double 0x" + struct.pack(">d", x).hex().upper() for row in rows for x in row]
    return f"@{name} = internal constant [{len(flat)} x double] [{', '.join(flat)}]"
