"""Scenes on disk, autosaves and recovery, and what an environment may do wrong."""

from __future__ import annotations

import errno
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.parse
from pathlib import Path

import pytest

import tinkerdyne as td
from tests.patience import HANG, hear_interrupts
from tests.studio.page import Page
from tinkerdyne import files as disk
from tinkerdyne.studio.session import session, start
from tinkerdyne.studio.session.files import Files, scene_text

ROOT = Path(__file__).parents[2]


@pytest.fixture
def folder(tmp_path) -> Path:
    return tmp_path / "scenes"


@pytest.fixture
def shown(show, folder):
    return show(start.build(), title="pendulum")


@pytest.fixture
def page(shown):
    found = Page(shown._server)
    found.ask("insert", of="sphere", name="ball", values={"position": [3, 3, 3]})
    yield found
    found.close()


def test_a_scene_is_saved_listed_and_opened_again(page, shown, folder):
    assert "never saved" in page.refused("save")
    page.until(lambda: page.latest["Model"]["is_dirty"])
    assert page.ask("save", path="mine") == {"path": "mine.json"}
    assert page.latest["Model"]["title"] == "mine" and not page.latest["Model"]["is_dirty"]
    assert [one["path"] for one in page.ask("ask", what="files")] == ["mine.json"]
    page.ask("delete", names=["ball"])
    assert page.latest["Model"]["is_dirty"]
    page.ask("open", path="mine.json")
    assert (
        "ball" in page.names and not page.latest["Model"]["is_dirty"] and not page.latest["Model"]["can_undo"]
    )
    assert "ball" in td.World.load(folder / "mine.json")


def test_a_hand_is_not_saved(page, shown, folder):
    handle = page.ask("grab", item="ball", at=[0, 0, 0])
    page.ask("save", path="held")
    assert not [
        item for item in td.World.load(folder / "held.json").items if item.name.startswith(("tug", "point"))
    ]
    assert "tug" not in page.ask("ask", what="python")["text"]
    page.ask("release", handle=handle)


def test_a_file_that_another_program_changed_is_not_replaced(page, folder):
    page.ask("save", path="mine")
    theirs = td.World().to_json()
    (folder / "mine.json").write_text(theirs)
    page.ask("insert", of="sphere", values={"position": [4, 4, 4]})
    number = page.send("save")
    reply = page.reply(number)
    assert "another program" in reply["error"] and reply["can_force"]
    assert (folder / "mine.json").read_text() == theirs and page.latest["Model"]["is_dirty"]
    page.ask("save", is_forced=True)
    assert "ball" in (folder / "mine.json").read_text()
    (folder / "other.json").write_text(theirs)
    assert "already" in page.refused("save", path="other")


def test_a_full_disk_leaves_the_old_file_and_the_scene_dirty(page, folder, monkeypatch):
    page.ask("save", path="mine")
    before = (folder / "mine.json").read_bytes()
    page.ask("insert", of="sphere", values={"position": [4, 4, 4]})

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(disk.os, "fsync", full)
    said = page.refused("save")
    assert "No space left" in said and "intact" in said
    assert (folder / "mine.json").read_bytes() == before and page.latest["Model"]["is_dirty"]
    assert not list(folder.glob(".*.tmp"))
    monkeypatch.undo()
    page.ask("save")
    assert (folder / "mine.json").read_bytes() != before


def test_an_autosave_that_fails_is_said_and_the_world_goes_on(page, shown, monkeypatch):
    def refuse(*_):
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(shown._session.files, "autosave", refuse)
    page.until(lambda: any("autosaved" in n["text"] and "Read-only" in n["text"] for n in page.notices))
    before = page.time
    page.until(lambda: page.time > before)
    monkeypatch.undo()


@pytest.mark.parametrize("make", ["folder", "missing folder", "circle", "fifo"])
def test_what_is_no_file_is_not_written(page, folder, make):
    if make == "folder":
        (folder / "x.json").mkdir()
    elif make == "circle":
        (folder / "x.json").symlink_to(folder / "x.json")
    elif make == "fifo":
        os.mkfifo(folder / "x.json")
    path = "nowhere/x.json" if make == "missing folder" else "x.json"
    assert page.refused("save", path=path, is_forced=True)
    assert page.latest["Model"]["is_dirty"]


