"""Tokens of a typed-in formula: numbers, names and symbols of a text that keeps to the limits."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tinkerdyne.language.formula_error import FormulaError, strange

LONGEST = 500  # characters of a formula
MOST_PARTS = 200  # numbers, names and operators; this bounds the time a formula takes, here and in every step

_TOKEN = re.compile(
    r"[ \t\r\n]*(?:(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<name>[A-Za-z_][A-Za-z_0-9]*)|(?P<symbol>\*\*|[<>=!]=|[^ \t\r\n])|(?P<end>$))"
)


@dataclass(frozen=True)
class Token:
    """One number, name or symbol, and where it begins."""

    kind: str  # number, name, symbol or end
    text: str
    position: int


def tokens_of(text: str) -> list[Token]:
    """The tokens of a text that keeps to the limits; a last one marks the end."""
    if len(text) > LONGEST:
        raise FormulaError(f"a formula has at most {LONGEST} characters; this has {len(text)}", text, LONGEST)
    if not text.strip():
        raise FormulaError("the formula is empty", text, 0)
    for position, character in enumerate(text):
        if not (" " <= character <= "~" or character in "\t\r\n"):
            raise FormulaError(strange(character), text, position)

    tokens: list[Token] = []
    parts, at = 0, 0
    while not tokens or tokens[-1].kind != "end":
        match = _TOKEN.match(text, at)
        assert match is not None and match.lastgroup is not None, "every ASCII text has tokens"
        token = Token(match.lastgroup, match[match.lastgroup], match.start(match.lastgroup))
        parts += token.kind != "end" and token.text not in "()[],."
        if parts > MOST_PARTS:
            raise FormulaError(
                f"a formula has at most {MOST_PARTS} numbers, names and operators", text, token.position
            )
        tokens.append(token)
        at = match.end()
    return tokens
