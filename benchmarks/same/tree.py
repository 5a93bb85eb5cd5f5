"""Two trees of one repository, side by side: the working tree, and a commit checked out for the time of a
comparison."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..process import ROOT

FOLDER = ROOT / "build" / "same"


@dataclass(frozen=True)
class Tree:
    """A tree whose package is run in processes of its own."""

    label: str  # "old" or "new"
    root: Path
    cache: Path  # of compiled code: never shared, or a change of the compiler would not be seen

    def command(self, script: str) -> list[str]:
        """Run a script of this folder's working tree, the same for both trees."""
        return [sys.executable, str(Path(__file__).parent / script)]

    def environment(self, *, hash_seed: int = 0) -> dict[str, str]:
        """One thread and one order of sets, the package of this tree, and its own cache."""
        single = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL")}
        own = {
            "PYTHONPATH": str(self.root),
            "TINKERDYNE_CACHE": str(self.cache),
            "PYTHONHASHSEED": str(hash_seed),
        }
        return os.environ | single | own | {"MPLBACKEND": "Agg"}

    def run(self, script: str) -> str:
        """What a script prints, run in this tree."""
        done = subprocess.run(
            self.command(script),
            cwd=self.root,
            env=self.environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"{script} failed in the {self.label} tree:\n{done.stderr.strip()[-2000:]}")
        return done.stdout


class Side:
    """A worker in a tree, asked by lines of JSON; see `worker`."""

    def __init__(self, tree: Tree, *, hash_seed: int = 0) -> None:
        self.tree = tree
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115  (closed with the side)
        self.process = subprocess.Popen(
            tree.command("worker.py"),
            cwd=tree.root,
            env=tree.environment(hash_seed=hash_seed),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            text=True,
        )

    def __enter__(self) -> Side:
        return self

    def __exit__(self, *_: object) -> None:
        assert self.process.stdin is not None and self.process.stdout is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()  # the end of its commands is the end of it
        self.process.wait()
        self.process.stdout.close()
        self.errors.close()

    def send(self, do: str, **options: Any) -> None:
        """Give it something to do, while the other side works too."""
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # that it has ended is said where its answer is read
            print(json.dumps({"do": do, **options}), file=self.process.stdin, flush=True)

    def answer(self) -> Any:
        """What came of it."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            self.process.wait()
            self.errors.seek(0)
            said = self.errors.read().decode(errors="replace").strip()[-2000:]
            raise RuntimeError(
                f"the worker in the {self.tree.label} tree ended with {self.process.returncode}:\n{said}"
            )
        return json.loads(line)

    def ask(self, do: str, **options: Any) -> Any:
        self.send(do, **options)
        return self.answer()


def commit_of(revision: str) -> str:
    """The full name of a commit."""
    done = _git("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
    if done.returncode:
        raise ValueError(f"there is no commit {revision!r} in this repository")
    return done.stdout.decode().strip()


@contextlib.contextmanager
def old_tree(commit: str) -> Iterator[Tree]:
    """A commit's files in a temporary folder, removed at the end.

    They are taken out of git as an archive: unlike a worktree this leaves nothing behind in the repository
    when the run is killed. The code compiled from them is kept for the next comparison with the same commit.
    """
    done = _git("archive", "--format=tar", commit)
    if done.returncode:
        raise ValueError(f"commit {commit} cannot be taken out of git: {done.stderr.decode().strip()}")
    FOLDER.mkdir(parents=True, exist_ok=True)
    root = Path(tempfile.mkdtemp(prefix=f"{commit[:12]}-", dir=FOLDER))
    try:
        with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
            archive.extractall(root, filter="data")
        yield Tree("old", root, FOLDER / f"cache-{commit[:12]}")
    finally:
        shutil.rmtree(root, ignore_errors=True)


@contextlib.contextmanager
def new_tree() -> Iterator[Tree]:
    """The working tree as it is, with a cache that starts empty."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="cache-new-", dir=FOLDER) as cache:
        yield Tree("new", ROOT, Path(cache))


def _git(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, check=False)
