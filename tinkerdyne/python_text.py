"""Python's own syntax, read by one thread at a time.

CPython counts the depth of the trees that it makes in one place for all threads: two that parse at once now
and then end in `SystemError: AST constructor recursion depth mismatch` (seen with 3.11.7, once in a hundred
first openings of a gallery on a busy machine).
"""

from __future__ import annotations

import ast
import threading

_reading = threading.Lock()


def module_tree(text: str, where: str = "<text>") -> ast.Module:
    """The syntax of a module."""
    with _reading:
        return ast.parse(text, where)


def expression_tree(text: str) -> ast.Expression:
    """The syntax of an expression."""
    with _reading:
        return ast.parse(text, mode="eval")
