"""The zoo of the law tests: for any registered type, items of it on objects of many kinds, found by the kinds
alone.

A new type is covered without a word here. `specimens(type)` makes small worlds that hold one item of the
type, on particles, rigid bodies, planar bodies, troids, variables, a curve and a Lagrangian object, in the
plane and in space, with random parameters; `Probe` moves such a world about and reads it through the compiled
evaluation.
"""

from __future__ import annotations

import functools
import warnings
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import tinkerdyne as td
from tinkerdyne.engine import least_squares
from tinkerdyne.engine.records import Jacobian, Vel
from tinkerdyne.language.item import Item
from tinkerdyne.language.kinds import Either, Keys, Place
from tinkerdyne.language.symbols import cos, dot, sin, vec
from tinkerdyne.language.types import REGISTRY, port_of

TAU = 2 * np.pi
# asymmetric, not in principal axes, physically possible
TENSOR = (1.1, 0.1, -0.2, 0.1, 1.6, 0.15, -0.2, 0.15, 2.0)


# --- objects given by their equations; states are vectors, so that a rigid motion of them is a rigid motion
# of the object ----
def _ring(u, a, b, c):
    return c + a * cos(u) + b * sin(u)


@td.curve(span=(0.0, TAU))
def law_ring2(u, bulge=0.3, *, a=(1.0, 0.1), b=(-0.2, 0.7), c=(0.3, -0.4)):
    """A closed plane curve: an ellipse with a bulge, moved rigidly with its three vectors."""
    return _ring(u, a, b, c) + bulge * cos(2 * u) * a


@td.curve(span=(0.0, TAU))
def law_ring3(u, bulge=0.3, *, a=(1.0, 0.1, 0.2), b=(-0.2, 0.7, 0.1), c=(0.3, -0.4, 0.5)):
    """The same in space."""
    return _ring(u, a, b, c) + bulge * cos(2 * u) * a


@td.lagrangian
def law_linkage2(length=0.8, *, root=(0.1, 0.2), arm=0.4, fore=1.1):
    """Three particles of a two-link arm on a free root, in the plane."""
    elbow = root + length * vec(cos(arm), sin(arm))
    return root, elbow, elbow + vec(cos(fore), sin(fore))


@td.lagrangian
def law_linkage3(length=0.8, *, root=(0.1, 0.2, -0.3), axis=(0.5, 0.7, 0.3), swing=0.6):
    """Three particles in space on a line that turns and stretches: seven coordinates, and M varies with
    them."""
    return root, root + axis, root - (length + sin(swing) / 2 + dot(axis, axis) / 3) * axis


# A surface (in the plane, a patch) that is moved rigidly with its four vectors.
SHELL = tuple(f"c.{x} + a.{x}*cos(u) + b.{x}*sin(u)*v + n.{x}*v*v" for x in "xyz")


# --- registered types ----------------------------------------------------------------------------------
def types(*families: str) -> list[Any]:
    """Every type of the package in these families: what users get, and not what other tests define."""
    return [
        t for t in REGISTRY.values() if t.family in families and t.acts and t.module.startswith("tinkerdyne.")
    ]


def plain_types(*families: str) -> list[Any]:
    """Those whose kernels read nothing but the arena; the ones that look into pictures have tests of their
    own (tests/optimise)."""
    return [t for t in types(*families) if not getattr(t, "reads_pictures", False)]


def rotation(rng: np.random.Generator, dim: int) -> np.ndarray:
    """A random rotation matrix."""
    Q, _ = np.linalg.qr(rng.normal(size=(dim, dim)))
    Q[:, 0] *= np.linalg.det(Q)
    return Q


def unit(x: Any) -> np.ndarray:
    return np.asarray(x) / np.linalg.norm(x)


