"""URDF in: small robots against closed forms, and what is left out."""

import math

import numpy as np
import pytest

import tinkerdyne as td
from tinkerdyne.formats import read_model_text

pytestmark = pytest.mark.mission("S3")

LINK = """<link name="{name}"><inertial><origin xyz="{com}" rpy="{rpy}"/><mass value="{mass}"/>
<inertia ixx="0.2" iyy="0.3" izz="0.4" ixy="0.01" ixz="-0.02" iyz="0.03"/></inertial></link>"""


def link(name, mass=1.0, com="0 0 0", rpy="0 0 0"):
    return LINK.format(name=name, mass=mass, com=com, rpy=rpy)


def joint(name, kind, parent, child, more="", axis="0 1 0", xyz="0 0 0"):
    return (
        f'<joint name="{name}" type="{kind}"><origin xyz="{xyz}"/><parent link="{parent}"/>'
        f'<child link="{child}"/><axis xyz="{axis}"/>{more}</joint>'
    )


def robot(*parts, **options):
    return read_model_text(f'<robot name="r">{"".join(parts)}</robot>', **options)


def test_a_link_swings_as_its_tensor_says():
    read = robot('<link name="base"/>', link("a", 2.0, "0 0 -0.5"), joint("j", "continuous", "base", "a"))
    read.pose({"j": 0.4})
    read.world.step(1e-6)
    wanted = -2 * 9.81 * 0.5 * math.sin(0.4) / (0.3 + 0.5)
    assert read.coordinates["j"].velocity[0] / 1e-6 == pytest.approx(wanted, rel=1e-5)


def test_tensors_turn_with_their_origin():
    read = robot(link("a", rpy="0 0 1.5707963267948966"), floating=True)
    I = np.array(read.bodies[0].inertia)
    assert (
        pytest.approx(np.array([[0.3, -0.01, -0.03], [-0.01, 0.2, -0.02], [-0.03, -0.02, 0.4]]), abs=1e-12)
        == I
    )


def test_a_robot_stands_or_floats():
    parts = link("base", 5.0), link("a"), joint("j", "revolute", "base", "a")
    standing, floating = robot(*parts), robot(*parts, floating=True)
    assert [len(read.bodies) for read in (standing, floating)] == [1, 2]
    floating.world.run(0.1)
    assert floating.bodies[0].velocity[2] == pytest.approx(-0.981, rel=1e-3)


def test_a_mimic_joint_follows():
    parts = ['<link name="base"/>', link("a"), link("b"), joint("j", "continuous", "base", "a")]
    parts.append(joint("k", "continuous", "base", "b", '<mimic joint="j" multiplier="-2" offset="0"/>'))
    read = robot(*parts)
    read.pose(None, {"j": 1.0, "k": -2.0})
    read.world.run(0.3)
    assert read.coordinates["k"].value[0] == pytest.approx(-2 * read.coordinates["j"].value[0], abs=1e-7)


def test_planar_and_sliding_joints_move_along_their_axes():
    parts = ['<link name="base"/>', link("a"), link("b"), joint("p", "planar", "base", "a", axis="0 0 1")]
    read = robot(*parts, joint("s", "prismatic", "a", "b", axis="0 0 1", xyz="0 0 1"))
    read.pose({"p_x": 0.3, "p_y": -0.2, "p_turn": 0.5, "s": 0.25})
    assert np.array(read.bodies[0].position) == pytest.approx([0.3, -0.2, 0.0], abs=1e-12)
    assert np.array(read.bodies[1].position) == pytest.approx([0.3, -0.2, 1.25], abs=1e-12)


def test_motors_push_within_their_effort():
    limit = '<limit effort="3" lower="-2" upper="2" velocity="1"/><dynamics damping="0.5"/>'
    read = robot('<link name="base"/>', link("a"), joint("j", "revolute", "base", "a", limit, axis="0 0 1"))
    motor = read.actuators["j motor"]
    numbers = list(motor.constants)
    numbers[motor.constant_names.index("u")] = 5.0
    motor.constants = tuple(numbers)
    read.world.step(1e-6)
    assert read.coordinates["j"].velocity[0] / 1e-6 == pytest.approx(3 / 0.4, rel=1e-4)
    assert read.report and any("velocity" in one.element for one in read.report.left)


def test_massless_links_in_a_row_become_one_joint():
    """Three hinges with massless links between them: a ball joint by angles."""
    parts = ['<link name="base"/><link name="m"/><link name="n"/>', link("a", 1.0, "0 0 -0.5")]
    axes = {"j": ("base", "m", "1 0 0"), "k": ("m", "n", "0 1 0"), "l": ("n", "a", "0 0 1")}
    joints = [joint(name, "continuous", *ends, axis=axis) for name, (*ends, axis) in axes.items()]
    read = robot(*parts, *joints)
    q = {"j": 0.3, "k": -0.5, "l": 0.8}
    read.pose(q, {"j": 1.0, "k": 0.5, "l": -2.0})
    assert len(read.bodies) == 1
    assert {k: x.value[0] for k, x in read.coordinates.items()} == pytest.approx(q, abs=1e-12)
    before = read.world.energy
    read.world.run(0.3)
    assert read.world.energy == pytest.approx(before, abs=1e-4)


def test_idle_massless_links_are_held_and_said():
    parts = '<link name="base"/>', link("a"), '<link name="tip"/>', joint("j", "continuous", "base", "a")
    read = robot(*parts, joint("k", "continuous", "a", "tip"))
    assert list(read.coordinates) == ["j"] and not read.report


BAD = [
    (link("a") + link("a"), "two links called 'a'"),
    (link("a") + joint("j", "fixed", "a", "b"), "no link of this file"),
    (link("a") + link("b") + joint("j", "hinge", "a", "b"), "not 'hinge'"),
    (link("a") + link("b") + joint("j", "fixed", "a", "b") + joint("k", "fixed", "b", "a"), "circle"),
    (link("a") + link("b") + joint("j", "revolute", "a", "b", axis="0 0 0"), "must not be zero"),
    ('<link name="base"/><link name="m"/>' + link("a") + link("b") + joint("j", "continuous", "base", "m")
     + joint("k", "continuous", "m", "a") + joint("l", "continuous", "m", "b"), "has no mass"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "says"), BAD)
def test_broken_robots_are_refused_in_words(text, says):
    with pytest.raises(td.FormatError, match=says):
        robot(text)
