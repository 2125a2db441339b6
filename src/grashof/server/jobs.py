"""Long tasks, whose progress a page shows and which it can cancel."""

from __future__ import annotations

import asyncio
import secrets
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from grashof.common.errors import ModelError
from grashof.server.fair_queue import MOST_EACH
from grashof.server.refusals import Busy, Missing, TooMany

MOST = 1000
"""Jobs that are remembered."""

BYTES = 256 << 20
"""Memory for what finished jobs have given; the oldest are forgotten first."""

KEPT = 3600.0
"""Seconds for which a finished job is remembered."""

ABANDONED = 150.0
"""Seconds after which a job is cancelled about which nobody asks; a page in the background asks once a minute."""

LEAST = 0.01
"""The part of a job after which the time left can be estimated."""


@dataclass
class ServerJob:
    """Something that is being done.

    client  who has asked for it
    media   the type of its result
    part    of it that is done, 0 to 1
    first   the time at which progress was first reported, and the part that was done then
    state   "running", "done", "failed" or "cancelled"
    end     when it is cancelled, or forgotten if it has ended
    """

    client: str = ""
    media: str = ""
    task: asyncio.Task[Any] | None = None
    part: float = 0.0
    doing: str = "waiting"
    state: str = "running"
    sentence: str = ""
    result: Any = None
    first: tuple[float, float] | None = None
    end: asyncio.TimerHandle | None = None

    def progress(self, part: float, doing: str) -> None:
        """Records how much is done."""
        self.part, self.doing = min(1.0, max(self.part, part)), doing
        self.first = self.first or (asyncio.get_running_loop().time(), self.part)

    def as_dict(self) -> dict[str, Any]:
        """The state that a page shows, with an estimate of the seconds left."""
        left = None
        if self.state == "running" and self.first is not None and self.part > self.first[1] + LEAST:
            passed = asyncio.get_running_loop().time() - self.first[0]
            left = passed * (1.0 - self.part) / (self.part - self.first[1])
        return {
            "state": self.state,
            "part": self.part,
            "doing": self.doing,
            "sentence": self.sentence,
            "seconds_left": left,
        }


class Jobs:
    """All jobs, by names that cannot be guessed."""

    def __init__(self) -> None:
        self._jobs: dict[str, ServerJob] = {}

    def start(self, client: str, work: Callable[[ServerJob], Awaitable[Any]], media: str = "") -> str:
        """Starts some work for a client and returns the name of its job."""
        running = [job for job in self._jobs.values() if job.state == "running"]
        if len(running) >= MOST:
            raise Busy("The server has too much to do at the moment; try again in a minute.")
        if sum(job.client == client for job in running) >= MOST_EACH:
            raise TooMany(f"{MOST_EACH} runs of yours are not finished yet; wait for some of them, or cancel them.")
        job = ServerJob(client, media)
        name = secrets.token_hex(16)
        self._jobs[name] = job
        self._forget_oldest()
        job.task = asyncio.create_task(self._run(name, job, work))
        self._end_later(name, job)
        return name

    async def _run(self, name: str, job: ServerJob, work: Callable[[ServerJob], Awaitable[Any]]) -> None:
        try:
            job.result = await work(job)
            job.state, job.part = "done", 1.0
        except ModelError as problem:
            job.state, job.sentence = "failed", str(problem)
        except asyncio.CancelledError:
            job.state, job.sentence = "cancelled", "Cancelled."
        finally:
            self._end_later(name, job)
            self._forget_oldest()

    def _end_later(self, name: str, job: ServerJob) -> None:
        if job.end is not None:
            job.end.cancel()
        loop = asyncio.get_running_loop()
        if job.state == "running":
            job.end = loop.call_later(ABANDONED, self.cancel, name)
        else:
            job.end = loop.call_later(KEPT, self._jobs.pop, name, None)

    def _forget_oldest(self) -> None:
        """Keeps to the limits of memory and number."""
        ended = {name: sys.getsizeof(job.result) for name, job in self._jobs.items() if job.state != "running"}
        for name in list(ended)[:-1]:  # but for the latest, which somebody waits for
            if len(self._jobs) <= MOST and sum(ended.values()) <= BYTES:
                return
            del self._jobs[name], ended[name]

    def __getitem__(self, name: str) -> ServerJob:
        if name not in self._jobs:
            raise Missing("There is no such job; it may have been forgotten, or the server restarted.")
        return self._jobs[name]

    def look(self, name: str) -> dict[str, Any]:
        """The state of a job, in which somebody is still interested."""
        job = self[name]
        if job.state == "running":
            self._end_later(name, job)
        return job.as_dict()

    def cancel(self, name: str) -> None:
        """Ends a job, with the process that does it."""
        job = self[name]
        if job.task is not None and job.state == "running":
            job.state, job.sentence = "cancelled", "Cancelled."
            job.task.cancel()
