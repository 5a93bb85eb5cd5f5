"""Misuse of the Python API: a message that names the thing, what came and what was wanted; nothing
changes."""

import math
import threading

import numpy as np
import pytest

import tinkerdyne as td
from tests.world.worlds import chain
from tinkerdyne import Number, Point, Status, World, force, sqrt, vec


def falling() -> tuple[World, td.Item]:
    world = World()
    bead = world.add(td.Particle("bead", position=(0.0, 0.0, 1.0)))
    world.add(td.gravity())
    return world, bead


# --- masses and inertia ---------------------------------------------------------------------------
@pytest.mark.parametrize("make", [td.Particle, td.Rod, td.RigidBody, td.PlanarBody, td.Variable, td.Troid])
@pytest.mark.parametrize("mass", [0, 0.0, math.inf])
def test_a_mass_of_zero_or_infinity_is_refused_with_the_word_for_what_was_meant(make, mass):
    with pytest.raises(
        ValueError, match=r"mass of \w+ 'thing' must be positive and finite, not (0|inf); .* is_fixed=True"
    ):
        make("thing", mass=mass)


@pytest.mark.parametrize(
    ("mass", "says"),
    [(-1.0, "positive, not -1"), (math.nan, "not NaN"), (-math.inf, "finite, not -inf"), (10**400, "finite")],
    ids=["negative", "NaN", "minus infinity", "beyond float64"],
)
def test_a_mass_that_is_no_mass_is_refused(mass, says):
    with pytest.raises(ValueError, match=f"mass of particle 'p' must be .*{says}"):
        td.Particle("p", mass=mass)


@pytest.mark.parametrize("value", ["3", True, 1 + 0j, None, [1.0], np.array([1.0, 2.0])], ids=repr)
def test_text_truth_and_complex_numbers_are_not_numbers(value):
    with pytest.raises(TypeError, match="mass of particle 'p' must be a number, not"):
        td.Particle("p", mass=value)


def test_a_live_mass_is_checked_too_and_stays_what_it_was():
    world, bead = falling()
    for bad in (0, -1, math.nan, "2", True):
        with pytest.raises((ValueError, TypeError), match="mass of particle 'bead'"):
            bead.mass = bad
    assert bead.mass == 1.0
    assert world.undo() and world.undo() and not world.undo()  # only the two additions


def test_a_mass_ratio_of_a_million_million_is_accepted_with_a_warning():
    world = World()
    light, heavy = world.add(
        td.Particle("light", mass=1e-6, position=(1.0, 0.0, 0.0)),
        td.Particle("heavy", mass=1e6, position=(2.0, 0.0, 0.0)),
    )
    world.add(td.distance(light, heavy, length=1.0), td.gravity())
    with pytest.warns(UserWarning, match=r"(?s)'heavy'.*'light'|'light'.*'heavy'"):
        result = world.run(0.5)
    assert result
    assert world.gap < 1e-7
    assert light.position[2] == pytest.approx(-0.5 * 9.81 * 0.25, abs=1e-3)


def test_a_singular_inertia_is_refused_with_its_axis():
    with pytest.raises(ValueError, match=r"inertia of rigid_body 'b' is singular about the axis \(0, 0, 1\)"):
        td.RigidBody("b", inertia=(1.0, 1.0, 0.0))


def test_an_indefinite_inertia_is_refused_with_its_axis():
    with pytest.raises(
        ValueError, match=r"inertia of rigid_body 'b' is not positive about the axis \(0, 1, 0\): moment -1"
    ):
        td.RigidBody("b", inertia=(1.0, -1.0, 2.0))


