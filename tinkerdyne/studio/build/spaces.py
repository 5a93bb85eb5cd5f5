"""In which dimensions a type can be: in the plane, in space, or in both; found by trying its formula."""

from __future__ import annotations

import functools
from collections.abc import Mapping

from tinkerdyne.connectors.points import place, world_direction, world_frame
from tinkerdyne.language.block import Port
from tinkerdyne.language.inputs import Inputs, Motion
from tinkerdyne.language.item_type import ItemType
from tinkerdyne.language.kinds import Either, Value
from tinkerdyne.language.symbols import SX
from tinkerdyne.language.types import BlockType, port_of
from tinkerdyne.objects.grounds import Ground
from tinkerdyne.objects.maker import Maker
from tinkerdyne.objects.shape import Shape

BOTH = (2, 3)


def spaces_of(kind: ItemType) -> tuple[int, ...]:
    """The dimensions in which there can be one."""
    if isinstance(kind, (Shape, Ground)):
        return (kind.dim,)
    if isinstance(kind, Maker):
        return BOTH if kind.can_be_planar() else _of_state(kind)
    assert isinstance(kind, BlockType)
    return tuple(dim for dim in BOTH if _is_possible(kind, dim))


def _of_state(kind: Maker) -> tuple[int, ...]:
    """Of an object that is in one of them: by how many numbers its place has; curves of the plane lie in
    space too."""
    place = kind.state.get("position")
    return (3,) if isinstance(place, tuple) and len(place) == 3 else BOTH


@functools.cache
def _ports(dim: int) -> Mapping[str, Port]:
    """A port of each kind of geometry."""
    origin, ahead = (0.0,) * dim, (1.0,) + (0.0,) * (dim - 1)
    made = {
        "point": place(at=origin), "direction": world_direction(along=ahead), "frame": world_frame(at=origin),
    }  # fmt: skip
    return {kind: port_of(item) for kind, item in made.items()}


def _is_possible(kind: BlockType, dim: int) -> bool:
    """Whether the formula takes geometry of this dimension; what takes other things is asked nothing."""
    wanted = [port.name for _, port in kind.ports]
    known = _ports(dim)
    if not wanted or kind.variadic is not None or not set(wanted) <= known.keys() | {"scalar"}:
        return True
    by_kind = {port.name: port for _, port in kind.ports}
    inputs = Inputs.make([known[name] if name in known else Port(by_kind[name], 1) for name in wanted])
    try:
        Motion.of(inputs).call(kind.formula, _defaults(kind, dim))
    except (TypeError, ValueError, RuntimeError, NotImplementedError):
        return False
    return True


def _defaults(kind: BlockType, dim: int) -> dict[str, Value]:
    """Its parameters as a formula takes them."""
    found: dict[str, Value] = {}
    for name, (sort, default) in kind.parameters.items():
        value = (default.plane if dim == 2 else default.space) if isinstance(default, Either) else default
        found[name] = value if sort.is_choice else SX(list(value) if isinstance(value, tuple) else value)
    return found
