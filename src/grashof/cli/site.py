"""`grashof site`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from grashof.cli.bench import StorePlace
from grashof.cli.console import Activity, echo
from grashof.common.errors import ModelError


def site(
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder to write into.")], store: StorePlace = None
) -> int:
    """Writes problems, leaderboards and the gallery as a static site, which can be viewed with or without a web server.

    Example: `grashof site -o site`
    """
    try:
        from grashof.server.site import write_site
    except ImportError as problem:
        raise ModelError(f'The web app needs {problem.name}: install it with `pip install "grashof[web]"`.') from None
    from grashof.bench.databases import place_of
    from grashof.bench.store import default_store

    with Activity() as say:
        place = place_of(store) if store else default_store()
        written = write_site(out, place, lambda part: say(f"{part.doing} {part.detail}"))
    size = sum(path.stat().st_size for path in written) / 1e6
    echo(f"wrote {len(written)} files, {size:.1f} MB, to {out}; begin with {out / 'index.html'}", err=True)
    return 0
