"""The engine of one world: its batches, the arena with their state, and the compiled program that moves it.

Items come and go one at a time; parameters and state are written straight into the arena. What changes the
structure makes the arena stale: state then lives in the batches until `lay_out` builds the index anew, which
costs a handful of array operations a batch and one compiled call, whatever the number of items.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from tinkerdyne.engine.arena import Arena, kept_scalars
from tinkerdyne.engine.batches import (
    Batch,
    BlockBatch,
    ConnectorBatch,
    ConstraintBatch,
    ObjectBatch,
)
from tinkerdyne.engine.contact.contacts import Contacts
from tinkerdyne.engine.journal import Journal
from tinkerdyne.engine.layout import Overview, field_blocks, lay_out
from tinkerdyne.engine.program import Program
from tinkerdyne.engine.records import SCALARS, Hold, Object, Scalars, memory_width
from tinkerdyne.engine.settings import FEEDBACK, SOLVERS, STOPS, Settings, Solver
from tinkerdyne.engine.snapshot import Snapshot, taken
from tinkerdyne.engine.structure import Structure
from tinkerdyne.engine.svd import MOST_ROWS
from tinkerdyne.engine.tangent_layout import lay_out_tangent
from tinkerdyne.engine.untouched import PLACES_ONLY, begin_touched
from tinkerdyne.engine.weigh import NOTHING, is_between, weigh
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.item import Item

# What is known of the accuracy of the motion (steppers.accuracy).
ACCOUNTS = (
    "balance", "slack", "imbalance", "turnover", "path", "path_error", "swing", "turn", "residual",
    "most_gap", "phase", "looks", "unbounced", "suspect", "stretched", "shake",
    "moved",
)  # fmt: skip


class Engine:
    """See the module. Whoever moves the state by hand calls `moved`."""

    def __init__(self) -> None:
        self.structure = Structure()
        self.arena = Arena()
        self.program = Program(self)
        self.rebuilds = 0
        self.overview = Overview()
        self.is_stale = True  # the structure has changed since the arena was laid out
        self.is_settled = False  # references r(t) are up to date with the last edit
        self.is_weighed = False  # the masses have been compared since they last changed
        self.weighed = NOTHING  # the smallest and the largest mass that were found
        self.is_first_order = False
        # time and state where an integrator outside met a value that is no number
        self.lost: list[tuple[float, Array]] = []
        self.settings: Settings = {}
        self.kept = kept_scalars()  # for as long as the arena is stale
        self._is_told = False  # that masses differ too much
        self._touched: set[int] = set()  # keys of items that were changed by hand since the last step
        self._shot: Snapshot | None = None  # the present state, while nothing has moved since it was taken
        self.open: Journal | None = None  # of the edit that is being carried out
        self.contacts = Contacts(self)
        # takes back what an edit that was cut short has left, if it has left something
        self.mend: Callable[[], None] = lambda: None

    @property
    def scalars(self) -> Scalars:
        """Time, settings, energies and what the steppers remember."""
        return self.kept if self.is_stale else self.arena.scalars

    # --- items in and out ------------------------------------------------------------------------
    def attach_object(self, item: Item, q: Array, v: Array) -> None:
        """Let an object take part, in this state."""
        self._change_structure()
        self.structure.add_object(item, q, v, is_first_order=self.is_first_order)
        self.is_weighed = self.is_weighed and is_between(self, item)
        if self._shot is not None:
            self._shot.later.setdefault(item.key, (q, v))

    def attach(self, item: Item, memory: Array | None = None) -> None:
        """Let a connector, constraint, behavior or field take part; a constraint perhaps with its memory."""
        self._change_structure()
        self.is_weighed = self.is_weighed and self.overview.rows > 0
        self.structure.add(item, memory)
        self._touched.add(item.key)
        self.contacts.touched(item)
        if self._shot is not None and item.type.family == "constraint":
            self._shot.later_memory.setdefault(item.key, self.memory(item))

    def check_fields(self, item: Item) -> None:
        """Refuse a field that cannot act on one of the objects, as one of them was attached or changed; what
        has others like it in its batch was asked with them."""
        if item.type.family == "field" or self.structure.row(item)[0].n == 1:
            field_blocks(self.structure)

    def detach(self, item: Item) -> None:
        """Let an item take part no longer."""
        self._change_structure()
        self.contacts.touched(item)
        self.structure.remove(item)

    def is_attached(self, item: Item) -> bool:
        """Whether an item takes part: it is in the world, and switched on."""
        return self.structure.is_attached(item)

    def _change_structure(self) -> None:
        """State lives in the batches from now on, until the arena is laid out anew."""
        self.write_down()
        self.pull_state()
        self.is_stale = True

    def write_down(self) -> None:
        """Keep the state for the journal of an open edit, before the edit changes it or the structure."""
        if self.open is not None and self.open.shot is None:
            self.open.shot = self.snapshot()

    # --- parameters and settings -----------------------------------------------------------------
    def set_parameters(self, item: Item) -> bool:
        """Write an item's parameters into its row; False when its block would be another one (then attach it
        anew)."""
        self.forget_factor()
        if not item.type.acts:
            self.contacts.rule_changed()
            return True
        self.contacts.touched(item)
        if item.type.family == "field":
            self._set_field(item)
            return True
        batch, k = self.structure.row(item)
        if isinstance(batch, ObjectBatch):
            self.is_weighed = False
            type, parameters = item.type.resolve(item)
            if type is not batch.type or batch.is_fixed(k) != item.values["is_fixed"]:
                return False
            self.contacts.shape_changed(item)
        else:
            assert isinstance(batch, BlockBatch)
            if item.type.block_of(item) is not batch.block:
                return False
            parameters = item.type.flat(item.values)
            if not np.array_equal(batch.parameters.data[k], parameters):
                self._touched.add(item.key)
        batch.parameters.data[k] = parameters
        if not self.is_stale:
            self.arena.vector(batch.first_parameter + k * len(parameters), len(parameters))[:] = parameters
        return True

    def _set_field(self, item: Item) -> None:
        parameters = item.type.flat(item.values)
        for (key, _), batch in self.structure.field_batches.items():
            if key == item.key and len(parameters) != batch.parameters.width:
                self._change_structure()
                self.structure.ordered = None
            elif key == item.key and not self.is_stale:
                self.arena.vector(batch.first_parameter, len(parameters))[:] = parameters

    def forget_factor(self) -> None:
        """Let the next step evaluate and factor anew."""
        self.scalars.ready = self.scalars.factored = 0.0

    def keep_turns(self, item: Item) -> None:
        """Bring the count of turns among an item's values up to date with the arena."""
        batch, k = self.structure.row(item)
        if isinstance(batch, ConnectorBatch) and batch.turns is not None:
            rows = batch.parameters.live if self.is_stale else self._parameters(batch)
            item.values[batch.block.layout.turns] = float(rows[k, batch.turns])

    def _parameters(self, batch: Batch) -> Array:
        """A view of the parameters of a batch, n × width."""
        return self._live(batch.parameters.width, batch.first_parameter, batch.n)

    def configure(self, settings: Settings) -> None:
        """Write the settings of the world where the program reads them."""
        self.settings = settings
        scalars = self.scalars
        scalars.feedback = FEEDBACK[settings["feedback"]]
        scalars.tolerance, scalars.theta = settings["tolerance"], settings["theta"]
        scalars.rtol, scalars.atol = settings["rtol"], settings["atol"]
        if SOLVERS[settings["solver"]] != scalars.solver:
            self._choose_solver(settings["solver"])
            scalars = self.scalars
        scalars.cg_stop = STOPS[settings["stop_by"]]
        scalars.cg_limit, scalars.cg_tolerance = settings["iterations"], settings["precision"]
        scalars.cg_warm = float(settings["warm_start"] and settings["method"] == "stormer")
        scalars.corrections = settings["corrections"]
        scalars.step_error = settings["error"]
        self.forget_factor()
        self.open_accounts()
        self._set_order(settings["order"])

    def _choose_solver(self, solver: Solver) -> None:
        """Another linear solver; the dense one has room of its own in the arena."""
        self.pull_state()
        self.is_stale = True
        self.scalars.solver = SOLVERS[solver]

    def check_solver(self) -> None:
        """Refuse the dense solver where it makes no sense."""
        if self.scalars.solver == SOLVERS["svd"] and self.overview.rows > MOST_ROWS:
            raise ValueError(
                f'solver="svd" would decompose a dense matrix of {self.overview.rows} constraint rows in '
                f'every step; beyond {MOST_ROWS} rows use "ldl", or "conjugate_gradient"'
            )

    def open_accounts(self) -> None:
        """Judge the accuracy of the motion from now on."""
        for cell in ACCOUNTS:
            setattr(self.scalars, cell, 0.0)

    def _set_order(self, order: int) -> None:
        """1 for f = m v, 2 for f = m a; some types then have another mass matrix."""
        if self.is_first_order != (order == 1):
            self.write_down()
            self.pull_state()
            self.is_first_order = order == 1
            self.is_stale = True
            for batch in self.structure.object_batches():
                batch.set_order(is_first=self.is_first_order)

    # --- state of one item -----------------------------------------------------------------------
    def state(self, item: Item) -> tuple[Array, Array]:
        """Copies of an object's q and v."""
        batch, k = self.structure.object_row(item.key)
        if self.is_stale:
            return batch.q.data[k].copy(), batch.v.data[k].copy()
        nq, nv = batch.q.width, batch.v.width
        vector = self.arena.vector
        return vector(batch.first_q + k * nq, nq).copy(), vector(batch.first_v + k * nv, nv).copy()

    def set_state(self, item: Item, q: Array, v: Array) -> None:
        """Give an object another state; what is fixed stands still."""
        self.write_down()
        self._touched.add(item.key)
        batch, k = self.structure.object_row(item.key)
        if batch.is_fixed(k):
            v = np.zeros_like(v)
        batch.q.data[k], batch.v.data[k] = q, v
        self.open_accounts()
        if not self.is_stale:
            self.arena.vector(batch.first_q + k * len(q), len(q))[:] = q
            self.arena.vector(batch.first_v + k * len(v), len(v))[:] = v
        self.moved()
        self.contacts.moved(item)

    def memory(self, item: Item) -> Array:
        """A copy of a constraint's memory."""
        batch, k = self.structure.constraint_row(item.key)
        return np.array(self.memories(batch)[k])

    def set_memory(self, item: Item, memory: Array) -> None:
        """Give a constraint another memory."""
        batch, k = self.structure.constraint_row(item.key)
        self.memories(batch)[k] = memory

    def memories(self, batch: ConstraintBatch, arena: Arena | None = None) -> Array:
        """A view of the memories of a batch, n × width, in the world's arena or in one beside it."""
        if self.is_stale:
            return batch.memory.live
        n, width = batch.n, batch.memory.width
        return (arena or self.arena).vector(batch.first_memory, n * width).reshape(n, width)

    @staticmethod
    def memory_width(item: Item) -> int:
        """Length of a constraint's memory."""
        return memory_width(item.type.block_of(item).dim)

    def is_open(self, item: Item) -> bool:
        """Whether a constraint is a stop that nothing touches."""
        return item.type.family == "constraint" and bool(self.memory(item)[-1] == Hold.OPEN)

    def record(self, item: Item) -> Array:
        """A copy of a block's record, as last evaluated."""
        batch, _ = self.structure.row(item)
        assert isinstance(batch, BlockBatch)
        return self.arena.vector(self.record_place(item.key), batch.block.record).copy()

    def record_place(self, key: int) -> int:
        """Where the record of a connector, constraint or behavior begins in S."""
        return int(self.arena.I[self.arena.index.by_uid + self.structure.uid[key]])

    def parameter_place(self, item: Item) -> int:
        """Where the parameters of an item begin in S."""
        batch, k = self.structure.row(item)
        return batch.first_parameter + k * batch.parameters.width

    def object_entry(self, key: int) -> Object:
        """An object's row of the table in the arena."""
        return Object.of(self.arena.index, self.record_place(key))

    # --- state of everything ---------------------------------------------------------------------
    def _live(self, width: int, first: int, n: int) -> Array:
        return self.arena.vector(first, n * width).reshape(n, width)

    def pull_state(self) -> None:
        """Copy state and memory from the arena into the batches, before the arena is laid out anew."""
        if self.is_stale:
            return
        self.kept.array[:] = self.arena.S[:SCALARS]
        for batch in self.structure.batches.values():
            n = batch.n
            if isinstance(batch, ObjectBatch):
                for rows, first in ((batch.q, batch.first_q), (batch.v, batch.first_v)):
                    rows.data[:n] = self._live(rows.width, first, n)
            elif isinstance(batch, ConstraintBatch):
                batch.memory.data[:n] = self.memories(batch)
            elif isinstance(batch, ConnectorBatch) and batch.block.winds:
                batch.parameters.data[:n] = self._parameters(batch)

    def push_state(self) -> None:
        """Copy state, memory and parameters from the batches into the arena."""
        S = self.arena.S
        S[:SCALARS] = self.kept.array
        for batch in self.structure.batches.values():
            self._push(batch.parameters.live, batch.first_parameter)
            if isinstance(batch, ObjectBatch):
                if batch.has_fixed():
                    held = (batch.fixed.live != 0) & (batch.v.live != 0)  # also of −0 its sign is kept
                    batch.v.live[held] = 0.0  # what is fixed stands still
                self._push(batch.q.live, batch.first_q)
                self._push(batch.v.live, batch.first_v)
            elif isinstance(batch, ConstraintBatch):
                self._push(batch.memory.live, batch.first_memory)
        for (key, _), batch in self.structure.field_batches.items():
            values = next(
                field.type.flat(field.values) for field in self.structure.fields if field.key == key
            )
            self.arena.vector(batch.first_parameter, batch.parameters.width)[:] = values

    def _push(self, rows: Array, first: int) -> None:
        self.arena.vector(first, rows.size)[:] = rows.ravel()

    def state_vector(self) -> Array:
        """(q, v) of everything, copied."""
        return np.concatenate([self.arena.q, self.arena.v])

    def set_state_vector(self, y: Array, t: float) -> None:
        """Give everything another state (q, v), at another time."""
        nq = len(self.arena.q)
        self.arena.q[:], self.arena.v[:] = y[:nq], y[nq:]
        self.arena.scalars.time = t
        self.moved()
        self.contacts.moved()

    def set_positions(self, q: Array) -> None:
        """Give everything other positions."""
        self.arena.q[:] = q
        self.moved()
        self.contacts.moved()

    def numbers(self) -> Array:
        """A copy of all numbers of the arena: state, memory, and what was evaluated."""
        return self.arena.S.copy()

    def set_numbers(self, numbers: Array) -> None:
        """Put all numbers back; the structure must be the same."""
        self.arena.S[:] = numbers
        self.moving()
        self.contacts.moved()

    def moving(self) -> None:
        """The program is about to move the state: the last snapshot no longer holds."""
        self._shot = None

    def moved(self) -> None:
        """The state was changed by hand: what was evaluated, and the last snapshot, no longer hold."""
        self.scalars.ready = 0.0
        self.moving()

    def snapshot(self) -> Snapshot:
        """The state of everything now; the same one until something moves."""
        if self._shot is None:
            self.pull_state()
            self._shot = taken(self.kept.array, self.structure.batches.values(), self.contacts.memory())
        return self._shot

    # --- constraints' memory ---------------------------------------------------------------------
    def forget_approaches(self) -> None:
        """Let every constraint's reference r(t) be zero from now on."""
        if not self.is_stale:
            for batch in self.structure.constraint_batches():
                memory = self.memories(batch)
                memory[memory[:, -1] != Hold.OPEN, batch.block.dim :] = 0.0

    def close(self, stops: Iterable[Item]) -> None:
        """Let stops hold from now on, without an approach."""
        for stop in stops:
            memory = np.zeros(self.memory_width(stop))
            memory[-1] = Hold.EXACT
            self.set_memory(stop, memory)
        self.count_yielding()

    def count_yielding(self, arena: Arena | None = None) -> None:
        """Bring the counts of springs and open stops up to date with the constraints' memory, also in an
        arena beside the world's own."""
        held = [self.memories(batch, arena)[:, -1] for batch in self.structure.constraint_batches()]
        how = np.concatenate(held) if held else np.zeros(0)
        scalars = self.scalars if arena is None else arena.scalars
        scalars.springs = float(np.sum(how == Hold.SPRING))
        scalars.yielding = scalars.springs + float(np.sum(how == Hold.OPEN))

    # --- being ready -----------------------------------------------------------------------------
    def lay_out(self) -> None:
        """Build the index anew if the structure changed, and carry all state over."""
        if self.is_stale:
            lay_out(self)

    def have_tangent(self) -> None:
        """See that the tables of the tangent matrix are there; they stay until the structure changes."""
        self.lay_out()
        if self.arena.index.tangent == 0:
            lay_out_tangent(self)

    def ready(self) -> None:
        """Bring index and references up to date after edits."""
        if self.open is not None:
            self.mend()
        if self.is_stale:
            self.is_settled = False
            self.lay_out()
            self.scalars.phase = 0.0  # the change of velocity that was kept lies elsewhere
        self.check_solver()
        if not self.is_weighed:
            self.is_weighed = True
            self._is_told = self._is_told or weigh(self)
        if not self.is_settled:
            self.moved()  # a snapshot from before does not know of the approaches that begin
            if self.settings.get("method") in PLACES_ONLY:
                begin_touched(self, self._touched)
            else:
                self.program.begin(self.arena)
            self.arena.scalars.implicit_step = 0.0  # forces before the edit say nothing of those after it
            self.settle()

    def settle(self) -> None:
        """Constraints go on from here as their memories say: what was edited before is done with."""
        self.is_settled = True
        self._touched.clear()

    def evaluate(self) -> None:
        """Accelerations (or, in a first-order world, velocities), multipliers and energies now."""
        self.ready()
        self.contacts.tell_watches()
        if self.is_first_order:
            self.program.evaluate_flow()
        else:
            self.program.evaluate()
            self.contacts.answer()
        self.arena.scalars.ready = 0.0
