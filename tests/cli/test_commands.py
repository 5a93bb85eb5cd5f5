"""run, check, repl, bench, demo and --version: files, messages, exit codes, JSON."""

import csv
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import tinkerdyne as td
from tests.patience import HANG, hear_interrupts
from tinkerdyne import cli, export, files
from tinkerdyne.cli import look

ROOT = Path(__file__).parents[2]


def run(*arguments, typed=None):
    return CliRunner().invoke(cli.app, [str(a) for a in arguments], input=typed)


def process(*arguments, **options):
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "tinkerdyne", *map(str, arguments)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, env=environment, preexec_fn=hear_interrupts, **pipes, **options)


@pytest.fixture
def pendulum(tmp_path):
    """A rod on a nail, as a scene file."""
    world = td.World()
    rod = world.add(td.Rod("rod", position=(0.5, 0, 0)))
    world.add(td.nail(rod.end1, at=(0, 0, 0), name="hook"), td.gravity())
    world.save(tmp_path / "pendulum.json")
    return tmp_path / "pendulum.json"


# --- run -----------------------------------------------------------------------------------------
def read_csv(path):
    with open(path, newline="") as file:
        head, *rows = csv.reader(file)
    return dict(zip(head, np.array(rows, float).T, strict=True))


def read_npz(path):
    with np.load(path, allow_pickle=False) as found:
        return dict(found)


def read_parquet(path):
    import pyarrow.parquet

    found = pyarrow.parquet.read_table(path)
    return {name: found[name].to_numpy() for name in found.column_names}


@pytest.mark.parametrize(
    ("ending", "read"), [("csv", read_csv), ("npz", read_npz), ("parquet", read_parquet)]
)
def test_every_kind_of_table_holds_the_same_bits_of_the_same_columns(pendulum, tmp_path, ending, read):
    out = tmp_path / f"states.{ending}"
    found = run("run", pendulum, "--seconds", 0.5, "--every", 0.1, "--out", out)
    assert found.exit_code == 0, found.output
    assert f"wrote {out}" in found.stdout.replace("\n", "")
    columns = read(out)
    recording = td.World.load(pendulum).record(0.5, every=0.1)
    state = [f"rod.{part}.{k}" for part, parts in STATE.items() for k in parts]
    assert list(columns) == ["time", "energy", "kinetic_energy", "potential_energy", *state, *HOOK]
    assert np.array_equal(columns["time"], recording.time) and len(recording.time) == 6
    assert np.array_equal(columns["energy"], recording.kinetic_energy + recording.potential_energy)
    for part, parts in STATE.items():
        for k, name in enumerate(parts):
            assert np.array_equal(columns[f"rod.{part}.{name}"], recording[f"rod.{part}"][:, k])
    assert np.array_equal(columns["hook.force.2"], recording["hook.force"][:, 2])
    assert np.array_equal(columns["hook.gap"], recording["hook.gap"])


STATE = {"position": "xyz", "orientation": "wxyz", "velocity": "xyz", "spin": "xyz"}
HOOK = ["hook.force.0", "hook.force.1", "hook.force.2", "hook.gap"]


def bouncing():
    """A variable that meets a stop, and one that a motor brings up to speed."""
    world = td.World()
    x, y = world.add(td.Variable("x", value=0.05, rate=-1.0), td.Variable("y", rate=1.0))
    world.add(
        td.at_least(x, low=0.0, restitution=0.5, name="stop"), td.speed(y, at=(3.0,), tau=0.2, name="motor")
    )
    return world


def test_a_recorded_gap_is_what_the_constraint_says_it_is():
    """Also of a stop, which is passed or not, and of a constraint on velocities, which is open by ċ."""
    world, said = bouncing(), []
    world.run(0.1, dt=0.01, each=lambda w: said.append((w["stop"].gap, w["motor"].gap)))
    recording = bouncing().record(0.1, every=0.01)
    assert recording["motor.gap"][0] == pytest.approx(2.0)
    assert recording["stop.gap"].max() < 0.01  # an open stop has no gap, however far away
    np.testing.assert_allclose(
        np.stack([recording["stop.gap"], recording["motor.gap"]], 1)[1:], said, atol=1e-9
    )


