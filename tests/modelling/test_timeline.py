"""Timelines (R5): edits at exact times, ramps and switches; the same bytes however the run is divided, saved
or undone."""

import json

import numpy as np
import pytest

import tinkerdyne as td
from tests.modelling.mechanics import G, bits
from tinkerdyne import Change, Configure, Event, Move, Plan, Ramp, Remove, SceneError, Several, World
from tinkerdyne.world.adding import planned as to_be_added

METHODS = ["rattle", "runge_kutta", "energy_momentum", "stormer", "adaptive"]


def pendulum(**settings):
    world = td.World(**settings)
    bob = world.add(td.Particle("bob", position=(1.0, 0.0)))
    world.add(
        td.distance(td.Nail(0.0, 0.0, name="hook"), bob, length=1.0, name="string"),
        td.gravity(g=(0.0, -G), name="down"),
    )
    return world, bob


def eventful(**settings):
    """A switch, a ramp, a new part and its removal, a kick, a change of a setting, at odd times."""
    world, bob = pendulum(**settings)
    world.at(0.1234, Change("string", "is_on", False))
    world.ramp(world["down"], "g", to=(0.0, -1.0), start=0.3, end=0.71, is_smooth=True)
    world.at(0.4, td.spring(bob, world["hook"], stiffness=30.0, name="rubber"))
    world.at(0.55, Move("bob", (("velocity", (1.0, 2.0)),)), Change("bob", "mass", 2.0))
    world.at(0.9, Remove(("rubber",)), Change("string", "is_on", True))
    return world


# --- exact times ----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("method", "bound"),
    [
        ("rattle", 1e-9),
        ("runge_kutta", 1e-9),
        ("energy_momentum", 1e-9),
        ("adaptive", 1e-9),
        ("stormer", G * 0.5e-3),
    ],
)
def test_an_event_happens_at_its_very_time(method, bound):
    """Let go at t₀ between two steps: a parabola from there (Störmer's first displacement is half a step
    off)."""
    world = td.World(method=method)
    ball = world.add(td.Particle("ball", position=(0.0, 0.0)))
    world.add(td.nail(ball, at=(0.0, 0.0), name="hook"), td.gravity(g=(0.0, -G)))
    world.at(0.12345, Change("hook", "is_on", False))
    assert world.run(1.0)
    assert ball.position[1] == pytest.approx(-G / 2 * (1.0 - 0.12345) ** 2, abs=bound)


def planned(**settings):
    world, bob = pendulum(**settings)
    world.at(0.25, Change("string", "is_on", False))
    world.at(0.5, td.spring(bob, world["hook"], stiffness=30.0))
    world.at(1.0, Change("bob", "mass", 4.0), Change("string", "is_on", True))
    return world


@pytest.mark.parametrize("method", ["rattle", "energy_momentum", "stormer"])
def test_a_run_gives_the_same_bytes_however_it_is_divided(method):
    """Into parts that are whole steps, in numbers that a float64 adds exactly."""
    whole, parts, frames = (planned(method=method, max_step=1 / 1024) for _ in range(3))
    whole.run(2.0)
    for _ in range(16):
        parts.run(0.125)
    frames.run(2.0, dt=1 / 64, each=lambda _w: None)
    assert bits(whole) == bits(parts) == bits(frames)


@pytest.mark.parametrize(("method", "bound"), [(m, 1e-7 if m == "adaptive" else 1e-11) for m in METHODS])
def test_events_come_at_the_same_time_however_a_run_is_divided(method, bound):
    """20 × 0.1 s is 4e-16 s more than 2 s: the state agrees to rounding; the adaptive method chooses other
    steps."""
    whole, parts = planned(method=method), planned(method=method)
    whole.run(2.0)
    for _ in range(20):
        parts.run(0.1)
    np.testing.assert_allclose(whole["bob"].position, parts["bob"].position, atol=bound)
    assert [item.name for item in whole.items] == [item.name for item in parts.items]


def test_several_events_of_one_moment_happen_in_the_order_they_were_given():
    world, _ = pendulum()
    world.at(0.5, Change("bob", "mass", 2.0), Change("bob", "mass", 3.0))
    world.at(0.5, Change("bob", "mass", 4.0))
    world.at(0.2, Change("bob", "mass", 9.0))
    world.run(0.3)
    assert world["bob"].mass == 9.0
    world.run(0.3)
    assert world["bob"].mass == 4.0


def test_an_event_at_the_end_of_a_run_happens_once():
    world, _ = pendulum()
    world.at(0.5, td.Particle("new", position=(0.0, 0.0)))
    world.run(0.5)
    assert "new" in world
    world.run(0.5)
    assert world["new"].velocity[1] == pytest.approx(-G / 2, abs=1e-9)


