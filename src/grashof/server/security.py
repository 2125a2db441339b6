"""Security headers of every answer, and requests that are refused at once."""

from __future__ import annotations

import asyncio

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from grashof.server import uploads
from grashof.server.refusals import TooLarge, TooSlow

POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; frame-src 'self'; "
    "font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'"
)
"""Of pages; those that hold a viewer bring the digests of their own scripts."""

HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "x-frame-options": "SAMEORIGIN",
}


LARGEST = uploads.LARGEST + (1 << 20)
"""Bytes of a request: an upload and the form around it."""

SECONDS = 120.0
"""Seconds in which a request must have arrived."""


class Guarded:
    """Adds the headers, refuses requests that another site makes a browser send, and bounds the size and the time of
    what is sent."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if scope["method"] not in ("GET", "HEAD") and Headers(scope=scope).get("sec-fetch-site") in (
            "cross-site",
            "same-site",
        ):
            await PlainTextResponse("Requests from pages of other sites are refused.", 403)(
                scope, receive, self._adding(send)
            )
            return
        await self.app(scope, _bound_request(receive), self._adding(send))

    def _adding(self, send: Send) -> Send:
        async def added(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("content-security-policy", POLICY)
                headers.setdefault("cache-control", "no-store")
            await send(message)

        return added


def _bound_request(receive: Receive) -> Receive:
    """The same request, which ends with a refusal if it is too large or does not arrive in time."""
    size, until, whole = 0, asyncio.get_running_loop().time() + SECONDS, False

    async def bounded() -> Message:
        nonlocal size, whole
        if whole:  # from now on only the end of the connection can be waited for
            return await receive()
        try:
            async with asyncio.timeout_at(until):
                message = await receive()
        except TimeoutError:
            raise TooSlow(f"The request did not arrive within {SECONDS:g} s.") from None
        size += len(message.get("body", b""))
        whole = not message.get("more_body", False)
        if size > LARGEST:
            raise TooLarge(f"The request has more than {LARGEST:,} bytes, which is the largest size allowed.")
        return message

    return bounded
