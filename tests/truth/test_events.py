"""Stops are hit and paths jump at their own times within a step, whatever the method and the step."""

import itertools

import numpy as np
import pytest

import tinkerdyne as td
from tests.truth.collisions import collision, cradle, linkage, pool
from tinkerdyne.world import stepping

G = 9.81
METHODS = ["rattle", "runge_kutta", "adaptive"]


def dropped(method, *, restitution, height=1.0, **settings):
    world = td.World(method=method, **settings)
    ball = world.add(td.Particle("ball", position=(0.0, height)))
    floor = td.at_least(td.component(ball, of=1), restitution=restitution, name="floor")
    world.add(floor, td.gravity(g=(0, -G)))
    return world, ball, floor


# --- one stop -------------------------------------------------------------------------------------
@pytest.mark.parametrize("method", [*METHODS, "energy_momentum"])
@pytest.mark.filterwarnings("ignore:energy_momentum knows no stops")
def test_random_collisions_are_met_at_any_speed_and_step(method):
    for seed in range(12 if method == "adaptive" else 40):  # which takes hundreds of steps of its own
        assert collision(seed, method).error() < 1e-7, f"seed {seed}"


def test_stormer_passes_no_stop_but_nothing_bounces():
    assert [seed for seed in range(60) if collision(seed, "stormer").is_missed()] == []


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("step", [1e-3, 1 / 60, 0.1])
def test_nine_bounces_come_to_their_height(method, step):
    """The apex after n bounces is e²ⁿ, at √(2/g) (1 + 2e + … + 2eⁿ⁻¹ + eⁿ)."""
    e, first = 0.8, np.sqrt(2 / G)
    world, ball, _ = dropped(method, restitution=e, max_step=step)
    world.run(first * (1 + 2 * sum(e**k for k in range(1, 9)) + e**9))
    assert ball.position[1] == pytest.approx(e**18, rel=1e-8)


@pytest.mark.parametrize("method", METHODS)
def test_an_elastic_ball_keeps_its_energy(method):
    world, _, _ = dropped(method, restitution=1.0)
    before = world.energy
    world.run(5.0)
    assert world.energy == pytest.approx(before, rel=1e-9)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("restitution", [0.3, 0.8, 0.98])
def test_ever_shorter_bounces_end_in_rest(method, restitution):
    """T = √(2h/g) (1 + e)/(1 − e); then it rests on the floor for the price of plain steps."""
    world, ball, floor = dropped(method, restitution=restitution, height=0.05, max_step=1e-2)
    end = np.sqrt(0.1 / G) * (1 + restitution) / (1 - restitution)
    assert world.run(end + 0.01)
    before = world.counts["factorings"]
    assert world.run(1.0)
    assert world.counts["factorings"] - before < 3000  # thirteen a step are those of `adaptive`
    assert abs(ball.position[1]) < 1e-8 and abs(ball.velocity[1]) < 1e-12
    assert floor.force[0] == pytest.approx(G, abs=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_many_bounces_in_one_step_are_all_seen(method):
    """Pressed with 10⁵ N/kg an elastic ball bounces eleven times in a millisecond."""
    world, ball, _ = dropped(method, restitution=1.0, height=1e-4)
    world.add(td.pull(ball, by=(0.0, -1e5)))
    assert world.run(0.01).status is td.Status.DONE
    height, speed = ball.position[1], ball.velocity[1]
    assert 0.5 * speed**2 + (1e5 + G) * height == pytest.approx((1e5 + G) * 1e-4, rel=1e-8)


def test_a_stop_that_turns_past_is_hit_between_the_ends_of_a_step():
    """A rod on a pin turns by half a radian a step: its end meets a stop inside one of them."""
    for method in ("rattle", "runge_kutta"):
        world = td.World(method=method, max_step=0.05)
        rod = world.add(td.PlanarRod("rod", position=(0.5, 0.0), velocity=(0.0, 5.0), spin=10.0))
        world.add(td.connect(rod.end1, td.Nail(0, 0)))
        world.add(td.at_most(td.component(rod.end2, of=1), high=0.999, restitution=1.0))
        world.run(0.2)
        assert rod.spin == pytest.approx(-10.0, rel=1e-4)  # RK4's own error at half a radian a step


@pytest.mark.parametrize("method", METHODS)
def test_a_block_that_lands_flat_rises_flat(method):
    """All four corners at once, each with its share: no turn comes of it."""
    world = td.World(method=method)
    box = world.add(td.PlanarBody("box", mass=3.0, inertia=1.25, position=(0.0, 1.5)))
    for x, y in ((-0.5, -1), (0.5, -1), (-0.5, 1), (0.5, 1)):
        world.add(td.at_least(td.component(td.point(box, at=(x, y)), of=1), restitution=0.5))
    world.add(td.gravity(g=(0, -G)))
    fall = np.sqrt(2 * 0.5 / G)
    world.run(fall + 0.1)
    assert box.velocity[1] == pytest.approx(0.5 * G * fall - 0.1 * G, rel=1e-8)
    assert abs(box.spin) < 1e-12


def test_methods_agree_about_a_tumbling_block():
    """Elastic corners, no friction, twenty hits: chaotic enough that a wrong time of one would be seen."""
    ends = []
    for method in METHODS:
        world = td.World(method=method, max_step=2e-3)
        box = world.add(
            td.PlanarBody("box", mass=3.0, inertia=1.25, position=(0.0, 2.5), angle=0.3, spin=1.5)
        )
        for x, y in ((-0.5, -1), (0.5, -1), (-0.5, 1), (0.5, 1)):
            world.add(td.at_least(td.component(td.point(box, at=(x, y)), of=1), restitution=1.0))
        world.add(td.gravity(g=(0, -G)))
        before = world.energy
        world.run(4.0)
        assert world.energy == pytest.approx(before, rel=1e-8)
        ends.append((*box.position, box.angle, box.spin))
    np.testing.assert_allclose(ends[1], ends[0], atol=1e-5)
    np.testing.assert_allclose(ends[2], ends[0], atol=1e-5)


@pytest.mark.parametrize(("method", "order"), [("rattle", 2), ("runge_kutta", 4)])
def test_a_method_keeps_its_order_through_hits(method, order):
    """A double pendulum whose knee meets its limits six times: half the step, a quarter or a sixteenth of the
    error."""

    def end(method, step):
        world = td.World(method=method, max_step=step, tolerance=1e-12, rtol=1e-12, atol=1e-13)
        upper, lower = world.add(*[td.PlanarRod(position=(k + 0.5, 0.0)) for k in range(2)])
        world.add(td.join(td.pin, None, upper, at=(0, 0)))
        knee = world.add(td.join(td.pin, upper, lower, at=(1, 0)))
        world.add(*td.within(knee.turn, -0.3, 0.3, restitution=0.9), td.gravity(g=(0, -G)))
        world.run(1.7)
        return np.array([*upper.position, *lower.position])

    exact = end("adaptive", 1.0)
    errors = [np.abs(end(method, step) - exact).max() for step in (4e-3, 2e-3)]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.15)


