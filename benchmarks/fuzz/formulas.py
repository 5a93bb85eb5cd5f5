"""Formulas: whatever is typed is refused with its place, or is the function that Python reads in it."""

from __future__ import annotations

import math
from random import Random

import casadi
import numpy as np

from tinkerdyne.language.parse import CONSTANTS, FUNCTIONS, FormulaError, parse

NAMES = {"x": 0.7, "y": -1.3, "k": 2.0}
PARTS = (
    "x", "y", "k", "2", "0.5", "1e3", ".5", "+", "-", "*", "/", "**", "^", "(", ")", ",", " ", "<", ">", "<=",
    "if", "else", "and", "or", "not", "sin(", "sqrt(", "log(", "min(", "atan2(", "pi", "e", "[", "]", ".",
    "0", "==", "!", "__import__('os')", "lambda", ";", "\n", "\x00", "²", "1e999", "9" * 40, "x.y", "x[0]",
    "p", "exp(", "abs(",
)  # fmt: skip


def case(rng: Random) -> str:
    """One formula."""
    text = (
        _grown(rng, 0)
        if rng.random() < 0.5
        else "".join(rng.choice(PARTS) for _ in range(rng.randint(1, 30)))
    )
    if rng.random() < 0.05:
        text *= rng.choice((10, 1000, 100_000))
    symbols = {name: casadi.SX.sym(name) for name in NAMES}
    try:
        found = parse(text, symbols)
    except FormulaError as problem:
        said = str(problem)
        assert len(said) > 10, f"{text[:80]!r}: it says {said!r}"
        return "refused"
    value = float(casadi.Function("f", list(symbols.values()), [found])(*NAMES.values()))
    wanted = _python(text)
    if wanted is not None and abs(wanted) < 1e12:
        close = math.isclose(value, wanted, rel_tol=1e-9, abs_tol=1e-9)
        assert close or not math.isfinite(value), f"{text[:200]!r} is {value}, and Python says {wanted}"
    return "read"


def _grown(rng: Random, depth: int) -> str:
    """A formula of the grammar."""
    if depth > 4 or rng.random() < 0.25:
        return rng.choice(("x", "y", "k", "pi", "2", "0.5", "3.25"))
    a, b, c = [_grown(rng, depth + 1) for _ in range(3)]
    ways = (
        f"{a} + {b}", f"{a} - {b}", f"{a}*{b}", f"({a})/{b}", f"-{a}", f"({a})", f"({a})**2", f"sin({a})",
        f"cos({a})", f"abs({a})", f"min({a}, {b})", f"({a} if {b} < {c} else {b})",
        f"({a} if {b} > 0 and {c} > 0 else {c})",
    )  # fmt: skip
    return rng.choice(ways)


def _python(text: str) -> float | None:
    """What Python makes of a formula that it reads too; None where it does not."""
    known = {name: getattr(math, name) for name in FUNCTIONS if hasattr(math, name)}
    known |= {"abs": abs, "min": min, "max": max, "sign": np.sign, **CONSTANTS, **NAMES}
    if "__" in text or "^" in text or len(text) > 2000:
        return None
    try:
        found = eval(
            compile(text.strip(), "formula", "eval"), {"__builtins__": {}}, known
        )  # what is read is harmless
    except Exception:
        return None
    return float(found) if isinstance(found, (int, float)) and not isinstance(found, bool) else None
