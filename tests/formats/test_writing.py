"""Worlds out: MJCF that comes back the same, glTF and USD whose numbers are those of the world."""

import itertools
import json
import math
import re
import struct

import numpy as np
import pytest

import tinkerdyne as td
from tinkerdyne.engine import least_squares
from tinkerdyne.engine.records import Vel
from tinkerdyne.formats import read_model, write_model
from tinkerdyne.objects.rotation import rotation_matrix

pytestmark = pytest.mark.mission("S3")


def machine(seed):
    """A tree of bodies of several kinds, turned anyhow, on several kinds of joints."""
    rng = np.random.default_rng(seed)
    world = td.World()
    makers = [
        lambda name, **pose: td.Box(name, size=tuple(rng.uniform(0.1, 0.5, 3)), **pose),
        lambda name, **pose: td.Capsule(name, radius=0.1, length=0.6, mass=rng.uniform(0.5, 2), **pose),
        lambda name, **pose: td.RigidBody(
            name, mass=1.7, inertia=(0.3, 0.2, 0.25, 0.01, 0.02, -0.03), **pose
        ),
        lambda name, **pose: td.Cone(name, radius=0.2, height=0.5, **pose),
    ]
    bodies, kinds = [None], [td.pin, td.ball, td.prismatic, td.cylindrical, td.pin]
    for k, kind in enumerate(kinds):
        turn = rng.normal(size=4)
        place = tuple(rng.uniform(-2, 2, 3))
        pose = {"position": place, "orientation": tuple(turn / np.linalg.norm(turn))}
        body = world.add(makers[k % 4](f"body{k}", **pose))
        a = bodies[int(rng.integers(len(bodies)))]
        made = td.join(
            kind, a, body, at=tuple(rng.uniform(-2, 2, 3)), axis=tuple(rng.normal(size=3)), name=f"j{k}"
        )
        made = world.add(made)
        if kind is td.pin:
            x = world.add(made.turn)
            world.add(td.scalar_spring(x, stiffness=3.0, rest=0.2, damping=0.4))
            world.add(td.at_most(x, high=2.5), td.dry_friction(x, limit=1e-9))
        bodies.append(body)
    world.add(td.gravity((0.3, 0.0, -9.0)))
    return world


def accelerations(world, names):
    """Of the centre in the world, and of the spin in the body."""
    world.engine.ready()
    world.engine.evaluate()
    found = world.engine.arena.velocity_vector(Vel.ACC)
    where, _ = least_squares.columns(world.engine)
    return {name: found[where[world[name].key]] for name in names}


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_world_comes_back_from_mjcf(tmp_path, seed):
    """Masses and inertias to 1e-12, joints to 1e-9: all bodies accelerate alike."""
    world = machine(seed)
    names = [item.name for item in world.items if item.type.family == "object"]
    left = write_model(tmp_path / "machine.xml", world)
    assert left == []
    read = read_model(tmp_path / "machine.xml", contact=False)
    assert read.report
    for name in names:
        mine, its = world[name], read.body_of(name)
        assert its.mass == pytest.approx(mine.mass, rel=1e-12)
        R, S = (rotation_matrix(body.orientation) for body in (mine, its))
        np.testing.assert_allclose(
            S @ np.array(its.inertia) @ S.T, R @ np.array(mine.inertia) @ R.T, atol=1e-9
        )
        np.testing.assert_allclose(its.position, mine.position, atol=1e-9)
    here = accelerations(world, names)
    there = accelerations(read.world, names)
    scale = max(abs(found).max() for found in here.values())
    for name in names:
        np.testing.assert_allclose(there[name], here[name], atol=1e-8 * scale)


@pytest.mark.parametrize("kind", [td.connect, td.ball, td.pin, td.weld])
def test_a_loop_is_closed_by_an_equality(tmp_path, kind):
    """A row of bodies that is held at both ends: it comes back closed, with the same freedoms."""
    world = td.World()
    bodies = [world.add(td.Box(f"b{k}", size=(1, 0.2, 0.2), position=(k, 0, 0))) for k in range(4)]
    world.add(td.join(td.ball, None, bodies[0], at=(-0.5, 0, 0)), td.gravity())
    for a, b in itertools.pairwise(bodies):
        world.add(td.join(td.ball, a, b, at=(a.position[0] + 0.5, 0, 0)))
    if kind is td.connect:
        world.add(td.connect(td.point(bodies[3], at=(0.5, 0, 0)), td.Nail(3.5, 0, 0)))
    else:
        world.add(td.join(kind, None, bodies[3], at=(3.5, 0, 0), axis=(0, 0, 1)))
    world.run(0.3)
    assert write_model(tmp_path / "loop.xml", world) == []
    text = (tmp_path / "loop.xml").read_text()
    assert text.count("<body") == 4
    read = read_model(tmp_path / "loop.xml", contact=False)
    assert read.world.diagnose().freedoms == world.diagnose().freedoms
    read.world.step(1e-3)
    assert read.world.gap < 1e-8


def test_what_has_no_word_is_returned_and_told(tmp_path):
    world = td.World()
    rod = world.add(td.Rod("rod"))
    world.add(td.spring(rod.end1, td.Nail(0, 0, 1), stiffness=5.0, name="rubber"))
    with pytest.warns(UserWarning, match="rubber"):
        left = write_model(tmp_path / "rod.xml", world)
    assert any("rubber" in said for said in left)


