"""What the README and the pages of docs/ say is true: their Python runs, their tables agree with the code.

All ```python blocks of a page run in their order, in one namespace and in an empty folder. A block that
cannot run there (it waits for a person, or needs a file that is not there) is fenced as ```py.
"""

import ast
import re
from pathlib import Path

import pytest

import tinkerdyne as td
import tinkerdyne.sketch
from tinkerdyne import gallery
from tinkerdyne.language.types import REGISTRY
from tinkerdyne.world.settings import DEFAULTS

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
README = ROOT / "README.md"
PAGES = [README, ROOT / "CONTRIBUTING.md", ROOT / "scenes" / "README.md", *sorted(DOCS.glob("*.md"))]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.S | re.M)
WITH_PYTHON = [page for page in PAGES if BLOCK.search(page.read_text())]
FILES = {path.name for root in ("tinkerdyne", "tests", "benchmarks") for path in (ROOT / root).rglob("*.py")}
FILM_SIZE = 2**20  # bytes: the README must open quickly


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


# --- examples ------------------------------------------------------------------------------------
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


@pytest.mark.parametrize("page", [page for page in WITH_PYTHON if page != README], ids=name_of)
def test_the_examples_of_a_page_run(page, tmp_path, monkeypatch, own_types):
    monkeypatch.chdir(tmp_path)
    run(page)


def test_the_examples_of_the_readme_run(tmp_path, monkeypatch, capsys, own_types):
    monkeypatch.chdir(tmp_path)
    world = run(README)["world"]
    assert world.time == 7.0 and world.gap < 1e-7  # type: ignore[attr-defined]
    assert "degrees of freedom" in capsys.readouterr().out
    assert (tmp_path / "pendulum.json").exists()


# --- tables --------------------------------------------------------------------------------------
def rows(page: str) -> list[list[str]]:
    """The cells of all rows of all tables of a page; a bar within a cell is written \\|."""
    lines = (DOCS / page).read_text().splitlines()
    cells = [re.split(r"(?<!\\)\|", line.strip().strip("|")) for line in lines if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in cells]


def row_of(page: str, name: str) -> list[str]:
    found = [row for row in rows(page) if row[0] == f"`{name}`"]
    assert len(found) == 1, f"docs/{page} must have one row of {name}, not {len(found)}"
    return found[0]


def given(cell: str) -> dict[str, object]:
    """The names of a cell, `radius=0.5` or `vertices`, with their defaults (None where none is written)."""
    found: dict[str, object] = {}
    for code in re.findall(r"`([^`]*)`", cell):
        name, _, default = code.partition("=")
        found[name] = ast.literal_eval(default) if default else None
    return found


def assert_same(where: str, said: dict[str, object], true: dict[str, object]) -> None:
    """Names and defaults agree; a default that is left out is one that a table has no room for."""
    assert set(said) == set(true), where
    for name, default in said.items():
        assert default is None or default == pytest.approx(true[name], abs=1e-4), f"{name} of {where}"


OBJECTS = {
    name: getattr(td, name) for name in td.__all__ if getattr(getattr(td, name), "family", "") == "object"
}
SHAPES = {name: maker for name, maker in OBJECTS.items() if hasattr(maker, "measure")}
CURVES = {name: maker for name, maker in OBJECTS.items() if "drag" in maker.parameters and name[0].isupper()}
PLAIN = {name: OBJECTS[name] for name in ("Particle", "RigidBody", "PlanarBody", "Variable")}
GROUNDS = {name: maker for name, maker in OBJECTS.items() if maker.parameters["is_fixed"]}


def test_every_public_object_is_on_a_page_of_its_own():
    assert set(OBJECTS) == {*SHAPES, *CURVES, *PLAIN, *GROUNDS, "Troid", "typed_curve", "typed_surface"}


@pytest.mark.parametrize("name", GROUNDS)
def test_the_table_of_grounds_has_the_parameters_of_each(name):
    own = {key: value for key, value in GROUNDS[name].parameters.items() if key != "is_fixed"}
    assert_same(name, given(row_of("contact.md", name)[1]), own)


@pytest.mark.parametrize("name", SHAPES)
def test_the_table_of_bodies_has_the_parameters_and_places_of_each(name):
    _, parameters, places = row_of("bodies.md", name)
    maker = SHAPES[name]
    own = {key: value for key, value in maker.parameters.items() if key not in ("mass", "is_fixed")}
    assert_same(name, given(parameters), own)
    body = maker()
    said, true = set(re.findall(r"\b[a-z]\w*\d?\b", places)), set(maker.places(body.values))
    if "such as" in places or "…" in places:  # corners of a box or polygon, parts of a compound
        words = {"and", "eight", "corners", "such", "as", "those", "of", "its", "parts"}
        assert (
            said - words <= true and {p for p in true if "_" not in p and not p.startswith("corner")} <= said
        )
    else:
        assert said == true


