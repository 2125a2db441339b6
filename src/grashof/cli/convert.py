"""`grashof convert`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from grashof.cli.console import Activity, echo, print_json
from grashof.cli.options import (
    AllowCode,
    Json,
    Reading,
    Settings,
    Strict,
    Variant,
    case_or_model,
)


def convert(
    source: Annotated[
        str, typer.Argument(metavar="IN", help="A mechanism's file of any format, or a benchmark problem.")
    ],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="The file to write; its suffix selects the format.")],
    variant: Variant = None,
    given: Settings = None,
    allow_code: AllowCode = False,
    strict: Strict = False,
    reading: Reading = None,
    as_json: Json = False,
) -> int:
    """Converts a mechanism from one file format to another; the file extensions select the formats.

    Examples: `grashof convert model.osim crank.toml`, `grashof convert crank.toml crank.osim --strict`, `grashof
    convert andrews andrews.osim`
    """
    with Activity(quiet=as_json) as say:
        say(f"reading {source}")
        from grashof.exchange import save_file

        not_read: list[str] = []
        _, model = case_or_model(source, variant, given, allow_code, strict, not_read, reading)
        say(f"writing {target}")
        not_written = save_file(model, target, strict=strict)
    if as_json:
        facts = {
            "from": source,
            "to": str(target),
            "name": model.name,
            "not_read": not_read,
            "not_written": list(not_written),
        }
        print_json(facts)
        return 0
    for sentence in not_read:
        echo(f"not read: {sentence}")
    for sentence in not_written:
        echo(f"not written: {sentence}")
    echo(f"wrote {target}")
    return 0
