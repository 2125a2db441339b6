"""Texts with units in a file become numbers, by what the description says of its fields."""

from __future__ import annotations

from typing import Any

import msgspec.inspect as info

from grashof.model.units import is_quantity, si

MEASURED = {
    "value": "{}",
    "rate": "{}/s",
    "speed": "{}/s",
    "law": "{}",
    "crosses": "{}",
    "lower": "{}",
    "upper": "{}",
} | {"target": "{}", "offset": "{}"}
"""Fields of conditions, motors, events and stops whose unit is that of what they are about."""


def in_si(content: dict[str, Any], model: type) -> dict[str, Any]:
    """The content of a file with every text such as "120 mm" as a number in SI units; what does not fit is refused by name."""
    angles = {
        measure.get("name")
        for measure in _tables(content.get("measures"))
        if measure.get("type") == "angle" and isinstance(measure.get("name"), str)
    }
    start = content.get("start")
    about_what = {
        "needs": "quantity",
        "wants": "quantity",
        "motors": "target",
        "events": "quantity",
        "forces": "measure",
    }
    for key, about in about_what.items():
        holder = (start if isinstance(start, dict) else {}) if key in ("needs", "wants") else content
        for table in _tables(holder.get(key)):
            name = table.get(about)
            if isinstance(name, str):
                source = name.removesuffix(".rate")
                unit = "rad" if source in angles or source.endswith(".angle") else "m"
                unit += "/s" if name.endswith(".rate") else ""
                _measured(f"{key} ('{name}')", table, unit)
    found: dict[str, Any] = _converted("", content, info.type_info(model), None)
    return found


def _tables(value: Any) -> list[dict[str, Any]]:
    return [x for x in value if isinstance(x, dict)] if isinstance(value, list) else []


def _measured(words: str, table: dict[str, Any], unit: str) -> None:
    for field, form in MEASURED.items():
        value = table.get(field)
        if isinstance(value, str) and is_quantity(value):
            number = si(f"{words}: {field}", value, form.format(unit))
            table[field] = repr(number) if field == "law" else number


def _converted(words: str, value: Any, kind: info.Type, unit: str | None) -> Any:
    match kind:
        case info.Metadata():
            return _converted(words, value, kind.type, (kind.extra or {}).get("unit", unit))
        case info.UnionType():
            return _of_union(words, value, kind, unit)
        case info.StructType() if isinstance(value, dict):
            fields = {field.encode_name: field.type for field in kind.fields}
            return {
                key: _converted(f"{words}: {key}".removeprefix(": "), item, fields[key], None)
                if key in fields
                else item
                for key, item in value.items()
            }
        case info.DictType() if isinstance(value, dict):
            return {key: _converted(f"{words}: '{key}'", item, kind.value_type, unit) for key, item in value.items()}
        case info.VarTupleType() if isinstance(value, list):
            return [_converted(_item(words, i, item), item, kind.item_type, unit) for i, item in enumerate(value)]
        case info.TupleType() if isinstance(value, list) and len(value) == len(kind.item_types):
            pairs = zip(value, kind.item_types, strict=True)
            return [_converted(f"{words}[{i}]", item, own, unit) for i, (item, own) in enumerate(pairs)]
        case info.FloatType() if isinstance(value, str) and unit is not None:
            return si(words, value, unit)
    return value


def _item(words: str, i: int, item: Any) -> str:
    label = item.get("name") if isinstance(item, dict) else None
    return f"{words}[{i}] ('{label}')" if isinstance(label, str) else f"{words}[{i}]"


def _of_union(words: str, value: Any, kind: info.UnionType, unit: str | None) -> Any:
    """The member that a value means: the table's type, a list, a law if texts are allowed, or else a number."""
    for member in kind.types:
        inner = member.type if isinstance(member, info.Metadata) else member
        if isinstance(inner, info.StructType) and isinstance(value, dict) and inner.tag in (value.get("type"), None):
            return _converted(words, value, inner, unit)
        if isinstance(inner, info.VarTupleType) and isinstance(value, list):
            return _converted(words, value, inner, unit)
    may_be_text = any(isinstance(member, info.StrType) for member in kind.types)
    for member in kind.types:
        inner, own = (
            (member.type, (member.extra or {}).get("unit", unit))
            if isinstance(member, info.Metadata)
            else (member, unit)
        )
        if isinstance(inner, info.FloatType) and isinstance(value, str) and own is not None:
            return value if may_be_text and not is_quantity(value) else si(words, value, own)
    return value
