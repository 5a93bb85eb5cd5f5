"""Sleep: islands at rest stand still to the bit, wake where something reaches them, and alone."""

import numpy as np
import pytest

import tinkerdyne as td
from tests.contact.kinds import turn

STEP = 1 / 240


def towers(n=3, *, seed=0, **rule):
    """Towers of three boxes a metre apart, each an island; sizes and turns differ."""
    random = np.random.default_rng(seed)
    world = td.World(max_step=STEP)
    world.add(td.gravity(), td.contact(**rule), td.Floor("floor"))
    for t in range(n):
        z = 0.0
        for k in range(3):
            a, b, c = random.uniform(0.2, 0.4, 3)
            turn = random.uniform(0, np.pi)
            where = {"position": (t, 0.0, z + c / 2), "orientation": (np.cos(turn), 0, 0, np.sin(turn))}
            world.add(td.Box(f"{'abcdefg'[t]}{k}", size=(a, b, c), mass=1.0, **where))
            z += c
    return world


def sleepers(world):
    """The towers that sleep, each as a whole."""
    names = {body.name for body in world.asleep}
    found = {name[0] for name in names}
    assert all({f"{t}{k}" for k in range(3)} <= names for t in found), names
    return found


def bytes_of(world, names):
    bodies = [world[name] for name in names]
    return [np.array([*b.position, *b.orientation, *b.velocity, *b.spin]).tobytes() for b in bodies]


def test_islands_at_rest_sleep_after_half_a_second_and_do_not_move_at_all():
    world = towers(seed=5)
    world.run(0.45)
    assert world.asleep == ()
    world.run(0.6)
    assert sleepers(world) == {"a", "b", "c"}
    names = [f"{t}{k}" for t in "abc" for k in range(3)]
    assert all(x == 0 for name in names for x in (*world[name].velocity, *world[name].spin))
    before = bytes_of(world, names)
    result = world.run(2.0)
    assert result.status == td.Status.DONE and world.time == pytest.approx(3.05)
    assert bytes_of(world, names) == before


def push(world):
    world["b1"].velocity = (0.0, 0.0, 0.1)


def lift(world):
    world["b2"].position = tuple(np.add(world["b2"].position, (0, 0, 0.01)))


def load(world):
    world["b2"].mass = 5.0


def grease(world):
    world.add(td.material(world["b0"], friction=0.1))


def pull(world):
    world.add(td.pull(world["b2"].top, by=(0.0, 0.0, 0.1)))


def take_out(world):
    world.remove(world["b1"])


def pass_through(world):
    world.add(td.ignore(world["b0"], world["b1"]))


def nail(world):
    world.add(td.nail(world["b2"].centre, at=world["b2"].position))


def throw(world):
    world.add(td.Sphere("ball", radius=0.05, mass=0.1, position=(1, 0.5, 0.1), velocity=(0, -6, 0)))


def event(world):
    world.at(world.time + STEP, td.Change("b0", "mass", 2.0))


def hand(world):
    world.grab(world["b2"]).move((1.0, 0.1, 1.0))


def hard_hand(world):
    world.grab(world["b2"], hard=True).move(tuple(np.add(world["b2"].position, (0, 0, 0.01))))


REACHES = (push, lift, load, grease, pull, take_out, pass_through, nail, throw, event, hand, hard_hand)


@pytest.mark.parametrize("reach", REACHES, ids=lambda reach: reach.__name__)
def test_what_reaches_an_island_wakes_it_and_only_it(reach):
    world = towers(seed=8)
    world.run(1.0)
    others = [f"{t}{k}" for t in "ac" for k in range(3)]
    before = bytes_of(world, others)
    reach(world)
    assert bytes_of(world, others) == before
    world.run(0.1)
    assert not {"b0", "b1", "b2"} & {body.name for body in world.asleep}
    assert sleepers(world) == {"a", "c"} and bytes_of(world, others) == before


@pytest.mark.parametrize("what", ["gravity", "friction", "floor", "may_sleep"])
def test_what_concerns_all_wakes_all(what):
    world = towers(seed=9)
    world.run(1.0)
    rules = {item.type.name: item for item in world}
    if what == "gravity":
        rules["gravity"].g = (0.0, 0.0, -5.0)
    elif what == "friction":
        rules["contact"].friction = 0.4
    elif what == "floor":
        world["floor"].position = (0.0, 0.0, -0.01)
    else:
        rules["contact"].may_sleep = False
    world.run(STEP)
    assert world.asleep == ()
    world.run(1.5)
    assert bool(world.asleep) == (what != "may_sleep")
    if what == "floor":
        assert world["a0"].position[2] == pytest.approx(world["a0"].size[2] / 2 - 0.01, abs=1e-6)


def test_who_may_not_sleep_stays_awake():
    world = towers(may_sleep=False)
    world.run(1.0)
    assert world.asleep == () and world.kinetic_energy < 1e-12


@pytest.mark.parametrize("while_", ["sleeping", "waking"])
def test_undo_and_files_keep_sleep_with_the_same_bytes(tmp_path, while_):
    names = [f"{t}{k}" for t in "abc" for k in range(3)]

    def rest():
        world = towers(seed=11)
        world.run(0.55 if while_ == "waking" else 1.0)
        if while_ == "waking":
            push(world)
            world.run(0.1)
        return world

    world = rest()
    asleep = {body.name for body in world.asleep}
    world.save(tmp_path / "towers.json")
    lift(world)
    world.run(0.2)
    world.undo()
    assert {body.name for body in world.asleep} == asleep
    loaded, fresh = td.World.load(tmp_path / "towers.json"), rest()
    assert {body.name for body in loaded.asleep} == asleep
    for one in (world, loaded, fresh):
        one.run(0.6)
    assert bytes_of(world, names) == bytes_of(loaded, names) == bytes_of(fresh, names)
    assert {b.name for b in world.asleep} == {b.name for b in loaded.asleep} == {b.name for b in fresh.asleep}


