"""The method in force: the one asked for, where the world allows it, else what stands in for it."""

from __future__ import annotations

import warnings

from tinkerdyne.engine.steppers.methods import (
    ENERGY_MOMENTUM,
    FIRST_ORDER,
    IMPLICIT,
    RATTLE,
    RUNGE_KUTTA,
    STORMER,
)
from tinkerdyne.world.contents import Contents

COMPILED = {
    "rattle": RATTLE,
    "energy_momentum": ENERGY_MOMENTUM,
    "runge_kutta": RUNGE_KUTTA,
    "stormer": STORMER,
    "implicit": IMPLICIT,
}
NAMED = 3  # objects that a warning names


class ChosenMethod:
    """The integration method of a world."""

    def __init__(self, contents: Contents) -> None:
        self._contents, self._engine = contents, contents.engine
        self._is_told = False  # that another method than the one asked for is used

    @property
    def is_first_order(self) -> bool:
        """Whether f = m v here, and not f = m a."""
        return bool(self._contents.settings["order"] == 1)

    def code(self, method: str) -> int:
        """The number by which compiled code knows a method."""
        return FIRST_ORDER if self.is_first_order else COMPILED[method]

    def in_force(self) -> str:
        """The method in force: the one asked for, where the world allows it; what stands in for it must be
        allowed too."""
        method: str = self._contents.settings["method"]
        for _ in range(4):
            instead, why = self._instead_of(method)
            if not instead:
                break
            if why and not self._is_told:
                named = {"runge_kutta": "Runge–Kutta with projection", "dense": "the dense method"}
                step = "the first-order step" if self.is_first_order else named.get(instead, instead)
                warnings.warn(f"{why}; {step} is used instead", stacklevel=5)
                self._is_told = True
            method = instead
        return method

    def _instead_of(self, method: str) -> tuple[str, str]:
        """Another method, and why, where this world does not allow one; "" where it does."""
        overview = self._engine.overview
        if self.is_first_order:
            return ("rattle", f"{method} is for worlds of order 2") if method != "rattle" else ("", "")
        if overview.is_nonsquare and overview.has_stops:
            raise ValueError(
                f"the non-square constraints {self._nonsquare()} and stops cannot be in one world; use align "
                "in their place"
            )
        if overview.is_nonsquare and method != "dense":
            why = f"{method} cannot hold the non-square constraints {self._nonsquare()}"
            return "dense", why if method == "rattle" else ""
        if overview.has_stops and method in ("lsoda", "dop853", "dense", "energy_momentum"):
            return "rattle" if method == "energy_momentum" else "adaptive", f"{method} knows no stops"
        if method not in ("rattle", "adaptive") and self._engine.contacts.is_on():
            what = "contact" if self._engine.contacts.is_contact() else "dry friction that sticks"
            return "rattle", f"{method} knows no {what}"
        if overview.has_rates and method == "energy_momentum":
            return "rattle", "energy_momentum holds no constraints on velocities"
        if method in ("rattle", "energy_momentum") and self._contents.settings["feedback"] != "none":
            # feedback belongs to the acceleration; RATTLE and EM hold positions themselves
            return "runge_kutta", ""
        if method in ("rattle", "energy_momentum") and overview.mass_varies:
            return "runge_kutta", f"{method} needs constant masses, unlike {self._varying()}{self._lost()}"
        return "", ""

    def _varying(self) -> str:
        """The objects whose masses hang on their state, a few of them by name."""
        batches = [batch for batch in self._engine.structure.object_batches() if batch.type.mass_varies]
        moving = [item for batch in batches for item in batch.items if not item.values["is_fixed"]]
        found = [f"{item.type.name} '{item.name}'" for item in moving]
        return ", ".join(found[:NAMED]) + (f" and {len(found) - NAMED} more" if len(found) > NAMED else "")

    def _lost(self) -> str:
        """What is lost with contact, and what to do about it."""
        if not self._engine.contacts.is_contact():
            return ""
        return (
            ", so nothing touches anything here: hold what is ground (is_fixed=True), or take rigid bodies "
            "(Disc, Plate, Polygon, Box …) in its place"
        )

    def _nonsquare(self) -> str:
        constraints = (item for item in self._contents.items if item.type.family == "constraint")
        return ", ".join(item.name for item in constraints if item.type.block_of(item).effort)
