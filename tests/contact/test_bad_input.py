"""Bad input to contact: overlapping starts, broken meshes, extremes of size, mass and constants, what is no
number. Each is refused in clear words, or solved, or told; energy is not gained."""

import numpy as np
import pytest

import tinkerdyne as td
from tests.contact.kinds import KINDS as SMOOTH
from tests.contact.kinds import turn
from tests.contact.oracle import heights
from tinkerdyne.objects.rotation import rotation_matrix

STEP, G = 1 / 240, 9.81
VERTICES, FACES = (
    np.array(values) for values in td.surface(td.Torus(radius=0.3, thickness=0.12), segments=8)
)
CUBE = tuple(np.array(values) for values in td.surface(td.Box(size=(0.4, 0.4, 0.4))))
KINDS = SMOOTH | {
    "mesh": lambda u, **rest: td.Mesh(vertices=2 * u[0] * VERTICES, faces=FACES, **rest),
}


# --- overlaps ------------------------------------------------------------------------------------
def tangled(seed, kinds):
    """Three bodies at random places within each other, whatever μ and e."""
    random, world = np.random.default_rng([seed, 21]), td.World(max_step=STEP)
    world.add(td.contact(friction=random.uniform(0, 2), restitution=random.choice([0.0, 0.5, 1.0])))
    for k, kind in enumerate(random.choice(kinds, 3)):
        where = {"position": tuple(random.uniform(-0.15, 0.15, 3)), "orientation": turn(random)}
        world.add(KINDS[kind](random.uniform(0.3, 0.6, 3), name=f"b{k}", **where))
    return world


@pytest.mark.parametrize("seed", range(6))
def test_bodies_that_overlap_at_first_are_parted_without_a_push_and_are_told(seed):
    """They have no velocity while they are parted, and their centre of mass stays."""
    world = tangled(seed, [kind for kind in KINDS if kind != "mesh"])
    bodies = [world[f"b{k}"] for k in range(3)]
    middle = sum(body.mass * np.array(body.position) for body in bodies)
    told = world.run(STEP)
    assert told.status is td.Status.CAREFUL
    assert len(told.culprits) == 2 and "overlap" in told.remedy
    for _ in range(12):
        world.run(0.25)
        assert world.kinetic_energy < 1e-12
    assert np.allclose(sum(body.mass * np.array(body.position) for body in bodies), middle, atol=1e-6)
    assert world.run(STEP).status is td.Status.DONE  # nothing overlaps any more


@pytest.mark.parametrize("seed", range(3))
def test_rings_of_triangles_that_are_linked_or_jammed_gain_nothing(seed):
    """They may not come apart, but they do not fly either."""
    world = tangled(seed, ["mesh", "box", "cylinder"])
    for _ in range(4):
        world.run(0.1)
        assert world.kinetic_energy < 1e-12


@pytest.mark.parametrize("seed", range(6))
def test_what_is_sunk_into_the_floor_is_lifted_by_no_more_than_its_depth(seed):
    random = np.random.default_rng([seed, 22])
    kind = list(KINDS)[seed]
    body = KINDS[kind](
        random.uniform(0.3, 0.6, 3), name="body", position=(0, 0, 0.05), orientation=turn(random)
    )
    world = td.World(max_step=STEP)
    world.add(td.gravity(), td.contact(), td.Floor("floor"), body)
    lowest = _lowest(body)
    assert world.run(STEP).culprits == ("floor", "body")
    most = 0.0
    for _ in range(20):
        world.run(0.05)
        energy = body.mass * G * (body.position[2] - 0.05) + world.kinetic_energy
        most = max(most, energy)
    assert most <= body.mass * G * -lowest * (1 + 1e-6) + 1e-9
    assert _lowest(body) > -1e-3


def _lowest(body):
    """The height of the lowest point of a body."""
    pose = (np.array(body.position), rotation_matrix(np.array(body.orientation)))
    down = np.array([(0.0, 0.0, -1.0)])
    return -max(heights(part, pose, down)[0] for part in body.type.boundary(body))


