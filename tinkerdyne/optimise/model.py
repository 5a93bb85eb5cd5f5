"""Interactive optimisation: variables, constraints, objectives and outputs typed in as formulas, pulled by
hand (G3, ID90 §5.3).

    model = Model()
    model.variable("a", 1.0), model.variable("b", 2.0)
    model.constrain("a*b = 8")
    model.minimise("a + b")
    model.settle()

Everything is an item of an ordinary first-order world, called by its own text, so that it runs, is edited,
undone and saved like anything else: the objective is an energy, an equality a constraint, an inequality a
stop, a slider a spring.
"""

from __future__ import annotations

import re

import casadi as ca

from tinkerdyne.behaviors.forces import scalar_spring
from tinkerdyne.behaviors.formulas import formula_energy, typed_energy
from tinkerdyne.connectors.formulas import Given, formula
from tinkerdyne.constraints.algebra import at_least, at_most, equation, held
from tinkerdyne.language.attributes import SaysNearest
from tinkerdyne.language.calls import methods_say_how
from tinkerdyne.language.checks import LONGEST_NAME, number
from tinkerdyne.language.item import Item, Values, label
from tinkerdyne.language.kinds import Scalar, Value
from tinkerdyne.language.parse import CONSTANTS, FUNCTIONS, parse
from tinkerdyne.language.symbols import SX
from tinkerdyne.language.types import port_of
from tinkerdyne.objects.catalog import Variable
from tinkerdyne.optimise.settle import Rest, settle
from tinkerdyne.world.dragging import Grip
from tinkerdyne.world.edit import Change, Several
from tinkerdyne.world.world import World

_WORD = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
_RELATION = re.compile(r"<=|>=|==|=|<|>")
_CONDITION = re.compile(r"\bif\b.*?\belse\b", re.DOTALL)


def relation(text: object) -> tuple[str, str, str]:
    """The left side, the sign and the right side of an equation or inequality."""
    # what is compared between `if` and `else` is a condition of a formula
    plain = _CONDITION.sub(lambda condition: " " * len(condition[0]), text) if isinstance(text, str) else ""
    signs = list(_RELATION.finditer(plain))
    if not isinstance(text, str) or len(signs) != 1:
        raise ValueError(
            f"a relation has one of =, <= and >= between two formulas, not {len(signs)}: {text!r}"
        )
    return text[: signs[0].start()], signs[0].group(), text[signs[0].end() :]


def residual_text(text: str) -> str:
    """left − right of an equation; a formula without = is a residual already."""
    if isinstance(text, str) and not _RELATION.search(_CONDITION.sub("", text)):
        return text
    left, sign, right = relation(text)
    if sign not in ("=", "=="):
        raise ValueError(f"an equation is wanted here, with =, not {sign}: {text!r}")
    return f"({left.strip()}) - ({right.strip()})"


class Slider(Grip):
    """A hand on a variable or an output: a spring ½ strength (x − to)²; move it, then release it."""

    def move(self, *to: float) -> None:
        """Pull towards another value."""
        self._held()
        self._change("rest", number(f"the target of {label(self.item)}", to[0]))

    @property
    def force(self) -> Value:
        """How strongly it pulls now: strength · (to − x)."""
        self._held()
        return self.item.stiffness * (self.item.rest - _value(self.item.inputs[0]))


class Hold(Grip):
    """A pin on a variable or an output; move it, then release it. Its force is the price of the value."""

    def move(self, *to: float) -> None:
        """Hold another value, which is approached with the time constant of the constraint."""
        self._held()
        self._change("at", (number(f"the target of {label(self.item)}", to[0]),))


