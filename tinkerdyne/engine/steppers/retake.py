"""Taking a step again: the state at its start is kept, and restored."""

from __future__ import annotations

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.engine.records import POS_VECTORS, Index, Scalars, Vel
from tinkerdyne.engine.steppers.motion import copy, vels


@compiled
def restore(I: Index, S: Scalars, t: float) -> None:
    """Back to the start of the step: q from the last position vector, v from Vel.SAVE."""
    copy(at(S, I.position_vectors + (POS_VECTORS - 1) * I.nq), at(S, I.q), I.nq)
    copy(vels(I, S, Vel.SAVE), at(S, I.v), I.nv)
    S.time = t
    S.ready = 0.0


@inlined
def keep_start(I: Index, S: Scalars) -> None:
    """Keep the state at the start of the step, for `restore`."""
    copy(at(S, I.q), at(S, I.position_vectors + (POS_VECTORS - 1) * I.nq), I.nq)
    copy(at(S, I.v), vels(I, S, Vel.SAVE), I.nv)
    S.kept_time = S.time