def test_planar_worlds_have_two_coordinates_and_plain_angles():
    world = td.World()
    world.add(td.PlanarBody("plate"), td.Troid("blob"), td.Variable("u"))
    names = list(export.table(world.record(0)))
    assert {
        "plate.position.x",
        "plate.position.y",
        "plate.angle",
        "plate.spin",
        "blob.shape.3",
        "u.value",
    } <= set(names)
    assert "plate.position.z" not in names


def test_json_of_a_run_is_all_there_is_on_stdout(pendulum):
    found = process("run", pendulum, "--seconds", 0.25, "--json")
    out, err = found.communicate(timeout=HANG)
    assert found.returncode == 0 and err == ""
    told = json.loads(out)
    world = td.World.load(pendulum)
    world.record(0.25)
    assert told["time"] == world.time and told["complete"] is True and told["out"] is None
    assert told["state"]["rod"]["position"] == list(world["rod"].position)
    assert told["energy"]["last"] == pytest.approx(0.0, abs=1e-3)


def test_a_gallery_scene_runs_by_its_name_for_as_long_as_it_says(tmp_path):
    out = tmp_path / "fall.csv"
    assert run("run", "falling_ball", "--out", out).exit_code == 0
    columns = read_csv(out)
    assert columns["time"][-1] == pytest.approx(1.0)
    assert columns["dropped.position.z"][-1] == pytest.approx(5 - 9.81 / 2)
    assert run("run", ROOT / "scenes" / "falling_ball.py", "--seconds", 0.5, "--out", out).exit_code == 0
    assert read_csv(out)["time"][-1] == pytest.approx(0.5)


def test_what_cannot_be_written_is_refused_before_the_run(pendulum, tmp_path, monkeypatch):
    monkeypatch.setattr(td.World, "record", lambda *_, **__: pytest.fail("it ran"))
    found = run("run", pendulum, "--out", tmp_path / "states.xls")
    assert found.exit_code == 2 and "must end in .csv, .npz or .parquet" in found.stderr
    found = run("run", pendulum, "--out", tmp_path / "nowhere" / "states.csv")
    assert found.exit_code == 1 and "there is no folder" in found.stderr and "make it first" in found.stderr
    (tmp_path / "folder.csv").mkdir()
    found = run("run", pendulum, "--out", tmp_path / "folder.csv")
    assert found.exit_code == 1 and "this is a folder" in found.stderr
    monkeypatch.setattr(os, "access", lambda *_: False)
    found = run("run", pendulum, "--out", tmp_path / "states.csv")
    assert found.exit_code == 1 and "is read-only; choose another" in found.stderr
    monkeypatch.undo()
    monkeypatch.setattr(export.importlib.util, "find_spec", lambda _: None)
    found = run("run", pendulum, "--out", tmp_path / "states.parquet")
    assert found.exit_code == 1 and "pip install 'tinkerdyne[parquet]'" in found.stderr
    assert sorted(p.name for p in tmp_path.iterdir()) == ["folder.csv", "pendulum.json"]


def test_a_disk_that_fills_up_leaves_the_old_file(pendulum, tmp_path, monkeypatch):
    out = tmp_path / "states.csv"
    out.write_text("old")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, "fsync", full)
    found = run("run", pendulum, "--seconds", 0.1, "--out", out)
    assert found.exit_code == 1 and "No space left on device" in found.stderr
    assert out.read_text() == "old"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["pendulum.json", "states.csv"]


def test_an_interrupt_leaves_no_file_and_exits_with_130(tmp_path):
    (tmp_path / "long.py").write_text(
        '"""A ball falls for days."""\nimport sys\nfrom tinkerdyne import Particle, World, gravity\nIDS = '
        "()\nSECONDS = 5e5\n"
        'def build():\n    world = World()\n    world.add(Particle("ball"), gravity())\n'
        '    print("built", file=sys.stderr, flush=True)\n    return world\ndef check(world, recording):\n   '
        " yield 1\n"
    )
    found = process("run", tmp_path / "long.py", "--out", tmp_path / "states.csv")
    assert found.stderr.readline() == "built\n"
    found.send_signal(signal.SIGINT)
    try:
        _, err = found.communicate(timeout=HANG)
    finally:
        found.kill()
    assert found.returncode == 130
    assert err.strip() == "error: stopped; nothing was written"
    assert {p.name for p in tmp_path.iterdir()} - {"__pycache__"} == {"long.py"}


