"""LLVM IR becomes a WebAssembly module, without a linker.

LLVM writes a relocatable object. One object alone is nearly a module already: its functions, types and the
table are numbered as they will be. What is missing is where its constants lie in memory, and a section of
exports. Both are added here, so that whoever shares a world needs no tools.

    Tool Conventions, "WebAssembly Object File Linking"; WebAssembly Core Specification, §5.5 (sections)
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tinkerdyne.compiler import machine

if TYPE_CHECKING:
    from llvmlite import binding

TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+simd128,+bulk-memory,+sign-ext,+nontrapping-fptoint"  # what all browsers have since 2023

MAGIC = b"\0asm\1\0\0\0"
TYPE, IMPORT, FUNCTION, GLOBAL, EXPORT, CODE, DATA = 1, 2, 3, 6, 7, 10, 11  # sections
CUSTOM, DATA_COUNT = 0, 12
# Kinds of relocation that hold an address of memory: what to add to, and how it is written there.
ADDRESS_LEB, ADDRESS_SLEB, ADDRESS_I32 = 3, 4, 5
NUMBERED = (0, 6, 7, 20)  # functions, types, globals and tables, numbered in an object as in the module
WITH_ADDEND = (ADDRESS_LEB, ADDRESS_SLEB, ADDRESS_I32)
SYMBOLS, SEGMENT_INFO = 8, 5  # parts of the section "linking"
ALIGNMENT = 16  # bytes


class NotLinked(RuntimeError):
    """An object holds what a module of one object cannot."""


@dataclass(frozen=True)
class Module:
    """A module, and the first byte of memory behind its constants."""

    code: bytes
    end: int


def key_of(text: str) -> str:
    """The name of what is made from this text for WebAssembly, on any machine."""
    import llvmlite

    host = "|".join((machine.FORMAT, TRIPLE, FEATURES, llvmlite.__version__))
    return hashlib.sha256(f"{host}\n{text}".encode()).hexdigest()


def compile_wasm(text: str, *, loops: bool = False, is_small: bool = False) -> bytes:
    """Optimise a module and return its object for WebAssembly; a small one has no vectors, and few copies of
    its functions.

    There is no fused multiply-add in WebAssembly, so last digits differ from those of this machine."""
    llvm = machine.library()
    with machine.at_work():
        target = _target()
        return _emitted(llvm.parse_assembly(_without_fma(text)), target, text, loops=loops, is_small=is_small)


def _without_fma(text: str) -> str:
    return text.replace("llvm.fma.f64", "llvm.fmuladd.f64")


def _emitted(
    module: binding.ModuleRef,
    target: binding.TargetMachine,
    text: str,
    *,
    loops: bool = False,
    is_small: bool = False,
) -> bytes:
    module.triple, module.data_layout = TRIPLE, str(target.target_data)
    module.verify()
    machine.optimise(module, target, text, loops=loops, is_small=is_small)
    return bytes(target.emit_object(module))


def compile_kernels(sources: Mapping[str, Sequence[tuple[int, str]]]) -> tuple[bytes, list[int]]:
    """One object of all these kernels (see `machine.sources`), which it calls tk_1, tk_2 …; and their
    addresses on this machine in that order."""
    llvm = machine.library()
    with machine.at_work():
        target, whole, addresses = _target(), llvm.parse_assembly("; kernels"), list[int]()
        for text, kernels in sources.items():
            module = llvm.parse_assembly(_without_fma(text))
            named = {name: address for address, name in kernels}
            for function in module.functions:
                if not function.is_declaration and str(function.linkage) != "Linkage.internal":
                    if function.name in named:
                        addresses.append(named[function.name])
                        function.name = f"tk_{len(addresses)}"
                    else:
                        function.linkage = "internal"  # of no use here: it is left out
            whole.link_in(module)
        return _emitted(whole, target, ""), addresses


def _target() -> binding.TargetMachine:
    llvm = machine.library()
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target: binding.TargetMachine = llvm.Target.from_triple(TRIPLE).create_target_machine(
        cpu="generic", features=FEATURES, opt=2, reloc="static"
    )
    return target


def link(code: bytes, *, base: int, exports: str = "tk_") -> Module:
    """A module out of one object: its constants begin at byte `base`, and functions whose names begin with
    `exports` can be called from outside. Memory, table and the pointer of the stack are imported."""
    sections = list(_sections(code))
    order = [number for number, _ in sections]
    bodies = {number: bytearray(body) for number, body in sections if number != CUSTOM}
    customs = dict(_named(body) for number, body in sections if number == CUSTOM)
    for name, body in customs.items():
        if name.startswith("reloc."):
            which, relocations = _relocations(body)
            if order[which] in bodies:
                _move(bodies[order[which]], relocations, base)
    end = base
    if DATA in bodies:
        bodies[DATA], end = _placed(bytes(bodies[DATA]), base)
    names = _functions(customs["linking"], _imported(bytes(bodies.get(IMPORT, b""))))
    bodies[EXPORT] = bytearray(_exports({n: k for n, k in names.items() if n.startswith(exports)}))
    out = [MAGIC]
    for number in (TYPE, IMPORT, FUNCTION, GLOBAL, EXPORT, DATA_COUNT, CODE, DATA):
        if number in bodies:
            out += [bytes([number]), _leb(len(bodies[number])), bytes(bodies[number])]
    return Module(b"".join(out), -(-end // ALIGNMENT) * ALIGNMENT)


# --- reading ---------------------------------------------------------------------------------------
def _leb(value: int) -> bytes:
    """A whole number ≥ 0 in LEB128."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


