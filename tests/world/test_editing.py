"""Edits: an edit and its inverse leave the world as it was; undo brings time and state back too; the rest
never moves."""

import gc
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tinkerdyne as td
from tests.world.worlds import WORLDS, chain, loop, plane, unmet
from tinkerdyne import World
from tinkerdyne.world.edit import Add, Change, Configure, Description, Move, Remove, Rename, Several


def content(world: World) -> dict:
    """What is in a world: everything of its text but what the stepper carries along."""
    return {k: v for k, v in json.loads(world.to_json()).items() if k != "stepper"}


def bits(world: World, *but: str) -> dict[str, bytes]:
    return {
        i.name: b"".join(a.tobytes() for a in world.engine.state(i))
        for i in world.items
        if i.type.family == "object" and i.name not in but
    }


# --- random worlds and edits --------------------------------------------------------------------
@st.composite
def worlds(draw):
    """A few bodies in space or in the plane, joined at random, that have run a little."""
    world = World(max_step=draw(st.sampled_from([1e-3, 2e-3])))
    dim = draw(st.sampled_from([2, 3]))
    number = st.floats(-2, 2, allow_subnormal=False)
    place = st.tuples(*[number] * dim)
    bodies = []
    for k in range(draw(st.integers(1, 4))):
        sort = draw(st.sampled_from(["particle", "body", "troid"]))
        if sort == "particle":
            made = td.Particle(f"o{k}", position=draw(place), mass=draw(st.floats(0.1, 5)))
        elif sort == "troid":
            made = td.Troid(f"o{k}", position=draw(place))
        else:
            made = (
                td.PlanarBody(f"o{k}", position=draw(place))
                if dim == 2
                else td.Rod(f"o{k}", position=draw(place))
            )
        bodies.append(world.add(made))

    def end(body):
        if body.type.name == "particle":
            return body
        return (
            body.end1 if body.type.name == "rod" and draw(st.booleans()) else td.point(body, at=draw(place))
        )

    for _ in range(draw(st.integers(0, 4))):
        a, b = draw(st.sampled_from(bodies)), draw(st.sampled_from(bodies))
        sort = draw(st.sampled_from(["spring", "damper", "distance", "nail", "drag"]))
        if sort in ("nail", "drag"):
            world.add(td.nail(end(a), at=draw(place), tau=0.3) if sort == "nail" else td.drag(end(a)))
        elif a is not b:
            p, q = end(a), end(b)
            made = {"spring": td.spring, "damper": td.damper}.get(
                sort, lambda p, q: td.distance(p, q, length=1.0, tau=0.2)
            )(p, q)
            world.add(made)
    if draw(st.booleans()):
        world.add(td.gravity())
    if draw(st.booleans()):
        world.run(0.02)
    return world


@st.composite
def edits(draw, world: World, kinds=("add", "remove", "change", "move", "rename", "configure", "several")):
    kind = draw(st.sampled_from(kinds))
    item = draw(st.sampled_from(world.items))
    dim = len(world.items[0].position)
    number = st.floats(-2, 2, allow_subnormal=False)
    if kind == "add":
        state = (("position", draw(st.tuples(*[number] * dim))),)
        new = Description("particle", "new", (), (("mass", draw(st.floats(0.1, 3))),), state)
        force = Description("drag", "slows", ("new",), (("coefficient", 2.0),))
        return Add((new, force))
    if kind == "remove":
        return Remove((item.name,))
    if kind == "change":
        numeric = [n for n, v in item.values.items() if isinstance(v, float) or n in ("is_on", "is_fixed")]
        if not numeric:
            return Several(())
        name = draw(st.sampled_from(numeric))
        value = draw(st.booleans()) if name.startswith("is_") else draw(st.floats(0.1, 3))
        return Change(item.name, name, value)
    if kind == "move":
        item = draw(st.sampled_from([i for i in world.items if i.type.family == "object"]))
        return Move(
            item.name,
            (("position", draw(st.tuples(*[number] * dim))), ("velocity", draw(st.tuples(*[number] * dim)))),
        )
    if kind == "rename":
        return Rename(item.name, "another name")
    if kind == "configure":
        return draw(
            st.sampled_from(
                [Configure("max_step", 5e-4), Configure("method", "runge_kutta"), Configure("order", 1)]
            )
        )
    first = draw(edits(world, kinds=("add", "change", "move", "configure")))
    second = draw(edits(world, kinds=("remove", "rename", "configure")))
    return Several((first, second))


