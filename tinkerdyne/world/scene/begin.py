"""What `begin` does to the constraints of a world after an edit or a file, and taking it back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tinkerdyne.engine import records as L
from tinkerdyne.engine.batches import Structure
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import label


@dataclass(frozen=True)
class Fresh:
    """A constraint that started a new approach, and its memory before."""

    gap: float  # |c − r|
    rate: float  # |ċ|
    who: str
    at: int  # its memory in the arena
    memory: Array


def begin(structure: Structure) -> list[Fresh]:
    """What `begin` does after an edit, and to which constraints; the widest first."""
    structure.pull_state()
    S, I = structure.S, structure.I
    structure.core["begin"](I.ctypes.data, S.ctypes.data)
    S[L.S_READY] = 0.0
    row = int(I[L.H_S_ROWS]) + L.R_REF * int(I[L.H_NR])
    found: list[Fresh] = []
    for batch in sorted(
        (b for b in structure.batches.values() if b.family == L.CONSTRAINT), key=lambda b: b.base[2]
    ):
        d = int(batch.header[L.D_DIM])
        for k, item in enumerate(batch.items):
            at, before = batch.base[1] + k * L.memory_width(d), batch.memory.data[k]
            if not np.array_equal(S[at : at + len(before)], before) and S[at + 3 * d + 1] != L.OPEN:
                c = structure.record(item)
                gap, rate = np.abs(c[:d] - S[row : row + d]).max(), np.abs(c[d : 2 * d]).max()
                found.append(Fresh(float(gap), float(rate), label(item), at, before.copy()))
            row += d
    return sorted(found, key=lambda f: (f.gap, f.rate), reverse=True)


def take_back(structure: Structure, found: list[Fresh]) -> None:
    S = structure.S
    for f in found:
        S[f.at : f.at + len(f.memory)] = f.memory
    structure.count_yielding()  # `begin` had made them try again
