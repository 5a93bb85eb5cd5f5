"""The notation of formulas by hand: `|a − b| = 2 r`, with bars, printed signs and products without one.

It is rewritten to the grammar of typed formulas (`language/parse.py`), and every character of the result
knows which typed one it comes from, so that a fault points at what was typed.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import casadi as ca

from tinkerdyne.language.conditions import Condition
from tinkerdyne.language.formula_error import FormulaError
from tinkerdyne.language.functions import CONSTANTS, FUNCTIONS
from tinkerdyne.language.parse import FormulaReader
from tinkerdyne.language.reader import WORDS
from tinkerdyne.language.symbols import SX
from tinkerdyne.language.tokens import Token, tokens_of
from tinkerdyne.python_text import expression_tree

PRINTED = {
    "−": "-", "–": "-", "·": "*", "⋅": "*", "×": "*", "÷": "/", "≤": "<=", "≥": ">=", "²": "^2", "³": "^3",
    "π": "pi", "τ": "tau", "‖": "|",
}  # fmt: skip
RELATIONS = ("=", "==", "<=", ">=", "<", ">")
VECTORS = tuple(name for name, function in FUNCTIONS.items() if function.operand == "vector")
LETTERS = "xyz"


@dataclass(frozen=True)
class Piece:
    """Text in the grammar of formulas, and where each of its characters was typed."""

    text: str
    source: tuple[int, ...]

    def at(self, position: int) -> int:
        """Where a character was typed."""
        if position < len(self.source):
            return self.source[position]
        return self.source[-1] + 1 if self.source else 0

    def cut(self, start: int, stop: int) -> Piece:
        return Piece(self.text[start:stop], self.source[start:stop])

    def rewritten(self, changes: Mapping[int, tuple[int, str]]) -> Piece:
        """With some characters replaced: place → (how many, by what)."""
        text, source, k = "", [], 0
        while k <= len(self.text):
            count, put = changes.get(k, (0, ""))
            text += put
            source += [self.at(k)] * len(put)
            if count == 0 and k < len(self.text):
                text += self.text[k]
                source.append(self.source[k])
                count = 1
            k += count or 1
        return Piece(text, tuple(source))


@dataclass(frozen=True)
class Relation:
    """One line of what was typed: a formula, or two with a sign between them."""

    left: Piece
    sign: str = ""
    right: Piece | None = None

    def sides(self) -> Iterator[Piece]:
        yield self.left
        if self.right is not None:
            yield self.right


def relations(typed: str) -> tuple[Relation, ...]:
    """What was typed, divided at commas and semicolons outside of brackets. Raises FormulaError at the typed
    character."""
    return tuple(_relation(_with_products(part)) for part in _divided(_printed(typed)))


def names_in(found: tuple[Relation, ...]) -> dict[str, bool]:
    """The names that stand for something, in their order, and whether each looks like a place: it has
    components, or stands in bars or in a function of vectors without being multiplied."""
    names: dict[str, bool] = {}
    for line in found:
        for side in line.sides():
            for name, is_place in _used(_tokens(side)):
                names[name] = names.get(name, False) or is_place
    return names


def strict(side: Piece, symbols: Mapping[str, SX]) -> Piece:
    """A side without bars: the length of a vector, or the size of a number, as its names are."""
    while (bars := _innermost(side)) is not None:
        opening, closing = bars
        try:
            value = FormulaReader(side.text[opening + 1 : closing], symbols).choice()
            is_vector = not isinstance(value, Condition) and not value.is_scalar()
        except FormulaError as problem:
            at = side.at(opening + 1 + problem.position)
            raise FormulaError(problem.reason, side.text, at) from None
        word = "norm(" if is_vector else "abs("
        side = side.rewritten({opening: (1, word), closing: (1, ")")})
    return side


def value_of(side: Piece, symbols: Mapping[str, SX]) -> SX:
    """What a strict side gives, a number or a vector. Raises FormulaError at the typed character."""
    try:
        reader = FormulaReader(side.text, symbols)
        first = reader.ahead
        value = reader.as_number(reader.choice(), first)
        if reader.ahead.kind != "end":
            reader.refuse_instead_of_operator(reader.ahead)
    except FormulaError as problem:
        raise FormulaError(problem.reason, side.text, side.at(problem.position)) from None
    return value


def component(text: str, k: int, sizes: Mapping[str, int]) -> str:
    """The k-th number of a strict formula that gives a vector, as a formula of its own: of `-c*(a - b)` it is
    `-c*(a.x - b.x)`. Both grammars read the same (`language/parse.py`), so Python's trees serve."""
    tree = expression_tree(text.replace("^", "**").strip())
    return ast.unparse(_component(tree.body, k, lambda name: sizes.get(name, 1)))


