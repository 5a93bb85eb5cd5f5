"""Where a result says DONE it is right; where it cannot be, it says so and names the culprit."""

import numpy as np
import pytest

import tinkerdyne as td
from tests.truth import light


def nails(**settings):
    world = td.World(**settings)
    rod = world.add(td.Rod("rod", position=(0, 0, 0)))
    one = world.add(td.connect(rod.end1, td.Nail(-0.5, 0, 0), name="one"))
    other = world.add(td.connect(rod.end2, td.Nail(1.5, 0, 0), name="other"))
    return world, one, other


def test_dense_says_that_contradictory_nails_are_not_met():
    world, one, other = nails(method="dense", max_step=1e-2)
    result = world.run(2.0)
    assert (
        result.status is td.Status.UNMET
        and set(result.culprits) <= {one.name, other.name}
        and result.culprits
    )


def test_dense_says_that_an_orientation_from_exactly_opposite_does_not_move():
    world = td.World(method="dense", max_step=1e-2)
    rod = world.add(td.Rod("rod"))
    along = td.direction(rod, along=(1, 0, 0))
    world.add(td.orient(along, td.world_direction(along=(-1, 0, 0)), name="turn"))
    result = world.run(0.5)
    assert result.status is td.Status.UNMET and result.culprits == ("turn",)


def test_dense_is_done_where_its_constraints_approach():
    world = td.World(method="dense", max_step=1e-2)
    rod = world.add(td.Rod("rod", position=(0.8, 0, 0)))
    world.add(td.connect(rod.end1, td.Nail(0, 0, 0)))
    assert world.run(0.1).status is td.Status.DONE  # on its way
    assert world.run(5.0).status is td.Status.DONE
    assert np.linalg.norm(rod.end1.value) < 1e-3


@pytest.mark.parametrize("speed", [3.0, 30.0, 3000.0])
def test_adaptive_passes_no_stop(speed):
    world = td.World(method="adaptive")
    ball = world.add(td.Particle("ball", position=(-1.0, 0.0), velocity=(speed, 0.0)))
    room = td.distance_between(ball, td.Nail(0, 0))
    world.add(td.at_least(room, low=0.3, restitution=1.0))
    assert world.run(2.0 / speed)
    assert ball.velocity[0] == pytest.approx(-speed, rel=1e-9)


def test_adaptive_finds_two_particles_that_meet():
    world = td.World(method="adaptive")
    a = world.add(td.Particle("a", position=(0.0, 0.0), velocity=(2.0, 0.0), mass=1.0))
    b = world.add(td.Particle("b", position=(0.6, 0.0), velocity=(-1.0, 0.0), mass=2.0))
    world.add(td.at_least(td.distance_between(a, b), low=0.1, restitution=0.7))
    assert world.run(0.4)
    common, closing = (2.0 - 2.0) / 3.0, 3.0
    assert a.velocity[0] == pytest.approx(common - 0.7 * closing * 2 / 3, abs=1e-9)
    assert b.velocity[0] == pytest.approx(common + 0.7 * closing / 3, abs=1e-9)


def test_adaptive_meets_exactly_the_balls_that_lie_on_its_way():
    """Straight flights past a fixed ball, at any speed: whether one is hit is known from its distance."""
    rng = np.random.default_rng(7)
    for _ in range(100):
        seed = int(rng.integers(1 << 31))
        draw = np.random.default_rng(seed)
        radius, speed = draw.uniform(0.05, 0.5), 10.0 ** draw.uniform(-1, 4)
        angle, off = draw.uniform(0, 2 * np.pi), draw.uniform(-1.5, 1.5) * radius
        ahead = np.array([np.cos(angle), np.sin(angle)])
        across = np.array([-ahead[1], ahead[0]])
        world = td.World(method="adaptive")
        ball = world.add(td.Particle("ball", position=-2 * ahead + off * across, velocity=speed * ahead))
        world.add(td.at_least(td.distance_between(ball, td.Nail(0, 0)), low=radius, restitution=1.0))
        assert world.run(4 / speed)
        turned = np.linalg.norm(np.array(ball.velocity) - speed * ahead) > 1e-9 * speed
        if abs(abs(off) - radius) > 1e-2 * radius:  # a graze is too gentle to bounce
            assert turned == (abs(off) < radius), f"seed {seed}"
        assert np.linalg.norm(ball.velocity) == pytest.approx(speed, rel=1e-2), f"seed {seed}"