# --- many stops -----------------------------------------------------------------------------------
@pytest.mark.parametrize("method", METHODS)
def test_the_last_ball_of_the_cradle_leaves_alone(method):
    world, balls, arrival = cradle(method)
    before = world.energy
    quarter = 0.5 * np.pi * np.sqrt(0.5 / G)
    world.run(1.02 * quarter)  # just after the hit
    speeds = np.array([ball.velocity[0] for ball in balls])
    assert speeds[-1] == pytest.approx(arrival, rel=2e-3) and np.abs(speeds[:-1]).max() < 1e-8
    world.run(2 * quarter)  # and the first one when it comes back
    speeds = np.array([ball.velocity[0] for ball in balls])
    assert speeds[0] == pytest.approx(-arrival, rel=2e-2) and np.abs(speeds[1:]).max() < 1e-6
    assert world.energy == pytest.approx(before, abs=1e-5)


def test_two_balls_of_the_cradle_throw_two():
    world = td.World()
    balls = [world.add(td.Particle(position=(0.1 * k, 0.0))) for k in range(5)]
    for ball in balls[:2]:
        ball.velocity = (1.0, 0.0)
    for a, b in itertools.pairwise(balls):
        world.add(td.at_least(td.distance_between(a, b), low=0.1, restitution=1.0))
    world.run(0.01)
    np.testing.assert_allclose([ball.velocity[0] for ball in balls], [0, 0, 0, 1, 1], atol=1e-10)


def test_balls_of_masses_one_two_and_four_share_as_reflections_do():
    """1 hits 2: −1/3, 2/3; then 2 hits 4: −2/9, 4/9; 1 leaves faster than 2."""
    world = td.World()
    balls = [world.add(td.Particle(mass=m, position=(0.1 * k, 0.0))) for k, m in enumerate((1.0, 2.0, 4.0))]
    balls[0].velocity = (1.0, 0.0)
    for a, b in itertools.pairwise(balls):
        world.add(td.at_least(td.distance_between(a, b), low=0.1, restitution=1.0))
    world.run(0.01)
    np.testing.assert_allclose([b.velocity[0] for b in balls], [-1 / 3, -2 / 9, 4 / 9], atol=1e-10)