# --- dividing what was typed --------------------------------------------------------------------------
def _printed(typed: str) -> Piece:
    text, source = "", []
    for k, character in enumerate(typed):
        put = PRINTED.get(character, character)
        text += put
        source += [k] * len(put)
    return Piece(text, tuple(source))


def _tokens(side: Piece) -> list[Token]:
    try:
        return tokens_of(side.text)[:-1]
    except FormulaError as problem:
        raise FormulaError(problem.reason, side.text, side.at(problem.position)) from None


def _divided(plain: Piece) -> list[Piece]:
    parts, depth, start = [], 0, 0
    for token in _tokens(plain):
        depth += (token.text in ("(", "[")) - (token.text in (")", "]"))
        if token.text in (",", ";") and depth <= 0:
            parts.append(plain.cut(start, token.position))
            start = token.position + 1
    parts.append(plain.cut(start, len(plain.text)))
    for k, part in enumerate(parts):
        if not part.text.strip():
            at = parts[k - 1].at(len(parts[k - 1].text)) if k else 0
            raise FormulaError("a formula is missing here", plain.text, at)
    return parts


def _with_products(part: Piece) -> Piece:
    """With the signs of products that were left out: `2 r`, `2(a + b)`, `m g`."""
    changes: dict[int, tuple[int, str]] = {}
    before: Token | None = None
    open_bars = 0
    for token in _tokens(part):
        is_value = before is not None and _ends_a_value(before)
        is_bar = token.text == "|"
        if is_bar and is_value and open_bars:
            open_bars -= 1
            before = Token("symbol", ")", token.position)
            continue
        begins = is_bar or token.text == "(" or (token.kind == "name" and token.text not in WORDS)
        is_call = (
            token.text == "("
            and before is not None
            and before.kind == "name"
            and (before.text in FUNCTIONS or before.position + len(before.text) == token.position)
        )
        if is_value and begins and not is_call:
            changes[token.position] = (0, "*")
        open_bars += is_bar
        before = Token("symbol", "(", token.position) if is_bar else token
    if open_bars:
        raise FormulaError("this bar is never closed", part.text, part.at(part.text.find("|")))
    return part.rewritten(changes)


def _ends_a_value(token: Token) -> bool:
    return (
        token.kind == "number"
        or token.text in (")", "]")
        or (token.kind == "name" and token.text not in WORDS)
    )


def _relation(part: Piece) -> Relation:
    """Divided at its sign; what is compared between `if` and `else` is a condition."""
    depth, asked, found = 0, 0, []
    for token in _tokens(part):
        depth += (token.text in ("(", "[")) - (token.text in (")", "]"))
        asked += (token.kind == "name" and token.text == "if") - (
            token.kind == "name" and token.text == "else"
        )
        if token.text in RELATIONS and not depth and not asked:
            found.append(token)
    if not found:
        return Relation(part)
    if len(found) > 1:
        at = part.at(found[1].position)
        raise FormulaError("one sign is enough; write the second relation after a comma", part.text, at)
    sign = found[0]
    after = sign.position + len(sign.text)
    left, right = part.cut(0, sign.position), part.cut(after, len(part.text))
    for side, at in ((left, sign.position), (right, after)):
        if not side.text.strip():
            where = "before" if side is left else "after"
            raise FormulaError(f"a value is missing {where} '{sign.text}'", part.text, part.at(at))
    return Relation(left, "=" if sign.text == "==" else sign.text, right)