def test_an_inertia_that_is_not_symmetric_is_refused():
    with pytest.raises(
        ValueError, match=r"inertia of rigid_body 'b' must be symmetric; it differs from its transpose by 0.5"
    ):
        td.RigidBody("b", inertia=((1.0, 0.5, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))


def test_moments_that_no_body_can_have_are_accepted_with_a_warning():
    with pytest.warns(UserWarning, match="which no mass distribution has"):
        body = td.RigidBody("b", inertia=(1.0, 1.0, 5.0))
    assert body.inertia[2][2] == 5.0


# --- orientations and vectors ---------------------------------------------------------------------
def test_the_zero_quaternion_is_refused():
    with pytest.raises(
        ValueError,
        match=r"orientation of rod 'r' must not be the zero quaternion; no rotation is \(1, 0, 0, 0\)",
    ):
        td.Rod("r", orientation=(0, 0, 0, 0))


@pytest.mark.parametrize("size", [2.0, 1e-200, 1e200])
def test_a_quaternion_of_another_length_is_normalised_and_noted(size):
    with pytest.warns(UserWarning, match="orientation of rod 'r' is not a unit quaternion"):
        rod = td.Rod("r", orientation=(0.6 * size, 0.0, 0.8 * size, 0.0))
    assert rod.orientation == pytest.approx((0.6, 0.0, 0.8, 0.0), abs=1e-15)


@pytest.mark.parametrize(
    ("make", "options", "says"),
    [
        (td.Rod, {"position": (1, 2)}, r"position of rod 'x' must have 3 numbers, not 2: \(1, 2\)"),
        (td.Particle, {"position": (1,)}, "position of particle 'x' must have 2 or 3 numbers, not 1"),
        (
            td.Particle,
            {"position": (1, 2), "velocity": (1, 2, 3)},
            "velocity of particle 'x' must have 2 numbers like its position",
        ),
        (td.RigidBody, {"inertia": (1, 2)}, "inertia of rigid_body 'x' must have 3 or 6 or 9 numbers, not 2"),
        (
            td.Troid,
            {"position": (1, 2, 3), "shape": (2, 0, 0, 1)},
            "shape of troid 'x' must be a 3×3 matrix, not 4 numbers",
        ),
    ],
)
def test_a_vector_of_the_wrong_length_is_refused(make, options, says):
    with pytest.raises(ValueError, match=says):
        make("x", **options)


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ("123", "position of particle 'p' must be a sequence of numbers, not '123'"),
        (5, "position of particle 'p' must be a sequence of numbers, not 5"),
        ((1, "2", 3), r"position\[1\] of particle 'p' must be a number, not '2'"),
        ((1, True, 3), r"position\[1\] of particle 'p' must be a number, not True"),
        ((1, 2, math.nan), r"position\[2\] of particle 'p' must be a number, not NaN"),
        ((1, math.inf, 3), r"position\[1\] of particle 'p' must be finite, not inf"),
    ],
)
def test_a_place_that_is_no_place_is_refused(value, says):
    with pytest.raises((TypeError, ValueError), match=says):
        td.Particle("p", position=value)


def test_a_live_object_keeps_its_dimension():
    world, bead = falling()
    with pytest.raises(ValueError, match="position of particle 'bead' must have 3 numbers, not 2"):
        bead.position = (1.0, 2.0)
    assert bead.position == (0.0, 0.0, 1.0)
    assert world.run(0.01)


@pytest.mark.parametrize("count", [0, 1, 4])
def test_a_nail_needs_two_or_three_numbers(count):
    with pytest.raises(ValueError, match=f"must have 2 or 3 numbers to be a point, not {count}"):
        td.Nail(*range(count))


def test_the_plane_and_space_do_not_mix():
    with pytest.raises(
        ValueError,
        match=r"a new connect cannot be made of particle 'p' \(point, 3 numbers\), a new place \(point, 2",
    ):
        td.connect(td.Particle("p"), td.Nail(0, 0))
    with pytest.raises(ValueError, match="at of a new nail must have 3 numbers in space, not 2"):
        td.nail(td.Particle("p"), at=(0, 0))


# --- time -----------------------------------------------------------------------------------------
def test_a_step_of_zero_does_nothing():
    world, bead = falling()
    result = world.step(0)
    assert (result.status, result.steps, world.time, bead.velocity) == (Status.DONE, 0, 0.0, (0.0, 0.0, 0.0))


