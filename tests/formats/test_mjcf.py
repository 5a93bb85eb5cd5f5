# ruff: noqa: E501 (models are easier to read in one line)
"""MJCF in: small models against closed forms, what is left out, and files that are refused."""

import math

import numpy as np
import pytest

import tinkerdyne as td
from tinkerdyne.formats import read_model_text

pytestmark = pytest.mark.mission("S3")


def model(body, *, more="", **options):
    return read_model_text(f"<mujoco><worldbody>{body}</worldbody>{more}</mujoco>", **options)


ARM = """
<body name="arm" pos="0 0 2">
  <joint name="shoulder" axis="0 1 0" {more}/>
  <inertial pos="0 0 -0.5" mass="2" diaginertia="0.3 0.2 0.1"/>
</body>"""


def arm(more="", **options):
    return model(ARM.format(more=more), **options)


def swing(read, angle, rate=0.0):
    """The angular acceleration of the arm."""
    read.pose({"shoulder": angle}, {"shoulder": rate})
    before = read.coordinates["shoulder"].velocity[0]
    read.world.step(1e-6)
    return (read.coordinates["shoulder"].velocity[0] - before) / 1e-6


def test_a_pendulum_swings_as_its_moment_says():
    """θ̈ = −m g l sin θ/(I + m l²)."""
    assert swing(arm(), 0.4) == pytest.approx(-2 * 9.81 * 0.5 * math.sin(0.4) / (0.2 + 0.5), rel=1e-5)


def test_rotor_spring_and_damper_of_a_joint():
    read = arm('armature="0.3" stiffness="5" damping="0.7" springref="20"')
    torque = -2 * 9.81 * 0.5 * math.sin(0.4) - 5 * (0.4 - math.radians(20)) - 0.7 * 1.5
    assert swing(read, 0.4, 1.5) == pytest.approx(torque / (0.2 + 0.5 + 0.3), rel=1e-5)
    assert read.report and not read.report.left


def test_dry_friction_holds_a_joint():
    read = arm('frictionloss="50"')
    read.pose({"shoulder": 0.4})
    read.world.run(0.2)
    assert abs(read.coordinates["shoulder"].velocity[0]) < 1e-9


def test_limits_stop_a_joint_and_are_in_degrees():
    read = arm('range="-10 10"')
    read.pose({"shoulder": 0.1}, {"shoulder": 3.0})
    read.world.run(0.3)
    assert read.coordinates["shoulder"].value[0] <= math.radians(10) + 1e-6


GEOMS = [
    ('type="sphere" size="0.2"', 4 / 3 * math.pi * 0.008),
    ('type="box" size="0.1 0.2 0.3"', 8 * 0.006),
    ('type="ellipsoid" size="0.1 0.2 0.3"', 4 / 3 * math.pi * 0.006),
    ('type="cylinder" size="0.1 0.3"', math.pi * 0.01 * 0.6),
    ('type="capsule" fromto="0 0 0 0 0 0.6" size="0.1"', math.pi * 0.01 * (0.6 + 4 / 30)),
]


@pytest.mark.parametrize(("geom", "volume"), GEOMS)
def test_geoms_weigh_by_their_volume(geom, volume):
    read = model(f'<body name="b"><freejoint/><geom {geom} density="500"/></body>')
    assert read.bodies[0].mass == pytest.approx(500 * volume, rel=1e-12)


