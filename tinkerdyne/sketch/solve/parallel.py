"""Parallel: pieces of work on any executor of concurrent.futures, here one after another without one; work
can be called off."""

from __future__ import annotations

import functools
import os
import pickle
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, ProcessPoolExecutor, wait
from multiprocessing.context import SpawnContext, SpawnProcess
from types import ModuleType
from typing import Any, ParamSpec, TypeVar

T = TypeVar("T")
P = ParamSpec("P")
Wanted = Callable[[], bool]

ASKED = 0.1  # s between two questions whether the work is still wanted
GRACE = 5.0  # s for work that was called off to come back with what it has
# Problems keep their numbers to themselves, and IPOPT's linear solver has numbers that all threads share: in
# one process one piece of work is done at a time.
ALONE = threading.RLock()


class Patience:
    """Whether work is still wanted: until `cancel` says so once."""

    def __init__(self, cancel: Callable[[], bool] | None) -> None:
        self._cancel = cancel
        self.is_over = False

    def goes_on(self) -> bool:
        """Ask anew."""
        self.is_over = self.is_over or (self._cancel is not None and bool(self._cancel()))
        return not self.is_over

    @property
    def wanted(self) -> Wanted | None:
        """The question, for a solver; none where nobody may stop it, so that it need not listen."""
        return None if self._cancel is None else self.goes_on


class _ScriptlessProcess(SpawnProcess):
    """A process that does not read the script which starts it, so that a script needs no `if __name__ ==
    "__main__"`."""

    def start(self) -> None:
        script = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            super().start()
        finally:
            sys.modules["__main__"] = script


class _ScriptlessContext(SpawnContext):
    Process = _ScriptlessProcess


class LocalProcesses(ProcessPoolExecutor):
    """So many processes of this machine, one a core if nothing is said."""

    def __init__(self, count: int | None = None) -> None:
        super().__init__(
            count or os.cpu_count(), mp_context=_ScriptlessContext(), initializer=_ignore_interrupts
        )


def travels(executor: Executor, work: object) -> bool:
    """Whether something can be sent to an executor's processes; what a script defines itself, our own do not
    know."""
    try:
        sent = pickle.dumps(work)
    except (pickle.PicklingError, AttributeError, TypeError):
        return False
    return not (isinstance(executor, LocalProcesses) and b"__main__" in sent)


def _ignore_interrupts() -> None:
    """Ctrl-C is heard by the process that gave the work, which calls it off."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def spread(
    executor: Executor | None, work: Callable[..., T], given: Sequence[object], *, wanted: Wanted | None
) -> Generator[T]:
    """work(one, wanted=…) for each of what is given, as it is done.

    Called off, what runs in processes of this machine ends with
    its next question, and what it has comes too; what runs elsewhere is left to itself."""
    if executor is None:
        for one in given:
            if wanted is not None and not wanted():
                return
            yield work(one, wanted=wanted)
        return
    is_here = wanted is not None and isinstance(executor, ProcessPoolExecutor)
    with tempfile.TemporaryDirectory() as folder:
        sign = os.path.join(folder, "wanted")
        with open(sign, "w"):
            asked = functools.partial(os.path.exists, sign) if is_here else None
        waiting = {executor.submit(work, one, wanted=asked) for one in given}
        try:
            while waiting:
                done, waiting = wait(waiting, ASKED if wanted is not None else None, FIRST_COMPLETED)
                yield from (one.result() for one in done)
                if wanted is not None and not wanted():
                    break
            os.remove(sign)
            running = {one for one in waiting if not one.cancel()}
            if is_here:
                yield from (one.result() for one in wait(running, GRACE)[0])
        finally:
            for one in waiting:
                one.cancel()


def in_order(
    executor: Executor | None, work: Callable[..., T], given: Sequence[tuple[object, ...]]
) -> Iterator[T]:
    """work(*one) for each of what is given, in order."""
    if executor is None:
        yield from (work(*one) for one in given)
        return
    waiting = [executor.submit(work, *one) for one in given]
    try:
        yield from (one.result() for one in waiting)
    finally:
        for one in waiting:
            one.cancel()


def alone(work: Callable[P, T]) -> Callable[P, T]:
    """A piece of work that is done while no other thread of this process does any."""

    @functools.wraps(work)
    def done(*given: P.args, **options: P.kwargs) -> T:
        with ALONE:
            return work(*given, **options)

    return done


# --- a cluster -------------------------------------------------------------------------------------
class Cluster(Executor):
    """A Dask client as an executor; shutting it down lets the cluster go."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._inner = client.get_executor()

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Any:
        return self._inner.submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._inner.shutdown(wait=wait)
        self._client.close()


def executor_on(address: str) -> Executor:
    """The executor of a Dask cluster at an address such as tcp://10.0.0.1:8786."""
    try:
        from distributed import Client
    except ImportError as problem:
        raise ImportError(f"searching on {address} needs Dask: pip install 'dask[distributed]'") from problem
    try:
        return Cluster(Client(address, timeout="10s"))
    except OSError as problem:
        raise OSError(
            f"no cluster answers at {address} ({problem}); start one with `dask scheduler`, or search here"
        ) from problem
