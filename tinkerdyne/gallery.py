"""The gallery: scenes as Python files, each with a world to build and claims about physics to check after its
run.

A scene is one file `scenes/<name>.py`; what it says about itself is read without running it (see
scenes/README.md).
"""

from __future__ import annotations

import ast
import difflib
import functools
import importlib.util
import math
import sys
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from tinkerdyne.python_text import module_tree
from tinkerdyne.world.recording import Recording
from tinkerdyne.world.scene import SceneError
from tinkerdyne.world.world import World

T = TypeVar("T")
EVERY = 1 / 60  # s between two recorded moments, when a scene says nothing
# In the order in which the gallery has them; of one's own scenes, OTHERS.
GROUPS = (
    "Linkages",
    "Machines",
    "Stacks, rolls and blows",
    "Papers",
    "Curves and drawings",
    "Optimisation, fits and images",
)
OTHERS = "Others"
NEEDED = ("IDS", "SECONDS", "build", "check")


@dataclass(frozen=True)
class Claim:
    """What a scene shows, in a number: |measured| ≤ bound, or least ≤ measured ≤ bound where `least` is
    given."""

    says: str
    measured: float
    bound: float
    unit: str = ""
    least: float | None = None

    @classmethod
    def near(cls, says: str, measured: float, wanted: float, within: float, unit: str = "") -> Claim:
        """|measured − wanted| ≤ within."""
        return cls(says, float(measured), wanted + within, unit, wanted - within)

    @classmethod
    def at_least(cls, says: str, measured: float, least: float, unit: str = "") -> Claim:
        """measured ≥ least."""
        return cls(says, float(measured), math.inf, unit, least)

    @property
    def holds(self) -> bool:
        least = -self.bound if self.least is None else self.least
        return bool(least <= self.measured <= self.bound)  # false for NaN

    @property
    def wanted(self) -> str:
        """The bounds in words: "≤ 0.1 %", "≥ 3", "2.006 ± 0.001 s"."""
        unit = f" {self.unit}" if self.unit else ""
        if self.least is None:
            return f"≤ {self.bound:.3g}{unit}"
        if math.isinf(self.bound):
            return f"≥ {self.least:.6g}{unit}"
        return f"{(self.least + self.bound) / 2:.6g} ± {(self.bound - self.least) / 2:.2g}{unit}"

    @property
    def found(self) -> str:
        """The measured number with its unit."""
        return (
            f"{self.measured:{'.3g' if self.least is None else '.6g'}}{f' {self.unit}' if self.unit else ''}"
        )

    def __str__(self) -> str:
        return f"{self.says} {self.found} (wanted {self.wanted}) {'holds' if self.holds else 'FAILS'}"


@dataclass(frozen=True)
class Scene:
    """A scene of the gallery; its file is executed when it is first built."""

    name: str
    path: Path
    title: str  # the first paragraph of its docstring, in one line
    text: str  # the rest
    ids: tuple[str, ...]  # rows of the mission that it shows
    group: str  # under which it stands in the gallery
    seconds: float
    every: float = EVERY
    is_slow: bool = False
    runs_itself: bool = False  # whether it has a `run` of its own

    def build(self, **options: Any) -> World:
        """A new world, before anything has moved; some scenes take options, such as legs=6."""
        world = self._call("build", **options)
        if not isinstance(world, World):
            raise SceneError(f"{self.path}: build() must return a World, not {world!r}")
        return world

    def record(self, world: World) -> Recording:
        """Run a world that this scene built, in the scene's own way."""
        if not self.runs_itself:
            return world.record(self.seconds, every=self.every)
        recording = self._call("run", world)
        if not isinstance(recording, Recording):
            raise SceneError(f"{self.path}: run(world) must return a Recording, not {recording!r}")
        return recording

    def check(self, world: World, recording: Recording) -> tuple[Claim, ...]:
        """What the scene claims, measured; a run that stopped short has only that to say."""
        if not recording.is_complete:
            return (
                Claim.at_least(
                    "the motion stopped being finite; time reached", recording.time[-1], math.inf, "s"
                ),
            )
        claims: tuple[Claim, ...] = self._call("check", world, recording, then=tuple)
        if not claims or not all(isinstance(claim, Claim) for claim in claims):
            raise SceneError(f"{self.path}: check(world, recording) must yield claims, not {claims!r}")
        return claims

    def run(self) -> tuple[World, Recording, tuple[Claim, ...]]:
        """Build, run and check."""
        world = self.build()
        recording = self.record(world)
        return world, recording, self.check(world, recording)

    def _call(
        self, name: str, *arguments: Any, then: Callable[[Any], Any] = lambda x: x, **options: Any
    ) -> Any:
        function = getattr(_module(self.path), name)
        return _blaming(self.path, lambda: then(function(*arguments, **options)))


