"""Laws of the tangent matrix: C, K and H of all types, and of random worlds, are derivatives of Q and Jᵀλ."""

import numpy as np
import pytest

import tinkerdyne as td
from tests.laws.test_derivatives import held
from tests.laws.zoo import Probe, assert_close, law_ring3, objects, plain_types, specimens, types
from tinkerdyne.engine.records import Flag, Object
from tinkerdyne.engine.tangent_records import Tangent
from tinkerdyne.language.types import REGISTRY


class Dense:
    """The tangent matrix of a world as the compiled tables have it, written out."""

    def __init__(self, probe):
        probe.s.have_tangent()
        self.probe, self.engine = probe, probe.s
        self.rows = probe.s.overview.rows

    def matrix(self, a, b, lam=None, alpha=0.0, epsilon=1e-12):
        """All of it, rows of constraints before velocities."""
        lam = np.zeros(max(1, self.rows)) if lam is None else np.ascontiguousarray(lam, float)
        self.engine.program.try_tangent(a, b, alpha, epsilon, lam)
        arena = self.engine.arena
        I, T = arena.I[arena.index.tangent :], Tangent(arena.I[arena.index.tangent :])
        sizes = I[T.node_sizes : T.node_sizes + T.n_nodes]
        first = np.concatenate([[0], np.cumsum(sizes)])
        A = np.zeros((first[-1], first[-1]))
        for k in range(T.n_nodes):
            block = arena.vector(I[T.node_diagonals + k], sizes[k] ** 2).reshape(sizes[k], sizes[k])
            A[first[k] : first[k + 1], first[k] : first[k + 1]] = np.tril(block) + np.tril(block, -1).T
        for p in range(T.n_pairs):
            i, j = I[T.pair_rows + p], I[T.pair_columns + p]
            block = arena.vector(I[T.pair_places + p], sizes[i] * sizes[j]).reshape(sizes[i], sizes[j])
            A[first[i] : first[i + 1], first[j] : first[j + 1]] += block
            A[first[j] : first[j + 1], first[i] : first[i + 1]] += block.T
        return A

    def objects(self, a, b, lam=None):
        """The block of the velocities, without the masses."""
        n = self.rows
        return self.matrix(a, b, lam)[n:, n:] - self.matrix(0.0, 0.0, lam)[n:, n:]


def symmetric(matrix):
    return (matrix + matrix.T) / 2


def by_positions(probe, f, q, v, t, directions):
    """∂f/∂q along some motions that velocities count, a column each."""
    columns = []
    for e in directions.T:
        probe.set(q, e, t)
        columns.append(probe.slope(f, q, v, t, probe.qdot, 0 * v, 0.0))
    return np.array(columns).T


def by_velocities(probe, f, q, v, t, directions):
    """∂f/∂v along some changes of velocity."""
    return np.array([probe.slope(f, q, v, t, 0 * q, e, 0.0) for e in directions.T]).T


def free_velocities(arena):
    """The numbers of the velocities that are not fixed, in the order of nodes."""
    free = []
    for k in range(arena.index.n_objects):
        T = Object.of(arena.index, k)
        if not T.flags & Flag.FIXED:
            free += range(T.v - arena.index.v, T.v - arena.index.v + T.nv)
    return np.array(free, int)


def check(probe, lam, seed, message):
    """C, K and H at a random state, along random directions E: Eᵀ C E and so on. K and H at rest, since ∂ẋ/∂q
    is left out."""
    q, v, t = probe.random(seed)
    free, E = free_velocities(probe.s.arena), np.zeros((probe.nv, 3))
    E[free] = np.random.default_rng(seed).normal(size=(len(free), 3))
    dense = Dense(probe)
    C = E[free].T @ dense.objects(1.0, 0.0) @ E[free]
    wanted = -symmetric(E.T @ by_velocities(probe, lambda: probe.force, q, v, t, E))
    assert_close(C, wanted, f"C of {message}")
    v = 0 * v

    def force():
        return probe.compiled().T @ lam - probe.force if len(lam) else -probe.force

    wanted = symmetric(E.T @ by_positions(probe, force, q, v, t, E))
    probe.set(q, v, t)
    assert_close(E[free].T @ dense.objects(0.0, 1.0, lam) @ E[free], wanted, f"K + H of {message}")


@pytest.mark.parametrize("name", [t.name for t in plain_types("behavior")])
def test_damping_and_stiffness_of_every_behavior_are_derivatives(name):
    for specimen in specimens(name):
        check(Probe(specimen.world), np.zeros(0), 3, str(specimen))


