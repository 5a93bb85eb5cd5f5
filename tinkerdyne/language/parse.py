"""Typed-in formulas: text becomes a CasADi expression by a small grammar, and nothing in the text is ever
executed.

    expression = term (("+" | "-") term)*
    term       = signed (("*" | "/") signed)*
    signed     = ("+" | "-")* power
    power      = atom (("**" | "^") signed)?            right to left, and above the sign: −x^2 = −(x^2)
    atom       = number | "(" expression ")" | function "(" expression ("," expression)* ")"
               | name | name "." ("x" | "y" | "z") | name "[" whole number "]"

The grammar is Python's, so that a formula means the same in both; only `^`, a bitwise operation there, is a
power here. It is read directly rather than through `ast`, which would bind `^` more loosely than `+`, take
words such as `lambda` away from the names, fold look-alike letters silently, and report errors in its own
terms.

Derivatives. `floor` and `sign` are constant between their jumps: their derivative is 0 everywhere, at the
jumps too, so a formula built on them changes its value without any velocity. The derivatives of `abs`, `min`
and `max` are those of a branch (`abs` has 0 at its kink). `norm` is safe at zero (see `symbols.norm`); `sqrt`
and `log` are not.
"""

from __future__ import annotations

import difflib
import math
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import reduce
from typing import Any, Literal, NoReturn

import casadi

from tinkerdyne.language import symbols

LONGEST = 500  # characters of a formula
DEEPEST = 32  # brackets, and powers of powers, inside one another
MOST_PARTS = 200  # numbers, names and operators; this bounds the time a formula takes, here and in every step

CONSTANTS: Mapping[str, float] = {"pi": math.pi, "tau": math.tau, "e": math.e}


class FormulaError(ValueError):
    """A formula that cannot be read: `reason`, the `text`, and the `position` of the offending character.

    Printed, it is the reason, then the text, then a caret under the character.
    """

    def __init__(self, reason: str, text: str, position: int) -> None:
        super().__init__(reason, text, position)
        self.reason = reason
        self.text = text
        self.position = position

    def __str__(self) -> str:
        start, stop = max(0, self.position - 50), self.position + 30
        before = ("…" if start else "") + _printable(self.text[start : self.position])
        after = _printable(self.text[self.position : stop]) + ("…" if stop < len(self.text) else "")
        caret = " " * sum(map(_columns, before)) + "^"
        return f"{self.reason}\n  {before}{after}\n  {caret}"


def parse(text: str, names: Mapping[str, Any]) -> casadi.SX:
    """The scalar expression that `text` describes, over the given names (scalars or column vectors).

    A name of the caller's hides a constant of the same name. Raises FormulaError, pointing at a character.
    """
    if not isinstance(text, str):
        raise TypeError(f"a formula is text, such as '2*x + 1'; this is {text!r}, a {type(text).__name__}")
    return _Reader(text, names).formula()


@dataclass(frozen=True)
class _Function:
    compute: Callable[..., Any]
    fewest: int = 1  # arguments
    most: int = 1
    operand: Literal["number", "vector"] = "number"


FUNCTIONS: Mapping[str, _Function] = {
    "sin": _Function(symbols.sin),
    "cos": _Function(symbols.cos),
    "tan": _Function(symbols.tan),
    "asin": _Function(symbols.asin),
    "acos": _Function(symbols.acos),
    "atan": _Function(symbols.atan),
    "atan2": _Function(symbols.atan2, 2, 2),
    "sinh": _Function(symbols.sinh),
    "cosh": _Function(symbols.cosh),
    "tanh": _Function(symbols.tanh),
    "exp": _Function(symbols.exp),
    "log": _Function(symbols.log),
    "sqrt": _Function(symbols.sqrt),
    "abs": _Function(symbols.fabs),
    "sign": _Function(casadi.sign),
    "floor": _Function(casadi.floor),
    "min": _Function(lambda *numbers: reduce(casadi.fmin, numbers), 2, MOST_PARTS),
    "max": _Function(lambda *numbers: reduce(casadi.fmax, numbers), 2, MOST_PARTS),
    "norm": _Function(symbols.norm, operand="vector"),
    "dot": _Function(symbols.dot, 2, 2, operand="vector"),
    "cross": _Function(symbols.cross, 2, 2, operand="vector"),
}


# ── tokens
# ──────────────────────────────────────────────────────────────────────────────────────────────────────────

