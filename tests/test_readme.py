"""What the README and the pages of docs/ show is true: their Python runs, their tables and links agree with the code.

All ```python blocks of a page run in their order, in one namespace and in an empty folder. A block that cannot run
there (it waits for a person, or needs a file that is not there) is fenced as ```py.
"""

import re
import warnings
from pathlib import Path

import pytest

import tinkerdyne as td
from tinkerdyne import gallery
from tinkerdyne.language.types import REGISTRY
from tinkerdyne.world.settings import DEFAULTS

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "scenes" / "README.md",
    *sorted(DOCS.glob("*.md")),
]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.S | re.M)
WITH_PYTHON = [page for page in PAGES if BLOCK.search(page.read_text())]


@pytest.fixture
def own_types():
    """Types that a page defines are forgotten after it, so that every page may choose its names."""
    known = dict(REGISTRY)
    yield
    REGISTRY.clear()
    REGISTRY.update(known)


def run(page: Path) -> dict[str, object]:
    """Run the blocks of a page; a fault is shown with the page's own line."""
    text = page.read_text()
    names: dict[str, object] = {"__name__": f"page {page.stem}"}
    for block in BLOCK.finditer(text):
        before = text[: block.start(1)].count("\n")
        exec(compile("\n" * before + block[1], str(page), "exec"), names)
    return names


@pytest.mark.parametrize("page", WITH_PYTHON, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_examples_of_a_page_run(page, tmp_path, monkeypatch, own_types):
    monkeypatch.chdir(tmp_path)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="rattle needs constant masses")
        run(page)


def test_the_first_example_of_the_readme_does_what_it_says(tmp_path, monkeypatch, capsys, own_types):
    monkeypatch.chdir(tmp_path)
    world = run(ROOT / "README.md")["world"]
    assert world.time == 7.0 and world.gap < 1e-7  # type: ignore[attr-defined]
    assert "degrees of freedom" in capsys.readouterr().out
    assert (tmp_path / "pendulum.json").exists()
