"""A studio on a loopback port for each test, with a folder and a state folder of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tinkerdyne.studio import Shown, session, studio
from tinkerdyne.world import World


@pytest.fixture(autouse=True)
def state_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(session, "AUTOSAVE", 0.3)
    monkeypatch.setattr(session, "DIAGNOSE", 0.3)
    return tmp_path / "state"


@pytest.fixture
def show(tmp_path: Path) -> Iterator[Callable[..., Shown]]:
    """Show a world; everything is stopped at the end."""
    shown: list[Shown] = []
    folder = tmp_path / "scenes"
    folder.mkdir()

    def start(world: World, **options: Any) -> Shown:
        shown.append(studio(world, **{"folder": folder, **options}))
        return shown[-1]

    yield start
    for one in shown:
        one.stop()
