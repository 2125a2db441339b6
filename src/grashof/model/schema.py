"""The JSON Schema of a mechanism's file."""

from __future__ import annotations

import inspect
from typing import Any

import msgspec

from grashof.model.model import Model

FORMAT = "grashof 1"
"""The value of the key `format` at the top of a file: the program and the version of the format."""

SYNONYMS = {"prismatic": "slider"}
"""Types of joints that may have another name in files, as in Python."""


def schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of a file, with which editors complete and check it during editing."""
    document: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(msgspec.json.schema(Model)))
    for definition in document["$defs"].values():
        definition["description"] = inspect.cleandoc(definition["description"])
    _allow_texts(document)
    _same_items(document)
    for word, kind in SYNONYMS.items():
        definition = next(x for x in document["$defs"].values() if x["properties"].get("type") == {"enum": [kind]})
        definition["properties"]["type"]["enum"].append(word)
    top = document["$defs"]["Model"]
    del top["properties"]["defined"]
    top["properties"] = {"$schema": {"type": "string"}, "format": {"const": FORMAT}, **top["properties"]}
    top["required"] = ["format", *top["required"]]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Grashof mechanism", **document}


def _allow_texts(part: Any) -> None:
    """Allows strings (with a unit, or expressions) in place of numbers, unless these are fixed."""
    if isinstance(part, dict):
        if part.pop("fixed", False):
            return
        if part.get("type") == "number":
            part["type"] = ["number", "string"]
        for item in part.values():
            _allow_texts(item)
    elif isinstance(part, list):
        for item in part:
            if {"type": "string"} not in part:  # otherwise strings are allowed already
                _allow_texts(item)


def _same_items(part: Any) -> None:
    """Writes rows of fixed length and uniform type in a form that draft 7 also understands: editors such as Taplo do
    not support `prefixItems`."""
    if isinstance(part, dict):
        first = part.get("prefixItems")
        if first and all(item == first[0] for item in first):
            del part["prefixItems"]
            part["items"] = first[0]
    for item in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        _same_items(item)
