"""Long jobs beside the engine: taken in turn, and none keeps the studio, or the program, from ending."""

import subprocess
import sys
import textwrap
import threading

import pytest

from tests.patience import HANG
from tinkerdyne.studio.session.workers import Workers


def test_jobs_are_done_and_what_fails_says_so():
    workers = Workers(2, lambda: None)
    assert [workers.submit(lambda k=k: k * k).result(HANG) for k in range(5)] == [0, 1, 4, 9, 16]
    with pytest.raises(ZeroDivisionError):
        workers.submit(lambda: 1 / 0).result(HANG)
    workers.stop(HANG)


def test_what_was_not_begun_is_dropped_at_the_end():
    begun, go = threading.Event(), threading.Event()
    workers = Workers(1, lambda: None)
    first = workers.submit(lambda: (begun.set(), go.wait(HANG)))
    assert begun.wait(HANG)
    second = workers.submit(lambda: None)
    workers.stop(0.0)
    assert second.cancelled() and not first.done()
    go.set()
    first.result(HANG)


def test_a_job_that_never_ends_does_not_keep_the_program_alive():
    """X9: Ctrl-C ended nothing while a huge file was read."""
    script = """
        import threading, time
        import tinkerdyne as td
        from tinkerdyne.studio.session import session

        session.BUSY = 0.2
        shown = td.studio(td.World(), browser=False)
        begun = threading.Event()

        def endless():
            begun.set()
            while True:
                time.sleep(0.01)

        shown._session.work_on(endless, print, print)
        begun.wait()
        shown.stop()
        print("ended")
    """
    command = [sys.executable, "-c", textwrap.dedent(script)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=HANG)
    assert done.returncode == 0 and done.stdout.endswith("ended\n"), done.stderr