@dataclass
class Habitat:
    """The objects of one specimen's world, made when first asked for."""

    dim: int
    rng: np.random.Generator
    objects: dict[str, Item] = field(default_factory=dict)

    def _object(self, name: str) -> Item:
        r, d = self.rng, self.dim
        here = {"position": tuple(r.normal(size=d)), "velocity": tuple(r.normal(size=d))}
        square = tuple((np.eye(d) + 0.3 * r.normal(size=(d, d))).ravel())
        turn = (
            {"orientation": tuple(unit(r.normal(size=4))), "spin": tuple(r.normal(size=3))} if d == 3 else {}
        )
        flat = {"angle": float(r.normal()), "spin": float(r.normal())}
        match name:
            case "particle" | "second":
                return td.Particle(mass=1.3, **here)
            case "body":
                if d == 2:
                    return td.PlanarBody(mass=1.2, inertia=0.7, **here, **flat)
                return td.RigidBody(mass=1.2, inertia=TENSOR, **here, **turn)
            case "rod":
                return (
                    td.PlanarBody(mass=0.4, inertia=0.2, **here, **flat)
                    if d == 2
                    else td.Rod(mass=0.9, **here, **turn)
                )
            case "troid":
                spread = tuple((0.2 * np.eye(d) + 0.05 * np.ones((d, d))).ravel())
                rate = tuple(0.5 * r.normal(size=d * d))
                return td.Troid(mass=1.1, second_moment=spread, shape=square, shape_rate=rate, **here)
            case "variable":
                return td.Variable(value=float(r.normal()), rate=float(r.normal()))
            case "curve":
                kind = law_ring2 if d == 2 else law_ring3
                return kind(drag=0.1, **{f"{n}_rate": tuple(r.normal(size=d)) for n in "abc"})
            case "surface":
                vectors = {
                    "c": (0.3, -0.4, 0.5),
                    "a": (1.0, 0.1, 0.2),
                    "b": (-0.2, 0.7, 0.1),
                    "n": (0.1, 0.3, 0.9),
                }
                return td.typed_surface(
                    *SHELL[:d], u=(0, 2), v=(0, 2), drag=0.1, **{n: x[:d] for n, x in vectors.items()}
                )
            case "compound":
                kind = law_linkage2 if d == 2 else law_linkage3
                rates = {n: v for n, v in kind.state.items() if n.endswith("_rate")}
                return kind(
                    **{
                        n: tuple(r.normal(size=np.size(v))) if np.ndim(v) else float(r.normal())
                        for n, v in rates.items()
                    }
                )
        raise KeyError(name)

    def __getitem__(self, name: str) -> Item:
        if name not in self.objects:
            self.objects[name] = self._object(name)
        return self.objects[name]

    def at(self) -> tuple[float, ...]:
        return tuple(self.rng.normal(size=self.dim))

    def supply(self, kind: str, nth: int) -> Item:
        """The nth way of supplying a kind; ways go round."""
        H, r, d = self, self.rng, self.dim
        along = lambda: tuple(unit(r.normal(size=d)))  # noqa: E731
        ways: dict[str, list[Any]] = {
            "point": [
                lambda: H["particle"],
                lambda: td.point(H["body"], at=H.at()),
                lambda: td.point(H["rod"], at=H.at()),
                lambda: td.curve_point(H["curve"], u=0.7),
                lambda: td.particle_of(H["compound"], index=2),
                lambda: td.point(H["troid"], at=H.at()),
                lambda: td.between(H["second"], td.point(H["body"], at=H.at()), share=0.3),
            ],
            "direction": [
                lambda: td.direction(H["body"], along=along()),
                lambda: td.direction(H["rod"], along=along()),
                lambda: td.tangent(H["curve"], u=1.9),
            ],
            "frame": [
                lambda: H["body"],
                lambda: H["rod"],
                lambda: td.frame(H["body"], at=H.at(), axes=tuple(rotation(r, d).ravel())),
                lambda: H["troid"],
            ],
            "part": [lambda: H["body"], lambda: H["particle"], lambda: H["rod"], lambda: H["troid"]],
            "scalar": [
                lambda: H["variable"],
                lambda: td.distance_between(H["particle"], td.point(H["body"], at=H.at())),
                lambda: td.angle_between(
                    td.direction(H["body"], along=along()), td.direction(H["rod"], along=along())
                ),
            ],
            "curve": [lambda: H["curve"]],
            "picture": [lambda: REGISTRY["picture"](corner=(-4.5, -4.5), scales=(1.0,))],
            "particles": [lambda: H["compound"]],
            "surface": [lambda: H["surface"]],
        }
        return ways[kind][nth % len(ways[kind])]()


@dataclass(frozen=True)
class Specimen:
    """One item of a type in a world of its own."""

    world: td.World
    item: Item
    dim: int
    variant: int

    def __str__(self) -> str:
        return (
            f"{self.item.type.name} in {self.dim}-D on "
            f"{', '.join(i.type.name for i in self.item.inputs) or 'nothing'}"
        )


VARIANTS = 4
EXTRA = 3  # inputs given where a type takes any number


def _kind_of(kind: Any, type: Any, variant: int) -> str:
    """The kind of connector to plug in where `vector` or `anything` is wanted; a type that supplies a vector
    gets scalars."""
    if kind.name not in ("vector", "anything"):
        return str(kind.name)
    if type.output.name == "vector":
        return "scalar"
    return "scalar" if variant == 1 else "point"


