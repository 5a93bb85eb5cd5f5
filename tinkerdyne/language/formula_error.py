"""Errors of typed-in formulas: the reason, the text, and a caret under the offending character."""

from __future__ import annotations

import difflib
import unicodedata


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


MEANINGLESS = {
    "=": "a formula has no '='; write one side minus the other",
    "|": "a formula has no '|'; write abs(…), or norm(…) for the length of a vector",
    "'": "text in quotes has no place in a formula",
    '"': "text in quotes has no place in a formula",
    "[": "lists have no place in a formula",
    "{": "braces have no place in a formula; write ( and )",
    "?": "a formula has no '?'; write a if x > 0 else b",
    "&": "a formula has no '&'; write and",
    "!": "a formula has no '!'; write not",
    "==": "numbers that move are hardly ever equal; write abs(a - b) < 1e-9",
    "!=": "numbers that move are hardly ever equal; write abs(a - b) > 1e-9",
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


def strange(character: str) -> str:
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


def unknown(what: str, word: str, known: list[str]) -> str:
    """'unknown name', with the nearest known word, or else the known words."""
    by_lower_case = {name.lower(): name for name in reversed(known)}
    lower = word.lower()
    nearest = [_OTHER_WORDS[lower]] if _OTHER_WORDS.get(lower) in [*known, "^"] else []
    nearest += [by_lower_case[name] for name in difflib.get_close_matches(lower, by_lower_case, n=1)]
    advice = f"did you mean '{nearest[0]}'?" if nearest else f"known are {', '.join(known[:12])}"
    return f"unknown {what} '{_shortened(word)}'; {advice}"


def _shortened(word: str) -> str:
    return word if len(word) <= 40 else word[:40] + "…"


def _printable(text: str) -> str:
    return "".join(
        c if c.isprintable() else " " if c.isspace() else "\N{REPLACEMENT CHARACTER}" for c in text
    )


def _columns(character: str) -> int:
    """How many columns of a terminal a character takes."""
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
