"""Sequence search, in this process, in others, and on a Dask cluster (M6)."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

from scenes.sketch.acted.thrown import thrown_die
from tinkerdyne.cli.sketch import sketch as command
from tinkerdyne.sketch.solve.parallel import executor_on
from tinkerdyne.sketch.solve.search import chosen, divided, search, search_counts
from tinkerdyne.sketch.tell.document import save_sketch
from tinkerdyne.sketch.tell.shape import shape_of

ROOT = Path(__file__).parents[2]


def candidates(sketch, true, count):
    corners = shape_of(sketch.bodies[0]).corners
    rows = [[corner, *[k for k in range(8) if k != corner][: count - 1]] for corner in true]
    return [[corners[k] for k in row] for row in rows]


@pytest.mark.mission("M6")
def test_the_corners_that_struck_are_found_by_both_searches():
    sketch, true = thrown_die(2, bounces=2)
    found = search(sketch, candidates(sketch, true, 3), executor=None)
    assert len(found) == 9 and found[0].sequence == (0, 0)  # the true corner stands first
    assert found[0].cost < 0.7 * found[1].cost
    beam = search(sketch, candidates(sketch, true, 3), method="beam", width=1, executor=None)
    assert beam[0].sequence == (0, 0) and len(beam) == 3  # it tried 3 + 3, not 9
    assert beam[0].cost == pytest.approx(found[0].cost, rel=1e-6)
    before = [c.at for c in sketch.collisions]
    other = chosen(sketch, found[-1])
    other.want(other.bodies[0], when="start", position=(0, 0, 1))
    # the sketch is not changed
    assert [c.at for c in sketch.collisions] == before and not sketch.flights[-1].wishes
    assert [c.at for c in other.collisions] == list(found[-1].corners)
    assert chosen(sketch, found[0]).solve().is_plausible


@pytest.mark.mission("M6")
def test_a_search_that_is_called_off_ranks_what_it_tried():
    sketch, true = thrown_die(2, bounces=2)
    found = search(sketch, candidates(sketch, true, 4), executor=None, cancel=lambda: True)
    assert 0 < len(found) < 16 and [f.cost for f in found] == sorted(f.cost for f in found)
    beam = search(
        sketch, candidates(sketch, true, 4), method="beam", width=1, executor=None, cancel=lambda: True
    )
    assert all(len(f.sequence) == 2 for f in beam)  # whole sequences all the same


SCRIPT = """
from tinkerdyne.sketch import search
from scenes.sketch.acted.thrown import thrown_die
from tinkerdyne.sketch.tell.shape import shape_of

print("read")
sketch, true = thrown_die(2, bounces=1)
corners = shape_of(sketch.bodies[0]).corners
for executor in ("local", None):
    found = search(sketch, [[corners[k] for k in range(4)]], executor=executor)
    print(*[f"{f.sequence} {f.cost:.6e}" for f in found])
"""


@pytest.mark.mission("M6")
def test_local_processes_do_not_read_the_script_again(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    known = os.environ | {"PYTHONPATH": str(ROOT)}
    run = subprocess.run([sys.executable, script], env=known, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    said, there, here = run.stdout.splitlines()
    assert said == "read" and there == here and there.count("(") == 4


@pytest.mark.mission("M6")
def test_a_dask_cluster_gives_the_same_answer(tmp_path):
    import distributed

    sketch, true = thrown_die(2, bounces=1)
    here = search(sketch, candidates(sketch, true, 2), executor=None)
    save_sketch(sketch, tmp_path / "die.json")
    local = distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None, protocol="tcp"
    )
    with local as cluster, executor_on(cluster.scheduler_address) as executor:
        assert cluster.scheduler_address.startswith("tcp://")
        there = search(sketch, candidates(sketch, true, 2), executor=executor)
        app = typer.Typer()
        app.command()(command)
        told = [
            str(tmp_path / "die.json"),
            "--on",
            cluster.scheduler_address,
            "--restarts",
            "2",
            "--gaps",
            "--json",
        ]
        run = CliRunner().invoke(app, told)
        assert run.exit_code == 0 and json.loads(run.stdout)["starts"] == 2
    assert [f.sequence for f in there] == [f.sequence for f in here]
    assert [f.cost for f in there] == pytest.approx([f.cost for f in here], rel=1e-6)


@pytest.mark.mission("M6")
def test_numbers_of_bounces_are_compared():
    t = np.linspace(0, 3, 61)
    path = np.stack([t, 0 * t, np.abs(np.sin(np.pi * t))], axis=1)  # touches down at 1 and 2
    parts = divided(path, 2)
    assert [p.start for p in parts] == [0, 20, 40] and parts[-1].stop == 61
    some = candidates(*thrown_die(2, bounces=1), 2)
    found = search_counts(lambda n: thrown_die(2, bounces=n)[0], [1], candidates=some, executor=None)
    assert list(found) == [1] and found[1][0].cost < np.inf
    tracks = [t for row in thrown_die(2, bounces=1)[0].statement().tracks for t in row]
    # per sample
    assert found[1][0].cost == pytest.approx(found[1][0].outcome.cost / sum(len(t.places) for t in tracks))


def test_misuse_is_refused_in_words():
    sketch, _ = thrown_die(2, bounces=1)
    for options, says in (
        ({"method": "all"}, "exhaustive"),
        ({"candidates": [[], []]}, "1 bounces"),
        ({"candidates": [[]]}, "no candidates"),
    ):
        with pytest.raises(ValueError, match=says):
            search(sketch, **options)
    with pytest.raises(ValueError, match="at least 12 places"):
        divided(np.zeros((5, 3)), 2)
