"""Compounds: masses and moments of the parts add, and their points are the compound's (R1)."""

import casadi as ca
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tinkerdyne as td
from tinkerdyne.objects import rotation
from tinkerdyne.objects.compound import Compound
from tinkerdyne.objects.mesh import solid_of
from tinkerdyne.objects.planar_shapes import Disc
from tinkerdyne.objects.rotation import rotation_matrix
from tinkerdyne.objects.shapes import Box, Capsule, Cone, Mesh, Sphere, surface

TURN = (0.5, 0.5, -0.5, 0.5)


def tensor(body):
    return np.reshape(body.inertia, (3, 3))


def unit(rng):
    q = rng.normal(size=4)
    return tuple(q / np.linalg.norm(q))


def test_two_halves_make_the_whole():
    """A box cut in two, each half with its own axes: the parallel-axis theorem gives the box back."""
    whole = Box("whole", size=(2.0, 1.0, 0.5), density=3.0)
    turned = (0.5**0.5, 0.0, 0.0, 0.5**0.5)  # a quarter about z: its x is the whole's y
    halves = {
        "left": Box(size=(1.0, 1.0, 0.5), density=3.0, position=(4.5, 1.0, 0.0)),
        "right": Box(size=(1.0, 1.0, 0.5), density=3.0, position=(5.5, 1.0, 0.0), orientation=turned),
    }
    body = Compound("body", parts=halves)
    assert (body.mass, body.volume) == pytest.approx((whole.mass, whole.volume), rel=1e-14)
    np.testing.assert_allclose(tensor(body), tensor(whole), rtol=1e-14, atol=1e-14)
    assert body.offset == pytest.approx((5.0, 1.0, 0.0), rel=1e-14)
    np.testing.assert_allclose(body.left_left.at, (-1.0, 0.0, 0.0), atol=1e-14)
    np.testing.assert_allclose(body.right_back.at, (0.0, 0.0, 0.0), atol=1e-14)  # its own +y looks to −x
    np.testing.assert_allclose(body.origin.at, (-5.0, -1.0, 0.0), atol=1e-14)


@given(seed=st.integers(0, 10**6))
def test_a_compound_of_meshes_is_the_mesh_of_both(seed):
    """Parts of one density, apart from each other, against the integral over their joint surface."""
    rng = np.random.default_rng(seed)
    parts = {
        "cone": Mesh(
            **dict(zip(("vertices", "faces"), surface(Cone("c")), strict=True)),
            density=2.0,
            orientation=unit(rng),
        ),
        "corner": Mesh(density=2.0, position=tuple(5 + rng.normal(size=3)), orientation=unit(rng)),
    }
    body = Compound("body", parts=parts)
    solid = solid_of(*surface(body))
    assert body.mass == pytest.approx(2.0 * solid.volume, rel=1e-12)
    np.testing.assert_allclose(solid.centre, 0, atol=1e-12)
    np.testing.assert_allclose(tensor(body), body.mass * np.reshape(solid.inertia, (3, 3)), atol=1e-11)


def test_parts_of_different_density_pull_the_centre_to_the_heavier():
    heavy, light = Sphere(radius=0.1, mass=3.0, position=(1.0, 0.0, 0.0)), Capsule(mass=1.0, orientation=TURN)
    body = Compound("body", parts={"heavy": heavy, "light": light})
    assert (body.mass, body.offset) == (4.0, (0.75, 0.0, 0.0))
    R = rotation_matrix(TURN)
    wanted = tensor(heavy) + R @ tensor(light) @ R.T + np.diag([0, 1, 1]) * (3.0 * 0.25**2 + 1.0 * 0.75**2)
    np.testing.assert_allclose(tensor(body), wanted, rtol=1e-13, atol=1e-14)
    body.mass = 8.0  # scales all parts alike
    np.testing.assert_allclose(tensor(body), 2 * wanted, rtol=1e-13, atol=1e-14)
    body.mass = ("shapes", 1.0)
    assert body.mass == 4.0


def test_parts_turn_as_bodies_do():
    for q in (TURN, (0.8, 0.0, 0.0, 0.6), (0.0, 0.0, 0.0, 1.0)):
        np.testing.assert_allclose(rotation_matrix(q), rotation.matrix(ca.DM(q)).full(), atol=1e-15)


def test_the_parts_points_can_be_plugged_into_while_the_compound_runs():
    world = td.World()
    hammer = world.add(Compound("hammer", position=(0.0, 0.0, -1.0)))
    at = np.array(hammer.position) + hammer.handle_end1.at
    world.add(td.connect(hammer.handle_end1, td.Nail(*at)), td.gravity())
    world.run(seconds=0.2)
    np.testing.assert_allclose(hammer.handle_end1.value, at, atol=1e-9)
    assert hammer.handle_end1.name == "hammer.handle_end1"


def test_a_compound_of_compounds_saves_and_loads_to_the_same_bytes(tmp_path):
    inner = Compound(
        parts={"ball": Sphere(density=7.0), "box": Box(position=(1.0, 0.0, 0.0))}, orientation=TURN
    )
    world = td.World()
    body = world.add(
        Compound(
            "body", parts={"inner": inner, "corner": Mesh(position=(0.0, 2.0, 0.0))}, spin=(1.0, 2.0, 3.0)
        )
    )
    world.add(td.nail(body.inner_box_top, at=(0.0, 0.0, 0.0)))
    world.step(0.01)
    world.save(tmp_path / "a.json")
    again = td.World.load(tmp_path / "a.json")
    assert again["body"].shapes == body.shapes and again["body"].inertia == body.inertia
    again.save(tmp_path / "b.json")
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()


@pytest.mark.parametrize(
    ("parts", "says"),
    [
        ({}, "shapes of compound 'c' must be at least one shape"),
        (3, "shapes of compound 'c' must be shapes by name"),
        ({"a b": Sphere()}, "shapes of compound 'c' must have names of letters, .* not 'a b'"),
        ([Sphere("s"), Box("s")], "shapes of compound 'c' has two parts called 's'"),
        ({"p": td.Particle()}, "part 'p' of compound 'c' must be a shape in space .*, not a new particle"),
        ({"d": Disc()}, "part 'd' of compound 'c' must be a shape in space .*, not a new disc"),
        ({"s": Sphere(velocity=(1, 0, 0))}, "part 's' of compound 'c' has a velocity of its own; give"),
        (
            [("s", "spher", (), (0, 0, 0), (1, 0, 0, 0))],
            "part 's' of compound 'c' must be a shape in space .*, not 'spher'",
        ),
        (
            [("s", "sphere", (("radius", -1.0),), (0, 0, 0), (1, 0, 0, 0))],
            "radius of sphere 's' must be positive, not -1",
        ),
        ([("s", "sphere")], "part 's' of compound 'c' must be a shape, or its name, type, parameters"),
    ],
)
def test_bad_parts_are_refused_in_words(parts, says):
    with pytest.raises((ValueError, TypeError), match=says):
        Compound("c", parts=parts)


def test_a_part_that_is_in_a_world_is_refused():
    ball = td.World().add(Sphere("ball"))
    with pytest.raises(
        ValueError, match="part 'ball' of compound 'c' is sphere 'ball', which is in a world by itself"
    ):
        Compound("c", parts=[ball])
