"""What the rules of a world say of contact: who may touch whom, and with which constants.

Touchers are the objects with a boundary, counted in the order of their keys; pairs are told by these
numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, product

from tinkerdyne.engine.contact.arena import Paired, Toucher, Watched
from tinkerdyne.engine.contact.watching import GAUGES
from tinkerdyne.engine.structure import Structure
from tinkerdyne.language.item import Item, Values

Place = Callable[[int], int]  # of the record of a key


def has_contact(structure: Structure) -> bool:
    """Whether anything touches anything in this world."""
    return any(rule.type.rule == "contact" for rule in structure.rules)


def touching_items(structure: Structure) -> list[Item]:
    """The objects with a boundary, in the order of their keys; none where there is no contact."""
    if not has_contact(structure):
        return []
    batches = structure.object_batches()
    found = [item for batch in batches for item in batch.items if item.type.boundary(item)]
    return sorted(found, key=lambda item: item.key)


def touchers(structure: Structure, items: Sequence[Item], place: Place) -> list[Toucher]:
    """The boundaries of items, each with the constants of its surface."""
    rules = structure.rules
    common = constants(structure)
    own = {key: rule.values for rule in rules if rule.type.rule == "material" for key in objects_below(rule)}
    belts = {
        key: rule.values["velocity"]
        for rule in rules
        if rule.type.rule == "conveyor"
        for key in objects_below(rule)
    }
    found = []
    for item in items:
        values, belt = own.get(item.key, common), (*belts.get(item.key, ()), 0.0, 0.0, 0.0)[:3]
        parts = item.type.boundary(item)
        mu, e, roll, spin = (values[name] for name in ("friction", "restitution", "rolling", "spinning"))
        found.append(Toucher(place(item.key), parts, mu, e, belt, roll, spin))
    return found


def paired(structure: Structure, items: Sequence[Item]) -> list[Paired]:
    """Pairs with constants of their own; of several that are said, the last counts."""
    number = _numbers(items)
    found: dict[tuple[int, int], Paired] = {}
    for rule in structure.rules:
        if rule.type.rule == "pairing":
            for a, b in _between(_sides(rule, number)):
                found.pop((a, b), None)
                found[a, b] = Paired(a, b, rule.values["friction"], rule.values["restitution"])
    return list(found.values())


def ignored(structure: Structure, items: Sequence[Item]) -> list[tuple[int, int]]:
    """Pairs that are joined to each other, or told to ignore each other."""
    number = _numbers(items)
    found: set[tuple[int, int]] = set()
    for item in structure.constraints():
        found.update(combinations(sorted({number[key] for key in objects_below(item) if key in number}), 2))
    for rule in structure.rules:
        if rule.type.rule == "ignore":
            sides = _sides(rule, number)
            found.update(_between(sides if len(sides) > 1 else sides * 2))
    return sorted(found)


def watched(structure: Structure, items: Sequence[Item], place: Callable[[Item], int]) -> list[Watched]:
    """The measures of contact, with the touchers that their inputs stand on."""
    number = _numbers(items)
    found = []
    for item in structure.gauges:
        a, b = (next((number[k] for k in object_or_below(x) if k in number), -1) for x in item.inputs)
        found.append(Watched(a, b, GAUGES[item.type.gauge], place(item)))
    return found


def constants(structure: Structure) -> Values:
    """The constants of the field; none where there is no contact."""
    return next((rule.values for rule in structure.rules if rule.type.rule == "contact"), {})


def _numbers(items: Sequence[Item]) -> dict[int, int]:
    """How touchers are counted, by their keys."""
    return {item.key: k for k, item in enumerate(items)}


def _sides(rule: Item, number: Mapping[int, int]) -> list[set[int]]:
    """The touchers of each body or group that a rule names."""
    return [{number[key] for key in object_or_below(source) if key in number} for source in rule.inputs]


def _between(sides: Sequence[set[int]]) -> Iterator[tuple[int, int]]:
    """Each two of different sides, the lower first, in order."""
    for one, other in combinations(sides, 2):
        yield from sorted({(min(a, b), max(a, b)) for a, b in product(one, other) if a != b})


def objects_below(item: Item) -> Iterator[int]:
    """Keys of the objects that an item is plugged into, by whatever way."""
    for source in item.inputs:
        yield from object_or_below(source)


def object_or_below(source: Item) -> Iterator[int]:
    """The key of an object, or those that a connector stands on."""
    if source.type.family == "object":
        yield source.key
    else:
        yield from objects_below(source)
