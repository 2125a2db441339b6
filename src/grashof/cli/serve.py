"""`grashof serve`."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Annotated

import typer

from grashof.cli.bench import StorePlace
from grashof.cli.console import echo
from grashof.common.errors import ModelError


def serve(
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 chooses a free one.")] = 8765,
    host: Annotated[str, typer.Option(help="The address to listen at.")] = "127.0.0.1",
    prefix: Annotated[str, typer.Option(help="The path under which a proxy serves it, such as /grashof.")] = "",
    workers: Annotated[
        int, typer.Option(min=1, max=64, help="Processes of each kind: for checks, for judging, for runs.")
    ] = 2,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Answer under this name, too, such as that of a proxy; may be repeated. By default only under the "
            "address of --host and under localhost; where --host is 0.0.0.0 or ::, under any IP address.",
        ),
    ] = None,
    proxy: Annotated[
        str,
        typer.Option(
            metavar="ADDRESSES",
            help="Proxies whose X-Forwarded-For and X-Forwarded-Proto are believed: IP addresses or networks, "
            "separated by commas.",
        ),
    ] = "127.0.0.1",
    upload_space: Annotated[
        int,
        typer.Option(metavar="MIB", min=1, help="Room for uploads that are not published, which are kept for a day."),
    ] = 2048,
    store_space: Annotated[
        int, typer.Option(metavar="MIB", min=1, help="Size of the store beyond which nothing is published.")
    ] = 20480,
    folder: Annotated[
        Path | None,
        typer.Option(
            help="Folder for uploads that are not published yet, which servers of one store on this machine share. "
            "[default: that of the store, or the user's data folder]"
        ),
    ] = None,
    store: StorePlace = None,
) -> int:
    """Serves the library of benchmark problems and the workbench as a web app.

    Uploaded results are judged in separate processes with limits on memory and time. Stop the server with Ctrl+C.

    Examples: `grashof serve`, `grashof serve --port 9000 --store results.sqlite`
    """
    try:
        import uvicorn

        from grashof.server import connections
        from grashof.server.app import make_app
        from grashof.server.hosts import Hosts
    except ImportError as problem:
        raise ModelError(f'The web app needs {problem.name}: install it with `pip install "grashof[web]"`.') from None
    from grashof.bench.databases import name_of, place_of
    from grashof.bench.store import data_folder, default_store

    if prefix and not prefix.startswith("/"):
        raise ModelError(f"--prefix is '{prefix}'; it must begin with /.")
    place = place_of(store) if store else default_store()
    beside = place.parent if isinstance(place, Path) else data_folder()
    logging.basicConfig(format="%(asctime)s %(levelname)s %(message)s")
    hosts = Hosts.of(host, allow_host or ())
    app = make_app(place, folder or beside, workers, hosts, upload_space << 20, store_space << 20)
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        http=connections.PromptProtocol,
        proxy_headers=True,
        forwarded_allow_ips=proxy,
        root_path=prefix.rstrip("/"),
        log_level="warning",
        access_log=False,
        ws="none",
        limit_concurrency=connections.MOST_AT_WORK,
        backlog=connections.BACKLOG,
        timeout_graceful_shutdown=5,
    )
    connections.allow_descriptors()
    server = uvicorn.Server(config)
    sock = config.bind_socket()
    echo(
        f"Grashof is at http://{host}:{sock.getsockname()[1]}{prefix.rstrip('/')}/ (results in "
        f"{name_of(place)}). Ctrl+C ends it.",
        err=True,
    )
    server.run(sockets=[sock])
    return 0
