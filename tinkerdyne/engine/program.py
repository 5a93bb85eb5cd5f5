"""The compiled program: one typed method an entry, over the arena of one world.

The methods check nothing: what they are given must fit the arena, as it was laid out last.
"""

from __future__ import annotations

from typing import Protocol

import tinkerdyne.engine.contact.detect
import tinkerdyne.engine.contact.islands
import tinkerdyne.engine.contact.poses
import tinkerdyne.engine.contact.solver
import tinkerdyne.engine.index.tangent
import tinkerdyne.engine.index.world
import tinkerdyne.engine.kkt
import tinkerdyne.engine.ldl.interleave
import tinkerdyne.engine.steppers.adaptive
import tinkerdyne.engine.steppers.advance
import tinkerdyne.engine.steppers.assemble
import tinkerdyne.engine.steppers.first_order
import tinkerdyne.engine.steppers.present
import tinkerdyne.engine.steppers.project
import tinkerdyne.engine.tangent  # noqa: F401  (all of these bring their entries into the program)
from tinkerdyne.compiler import core
from tinkerdyne.engine.arena import Arena
from tinkerdyne.language.arrays import Array


class Home(Protocol):
    """What has the arena; it may take another one, of more room."""

    arena: Arena


class Program:
    """The entries of the engine; each answers with a whole number."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._entries = core.program()

    def _run(self, name: str) -> int:
        """An entry that takes the arena alone."""
        arena = self._home.arena
        return int(self._entries[name](arena.ints_at, arena.floats_at))

    # --- laying the arena out --------------------------------------------------------------------
    def index_world(self, description: Array, batches: int, uids: int) -> int:
        """Write the index of described batches into I; the floats it needs, or −1 where I is too small."""
        arena = self._home.arena
        return int(
            self._entries["index_world"](
                description.ctypes.data,
                batches,
                arena.ints_at,
                len(arena.I),
                arena.work.ctypes.data,
                uids,
            )
        )

    def plan_world(self) -> int:
        """Plan the elimination behind the index; the floats of the factor, or −1 where room is missing."""
        arena = self._home.arena
        return int(
            self._entries["plan_world"](arena.ints_at, len(arena.I), arena.work.ctypes.data, len(arena.work))
        )

    def find_ways(self, description: Array, batches: int, scratch: Array, sources: Array, uids: int) -> int:
        """By which ways blocks depend on objects, into an index aside; 0 where it is too small."""
        return int(
            self._entries["find_ways"](
                description.ctypes.data,
                batches,
                scratch.ctypes.data,
                len(scratch),
                sources.ctypes.data,
                uids,
            )
        )

    def measure_tangent(
        self, description: Array, batches: int, scratch: Array, sources: Array, heads: Array, tables: Array
    ) -> int:
        """Count what the tables of the tangent matrix list, from the ways just found."""
        given = (description.ctypes.data, batches, scratch.ctypes.data, sources.ctypes.data)
        return int(self._entries["measure_tangent"](*given, heads.ctypes.data, tables.ctypes.data))

    def index_tangent(
        self, description: Array, batches: int, scratch: Array, sources: Array, heads: Array, tables: Array
    ) -> int:
        """Fill the tables of the tangent matrix; the first number of S behind its own."""
        given = (description.ctypes.data, batches, scratch.ctypes.data, sources.ctypes.data)
        at = self._home.arena.ints_at
        return int(self._entries["index_tangent"](at, *given, heads.ctypes.data, tables.ctypes.data))

    def plan_tangent(self, tables: Array) -> int:
        """Plan its elimination behind the tables; the floats of the factor, or −1 where room is missing."""
        arena = self._home.arena
        return int(
            self._entries["plan_tangent"](
                arena.ints_at, tables.ctypes.data, len(tables), arena.work.ctypes.data, len(arena.work)
            )
        )

    def light_work(self, tables: Array) -> int:
        """Words of work that the analysis of the light plan wants."""
        return int(self._entries["light_work"](tables.ctypes.data))

    def try_tangent(self, a: float, b: float, alpha: float, epsilon: float, lam: Array) -> int:
        """Assemble and factor the tangent matrix at the present state; pivots that had vanished."""
        arena = self._home.arena
        run = self._entries["try_tangent"]
        return int(run(arena.ints_at, arena.floats_at, a, b, alpha, epsilon, lam.ctypes.data))

    def try_tangent_solve(self, rq: Array, rc: Array, dv: Array, dlam: Array) -> int:
        """Solve with the last factor of the tangent matrix."""
        arena, given = self._home.arena, [x.ctypes.data for x in (rq, rc, dv, dlam)]
        return int(self._entries["try_tangent_solve"](arena.ints_at, arena.floats_at, *given))

    # --- evaluating ------------------------------------------------------------------------------
    def begin(self, arena: Arena) -> int:
        """Start the approach r(t) of every constraint that is not where it should be, in this arena."""
        return int(self._entries["begin"](arena.ints_at, arena.floats_at))

    def evaluate(self) -> int:
        """Accelerations, multipliers, energies and gaps at the present state."""
        return self._run("evaluate")

    def evaluate_flow(self) -> int:
        """Velocities, multipliers, energies and gaps of a first-order world at the present state."""
        return self._run("evaluate_flow")

    def evaluate_free(self) -> int:
        """q' and accelerations without constraints."""
        return self._run("evaluate_free")

    def find_force_sizes(self) -> int:
        """The sum of the sizes of all single forces on each velocity, as last evaluated."""
        return self._run("find_force_sizes")

    def evaluate_rates(self) -> int:
        """q' and accelerations with constraints, for integrators outside."""
        return self._run("evaluate_rates")

    def pull_reactions(self, out: Array) -> int:
        """Jᵀλ of every block of J, six numbers each, into `out`."""
        arena = self._home.arena
        return int(self._entries["pull_reactions"](arena.ints_at, arena.floats_at, out.ctypes.data))

    # --- moving ----------------------------------------------------------------------------------
    def advance(self, method: int, count: int, h: float) -> int:
        """Take steps of length h; how many were taken."""
        arena = self._home.arena
        return int(self._entries["advance"](arena.ints_at, arena.floats_at, method, count, h))

    def advance_adaptive(
        self, coefficients: Array, end: float, longest: float, times: Array, dense: Array, wanted: Array
    ) -> int:
        """Go to a time by steps of order 8, each of `longest` at most; the states at some times on the way go
        to `dense`. `wanted` says at how many times, which is the next, and how many attempts are left.

        The steps taken, or TOO_SMALL or NOT_YET of engine.steppers.adaptive."""
        arena = self._home.arena
        return int(
            self._entries["advance_adaptive"](
                arena.ints_at,
                arena.floats_at,
                coefficients.ctypes.data,
                end,
                longest,
                times.ctypes.data,
                dense.ctypes.data,
                wanted.ctypes.data,
            )
        )

    def project(self, limit: int) -> int:
        """Move everything onto its constraints by the least change; 0 when they are met."""
        arena = self._home.arena
        return int(self._entries["project"](arena.ints_at, arena.floats_at, limit))

    def assemble_parts(self, precision: float, limit: int, *, by_mass: bool) -> int:
        """Put scattered parts together; the iterations done."""
        arena = self._home.arena
        return int(
            self._entries["assemble_parts"](arena.ints_at, arena.floats_at, precision, limit, int(by_mass))
        )

    def strike(self) -> int:
        """Let the constraints answer to velocities that an impulse has changed."""
        return self._run("strike")

    def wind_turns(self) -> int:
        """Count turns from the present state."""
        return self._run("wind_turns")

    def tidy(self) -> int:
        """Make every orientation a pure rotation."""
        return self._run("tidy")