def test_a_recording_of_adaptive_says_what_a_run_says():
    """Its dense output ran past the verdict: contradictory nails were DONE in recordings."""
    said = {}
    for how in ("run", "record"):
        world, _, _ = nails(method="adaptive")
        result = world.run(0.3) if how == "run" else world.record(0.3, every=0.1).result
        said[how] = (result.status, result.culprits)
    assert said["record"] == said["run"] and said["run"][0] is td.Status.UNMET


def test_a_recording_that_adaptive_gives_up_names_the_culprit():
    world = td.World(method="adaptive")
    bob = world.add(td.Particle("bob", position=(1, 0, 0)))
    world.add(td.formula_energy("sqrt(x)", x=td.component(bob, of=0), name="well"), td.gravity())
    bob.velocity = (-3.0, 0.0, 0.0)
    recording = world.record(2.0, every=0.1)
    assert not recording.is_complete and recording.result.time is not None and recording.result.culprits


@pytest.mark.parametrize("method", ["rattle", "adaptive", "lsoda", "dense"])
def test_every_result_carries_its_accuracy(method):
    world, _, _ = nails(method=method, max_step=1e-2)
    result = world.run(0.5)
    assert result.status is td.Status.UNMET and result.accuracy is not None


def test_a_run_that_is_too_stiff_carries_its_accuracy():
    world = td.World()
    bob = world.add(td.Particle("bob", mass=1e-3, position=(1, 0, 0)))
    world.add(td.spring(td.Nail(0, 0, 0), bob, stiffness=1e9))
    result = world.run(0.1)
    assert result.status is td.Status.TOO_STIFF and result.accuracy is not None


@pytest.mark.parametrize("seed", [13, 19, 39])  # their energies and paths tell nothing
def test_light_rods_that_shake_under_tension_are_told(seed):
    """The bob goes its way, but the forces in the joints were wrong by two to four times, and DONE."""
    error, result = light.force_error(seed, max_step=1e-2)
    assert error > 1.0 and result.status is td.Status.INACCURATE and result.accuracy.broken == ("shake",)
    assert (
        set(result.culprits) <= {"rod0", "rod1", "rod2"} and result.culprits and "max_step" in result.remedy
    )


@pytest.mark.parametrize("seed", [20043, 20080, 20090])
def test_rods_that_shake_in_beats_or_snap_between_two_looks_are_told(seed):
    error, result = light.force_error(seed, max_step=1e-2)
    assert error > 0.3 and result.status is td.Status.INACCURATE and "shake" in result.accuracy.broken


@pytest.mark.parametrize("seed", [6004, 6034, 6044, 6089])
def test_light_rods_that_runge_kutta_cannot_follow_are_told(seed):
    """They snap and shake in one or two steps of sixteen, and were DONE or CAREFUL."""
    error, result = light.force_error(seed, method="runge_kutta", max_step=1e-2)
    assert error > 0.3 and result.status is td.Status.INACCURATE and "shake" in result.accuracy.broken


def test_forces_that_do_not_shake_are_not_called_wrong():
    """The same chains at a step that suits them, and a taut edge, whose shiver is no fault of the step."""
    for seed in (0, 1, 5):
        error, result = light.force_error(seed, max_step=2e-4)
        assert error < 0.02 and result.status in (td.Status.DONE, td.Status.CAREFUL), seed
    world = td.World(max_step=1 / 240)
    row = [world.add(td.Particle(f"p{k}", position=(0.3 * k, 0, 0))) for k in range(1, 5)]
    for a, b in zip([td.Nail(0, 0, 0), *row], [*row, td.Nail(1.5, 0, 0)], strict=True):
        world.add(td.distance(a, b, length=0.3))
    bob = world.add(td.Particle("bob", position=(0.8, 0, -0.4)))
    world.add(td.distance(row[1], bob, length=float(np.hypot(0.2, 0.4))), td.gravity())
    assert world.run(1.0).status is td.Status.CAREFUL


@pytest.mark.parametrize("method", ["rattle", "runge_kutta", "implicit"])
def test_a_blade_that_turns_too_far_in_a_step_to_see_a_stop_is_told(method):
    world = td.World(method=method, max_step=1e-2)
    blade = world.add(td.Box("blade", size=(1, 0.1, 0.05), spin=(0, 0, 400.0)))
    tip = td.point(blade, at=(0.5, 0, 0))
    world.add(td.at_least(td.distance_between(tip, td.Nail(0, 3, 0)), low=0.1))
    result = world.run(0.5)
    assert result.status is td.Status.INACCURATE and "turn" in result.accuracy.broken
    slower = td.World(method="runge_kutta", max_step=1e-2)
    blade = slower.add(td.Box("blade", size=(1, 0.1, 0.05), spin=(0, 0, 100.0)))
    tip = td.point(blade, at=(0.5, 0, 0))
    slower.add(td.at_least(td.distance_between(tip, td.Nail(0, 3, 0)), low=0.1))
    assert slower.run(0.5).status is td.Status.DONE


