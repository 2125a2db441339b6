"""Security headers of every answer, and requests that are refused at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from grashof.server import uploads
from grashof.server.clients import Room, client_of
from grashof.server.hosts import Hosts, name_in
from grashof.server.refusals import Forbidden, Misdirected, TooLarge, TooSlow

POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; frame-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'"
)
"""Of pages; those that hold a viewer bring the digests of their own scripts."""

HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",  # without any, browsers hide the origin of forms from their own server, too
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "x-frame-options": "SAMEORIGIN",
}


LARGEST = uploads.LARGEST + (1 << 20)
"""Bytes of a request: an upload and the form around it."""

SECONDS = 120.0
"""Seconds in which a request must have arrived."""

PATIENCE = 20.0
"""Seconds after which a request must arrive at least at the following rate."""

RATE = 8 << 10
"""Bytes in a second."""

SMALL = 1 << 20
"""Bytes of a request that are always taken."""

ARRIVING = 1 << 30
"""Bytes of larger requests that the server takes at a time."""

Refuse = Callable[[Request, Exception], Response]


class Guarded:
    """Adds the headers, refuses requests for names that are not the server's and those that another site makes a
    browser send, and bounds the size and the time of what is sent."""

    def __init__(self, app: ASGIApp, hosts: Hosts, refuse: Refuse) -> None:
        self.app, self.hosts, self.refuse = app, hosts, refuse
        self.room = Room(ARRIVING)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        adding = self._adding(send)
        try:
            self._check(scope["method"], Headers(scope=scope))
        except (Misdirected, Forbidden) as problem:
            await self.refuse(Request(scope), problem)(scope, receive, adding)
            return
        request = ArrivingRequest(receive, client_of(Request(scope)), self.room)
        try:
            await self.app(scope, request.receive, adding)
        finally:
            request.free()

    def _check(self, method: str, headers: Headers) -> None:
        host, origin = headers.get("host", ""), headers.get("origin")
        if not self.hosts.allow(host):
            name = name_in(host)
            if name is None:
                raise Misdirected("The request does not say by which name it asks for this server.")
            raise Misdirected(
                f"This server does not answer under the name '{name}'. If it is meant to, its operator can start it "
                f"with --allow-host {name}."
            )
        foreign = headers.get("sec-fetch-site") in ("cross-site", "same-site")
        if method not in ("GET", "HEAD") and (
            foreign or (origin is not None and not self.hosts.allow_origin(origin, host))
        ):
            raise Forbidden("Requests from pages of other sites are refused.")

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


class ArrivingRequest:
    """A request, which ends with a refusal if it is too large or does not arrive in time."""

    def __init__(self, receive: Receive, client: str, room: Room) -> None:
        self.client, self.room = client, room
        self._receive, self._begun = receive, asyncio.get_running_loop().time()
        self._size, self._taken, self._whole = 0, 0, False

    async def receive(self) -> Message:
        """What arrives next."""
        if self._whole:  # from now on only the end of the connection can be waited for
            return await self._receive()
        seconds = min(SECONDS, PATIENCE + self._size / RATE)
        try:
            async with asyncio.timeout_at(self._begun + seconds):
                message = await self._receive()
        except TimeoutError:
            raise TooSlow(
                f"The request did not arrive within {SECONDS:g} s."
                if seconds == SECONDS
                else f"The request arrives too slowly: {self._size:,} bytes in {seconds:.0f} s."
            ) from None
        self._size += len(message.get("body", b""))
        self._whole = not message.get("more_body", False)
        if self._size > LARGEST:
            raise TooLarge(f"The request has more than {LARGEST:,} bytes, which is the largest size allowed.")
        more = max(0, self._size - SMALL) - self._taken
        if more:
            self.room.take(self.client, more)
            self._taken += more
        return message

    def free(self) -> None:
        """Gives back the room that it took."""
        self.room.free(self.client, self._taken)
