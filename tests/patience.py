"""How tests start programs and wait for them."""

import signal

# Only that one which never ends does not hold up a test run for ever; this is no limit on speed.
HANG = 1800.0  # s


def hear_interrupts() -> None:
    """A program that is started with this hears Ctrl-C, also where the tests run in the background, deaf to
    it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
