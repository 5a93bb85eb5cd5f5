"""A studio on a loopback port for each test, with a folder and a state folder of its own."""

from __future__ import annotations

import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import sync_playwright

from tests.studio.person import Person
from tinkerdyne.studio import Shown, studio
from tinkerdyne.studio.session import session
from tinkerdyne.studio.show import chromium
from tinkerdyne.studio.show.describe import encoder
from tinkerdyne.studio.wire.protocol import result_type
from tinkerdyne.world.world import World


@pytest.fixture(autouse=True)
def state_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(session, "AUTOSAVE", 0.3)
    monkeypatch.setattr(session, "DIAGNOSE", 0.3)
    return tmp_path / "state"


@pytest.fixture(autouse=True)
def answers_are_as_declared(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whatever a test asks for, the server answers with the type that the command declares."""
    answer, wrong = session.Session.answer, []

    def checked(
        self: Any, request: Any, result: Any = None, error: str = "", can_force: bool = False
    ) -> None:
        if error:
            print(f"refused {type(request.command).__name__}: {error}")  # told where the test fails
        else:
            try:
                msgspec.json.decode(encoder.encode(result), type=result_type(request.command))
            except msgspec.ValidationError as problem:
                wrong.append(f"{type(request.command).__name__}: {problem}")
        answer(self, request, result, error, can_force)

    monkeypatch.setattr(session.Session, "answer", checked)
    yield
    assert not wrong, wrong


@pytest.fixture
def show(tmp_path: Path) -> Iterator[Callable[..., Shown]]:
    """Show a world; everything is stopped at the end."""
    shown: list[Shown] = []
    folder = tmp_path / "scenes"
    folder.mkdir()

    def start(world: World, **options: Any) -> Shown:
        shown.append(studio(world, **{"folder": folder, "browser": False, **options}))
        return shown[-1]

    yield start
    for one in shown:
        one.stop()


@pytest.fixture(scope="module")
def browser(drawn_page):
    with sync_playwright() as playwright:
        found = chromium.launch(playwright)
        yield found
        found.close()


failed = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo) -> Iterator[None]:
    report = yield
    item.stash[failed] = item.stash.get(failed, False) or report.failed
    return report


@pytest.fixture
def meet(request: pytest.FixtureRequest, browser):
    """Have a person open a studio. Where the test fails, what the pages showed and what the studio's threads
    did is told."""
    people: list[Person] = []

    def come(url: str, **options: Any) -> Person:
        people.append(Person(browser, url, **options))
        return people[-1]

    yield come
    if request.node.stash.get(failed, False):
        print(*(one.tells() for one in people), sep="\n\n")
        for thread in threading.enumerate():
            print(thread.name, *traceback.format_stack(sys._current_frames()[thread.ident]), sep="\n")
    for one in people:
        one.leave()
