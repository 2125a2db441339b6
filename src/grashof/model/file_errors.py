"""Error messages about the content of a mechanism's file, in terms of the file."""

from __future__ import annotations

import re
import reprlib
from typing import Any

import msgspec
import msgspec.inspect as info

from grashof.common.errors import did_you_mean
from grashof.model.fields import Vector
from grashof.model.model import Model

_KINDS = {
    "float": "a number",
    "int": "a whole number",
    "str": "a text in quotes",
    "bool": "true or false",
    "array": "a list in brackets",
    "object": "a table",
}


def explain_error(problem: str, content: dict[str, Any]) -> str:
    """msgspec's message about a place such as `$.joints[2].length`, in terms of the file."""
    message, _, path = problem.partition(" - at `$")
    where, kind, value = _walk(path.removesuffix("`"), content)
    quoted = re.search(r"`(.+?)`", message)
    word = quoted[1] if quoted else ""
    if "unknown field" in message:
        fields = [field.encode_name for field in kind.fields] if isinstance(kind, info.StructType) else []
        return f"{where}: there is no field '{word}'; {did_you_mean(word, fields)}"
    if "missing required field" in message:
        advice = f"it is one of {', '.join(_tags(kind))}" if word == "type" else "add it"
        return f"{where}: the field '{word}' is missing; {advice}."
    found = f"{where} is {reprlib.repr(value)}"
    if message.startswith("Invalid value"):
        return f"{found}; {did_you_mean(str(value), _tags(kind))}"
    if isinstance(kind, info.LiteralType):
        return f"{found}; it must be {' or '.join(repr(x) for x in kind.values)}."
    expected = re.fullmatch(r"Expected `(.+?)`( of length \d+)?, got .+", message)
    if expected:
        wanted = [_KINDS.get(name, name) for name in expected[1].split(" | ") if name != "null"]
        return f"{found}; it must be {' or '.join(wanted)}{expected[2] or ''}."
    return f"{found}: {message}."


def _walk(path: str, content: dict[str, Any]) -> tuple[str, info.Type, Any]:
    """Follows a path into the file; returns the place in words, the type expected there, and the value found."""
    kind: info.Type = info.type_info(Model)
    value: Any = content
    words = ""
    for name, index in re.findall(r"\.(\w+)|\[(\d+|\.\.\.)\]", path):
        kind = _narrow(kind, value)
        match kind:
            case info.DictType():
                kind = kind.value_type
                name = _culprit(value, kind)
                words += f": '{name}'"
            case info.StructType():
                kind = next((field.type for field in kind.fields if field.encode_name == name), kind)
                words += f": {name}"
            case info.VarTupleType() | info.TupleType():
                kind = kind.item_type if isinstance(kind, info.VarTupleType) else kind.item_types[int(index)]
                words += f"[{index}]"
            case _:  # the field that selects a member of a union
                words += f": {name}"
        value = value[name or int(index)]
        label = value.get("name", value.get("quantity")) if isinstance(value, dict) and index else None
        words += f" ('{label}')" if isinstance(label, str) else ""
    return words.removeprefix(": ") or "at the top", _narrow(kind, value), value


def _narrow(kind: info.Type, value: Any) -> info.Type:
    """The member of a union that matches a value: by the table's type, or as a list."""
    if isinstance(kind, info.Metadata):
        return _narrow(kind.type, value)
    if isinstance(kind, info.UnionType):
        for member in kind.types:
            if isinstance(member, info.StructType) and isinstance(value, dict) and member.tag == value.get("type"):
                return member
            if isinstance(member, info.VarTupleType) and isinstance(value, list):
                return member
    return kind


def _tags(kind: info.Type) -> list[str]:
    members = kind.types if isinstance(kind, info.UnionType) else ()
    return [str(member.tag) for member in members if isinstance(member, info.StructType)]


def _culprit(table: dict[str, Any], kind: info.Type) -> str:
    """The wrong entry of a table of named items: msgspec does not report it, so they are tried one by one."""
    expected: Any = kind.cls if isinstance(kind, info.StructType) else Vector
    for name, value in table.items():
        try:
            msgspec.convert(value, expected)
        except msgspec.ValidationError:
            return name
    raise AssertionError("an entry was refused among others and not alone")
