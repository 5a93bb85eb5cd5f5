"""Conditions in a typed-in formula: a if x > 0 else b, with comparisons, and, or and not."""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass

import casadi

from tinkerdyne.language.reader import Reader
from tinkerdyne.language.symbols import SX
from tinkerdyne.language.tokens import Token

COMPARED = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}


@dataclass(frozen=True)
class Condition:
    """What a comparison gives: a truth, which is no number."""

    holds: SX


class Conditions(Reader):
    """The rules of the grammar above arithmetic, each a method that returns its expression."""

    def expression(self) -> SX | Condition:
        """The next rule below a comparison."""
        raise NotImplementedError

    def choice(self) -> SX | Condition:
        first = self.ahead
        value = self.either()
        word = self.take_word("if")
        if word is None:
            return value
        with self.nested(word):
            asked = self.ahead
            condition = self.as_condition(self.either(), asked)
            if self.take_word("else") is None:
                if self.ahead.kind != "end" and self.ahead.text not in (")", ","):
                    self.refuse_instead_of_operator(self.ahead)
                self.refuse("this 'if' has no 'else'; write a if x > 0 else b", word)
            after = self.ahead
            otherwise = self.as_number(self.choice(), after)
        value = self.as_number(value, first)
        if value.shape != otherwise.shape:
            self.refuse(
                f"a choice between {shape_of(value)} and {shape_of(otherwise)} has no one shape", word
            )
        return self.finite(casadi.if_else(condition.holds, value, otherwise), word)

    def either(self) -> SX | Condition:
        first = self.ahead
        left = self.both()
        while self.take_word("or"):
            second = self.ahead
            right = self.as_condition(self.both(), second)
            left = Condition(casadi.logic_or(self.as_condition(left, first).holds, right.holds))
        return left

    def both(self) -> SX | Condition:
        first = self.ahead
        left = self.negated()
        while self.take_word("and"):
            second = self.ahead
            right = self.as_condition(self.negated(), second)
            left = Condition(casadi.logic_and(self.as_condition(left, first).holds, right.holds))
        return left

    def negated(self) -> SX | Condition:
        word = self.take_word("not")
        if word is None:
            return self.comparison()
        with self.nested(word):
            asked = self.ahead
            return Condition(casadi.logic_not(self.as_condition(self.negated(), asked).holds))

    def comparison(self) -> SX | Condition:
        first = self.ahead
        left = self.expression()
        holds: SX | None = None
        while sign := self.take("<", "<=", ">", ">="):
            second = self.ahead
            a, b = self.as_number(left, first), self.as_number(self.expression(), second)
            if not (a.is_scalar() and b.is_scalar()):
                self.refuse("vectors have no order; compare norm(…) or a component", sign)
            link = COMPARED[sign.text](a, b)
            holds = link if holds is None else casadi.logic_and(holds, link)
            left, first = b, second
        return left if holds is None else Condition(holds)

    def as_number(self, value: SX | Condition, token: Token) -> SX:
        if isinstance(value, Condition):
            self.refuse("a condition is no number; write 1 if … else 0", token)
        return value

    def as_condition(self, value: SX | Condition, token: Token) -> Condition:
        if not isinstance(value, Condition):
            self.refuse("a condition is wanted here, such as x > 0", token)
        return value

    def finite(self, value: SX, token: Token) -> SX:
        """The same value; refused if it is a constant that is not a finite real number (9**9**9,
        sqrt(-1))."""
        if value.is_constant() and not value.is_regular():
            is_real = not any(math.isnan(float(element)) for element in value.elements())
            self.refuse(f"'{token.text}' gives no {'finite' if is_real else 'real'} number here", token)
        return value


def shape_of(value: SX) -> str:
    """A value in words."""
    return "a number" if value.is_scalar() else f"a vector of {value.numel()}"
