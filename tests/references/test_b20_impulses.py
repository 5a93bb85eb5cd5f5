"""B20: impulses in constrained systems, closed form, to rounding."""

import numpy as np
import pytest

import tinkerdyne as td

CLOSE = {"rtol": 0, "atol": 1e-11}


def rod(name, x, **options):
    """A uniform rod of 1 kg and 1 m in the plane, its centre at x."""
    return td.PlanarBody(name, mass=1.0, inertia=1 / 12, position=(x, 0.0), **options)


def two_hinged_rods():
    world = td.World()
    first, second = world.add(rod("first", 0.5), rod("second", 1.5))
    hinge = world.add(
        td.connect(td.point(first, at=(0.5, 0.0)), td.point(second, at=(-0.5, 0.0)), name="hinge")
    )
    return world, first, second, hinge


def test_two_hinged_rods_struck_at_an_end():
    """v₁ = 5/4, ω₁ = −9/2, v₂ = −1/4, ω₂ = 3/2; hinge impulse on rod 1 = 1/4; struck end 7/2; T = 7/4."""
    world, first, second, _ = two_hinged_rods()
    end = td.point(first, at=(-0.5, 0.0))
    found = world.impulse(end, (0.0, 1.0))
    np.testing.assert_allclose((*first.velocity, first.spin), (0, 5 / 4, -9 / 2), **CLOSE)
    np.testing.assert_allclose((*second.velocity, second.spin), (0, -1 / 4, 3 / 2), **CLOSE)
    # c = first − second: its sense is that on the first
    np.testing.assert_allclose(found["hinge"], (0, 1 / 4), **CLOSE)
    np.testing.assert_allclose(end.velocity, (0, 7 / 2), **CLOSE)
    assert world.kinetic_energy == pytest.approx(7 / 4, abs=1e-11)


def test_two_hinged_rods_in_space():
    """The same with rigid bodies and a ball joint; the answer does not know about the third dimension."""
    world = td.World()
    rods = [
        world.add(td.RigidBody(f"rod{x}", inertia=(1e-3, 1 / 12, 1 / 12), position=(x, 0, 0)))
        for x in (0.5, 1.5)
    ]
    world.add(td.join(td.ball, *rods, at=(1.0, 0.0, 0.0), name="hinge"))
    found = world.impulse(td.point(rods[0], at=(-0.5, 0, 0)), (0, 1, 0))
    np.testing.assert_allclose((rods[0].velocity[1], rods[0].spin[2]), (5 / 4, -9 / 2), **CLOSE)
    np.testing.assert_allclose((rods[1].velocity[1], rods[1].spin[2]), (-1 / 4, 3 / 2), **CLOSE)
    assert np.linalg.norm(found["hinge"]) == pytest.approx(1 / 4, abs=1e-11)


@pytest.mark.parametrize("h", [1 / 4, 1 / 2, 2 / 3, 1.0])
def test_a_pinned_rod_and_its_centre_of_percussion(h):
    """ω = 3h, pivot impulse 3h/2 − 1 in the sense of the blow; none at h = 2/3."""
    world = td.World()
    body = world.add(rod("rod", 0.5))
    pivot = world.add(td.nail(td.point(body, at=(-0.5, 0.0)), at=(0.0, 0.0), name="pivot"))
    found = world.impulse(td.point(body, at=(h - 0.5, 0.0)), (0.0, 1.0))
    assert body.spin == pytest.approx(3 * h, abs=1e-11)
    np.testing.assert_allclose(found["pivot"], (0, 3 * h / 2 - 1), **CLOSE)
    assert np.abs(pivot.velocity).max() < 1e-11


def test_a_rigid_triangle_of_three_masses():
    """Impulse (0, 1) at A: ω = −1/2, v_A = (−√3/12, 7/12), v_B = (−√3/12, 1/12), v_C = (√3/6, 1/3)."""
    world = td.World()
    root = np.sqrt(3.0)
    a, b, c = world.add(
        td.Particle("A", position=(0.0, 0.0)),
        td.Particle("B", position=(1.0, 0.0)),
        td.Particle("C", position=(0.5, root / 2)),
    )
    world.add(*[td.distance(p, q, length=1.0) for p, q in ((a, b), (b, c), (c, a))])
    world.impulse(a, (0.0, 1.0))
    np.testing.assert_allclose(a.velocity, (-root / 12, 7 / 12), **CLOSE)
    np.testing.assert_allclose(b.velocity, (-root / 12, 1 / 12), **CLOSE)
    np.testing.assert_allclose(c.velocity, (root / 6, 1 / 3), **CLOSE)
    assert b.velocity[1] - a.velocity[1] == pytest.approx(-0.5, abs=1e-11)  # ω × (1, 0)


def test_two_masses_with_a_link():
    """m₁ = 1, m₂ = 2, impulse (1, 1) on m₁: v₁ = (1/3, 1), v₂ = (1/3, 0), link impulse 2/3."""
    world = td.World()
    one, two = world.add(
        td.Particle("one", position=(0.0, 0.0)), td.Particle("two", mass=2.0, position=(1.0, 0.0))
    )
    world.add(td.distance(one, two, length=1.0, name="link"))
    found = world.impulse(one, (1.0, 1.0))
    np.testing.assert_allclose(one.velocity, (1 / 3, 1), **CLOSE)
    np.testing.assert_allclose(two.velocity, (1 / 3, 0), **CLOSE)
    np.testing.assert_allclose(np.abs(found["link"]), 2 / 3, **CLOSE)