def test_a_planar_world_is_no_mjcf(tmp_path):
    world = td.World()
    world.add(td.Disc("disc"))
    with pytest.raises(ValueError, match="lives in the plane"):
        write_model(tmp_path / "disc.xml", world)


def pendulum():
    world = td.World()
    rod = world.add(td.Rod("rod", position=(0.5, 0, 0)))
    world.add(
        td.connect(rod.end1, td.Nail(0, 0, 0)),
        td.gravity(),
        td.Box("block", position=(0, 2, 0), is_fixed=True),
    )
    return world


def parts_of(data):
    """The document and the numbers of a binary glTF."""
    assert data[:4] == b"glTF" and struct.unpack("<II", data[4:12]) == (2, len(data))
    size = struct.unpack("<I", data[12:16])[0]
    return json.loads(data[20 : 20 + size]), data[28 + size :]


def numbers_of(document, buffer, which):
    accessor = document["accessors"][which]
    view = document["bufferViews"][accessor["bufferView"]]
    width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor["type"]]
    kind = "<f4" if accessor["componentType"] == 5126 else "<u4"
    flat = np.frombuffer(buffer, kind, width * accessor["count"], view["byteOffset"])
    return flat.reshape(-1, width)


def test_gltf_moves_as_the_recording(tmp_path):
    world = pendulum()
    run = world.record(0.5, every=0.05)
    write_model(tmp_path / "pendulum.glb", world, recording=run)
    document, buffer = parts_of((tmp_path / "pendulum.glb").read_bytes())
    names = [node["name"] for node in document["nodes"]]
    (animation,) = document["animations"]
    found = {}
    for channel in animation["channels"]:
        sampler = animation["samplers"][channel["sampler"]]
        times = numbers_of(document, buffer, sampler["input"])[:, 0]
        found[names[channel["target"]["node"]], channel["target"]["path"]] = (
            times, numbers_of(document, buffer, sampler["output"])
        )  # fmt: skip
    assert {name for name, _ in found} == {"rod"}
    times, places = found["rod", "translation"]
    np.testing.assert_allclose(times, run.time, atol=1e-6)
    np.testing.assert_allclose(places, run["rod.position"], atol=1e-6)
    turns = found["rod", "rotation"][1]
    dots = abs((turns[:, [3, 0, 1, 2]] * run["rod.orientation"]).sum(axis=1))
    np.testing.assert_allclose(dots, 1.0, atol=1e-6)


def test_gltf_of_the_plane_and_as_text(tmp_path):
    world = td.World()
    world.add(
        td.Disc("disc", position=(1, 2)), td.Polygon("star", vertices=[(0, 0), (2, 0), (0.5, 0.5), (0, 2)])
    )
    write_model(tmp_path / "flat.gltf", world)
    document = json.loads((tmp_path / "flat.gltf").read_text())
    assert [node.get("name") for node in document["nodes"]] == ["disc", "star", "world"]
    assert document["nodes"][0]["translation"] == [1.0, 2.0, 0.0]
    assert document["buffers"][0]["uri"].startswith("data:application/octet-stream;base64,")


def test_usd_holds_masses_joints_and_motion(tmp_path):
    world = pendulum()
    run = world.record(0.2, every=0.05)
    assert write_model(tmp_path / "pendulum.usda", world, recording=run) == []
    text = (tmp_path / "pendulum.usda").read_text()
    assert text.startswith("#usda 1.0")
    mass = float(re.search(r"double mass = (\S+)", text)[1])
    assert mass == world["rod"].mass
    frame = [float(x) for x in re.search(r"double\[\] frame0 = \[(.*?)\]", text)[1].split(",")]
    assert frame[:3] == [-0.5, 0.0, 0.0]
    assert "PhysicsSphericalJoint" in text and text.count("PhysicsRigidBodyAPI") == 1
    moves = text[text.index('def Xform "rod"') :]
    samples = re.findall(r"^ +([\d.]+): \(([^)]*)\),$", moves, re.MULTILINE)
    assert len(samples) >= 2 * len(run.time)
    last = [float(x) for x in samples[len(run.time) - 1][1].split(",")]
    np.testing.assert_array_equal(last, run["rod.position"][-1])
    assert float(samples[1][0]) == pytest.approx(1000 * 0.05)
    assert math.isclose(float(re.search(r"gravityMagnitude = (\S+)", text)[1]), 9.81)


def test_files_are_refused_with_a_reason(tmp_path):
    with pytest.raises(ValueError, match="must end with"):
        write_model(tmp_path / "world.fbx", pendulum())
    with pytest.raises(ValueError, match="cannot hold a recording"):
        write_model(tmp_path / "world.xml", pendulum(), recording=pendulum().record(0.1))
    with pytest.raises(TypeError, match="a file and a world"):
        write_model(tmp_path / "world.glb", "pendulum")


@pytest.mark.parametrize("ending", ["glb", "gltf"])
def test_a_body_comes_back_from_gltf_as_a_mesh(tmp_path, ending):
    """Numbers of 32 bits; z is up again."""
    world = td.World()
    world.add(td.Box("box", size=(1, 2, 3), position=(0.5, 0, 1)))
    write_model(tmp_path / f"box.{ending}", world)
    mesh = td.Mesh.load(tmp_path / f"box.{ending}", density=1.0)
    assert mesh.mass == pytest.approx(6.0, rel=1e-6)
    np.testing.assert_allclose(mesh.offset, (0.5, 0.0, 1.0), atol=1e-6)
    np.testing.assert_allclose(np.ptp(td.surface(mesh)[0], axis=0), (1, 2, 3), atol=1e-6)
