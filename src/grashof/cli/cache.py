"""`grashof cache`."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from grashof.cli.console import console


def cache(
    action: Annotated[
        Literal["show", "clear"], typer.Argument(help="show: where it is and how large; clear: empty it.")
    ] = "show",
) -> int:
    """Shows or empties the cache of compiled mechanisms.

    Examples: `grashof cache`, `grashof cache clear`
    """
    from grashof.tape import cache as store

    place = store.folder()
    out = console()
    if place is None:
        out.print("The cache is off: GRASHOF_CACHE is 'off', or there is no home folder to keep it in.")
        return 0
    refusal = store.refusal(place)
    if refusal is not None:
        out.print(f"The cache is off: {refusal}")
        return 0
    if action == "clear":
        count, size = store.clear()
        out.print(f"Removed {count} objects, {size / 2**20:.1f} MiB, from {place}.")
        return 0
    found = store.contents()
    size = sum(bytes_ for _, bytes_, _ in found)
    out.print(f"{len(found)} objects, {size / 2**20:.1f} of at most {store.LARGEST / 2**20:.0f} MiB, in {place}.")
    return 0
