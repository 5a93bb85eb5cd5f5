"""Reading a formula's tokens from left to right: taking what is expected, and refusing what is not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import NoReturn

from tinkerdyne.language.formula_error import MEANINGLESS, FormulaError
from tinkerdyne.language.tokens import Token, tokens_of

DEEPEST = 32  # brackets, powers of powers, and conditions, inside one another
WORDS = ("if", "else", "and", "or", "not")


class Reader:
    """A place in a formula, and the names that it may use."""

    def __init__(self, text: str, names: Mapping[str, object]) -> None:
        self.text = text
        self.names = names
        self.tokens = tokens_of(text)
        self.next = 0
        self.depth = 0

    @property
    def ahead(self) -> Token:
        return self.tokens[self.next]

    def advance(self) -> Token:
        token = self.ahead
        self.next = min(self.next + 1, len(self.tokens) - 1)
        return token

    def take(self, *texts: str) -> Token | None:
        return self.advance() if self.ahead.kind == "symbol" and self.ahead.text in texts else None

    def is_word(self, token: Token) -> bool:
        """Whether a name is a word of the grammar; a name of the caller's hides it."""
        return token.kind == "name" and token.text in WORDS and token.text not in self.names

    def take_word(self, text: str) -> Token | None:
        return self.advance() if self.ahead.text == text and self.is_word(self.ahead) else None

    def close(self, opening: Token) -> None:
        if not self.take({"(": ")", "[": "]"}[opening.text]):
            if self.ahead.kind == "end":
                self.refuse("this bracket is never closed", opening)
            self.refuse_instead_of_operator(self.ahead)

    @contextmanager
    def nested(self, token: Token) -> Iterator[None]:
        if self.depth >= DEEPEST:
            self.refuse(
                f"brackets, powers and conditions may lie {DEEPEST} deep inside one another, not deeper",
                token,
            )
        self.depth += 1
        yield
        self.depth -= 1

    def refuse(self, reason: str, token: Token) -> NoReturn:
        raise FormulaError(reason, self.text, token.position)

    def refuse_instead_of_value(self, token: Token) -> NoReturn:
        if token.kind == "end":
            self.refuse("a value is missing at the end", token)
        if token.text in (")", "]", ",", "*", "/", "**", "^", "<", "<=", ">", ">="):
            self.refuse(f"a value is missing before '{token.text}'", token)
        self.refuse(MEANINGLESS.get(token.text, f"'{token.text}' has no meaning in a formula"), token)

    def refuse_instead_of_operator(self, token: Token) -> NoReturn:
        if self.is_word(token):
            self.refuse(f"'{token.text}' does not fit here; write a if x > 0 and y > 0 else b", token)
        if token.kind in ("number", "name") or token.text == "(":
            self.refuse(f"an operator is missing before '{token.text}'; for a product write '*'", token)
        if token.text in (")", "]"):
            self.refuse(f"this '{token.text}' closes no bracket", token)
        if token.text in (".", "["):
            self.refuse("only a name has components, such as p.x or p[0]", token)
        if token.text == ",":
            self.refuse("a comma only stands between the values of a function", token)
        self.refuse(MEANINGLESS.get(token.text, f"'{token.text}' has no meaning in a formula"), token)
