"""Faults that people make with directions, formulas, first-order worlds and welds, each found by trying."""

import math

import numpy as np
import pytest

import tinkerdyne as td


def test_a_weld_from_any_start_ends_in_the_true_pose():
    rng = np.random.default_rng(1)
    for start in [(0, 1, 0, 0), (0, 0, 1, 0), (0, 0.6, 0.8, 0), *rng.normal(size=(12, 4))]:
        world = td.World()
        base = world.add(td.RigidBody("base", is_fixed=True))
        part = world.add(
            td.RigidBody(
                "part", orientation=tuple(np.array(start) / np.linalg.norm(start)), inertia=(1, 2, 2.5)
            )
        )
        world.add(td.match(base, part))
        assert world.run(3.0).status is td.Status.DONE
        assert abs(part.orientation[0]) == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize(
    "locked, free", [("xyzab", 1), ("xyzbc", 1), ("xyzc", 2), ("xyz", 3), ("abc", 3), ("", 0)]
)
def test_a_lock_leaves_the_freedoms_it_should(locked, free):
    world = td.World()
    base = world.add(td.RigidBody("base", is_fixed=True))
    part = world.add(
        td.RigidBody("part", orientation=(0.9, 0.1, 0.3, 0.2) / np.linalg.norm((0.9, 0.1, 0.3, 0.2)))
    )
    world.add(td.match(base, part, locked=locked))
    assert world.diagnose().freedoms == free


def test_planar_directions_do_not_settle_for_the_opposite():
    for angle in np.linspace(-9, 9, 25):
        world = td.World()
        body = world.add(td.PlanarBody("body", angle=float(angle)))
        pointer = td.direction(body)
        world.add(td.align(td.world_direction(along=(1, 0)), pointer))
        world.run(2.0)
        assert pointer.value[0] == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize("method", ["adaptive", "lsoda", "dop853", "dense"])
def test_a_first_order_world_stays_one_whatever_method_is_named(method):
    world = td.World(order=1, method=method)
    part = world.add(td.Particle("part"))
    world.add(td.pull(part, by=(1, 0, 0)))
    with pytest.warns(UserWarning, match="first-order"):
        world.run(1.0)
    assert part.position[0] == pytest.approx(1.0)  # f = m v


@pytest.mark.parametrize("method", ["rattle", "runge_kutta", "adaptive", "lsoda", "dop853"])
def test_a_contradiction_is_said_by_every_method_and_leaves_the_rest_alone(method):
    world = td.World(method=method)
    rod = world.add(td.Rod("rod", position=(0.5, 0, 0)))
    world.add(td.connect(rod.end1, td.Nail(0, 0, 0), name="joint"), td.gravity())
    part = world.add(td.Particle("part", position=(5.5, 0, 0)))
    world.add(td.nail(part, at=(5, 0, 0), name="left"), td.nail(part, at=(6, 0, 0), name="right"))
    start = world.energy
    for result in (world.run(1.0), world.run(1.0, dt=0.1)):
        assert result.status is td.Status.UNMET and result.culprits == ("left", "right")
    assert part.position[0] == pytest.approx(5.5, abs=1e-3)
    assert world["joint"].gap < 1e-7
    # of 4.9 J; a few steps pass before the contradiction is known
    assert world.energy == pytest.approx(start, abs=0.02)


def test_what_is_out_of_reach_is_named_wherever_the_parts_are():
    world = td.World()
    part = world.add(td.Particle("part", position=(0.1, 0.2, 0)))
    world.add(
        td.distance(part, td.Nail(0, 0, 0), name="near"), td.distance(part, td.Nail(3, 0, 0), name="far")
    )
    assert {"near", "far"} in [set(group) for group in world.diagnose().contradictory]


def test_directions_are_made_unit_and_axes_are_checked():
    world = td.World()
    body = world.add(td.RigidBody("body"))
    assert world.add(td.direction(body, along=(0, 0, 5))).value == pytest.approx((0, 0, 1))
    with pytest.raises(ValueError, match="must not be zero"):
        td.direction(body, along=(0, 0, 0))
    with pytest.raises(ValueError, match="right angles"):
        td.frame(body, axes=(1, 0, 0, 1, 0, 0, 0, 0, 1))
    assert td.world_frame(at=(1, 2)).values["axes"] == (1, 0, 0, 1)


def test_numbers_of_a_typed_formula_change_live_by_their_names():
    world = td.World()
    x = world.add(td.Variable("x", value=3.0))
    twice = world.add(td.formula("k*x + c", x=x, k=2.0, c=1.0))
    before = world.engine.rebuilds
    assert twice.value[0] == 7.0 and twice.k == 2.0
    twice.k = 10.0
    assert twice.value[0] == 31.0
    assert world.engine.rebuilds <= before + 1
    world.undo()
    assert twice.value[0] == 7.0


def test_a_python_if_in_a_formula_is_answered_with_if_else():
    def one_sided(x: td.Scalar, *, stiffness: td.Number = 1.0):
        """A spring that only pushes."""
        return td.energy(stiffness * x * x if x < 0 else 0 * x)

    kind = td.behavior(one_sided, listed=False)
    with pytest.raises(ValueError, match="if_else"):
        kind(td.Variable("x"))


def test_gravity_shows_its_energy():
    world = td.World()
    world.add(td.Particle(mass=2.0, position=(0, 0, 3)), td.Rod(mass=1.0, position=(0, 0, -1)))
    pull = world.add(td.gravity())
    assert pull.energy == pytest.approx(9.81 * (2 * 3 - 1)) == world.potential_energy


def test_a_wavy_curve_with_panels_has_its_true_length():
    def wave(u, *, height=0.05):
        """Ten waves."""
        return u, height * td.sin(20 * math.pi * u)

    maker = td.curve(span=(0.0, 1.0), panels=20)(wave)
    world = td.World(order=1)
    length = world.add(td.length_of(world.add(maker("wave"))))
    u = (np.arange(200_000) + 0.5) / 200_000
    exact = np.sqrt(1 + (math.pi * np.cos(20 * math.pi * u)) ** 2).mean()
    # the corners of |cos| cost digits; one panel has 10 %
    assert length.value[0] == pytest.approx(exact, rel=1e-4)
