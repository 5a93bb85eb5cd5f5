"""Reactions of joints, one hand-computed case for each kind; gears, racks and screws trade effort for
motion."""

import numpy as np
import pytest

import tinkerdyne as td
from tests.modelling.mechanics import G

MASS = 2.0
WEIGHT = MASS * G
CLOSE = {"atol": 1e-7}  # a multiplier is refined to 1e-8 of its row's matrix


def body_on(kind, *, at=(0.0, 0.0, 0.0), axis=(0.0, 0.0, 1.0), a=None, b_is_fixed=False, **options):
    """A body of 2 kg with its centre at (0.5, 0, 0), joined to the world, a fixed body, or as the a of a
    fixed b."""
    world = td.World()
    body = world.add(td.RigidBody("body", mass=MASS, inertia=(0.1, 0.3, 0.35), position=(0.5, 0.0, 0.0)))
    other = None if a is None else world.add(td.RigidBody("base", position=(0.0, 0.0, -1.0), is_fixed=True))
    pair = (body, other) if b_is_fixed else (other, body)
    joint = world.add(td.join(kind, *pair, at=at, axis=axis, name="joint", **options))
    world.add(td.gravity())
    return world, body, joint


def test_a_weld_carries_the_weight_and_the_moment_of_a_cantilever():
    """F = mg, M = mgL/2, about the joint, in world axes; a base below it feels the opposite, about the same
    place."""
    for a in (None, "base"):
        _, _, joint = body_on(td.weld, a=a)
        force, torque = joint.reaction
        np.testing.assert_allclose(force, (0, 0, WEIGHT), **CLOSE)
        np.testing.assert_allclose(torque, (0, -0.5 * WEIGHT, 0), **CLOSE)
    _, _, joint = body_on(td.weld, a="base", b_is_fixed=True)
    force, torque = joint.reaction  # now on the base
    np.testing.assert_allclose(force, (0, 0, -WEIGHT), **CLOSE)
    np.testing.assert_allclose(torque, (0, 0.5 * WEIGHT, 0), **CLOSE)


def test_a_released_beam_on_a_pin():
    """F = mg I/(I + m d²) at the first moment, and no moment but across the axis."""
    world, body, joint = body_on(td.pin, axis=(0.0, 1.0, 0.0))
    share = 0.3 / (0.3 + MASS * 0.25)
    force, torque = joint.reaction
    np.testing.assert_allclose(force, (0, 0, share * WEIGHT), **CLOSE)
    np.testing.assert_allclose(torque, 0, **CLOSE)
    body.spin, body.velocity = (0.0, 2.0, 0.0), (0.0, 0.0, -1.0)  # and turning: m d ω² towards the pin
    np.testing.assert_allclose(joint.reaction[0], (-MASS * 0.5 * 4.0, 0, share * WEIGHT), **CLOSE)
    assert world.diagnose().freedoms == 1


def test_a_beam_on_a_pin_and_a_roller_shares_its_weight():
    """Statics: with the centre at half of the span each carries half."""
    world, body, joint = body_on(td.pin, axis=(0.0, 1.0, 0.0))
    roller = world.add(
        td.on_plane(
            td.point(body, at=(0.75, 0.0, 0.0)), td.Nail(0, 0, 0), td.world_direction(along=(0, 0, 1))
        )
    )
    np.testing.assert_allclose(joint.reaction[0], (0, 0, WEIGHT * (1 - 0.5 / 1.25)), **CLOSE)
    np.testing.assert_allclose(roller.force, WEIGHT * 0.5 / 1.25, **CLOSE)
    assert world.run(1.0)
    np.testing.assert_allclose(body.position, (0.5, 0, 0), atol=1e-9)


def test_a_pin_across_gravity_carries_the_moments_across_its_axis():
    """A door on a vertical hinge hangs still: F = mg up, M = m g d about y."""
    _, _, joint = body_on(td.pin)
    np.testing.assert_allclose(joint.reaction[0], (0, 0, WEIGHT), **CLOSE)
    np.testing.assert_allclose(joint.reaction[1], (0, -0.5 * WEIGHT, 0), **CLOSE)


def test_a_ball_gives_no_moment():
    """Swung around in the plane: m d ω² inwards, the released share of the weight, and no moment."""
    _, body, joint = body_on(td.ball)
    body.spin, body.velocity = (0.0, 0.0, 3.0), (0.0, 1.5, 0.0)
    force, torque = joint.reaction
    np.testing.assert_allclose(force[:2], (-MASS * 0.5 * 9.0, 0), **CLOSE)
    np.testing.assert_allclose(torque, 0, **CLOSE)


def test_a_universal_joint_hands_on_the_twist_about_both_axes_of_its_cross():
    """The cross lies along x of a and y of b: a torque about z is answered in full, one about x or y not at
    all."""
    world, body, joint = body_on(td.universal, at=(0.5, 0.0, 0.0), toward=(1.0, 0.0, 0.0))
    world.add(td.twist(body, by=(0.0, 0.0, 7.0)))
    np.testing.assert_allclose(joint.reaction[0], (0, 0, WEIGHT), **CLOSE)
    np.testing.assert_allclose(joint.reaction[1], (0, 0, -7.0), **CLOSE)
    world.add(td.twist(body, by=(2.0, 3.0, 0.0)))
    np.testing.assert_allclose(joint.reaction[1], (0, 0, -7.0), **CLOSE)


