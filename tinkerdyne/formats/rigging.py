"""Makes a tree of links one that a world can have: what is fixed is merged, massless links become joints in
a row."""

from __future__ import annotations

from dataclasses import replace

from tinkerdyne.formats.markup import wrong
from tinkerdyne.formats.report import Report
from tinkerdyne.formats.tree import Link, Machine, Pose, Site

NOTHING = 1e-15  # kg: a link that weighs less has no mass


def rigged(machine: Machine, report: Report) -> None:
    """Merge links without joints into what carries them, and massless ones with the one that they carry."""
    for k, link in enumerate(machine.links):  # frames by the names of links stay
        machine.sites.setdefault(link.name, Site(k, Pose()))
    merge_fixed(machine)
    while hold_idle(machine, report) or row_up(machine):
        pass


def hold_idle(machine: Machine, report: Report) -> bool:
    """A link that weighs nothing and carries nothing feels no force: its joints are held."""
    carriers = {link.parent for link in machine.links}
    idle = [link for k, link in enumerate(machine.links) if k not in carriers and link.mass.mass <= NOTHING]
    for link in idle:
        for joint in link.joints:
            report.leave(
                joint.source, "it moves a link without mass that carries nothing, and is held at zero"
            )
        link.joints = []
    merge_fixed(machine)
    return bool(idle)


def merge_fixed(machine: Machine) -> None:
    """Links without joints become part of their parents, or of the world."""
    home: dict[int, tuple[int, Pose]] = {-1: (-1, Pose())}
    for k, link in enumerate(machine.links):
        carrier, pose = home[link.parent]
        link.parent, link.pose = carrier, pose @ link.pose
        if link.joints:
            home[k] = (k, Pose())
            continue
        home[k] = (carrier, link.pose)
        if carrier < 0:
            machine.fixed += [replace(p, pose=link.pose @ p.pose) for p in link.parts]
        else:
            absorb(machine.links[carrier], link)
    _renumber(machine, home)


def absorb(carrier: Link, link: Link) -> None:
    """Add what a link weighs and shows to the one that it is fixed to."""
    carrier.mass = carrier.mass + link.mass.moved(link.pose)
    carrier.parts += [replace(p, pose=link.pose @ p.pose) for p in link.parts]
    for box in link.boxes:
        box.pose = link.pose @ box.pose
    carrier.boxes += link.boxes
    carrier.lifted += [(weight, link.pose.at(at)) for weight, at in link.lifted]


def row_up(machine: Machine) -> bool:
    """Let one massless link go: its joints carry its only child, before the child's own.

    X_m E_m X_c E_c = (X_m X_c)(X_c⁻¹ E_m X_c) E_c."""
    for k, link in enumerate(machine.links):
        if link.mass.mass > NOTHING:
            continue
        children = [child for child in machine.links if child.parent == k]
        if len(children) != 1 or any(joint.sort in ("ball", "free") for joint in link.joints):
            carried = ", ".join(child.name for child in children[:4]) or "nothing"
            raise wrong(
                link.source,
                f"the link {link.name!r} moves but has no mass, and carries {carried}; give it a mass and an "
                "inertia",
            )
        child = children[0]
        inside = child.pose.inverse
        for joint in link.joints:
            joint.seen_from(inside)
        child.joints = link.joints + child.joints
        absorbed = Link(link.name, link.source, pose=inside, parts=link.parts, boxes=link.boxes)
        absorb(child, absorbed)  # it is drawn with its child, which turns a little further
        child.pose, child.parent = link.pose @ child.pose, link.parent
        last = machine.links.index(child)
        home = {j: (j, Pose()) for j in range(-1, len(machine.links))}
        home[k] = (last, inside)
        _renumber(machine, home)
        return True
    return False


def _renumber(machine: Machine, home: dict[int, tuple[int, Pose]]) -> None:
    """Drop the links that are at home in others; parents, sites and couplings go by the new numbers."""
    kept = [k for k in range(len(machine.links)) if home[k][0] == k]
    new = {-1: -1, **{k: j for j, k in enumerate(kept)}}
    for site in machine.sites.values():
        carrier, pose = home[site.link]
        site.link, site.pose = new[carrier], pose @ site.pose
    for tie in machine.equalities:
        if tie.sort in ("connect", "weld"):
            ends = []
            for end, place in zip((tie.first, tie.second), tie.places, strict=True):
                assert isinstance(end, int)
                carrier, pose = home[end]
                ends.append((new[carrier], pose @ place))
            (tie.first, first), (tie.second, second) = ends
            tie.places = first, second
    machine.links = [machine.links[k] for k in kept]
    for link in machine.links:
        link.parent = new[link.parent]
