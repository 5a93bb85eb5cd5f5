"""Contact of a machine: who touches whom, by the file and by how the machine is described."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from tinkerdyne.behaviors.contact import contact, group, ignore
from tinkerdyne.formats.model import ReadModel
from tinkerdyne.language.item import Item
from tinkerdyne.objects.grounds import Floor

DEEP = 1e-4  # m: bodies that overlap more as described are meant to

Bits = frozenset[tuple[int, int]]


def touch(model: ReadModel, stands: Sequence[Item]) -> None:
    """Let shapes touch, as far as there are two that could."""
    machine = model.machine
    floors = [item for item in stands if item.type is Floor]
    rest = [item for item in stands if item not in floors]
    own = dict(zip(model.bodies, [link.parts for link in machine.links], strict=True))
    fixed = [part for part in machine.fixed if part.touches]
    own |= {item: [part for part in fixed if part.shape.type is not Floor] for item in rest}
    bits = {item: frozenset(part.bits for part in parts if part.touches) for item, parts in own.items()}
    planes = frozenset(part.bits for part in fixed if part.shape.type is Floor)
    bits |= dict.fromkeys(floors, planes)
    touching = [item for item in bits if bits[item]]
    if not any(item in touching for item in model.bodies) or len(touching) < 2:
        return
    model.world.add(contact(name=model.name_for("contact", "rule")))
    for first, second in machine.apart:
        a, b = (model.body_of(name) or next(iter(rest), None) for name in (first, second))
        if a is not None and b is not None and a is not b:
            model.world.add(ignore(a, b))
    _by_bits(model, {item: bits[item] for item in touching})
    _overlapping(model, floors)


def _by_bits(model: ReadModel, bits: dict[Item, Bits]) -> None:
    """Bodies whose kinds do not meet pass through each other."""
    kinds: dict[Bits, list[Item]] = {}
    for item, found in bits.items():
        kinds.setdefault(found, []).append(item)
    sides: dict[Bits, Item] = {}
    for a, b in itertools.combinations_with_replacement(kinds, 2):
        if any(one[0] & other[1] or other[0] & one[1] for one in a for other in b):
            continue
        if a == b:
            if len(kinds[a]) > 1:
                model.world.add(ignore(*kinds[a]))
            continue
        for side in (a, b):
            if side not in sides:
                several = len(kinds[side]) > 1
                sides[side] = model.world.add(group(*kinds[side])) if several else kinds[side][0]
        model.world.add(ignore(sides[a], sides[b]))


def _overlapping(model: ReadModel, floors: Sequence[Item]) -> None:
    """Bodies that overlap as the machine is described pass through each other, as hulls of neighbours do."""
    sources = {body.key: link.source for body, link in zip(model.bodies, model.machine.links, strict=True)}
    known: set[frozenset[int]] = set()
    for meeting in model.world.contacts():
        a, b = meeting.a, meeting.b
        pair = frozenset((a.key, b.key))
        if meeting.gap > -DEEP or pair in known or a in floors or b in floors:
            continue
        known.add(pair)
        model.world.add(ignore(a, b))
        source = sources.get(a.key) or sources[b.key]
        says = f"{a.name} and {b.name} overlap as described, and pass through each other"
        model.report.leave(source, says, bears=False)