def test_a_cylindrical_joint_carries_a_shaft_by_force_and_moment_across_it():
    world, _, joint = body_on(td.cylindrical, axis=(1.0, 0.0, 0.0))
    world.add(td.pull(td.point(world["body"]), by=(5.0, 0.0, 0.0)))  # along the shaft: nothing answers
    np.testing.assert_allclose(joint.reaction[0], (0, 0, WEIGHT), **CLOSE)
    np.testing.assert_allclose(joint.reaction[1], (0, -0.5 * WEIGHT, 0), **CLOSE)


@pytest.mark.parametrize("slope", [0.3, 1.1])
@pytest.mark.parametrize("kind", [td.prismatic, td.on_axis], ids=["prismatic", "on_axis"])
def test_a_slider_on_an_incline(kind, slope):
    """a = g sin α along it, N = m g cos α across it; held by its centre, no moment."""
    along, across = (np.cos(slope), 0.0, np.sin(slope)), np.array([-np.sin(slope), 0.0, np.cos(slope)])
    world, body, joint = body_on(kind, at=(0.5, 0.0, 0.0), axis=along)
    for _ in range(2):
        force, torque = joint.reaction
        np.testing.assert_allclose(force, WEIGHT * np.cos(slope) * across, **CLOSE)
        np.testing.assert_allclose(torque, 0, **CLOSE)
        assert world.run(0.5)
    assert joint.slide.value[0] == pytest.approx(-G * np.sin(slope) / 2, abs=1e-9)
    assert joint.speeds[0] == pytest.approx(-G * np.sin(slope), abs=1e-9)
    np.testing.assert_allclose(
        np.subtract(body.position, (0.5, 0, 0)), joint.slide.value[0] * np.array(along), atol=1e-9
    )


def test_a_slider_in_the_plane():
    """In 2-D it slides along x of a: the same incline, y up."""
    world = td.World()
    body = world.add(td.PlanarBody("body", mass=MASS, inertia=0.3, position=(0.2, 0.0)))
    joint = world.add(
        td.join(td.prismatic, None, body, at=(0.0, 0.0), toward=(0.8, 0.6), name="joint"),
        td.gravity(g=(0, -G)),
    )[0]
    force, torque = joint.reaction
    np.testing.assert_allclose(force, WEIGHT * 0.8 * np.array([-0.6, 0.8]), **CLOSE)
    # It does not turn: the moment of N about the centre, 0.2 m before it, is taken back.
    np.testing.assert_allclose(torque, 0.2 * WEIGHT * 0.8 * 0.8, **CLOSE)
    world.run(0.5)
    assert joint.coordinates[0] == pytest.approx(-G * 0.6 / 8, abs=1e-9)


def test_a_pin_and_a_weld_in_the_plane():
    world = td.World()
    arm = world.add(td.PlanarBody("arm", mass=MASS, inertia=0.3, position=(0.5, 0.0)))
    world.add(td.gravity(g=(0, -G)))
    joint = world.add(td.join(td.weld, None, arm, at=(0.0, 0.0)))
    np.testing.assert_allclose(joint.reaction[0], (0, WEIGHT), **CLOSE)
    np.testing.assert_allclose(joint.reaction[1], 0.5 * WEIGHT, **CLOSE)
    world.remove(joint)
    joint = world.add(td.join(td.pin, None, arm, at=(0.0, 0.0)))
    np.testing.assert_allclose(joint.reaction[0], (0, WEIGHT * 0.3 / (0.3 + MASS * 0.25)), **CLOSE)
    np.testing.assert_allclose(joint.reaction[1], 0, **CLOSE)


def test_a_planar_joint_carries_what_lies_on_a_table():
    world, body, joint = body_on(td.planar)
    world.add(td.pull(td.point(body), by=(3.0, 0.0, 0.0)))
    np.testing.assert_allclose(joint.reaction[0], (0, 0, WEIGHT), **CLOSE)
    np.testing.assert_allclose(joint.reaction[1], (0, -0.5 * WEIGHT, 0), **CLOSE)
    world.run(1.0)
    np.testing.assert_allclose(joint.coordinates, (3.0 / MASS / 2, 0, 0), atol=1e-9)


def test_a_smooth_contact_gives_only_a_normal_force():
    """A slope of on_face: N = m g cos α at the centre, the rest slides with g sin α."""
    normal = np.array([0.6, 0.0, 0.8])
    world, body, joint = body_on(td.on_face, at=(0.5, 0.0, 0.0), axis=tuple(normal))
    np.testing.assert_allclose(joint.reaction[0], 0.8 * WEIGHT * normal, **CLOSE)
    np.testing.assert_allclose(joint.reaction[1], 0, **CLOSE)
    world.run(1.0)
    np.testing.assert_allclose(
        np.subtract(body.position, (0.5, 0, 0)), 0.5 * G * 0.6 * np.array([0.8, 0, -0.6]), atol=1e-8
    )


