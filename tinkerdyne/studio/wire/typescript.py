"""The protocol as TypeScript, written from `tinkerdyne.studio.wire.protocol`: run `make protocol` after every
change of it."""

from __future__ import annotations

import json
import typing
from pathlib import Path

import msgspec
from msgspec import inspect as m

from tinkerdyne.studio.wire import protocol

TARGET = Path(__file__).parents[1] / "client" / "src" / "wire" / "protocol.ts"
COMMAND = "make protocol"
CONSTANTS = ("VERSION", "MAGIC", "LARGEST_MESSAGE", "SOCKET", "MOST_RECALLED", "SETTING_CHOICES")
UNIONS = {"Command": protocol.AnyCommand, "ServerMessage": protocol.ServerMessage}
ABSTRACT = (protocol.Message, protocol.Answer, protocol.Command)
SIMPLE: dict[type[m.Type], str] = {
    m.StrType: "string",
    m.IntType: "number",
    m.FloatType: "number",
    m.BoolType: "boolean",
    m.AnyType: "unknown",
    m.NoneType: "null",
}


def source() -> str:
    """The whole file."""
    parts = [f"// Generated from tinkerdyne/studio/wire/messages. Do not edit; run: {COMMAND}\n"]
    parts += [f"export const {name} = {json.dumps(getattr(protocol, name))};\n" for name in CONSTANTS]
    found = [
        value
        for value in vars(protocol).values()
        if isinstance(value, type) and issubclass(value, msgspec.Struct)
    ]
    parts += [_interface(struct) for struct in found if struct not in ABSTRACT]
    for name, union in UNIONS.items():
        members = " | ".join(one.__name__ for one in typing.get_args(union))
        parts.append(f"export type {name} = {members};\n")
    return "\n".join([*parts, _results()])


def _results() -> str:
    """The type of every command's answer, by its name and, of some, by `what` is asked for."""
    lines = ["/** What the server answers to each command. */", "export interface Results {"]
    by_what: list[str] = []
    for command in typing.get_args(protocol.AnyCommand):
        tag = f'"{command.__struct_config__.tag}"'
        key = tag if "-" in tag else tag[1:-1]
        if isinstance(command.result, dict):
            by_what.append(tag)
            answers = "; ".join(f"{what}: {_type(m.type_info(t))}" for what, t in command.result.items())
            lines.append(f"  {key}: {{ {answers} }};")
        else:
            lines.append(f"  {key}: {_type(m.type_info(command.result))};")
    given = f"{{ do: infer D extends {' | '.join(by_what)}; what: infer W }}"
    lines += [
        "}\n",
        "/** The answer to a command. */",
        f"export type ResultOf<C extends Command> = C extends {given}",
        "  ? Results[D][W & keyof Results[D]]",
        '  : Results[C["do"]];\n',
    ]
    return "\n".join(lines)


def _interface(struct: type[msgspec.Struct]) -> str:
    info = m.type_info(struct)
    assert isinstance(info, m.StructType)
    doc = " ".join((struct.__doc__ or "").split())
    lines = [f"/** {doc} */", f"export interface {struct.__name__} {{"]
    if info.tag_field is not None:
        lines.append(f'  {info.tag_field}: "{info.tag}";')
    # What the server writes is complete; what a page writes may leave out what has a default.
    is_sent_by_page = struct in typing.get_args(protocol.AnyCommand)
    for field in info.fields:
        optional = "?" if is_sent_by_page and not field.required else ""
        lines.append(f"  {field.encode_name}{optional}: {_type(field.type)};")
    return "\n".join([*lines, "}\n"])


def _type(t: m.Type) -> str:
    """The TypeScript of a field's type."""
    if type(t) in SIMPLE:
        return SIMPLE[type(t)]
    if isinstance(t, m.LiteralType):
        return " | ".join(f'"{v}"' for v in t.values)
    if isinstance(t, m.UnionType):
        if all(isinstance(one, m.StructType) and one.tag_field == "do" for one in t.types):
            return "Command"
        return " | ".join(_type(one) for one in t.types)
    if isinstance(t, m.VarTupleType | m.ListType):
        inner = _type(t.item_type)
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    if isinstance(t, m.DictType):
        return f"Record<{_type(t.key_type)}, {_type(t.value_type)}>"
    if isinstance(t, m.CustomType) and t.cls is object:  # any JSON value
        return "unknown"
    if isinstance(t, m.StructType):
        return t.cls.__name__
    raise TypeError(f"{t!r} has no TypeScript here; teach tinkerdyne.studio.wire.typescript")


if __name__ == "__main__":
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(source(), encoding="utf-8")
    print(f"wrote {TARGET}")
