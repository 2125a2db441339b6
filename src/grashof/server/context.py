"""What all requests share, and the answers that several handlers give."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from jinja2 import Environment
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, RedirectResponse

from grashof.bench.databases import Place
from grashof.common.errors import ModelError
from grashof.server import library
from grashof.server.clients import client_of
from grashof.server.jobs import Jobs
from grashof.server.static import Static
from grashof.server.traffic import Traffic
from grashof.server.uploads import Uploads
from grashof.server.workers import Workers

SECONDS = 60.0
"""Seconds within which a file is judged, or a mechanism checked, waiting included."""

PAGES = 64
"""Pages of viewers that are kept in memory."""

BYTES = 128 << 20
"""Memory for them."""

STORE = 20 << 30
"""Bytes of the store beyond which nothing is published."""

Result = TypeVar("Result")


@dataclass
class ViewerPage:
    """A page that is being made, or was."""

    making: asyncio.Task[str]
    askers: int = 0

    @property
    def succeeded(self) -> bool:
        """Whether it has been made."""
        return self.making.done() and not self.making.cancelled() and self.making.exception() is None


@dataclass
class Server:
    """What all requests share."""

    store: Place
    uploads: Uploads
    workers: Workers
    static: Static
    space: int = STORE
    jobs: Jobs = field(default_factory=Jobs)
    traffic: Traffic = field(default_factory=Traffic)
    pages: dict[str, ViewerPage] = field(default_factory=dict)
    templates: Environment = field(default_factory=library.templates)

    def page(self, request: Request, template: str, status: int = 200, **given: Any) -> HTMLResponse:
        """A page from a template, in which all values are escaped."""
        root = root_of(request)

        def at(path: str) -> str:
            return root + self.static.with_digest(path)

        return HTMLResponse(library.render_page(self.templates, template, at, root=root, **given), status)

    async def viewer(self, request: Request, key: str, task: str, given: dict[str, Any]) -> HTMLResponse:
        """A page that holds a viewer, made by a worker when it is first asked for. Whoever asks meanwhile waits for it;
        if nobody does any more, it is dropped.

        Its own content policy names the digests of its scripts.
        """
        if key not in self.pages:
            self._forget_oldest()
            work = self.workers.run("judge", client_of(request), task, given, SECONDS)
            self.pages[key] = ViewerPage(asyncio.create_task(work))
        page = self.pages[key]
        page.askers += 1
        try:
            return viewer(await until_closed(request, asyncio.shield(page.making)))
        except ModelError:
            if self.pages.get(key) is page:  # it is tried again when it is next asked for
                del self.pages[key]
            raise
        finally:
            page.askers -= 1
            if not page.askers and not page.making.done():
                page.making.cancel()
                if self.pages.get(key) is page:
                    del self.pages[key]

    def _forget_oldest(self) -> None:
        """Makes room for another page."""
        made = {key: len(page.making.result()) for key, page in self.pages.items() if page.succeeded}
        for key in list(made):
            if len(self.pages) < PAGES and sum(made.values()) < BYTES:
                return
            del self.pages[key], made[key]


async def until_closed(request: Request, work: Awaitable[Result]) -> Result:
    """What the work gives. If the client closes the connection before, the work is cancelled: nobody waits for it."""
    task, closed = asyncio.ensure_future(work), asyncio.ensure_future(_wait_for_close(request))
    try:
        await asyncio.wait({task, closed}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise ClientDisconnect
        return task.result()
    finally:
        task.cancel()
        closed.cancel()


async def _wait_for_close(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def viewer(html: str) -> HTMLResponse:
    """A page that holds a viewer, as an answer."""
    policy = html.partition('http-equiv="Content-Security-Policy" content="')[2].partition('"')[0]
    return HTMLResponse(html, headers={"content-security-policy": f"{policy}; frame-ancestors 'self'"})


def root_of(request: Request) -> str:
    """The path under which a proxy serves the app; empty without one."""
    return str(request.scope.get("root_path", "")).rstrip("/")


def redirect(request: Request, path: str) -> RedirectResponse:
    """Leads the browser from a form to a page."""
    return RedirectResponse(root_of(request) + path, 303)
