"""Types from formulas: `@connector`, `@constraint`, `@behavior` and `@field` turn a Python function into a
type (E5).

    @constraint
    def on_sphere(p: Point, *, centre: Place = (0, 0, 0), radius: Number = 1.0): return norm(p - centre) -
    radius

Positional names are inputs, by kind; keyword-only names are parameters, adjustable while the world runs. A
type is made for the ports it meets (a point in the plane or in space, on a body or on a curve) once; after
that, instances cost nothing.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Sequence
from typing import Any

from tinkerdyne.language.block import Block, Layout, Port, force_block, motion_block
from tinkerdyne.language.item import Item, axes, checked_name, label, number, unit, vector
from tinkerdyne.language.keys import STYLES, checked_keys, table
from tinkerdyne.language.kinds import (
    Axes,
    Choice,
    Either,
    Keys,
    Kind,
    Number,
    Parameter,
    Place,
    Size,
    Turns,
    Unit,
)
from tinkerdyne.language.look import Look
from tinkerdyne.language.parse import FormulaError

REGISTRY: dict[str, Any] = {}
READINGS = {
    "connector": ("value", "velocity"),
    "constraint": ("value", "velocity", "force", "gap"),
    "behavior": ("energy", "power"),
    "field": ("energy", "power"),
}
TAU = 0.1  # s: the time constant of a constraint's approach when nothing is said


def register(type: Any) -> None:
    """Make a type known by name, for saved scenes and for the law tests; a notebook may define its own type
    again."""
    known = REGISTRY.get(type.name)
    if known is not None and getattr(known, "module", None) != getattr(type, "module", None):
        raise ValueError(
            f"there is already a {known.family} called {type.name!r}; give the new one another name"
        )
    REGISTRY[type.name] = type


class BlockType:
    """A connector, constraint, behavior or field type."""

    look = Look()

    def __init__(
        self,
        family: str,
        formula: Callable[..., Any],
        *,
        name: str | None = None,
        output: Kind | None = None,
        tied: bool = False,
        symmetric: bool = False,
        text: str | None = None,
        listed: bool = True,
    ) -> None:
        self.family = family
        self.formula = formula
        self.name = name or formula.__name__
        self.module = formula.__module__
        self.doc = inspect.getdoc(formula) or ""
        # tied to places of the world, so its value changes under a rigid motion of everything
        self.tied = tied
        # its two inputs may be exchanged: what stands still comes first, and rows are measured in it
        self.symmetric = symmetric
        self.text = text  # the typed-in formula a type was made from
        self.ports: list[tuple[str, Kind]] = []
        self.variadic: Kind | None = None
        self.parameters: dict[str, tuple[Parameter, Any]] = {}
        self.output = output
        # items that come along with one of this type
        self.companions: Callable[[Item], Sequence[Item]] | None = None
        self._blocks: dict[Any, Block] = {}
        self._read_signature()
        if listed:
            register(self)

    def _read_signature(self) -> None:
        signature = inspect.signature(self.formula, eval_str=True)
        for p in signature.parameters.values():
            kind = p.annotation
            if p.kind is p.KEYWORD_ONLY:
                sort = kind if isinstance(kind, Parameter) else Number
                if p.default is p.empty:
                    raise TypeError(f"parameter {p.name!r} of {self.family} {self.name!r} needs a default")
                self.parameters[p.name] = (sort, p.default)
            elif self.family == "field":
                continue
            elif not isinstance(kind, Kind):
                raise TypeError(
                    f"input {p.name!r} of {self.family} {self.name!r} needs a kind: Point, Direction, Frame, "
                    "Scalar …"
                )
            elif p.kind is p.VAR_POSITIONAL:
                self.variadic = kind
            else:
                self.ports.append((p.name, kind))
        if self.family == "connector" and self.output is None:
            result = signature.return_annotation
            if not isinstance(result, Kind):
                raise TypeError(
                    f"connector {self.name!r} must say what it supplies: -> Point, Direction, Frame, Scalar …"
                )
            self.output = result

    # --- what an item asks -----------------------------------------------------------------------
    def parameter_names(self) -> tuple[str, ...]:
        extra = {"constraint": ("tau", "gains", "is_on"), "behavior": ("is_on",), "field": ("is_on",)}.get(
            self.family, ()
        )
        return (*self.parameters, *extra)

    def state_names(self) -> tuple[str, ...]:
        return ()

    def part(self, item: Item, name: str) -> Any:
        if name not in READINGS.get(self.family, ()):
            return None
        if item.world is None:
            homes = {id(source.world): source.world for source in item.inputs}
            home = next(iter(homes.values()), None)
            if self.family != "connector" or len(homes) != 1 or home is None:
                raise AttributeError(f"{label(item)} is in no world yet; add it to read its {name}")
            home.adopt(item)  # reading rod.end2 of a rod that runs is enough to make it known
        return item.world.reading(item, name)

    def checked(self, item: str, name: str, value: Any) -> Any:
        """A parameter's value in its stored form, or a message."""
        what = f"{name} of {item}"
        if name == "tau":
            return number(what, value, positive=True)
        if name == "gains":
            gains = vector(what, value, length=(0, 2))
            if any(gain < 0 for gain in gains):
                raise ValueError(
                    f"{what} must be (k_s, k_d), both at least zero, or () for those of tau, not {value!r}"
                )
            return gains
        if name == "is_on":
            if not isinstance(value, bool):
                raise TypeError(f"{what} must be True or False, not {value!r}")
            return value
        if name == "restitution" and number(what, value) < 0:
            raise ValueError(
                f"{what} must not be negative: 0 stops, 1 gives all speed back, more adds energy; not "
                f"{value!r}"
            )
        if name not in self.parameters:
            raise AttributeError(
                f"{item} has no parameter {name!r}; it has {', '.join(self.parameter_names())}"
            )
        sort, default = self.parameters[name]
        if sort is Choice:
            if name == "style" and value not in STYLES:
                raise ValueError(f"{what} must be one of {', '.join(STYLES)}, not {value!r}")
            return value
        if sort is Keys:
            return checked_keys(what, value)
        if sort is Place:
            return vector(
                what, [value] if isinstance(value, (int, float)) and not isinstance(value, bool) else value
            )
        if sort is Unit:
            return unit(what, value)
        if sort is Axes:
            return axes(what, value)
        if isinstance(default, (tuple, list)):
            return vector(what, value, length=len(default))
        return number(what, value, positive=sort is Size)

    # --- making items and blocks -----------------------------------------------------------------
    def __call__(self, *inputs: Item, name: str = "", **parameters: Any) -> Item:
        return self.make(name, inputs, parameters)

    def make(self, name: str, inputs: Sequence[Item], parameters: dict[str, Any]) -> Item:
        """An item of this type; inputs and parameters are checked here, at the public door."""
        checked_name(f"the name of a {self.name}", name)
        if self.symmetric and len(inputs) == 2 and _stands_still(inputs[1]) and not _stands_still(inputs[0]):
            inputs = (inputs[1], inputs[0])
        who = f"{self.name} {name!r}" if name else f"a new {self.name}"
        values: dict[str, Any] = {}
        dim = _dimension(inputs) or self._dimension_given(parameters)
        for key, (_, default) in self.parameters.items():
            if isinstance(default, Either):
                default = default.plane if dim == 2 else default.space
                given = self.checked(who, key, parameters.pop(key, default))
                if dim and len(given) != len(default):
                    where = "in the plane" if dim == 2 else "in space"
                    raise ValueError(
                        f"{key} of {who} must have {len(default)} numbers {where}, not {len(given)}: {given}"
                    )
                values[key] = given
            else:
                values[key] = self.checked(who, key, parameters.pop(key, default))
        if self.family == "constraint":
            values["tau"] = self.checked(who, "tau", parameters.pop("tau", TAU))
            values["gains"] = self.checked(who, "gains", parameters.pop("gains", ()))
        if self.family != "connector":
            values["is_on"] = self.checked(who, "is_on", parameters.pop("is_on", True))
        if parameters:
            unknown = ", ".join(parameters)
            raise TypeError(f"{who} has no parameter {unknown}; it has {', '.join(self.parameter_names())}")
        item = Item(self, name, tuple(inputs), values, {})
        if self.family != "field":
            self.check_inputs(item)
            self.block_of(item)
        return item

    def _dimension_given(self, parameters: dict[str, Any]) -> int:
        """2 where a parameter that depends on the dimension is given as in the plane, when no input tells;
        else 0."""
        for key, (_, default) in self.parameters.items():
            given = parameters.get(key)
            if isinstance(default, Either) and hasattr(given, "__len__") and len(given) == len(default.plane):  # type: ignore[arg-type]
                return 2
        return 0

    def kinds(self, count: int) -> list[tuple[str, Kind]]:
        """The wanted kind of each of `count` inputs."""
        extra = count - len(self.ports)
        if self.variadic is None or extra < 0:
            return self.ports
        return [*self.ports, *[(f"input {k + 1}", self.variadic) for k in range(len(self.ports), count)]]

    def check_inputs(self, item: Item) -> None:
        wanted = self.kinds(len(item.inputs))
        if len(wanted) != len(item.inputs):
            names = ", ".join(n for n, _ in self.ports) or "none"
            raise TypeError(f"{label(item)} takes {len(self.ports)} inputs ({names}), not {len(item.inputs)}")
        for (name, kind), source in zip(wanted, item.inputs, strict=True):
            if not isinstance(source, Item) or source.type.family not in ("object", "connector"):
                raise TypeError(
                    f"input {name!r} of {label(item)} must be an object or a connector, not {source!r}"
                )
            source._alive()
            port = port_of(source)
            if not kind.accepts(port.kind, port.dim):
                raise TypeError(
                    f"input {name!r} of {label(item)} must be a {kind.name}, but {label(source)} supplies a "
                    f"{port.kind.name}"
                )

    def layout(self, values: dict[str, Any]) -> Layout:
        names, dims, keys = [], [], []
        turns = ""
        for key, (sort, _) in self.parameters.items():
            if sort is Choice:
                continue
            value = values[key]
            names.append(key)
            keys.append(len(value[0]) - 1 if sort is Keys else 0)
            if sort is Keys:  # n and w, n times, n rows, with a span before and one after
                dims.append(2 + (len(value) + 1) * (2 + 4 * keys[-1]))
            else:
                dims.append(len(value) if isinstance(value, tuple) else 1)
            turns = key if sort is Turns else turns
        return Layout(tuple(names), tuple(dims), tuple(keys), turns)

    def flat(self, values: dict[str, Any]) -> list[float]:
        """The arena's row of parameters."""
        out: list[float] = []
        for key, (sort, _) in self.parameters.items():
            if sort is Keys:
                out.extend(table(values[key], values.get("style", "smooth")))
            elif sort is not Choice:
                value = values[key]
                out.extend(value if isinstance(value, tuple) else (value,))
        if self.family == "constraint":
            tau = values["tau"]
            out += [tau, *(values["gains"] or (1 / (tau * tau), 2 / tau))]
        return out

    def _form(self, values: dict[str, Any]) -> tuple[Any, ...]:
        """What of the parameters a block depends on: how many numbers they are, and the choices
        themselves."""
        found: list[Any] = []
        for name, (sort, _) in self.parameters.items():
            value = values[name]
            if sort is Choice:
                found.append(value)
            elif isinstance(value, tuple):
                found.append((len(value), len(value[0])) if sort is Keys else len(value))
            else:
                found.append(1)
        return tuple(found)

    def block_of(self, item: Item) -> Block:
        """The compiled block for an item's ports, made once for each combination."""
        ports = [port_of(source) for source in item.inputs]
        key = (tuple([(p.kind.name, p.dim, p.nv, p.key) for p in ports]), self._form(item.values))
        block = self._blocks.get(key)
        if block is None:
            fixed = {k: item.values[k] for k, (sort, _) in self.parameters.items() if sort is Choice}
            layout = self.layout(item.values)

            def formula(*args: Any, **kw: Any) -> Any:
                return self.formula(*args, **kw, **fixed)

            make = force_block if self.family == "behavior" else motion_block
            try:
                block = make(f"{self.family} {self.name}", formula, ports, layout)
            except FormulaError:
                raise
            except Exception as problem:
                # CasADi's own words are about matrices; these are about what was plugged in.
                if "truth value" in str(problem):
                    said = "a formula has no Python `if`; use if_else(condition, then, otherwise)"
                elif re.search(r"[.][ch]pp:|overloaded function", str(problem)):
                    said = "their dimensions do not fit"
                else:
                    said = str(problem) or type(problem).__name__
                plugs = ", ".join(
                    f"{label(i)} ({p.kind.name}, {p.dim} numbers)"
                    for i, p in zip(item.inputs, ports, strict=True)
                )
                numbers = ", ".join(
                    f"{k} ({d})" for k, d in zip(layout.names, layout.dims, strict=True) if d > 1
                )
                with_ = f" with {numbers}" if numbers else ""
                raise ValueError(
                    f"{label(item)} cannot be made of {plugs or 'nothing'}{with_}: {said}"
                ) from problem
            if self.output is not None and self.output.dims and block.dim not in self.output.dims:
                wanted = " or ".join(map(str, self.output.dims))
                raise ValueError(
                    f"{label(item)} must have {wanted} numbers to be a {self.output.name}, not {block.dim}"
                )
            self._blocks[key] = block
        return block

    def port(self, item: Item) -> Port:
        """What a connector of this type offers to the next block."""
        assert self.output is not None
        return Port(self.output, self.block_of(item).dim)


