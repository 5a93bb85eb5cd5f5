"""What contacts do to constraints: their forces, and how the multipliers of a state that was just evaluated
answer to them.

    J W Jᵀ Λ = −J W Hᵀf,   λ += Λ,   v̇ += W (Hᵀf + JᵀΛ)

A world is evaluated without its contacts, whose forces are those of the last step.
"""

from __future__ import annotations

from tinkerdyne.compiler.core import at, compiled, entry, inlined
from tinkerdyne.compiler.records import Floats, Ints
from tinkerdyne.engine.contact.detection_records import Detection, Pose
from tinkerdyne.engine.contact.meeting import write_row
from tinkerdyne.engine.contact.placing import pose_of
from tinkerdyne.engine.contact.poses import gather_poses
from tinkerdyne.engine.contact.recycling import contact_at, point_at
from tinkerdyne.engine.contact.touching import Touching, TouchingBody, TouchValues
from tinkerdyne.engine.exact import exact_solve
from tinkerdyne.engine.product import add_Jt, times_J, times_W
from tinkerdyne.engine.records import Index, Object, Row, Scalars, Vel
from tinkerdyne.engine.steppers.motion import rows, vels
from tinkerdyne.engine.yielding import clear_rows

MOST = 16  # velocities of one object, and more


@inlined
def push_side(
    I: Index, T: Touching, b: int, pose: Pose, anchor: Floats, force: Floats, sign: float, out: Floats
) -> None:
    """Add the force at a point of one body to what acts along its velocities; behind `out` is room."""
    row = TouchingBody.of(T, b)
    if row.mover < 0:
        return
    own = Object.of(I, row.object)
    part = at(out, I.nv)
    write_row(own, pose, anchor, force, sign, part, own.nv)
    for i in range(own.nv):
        out[own.v - I.v + i] += part[i]


@compiled
def contact_pushes(I: Index, S: Scalars, T: Touching, Y: Floats, D: Ints, F: Floats, out: Floats) -> None:
    """Hᵀf of all contacts."""
    H = Detection(D)
    values = TouchValues(Y)
    share = 2.0 / values.taken if values.taken > 0.0 else 0.0
    gather_poses(I, S, H, F)
    for i in range(I.nv):
        out[i] = 0.0
    force = at(out, I.nv + MOST)
    for k in range(H.n_contacts):
        found, point = contact_at(D, H.contacts, k), point_at(F, H.points, k)
        for i in range(3):
            force[i] = share * Y[T.impulses + 3 * k + i]
        if found.a >= 0:
            push_side(I, T, found.a, pose_of(H, F, found.a), point.anchor_a, force, -1.0, out)
        if found.b >= 0:
            push_side(I, T, found.b, pose_of(H, F, found.b), point.anchor_b, force, 1.0, out)


@entry("IFIFIFF")
def answer_contacts(I: Index, S: Scalars, T: Ints, Y: Floats, D: Ints, F: Floats, out: Floats) -> int:
    """Let the constraints answer to the contacts; `out` has room for all velocities and 19 numbers more."""
    contact_pushes(I, S, Touching(T), Y, D, F, out)
    total, acc = vels(I, S, Vel.TOTAL), vels(I, S, Vel.ACC)
    more, lam, answer = rows(I, S, Row.RHS), rows(I, S, Row.LAM), rows(I, S, Row.DELTA)
    for i in range(I.nv):
        total[i] += out[i]
    if I.nr > 0:
        times_W(I, S, out, acc)
        times_J(I, S, acc, more)
        for i in range(I.nr):
            more[i] = -more[i]
        if S.yielding > 0.0:
            clear_rows(I, S, more)
        exact_solve(I, S, more, answer)
        for i in range(I.nr):
            lam[i] += answer[i]
        add_Jt(I, S, answer, total, 1.0)
    times_W(I, S, total, acc)
    return 0
