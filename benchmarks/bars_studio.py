"""The studio's server: how soon a hand is felt, the work of a frame, what a page that does not read costs,
edits in mid-swing; and the page, of which bars_page.py tells.

`python -m benchmarks.bars_studio [SECONDS]` (`make bench-studio`): the server runs in a process of its own,
the pages in this one.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any

import numpy as np
from websockets.asyncio.client import ClientConnection, connect

from .bar import Bar, Line, Measurement, Remark
from .bars_page import MEASUREMENTS as PAGE
from .process import ROOT

SECONDS = 60.0  # with a page that does not read
PAGES = 20
FRAME = 1 / 60  # s
STRETCH = 300  # frames
ROUNDS = 4  # of what depends on the clock: the quietest counts

SERVER = """
import contextlib, json, resource, sys, time
import tinkerdyne as td
import tinkerdyne.studio
from tinkerdyne.studio.session import start

def chain(count):
    world = td.World()
    end = td.Nail(0, 0, 0)
    for k in range(count):
        rod = world.add(td.Rod(f"rod {k}", position=(k + 0.5, 0, 0)))
        world.add(td.connect(rod.end1, end))
        end = rod.end2
    world.add(end, td.gravity())
    return world

def memory():
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmRSS"))

count = int(sys.argv[1])
with contextlib.redirect_stdout(sys.stderr):
    shown = tinkerdyne.studio(chain(count) if count else start.build(), browser=False)
session = shown._session
session.view.past.memory = 4 << 20  # full soon: what grows afterwards is a leak
print(json.dumps({"port": shown._server.port, "token": shown._server.token, "url": shown.url}), flush=True)
for line in sys.stdin:
    health = session.health
    if line.strip() == "clear":
        for kept in (health.work, health.shown, health.latencies):
            kept.clear()
    told = {"work": list(health.work), "shown": list(health.shown), "latencies": list(health.latencies)}
    state = {"memory": memory(), "time": session.world.time, "clients": len(session.clients)}
    print(json.dumps({**told, **state}), flush=True)
