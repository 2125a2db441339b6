"""`grashof numbers`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from grashof.cli.chosen import Chosen, about_a_mechanism
from grashof.cli.console import Activity, console, print_json
from grashof.cli.options import Json

if TYPE_CHECKING:
    from grashof.model.parameters import Number


@about_a_mechanism
def numbers(chosen: Chosen, as_json: Json = False) -> int:
    """Lists the numbers of a mechanism that can be set, varied and used in expressions, with values and units.

    Examples: `grashof numbers crank.toml`, `grashof numbers andrews --json`
    """
    with Activity(quiet=as_json) as say:
        say("loading")
        from grashof.model.parameters import numbers as find

        model = chosen.model()
        found = find(model)
    if as_json:
        print_json({"mechanism": model.name, "numbers": {path: _plain(number) for path, number in found.items()}})
        return 0
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for heading in ("number", "value", "unit", "given by"):
        table.add_column(heading, justify="right" if heading == "value" else "left", overflow="fold")
    for path, number in found.items():
        table.add_row(path, f"{number.value:.10g}", number.unit, number.formula or _bounds(number))
    console().print(table)
    return 0


def _plain(number: Number) -> dict[str, Any]:
    """The number as plain data; missing fields are left out."""
    fields = {"value": number.value, "unit": number.unit, "formula": number.formula or None}
    return {key: x for key, x in (fields | {"lower": number.lower, "upper": number.upper}).items() if x is not None}


def _bounds(number: Number) -> str:
    lower, upper = number.lower, number.upper
    if lower is None and upper is None:
        return ""
    return f"{'−∞' if lower is None else f'{lower:g}'} to {'∞' if upper is None else f'{upper:g}'}"
