"""The documentation site: nothing is missing in its reference or its navigation, and formulas are
typeset as they are meant."""

from __future__ import annotations

import pytest
from docutils.utils.math.latex2mathml import tex2mathml

import tinkerdyne as td
from tinkerdyne.language.item_type import ItemType
from tools.site import formulas, reference, sources


def test_every_public_name_is_in_the_reference_once() -> None:
    names = [name for page in reference.listed().values() for name in page]
    assert sorted(names) == sorted(td.__all__)
    pages = dict(reference.pages())
    for page, listed in reference.listed().items():
        for name in listed:
            assert f":: {name}" in pages[f"{page}.rst"] and f":py:obj:`{name}`" in pages["index.rst"]


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
    listed = [page for group in sources.NAVIGATION.values() for page in group]
    assert len(set(listed)) == len(listed)
    assert {str(page) for page in pages} >= set(listed) - {"gallery/index"}