# --- meshes --------------------------------------------------------------------------------------
def broken(kind):
    vertices, faces = CUBE
    if kind == "open":
        return vertices, faces[1:]
    if kind == "a face of no area":
        return vertices, np.vstack([faces, [(0, 0, 1)]])
    if kind == "flat":
        return vertices * (1, 1, 0), faces
    if kind == "torn at its edges":
        return vertices[faces].reshape(-1, 3), np.arange(faces.size).reshape(-1, 3)
    if kind == "a vertex that is no number":
        return np.vstack([vertices[:-1], [(np.nan, 0, 0)]]), faces
    return vertices, np.vstack([faces[:-1], [(0, 1, len(vertices))]])


BROKEN = (
    "open",
    "a face of no area",
    "flat",
    "torn at its edges",
    "a vertex that is no number",
    "a face too far",
)


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_mesh_is_refused_by_name(kind):
    vertices, faces = broken(kind)
    with pytest.raises(ValueError, match="'part'"):
        td.Mesh("part", vertices=vertices, faces=faces)


def test_a_mesh_inside_out_or_with_spare_vertices_stands_as_the_box_it_is():
    vertices, faces = CUBE
    for places, triangles in ((vertices, faces[:, ::-1]), (np.vstack([vertices, [(50, 0, 0)]]), faces)):
        world = td.World(max_step=STEP)
        if triangles is not faces:
            with pytest.warns(UserWarning, match="inside out"):
                body = td.Mesh("body", vertices=places, faces=triangles, position=(0, 0, 0.3))
        else:
            body = td.Mesh("body", vertices=places, faces=triangles, position=(0, 0, 0.3))
        world.add(td.gravity(), td.contact(), td.Floor("floor"), body)
        world.run(0.6)
        assert body.position == pytest.approx((0, 0, 0.2), abs=1e-6)


# --- sizes, masses and constants -----------------------------------------------------------------
@pytest.mark.parametrize("size", [1e-6, 1e-3, 1e3, 1e6])
def test_a_box_of_any_size_rests_beside_others(size):
    """With one of a metre in the same world."""
    boxes = [
        td.Box("one", position=(0.0, 2.0 + size, 0.5)),
        td.Box("other", size=(size,) * 3, position=(0.0, 0.0, size / 2)),
    ]
    world = td.World(max_step=STEP)
    world.add(td.gravity(), td.contact(), td.Floor("floor"), *boxes)
    assert world.run(0.5).status is td.Status.DONE
    assert boxes[0].position[2] == pytest.approx(0.5, abs=1e-7)
    assert boxes[1].position[2] == pytest.approx(size / 2, abs=1e-7 * max(1.0, size))


def test_a_leaf_of_no_thickness_to_speak_of_lies_down():
    leaf = td.Card("leaf", thickness=1e-9, position=(0, 0, 0.4), orientation=(np.cos(0.6), np.sin(0.6), 0, 0))
    world = td.World(max_step=STEP)
    world.add(td.gravity(), td.contact(), td.Floor("floor"), leaf)
    world.run(2.0)
    assert abs(leaf.position[2]) < 1e-5
    with pytest.raises(ValueError, match="thickness of card 'leaf' must be positive"):
        td.Card("leaf", thickness=0.0)


