"""Recordings: a run as arrays, equal to what reading the world moment by moment would give."""

import csv
import math

import numpy as np
import pytest

import tinkerdyne as td
from tests.world.worlds import chain, first_order, formulas, plane
from tinkerdyne import World, gallery


def bits(world: World) -> list[bytes]:
    return [a.tobytes() for i in world.items if i.type.family == "object" for a in world.engine.state(i)]


@pytest.mark.parametrize("method", ["rattle", "energy_momentum", "runge_kutta", "lsoda"])
def test_a_recorded_run_is_the_run_that_reading_along_the_way_gives(method):
    world, other = plane(), plane()
    world.configure(method=method)
    other.configure(method=method)
    run = world.record(0.2, every=0.05)
    seen = {"time": [], "energy": [], "bead": [], "force": [], "gap": []}

    def look(w: World) -> None:
        seen["time"].append(w.time)
        seen["energy"].append((w.kinetic_energy, w.potential_energy))
        seen["bead"].append((*w["bead"].position, *w["bead"].velocity))
        seen["force"].append(w["distance-1"].force)
        seen["gap"].append(w["distance-1"].gap)

    look(other)
    other.run(0.2, dt=0.05, each=look)
    assert bits(world) == bits(other)
    assert run.time.tolist() == seen["time"]
    assert np.stack([run.kinetic_energy, run.potential_energy], 1).tolist() == [
        list(e) for e in seen["energy"]
    ]
    assert np.hstack([run["bead.position"], run["bead.velocity"]]).tolist() == [list(b) for b in seen["bead"]]
    assert run["distance-1.force"] == pytest.approx(np.array(seen["force"]), rel=1e-12)
    assert run["distance-1.gap"] == pytest.approx(np.array(seen["gap"]), rel=1e-12)
    assert run.is_complete


def test_a_hanging_weight_pulls_on_its_nail_with_its_weight():
    world = World()
    bob = world.add(td.Particle("bob", position=(0.0, 0.0, -1.0), mass=2.0))
    world.add(td.nail(bob, at=(0.0, 0.0, -1.0)), td.gravity())
    run = world.record(0.1, every=0.02)
    assert run["nail-1.force"][:, 2] == pytest.approx(np.full(6, 2 * 9.81), rel=1e-9)
    assert run["nail-1.gap"].max() < 1e-9
    assert run.potential_energy == pytest.approx(np.full(6, -2 * 9.81), rel=1e-9)


def test_dense_output_agrees_with_stopping_at_every_moment():
    dense, stopping = (
        chain(2, method="adaptive", rtol=1e-10, atol=1e-12),
        chain(2, method="adaptive", rtol=1e-10, atol=1e-12),
    )
    run = dense.record(0.5, every=0.02)
    places = [stopping["rod1"].position]
    stopping.run(0.5, dt=0.02, each=lambda w: places.append(w["rod1"].position))
    assert run.time == pytest.approx(np.arange(26) * 0.02, abs=1e-12)
    assert run["rod1.position"] == pytest.approx(np.array(places), abs=1e-7)
    assert np.ptp(run.kinetic_energy + run.potential_energy) < 1e-6
    plain = chain(2, method="adaptive", rtol=1e-10, atol=1e-12)
    plain.run(0.5)
    assert dense.time == plain.time
    assert dense["rod1"].position == pytest.approx(plain["rod1"].position, abs=1e-12)


def test_chosen_items_of_every_family_are_recorded_and_no_others():
    world = formulas()
    spring = next(i for i in world.items if i.type.name == "spring")
    run = world.record(0.1, every=0.05, of=[world["size"], world["path"], spring, world["x"], world["a"]])
    names = [
        "size.value",
        "size.velocity",
        "path.force",
        "path.gap",
        f"{spring.name}.energy",
        f"{spring.name}.power",
    ]
    names += ["x.value", "x.rate", "a.position", "a.velocity"]
    assert list(run) == ["time", "kinetic_energy", "potential_energy", *names]
    assert len(run) == len(names) + 3
    assert run["size.value"].shape == run["x.value"].shape == run["time"].shape == (3,)
    assert run["a.position"].shape == run["path.force"].shape == (3, 3)
    assert run["size.value"][-1] == world["size"].value[0]
    with pytest.raises(KeyError, match=r"nothing called 'b\.position' was recorded; there are time"):
        run["b.position"]


def test_the_last_moment_is_the_end_of_the_run_even_off_the_beat():
    world = chain(1)
    run = world.record(0.1, every=0.03)
    assert run.time == pytest.approx([0.0, 0.03, 0.06, 0.09, 0.1], abs=1e-12)
    again = world.record(0.06, every=0.03)
    assert again.time[0] == run.time[-1]
    assert again["rod0.position"][0].tolist() == run["rod0.position"][-1].tolist()
    assert world.record(0.0).time.tolist() == [world.time]


