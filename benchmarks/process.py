"""Fresh Python processes, for what can be measured only once in a process."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def python(code: str, *arguments: str, cache: Path | None = None) -> str:
    """Run code in a fresh interpreter at the root of the repository and return what it printed."""
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package has its bytecode
    if cache is not None:
        environment["TINKERDYNE_CACHE"] = str(cache)
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"a fresh process ended with {done.returncode}: {done.stderr.strip()[-300:]}")
    return done.stdout


def peak_megabytes() -> float:
    """The most memory this process has held, in MB of 10⁶ bytes.

    On Linux from /proc: getrusage also counts what the parent held when it started this process.
    """
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
        return next(int(line.split()[1]) * 1024 / 1e6 for line in lines if line.startswith("VmHWM"))
    except (OSError, StopIteration):
        unit = 1 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6
