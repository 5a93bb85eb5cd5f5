"""The protocol as TypeScript, written from `tinkerdyne.studio.wire.protocol`: run `make protocol` after every
change of it."""

from __future__ import annotations

import json
import typing
from pathlib import Path
from typing import Any

import msgspec
from msgspec import inspect as m

from tinkerdyne.studio.wire import protocol

TARGET = Path(__file__).parents[1] / "client" / "src" / "wire" / "protocol.ts"
COMMAND = "make protocol"
CONSTANTS = ("VERSION", "MAGIC", "LARGEST_MESSAGE", "SOCKET")
UNIONS = ("Command", "ServerMessage")
SIMPLE: dict[Any, str] = {
    m.StrType: "string",
    m.IntType: "number",
    m.FloatType: "number",
    m.BoolType: "boolean",
    m.AnyType: "unknown",
    m.NoneType: "null",
}


def source() -> str:
    """The whole file."""
    parts = [f"// Generated from tinkerdyne/studio/wire/protocol.py. Do not edit; run: {COMMAND}\n"]
    parts += [f"export const {name} = {json.dumps(getattr(protocol, name))};\n" for name in CONSTANTS]
    found = [
        value
        for value in vars(protocol).values()
        if isinstance(value, type) and issubclass(value, msgspec.Struct)
    ]
    parts += [_interface(struct) for struct in found if struct is not protocol.Message]
    for name in UNIONS:
        members = " | ".join(one.__name__ for one in typing.get_args(getattr(protocol, name)))
        parts.append(f"export type {name} = {members};\n")
    return "\n".join(parts)


def _interface(struct: type[msgspec.Struct]) -> str:
    info = m.type_info(struct)
    assert isinstance(info, m.StructType)
    doc = " ".join((struct.__doc__ or "").split())
    lines = [f"/** {doc} */", f"export interface {struct.__name__} {{"]
    if info.tag_field is not None:
        lines.append(f'  {info.tag_field}: "{info.tag}";')
    # What the server writes is complete; what a page writes may leave out what has a default.
    is_sent_by_page = struct in typing.get_args(protocol.Command)
    for field in info.fields:
        optional = "?" if is_sent_by_page and not field.required else ""
        lines.append(f"  {field.encode_name}{optional}: {_type(field.type)};")
    return "\n".join([*lines, "}\n"])


def _type(t: Any) -> str:
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
    if isinstance(t, m.StructType):
        return t.cls.__name__
    raise TypeError(f"{t!r} has no TypeScript here; teach tinkerdyne.studio.wire.typescript")


if __name__ == "__main__":
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(source(), encoding="utf-8")
    print(f"wrote {TARGET}")
