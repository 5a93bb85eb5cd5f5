"""A world in a real JupyterLab, in Chromium: it runs in its cell, and Python and the page go together."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.patience import patience

pytestmark = [pytest.mark.long, pytest.mark.mission("S2")]

PATIENCE = 120.0  # s, where nothing else runs
CELLS = (
    """import tinkerdyne as td
world = td.World()
rod = world.add(td.Rod("rod", position=(0.5, 0, 0)))
hinge, weight = world.add(td.connect(rod.end1, td.Nail(0, 0, 0)), td.gravity())
world.show(controls=[td.control(hinge, "is_on", kind="switch")])
world""",
    "print('the time is', world.time > 0.3, 'and the hinge is on:', hinge.is_on)",
    "weight.g = (0, 0, -1.62)",
    "world.record(0.2)",
)


def notebook() -> str:
    cells = [
        {"cell_type": "code", "id": f"cell{k}", "execution_count": None, "metadata": {}, "outputs": [],
         "source": text}
        for k, text in enumerate(CELLS)
    ]  # fmt: skip
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return json.dumps(
        {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    )


@pytest.fixture
def lab(tmp_path) -> Iterator[str]:
    """The address of a notebook in a JupyterLab of its own."""
    (tmp_path / "world.ipynb").write_text(notebook(), encoding="utf-8")
    homes = {f"JUPYTER_{part}_DIR": str(tmp_path / part.lower()) for part in ("CONFIG", "DATA", "RUNTIME")}
    command = [
        sys.executable,
        "-m",
        "jupyterlab",
        "--no-browser",
        "--allow-root",
        "--port=0",
        "--ip=127.0.0.1",
    ]
    environment = os.environ | homes | {"IPYTHONDIR": str(tmp_path / "ipython")}
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stderr is not None
        try:
            for line in server.stderr:
                found = re.search(r"http://127\.0\.0\.1:\d+/lab\?token=\w+", line)
                if found:
                    yield found[0].replace("/lab?", "/lab/tree/world.ipynb?")
                    break
        finally:
            server.terminate()


def run_cell(page: Any, k: int) -> None:
    """Run a cell and wait until it is done."""
    cell = page.locator(".jp-CodeCell").nth(k)
    cell.locator(".jp-InputArea-editor").click()
    page.keyboard.press("Control+Enter")
    page.wait_for_function(
        """k => /\\[\\d+\\]/.test(document.querySelectorAll(".jp-CodeCell")[k]
            ?.querySelector(".jp-InputArea-prompt")?.textContent ?? "")""",
        arg=k,
        timeout=1e3 * patience(PATIENCE),
    )


def live(page: Any) -> Any:
    """The frame in which the world runs."""
    page.wait_for_function(
        "document.querySelector('tinkerdyne-world') !== null", timeout=1e3 * patience(PATIENCE)
    )
    handle = page.evaluate_handle(
        "document.querySelector('tinkerdyne-world').shadowRoot.querySelector('iframe')"
    )
    frame = handle.as_element().content_frame()
    frame.wait_for_function(
        "window.world !== undefined && world.time > 0.3", timeout=1e3 * patience(PATIENCE)
    )
    return frame


def test_a_world_runs_in_its_cell_and_python_goes_with_it(browser, lab, tmp_path) -> None:
    context = browser.new_context(viewport={"width": 1100, "height": 900})
    page = context.new_page()
    page.goto(lab, timeout=1e3 * patience(PATIENCE))
    page.wait_for_selector(".jp-CodeCell", timeout=1e3 * patience(PATIENCE))
    page.wait_for_selector(
        ".jp-Notebook-ExecutionIndicator[data-status='idle']", timeout=1e3 * patience(PATIENCE)
    )
    run_cell(page, 0)
    frame = live(page)
    frame.locator("role=switch").click()
    page.wait_for_timeout(500)
    run_cell(page, 1)
    said = page.locator(".jp-CodeCell").nth(1).locator(".jp-OutputArea-output").inner_text()
    assert said.strip() == "the time is True and the hinge is on: False"
    run_cell(page, 2)
    frame.wait_for_function(
        "Math.abs(world.get('gravity-1.g')[2] + 1.62) < 1e-12", timeout=1e3 * patience(PATIENCE)
    )
    page.screenshot(path=str(Path(os.environ.get("TINKERDYNE_SHOTS", tmp_path)) / "jupyterlab.png"))
    run_cell(page, 3)
    page.locator(".jp-CodeCell").nth(3).locator(
        ".jp-OutputArea-output svg, .jp-OutputArea-output img"
    ).wait_for()
    page.keyboard.press("Control+S")
    page.wait_for_timeout(1000)
    kept = (tmp_path / "world.ipynb").read_text(encoding="utf-8")
    assert "srcdoc" in kept, "without a kernel the page is still there"
    context.close()
