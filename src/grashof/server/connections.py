"""Connections of clients that send too slowly, or that do not take their answers, are cut off."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable

SECONDS = 10.0
"""In which the head of a request must have arrived, from the beginning of the connection or the end of the last
answer."""

STALLED = 30.0
"""Seconds after which a client that takes nothing of an answer is given up."""

MOST = 400
"""Connections that may be without a whole request at a time. For one more, the oldest is cut off: an honest client's
request arrives within a moment, so that thousands of half-sent ones cannot keep it out."""

MOST_AT_WORK = 800
"""Connections beyond which requests are refused."""

BACKLOG = 1024
"""Connections that may wait to be accepted, and that are accepted at once."""

DESCRIPTORS = 4096
"""Open files and connections of the process: those above, and some for files and workers."""


class PromptProtocol(H11Protocol):
    """HTTP/1.1 as uvicorn speaks it, with clients that must get on."""

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        self.since = 0.0
        self._sending: asyncio.TimerHandle | None = None
        self._taking: asyncio.TimerHandle | None = None

    @property
    def owes(self) -> bool:
        """Whether the server waits for the head of a request, or for the rest of one that has been answered."""
        return self.conn.their_state is h11.IDLE or (self.cycle is not None and self.cycle.response_complete)

    @property
    def incomplete(self) -> bool:
        """Whether a request, or a part of one, has still to arrive."""
        return self.conn.their_state in (h11.IDLE, h11.SEND_BODY) and not self.transport.is_closing()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A new connection; the oldest without a request makes room for it."""
        super().connection_made(transport)
        self._expect()
        if len(self.connections) > MOST:
            cut_oldest(x for x in self.connections if isinstance(x, PromptProtocol))

    def connection_lost(self, exc: Exception | None) -> None:
        """The end."""
        super().connection_lost(exc)
        _cancel(self._sending, self._taking)

    def data_received(self, data: bytes) -> None:
        """Some of a request, maybe the end of its head."""
        super().data_received(data)
        if not self.owes:
            _cancel(self._sending)

    def on_response_complete(self) -> None:
        """The next request is waited for, or the rest of this one."""
        super().on_response_complete()
        if self.owes:
            self._expect()

    def pause_writing(self) -> None:
        """The client takes less than is sent."""
        super().pause_writing()
        self._taking = self.loop.call_later(STALLED, self._end_unless_taken, self._left)

    def resume_writing(self) -> None:
        """It goes on."""
        super().resume_writing()
        _cancel(self._taking)

    @property
    def _left(self) -> int:
        return self.transport.get_write_buffer_size()

    def _expect(self) -> None:
        _cancel(self._sending)
        self.since = self.loop.time()
        self._sending = self.loop.call_later(SECONDS, self._end_unless_taken, 0)

    def _end_unless_taken(self, before: int) -> None:
        """Ends the connection, unless the client still takes of the last answer."""
        if 0 < self._left != before:
            self._taking = self.loop.call_later(STALLED, self._end_unless_taken, self._left)
        else:
            self.transport.abort()


def cut_oldest(connections: Iterable[PromptProtocol]) -> None:
    """Cuts off the connection that has been without a whole request for longest, if there are too many of them."""
    waiting = [x for x in connections if x.incomplete]
    if len(waiting) > MOST:
        min(waiting, key=lambda x: x.since).transport.abort()


def allow_descriptors() -> None:
    """Raises the number of open files of this process, where the system has such a limit and allows it."""
    try:
        import resource
    except ImportError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if 0 <= soft < DESCRIPTORS:
        resource.setrlimit(resource.RLIMIT_NOFILE, (DESCRIPTORS if hard < 0 else min(hard, DESCRIPTORS), hard))


def _cancel(*timers: asyncio.TimerHandle | None) -> None:
    for timer in timers:
        if timer is not None:
            timer.cancel()
