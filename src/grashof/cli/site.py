"""`grashof site`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from grashof.cli.bench import StoreFile
from grashof.cli.console import Activity, echo
from grashof.common.errors import ModelError


def site(
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder to write into.")],
    store: StoreFile = None,
) -> int:
    """Writes problems, leaderboards and the gallery as a static site, which can be viewed with or without a web server.

    Example: `grashof site -o site`
    """
    try:
        from grashof.server.site import write_site
    except ImportError as problem:
        raise ModelError(f'The web app needs {problem.name}: install it with `pip install "grashof[web]"`.') from None
    from grashof.bench.store import default_store

    with Activity() as say:
        written = write_site(out, Path(store or default_store()), lambda part: say(f"{part.doing} {part.detail}"))
    size = sum(path.stat().st_size for path in written) / 1e6
    echo(f"wrote {len(written)} files, {size:.1f} MB, to {out}; begin with {out / 'index.html'}", err=True)
    return 0
