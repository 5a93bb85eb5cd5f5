"""The engine of a world for another machine: its program for WebAssembly, and the arena as it is.

The arena holds addresses of kernels; abroad they are places of a table of functions instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tinkerdyne.compiler import core, machine, translate, wasm
from tinkerdyne.compiler.records import place_of
from tinkerdyne.engine.contact.problem import Problem
from tinkerdyne.engine.contact.touching import Touching
from tinkerdyne.engine.engine import Engine
from tinkerdyne.language.arrays import Array

CONSTANTS = 1024  # byte of memory where the constants of the core begin
LOWEST = 1 << 20  # no number of I that is no address is as large
# What a page calls of the core; where things touch, no other steps are taken than those with contact.
ENTRIES = ("advance", "evaluate", "evaluate_flow", "begin", "pull_reactions")
TOUCHING = ("advance_touching", "evaluate", "begin", "pull_reactions")
TOUCHING_FIRST_ORDER = ("advance_touching_first_order", "evaluate_flow", "begin", "pull_reactions")
CORES = (ENTRIES, TOUCHING, TOUCHING_FIRST_ORDER)


@dataclass(frozen=True)
class Abroad:
    """What goes with a world: kernels as a module, and the two arrays."""

    kernels: bytes
    ints: Array
    floats: Array
    others: tuple[int, ...]  # places in the table of kernels that the arena does not call
    first_free: int  # byte of memory behind all constants


def core_module(called: tuple[str, ...] = ENTRIES) -> bytes:
    """What a page needs of the core, for WebAssembly: compiled once, and kept. It has no data in memory."""
    return machine.kept(core_key(called), lambda: build_core(called))


def called_by(engine: Engine) -> tuple[str, ...]:
    """What the page of a world calls."""
    if not engine.contacts.is_on():
        return ENTRIES
    return TOUCHING_FIRST_ORDER if engine.is_first_order else TOUCHING


def core_key(called: tuple[str, ...]) -> str:
    """The name of that module; the machine that makes it does not matter."""
    return wasm.key_of(f"core {called}\n" + core.source())


def build_core(called: tuple[str, ...]) -> bytes:
    """Compile it. The part with contact is large, and goes in a file: it is compiled for size."""
    functions, entries = core.whole()
    text = translate.translate(functions, {name: entries[name] for name in called})
    module = wasm.link(wasm.compile_wasm(text, loops=True, is_small=called != ENTRIES), base=CONSTANTS)
    assert module.end == CONSTANTS
    return module.code


def abroad(engine: Engine, others: Mapping[str, Sequence[str]]) -> Abroad:
    """The kernels that the arena calls, and the arena with their places in the table of functions, where
    kernel k stands at place k. `others` are kernels beside those, by the text of their modules.

    The tables of the tangent matrix are laid out: steps that want them can be taken."""
    engine.ready()
    engine.have_tangent()
    ints, floats = engine.arena.I.copy(), engine.arena.S.copy()
    called = set(ints[ints >= LOWEST].tolist())
    names = [(text, name) for text, found in others.items() for name in found]
    stand_in = {pair: -1 - k for k, pair in enumerate(names)}  # addresses of those that have none
    extra = {text: [(stand_in[text, name], name) for name in found] for text, found in others.items()}
    code, addresses = wasm.compile_kernels({**machine.sources(called), **extra})
    place = {address: k for k, address in enumerate(addresses, start=1)}
    for address in called:
        ints[ints == address] = place[address]
    module = wasm.link(code, base=CONSTANTS)
    return Abroad(module.code, ints, floats, tuple(place[stand_in[pair]] for pair in names), module.end)


ARRAYS = ("T", "Y", "D", "F", "P", "K", "X")  # of contact, in the order in which the core takes them
LINE = 8  # numbers in a line of memory, where each of them begins
ROOM = 12  # contacts for each surface


def contact_abroad(engine: Engine) -> tuple[dict[str, object], bytes]:
    """The arrays of contact one behind the other, with room for what is to come, and where what lies."""
    arena = engine.contacts.arena
    arena.have_room(ROOM * len(arena.detector.surfaces))
    arrays: dict[str, Array] = {
        "T": arena.T, "Y": arena.Y, "D": arena.detector.D, "F": arena.detector.F,
        "P": arena.P, "K": arena.K, "X": arena.X,
    }  # fmt: skip
    words = [np.asarray(arrays[name]).view(np.int64) for name in ARRAYS[:-2]]  # K and X are work space
    padded = [np.pad(one, (0, -len(one) % LINE)) for one in words]
    head = ("wanted", "problem_room", "work_room", "float_room", "is_found")
    said: dict[str, object] = {
        "sizes": {name: len(array) for name, array in arrays.items()},
        "heads": {name: place_of(Touching, name) for name in head},
        "problem": {name: place_of(Problem, name) for name in ("words", "work_words", "floats")},
    }
    return said, trimmed(np.concatenate(padded))


def trimmed(numbers: Array) -> bytes:
    """An array as bytes, without the zeros behind its last number."""
    last = np.flatnonzero(numbers)
    return bytes(np.ascontiguousarray(numbers[: last[-1] + 1 if len(last) else 0]).tobytes())
