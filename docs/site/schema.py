"""The page on every table of a mechanism file, from its JSON schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from interface import prose  # a neighbour: MkDocs loads hooks from this folder
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

SCHEMA = Path(__file__).parents[1] / "mechanism.schema.json"

HEAD = """# Schema of the mechanism file

Every table that a [mechanism file](../file-format.md) can contain, with its keys, as editors check them with the [JSON schema](../mechanism.schema.json).
Where a `string` is accepted in place of a number, it is an expression or a number with a unit.

"""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the page."""
    files.append(File.generated(config, "reference/schema.md", content=text()))
    return files


def text() -> str:
    """The page."""
    tables = json.loads(SCHEMA.read_text(encoding="utf-8"))["$defs"]
    return (
        HEAD
        + "\n\n".join(_section(name, table) for name, table in tables.items())
        + "\n"
    )


def _section(name: str, table: dict[str, Any]) -> str:
    required = set(table.get("required", ()))
    rows = ["| key | type | default |", "|---|---|---|"]
    for key, field in table.get("properties", {}).items():
        default = (
            "required"
            if key in required
            else f"`{json.dumps(field['default'])}`"
            if "default" in field
            else ""
        )
        rows.append(f"| `{key}` | {_kind(field)} | {default} |")
    return "\n".join([f"## {name}", "", prose(table.get("description")), "", *rows])


def _kind(field: dict[str, Any]) -> str:
    """A type in words."""
    if "$ref" in field:
        name = field["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "enum" in field:
        return " or ".join(f"`{json.dumps(x)}`" for x in field["enum"])
    for key in ("anyOf", "oneOf", "allOf"):
        if key in field:
            return " or ".join(dict.fromkeys(_kind(x) for x in field[key]))
    kind = field.get("type", "any value")
    if isinstance(kind, list):
        return " or ".join(kind)
    if kind == "array":
        inside = (
            _kind(field["items"]) if isinstance(field.get("items"), dict) else "numbers"
        )
        return f"list of ({inside})"
    if kind == "object" and isinstance(field.get("additionalProperties"), dict):
        return f"table of ({_kind(field['additionalProperties'])})"
    return str(kind)