"""


class Serving:
    """A studio in a process of its own; `ask` returns what it measured of itself."""

    def __init__(self, rods: int) -> None:
        command = [sys.executable, "-c", SERVER, str(rods)]
        # autosaves of a server that is killed are not for its user
        self.state = tempfile.TemporaryDirectory()
        env = {**os.environ, "XDG_STATE_HOME": self.state.name}
        self.process = subprocess.Popen(
            command, cwd=ROOT, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.about = self._read()

    def _read(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("the server ended")
        found: dict[str, Any] = json.loads(line)
        return found

    def ask(self, what: str = "tell") -> dict[str, Any]:
        assert self.process.stdin is not None
        self.process.stdin.write(what + "\n")
        self.process.stdin.flush()
        return self._read()

    def __enter__(self) -> Serving:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()
        self.state.cleanup()

    @contextlib.asynccontextmanager
    async def page(self, **options: Any) -> AsyncIterator[ClientConnection]:
        headers = {"x-tinkerdyne-token": self.about["token"]}
        address = f"ws://127.0.0.1:{self.about['port']}/ws"
        options |= {
            "additional_headers": headers,
            "max_size": None,
            "compression": None,
            "close_timeout": 0.2,
        }
        async with connect(address, **options) as page:
            yield page


class Asking:
    """A page that takes everything and waits for replies."""

    def __init__(self, page: ClientConnection) -> None:
        self.page, self.seq = page, 0
        self.replies: dict[int, asyncio.Future[Any]] = {}
        self.reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for message in self.page:
            if isinstance(message, str) and '"Reply"' in message[:20]:
                found = json.loads(message)
                self.replies.pop(found["seq"]).set_result(found)

    async def ask(self, do: str, **fields: Any) -> Any:
        self.seq += 1
        self.replies[self.seq] = done = asyncio.get_running_loop().create_future()
        await self.page.send(json.dumps({"seq": self.seq, "command": {"do": do, **fields}}))
        found = await done
        if found["error"]:
            raise RuntimeError(found["error"])
        return found["result"]


async def _take(page: ClientConnection) -> None:
    async for _ in page:
        pass


def _p99(seconds: Any) -> float:
    return 1e3 * float(np.quantile(seconds, 0.99))


def _between(shown: list[float]) -> float:
    """p99 of the time between frames [ms], in the quietest stretch: the machine's other work only adds."""
    gaps = np.diff(shown)
    return min(_p99(part) for part in np.array_split(gaps, max(1, len(gaps) // STRETCH)))


# --- bars ----------------------------------------------------------------------------------------
def _drag(name: str) -> Iterator[Line]:
    async def drag(serving: Serving) -> list[tuple[list[float], list[float]]]:
        found = []
        async with serving.page() as page:
            asking = Asking(page)
            await asyncio.sleep(1.0)
            handle = await asking.ask("grab", item="pendulum", at=[0.5, 0, 0])
            rng = np.random.default_rng(1)
            for _ in range(ROUNDS):
                serving.ask("clear")
                trips = []
                for k in range(300):
                    begin = time.perf_counter()
                    await asking.ask("drag", handle=handle, to=[0.5 + 0.3 * np.sin(k / 30), 0.0, 1.4])
                    trips.append(time.perf_counter() - begin)
                    await asyncio.sleep(rng.uniform(0.004, 0.016))
                found.append((serving.ask()["latencies"], trips))
        return found

    with Serving(0) as serving:
        felt, trips = min(asyncio.run(drag(serving)), key=lambda pair: _p99(pair[0]))
    yield Bar(name, "p99 from a drag's receipt to the first state that shows it", _p99(felt), "≤", 10, " ms")
    yield Remark(
        name,
        f"median {1e3 * np.median(felt):.3g} ms of {len(felt)} drags; p99 to the reply {_p99(trips):.3g} ms",
    )


def _stream(name: str) -> Iterator[Line]:
    async def look(serving: Serving) -> tuple[int, float]:
        async with serving.page() as page:
            for seconds in (2.0, 15.0):
                serving.ask("clear")
                count, begin = 0, time.perf_counter()
                while time.perf_counter() < begin + seconds:
                    count += isinstance(await page.recv(), bytes)
            return count, time.perf_counter() - begin

    with Serving(200) as serving:
        count, seconds = asyncio.run(look(serving))
        told = serving.ask()
    yield Bar(name, "p99 of the server's work in a frame, physics and all", _p99(told["work"]), "≤", 8, " ms")
    yield Bar(name, "frames a second at the page", count / seconds, "≥", 58)
    yield Remark(name, f"200 rods; median {1e3 * np.median(told['work']):.3g} ms a frame")


def _stalled(seconds: float) -> Measurement:
    def measure(name: str) -> Iterator[Line]:
        async def look(serving: Serving) -> tuple[dict[str, Any], dict[str, Any], int, int]:
            async with contextlib.AsyncExitStack() as stack:
                pages = [await stack.enter_async_context(serving.page()) for _ in range(PAGES - 1)]
                readers = [asyncio.create_task(_take(page)) for page in pages]
                narrow = socket.create_connection(("127.0.0.1", serving.about["port"]))
                last = await stack.enter_async_context(serving.page(sock=narrow, max_queue=1))
                reader = asyncio.create_task(_take(last))
                await asyncio.sleep(5.0)  # past full, everything compiled
                serving.ask("clear")
                await asyncio.sleep(seconds / 2)
                before = serving.ask("tell")
                serving.ask("clear")
                reader.cancel()  # from now on it does not read
                await asyncio.sleep(1.0)
                middle = serving.ask("tell")["memory"]
                await asyncio.sleep(seconds - 1.0)
                after = serving.ask("tell")
                for task in readers:
                    task.cancel()
                return before, after, middle, after["memory"]

        with Serving(20) as serving:
            before, after, middle, end = asyncio.run(look(serving))
        ratio = _p99(after["work"]) / _p99(before["work"])
        yield Bar(name, "p99 of a frame's work with one page stalled, of that without", ratio, "≤", 1.2, "×")
        gaps = [_between(told["shown"]) for told in (before, after)]
        yield Bar(name, "p99 of the time between frames, likewise", gaps[1] / gaps[0], "≤", 1.2, "×")
        yield Bar(
            name, "growth of the server's memory while it is stalled", (end - middle) / 1e6, "≤", 5, " MB"
        )
        said = (
            f"{PAGES} pages, {seconds:g} s; p99 {_p99(before['work']):.3g} and {_p99(after['work']):.3g} "
            "ms of work, "
        )
        yield Remark(
            name,
            said + f"{gaps[0]:.3g} and {gaps[1]:.3g} ms between frames; pages at the end {after['clients']}",
        )

    return measure


def _edit(name: str) -> Iterator[Line]:
    async def build(serving: Serving) -> None:
        async with serving.page() as page:
            asking = Asking(page)
            await asyncio.sleep(2.0)
            for k in range(40):
                serving.ask("clear")
                await asking.ask("insert", of="rod", name=f"new {k}", values={"position": [k, 2, 3]})
                await asyncio.sleep(0.05)
                await asking.ask("insert", of="connect", inputs=[f"rod {49 - k}.end2", f"new {k}.end1"])
                await asyncio.sleep(0.1)
                longest.append(1e3 * float(np.diff(serving.ask()["shown"]).max()))

    longest: list[float] = []
    with Serving(50) as serving:
        asyncio.run(build(serving))
    longest.sort()
    usual = longest[len(longest) // 2]
    yield Bar(
        name,
        "longest time between frames when a body is added and snapped on, usually",
        usual,
        "≤",
        2e3 * FRAME,
        " ms",
    )
    yield Remark(
        name,
        f"40 rods put on a running chain of 50, one after the other: {longest[0]:.3g} … {longest[-1]:.3g} ms",
    )


MEASUREMENTS: dict[str, Measurement] = {
    "studio-drag": _drag,
    "studio-stream": _stream,
    "studio-edit": _edit,
    **PAGE,
    "studio-stalled": _stalled(SECONDS),
}


if __name__ == "__main__":
    chosen = MEASUREMENTS | ({"studio-stalled": _stalled(float(sys.argv[1]))} if len(sys.argv) > 1 else {})
    for bar, measurement in chosen.items():
        for line in measurement(bar):
            print(line, flush=True)
