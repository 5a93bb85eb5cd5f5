"""How tests start programs and wait for them."""

import os
import signal

# Only that one which never ends does not hold up a test run for ever; this is no limit on speed.
HANG = 1800.0  # s


def patience(seconds: float) -> float:
    """How long to wait for what takes so long at most where nothing else runs [s]: longer by as much as
    others want of the machine."""
    crowd = os.getloadavg()[0] / (os.cpu_count() or 1)
    return seconds * max(1.0, crowd)


def hear_interrupts() -> None:
    """A program that is started with this hears Ctrl-C, also where the tests run in the background, deaf to
    it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
