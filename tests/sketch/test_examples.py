"""The four examples of the paper run in the engine, and what they claim holds (M9)."""

import re
from pathlib import Path

import numpy as np
import pytest

from tinkerdyne import gallery
from tinkerdyne.sketch.examples import spelled

ROOT = Path(__file__).parents[2]
ROWS = set(re.findall(r"^\| ([A-Z]\d+) \|", (ROOT / "docs" / "mission.md").read_text(), re.M))


@pytest.mark.mission("M9")
@pytest.mark.parametrize("path", sorted((ROOT / "scenes" / "sketch").glob("*.py")), ids=lambda path: path.stem)
def test_an_example_holds_what_it_claims_and_is_drawn(path, tmp_path):
    scene = gallery.read(path)
    assert set(scene.ids) <= ROWS and scene.title.endswith(".")
    _, recording, claims = scene.run()
    assert recording.is_complete and not [str(claim) for claim in claims if not claim.holds]
    scene._call("picture", tmp_path / "picture.png")
    assert (tmp_path / "picture.png").stat().st_size > 20_000


@pytest.mark.mission("M9")
@pytest.mark.parametrize("word", ["A", "NOON", "TUMBLE", "BANANA"])
def test_each_letter_has_a_side_of_its_own(word):
    turns = spelled(word)
    sides = {letter: tuple(np.round(C.T @ (0, -1, 0)).astype(int)) for letter, C in zip(word, turns, strict=True)}
    assert len(turns) == len(word) and len(set(sides.values())) == len(set(word))
    assert all(np.allclose(C @ C.T, np.eye(3)) and np.linalg.det(C) > 0 for C in turns)


@pytest.mark.parametrize("word", ["", "TOOLONG", "A B", 7])
def test_words_that_do_not_fit_a_die_are_refused(word):
    with pytest.raises(ValueError, match="one to six letters"):
        spelled(word)
