"""Laws of forces pulled back: power in equals power out, for every behavior, field and connector type."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tinkerdyne as td
from tests.laws.zoo import Probe, assert_close, objects, plain_types, specimens, types
from tinkerdyne.language.types import REGISTRY

SEEDS = st.integers(0, 10**6)
OBJECTS = [t.name for t in types("object") if not t.parameters["is_fixed"]] + [
    "law_ring2",
    "law_ring3",
    "law_linkage2",
    "law_linkage3",
]


@pytest.mark.parametrize("name", [t.name for t in types("behavior")])
@given(seed=SEEDS)
def test_power_of_a_behavior_is_the_work_of_its_forces(name, seed):
    """⟨pulled-back force, v⟩ = power − dE/dt, the force going through the compiled pull."""
    for specimen in specimens(name):
        probe, item = Probe(specimen.world), specimen.item
        q, v, t = probe.random(seed)
        force, power, qdot = probe.force, probe.s.record(item)[1], probe.qdot
        loss = probe.slope(lambda p=probe, i=item: p.s.record(i)[0], q, v, t, qdot, 0 * v, 0.0)
        assert_close(force @ v, power - loss, str(specimen))


@pytest.mark.parametrize("name", [t.name for t in types("behavior")])
@given(seed=SEEDS)
def test_a_behavior_does_something(name, seed):
    """Laws over a force that is always zero would say nothing."""
    sizes = []
    for specimen in specimens(name):
        probe = Probe(specimen.world)
        probe.random(seed)
        sizes.append(np.abs(probe.force).max())
    assert max(sizes) > 1e-3, sizes


@pytest.mark.parametrize("name", [t.name for t in plain_types("connector")])
@given(seed=SEEDS)
def test_a_force_on_a_connector_is_pulled_back_by_its_adjoint(name, seed):
    """⟨f, push v⟩ = ⟨pull f, v⟩."""
    effort = (0.7, -1.3, 0.4)
    for specimen in specimens(name):
        item, world = specimen.item, specimen.world
        m = item.type.block_of(item).dim
        # on a frame, the force acts at its origin
        rows = {12: 3, 6: 2}.get(m, m) if item.type.output.name == "frame" else m
        if "law-force" not in world:
            world.add(td.formula_force(item, *(str(x) for x in effort[:rows]), name="law-force"))
        probe = Probe(world)
        q, v, t = probe.random(seed)
        force, moving = probe.force, probe.read(item)[1][:rows]
        probe.set(q, 0 * v, t)
        pushed = moving - probe.read(item)[1][:rows]
        # The two sums are rounded differently; their terms are of order 10.
        np.testing.assert_allclose(
            force @ v, np.dot(effort[:rows], pushed), rtol=1e-11, atol=1e-11, err_msg=str(specimen)
        )


@pytest.mark.parametrize("name", [t.name for t in types("constraint")])
def test_multipliers_reach_the_objects_by_the_adjoint(name):
    """M v̇ = Q + gyro + Jᵀλ with the compiled multipliers and the dense Jacobian."""
    for specimen in specimens(name):
        item = specimen.item
        if item.type.block_of(item).effort:
            continue  # non-square: its forces are not along J (see tests/references)
        if "tau" in item.values:  # dry friction knows no approach
            item.tau = 1.0
        probe = Probe(specimen.world)
        q, _, t = probe.random(3)
        free, J, W = probe.acceleration, probe.dense(item), mass_inverse(probe)
        specimen.world.engine.is_settled = False
        lam = item.force
        driven = probe.acceleration
        # Rows that contradict each other have multipliers as large as 1/ε that cancel: what is left is
        # rounding of those.
        rounding = 1e-8 + 1e-14 * np.abs(lam).max()
        np.testing.assert_allclose(
            driven - free, W @ (J.T @ lam), rtol=1e-8, atol=rounding, err_msg=str(specimen)
        )
        assert specimen.world.time == t and np.array_equal(probe.state()[0], q)


def mass_inverse(probe):
    from tinkerdyne.engine.least_squares import matrices

    return matrices(probe.s)[2]


@pytest.mark.parametrize("kind", OBJECTS)
@pytest.mark.parametrize("name", [t.name for t in types("field")])
def test_power_of_a_field_is_the_work_of_its_forces(name, kind):
    for prototype in objects(kind):
        world = td.World()
        world.add(prototype.type.make("specimen", (), {**prototype.values, **prototype.start}))
        field = world.add(REGISTRY[name](name="law-field"))
        del field
        probe = Probe(world)
        for seed in range(3):
            q, v, t = probe.random(seed)
            force, power, qdot = probe.force, probe.fields()[1], probe.qdot
            loss = probe.slope(lambda p=probe: p.fields()[0], q, v, t, qdot, 0 * v, 0.0)
            assert_close(force @ v, power - loss, f"{name} on {kind}")


@pytest.mark.parametrize("kind", OBJECTS)
def test_mass_is_symmetric_positive_and_gives_the_kinetic_energy(kind):
    for prototype in objects(kind):
        world = td.World()
        world.add(prototype.type.make("specimen", (), {**prototype.values, **prototype.start}))
        probe = Probe(world)
        for seed in range(3):
            _, v, _ = probe.random(seed)
            W = mass_inverse(probe)
            np.testing.assert_allclose(W, W.T, rtol=1e-9, atol=1e-9 * np.abs(W).max())
            assert np.linalg.eigvalsh((W + W.T) / 2)[0] > 0, kind
            # ½ vᵀ M v with M from inverting W: as exact as W's condition allows
            expected = v @ np.linalg.solve(W, v) / 2
            assert world.kinetic_energy == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("kind", OBJECTS)
@given(seed=SEEDS)
def test_a_free_object_keeps_its_kinetic_energy(kind, seed):
    """Gyroscopic and inertial forces do no work: dT/dt = 0 along v̇ = W gyro, for constant and varying
    masses."""
    for prototype in objects(kind):
        world = td.World()
        options = {**prototype.values, **prototype.start}
        if "drag" in options:
            options["drag"] = 1e-12  # N s/m²: a curve's own drag, as good as none
        world.add(prototype.type.make("specimen", (), options))
        probe = Probe(world)
        q, v, t = probe.random(seed)
        qdot, acceleration = probe.qdot, probe.acceleration

        def kinetic(p=probe, w=world):
            p.s.program.evaluate()
            return np.array(w.engine.scalars.kinetic)

        rate = probe.slope(kinetic, q, v, t, qdot, acceleration, 1.0)
        probe.set(q, v, t)
        assert abs(rate) <= 1e-7 * max(1.0, world.kinetic_energy), kind