# --- what names are -----------------------------------------------------------------------------------
def _used(tokens: list[Token]) -> Iterator[tuple[str, bool]]:
    """Every name that stands for something, and whether it looks like a place there."""
    inside: list[bool] = []  # of each bracket that is open: whether vectors stand in it
    open_bars, was_closed = 0, False
    for k, token in enumerate(tokens):
        before, after = tokens[k - 1].text if k else "", tokens[k + 1].text if k + 1 < len(tokens) else ""
        if token.text == "(":
            inside.append(before in VECTORS or (bool(inside) and inside[-1] and before not in FUNCTIONS))
        elif token.text == ")" and inside:
            inside.pop()
        elif token.text == "|":
            was_closed = open_bars > 0 and (_ends_a_value(tokens[k - 1]) or (before == "|" and was_closed))
            open_bars += -1 if was_closed else 1
        is_part = before == "." and k > 1 and tokens[k - 2].kind == "name"
        if token.kind != "name" or is_part or token.text in WORDS or token.text == "t":
            continue
        if token.text in FUNCTIONS or token.text in CONSTANTS:
            continue
        within = open_bars > 0 if not inside else inside[-1] or (open_bars > 0 and all(inside))
        is_factor = {before, after} & {"*", "/", "^", "**"} and not _is_scaled(tokens, k)
        yield token.text, after in (".", "[") or (bool(within) and not is_factor)


def _is_scaled(tokens: list[Token], k: int) -> bool:
    """Whether a name is multiplied or divided by numbers alone: `2*a` scales a place."""
    left = tokens[k - 1].text == "*" and k > 1 and tokens[k - 2].kind == "number" if k else False
    after = tokens[k + 1 : k + 3]
    right = len(after) == 2 and after[0].text in ("*", "/") and after[1].kind == "number"
    return left or right


def _innermost(side: Piece) -> tuple[int, int] | None:
    """Where a pair of bars without others in it stands."""
    opened: list[int] = []
    before: Token | None = None
    for token in _tokens(side):
        if token.text == "|":
            if opened and before is not None and _ends_a_value(before):
                return opened[-1], token.position
            opened.append(token.position)
            before = None
        else:
            before = token
    return None


# --- components ---------------------------------------------------------------------------------------
def _component(node: ast.expr, k: int, size: Callable[[str], int]) -> ast.expr:
    def take(one: ast.expr) -> ast.expr:
        return _component(one, k, size) if _is_vector(one, size) else one

    match node:
        case ast.Name(name) if size(name) > 1:
            return ast.Attribute(node, LETTERS[k], ast.Load())
        case ast.UnaryOp(operator, operand):
            return ast.UnaryOp(operator, take(operand))
        case ast.BinOp(left, operator, right):
            return ast.BinOp(take(left), operator, take(right))
        case ast.IfExp(test, body, otherwise):
            return ast.IfExp(test, take(body), take(otherwise))
        case ast.Call(ast.Name("cross"), [a, b]):
            i, j = (k + 1) % 3, (k + 2) % 3
            one = ast.BinOp(_component(a, i, size), ast.Mult(), _component(b, j, size))
            other = ast.BinOp(_component(a, j, size), ast.Mult(), _component(b, i, size))
            return ast.BinOp(one, ast.Sub(), other)
    return node


def _is_vector(node: ast.expr, size: Callable[[str], int]) -> bool:
    match node:
        case ast.Name(name):
            return size(name) > 1
        case ast.UnaryOp(_, operand):
            return _is_vector(operand, size)
        case ast.BinOp(left, _, right):
            return _is_vector(left, size) or _is_vector(right, size)
        case ast.IfExp(_, body, _):
            return _is_vector(body, size)
        case ast.Call(ast.Name("cross")):
            return True  # in the plane it is a number, and nobody asks for components
    return False


def symbols_of(sizes: Mapping[str, int]) -> dict[str, SX]:
    """A symbol for every name of a formula, and the time."""
    return {"t": ca.SX.sym("t")} | {name: ca.SX.sym(name, count) for name, count in sizes.items()}