@pytest.mark.parametrize(("geom", "volume"), GEOMS)
def test_moments_of_geoms_are_those_of_our_bodies(geom, volume):
    """By points drawn inside: Σ (|x|² 1 − x xᵀ)/n for a kilogram."""
    from tinkerdyne.formats.mjcf_geoms import measured
    from tinkerdyne.formats.tree import Pose

    kind = geom.split('"')[1]
    size = {"sphere": [0.2], "cylinder": [0.1, 0.3], "capsule": [0.1, 0.3]}.get(kind, [0.1, 0.2, 0.3])
    from tinkerdyne.formats.mjcf_geoms import Geom

    x = np.random.default_rng(3).uniform(-0.45, 0.45, size=(400_000, 3))
    s = np.array(size)
    along = np.maximum(abs(x[:, 2]) - 0.3, 0)
    inside = {
        "sphere": lambda: (x**2).sum(1) < 0.04,
        "box": lambda: (abs(x) < s).all(1),
        "ellipsoid": lambda: ((x / s) ** 2).sum(1) < 1,
        "cylinder": lambda: (x[:, 0] ** 2 + x[:, 1] ** 2 < 0.01) & (along == 0),
        "capsule": lambda: x[:, 0] ** 2 + x[:, 1] ** 2 + along**2 < 0.01,
    }[kind]()
    x = x[inside]
    moments = np.mean((x**2).sum(1)) - np.mean(x**2, axis=0)
    found = np.diag(measured(Geom(kind, s, Pose()))[2])
    assert found == pytest.approx(moments, rel=0.03)  # 1/√n of the points


CHAIN = """
<body name="base" pos="0.1 0 1">
  <joint name="x" type="slide" axis="1 0 0"/><joint name="z" type="slide" axis="0 0 1"/>
  <joint name="tilt" axis="0 1 0" pos="0 0 0.1"/>
  <geom type="box" size="0.2 0.1 0.1"/>
  <body name="leg" pos="0 0 -0.3" euler="10 0 20">
    <joint name="a" axis="1 0 0" pos="0 0 0.2"/><joint name="b" axis="0 1 0.2" pos="0 0.1 0.2"/>
    <joint name="c" axis="0 0.1 1" pos="0 0 0.2"/>
    <geom type="capsule" size="0.05 0.2"/>
  </body>
</body>"""


def test_joints_in_a_row_have_the_coordinates_of_the_file():
    read = model(CHAIN)
    q = {"x": 0.3, "z": -0.2, "tilt": 0.7, "a": 0.4, "b": -0.6, "c": 0.9}
    rates = {"x": 1.0, "z": -2.0, "tilt": 0.5, "a": 1.5, "b": -1.0, "c": 2.0}
    read.pose(q, rates)
    assert {k: x.value[0] for k, x in read.coordinates.items()} == pytest.approx(q, abs=1e-12)
    assert {k: x.velocity[0] for k, x in read.coordinates.items()} == pytest.approx(rates, abs=1e-11)
    assert read.world.gap < 1e-12


def test_joints_in_a_row_keep_energy_and_hold():
    read = model(CHAIN)
    read.pose({"tilt": 0.3, "b": 0.5}, {"a": 1.0})
    before = read.world.energy
    read.world.run(0.5)
    assert read.world.gap < 1e-7
    assert read.world.energy == pytest.approx(before, abs=1e-4 * abs(before))


def test_links_without_joints_are_merged():
    read = model(
        '<body name="a"><joint name="j" axis="0 1 0"/><geom type="sphere" size="0.1" mass="1"/>'
        '<body name="b" pos="1 0 0"><geom type="sphere" size="0.1" mass="3"/></body></body>'
    )
    assert [body.mass for body in read.bodies] == pytest.approx([4.0])
    d = 0.4 * 0.01 * 4 + 3 * 0.25**2 + 0.75**2
    assert np.diag(read.bodies[0].inertia) == pytest.approx([0.016, 0.016 + 0.75, 0.016 + 0.75])
    assert d > 0 and read.body_of("b") is read.bodies[0]


def test_default_classes_and_includes(tmp_path):
    (tmp_path / "part.xml").write_text(
        '<mujocoinclude><default><joint damping="3"/><default class="soft"><joint damping="1" armature="0.2"/>'
        "</default></default></mujocoinclude>"
    )
    (tmp_path / "whole.xml").write_text(
        '<mujoco><include file="part.xml"/><worldbody>'
        '<body><joint name="one"/><geom size="0.1"/></body>'
        '<body childclass="soft"><joint name="two"/><geom size="0.1"/></body>'
        '<body childclass="soft"><joint name="three" class="main" damping="5"/><geom size="0.1"/></body>'
        "</worldbody></mujoco>"
    )
    joints = td.read_model(tmp_path / "whole.xml").machine.joints()
    assert {k: (j.damping, j.armature) for k, j in joints.items()} == {
        "one": (3.0, 0.0), "two": (1.0, 0.2), "three": (5.0, 0.0),
    }  # fmt: skip


