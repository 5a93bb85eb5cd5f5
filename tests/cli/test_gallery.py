"""Claims, scene files and the gallery's commands."""

import json
import math
import shutil

import pytest
from typer.testing import CliRunner

import tinkerdyne as td
from tinkerdyne import gallery
from tinkerdyne.cli import app
from tinkerdyne.gallery import Claim

FALL = '''"""A ball falls."""
from tinkerdyne import Particle, World, gravity
from tinkerdyne.gallery import Claim

IDS = ("R10",)
SECONDS = 1.0
{more}

def build():
    world = World()
    world.add(Particle("ball"), gravity(g=(0, 0, -10)))
    return world

def check(world, recording):
    yield Claim.near("fallen", -recording["ball.position"][-1, 2], {wanted}, 1e-6, "m")
'''


def scene_file(folder, name="fall", *, wanted="5.0", more="", text=FALL):
    path = folder / f"{name}.py"
    path.write_text(text.format(wanted=wanted, more=more))
    return path


def run(*arguments):
    return CliRunner().invoke(app, [str(a) for a in arguments])


@pytest.mark.parametrize(
    ("claim", "holds", "says"),
    [
        (Claim("energy drift", 0.003, 0.1, "%"), True, "energy drift 0.003 % (wanted ≤ 0.1 %) holds"),
        (Claim("energy drift", -0.3, 0.1), False, "energy drift -0.3 (wanted ≤ 0.1) FAILS"),
        (Claim("gap", math.nan, 0.1, "m"), False, "gap nan m (wanted ≤ 0.1 m) FAILS"),
        (
            Claim.near("period", 2.0062, 2.006, 0.001, "s"),
            True,
            "period 2.0062 s (wanted 2.006 ± 0.001 s) holds",
        ),
        (Claim.near("period", 2.1, 2.006, 0.001, "s"), False, "period 2.1 s (wanted 2.006 ± 0.001 s) FAILS"),
        (Claim.near("rows", 7, 7, 0), True, "rows 7 (wanted 7 ± 0) holds"),
        (Claim.at_least("rows", 758, 758), True, "rows 758 (wanted ≥ 758) holds"),
        (Claim.at_least("rows", 757, 758), False, "rows 757 (wanted ≥ 758) FAILS"),
    ],
    ids=lambda x: str(x) if isinstance(x, Claim) else "",
)
def test_a_claim_holds_within_its_bounds_and_says_so(claim, holds, says):
    assert claim.holds is holds
    assert str(claim) == says


def test_a_broken_file_is_reported_beside_the_others_in_the_list(tmp_path, monkeypatch):
    scene_file(tmp_path, "right")
    (tmp_path / "wrong.py").write_text("1 +")
    monkeypatch.setattr(gallery, "folder", lambda: tmp_path)
    found = run("gallery")
    assert found.exit_code == 1
    assert "A ball falls." in found.stdout and "wrong.py, line 1: this is not Python" in found.stderr
    found = run("gallery", "run", "--all", "--json")
    assert found.exit_code == 1
    assert [(one["name"], one["holds"]) for one in json.loads(found.stdout)] == [
        ("right", True),
        ("wrong", False),
    ]


def test_the_list_shows_every_scene_with_its_title_and_rows(tmp_path, monkeypatch):
    for name in ("falling_ball", "deviation"):
        shutil.copy(gallery.folder() / f"{name}.py", tmp_path)
    monkeypatch.setattr(gallery, "folder", lambda: tmp_path)
    found = run("gallery")
    assert found.exit_code == 0
    assert "deviation" in found.stdout and "falling_ball" in found.stdout and "R10" in found.stdout
    told = json.loads(run("gallery", "--json").stdout)
    assert [one["name"] for one in told] == list(gallery.names())
    assert {"name": "falling_ball", "ids": ["R10"], "seconds": 1.0}.items() <= next(
        one for one in told if one["name"] == "falling_ball"
    ).items()


