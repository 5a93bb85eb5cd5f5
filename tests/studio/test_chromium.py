"""The browser that draws the page: found in one place, installed only where that may be, and asked for in one
sentence where there is none."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tinkerdyne.studio.show import chromium

ROOT = Path(__file__).parents[2]
BARE = SimpleNamespace(chromium=SimpleNamespace(executable_path="/nowhere/chrome"))


def program(folder: Path, name: str, script: str = "exit 0") -> Path:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def bare(tmp_path, monkeypatch):
    """A machine without programs; the folder in which new ones are found."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "none"))
    monkeypatch.delenv(chromium.CHOSEN, raising=False)
    return folder


@pytest.fixture
def tool():
    spec = importlib.util.spec_from_file_location("browser", ROOT / "tools" / "browser.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_chosen_browser_comes_before_the_machines_and_that_before_playwrights(
    bare, tmp_path, monkeypatch
):
    fetched = SimpleNamespace(chromium=SimpleNamespace(executable_path=str(program(tmp_path, "fetched"))))
    assert chromium.find(fetched) == str(tmp_path / "fetched")
    own = program(bare, "google-chrome")
    assert chromium.find(fetched) == str(own)
    monkeypatch.setenv(chromium.CHOSEN, str(program(tmp_path, "chosen")))
    assert chromium.find(fetched) == str(tmp_path / "chosen")
    monkeypatch.setenv(chromium.CHOSEN, "/no/such/program")
    with pytest.raises(FileNotFoundError, match="TINKERDYNE_BROWSER names '/no/such/program'"):
        chromium.find(fetched)


def test_a_machine_without_a_browser_is_told_what_to_do_in_one_sentence(bare):
    with pytest.raises(
        FileNotFoundError, match=r"which was not found; install it .*apt-get install chromium"
    ) as said:
        chromium.find(BARE)
    assert "\n" not in str(said.value)


@pytest.mark.parametrize(("user", "has_apt"), [(1000, True), (0, False)])
def test_nothing_is_installed_but_by_root_with_apt_get(bare, tool, monkeypatch, user, has_apt):
    monkeypatch.setattr(os, "geteuid", lambda: user)
    if has_apt:
        program(bare, "apt-get", f": > {bare}/was_run")
    with pytest.raises(FileNotFoundError, match="sudo apt-get install chromium"):
        tool.ensure(BARE)
    assert not (bare / "was_run").exists()


def test_root_has_it_installed_and_tried(bare, tool, tmp_path, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    copies = f"/bin/cp {program(tmp_path, 'shipped')} {bare}/chromium"
    program(bare, "apt-get", f"case $* in *'install -y'*chromium) {copies}; esac")
    started = []

    def launch(playwright):
        started.append(chromium.find(playwright))
        return SimpleNamespace(close=lambda: None)

    monkeypatch.setattr(chromium, "launch", launch)
    tool.ensure(BARE)
    assert started == [str(bare / "chromium")]


def test_an_install_that_fails_is_said_with_the_remedy(bare, tool, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    program(bare, "apt-get", "exit 100")
    with pytest.raises(SystemExit, match=r"'apt-get update -qq' failed\); install it"):
        tool.ensure(BARE)


def test_a_browser_that_does_not_start_is_named(bare):
    """Such as the one of Ubuntu that only says which other package to install."""
    stub = program(bare, "chromium-browser", "echo 'requires the chromium snap' >&2; exit 1")
    script = "from playwright.sync_api import sync_playwright\nfrom tinkerdyne.studio.show import chromium\n"
    script += "with sync_playwright() as playwright:\n    chromium.launch(playwright)\n"
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert f"RuntimeError: {stub} does not start" in done.stderr


def test_a_test_that_needs_it_fails_with_the_sentence_alone(bare):
    which = "tests/cli/test_render.py::test_pictures_and_films_have_the_size_that_was_asked_for"
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", which]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "is drawn by Chromium, which was not found; install it" in done.stdout
    assert "Traceback" not in done.stdout and "1 error" in done.stdout, done.stdout