ACTUATORS = [
    ('<motor joint="shoulder" gear="3"/>', 0.5, 3 * 0.5),
    ('<motor joint="shoulder" ctrlrange="-0.2 0.2"/>', 0.5, 0.2),
    ('<position joint="shoulder" kp="7" kv="2"/>', 0.5, 7 * (0.5 - 0.4) - 2 * 1.5),
    ('<velocity joint="shoulder" kv="2"/>', 0.5, 2 * (0.5 - 1.5)),
    ('<damper joint="shoulder" kv="2" ctrlrange="0 1"/>', 0.5, -2 * 1.5 * 0.5),
    ('<general joint="shoulder" gainprm="4" biastype="affine" biasprm="1 2 3" gear="2"/>', 0.5, 0),
    ('<motor joint="shoulder" gear="3" forcerange="-1 1"/>', 0.5, 3 * 0.5),
    ('<motor tendon="rope"/>', 0.5, 2.5 * 0.5),
]


@pytest.mark.parametrize(("actuator", "u", "torque"), ACTUATORS)
def test_actuators_push_as_the_file_says(actuator, u, torque):
    if "general" in actuator:  # 2 (4 u + 1 + 2 · 2 q + 3 · 2 q̇)
        torque = 2 * (4 * u + 1 + 4 * 0.4 + 6 * 1.5)
    more = f'<tendon><fixed name="rope"><joint joint="shoulder" coef="2.5"/></fixed></tendon><actuator>{actuator}</actuator>'
    read = model(ARM.format(more=""), more=f'<option gravity="0 0 0"/>{more}')
    item = next(iter(read.actuators.values()))
    numbers = list(item.constants)
    numbers[item.constant_names.index("u")] = u
    item.constants = tuple(numbers)
    assert swing(read, 0.4, 1.5) == pytest.approx(torque / 0.7, rel=1e-4, abs=1e-6)


def test_an_actuator_with_a_lag_has_an_activation():
    more = '<option gravity="0 0 0"/><actuator><general name="m" joint="shoulder" dyntype="filter" dynprm="0.2"/></actuator>'
    read = model(ARM.format(more=""), more=more)
    read.activations["m"].value = 1.0
    read.activations["m"].rate = -1.0 / 0.2
    read.world.run(0.2)
    assert read.activations["m"].value == pytest.approx(math.exp(-1), abs=2e-3)
    assert read.coordinates["shoulder"].velocity[0] == pytest.approx(0.2 * (1 - math.exp(-1)) / 0.7, rel=1e-2)


LOOP = """
<body name="a"><joint name="p" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 1" size="0.02"/></body>
<body name="b" pos="1 0 0"><joint name="q" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 1" size="0.02"/>
  <body name="c" pos="0 0 1"><joint name="r" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 -1 0 0" size="0.02"/></body>
</body>"""


def test_a_closed_loop_moves_as_a_parallelogram():
    read = model(
        LOOP, more='<equality><connect body1="a" body2="c" anchor="0 0 1"/></equality>', contact=False
    )
    read.pose(None, {"p": 1.0, "q": 1.0, "r": -1.0})
    assert read.world.run(0.5)
    angles = {k: x.value[0] for k, x in read.coordinates.items()}
    assert angles["p"] == pytest.approx(angles["q"], abs=1e-6) and angles["r"] == pytest.approx(
        -angles["q"], abs=1e-6
    )
    assert abs(angles["p"]) > 0.3


def test_joint_couplings_and_welds_hold():
    more = (
        '<equality><joint joint1="p" joint2="q" polycoef="0.1 2"/><weld body1="b" body2="c"/></equality>'
        '<contact><exclude body1="a" body2="b"/></contact>'
    )
    read = model(LOOP, more=more)
    read.world.run(0.3)
    x = {k: c.value[0] for k, c in read.coordinates.items()}
    assert x["p"] == pytest.approx(0.1 + 2 * x["q"], abs=0.05)  # it approaches from 0.1 away
    assert abs(x["r"]) < 1e-6


