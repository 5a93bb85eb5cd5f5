"""Other people's formats: every model of two collections beside the formats' own engines (S3)."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path

import tinkerdyne as td

from .bar import Bar, Line, Measurement, Remark, Unmeasured

SAME = 1e-8  # of accelerations, as a share of the largest
SEEDS = (1, 2, 3)
STILL = "nothing that moves"

Compare = Callable[[Path], tuple[list[float], td.ReadModel]]


def _models(package: str, ending: str) -> list[Path]:
    """The models of a collection, in the order of their names."""
    found = [Path(str(one.locate())) for one in files(package) or () if one.name.endswith(ending)]
    if package == "dm_control":
        found = [path for path in found if path.parent.name == "suite"]
    return sorted(set(path.resolve() for path in found))


def _table(name: str, package: str, ending: str, compare: Compare) -> Iterator[Line]:
    """A line for each model; then the share of those that agree with nothing left out."""
    try:
        models = _models(package, ending)
    except PackageNotFoundError:
        yield Unmeasured(name, f"models of {package} that agree", f"{package} is not installed")
        return
    agree = count = 0
    for path in models:
        said, counts, holds = _compared(path, compare)
        yield Remark(name, f"{path.stem}: {said}")
        count += counts
        agree += holds
    yield Bar(
        name, f"models of {package} that agree ({agree} of {count})", 100 * agree / count, "≥", 80, " %"
    )


def _compared(path: Path, compare: Compare) -> tuple[str, bool, bool]:
    """What is said of a model, whether it counts, and whether it agrees with nothing left out."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found, model = compare(path)
    except Exception as problem:  # a model that one of the two refuses is a line of the table
        is_still = STILL in str(problem)
        return (
            f"{'still' if is_still else 'refused'}: {' '.join(str(problem).split())[:160]}",
            not is_still,
            False,
        )
    worst = max(found)
    left = [str(one) for one in model.report.left if one.bears]
    verdict = "agrees" if worst <= SAME else "differs"
    says = f"; left out: {left[0]}" + (f" and {len(left) - 1} more" if len(left) > 1 else "") if left else ""
    return f"{verdict}, {worst:.1e} of the largest acceleration{says}", True, worst <= SAME and not left


def _mjcf(name: str) -> Iterator[Line]:
    try:
        from .formats.against_mujoco import differences
    except ImportError as problem:
        yield Unmeasured(name, "models of dm_control that agree", str(problem))
        return
    yield from _table(name, "dm_control", ".xml", lambda path: differences(path, SEEDS))


def _urdf(name: str) -> Iterator[Line]:
    try:
        from .formats.against_pinocchio import differences
    except ImportError as problem:
        yield Unmeasured(name, "robots of example-robot-data that agree", str(problem))
        return
    for way, floating in (("standing", False), ("floating", True)):
        yield Remark(name, f"{way}:")
        yield from _table(
            name,
            "example-robot-data",
            ".urdf",
            functools.partial(differences, seeds=SEEDS, floating=floating),
        )


MEASUREMENTS: dict[str, Measurement] = {"formats-mjcf": _mjcf, "formats-urdf": _urdf}
