"""Stiff mechanisms: the implicit method, against Exudyn's generalised α on the same scenes.

Both are run at steps from 1/60 s down. The CPU time that the peer takes for an error no larger than ours at
1/240 s, at the best of its spectral radii, is compared with ours. What both come to at their shortest steps
must agree, or nothing is compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from . import stiff_ours as ours
from .bar import Bar, Line, Measurement, Missing, Remark, Unmeasured, needed
from .peers.scene import Diverged
from .stiff import Beam, Cloth, Suspension, Turning

SCENES: dict[str, tuple[Any, float]] = {  # and the seconds
    "beam": (Beam(), 0.5),
    "suspension": (Suspension(), 0.5),
    "cloth": (Cloth(), 0.5),
    "turning": (Turning(), 1.0),
}
STEPS = tuple(1 / (60 * 2**k) for k in range(7))
FRAME, COMPARED = STEPS[0], STEPS[2]
FINEST = 1 / 15360
RADII = (0.0, 0.5, 0.9)
REPEATS = 3


def _best(solve: Any, *given: Any) -> tuple[np.ndarray, float]:
    """The place that is watched, and the least CPU time of some repeats."""
    found = [solve(*given) for _ in range(REPEATS)]
    return found[0][0], min(cpu for _, cpu in found)


def _measure(name: str) -> Iterator[Line]:
    which = name.rpartition("-")[2]
    scene, seconds = SCENES[which]
    solve = getattr(ours, which)
    # A spring that swings undamped at 31,623 rad/s is resolved by no step of these: its rod is the reference.
    exact = ours.rigid(scene, seconds) if which == "turning" else solve(scene, FINEST, seconds)[0]
    mine = {h: _best(solve, scene, h, seconds) for h in STEPS[:4]}
    errors = {h: float(np.abs(place - exact).max()) for h, (place, _) in mine.items()}
    load = mine[FRAME][1] / seconds
    yield Bar(name, "CPU time over simulated time at 1/60 s", load, "≤", 1.0)
    yield Remark(
        name,
        "errors and times: "
        + ", ".join(f"1/{1 / h:.0f} s {errors[h]:.2g} m {1e3 * mine[h][1]:.3g} ms" for h in mine),
    )
    try:
        peer = _peer()
    except Missing as problem:
        yield Unmeasured(name, "speed against Exudyn at equal error", str(problem))
        return
    theirs = getattr(peer, which)
    if which != "turning":
        apart = float(np.abs(theirs(scene, FINEST, seconds, RADII[-1])[0] - exact).max())
        yield Bar(name, "distance of both at the shortest step", apart, "≤", errors[COMPARED], " m")
    least, said = np.inf, []
    for h in STEPS:
        for radius in RADII:
            try:
                place, cpu = _best(theirs, scene, h, seconds, radius)
            except Diverged:
                continue
            error = float(np.abs(place - exact).max())
            said.append(f"1/{1 / h:.0f} s ρ {radius:g} {error:.2g} m {1e3 * cpu:.3g} ms")
            if error <= errors[COMPARED]:
                least = min(least, cpu)
    cpu = mine[COMPARED][1]
    yield Bar(name, "speed against Exudyn at equal error", least / cpu, "≥", 1.0, "×")
    yield Remark(name, "Exudyn: " + ", ".join(said))


def _peer() -> Any:
    needed("exudyn")
    from .peers import exudyn_stiff

    return exudyn_stiff


def _stiff_spring(name: str) -> Iterator[Line]:
    """1 g on 1e6 N/m, 1 mm from rest, at 1/60 s."""
    scene = Turning(mass=1e-3, stiffness=1e6)
    yield Bar(
        name,
        "1 g on 1e6 N/m after 0.1 s at 1/60 s, from rest",
        ours.from_rest(scene, FRAME, 0.1),
        "≤",
        1e-6,
        " m",
    )


MEASUREMENTS: dict[str, Measurement] = {
    **{f"truth-implicit-{which}": _measure for which in SCENES},
    "truth-implicit-spring": _stiff_spring,
}