def test_what_drifts_slowly_or_swings_freely_does_not_sleep():
    world = td.World(max_step=STEP)
    drift = 1e-7
    pair = [td.Box(size=(0.2, 0.2, 0.2), position=(0.2 * k, 0, 1), velocity=(0, drift, 0)) for k in range(2)]
    world.add(td.contact(), *pair)
    world.run(2.0)
    assert world.asleep == () and pair[0].position[1] == pytest.approx(2 * drift, rel=1e-6)


def test_a_force_that_grows_with_time_wakes_and_moves():
    world = towers(1)
    weak, strong = (0.0, 0.0, 0.0), (12.0, 0.0, 0.0)
    world.add(td.pull(world["a2"].centre, by=weak, name="wind"))
    world.run(1.0)
    assert sleepers(world) == {"a"}
    world["wind"].by = strong
    world.run(0.5)
    assert world["a2"].position[0] > 0.1


def heaps(may_sleep):
    """Heaps of boxes that have fallen on each other, and stand."""
    random, world = np.random.default_rng(21), td.World(max_step=STEP)
    world.add(td.gravity(), td.contact(may_sleep=may_sleep), td.Floor("floor"))
    for heap in range(4):
        for k in range(5):
            place = (2.0 * heap + 0.05 * random.normal(), 0.03 * random.normal(), 0.2 + 0.25 * k)
            size = tuple(random.uniform(0.1, 0.2, 3))
            world.add(td.Box(f"{'abcd'[heap]}{k}", size=size, density=1000.0, position=place))
    world.run(2.5)
    return world


EDITS = {
    "load": load,
    "take out": take_out,
    "add": lambda world: world.add(td.Box("new", size=(0.1, 0.1, 0.1), position=(2, 0, 2), density=1000.0)),
    "undo and lift": lambda world: (lift(world), world.undo(), lift(world)),
}


@pytest.mark.parametrize("may_sleep", [True, False])
def test_an_edit_leaves_all_other_islands_the_same_bytes(may_sleep):
    """Awake ones too: a step that is taken again for what comes down elsewhere leaves them as they are."""
    plain = heaps(may_sleep)
    standing = [body.name for body in plain.asleep] if may_sleep else [f"c{k}" for k in range(5)]
    names = [name for name in standing if name[0] != "b"]
    assert len(names) >= 5
    at_once = bytes_of(plain, names)
    plain.run(0.5)
    for edit in EDITS.values():
        world = heaps(may_sleep)
        edit(world)
        assert bytes_of(world, names) == at_once
        world.run(0.5)
        assert bytes_of(world, names) == bytes_of(plain, names)


@pytest.mark.parametrize("seed", range(4))
def test_parting_what_overlaps_leaves_all_others_the_same_bytes(seed):
    """A displacement by nothing rounds."""
    after = []
    for depth in (0.0, 0.01):
        random, world = np.random.default_rng([seed, 22]), td.World(max_step=STEP)
        world.add(td.contact(), td.Box("low"), td.Box("high", position=(0, 0, 1 - depth)))
        for k in range(5):
            y, z = random.normal(0, 1, 2)
            one = td.Sphere(f"a{k}", position=(3.0 + 3 * k, y, z), orientation=turn(random))
            other = td.Sphere(f"b{k}", position=(3.0 + 3 * k, y, z + 1), orientation=turn(random))
            other.velocity = (*random.normal(0, 1e-10, 2), -random.uniform(0, 1e-9))
            world.add(one, other)
        world.run(20 * STEP)
        after.append(bytes_of(world, [f"{c}{k}" for c in "ab" for k in range(5)]))
    assert after[0] == after[1]


def awake_heaps(seed):
    """Four heaps of five boxes that stand, two metres apart."""
    random, world = np.random.default_rng(seed), td.World(max_step=1 / 240)
    world.add(td.gravity(), td.contact(may_sleep=False), td.Floor())
    for heap, k in np.ndindex(4, 5):
        place = (2.0 * heap + 0.05 * random.normal(), 0.0, 0.2 + 0.25 * k)
        size = tuple(random.uniform(0.1, 0.2, 3))
        world.add(td.Box(f"h{heap}b{k}", size=size, density=1000.0, position=place))
    world.run(2.0)
    return world


@pytest.mark.parametrize("seed", range(3))
def test_what_comes_down_on_one_heap_leaves_the_last_digits_of_the_others(seed):
    """The step in which it lands is taken again: the others were rounded once more."""
    plain, world = awake_heaps(seed), awake_heaps(seed)
    names = [f"h{heap}b{k}" for heap in (0, 2, 3) for k in range(5)]
    world.add(td.Box("new", size=(0.1, 0.15, 0.12), position=(2.0, 0, 1.6), orientation=(0.8, 0.6, 0, 0)))
    for _ in range(8):
        plain.run(0.1)
        world.run(0.1)
        assert bytes_of(world, names) == bytes_of(plain, names)
    assert world.engine.contacts.arena.head.retakes > 0