def stiff_scene(path):
    world = td.World()
    bob = world.add(td.Particle("bob", mass=1e-3, position=(1, 0, 0)))
    world.add(td.spring(td.Nail(0, 0, 0), bob, stiffness=1e9, name="coil"))
    world.save(path)


def test_run_and_check_say_that_a_scene_is_too_stiff_with_culprit_and_remedy(tmp_path):
    path = tmp_path / "stiff.json"
    stiff_scene(path)
    for command in ("run", "check"):
        found = run(command, path)
        assert found.exit_code == 1
        said = " ".join((found.stdout + found.stderr).split())
        assert "too stiff" in said and "bob, coil" in said and 'method="implicit"' in said
        assert "finite" not in said and "all gaps are closed" not in said
        found = run(command, path, "--json")
        report = json.loads(found.stdout)
        assert found.exit_code == 1 and report["status"] == "TOO_STIFF"
        assert report["culprits"] == ["bob", "coil"] and "implicit" in report["remedy"]
        assert report["accuracy"] is not None


def test_run_says_that_constraints_cannot_be_met(tmp_path):
    world = td.World()
    rod = world.add(td.Rod("rod"))
    world.add(td.nail(rod.end1, at=(0, 0, 0), name="left"), td.nail(rod.end2, at=(2, 0, 0), name="right"))
    world.save(tmp_path / "apart.json")
    found = run("run", tmp_path / "apart.json", "--seconds", 0.2)
    assert "cannot be met" in " ".join(found.stdout.split()) and "left, right" in found.stdout


def test_a_motion_that_stops_being_finite_is_kept_up_to_there_and_fails(tmp_path):
    world = td.World()
    ball = world.add(td.Particle("ball"))
    world.add(td.formula_force(ball, "1/sqrt(0.25 - t)", "0", "0"))
    world.save(tmp_path / "blow.json")
    found = run("run", tmp_path / "blow.json", "--out", tmp_path / "blow.csv", "--json")
    assert found.exit_code == 1
    assert "stopped being finite after t = 0.2" in found.stderr
    assert json.loads(found.stdout)["complete"] is False
    assert 0.2 < read_csv(tmp_path / "blow.csv")["time"][-1] <= 0.25


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (
            ("run", "compound_pendulm"),
            2,
            "there is no scene 'compound_pendulm'; did you mean 'compound_pendulum'?",
        ),
        (("check", "pendulm.json"), 2, "there is no file 'pendulm.json'; did you mean 'pendulum.json'?"),
        (("repl", "scenes/nothing.py"), 2, "there is no file 'scenes/nothing.py'"),
        (("run", "notes.txt"), 2, "'notes.txt' is no scene: a scene ends in .json or .py"),
        (("run", "pendulum.json", "--seconds", "-1"), 2, "--seconds must be a positive number, not -1"),
        (("run", "pendulum.json", "--seconds", "nan"), 2, "--seconds must be a positive number, not nan"),
        (("run", "pendulum.json", "--every", "0"), 2, "--every must be a positive number, not 0"),
        (("run", "pendulum.json", "--seconds", "1e9", "--every", "1e-4"), 1, "too many for one recording"),
        (("run", "broken.json"), 1, "broken.json: the scene is cut short at line 1, column 2"),
        (("run", "folder.json"), 1, "folder.json: a scene is a file, but this is a folder"),
        (("run", "pendulum.json", "--sconds", "1"), 2, "No such option"),
        (("run",), 2, "Missing argument"),
        (("demo", "--rods", "1"), 2, "--rods must be at least 2, not 1"),
    ],
)
def test_errors_are_one_line_without_a_traceback(pendulum, monkeypatch, arguments, code, says):
    folder = pendulum.parent
    monkeypatch.chdir(folder)
    (folder / "broken.json").write_text("{")
    (folder / "notes.txt").write_text("")
    (folder / "folder.json").mkdir()
    found = run(*arguments)
    assert found.exit_code == code, found.output
    assert says in found.stderr and found.stdout == ""
    assert "Traceback" not in found.stderr
    if "option" not in says and "argument" not in says:
        assert found.stderr.count("\n") == 1 and found.stderr.startswith("error: ")


def test_warnings_become_notes_on_stderr(tmp_path):
    world = td.World()
    ball = world.add(td.Particle("ball", position=(0, 0, 1)))
    world.add(td.nail(ball, at=(0, 0, 0), name="hook"))
    world.save(tmp_path / "open.json")
    found = run("run", tmp_path / "open.json", "--seconds", 0.1, "--json")
    assert found.exit_code == 0
    assert found.stderr.startswith("note: nail 'hook' is open by 1")
    json.loads(found.stdout)