def test_a_tendon_through_sites_pulls_at_its_limit():
    body = (
        '<site name="hook" pos="0 0 2"/><body name="bob" pos="0 0 1"><joint name="z" type="slide" axis="0 0 1"/>'
        '<geom size="0.1" mass="2"/><site name="eye"/></body>'
    )
    more = (
        '<tendon><spatial name="rope" range="0 1.5"><site site="hook"/><site site="eye"/></spatial></tendon>'
    )
    read = model(body, more=more, contact=False)
    read.world.run(1.5)
    assert read.lengths["rope"].value[0] == pytest.approx(1.5, abs=1e-6)


def test_what_is_not_taken_over_is_listed_with_its_line():
    read = read_model_text(
        '<mujoco>\n<option magnetic="0 1 0"/>\n<worldbody><body><joint name="j" flavour="7"/>\n'
        '<geom size="0.1" rgba="1 0 0 1"/><composite/></body></worldbody>\n'
        '<actuator><muscle name="m" joint="j"/></actuator></mujoco>'
    )
    bears = {(one.element, one.line) for one in read.report.left if one.bears}
    assert bears >= {("option magnetic", 2), ("joint flavour", 3), ("composite", 4), ("muscle", 5)}
    assert not read.report
    assert "left out: joint flavour" in str(read.report)
    assert ("geom rgba", 4) in {(one.element, one.line) for one in read.report.left if not one.bears}


BAD = [
    ("<mujoco><worldbody>", "not XML"),
    ('<!DOCTYPE x [<!ENTITY a "b">]><mujoco>&a;</mujoco>', "entities"),
    ("<robotics/>", "begins with <robotics>"),
    ("<a>" * 300 + "</a>" * 300, "deep"),
    ("<mujoco><worldbody/></mujoco>", "nothing that moves"),
    ('<mujoco><worldbody><body><joint axis="0 0"/></body></worldbody></mujoco>', "line 1: joint.*axis"),
    ('<mujoco><worldbody><body><joint axis="a b c"/></body></worldbody></mujoco>', "must be numbers"),
    (
        '<mujoco><worldbody><body><joint/></body></worldbody><actuator><motor joint="k"/></actuator></mujoco>',
        "no joint 'k'",
    ),
    ('<mujoco><worldbody><body><joint class="k"/></body></worldbody></mujoco>', "no default class 'k'"),
    ('<mujoco><include file="/no/such"/></mujoco>', "no file"),
    ('<mujoco><worldbody><body><geom type="mesh" mesh="m"/></body></worldbody></mujoco>', "no mesh 'm'"),
]


@pytest.mark.parametrize(("text", "says"), BAD)
def test_broken_models_are_refused_in_words(text, says):
    with pytest.raises(td.FormatError, match=says):
        read_model_text(text)


def test_a_model_that_was_read_is_saved_and_loaded():
    read = model(CHAIN)
    again = td.World.from_json(read.world.to_json())
    for world in (read.world, again):
        world.run(0.1)
    assert again.energy == read.world.energy


def test_a_box_in_a_medium_is_slowed_as_its_faces_say():
    """m ẍ = −½ ρ a b |ẋ| ẋ:  v = v₀/(1 + ρ a b v₀ t/2m)."""
    body = '<body name="box"><joint name="x" type="slide" axis="1 0 0"/><geom type="box" size="0.05 0.1 0.2"/></body>'
    read = model(body, more='<option gravity="0 0 0" density="1000"/>')
    read.pose(None, {"x": 2.0})
    read.world.run(0.5)
    mass = 1000 * 8 * 0.05 * 0.1 * 0.2
    assert read.coordinates["x"].velocity[0] == pytest.approx(
        2 / (1 + 1000 * 0.2 * 0.4 * 2 * 0.5 / (2 * mass)), rel=1e-4
    )
