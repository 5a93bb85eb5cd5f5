"""Every result says how accurate it is, and INACCURATE where that is less than its settings promise."""

import numpy as np
import pytest

import tinkerdyne as td
from tests.truth.motions import chosen, true_error
from tests.truth.test_orders import parallelogram

INACCURATE = td.Status.INACCURATE


def spinning(rate, **settings):
    """Two rods in a row that turn at different rates about a nail."""
    world = td.World(**settings)
    a = td.PlanarRod("a", position=(0.5, 0), spin=rate, velocity=(0, rate / 2))
    b = td.PlanarRod("b", position=(1.5, 0), spin=-0.3 * rate, velocity=(0, 0.85 * rate))
    world.add(a, b)
    world.add(td.connect(a.end1, td.Nail(0, 0)), td.connect(a.end2, b.end1), td.gravity())
    return world


def weight_on_spring(stiffness, **settings):
    world = td.World(**settings)
    weight = world.add(td.Particle("weight", position=(1.1, 0)))
    world.add(td.spring(td.Nail(0, 0), weight, stiffness=stiffness, length=1.0, name="coil"))
    return world


@pytest.mark.parametrize("method", ["rattle", "energy_momentum", "runge_kutta", "stormer"])
def test_a_mechanism_that_turns_a_radian_a_step_is_inaccurate(method):
    result = spinning(1100.0, method=method).run(0.05)
    assert result and result.status is INACCURATE and result.accuracy.broken
    assert "max_step" in result.remedy and {"a", "b"} & set(result.culprits)
    calm = spinning(5.0, method=method).run(0.05)
    assert calm.status is td.Status.DONE and not calm.accuracy.broken


@pytest.mark.parametrize("method", ["rattle", "energy_momentum", "runge_kutta", "stormer"])
@pytest.mark.parametrize("turn", [0.1, 0.25, 0.6, 1.5, 3.5])
@pytest.mark.parametrize("is_held", [False, True])
def test_a_body_that_spins_evenly_turns_right_or_is_told(method, turn, is_held):
    """Its velocity does not change, so that no jolt tells: the angle of one step does."""
    world = td.World(method=method)
    body = world.add(td.Box("body", size=(1, 0.5, 0.3), mass=1.0))
    world.set_state(body, "spin", (0.0, 0.0, turn / 1e-3))
    if is_held:
        world.add(td.join(td.pin, None, body, at=(0, 0, 0), axis=(0, 0, 1)))
    world.run(1e-3)
    off = abs(np.angle(np.exp(1j * (2 * np.arctan2(body.orientation[3], body.orientation[0]) - turn)))) / turn
    said = world.run(0.05).status
    promise = 0.1 if method == "stormer" else 0.01
    if off > 1.5 * promise:
        assert said is INACCURATE
    elif off < promise / 1.5:
        assert said is td.Status.DONE


@pytest.mark.parametrize("method", ["rattle", "energy_momentum", "runge_kutta", "stormer"])
def test_a_spring_too_fast_for_the_step_is_told_by_name(method):
    result = weight_on_spring(1e6, method=method).run(0.1)
    assert result.status is INACCURATE and result.culprits == ("weight", "coil")
    assert result.accuracy.swing > 1.0 and "coil" in str(result)
    short = weight_on_spring(1e6, method=method, max_step=1e-5).run(0.01)
    assert short.status is td.Status.DONE


def test_stormer_at_a_million_metres_a_second_is_told():
    world = td.World(method="stormer")
    p = world.add(td.Particle("p", position=(1, 0), velocity=(0, 1e6)))
    world.add(td.distance(p, td.Nail(0, 0), length=1.0))
    assert world.run(0.05).status is INACCURATE


def test_an_even_turn_whose_energy_is_kept_is_told_by_its_path():
    """RATTLE turns a particle on a string by asin(hω) instead of hω, without an error of energy."""
    world = td.World(max_step=1e-3)
    p = world.add(td.Particle("p", position=(1, 0), velocity=(0, 800.0)))
    world.add(td.distance(p, td.Nail(0, 0), length=1.0))
    result = world.run(0.1)
    assert result.status is INACCURATE and result.accuracy.broken == ("path",)
    assert result.accuracy.energy < 1e-6