def _parameters(type: Any, habitat: Habitat, inputs: list[Item]) -> dict[str, Any]:
    """Random values of a type's parameters, as many numbers as their defaults have here; typed-in formulas
    get a text."""
    r, d = habitat.rng, habitat.dim
    out: dict[str, Any] = {}
    for name, (sort, default) in type.parameters.items():
        if sort.is_choice:
            continue
        if sort is Keys:
            times = np.cumsum(r.uniform(0.3, 0.6, size=4)) - 1.0
            width = d if len(default[0]) > 2 else 1
            out[name] = tuple((float(t), *map(float, r.normal(size=width))) for t in times)
            continue
        if isinstance(default, Either):
            size = len(default.plane if d == 2 else default.space)
            value = rotation(r, d).ravel() if size == d * d else r.normal(size=size)
            if type.output.name == "direction":
                value = unit(value)
            out[name] = tuple(value)
        elif sort is Place or isinstance(default, (tuple, list)):
            out[name] = tuple(
                r.normal(size=port_of(inputs[0]).dim if inputs and len(default) == 1 else len(default))
            )
        elif default == int(default) and r.random() < 0.3:
            out[name] = float(default)  # whole numbers may choose something
        else:
            out[name] = float(r.uniform(0.3, 1.7))
    if "text" in type.parameters:
        named = inputs[len(type.ports) :]
        rows = port_of(inputs[0]).dim if type.ports and inputs else d
        rows = {12: 3, 6: 2}.get(rows, rows)
        names = tuple("abcdefg"[: len(named)])
        texts = []
        for k in range(rows):
            terms = []
            for n, source in zip(names, named, strict=True):
                port = port_of(source)
                terms.append(f"sin({n})*{n}" if port.dim == 1 else f"{n}[{k % d}]*{n}[{(k + 1) % d}]")
            texts.append(" + ".join([*terms, f"number*sin({k + 1}*t)"]))
        out |= {
            "text": tuple(texts),
            "names": names,
            "constant_names": ("number",),
            "constants": (float(r.normal()),),
        }
    return out


def make(type: Any, dim: int, variant: int) -> Specimen | None:
    """A specimen, or None when this type refuses such inputs (it must not refuse all)."""
    rng = np.random.default_rng([len(type.name), *type.name.encode(), dim, variant])
    habitat = Habitat(dim, rng)
    wanted = [kind for _, kind in type.ports] + ([type.variadic] * EXTRA if type.variadic is not None else [])
    inputs = [habitat.supply(_kind_of(kind, type, variant), variant + j) for j, kind in enumerate(wanted)]
    try:
        item = type.make("specimen", inputs, _parameters(type, habitat, inputs))
    except (TypeError, ValueError):  # test_doors looks at the words
        return None
    world = td.World()
    for thing in habitat.objects.values():
        world.add(thing)
    world.add(item)
    return Specimen(world, item, dim, variant)


_starts: dict[str, list[np.ndarray]] = {}  # the states in which the specimens of a type were made


def specimens(name: str) -> tuple[Specimen, ...]:
    """All specimens of a type, each in the state in which it was made, whatever other tests did to it."""
    made = _specimens(name)
    states = []
    for specimen in made:
        specimen.world.engine.ready()
        states.append(specimen.world.engine.state_vector())
    for specimen, now, start in zip(made, states, _starts.setdefault(name, states), strict=True):
        if len(now) == len(start):
            specimen.world.engine.set_state_vector(start, 0.0)
    return made


@functools.cache
def _specimens(name: str) -> tuple[Specimen, ...]:
    """All specimens of a type; a type that fits nowhere fails here, so that no type goes untested."""
    type = REGISTRY[name]
    found = [make(type, dim, variant) for dim in (2, 3) for variant in range(VARIANTS)]
    kept: list[Specimen] = []
    for s in found:  # ways go round: one specimen for each combination of inputs
        if s is not None and all(
            s.item.type.block_of(s.item) is not k.item.type.block_of(k.item) for k in kept
        ):
            kept.append(s)
    assert kept, (
        f"no inputs were found for {type.family} {name!r}: teach tests/laws/zoo.py to supply its kinds"
    )
    return tuple(kept)


# --- objects -------------------------------------------------------------------------------------------
def _resized(value: Any, sizes: dict[int, int]) -> Any:
    return (
        tuple(np.resize(np.asarray(value), sizes[len(value)]))
        if isinstance(value, tuple) and len(value) in sizes
        else value
    )