def test_a_corner_of_two_walls_has_the_restitution_of_each():
    world = td.World()
    mote = world.add(td.Particle("mote", position=(0.5, 0.5), velocity=(-1.0, -1.0)))
    for k, e in ((0, 1.0), (1, 0.25)):
        world.add(td.at_least(td.component(mote, of=k), restitution=e))
    world.run(0.6)
    assert mote.velocity == pytest.approx((1.0, 0.25), abs=1e-9)


def test_a_rocking_block_loses_what_housner_says():
    """ω⁺/ω⁻ = 1 − 3/2 sin²α at a wide stance; the pivots hold sideways, corners are stops with e = 0."""
    width, height = 1.0, 4.0
    radius2 = (width**2 + height**2) / 4
    inertia = radius2 / 3 * 2.0
    world = td.World()
    block = world.add(
        td.PlanarBody("block", mass=2.0, inertia=inertia, position=(0.0, height / 2), spin=-0.3)
    )
    left, right = (td.point(block, at=(x, -height / 2)) for x in (-width / 2, width / 2))
    block.velocity = (-block.spin * height / 2, block.spin * width / 2)  # about the left corner, going down
    for corner in (left, right):
        world.add(td.at_least(td.component(corner, of=1)))
    world.add(td.equal(td.component(left, of=0), td.formula("0*t - 0.5"), name="no slip"))
    before = block.spin
    world.run(1e-6)
    sine2 = (width / 2) ** 2 / radius2
    assert block.spin / before == pytest.approx(1 - 1.5 * sine2, rel=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_pools_of_touching_balls_keep_momentum_and_gain_no_energy(method):
    for seed in range(40):
        case = pool(seed, method)
        energy, momentum = case.world.kinetic_energy, case.momentum()
        size = np.sqrt(2 * energy * max(ball.mass for ball in case.balls))
        assert case.world.step(1e-6)
        np.testing.assert_allclose(case.momentum(), momentum, atol=1e-9 * size, err_msg=f"seed {seed}")
        assert case.world.kinetic_energy <= energy * (1 + 1e-9), f"seed {seed}"
        # what touches closes no faster than the tolerance in this step
        assert case.closing() < 0.02, f"seed {seed}"
        if set(case.restitutions) == {1.0}:
            assert case.world.kinetic_energy == pytest.approx(energy, rel=1e-8), f"seed {seed}"


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("restitution", [0.0, 0.5, 1.0])
def test_a_chain_falls_on_an_uneven_floor(method, restitution):
    """Joints and stops together: nothing is passed, no energy gained, and what rests is cheap."""
    world = td.World(method=method)
    parts = [world.add(td.Particle(position=(0.1 * k, 0.3 + 0.02 * (k % 2)), mass=0.1)) for k in range(12)]
    for a, b in itertools.pairwise(parts):
        world.add(td.distance(a, b, length=float(np.linalg.norm(np.subtract(a.position, b.position)))))
    stops = [
        world.add(td.at_least(td.component(part, of=1), low=0.05 * np.sin(k), restitution=restitution))
        for k, part in enumerate(parts)
    ]
    world.add(td.gravity(g=(0, -G)))
    before = world.energy
    for _ in range(15):
        assert world.run(0.05)
        assert world.energy < before + 5e-3 * 12 * 0.1 * G * 0.3
        assert min(stop.value[0] for stop in stops) > -2e-8


@pytest.mark.parametrize("seed", range(12))
def test_methods_agree_about_linkages_that_meet_their_limits(seed):
    """Dozens of hits through joints, alone and together, some without a bounce, some that slide and leave."""
    ends = []
    for method, step in (("rattle", 5e-4), ("runge_kutta", 1e-3), ("adaptive", 1e-3)):
        world, rods = linkage(seed, method=method, max_step=step)
        before, high = world.energy, 0.0
        for _ in range(10):
            assert world.run(0.06)
            high = max(high, world.energy - before)
        assert high < 1e-3 * (world.kinetic_energy + 1)
        ends.append(np.concatenate([rod.position for rod in rods]))
    np.testing.assert_allclose(ends[1], ends[2], atol=1e-6)
    np.testing.assert_allclose(ends[0], ends[2], atol=1e-3)


# --- jumps of paths ---------------------------------------------------------------------------------
@pytest.mark.parametrize("jump", ["0.3*max(t - 0.2503, 0)/0.15", "0.1*(1 + sign(t - 0.2503))/2"])
def test_what_hangs_on_a_path_that_jumps_moves_alike_in_all_methods(jump):
    """A rod whose upper end is led: a jump of velocity strikes it, a jump of place moves it, neither depends
    on the step."""
    ends = []
    for method, step in (
        ("adaptive", 1e-2), ("rattle", 1e-3), ("rattle", 7e-3), ("runge_kutta", 1e-3),
        ("runge_kutta", 7e-3), ("energy_momentum", 1e-3),
    ):  # fmt: skip
        world = td.World(method=method, max_step=step)
        rod = world.add(td.PlanarRod("rod", position=(0.0, -0.5), angle=-np.pi / 2))
        world.add(
            td.equal(td.component(rod.end1, of=0), td.formula(jump), name="x"),
            td.equal(td.component(rod.end1, of=1), td.formula("0*t"), name="y"),
            td.gravity(g=(0, -G)),
        )
        said = world.run(0.4)
        assert said.jump is not None and said.jump.time == pytest.approx(0.2503, abs=1e-12)
        ends.append((rod.angle, rod.spin))
    for end in ends[1:]:
        np.testing.assert_allclose(end, ends[0], atol=2e-4)


# --- the adaptive method ----------------------------------------------------------------------------
def test_a_step_of_a_millisecond_binds_adaptive_only_where_it_is_chosen():
    """The same value is the default, which is meant for steps of one length."""

    def steps(world):
        before = world.counts["steps"]
        assert world.run(0.1)
        return world.counts["steps"] - before

    world, _, _ = dropped("adaptive", restitution=0.5, height=1e6)
    assert world.settings["max_step"] == 1e-3 and steps(world) < 50
    world.configure(max_step=1e-3)
    assert steps(world) >= 100
    assert steps(td.World.from_json(world.to_json())) >= 100
    world.undo()
    assert world.settings["max_step"] == 1e-3 and steps(world) < 50
    chosen, _, _ = dropped("adaptive", restitution=0.5, height=1e6, max_step=1e-3)
    assert steps(chosen) >= 100


def test_adaptive_takes_no_longer_steps_than_asked_for():
    world, _, _ = dropped("adaptive", restitution=0.5, height=1e6, max_step=1e-2)
    assert world.run(1.0).steps >= 100


def test_adaptive_takes_a_stiff_spring():
    """1e10 N/m on 1 kg: a swing of 1e5 rad/s is followed, not lost."""
    world = td.World(method="adaptive")
    bob = world.add(td.Particle("bob", position=(1.1, 0.0, 0.0)))
    world.add(td.spring(td.Nail(0, 0, 0), bob, stiffness=1e10, length=1.0))
    assert world.run(1e-3).status is td.Status.DONE
    assert bob.position[0] == pytest.approx(1 + 0.1 * np.cos(1e5 * 1e-3), abs=1e-5)


def test_adaptive_ends_in_bounded_work_and_names_what_held_it_up():
    world = td.World(method="adaptive")
    bob = world.add(td.Particle("bob", mass=1e-3, position=(1.2, 0.0, 0.0)))
    world.add(td.spring(td.Nail(0, 0, 0), bob, stiffness=1e12, length=1.0, name="spring"))
    result = world.run(0.01)
    assert result.status is td.Status.TOO_MANY and not result
    assert result.culprits == ("bob", "spring") and "rad/s" in result.remedy
    assert 0 < world.time < 0.01 and np.isfinite(bob.position).all()


@pytest.mark.parametrize("seed", range(3))
def test_adaptive_ends_where_nails_contradict_each_other(seed):
    draw = np.random.default_rng(seed)
    world = td.World(method="adaptive")
    body = world.add(td.RigidBody("body", inertia=(0.3, 0.4, 0.5)) if seed % 2 else td.Particle("mote"))
    for k in range(3):
        point = td.point(body, at=draw.normal(size=3)) if seed % 2 else body
        world.add(td.nail(point, at=draw.normal(size=3), tau=10 ** draw.uniform(-2, 0), name=f"nail{k}"))
    result = world.run(0.02)
    assert result.status in (td.Status.TOO_MANY, td.Status.UNMET)
    assert set(result.culprits) == {"nail0", "nail1", "nail2"} and result.steps < 80_000
    if not result:
        assert "Remove one" in result.remedy and world.time < 0.02


def test_adaptive_hears_an_interrupt(monkeypatch):
    """A long run is one of many short calls, between which Python looks for signals."""
    world, _, _ = dropped("adaptive", restitution=1.0, height=1.0, max_step=1e-4)
    program, calls = world.engine.program, []

    def interrupted(*arguments):
        calls.append(1)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return program_call(*arguments)

    program_call = program.advance_adaptive
    monkeypatch.setattr(program, "advance_adaptive", interrupted)
    monkeypatch.setattr(stepping, "CHUNK", 20_000)
    with pytest.raises(KeyboardInterrupt):
        world.run(1000.0)
    assert 0 < world.time < 1000.0 and np.isfinite(world.energy)
