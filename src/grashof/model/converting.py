"""Converts strings in a file to numbers, guided by the types of the fields: "120 mm" immediately, expressions once all
numbers are known."""

from __future__ import annotations

from functools import cache
from typing import Any, get_args

import msgspec.inspect as info

from grashof.model.joints import Joint
from grashof.model.parameter import fields_in_si
from grashof.model.units import is_quantity, si

_MEASURED = {
    "value": "{of}",
    "rate": "{of}/s",
    "speed": "{of}/s",
    "law": "{of}",
    "crosses": "{of}",
    "lower": "{of}",
    "upper": "{of}",
    "target": "{of}",
    "offset": "{of}",
    "kp": "{effort}/{of}",
    "ki": "{effort}/{of}/s",
    "kd": "{effort} s/{of}",
    "limit": "{effort}",
    "windup": "{of} s",
    "viscous": "{effort} s/{of}",
    "coulomb": "{effort}",
    "static": "{effort}",
    "slip_speed": "{of}/s",
    "width": "{of}",
}
"""Fields of conditions, motors, events, stops, controllers and friction whose unit follows from the unit of the
quantity they refer to, and from that of the effort along it."""

_described = cache(info.type_info)

_SLIP_UNITS = {kind.__struct_config__.tag: kind.slip_unit for kind in get_args(Joint)}
"""The units of slip in joints, by their types in a file."""


def measured_unit(field: str, of: str) -> str | None:
    """The unit of a field whose item refers to a quantity with the unit `of`; None if it does not follow from that."""
    form = _MEASURED.get(field)
    return None if form is None else form.format(of=of, effort="N m" if of == "rad" else "N")


Place = tuple[str | int, ...]
"""The way to a number from the top of a description: fields, indices and keys."""


def in_si(content: dict[str, Any], model: type) -> tuple[dict[str, Any], dict[Place, str]]:
    """The content of a file with strings such as "120 mm" converted to SI units; units that do not fit are refused.

    Any other string in the place of a number is an expression: it is replaced by zero and returned in the second
    result.
    """
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
                _measure_unit(f"{key} ('{name}')", table, about, unit)
    types = {str(joint.get("name")): joint.get("type") for joint in _tables(content.get("joints"))}
    for table in _tables(content.get("forces")):
        if table.get("type") == "friction" and str(table.get("joint")) in types:
            _measure_unit(
                f"forces ('{table.get('name')}')", table, "joint", _SLIP_UNITS.get(types[str(table["joint"])], "m")
            )
    for table in _tables(content.get("parameters")):
        table.update(fields_in_si(table))
    reader = _Reader()
    found: dict[str, Any] = reader.converted("", (), content, _described(model), None)
    return found, reader.texts


def _tables(value: Any) -> list[dict[str, Any]]:
    return [x for x in value if isinstance(x, dict)] if isinstance(value, list) else []


def _measure_unit(words: str, table: dict[str, Any], about: str, unit: str) -> None:
    for field, value in table.items():
        expected = measured_unit(field, unit)
        if field != about and expected is not None and isinstance(value, str) and is_quantity(value):
            number = si(f"{words}: {field}", value, expected)
            table[field] = repr(number) if field == "law" else number


class _Reader:
    """Walks through the content of a file and collects the expressions that it finds, by their places."""

    def __init__(self) -> None:
        self.texts: dict[Place, str] = {}

    def converted(self, words: str, place: Place, value: Any, kind: info.Type, unit: str | None) -> Any:
        """The value at a place, in SI units; `words` describe the place in error messages."""
        match kind:
            case info.Metadata(extra=extra):
                said = extra or {}
                if not said.get("is_number", True):
                    return value
                return self.converted(words, place, value, kind.type, said.get("unit", unit))
            case info.UnionType():
                return self._of_union(words, place, value, kind, unit)
            case info.StructType() if isinstance(value, dict):
                fields = {field.encode_name: field.type for field in kind.fields}
                return {
                    key: self.converted(f"{words}: {key}".removeprefix(": "), (*place, key), item, fields[key], None)
                    if key in fields
                    else item
                    for key, item in value.items()
                }
            case info.DictType() if isinstance(value, dict):
                return {
                    key: self.converted(f"{words}: '{key}'", (*place, key), item, kind.value_type, unit)
                    for key, item in value.items()
                }
            case info.VarTupleType() if isinstance(value, list):
                return self._row(words, place, value, [kind.item_type] * len(value), unit)
            case info.TupleType() if isinstance(value, list) and len(value) == len(kind.item_types):
                return self._row(words, place, value, list(kind.item_types), unit)
            case info.FloatType() if isinstance(value, str):
                return self._number(words, place, value, unit)
        return value

    def _row(self, words: str, place: Place, row: list[Any], kinds: list[info.Type], unit: str | None) -> list[Any]:
        items = enumerate(zip(row, kinds, strict=True))
        return [self.converted(_item(words, i, item), (*place, i), item, kind, unit) for i, (item, kind) in items]

    def _number(self, words: str, place: Place, text: str, unit: str | None) -> float | str:
        if is_quantity(text):
            return text if unit is None else si(words, text, unit)
        self.texts[place] = text
        return 0.0

    def _of_union(self, words: str, place: Place, value: Any, kind: info.UnionType, unit: str | None) -> Any:
        """The value as a member of a union: by its type, a list, a law if strings are allowed, or else a number."""
        for member in kind.types:
            inner = member.type if isinstance(member, info.Metadata) else member
            if (
                isinstance(inner, info.StructType)
                and isinstance(value, dict)
                and inner.tag in (value.get("type"), None)
            ):
                return self.converted(words, place, value, inner, unit)
            if isinstance(inner, info.VarTupleType) and isinstance(value, list):
                return self.converted(words, place, value, inner, unit)
        may_be_text = any(isinstance(member, info.StrType) for member in kind.types)
        for member in kind.types:
            inner, own = (
                (member.type, (member.extra or {}).get("unit", unit))
                if isinstance(member, info.Metadata)
                else (member, unit)
            )
            if isinstance(inner, info.FloatType) and isinstance(value, str):
                is_law = may_be_text and (own is None or not is_quantity(value))
                return value if is_law else self._number(words, place, value, own)
        return value


def _item(words: str, i: int, item: Any) -> str:
    label = item.get("name") if isinstance(item, dict) else None
    return f"{words}[{i}] ('{label}')" if isinstance(label, str) else f"{words}[{i}]"
