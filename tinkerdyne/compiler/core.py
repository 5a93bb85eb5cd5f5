"""Pointer Python: the step loop is written in a small subset of Python and compiled once, ahead of the run.

A `@compiled` function takes raw pointers (double* and int64*), integers and floats; `at(p, i)` is the pointer
p + i and `call(address, n, off, S)` runs a kernel. An `@entry("…")` function can be called from Python.
`compiler.translate` turns the whole program into LLVM IR on the first run ever; the object is cached like any
kernel's.
"""

from __future__ import annotations

import ctypes
import inspect
import logging
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar, overload

from tinkerdyne.compiler import machine
from tinkerdyne.compiler.records import Floats, Ints

log = logging.getLogger("tinkerdyne")

F = TypeVar("F", bound=Callable[..., object])

_functions: list[Callable[..., object]] = []
_inlined: set[Callable[..., object]] = set()
_entries: dict[str, tuple[Callable[..., object], str]] = {}
_loaded: dict[str, Any] = {}

_CTYPES = {"F": ctypes.c_void_p, "I": ctypes.c_void_p, "i": ctypes.c_int64, "d": ctypes.c_double}


@overload
def at(pointer: Ints, index: int) -> Ints: ...
@overload
def at(pointer: Floats, index: int) -> Floats: ...
def at(pointer: Any, index: int) -> Any:
    """The pointer `index` elements further on (a view, when run as plain Python over arrays)."""
    if isinstance(pointer, Ints):
        return Ints(pointer.array[index:])
    return Floats(pointer.array[index:]) if isinstance(pointer, Floats) else pointer[index:]


def call(address: int, n: int, off: Ints, S: Floats) -> None:
    """Run the kernel at this address over n instances."""
    raise RuntimeError("kernels run only in compiled code")


def compiled(function: F) -> F:
    """Make a function part of the compiled program."""
    _functions.append(function)
    return function


def inlined(function: F) -> F:
    """Make a function part of the compiled program that is written out where it is called.

    It is a part of a longer function, told apart to be read; its arithmetic is contracted with what stands
    around it.
    """
    _inlined.add(function)
    return compiled(function)


def inlined_functions() -> set[Callable[..., object]]:
    """All functions marked `@inlined`."""
    return _inlined


def entry(signature: str) -> Callable[[F], F]:
    """Make a function callable from Python; one letter an argument: F double*, I int64*, i int64, d double.

    Returns int64."""

    def register(function: F) -> F:
        _functions.append(function)
        _entries[function.__name__] = (function, signature)
        return function

    return register


def whole() -> tuple[Sequence[Callable[..., object]], Mapping[str, tuple[Callable[..., object], str]]]:
    """All compiled functions, and those that can be called from outside."""
    return _functions, _entries


def source() -> str:
    """All that the program depends on: its own files, the constants it is made with, and the translator."""
    package = Path(__file__).parent.parent
    files = {file for folder in ("compiler", "engine") for file in (package / folder).rglob("*.py")}
    files |= {Path(str(inspect.getsourcefile(f))) for f in _functions}
    return "\n".join(file.read_text() for file in sorted(files))


def program() -> dict[str, Any]:
    """The entries of the compiled program as C functions, compiled on the first run ever."""
    if _loaded:
        return _loaded
    key = machine.key_of("core\n" + source())
    names = [f"tk_{name}" for name in _entries]
    addresses = machine.load(key, names, _build)
    for (name, (_, signature)), address in zip(_entries.items(), addresses, strict=True):
        _loaded[name] = ctypes.CFUNCTYPE(ctypes.c_int64, *[_CTYPES[s] for s in signature])(address)
    return _loaded


def _build() -> bytes:
    """Translate the program and return its object code, with a word to whoever waits."""
    from tinkerdyne.compiler import translate

    begin = time.perf_counter()
    _say("translating", 0)
    text = translate.translate(_functions, _entries)
    _say("optimising", 1)
    code = machine.compile_ir(text, loops=True, progress=lambda: _say("emitting", 3))
    _say(f"done in {time.perf_counter() - begin:.1f} s", 4, end="\n")
    return code


def _say(what: str, done: int, end: str = "") -> None:
    """A progress bar of four parts on the terminal."""
    log.info("compiling the engine: %s", what)
    if sys.stderr.isatty() or os.environ.get("TINKERDYNE_PROGRESS"):
        bar = "█" * (6 * done) + "░" * (24 - 6 * done)
        print(f"\rcompiling the engine, once  {bar}  {what:<16}", end=end, file=sys.stderr, flush=True)
