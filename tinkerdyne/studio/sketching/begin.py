"""The sketch of a world: made of some of its bodies, kept in the scene, and read again with the bodies as
they are now."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tinkerdyne.behaviors.forces import gravity
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item
from tinkerdyne.objects.grounds import Floor, Ground, Wall
from tinkerdyne.objects.rotation import rotation_matrix
from tinkerdyne.world.edit import Sketched
from tinkerdyne.world.world import World

if TYPE_CHECKING:
    from tinkerdyne.sketch.tell.sketch import Sketch
    from tinkerdyne.sketch.tell.story import Surface
    from tinkerdyne.sketch.tree.sketch import TreeSketch

    AnySketch: TypeAlias = Sketch | TreeSketch

DOWN = (0.0, 0.0, -9.81)
WIDE, HIGH = 6.0, 2.0  # times the radius of a body: how far, and how high, it is thrown to begin with
MOST_STANDING = 40  # fixed bodies that stand in the way


def begun(world: World, names: Sequence[str], along: Sequence[float]) -> AnySketch:
    """A sketch of some bodies: from where they are now, thrown along a direction, with the floors and fixed
    bodies of the world. Bodies with joints are sketched with all that hang on them."""
    from tinkerdyne.studio.sketching.trees import begun_tree

    down = np.array(gravity_of(world))
    level = _level(down / (np.linalg.norm(down) or 1.0), along)
    moving = [name for name in names if not world[name].values.get("is_fixed")]
    if _joined(world, moving) is not None:
        return begun_tree(world, moving, level, down)
    return _begun_free(world, names, level)


def _level(down: Array, along: Sequence[float]) -> Array:
    """A direction across gravity."""
    way = np.array(along, float) if len(along) == 3 and np.any(along) else np.array((1.0, 0.0, 0.0))
    way = way - down * (down @ way)
    return way / np.linalg.norm(way) if np.linalg.norm(way) > 1e-9 else np.array((1.0, 0.0, 0.0))


def _begun_free(world: World, names: Sequence[str], way: Array) -> Sketch:
    from tinkerdyne.sketch.tell.shape import shape_of
    from tinkerdyne.sketch.tell.sketch import Sketch

    moving = [world[name] for name in names if not world[name].values.get("is_fixed")]
    for item in moving:
        shape_of(_copy(world, item.name))  # or a message that says why not
    if not moving:
        raise ValueError("a sketch moves bodies: select one that is not fixed")
    still = [item.name for item in world.items if _stands(item) and item.name not in names][:MOST_STANDING]
    bodies = [_copy(world, name) for name in (*[item.name for item in moving], *still)]
    sketch = Sketch(*bodies, gravity=gravity_of(world))
    for item in world.items:
        if item.type in (Floor, Wall):
            sketch.keep_above(plane_of(item))
    down = sketch.gravity / (np.linalg.norm(sketch.gravity) or 1.0)
    for body in sketch.bodies:
        place, turn, size = np.array(body.position), np.array(body.orientation), shape_of(body).radius
        throw = ((0.0, 0.0), (0.5, 1.0), (1.0, 0.0))
        places = [place + WIDE * size * s * way - HIGH * size * h * down for s, h in throw]
        sketch.want(body, position=place, orientation=turn, when="start")
        sketch.follow(body, places, [turn] * len(places))
    return sketch


def check(sketch: AnySketch) -> None:
    """A message that says what is wrong with a sketch."""
    from tinkerdyne.sketch.tree.sketch import TreeSketch

    if isinstance(sketch, TreeSketch):
        sketch.check()
    else:
        sketch.statement()


def kept(sketch: AnySketch) -> Sketched:
    """A sketch as the scene has it: its bodies by name."""
    from tinkerdyne.sketch.tree.sketch import TreeSketch
    from tinkerdyne.studio.sketching.trees import kept_tree

    if isinstance(sketch, TreeSketch):
        return Sketched(kept_tree(sketch))
    document = sketch.document()
    bodies = [body["name"] for body in document["bodies"]]
    return Sketched(json.dumps({**document, "bodies": bodies}, allow_nan=False))


def read(world: World, shown: Sketched, before: AnySketch | None = None) -> AnySketch:
    """The sketch that a scene has, with the bodies as they are; a message where it cannot be read."""
    from tinkerdyne.sketch.tell.file import sketch_of
    from tinkerdyne.sketch.tree.sketch import TreeSketch
    from tinkerdyne.studio.sketching.trees import read_tree

    document = json.loads(shown.text)
    gone = [name for name in document["bodies"] if name not in world]
    if gone:
        raise ValueError(f"the sketch moves {', '.join(gone)}, which is no longer in this world")
    if "joints" in document:
        return read_tree(world, document, before if isinstance(before, TreeSketch) else None)
    bodies = [described(world, name) for name in document["bodies"]]
    return sketch_of({"sketch": 1, **document, "bodies": bodies}, name="the sketch")


def described(world: World, name: str) -> dict[str, object]:
    """A body of a world as a sketch's document has it."""
    d = world.contents.describe(world[name])
    return {"type": d.type, "name": d.name, **dict(d.values), **dict(d.state)}


def bodies_in(world: World, shown: Sketched) -> tuple[object, ...]:
    """What a sketch knows of the bodies of its world, and of their joints: another sketch is to be read where
    it differs."""
    document = json.loads(shown.text)
    found: list[object] = []
    for name in document["bodies"]:
        if name in world:
            d = world.contents.describe(world[name])
            found.append((name, d.values, d.state if world[name].values.get("is_fixed") else ()))
    if "joints" in document:
        held = world.contents.dependents([name for name in document["bodies"] if name in world])
        found += [(name, item.values) for name, item in held.items() if item.type.family != "behavior"]
    return tuple(found)


def gravity_of(world: World) -> tuple[float, ...]:
    """The gravity of a world; that of the earth where it has none."""
    fields = [item for item in world.items if item.type is gravity and item.values.get("is_on", True)]
    return tuple(np.sum([item.values["g"] for item in fields], axis=0).tolist()) if fields else DOWN


def plane_of(item: Item) -> Surface:
    """The plane of a floor or a wall."""
    from tinkerdyne.sketch.tell.story import Surface

    facing: Array = np.array(item.values.get("facing", (0.0, 0.0, 1.0)), float)
    normal = rotation_matrix(np.array(item.orientation)) @ (facing / np.linalg.norm(facing))
    return Surface(tuple(item.position), tuple(normal.tolist()), item.name)


def _copy(world: World, name: str) -> Item:
    d = world.contents.describe(world[name])
    made: Item = world[name].type.make(name, (), {**dict(d.values), **dict(d.state)})
    return made


def _stands(item: Item) -> bool:
    """Whether an item is a fixed body that a sketch can have in the way."""
    from tinkerdyne.sketch.tell.shape import shape_of

    if item.type.family != "object" or not item.values.get("is_fixed") or isinstance(item.type, Ground):
        return False
    try:
        shape_of(item)
    except (TypeError, ValueError):
        return False
    return True


def _joined(world: World, names: Sequence[str]) -> Item | None:
    """A constraint that holds one of these bodies."""
    for item in world.contents.dependents(names).values():
        if item.type.family == "constraint":
            return item
    return None
