# ruff: noqa: E501 (models are easier to read in one line)
"""Shapes of models: what links look like, what they touch with, and who passes through whom."""

import numpy as np
import pytest

import tinkerdyne as td
from tinkerdyne.formats import read_model_text

pytestmark = pytest.mark.mission("S3")


def model(body, more="", **options):
    return read_model_text(f"<mujoco><worldbody>{body}</worldbody>{more}</mujoco>", **options)


FLOOR = '<geom type="plane" size="3 3 .1"/>'
FALLING = [
    ('type="sphere" size=".1"', 0.1),
    ('type="box" size=".1 .2 .3"', 0.3),
    ('type="cylinder" size=".1 .25"', 0.25),
    ('type="capsule" fromto="0 0 -.2 0 0 .2" size=".1"', 0.3),
    ('type="capsule" fromto="-.2 0 0 .2 0 0" size=".1"', 0.1),
    ('type="ellipsoid" size=".2 .2 .1"', 0.1),
]


@pytest.mark.parametrize(("geom", "height"), FALLING)
def test_what_falls_on_a_plane_comes_to_rest_on_it(geom, height):
    read = model(f'{FLOOR}<body name="b" pos="0 0 {height + 0.02}"><freejoint/><geom {geom}/></body>')
    read.world.run(0.5)
    assert read.bodies[0].position[2] == pytest.approx(height, abs=2e-3)


def test_a_body_is_drawn_as_its_geoms():
    read = model(
        '<body name="b"><freejoint/><geom type="box" size=".1 .2 .3" pos="1 0 0"/><geom type="sphere" size=".1" contype="0" conaffinity="0" mass="0"/></body>'
    )
    vertices, _ = td.surface(read.bodies[0])
    there = vertices + np.array(read.bodies[0].position)
    np.testing.assert_allclose(np.ptp(there, axis=0), [1.2, 0.4, 0.6], atol=1e-9)
    assert len(read.bodies[0].values["shapes"]) == len(read.bodies[0].values["drawing"]) == 1


def test_kinds_that_do_not_meet_pass_through_each_other():
    ball = '<body name="{n}" pos="{x} 0 .5"><freejoint/><geom type="sphere" size=".1" contype="{c}" conaffinity="{a}"/></body>'
    read = model(FLOOR + ball.format(n="solid", x=0, c=1, a=1) + ball.format(n="ghost", x=1, c=2, a=2))
    read.world.run(0.6)
    assert read.body_of("solid").position[2] == pytest.approx(0.1, abs=2e-3)
    assert read.body_of("ghost").position[2] < -0.5


def test_excluded_pairs_and_neighbours_that_overlap_pass_through_each_other():
    two = '<body name="a" pos="0 0 1"><freejoint/><geom type="sphere" size=".2"/></body><body name="b" pos="{x} 0 1"><freejoint/><geom type="sphere" size=".2"/></body>'
    read = model(two.format(x=0.1))
    assert "overlap as described" in str(read.report) and read.report
    before = read.bodies[0].position[0]
    read.world.run(0.1)
    assert read.bodies[0].position[0] == pytest.approx(before, abs=1e-9)
    read = model(two.format(x=0.5), '<contact><exclude body1="a" body2="b"/></contact>')
    assert any(item.type.name == "ignore" for item in read.world.items)


def test_without_contact_nothing_touches():
    read = model(
        f'{FLOOR}<body pos="0 0 .2"><freejoint/><geom type="sphere" size=".1"/></body>', contact=False
    )
    read.world.run(0.5)
    assert read.bodies[0].position[2] < -0.5


def obj_of(vertices, faces):
    lines = [f"v {x} {y} {z}" for x, y, z in vertices]
    return "\n".join([*lines, *(f"f {a + 1} {b + 1} {c + 1}" for a, b, c in faces)])


ROBOT = """<robot name="r"><link name="base"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>
<collision><origin xyz="0 0 0.5"/><geometry><mesh filename="{file}" scale="2 2 2"/></geometry></collision></link></robot>"""


def test_a_hollow_mesh_of_a_robot_becomes_convex_parts(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    vertices, faces = td.surface(td.Torus(radius=0.5, thickness=0.1), segments=16)
    (tmp_path / "ring.obj").write_text(obj_of(vertices, faces))
    read = read_model_text(ROBOT.format(file="ring.obj"), "r.urdf", floating=True)
    parts = read.bodies[0].values["shapes"]
    assert len(parts) == 8 and {part[1] for part in parts} == {"mesh"}
    surface, _ = td.surface(read.bodies[0])
    assert np.linalg.norm(surface[:, :2], axis=1).min() > 0.5  # the hole is there, twice as large
    assert surface[:, 2].mean() == pytest.approx(0.5, abs=1e-2)


def test_a_mesh_that_is_not_there_is_said(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    read = read_model_text(ROBOT.format(file="none.obj"), "r.urdf", floating=True)
    assert read.report and "there is no file" in str(read.report) and "line 2" in str(read.report)


def test_worlds_that_were_read_are_kept_in_files():
    read = model(
        f'{FLOOR}<body name="b" pos="0 0 .4"><freejoint/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".1"/></body>'
    )
    text = read.world.to_json()
    again = td.World.from_json(text)
    assert again.to_json() == text
    again.run(0.5)
    assert again["b"].position[2] == pytest.approx(0.1, abs=2e-3)


WRONG = [
    ('<body><freejoint/><geom size="1e-60"/></body>', "line 1: geom: radius"),
    (
        '<body><freejoint/><geom type="mesh" mesh="flat"/></body>',
        "line 1: mesh 'flat': its 4 vertices lie in a plane",
    ),
]
FLAT = '<asset><mesh name="flat" vertex="0 0 0 1 0 0 0 1 0 1 1 0"/></asset>'


@pytest.mark.parametrize(("body", "says"), WRONG)
def test_shapes_that_are_none_are_refused_by_element_and_line(body, says):
    with pytest.raises(td.FormatError, match=says):
        model(body, FLAT)
