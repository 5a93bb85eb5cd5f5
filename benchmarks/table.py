"""The table of a run, as Markdown and as JSON, with what it was measured on."""

from __future__ import annotations

import json
import math
import platform
import subprocess
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from .bar import Bar, Line, Remark, Unmeasured
from .peers import available
from .process import ROOT

FOLDER = ROOT / "build" / "bench"
OUR_PACKAGES = ("tinkerdyne", "casadi", "llvmlite", "numpy", "scipy")


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed, run from the source" if package == "tinkerdyne" else "not installed"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def _commit() -> str:
    """The commit at hand, marked when files differ from it."""
    try:
        command = ["git", "describe", "--always", "--dirty"]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def circumstances() -> dict[str, Any]:
    """When, where and with which versions."""
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "processor": _processor(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "commit": _commit(),
        "versions": {package: _version(package) for package in OUR_PACKAGES},
        "peers": available(),
    }


def _row(line: Line) -> dict[str, Any]:
    """A line as JSON has it; what is not finite becomes null."""
    kinds = {Bar: "bar", Unmeasured: "unmeasured", Remark: "note"}
    values = {
        k: None if isinstance(v, float) and not math.isfinite(v) else v for k, v in asdict(line).items()
    }
    return {"kind": kinds[type(line)], **values, **({"holds": line.holds} if isinstance(line, Bar) else {})}


def _markdown(lines: list[Line], about: dict[str, Any], only: str) -> str:
    bars = [line for line in lines if isinstance(line, Bar)]
    head = [
        "# Benchmarks" + (f" ({only} only)" if only else ""),
        "",
        f"{about['date']}, {about['processor']}, Python {about['python']}, commit {about['commit']}. "
        "CPU time, one thread, engines taking turns.",
        "",
        "Ours: " + ", ".join(f"{package} {number}" for package, number in about["versions"].items()) + ".",
        "Peers: "
        + (", ".join(f"{package} {number}" for package, number in about["peers"].items()) or "none installed")
        + ".",
        "",
        f"{sum(bar.holds for bar in bars)} of {len(bars)} bars hold.",
        "",
        "| scene | what | measured | wanted | |",
        "|---|---|---|---|---|",
    ]
    rows, notes = [], []
    for line in lines:
        match line:
            case Bar():
                verdict = ("holds" if line.holds else "**falls short**") + (
                    f"; {line.remark}" if line.remark else ""
                )
                measured, wanted = f"{line.value:.3g}{line.unit}", f"{line.limit} {line.wanted:g}{line.unit}"
                rows.append(f"| {line.name} | {line.what} | {measured} | {wanted} | {verdict} |")
            case Unmeasured():
                rows.append(f"| {line.name} | {line.what} | not measured | | {line.why} |")
            case Remark():
                notes.append(f"- {line.name}: {line.text}")
    return "\n".join([*head, *rows, "", "Also measured:", "", *(notes or ["- nothing"]), ""])


def write(lines: list[Line], about: dict[str, Any], *, only: str) -> None:
    """Keep what is known so far as build/bench/latest.md and .json."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / "latest.md").write_text(_markdown(lines, about, only))
    data = {**about, "only": only, "lines": [_row(line) for line in lines]}
    (FOLDER / "latest.json").write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n")