@pytest.mark.parametrize("kind", [t.name for t in types("object")])
@pytest.mark.parametrize("name", [t.name for t in types("field")])
def test_damping_and_stiffness_of_every_field_are_derivatives(name, kind):
    for prototype in objects(kind):
        world = td.World()
        world.add(prototype.type.make("specimen", (), {**prototype.values, **prototype.start}))
        world.add(REGISTRY[name](name="law-field"))
        check(Probe(world), np.zeros(0), 2, f"{name} on {kind}")


@pytest.mark.parametrize("name", [t.name for t in plain_types("connector", "constraint")])
def test_curvature_of_every_connector_and_constraint_is_a_derivative(name):
    for specimen in specimens(name):
        item = specimen.item
        if item.type.block_of(item).effort:
            continue  # its forces have directions of their own, and the world is solved densely
        if item.type.family == "connector":
            item = specimen.world.add(held(item))
        try:
            probe = Probe(specimen.world)
            if item.type.family == "constraint":
                probe.s.close([item])  # a stop counts where it holds
            lam = np.random.default_rng(5).normal(size=probe.s.overview.rows)
            check(probe, lam, 4, str(specimen))
        finally:
            if item is not specimen.item:
                specimen.world.remove(item)


# --- random worlds -------------------------------------------------------------------------------------
def tangled(seed):
    """Bodies, a curve and particles, joined by springs and joints at points of theirs, some of them fixed."""
    rng = np.random.default_rng(seed)
    world = td.World()
    objects = []
    for k in range(7):
        at, fixed = tuple(1.5 * rng.normal(size=3)), k == 6
        if k % 3 == 0:
            objects.append(
                world.add(td.Particle(mass=float(rng.uniform(0.5, 2)), position=at, is_fixed=fixed))
            )
        else:
            turn = rng.normal(size=4)
            turn = tuple(turn / np.linalg.norm(turn))
            objects.append(world.add(td.Rod(position=at, orientation=turn)))
    ring = world.add(law_ring3(drag=0.1))

    def seat(thing):
        return thing if thing.type.name == "particle" else td.point(thing, at=tuple(rng.normal(size=3)))

    middle = td.between(seat(objects[1]), seat(objects[2]))
    for _ in range(6):
        a, b = rng.choice(len(objects), 2, replace=False)
        world.add(td.spring(seat(objects[a]), seat(objects[b]), stiffness=30.0, damping=2.0, length=0.7))
    world.add(td.torsion_spring(td.frame(objects[1]), td.frame(objects[4]), stiffness=5.0, damping=0.5))
    world.add(td.spring(middle, td.curve_point(ring, u=0.4), stiffness=11.0, length=0.2))
    for a, b in ((0, 1), (1, 2), (2, 3), (4, 5), (5, 6)):
        world.add(td.distance(seat(objects[a]), seat(objects[b]), length=0.8))
    world.add(td.connect(seat(objects[3]), seat(objects[4])))
    world.add(td.distance(middle, seat(objects[5]), length=1.0))
    world.add(td.gravity())
    world.add(td.damping(0.3))
    return world


@pytest.mark.parametrize("seed", range(3))
def test_the_tangent_of_a_tangled_world_is_a_derivative(seed):
    world = tangled(seed)
    probe = Probe(world)
    check(probe, np.random.default_rng(seed).normal(size=probe.s.overview.rows), seed, "a tangled world")


@pytest.mark.parametrize("seed", range(3))
def test_its_factor_solves_what_the_dense_matrix_does(seed):
    """Also where pressed springs and struts make the objects' part indefinite."""
    world = tangled(seed)
    probe = Probe(world)
    probe.random(seed)
    dense = Dense(probe)
    rng = np.random.default_rng(seed)
    n, m = probe.s.overview.nv, probe.s.overview.rows
    for b in (0.01, 3.0):
        A = dense.matrix(0.1, b, rng.normal(size=m), alpha=1e-6, epsilon=0.0)
        free = free_velocities(probe.s.arena)
        rq, rc = np.zeros(n), rng.normal(size=m)
        rq[free] = rng.normal(size=len(free))
        dv, dlam = np.zeros(n), np.zeros(m)
        probe.s.program.try_tangent_solve(rq, rc, dv, dlam)
        A[np.arange(m), np.arange(m)] = -1e-6
        wanted = np.linalg.solve(A, np.concatenate([rc, rq[free]]))
        np.testing.assert_allclose(dlam, wanted[:m], rtol=1e-6, atol=1e-6 * abs(wanted).max())
        np.testing.assert_allclose(dv[free], wanted[m:], rtol=1e-6, atol=1e-6 * abs(wanted).max())