@settings(max_examples=60)
@given(st.data())
def test_an_edit_and_its_inverse_leave_the_world_as_it_was(data):
    world = data.draw(worlds())
    before, items = content(world), world.items
    edit = data.draw(edits(world))
    inverse = world.apply(edit)
    world.apply(inverse)
    assert content(world) == before
    assert all(a is b for a, b in zip(world.items, items, strict=True))


@settings(max_examples=60)
@given(st.data())
def test_undo_and_redo_travel_between_the_same_two_worlds(data):
    world = data.draw(worlds())
    before, time = content(world), world.time
    world.apply(data.draw(edits(world)))
    world.run(0.01)
    after, later = content(world), world.time
    assert world.undo()
    assert (content(world), world.time) == (before, time)
    assert world.redo()
    assert (content(world), world.time) == (after, later)
    assert world.undo()
    assert (content(world), world.time) == (before, time)


@settings(max_examples=40)
@given(st.data())
def test_the_inverse_of_an_inverse_is_the_edit(data):
    world = data.draw(worlds())
    back = world.apply(data.draw(edits(world)))
    after = content(world)
    forth = world.apply(back)
    world.apply(forth)
    assert content(world) == after


@pytest.mark.parametrize(
    "edit",
    [
        Change("nail-1", "is_on", False),
        Change("nail-1", "tau", 0.1),
        Change("rod", "is_fixed", True),
        Change("rod", "length", 2.0),
        Change("gravity-1", "g", (0.0, 0.0, -1.0)),
        Change("gravity-1", "is_on", False),
        Remove(("rod",)),
        Remove(("nail-1",)),
        Rename("rod.end1", "tip"),
        Configure("order", 1),
        Several((Change("nail-1", "is_on", False), Change("rod", "is_fixed", True), Remove(("nail-1",)))),
    ],
    ids=str,
)
def test_an_edit_and_its_inverse_keep_a_constraint_on_its_way(edit):
    world, plain = unmet(), unmet()
    world.run(0.1)
    plain.run(0.1)
    before = content(world)
    assert any(before["constraints"][0]["memory"])
    world.apply(world.apply(edit))
    assert content(world) == before
    world.run(0.2)
    plain.run(0.2)
    assert bits(world) == bits(plain)


def test_undo_forgets_an_approach_that_began_later():
    world = unmet()
    text = world.to_json()
    world.apply(Rename("rod", "stick"))
    world.run(0.1)
    world.undo()
    assert world.to_json() == text


def test_an_object_whose_parts_are_joined_to_each_other_can_be_fixed_and_freed():
    world = World()
    body = world.add(td.RigidBody("body"))
    a, b = td.point(body, at=(1, 0, 0)), td.point(body, at=(0, 1, 0))
    world.add(
        td.spring(a, td.between(b, td.Nail(0, 0, 1)), stiffness=3.0, name="first"),
        td.spring(b, a, name="second"),
    )
    world.run(0.05)
    before = content(world)
    body.is_fixed = True
    world.run(0.05)
    body.is_fixed = False
    world.undo()
    world.undo()
    assert content(world) == before
    assert world.run(0.05)


def test_a_change_that_what_is_plugged_in_cannot_bear_is_refused_whole():
    world = World()
    bead = world.add(td.Particle("bead", position=(1.0, 0.0, 0.0)))
    hook = td.Nail(0, 0, 0, name="hook")
    world.add(td.distance(bead, hook, length=1.0), td.gravity())
    world.run(0.05)
    before = content(world)
    with pytest.raises(
        ValueError, match=r"at of place 'hook' must have 3 numbers as it had, since it is in a world, not 2"
    ):
        hook.at = (0.0, 0.0)
    assert content(world) == before
    assert world.run(0.1)
    assert world["distance-1"].gap < 1e-7


