"""B10: the fast heavy top (Géradin and Cardona), with the ball joint as a constraint and with the fixed point
built in."""

import numpy as np
import pytest

import tinkerdyne as td
from tests.references.measure import ORDERS, TIGHT, advance, orders, shows_order

G = 9.81
MASS = 15.0
INERTIA = (0.234375, 0.46875, 0.234375)
ARM = np.array([0.0, 1.0, 0.0])
SPIN = np.array([0.0, 150.0, -4.61538])
ENERGY = 5435.696790865546973
# t: quaternion, centre of mass, Ω, pivot reaction on the top
TABLE = {
    0.1: (
        (0.331822912608301, 0.177338056666937, 0.914975159138728, -0.145826014430889),
        (0.421296658925402, 0.894571974345593, -0.149164700561900),
        (4.808941331728, 150.0, 1.028300756718),
        (-361.056004787, -295.393173011, -212.267171855),
    ),
    0.2: (
        (-0.708279152974313, 0.438781088126582, 0.545728396145418, 0.089399752824005),
        (0.605550561377120, 0.598957681794919, -0.523983027430003),
        (-2.691590912143, 150.0, 4.917260989894),
        (-640.236407992, -148.627711347, 136.929313038),
    ),
    0.5: (
        (0.584560624069415, -0.700662895412206, 0.384325753022894, 0.140193078800435),
        (-0.702468297056585, -0.021165184701923, -0.711400257651734),
        (-0.471053101745, 150.0, 5.901083048326),
        (523.281243514, 404.206178320, 357.336176453),
    ),
    1.0: (
        (0.732943980679664, -0.278285719337613, 0.531824611334163, -0.320176142736249),
        (0.173343964098386, 0.640088592070569, -0.748490791133581),
        (-0.822078101683, 150.0, -5.923291348117),
        (-517.600739477, -396.843101490, 404.574925163),
    ),
    2.0: (
        (0.122947135041534, -0.491079892550027, 0.350430030343621, -0.787986887550486),
        (-0.150416822745642, -0.724165591636896, -0.673022269560444),
        (0.122233219497, 150.0, -5.855624589205),
        (-260.735211311, 613.612698983, 309.716631391),
    ),
}


def jointed(joint="connect", **settings):
    """The centre of mass is the origin of the body; its point (0, −1, 0) is held at the world's origin."""
    world = td.World(**settings)
    velocity = np.cross(SPIN, ARM)
    state = {"position": tuple(ARM), "velocity": tuple(velocity), "spin": tuple(SPIN)}
    top = world.add(td.RigidBody("top", mass=MASS, inertia=INERTIA, **state))
    foot = td.point(top, at=tuple(-ARM))
    held = (
        td.connect(foot, td.Nail(0, 0, 0), name="pivot")
        if joint == "connect"
        else td.nail(foot, name="pivot")
    )
    world.add(held)
    world.add(td.gravity())
    return world, top, held


def fixed_point(**settings):
    """Inertia about the fixed point, no constraint: gravity as a potential of the centre's height, over an
    unmoved origin.

    A rigid body whose translation nothing excites: gravity acts through the couple of a force at the centre
    and its opposite at the pivot.
    """
    world = td.World(**settings)
    about = tuple(np.array(INERTIA) + MASS * np.array([1.0, 0.0, 1.0]))
    top = world.add(td.RigidBody("top", mass=MASS, inertia=about, spin=tuple(SPIN)))
    centre = world.add(td.point(top, at=tuple(ARM), name="centre"))
    weight = (0.0, 0.0, -MASS * G)
    world.add(
        td.pull(centre, by=weight), td.pull(td.point(top, at=(0.0, 0.0, 0.0)), by=tuple(-np.array(weight)))
    )
    return world, top, centre


def turned(found, wanted):
    """Distance of two rotations' quaternions, whose sign means nothing."""
    found, wanted = np.array(found), np.array(wanted)
    return min(np.abs(found - wanted).max(), np.abs(found + wanted).max())


def test_default_settings_stay_finite_closed_and_conservative():
    """L1 over 2 s: 48 turns, one step turns the top by 0.15 rad."""
    world, top, _ = jointed()
    start = world.energy
    # The published energy counts ½ Ω I Ω + m g z with z = 0 at the start.
    assert start == pytest.approx(ENERGY, rel=1e-12)
    for _ in range(20):
        advance(world, 0.1)
        assert world.gap < 1e-4 and abs(world.energy - start) < 0.01 * start
        assert np.linalg.norm(top.orientation) == pytest.approx(1.0, abs=1e-12)  # a pure rotation
        # an exact invariant: nothing turns the top about its own axis
        assert top.spin[1] == pytest.approx(150.0, abs=1e-6)


@pytest.mark.parametrize("joint", ["connect", "nail"])
def test_the_jointed_top_follows_the_reference(joint):
    """L2."""
    world, top, pivot = jointed(joint, **TIGHT)
    for t, (q, x, omega, reaction) in TABLE.items():
        advance(world, t - world.time)
        # Measured at t = 2: 2e-12, 8e-13, 3e-11 and (with the table's nine decimals) 1e-9.
        assert turned(top.orientation, q) < 1e-9, t
        np.testing.assert_allclose(top.position, x, atol=1e-9)
        np.testing.assert_allclose(top.spin, omega, atol=1e-8)
        np.testing.assert_allclose(world.reactions(pivot)["top"][:3], reaction, atol=1e-6)
        assert world.energy == pytest.approx(ENERGY, rel=1e-9)


def test_the_fixed_point_formulation_agrees():
    world, top, centre = fixed_point(**TIGHT)
    for t, (q, x, omega, _) in TABLE.items():
        advance(world, t - world.time)
        assert turned(top.orientation, q) < 1e-9, t
        np.testing.assert_allclose(centre.value, x, atol=1e-9)
        np.testing.assert_allclose(top.spin, omega, atol=1e-8)
        np.testing.assert_allclose(top.position, 0.0, atol=1e-9)


def test_vertical_angular_momentum_is_kept_by_the_default():
    """L_z = −70.3124296875: gravity and the pivot have no moment about the vertical.

    RATTLE keeps it up to the joint's tolerance: a gap of 1e-8 m under 700 N for 0.5 s is 4e-6.
    """
    world, top, _ = jointed()
    for _ in range(5):
        advance(world, 0.1)
        assert vertical_momentum(top) == pytest.approx(-70.3124296875, abs=4e-6)


def vertical_momentum(top):
    w, x, y, z = top.orientation
    third = np.array([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)])
    spin = third @ (np.array(INERTIA) * top.spin)
    return spin + MASS * np.cross(top.position, top.velocity)[2]


@pytest.mark.parametrize("method", ORDERS)
def test_halving_the_step_shows_the_advertised_order(method):
    """L3 at t = 0.1: the centre's place. The steps resolve the spin (150 rad/s)."""

    def error(dt):
        world, top, _ = jointed(method=method, max_step=dt, tolerance=1e-13)
        advance(world, 0.1)
        return float(np.linalg.norm(np.array(top.position) - TABLE[0.1][1]))

    found = orders(error, 1 / 1000)
    assert shows_order(found, ORDERS[method]), found