@pytest.mark.parametrize("method", ["implicit", "rattle", "adaptive", "energy_momentum", "dense"])
def test_what_hangs_on_springs_at_rest_is_done(method):
    """It moves by the rounding of forces that cancel; shares of that were called errors of 1e15 %."""
    for seed in range(12):
        draw = np.random.default_rng(seed)
        world = td.World(method=method, max_step=1e-3 if seed % 2 else 1 / 240)
        masses, lengths = 10 ** draw.uniform(-1, 1, 5), 10 ** draw.uniform(-1, 1, 5)
        last, height = td.Nail(0, 0, 0), 0.0
        for k in range(5):
            height -= lengths[k]
            ball = world.add(td.Particle(f"p{k}", mass=masses[k], position=(0, 0, height)))
            load, sag = 9.81 * masses[k:].sum(), 0.2 * lengths[k]
            world.add(td.spring(last, ball, stiffness=load / sag, length=lengths[k] - sag))
            last = ball
        world.add(td.gravity())
        assert world.run(0.5).status is td.Status.DONE, f"seed {seed}"


def swung_string(seed, **settings):
    """Beads of next to no mass on a string carry 1 kg that swings; the last link and the weight."""
    draw = np.random.default_rng(seed)
    n, mass, angle = int(draw.integers(3, 12)), 10 ** draw.uniform(-9, -6), draw.uniform(0.1, 1.5)
    world, last = td.World(**settings), td.Nail(0, 0)
    for k in range(n):
        place = (k + 1) / n * np.array([np.sin(angle), -np.cos(angle)])
        bead = world.add(td.Particle(f"bead{k}", mass=1.0 if k == n - 1 else mass, position=place))
        link = world.add(td.distance(last, bead, length=1 / n))
        last = bead
    world.add(td.gravity())
    return world, link, last


def test_strings_that_runge_kutta_cannot_follow_are_told():
    """Its steps blow up and RATTLE's are taken in their place, which shake as RATTLE's do."""
    wrong = missed = 0
    for seed in range(8):
        world, link, bob = swung_string(seed, method="runge_kutta", max_step=1e-3)
        result = world.run(0.5)
        tension = 9.81 * -bob.position[1] + float(np.sum(np.square(bob.velocity)))
        if abs(abs(link.force[0]) / tension - 1) > 0.3:
            wrong += 1
            missed += result.status in (td.Status.DONE, td.Status.CAREFUL)
    assert wrong >= 3 and missed <= 1


@pytest.mark.parametrize("method", ["rattle", "energy_momentum", "runge_kutta"])
def test_steps_of_two_lengths_are_no_jolts(method):
    """What turns evenly is as right in uneven steps as in the longest of them."""
    world, rate = td.World(method=method, max_step=1e-2), 15.0
    rod = world.add(td.PlanarRod("rod", position=(0.5, 0), spin=rate, velocity=(0, rate / 2)))
    world.add(td.connect(rod.end1, td.Nail(0, 0)))
    for k in range(60):  # one step, or two of half the length and a little more
        result = world.step(1e-2 if k % 2 else 1.01e-2)
    assert result.status is td.Status.DONE and result.accuracy.swing < 1.1 * rate * 1e-2
    assert result.accuracy.path < 1.1 * (rate * 1e-2) ** 2 / 8


@pytest.mark.parametrize("seed", [0, 2, 3])
def test_what_a_blow_sets_turning_does_not_shake(seed):
    """The steps of a chosen error are long and short; forces are compared in steps of one length."""
    draw = np.random.default_rng(seed)
    world, mass = td.World(method="adaptive"), 10 ** draw.uniform(-1, 1)
    rod = world.add(td.PlanarRod("rod", width=0.05, mass=mass, position=(0.5, 0)))
    world.add(td.join(td.pin, None, rod, at=(0, 0)))
    mass, place = 10 ** draw.uniform(-2, 1), (draw.uniform(0.3, 0.9), 0.625)
    ball = world.add(td.Disc("ball", radius=0.1, mass=mass, position=place, velocity=(0, -3)))
    world.add(td.contact())
    for part in (rod, ball):
        world.add(td.material(part, friction=0.0, restitution=float(draw.uniform(0.2, 1))))
    result = world.run(0.5 / 3 + 0.05)
    assert result.status in (td.Status.DONE, td.Status.CAREFUL), str(result)
    assert rod.spin < -0.1
