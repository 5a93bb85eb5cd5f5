"""Sums over nodes each of which sees only a few parts of an object, such as the control points about a place
of a spline.

The terms are written once, for the parts of one node; a table says which parts of the object those are at
each node.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tinkerdyne.compiler.emit import Slot
from tinkerdyne.compiler.loops import Sum, numbers_ir, term_ir

SX = Any


@dataclass(frozen=True)
class Gather:
    """A kernel that sums over nodes: entry e of the terms' offset table is that of the object, bases[e], plus
    shifts[node][e].

    Its output, `size` numbers at the entry `out` and `shift` further on, starts as zeros, with `ridge` on the
    diagonal where it is square.
    """

    sum: Sum
    bases: Sequence[int]
    shifts: Sequence[Sequence[int]]
    out: int
    size: int
    whole: Callable[[], Any]  # the same as one CasADi function, a straight line over all nodes
    ins: Sequence[Slot]  # where its inputs lie
    side: int = 0  # rows of a square output
    ridge: float = 0.0
    shift: int = 0

    def ir(self, name: str, stride: int, _known: dict[int, str]) -> list[str]:
        """The tables, the function of the terms, and the loops over instances and nodes."""
        s, entries = self.sum, len(self.bases)
        shifts = [x for row in self.shifts for x in row]
        numbers = {
            "NAME": name,
            "STRIDE": stride,
            "ENTRIES": entries,
            "COUNT": len(s.nodes),
            "WIDTH": s.node.numel(),
        }
        numbers |= {"OUT": self.out, "SIZE": self.size, "SIDE": self.side, "FURTHER": self.shift}
        text = _GATHER
        for word, value in numbers.items():
            text = text.replace(word, str(value))
        return [
            numbers_ir(f"{name}_nodes", s.nodes),
            numbers_ir(f"{name}_ridge", [[self.ridge]]),
            f"@{name}_bases = internal constant [{entries} x i64] "
            f"[{', '.join(f'i64 {b}' for b in self.bases)}]",
            f"@{name}_shifts = internal constant [{len(shifts)} x i64] "
            f"[{', '.join(f'i64 {x}' for x in shifts)}]",
            term_ir(name, s, entries),
            text,
        ]

    def function(self) -> Any:
        """The same as one CasADi function."""
        return self.whole()

    def places(self) -> tuple[Sequence[Slot], Sequence[Slot]]:
        """Where that function's inputs lie, and its output."""
        return self.ins, [Slot(self.out, self.shift)]


_GATHER = """define void @NAME(i64 %n, ptr noalias readonly %off, ptr noalias %S) nounwind {
entry:
  %table = alloca [ENTRIES x i64], align 16
  %ridge = load double, ptr @NAME_ridge, align 8
  %empty = icmp slt i64 %n, 1
  br i1 %empty, label %done, label %instance
instance:
  %i = phi i64 [ 0, %entry ], [ %i1, %instance_end ]
  %first = mul i64 %i, STRIDE
  %row = getelementptr inbounds i64, ptr %off, i64 %first
  %at_out = getelementptr inbounds i64, ptr %row, i64 OUT
  %out_offset = load i64, ptr %at_out, align 8
  %out_place = add i64 %out_offset, FURTHER
  %out = getelementptr inbounds double, ptr %S, i64 %out_place
  br label %zero
zero:
  %z = phi i64 [ 0, %instance ], [ %z1, %zero ]
  %at_z = getelementptr inbounds double, ptr %out, i64 %z
  store double 0.0, ptr %at_z, align 8
  %z1 = add i64 %z, 1
  %more_z = icmp ult i64 %z1, SIZE
  br i1 %more_z, label %zero, label %ridge_test
ridge_test:
  %d = phi i64 [ 0, %zero ], [ %d1, %ridge_body ]
  %more_d = icmp ult i64 %d, SIDE
  br i1 %more_d, label %ridge_body, label %node
ridge_body:
  %d_place = mul i64 %d, SIDE
  %d_at = add i64 %d_place, %d
  %at_d = getelementptr inbounds double, ptr %out, i64 %d_at
  store double %ridge, ptr %at_d, align 8
  %d1 = add i64 %d, 1
  br label %ridge_test
node:
  %k = phi i64 [ 0, %ridge_test ], [ %k1, %node_end ]
  %shift_row = mul i64 %k, ENTRIES
  br label %entry_loop
entry_loop:
  %e = phi i64 [ 0, %node ], [ %e1, %entry_loop ]
  %at_base = getelementptr inbounds i64, ptr @NAME_bases, i64 %e
  %base = load i64, ptr %at_base, align 8
  %at_offset = getelementptr inbounds i64, ptr %row, i64 %base
  %offset = load i64, ptr %at_offset, align 8
  %shift_at = add i64 %shift_row, %e
  %at_shift = getelementptr inbounds i64, ptr @NAME_shifts, i64 %shift_at
  %shift = load i64, ptr %at_shift, align 8
  %moved = add i64 %offset, %shift
  %at_table = getelementptr inbounds i64, ptr %table, i64 %e
  store i64 %moved, ptr %at_table, align 8
  %e1 = add i64 %e, 1
  %more_e = icmp ult i64 %e1, ENTRIES
  br i1 %more_e, label %entry_loop, label %node_end
node_end:
  %node_at = mul i64 %k, WIDTH
  %node_row = getelementptr inbounds double, ptr @NAME_nodes, i64 %node_at
  call void @NAME_term(i64 1, ptr %table, ptr %S, ptr %node_row) noinline
  %k1 = add i64 %k, 1
  %more_k = icmp ult i64 %k1, COUNT
  br i1 %more_k, label %node, label %instance_end
instance_end:
  %i1 = add i64 %i, 1
  %more_i = icmp slt i64 %i1, %n
  br i1 %more_i, label %instance, label %done
done:
  ret void
}"""