# --- what an edit keeps --------------------------------------------------------------------------
@pytest.mark.parametrize(
    "edit",
    [
        Add((Description("particle", "new", (), (), (("position", (9.0, 9.0)),)),)),
        Remove(("jelly",)),
        Change("bead", "mass", 3.0),
        Change("spring-1", "stiffness", 1.0),
        Change("distance-1", "is_on", False),
        Change("jelly", "is_fixed", True),
        Move("jelly", (("position", (1.0, 1.0)),)),
        Rename("bead", "pearl"),
        Configure("method", "runge_kutta"),
        Several((Change("bead", "mass", 3.0), Remove(("spring-1",)))),
    ],
    ids=lambda e: type(e).__name__,
)
def test_an_edit_keeps_time_and_the_state_of_everything_else_to_the_bit(edit):
    world = plane()
    world.run(0.2)
    before, time = bits(world, "jelly", "bead", "pearl"), world.time
    pearl = bits(world)["bead"]
    world.apply(edit)
    world.engine.ready()
    assert world.time == time
    after = bits(world)
    assert {k: after[k] for k in before} == before
    assert after.get("pearl", after.get("bead")) == pearl


def test_applying_an_inverse_keeps_the_present_state_and_undo_does_not():
    world = chain(3)
    world.run(0.1)
    early = bits(world)
    inverse = world.apply(Change("rod0", "mass", 5.0))
    world.run(0.1)
    late, time = bits(world), world.time
    world.apply(inverse)
    assert world["rod0"].mass == 1.0
    assert (bits(world), world.time) == (late, time)
    world.undo()
    assert world["rod0"].mass == 5.0
    assert (bits(world), world.time) == (late, time)
    world.undo()
    assert world["rod0"].mass == 1.0
    assert bits(world) == early
    assert world.time == pytest.approx(0.1)


def test_the_run_after_an_undo_is_the_run_without_the_edit():
    plain, edited = chain(3), chain(3)
    plain.run(0.1)
    edited.run(0.1)
    edited["rod1"].mass = 4.0
    edited.run(0.3)
    edited.undo()
    plain.run(0.3)
    edited.run(0.3)
    assert bits(edited) == bits(plain)


def test_the_run_after_an_undone_removal_is_the_run_without_it():
    plain, edited = chain(4), chain(4)
    plain.run(0.1)
    edited.run(0.1)
    edited.remove("rod1")
    edited.run(0.3)
    edited.undo()
    plain.run(0.3)
    edited.run(0.3)
    assert bits(edited) == bits(plain)


def test_a_new_edit_forgets_what_could_be_redone():
    world = chain(2)
    world["rod0"].mass = 2.0
    world.undo()
    world["rod1"].mass = 3.0
    assert not world.redo()


# --- parameters ----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("name", "parameter", "value"),
    [
        ("bead", "mass", 2.0),
        ("spring-1", "stiffness", 300.0),
        ("spring-1", "length", 0.1),
        ("distance-1", "length", 1.1),
        ("gravity-1", "g", (3.0, 0.0)),
        ("point-1", "at", (0.6, 0.0)),
        ("motor-1", "speed", -20.0),
    ],
)
def test_a_parameter_changes_without_a_new_index_and_takes_effect(name, parameter, value):
    world, plain = plane(), plane()
    world.run(0.1)
    plain.run(0.1)
    rebuilds = world.engine.rebuilds
    setattr(world[name], parameter, value)
    assert getattr(world[name], parameter) == value
    world.run(0.1)
    plain.run(0.1)
    assert world.engine.rebuilds == rebuilds
    assert bits(world) != bits(plain)


def test_the_length_of_a_rod_moves_its_ends():
    world = World()
    rod = world.add(td.Rod("rod"))
    world.add(td.spring(rod.end2, td.Nail(3, 0, 0), stiffness=1.0))
    world.run(0.01)
    rebuilds = world.engine.rebuilds
    rod.length = 2.0
    assert rod.end2.value == pytest.approx([1.0, 0, 0], abs=1e-3)
    assert world.engine.rebuilds == rebuilds


def test_an_end_that_was_moved_by_hand_stays_when_the_rod_grows():
    world = World()
    rod = world.add(td.Rod("rod"))
    world.add(td.drag(rod.end1), td.drag(rod.end2))
    rod.end2.at = (0.4, 0.0, 0.0)
    before = content(world)
    inverse = world.apply(Change("rod", "length", 2.0))
    assert (rod.end1.at, rod.end2.at) == ((-1.0, 0.0, 0.0), (0.4, 0.0, 0.0))
    world.apply(inverse)
    assert content(world) == before


def test_a_moved_body_is_where_it_was_put_at_once():
    world = loop(4)
    world.run(0.05)
    world["rod1"].position = (5.0, 5.0, 5.0)
    assert world["rod1"].position == (5.0, 5.0, 5.0)
    assert world["rod1"].end1.value == pytest.approx(np.array([5.0, 5.0, 5.0]), abs=0.51)