# --- laws -----------------------------------------------------------------------------------------
def tangle(seed):
    """Five bodies in space in a loop of ball joints, moving."""
    rng = np.random.default_rng(seed)
    world = td.World()
    places = 2 * rng.normal(size=(5, 3))
    bodies = [
        world.add(
            td.RigidBody(
                f"b{k}", mass=float(m), inertia=tuple(m * np.array([0.3, 0.4, 0.5])), position=tuple(x)
            )
        )
        for k, (m, x) in enumerate(zip(rng.uniform(0.5, 3, size=5), places, strict=True))
    ]
    for k in range(5):
        world.add(td.join(td.ball, bodies[k], bodies[k - 1], at=(places[k] + places[k - 1]) / 2))
    for body in bodies:
        body.velocity, body.spin = tuple(rng.normal(size=3)), tuple(rng.normal(size=3))
    world.project()
    return world, bodies, rng


def momentum(bodies):
    return np.sum([b.mass * np.array(b.velocity) for b in bodies], axis=0)


@pytest.mark.parametrize("seed", range(4))
def test_a_blow_changes_momentum_by_itself_and_energy_by_its_work(seed):
    """Δp = J; ΔT = J · ½(v⁻ + v⁺) of the struck point (Thomson and Tait); the constraints' velocities stay
    met."""
    world, bodies, rng = tangle(seed)
    struck, blow = td.point(bodies[2], at=tuple(rng.normal(size=3))), rng.normal(size=3)
    before, energy, v = momentum(bodies), world.kinetic_energy, np.array(struck.velocity)
    world.impulse(struck, blow)
    np.testing.assert_allclose(momentum(bodies) - before, blow, atol=1e-9)
    assert world.kinetic_energy - energy == pytest.approx(blow @ (v + struck.velocity) / 2, abs=1e-8)
    assert max(np.abs(c.velocity).max() for c in world.items if c.type.family == "constraint") < 1e-9


def test_blows_are_linear_and_reciprocal():
    """Twice the blow, twice the change; a blow at P along a moves Q along b as one at Q along b moves P along
    a (Maxwell)."""
    changes = {}
    for key, scale in (("p", 1.0), ("2p", 2.0), ("q", 1.0)):
        world, bodies, _ = tangle(9)
        p, q = td.point(bodies[0], at=(0.3, 0, 0)), td.point(bodies[3], at=(0, 0.2, -0.4))
        a, b = np.array([1.0, 2.0, -1.0]), np.array([0.5, 0.0, 3.0])
        was = np.array(p.velocity), np.array(q.velocity)
        world.impulse(q if key == "q" else p, tuple(scale * (b if key == "q" else a)))
        changes[key] = np.array(p.velocity) - was[0], np.array(q.velocity) - was[1]
    np.testing.assert_allclose(changes["2p"][1], 2 * changes["p"][1], atol=1e-10)
    assert changes["p"][1] @ b == pytest.approx(changes["q"][0] @ a, abs=1e-9)


def test_a_blow_on_a_body_acts_at_its_centre_and_on_a_measure_along_it():
    world, first, _, _ = two_hinged_rods()
    world.remove("hinge")
    world.impulse(first, (2.0, 3.0))
    np.testing.assert_allclose((*first.velocity, first.spin), (2, 3, 0), **CLOSE)
    one, two = world.add(
        td.Particle("one", position=(0.0, 5.0)), td.Particle("two", mass=3.0, position=(0.0, 7.0))
    )
    world.impulse(td.distance_between(one, two), (6.0,))  # pushes them apart
    np.testing.assert_allclose((one.velocity[1], two.velocity[1]), (-6, 2), **CLOSE)


def test_a_fixed_body_takes_any_blow():
    world, first, second, _ = two_hinged_rods()
    second.is_fixed = True
    found = world.impulse(td.point(first, at=(-0.5, 0.0)), (0.0, 1.0))
    assert second.velocity == (0.0, 0.0) and first.spin == pytest.approx(-3.0, abs=1e-11)
    np.testing.assert_allclose(found["hinge"], (0, 1 / 2), **CLOSE)  # a rod pinned at its far end: 3/2 − 1


def test_a_blow_can_be_undone_and_done_again():
    world, first, second, _ = two_hinged_rods()
    end = td.point(first, at=(-0.5, 0.0))
    world.run(0.1)
    world.impulse(end, (0.0, 1.0))
    after = first.velocity, second.spin
    world.run(0.1)
    world.undo()
    assert world.time == pytest.approx(0.1) and first.velocity == (0.0, 0.0) and second.spin == 0.0
    world.impulse(end, (0.0, 1.0))
    assert (first.velocity, second.spin) == after


def test_blows_that_make_no_sense_are_refused():
    world, first, _, hinge = two_hinged_rods()
    with pytest.raises(ValueError, match=r"the impulse on .* must have 2 numbers, not 3"):
        world.impulse(first, (1.0, 0.0, 0.0))
    with pytest.raises(ValueError, match="must be a number, not NaN"):
        world.impulse(first, (float("nan"), 0.0))
    with pytest.raises(
        TypeError, match="an impulse acts on a point, another connector or a body, not on connect 'hinge'"
    ):
        world.impulse(hinge, (1.0, 0.0))
    with pytest.raises(ValueError, match="is not in this world"):
        world.impulse(td.Particle("stranger"), (1.0, 0.0, 0.0))
    assert first.velocity == (0.0, 0.0)
    world.remove(first)
    with pytest.raises(ReferenceError, match="planar_body 'first' was deleted"):
        world.impulse(first, (1.0, 0.0))
