"""How accurate a motion is, against what its settings promise.

The figures are those since the world was made, or since its settings or its state were last changed by hand.
They are measured, or estimated from above: see `engine.steppers.accuracy`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

from tinkerdyne.engine.engine import Engine
from tinkerdyne.engine.readings import accounts_of
from tinkerdyne.engine.settings import Settings
from tinkerdyne.engine.steppers.accuracy import STRETCHES

# A method of order two at a step that suits a mechanism keeps energy to some tenths of a percent, in the
# loops of 200 rods too that are hardest on it; 1 % is a loss that a person sees.
ENERGY = PATH = 1e-2
# Störmer's method is of first order and damps, as it should in dragging: it may lose, and be off by a tenth.
# So may the steps of first-order worlds.
ROUGH = 0.1
FORCES = 1e-6  # the residual of the forces' equation, relative
# of the forces: beyond, those that are read are not those that acted. What swings by less than 0.7 rad a step
# stays below; light parts that shake are off by 0.12 and more.
SHAKE = 0.1
# rad a step: beyond, nothing can tell how often something has turned, nor whether a blade has passed a stop
# on its way round (from 4.5 rad on some did; below, none of 200)
HALF_TURN = math.pi
# rad a step: Runge–Kutta in quaternions is then off by 0.2 % of its way, 4e-3 rad a step. The path tells of
# more, but not of steps with hits; a blade may hit in every step, and what is missing makes the hit late.
QUATERNIONS = 2.0
# of rtol: a step may be off by rtol, and the energy by twice that; so many steps at least
STEPS = 1e3
CALM = 0.3  # rad a step, with which a method of order two is right to 1 %
LOOKS = 2  # at the path, before a word about it: the first steps of a motion have gone nowhere yet
ROUNDING = 1e-9  # of the energy: what the best of methods leaves


@dataclass(frozen=True)
class Accuracy:
    """How far a motion may be off; None where nothing is known. Its promises stand beside the figures."""

    energy: float | None  # the largest imbalance of energy, as a share of the largest kinetic energy
    path: float | None  # the error of the way that everything went, as a share of that way
    gap: float  # the widest [SI]
    forces: float | None  # the residual of the equation of the constraints' forces, relative
    turn: float | None  # the furthest that a body turned in a step [rad]
    swing: float | None  # the furthest that the motion itself swung or curved in a step [rad]
    promised: tuple[tuple[str, float], ...] = ()  # figure by figure, what the settings promise
    shake: float | None = None  # how far forces are off those that the steps show, as a share

    @property
    def broken(self) -> tuple[str, ...]:
        """The figures that are beyond what is promised, the worst first."""
        found: list[tuple[float, str]] = []
        for name, limit in self.promised:
            figure = getattr(self, name)
            if figure is not None and not figure <= limit:
                found.append((-(figure / limit) if figure == figure else -math.inf, name))
        return tuple(name for _, name in sorted(found)) if found else ()

    @property
    def error(self) -> float | None:
        """The worst that is known of energy and path, as a share."""
        known = [share for share in (self.energy, self.path) if share is not None]
        return max(known) if known else None

    def __str__(self) -> str:
        said = []
        if self.energy is not None:
            said.append(f"energy kept to {percent(self.energy)}")
        if self.path is not None:
            said.append(f"path right to about {percent(self.path)}")
        said.append(f"widest gap {self.gap:.2g}")
        if self.forces:
            said.append(f"forces right to {self.forces:.1g}")
        if self.turn:
            said.append(f"turns by up to {self.turn:.2g} rad a step")
        if self.swing:
            said.append(f"swings by up to {self.swing:.2g} rad a step")
        if self.shake:
            said.append(f"forces shake by {percent(self.shake)}")
        return ", ".join(said)


def figures(accuracy: Accuracy | None) -> dict[str, object] | None:
    """An accuracy as plain numbers by name, with what is promised and what is not kept."""
    if accuracy is None:
        return None
    names = ("energy", "path", "gap", "forces", "turn", "swing", "shake")
    numbers: dict[str, object] = {name: getattr(accuracy, name) for name in names}
    return numbers | {"promised": dict(accuracy.promised), "broken": list(accuracy.broken)}


def percent(share: float) -> str:
    """A share in words."""
    return f"{100 * share:.2g} %"


@cache
def _promised(method: str, *, counts_turns: bool, has_stops: bool) -> tuple[tuple[str, float], ...]:
    """What the steps of a method promise."""
    share = ROUGH if method == "stormer" else ENERGY
    promised = (("energy", share), ("path", share), ("forces", FORCES), ("shake", SHAKE))
    if method == "runge_kutta" and has_stops:
        return (*promised, ("turn", QUATERNIONS))
    return (*promised, ("turn", HALF_TURN)) if counts_turns or has_stops else promised


def accuracy_of(engine: Engine, method: str, settings: Settings) -> Accuracy:
    """What the accounts of the compiled loop say."""
    overview = engine.overview
    imbalance, turnover, path, path_error, swing, turn, residual, widest, looks = accounts_of(engine.scalars)
    if settings["order"] == 1:
        off = _share(path_error, path) if looks else None
        return Accuracy(None, off, widest, None, None, None, (("path", ROUGH),))
    energy = None if overview.is_unbalanced else _share(imbalance, turnover)
    if energy is not None and energy > ENERGY and 0.0 < turnover <= STRETCHES * engine.scalars.stretched:
        # What is beyond the allowance of taut constraints is told as a share of the motion.
        energy = max(energy, _share(imbalance, engine.scalars.moved))
    way = _share(path_error, path) if looks >= LOOKS else None
    promised = _promised(method, counts_turns=overview.counts_turns, has_stops=overview.has_stops)
    return Accuracy(energy, way, widest, residual, turn, swing, promised, engine.scalars.shake)


def accuracy_outside(
    engine: Engine, settings: Settings, before: float | None, after: float | None
) -> Accuracy:
    """Of a method that controls its own error: the energy tells whether it did, and of the compiled one the
    residual of the forces."""
    s = engine.scalars
    energy = None
    if before is not None and after is not None:
        s.balance += after - before
        s.imbalance = max(s.imbalance, abs(s.balance))
        energy = _share(s.imbalance, s.turnover)
    wanted = min(max(2.0 * (STEPS + s.count_steps) * settings["rtol"], ROUNDING), ENERGY)
    forces = s.residual if settings["method"] == "adaptive" else None
    return Accuracy(energy, None, s.gap, forces, None, None, (("energy", wanted), ("forces", FORCES)))


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def worst(parts: list[Accuracy | None]) -> Accuracy | None:
    """The worst of several runs, figure by figure."""
    known = [part for part in parts if part is not None]
    if not known:
        return None

    def most(name: str) -> float | None:
        values = [getattr(part, name) for part in known if getattr(part, name) is not None]
        return max(values) if values else None

    energy, path, forces, turn, swing = map(most, ("energy", "path", "forces", "turn", "swing"))
    gap = max(part.gap for part in known)
    return Accuracy(energy, path, gap, forces, turn, swing, known[-1].promised, most("shake"))


def remedy_for(which: str, accuracy: Accuracy, method: str, h: float) -> str:
    """What to do about a figure that is beyond its promise, in steps of length h."""
    figure, limit = getattr(accuracy, which), dict(accuracy.promised)[which]
    if which == "forces":
        return (
            f"The forces are right to {figure:.1g} only: make what is light heavier, take out what "
            'repeats, or set solver="conjugate_gradient" or "svd".'
        )
    if which == "turn":
        return f"It turns by {figure:.2g} rad a step, more than can be followed: shorten max_step."
    if which == "shake":
        return (
            f"It carries forces that are off by {percent(figure)}, since it shakes from step to step: take a "
            "shorter max_step, or make what is light heavier."
        )
    said = f"{'The energy' if which == 'energy' else 'The path'} is off by about {percent(figure)}"
    if method in ("adaptive", "lsoda", "dop853"):
        return f"{said}, more than rtol allows: take a tighter rtol, or another method."
    order = {"runge_kutta": 4, "dense": 4, "stormer": 1, "first order": 1}.get(method, 2)
    shorter = 0.7 * h * (limit / min(figure, 1.0)) ** (1 / order)
    swing = ""
    if accuracy.swing:
        swing = f", with swings of {accuracy.swing:.2g} rad a step"
        shorter = min(shorter, CALM * h / accuracy.swing) if accuracy.swing > CALM else shorter
    other = ', or method="rattle"' if method == "stormer" else ""
    return f"{said}{swing}: take max_step below {shorter:.1g} s{other}."
