"""The world: the mutable shell that remembers.

Everything may change between two steps; the state of the rest is kept (E6)."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tinkerdyne.engine import least_squares
from tinkerdyne.engine import records as L
from tinkerdyne.engine.diagnose import Diagnosis, diagnose
from tinkerdyne.language.arrays import Array
from tinkerdyne.language.block import Block
from tinkerdyne.language.item import Item, label, number, vector
from tinkerdyne.language.types import port_of
from tinkerdyne.world import scene
from tinkerdyne.world.dragging import Grip, grab
from tinkerdyne.world.edit import Add, Description
from tinkerdyne.world.recording import Recording, record
from tinkerdyne.world.results import Assembly, Result, Status
from tinkerdyne.world.running import Running
from tinkerdyne.world.settings import DEFAULTS


class World(Running):
    """A world of objects, connectors, constraints and behaviors that can be edited while it runs.

    method: "rattle" (default), "energy_momentum" (with theta), "runge_kutta", "stormer" (LD98: displacements
    and assembly, with corrections, the limit of its geometric iterations), "adaptive" (order 8, with rtol and
    atol), "lsoda" and "dop853" (scipy's), "dense" (least squares, for non-square constraints); max_step:
    largest single step [s]; order: 2 for f = m a, 1 for f = m v; feedback: "none" (projection), "inside" or
    "outside" the multiplier equation; tolerance of |c| [SI]; solver: "ldl" or "conjugate_gradient" (with
    iterations, their limit, and precision, their relative residual).
    """

    # --- reading results -------------------------------------------------------------------------
    def record(
        self,
        seconds: float,
        *,
        every: float = 1 / 60,
        of: Sequence[Item] | None = None,
        also: Sequence[Item] = (),
    ) -> Recording:
        """Run for some seconds and keep readings as arrays: of all objects and constraints, or of the items
        given; and also …"""
        with self.lock:
            self._shot = None
            for some in (of or (), also):
                for item in () if isinstance(some, Item) else some:
                    if isinstance(item, Item) and item.world is None and item.type.family == "connector":
                        self.adopt(item)
            return record(self, seconds, every, of, also)

    @property
    def kinetic_energy(self) -> float:
        """½ vᵀ M v [J]."""
        return self._scalar(L.S_KINETIC)

    @property
    def potential_energy(self) -> float:
        """Of all behaviors that have a potential [J]."""
        return self._scalar(L.S_ENERGY)

    @property
    def energy(self) -> float:
        """Kinetic and potential energy [J]."""
        with self.lock:
            s = self._evaluate()
            return float(s.S[L.S_KINETIC] + s.S[L.S_ENERGY])

    @property
    def counts(self) -> dict[str, int]:
        """What the steps since the world was made took: steps, factorings of the matrix, careful steps and
        projections …"""
        S = self._scalars
        places = {
            "steps": L.S_COUNT_STEPS,
            "factorings": L.S_COUNT_FACTOR,
            "finer": L.S_COUNT_FINER,
            "careful": L.S_COUNT_EM,
        }
        return {
            **{name: int(S[place]) for name, place in places.items()},
            "last_resort": int(S[L.S_COUNT_LM]),
        }

    @property
    def gap(self) -> float:
        """The largest distance of a constraint from where it should be now (0, or its approach r(t)) [SI]."""
        return self._scalar(L.S_GAP)

    def reading(self, item: Item, name: str) -> Any:
        """What a connector, constraint or behavior shows now.

        connector: value, velocity; constraint: value and gap (c), velocity (ċ), force (λ, along its rows);
        behavior and field: energy, power.
        """
        with self.lock:
            if not self._structure.is_attached(item):
                raise ValueError(f"{label(item)} is switched off")
            s = self._evaluate()
            if item.type.family == "field":
                place = ("energy", "power").index(name)
                rows = [
                    (b, b.what.record)
                    for (key, _), b in s.field_rows.items()
                    if key == item.key and isinstance(b.what, Block)
                ]
                return float(
                    sum(s.S[b.base[2] + place : b.base[2] + b.n * size : size].sum() for b, size in rows)
                )
            record = s.record(item)
            if item.type.family == "behavior":
                return {"energy": float(record[0]), "power": float(record[1])}.get(name)
            block = item.type.block_of(item)
            m = block.dim
            if name in ("value", "gap") and block.kind >= L.RATE:
                return record[m : 2 * m] if name == "value" else float(np.abs(record[m : 2 * m]).max())
            if name == "value":
                return record[:m]
            if name == "velocity":
                return record[m : 2 * m]
            if item.type.family == "constraint":
                if name == "gap" and s.is_open(item):
                    return 0.0
                if name == "gap":
                    return float(np.abs(record[:m]).max())
                if name == "force":
                    row = self._row(item)
                    at = int(s.I[L.H_S_ROWS]) + L.R_LAM * int(s.I[L.H_NR]) + row
                    return s.S[at : at + m].copy()
            return None

    def _row(self, item: Item) -> int:
        """The first row of a constraint."""
        batch, k = self._structure.row(item)
        row = 0
        for other in sorted(
            (b for b in self._structure.batches.values() if b.family == L.CONSTRAINT), key=lambda b: b.base[2]
        ):
            if other is batch:
                break
            row += other.n * int(other.header[L.D_DIM])
        return row + k * int(batch.header[L.D_DIM])

    def reactions(self, constraint: Item) -> dict[str, Array]:
        """The force of a constraint on each object, by name: Jᵀλ; for a rigid body force and torque in world
        axes."""
        with self.lock:
            lam = self.reading(constraint, "force")
            s = self._structure
            out = {}
            for key, J in least_squares.jacobian_of(s, constraint).items():
                item = self._handles[key]
                f = J.T @ lam
                if len(f) == 6 and s.row(item)[0].header[L.D_FLAGS] & L.RIGID:
                    at = int(s.I[s.I[L.H_OBJ] + int(s.I[s.I[L.H_UIDOBJ] + s.uid[key]]) * L.OBJ + L.O_LIFT])
                    R = s.S[at + 3 : at + 12].reshape(3, 3).T
                    f = np.concatenate([f[:3], R @ f[3:]])
                out[item.name] = f
            return out

    def impulse(self, on: Item, by: Sequence[float]) -> dict[str, Array]:
        """Strike a point (or any other measure) with an impulse [N s]; constraints answer at once.
        Can be undone.

        Returns the impulses of the constraints along their rows, by name: Δv = W (Jᵀ_on by + Jᵀ Λ), with J Δv
        = 0.
        """
        with self.lock:
            on._alive()
            if on.world is None and on.type.family == "connector":
                self.adopt(on)
            if on.world is not self:
                raise ValueError(f"{label(on)} is not in this world")
            if on.type.family not in ("connector", "object") or (
                on.type.family == "object" and "position" not in on.start
            ):
                raise TypeError(
                    f"an impulse acts on a point, another connector or a body, not on {label(on)}"
                )
            dim = port_of(on).dim if on.type.family == "connector" else len(on.position)
            given = np.array(vector(f"the impulse on {label(on)}", by, length=dim))
            s = self._evaluate()
            with self.history.motion():
                self._shot = None
                centre = {on.key: np.eye(dim, len(s.state(on)[1]))} if on.type.family == "object" else {}
                for key, J in (centre or least_squares.jacobian_of(s, on)).items():
                    item = self._handles[key]
                    q, v = s.state(item)
                    T = s.I[s.I[L.H_OBJ] + int(s.I[s.I[L.H_UIDOBJ] + s.uid[key]]) * L.OBJ :][: L.OBJ]
                    n = len(v)
                    s.set_state(item, q, v + s.S[T[L.O_W] : T[L.O_W] + n * n].reshape(n, n) @ (J.T @ given))
                s.core["strike"](s.I.ctypes.data, s.S.ctypes.data)
            rows = s.S[int(s.I[L.H_S_ROWS]) + L.R_MU * int(s.I[L.H_NR]) :][: int(s.I[L.H_NR])].copy()
            out, at = {}, 0
            for item in least_squares.constraints(s):
                d = item.type.block_of(item).dim
                out[item.name] = -rows[at : at + d]
                at += d
            return out

    def grab(
        self,
        what: Item,
        *,
        hard: bool = False,
        orientation: bool = False,
        tau: float | None = None,
        limit: float | None = None,
    ) -> Grip:
        """Catch a point or a body where it is; move the grip, watch its force, release it.

        Soft by default: a critically damped spring of time constant tau and at most `limit` newtons. hard: a
        nail that moves; with orientation: a weld to a handle of infinite mass, which turns too.
        """
        with self.lock:
            return grab(self, what, hard=hard, orientation=orientation, tau=tau, limit=limit)

    def diagnose(self) -> Diagnosis:
        """Degrees of freedom, rank, and the groups of constraints that repeat or contradict each other, by
        name."""
        with self.lock:
            self._ready()
            return diagnose(self._structure)

    def project(self, *, iterations: int = 50) -> Result:
        """Move everything onto its constraints now, by the least change; the result names what could not be
        met."""
        with self.lock:
            self._ready()
            self._shot = None
            s = self._structure
            s.forget_approaches()
            met = s.core["project"](s.I.ctypes.data, s.S.ctypes.data, iterations) == 0
            self._fresh = bool(met)
            return Result(Status.DONE if met else Status.UNMET, 0, () if met else self._unmet())

    def assemble(self, *, precision: float = 1e-10, iterations: int = 200, by_mass: bool = True) -> Assembly:
        """Put scattered parts together, loops too: LD98's correction with rotations cut off at 0.8 rad; can
        be undone.

        by_mass: heavy parts move less; else all alike (the pseudo-inverse). Fixed objects are handles that
        nothing moves.
        """
        precision = number("precision", precision, positive=True)
        if number("iterations", iterations, positive=True) != int(iterations):
            raise ValueError(f"iterations must be a whole number, not {iterations!r}")
        with self.lock:
            self._ready()
            s = self._structure
            with self.history.motion():
                s.forget_approaches()
                done = s.core["assemble_parts"](
                    s.I.ctypes.data, s.S.ctypes.data, precision, int(iterations), int(by_mass)
                )
                self._shot = None
            gap = self.gap
            is_met = gap <= precision
            self._fresh = bool(gap <= self.settings["tolerance"])
            return Assembly(is_met, gap, int(done), () if is_met else self._open(precision))

    def _open(self, limit: float) -> tuple[str, ...]:
        """Names of the constraints that are further than this from where they should be, the widest first."""
        found = [(self.reading(i, "gap"), i.name) for i in least_squares.constraints(self._structure)]
        return tuple(name for gap, name in sorted(found, key=lambda f: -f[0]) if gap > limit)

    # --- keeping ---------------------------------------------------------------------------------
    def to_json(self) -> str:
        """The whole world as versioned JSON that a person can read (see tinkerdyne.world.scene)."""
        with self.lock:
            changed = {k: v for k, v in self.settings.items() if v != DEFAULTS[k]}
            described = map(self._describe, self.items)
            found = scene.scene_of(self.items, described, changed, self._structure, is_settled=self._fresh)
            return scene.dumps(replace(found, timeline=self._timeline))

    @classmethod
    def from_json(cls, text: str | bytes) -> World:
        """A new world from such a text; a SceneError says what is wrong with it."""
        found = scene.loads(text)
        try:
            world = cls(**found.settings)
        except (TypeError, ValueError) as problem:
            raise scene.SceneError(f"settings: {problem}") from problem

        def add(d: Description) -> Item:
            world.carry_out(Add((d,)))
            return world[d.name]

        scene.fill(found, add, world._structure)
        world._timeline = found.timeline
        gaps = scene.resume(found, world._structure)
        world._fresh = True
        if gaps:
            warnings.warn(
                f"{gaps}; it closes with its time constant, or at once by world.project()", stacklevel=2
            )
        return world

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the world to a file: the old file, or the new one, is there at every moment."""
        text = self.to_json()
        scene.keep_older(path)
        scene.write_file(path, text.encode())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> World:
        """A new world from a file that `save` or a person wrote."""
        data = scene.read_file(path)
        try:
            return cls.from_json(data)
        except scene.SceneError as problem:
            raise scene.SceneError(f"{os.fspath(path)}: {problem}") from problem
