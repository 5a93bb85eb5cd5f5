"""Try the installed package as somebody who has nothing else: no compiler, no Node, an empty cache.

`python try_installed.py` in any folder: a pendulum steps, a world shares itself, and the studio serves and
says where. It prints the CPU time of the first run ever [s]."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

PENDULUM = """
import time
import tinkerdyne as td
world = td.World()
rod = world.add(td.Rod(position=(0.5, 0, 0)))
world.add(td.connect(rod.end1, td.Nail(0, 0, 0)), td.gravity())
assert world.step(1 / 60)
print(time.process_time())
"""
SHARE = (
    PENDULUM
    + """
world.share("pendulum.html")
text = open("pendulum.html", encoding="utf-8").read()
assert 'id="core"' in text, "it does not run by itself"
"""
)
PATIENCE = 300  # s


def main() -> None:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        bare = {
            key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "TINKERDYNE_CPU")
        }
        bare |= {"PATH": str(folder), "TINKERDYNE_CACHE": str(folder / "cache")}
        for first in ("bytecode is made", "the cache is empty"):
            bare["TINKERDYNE_CACHE"] = str(folder / first)
            done = ran(PENDULUM, folder, bare)
        print(f"first run ever: {float(done):.2f} s of CPU", flush=True)
        ran(SHARE, folder, bare)
        print(f"shared: {(folder / 'pendulum.html').stat().st_size} bytes", flush=True)
        print(f"the studio serves at {served(folder, bare)}", flush=True)


def ran(code: str, folder: Path, environment: dict[str, str]) -> str:
    """What a fresh process prints."""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(done.stderr)
    return done.stdout.strip()


def served(folder: Path, environment: dict[str, str]) -> str:
    """The address that the studio prints, once it answers there."""
    command = [sys.executable, "-m", "tinkerdyne", "studio", "--no-browser"]
    begin = time.monotonic()
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True) as studio:
        try:
            assert studio.stdout is not None
            for line in studio.stdout:
                found = next((word for word in line.split() if word.startswith("http://")), "")
                if found:
                    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
                    browser.open(found, timeout=PATIENCE).close()  # its token becomes a cookie
                    with browser.open(found.split("?")[0], timeout=PATIENCE) as page:
                        text = page.read()
                    assert b'id="studio"' in text, text[:200]
                    return f"{found.split('?')[0]}, {time.monotonic() - begin:.1f} s after its start"
        finally:
            studio.terminate()
    raise SystemExit("the studio ended without an address")


if __name__ == "__main__":
    main()
