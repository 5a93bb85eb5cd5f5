"""Folders of the user, on every platform and for users that have no home."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tinkerdyne import folders

HOMELESS = """
import os, pathlib, pwd
def getpwuid(_):
    raise KeyError("there is no such user")
pwd.getpwuid = getpwuid
import tinkerdyne as td
world = td.World()
world.add(td.Particle("ball"), td.gravity())
world.run(0.1)
print(world["ball"].position[2])
from tinkerdyne.studio.session import session
session.warm = lambda: None  # nothing is kept, so it would compile for half a minute
shown = td.studio(world, browser=False)
shown.stop()
from tinkerdyne import folders
assert folders.cache_folder().is_dir() and folders.state_folder().is_dir()
print(folders.cache_folder(), folders.state_folder())
"""


def test_folders_are_chosen_by_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("TINKERDYNE_CACHE", raising=False)
    assert folders.cache_folder() == tmp_path / "cache" / "tinkerdyne"
    assert folders.state_folder() == tmp_path / "state" / "tinkerdyne"
    monkeypatch.setenv("TINKERDYNE_CACHE", str(tmp_path / "mine"))
    assert folders.cache_folder() == tmp_path / "mine"


def test_else_they_are_in_the_users_home(monkeypatch, tmp_path):
    """Where in it, platformdirs knows of every platform."""
    for name in ("TINKERDYNE_CACHE", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    cache, state = folders.cache_folder(), folders.state_folder()
    assert cache.is_relative_to(tmp_path) and state.is_relative_to(tmp_path) and cache != state
    assert "tinkerdyne" in cache.parts and "tinkerdyne" in state.parts


def test_a_user_without_a_home_simulates_and_opens_the_studio(tmp_path):
    """Nor with an entry in passwd, as in some containers: nothing is left but the autosaves' folder."""
    root = Path(folders.__file__).parents[1]
    gone = ("HOME", "USERPROFILE", "XDG_CACHE_HOME", "XDG_STATE_HOME", "TINKERDYNE_CACHE")
    known = {key: value for key, value in os.environ.items() if key not in gone}
    known |= {"PYTHONPATH": str(root), "TMPDIR": str(tmp_path)}
    command = [sys.executable, "-c", HOMELESS]
    done = subprocess.run(command, cwd=tmp_path, env=known, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    fallen, *_, last = done.stdout.splitlines()
    assert float(fallen) == pytest.approx(-9.81 / 2 * 0.1**2)
    cache, state = map(Path, last.split())
    assert not cache.exists() and [path.name for path in tmp_path.iterdir()] == [state.name]
    assert "compiled code is kept for this run only" in done.stderr
    assert f"autosaves are kept in {state}" in done.stderr
