"""What couples links and coordinates beside joints: tendons, and equalities that close loops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tinkerdyne.behaviors.forces import scalar_spring
from tinkerdyne.behaviors.formulas import formula_energy
from tinkerdyne.connectors.formulas import formula
from tinkerdyne.connectors.measures import distance_between
from tinkerdyne.connectors.points import frame, place, point, world_frame
from tinkerdyne.constraints.algebra import equation, held
from tinkerdyne.constraints.joints import gear, weld
from tinkerdyne.constraints.points import connect
from tinkerdyne.formats.efforts import add_friction, add_stops
from tinkerdyne.formats.kinematics import motions
from tinkerdyne.formats.model import ReadModel
from tinkerdyne.formats.tree import Equality, Pose, Tendon
from tinkerdyne.language.item import Item


def point_of(model: ReadModel, link: int, pose: Pose) -> Item:
    if link < 0:
        return place(at=tuple(pose.place))
    return point(model.bodies[link], at=tuple(pose.place - model.machine.links[link].mass.centre))


def add_tendons(model: ReadModel) -> None:
    """The lengths of tendons as measures, with their springs, dampers and ends."""
    for name, tendon in model.machine.tendons.items():
        missing = [joint for joint, _ in tendon.joints if joint not in model.coordinates]
        if missing:
            model.report.leave(tendon.source, f"the joint {missing[0]!r} of the tendon is not there")
            continue
        text, names = _length(model, tendon)
        length = model.world.add(formula(text, name=model.name_for(name, "tendon"), **names))
        model.lengths[name] = length
        _tendon_efforts(model, tendon, length)


def _length(model: ReadModel, tendon: Tendon) -> tuple[str, dict[str, Item | float]]:
    """The text of a length and what its names stand for."""
    names: dict[str, Item | float] = {}
    terms = []
    joints = model.machine.joints()
    for k, (joint, share) in enumerate(tendon.joints):
        names |= {f"x{k}": model.coordinates[joint], f"c{k}": share}
        terms.append(f"c{k}*x{k}")
        if joints[joint].zero:
            names[f"z{k}"] = share * joints[joint].zero
            terms.append(f"z{k}")
    for k, (first, second, divisor) in enumerate(tendon.stretches):
        ends = [model.machine.sites[site] for site in (first, second)]
        names[f"d{k}"] = distance_between(*[point_of(model, end.link, end.pose) for end in ends])
        names[f"by{k}"] = divisor
        terms.append(f"d{k}/by{k}")
    return " + ".join(terms) or "0", names


def _tendon_efforts(model: ReadModel, tendon: Tendon, length: Item) -> None:
    low, high = tendon.slack or (resting_length(model, tendon),) * 2
    if tendon.stiffness and low < high:
        text = "k/2*(max(l - high, 0)^2 + max(low - l, 0)^2)"
        model.world.add(formula_energy(text, l=length, k=tendon.stiffness, low=low, high=high))
    if (tendon.stiffness and low == high) or tendon.damping:
        stiffness = tendon.stiffness if low == high else 0.0
        model.world.add(scalar_spring(length, stiffness=stiffness, rest=low, damping=tendon.damping))
    if tendon.friction > 0:
        add_friction(model, tendon.name, length, tendon.friction)
    add_stops(model, tendon.name, length, tendon.low, tendon.high)


def resting_length(model: ReadModel, tendon: Tendon) -> float:
    """The length where the springs of the joints are at rest."""
    return length_at(model, tendon, lambda joint: model.machine.joints()[joint].rest)


def first_length(model: ReadModel, tendon: Tendon) -> float:
    """The length where the file describes the machine."""
    return length_at(model, tendon, lambda joint: model.machine.joints()[joint].zero)


def length_at(model: ReadModel, tendon: Tendon, value: Callable[[str], float]) -> float:
    axial = [j.name for j in model.machine.joints().values() if j.sort in ("hinge", "slide")]
    moved = motions(model.machine, {name: value(name) for name in axial})

    def where(site: str) -> Pose:
        found = model.machine.sites[site]
        return found.pose if found.link < 0 else moved[found.link].pose @ found.pose

    straight = sum(
        float(np.linalg.norm(where(b).place - where(a).place)) / divisor for a, b, divisor in tendon.stretches
    )
    return straight + sum(share * value(joint) for joint, share in tendon.joints)


# --- equalities ----------------------------------------------------------------------------------
def add_equalities(model: ReadModel) -> None:
    """Loops that are closed, and coordinates that go together."""
    for tie in model.machine.equalities:
        if tie.sort in ("connect", "weld"):
            _hold(model, tie)
        else:
            _couple(model, tie)


def _hold(model: ReadModel, tie: Equality) -> None:
    ends = []
    for link, pose in zip((tie.first, tie.second), tie.places, strict=True):
        assert isinstance(link, int)
        if tie.sort == "connect":
            ends.append(point_of(model, link, pose))
            continue
        axes = tuple(pose.turn.ravel(order="F"))
        if link < 0:
            ends.append(world_frame(at=tuple(pose.place), axes=axes))
        else:
            at = pose.place - model.machine.links[link].mass.centre
            ends.append(frame(model.bodies[link], at=tuple(at), axes=axes))
    if tie.first == tie.second:
        model.report.leave(tie.source, "both ends are on one rigid body", bears=False)
        return
    kind = connect if tie.sort == "connect" else weld
    model.world.add(kind(*ends, is_on=tie.is_on, name=model.name_for(tie.name or tie.sort, tie.sort)))


def _couple(model: ReadModel, tie: Equality) -> None:
    """first − its zero = Σ cₖ (second − its zero)ᵏ."""
    of = model.coordinates if tie.sort == "joint" else model.lengths
    wanted = [str(end) for end in (tie.first, tie.second) if end is not None]
    ends = [of[name] for name in wanted if name in of]
    if len(ends) < len(wanted):
        model.report.leave(tie.source, f"a {tie.sort} that it couples is not there")
        return
    zeros = [0.0, 0.0]
    if tie.sort == "tendon":  # coordinates are counted from their zeros already
        zeros = [
            first_length(model, model.machine.tendons[str(e)])
            for e in (tie.first, tie.second)
            if e is not None
        ]
    c = [*tie.terms, 0.0, 0.0]
    name = model.name_for(tie.name or f"{tie.first} coupling", "coupling")
    first = ends[0]
    if len(ends) == 1:
        model.world.add(held(first, at=(c[0] + zeros[0],), is_on=tie.is_on, name=name))
    elif not any(c[2:]):
        phase = c[0] + zeros[0] - c[1] * zeros[1]
        model.world.add(gear(ends[1], first, ratio=c[1], phase=phase, is_on=tie.is_on, name=name))
    else:
        terms = " + ".join(f"c{k}*(x - x0)^{k}" if k else "c0" for k in range(len(tie.terms)))
        numbers: dict[str, Any] = {f"c{k}": term for k, term in enumerate(tie.terms)}
        numbers |= {"x": ends[1], "y": first, "y0": zeros[0], "x0": zeros[1]}
        model.world.add(equation(f"y - y0 - ({terms})", is_on=tie.is_on, name=name, **numbers))