def test_a_link_within_the_folder_is_followed_and_stays_a_link(page, folder):
    (folder / "real.json").write_text(td.World().to_json())
    (folder / "link.json").symlink_to(folder / "real.json")
    page.ask("save", path="link", is_forced=True)
    assert (folder / "link.json").is_symlink() and "ball" in (folder / "real.json").read_text()


def test_a_broken_scene_is_refused_and_the_open_one_stays(page, folder):
    (folder / "broken.json").write_text('{"tinkerdyne": 1, "objects": [')
    assert "cut short" in page.refused("open", path="broken")
    assert "No such file" in page.refused("open", path="nothing")
    assert "ball" in page.names
    page.ask("insert", of="sphere", values={"position": [4, 4, 4]})  # commands go on after a failed opening


def test_unsaved_edits_are_autosaved_and_offered_after_a_crash(page, shown, show, state_folder):
    saved = state_folder / "tinkerdyne" / "autosave"
    page.until(lambda: list(saved.glob("*.json")))
    dead = json.loads(next(saved.glob("*.json")).read_text())
    (saved / "999999999-1.json").write_text(json.dumps(dead))  # as if of another process, which is no more
    other = Page(show(td.World())._server)
    assert other.ask("ask", what="recovery")["title"] == "pendulum"
    other.ask("open", recover=True)
    assert "ball" in other.names and other.latest["Model"]["is_dirty"]
    assert not (saved / "999999999-1.json").exists() and other.ask("ask", what="recovery") is None
    assert "nothing to recover" in other.refused("open", recover=True)
    other.close()


def test_every_world_that_gave_way_unsaved_can_be_chosen(page, shown):
    for parts in (2, 4):
        page.ask("new", dimension=3)
        for k in range(parts - 1):  # and its floor
            page.ask("insert", of="sphere", name=f"ball {k} of {parts}", values={"position": [k, 3, 3]})
    page.ask("new", dimension=3)

    def listed() -> dict[int, str]:
        return {one["parts"]: one["name"] for one in page.ask("ask", what="unsaved")}

    assert list(listed()) == [4, 2, 3]  # the newest first; "pendulum" has two rods and the ball
    for parts in (3, 2, 4):  # the oldest too, and what gives way to it is in the list again
        page.ask("open", unsaved=listed()[parts])
        objects = [item for item in page.latest["Model"]["items"] if item["family"] == "object"]
        assert len(objects) == parts and page.latest["Model"]["is_dirty"]
        assert set(listed()) == {2, 3, 4} - {parts}
    assert "no longer there" in page.refused("open", unsaved="../../etc/passwd")


def crashed(saved: Path, name: str, world: td.World) -> None:
    """An autosave as a session leaves it that was killed: the file is there, and nobody holds its lock."""
    saved.mkdir(parents=True, exist_ok=True)
    about = {"title": name, "path": "", "saved": time.time(), "scene": world.to_json()}
    (saved / f"{name}.json").write_text(json.dumps(about))
    (saved / f"{name}.lock").touch()


def test_whose_number_a_process_has_means_nothing_for_autosaves(page, shown, show, state_folder):
    """Numbers come again, in containers at once: neither this process' own nor a running one's matters."""
    saved = state_folder / "tinkerdyne" / "autosave"
    for number in (os.getpid(), os.getppid(), 1):
        crashed(saved, f"{number}-1", td.World())
    found = {one["title"] for one in page.ask("ask", what="unsaved")}
    assert found == {f"{number}-1" for number in (os.getpid(), os.getppid(), 1)}
    shown.stop()
    assert {f"{number}-1.json" for number in (os.getpid(), os.getppid(), 1)} <= {
        f.name for f in saved.iterdir()
    }