_TOKEN = re.compile(
    r"[ \t\r\n]*(?:(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<name>[A-Za-z_][A-Za-z_0-9]*)|(?P<symbol>\*\*|[^ \t\r\n])|(?P<end>$))"
)


@dataclass(frozen=True)
class _Token:
    kind: str  # number, name, symbol or end
    text: str
    position: int


def _tokens(text: str) -> list[_Token]:
    """The tokens of a text that keeps to the limits; a last one marks the end."""
    if len(text) > LONGEST:
        raise FormulaError(f"a formula has at most {LONGEST} characters; this has {len(text)}", text, LONGEST)
    if not text.strip():
        raise FormulaError("the formula is empty", text, 0)
    for position, character in enumerate(text):
        if not (" " <= character <= "~" or character in "\t\r\n"):
            raise FormulaError(_strange(character), text, position)

    tokens: list[_Token] = []
    parts, at = 0, 0
    while not tokens or tokens[-1].kind != "end":
        match = _TOKEN.match(text, at)
        assert match is not None and match.lastgroup is not None, "every ASCII text has tokens"
        token = _Token(match.lastgroup, match[match.lastgroup], match.start(match.lastgroup))
        parts += token.kind != "end" and token.text not in "()[],."
        if parts > MOST_PARTS:
            raise FormulaError(
                f"a formula has at most {MOST_PARTS} numbers, names and operators", text, token.position
            )
        tokens.append(token)
        at = match.end()
    return tokens


# ── grammar
# ─────────────────────────────────────────────────────────────────────────────────────────────────────────


