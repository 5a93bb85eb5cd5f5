"""`python -m tinkerdyne` is the command `tinkerdyne`."""

from tinkerdyne.cli import app

app(prog_name="tinkerdyne")
