"""The catalogue: every type that a page can insert, read from the registry; a new type is in the menus
without another line."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import Any, get_args

import tinkerdyne as td
from tinkerdyne.constraints.joints import JointType
from tinkerdyne.language.item_type import ItemType
from tinkerdyne.language.kinds import Axes, Down, Either, Keys, Number, Place, Size, Turns, Unit
from tinkerdyne.language.look import Icon, MenuGroup
from tinkerdyne.language.types import REGISTRY, TAU, BlockType
from tinkerdyne.objects.maker import Maker
from tinkerdyne.objects.shape import Shape
from tinkerdyne.optimise.fit import MODELS
from tinkerdyne.studio.build.spaces import spaces_of
from tinkerdyne.studio.wire.protocol import FitModel, Parameter, Port, TypeInfo

FIT_TITLES = {"sinusoid": "Sine wave", "gaussians": "Two Gaussians"}
SORTS = {
    Number: "number",
    Size: "size",
    Unit: "unit",
    Axes: "axes",
    Place: "vector",
    Down: "vector",
    Keys: "keys",
    Turns: "number",
}
GROUPS = get_args(MenuGroup)
# the picture of a type that names none: by its mark, else by its heading
BY_GLYPH: Mapping[str, Icon] = {
    "nail": "nail", "rivet": "link", "ball": "ball", "hinge": "pin", "cross": "cross", "cylinder": "tube",
    "slider": "slider", "screw": "screw", "weld": "weld", "table": "table", "bead": "bead", "wheel": "motor",
    "bar": "distance", "coil": "spring", "dashpot": "damper", "path": "path",
}  # fmt: skip
BY_GROUP: Mapping[str, Icon] = {
    "Bodies": "box", "Bodies in the plane": "plate", "Objects": "variable", "Ground and contact": "floor",
    "Joints": "pin", "Constraints": "equals", "Forces": "arrow", "Motors and paths": "motor",
    "Points": "point", "Directions and frames": "frame", "Measures": "gauge", "Curves": "curve",
    "Formulas": "formula", "Of this scene": "compound",
}  # fmt: skip


def catalogue() -> tuple[TypeInfo, ...]:
    """All types, those of a group beside each other."""
    found = [info(kind) for kind in tuple(REGISTRY.values()) if isinstance(kind, (Maker, BlockType))]
    return tuple(sorted(found, key=lambda one: GROUPS.index(one.group)))


def described(names: Iterable[str]) -> tuple[TypeInfo, ...]:
    """The types of these names, as far as they are known."""
    kinds = (REGISTRY.get(name) for name in sorted(set(names)))
    return tuple(info(kind) for kind in kinds if isinstance(kind, (Maker, BlockType)))


def fit_models() -> tuple[FitModel, ...]:
    """The models that data can be fitted to, by name."""
    return tuple(
        FitModel(name, FIT_TITLES.get(name, name.capitalize()), 3 if re.search(r"\bz\b", text) else 2)
        for name, text in MODELS.items()
    )


@functools.cache
def info(kind: Any) -> TypeInfo:
    """What a page needs to know of a type."""
    doc = " ".join(kind.doc.split())
    common = {
        "name": kind.name,
        "family": kind.family,
        "doc": doc,
        **asdict(kind.look),
        "group": _group(kind),
        "title": title(kind),
        "icon": icon_of(kind),
        "spaces": spaces_of(kind),
        "python": _line(kind),
    }
    for ours in ("line", "place", "length", "value"):  # pages do without
        del common[ours]
    if isinstance(kind, Maker):
        return TypeInfo(
            **common,
            parameters=tuple(_object_parameters(kind)),
            state=tuple(
                Parameter(n, _sort_of(n, d), d, kind.units.get(n, "")) for n, d in kind.state.items()
            ),
            supplies=_supplied(kind),
            places=tuple(kind.places(kind.parameters)),
            **_ends(kind),
            is_planar=len(kind.state.get("position", ())) == 2,
        )
    ports = [Port(name, wanted.name) for name, wanted in kind.ports]
    if kind.variadic is not None:
        ports.append(Port("inputs", kind.variadic.name, True))
    return TypeInfo(
        **common,
        parameters=tuple(_block_parameters(kind)),
        ports=tuple(ports),
        supplies=kind.output.name,
        coordinates=tuple(kind.coordinates) if isinstance(kind, JointType) else (),
        is_joint=isinstance(kind, JointType),
    )


def title(kind: ItemType) -> str:
    """A type's name as people read it: "Ball joint"."""
    return kind.look.title or kind.name.replace("_", " ").capitalize()