def test_an_event_now_happens_with_the_next_step():
    world, _ = pendulum()
    world.run(0.5)
    world.at(world.time, Change("bob", "mass", 7.0))
    assert world["bob"].mass == 1.0
    world.run(0.001)
    assert world["bob"].mass == 7.0


def test_settings_may_change_on_the_timeline():
    world, _ = pendulum()
    world.at(0.5, Configure("method", "runge_kutta"))
    world.run(1.0)
    assert world.settings["method"] == "runge_kutta" and world.gap < 1e-12


# --- switches and ramps ---------------------------------------------------------------------------
def test_a_force_is_switched_on_and_off():
    """p = F · (time on)."""
    world = td.World()
    ball = world.add(td.Particle("ball", mass=2.0, position=(0.0, 0.0)))
    world.add(td.pull(ball, by=(3.0, 0.0), is_on=False, name="push"))
    for start, end in ((0.2, 0.5), (0.7, 0.75)):
        world.at(start, Change("push", "is_on", True))
        world.at(end, Change("push", "is_on", False))
    world.run(1.0)
    assert ball.velocity[0] == pytest.approx(3.0 * 0.35 / 2.0, abs=1e-12)


def test_a_ramp_of_a_length_winches():
    """A string drawn in smoothly from 1 to 0.5 m: the constraint follows, and angular momentum is kept
    without gravity."""
    world, bob = pendulum(max_step=5e-4)
    world.remove("down")
    bob.velocity = (0.0, 1.0)
    world["string"].tau = 0.01
    world.ramp(world["string"], "length", to=0.5, start=0.1, end=1.1, is_smooth=True)
    world.run(1.6)
    x, v = np.array(bob.position), np.array(bob.velocity)
    assert np.hypot(*x) == pytest.approx(0.5, abs=1e-6)
    assert x[0] * v[1] - x[1] * v[0] == pytest.approx(1.0, abs=1e-6)


# --- saving ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("middle", [0.0, 0.125, 0.5, 0.95])
def test_a_timeline_is_saved_and_replayed_to_the_bit(method, middle):
    world = eventful(method=method)
    world.run(middle)
    text = world.to_json()
    first, second = World.from_json(text), World.from_json(text)
    assert first.timeline == world.timeline and len(first.timeline) == 7
    assert first.to_json() == text
    for one in (world, first, second):
        one.run(0.25)
        one.run(1.0)
    assert bits(first) == bits(second) == bits(world)


def test_events_that_have_happened_do_not_happen_again_after_loading():
    world, _ = pendulum()
    world.at(0.5, Change("bob", "mass", 2.0))
    world.run(0.5)
    world["bob"].mass = 3.0
    again = World.from_json(world.to_json())
    again.run(0.5)
    assert again["bob"].mass == 3.0


# --- undo -----------------------------------------------------------------------------------------
def test_undo_across_events_takes_them_back_with_the_edit_before():
    """An edit, then events: one undo goes back to before the edit; redo comes back to where undo left."""
    world = eventful()
    world.run(0.05)
    kept = bits(world), [i.name for i in world.items], world["bob"].mass, world["down"].g
    world["bob"].mass = 1.5
    world.run(0.6)  # the string is cut, gravity ramps, a spring came
    later = bits(world), [i.name for i in world.items], world["bob"].mass, world["down"].g
    assert "rubber" in world
    assert world.undo()
    assert (bits(world), [i.name for i in world.items], world["bob"].mass, world["down"].g) == kept
    assert world["string"].is_on
    assert world.redo()
    assert (bits(world), [i.name for i in world.items], world["bob"].mass, world["down"].g) == later
    assert not world["string"].is_on


def test_after_undo_the_events_happen_again():
    world, plain = eventful(), eventful()
    for one in (world, plain):
        one.run(0.05)
    world["bob"].mass = 1.5
    world.run(0.6)
    world.undo()
    for one in (world, plain):
        one.run(1.2)
    assert bits(world) == bits(plain) and world["bob"].mass == 2.0


def test_planning_is_an_edit_like_any_other():
    world, _ = pendulum()
    world.at(0.5, Change("bob", "mass", 2.0))
    planned = world.timeline
    assert planned == (Event(0.5, Change("bob", "mass", 2.0)),)
    world.undo()
    assert world.timeline == ()
    world.redo()
    assert world.timeline == planned
    inverse = world.apply(Plan(()))
    assert world.timeline == ()
    world.apply(inverse)
    assert world.timeline == planned