@pytest.mark.parametrize("dt", [-1.0, math.nan, math.inf, -math.inf])
def test_a_step_back_or_into_the_unknown_is_refused(dt):
    world, bead = falling()
    with pytest.raises(ValueError, match=r"dt must (not )?be"):
        world.step(dt)
    assert (world.time, bead.position) == (0.0, (0.0, 0.0, 1.0))


@pytest.mark.parametrize("dt", [0, -0.01, math.nan, math.inf, "1"])
@pytest.mark.parametrize("watched", [True, False])
def test_a_run_in_impossible_frames_is_refused(dt, watched):
    world, _ = falling()
    with pytest.raises((TypeError, ValueError), match=r"dt must (not )?be"):
        world.run(0.1, dt=dt, each=(lambda w: None) if watched else None)
    assert world.time == 0.0


def test_a_run_of_negative_length_is_refused():
    world, _ = falling()
    with pytest.raises(ValueError, match="seconds must not be negative"):
        world.run(-1.0, each=lambda w: None)


def test_a_run_in_frames_covers_all_its_seconds():
    world, _ = falling()
    world.run(0.1, dt=0.03)
    assert world.time == pytest.approx(0.1, abs=1e-12)


def test_a_huge_step_is_cut_into_small_ones():
    world = chain(3)
    energy = world.energy
    result = world.step(10.0)
    assert (result.status, result.steps) == (Status.DONE, 10_000)
    assert world.time == pytest.approx(10.0)
    assert world.energy == pytest.approx(energy, abs=0.05)


def test_a_step_beyond_the_budget_is_refused_with_the_budget():
    world, _ = falling()
    with pytest.raises(
        ValueError, match=r"dt = 1e\+09 s would take 1000000000000 steps; run it in parts, or raise max_step"
    ):
        world.step(1e9)
    assert world.time == 0.0


def test_a_tiny_step_is_refused_with_the_floor():
    world, _ = falling()
    with pytest.raises(ValueError, match=r"dt must be at least 1e-09 s, not 1e-15"):
        world.step(1e-15)


# --- names and handles ----------------------------------------------------------------------------
def test_a_deleted_item_says_so_whatever_is_asked_of_it():
    world = chain(2)
    upper, end = world["rod0"], world["rod0"].end1
    world.remove(upper)
    deleted = r"rod 'rod0' was deleted"
    with pytest.raises(ReferenceError, match=deleted):
        upper.mass  # noqa: B018
    with pytest.raises(ReferenceError, match=deleted):
        upper.position  # noqa: B018
    with pytest.raises(ReferenceError, match=deleted):
        upper.mass = 2.0
    with pytest.raises(ReferenceError, match=deleted):
        world.add(upper)
    with pytest.raises(ReferenceError, match=deleted):
        world.remove(upper)
    with pytest.raises(KeyError, match=deleted):
        world["rod0"]
    with pytest.raises(ReferenceError, match=r"point 'rod0.end1' was deleted"):
        td.connect(end, td.Nail(0, 0, 0))


def test_a_name_given_again_does_not_bring_an_old_handle_to_life():
    world = chain(2)
    old = world["rod0"]
    world.remove(old)
    new = world.add(td.Rod("rod0", mass=7.0))
    assert world["rod0"] is new
    with pytest.raises(ReferenceError, match="rod 'rod0' was deleted"):
        old.mass  # noqa: B018
    assert old not in world


def test_unknown_attributes_and_options_name_what_there_is():
    _, bead = falling()
    with pytest.raises(
        AttributeError, match="particle 'bead' has no 'lustre'; it has mass, is_fixed, position, velocity"
    ):
        bead.lustre  # noqa: B018
    with pytest.raises(AttributeError, match="particle 'bead' has no 'colour' to set"):
        bead.colour = "red"
    with pytest.raises(TypeError, match="particle 'p' has no weight; it has mass"):
        td.Particle("p", weight=3.0)
    with pytest.raises(
        TypeError, match="a new spring has no parameter stifness; it has stiffness, length, damping, is_on"
    ):
        td.spring(bead, td.Nail(0, 0, 0), stifness=3.0)
    with pytest.raises(ValueError, match="a world has no setting 'speed'; it has method"):
        World(speed=3)


