"""From a scene to a world: its items with the stepper's memory of them, and the world as settled as it
was."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tinkerdyne.engine.approach import begin, take_back
from tinkerdyne.engine.engine import Engine
from tinkerdyne.engine.readings import CARRIED
from tinkerdyne.files import SceneError
from tinkerdyne.language.item import Item, label
from tinkerdyne.world.edit import Description
from tinkerdyne.world.scene.value import SceneValue

# residuals above this (SI units) are worth a word: they start a new approach (engine.steppers.motion.MET)
OPEN = 1e-7


def fill(scene: SceneValue, add: Callable[[Description], Item], engine: Engine) -> None:
    """Add all items of a scene to an empty world, with the stepper's memory of them."""
    made: dict[str, Item] = {}
    for d in scene.items:
        part = scene.parts.get(d.name)
        try:
            if part is not None:
                d = _placed(d, part, made)
            item = made[d.name] = add(Description(d.type, d.name, d.inputs, d.values, d.state))
        except SceneError:
            raise
        except Exception as problem:  # whatever a formula or a check says about what the file holds
            who = f"{d.type} {d.name!r}"
            said = str(problem)
            raise SceneError(said if who in said else f"{who}: {said}") from problem
        if part is not None:
            item.inputs[0].parts[part] = item
        if d.memory:
            _remind(item, d.memory, engine)
    engine.scalars.time = scene.time
    for name, value in scene.stepper.items():
        setattr(engine.scalars, CARRIED[name], value)


def _remind(item: Item, memory: tuple[float, ...], engine: Engine) -> None:
    """Give a constraint its memory; one that is switched off keeps it for later."""
    if item.type.rule == "contact":
        engine.contacts.read(memory)
        return
    width = engine.memory_width(item)
    if len(memory) != width:
        raise SceneError(
            f"memory of {label(item)} must have {width} numbers, not {len(memory)}; it may be left out"
        )
    if engine.is_attached(item):
        engine.set_memory(item, np.array(memory))
    else:
        item.start["memory"] = np.array(memory)


def _placed(d: Description, part: str, made: dict[str, Item]) -> Description:
    """The point that is a named place of an object: where the object says, unless the file says otherwise."""
    source = made[d.inputs[0]] if len(d.inputs) == 1 else None
    places = (
        source.type.places(source.values)
        if source is not None and getattr(source.type, "places", None)
        else {}
    )
    if source is None or part not in places:
        on = label(source) if source is not None else "its object"
        raise SceneError(
            f"{d.type} {d.name!r} is to be the part {part!r} of {on}, which has {', '.join(places) or 'none'}"
        )
    return Description(d.type, d.name, d.inputs, (("at", places[part]), *d.values))


def resume(scene: SceneValue, engine: Engine) -> str:
    """Settle a filled world as it was when saved; returns what is open and by how much, in words ("" when
    nothing is).

    A constraint that is not where its approach r(t) should be starts a new approach, as after an edit. One
    that was already as far off when it was saved (it cannot be met) goes on as it was.
    """
    engine.lay_out()
    approaches = begin(engine)
    if not approaches or (scene.gap is not None and approaches[0].gap <= scene.gap * (1 + 1e-6) + OPEN):
        take_back(engine, approaches)
        return ""
    says = [
        f"{label(begun.constraint)} "
        + (f"is open by {begun.gap:.3g}" if begun.gap > OPEN else f"opens by {begun.rate:.3g} a second")
        for begun in approaches[:3]
    ]
    return "; ".join(says) + (f", and {len(approaches) - 3} more" if len(approaches) > 3 else "")
