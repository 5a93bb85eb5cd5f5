"""The module of a notebook's cell, which a notebook loads anew each time that the cell runs."""

from __future__ import annotations

import pytest

import tinkerdyne as td
from tinkerdyne.notebook.widget import CLIENT, SCRIPT
from tinkerdyne.studio.show.live import live_page

SHOW = """async ([module, page]) => {
  const values = { page, height: 300, turn: 0 };
  const sent = [];
  const model = {
    get: (name) => values[name], set() {}, save_changes() {}, on() {}, send: (message) => sent.push(message),
  };
  const url = URL.createObjectURL(new Blob([module], { type: "text/javascript" }));
  const { default: shown } = await import(url);
  const el = document.body.appendChild(document.createElement("div"));
  shown.render({ model, el });
  await el.firstChild.ready;
  return el.firstChild.time();
}"""


@pytest.mark.mission("S2")
def test_a_cell_that_runs_again_shows_its_world_again(browser) -> None:
    world = td.World()
    world.add(td.Rod("rod"), td.gravity())
    html = live_page(world, "falling", None)
    module = (CLIENT / SCRIPT).read_text(encoding="utf-8")
    page = browser.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda problem: wrong.append(str(problem)))
    for _ in range(3):
        assert page.evaluate(SHOW, [module, html]) >= 0.0
    assert page.locator("tinkerdyne-world").count() == 3 and not wrong, wrong
    page.close()
