"""Clients that send half of a request, or that do not take their answers, do not keep others out."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

pytest.importorskip("uvicorn", reason="the extra `web` is not installed")

import uvicorn
from anyio.from_thread import start_blocking_portal
from benchmarks.served import Served
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.server import ServerState

from grashof.server import connections
from grashof.server.connections import PromptProtocol

LARGE = 32 << 20
"""Bytes of an answer that do not fit into the buffers between a server and its client."""


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers after the seconds that the path names, and with the bytes that the query names."""
    await asyncio.sleep(float(scope["path"].strip("/") or 0.0))
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"x" * int(scope["query_string"] or b"2")})


Client = Callable[[bytes], Awaitable[tuple[asyncio.StreamReader, asyncio.StreamWriter]]]


def serve(scenario: Callable[[Client, ServerState], Awaitable[None]], app: ASGIApp = app) -> None:
    """Runs a scenario against a server; a client sends some bytes and gives its two streams."""

    async def run() -> None:
        config = uvicorn.Config(app, ws="none", log_level="critical")
        config.load()
        state = ServerState()

        def made() -> PromptProtocol:
            return PromptProtocol(config, state, {})

        server = await asyncio.get_running_loop().create_server(made, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]

        async def client(content: bytes) -> Any:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(content)
            await writer.drain()
            return reader, writer

        async with asyncio.timeout(60.0):
            await scenario(client, state)
        server.close()

    with start_blocking_portal() as portal:  # a thread of its own: Playwright has a loop in this one
        portal.call(run)


async def wait_for_end(reader: asyncio.StreamReader) -> bytes:
    """What arrives until the server ends the connection, in whatever way."""
    found = b""
    with contextlib.suppress(ConnectionError):
        while block := await reader.read(1000):
            found += block
    return found


WHOLE = b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n"
HALF = b"GET / HTTP/1.1\r\nhost: local"


@pytest.mark.parametrize("sent", [b"", HALF, WHOLE + HALF])
def test_half_a_head_is_cut_off(monkeypatch: pytest.MonkeyPatch, sent: bytes) -> None:
    monkeypatch.setattr(connections, "SECONDS", 0.05)

    async def scenario(client: Client, state: ServerState) -> None:
        reader, _ = await client(sent)
        assert (b"200 OK" in await wait_for_end(reader)) == (WHOLE in sent)

    serve(scenario)


def test_a_head_that_dribbles_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "SECONDS", 0.2)

    async def scenario(client: Client, state: ServerState) -> None:
        reader, writer = await client(HALF)
        end = asyncio.create_task(wait_for_end(reader))
        while not end.done():
            writer.write(b"x")
            await asyncio.sleep(0.01)

    serve(scenario)


def test_a_whole_request_may_take_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "SECONDS", 0.05)

    async def scenario(client: Client, state: ServerState) -> None:
        reader, _ = await client(WHOLE.replace(b"/ ", b"/0.3 ", 1))
        assert b"200 OK" in await reader.readline()

    serve(scenario)


def test_the_oldest_half_makes_room_for_a_new_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MOST", 3)

    async def scenario(client: Client, state: ServerState) -> None:
        body = b"POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\nhalf"
        oldest, _ = await client(body)
        while not state.connections:
            await asyncio.sleep(0.001)
        others = [await client(HALF) for _ in range(2)]
        reader, _ = await client(WHOLE)
        assert b"200 OK" in await reader.readline()
        await wait_for_end(oldest)
        assert len(others) == 2

    serve(scenario)


def test_an_answer_that_is_not_taken_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "STALLED", 0.05)

    async def scenario(client: Client, state: ServerState) -> None:
        _, writer = await client(WHOLE.replace(b"/ ", b"/?%d " % LARGE, 1))
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        while not state.connections:
            await asyncio.sleep(0.001)
        while state.connections:
            await asyncio.sleep(0.01)

    serve(scenario)


@pytest.mark.parametrize("closing", [False, True])
def test_an_answer_that_is_taken_slowly_arrives(monkeypatch: pytest.MonkeyPatch, closing: bool) -> None:
    monkeypatch.setattr(connections, "SECONDS", 0.001)
    monkeypatch.setattr(connections, "STALLED", 10.0)

    async def scenario(client: Client, state: ServerState) -> None:
        close = b"connection: close\r\n\r\n" if closing else b"\r\n"
        asked = WHOLE.replace(b"/ ", b"/?%d " % LARGE, 1).removesuffix(b"\r\n") + close
        reader, _ = await client(asked)
        await asyncio.sleep(0.1)  # many times the time for the next request
        assert len(await reader.readexactly(LARGE)) == LARGE

    serve(scenario)


def test_a_thousand_half_sent_heads_do_not_stop_the_server(served: Served) -> None:
    opened = []
    try:
        for _ in range(1000):
            half = socket.create_connection(("127.0.0.1", served.port))
            half.sendall(HALF)
            opened.append(half)
        assert served.ask("GET", "/")[0] == 200
        # they are there still, but for those that made room
        opened[-1].settimeout(0.0)
        with pytest.raises(BlockingIOError):
            opened[-1].recv(1)
    finally:
        for half in opened:
            half.close()
