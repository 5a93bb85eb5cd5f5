"""Ctrl-C is heard whenever it is pressed."""

import signal
import time

import pytest

from tests.patience import HANG
from tinkerdyne.cli import interrupts


class Dropped:
    """Ctrl-C at a moment in which Python drops exceptions: in a finalizer."""

    def __del__(self):
        signal.raise_signal(signal.SIGINT)


@pytest.fixture
def quick(monkeypatch):
    """Ctrl-C is Python's own at first, also where tests run in the background; it is repeated soon."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    monkeypatch.setattr(interrupts, "AGAIN", 0.05)
    yield
    signal.signal(signal.SIGINT, before)


def wait():
    end = time.monotonic() + HANG
    while time.monotonic() < end:
        time.sleep(0.01)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_interrupt_that_python_drops_comes_again(quick):
    with pytest.raises(KeyboardInterrupt), interrupts.heard_interrupts():
        Dropped()
        wait()


def test_one_that_is_heard_comes_once(quick):
    with pytest.raises(KeyboardInterrupt), interrupts.heard_interrupts():
        signal.raise_signal(signal.SIGINT)
    time.sleep(0.2)  # nothing follows
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_prompt_has_it_once_and_goes_on(quick):
    with interrupts.heard_interrupts():
        interrupts.leave_interrupts()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        time.sleep(0.2)  # nothing follows


def test_who_ignores_it_goes_on_ignoring_it(quick):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with interrupts.heard_interrupts():
        interrupts.leave_interrupts()
        signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