class _Reader:
    """Reads one formula from left to right; each method reads one rule of the grammar and returns its
    expression."""

    def __init__(self, text: str, names: Mapping[str, Any]) -> None:
        self.text = text
        self.names = names
        self.tokens = _tokens(text)
        self.next = 0
        self.depth = 0

    def formula(self) -> casadi.SX:
        result = self.expression()
        if self.ahead.kind != "end":
            self.refuse_instead_of_operator(self.ahead)
        if not result.is_scalar():
            self.refuse(
                f"the formula gives {_shape(result)}, and one number is wanted; take norm(…), dot(…, …) or a "
                "component",
                self.tokens[0],
            )
        return result

    def expression(self) -> casadi.SX:
        left = self.term()
        while operator := self.take("+", "-"):
            right = self.term()
            if left.shape != right.shape:
                verb = "added" if operator.text == "+" else "subtracted"
                self.refuse(f"{_shape(left)} and {_shape(right)} cannot be {verb}", operator)
            left = self.finite(left + right if operator.text == "+" else left - right, operator)
        return left

    def term(self) -> casadi.SX:
        left = self.signed()
        while operator := self.take("*", "/"):
            right = self.signed()
            if operator.text == "/":
                if not right.is_scalar():
                    self.refuse(f"{_shape(right)} cannot divide", operator)
                if right.is_zero():
                    self.refuse("division by zero", operator)
                left = self.finite(left / right, operator)
            else:
                if not (left.is_scalar() or right.is_scalar()):
                    self.refuse("two vectors have no product '*'; write dot(…, …) or cross(…, …)", operator)
                left = self.finite(left * right, operator)
        return left

    def signed(self) -> casadi.SX:
        is_negative = False
        while sign := self.take("+", "-"):
            is_negative ^= sign.text == "-"
        value = self.power()
        return -value if is_negative else value

    def power(self) -> casadi.SX:
        base = self.atom()
        operator = self.take("**", "^")
        if operator is None:
            return base
        with self.nested(operator):
            exponent = self.signed()
        if not (base.is_scalar() and exponent.is_scalar()):
            self.refuse("a vector has no powers; for the square of its length write dot(p, p)", operator)
        return self.finite(base**exponent, operator)

    def atom(self) -> casadi.SX:
        token = self.ahead
        if token.kind == "number":
            return self.number()
        if token.kind == "name":
            return self.call() if self.tokens[self.next + 1].text == "(" else self.name()
        if self.take("("):
            with self.nested(token):
                value = self.expression()
            self.close(token)
            return value
        self.refuse_instead_of_value(token)

    def number(self) -> casadi.SX:
        token, after = self.advance(), self.ahead
        if after.text in ("j", "J") and after.position == token.position + len(token.text):
            self.refuse("complex numbers have no place in a formula", after)
        if not math.isfinite(float(token.text)):
            self.refuse("this number is too large (the largest is about 1.8e308)", token)
        return casadi.SX(float(token.text))

    def name(self) -> casadi.SX:
        token = self.advance()
        if token.text in self.names:
            value = _column(token.text, self.names[token.text])
        elif token.text in CONSTANTS:
            value = casadi.SX(CONSTANTS[token.text])
        elif token.text in FUNCTIONS:
            self.refuse(f"'{token.text}' is a function; write {token.text}(…)", token)
        else:
            self.refuse(_unknown("name", token.text, [*self.names, *CONSTANTS, *FUNCTIONS]), token)
        if self.ahead.text in (".", "["):
            return self.component(token.text, value)
        return value

    def component(self, name: str, vector: casadi.SX) -> casadi.SX:
        opening, which = self.advance(), self.advance()
        size = vector.numel()
        if size == 1:
            self.refuse(f"'{name}' is a single number; it has no components", opening)
        if opening.text == ".":
            letters = "xyz"[:size] if size <= 3 else ""
            if len(which.text) != 1 or which.text not in letters:
                wanted = ", ".join(f".{letter}" for letter in letters) if letters else f"[0] to [{size - 1}]"
                self.refuse(f"'{name}' is {_shape(vector)}; its components are {wanted}", which)
            return vector[letters.index(which.text)]
        if not which.text.isdigit() or int(which.text) >= size:
            self.refuse(f"'{name}' is {_shape(vector)}; between its brackets goes 0 to {size - 1}", which)
        self.close(opening)
        return vector[int(which.text)]

    def call(self) -> casadi.SX:
        token, opening = self.advance(), self.advance()
        if token.text not in FUNCTIONS:
            if token.text in self.names or token.text in CONSTANTS:
                self.refuse(
                    f"'{token.text}' is not a function; for a product write '{token.text}*('", opening
                )
            self.refuse(_unknown("function", token.text, list(FUNCTIONS)), token)
        function = FUNCTIONS[token.text]
        arguments: list[casadi.SX] = []
        with self.nested(opening):
            if self.ahead.text != ")":
                arguments.append(self.expression())
            while self.take(","):
                arguments.append(self.expression())
        self.close(opening)

        if not function.fewest <= len(arguments) <= function.most:
            wanted = {1: "one value", 2: "two values"}.get(function.most, "two or more values")
            self.refuse(f"'{token.text}' takes {wanted} between its brackets, not {len(arguments)}", token)
        for argument in arguments:
            if argument.is_scalar() != (function.operand == "number"):
                self.refuse(f"'{token.text}' takes a {function.operand}, not {_shape(argument)}", token)
        try:
            result = function.compute(*arguments)
        except ValueError as misfit:  # vectors of unequal or unfit sizes
            self.refuse(str(misfit), token)
        return self.finite(result, token)

    # ── moving on, and refusing ──

    @property
    def ahead(self) -> _Token:
        return self.tokens[self.next]

    def advance(self) -> _Token:
        token = self.ahead
        self.next = min(self.next + 1, len(self.tokens) - 1)
        return token

    def take(self, *texts: str) -> _Token | None:
        return self.advance() if self.ahead.kind == "symbol" and self.ahead.text in texts else None

    def close(self, opening: _Token) -> None:
        if not self.take({"(": ")", "[": "]"}[opening.text]):
            if self.ahead.kind == "end":
                self.refuse("this bracket is never closed", opening)
            self.refuse_instead_of_operator(self.ahead)

    @contextmanager
    def nested(self, token: _Token) -> Iterator[None]:
        if self.depth >= DEEPEST:
            self.refuse(f"brackets and powers may lie {DEEPEST} deep inside one another, not deeper", token)
        self.depth += 1
        yield
        self.depth -= 1

    def finite(self, value: casadi.SX, token: _Token) -> casadi.SX:
        """The same value; refused if it is a constant that is not a finite real number (9**9**9,
        sqrt(-1))."""
        if value.is_constant() and not value.is_regular():
            is_real = not any(math.isnan(float(element)) for element in value.elements())
            self.refuse(f"'{token.text}' gives no {'finite' if is_real else 'real'} number here", token)
        return value

    def refuse(self, reason: str, token: _Token) -> NoReturn:
        raise FormulaError(reason, self.text, token.position)

    def refuse_instead_of_value(self, token: _Token) -> NoReturn:
        if token.kind == "end":
            self.refuse("a value is missing at the end", token)
        if token.text in (")", "]", ",", "*", "/", "**", "^"):
            self.refuse(f"a value is missing before '{token.text}'", token)
        self.refuse(_MEANINGLESS.get(token.text, f"'{token.text}' has no meaning in a formula"), token)

    def refuse_instead_of_operator(self, token: _Token) -> NoReturn:
        if token.kind in ("number", "name") or token.text == "(":
            self.refuse(f"an operator is missing before '{token.text}'; for a product write '*'", token)
        if token.text in (")", "]"):
            self.refuse(f"this '{token.text}' closes no bracket", token)
        if token.text in (".", "["):
            self.refuse("only a name has components, such as p.x or p[0]", token)
        if token.text == ",":
            self.refuse("a comma only stands between the values of a function", token)
        self.refuse(_MEANINGLESS.get(token.text, f"'{token.text}' has no meaning in a formula"), token)


