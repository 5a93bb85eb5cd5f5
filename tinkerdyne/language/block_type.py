"""A type from a formula: inputs by kind, parameters by sort, and a block for each combination of ports."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence, Sized
from typing import Any, ClassVar

from tinkerdyne.language.block import Block, Layout, Port
from tinkerdyne.language.checks import are_numbers, checked_name, did_you_mean, is_number, number
from tinkerdyne.language.item import Item, Values, label
from tinkerdyne.language.item_type import ItemType, Operand, Option, refuse_clash
from tinkerdyne.language.keys import table
from tinkerdyne.language.kinds import (
    Either,
    Keys,
    Kind,
    Names,
    Number,
    Parameter,
    Point,
    Scalar,
    Turns,
    Value,
    Vector,
)
from tinkerdyne.language.motion_block import motion_block
from tinkerdyne.language.parse import FormulaError
from tinkerdyne.language.plugs import dimension, misfit, stands_still
from tinkerdyne.language.registry import LITERALS, port_of, register


def _fit(what: str, value: tuple[float, ...], wanted: int, where: str) -> None:
    """Refuse another length of a place than the dimension asks for."""
    if len(value) != wanted:
        raise ValueError(f"{what} must have {wanted} numbers {where}, not {len(value)}: {value}")


def coordinates_of(source: object, kind: Kind) -> str:
    """What to plug in instead of a joint where a measure is wanted, at the end of a message."""
    if not isinstance(source, Item) or not (kind.is_a(Scalar) or kind.is_a(Vector)):
        return ""
    names = [f"{source.name or source.type.word}.{name}" for name in getattr(source.type, "coordinates", ())]
    return f"; its coordinates are {', '.join(names)}" if names else ""


def are_items(given: object) -> bool:
    """Whether several items are given in a list."""
    return isinstance(given, list | tuple) and all(isinstance(one, Item) for one in given)


def made_of(source: Item, kind: Kind) -> str:
    """What an item has of a kind that is wanted, or how one is made, at the end of a message."""
    points = ", ".join(source.type.places(source.values)) if kind.is_a(Point) else ""
    if points:
        return f"; it has the points {points}"
    found = coordinates_of(source, kind)
    if found or source.type.family != "object":
        return found
    mine = source.name if source.name.isidentifier() else source.type.name
    return f"; write {kind.example.replace('body', mine)}" if kind.example else ""


def _input(name: str) -> str:
    return name if name.startswith("input ") else f"input {name!r}"


class BlockType(ItemType):
    """A connector, constraint, behavior or field type."""

    common: ClassVar[Mapping[str, tuple[Parameter, Value]]] = {}  # parameters of all types of the family
    compile: ClassVar[Callable[..., Block]] = staticmethod(motion_block)

    def __init__(
        self,
        formula: Callable[..., Any],
        *,
        name: str | None = None,
        tied: bool = False,
        symmetric: bool = False,
        listed: bool = True,
        literal: str = "",
    ) -> None:
        self.formula = formula
        self.name = self.word = name or formula.__name__
        self.module = formula.__module__
        # tied to places of the world, so its value changes under a rigid motion of everything
        self.tied = tied
        # its two inputs may be exchanged: what stands still comes first, and rows are measured in it
        self.symmetric = symmetric
        self.ports: list[tuple[str, Kind]] = []
        self.variadic: Kind | None = None
        self.parameters: dict[str, tuple[Parameter, Value]] = {}
        self.units = {}
        self._blocks: dict[Any, Block] = {}
        self._read_signature()
        for key in (*self.parameters, *(port for port, _ in self.ports)):
            refuse_clash(self, key, is_input=key not in self.parameters)
        self.explain(inspect.getdoc(formula) or "")
        if listed:
            register(self)
        if literal:  # plain numbers, where its kind is wanted, make one of these
            LITERALS[self.output.name] = lambda numbers: self.make("", (), {literal: numbers})

    def _read_signature(self) -> None:
        signature = inspect.signature(self.formula, eval_str=True)
        for p in signature.parameters.values():
            kind = p.annotation
            if p.kind is p.KEYWORD_ONLY:
                sort = kind if isinstance(kind, Parameter) else Number
                if p.default is p.empty:
                    raise TypeError(f"parameter {p.name!r} of {self.family} {self.name!r} needs a default")
                self.parameters[p.name] = (sort, p.default)
            else:
                self._read_input(p)
        self._read_output(signature.return_annotation)

    def _read_input(self, p: inspect.Parameter) -> None:
        if not isinstance(p.annotation, Kind):
            raise TypeError(
                f"input {p.name!r} of {self.family} {self.name!r} needs a kind: Point, Direction, Frame, "
                "Scalar …"
            )
        if p.kind is p.VAR_POSITIONAL:
            self.variadic = p.annotation
        else:
            self.ports.append((p.name, p.annotation))

    def _read_output(self, result: object) -> None:
        """What the formula gives, where that must be said."""

    # --- what an item asks -----------------------------------------------------------------------
    def parameter_names(self) -> tuple[str, ...]:
        return (*self.parameters, *self.common)

    def part(self, item: Item, name: str) -> Any:
        if name not in self.readings:
            return None
        if item.world is None:
            self.settle(item, name)
        assert item.world is not None
        return item.world.reading(item, name)

    def settle(self, item: Item, name: str) -> None:
        """Find a world for an item that is read before it is in one, or say that it is in none."""
        raise AttributeError(f"{label(item)} is in no world yet; add it to read its {name}")

    def checked(self, item: str, name: str, value: object) -> Value:
        what = f"{name} of {item}"
        if name == "restitution" and number(what, value) < 0:
            raise ValueError(
                f"{what} must not be negative: 0 stops, 1 gives all speed back, more adds energy; not "
                f"{value!r}"
            )
        sort, default = self.parameters.get(name) or self.common.get(name) or (None, None)
        if sort is None:
            raise AttributeError(
                f"{item} has no parameter {name!r}; it has {', '.join(self.parameter_names())}"
            )
        if isinstance(value, Item):
            raise TypeError(
                f"{what} is plain numbers, not {value!r}; where it is now is {value.name or 'item'}.value"
            )
        found = sort.check(what, value, default)
        if sort is Names:  # by which an item's numbers are read and set
            for one in found:
                refuse_clash(self, one, is_input=name != "constant_names")
        return found

    # --- what it says of itself ------------------------------------------------------------------
    def operands(self) -> Sequence[Operand]:
        many = [Operand("inputs", self.variadic.name, is_many=True)] if self.variadic is not None else []
        return [*(Operand(name, kind.name) for name, kind in self.ports), *many]

    def options(self) -> Iterator[Option]:
        for name, (sort, default) in {**self.parameters, **self.common}.items():
            yield Option(name, sort.word(default), default, self.units.get(name, ""))

    def kinds(self, count: int) -> list[tuple[str, Kind]]:
        """The wanted kind of each of `count` inputs."""
        extra = count - len(self.ports)
        if self.variadic is None or extra < 0:
            return self.ports
        return [*self.ports, *[(f"input {k + 1}", self.variadic) for k in range(len(self.ports), count)]]

    # --- making items ----------------------------------------------------------------------------
    def __call__(self, *inputs: Any, name: str = "", **parameters: Any) -> Item:
        return self.make(name, self._plugged(inputs, parameters), parameters)

    def _plugged(self, inputs: Sequence[Any], parameters: Values) -> Sequence[Item]:
        """The inputs in their places: those given by name, and plain numbers as places or directions."""
        given = list(inputs)
        if self.variadic is not None and len(given) == 1 and are_items(given[0]):
            given = list(given[0])
        for port, _ in self.ports[len(given) :]:
            if port not in parameters:
                break
            given.append(parameters.pop(port))
        for k, (_, kind) in enumerate(self.kinds(len(given))[: len(given)]):
            if are_numbers(given[k]) and kind.name in LITERALS:
                given[k] = LITERALS[kind.name](given[k])
        return given

    def make(self, name: str, inputs: Sequence[Item], parameters: Values) -> Item:
        checked_name(f"the name of a {self.name}", name)
        if self.symmetric and len(inputs) == 2 and stands_still(inputs[1]) and not stands_still(inputs[0]):
            inputs = (inputs[1], inputs[0])
        who = f"{self.name} {name!r}" if name else f"a new {self.name}"
        dim = dimension(inputs) or self._dimension_given(parameters)
        values = {
            key: self._value(who, key, default, dim, parameters)
            for key, (_, default) in {**self.parameters, **self.common}.items()
        }
        if parameters:
            unknown = ", ".join(parameters)
            known, plugs = self.parameter_names(), [operand.name for operand in self.operands()]
            more = did_you_mean(next(iter(parameters)), (*known, *plugs)) or self.instead()
            plugged = f", and is plugged into {', '.join(plugs)}" if plugs else ""
            raise TypeError(f"{who} has no parameter {unknown}; it has {', '.join(known)}{plugged}{more}")
        item = Item(self, name, tuple(inputs), values, {})
        self.ready(item)
        return item

    def ready(self, item: Item) -> None:
        """Refuse what cannot be plugged in, and see that there is a block for it."""
        self.check_inputs(item)
        self.block_of(item)

    def _value(self, who: str, key: str, default: Value, dim: int, given: Values) -> Value:
        """One parameter of a new item, which is taken out of those given."""
        if not isinstance(default, Either):
            return self.checked(who, key, given.pop(key, default))
        default = default.plane if dim == 2 else default.space
        value = self.checked(who, key, given.pop(key, default))
        if dim:
            _fit(f"{key} of {who}", value, len(default), "in the plane" if dim == 2 else "in space")
        return value

    def checked_live(self, item: Item, name: str, value: object) -> Value:
        """A parameter's value of an item that is in a world: it keeps its dimension."""
        found = self.checked(label(item), name, value)
        _, default = self.parameters.get(name, (None, None))
        if isinstance(default, Either):
            wanted = len(item.values[name])
            _fit(f"{name} of {label(item)}", found, wanted, "as it had, since it is in a world")
        return found

    def _dimension_given(self, parameters: Values) -> int:
        """2 where a parameter that depends on the dimension is given as in the plane, when no input tells;
        else 0."""
        for key, (_, default) in self.parameters.items():
            given = parameters.get(key)
            if isinstance(default, Either) and isinstance(given, Sized) and len(given) == len(default.plane):
                return 2
        return 0

    def check_inputs(self, item: Item) -> None:
        """Refuse what cannot be plugged in."""
        wanted = self.kinds(len(item.inputs))
        if len(wanted) != len(item.inputs):
            raise TypeError(self._wrong_count(item))
        for (name, kind), source in zip(wanted, item.inputs, strict=True):
            if not isinstance(source, Item) or source.type.family not in ("object", "connector"):
                line = kind.instead_of(source) or coordinates_of(source, kind) or self._by_keyword(source)
                raise TypeError(
                    f"{_input(name)} of {label(item)} must be an object or a connector, not {source!r}{line}"
                )
            source._alive()
            port = port_of(source)
            if not kind.accepts(port.kind, port.dim):
                raise TypeError(
                    f"{_input(name)} of {label(item)} must be a {kind.name}, but {label(source)} supplies a "
                    f"{port.kind.name}{made_of(source, kind)}{self.instead()}"
                )

    def _by_keyword(self, value: object) -> str:
        """The line to write where a number was given as an input, at the end of a message."""
        names = [key for key, (_, default) in self.parameters.items() if isinstance(default, float)]
        if not is_number(value) or not names:
            return ""
        call = ", ".join([*(name for name, _ in self.ports), f"{names[0]}={value!r}"])
        return f"; parameters go by name: {self.word}({call})"

    def instead(self) -> str:
        """What to write instead of inputs or parameters that it does not take, at the end of a message."""
        return ""

    def _wrong_count(self, item: Item) -> str:
        names, extra = [name for name, _ in self.ports], item.inputs[len(self.ports) :]
        inputs = "input" if len(names) == 1 else "inputs"
        wanted = f"{len(names)} {inputs} ({', '.join(names)})" if names else "no inputs"
        said = f"{label(item)} takes {wanted}, not {len(item.inputs)}"
        said += "".join(
            f"; {_input(name)} is a {kind.name}{f': {kind.example}' if kind.example else ''}"
            for name, kind in self.ports[len(item.inputs) :]
        )
        defaults = {key: default for key, (sort, default) in self.parameters.items() if not sort.is_choice}
        defaults = defaults or {key: default for key, (_, default) in self.parameters.items()}
        if extra and defaults and not any(isinstance(one, Item) for one in extra):
            is_row = isinstance(next(iter(defaults.values())), (tuple, Either))
            given = (extra,) if is_row and are_numbers(extra) else extra
            options = [f"{key}={value!r}" for key, value in zip(defaults, given, strict=False)]
            said += f"; parameters go by name: {self.word}({', '.join([*names, *options])})"
        return said

    # --- its row in the arena, and its block -----------------------------------------------------
    def layout(self, values: Values) -> Layout:
        """Names and places of the parameters in the arena."""
        names, dims, keys = [], [], []
        turns = ""
        for key, (sort, _) in self.parameters.items():
            if sort.is_choice:
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

    def flat(self, values: Values) -> list[float]:
        out: list[float] = []
        for key, (sort, _) in self.parameters.items():
            if sort is Keys:
                out.extend(table(values[key], values.get("style", "smooth")))
            elif not sort.is_choice:
                value = values[key]
                out.extend(value if isinstance(value, tuple) else (value,))
        return out

    def _form(self, values: Values) -> tuple[Any, ...]:
        """What of the parameters a block depends on: how many numbers they are, and the choices
        themselves."""
        found: list[Any] = []
        for name, (sort, _) in self.parameters.items():
            value = values[name]
            if sort.is_choice:
                found.append((isinstance(value, bool), value))  # True is no 1
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
            block = self._blocks[key] = self._made(item, ports)
        return block

    def _made(self, item: Item, ports: list[Port]) -> Block:
        fixed = {k: item.values[k] for k, (sort, _) in self.parameters.items() if sort.is_choice}
        layout = self.layout(item.values)

        def formula(*args: Any, **kw: Any) -> Any:
            result = self.formula(*args, **kw, **fixed)
            if result is None:
                raise TypeError("its formula returns nothing; end it with return …")
            return result

        try:
            block = self.compile(f"{self.family} {self.name}", formula, ports, layout)
        except FormulaError:
            raise
        except Exception as problem:
            raise ValueError(misfit(item, ports, layout, str(problem) or type(problem).__name__)) from problem
        if self.output.dims and block.dim not in self.output.dims:
            wanted = " or ".join(map(str, self.output.dims))
            raise ValueError(
                f"{label(item)} must have {wanted} numbers to be a {self.output.name}, not {block.dim}"
            )
        return block
