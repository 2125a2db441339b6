"""`grashof serve`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from grashof.cli.bench import StoreFile
from grashof.cli.console import echo
from grashof.common.errors import ModelError


def serve(
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 chooses a free one.")] = 8765,
    host: Annotated[str, typer.Option(help="The address to listen at.")] = "127.0.0.1",
    prefix: Annotated[str, typer.Option(help="The path under which a proxy serves it, such as /grashof.")] = "",
    workers: Annotated[int, typer.Option(min=1, max=64, help="Processes that judge and simulate.")] = 2,
    store: StoreFile = None,
) -> int:
    """Serves the library of benchmark problems and the workbench as a web app.

    Uploaded results are judged in separate processes with limits on memory and time. Stop the server with Ctrl+C.

    Examples: `grashof serve`, `grashof serve --port 9000 --store results.sqlite`
    """
    try:
        import uvicorn

        from grashof.server.app import make_app
    except ImportError as problem:
        raise ModelError(f'The web app needs {problem.name}: install it with `pip install "grashof[web]"`.') from None
    from grashof.bench.store import default_store

    if prefix and not prefix.startswith("/"):
        raise ModelError(f"--prefix is '{prefix}'; it must begin with /.")
    place = Path(store or default_store())
    app = make_app(place, place.parent, workers)
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        root_path=prefix.rstrip("/"),
        log_level="warning",
        access_log=False,
        ws="none",
        limit_concurrency=1000,
        timeout_graceful_shutdown=5,
    )
    server = uvicorn.Server(config)
    sock = config.bind_socket()
    echo(
        f"Grashof is at http://{host}:{sock.getsockname()[1]}{prefix.rstrip('/')}/ (results in "
        f"{os.fspath(place)}). Ctrl+C ends it.",
        err=True,
    )
    server.run(sockets=[sock])
    return 0
