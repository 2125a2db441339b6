"""Long tasks, whose progress a page shows and which it can cancel."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from grashof.common.errors import ModelError
from grashof.server.refusals import Busy, Missing

MOST = 100
"""Jobs that are remembered; the oldest that has ended is forgotten for a new one."""


LEAST = 0.01
"""The part of a job after which the time left can be estimated."""


@dataclass
class ServerJob:
    """Something that is being done.

    part    of it that is done, 0 to 1
    first   the time at which progress was first reported, and the part that was done then
    state   "running", "done", "failed" or "cancelled"
    """

    task: asyncio.Task[Any] | None = None
    part: float = 0.0
    doing: str = "waiting"
    state: str = "running"
    sentence: str = ""
    result: Any = None
    first: tuple[float, float] | None = None

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

    def start(self, work: Callable[[ServerJob], Awaitable[Any]]) -> str:
        """Starts some work and returns the name of its job."""
        for name in [name for name, job in self._jobs.items() if job.state != "running"][
            : max(0, len(self._jobs) - MOST + 1)
        ]:
            del self._jobs[name]
        if len(self._jobs) >= MOST:
            raise Busy("The server has too much to do at the moment; try again in a minute.")
        job = ServerJob()
        name = secrets.token_hex(16)
        self._jobs[name] = job
        job.task = asyncio.create_task(self._run(job, work))
        return name

    async def _run(self, job: ServerJob, work: Callable[[ServerJob], Awaitable[Any]]) -> None:
        try:
            job.result = await work(job)
            job.state, job.part = "done", 1.0
        except ModelError as problem:
            job.state, job.sentence = "failed", str(problem)
        except asyncio.CancelledError:
            job.state, job.sentence = "cancelled", "Cancelled."

    def __getitem__(self, name: str) -> ServerJob:
        if name not in self._jobs:
            raise Missing("There is no such job; the server may have been restarted.")
        return self._jobs[name]

    def cancel(self, name: str) -> None:
        """Ends a job, with the process that does it."""
        job = self[name]
        if job.task is not None and job.state == "running":
            job.state, job.sentence = "cancelled", "Cancelled."
            job.task.cancel()