def icon_of(kind: ItemType) -> Icon:
    """The small picture of a type."""
    return kind.look.icon or BY_GLYPH.get(kind.look.glyph) or BY_GROUP[_group(kind)]


@functools.cache
def public_names() -> dict[str, str]:
    """The names of the package's types in `tinkerdyne`, by those of the types."""
    kinds = {id(kind) for kind in REGISTRY.values()}
    return {value.name: word for word, value in vars(td).items() if id(value) in kinds}


def _line(kind: ItemType) -> str:
    """The line of Python that adds one, "" where it takes more than a line."""
    if kind.look.line:
        return kind.look.line
    word = public_names().get(kind.name, "" if kind.module.startswith("tinkerdyne") else kind.name)
    return f"world.add({word}({_arguments(kind)}))" if word else ""


def _arguments(kind: ItemType) -> str:
    """The names of a block's inputs, as they stand in a line of Python."""
    if not isinstance(kind, BlockType):
        return ""
    names = [name for name, _ in kind.ports]
    if kind.variadic is not None:
        names.append({"point": "a, b, c", "part": "a, b"}.get(kind.variadic.name, "x, y"))
    return ", ".join(names)


def _group(kind: ItemType) -> str:
    """The heading in menus: the one that a type names, or the one that its family has."""
    if kind.module.startswith("tinkerdyne_scenes"):
        return "Of this scene"
    if kind.look.group:
        return kind.look.group
    if isinstance(kind, Shape):
        return "Bodies" if kind.dim == 3 else "Bodies in the plane"
    if isinstance(kind, Maker):
        return "Curves" if _supplied(kind) in ("curve", "surface") else "Objects"
    if isinstance(kind, JointType):
        return "Joints"
    if isinstance(kind, BlockType) and kind.family == "connector":
        return "Directions and frames" if kind.output.name in ("direction", "frame") else "Measures"
    return "Constraints" if kind.family == "constraint" else "Forces"


def _ends(kind: Maker) -> dict[str, Any]:
    """The ends of a bar along its own x axis."""
    if kind.look.drawn != "bar":
        return {}
    along = {name: at[0] for name, at in kind.places(kind.parameters).items()}
    ends = (min(along, key=lambda name: along[name]), max(along, key=lambda name: along[name]))
    length = kind.parameters[kind.look.sizes[0]]
    return {"ends": ends, "span": tuple(along[end] / length for end in ends)}


@functools.cache
def _supplied(kind: Maker) -> str:
    """The kind that an object supplies, "" where one cannot be made without being told more."""
    try:
        return kind.port(kind.make("", (), {})).kind.name
    except (TypeError, ValueError):
        return ""


def _object_parameters(kind: Maker) -> Iterator[Parameter]:
    for name, default in kind.parameters.items():
        if name == "mass" and isinstance(kind, Shape):
            yield Parameter(name, "size", default, "kg" if not isinstance(default, tuple) else "")
        else:
            yield Parameter(name, _sort_of(name, default), default, kind.units.get(name, ""))


def _sort_of(name: str, default: object) -> Any:
    """The sort of an object's parameter or state, by its default."""
    if isinstance(default, bool):
        return "truth"
    if isinstance(default, str):
        return "choice"
    if name == "orientation":
        return "quaternion"
    if isinstance(default, tuple):
        return "vector" if not default or isinstance(default[0], (int, float)) else "keys"
    return (
        "size"
        if name in ("mass", "length", "radius", "width", "height", "thickness", "density")
        else "number"
    )


def _block_parameters(kind: BlockType) -> Iterator[Parameter]:
    for name, (sort, default) in kind.parameters.items():
        if isinstance(default, Either):
            default = {"plane": default.plane, "space": default.space}
        if sort.is_choice:
            yield Parameter(name, "choice", default, "", sort.choices)
        else:
            yield Parameter(name, SORTS[sort], default, kind.units.get(name, ""))  # type: ignore[arg-type]
    if "tau" in kind.common:
        yield Parameter("tau", "size", TAU, "s")
    if kind.family != "connector":
        yield Parameter("is_on", "truth", True)
