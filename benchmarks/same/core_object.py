"""The object code of the compiled core, taken apart so that two commits can be compared whatever their names
and order.

Run as a script in a tree it compiles that tree's core and prints its fingerprints as JSON; `compare` says in
words where two of them differ. Entries are translated in the order of their names, so the order of imports
does not matter, and the names of symbols are left out of every fingerprint, except those of the C library.
This is the one place that knows internal modules of two trees: `kernel` was the folder's name before it
became `compiler`.
"""

from __future__ import annotations

import bisect
import hashlib
import importlib
import json
import struct
import sys
from collections import Counter
from dataclasses import dataclass
from typing import Any

FOLDERS = ("compiler", "kernel")  # of the compiler, the newest first
X86_64 = 62  # the one machine whose functions are taken apart
ABSOLUTE = 1  # R_X86_64_64
EXECUTABLE, ALLOCATED = 4, 2  # flags of a section
PROGBITS, RELA, SYMTAB = 1, 4, 2  # its types

Fingerprints = dict[str, Any]


@dataclass(frozen=True)
class Section:
    """A section of an ELF file."""

    name: str
    type: int
    flags: int
    link: int
    info: int
    unit: int  # bytes of an element, where all have the same size
    data: bytes

    @property
    def is_code(self) -> bool:
        return bool(self.flags & EXECUTABLE)


@dataclass(frozen=True)
class Symbol:
    """A symbol: `section` is 0 where another object defines it."""

    name: str
    section: int
    value: int
    size: int


@dataclass(frozen=True)
class Relocation:
    """A place in a section that receives an address: symbol + addend."""

    at: int
    type: int
    symbol: Symbol
    addend: int


class ObjectFile:
    """The sections, symbols and relocations of a 64-bit little-endian ELF object."""

    def __init__(self, code: bytes) -> None:
        if code[:6] != b"\x7fELF\x02\x01":
            raise ValueError(
                "the object code is not ELF of 64 bits, little-endian; compare bytes of motions instead"
            )
        self.machine = struct.unpack_from("<H", code, 18)[0]
        start, *_, size, count, names = struct.unpack_from("<QIHHHHHH", code, 40)
        headers = [struct.unpack_from("<IIQQQQIIQQ", code, start + size * k) for k in range(count)]

        def data(header: tuple[int, ...]) -> bytes:
            return code[header[4] : header[4] + header[5]]

        strings = data(headers[names])
        self.sections = [
            Section(text(strings, h[0]), h[1], h[2], h[6], h[7], h[9], data(h) if h[1] else b"")
            for h in headers
        ]
        table = next(section for section in self.sections if section.type == SYMTAB)
        names_of = self.sections[table.link].data
        self.symbols = [
            Symbol(text(names_of, name), section, value, size)
            for name, _, _, section, value, size in struct.iter_unpack("<IBBHQQ", table.data)
        ]
        self.relocations: dict[int, list[Relocation]] = {}  # by the number of the section that they change
        for section in self.sections:
            if section.type == RELA:
                self.relocations[section.info] = [
                    Relocation(at, info & 0xFFFFFFFF, self.symbols[info >> 32], addend)
                    for at, info, addend in struct.iter_unpack("<QQq", section.data)
                ]

    def kept(self) -> dict[int, Section]:
        """The sections that are loaded to run, by number."""
        return {
            k: section
            for k, section in enumerate(self.sections)
            if section.type == PROGBITS and section.flags & ALLOCATED and section.data
        }


def text(strings: bytes, at: int) -> str:
    return strings[at : strings.index(b"\0", at)].decode()