def heap(seed, count=5):
    """Bodies with sizes 1 : 100, masses 1 : 10⁶, μ up to 10 and e up to 1, above each other."""
    random, world, z = np.random.default_rng([seed, 23]), td.World(max_step=STEP), 0.0
    world.add(td.gravity(), td.contact(), td.Floor("floor"))
    for k in range(count):
        size, kind = 10 ** random.uniform(-1.5, 0.5), random.choice(["sphere", "capsule", "cylinder", "cone"])
        z += 1.3 * size
        where = {
            "mass": 10 ** random.uniform(-3, 3), "position": (*random.normal(0, 0.1 * size, 2), z),
            "orientation": turn(random), "velocity": tuple(random.normal(0, 0.5, 3)),
        }  # fmt: skip
        body = world.add(KINDS[kind](size * random.uniform(0.3, 1.0, 3), name=f"b{k}", **where))
        world.add(
            td.material(
                body, friction=10 ** random.uniform(-2, 1), restitution=random.choice([0.0, random.uniform()])
            )
        )
        z += 1.3 * size
    return world


@pytest.mark.parametrize(
    "seed", [*range(6), *(pytest.param(k, marks=pytest.mark.long) for k in range(6, 40))]
)
def test_extremes_together_gain_no_energy_and_what_is_open_has_names(seed):
    world = heap(seed)
    first = energy = world.energy
    for _ in range(25):
        result = world.run(0.1)
        assert world.energy - energy <= 1e-3 * first
        energy = world.energy
        assert result.status in (td.Status.DONE, td.Status.CAREFUL, td.Status.INACCURATE)
        if "Contacts" in result.remedy:
            assert result.culprits and set(result.culprits) <= {"floor", *(f"b{k}" for k in range(5))}
    assert all(np.isfinite(item.position).all() for item in world if item.type.family == "object")


def squeezed(seed):
    """A light ball on the floor under a capsule that falls on it: it flies off and spins far in a step."""
    random, world = np.random.default_rng([seed, 24]), td.World(max_step=STEP)
    r, thick = random.uniform(0.03, 0.06), random.uniform(0.05, 0.15)
    bodies = [
        td.Sphere("ball", radius=r, mass=10 ** random.uniform(-3, -1.5), position=(0, 0, r)),
        td.Capsule(
            "over", radius=thick, length=0.3, mass=10 ** random.uniform(-1, 1), orientation=turn(random),
            position=(*random.normal(0, 0.03, 2), 2 * r + thick + 0.2),
            velocity=(0, 0, -random.uniform(3, 10)),
        ),
    ]  # fmt: skip
    world.add(td.gravity(), td.contact(), td.Floor("floor"), *bodies)
    for body in bodies:
        mu, e = 10 ** random.uniform(-2, 1), random.uniform()
        world.add(td.material(body, friction=mu, restitution=e))
    return world


@pytest.mark.parametrize("seed", range(60))
def test_what_is_squeezed_out_gains_no_energy(seed):
    """Anchors on what spins by radians a step say nothing of how deep bodies overlap."""
    world = squeezed(seed)
    first = energy = world.energy
    for _ in range(60):
        world.run(STEP)
        assert world.energy - energy <= 1e-4 * first
        energy = world.energy


@pytest.mark.parametrize("mass", [1e-6, 1e6])
def test_a_body_stands_on_one_that_is_a_million_times_lighter_or_heavier(mass):
    world = td.World(max_step=STEP)
    low, high = td.Box("low", position=(0, 0, 0.5)), td.Box("high", mass=mass, position=(0.1, 0, 1.5))
    world.add(td.gravity(), td.contact(), td.Floor("floor"), low, high)
    world.run(1.0)
    assert high.position == pytest.approx((0.1, 0, 1.5), abs=1e-6)


def test_a_motion_beyond_numbers_is_told_and_the_last_good_state_is_kept():
    """A force that grows without bound on something that rests."""
    body = td.Box("body", position=(0, 0, 0.5))
    world = td.World(max_step=STEP)
    world.add(td.gravity(), td.contact(), td.Floor("floor"), body)
    world.add(td.formula_force(body.centre, "exp(400*t)", "0", "0", name="wind"))
    result = world.run(4.0)
    assert not result or result.status in (td.Status.INACCURATE, td.Status.NOT_FINITE)
    assert np.isfinite([*body.position, *body.velocity, *body.spin]).all()
