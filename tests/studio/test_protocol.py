"""The protocol: every command says what its answer is, and someone carries it out."""

from __future__ import annotations

import json
import typing

import msgspec
import pytest

from tinkerdyne.studio.session.commands import _do
from tinkerdyne.studio.wire import protocol
from tinkerdyne.studio.wire.protocol import AnyCommand, Ask, Command, Preview, Turned, Undo, result_type
from tinkerdyne.studio.wire.typescript import source

COMMANDS = typing.get_args(AnyCommand)


def test_every_command_of_the_protocol_can_be_asked_for():
    written = {
        one
        for one in vars(protocol).values()
        if isinstance(one, type) and issubclass(one, Command) and one is not Command
    }
    assert written == set(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_declares_its_answer_and_is_carried_out(command):
    assert "result" in vars(command), "say what the answer is: result: ClassVar[Any] = …"
    assert command in _do.registry
    if isinstance(command.result, dict):
        [what] = [one for one in msgspec.structs.fields(command) if one.name == "what"]
        assert set(command.result) == set(typing.get_args(what.type))


def test_an_answer_depends_on_what_is_asked_for():
    assert result_type(Undo()) is Turned
    assert result_type(Ask("python")) is protocol.Text
    assert result_type(Ask("files")) == tuple[protocol.FileInfo, ...]


def test_an_answer_that_lacks_something_or_has_more_is_none():
    whole = {"freedoms": 1, "before": 4, "says": "takes 3 of 4 freedoms"}
    assert msgspec.convert(whole, Preview.result).freedoms == 1
    for wrong in ({"freedoms": 1, "before": 4}, {**whole, "more": 0}):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(wrong, Preview.result)


def test_the_page_knows_the_type_of_every_answer():
    text = source()
    results = text[text.index("export interface Results") :]
    for command in COMMANDS:
        tag = command.__struct_config__.tag
        assert f"\n  {tag if tag.isidentifier() else json.dumps(tag)}: " in results
    assert "unknown" not in results
