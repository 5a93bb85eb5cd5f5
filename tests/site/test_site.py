"""The documentation site: nothing is missing in its reference or its navigation, and formulas are
typeset as they are meant."""

from __future__ import annotations

import pytest
from docutils.utils.math.latex2mathml import tex2mathml

import tinkerdyne as td
from tinkerdyne import gallery
from tinkerdyne.language.item_type import ItemType
from tools.site import formulas, links, reference, scenes, sources
from tools.site import gallery as pages


def test_every_public_name_is_in_the_reference_once() -> None:
    names = [name for page in reference.listed().values() for name in page]
    assert sorted(names) == sorted(td.__all__)
    pages = dict(reference.pages())
    for page, listed in reference.listed().items():
        for name in listed:
            assert (
                f":: {name}" in pages[f"{page}.rst"] and f":py:obj:`~tinkerdyne.{name}`" in pages["index.rst"]
            )


@pytest.mark.parametrize("name", td.__all__)
def test_the_reference_says_something_of_a_name_and_all_that_it_takes(name) -> None:
    text, thing = reference.entry(name), getattr(td, name)
    assert len(reference.first_sentence(name)) > 8
    if isinstance(thing, ItemType):
        for one in (*thing.operands(), *thing.options()):
            assert f"``{one.name}``" in text or f"``*{one.name}``" in text


FORMULAS = {
    "c = |b − a| − length": r"c =\lvert b -a\rvert -\mathrm{length}",
    "E = ½ k |AᵀA − 1|²": r"E =\tfrac{1}{2}\, k \lvert A^{\mathsf{T}}A -1\rvert ^{2}",
    "T = gain · (speed − ω_rel·axis)": r"T =\mathrm{gain} \cdot "
    r"(\mathrm{speed} -ω_{\mathrm{rel}}\cdot \mathrm{axis})",
    "F = −(a + b) / 2": r"F =-\frac{a +b}{2}",
    "ẋ = at": r"\dot{x} =\mathrm{at}",
}


@pytest.mark.parametrize("plain", FORMULAS)
def test_a_formula_of_a_docstring_is_typeset(plain) -> None:
    assert formulas.tex(plain) == FORMULAS[plain]
    assert formulas.found(f"It holds:  {plain}   [m]; and so on.") == (
        "It holds:",
        plain,
        "   [m]; and so on.",
    )
    assert formulas.found(f"It holds:  {plain}.")[1] == plain


def test_prose_behind_a_colon_is_no_formula() -> None:
    text = "Two directions point the same way:  the turn from a to b."
    assert formulas.found(text) == (text, "", "")


def test_all_formulas_of_the_door_can_be_typeset() -> None:
    found = {name: formulas.found(reference.doc_of(name))[1] for name in td.__all__}
    assert sum(map(bool, found.values())) > 50
    for formula in filter(None, found.values()):
        assert "<math" in tex2mathml(formulas.tex(formula))


def test_every_page_of_docs_is_in_the_navigation_and_every_link_leads_somewhere(tmp_path) -> None:
    sources.assemble(tmp_path / "site")
    pages = {path.relative_to(tmp_path / "site").with_suffix("") for path in (tmp_path / "site").rglob("*.*")}
    listed = [page for group in sources.navigation().values() for page in group]
    assert set(listed) >= {path.stem for path in (sources.ROOT / "docs").glob("*.md")}
    assert len(set(listed)) == len(listed)
    assert {str(page) for page in pages} >= set(listed) - {"gallery/index"}


def test_every_scene_with_a_script_of_its_own_says_what_the_page_does_instead() -> None:
    scripted = {name for name in gallery.names() if gallery.load(name).runs_itself}
    assert scripted == scenes.PLAIN | set(scenes.BY_HAND) | set(scenes.REPLAYED)


def test_a_scene_stands_beside_its_claims_and_its_source(tmp_path) -> None:
    shown = scenes.Shown(
        "four_bar", True, "", (("a | b", "1e-9 m", "≤ 1e-8 m"),), str(tmp_path / "live.html")
    )
    (tmp_path / "live.html").write_text("the engine")
    (tmp_path / "site").mkdir()
    pages.write(tmp_path / "site", [shown])
    page = (tmp_path / "site" / "gallery" / "four_bar").with_suffix(".md").read_text()
    assert r"| a \| b | 1e-9 m | ≤ 1e-8 m |" in page and "def build():" in page
    assert 'data-page="../scenes/four_bar.html"' in page
    assert (tmp_path / "site" / "extra" / "scenes" / "four_bar.html").read_text() == "the engine"
    assert 'href="four_bar.html"' in (tmp_path / "site" / "gallery" / "index").with_suffix(".md").read_text()


def test_links_that_lead_nowhere_and_what_is_fetched_are_found(tmp_path) -> None:
    (tmp_path / "a.html").write_text(
        '<p id="here"><a href="b.html#there">1</a><a href="c.html">2</a><a href="#here">3</a>'
        '<a href="https://example.org">4</a><img src="https://example.org/a.png"><a href="b.html">5</a>'
    )
    (tmp_path / "b.html").write_text('<a href="a.html#here">6</a>')
    assert list(links.broken(tmp_path)) == [
        "a.html leads to b.html#there, which has no such anchor",
        "a.html leads to c.html, where nothing lies",
        "a.html fetches https://example.org/a.png from the network; put it into the site",
    ]
