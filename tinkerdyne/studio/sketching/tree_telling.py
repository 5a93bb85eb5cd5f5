"""A sketch of bodies with joints, and its motion, as pages see them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tinkerdyne.objects.rotation import quaternion_of
from tinkerdyne.sketch.show.tree_solution import TreeSolution
from tinkerdyne.sketch.solve.parallel import alone
from tinkerdyne.sketch.tree.shooting import paths
from tinkerdyne.sketch.tree.sketch import NodeBound, TreeSketch
from tinkerdyne.studio.sketching.telling import DIGITS, EXACT
from tinkerdyne.studio.sketching.trees import LONGEST
from tinkerdyne.studio.wire import protocol as p

ASTRAY = 0.1  # of the extent of its samples: a motion that is further off does not follow them


def tree_told(sketch: TreeSketch, number: int) -> p.SketchTold:
    """What a sketch of a tree asks for."""
    names = tuple(body.name for body in sketch.bodies)
    tracks = tuple(
        p.SketchTrack(
            names[one.link],
            tuple(map(tuple, one.places.tolist())),
            (),
            one.times is not None,
            tuple(one.at) if any(one.at) else (),
        )
        for one in sketch.tracks
    )
    told = [(hold, _hold(sketch, hold, names)) for hold in sketch.holds]
    others = tuple(
        f"{one.what} of {names[one.link]} {one.moment(sketch.steps)}" for one, row in told if row is None
    )
    lasts = () if sketch.duration == LONGEST else sketch.duration
    flight = p.SketchFlight(tracks, tuple(row for _, row in told if row is not None), others, lasts)
    gravity, still = tuple(sketch.gravity.tolist()), tuple(one.name for one in sketch.tree.fixed)
    return p.SketchTold(number, names, gravity, (), (flight,), still=still, is_tree=True)


def _hold(sketch: TreeSketch, hold: NodeBound, names: Sequence[str]) -> p.SketchWish | None:
    when: dict[int, p.Moment] = {0: "start", sketch.steps: "end"}
    if hold.node not in when or not np.all(np.isfinite([hold.low, hold.high])):
        return None
    kinds: dict[str, p.Wanted] = {
        "place": "point" if any(hold.at) else "position",
        "velocity": "velocity",
        "spin": "spin",
    }
    high = () if np.array_equal(hold.low, hold.high) else tuple(hold.high.tolist())
    at = tuple(hold.at) if any(hold.at) else ()
    value = tuple(hold.low.tolist())
    return p.SketchWish(names[hold.link], kinds[hold.kind], when[hold.node], value, True, high, at)


@alone
def tree_motion_told(m: TreeSolution, number: int, seconds: float, *, is_searching: bool) -> p.MotionTold:
    """The motion that was found for a tree."""
    spread = [np.ptp(one.places, axis=0).max() for one in m.sketch.tracks]
    is_astray = bool(spread) and m.misfit > ASTRAY * max(max(spread), 1e-3)
    faults = tuple(
        p.MotionFault(one.says, one.size, one.unit, _seen(m, hold))
        for one, hold in zip(m.residuals, m.sketch.holds, strict=True)
        if one.size > EXACT
    )
    return p.MotionTold(
        number,
        is_searching,
        (0.0, float(m.seconds)),
        tree_paths(m),
        (),
        faults,
        tuple(line for note in (m.note, m.outcome.bound) for line in note.splitlines()),
        "met" if m.is_met else "unmet",
        is_astray,
        (m.misfit, 0.0),
        seconds,
    )


def _seen(m: TreeSolution, hold: NodeBound) -> tuple[float, ...]:
    return tuple(paths(m.sketch.tree, m.nodes, hold.link, hold.at)[hold.node].tolist())


@alone
def tree_paths(m: TreeSolution) -> tuple[p.MotionPath, ...]:
    """The motion of each link, node by node."""
    x, R = m.sketch.tree.posed(m.nodes.c, m.nodes.Q)
    found = []
    for k, body in enumerate(m.sketch.bodies):
        turns = np.array([quaternion_of(one) for one in R[:, k]])
        rows = np.column_stack([x[:, k], turns]).round(DIGITS)
        shown = next((i for i, one in enumerate(m.sketch.tracks) if one.link == k), None)
        times = () if shown is None else tuple((m.shares[shown] * m.seconds).round(DIGITS).tolist())
        found.append(p.MotionPath(body.name, (tuple(rows.ravel().tolist()),), (times,)))
    return tuple(found)