@pytest.mark.parametrize("parameter", ["is_on", "tau"])
def test_switching_a_constraint_off_lets_go_and_on_again_pulls_back(parameter):
    world = chain(2)
    joint = world["connect-2"]
    joint.is_on = False
    world.run(0.3)
    open_by = np.linalg.norm(np.subtract(world["rod0"].end2.value, world["rod1"].end1.value))
    assert open_by > 0.1
    joint.is_on = True
    if parameter == "tau":
        joint.tau = 0.02
    world.run(2.0 if parameter == "is_on" else 0.5)
    assert joint.gap < 1e-6


# --- removing ------------------------------------------------------------------------------------
def test_removing_an_object_takes_its_dependents_along_and_undo_revives_the_very_same_handles():
    world = chain(3)
    world.run(0.05)
    rod, end, joint = world["rod1"], world["rod1"].end1, world["connect-2"]
    others = {i.name for i in world.items}
    inverse = world.remove(rod)
    gone = others - {i.name for i in world.items}
    # with what is plugged into it, and the neighbours' ends that had come along with the joints
    assert gone == {"rod1", "rod1.end1", "rod1.end2", "connect-2", "connect-3", "rod0.end2", "rod2.end1"}
    assert {d.name for d in inverse.items} == gone
    world.run(0.05)
    world.undo()
    assert world["rod1"] is rod and world["connect-2"] is joint and rod.end1 is end
    assert rod.mass == 1.0
    rod.mass = 2.0
    world.run(0.05)
    assert joint.gap < 1e-6


def test_handles_come_back_even_when_nobody_held_them():
    world = chain(3)
    before = content(world)
    world.remove("rod1")
    gc.collect()
    world.undo()
    assert content(world) == before
    world["rod1"].length = 2.0
    assert world["rod1"].end2.at == (1.0, 0.0, 0.0)
    assert world["rod1"].end2 is world["rod1.end2"]


def test_the_order_of_items_comes_back_with_a_removed_one():
    world = plane()
    names = [i.name for i in world.items]
    world.remove("bead")
    world.remove("body")
    world.undo()
    world.undo()
    assert [i.name for i in world.items] == names


def test_an_edit_that_fails_half_way_changes_nothing():
    world = chain(2)
    world.run(0.05)
    before = content(world)
    good, bad = Change("rod0", "mass", 2.0), Change("rod1", "mass", -1.0)
    with pytest.raises(ValueError, match="mass of rod 'rod1' must be positive"):
        world.apply(Several((good, Remove(("connect-2",)), Rename("rod0", "top"), bad)))
    assert content(world) == before
    new = Description("particle", "new")
    with pytest.raises(ValueError, match="drag 'slows' refers to 'nothing', which is not in this world"):
        world.apply(Add((new, Description("drag", "slows", ("nothing",)))))
    assert content(world) == before
    with pytest.raises(ValueError, match="mass"):
        world.apply(Move("rod0", (("position", (1, 2, 3)), ("mass", 2.0))))
    assert content(world) == before


# --- names and handles ---------------------------------------------------------------------------
def test_items_are_found_by_name_and_by_nothing_else():
    world = chain(2)
    assert world["rod0"].name == "rod0"
    assert "rod0" in world and world["rod0"] in world and "rod9" not in world
    with pytest.raises(KeyError, match="there is no 'rod9' in this world"):
        world["rod9"]


def test_unnamed_items_get_free_names():
    world = World()
    world.add(td.Particle("particle-2"))
    a, b = world.add(td.Particle(), td.Particle())
    assert (a.name, b.name) == ("particle-1", "particle-3")


def test_a_renamed_item_keeps_its_place_and_its_users():
    world = chain(2)
    world.run(0.05)
    order = [i.name for i in world.items]
    world.apply(Rename("rod0", "top"))
    # rod0.end1 goes with its rod
    assert [i.name for i in world.items] == [n.replace("rod0", "top") for n in order]
    assert json.loads(world.to_json())["connectors"][0]["on"] == ["top"]
    with pytest.raises(KeyError):
        world["rod0"]
    world.run(0.05)
    assert world["connect-1"].gap < 1e-6


