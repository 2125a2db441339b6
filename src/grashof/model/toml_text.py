"""A description as TOML text: one table per item, each vector on one line."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
import tomli_w

_WIDTH = 110  # the largest width of a line in a file


def plain(value: Any) -> Any:
    """The value as tables, lists, strings and numbers; fields with their default value are left out."""
    if isinstance(value, msgspec.Struct):
        tag = value.__struct_config__.tag
        table = {} if tag is None else {"type": tag}
        for field, default in _fields(type(value)):
            item = getattr(value, field)
            if item != default:
                table[field] = plain(item)
        return table
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, tuple) else value


@cache
def _fields(kind: type[msgspec.Struct]) -> list[tuple[str, Any]]:
    """The fields with their defaults; `name`, `a` and `b` come first, even if they are inherited."""
    fields = sorted(msgspec.structs.fields(kind), key=lambda field: field.name not in ("name", "a", "b"))
    return [(f.name, f.default if f.default_factory is msgspec.NODEFAULT else f.default_factory()) for f in fields]


def toml_lines(content: dict[str, Any]) -> Iterator[str]:
    """The lines of a file: plain values, then one [[table]] per item. tomli_w would break vectors over several
    lines."""
    sections = {key: value for key, value in content.items() if isinstance(value, dict) or _is_tables(value)}
    for key, value in content.items():
        if key not in sections:
            yield _entry(key, value)
    for key, value in sections.items():
        if isinstance(value, dict):
            yield from _section(key, "[{}]", value)
        else:
            for table in value:
                yield from _section(key, "[[{}]]", table)


def _section(path: str, header: str, table: dict[str, Any]) -> Iterator[str]:
    yield ""
    yield header.format(path)
    below = {}
    for key, value in table.items():
        line = _entry(key, value)
        if isinstance(value, dict) and (len(line) > _WIDTH or _is_tables([*value.values()])):
            below[key] = value
        else:
            yield line
    for key, value in below.items():
        yield from _section(f"{path}.{_key(key)}", "[{}]", value)


def _entry(key: str, value: Any) -> str:
    return f"{_key(key)} = {_inline(value)}"


def _inline(value: Any) -> str:
    if isinstance(value, dict):
        return f"{{ {', '.join(_entry(key, item) for key, item in value.items())} }}" if value else "{}"
    if _is_tables(value):
        return "".join(["[\n", *(f"    {_inline(item)},\n" for item in value), "]"])
    if isinstance(value, list):
        return f"[{', '.join(_inline(item) for item in value)}]"
    return tomli_w.dumps({"x": value}).removeprefix("x = ").removesuffix("\n")


def _is_tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def _key(key: str) -> str:
    return tomli_w.dumps({key: 0}).removesuffix(" = 0\n")