def test_a_free_body_may_turn_as_fast_as_it_likes():
    world = td.World()
    world.add(
        td.Box("box", size=(0.3, 0.4, 0.5), spin=(20.0, 2000.0, 10.0), velocity=(1, 0, 0)), td.gravity()
    )
    result = world.run(0.1)
    assert result.status is td.Status.DONE and result.accuracy.turn > 1.9


def test_a_fast_motor_is_no_error_where_it_leads_everything():
    world = td.World()
    arm = world.add(td.PlanarRod("arm", position=(0.5, 0), spin=500.0, velocity=(0, 250.0)))
    hinge = world.add(td.join(td.pin, None, arm, at=(0, 0)))
    world.add(td.speed(hinge.turn, at=500.0), td.gravity())
    result = world.run(0.2)
    assert result.status is td.Status.DONE
    assert arm.angle % (2 * np.pi) == pytest.approx(100.0 % (2 * np.pi), abs=1e-4)


def test_the_work_of_motors_approaches_and_drag_is_counted():
    world = td.World()
    rod = world.add(td.PlanarRod("rod", position=(0.9, 0.2)))
    hinge = world.add(td.join(td.pin, None, rod, at=(0.4, 0.2)))
    world.add(td.speed(hinge.turn, at=2.0))
    bob = world.add(td.Particle("bob", position=(2.0, 0.3), velocity=(0, 1.0)))
    world.add(td.connect(rod.end2, bob), td.gravity(), td.damping(rate=0.5))  # an approach from afar
    result = world.run(2.0)
    assert result.status is td.Status.DONE and result.accuracy.energy < 2e-3


def test_an_edit_of_the_settings_opens_new_accounts():
    world = spinning(1100.0)
    assert world.run(0.05).status is INACCURATE
    world.configure(max_step=1e-5)
    assert world.run(0.01).status is td.Status.DONE


def test_adaptive_says_how_well_it_kept_the_energy():
    result = spinning(10.0, method="adaptive", rtol=1e-10).run(0.5)
    assert result.status is td.Status.DONE and result.accuracy.energy < 1e-7


@pytest.mark.filterwarnings("ignore:energy_momentum holds no")
@pytest.mark.parametrize("seed", range(200, 230))
def test_random_motions_are_told_as_they_are(seed):
    """What is off by three times the promise is told; what is right to a third of it is not called wrong."""
    method, step = chosen(seed)
    error, result = true_error(seed, method, step, looks=10)
    promise = dict(result.accuracy.promised)["path"] if result.accuracy else 1e-2
    is_told = result.status not in (td.Status.DONE, td.Status.CAREFUL)
    if error > 3 * promise:
        assert is_told
    if error < promise / 3:
        assert not is_told


def test_adaptive_that_cannot_keep_its_rtol_says_so():
    """Through flat poses, where its constraints depend on each other, order 8 may leave the motion."""
    for rtol in (1e-4, 1e-5, 1e-6):
        world, crank, tip = parallelogram(
            2, np.pi / 2, -1.0, 1.0, method="adaptive", rtol=rtol, atol=rtol / 100
        )
        result = world.run(5.0)
        error = np.linalg.norm(np.array(crank.end2.value) - tip(5.0))
        assert error < 1e-2 or result.status is not td.Status.DONE


def truss(seed, **settings):
    """A particle on two rods, or a row of them: nothing can move, and rounding is all that does."""
    draw = np.random.default_rng(seed)
    world = td.World(**settings)
    left, right = td.Nail(0, 0), td.Nail(draw.uniform(0.5, 2), 0)
    for k in range(int(draw.integers(1, 6))):
        place = draw.uniform(-1, 1, 2) + np.array([1 + k, -1.5])
        joint = world.add(td.Particle(f"joint{k}", mass=10 ** draw.uniform(-2, 2), position=place))
        for foot in (left, right):
            world.add(td.distance(foot, joint, length=float(np.linalg.norm(place - foot_place(foot)))))
        left, right = right, joint
    world.add(td.gravity())
    return world