def _dimension(inputs: Sequence[Any]) -> int:
    """2 or 3, from the first input that is geometry; 0 when none is."""
    for source in inputs:
        if isinstance(source, Item) and source.type.family in ("object", "connector"):
            port = port_of(source)
            if port.kind.name in ("point", "direction"):
                return port.dim
            if port.kind.name == "frame":
                return 2 if port.dim == 6 else 3
    return 0


def _stands_still(source: Any) -> bool:
    """Whether nothing that a connector stands on can move."""
    return (
        isinstance(source, Item)
        and source.type.family == "connector"
        and all(map(_stands_still, source.inputs))
    )


def port_of(source: Item) -> Port:
    """The port that an object or a connector offers."""
    port: Port = source.type.port(source)
    return port


def _made(family: str, formula: Callable[..., Any] | None, options: dict[str, Any]) -> Any:
    if formula is None:
        return lambda f: BlockType(family, f, **options)
    return BlockType(family, formula, **options)


def connector(formula: Callable[..., Any] | None = None, **options: Any) -> Any:
    """Make a connector type of a formula; its annotation says what it supplies, -> Point."""
    return _made("connector", formula, options)


def constraint(formula: Callable[..., Any] | None = None, **options: Any) -> Any:
    """Make a constraint type of a formula that is zero where the constraint is met."""
    return _made("constraint", formula, options)


def behavior(formula: Callable[..., Any] | None = None, **options: Any) -> Any:
    """Make a behavior type of a formula that returns energy(…), force(…), torque(…), or several of these."""
    return _made("behavior", formula, options)


def field(formula: Callable[..., Any] | None = None, **options: Any) -> Any:
    """Make a field of a formula over one object: a behavior that acts on every object of the world."""
    return _made("field", formula, options)
