"""The methods of the compiled loop, by number."""

from __future__ import annotations

RATTLE, ENERGY_MOMENTUM, RUNGE_KUTTA, FIRST_ORDER, STORMER, IMPLICIT = 0, 1, 2, 3, 4, 5