def test_two_studios_keep_their_autosaves_apart_and_offer_what_nobody_holds(folder, state_folder):
    saved = state_folder / "tinkerdyne" / "autosave"
    studios = [Command(folder, "--port", "0") for _ in range(2)]
    pages = [Page(one) for one in studios]  # type: ignore[arg-type]
    for k, one in enumerate(pages):
        one.ask("insert", of="sphere", name=f"ball {k}", values={"position": [3, 3, 3]})
        one.until(lambda k=k: len(list(saved.glob("*.json"))) > k)
    assert [one.ask("ask", what="recovery") for one in pages] == [None, None]
    studios[0].end(signal.SIGKILL)
    for _ in range(2):  # it is offered until it is forgotten, and no restart changes that
        offer = pages[1].ask("ask", what="recovery")
        assert "ball 0" in json.loads((saved / offer["name"]).read_text())["scene"]
    pages[1].ask("forget", unsaved=offer["name"])
    assert pages[1].ask("ask", what="recovery") is None
    assert "no longer there" in pages[1].refused("forget", unsaved=offer["name"])
    assert "no longer there" in pages[1].refused("forget", unsaved="../../../scene.json")
    studios[1].end(signal.SIGTERM)


def test_a_broken_autosave_is_passed_over(page, show, state_folder):
    saved = state_folder / "tinkerdyne" / "autosave"
    saved.mkdir(parents=True, exist_ok=True)
    (saved / "999999999-1.json").write_text("{")
    assert page.ask("ask", what="recovery") is None


def test_saving_ends_the_need_to_recover(page, shown, state_folder, monkeypatch):
    saved = state_folder / "tinkerdyne" / "autosave"
    page.until(lambda: list(saved.glob("*.json")))
    page.ask("save", path="mine")
    assert not list(saved.glob("*.json"))


def test_a_read_only_state_folder_is_no_reason_to_stop(show, state_folder):
    shown = show(start.build())
    page = Page(shown._server)
    state_folder.write_text("a file where a folder should be")
    shown.world.add(td.Sphere("ball", position=(3, 3, 3)))
    page.until(lambda: page.notices)
    page.read(3 * session.AUTOSAVE)
    # said once, though it is tried again
    assert ["autosaved" in notice["text"] for notice in page.notices] == [True]
    page.close()
    with pytest.warns(UserWarning, match="could not be autosaved"):
        shown.stop()
    state_folder.unlink()


def test_an_autosave_that_failed_is_made_as_soon_as_it_can_be(show, state_folder):
    shown = show(start.build())
    page = Page(shown._server)
    state_folder.write_text("a file where a folder should be")
    shown.world.add(td.Sphere("ball", position=(3, 3, 3)))
    page.until(lambda: page.notices)
    state_folder.unlink()
    page.until(lambda: list((state_folder / "tinkerdyne" / "autosave").glob("*.json")))
    page.close()


def test_a_scene_without_hands_is_what_the_world_saves():
    world = start.build()
    assert scene_text(world) == world.to_json()


def test_names_of_files_are_checked(folder):
    folder.mkdir()
    files = Files(folder)
    assert files.inside("a") == files.inside("a.json") == folder.resolve() / "a.json"
    for name in ("", "..", ".hidden", "../x", "a\nb", "x" * 2000):
        with pytest.raises(ValueError, match=r"name|outside"):
            files.inside(name)
    files.close()