# --- faults ---------------------------------------------------------------------------------------
def test_an_event_on_what_was_deleted_warns_and_the_run_goes_on():
    world, _ = pendulum()
    other = world.add(td.Particle("other", position=(0.0, 0.0)))
    world.at(0.5, Change("other", "mass", 2.0), Change("bob", "mass", 3.0))
    world.ramp(other, "mass", to=4.0, start=0.9, end=0.91)
    world.remove(other)
    with pytest.warns(
        UserWarning, match=r"the event at t = 0\.5 s could not be carried out: particle 'other' was deleted"
    ):
        assert world.run(0.7)
    assert world["bob"].mass == 3.0 and world.time == pytest.approx(0.7)
    with pytest.warns(UserWarning, match=r"the event at t = 0\.9\d* s"):
        assert world.run(0.3)


@pytest.mark.parametrize(
    ("edit", "says"),
    [
        (Change("bob", "mass", -1.0), "mass of particle 'bob' must be positive"),
        (Change("bob", "colour", 1.0), "'colour'"),
        (Remove(("nobody",)), "there is no 'nobody' in this world"),
        (Several((Change("bob", "mass", 5.0), Remove(("nobody",)))), "there is no 'nobody'"),
    ],
)
def test_an_event_that_cannot_be_is_told_and_changes_nothing(edit, says):
    world, plain = pendulum()[0], pendulum()[0]
    world.at(0.5, edit)
    plain.at(0.5, Configure("theta", 0.5))
    with pytest.warns(UserWarning, match=says):
        assert world.run(1.0)
    plain.run(1.0)
    assert bits(world) == bits(plain) and world["bob"].mass == 1.0


def test_bad_entries_are_refused():
    world, bob = pendulum()
    world.run(1.0)
    before = world.to_json()
    for act, error, says in (
        (lambda: world.at(0.5, Remove(("bob",))), ValueError, "must not be before now, 1 s, but is 0.5 s"),
        (
            lambda: world.at(float("nan"), Remove(("bob",))),
            ValueError,
            "the time of an event must be a number, not NaN",
        ),
        (
            lambda: world.at(2.0, Move("bob", (("velocity", (float("nan"), 0.0)),))),
            ValueError,
            "must hold finite numbers",
        ),
        (
            lambda: world.at("soon", Remove(("bob",))),
            TypeError,
            "the time of an event must be a number, not 'soon'",
        ),
        (
            lambda: world.ramp(bob, "mass", to=2.0, start=0.5, end=3.0),
            ValueError,
            "a ramp must not start before now",
        ),
        (
            lambda: world.ramp(bob, "mass", to=2.0, start=3.0, end=3.0),
            ValueError,
            "must end after it starts, not go from 3 to 3 s",
        ),
        (
            lambda: world.ramp(bob, "mass", to=-2.0, start=2.0, end=3.0),
            ValueError,
            "mass of particle 'bob' must be positive",
        ),
        (
            lambda: world.ramp(world["down"], "g", to=(0.0, 0.0, 1.0), start=2.0, end=3.0),
            ValueError,
            "as many numbers",
        ),
        (
            lambda: world.apply(Plan((Change("bob", "mass", 1.0),))),
            TypeError,
            "a timeline holds events and ramps, not Change",
        ),
        (
            lambda: world.at(2.0, td.Particle("bob", position=(0.0, 0.0))),
            ValueError,
            "there is already a particle 'bob'",
        ),
    ):
        with pytest.raises(error, match=says):
            act()
    assert world.to_json() == before


GOOD = {
    "edit": "Event",
    "time": 1.0,
    "what": {"edit": "Change", "name": "bob", "parameter": "mass", "value": 2.0, "key": 0},
}
RAMP = {
    "edit": "Ramp",
    "name": "bob",
    "parameter": "mass",
    "start": 0.0,
    "end": 1.0,
    "low": 1.0,
    "high": 2.0,
    "is_smooth": False,
}


def test_the_timelines_that_are_spoilt_below_are_good():
    document = json.loads(pendulum()[0].to_json())
    world = World.from_json(json.dumps({**document, "timeline": [GOOD, RAMP]}))
    assert {type(e) for e in world.timeline} == {Event, Ramp}
    assert world.run(1.5) and world["bob"].mass == 2.0