class Reader:
    """Reads numbers and names one after the other."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        self.data, self.at = data, at

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def number(self, *, is_signed: bool = False) -> int:
        """A number in LEB128."""
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value - (1 << shift) if is_signed and byte & 0x40 else value

    def bytes(self, count: int) -> bytes:
        self.at += count
        return self.data[self.at - count : self.at]

    def name(self) -> str:
        return self.bytes(self.number()).decode()


def _sections(code: bytes) -> Iterator[tuple[int, bytes]]:
    """The sections of an object, each with its number."""
    if code[:8] != MAGIC:
        raise NotLinked("this is no WebAssembly object")
    reader = Reader(code, 8)
    while reader.at < len(code):
        number = reader.byte()
        yield number, reader.bytes(reader.number())


def _named(body: bytes) -> tuple[str, bytes]:
    """A custom section: its name, and what follows."""
    reader = Reader(body)
    name = reader.name()
    return name, body[reader.at :]


def _relocations(body: bytes) -> tuple[int, list[tuple[int, int]]]:
    """Which section they are of, and (kind, place) of each that holds an address."""
    reader = Reader(body)
    which, found = reader.number(), []
    for _ in range(reader.number()):
        kind, place, _ = reader.byte(), reader.number(), reader.number()
        if kind in WITH_ADDEND:
            reader.number(is_signed=True)
            found.append((kind, place))
        elif kind not in NUMBERED:
            raise NotLinked(f"relocation {kind} is not known")
    return which, found


def _move(body: bytearray, relocations: list[tuple[int, int]], base: int) -> None:
    """Add the base to every address; each has room for any number (five bytes, or four)."""
    for kind, at in relocations:
        if kind == ADDRESS_I32:
            value = int.from_bytes(body[at : at + 4], "little") + base
            body[at : at + 4] = value.to_bytes(4, "little")
            continue
        value = Reader(bytes(body[at : at + 5])).number() + base
        for k in range(5):
            body[at + k] = value >> 7 * k & 0x7F | (0x80 if k < 4 else 0)


def _placed(body: bytes, base: int) -> tuple[bytearray, int]:
    """The segments of memory with their places moved by the base, and where they end."""
    reader, end = Reader(body), base
    count = reader.number()
    out = bytearray(_leb(count))
    for _ in range(count):
        if reader.number() != 0 or reader.byte() != 0x41:
            raise NotLinked("a segment of memory has no place of its own")
        where = reader.number(is_signed=True) + base
        reader.byte()  # end of the expression
        data = reader.bytes(reader.number())
        out += b"\0\x41" + _signed(where) + b"\x0b" + _leb(len(data)) + data
        end = max(end, where + len(data))
    return out, end


def _signed(value: int) -> bytes:
    """A whole number ≥ 0 in signed LEB128."""
    out = bytearray()
    while value > 0x3F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def _imported(body: bytes) -> list[str]:
    """Names of the imported functions, in order."""
    reader, found = Reader(body), []
    for _ in range(reader.number() if body else 0):
        _, name, kind = reader.name(), reader.name(), reader.byte()
        if kind == 0:
            found.append(name)
            reader.number()
        elif kind == 3:  # a global: its type and whether it changes
            reader.bytes(2)
        else:  # a table has a type more than a memory
            if kind == 1:
                reader.byte()
            has_most = reader.number() & 1
            for _ in range(1 + has_most):
                reader.number()
    return found


def _functions(linking: bytes, imported: list[str]) -> dict[str, int]:
    """The functions that the object defines, by their names in its table of symbols."""
    reader, found = Reader(linking), dict[str, int]()
    reader.number()  # version
    while reader.at < len(linking):
        part, size = reader.byte(), reader.number()
        end = reader.at + size
        if part == SYMBOLS:
            for _ in range(reader.number()):
                kind, flags = reader.byte(), reader.number()
                is_undefined, has_name = flags & 0x10, flags & 0x40
                if kind == 1:  # data
                    reader.name()
                    for _ in range(0 if is_undefined else 3):
                        reader.number()
                elif kind == 3:  # a section
                    reader.number()
                else:
                    number = reader.number()
                    name = reader.name() if not is_undefined or has_name else ""
                    if kind == 0 and not is_undefined:
                        found[name] = number
        reader.at = end
    assert all(number >= len(imported) for number in found.values())
    return found


def _exports(functions: dict[str, int]) -> bytes:
    out = bytearray(_leb(len(functions)))
    for name, number in functions.items():
        out += _leb(len(name.encode())) + name.encode() + b"\0" + _leb(number)
    return bytes(out)