# --- screws, gears, racks -------------------------------------------------------------------------
PITCH = 0.2


def screwed(**options):
    return body_on(td.screw, at=(0.5, 0.0, 0.0), pitch=PITCH, **options)


def test_a_screw_holds_a_weight_by_a_torque():
    """T · 2π = F · pitch: with that torque it rests, and the thread hands it on."""
    world, body, joint = screwed()
    torque = WEIGHT * PITCH / (2 * np.pi)
    world.add(td.twist(body, by=(0.0, 0.0, torque)))
    np.testing.assert_allclose(joint.reaction[0], (0, 0, WEIGHT), **CLOSE)
    np.testing.assert_allclose(joint.reaction[1], (0, 0, -torque), **CLOSE)
    assert world.run(1.0)
    np.testing.assert_allclose(joint.coordinates, 0, atol=1e-9)


def test_a_screw_under_its_weight_turns_down():
    """z̈ = −g m/(m + I (2π/p)²), and the slide is the pitch for each turn, over many turns."""
    world, _, joint = screwed()
    pull = G * MASS / (MASS + 0.35 * (2 * np.pi / PITCH) ** 2)
    assert world.run(20.0)
    slide, turn = joint.coordinates
    assert slide == pytest.approx(-pull * 200.0, rel=1e-6)
    assert turn == pytest.approx(2 * np.pi * slide / PITCH, abs=1e-6) and turn < -4 * np.pi
    force, torque = joint.reaction
    assert force[2] == pytest.approx(MASS * (G - pull), rel=1e-6)
    assert torque[2] == pytest.approx(-force[2] * PITCH / (2 * np.pi), rel=1e-6)


def two_wheels():
    world = td.World()
    wheels = world.add(
        *[td.PlanarBody(f"wheel{k}", inertia=i, position=(float(k), 0)) for k, i in enumerate((0.5, 2.0))]
    )
    pins = [world.add(td.join(td.pin, None, w, at=w.position, name=f"pin{k}")) for k, w in enumerate(wheels)]
    return world, wheels, pins


def test_gears_keep_their_ratio_over_many_turns_and_multiply_torque():
    """second = ratio · first, θ̈₁ = T/(I₁ + ratio² I₂); the teeth carry λ = I₂ ratio θ̈₁."""
    world, (first, second), (one, two) = two_wheels()
    gear = world.add(td.gear(one.turn, two.turn, ratio=-0.4, name="gear"))
    world.add(td.twist(first, by=(3.0,)))
    turn = 3.0 / (0.5 + 0.16 * 2.0)
    assert gear.force[0] == pytest.approx(2.0 * -0.4 * turn, abs=1e-8)
    assert world.run(5.0)
    assert one.turn.value[0] == pytest.approx(turn * 12.5, rel=1e-9) and one.turn.value[0] > 14 * np.pi
    assert two.turn.value[0] == pytest.approx(-0.4 * one.turn.value[0], abs=1e-8)
    assert second.spin == pytest.approx(-0.4 * first.spin, abs=1e-8)
    # the states count too
    assert (first.angle, second.angle) == pytest.approx((one.turn.value[0], two.turn.value[0]), abs=1e-7)


def test_gears_put_into_mesh_while_turning_keep_their_phase():
    world, (first, second), (one, two) = two_wheels()
    first.angle, second.angle = 0.3, -1.0
    world.add(td.gear(one.turn, two.turn, ratio=-2.0, phase=-1.0 + 0.6, name="gear"))
    world.add(td.speed(one.turn, at=(-9.0,)))
    world.run(5.0)
    assert two.turn.value[0] == pytest.approx(-2.0 * one.turn.value[0] - 0.4, abs=1e-8)


def test_a_rack_moves_by_the_arc_of_its_pinion():
    """s = r θ over many turns; (m + I/r²) s̈ = F."""
    world = td.World()
    bar, wheel = world.add(
        td.PlanarBody("bar", mass=2.0), td.PlanarBody("wheel", inertia=0.5, position=(0.0, 1.0))
    )
    rail = world.add(td.join(td.prismatic, None, bar, at=(0.0, 0.0), name="rail"))
    axle = world.add(td.join(td.pin, None, wheel, at=(0.0, 1.0), name="axle"))
    rack = world.add(td.rack(rail.slide, axle.turn, radius=-0.25, name="rack"))
    world.add(td.pull(td.point(bar), by=(4.0, 0.0)))
    pull = 4.0 / (2.0 + 0.5 / 0.25**2)
    assert world.run(10.0)
    assert rail.slide.value[0] == pytest.approx(50 * pull, rel=1e-9)
    assert (
        axle.turn.value[0] == pytest.approx(-4 * rail.slide.value[0], abs=1e-7)
        and axle.turn.value[0] < -6 * np.pi
    )
    assert rack.force[0] == pytest.approx(-(4.0 - 2.0 * pull), abs=1e-7)