def digest(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def fingerprints(code: bytes) -> Fingerprints:
    """Of each section its size and digest, of its relocations too, and of each function, in any order."""
    file = ObjectFile(code)
    sections = {}
    for k, section in file.kept().items():
        moved = [
            (r.at, r.type, file.sections[r.symbol.section].name or r.symbol.name, r.symbol.value + r.addend)
            for r in file.relocations.get(k, ())
        ]
        sections[section.name] = [len(section.data), hashlib.sha256(section.data).hexdigest(), digest(moved)]
    return {"sections": sections, **(_Functions(file).fingerprints() if file.machine == X86_64 else {})}


class _Functions:
    """Functions one by one: what each does by itself, and what each entry does with all that it calls."""

    def __init__(self, file: ObjectFile) -> None:
        self.file = file
        self.functions = {
            (s.section, s.value): s for s in file.symbols if s.size and file.sections[s.section].is_code
        }
        targets = {
            (r.symbol.section, r.symbol.value + r.addend) for each in file.relocations.values() for r in each
        }
        self.cuts = {
            k: sorted(at for section, at in targets if section == k) for k in range(len(file.sections))
        }
        self.whole: dict[tuple[int, int], str] = {}

    def fingerprints(self) -> Fingerprints:
        alone = sorted((bare(s.name), self._digest(s, deep=False)) for s in self.functions.values())
        entries = {
            s.name.removeprefix("tk_"): self._digest(s, deep=True)
            for s in self.functions.values()
            if s.name.startswith("tk_")
        }
        return {"functions": alone, "entries": entries}

    def _digest(self, function: Symbol, *, deep: bool) -> str:
        """Of a function's bytes and of what its addresses stand for; `deep` counts the functions that it
        calls as well."""
        begin, end = function.value, function.value + function.size
        moved = [
            (r.at - begin, r.type, self._meaning(function, r, deep=deep))
            for r in self.file.relocations.get(function.section, ())
            if begin <= r.at < end
        ]
        return digest(self.file.sections[function.section].data[begin:end].hex(), moved)

    def _meaning(self, function: Symbol, relocation: Relocation, *, deep: bool) -> object:
        """What an address stands for, without saying where it is."""
        if not relocation.symbol.section:
            return relocation.symbol.name
        section, at = relocation.symbol.section, relocation.symbol.value + relocation.addend
        if relocation.type != ABSOLUTE:
            return self.file.sections[
                section
            ].name, at  # not expected in code for large addresses; then places count
        if section == function.section and function.value <= at < function.value + function.size:
            return "here", at - function.value
        if (section, at) in self.functions:
            return self._whole(section, at) if deep else "a function"
        return self._constant(function, section, at, deep=deep)

    def _whole(self, section: int, at: int) -> str:
        if (section, at) not in self.whole:
            self.whole[section, at] = self._digest(self.functions[section, at], deep=True)
        return self.whole[section, at]

    def _constant(self, function: Symbol, section: int, at: int, *, deep: bool) -> object:
        """The bytes at a place of a constant section, up to the next place that anything refers to; a table
        has addresses."""
        held = self.file.sections[section]
        cuts = self.cuts[section]
        following = bisect.bisect_right(cuts, at)
        end = at + held.unit if held.unit else cuts[following] if following < len(cuts) else len(held.data)
        inside = [r for r in self.file.relocations.get(section, ()) if at <= r.at < end]
        return held.data[at:end].hex(), [(r.at - at, self._meaning(function, r, deep=deep)) for r in inside]


def bare(name: str) -> str:
    """A function's name without the number of its translation."""
    return name.rpartition(".")[0] or name


def compare(old: Fingerprints, new: Fingerprints) -> list[str]:
    """Sentences on all that differs; none when the code and its constants are the same."""
    said = []
    for name in sorted({*old["sections"], *new["sections"]}):
        before, after = old["sections"].get(name), new["sections"].get(name)
        if before is None or after is None:
            said.append(f"section {name} is only in the {'new' if before is None else 'old'} object")
        elif before != after:
            what = "its addresses differ" if before[1] == after[1] else "its bytes differ"
            said.append(f"section {name}: {before[0]} → {after[0]} bytes, {what}")
    if not said or "functions" not in old or "functions" not in new:
        return said
    gone, come = (Counter(map(tuple, one["functions"])) for one in (old, new))
    gone, come = gone - come, come - gone
    # One that was only renamed has the same digest under two names.
    renamed = Counter(d for _, d in gone.elements()) & Counter(d for _, d in come.elements())
    for word, counted in (("old", gone), ("new", come)):
        left = Counter(renamed)
        names = []
        for name, own in sorted(counted.elements()):
            if left[own]:
                left[own] -= 1
            else:
                names.append(name)
        if names:
            said.append(f"functions only in the {word} object: {', '.join(names)}")
    before, after = old["entries"], new["entries"]
    changed = sorted(name for name in {*before, *after} if before.get(name) != after.get(name))
    if sorted(before.values()) == sorted(after.values()):
        said.append(
            "every entry runs the same code: only names, or the order of functions or constants, differ"
        )
    else:
        said.append(f"entries whose code differs, with all they call: {', '.join(changed)}")
    return said


def core_of_this_tree() -> bytes:
    """Compile the core of the package that is imported here."""
    import tinkerdyne

    for folder in FOLDERS:
        name = f"{tinkerdyne.__name__}.{folder}"
        try:
            core, machine, translate = (
                importlib.import_module(f"{name}.{m}") for m in ("core", "machine", "translate")
            )
        except ModuleNotFoundError as problem:
            if problem.name != name:
                raise
            continue
        entries = {entry: core._entries[entry] for entry in sorted(core._entries)}
        code: bytes = machine.compile_ir(translate.translate(core._functions, entries), loops=True)
        return code
    raise ModuleNotFoundError(
        f"the package has no compiler in {' or '.join(FOLDERS)}; add the new name to FOLDERS"
    )


if __name__ == "__main__":
    from target import use_target

    use_target()
    json.dump(fingerprints(core_of_this_tree()), sys.stdout)