@methods_say_how()
class Model(SaysNearest):
    """Variables with constraints, objectives and outputs, in a first-order world of their own or in one that
    is given."""

    def __init__(self, world: World | None = None) -> None:
        if not isinstance(world, World | None):
            raise TypeError(
                f"a model takes a first-order world, or nothing, not {world!r}; its unknowns come by "
                "model.variable('x', 1.0)"
            )
        self.world = World(order=1, max_step=1 / 60, tolerance=1e-10) if world is None else world
        if self.world.settings["order"] != 1:
            raise ValueError(
                "a model lives in a first-order world, World(order=1): there motion ends with the force"
            )

    def __repr__(self) -> str:
        found = ", ".join(f"{item.name}={item.value:.6g}" for item in self.variables.values())
        return f"<Model of {found or 'no variables'}>"

    # --- what it is made of ----------------------------------------------------------------------
    def variable(
        self,
        name: str,
        value: float = 1.0,
        *,
        low: float | None = None,
        high: float | None = None,
        mass: float = 1.0,
    ) -> Item:
        """An unknown, perhaps between bounds; with a larger mass it yields less to the same pull."""
        self._new(name)
        if low is not None and high is not None and number("low", low) > number("high", high):
            raise ValueError(f"the bounds of {name} must be in order, not {low} and {high}")
        item: Item = Variable(name, value=value, mass=mass)
        bounds = []
        for bound, kind, option, sign in ((low, at_least, "low", ">="), (high, at_most, "high", "<=")):
            if bound is not None:
                bounds.append(
                    kind(
                        item,
                        **{option: bound},
                        name=f"{name} {sign} {number(f'{option} of {name}', bound):g}",
                    )
                )
        self.world.add(item)
        if bounds:
            self.world.add(*bounds)
        return item

    def output(self, name: str, text: str, **names: Given) -> Item:
        """A measure typed in as a formula; it may be pulled, held, and used in other formulas."""
        self._new(name)
        item = formula(text, name=name, **self._names(text, names))
        self.world.add(item)
        return item

    def minimise(self, text: str, **names: Given) -> Item:
        """Let the model slide downhill on a formula; several add up."""
        return self._objective(text, "minimise", text, names)

    def maximise(self, text: str, **names: Given) -> Item:
        """Let the model slide uphill on a formula."""
        return self._objective(f"-({text})", "maximise", text, names)

    def _objective(self, text: str, verb: str, given: str, names: Values) -> Item:
        inputs = self._names(given, names)
        item = formula_energy(text, name=self._name(f"{verb} {given}"), **inputs)
        self.world.add(item)
        return item

    def constrain(self, text: str, **names: Given) -> Item:
        """Hold an equation or an inequality, typed in with =, <= or >=: "a*b = 8", "a + b <= budget"."""
        left, sign, right = relation(text)
        inputs = self._names(left, names) | self._names(right, names)
        unused = set(names) - set(inputs)
        if unused:
            raise TypeError(f"the constraint {text!r} does not use {', '.join(sorted(unused))}")
        name = self._name(text.strip())
        if sign in ("=", "=="):
            item = equation(f"({left}) - ({right})", name=name, **inputs)
        elif sign in (">=", ">"):
            item = at_least(formula(f"({left}) - ({right})", **inputs), name=name)
        else:
            item = at_least(formula(f"({right}) - ({left})", **inputs), name=name)
        self.world.add(item)
        return item

    def change(self, name: str, **numbers: float) -> None:
        """Give numbers of an output, an objective or a constraint other values: model.change("a*b = area",
        area=9.0)."""
        item = self.world[name]
        edits = []
        for key, value in numbers.items():
            holder = next(
                (i for i in (item, *item.inputs) if key in i.values.get("constant_names", ())), None
            )
            if holder is None:
                raise KeyError(f"{label(item)} has no number {key!r}")
            given = dict(zip(holder.constant_names, holder.constants, strict=True)) | {
                key: number(f"{key} of {name!r}", value)
            }
            edits.append(Change(holder.name, "constants", tuple(given.values())))
        self.world.apply(Several(tuple(edits)))

    def remove(self, name: str) -> None:
        """Take a variable, output, objective or constraint out, with all that is built on it."""
        self.world.remove(name)

    # --- hands -----------------------------------------------------------------------------------
    def slide(self, name: str, to: float | None = None, *, strength: float = 10.0) -> Slider:
        """Put a slider on a variable or an output: it pulls towards a value (where it is now, if none is
        given)."""
        x = self._measure(name)
        with self.world.history.drag("pulled a number") as drag:
            item = scalar_spring(
                x, stiffness=number("strength", strength, positive=True), rest=_value(x) if to is None else to
            )
            self.world.add(item)
        return Slider(self.world, item, item, drag)

    def hold(self, name: str, at: float | None = None) -> Hold:
        """Pin a variable or an output at a value (where it is now, if none is given)."""
        x = self._measure(name)
        with self.world.history.drag("pulled a number") as drag:
            item = held(x, at=_value(x) if at is None else at, name=self._name(f"hold {name}"))
            self.world.add(item)
        return Hold(self.world, item, item, drag)

    def settle(self, *, speed: float = 1e-10) -> Rest:
        """Slide to the local optimum now, without passing time."""
        return settle(self.world, speed=speed)

    # --- reading ---------------------------------------------------------------------------------
    @property
    def variables(self) -> dict[str, Item]:
        """The unknowns by name."""
        return {name: item for name, item in self._scalars().items() if item.type.family == "object"}

    @property
    def outputs(self) -> dict[str, Item]:
        """The measures by name."""
        return {name: item for name, item in self._scalars().items() if item.type.family == "connector"}

    @property
    def objectives(self) -> tuple[Item, ...]:
        """What is minimised or maximised; each is called by its text."""
        return tuple(i for i in self.world.items if i.type is typed_energy)

    @property
    def constraints(self) -> tuple[Item, ...]:
        """Equations, inequalities, bounds and holds; each is called by its text, its `gap` and `force` can be
        read."""
        return tuple(i for i in self.world.items if i.type.family == "constraint")

    @property
    def values(self) -> dict[str, float]:
        """Variables and named outputs as they are now."""
        return {name: _value(item) for name, item in self._scalars().items()}

    @property
    def cost(self) -> float:
        """The sum of the objectives and of the sliders' springs, which the model slides down."""
        return self.world.potential_energy

    def multiplier(self, item: Item) -> float:
        """The price of a constraint: how fast the optimal cost would rise with its right-hand side's
        tightening."""
        return float(item.force[0])

    # --- names -----------------------------------------------------------------------------------
    def _scalars(self) -> dict[str, Item]:
        """Everything in the world that a formula may call by its name."""
        named = (
            i for i in self.world.items if i.type.family in ("object", "connector") and i.name.isidentifier()
        )
        return {item.name: item for item in named if Scalar.is_a(port_of(item).kind)}

    def _measure(self, name: str) -> Item:
        known = self._scalars()
        if name not in known:
            raise KeyError(
                f"the model has no variable or output {name!r}; it has {', '.join(known) or 'none'}"
            )
        return known[name]

    def _new(self, name: object) -> None:
        """Refuse a name that formulas could not use."""
        if not isinstance(name, str) or not _WORD.fullmatch(name):
            raise ValueError(f"a variable or an output needs a name of letters, digits and _, not {name!r}")
        if name in FUNCTIONS or name in CONSTANTS or name == "t":
            raise ValueError(f"{name!r} has a meaning of its own in formulas; choose another name")

    def _names(self, text: str, given: Values) -> Values:
        """The items and numbers that a formula uses; it is read once on its own, so that a complaint shows
        what was typed."""
        known = self._scalars()
        words = dict.fromkeys(_WORD.findall(text)) if isinstance(text, str) else {}
        inputs = {w: given[w] if w in given else known[w] for w in words if w in given or w in known}
        symbols: dict[str, SX] = {"t": ca.SX.sym("t")}
        for word, value in {**known, **given}.items():
            symbols[word] = ca.SX.sym(word, port_of(value).dim if isinstance(value, Item) else 1)
        # a frame stands for its origin, which is seen to later
        if all(s.numel() <= 3 for s in symbols.values()):
            parse(text, symbols)
        return inputs

    def _name(self, text: str) -> str:
        """An item's name: the text itself, with a number behind it where it stands there already."""
        base = " ".join(text.split())[: LONGEST_NAME - 8]
        return next(n for n in (base, *(f"{base} ({k})" for k in range(2, 10_000))) if n not in self.world)


def _value(item: Item) -> float:
    """The number that a variable or another scalar shows."""
    shown = item.value
    return float(shown if item.type.family == "object" else shown[0])


__all__ = ["Hold", "Model", "Slider"]
