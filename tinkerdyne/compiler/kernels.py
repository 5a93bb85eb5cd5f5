"""Kernels from CasADi functions: common subexpressions shared, one module for those of a type, addresses from
the cache."""

from __future__ import annotations

from typing import Any

import casadi as ca

from tinkerdyne.compiler import machine
from tinkerdyne.compiler.emit import Slot, kernel_ir, module_ir

SX = Any


def compile_kernels(functions: dict[str, tuple[Any, list[Slot], list[Slot]]], stride: int) -> dict[str, int]:
    """Addresses of named kernels, from the cache where it has them."""
    texts = [kernel_ir(name, f, ins, outs, stride) for name, (f, ins, outs) in functions.items()]
    text = module_ir(texts)
    names = list(functions)
    return dict(zip(names, machine.kernels(text, names), strict=True))


def tidy_function(name: str, inputs: list[SX], outputs: list[SX]) -> Any:
    """A CasADi function with common subexpressions shared."""
    outputs = ca.cse(outputs) if outputs else []  # of nothing CasADi makes a matrix
    return ca.Function(name, inputs, outputs, {"allow_free": False})
