"""Every scene of the gallery that is not slow runs, and what it claims holds (`make scenes` runs the slow
ones)."""

import re
from pathlib import Path

import pytest

from tinkerdyne import World, gallery

ROOT = Path(__file__).parents[1]
ROWS = set(re.findall(r"^\| ([A-Z]\d+) \|", (ROOT / "docs" / "mission.md").read_text(), re.M))
QUICK = [
    path.stem
    for path in sorted(gallery.folder().glob("[!_]*.py"))
    if "\nSLOW = True\n" not in path.read_text()
]


@pytest.mark.parametrize("name", QUICK)
def test_a_scene_holds_what_it_claims(name):
    scene = gallery.load(name)
    assert not scene.is_slow
    world, recording, claims = scene.run()
    failed = [str(claim) for claim in claims if not claim.holds]
    assert not failed, "\n".join(failed)
    assert recording.is_complete and recording.time[-1] > recording.time[0]
    # It can be kept as a file too, and goes on from there.
    assert World.from_json(world.to_json()).time == world.time


@pytest.mark.parametrize("name", gallery.names())
def test_a_scene_names_rows_of_the_mission_and_says_in_one_sentence_what_it_shows(name):
    scene = gallery.load(name)
    assert scene.ids and set(scene.ids) <= ROWS
    assert scene.title.endswith(".") and len(scene.title) <= 126


def test_the_readme_of_the_gallery_shows_a_scene_that_runs(tmp_path):
    text = (ROOT / "scenes" / "README.md").read_text()
    (tmp_path / "shown.py").write_text(re.findall(r"```python\n(.*?)```", text, re.S)[0])
    scene = gallery.load(str(tmp_path / "shown.py"))
    assert scene.title == "A ball falls as Galileo said."
    assert all(claim.holds for claim in scene.run()[2])