@pytest.mark.parametrize(
    "timeline",
    [
        5,
        "soon",
        {"a": 1},
        [3],
        ["x"],
        [None],
        [{"edit": "Explode"}],
        [GOOD["what"]],
        [{**GOOD, "time": "soon"}],
        [{**GOOD, "time": None}],
        [{**GOOD, "time": True}],
        [{k: v for k, v in GOOD.items() if k != "time"}],
        [{**GOOD, "colour": 1}],
        [{**GOOD, "what": 7}],
        [{**GOOD, "what": {"edit": "Several", "edits": 3}}],
        [{**GOOD, "what": {"edit": "Several", "edits": [4]}}],
        [{**GOOD, "what": {"edit": "Add", "items": 3}}],
        [{**GOOD, "what": {"edit": "Add", "items": [{"colour": 3}]}}],
        [{**RAMP, "end": -1.0}],
        [{**RAMP, "start": "now"}],
        [{**RAMP, "low": "small"}],
        [{**RAMP, "high": [1.0, 2.0]}],
        [{**RAMP, "low": None}],
    ],
    ids=lambda t: json.dumps(t)[:60],
)
def test_a_timeline_that_is_not_one_is_refused_by_name(timeline):
    document = json.loads(pendulum()[0].to_json())
    with pytest.raises(SceneError, match="timeline"):
        World.from_json(json.dumps({**document, "timeline": timeline}))


def test_an_item_to_be_added_twice_is_told_the_second_time():
    world, _ = pendulum()
    made = to_be_added(world.contents, [td.Particle("new", position=(0.0, 0.0))])
    world.at(0.1, made)
    world.at(0.2, made)
    with pytest.warns(UserWarning, match="there is already a particle 'new'"):
        assert world.run(0.3)


# --- ramps in between ---------------------------------------------------------------------------
@pytest.mark.parametrize("is_smooth", [False, True])
def test_a_ramp_goes_from_one_value_to_the_other(is_smooth):
    """low + s (high − low), s = (t − t₀)/(t₁ − t₀) or 3s² − 2s³, set 240 times a second; before and after it
    is still."""
    world = td.World()
    ball = world.add(td.Particle("ball", position=(0.0, 0.0)))
    push = world.add(td.pull(ball, by=(1.0, 0.0), name="push"))
    world.ramp(push, "by", to=(3.0, -4.0), start=0.5, end=1.5, is_smooth=is_smooth)
    for k, t in enumerate((0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0)):
        world.run(t - world.time)
        s = min(1.0, max(0.0, t - 0.5))
        s = 3 * s**2 - 2 * s**3 if is_smooth else s
        assert push.by == pytest.approx((1 + 2 * s, -4 * s), abs=1e-12), k
    # The impulse is the integral of the force; it is held for 1/240 s each, half of which it lags behind.
    assert ball.velocity[0] == pytest.approx(0.5 + 2.0 + 1.5, abs=2 / 240)
    assert ball.velocity[1] == pytest.approx(-2.0 - 2.0, abs=4 / 240)


def test_a_ramp_may_begin_elsewhere_and_two_may_follow_each_other():
    world, bob = pendulum()
    world.ramp(bob, "mass", low=5.0, to=2.0, start=0.25, end=0.5)
    world.ramp(bob, "mass", low=2.0, to=8.0, start=0.5, end=1.0)
    world.run(0.24)
    assert bob.mass == 1.0
    world.run(0.01)
    assert bob.mass == 5.0
    world.run(0.25)
    assert bob.mass == 2.0
    world.run(0.25)
    assert bob.mass == pytest.approx(5.0)
    world.run(1.0)
    assert bob.mass == 8.0


NESTED = ({**GOOD, "what": RAMP}, {**GOOD, "what": GOOD}, {**GOOD, "what": {"edit": "Add", "items": [3]}})


@pytest.mark.parametrize("entry", NESTED, ids=("ramp", "event", "numbers"))
def test_an_event_that_holds_no_edit_is_refused_by_name(entry):
    document = json.loads(pendulum()[0].to_json())
    with pytest.raises(SceneError, match="timeline"):
        World.from_json(json.dumps({**document, "timeline": [entry]}))


def test_the_density_of_a_body_can_ramp():
    """Its mass is the density times the volume, at every moment; a file keeps the ramp, and undo the density
    before."""
    world = td.World()
    ball = world.add(td.Sphere("ball", radius=1.0, density=1000.0))
    world.ramp(ball, "density", to=3000.0, start=0.25, end=0.75)
    again = td.World.from_json(world.to_json())
    for one in (world, again):
        one.run(0.5)
        assert one["ball"].density == pytest.approx(2000.0, abs=10.0)
        assert one["ball"].mass == pytest.approx(one["ball"].density * 4 / 3 * np.pi)
        one.run(0.5)
        assert one["ball"].density == 3000.0
    world.undo()
    assert ball.density == 1000.0 and world.timeline == ()
    with pytest.raises(ValueError, match="density of sphere 'ball' must be positive, not -1"):
        world.ramp(ball, "density", to=-1.0, start=2.0, end=3.0)
