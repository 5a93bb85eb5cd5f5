"""The page in German: as the address, the browser or a choice says; the server's names with it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import tinkerdyne.studio
from tests.studio.person import until
from tinkerdyne.studio.build.catalogue import fit_models
from tinkerdyne.studio.session import start
from tinkerdyne.studio.session.guides import GUIDES


def heard() -> set[str]:
    """The names and sentences of the server that German has words for."""
    text = (Path(tinkerdyne.studio.__path__[0], "client/src/wording/de.ts")).read_text(encoding="utf-8")
    part = text.partition("  heard: {\n")[2].partition("\n  },")[0]
    return {a or b for a, b in re.findall(r'^    (?:"((?:[^"\\]|\\.)*)"|(\w+)):', part, re.MULTILINE)}


# In a process of its own: the tests that ran here before have defined types too.
CATALOGUE = """
import json, tinkerdyne.studio
from tinkerdyne.studio.build.catalogue import catalogue
print(json.dumps([name for kind in catalogue() for name in (kind.title, kind.word, kind.group)]))
"""


def test_german_has_words_for_all_types_and_guides():
    printed = subprocess.run([sys.executable, "-c", CATALOGUE], check=True, capture_output=True, text=True)
    said = set(json.loads(printed.stdout))
    said |= {model.title for model in fit_models()}
    for guide in GUIDES:
        said |= {guide.title, *(hint.text for hint in guide.hints)}
        said |= {text for step in guide.steps for text in (step.title, step.text)}
    own = {text for text in heard() if re.match(r"\w+/", text)}  # of types that share a name
    assert {text.partition("/")[2] for text in own} <= said
    assert said - {""} == heard() - own


def test_german_is_spoken_and_kept(show, meet):
    person = meet(show(start.build()).url)
    page = person.page
    assert page.evaluate("document.documentElement.lang") == "en"
    page.goto(page.url + "&lang=de")
    person.sees(".menus", "Datei")
    person.sees(".label.hint", "Zieh mich")
    assert page.evaluate("document.documentElement.lang") == "de"
    assert page.get_by_role("button", name="Rückgängig, der Lauf bleibt (Strg+Z)").is_visible()
    page.keyboard.press("i")
    person.sees("dialog", "Drehgelenk")
    page.keyboard.press("Escape")
    page.click("[data-menu=View]")
    page.get_by_role("menuitemcheckbox", name="English").click()  # from now on
    person.sees(".menus", "File")
    page.click("[data-menu=View]")
    page.get_by_role("menuitemcheckbox", name="Deutsch").click()
    person.sees(".menus", "Datei")
    page.reload()
    person.sees(".menus", "Datei")
    until(lambda: page.evaluate("document.documentElement.lang") == "de", "the page says its language")
