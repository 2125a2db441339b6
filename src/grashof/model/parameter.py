"""Parameters: named numbers from which others are computed."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from grashof.model.units import BOUND, is_quantity, si, si_unit


class Parameter(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A named number that may be used in laws and in expressions for other numbers.

    value          the nominal value, in SI units
    unit           its SI unit, such as "m" or "N s/m"; empty for a dimensionless number
    lower, upper   bounds of its value, in SI units; one or both may be omitted
    """

    name: str
    value: float
    unit: str = ""
    lower: Annotated[float | None, BOUND] = None
    upper: Annotated[float | None, BOUND] = None


def fields_in_si(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields of a parameter, with strings such as "120 mm" in SI units; the default unit is that of the value.

    >>> fields_in_si({"name": "L", "value": "120 mm", "upper": "20 cm"})
    {'name': 'L', 'value': 0.12, 'upper': 0.2, 'unit': 'm'}
    """
    texts = {key: x for key in ("value", "lower", "upper") if isinstance(x := fields.get(key), str) and is_quantity(x)}
    words = f"Parameter '{fields.get('name', '')}'"
    unit = fields.get("unit", "")
    if not texts or not isinstance(unit, str):
        return fields
    unit = unit or si_unit(f"{words}: {next(iter(texts))}", next(iter(texts.values())))
    return fields | {key: si(f"{words}: {key}", text, unit) for key, text in texts.items()} | {"unit": unit}
