"""Typed-in formulas: text becomes a CasADi expression by a small grammar, and nothing in the text is ever
executed.

    choice     = either ("if" either "else" choice)?
    either     = both ("or" both)*
    both       = negated ("and" negated)*
    negated    = "not" negated | comparison
    comparison = expression (("<" | "<=" | ">" | ">=") expression)*
    expression = term (("+" | "-") term)*
    term       = signed (("*" | "/") signed)*
    signed     = ("+" | "-")* power
    power      = atom (("**" | "^") signed)?            right to left, and above the sign: −x^2 = −(x^2)
    atom       = number | "(" choice ")" | function "(" choice ("," choice)* ")"
               | name | name "." ("x" | "y" | "z") | name "[" whole number "]"

The grammar is Python's, so that a formula means the same in both; only `^`, a bitwise operation there, is a
power here. It is read directly rather than through `ast`, which would bind `^` more loosely than `+`, take
words such as `lambda` away from the names, fold look-alike letters silently, and report errors in its own
terms.

Derivatives. `floor` and `sign` are constant between their jumps: their derivative is 0 everywhere, at the
jumps too, so a formula built on them changes its value without any velocity. The derivatives of `abs`, `min`
and X
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import casadi

from tinkerdyne.language.conditions import Condition, Conditions, shape_of
from tinkerdyne.language.formula_error import FormulaError, unknown
from tinkerdyne.language.functions import CONSTANTS, FUNCTIONS
from tinkerdyne.language.symbols import SX

__all__ = ["CONSTANTS", "FUNCTIONS", "FormulaError", "parse"]

OTHER_CHOICES = ("if", "if_else", "ifelse", "iff", "where", "piecewise")
MISPLACED = {"if": "a condition stands between its values: a if x > 0 else b"}


def parse(text: str, names: Mapping[str, object]) -> SX:
    """The scalar expression that `text` describes, over the given names (scalars or column vectors).

    A name of the caller's hides a constant of the same name. Raises FormulaError, pointing at a character.
    """
    if not isinstance(text, str):
        raise TypeError(f"a formula is text, such as '2*x + 1'; this is {text!r}, a {type(text).__name__}")
    return FormulaReader(text, names).formula()


class FormulaReader(Conditions):
    """Reads one formula; each method reads one rule of the grammar and returns its expression."""

    def formula(self) -> SX:
        first = self.ahead
        result = self.as_number(self.choice(), first)
        if self.ahead.kind != "end":
            self.refuse_instead_of_operator(self.ahead)
        if not result.is_scalar():
            self.refuse(
                f"the formula gives {shape_of(result)}, and one number is wanted; take norm(…), dot(…, …) or "
                "a component",
                first,
            )
        return result

    # ── arithmetic ──

    def expression(self) -> SX | Condition:
        first = self.ahead
        left = self.term()
        while operator := self.take("+", "-"):
            second = self.ahead
            a, b = self.as_number(left, first), self.as_number(self.term(), second)
            if a.shape != b.shape:
                verb = "added" if operator.text == "+" else "subtracted"
                self.refuse(f"{shape_of(a)} and {shape_of(b)} cannot be {verb}", operator)
            left = self.finite(a + b if operator.text == "+" else a - b, operator)
        return left

    def term(self) -> SX | Condition:
        first = self.ahead
        left = self.signed()
        while operator := self.take("*", "/"):
            second = self.ahead
            a, b = self.as_number(left, first), self.as_number(self.signed(), second)
            if operator.text == "/":
                if not b.is_scalar():
                    self.refuse(f"{shape_of(b)} cannot divide", operator)
                if b.is_zero():
                    self.refuse("division by zero", operator)
                left = self.finite(a / b, operator)
            else:
                if not (a.is_scalar() or b.is_scalar()):
                    self.refuse("two vectors have no product '*'; write dot(…, …) or cross(…, …)", operator)
                left = self.finite(a * b, operator)
        return left

    def signed(self) -> SX | Condition:
        is_negative, is_signed = False, False
        while sign := self.take("+", "-"):
            is_negative ^= sign.text == "-"
            is_signed = True
        first = self.ahead
        value = self.power()
        if not is_signed:
            return value
        value = self.as_number(value, first)
        return -value if is_negative else value

    def power(self) -> SX | Condition:
        first = self.ahead
        value = self.atom()
        operator = self.take("**", "^")
        if operator is None:
            return value
        base = self.as_number(value, first)
        with self.nested(operator):
            second = self.ahead
            exponent = self.as_number(self.signed(), second)
        if not (base.is_scalar() and exponent.is_scalar()):
            self.refuse("a vector has no powers; for the square of its length write dot(p, p)", operator)
        return self.finite(base**exponent, operator)

    def atom(self) -> SX | Condition:
        token = self.ahead
        if token.kind == "number":
            return self.number()
        if token.kind == "name":
            if self.is_word(token):
                self.refuse(MISPLACED.get(token.text, f"a value is missing before '{token.text}'"), token)
            return self.call() if self.tokens[self.next + 1].text == "(" else self.name()
        if self.take("("):
            with self.nested(token):
                value = self.choice()
            self.close(token)
            return value
        self.refuse_instead_of_value(token)

    def number(self) -> SX:
        token, after = self.advance(), self.ahead
        if after.text in ("j", "J") and after.position == token.position + len(token.text):
            self.refuse("complex numbers have no place in a formula", after)
        if not math.isfinite(float(token.text)):
            self.refuse("this number is too large (the largest is about 1.8e308)", token)
        return casadi.SX(float(token.text))

    def name(self) -> SX:
        token = self.advance()
        if token.text in self.names:
            value = _column(token.text, self.names[token.text])
        elif token.text in CONSTANTS:
            value = casadi.SX(CONSTANTS[token.text])
        elif token.text in FUNCTIONS:
            self.refuse(f"'{token.text}' is a function; write {token.text}(…)", token)
        else:
            self.refuse(unknown("name", token.text, [*self.names, *CONSTANTS, *FUNCTIONS]), token)
        if self.ahead.text in (".", "["):
            return self.component(token.text, value)
        return value

    def component(self, name: str, vector: SX) -> SX:
        opening, which = self.advance(), self.advance()
        size = vector.numel()
        if size == 1:
            self.refuse(f"'{name}' is a single number; it has no components", opening)
        if opening.text == ".":
            letters = "xyz"[:size] if size <= 3 else ""
            if len(which.text) != 1 or which.text not in letters:
                wanted = ", ".join(f".{letter}" for letter in letters) if letters else f"[0] to [{size - 1}]"
                self.refuse(f"'{name}' is {shape_of(vector)}; its components are {wanted}", which)
            return vector[letters.index(which.text)]
        if not which.text.isdigit() or int(which.text) >= size:
            self.refuse(f"'{name}' is {shape_of(vector)}; between its brackets goes 0 to {size - 1}", which)
        self.close(opening)
        return vector[int(which.text)]

    def call(self) -> SX:
        token, opening = self.advance(), self.advance()
        if token.text not in FUNCTIONS:
            if token.text in OTHER_CHOICES:
                self.refuse("a condition stands between its values: a if x > 0 else b", token)
            if token.text in self.names or token.text in CONSTANTS:
                self.refuse(
                    f"'{token.text}' is not a function; for a product write '{token.text}*('", opening
                )
            self.refuse(unknown("function", token.text, list(FUNCTIONS)), token)
        function = FUNCTIONS[token.text]
        arguments: list[SX] = []
        with self.nested(opening):
            if self.ahead.text != ")":
                arguments.append(self.argument())
            while self.take(","):
                arguments.append(self.argument())
        self.close(opening)

        if not function.fewest <= len(arguments) <= function.most:
            wanted = {1: "one value", 2: "two values"}.get(function.most, "two or more values")
            self.refuse(f"'{token.text}' takes {wanted} between its brackets, not {len(arguments)}", token)
        for argument in arguments:
            if argument.is_scalar() != (function.operand == "number"):
                self.refuse(f"'{token.text}' takes a {function.operand}, not {shape_of(argument)}", token)
        try:
            result = function.compute(*arguments)
        except ValueError as misfit:  # vectors of unequal or unfit sizes
            self.refuse(str(misfit), token)
        return self.finite(result, token)

    def argument(self) -> SX:
        first = self.ahead
        return self.as_number(self.choice(), first)


def _column(name: str, value: object) -> SX:
    sx = casadi.SX(value)
    if not sx.is_column() or sx.is_empty():
        raise TypeError(
            f"the name '{name}' stands for a matrix of shape {sx.shape}; formulas know numbers and columns"
        )
    return casadi.densify(sx)