@pytest.mark.parametrize("name", PLAIN)
def test_the_table_of_plain_objects_has_their_parameters_and_state(name):
    _, parameters, state = row_of("bodies.md", name)
    own = {key: value for key, value in PLAIN[name].parameters.items() if key != "is_fixed"}
    assert_same(name, given(parameters), own)
    if given(state):
        assert_same(name, given(state), PLAIN[name].state)


@pytest.mark.parametrize(
    "maker", [td.Box, td.RigidBody, td.Disc, td.PlanarBody], ids=lambda maker: maker.name
)
def test_the_tables_of_states_have_their_defaults(maker):
    tables = {
        ast.literal_eval(row[1][1:-1]): row[0][1:-1] for row in rows("bodies.md") if row[0] == "`position`"
    }
    assert maker.state["position"] in tables
    said = {(row[0][1:-1], row[1][1:-1]) for row in rows("bodies.md")}
    assert {(name, repr(value)) for name, value in maker.state.items()} <= said


@pytest.mark.parametrize("name", CURVES)
def test_the_table_of_curves_has_the_numbers_of_each(name):
    _, numbers, _ = row_of("curves.md", name)
    maker = CURVES[name]
    own = {key: value for key, value in maker.state.items() if not key.endswith("_rate")}
    more = {
        key: value for key, value in maker.parameters.items() if key not in ("density", "drag", "is_fixed")
    }
    assert_same(name, given(numbers), own | more)


def test_the_table_of_troids_has_their_parameters_and_state():
    said = {name for row in rows("troids.md") if len(row) == 3 for name in given(row[0])}
    assert {*td.Troid.parameters, *td.Troid.state} <= said
    for name, default in td.Troid.parameters.items():
        assert row_of("troids.md", name)[1] == f"`{default!r}`".replace("''", '""')


def test_the_table_of_settings_has_every_setting_with_its_default():
    said: dict[str, object] = {}
    for names, defaults, *_ in rows("running.md"):
        settings = re.findall(r"`(\w+)`", names)
        if settings and set(settings) <= set(DEFAULTS):
            values = [ast.literal_eval(code) for code in re.findall(r"`([^`]*)`", defaults)]
            said |= dict(zip(settings, values, strict=True))
    assert said == DEFAULTS


def test_the_table_of_results_has_every_status():
    said = {
        row[0][1:-1]: row[1] == "yes" for row in rows("running.md") if row[0][1:-1] in td.Status.__members__
    }
    assert said == {status.name: bool(status) for status in td.Status}


def test_the_table_of_joints_counts_their_rows():
    joints = {name for name in td.__all__ if hasattr(getattr(td, name), "coordinates")}
    said = {row[0][1:-1]: row for row in rows("modelling.md") if row[0][1:-1] in joints and len(row) == 5}
    assert set(said) == joints
    for name, row in said.items():
        made = td.join(getattr(td, name), None, td.Box(), at=(0, 0, 0), axis=(0, 0, 1))
        assert int(row[2]) == made.type.block_of(made).dim and int(row[3]) == 6 - int(row[2])
        assert set(made.type.coordinates) == set(re.findall(r"[a-z]{4,}", row[4].replace("vector", "")))


# --- what is named ---------------------------------------------------------------------------------
def test_every_public_name_is_on_a_page():
    text = "\n".join(page.read_text() for page in PAGES if page.name not in ("design.md", "vocabulary.md"))
    code = "\n".join(re.findall(r"^```py.*?^```|`[^`\n]+`", text, re.S | re.M))
    names = [*td.__all__, *tinkerdyne.sketch.__all__]
    missing = [name for name in names if not re.search(rf"\b{name}\b", code)]
    assert not missing, f"no page of docs/ shows {', '.join(missing)}"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_and_pictures_of_a_page_are_there(page):
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.S | re.M)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith("http"):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), f"{name_of(page)} links to {target}"
        if anchor:
            heads = re.findall(r"^#+ (.*)$", file.read_text(), re.M)
            anchors = {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}
            assert anchor in anchors, f"{name_of(page)} links to {target}"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_files_that_a_page_names_are_there(page):
    named = re.findall(r"`((?:tinkerdyne|tests|scenes|benchmarks|docs)/[\w./-]*)`", page.read_text())
    missing = [path for path in named if not (ROOT / path).exists()]
    short = re.findall(r"`(\w+\.py)`", page.read_text())  # after a whole path, in the same folder
    missing += [name for name in short if name not in FILES]
    assert not missing, f"{name_of(page)} names {', '.join(missing)}"


def test_the_film_of_the_readme_shows_what_it_claims():
    _, _, claims = gallery.load(str(DOCS / "film.py")).run()
    assert all(claim.holds for claim in claims), [str(claim) for claim in claims]
    assert (DOCS / "pictures" / "film.gif").stat().st_size < FILM_SIZE
