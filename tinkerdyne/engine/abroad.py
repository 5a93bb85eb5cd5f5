"""The engine of a world for another machine: its program for WebAssembly, and the arena as it is.

The arena holds addresses of kernels; abroad they are places of a table of functions instead.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tinkerdyne.compiler import core, machine, translate, wasm
from tinkerdyne.engine.engine import Engine
from tinkerdyne.language.arrays import Array

CONSTANTS = 1024  # byte of memory where the constants of the core begin
LOWEST = 1 << 20  # no number of I that is no address is as large


@dataclass(frozen=True)
class Abroad:
    """What goes with a world: kernels as a module, and the two arrays."""

    kernels: bytes
    ints: Array
    floats: Array
    first_free: int  # byte of memory behind all constants


def core_module() -> wasm.Module:
    """The core, compiled for WebAssembly."""
    program = core.functions_and_entries()
    return wasm.link(wasm.compile_wasm(translate.translate(*program), loops=True), base=CONSTANTS)


def abroad(engine: Engine, first_free: int) -> Abroad:
    """The kernels that the arena calls, and the arena with their places in the table of functions: kernel k
    stands at place k."""
    engine.ready()
    ints, floats = engine.arena.I.copy(), engine.arena.S.copy()
    code, addresses = wasm.compile_kernels(machine.sources(set(ints[ints >= LOWEST].tolist())))
    for place, address in enumerate(addresses, start=1):
        ints[ints == address] = place
    left = ints[ints >= LOWEST]
    assert not len(left), f"{len(left)} numbers of the arena are addresses of no kernel"
    module = wasm.link(code, base=first_free)
    return Abroad(module.code, ints, floats, module.end)