# --- check ---------------------------------------------------------------------------------------
def test_check_counts_freedoms_and_finds_nothing_wrong(pendulum):
    found = run("check", pendulum)
    assert found.exit_code == 0
    assert "3 degrees of freedom; 3 constraint rows of rank 3" in found.stdout
    assert "nothing repeats or contradicts, and all gaps are closed" in found.stdout


def test_check_names_repetitions_contradictions_and_gaps(tmp_path):
    world = td.World()
    bob, far = world.add(td.Particle("bob", position=(0.0, -1.0)), td.Particle("far", position=(5.0, 0.0)))
    hook = td.Nail(0.0, 0.0)
    world.add(
        td.distance(hook, bob, length=1.0, name="rope"), td.distance(hook, bob, length=1.0, name="copy")
    )
    world.add(td.nail(far, at=(5.0, 2.0), tau=0.3, name="away"))
    world.save(tmp_path / "scene.json")
    found = run("check", tmp_path / "scene.json")
    assert found.exit_code == 0
    assert "rope, copy repeat each other: harmless" in found.stdout
    assert "away is open by 2: it closes with its tau of 0.3 s, or now by world.project()" in found.stdout
    world["copy"].length = 2.0
    world.save(tmp_path / "scene.json")
    found = run("check", tmp_path / "scene.json")
    assert found.exit_code == 1
    assert "rope, copy contradict each other: remove or switch off one" in found.stdout
    found = run("check", tmp_path / "scene.json", "--json")
    told = json.loads(found.stdout)
    assert found.exit_code == 1
    assert told["contradictory"] == [["rope", "copy"]] and told["redundant"] == []
    assert told["freedoms"] == 1 and told["gaps"]["away"] == pytest.approx(2.0)


# --- repl ----------------------------------------------------------------------------------------
def test_the_prompt_knows_the_world_its_items_and_all_public_names(pendulum):
    typed = (
        "world.step(0.5); print('energy', round(world.energy, 3))\n"
        "print('mass', rod.mass, hook.name, np.pi > 3, World is td.World)\n"
        "new = world.add(Particle('late', position=(0, 0, 7)))\n"
        "print('late', late.position)\n"
        "nothing\n"
    )
    found = process("repl", pendulum, stdin=subprocess.PIPE)
    out, err = found.communicate(typed, timeout=HANG)
    assert found.returncode == 0  # end of input is Ctrl-D
    assert "mass 1.0 hook True True" in out and "late (0.0, 0.0, 7.0)" in out
    assert "energy -0.0" in out or "energy 0.0" in out
    assert "NameError: name 'nothing' is not defined" in err and "pendulum.json: rod" in err


# --- the rest --------------------------------------------------------------------------------------
def test_bench_says_where_the_benchmarks_are_when_they_are_not_here(tmp_path, monkeypatch):
    monkeypatch.setattr(look, "ROOT", tmp_path)
    found = run("bench")
    assert found.exit_code == 1
    assert (
        "the benchmarks come with the source, not with the package; in a checkout: make bench" in found.stderr
    )


def test_bench_hands_its_family_on_and_gives_back_the_exit_code(monkeypatch):
    asked = []

    def call(command, **options):
        asked.append((command[1:], options["cwd"]))
        return subprocess.CompletedProcess(command, 2)

    monkeypatch.setattr(look.subprocess, "run", call)
    assert run("bench", "loop").exit_code == 2
    assert asked == [(["-m", "benchmarks", "loop"], ROOT)]


def test_the_version_and_the_demonstration():
    assert run("--version").stdout.startswith("tinkerdyne")
    found = run("demo", "--seconds", 0.2, "--rods", 4)
    assert found.exit_code == 0
    assert (
        "4 rods between two nails, 9 degrees of freedom" in found.stdout
        and "joint back: True" in found.stdout
    )


def test_help_documents_the_table_and_the_exit_codes():
    said = " ".join(run("run", "--help").stdout.replace("│", " ").split())
    assert "<name>.position.x" in said and "<name>.force.0" in said
    assert "Exit codes: 0 fine, 1 the scene or a claim failed, 2 wrong usage" in " ".join(
        run("--help").stdout.split()
    )
