"""Errors and warnings in words for a person, without a traceback."""

from __future__ import annotations

import contextlib
import threading
import traceback
from collections.abc import Iterator
from pathlib import Path

import msgspec

KNOWN = (ValueError, TypeError, KeyError, ReferenceError, AttributeError, msgspec.MsgspecError)
_here = threading.local()


@contextlib.contextmanager
def quietly() -> Iterator[None]:
    """What this thread warns of meanwhile is for nobody: it works on a copy.

    (`warnings.catch_warnings` is for all threads.)"""
    _here.is_quiet = True
    try:
        yield
    finally:
        _here.is_quiet = False


def is_quiet() -> bool:
    """Whether this thread works quietly."""
    return getattr(_here, "is_quiet", False)


def said(problem: BaseException) -> str:
    """What went wrong."""
    if isinstance(problem, OSError):
        named = f"{problem.filename}: " if problem.filename else ""
        return f"{named}{problem.strerror or problem}"
    if isinstance(problem, RecursionError):
        return "this is nested too deeply"
    words = problem.args[0] if isinstance(problem, KeyError) and problem.args else problem
    text = str(words) or type(problem).__name__
    if isinstance(problem, KNOWN):
        return text
    lines = traceback.extract_tb(problem.__traceback__)
    where = f" ({Path(lines[-1].filename).name}, line {lines[-1].lineno})" if lines else ""
    return f"{type(problem).__name__}: {text}{where}"