# ── words for people
# ────────────────────────────────────────────────────────────────────────────────────────────────

_MEANINGLESS = {
    "=": "a formula has no '='; write one side minus the other",
    "|": "a formula has no '|'; write abs(…), or norm(…) for the length of a vector",
    "'": "text in quotes has no place in a formula",
    '"': "text in quotes has no place in a formula",
    "[": "lists have no place in a formula",
    "{": "braces have no place in a formula; write ( and )",
}

_OTHER_WORDS = {
    "ln": "log",
    "arcsin": "asin",
    "arccos": "acos",
    "arctan": "atan",
    "arctan2": "atan2",
    "fabs": "abs",
}
_OTHER_WORDS |= {"sgn": "sign", "length": "norm", "pow": "^", "power": "^", "time": "t"}

_LOOK_ALIKE = dict(
    zip(
        "АВЕЅІЈКМНОРСТХУаеорсухіјѕһԁԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧονı−–—‐‑×·⋅∙∗÷∕⁄",
        "ABESIJKMHOPCTXYaeopcyxijshdqwABEZHIKMNOPTYXovi-----*****///",
        strict=True,
    )
)


def _strange(character: str) -> str:
    """What to say of a character that is not printable ASCII: its name, and what was probably meant."""
    if character == "\0":
        return "a null character has no place in a formula"
    code = f"U+{ord(character):04X} {unicodedata.name(character, '')}".strip()
    if unicodedata.category(character)[0] in "CZ":
        return f"an invisible character ({code}) has no place in a formula; delete it"
    meant = _in_ascii(character)
    return f"'{character}' ({code}) is not ASCII" + (f"; did you mean '{meant}'?" if meant else "")


def _in_ascii(character: str) -> str | None:
    if character in _LOOK_ALIKE:
        return _LOOK_ALIKE[character]
    if character == "√":
        return "sqrt"
    if unicodedata.name(character, "").startswith("GREEK SMALL LETTER "):
        return unicodedata.name(character).split()[3].lower()  # π: pi
    plain = "".join(_LOOK_ALIKE.get(c, c) for c in unicodedata.normalize("NFKD", character))
    plain = plain.encode("ascii", "ignore").decode().strip()
    is_raised = unicodedata.decomposition(character).startswith("<super>")
    return ("^" + plain if is_raised else plain) or None


def _unknown(what: str, word: str, known: list[str]) -> str:
    """'unknown name', with the nearest known word, or else the known words."""
    by_lower_case = {name.lower(): name for name in reversed(known)}
    lower = word.lower()
    nearest = [_OTHER_WORDS[lower]] if _OTHER_WORDS.get(lower) in [*known, "^"] else []
    nearest += [by_lower_case[name] for name in difflib.get_close_matches(lower, by_lower_case, n=1)]
    advice = f"did you mean '{nearest[0]}'?" if nearest else f"known are {', '.join(known[:12])}"
    return f"unknown {what} '{_shortened(word)}'; {advice}"


def _shortened(word: str) -> str:
    return word if len(word) <= 40 else word[:40] + "…"


def _shape(value: casadi.SX) -> str:
    return "a number" if value.is_scalar() else f"a vector of {value.numel()}"


def _column(name: str, value: Any) -> casadi.SX:
    sx = casadi.SX(value)
    if not sx.is_column() or sx.is_empty():
        raise TypeError(
            f"the name '{name}' stands for a matrix of shape {sx.shape}; formulas know numbers and columns"
        )
    return casadi.densify(sx)


def _printable(text: str) -> str:
    return "".join(
        c if c.isprintable() else " " if c.isspace() else "\N{REPLACEMENT CHARACTER}" for c in text
    )


def _columns(character: str) -> int:
    """How many columns of a terminal a character takes."""
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
