"""Calls that do not fit: Python says which argument is missing or unknown, and this adds how to call."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable
from types import FunctionType
from typing import TypeVar, cast

from tinkerdyne.language.checks import did_you_mean

Function = TypeVar("Function", bound=Callable[..., object])
Class = TypeVar("Class", bound=type)

WIDEST = 100  # characters of a call that is shown


def says_how(function: Function, owner: str = "", line: str = "") -> Function:
    """The same function; who calls it with the wrong arguments reads how it is called."""

    @functools.wraps(function)
    def call(*given: object, **options: object) -> object:
        try:
            return function(*given, **options)
        except TypeError as problem:
            if problem.__traceback__ is None or problem.__traceback__.tb_next is not None:
                raise  # the call was right, and something within it was not
            said = str(problem)
        raise TypeError(f"{said}; {line or _how(function, owner, said)}")

    return cast(Function, call)


def methods_say_how(making: str = "") -> Callable[[Class], Class]:
    """Let the public methods of a class say how they are called; `making`: a line for who makes one."""

    def explained(owner: Class) -> Class:
        for name, method in list(vars(owner).items()):
            if isinstance(method, FunctionType) and (name == "__init__" or not name.startswith("_")):
                setattr(owner, name, says_how(method, owner.__name__, making * (name == "__init__")))
        return owner

    return explained


def _how(function: Callable[..., object], owner: str, said: str) -> str:
    """What to write: the call with its defaults, and the nearest argument where one was unknown."""
    signature = inspect.signature(function)
    plain = [p.replace(annotation=p.empty) for p in signature.parameters.values() if p.name != "self"]
    plain = [p for p in plain if p.name not in ("unknown", "options")]
    name = function.__name__
    word = owner if name == "__init__" else f"{owner.lower()}.{name}" if owner else name
    unknown = re.search(r"unexpected keyword argument '(\w+)'", said)
    near = did_you_mean(unknown[1], [p.name for p in plain]) if unknown else ""
    while len(str(inspect.Signature(plain))) > WIDEST and plain[-1].default is not inspect.Parameter.empty:
        plain.pop()  # the others are in its help
    return f"write {word}{inspect.Signature(plain)}{near}"
