"""Workers: threads for long jobs beside the engine; one that does not end does not keep the program from
ending."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any


class Workers:
    """A few threads that take jobs in turn."""

    def __init__(self, count: int, begin: Callable[[], object]) -> None:
        self._jobs: queue.SimpleQueue[tuple[Callable[[], Any], Future[Any]] | None] = queue.SimpleQueue()
        self._begin = begin
        self._threads = [
            # python waits for others than daemons before it ends
            threading.Thread(target=self._work, name=f"tinkerdyne-work-{k}", daemon=True)
            for k in range(count)
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, job: Callable[[], Any]) -> Future[Any]:
        """Do a job when a thread is free."""
        future: Future[Any] = Future()
        self._jobs.put((job, future))
        return future

    def stop(self, seconds: float) -> None:
        """Drop what was not begun, and wait some seconds for what was."""
        while True:
            try:
                waiting = self._jobs.get_nowait()
            except queue.Empty:
                break
            if waiting is not None:
                waiting[1].cancel()
        for _ in self._threads:
            self._jobs.put(None)
        until = time.monotonic() + seconds
        for thread in self._threads:
            thread.join(max(0.0, until - time.monotonic()))

    def _work(self) -> None:
        self._begin()
        while (taken := self._jobs.get()) is not None:
            job, future = taken
            if not future.set_running_or_notify_cancel():
                continue
            try:
                answer = job()
            except BaseException as problem:
                future.set_exception(problem)
            else:
                future.set_result(answer)