@pytest.mark.parametrize(
    "name", [5, None, "\ud800", "x" * 1000, "two\nlines", "\x00"], ids=lambda n: ascii(n)[:12]
)
def test_a_name_that_cannot_be_shown_or_saved_is_refused(name):
    with pytest.raises((TypeError, ValueError), match="the name of a particle m"):
        td.Particle(name)
    with pytest.raises((TypeError, ValueError), match="the name of a place m"):
        td.place(name=name)
    world, _ = falling()
    with pytest.raises((TypeError, ValueError), match="name"):
        world.apply(td.Rename("bead", name))
    assert "bead" in world


def test_items_of_another_world_or_of_none_are_refused():
    world, bead = falling()
    with pytest.raises(ValueError, match="particle 'bead' is in this world already"):
        world.add(bead)
    with pytest.raises(ValueError, match="particle 'bead' belongs to another world"):
        World().add(bead)
    with pytest.raises(
        ValueError, match="a new connect refers to particle 'q', which is not in this world; add it first"
    ):
        world.add(td.connect(bead, td.Particle("q")))
    with pytest.raises(
        TypeError, match="only objects, connectors, constraints and behaviors can be added, not 3"
    ):
        world.add(3)
    with pytest.raises(ValueError, match="there is already a particle 'bead'"):
        world.add(td.Particle("bead"))
    assert [i.name for i in world.items] == ["bead", "gravity-1"]


def test_wrong_inputs_are_named_with_what_they_supply():
    with pytest.raises(
        TypeError,
        match="'a' of a new connect must be a point, but rod 'r' supplies a frame; it has the points end1",
    ):
        td.connect(td.Rod("r"), td.Nail(0, 0, 0))
    with pytest.raises(TypeError, match=r"a new connect takes 2 inputs \(a, b\), not 1"):
        td.connect(td.Nail(0, 0, 0))
    with pytest.raises(TypeError, match="input 'b' of a new connect must be an object or a connector, not 3"):
        td.connect(td.Nail(0, 0, 0), 3)


# --- callbacks, formulas and threads --------------------------------------------------------------
def test_a_world_may_be_changed_inside_a_callback():
    world, bead = falling()

    def each(w: World) -> None:
        if "second" not in w:
            w.add(td.Particle("second", position=(1.0, 0.0, 0.0)))
        bead.mass *= 1.5

    assert world.run(0.1, dt=0.02, each=each)
    assert bead.mass == pytest.approx(1.5**5)
    assert world["second"].velocity[2] == pytest.approx(-9.81 * 0.08)


def test_an_exception_in_a_callback_leaves_the_world_whole():
    world, bead = falling()

    def each(w: World) -> None:
        raise RuntimeError("my own")

    with pytest.raises(RuntimeError, match="my own"):
        world.run(0.1, dt=0.02, each=each)
    assert world.time == pytest.approx(0.02)
    assert world.run(0.08)
    assert bead.velocity[2] == pytest.approx(-0.981)


@td.behavior
def fault_raises(p: Point, *, k: Number = 1.0):
    """A force whose author made a mistake."""
    raise RuntimeError("a slip of the pen")


@td.behavior
def fault_shape(p: Point, *, k: Number = 1.0):
    """A force with two numbers on a point with three."""
    return force(p, vec(k, k))


@td.behavior
def fault_nothing(p: Point):
    """A force that returns nothing."""


@td.behavior
def fault_root(p: Point, *, k: Number = 1.0):
    """A force that stops being a number where x > k."""
    return force(p, vec(sqrt(k - p[0]), 0, 0))


@pytest.mark.parametrize(
    ("formula", "says"),
    [
        (fault_raises, "a slip of the pen"),
        (fault_shape, "dimensions do not fit"),
        (fault_nothing, "its formula returns nothing"),
    ],
)
def test_a_formula_that_fails_is_named_with_its_item(formula, says):
    world, bead = falling()
    with pytest.raises(
        ValueError, match=rf"{formula.name} 'mine' cannot be made of particle 'bead' .*{says}"
    ):
        formula(bead, name="mine")
    assert world.run(0.01)


