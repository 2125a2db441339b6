"""`grashof gallery`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from grashof.cli.console import console, echo, print_json
from grashof.cli.options import Json, check_folder
from grashof.common.errors import ModelError


def gallery(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="A mechanism of the gallery; all are listed without it.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="Write the mechanism to this TOML file, for editing."),
    ] = None,
    as_json: Json = False,
) -> int:
    """Lists the mechanisms of the gallery, prints the file of one of them, or writes a copy of it for editing.

    Other commands accept these names, too: `grashof simulate jansen`, `grashof mobility bennett`.

    Examples: `grashof gallery`, `grashof gallery jansen -o my-leg.toml`
    """
    from msgspec import to_builtins

    from grashof.examples import example_text, find_entry
    from grashof.examples import gallery as entries

    if name is None:
        if out is not None:
            raise ModelError("--out writes one mechanism; name it, as in `grashof gallery jansen -o my-leg.toml`.")
        if as_json:
            print_json({"gallery": to_builtins(entries())})
            return 0
        from rich.padding import Padding

        shown = console()
        for entry in entries():
            shown.print(f"{entry.name}  {entry.title}", style="bold")
            shown.print(Padding(entry.teaches, (0, 0, 0, 4)))
        return 0
    text = example_text(name)
    if out is not None:
        from grashof.common.writing import write_atomically

        check_folder("--out", out.absolute().parent)
        if out.exists():
            raise ModelError(f"{os.fspath(out)} exists already; name another file, or remove it first.")
        write_atomically(out, text)
        echo(f"wrote {out}")
    elif as_json:
        print_json({**to_builtins(find_entry(name)), "toml": text})
    else:
        echo(text)
    return 0