def folder() -> Path:
    """Where the scenes lie: within an installed package, or at the root of a checkout."""
    inside = Path(__file__).parent / "scenes"
    return inside if inside.is_dir() else Path(__file__).parents[1] / "scenes"


def names() -> tuple[str, ...]:
    """All scenes of the gallery, by name."""
    return tuple(sorted(path.stem for path in folder().glob("[!_]*.py")))


def load(name: str) -> Scene:
    """The scene of a name, or of a path to such a file."""
    path = Path(name)
    if path.suffix != ".py":
        if name not in names():
            raise SceneError(f"there is no scene {name!r} in the gallery{near(name, names())}")
        path = folder() / f"{name}.py"
    return read(path)


def read(path: Path) -> Scene:
    """What a scene's file says about itself, without executing it."""
    try:
        tree = module_tree(path.read_text(encoding="utf-8"), str(path))
    except (SyntaxError, ValueError) as problem:
        where = f", line {problem.lineno}" if isinstance(problem, SyntaxError) else ""
        raise SceneError(f"{path}{where}: this is not Python: {problem.args[0]}") from problem
    found: dict[str, Any] = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            found[node.name] = True
        elif (
            isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Name)
            and node.targets[0].id.isupper()
        ):
            found[node.targets[0].id] = node.value
    missing = [name for name in NEEDED if name not in found]
    if missing:
        raise SceneError(
            f"{path} is not a scene: it has no {', '.join(missing)} (scenes/README.md says what a scene has)"
        )
    said, _, text = (ast.get_docstring(tree) or "").partition("\n\n")
    title = " ".join(said.split())
    if not title:
        raise SceneError(f"{path} is not a scene: its first line must be a docstring that says what it shows")
    seconds, every = _number(path, "SECONDS", found), _number(path, "EVERY", found, EVERY)
    ids = _literal(path, "IDS", found)
    if not isinstance(ids, tuple) or not all(isinstance(one, str) for one in ids):
        raise SceneError(f'{path}: IDS must be the ids of rows of the mission, such as ("R10",), not {ids!r}')
    group = _literal(path, "GROUP", found) if "GROUP" in found else OTHERS
    if group not in (*GROUPS, OTHERS):
        raise SceneError(f"{path}: GROUP must be one of {', '.join(GROUPS)}, not {group!r}")
    is_slow = "SLOW" in found and _literal(path, "SLOW", found) is True
    return Scene(path.stem, path, title, text.strip(), ids, group, seconds, every, is_slow, "run" in found)


def near(name: str, known: Iterable[str]) -> str:
    """A question after an unknown name, when there is one like it."""
    close = difflib.get_close_matches(name[:100], list(known), n=1, cutoff=0.5)
    return f"; did you mean {close[0]!r}?" if close else ""


def _literal(path: Path, name: str, found: dict[str, Any]) -> Any:
    try:
        value = eval(compile(ast.Expression(found[name]), str(path), "eval"), {"__builtins__": {}})
    except Exception as problem:
        raise SceneError(
            f"{path}: {name} must be written out as a value, such as 4.0 or 1 / 60: {problem}"
        ) from problem
    return value


def _number(path: Path, name: str, found: dict[str, Any], default: float = 0.0) -> float:
    value = _literal(path, name, found) if name in found else default
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < math.inf:
        raise SceneError(f"{path}: {name} must be a positive number of seconds, not {value!r}")
    return float(value)


@functools.cache
def _module(path: Path) -> ModuleType:
    """The executed file; once, since the types that it defines are known by name."""
    if "scenes" not in sys.modules:  # what several scenes share is imported from where they lie
        shared = ModuleType("scenes")
        shared.__path__ = [str(folder())]
        sys.modules["scenes"] = shared
    name = f"tinkerdyne_scenes.{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    loader = spec.loader
    _blaming(path, lambda: loader.exec_module(module))
    return module


def _blaming(path: Path, call: Callable[[], T]) -> T:
    """The result of a call into a scene's file; what goes wrong in it is reported with its line."""
    try:
        return call()
    except SceneError:
        raise
    except Exception as problem:
        lines = [at.lineno for at in traceback.extract_tb(problem.__traceback__) if at.filename == str(path)]
        where = f", line {lines[-1]}" if lines else ""
        raise SceneError(f"{path}{where}: {type(problem).__name__}: {problem}") from problem


__all__ = ["Claim", "Scene", "folder", "load", "names", "near", "read"]