@pytest.mark.parametrize("method", ["rattle", "adaptive"])
@pytest.mark.parametrize("rest", [1e-12, 3e-10, 2e-9])
def test_a_rest_that_is_too_short_for_a_step_belongs_to_the_last_one(method, rest):
    world = World(method=method)
    ball = td.Particle("ball", velocity=(1.0, 0, 0))
    world.add(ball)
    # so it is stepped along
    world.apply(td.Plan((td.Event(0.25, td.Move("ball", (("velocity", (2.0, 0.0, 0.0)),))),)))
    run = world.record(0.5 + rest, every=0.1)
    assert (
        run.is_complete
        and len(run.time) == 6 + (rest > 1e-9)
        and run.time[-1] == pytest.approx(0.5 + rest, abs=2e-12)
    )


def test_first_order_worlds_and_switched_off_constraints_are_recorded():
    world = first_order()
    run = world.record(0.2, every=0.1)
    assert run["a.position"].shape == (3, 2)
    assert run["distance-1.gap"][0] == pytest.approx(math.hypot(2.0, 0.5) - 1.5)
    world["distance-1"].is_on = False
    assert "distance-1.gap" not in world.record(0.1)


@pytest.mark.parametrize("method", ["rattle", "runge_kutta", "adaptive"])
def test_a_run_that_stops_being_finite_is_kept_up_to_there(method):
    world = World(method=method)
    bead = world.add(td.Particle("bead", velocity=(1.0, 0.0, 0.0)))
    world.add(td.formula_force(bead, "1/sqrt(0.25 - t)", "0", "0"))
    run = world.record(1.0, every=0.1)
    assert not run.is_complete
    assert 3 <= len(run.time) <= 4
    assert run.time[-1] <= 0.25
    assert all(np.isfinite(run[name]).all() for name in run if name != "potential_energy")


def test_a_recording_can_be_undone_like_any_run():
    world = chain(2)
    world["rod0"].mass = 2.0
    world.record(0.1)
    world.undo()
    assert (world.time, world["rod0"].mass, world["rod0"].position) == (0.0, 1.0, (0.5, 0.0, 0.0))


def test_npz_and_csv_hold_every_number(tmp_path):
    world = chain(2)
    run = world.record(0.1, every=0.05)
    run.save(tmp_path / "run.npz")
    with np.load(tmp_path / "run.npz", allow_pickle=False) as found:
        assert list(found) == list(run)
        assert all(np.array_equal(found[name], run[name]) for name in run)
    run.save(tmp_path / "run.csv")
    with open(tmp_path / "run.csv", newline="") as file:
        head, *rows = csv.reader(file)
    assert head[:5] == ["time", "kinetic_energy", "potential_energy", "rod0.position[0]", "rod0.position[1]"]
    table = np.array(rows, float)
    assert table.shape == (3, sum(1 if run[n].ndim == 1 else run[n].shape[1] for n in run))
    assert np.array_equal(table[:, 3:6], run["rod0.position"])


def test_misuse_of_recordings_is_refused_in_words(tmp_path):
    world = chain(2)
    run = world.record(0.0)
    with pytest.raises(ValueError, match=r"a recording is saved as \.npz or \.csv, not as 'run\.txt'"):
        run.save("run.txt")
    for bad, says in (
        (-1, "seconds must not be negative"),
        (math.nan, "seconds must be a number"),
        ("1", "seconds must be a number"),
    ):
        with pytest.raises((TypeError, ValueError), match=says):
            world.record(bad)
    for bad in (0, -1, math.inf):
        with pytest.raises(ValueError, match="every must be"):
            world.record(0.1, every=bad)
    with pytest.raises(ValueError, match="are too many for one recording; record fewer items, or less often"):
        world.record(1e6, every=1e-4)
    with pytest.raises(TypeError, match="of takes a list of items"):
        world.record(0.1, of=world["rod0"])
    with pytest.raises(ValueError, match="gravity 'gravity-1' acts on every object"):
        world.record(0.1, of=[world["gravity-1"]])
    with pytest.raises(ValueError, match="particle 'p' is not in this world"):
        world.record(0.1, of=[td.Particle("p")])
    gone = world["rod1"]
    world.remove(gone)
    with pytest.raises(ReferenceError, match="rod 'rod1' was deleted"):
        world.record(0.1, of=[gone])
    assert world.time == 0.0


def test_apart_is_the_widest_gap_of_all_constraints():
    world = gallery.load("jansen").build()
    world.run(seconds=0.2)
    gaps = [np.abs(item.gap).max() for item in world.items if item.type.family == "constraint"]
    assert world.apart == max(gaps) < 1e-8
    world.add(td.nail(world["leg1.vxy"].corner1, at=(3.0, 0.0), name="far"))
    world.step(1e-3)
    assert world.apart == np.abs(world["far"].gap).max() > 0.1
