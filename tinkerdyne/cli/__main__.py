"""`python -m tinkerdyne.cli`."""

from tinkerdyne.cli import app

app(prog_name="tinkerdyne")