@pytest.mark.parametrize(
    "method", ["rattle", "energy_momentum", "runge_kutta", "adaptive", "lsoda", "dop853", "dense"]
)
def test_a_force_that_stops_being_a_number_stops_the_run_and_is_named(method):
    world = World(method=method)
    bead = world.add(td.Particle("bead", velocity=(3.0, 0.0, 0.0)))
    world.add(td.pull(bead, by=(0.0, 1.0, 0.0)), fault_root(bead, name="culprit"))
    result = world.run(1.0)
    assert result.status is Status.NOT_FINITE
    assert result.culprits == ("culprit",)
    assert np.all(np.isfinite(bead.position)) and np.all(np.isfinite(bead.velocity))
    assert bead.position[0] < 1.01
    world["culprit"].is_on = False
    assert world.run(0.5)


@pytest.mark.parametrize("method", ["rattle", "energy_momentum", "runge_kutta", "adaptive"])
def test_a_constraint_that_stops_being_a_number_stops_the_run_and_is_named(method):
    world = World(method=method)
    bead = world.add(td.Particle("bead", position=(math.log(2.0), 0.0, 0.0)))
    world.add(td.equation("log(0.5-t) + x[0]", x=bead, name="culprit"))
    result = world.run(1.0)
    assert result.status is Status.NOT_FINITE
    assert result.culprits == ("culprit",)
    assert world.time <= 0.5
    assert abs(bead.position[0]) < 50


def test_steps_from_several_threads_are_taken_one_after_the_other():
    world = chain(10)
    failures: list[BaseException] = []

    def go() -> None:
        try:
            for _ in range(20):
                world.step(0.005)
                world.energy  # noqa: B018
        except BaseException as problem:
            failures.append(problem)

    threads = [threading.Thread(target=go) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert world.time == pytest.approx(0.4)
    alone = chain(10)
    for _ in range(80):
        alone.step(0.005)
    assert alone["rod9"].position == pytest.approx(world["rod9"].position, abs=1e-9)


def test_negative_springs_and_dampers_are_allowed_and_push():
    """They are documented: positive coefficients pull together and slow down, negative ones push and
    drive."""
    world = World()
    bead = world.add(td.Particle("bead", position=(1.0, 0.0, 0.0), velocity=(0.1, 0.0, 0.0)))
    world.add(td.spring(bead, td.Nail(0, 0, 0), stiffness=-5.0), td.drag(bead, coefficient=-0.5))
    world.run(0.5)
    assert bead.position[0] > 1.3
    assert bead.velocity[0] > 0.1


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"tau": 0}, "tau of a new nail must be positive, not 0"),
        ({"tau": -1}, "tau of a new nail must be positive, not -1"),
        ({"is_on": 1}, "is_on of a new nail must be True or False, not 1"),
        ({"at": (0, 0, math.nan)}, r"at\[2\] of a new nail must be a number, not NaN"),
    ],
)
def test_parameters_of_constraints_are_checked(options, says):
    with pytest.raises((TypeError, ValueError), match=says):
        td.nail(td.Particle("p"), **options)


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("method", "euler"),
        ("max_step", 0),
        ("max_step", -1),
        ("max_step", math.nan),
        ("order", 3),
        ("feedback", "both"),
        ("method", []),
        *[
            (name, value)
            for name in ("max_step", "tolerance", "rtol", "precision")
            for value in (1e-320, 1e308)
        ],
        ("iterations", 1e300),
        ("corrections", 0.5),
        ("atol", 1e-320),
        ("theta", 1e300),
    ],
)
def test_settings_are_checked_and_stay_what_they_were(setting, value):
    world, _ = falling()
    before = dict(world.settings)
    with pytest.raises((TypeError, ValueError), match=f"{setting} must (be|lie)"):
        world.configure(**{setting: value})
    with pytest.raises((TypeError, ValueError), match=f"{setting} must (be|lie)"):
        World(**{setting: value})
    assert world.settings == before
