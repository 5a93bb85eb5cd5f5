"""What a motion comes to, in words (M5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tinkerdyne.sketch.solve.outcome import NOTHING, counted

if TYPE_CHECKING:
    from tinkerdyne.sketch.show.solution import Solution

BETTER = 0.01  # share of the cost by which another start must be better to be called so
CLOSED = 1e-8  # m/s: a gap below this is none
EXACT = 1e-6  # of a residual in its own unit: a smaller one is not listed
# of the extent, and rad: samples that are off by more, in the mean, are not followed
ASTRAY, TURNED = 0.1, 0.8
MOST = 12  # residuals that are listed


def summary(m: Solution) -> str:
    """What was met, what was not and by how much, how the solver ended, and what it took."""
    lines = [_verdict(m)]
    lines += [*_of_solver(m), *_violations(m), *_of_flights(m)]
    if len(m.others) > 1:
        lines.append(_starts(m))
    off = m.misfit
    if m.outcome.is_feasible and (off.place > ASTRAY * m.statement.units.length or off.turn > TURNED):
        lines.append(f"The motion does not follow the sketch: its samples are off by {off}.")
    lines.append(
        f"Samples off by {off} in the root mean square; {m.seconds:.3f} s in "
        f"{counted(len(m.grid) - 1, 'flight')}, {m.cpu:.2f} s of CPU."
    )
    return "\n".join(lines)


def warnings(m: Solution) -> list[str]:
    """What else is to be known of a motion, whatever its verdict."""
    return [*_of_solver(m), *_of_flights(m)]


def _of_solver(m: Solution) -> list[str]:
    lines = []
    if m.outcome.is_feasible and not m.outcome.is_converged:
        why = m.outcome.says.replace("_", " ").lower()
        lines.append(
            f"The solver stopped before the misfit was as small as it can be ({why}); a better motion "
            "may exist."
        )
    if m.note:
        lines.append(m.note)
    return lines


def _of_flights(m: Solution) -> list[str]:
    lines = []
    if m.outcome.is_feasible and not m.is_fine:
        lines.append(
            "A flight turns too far for its segments: the engine may end further than 1e-6 m from it."
        )
    for f in m.collapsed:
        told = m.sketch.flights[f]
        if not told.tracks and not told.wishes:
            lines.append(f"Nothing is said of flight {f + 1}: show where it goes, or say how long it lasts.")
            continue
        became = "shrank to nothing" if m.outcome.point.durations[f] < 1 else "grew as long as one may be"
        strikes = any(c.body is not None for c in m.statement.collisions)
        lines.append(
            f"Flight {f + 1} {became}: "
            + (
                "in this order of collisions the motion cannot follow the sketch. Allow gaps, or try another "
                "sequence."
                if strikes
                else "nothing that falls freely follows this sketch. Look at its scale and at gravity, or "
                "say how long the flight lasts."
            )
        )
    return lines


def _verdict(m: Solution) -> str:
    """Whether everything is met, in one sentence."""
    if m.is_met:
        return "Every hard wish is met, and the motion obeys physics throughout."
    if m.is_plausible:
        is_wide = m.widest_gap > m.statement.units.length / m.statement.units.time
        looks = (
            "it takes jumps of velocity that will be seen"
            if is_wide
            else "the motion is plausible, not exact"
        )
        return f"Every hard wish is met; {looks}:"
    if m.is_granted and m.depths:
        deepest = max(m.depths, key=lambda one: one.size)
        return (
            f"Every hard wish is met, but the motion is not plausible: {deepest.says}, "
            f"{deepest.size:.2g} m deep."
        )
    if m.is_granted:
        return (
            f"Every hard wish is met, but the motion is not plausible: a velocity jumps by "
            f"{m.widest_gap:.2g} m/s at a collision, more than half of how fast the body is."
        )
    why = m.outcome.says.replace("_", " ").lower()
    return f"The sketch could not be met; this is the best motion found ({why})."


def _violations(m: Solution) -> list[str]:
    """Jumps of velocity, what is too deep, and the worst residuals."""
    lines = [
        f"  {blow}" for blow in m.blows if not m.is_met and max(max(g) for g in blow.gaps.values()) > CLOSED
    ]
    lines += [f"  {one.says}, {one.size:.2g} m deep" for one in m.depths]
    worst = sorted(m.residuals, key=lambda r: -r.size)
    lines += [f"  {r}" for r in worst if r.size > EXACT][:MOST]
    if worst and worst[0].size <= EXACT:
        lines.append(f"Hard constraints: {len(worst)}, the worst is {worst[0]}.")
    return lines


def _starts(m: Solution) -> str:
    """What the other starts came to."""
    tried = [o for o in m.others if o.is_feasible]
    first = next((o for o in m.others if o.seed == 0), m.others[0])
    better = first.is_feasible and m.outcome.cost < (1 - BETTER) * first.cost - NOTHING
    says = (
        "a better one than the first guess led to was found" if better else "none was better than the first"
    )
    return f"Of {len(m.others)} starts {len(tried)} reached a motion; {says}."