@functools.cache
def objects(name: str) -> tuple[Item, ...]:
    """Objects of a maker with random parameters and states: as they come, and in the other dimension where
    they allow it."""
    maker = REGISTRY[name]
    found = []
    for k, sizes in enumerate(({}, {3: 2, 9: 4, 4: 4}, {2: 3, 4: 9})):
        rng = np.random.default_rng([*name.encode(), k])
        options: dict[str, Any] = {}
        for key, default in maker.parameters.items():
            # no truths, no meshes
            if all(isinstance(x, float) for x in (default if isinstance(default, tuple) else (default,))):
                scaled = float(rng.uniform(0.5, 2.0)) * np.asarray(default)
                options[key] = tuple(scaled) if isinstance(default, tuple) else float(scaled)
        for key, default in maker.state.items():
            start = _resized(default, sizes)
            if len(np.atleast_1d(start)) in (4, 9) and k > 0 and np.any(start):
                start = tuple(np.eye(int(np.sqrt(len(start)))).ravel())
            near = np.asarray(start) + 0.4 * rng.normal(size=np.shape(start))
            options[key] = tuple(near) if isinstance(start, tuple) else float(near)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # a quaternion near (1, 0, 0, 0) is normalised with a word
                item = maker.make("specimen", (), options)
        except ValueError:
            continue
        if all(item.type.resolve(item)[0] is not other.type.resolve(other)[0] for other in found):
            found.append(item)
    assert found, f"no object could be made of {name!r}: teach tests/laws/zoo.py its parameters"
    return tuple(found)