def test_a_scene_that_holds_exits_with_0_and_one_that_fails_with_1(tmp_path):
    right, wrong = scene_file(tmp_path, "right"), scene_file(tmp_path, "wrong", wanted="4.0")
    found = run("gallery", "run", right)
    assert found.exit_code == 0
    assert "fallen 5 m (wanted 5 ± 1e-06 m) holds" in found.stdout
    found = run("gallery", "run", right, wrong)
    assert found.exit_code == 1
    assert "fallen 5 m (wanted 4 ± 1e-06 m) FAILS" in found.stdout
    assert "1 of 2 failed: wrong" in found.stderr
    found = run("gallery", "run", right, wrong, "--json")
    assert found.exit_code == 1
    told = json.loads(found.stdout)
    assert [(one["name"], one["holds"]) for one in told] == [("right", True), ("wrong", False)]
    assert told[1]["claims"][0] == {
        "says": "fallen",
        "measured": pytest.approx(5.0),
        "bound": pytest.approx(4.000001),
        "least": pytest.approx(3.999999),
        "unit": "m",
        "holds": False,
    }


def test_a_scene_may_run_itself_and_joins_its_parts(tmp_path):
    more = """EVERY = 1 / 10
def run(world):
    from tinkerdyne.world.recording import joined
    first = world.record(0.5, every=EVERY)
    world["ball"].velocity = (0, 0, 0)
    world.add(Particle("late"))
    return joined([first, world.record(0.5, every=EVERY)])
"""
    scene = gallery.load(str(scene_file(tmp_path, wanted="2.5", more=more)))
    world, recording, claims = scene.run()
    assert claims[0].holds  # 1.25 m, twice
    assert recording.time == pytest.approx([0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0])
    late = recording["late.position"]
    assert math.isnan(late[5, 2]) and late[-1, 2] == pytest.approx(-1.25)
    assert world.time == pytest.approx(1.0)


def test_a_run_that_stops_being_finite_is_a_failed_claim(tmp_path):
    path = scene_file(tmp_path, more="from tinkerdyne import formula_force")
    force = 'world.add(formula_force(world["ball"], "1/sqrt(0.25 - t)", "0", "0"))'
    path.write_text(path.read_text().replace("    return world", f"    {force}\n    return world"))
    claims = gallery.load(str(path)).run()[2]
    assert len(claims) == 1 and not claims[0].holds
    assert "stopped being finite" in claims[0].says


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("def build():", "def built():"), "it has no build"),
        (("SECONDS = 1.0", "SECONDS = -1"), "SECONDS must be a positive number of seconds, not -1"),
        (("SECONDS = 1.0", "SECONDS = later()"), "SECONDS must be written out as a value"),
        (('"""A ball falls."""', ""), "its first line must be a docstring"),
        (('IDS = ("R10",)', 'IDS = "R10"'), "IDS must be the ids of rows of the mission"),
        (("def build():", "def build(:"), "line 9: this is not Python"),
        (("    world = World()", "    world = 1 / 0"), "line 10: ZeroDivisionError"),
        (("    return world", "    return 7"), "build() must return a World, not 7"),
        (("    yield", "    if False: yield"), "check(world, recording) must yield claims, not ()"),
        (("from tinkerdyne import Particle", "from tinkerdyne import Partical"), "line 2: ImportError"),
    ],
)
def test_a_broken_scene_is_refused_in_one_line_that_names_its_file(tmp_path, change, says):
    path = scene_file(tmp_path)
    path.write_text(path.read_text().replace(*change))
    found = run("gallery", "run", path)
    assert found.exit_code == 1
    assert "fall.py" in found.stderr and says in found.stderr
    assert "Traceback" not in found.output


def test_misuse_is_answered_with_exit_2_and_the_nearest_name(tmp_path):
    for arguments, says in (
        (("gallery", "run"), "name one or more scenes, or say --all"),
        (("gallery", "run", "deviation", "--all"), "name one or more scenes, or say --all"),
        (("gallery", "run", "falling_bal"), "there is no scene 'falling_bal'; did you mean 'falling_ball'?"),
        (("gallery", "run", "zzzz"), "there is no scene 'zzzz'; `tinkerdyne gallery` lists them"),
    ):
        found = run(*arguments)
        assert found.exit_code == 2, arguments
        assert says in found.stderr
    world = td.World()
    world.save(tmp_path / "empty.json")
    found = run("gallery", "run", tmp_path / "empty.json")
    assert found.exit_code == 2 and "claims nothing" in found.stderr