def foot_place(foot):
    return np.array(foot.position if foot.type.family == "object" else foot.at)


@pytest.mark.parametrize("method", ["rattle", "energy_momentum", "runge_kutta", "implicit", "adaptive"])
@pytest.mark.parametrize("seed", range(8))
def test_a_truss_that_stands_is_not_called_inaccurate(method, seed):
    """The error of nothing but rounding was called 46 %, or 1e37 %."""
    result = truss(seed, method=method).run(0.1)
    assert result.status in (td.Status.DONE, td.Status.CAREFUL)


@pytest.mark.parametrize("seed", range(3))
def test_a_fast_top_by_energy_momentum_is_right_or_told(seed):
    """Its rotation is Cayley's, which falls behind evenly: no velocity tells it, the path must."""
    rng = np.random.default_rng(seed)
    tilt, spin = rng.uniform(0.3, 1.0), rng.uniform(30.0, 90.0)
    axis = np.array([0.0, -np.sin(tilt), np.cos(tilt)])

    def place(method, **settings):
        world = td.World(method=method, **settings)
        top = td.RigidBody(
            "top",
            inertia=(0.02, 0.02, 0.01),
            position=0.1 * axis,
            orientation=(np.cos(tilt / 2), np.sin(tilt / 2), 0, 0),
            spin=(0, 0, spin),
        )
        world.add(top)
        world.add(td.connect(td.point(top, at=(0, 0, -0.1)), td.Nail(0, 0, 0)), td.gravity())
        return world.run(1.0), np.array(top.position)

    _, want = place("adaptive")
    for turn in (0.1, 1.0):
        result, found = place("energy_momentum", max_step=turn / spin)
        off = np.linalg.norm(found - want) / 0.1
        assert result.status is (td.Status.DONE if turn == 0.1 else td.Status.INACCURATE)
        assert off < 5e-3 if turn == 0.1 else result.accuracy.path > 0.05


@pytest.mark.parametrize("each", [1e-3, 0.1])
@pytest.mark.parametrize("method", ["runge_kutta", "stormer", "dense"])
def test_a_damper_too_stiff_for_the_step_is_told_before_it_gains(method, each):
    """A step at a time it was DONE while the energy rose to 1e50 times what there was."""
    world = td.World(method=method, max_step=1e-3)
    bob = world.add(td.Particle("bob", mass=2, position=(1.01, 0, 0)))
    world.add(td.spring(td.Nail(0, 0, 0), bob, stiffness=5e5, length=1.0, damping=6e4, name="coil"))
    start = world.energy
    results = [world.run(each) for _ in range(2)]
    assert results[-1].status is td.Status.TOO_STIFF and results[-1].culprits == ("bob", "coil")
    assert "decays" in results[-1].remedy and "max_step below 7e-05" in results[-1].remedy
    assert world.energy <= start


@pytest.mark.parametrize("turned", [0.3, 0.6, 0.9, 1.3])
def test_what_runge_kutta_loses_while_a_constraint_approaches_is_told(turned):
    """The work of approaches is not known at the ends of steps, and 12 % of the energy were lost and DONE."""
    ended = {}
    for method, step in (("runge_kutta", 1e-3), ("adaptive", 1e-3)):
        world = td.World(method=method, max_step=step)
        ball = world.add(td.Particle("ball", position=(0.5, 0, 0), velocity=(0, 500 * turned, 0), mass=2))
        world.add(td.distance(td.Nail(0, 0, 0), ball, length=1.0))
        ended[method] = world.run(0.03), world.energy
    result, energy = ended["runge_kutta"]
    error = abs(energy / ended["adaptive"][1] - 1)
    assert (result.status is td.Status.INACCURATE) == (error > 1e-2)
    assert error / 5 < result.accuracy.energy < 3 * error + 1e-3