# --- reading a world through its compiled evaluation ---------------------------------------------------
class Probe:
    """A world at any state: q, v and t go in, records and forces come out."""

    def __init__(self, world: td.World) -> None:
        self.world = world
        world.engine.ready()
        self.s = world.engine
        self.nq, self.nv = self.s.overview.nq, self.s.overview.nv
        self.q, self.v = self.state()

    def set(self, q: np.ndarray, v: np.ndarray, t: float) -> None:
        """Go to a state (quaternions are made pure) and evaluate everything but the multipliers."""
        self.s.set_state_vector(np.concatenate([q, v]), t)
        self.s.program.tidy()
        self.s.program.evaluate_free()

    def state(self) -> tuple[np.ndarray, np.ndarray]:
        y = self.s.state_vector()
        return y[: self.nq], y[self.nq :]

    @property
    def qdot(self) -> np.ndarray:
        return self.s.arena.qdot.copy()

    @property
    def force(self) -> np.ndarray:
        return self.s.arena.vector(self.s.arena.index.force, self.nv).copy()

    @property
    def acceleration(self) -> np.ndarray:
        return self.s.arena.velocity_vector(Vel.ACC).copy()

    def read(self, item: Item) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Value, velocity and bias of a connector or constraint."""
        m = item.type.block_of(item).dim
        record = self.s.record(item)
        return record[:m], record[m : 2 * m], record[2 * m : 3 * m]

    def fields(self) -> tuple[float, float]:
        """Potential energy and power of the fields."""
        total = np.zeros(2)
        for batch in self.s.structure.field_batches.values():
            width = batch.block.record
            records = self.s.arena.vector(batch.first_record, batch.n * width).reshape(batch.n, width)
            total += records[:, :2].sum(axis=0)
        return float(total[0]), float(total[1])

    def dense(self, item: Item) -> np.ndarray:
        """J by the recursive dense composition."""
        where, _ = least_squares.columns(self.s)
        J = np.zeros((item.type.block_of(item).dim, self.nv))
        for key, part in least_squares.jacobian_of(self.s, item).items():
            J[:, where[key]] += part
        return J

    def compiled(self) -> np.ndarray:
        """J of all constraints as the compiled composition left it."""
        arena, index = self.s.arena, self.s.arena.index
        J = np.zeros((index.nr, self.nv))
        for k in range(index.n_jacobians):
            block = Jacobian.of(index, k)
            rows, column = slice(block.row, block.row + block.dim), block.v - index.v
            part = arena.vector(block.J, block.dim * block.nv).reshape(block.dim, block.nv)
            J[rows, column : column + block.nv] += part
        return J

    def random(self, seed: int) -> tuple[np.ndarray, np.ndarray, float]:
        """A random state near the starting one."""
        rng = np.random.default_rng(seed)
        q = self.q + 0.15 * rng.normal(size=self.nq)
        self.set(q, self.v + rng.normal(size=self.nv), float(rng.uniform(0, 2)))
        q, v = self.state()
        return q, v, self.world.time

    def slope(
        self, f: Any, q: np.ndarray, v: np.ndarray, t: float, dq: Any, dv: Any, dt: float, h: float = 2e-4
    ) -> Any:
        """d/ds f at (q, v, t) along (dq, dv, dt), by central differences extrapolated twice: the error is
        O(h⁶)."""

        def difference(step: float) -> Any:
            ends = []
            for sign in (1, -1):
                self.set(q + sign * step * dq, v + sign * step * dv, t + sign * step * dt)
                ends.append(np.array(f()))
            return (ends[0] - ends[1]) / (2 * step)

        a, b, c = difference(h), difference(h / 2), difference(h / 4)
        ab, bc = (4 * b - a) / 3, (4 * c - b) / 3
        return (16 * bc - ab) / 15


def assert_close(found: Any, slope: Any, message: str) -> None:
    """A derivative equals its finite difference.

    The differences err by about (h/T)⁶ with T the time in which the motion changes (0.01 s and more here:
    1e-10), and by the rounding of the function, 1e-16/h of its size: 1e-7 of the largest component leaves
    room for points that nearly meet.
    """
    found, slope = np.atleast_1d(found), np.atleast_1d(slope)
    bound = 1e-7 * (1 + np.abs(slope).max(initial=0.0))
    assert np.abs(found - slope).max(initial=0.0) <= bound, (
        f"{message}: {found} is not the difference {slope}"
    )


# --- rigid motion of everything ------------------------------------------------------------------------
def quaternion_of(R: np.ndarray) -> np.ndarray:
    """(w, x, y, z) of a rotation matrix, by the eigenvector of its quaternion form (no branches)."""
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = R
    K = np.array(
        [
            [xx + yy + zz, zy - yz, xz - zx, yx - xy],
            [zy - yz, xx - yy - zz, xy + yx, xz + zx],
            [xz - zx, xy + yx, yy - xx - zz, yz + zy],
            [yx - xy, xz + zx, yz + zy, zz - xx - yy],
        ]
    )
    return np.asarray(np.linalg.eigh(K)[1][:, -1])


def product(a: Any, b: Any) -> np.ndarray:
    """a ⊗ b."""
    a, b = np.asarray(a), np.asarray(b)
    return np.concatenate(
        [[a[0] * b[0] - a[1:] @ b[1:]], a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])]
    )


def move(item: Item, R: np.ndarray, shift: np.ndarray) -> None:
    """Move an object of a world rigidly: x ↦ R x + shift."""
    dim = len(shift)
    new: dict[str, Any] = {}
    for name in item.type.state_names():
        value = getattr(item, name)
        if name in ("position", "c", "root"):
            new[name] = R @ np.array(value) + shift
        elif name in ("velocity", "a", "b", "axis") or (
            name.endswith("_rate") and np.size(value) == dim and name[:-5] not in ("radii", "size")
        ):
            new[name] = R @ np.array(value)
        elif name == "orientation":
            new[name] = product(quaternion_of(R), value)
        elif name in ("angle", "arm", "fore"):
            new[name] = value + np.arctan2(R[1, 0], R[0, 0])
        elif name in ("points", "points_rate"):
            new[name] = np.array(value) @ R.T + (shift if name == "points" else 0)
        elif name in ("numbers", "numbers_rate"):  # vectors by components, the first a place: c, a, b, n
            rows = np.array(value)[: len(value) // dim * dim].reshape(-1, dim) @ R.T
            rows[0] += shift if name == "numbers" else 0
            new[name] = np.concatenate([rows.ravel(), value[rows.size :]])
        elif name in ("shape", "shape_rate"):  # by columns
            new[name] = (R @ np.array(value).reshape(dim, dim, order="F")).ravel(order="F")
        elif name in ("begin", "end"):
            new[name] = value + np.arctan2(R[1, 0], R[0, 0])
        elif name.removesuffix("_rate") in (
            "radius",
            "radii",
            "size",
            "exponent",
            "pitch",
            "angle",
            "begin",
            "end",
        ):
            continue
        elif name not in ("spin", "value", "rate", "swing", "arm_rate", "fore_rate", "swing_rate"):
            raise KeyError(f"teach tests/laws/zoo.py how {name!r} of {item.type.name} moves rigidly")
    for name, value in new.items():
        setattr(item, name, tuple(value) if np.ndim(value) else float(value))
