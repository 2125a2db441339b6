"""The app: addresses, their handlers, and the answer where something is refused."""

from __future__ import annotations

import errno
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from grashof.bench.databases import Place, StoreError
from grashof.bench.store import Store
from grashof.common.errors import ModelError
from grashof.server import operating, pages, results, workbench
from grashof.server.context import STORE, Server, redirect, root_of
from grashof.server.hosts import Hosts
from grashof.server.refusals import Full, Missing, Unavailable
from grashof.server.security import Guarded
from grashof.server.static import Static
from grashof.server.traffic import Counted
from grashof.server.uploads import SPACE, Uploads
from grashof.server.worker import INTERNAL
from grashof.server.workers import Workers

LOG = logging.getLogger("grashof.server")

Handler = Callable[[Server, Request], Awaitable[Response]]

READ: dict[str, Handler] = {
    "/": pages.home,
    "/problems/{name}": pages.problem_page,
    "/problems/{name}/reference.csv": pages.reference_file,
    "/problems/{name}/live": pages.problem_live,
    "/problems/{name}/motion": pages.problem_motion,
    "/gallery": pages.gallery_page,
    "/gallery/{name}": pages.example_page,
    "/gallery/{name}/live": pages.example_live,
    "/gallery/{name}/text": pages.example_text_file,
    "/gallery/{name}/picture.png": pages.example_picture,
    "/results": results.results_page,
    "/results/{id}": results.result_page,
    "/results/{id}/file": results.result_file,
    "/results/{id}/motion": results.result_motion,
    "/uploads/{upload}": results.upload_page,
    "/uploads/{upload}/motion": results.upload_motion,
    "/workbench": pages.workbench_page,
    "/api/schema": workbench.schema_file,
    "/api/examples": workbench.list_examples,
    "/api/runs/{job}": workbench.job_state,
    "/api/runs/{job}/page": workbench.job_result,
    "/api/health": operating.health,
    "/api/metrics": operating.metrics,
}

SENT: dict[str, Handler] = {
    "/problems/{name}/judge": results.judge_upload,
    "/uploads/{upload}/publish": results.publish,
    "/results/{id}/withdraw": results.withdraw,
    "/api/check": workbench.check,
    "/api/follow": workbench.follow_path,
    "/api/runs": workbench.start_run,
    "/api/runs/{job}/cancel": workbench.cancel_job,
}

COMPRESSION = 5
"""Of pages: level 9 takes four times as long for 2 % less. They hold no secrets, whose length compression could
reveal."""


def make_app(
    store: Place,
    folder: Path,
    workers: int = 2,
    hosts: Hosts | None = None,
    upload_space: int = SPACE,
    store_space: int = STORE,
) -> ASGIApp:
    """The app over a store of results; uploads that are not published yet are kept in the folder.

    workers  processes for each kind of tasks
    hosts    names under which it answers; by default those of this machine alone
    spaces   bytes of all uploads, and bytes of the store beyond which nothing is published
    """
    server = Server(store, Uploads(folder / "uploads", upload_space), Workers(workers), Static(), store_space)
    with Store(store):
        pass  # made, checked and brought up to date before the first request

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        await server.workers.close()

    def route(path: str, handler: Handler, method: str) -> Route:
        async def endpoint(request: Request) -> Response:
            try:
                return await handler(server, request)
            except (StoreError, OSError) as problem:
                LOG.error("%s %s: %s", method, path, problem)
                return _refusal(server, request, _unavailable(problem))
            except (ModelError, ClientDisconnect) as problem:
                return _refusal(server, request, problem)

        return Route(path, endpoint, methods=[method])

    async def not_found(request: Request, problem: Exception) -> Response:
        path = request.url.path.removeprefix(root_of(request))
        if request.method == "GET" and path.endswith("/") and path.strip("/"):
            return redirect(request, "/" + path.strip("/"))
        return _refusal(server, request, Missing("There is no such page."))

    async def failed(request: Request, problem: Exception) -> Response:
        return PlainTextResponse(INTERNAL, 500)

    app = Starlette(
        routes=[
            *(route(path, handler, "GET") for path, handler in READ.items()),
            *(route(path, handler, "POST") for path, handler in SENT.items()),
            Route("/static/{name}", server.static.answer),
        ],
        middleware=[Middleware(GZipMiddleware, compresslevel=COMPRESSION)],
        lifespan=lifespan,
        exception_handlers={404: not_found, 500: failed},
    )
    app.router.redirect_slashes = False  # it would redirect to the host that the request names
    return Counted(Guarded(app, hosts or Hosts(), partial(_refusal, server)), server.traffic)


def _unavailable(problem: Exception) -> ModelError:
    """What visitors are told of a trouble of the server's files; its log says the rest."""
    if isinstance(problem, OSError) and problem.errno == errno.ENOSPC:
        return Full("The server's disk is full. Its operator has been told.")
    return Unavailable("The server cannot read or write its results at the moment. Its operator has been told.")


def _refusal(server: Server, request: Request, problem: Exception) -> Response:
    """A sentence, as JSON or as a page."""
    status = getattr(problem, "status", 400)
    if request.url.path.startswith(f"{root_of(request)}/api/"):
        return JSONResponse({"sentence": str(problem)}, status)
    answer = server.page(request, "refused.html", status, subject=None, missing=status == 404, sentence=str(problem))
    if status == 503:
        answer.headers["retry-after"] = "30"
    return answer
