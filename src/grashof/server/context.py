"""What all requests share, and the answers that several handlers give."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jinja2 import Environment
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse

from grashof.common.errors import ModelError
from grashof.server import library
from grashof.server.jobs import Jobs
from grashof.server.static import Static
from grashof.server.uploads import Uploads
from grashof.server.workers import Workers

SECONDS = 60.0
"""Seconds that judging a file, or checking a mechanism, may take."""

PAGES = 64
"""Pages of viewers that are kept in memory."""


@dataclass
class Server:
    """What all requests share."""

    store: Path
    uploads: Uploads
    workers: Workers
    static: Static
    jobs: Jobs = field(default_factory=Jobs)
    pages: dict[str, asyncio.Task[str]] = field(default_factory=dict)
    templates: Environment = field(default_factory=library.templates)

    def page(self, request: Request, template: str, status: int = 200, **given: Any) -> HTMLResponse:
        """A page from a template, in which all values are escaped."""
        root = root_of(request)

        def at(path: str) -> str:
            return root + self.static.with_digest(path)

        return HTMLResponse(library.render_page(self.templates, template, at, root=root, **given), status)

    async def viewer(self, key: str, task: str, given: dict[str, Any]) -> HTMLResponse:
        """A page that holds a viewer, made by a worker when it is first asked for; whoever asks meanwhile waits for it.

        Its own content policy names the digests of its scripts.
        """
        if key not in self.pages:
            while len(self.pages) >= PAGES:
                del self.pages[next(iter(self.pages))]
            self.pages[key] = asyncio.create_task(self.workers.run(task, given, SECONDS))
        making = self.pages[key]
        try:
            return viewer(await asyncio.shield(making))
        except ModelError:
            if self.pages.get(key) is making:  # it is tried again when it is next asked for
                del self.pages[key]
            raise


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
