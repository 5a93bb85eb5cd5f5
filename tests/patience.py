"""How long a test waits for a program that it started."""

# Only that one which never ends does not hold up a test run for ever; this is no limit on speed.
HANG = 1800.0  # s