# --- the command ---------------------------------------------------------------------------------
class Command:
    """`tinkerdyne studio` as a process."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        folder.mkdir(exist_ok=True)
        command = [
            sys.executable,
            "-m",
            "tinkerdyne",
            "studio",
            "--no-browser",
            "--folder",
            str(folder),
            *arguments,
        ]
        env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1", "COLUMNS": "200"}
        self.process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=env,
            preexec_fn=hear_interrupts,
        )
        self.said = ""
        assert self.process.stdout is not None
        while "http://" not in self.said:
            line = self.process.stdout.readline()
            assert line, f"it ended: {self.said}"
            self.said += line
        url = urllib.parse.urlsplit(self.said.split("the studio is at ")[1].split()[0])
        self.port, self.token = url.port, dict(urllib.parse.parse_qsl(url.query))["token"]

    def end(self, how: signal.Signals) -> tuple[int, str]:
        self.process.send_signal(how)
        said, _ = self.process.communicate(timeout=HANG)
        return self.process.returncode, said


def test_it_is_killed_recovered_and_ended(folder, state_folder):
    first = Command(folder, "--port", "0")
    page = Page(first)  # type: ignore[arg-type]
    page.ask("insert", of="sphere", name="ball", values={"position": [3, 3, 3]})
    saved = state_folder / "tinkerdyne" / "autosave"
    page.until(lambda: list(saved.glob("[0-9]*.json")))
    first.end(signal.SIGKILL)
    second = Command(folder, "--port", "0")
    page = Page(second)  # type: ignore[arg-type]
    assert page.ask("ask", what="recovery") is not None
    page.ask("open", recover=True)
    assert "ball" in page.names
    page.ask("insert", of="sphere", name="later", values={"position": [4, 3, 3]})
    code, said = second.end(signal.SIGTERM)  # saves at once what the last autosave has not
    assert code == 0 and "recovered at the next start" in said
    assert "later" in next(saved.glob("*.json")).read_text()


def test_a_port_in_use_gives_the_next_one_and_ctrl_c_ends_with_zero(folder):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        command = Command(folder, "dumbbell", "--port", str(port))
        assert port < command.port <= port + 50 and f"port {port} is in use" in command.said
    code, said = command.end(signal.SIGINT)
    assert code == 0 and "Traceback" not in said


def test_without_a_browser_the_address_is_printed_and_the_studio_runs(folder, monkeypatch):
    monkeypatch.setenv("BROWSER", "/nowhere/browser")
    command = Command(folder, "--port", "0", "--browser")
    page = Page(command)  # type: ignore[arg-type]
    assert page.names
    code, said = command.end(signal.SIGTERM)
    assert code == 0 and "Traceback" not in said


def test_a_missing_scene_or_folder_is_said_in_one_line(tmp_path):
    for arguments, says in (
        (["nothing.json"], "nothing.json"),
        (["--folder", str(tmp_path / "no")], "no folder"),
    ):
        command = [sys.executable, "-m", "tinkerdyne", "studio", "--no-browser", *arguments]
        found = subprocess.run(
            command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)}, timeout=HANG
        )
        assert found.returncode == 2 and says in found.stderr and "Traceback" not in found.stderr


# --- from Python ---------------------------------------------------------------------------------
SCRIPT = """
import sys, threading, time, webbrowser
webbrowser.open = lambda url: print(f"opened {url}\\n", end="", flush=True)
import tinkerdyne as td
world = td.World()
shown = td.studio(world)
world.add(td.Sphere("ball"))  # it does not wait
print("added\\n", end="", flush=True)
main = threading.get_ident()

def watch():
    frame = None
    while frame is None or frame.f_code.co_name != "wait":  # threading's, within the studio's
        time.sleep(0.05)
        frame = sys._current_frames()[main]
    print("waits\\n", end="", flush=True)

threading.Thread(target=watch, daemon=True).start()
shown.wait()
print("ended")
"""


def test_a_script_opens_the_browser_and_waits_until_ctrl_c():
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    script = subprocess.Popen(
        [sys.executable, "-c", SCRIPT],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=env,
        preexec_fn=hear_interrupts,
    )
    assert script.stdout is not None
    said = [script.stdout.readline() for _ in range(3)]
    url = said[0].removeprefix("the studio is at ")
    assert url.startswith("http://127.0.0.1:") and sorted(said[1:]) == ["added\n", f"opened {url}"]
    assert script.stdout.readline() == "waits\n" and script.poll() is None
    script.send_signal(signal.SIGINT)
    rest, _ = script.communicate(timeout=HANG)
    assert rest == "ended\n" and script.returncode == 0


def test_waiting_ends_when_it_is_stopped(show, capsys):
    shown = show(td.World())
    assert shown.url in capsys.readouterr().out
    threading.Timer(0.1, shown.stop).start()
    shown.wait()
