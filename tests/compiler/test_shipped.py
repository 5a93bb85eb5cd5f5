"""Compiled code that a wheel brings along: the key of what made it decides whether it is used."""

import pytest

from tests.compiler.test_processor import choose, scaled_sum  # noqa: F401
from tinkerdyne.compiler import machine


@pytest.fixture
def shipped(tmp_path, monkeypatch):
    """A folder that a wheel brought, and an empty cache."""
    folder = tmp_path / "compiled"
    folder.mkdir()
    monkeypatch.setattr(machine, "SHIPPED", folder)
    monkeypatch.setenv("TINKERDYNE_CACHE", str(tmp_path / "cache"))
    return folder


def never() -> bytes:
    raise AssertionError("it was compiled")


def test_code_that_came_along_is_the_code_that_would_be_made(shipped, choose):  # noqa: F811
    """The same bytes, whoever compiles them for a target."""
    choose(machine.platform_level())
    text = scaled_sum()
    key, code = machine.key_of(text), machine.compile_ir(text)
    machine._write(shipped / f"{key}.o", code)
    assert machine.kept(key, never) == code == machine.compile_ir(text)


def test_code_of_another_key_and_damaged_code_are_made_anew(shipped, choose):  # noqa: F811
    choose(machine.platform_level())
    key = machine.key_of("one")
    machine._write(shipped / f"{key}.o", b"code")
    assert machine.kept(machine.key_of("another"), lambda: b"made") == b"made"
    (shipped / f"{key}.o").write_bytes((shipped / f"{key}.o").read_bytes()[:-1] + b"!")
    assert machine.kept(key, lambda: b"made") == b"made"


def test_code_that_came_along_says_for_which_processor_code_is_made(shipped, choose):  # noqa: F811
    choose("native")
    native = machine.processor()
    level = machine.platform_level()
    (shipped / machine.LEVEL_FILE).write_text(level)
    choose("")
    assert machine.processor() == (level, "")
    choose("native")
    assert machine.processor() == native


def test_a_machine_that_cannot_run_it_compiles_for_itself(shipped, choose, monkeypatch):  # noqa: F811
    (shipped / machine.LEVEL_FILE).write_text("later")
    monkeypatch.setattr(machine, "levels", lambda: {"later": ("telepathy",)})
    choose("native")
    native = machine.processor()
    choose("")
    assert machine.processor() == native
