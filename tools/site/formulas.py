"""Formulas as docstrings write them, c = |b − a| − length, as TeX; Sphinx makes MathML of it.

A formula stands behind a colon and two spaces, and ends where prose goes on: at the unit, a semicolon, or a
comma with a word behind it.
"""

from __future__ import annotations

import re
import unicodedata

BEGIN = re.compile(r"(?<=:)\s\s+(?=\S)|^(?=\|)")
END = re.compile(
    r"\s+\[|;\s|\.(?=\s|$)|\n\n|,?\s(?:with|held|where|over)\s"
    r"|,\s+(?=(?:and|zero|cut|in|shape|u from|and their)\b)"
)
SUPERS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿᵀ", "0123456789+-nT")
SUBS = str.maketrans("₀₁₂₃₄₅₆₇₈₉₊₋ᵢⱼ", "0123456789+-ij")
SIGNS = {
    "−": "-", "·": r"\cdot ", "×": r"\times ", "≥": r"\ge ", "≤": r"\le ", "≈": r"\approx ", "∮": r"\oint ",
    "∫": r"\int ", "Σ": r"\sum ", "½": r"\tfrac{1}{2}", "¼": r"\tfrac{1}{4}", "…": r"\ldots ",
    "∂": r"\partial ", "√": r"\surd ", "→": r"\to ", "%": r"\%", "#": r"\#", "&": r"\&", "$": r"\$", "`": "",
}  # fmt: skip
FUNCTIONS = {"sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "log", "det", "max", "min"}
PROSE = {"while", "else", "of", "across", "if", "for"}
DOTS = {"\u0307": r"\dot", "\u0308": r"\ddot"}
TOKEN = re.compile(
    r"[_^]\{[^{}]*\}|\\frac\{|\}\{|\}|[^\W\d_][^\W\d_\u0307\u0308]*(?:[\u0307\u0308][^\W\d_]*)?|\d+(?:\.\d+)?|\s+|.",
    re.S,
)
OPERATORS = set("=−·×≥≤≈+/,(|<>∮∫Σ:")


def found(text: str) -> tuple[str, str, str]:
    """(before, formula, after) of the first formula of a text; without one it all stands before."""
    begin = BEGIN.search(text)
    if begin is None:
        return text, "", ""
    end = END.search(text, begin.end())
    stop = end.start() if end else len(text)
    formula = text[begin.end() : stop].strip()
    is_formula = any(sign in formula for sign in "=≥|∮·^") or formula.startswith("vec(")
    if not is_formula or re.search(r"[a-z]{2,} [a-z]{2,} [a-z]{2,} [a-z]{2,}", formula):
        return text, "", ""
    return text[: begin.start()], formula, text[stop:]


def tex(formula: str) -> str:
    """A formula in plain characters as TeX."""
    text = unicodedata.normalize("NFD", " ".join(formula.split()))
    text = re.sub("[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿᵀ]+", lambda m: f"^{{{m[0].translate(SUPERS)}}}", text)
    text = re.sub("[₀₁₂₃₄₅₆₇₈₉₊₋ᵢⱼ]+", lambda m: f"_{{{m[0].translate(SUBS)}}}", text)
    text = re.sub(r"_([^\W_{]+)", r"_{\1}", text)  # m_a, ω_rel
    text = re.sub(r"\^\(([^()]*)\)", r"^{\1}", text)
    text = re.sub(r"([−=·(,+/|]|^) +|  +", lambda m: m[1] or " ", text)
    return joined(TOKEN.findall(with_quotients(text))).strip()


def with_quotients(text: str) -> str:
    """(…)/2 and 1/x as fractions, where both sides are one thing."""
    thing = r"(\([^()]*\)|\|[^|]*\||[\w\u0307\u0308]+(?:[_^]\{[^{}]*\})*)"

    def fraction(parts: re.Match[str]) -> str:
        top, bottom = (one[1:-1] if one[0] == "(" else one for one in parts.groups())
        return rf"\frac{{{top}}}{{{bottom}}}"

    return re.sub(rf"{thing} ?/ ?{thing}", fraction, text)


def joined(tokens: list[str]) -> str:
    """Tokens as TeX: spaces only between operands, bars that know their side."""
    out, before, depth = "", "", 0  # the last token that is no space; bars that are open
    for k, token in enumerate(tokens):
        following = next((one for one in tokens[k + 1 :] if not one.isspace()), "")
        if token.isspace():
            out += spaced(before, following)
            continue
        if token == "|":
            opens = depth == 0 or before in OPERATORS
            out += r"\lvert " if opens else r"\rvert "
            depth += 1 if opens else -1
            before = "(" if opens else ")"
            continue
        out += word(token)
        before = token
    return out


def spaced(before: str, following: str) -> str:
    """The space between two tokens."""
    if before == ",":
        return r"\; "
    if before in OPERATORS or following in OPERATORS - {"("} or not following:
        return " "
    return r"\, "


def word(text: str) -> str:
    """One word, number, sign or script."""
    if text[0] in "_^" and text.endswith("}"):
        inner = joined(TOKEN.findall(text[2:-1]))
        return text[0] + "{" + (r"\mathsf{T}" if inner == "T" else inner) + "}"
    for dot, command in DOTS.items():
        if dot in text:
            return f"{command}{{{word(text.replace(dot, ''))}}}"
    if text in SIGNS:
        return SIGNS[text]
    if text in FUNCTIONS:
        return rf"\{text} "
    if text in PROSE:
        return rf"\text{{ {text} }}"
    if re.fullmatch("d[a-z]", text):
        return rf"\mathrm{{d}}{text[1]}"
    return rf"\mathrm{{{text}}}" if len(text) > 1 and text.isalpha() else text