def test_an_edit_of_one_world_means_the_same_in_another():
    """Edits are values: a log of them can be replayed where the same keys mean other items."""
    world, other = chain(3), chain(3)
    other.add(td.Particle("extra"))
    other.remove("extra")
    other.add(td.Particle("late", position=(7.0, 7.0, 7.0)))
    add = world.remove("rod1")
    other.remove("rod1")
    kept = content(other)
    fresh = World()
    fresh.add(td.Particle("only", position=(1.0, 2.0, 3.0)))
    with pytest.raises(ValueError, match="rod0"):
        fresh.apply(add)
    assert [i.name for i in fresh.items] == ["only"]
    assert fresh["only"].position == (1.0, 2.0, 3.0)
    other.apply(Add((Description("particle", "free", key=other["late"].key),)))
    assert other["late"].position == (7.0, 7.0, 7.0)
    assert other["free"] is not other["late"]
    other.remove("free")
    assert content(other) == kept


@pytest.mark.parametrize("name", WORLDS)
@pytest.mark.filterwarnings("ignore:.*Runge–Kutta with projection")
def test_every_item_of_every_world_can_be_removed_and_brought_back(name):
    world = WORLDS[name]()
    world.run(0.02)
    before = content(world)
    for item in world.items:
        world.remove(item)
        world.engine.ready()
        world.undo()
        assert content(world) == before, item
    world.run(0.01)


def test_a_place_of_a_rod_outlives_the_joint_that_brought_it():
    world = td.World()
    rod = world.add(td.Rod("rod"))
    world.add(td.connect(rod.end1, td.Nail(0, 0, 0), name="joint"))
    world.undo()
    assert "joint" not in world
    assert rod.end1.value == pytest.approx((-0.5, 0, 0))  # read again, so adopted, which is no edit
    world.redo()
    assert "joint" in world and world["joint"].inputs[0].name == "rod.end1"
    world.undo()
    world.add(td.connect(rod.end1, td.Nail(0, 0, 1), name="other"))
    world.step(0.01)
    assert world["other"].gap > 0


def test_joints_that_come_and_go_leave_nothing_behind():
    world = chain(3)
    nail = td.Nail(0.5, 0.5, 0.5)
    before = [i.name for i in world.items]
    for _ in range(50):
        world.remove(world.add(td.connect(world["rod2"].end2, nail)))  # the same nail, free again each time
        world.step(0.001)
    assert [i.name for i in world.items] == before
    assert len(world.contents._users) <= len(before) and len(world.contents._gone) < 60


def test_an_inverse_does_not_mistake_another_item_for_its_own():
    world = td.World()
    rod = world.add(td.Rod("rod"))
    inverse = world.apply(Change("rod", "mass", 3.0))
    world.remove(rod)
    other = world.add(td.Rod("rod", mass=7.0))
    with pytest.raises(ReferenceError, match="was deleted"):
        world.apply(inverse)
    assert other.mass == 7.0


def test_what_is_called_after_an_item_is_renamed_with_it():
    """A screw's own turn, what stands on it, and the stops at the ends of a curve; undo restores all
    names."""
    world = World()
    body = world.add(td.RigidBody("body"))
    screw = world.add(td.join(td.screw, None, body, at=(0.0, 0.0, 0.0), pitch=0.2, name="s"))
    world.add(
        td.at_least(screw.turn, low=-1.0, name="s.turn.low"), td.at_most(screw.slide, high=1.0, name="other")
    )
    world.at(1.0, Change("s.turn.low", "low", -2.0))
    before, text = [i.name for i in world.items], world.to_json()
    world.apply(Rename("s", "screw"))
    after = [n if n.split(".")[0] != "s" else "screw" + n[1:] for n in before]
    assert [i.name for i in world.items] == after and {"screw.turn", "screw.turn.low", "screw.slide"} <= set(
        after
    )
    assert world.timeline[0].what.name == "screw.turn.low" and screw.turn is world["screw.turn"]
    world.undo()
    assert [i.name for i in world.items] == before and world.to_json() == text
    world.redo()
    assert [i.name for i in world.items] == after


def test_a_rename_taken_back_leaves_what_was_called_after_the_new_name_before():
    world = World()
    p = world.add(td.Particle("p", position=(0.0, 0.0)))
    world.add(td.nail(p, at=(0.0, 0.0), name="q.nail"), td.pull(p, by=(1.0, 0.0), name="p.pull"))
    inverse = world.apply(Rename("p", "q"))
    assert {i.name for i in world.items} == {"q", "q.nail", "q.pull"}
    world.apply(inverse)
    assert {i.name for i in world.items} == {"p", "q.nail", "p.pull"}
