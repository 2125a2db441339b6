"""A queue in which clients take turns: who asks for much waits behind who asks for little."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from grashof.server.refusals import Busy, TooMany

MOST = 1024
"""Tasks that may wait; more are refused."""

MOST_EACH = 32
"""Of them those of one client."""


@dataclass(eq=False)
class Turn:
    """A task that waits for its turn; the lower its number, the sooner it comes."""

    client: str
    number: int
    came: asyncio.Future[None]


@dataclass
class FairQueue:
    """Some places, which tasks of several clients take in turn: start-time fair queueing of tasks of equal length.

    The k-th task of a client that comes while the queue is at number n gets the number n + k, and the lowest number
    comes next, whoever asked for more. One client alone has all places but one, so that long tasks of one do not keep
    out another.

    P. Goyal, H. M. Vin and H. Cheng, Start-time fair queueing, SIGCOMM 1996.
    """

    places: int
    _now: int = 0
    _next: dict[str, int] = field(default_factory=dict)  # number of a client's next task, if it is not the present one
    _waiting: list[Turn] = field(default_factory=list)  # in the order in which they asked
    _working: Counter[str] = field(default_factory=Counter)

    @property
    def waiting(self) -> int:
        """Tasks that wait for a place."""
        return len(self._waiting)

    @property
    def working(self) -> int:
        """Tasks that have one."""
        return self._working.total()

    @asynccontextmanager
    async def place(self, client: str) -> AsyncIterator[None]:
        """Waits for a place, and gives it back at the end."""
        await self._enter(client)
        try:
            yield
        finally:
            self._leave(client)

    async def _enter(self, client: str) -> None:
        if sum(turn.client == client for turn in self._waiting) >= MOST_EACH:
            raise TooMany(f"{MOST_EACH} tasks of yours are waiting already; wait until some of them are done.")
        if self.waiting >= MOST:
            raise Busy("The server has too much to do at the moment; try again in a minute.")
        number = max(self._now, self._next.get(client, 0))
        self._next[client] = number + 1
        turn = Turn(client, number, asyncio.get_running_loop().create_future())
        self._waiting.append(turn)
        self._admit()
        try:
            await turn.came
        except asyncio.CancelledError:
            if turn in self._waiting:
                self._forget(turn)
            elif not turn.came.cancelled():  # it came at the same moment
                self._leave(client)
            raise

    def _leave(self, client: str) -> None:
        self._working[client] -= 1
        if not self._working[client]:
            del self._working[client]
        self._next = {name: number for name, number in self._next.items() if number > self._now}
        self._admit()

    def _admit(self) -> None:
        share = max(1, self.places - 1)
        while self.working < self.places:
            entitled = [turn for turn in self._waiting if self._working[turn.client] < share]
            if not entitled:
                return
            turn = min(entitled, key=lambda turn: turn.number)
            self._waiting.remove(turn)
            if not turn.came.done():  # it was cancelled
                self._now = max(self._now, turn.number)
                self._working[turn.client] += 1
                turn.came.set_result(None)

    def _forget(self, gone: Turn) -> None:
        """Removes a task that has been cancelled; the client's others move up."""
        self._waiting.remove(gone)
        for turn in self._waiting:
            if turn.client == gone.client and turn.number > gone.number:
                turn.number -= 1
        if gone.client in self._next:
            self._next[gone.client] -= 1
