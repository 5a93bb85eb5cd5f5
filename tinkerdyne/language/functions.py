"""Functions and constants that a typed-in formula may use."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Literal

import casadi

from tinkerdyne.language import symbols
from tinkerdyne.language.symbols import SX
from tinkerdyne.language.tokens import MOST_PARTS

CONSTANTS: Mapping[str, float] = {"pi": math.pi, "tau": math.tau, "e": math.e}


@dataclass(frozen=True)
class Function:
    """A function of one value or several, all numbers or all vectors."""

    compute: Callable[..., SX]
    fewest: int = 1  # arguments
    most: int = 1
    operand: Literal["number", "vector"] = "number"


FUNCTIONS: Mapping[str, Function] = {
    "sin": Function(symbols.sin),
    "cos": Function(symbols.cos),
    "tan": Function(symbols.tan),
    "asin": Function(symbols.asin),
    "acos": Function(symbols.acos),
    "atan": Function(symbols.atan),
    "atan2": Function(symbols.atan2, 2, 2),
    "sinh": Function(symbols.sinh),
    "cosh": Function(symbols.cosh),
    "tanh": Function(symbols.tanh),
    "exp": Function(symbols.exp),
    "log": Function(symbols.log),
    "sqrt": Function(symbols.sqrt),
    "abs": Function(symbols.fabs),
    "sign": Function(casadi.sign),
    "floor": Function(casadi.floor),
    "min": Function(lambda *numbers: reduce(casadi.fmin, numbers), 2, MOST_PARTS),
    "max": Function(lambda *numbers: reduce(casadi.fmax, numbers), 2, MOST_PARTS),
    "norm": Function(symbols.norm, operand="vector"),
    "dot": Function(symbols.dot, 2, 2, operand="vector"),
    "cross": Function(symbols.cross, 2, 2, operand="vector"),
}
