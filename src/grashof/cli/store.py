"""`grashof store`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from grashof.cli.bench import StorePlace
from grashof.cli.console import Activity, echo, print_facts
from grashof.common.errors import ModelError


def store(
    action: Annotated[
        Literal["show", "backup", "restore"],
        typer.Argument(help="show: what it holds; backup: write all of it to a file; restore: read such a file."),
    ] = "show",
    file: Annotated[Path | None, typer.Argument(help="The backup, one SQLite file for stores of either kind.")] = None,
    store: StorePlace = None,
) -> int:
    """Shows, backs up or restores the store of results: measurements, and published results with their files.

    A backup can be made while servers use the store. It is restored into a store that has no results yet: a file or a
    PostgreSQL database, whichever the backup came from.

    Examples: `grashof store`, `grashof store backup results-2026-11-19.sqlite`,
    `grashof store restore results-2026-11-19.sqlite --store postgresql://grashof@localhost/grashof`
    """
    from grashof.bench.databases import place_of
    from grashof.bench.store import Store, default_store

    if (file is None) != (action == "show"):
        wanted = "needs the name of a file" if file is None else "takes no file; say backup or restore"
        raise ModelError(f"`grashof store {action}` {wanted}.")
    with Store(place_of(store) if store else default_store(), create=action == "restore") as results, Activity() as say:
        if file is None:
            measured, published = results.counts()
            print_facts(
                [
                    ("store", results.name),
                    ("measurements", f"{measured}"),
                    ("published results", f"{published}"),
                    ("size", f"{results.size() / 2**20:.1f} MiB"),
                ]
            )
        elif action == "backup":
            say(f"writing {file}")
            echo(f"wrote {file}: {results.back_up(file)} rows of {results.name}", err=True)
        else:
            say(f"reading {file}")
            echo(f"{file}: {results.restore(file)} rows restored into {results.name}", err=True)
    return 0
